use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::{Seconds, Size};

fn file(text: &str) -> Figment {
    Figment::from(Toml::string(text))
}

fn environment(variables: &[(&str, &str)]) -> Layer {
    let variables: HashMap<&str, &str> = variables.iter().copied().collect();
    Layer::environment(|name| variables.get(name).map(OsString::from)).unwrap()
}

fn arguments(given: &[(&'static str, &str)]) -> Layer {
    Layer::arguments(given.iter().map(|(key, text)| (*key, (*text).to_owned())))
}

fn merged(file: Figment, environment: Layer, arguments: Layer) -> Result<Settings, Error> {
    Settings::merge(Program::Bench, file, environment, arguments)
}

fn refusal(settings: Result<Settings, Error>) -> String {
    settings.expect_err("it should be refused").to_string()
}

#[test]
fn arguments_come_before_the_environment_that_before_the_file_and_that_before_defaults() {
    let settings = merged(
        file("cores = 4\nmemory = '4MiB'\nlisten = 'file:1'"),
        environment(&[("NETFOLD_CORES", "3"), ("NETFOLD_MEMORY", "3MiB")]),
        arguments(&[("cores", "2")]),
    );
    let settings = settings.unwrap();
    assert_eq!(settings.cores, 2, "argument over environment and file");
    assert_eq!(settings.memory, Size(3 << 20), "environment over file");
    assert_eq!(settings.listen, "file:1", "the file over the default");
    assert_eq!((settings.weight, settings.metrics), (1, None));
}

#[test]
fn numbers_and_truth_values_in_the_file_need_no_quotes() {
    let text =
        "memory = 65536\ncores = 2\ntoken = 12345\ntimeout = 2.5\nresumable = true\nstrict = 'off'";
    let settings = merged(file(text), environment(&[]), arguments(&[])).unwrap();
    assert_eq!((settings.memory, settings.cores), (Size(65536), 2));
    assert_eq!((settings.timeout, settings.resumable), (Seconds(2.5), true));
    assert!(!settings.strict);
    assert_eq!(settings.token_text().unwrap().as_deref(), Some("12345"));
}

#[test]
fn an_unknown_key_is_answered_with_the_known_ones() {
    let error = merged(file("lisen = 'x'"), environment(&[]), arguments(&[])).unwrap_err();
    let Error::UnknownKey { key, known, .. } = &error else { panic!("{error}") };
    let keys = SETTINGS.iter().filter(|setting| setting.in_file).map(|setting| setting.key);
    assert_eq!((key.as_str(), known.to_vec()), ("lisen", keys.collect::<Vec<_>>()));
    assert!(error.to_string().contains("listen, cores, memory"), "{error}");
    let config = refusal(merged(file("config = 'x'"), environment(&[]), arguments(&[])));
    assert!(config.contains("unknown key \"config\""), "{config}");
}

#[test]
fn a_bad_value_is_told_with_its_place_and_what_is_allowed() {
    let refusals = [
        (
            merged(file(""), environment(&[]), arguments(&[("packet_elements", "many")])),
            "--packet-elements: \"many\": give a multiple of 8 from 8 to 8192",
        ),
        (
            merged(file(""), environment(&[("NETFOLD_MEMORY", "lots")]), arguments(&[])),
            "NETFOLD_MEMORY: \"lots\": not a size",
        ),
        (
            merged(file("cores = 0"), environment(&[]), arguments(&[])),
            "cores: \"0\": give a whole number from 1 to 256",
        ),
        (
            merged(file(""), environment(&[("NETFOLD_PIN", "a")]), arguments(&[])),
            "NETFOLD_PIN: \"a\": a list of cores",
        ),
    ];
    for (settings, start) in refusals {
        let text = refusal(settings);
        assert!(text.starts_with(start), "{text}");
    }
    let table = refusal(merged(file("[cores]\nn = 1"), environment(&[]), arguments(&[])));
    assert!(table.contains("expected a text, a number, true or false"), "{table}");
}

#[test]
fn a_variable_that_is_no_text_is_refused_and_not_ignored() {
    use std::os::unix::ffi::OsStringExt;
    let variable =
        |name: &str| (name == "NETFOLD_TOKEN").then(|| OsString::from_vec(vec![b's', 0xff]));
    let error = Settings::load(Program::Torch, [], variable).unwrap_err().to_string();
    assert!(error.starts_with("NETFOLD_TOKEN: "), "{error}");
}

#[test]
fn a_token_hides_the_token_file_of_a_later_place_and_the_other_way_round() {
    let both =
        |environment, arguments| merged(file("token_file = 'nowhere'"), environment, arguments);
    let settings =
        both(environment(&[("NETFOLD_TOKEN", "of the environment")]), arguments(&[])).unwrap();
    assert_eq!(settings.token_text().unwrap().as_deref(), Some("of the environment"));
    let settings =
        both(environment(&[("NETFOLD_TOKEN", "hidden")]), arguments(&[("token_file", "missing")]))
            .unwrap();
    assert!(settings.token_text().unwrap_err().to_string().contains("missing"));
    let one_place = merged(file("token = 'a'\ntoken_file = 'b'"), environment(&[]), arguments(&[]));
    assert!(matches!(one_place, Err(Error::TwoTokens)));
}

/// A variable that someone forgot to fill must not open a switch that was meant to be closed.
#[test]
fn an_empty_token_is_refused_and_other_empty_variables_are_not_set() {
    let empty = environment(&[("NETFOLD_TOKEN", ""), ("NETFOLD_CORES", " ")]);
    let settings = merged(file("cores = 2"), empty, arguments(&[])).unwrap();
    assert_eq!(settings.cores, 2);
    assert!(settings.token_text().unwrap_err().to_string().contains("the token is empty"));
}

#[test]
fn a_secret_is_not_shown() {
    let settings = merged(file("token = 's3cret'"), environment(&[]), arguments(&[])).unwrap();
    assert!(!format!("{settings:?}").contains("s3cret"));
}

proptest! {
    /// Settings that a front end passes on to another process are read as the same there.
    #[test]
    fn values_read_back(
        memory in 0..1_u64 << 50, timeout in 0.1..86_400_f64, strict: bool, slots in 0..16_u32,
        pin in "[0-9],1-[2-9]",
    ) {
        let given = [
            ("memory", memory.to_string()), ("timeout", timeout.to_string()),
            ("strict", strict.to_string()), ("slots", 2_u32.pow(slots).to_string()), ("pin", pin),
            ("arithmetic", "fpisa-a".into()), ("switch", "a:1, b:2".into()),
        ];
        let settings = merged(file(""), environment(&[]), Layer::arguments(given)).unwrap();
        let values = settings.values();
        let back = Settings::of(Program::Ctl, values.iter().map(|(key, value)| (*key, value)));
        prop_assert_eq!(back.unwrap().values(), values);
    }
}
