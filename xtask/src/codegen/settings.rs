//! The settings as data, from `spec/settings.toml`: parsed, then checked, so that emitters need no
//! checks of their own.

pub mod document;
pub mod python;
pub mod rust;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use toml::{Table, Value};

/// The specification of all settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// A description of each program, by its name. The order is the names'.
    pub programs: BTreeMap<String, String>,
    /// The settings, in the order of documents and of the command's help.
    #[serde(rename = "setting")]
    pub settings: Vec<Setting>,
}

/// One setting; `spec/settings.toml` says what each key means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    pub key: String,
    #[serde(rename = "type")]
    pub kind: Kind,
    pub value: Option<String>,
    pub read_by: Vec<String>,
    pub default: Option<Value>,
    #[serde(default)]
    pub default_of: Table,
    pub unset: Option<String>,
    pub least: Option<f64>,
    pub most: Option<f64>,
    #[serde(default = "one")]
    pub step: u16,
    #[serde(default)]
    pub power_of_two: bool,
    #[serde(default)]
    pub values: Vec<String>,
    pub rust: Option<String>,
    #[serde(default)]
    pub no_option: Vec<String>,
    #[serde(default = "yes")]
    pub in_file: bool,
    pub doc: String,
}

/// The sort of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Bool,
    Duration,
    Bytes,
    Whole,
    Choice,
    Address,
    Addresses,
    Cores,
    Path,
    Secret,
    Text,
}

const fn one() -> u16 {
    1
}

const fn yes() -> bool {
    true
}

/// Programs of the Python package.
pub const PYTHON: [&str; 3] = ["connect", "tables", "torch"];

impl Spec {
    /// Parses and checks the text of a specification. The error names the setting at fault.
    pub fn parse(text: &str) -> Result<Self, String> {
        let spec: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut keys = BTreeSet::new();
        for setting in &spec.settings {
            let fault = |what: &str| Err(format!("setting `{}`: {what}", setting.key));
            let names = setting.read_by.iter().chain(setting.default_of.keys());
            if let Some(name) = names.chain(&setting.no_option).find(|name| !spec.knows(name)) {
                return fault(&format!("there is no program `{name}`"));
            }
            let snake = |letter: char| letter.is_ascii_lowercase() || letter == '_';
            if setting.key.is_empty() || !setting.key.chars().all(snake) {
                return fault("a key is written in snake_case");
            }
            if !keys.insert(&setting.key) {
                return fault("it stands there twice");
            }
            if setting.read_by.is_empty() {
                return fault("no program reads it");
            }
            if setting.default.is_some() == setting.unset.is_some() {
                return fault("it needs either a `default` or the meaning of none, `unset`");
            }
            if (setting.kind == Kind::Choice) != (setting.rust.is_some()) {
                return fault("a choice, and nothing else, needs the type `rust`");
            }
            if (setting.kind == Kind::Choice) == setting.values.is_empty() {
                return fault("a choice, and nothing else, has `values`");
            }
            let ranged = matches!(setting.kind, Kind::Whole | Kind::Duration);
            if ranged != (setting.least.is_some() && setting.most.is_some()) {
                return fault("a number, and nothing else, needs `least` and `most`");
            }
            if (setting.kind == Kind::Bool) == setting.value.is_some() {
                return fault("everything but a bool needs a placeholder, `value`");
            }
        }
        Ok(spec)
    }

    fn knows(&self, program: &str) -> bool {
        self.programs.contains_key(program)
    }
}

impl Setting {
    /// Returns the variable of the environment.
    pub fn variable(&self) -> String {
        format!("NETFOLD_{}", self.key.to_uppercase())
    }

    /// Returns the option of the command, without the hyphens in front.
    pub fn option(&self) -> String {
        self.key.replace('_', "-")
    }

    /// Returns the name with its unit, where it has one.
    pub fn field(&self) -> String {
        let unit = match self.kind {
            Kind::Duration => "_s",
            Kind::Bytes => "_bytes",
            _ => "",
        };
        format!("{}{unit}", self.key)
    }

    /// Returns the programs of the command that have an option for it.
    pub fn options(&self) -> impl Iterator<Item = &String> {
        let none = |program: &str| self.no_option.iter().any(|name| name == program);
        self.read_by.iter().filter(move |name| !PYTHON.contains(&name.as_str()) && !none(name))
    }

    /// Returns whether the Python package reads it.
    pub fn in_python(&self) -> bool {
        self.in_file && self.read_by.iter().any(|name| PYTHON.contains(&name.as_str()))
    }

    /// Returns what may be given, for people.
    pub fn allowed(&self) -> String {
        let (least, most) = (self.least.unwrap_or_default(), self.most.unwrap_or_default());
        match self.kind {
            Kind::Bool => "0 or 1".into(),
            Kind::Duration => format!("{least} to {most} seconds"),
            Kind::Bytes => "a size, such as 65536, 64MiB or 1.5GB".into(),
            Kind::Whole if self.power_of_two => format!("a power of two from {least} to {most}"),
            Kind::Whole if self.step > 1 => {
                format!("a multiple of {} from {least} to {most}", self.step)
            }
            Kind::Whole => format!("a whole number from {least} to {most}"),
            Kind::Choice => format!("one of {}", self.values.join(", ")),
            Kind::Address => "HOST:PORT, such as 127.0.0.1:5555".into(),
            Kind::Addresses => "HOST:PORT, or several with commas between".into(),
            Kind::Cores => "numbers and ranges, such as 0,2-5".into(),
            Kind::Path | Kind::Secret | Kind::Text => String::new(),
        }
    }
}

/// Returns a default as it is written in an environment or a file.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Boolean(value) => u8::from(*value).to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
