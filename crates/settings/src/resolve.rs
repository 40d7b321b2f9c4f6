//! Settings from arguments, then the environment, then a file, then their defaults.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use figment::error::Kind as Fault;
use figment::providers::{Format, Toml};
use figment::value::{Dict, Empty, Map, Value as Found};
use figment::{Figment, Metadata, Profile, Provider};
use netfold_net::{JoinRequest, SwitchOptions, Terms, Token};
use serde::{Deserialize, Deserializer, de};
use thiserror::Error;

use crate::{Program, SETTINGS, Setting, Settings, Value};

/// Files that are read when no other is named, the first that there is.
const DEFAULT_FILES: [&str; 2] = ["netfold.toml", "/etc/netfold.toml"];

/// A setting that cannot be read. The message says where it stands, and what to write instead.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A value out of its range, or of another type.
    #[error("{place}: {why}")]
    Value {
        /// The option, the variable, or the key and its file.
        place: String,
        /// The value, and what is allowed.
        why: String,
    },
    /// A key that no setting has.
    #[error("{place} has the unknown key {key:?}; the keys are {}", known.join(", "))]
    UnknownKey {
        /// The file.
        place: String,
        /// The key.
        key: String,
        /// Those that there are.
        known: &'static [&'static str],
    },
    /// A file that was named and cannot be read.
    #[error("{what} {path} cannot be read: {source}; correct its name or its permissions", path = path.display())]
    File {
        /// Its purpose.
        what: &'static str,
        /// Its name.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Two tokens from one place.
    #[error("both token and token_file are given in one place; give one of them")]
    TwoTokens,
    /// A token that cannot be used.
    #[error("{0}")]
    Token(String),
}

impl Settings {
    /// Reads the settings of a program: the `given` arguments, by key, then what `variable` tells
    /// of the environment, then the file that the setting `config` names, else one of those that
    /// are read by default.
    ///
    /// # Errors
    /// A file cannot be read, or a value is out of range.
    pub fn load(
        program: Program,
        given: impl IntoIterator<Item = (&'static str, String)>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, Error> {
        let (arguments, environment) = (Layer::arguments(given), Layer::environment(variable)?);
        let named = [&arguments, &environment].into_iter().find_map(|layer| layer.config.clone());
        let file = match named {
            Some(path) => {
                fs::File::open(&path).map_err(|source| Error::File {
                    what: "the configuration file",
                    path: path.clone(),
                    source,
                })?;
                Some(path)
            }
            None => DEFAULT_FILES.map(PathBuf::from).into_iter().find(|path| path.is_file()),
        };
        let file = file.map_or_else(Figment::new, |path| Figment::from(Toml::file_exact(path)));
        Self::merge(program, file, environment, arguments)
    }

    /// Reads the settings of a program from their values alone, by key.
    ///
    /// # Errors
    /// There is no such setting, or a value is out of range.
    pub fn of<'a>(
        program: Program,
        values: impl IntoIterator<Item = (&'a str, &'a Value)>,
    ) -> Result<Self, Error> {
        let texts = values.into_iter().filter_map(|(key, value)| Some((key, value.text()?)));
        Self::merge(program, Figment::new(), Layer::of("values", texts), Layer::arguments([]))
    }

    fn merge(
        program: Program,
        file: Figment,
        environment: Layer,
        arguments: Layer,
    ) -> Result<Self, Error> {
        // A token in a place that comes first hides the token file of a later one, so two that are
        // seen come from one place.
        let all = Figment::from(Layer::defaults(program)).merge(file).merge(environment);
        let settings: Self = all.merge(arguments).extract().map_err(refused)?;
        if settings.token.is_some() && settings.token_file.is_some() {
            return Err(Error::TwoTokens);
        }
        Ok(settings)
    }

    /// Returns the text of the token that was given, or of its file.
    ///
    /// # Errors
    /// The file cannot be read, or there is nothing in it.
    pub fn token_text(&self) -> Result<Option<String>, Error> {
        let text = match (&self.token, &self.token_file) {
            (Some(secret), _) => secret.0.clone(),
            (None, None) => return Ok(None),
            (None, Some(path)) => read_token(path)?,
        };
        Token::new(&text).map_err(|error| Error::Token(error.to_string()))?;
        Ok(Some(text))
    }

    /// Returns the token that was given, or that of its file.
    ///
    /// # Errors
    /// As [`token_text`](Self::token_text).
    pub fn token(&self) -> Result<Option<Token>, Error> {
        let read =
            |text: String| Token::new(&text).map_err(|error| Error::Token(error.to_string()));
        self.token_text()?.map(read).transpose()
    }

    /// Returns the request of a worker for a job with these settings.
    ///
    /// # Errors
    /// The token cannot be read.
    pub fn request(
        &self,
        job: impl Into<String>,
        rank: u16,
        size: u16,
    ) -> Result<JoinRequest, Error> {
        Ok(JoinRequest {
            terms: Terms {
                arithmetic: self.arithmetic,
                overflow: self.overflow,
                byte_order: self.byte_order,
                protocol: self.protocol,
                weight: self.weight,
                resumable: self.resumable,
                ..Terms::new(self.integrity)
            },
            packet_elements: self.packet_elements,
            slots: self.slots,
            transport: self.transport,
            timeout: self.timeout.into(),
            token: self.token()?,
            ..JoinRequest::new(job, rank, size)
        })
    }

    /// Returns the options of a switch with these settings.
    ///
    /// # Errors
    /// The token cannot be read.
    pub fn switch_options(&self) -> Result<SwitchOptions, Error> {
        Ok(SwitchOptions {
            listen: self.listen.clone(),
            cores: self.cores,
            pin: self.pin.clone(),
            memory_bytes: self.memory.0,
            metrics: self.metrics.clone(),
            parent: self.parent.clone(),
            transport: self.transport,
            tokens: self.token()?.into_iter().collect(),
            ..SwitchOptions::default()
        })
    }
}

fn read_token(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::File {
        what: "the token file",
        path: path.to_owned(),
        source,
    })
}

/// Settings from one place, as texts.
struct Layer {
    metadata: Metadata,
    values: Dict,
    /// The file that is named here.
    config: Option<PathBuf>,
}

impl Layer {
    fn arguments(given: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self::of("arguments", given).spelt(|setting| format!("--{}", setting.option))
    }

    /// The environment. An empty variable is one that is not set, except for the token: where a
    /// secret is missing, nothing may become open unnoticed.
    fn environment(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        let mut given = Vec::new();
        for setting in &SETTINGS {
            let Some(text) = variable(setting.variable) else { continue };
            let text = text.into_string().map_err(|_| Error::Value {
                place: setting.variable.into(),
                why: "its value is no text in UTF-8".into(),
            })?;
            if setting.key == "token" || !text.trim().is_empty() {
                given.push((setting.key, text));
            }
        }
        Ok(Self::of("environment", given).spelt(|setting| setting.variable.into()))
    }

    fn defaults(program: Program) -> Self {
        let default =
            |setting: &Setting| Some((setting.key, setting.default_of(program)?.to_owned()));
        Self::of("defaults", SETTINGS.iter().filter_map(default))
    }

    fn of<'a>(name: &'static str, given: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let mut values: Dict =
            given.into_iter().map(|(key, text)| (key.to_owned(), Found::from(text))).collect();
        let config = values.remove("config").and_then(|path| path.into_string()).map(PathBuf::from);
        for (given, other) in [("token", "token_file"), ("token_file", "token")] {
            if values.contains_key(given) && !values.contains_key(other) {
                values.insert(other.to_owned(), Found::from(Empty::None));
            }
        }
        Self { metadata: Metadata::named(name), values, config }
    }

    /// The same, whose settings are spelt so in messages.
    fn spelt(self, spell: fn(&Setting) -> String) -> Self {
        let metadata = self.metadata.interpolater(move |_: &Profile, keys: &[&str]| {
            let key = keys.join(".");
            Setting::of(&key).map_or(key, spell)
        });
        Self { metadata, ..self }
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        self.metadata.clone()
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

/// A value that is a text everywhere but in the file, which may hold a number or a truth value.
fn scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text, a number, true or false")]
    enum Scalar {
        Text(String),
        Truth(bool),
        Whole(i64),
        Real(f64),
    }
    Ok(Option::deserialize(deserializer)?.map(|value| match value {
        Scalar::Text(text) => text,
        Scalar::Truth(value) => value.to_string(),
        Scalar::Whole(number) => number.to_string(),
        Scalar::Real(number) => number.to_string(),
    }))
}

/// The value of setting `AT`, if one was given.
pub(crate) fn given<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>, const AT: usize>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let Some(text) = scalar(deserializer)? else { return Ok(None) };
    let refused = |why| de::Error::custom(format_args!("{text:?}: {why}"));
    SETTINGS[AT].parse(&text).map(Some).map_err(refused)
}

/// The value of setting `AT`, which has a default.
pub(crate) fn value<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>, const AT: usize>(
    deserializer: D,
) -> Result<T, D::Error> {
    given::<_, _, AT>(deserializer)?.ok_or_else(|| de::Error::custom("a value is missing"))
}

/// Returns the error that the user gets to read, without the terms of the libraries below.
fn refused(error: figment::Error) -> Error {
    let file = error
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.source.as_ref())
        .map(|source| source.to_string());
    if let Fault::UnknownField(key, known) = error.kind {
        return Error::UnknownKey {
            place: file.unwrap_or_else(|| "the configuration".into()),
            key,
            known,
        };
    }
    let key = match (&error.metadata, &error.profile) {
        (Some(metadata), Some(profile)) if !error.path.is_empty() => {
            metadata.interpolate(profile, &error.path)
        }
        _ => String::new(),
    };
    // Of a file's key the profile is told too, and there is only one.
    let key = key.strip_prefix("default.").unwrap_or(&key);
    let place = match (key, file) {
        ("", file) => file.unwrap_or_else(|| "the configuration".into()),
        (key, Some(file)) => format!("{key} in {file}"),
        (key, None) => key.to_owned(),
    };
    Error::Value { place, why: error.kind.to_string() }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
