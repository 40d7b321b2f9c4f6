//! The programs under `p4/` are those that the emitters write.

use std::fs;
use std::path::Path;

use netfold_pisa::catalog::{self, Dialect, Name, Request};
use netfold_pisa::p4::EmitError;

/// Every file is what would be written now.
#[test]
fn checked_in_programs_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4");
    for (name, text) in catalog::files().unwrap() {
        let present = fs::read_to_string(root.join(&name)).unwrap_or_default();
        let same = present.lines().zip(text.lines()).take_while(|(present, wanted)| present == wanted).count();
        assert!(
            present == text,
            "p4/{name} is not what the emitter writes, from line {}; run `cargo run -p netfold -- p4 emit --all --out p4` and commit the result",
            same + 1
        );
    }
}

/// Nothing else is there, as a file of a program that has another name now.
#[test]
fn nothing_else_is_checked_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4");
    let names: Vec<String> = catalog::files().unwrap().into_iter().map(|(name, _)| name).collect();
    for dialect in Dialect::ALL {
        for entry in fs::read_dir(root.join(dialect.as_str())).unwrap() {
            let name = format!("{}/{}", dialect.as_str(), entry.unwrap().file_name().to_string_lossy());
            assert!(names.contains(&name), "p4/{name} belongs to no program; remove it");
        }
    }
}

/// Braces and parentheses match, every state and action that is named is there, and no two are alike.
#[test]
fn what_is_named_is_declared() {
    for (name, text) in catalog::files().unwrap().into_iter().filter(|(name, _)| name.ends_with(".p4")) {
        for (open, close) in [('{', '}'), ('(', ')')] {
            assert_eq!(text.matches(open).count(), text.matches(close).count(), "{name}: {open} and {close}");
        }
        for part in text.split("\ncontrol ").flat_map(|part| part.split("\nparser ")) {
            let declared = |keyword: &str| -> Vec<&str> {
                let lines = part.lines().filter_map(|line| line.trim_start().strip_prefix(keyword));
                lines.map(|rest| rest.split([' ', '(']).next().unwrap()).collect()
            };
            let (mut states, mut actions) = (declared("state "), declared("action "));
            for line in part.lines().map(str::trim) {
                if let Some(next) = line.strip_prefix("transition ").filter(|next| !next.starts_with("select")) {
                    let next = next.trim_end_matches(';');
                    assert!(["accept", "reject"].contains(&next) || states.contains(&next), "{name}: state {next}");
                }
                if let Some((_, call)) = line.split_once(" : ").filter(|(_, call)| call.ends_with(");")) {
                    let action = call.split('(').next().unwrap();
                    assert!(actions.contains(&action), "{name}: action {action}");
                }
            }
            for names in [&mut states, &mut actions] {
                let all = names.len();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), all, "{name}: a name twice");
            }
        }
    }
}

/// bmv2 has one pipeline.
#[test]
fn folded_pipelines_are_not_for_bmv2() {
    let request = Request { name: Name::SwitchMl, elements: 256, workers: 8, slots: 128, one_pipeline: false };
    let refused = catalog::emit(&request.make(), Dialect::V1Model);
    assert_eq!(refused, Err(EmitError::Pipelines { program: "switchml".into(), pipelines: 4 }));
}
