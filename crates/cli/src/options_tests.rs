//! Every setting of `spec/settings.toml` in every command: it can be given as an option where the
//! specification says so, and has an effect exactly where the specification says so.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::{CommandFactory, Parser};
use netfold_settings::Settings;
use netfold_sparse_net::ServerOptions;
use toml::Table;

use super::*;
use crate::cli::{Bench, Cli, Command};
use crate::glm::part::WorkerRank;
use crate::{bench, glm, server, switch};

const COMMANDS: [(&str, &[&str]); 6] = [
    ("switch", &["switch"]),
    ("server", &["server"]),
    ("ctl", &["ctl", "jobs"]),
    ("bench", &["bench", "allreduce"]),
    ("glm", &["glm", "train", "data.svm"]),
    ("command", &["sim", "scenario.toml"]),
];

fn specified() -> Vec<Table> {
    let all: Table = include_str!("../../../spec/settings.toml").parse().unwrap();
    let settings = all["setting"].as_array().unwrap();
    settings.iter().map(|setting| setting.as_table().unwrap().clone()).collect()
}

fn lists(setting: &Table, key: &str, name: &str) -> bool {
    let names = setting.get(key).and_then(|names| names.as_array());
    names.is_some_and(|names| names.iter().any(|other| other.as_str() == Some(name)))
}

/// Returns whether a command reads it, or every command does.
fn reads(setting: &Table, command: &str) -> bool {
    [command, "command"].iter().any(|name| lists(setting, "read_by", name))
}

/// Returns a file of this text, written once in this process: its tests read it side by side.
fn file(name: &str, text: &str) -> PathBuf {
    static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let path = std::env::temp_dir().join(format!("netfold-options-{}-{name}", std::process::id()));
    if WRITTEN.lock().unwrap().insert(path.clone()) {
        fs::write(&path, text).unwrap();
    }
    path
}

/// Returns a value that is no command's default.
fn other(setting: &Table) -> String {
    let last = || setting["values"].as_array().unwrap().last().unwrap().as_str().unwrap();
    match (setting["key"].as_str().unwrap(), setting["type"].as_str().unwrap()) {
        // glm's default is the last.
        ("protocol", _) => "shadow".into(),
        ("config", _) => file("settings", "log = 'trace'\n").to_str().unwrap().into(),
        ("token_file", _) => file("token", "s3cret\n").to_str().unwrap().into(),
        (_, "bool") => "1".into(),
        (_, "duration") => "2.5".into(),
        (_, "bytes") => "3MiB".into(),
        (_, "whole") => "64".into(),
        ("ops", _) => "none".into(),
        (_, "choice") => last().into(),
        (_, "address" | "addresses") => "192.0.2.1:7".into(),
        (_, "cores") => "1-3".into(),
        (_, "path" | "secret" | "text") => "other".into(),
        (key, kind) => panic!("{key}, a {kind}, has no value in this test"),
    }
}

fn parsed(arguments: &[&str]) -> Cli {
    Cli::try_parse_from([&["netfold"], arguments].concat())
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// Returns what a command hands on to the crates below, with this variable in the environment.
fn handed_on(arguments: &[&str], variable: &str, value: &str) -> String {
    let cli = parsed(arguments);
    let (program, given) = cli.settings();
    let environment = |name: &str| match name {
        name if name == variable => Some(OsString::from(value)),
        // Whatever this machine has in `/etc`.
        "NETFOLD_CONFIG" => Some("/dev/null".into()),
        _ => None,
    };
    let settings = Settings::load(program, given, environment)
        .unwrap_or_else(|error| panic!("{variable}={value}: {error}"));
    let log = &settings.log;
    match &cli.command {
        Command::Switch(_) => {
            let Settings { ops, ops_key_file, .. } = &settings;
            format!("{log} {ops} {ops_key_file:?} {:?}", settings.switch_options().unwrap())
        }
        Command::Server { .. } => {
            let options = server::options(&settings).unwrap();
            let ServerOptions { listen, data, memory_bytes, token, .. } = options;
            format!("{log} {listen} {data:?} {memory_bytes} {token:?}")
        }
        Command::Ctl { .. } => {
            let token = settings.token().unwrap();
            format!("{log} {:?} {:?} {token:?}", settings.switch, settings.servers)
        }
        Command::Bench { what: Bench::Allreduce(flags) } => {
            let address = settings.switch.clone().unwrap_or_else(|| "127.0.0.1:1".into());
            let mut orders = bench::orders(flags, &settings, address);
            orders.job = "job".into();
            let (of_worker, request) = bench::joining(&orders).unwrap();
            let own = switch::embedded(&settings).unwrap();
            format!("{log} {own:?} {request:?} {:?} {:?}", of_worker.pin, of_worker.switch)
        }
        Command::Glm { .. } => {
            let request = glm::request(&settings, "job", WorkerRank { rank: 0, size: 2 }).unwrap();
            let own = switch::embedded(&settings).unwrap();
            format!("{log} {own:?} {request:?} {:?} {:?}", settings.pin, settings.switch)
        }
        _ => log.clone(),
    }
}

#[test]
fn a_variable_has_an_effect_on_the_commands_that_read_it_and_on_no_other() {
    for setting in specified() {
        let key = setting["key"].as_str().unwrap();
        let variable = format!("NETFOLD_{}", key.to_uppercase());
        for (command, arguments) in COMMANDS {
            let value = match (key, command) {
                ("protocol", "bench") => "acked".into(),
                _ => other(&setting),
            };
            let (without, with) =
                (handed_on(arguments, "", ""), handed_on(arguments, &variable, &value));
            let has_effect = without != with;
            assert_eq!(has_effect, reads(&setting, command), "{variable} of {command}: {with}");
        }
    }
}

#[test]
fn an_option_is_there_for_the_commands_that_read_it_and_for_no_other() {
    for setting in specified() {
        let key = setting["key"].as_str().unwrap();
        let option = format!("--{}", key.replace('_', "-"));
        for (command, arguments) in COMMANDS {
            let value = other(&setting);
            let given = format!("{option}={value}");
            let whole = [&["netfold"], arguments, &[given.as_str()]].concat();
            let wanted = reads(&setting, command) && !lists(&setting, "no_option", command);
            let found = Cli::try_parse_from(whole).map(|cli| cli.settings().1).unwrap_or_default();
            let found = found.iter().any(|given| *given == (setting_key(key), value.clone()));
            assert_eq!(found, wanted, "{option} of {command}");
        }
    }
}

fn setting_key(key: &str) -> &'static str {
    SETTINGS.iter().find(|setting| setting.key == key).unwrap().key
}

#[test]
fn a_truth_value_needs_no_text() {
    let given = |option| parsed(&["bench", "allreduce", option]).settings().1;
    assert_eq!(given("--resumable"), [("resumable", "1".to_owned())]);
    assert_eq!(given("--resumable=0"), [("resumable", "0".to_owned())]);
}

#[test]
fn a_help_tells_the_default_of_its_command() {
    let mut help = Cli::command();
    help.build();
    let mut of = |name: &str| {
        help.find_subcommand_mut(name).unwrap().render_help().to_string().replace("\n", " ")
    };
    let (switch, ctl) = (of("switch"), of("ctl"));
    for (text, parts) in [
        (
            switch,
            [
                "[default: 127.0.0.1:5555] [env: NETFOLD_LISTEN]",
                "[default: warn; server: info; switch: info]",
            ],
        ),
        (ctl, ["[default: 127.0.0.1:5555] [env: NETFOLD_SWITCH]", "--log <LEVEL>"]),
    ] {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts {
            assert!(words.contains(part), "{part}: {words}");
        }
    }
}
