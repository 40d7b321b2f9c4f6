//! One setting, and what its value may be.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::{Program, SETTINGS};

/// One setting, as `spec/settings.toml` has it.
#[derive(Debug)]
pub struct Setting {
    /// Its name in a file.
    pub key: &'static str,
    /// Its variable of the environment.
    pub variable: &'static str,
    /// Its option of the command, without the hyphens in front.
    pub option: &'static str,
    /// The key with its unit, where it has one.
    pub field: &'static str,
    /// The sort of its value.
    pub kind: Kind,
    /// The values that it may have, in words; empty for a text.
    pub allowed: &'static str,
    /// The placeholder of its value in a help; empty for a truth value.
    pub placeholder: &'static str,
    /// Programs that it has an effect on.
    pub read_by: &'static [Program],
    /// Those of the command that have an option for it.
    pub options: &'static [Program],
    /// Its value where nothing is given.
    pub default: Option<&'static str>,
    /// The same, of programs that have another.
    pub default_of: &'static [(Program, &'static str)],
    /// The meaning of no value.
    pub unset: &'static str,
    /// It may stand in a file.
    pub in_file: bool,
    /// One sentence, without its full stop.
    pub doc: &'static str,
}

impl Setting {
    /// Returns the setting of this key.
    pub fn of(key: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.key == key)
    }

    /// Returns the default of a program.
    pub fn default_of(&self, program: Program) -> Option<&'static str> {
        let own = self.default_of.iter().find(|(name, _)| *name == program);
        own.map(|(_, value)| *value).or(self.default)
    }

    /// Reads a value, which must be within the range.
    pub(crate) fn parse<T: FromStr<Err: fmt::Display>>(&self, text: &str) -> Result<T, String> {
        let text = self.kind.check(text).ok_or_else(|| format!("give {}", self.allowed))?;
        text.parse().map_err(|why: T::Err| why.to_string())
    }
}

/// The sort of a setting's value.
#[derive(Debug)]
pub enum Kind {
    /// 0 or 1; also yes or no, true or false, on or off.
    Bool,
    /// Seconds.
    Duration {
        /// The shortest.
        least: f64,
        /// The longest.
        most: f64,
    },
    /// Bytes, with a unit if need be.
    Bytes,
    /// A whole number.
    Whole {
        /// The smallest.
        least: u16,
        /// The largest.
        most: u16,
        /// A further condition.
        shape: Shape,
    },
    /// One of these names.
    Choice(&'static [&'static str]),
    /// `HOST:PORT`.
    Address,
    /// One or several `HOST:PORT`, with commas between.
    Addresses,
    /// Cores, such as `0,2-5`.
    Cores,
    /// The name of a file.
    Path,
    /// A text that is not shown.
    Secret,
    /// Any text.
    Text,
}

/// A condition on whole numbers.
#[derive(Debug)]
pub enum Shape {
    /// None.
    Any,
    /// It is a multiple of this.
    MultipleOf(u16),
    /// It is a power of two.
    PowerOfTwo,
}

impl Kind {
    /// Returns a value in the form in which its type parses it, if it is within the range.
    fn check<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        let trimmed = text.trim();
        let fits = match self {
            Self::Bool => return truth(trimmed).map(|value| value.to_string().into()),
            Self::Addresses => {
                let all: Vec<&str> = trimmed.split(',').map(str::trim).collect();
                return all.iter().all(|text| is_address(text)).then(|| all.join(",").into());
            }
            Self::Duration { least, most } => {
                trimmed.parse().is_ok_and(|value| (*least..=*most).contains(&value))
            }
            Self::Whole { least, most, shape } => trimmed
                .parse()
                .is_ok_and(|value| (*least..=*most).contains(&value) && shape.takes(value)),
            Self::Choice(values) => values.contains(&trimmed),
            Self::Address => is_address(trimmed),
            Self::Path | Self::Secret => return Some(text.into()),
            Self::Bytes | Self::Cores | Self::Text => true,
        };
        fits.then(|| trimmed.into())
    }
}

impl Shape {
    fn takes(&self, value: u16) -> bool {
        match self {
            Self::Any => true,
            Self::MultipleOf(step) => value.is_multiple_of(*step),
            Self::PowerOfTwo => value.is_power_of_two(),
        }
    }
}

fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "0" | "false" | "no" | "off" => Some(false),
        "1" | "true" | "yes" | "on" => Some(true),
        _ => None,
    }
}

fn is_address(text: &str) -> bool {
    text.rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}
