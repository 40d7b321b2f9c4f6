use std::collections::HashMap;

use super::*;

fn file(text: &str) -> Figment {
    Figment::from(Toml::string(text))
}

fn environment(variables: &[(&str, &str)]) -> Layer {
    let variables: HashMap<&str, &str> = variables.iter().copied().collect();
    Layer::environment(|name| variables.get(name).map(|text| (*text).to_owned()))
}

fn flags(given: &[(&'static str, &str)]) -> Layer {
    let given: Vec<(&'static str, String)> =
        given.iter().map(|(key, text)| (*key, (*text).to_owned())).collect();
    Layer::flags(given.iter().map(|(key, text)| (*key, Some(text))))
}

fn refusal(settings: Result<Settings, Error>) -> String {
    settings.err().expect("it should be refused").to_string()
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    let settings = Settings::merge(
        file("cores = 4\nmemory = '4MiB'\nlisten = 'file:1'"),
        environment(&[("NETFOLD_CORES", "3"), ("NETFOLD_MEMORY", "3MiB"), ("NETFOLD_STRICT", "1")]),
        flags(&[("cores", "2")]),
    );
    let settings = settings.unwrap();
    assert_eq!(settings.cores, Some(Cores(2)), "flag over environment and file");
    assert_eq!(settings.memory, Some(Size(3 << 20)), "environment over file");
    assert_eq!(settings.listen.as_deref(), Some("file:1"), "the file where nothing else is");
    assert_eq!(settings.metrics, None);
}

#[test]
fn every_key_can_be_set_in_every_place() {
    let example = |key| match key {
        "cores" | "packet_elements" | "slots" | "weight" => "64",
        "memory" => "1MiB",
        "arithmetic" => "native",
        "overflow" => "native",
        "byte_order" => "network",
        "protocol" => "acked",
        "transport" => "shm",
        "pin" => "0,2-3",
        "integrity" => "checksum",
        _ => "text",
    };
    for key in KEYS {
        let text = example(key);
        let nothing = || (file(""), environment(&[]), flags(&[]));
        let places = [
            (file(&format!("{key} = '{text}'")), nothing().1, nothing().2),
            (nothing().0, environment(&[(&spell(key), text)]), nothing().2),
            (nothing().0, nothing().1, flags(&[(key, text)])),
        ];
        for (file, environment, flags) in places {
            assert!(Settings::merge(file, environment, flags).is_ok(), "{key}");
        }
    }
}

#[test]
fn numbers_in_the_file_need_no_quotes() {
    let settings = Settings::merge(
        file("memory = 65536\ncores = 2\ntoken = 12345"),
        environment(&[]),
        flags(&[]),
    )
    .unwrap();
    assert_eq!((settings.memory, settings.cores), (Some(Size(65536)), Some(Cores(2))));
    assert_eq!(settings.token_text().unwrap().as_deref(), Some("12345"));
}

#[test]
fn an_unknown_key_is_answered_with_the_known_ones() {
    let error = Settings::merge(file("lisen = 'x'"), environment(&[]), flags(&[])).err().unwrap();
    let Error::UnknownKey { key, known, .. } = &error else { panic!("{error}") };
    assert_eq!((key.as_str(), *known), ("lisen", &KEYS[..]));
    assert_eq!(error.status(), crate::USAGE);
    assert!(error.to_string().contains("listen, cores, pin, memory"), "{error}");
}

#[test]
fn a_bad_value_is_named_by_its_place() {
    let none = || environment(&[]);
    let refusals = [
        (
            Settings::merge(file(""), none(), flags(&[("packet_elements", "many")])),
            "--packet-elements: ",
        ),
        (
            Settings::merge(file(""), environment(&[("NETFOLD_MEMORY", "lots")]), flags(&[])),
            "NETFOLD_MEMORY: \"lots\": not a size",
        ),
        (
            Settings::merge(file("cores = 0"), none(), flags(&[])),
            "cores: \"0\": not a number of cores",
        ),
    ];
    for (settings, start) in refusals {
        let text = refusal(settings);
        assert!(text.starts_with(start), "{text}");
    }
    let table = refusal(Settings::merge(file("[cores]\nn = 1"), none(), flags(&[])));
    assert!(table.contains("expected a text or a whole number"), "{table}");
}

#[test]
fn a_token_hides_the_token_file_of_a_later_place_and_the_other_way_round() {
    let both =
        |environment, flags| Settings::merge(file("token_file = 'nowhere'"), environment, flags);
    let settings =
        both(environment(&[("NETFOLD_TOKEN", "of the environment")]), flags(&[])).unwrap();
    assert_eq!(settings.token_text().unwrap().as_deref(), Some("of the environment"));
    let settings =
        both(environment(&[("NETFOLD_TOKEN", "hidden")]), flags(&[("token_file", "missing")]))
            .unwrap();
    assert!(settings.token_text().err().unwrap().to_string().contains("missing"));
    let one_place =
        Settings::merge(file("token = 'a'\ntoken_file = 'b'"), environment(&[]), flags(&[]));
    assert!(matches!(one_place, Err(Error::TwoTokens)));
}

/// A variable that someone forgot to fill must not open a switch that was meant to be closed.
#[test]
fn an_empty_token_is_refused_and_other_empty_variables_are_not_set() {
    let empty = environment(&[("NETFOLD_TOKEN", ""), ("NETFOLD_CORES", " ")]);
    let settings = Settings::merge(file("cores = 2"), empty, flags(&[])).unwrap();
    assert_eq!(settings.cores, Some(Cores(2)));
    assert!(settings.token().err().unwrap().to_string().contains("the token is empty"));
}
