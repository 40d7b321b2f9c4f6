//! Settings among the options of the command line, as `spec/settings.toml` has them.

use clap::{Arg, ArgMatches, Args, FromArgMatches};
use netfold_settings::{Kind, Program, SETTINGS, Setting};

/// Place in a help of the options that every command has: at its end.
const LAST: usize = 100;

/// The options that a program, whose number is `PROGRAM`, was given, by their keys. Their values
/// are read later, the same way from every place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options<const PROGRAM: u8>(Vec<(&'static str, String)>);

/// Options of every command.
pub(crate) type General = Options<{ Program::Command as u8 }>;

impl<const PROGRAM: u8> Options<PROGRAM> {
    fn settings() -> impl Iterator<Item = &'static Setting> {
        let has = |program: &Program| *program as u8 == PROGRAM;
        SETTINGS.iter().filter(move |setting| setting.options.iter().any(has))
    }

    /// Returns the options that were given, by their keys.
    pub(crate) fn given(&self) -> &[(&'static str, String)] {
        &self.0
    }

    /// Returns whether the option of a key was given.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(given, _)| *given == key)
    }
}

impl<const PROGRAM: u8> Args for Options<PROGRAM> {
    fn augment_args(command: clap::Command) -> clap::Command {
        Self::settings().enumerate().fold(command, |command, (place, setting)| {
            let option = option::<PROGRAM>(setting);
            command.arg(if is_general(PROGRAM) {
                option.global(true).display_order(LAST + place)
            } else {
                option
            })
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<const PROGRAM: u8> FromArgMatches for Options<PROGRAM> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |setting: &Setting| {
            let text = matches.get_one::<String>(setting.key)?;
            Some((setting.key, text.clone()))
        };
        Ok(Self(Self::settings().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn is_general(program: u8) -> bool {
    program == Program::Command as u8
}

fn option<const PROGRAM: u8>(setting: &'static Setting) -> Arg {
    let Setting { doc, allowed, default_of, .. } = setting;
    let own = default_of.iter().find(|(program, _)| *program as u8 == PROGRAM);
    let all = || {
        let other = |(program, value): &(Program, &str)| format!("; {program}: {value}");
        let others: String = default_of.iter().filter(|_| is_general(PROGRAM)).map(other).collect();
        setting.default.unwrap_or(setting.unset).to_owned() + &others
    };
    let default = own.map_or_else(all, |(_, value)| (*value).to_owned());
    let allowed = if allowed.is_empty() { String::new() } else { format!(" ({allowed})") };
    let help = format!("{doc}{allowed} [default: {default}] [env: {}]", setting.variable);
    let arg = Arg::new(setting.key).long(setting.option).help(help);
    match setting.kind {
        // `--resumable`, or `--resumable=0` against the environment.
        Kind::Bool => {
            arg.value_name("BOOL").num_args(0..=1).require_equals(true).default_missing_value("1")
        }
        _ => arg.value_name(setting.placeholder),
    }
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
