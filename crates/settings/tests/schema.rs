//! `spec/settings.toml` beside the settings that are resolved, and beside the types that stand for
//! them. The specification is read here anew, without the generated table.

use std::collections::BTreeMap;
use std::ffi::OsString;

use netfold_net::{
    Arithmetic, ByteOrder, IntegrityKind, Limits, Number, OperationPolicy, Overflow, Protocol,
    Transport,
};
use netfold_settings::{Program, Settings, Value};
use toml::{Table, Value as Toml};

fn specified() -> Table {
    include_str!("../../../spec/settings.toml").parse().unwrap()
}

fn settings() -> Vec<Table> {
    let all = specified()["setting"].as_array().unwrap().clone();
    all.into_iter().map(|setting| setting.as_table().unwrap().clone()).collect()
}

fn text<'a>(setting: &'a Table, key: &str) -> &'a str {
    setting.get(key).and_then(Toml::as_str).unwrap_or_default()
}

fn program(name: &str) -> Program {
    match name {
        "command" => Program::Command,
        "switch" => Program::Switch,
        "ctl" => Program::Ctl,
        "bench" => Program::Bench,
        "glm" => Program::Glm,
        "server" => Program::Server,
        "tables" => Program::Tables,
        "connect" => Program::Connect,
        "torch" => Program::Torch,
        "mpi" => Program::Mpi,
        _ => panic!("{name} has no place in this test"),
    }
}

/// A value of the setting that is not its default, and that value as it is resolved.
fn other(setting: &Table) -> (String, Value) {
    let text_of = |value: &str| (value.to_owned(), Value::Text(value.into()));
    match text(setting, "type") {
        "bool" => ("yes".into(), Value::Bool(true)),
        "duration" => ("2.5".into(), Value::Real(2.5)),
        "bytes" => ("3MiB".into(), Value::Whole(3 << 20)),
        "whole" => ("64".into(), Value::Whole(64)),
        // The last is a program's default nowhere but of `protocol`, where it is glm's.
        "choice" => {
            text_of(setting["values"].as_array().unwrap().last().unwrap().as_str().unwrap())
        }
        "address" | "addresses" => text_of("192.0.2.1:7"),
        "cores" => ("1-3".into(), Value::Text("1,2,3".into())),
        "path" | "secret" | "text" => text_of("other"),
        kind => panic!("{kind} has no value in this test"),
    }
}

fn load(of: Program, variable: &str, value: &str) -> BTreeMap<&'static str, Value> {
    let environment = |name: &str| match name {
        // Whatever this machine has in `/etc`.
        "NETFOLD_CONFIG" => Some("/dev/null".into()),
        name => (name == variable).then(|| OsString::from(value)),
    };
    let loaded = Settings::load(of, [], environment);
    loaded.unwrap_or_else(|error| panic!("{variable}={value}: {error}")).values().into()
}

/// Every variable changes its setting, and no other, in every program.
#[test]
fn every_variable_is_resolved_for_every_program() {
    for setting in settings() {
        let key = text(&setting, "key");
        if key == "config" {
            continue;
        }
        let (value, resolved) = other(&setting);
        for name in specified()["programs"].as_table().unwrap().keys() {
            let without = load(program(name), "", "");
            let with = load(program(name), &format!("NETFOLD_{}", key.to_uppercase()), &value);
            assert_eq!(with[key], resolved, "{key} of {name}");
            let rest = |values: &BTreeMap<&'static str, Value>| {
                let mut rest = values.clone();
                rest.remove(key);
                rest
            };
            assert_eq!(rest(&with), rest(&without), "{key} of {name}");
            let default = setting.get("default_of").and_then(|of| of.get(name));
            match default.or(setting.get("default")) {
                Some(default) => {
                    let written = match default {
                        Toml::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    let given =
                        load(program(name), &format!("NETFOLD_{}", key.to_uppercase()), &written);
                    assert_eq!(without[key], given[key], "{key} of {name}");
                }
                None => assert_eq!(without[key], Value::Nothing, "{key} of {name}"),
            }
        }
    }
}

/// The names of choices are those of the types, all of them.
#[test]
fn choices_are_those_of_their_types() {
    let names = [
        ("arithmetic", Arithmetic::ALL.map(|value| value.to_string()).to_vec()),
        ("overflow", Overflow::ALL.map(|value| value.to_string()).to_vec()),
        ("byte_order", ByteOrder::ALL.map(|value| value.to_string()).to_vec()),
        ("protocol", Protocol::ALL.map(|value| value.to_string()).to_vec()),
        ("integrity", IntegrityKind::ALL.map(|value| value.to_string()).to_vec()),
        ("ops", OperationPolicy::ALL.map(|value| value.to_string()).to_vec()),
        ("transport", Transport::ALL.map(|value| value.to_string()).to_vec()),
    ];
    let choices: Vec<Table> =
        settings().into_iter().filter(|setting| text(setting, "type") == "choice").collect();
    assert_eq!(choices.len(), names.len());
    for setting in choices {
        let (_, expected) = names.iter().find(|(key, _)| *key == text(&setting, "key")).unwrap();
        let values = setting["values"].as_array().unwrap().iter();
        let values: Vec<&str> = values.map(|value| value.as_str().unwrap()).collect();
        assert_eq!(values, *expected, "{}", text(&setting, "key"));
    }
}

/// A setting refuses a value if and only if the switch does.
#[test]
fn ranges_are_those_of_the_switch() {
    let numbers = [
        ("packet_elements", Number::PacketElements),
        ("slots", Number::Slots),
        ("weight", Number::Weight),
        ("timeout", Number::Timeout),
    ];
    for (key, number) in numbers {
        let variable = format!("NETFOLD_{}", key.to_uppercase());
        let environment = |name: &str| (name == variable).then(|| OsString::from("0"));
        let refused = Settings::load(Program::Bench, [], environment).unwrap_err().to_string();
        let by_switch = Limits::default().refusal(number, 0).to_string();
        let allowed = refused.rsplit_once("give ").unwrap().1.trim_end_matches(" seconds");
        assert!(by_switch.contains(allowed), "{refused}, but {by_switch}");
    }
}
