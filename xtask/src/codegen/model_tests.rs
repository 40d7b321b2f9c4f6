//! Every check of the specification, each with a text that only that check refuses.

use super::{Spec, SpecError};

/// A specification that passes, for the tests to spoil.
const SOUND: &str = r#"
version = 1
[[field]]
name = "version"
bits = 8
doc = "."
[[field]]
name = "kind"
bits = 8
doc = "."
[[field]]
name = "flags"
bits = 16
doc = "."
[[field]]
name = "exponent"
bits = 32
signed = true
doc = "."
[[enum]]
name = "Kind"
field = "kind"
doc = "."
values = [{ name = "Values", value = 1, doc = "." }, { name = "Classes", value = 255, doc = "." }]
[[flag]]
name = "RESULT"
bit = 0
doc = "."
[[flag]]
name = "EMPTY"
bit = 15
doc = "."
[[constant]]
name = "EVERYONE"
bits = 16
value = 0xFFFF
doc = "."
"#;

/// The error for the sound text with `from` replaced by `to`.
#[track_caller]
fn refused(from: &str, to: &str) -> SpecError {
    assert!(SOUND.contains(from), "the sound text has no {from}");
    Spec::parse(&SOUND.replacen(from, to, 1)).expect_err("the spoiled text passes")
}

#[test]
fn a_sound_specification_passes_with_offsets_in_order() {
    let spec = Spec::parse(SOUND).unwrap();
    let offsets: Vec<_> = spec.fields_at().map(|(at, field)| (at, field.name.as_str())).collect();
    assert_eq!(offsets, [(0, "version"), (1, "kind"), (2, "flags"), (4, "exponent")]);
    assert_eq!(spec.header_bytes(), 8);
}

#[test]
fn the_repository_specification_passes() {
    let spec = Spec::parse(include_str!("../../../spec/wire.toml")).unwrap();
    // spec/wire.toml promises 296 bytes for 64 lanes of 4 bytes.
    assert_eq!(spec.header_bytes() + 64 * 4, 296);
}

#[test]
fn unknown_keys_are_refused() {
    assert!(
        matches!(refused("signed = true", "sign = true"), SpecError::Syntax(text) if text.contains("sign"))
    );
}

#[test]
fn names_keep_to_their_form() {
    for (from, to) in [
        ("name = \"exponent\"", "name = \"Exponent\""),
        ("name = \"exponent\"", "name = \"type\""),
        ("name = \"exponent\"", "name = \"\""),
        ("name = \"Values\"", "name = \"values\""),
        ("name = \"RESULT\"", "name = \"Result\""),
        ("name = \"EVERYONE\"", "name = \"0NE\""),
    ] {
        assert!(matches!(refused(from, to), SpecError::Name { .. }), "{to}");
    }
}

#[test]
fn duplicate_names_are_refused() {
    for (from, to) in [
        ("name = \"kind\"", "name = \"version\""),
        ("name = \"Values\"", "name = \"Classes\""),
        ("name = \"RESULT\"", "name = \"EMPTY\""),
        ("name = \"RESULT\"", "name = \"ALL_KNOWN\""),
        ("name = \"EVERYONE\"", "name = \"VERSION\""),
    ] {
        assert!(matches!(refused(from, to), SpecError::DuplicateName { .. }), "{to}");
    }
}

#[test]
fn widths_are_those_of_integers() {
    assert_eq!(
        refused("bits = 32", "bits = 24"),
        SpecError::Width { what: "field", name: "exponent".into(), bits: 24 }
    );
    assert!(matches!(
        refused("bits = 16\nvalue", "bits = 12\nvalue"),
        SpecError::Width { what: "constant", .. }
    ));
}

#[test]
fn a_header_is_a_multiple_of_eight_bytes() {
    assert_eq!(
        refused("bits = 32", "bits = 16"),
        SpecError::Length { bytes: 6, last: "exponent".into() }
    );
}

#[test]
fn enumerations_and_flags_need_their_unsigned_field() {
    assert!(matches!(
        refused("field = \"kind\"", "field = \"kinds\""),
        SpecError::MissingField { .. }
    ));
    assert!(matches!(
        refused("field = \"kind\"", "field = \"exponent\""),
        SpecError::MissingField { .. }
    ));
    assert!(matches!(
        refused("name = \"flags\"", "name = \"flag\""),
        SpecError::MissingField { .. }
    ));
    assert!(matches!(
        refused("name = \"version\"", "name = \"edition\""),
        SpecError::MissingField { .. }
    ));
}

#[test]
fn values_fit_and_differ() {
    assert_eq!(
        refused("value = 255", "value = 256"),
        SpecError::Value { name: "Classes".into(), value: 256, bits: 8 }
    );
    assert_eq!(
        refused("bit = 15", "bit = 16"),
        SpecError::Value { name: "EMPTY".into(), value: 16, bits: 16 }
    );
    assert!(matches!(refused("0xFFFF", "0x10000"), SpecError::Value { .. }));
    assert!(matches!(
        refused("value = 255", "value = 1"),
        SpecError::DuplicateValue { value: 1, .. }
    ));
    assert!(matches!(refused("bit = 15", "bit = 0"), SpecError::DuplicateValue { value: 0, .. }));
    let none = r#"values = []"#;
    let all = SOUND.lines().find(|line| line.starts_with("values")).unwrap();
    assert_eq!(refused(all, none), SpecError::EmptyEnum("Kind".into()));
}

#[test]
fn messages_name_the_item() {
    let message = refused("bits = 32", "bits = 24").to_string();
    assert_eq!(message, "field `exponent`: 24 bits; a width is 8, 16, 32 or 64");
}
