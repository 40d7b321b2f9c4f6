//! Settings from flags, then the environment, then a file.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, fmt, fs};

use figment::error::Kind;
use figment::providers::{Format, Toml};
use figment::value::{Dict, Empty, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};
use netfold_net::{
    Arithmetic, ByteOrder, CoreList, IntegrityKind, Limits, Number, Overflow, Protocol, Token,
    Transport,
};
use netfold_settings::{KEYS, Size, spell};
use serde::{Deserialize, Deserializer, de};

use crate::error::Error;

/// Files that are read when no other is named, the first that there is.
const DEFAULT_FILES: [&str; 2] = ["netfold.toml", "/etc/netfold.toml"];

/// Most shards of a switch: each is a thread and a UDP port.
const MAX_CORES: u16 = 256;

/// The settings that were given anywhere. Each command takes its own and knows their defaults.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// `HOST:PORT` at which a switch listens.
    #[serde(deserialize_with = "read")]
    pub listen: Option<String>,
    /// Shards of a switch.
    #[serde(deserialize_with = "read")]
    pub cores: Option<Cores>,
    /// Cores on which the threads of a switch stay.
    #[serde(deserialize_with = "read")]
    pub pin: Option<CoreList>,
    /// Memory of a switch.
    #[serde(deserialize_with = "read")]
    pub memory: Option<Size>,
    /// `HOST:PORT` for Prometheus.
    #[serde(deserialize_with = "read")]
    pub metrics: Option<String>,
    /// `HOST:PORT` of the switch above a switch.
    #[serde(deserialize_with = "read")]
    pub parent: Option<String>,
    #[serde(deserialize_with = "read")]
    token: Option<String>,
    #[serde(deserialize_with = "read")]
    token_file: Option<PathBuf>,
    /// `HOST:PORT` of the switch to use.
    #[serde(deserialize_with = "read")]
    pub switch: Option<String>,
    /// Arithmetic of a job.
    #[serde(deserialize_with = "read")]
    pub arithmetic: Option<Arithmetic>,
    /// Policy for sums of a job that overflow their registers.
    #[serde(deserialize_with = "read")]
    pub overflow: Option<Overflow>,
    /// Order of a lane's bytes in a job.
    #[serde(deserialize_with = "read")]
    pub byte_order: Option<ByteOrder>,
    /// Protocol by which slots are used again.
    #[serde(deserialize_with = "read")]
    pub protocol: Option<Protocol>,
    /// Means by which packets prove themselves.
    #[serde(deserialize_with = "read")]
    pub integrity: Option<IntegrityKind>,
    /// Transport to the slots.
    #[serde(deserialize_with = "read")]
    pub transport: Option<Transport>,
    /// Lanes of a packet.
    #[serde(deserialize_with = "read_packet_elements")]
    pub packet_elements: Option<u16>,
    /// Slots of each flow.
    #[serde(deserialize_with = "read_slots")]
    pub slots: Option<u16>,
    /// A job's part of a queue that it shares.
    #[serde(deserialize_with = "read_weight")]
    pub weight: Option<u16>,
    /// Level of the log.
    #[serde(deserialize_with = "read")]
    pub log: Option<String>,
}

/// Shards of a switch, 1 to [`MAX_CORES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cores(pub u16);

impl FromStr for Cores {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().parse() {
            Ok(cores @ 1..=MAX_CORES) => Ok(Self(cores)),
            _ => Err(format!("not a number of cores; give one from 1 to {MAX_CORES}")),
        }
    }
}

impl Settings {
    /// Reads the environment and the file, which `config` names, else `NETFOLD_CONFIG`, else is one
    /// of [`DEFAULT_FILES`].
    pub(crate) fn load(flags: Layer, config: Option<&Path>) -> Result<Self, Error> {
        let environment = Layer::environment(|name| env::var(name).ok());
        let named =
            config.map(Path::to_owned).or_else(|| env::var_os("NETFOLD_CONFIG").map(PathBuf::from));
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
        Self::merge(file, environment, flags)
    }

    fn merge(file: Figment, environment: Layer, flags: Layer) -> Result<Self, Error> {
        // A token in a place that comes first hides the token file of a later one, so two that are
        // seen come from one place.
        let settings: Self = file.merge(environment).merge(flags).extract().map_err(refused)?;
        if settings.token.is_some() && settings.token_file.is_some() {
            return Err(Error::TwoTokens);
        }
        Ok(settings)
    }

    /// The text of the token that was given, or of its file.
    pub(crate) fn token_text(&self) -> Result<Option<String>, Error> {
        match (&self.token, &self.token_file) {
            (Some(text), _) => Ok(Some(text.clone())),
            (None, None) => Ok(None),
            (None, Some(path)) => fs::read_to_string(path).map(Some).map_err(|source| {
                Error::File { what: "the token file", path: path.clone(), source }
            }),
        }
    }

    /// The token that was given.
    pub(crate) fn token(&self) -> Result<Option<Token>, Error> {
        let read =
            |text: String| Token::new(&text).map_err(|error| Error::Token(error.to_string()));
        self.token_text()?.map(read).transpose()
    }
}

/// Settings from one place, as texts.
pub(crate) struct Layer {
    metadata: Metadata,
    values: Dict,
}

impl Layer {
    /// Flags of the command line, by key. A flag that was not given is `None`.
    pub(crate) fn flags<'a>(
        given: impl IntoIterator<Item = (&'static str, Option<&'a String>)>,
    ) -> Self {
        let metadata = Metadata::named("flags").interpolater(|_: &Profile, keys: &[&str]| {
            format!("--{}", keys.join(".").replace('_', "-"))
        });
        let given = given.into_iter().filter_map(|(key, value)| Some((key, value?.clone())));
        Self::new(metadata, given)
    }

    /// The environment as `variable` tells it. An empty variable is one that is not set, except for
    /// the token: where a secret is missing, nothing may become open unnoticed.
    fn environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let metadata = Metadata::named("environment")
            .interpolater(|_: &Profile, keys: &[&str]| spell(&keys.join(".")));
        let value = |key| {
            let text = variable(&spell(key))?;
            (key == "token" || !text.trim().is_empty()).then_some((key, text))
        };
        Self::new(metadata, KEYS.into_iter().filter_map(value))
    }

    fn new(metadata: Metadata, given: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let mut values: Dict =
            given.into_iter().map(|(key, text)| (key.to_owned(), Value::from(text))).collect();
        for (given, other) in [("token", "token_file"), ("token_file", "token")] {
            if values.contains_key(given) && !values.contains_key(other) {
                values.insert(other.to_owned(), Value::from(Empty::None));
            }
        }
        Self { metadata, values }
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

/// A value that is a text everywhere but in the file, which may hold a number.
fn scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a whole number")]
    enum Scalar {
        Text(String),
        Number(i64),
    }
    Ok(Option::deserialize(deserializer)?.map(|value| match value {
        Scalar::Text(text) => text,
        Scalar::Number(number) => number.to_string(),
    }))
}

/// A value that may be anything of its type.
fn read<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let Some(text) = scalar(deserializer)? else { return Ok(None) };
    text.parse().map(Some).map_err(|why| de::Error::custom(format_args!("{text:?}: {why}")))
}

/// A number that workers bring to a job. What it may be, the switch decides.
fn number<'de, D: Deserializer<'de>>(
    deserializer: D,
    number: Number,
) -> Result<Option<u16>, D::Error> {
    let Some(text) = scalar(deserializer)? else { return Ok(None) };
    let refusal =
        |_| de::Error::custom(Limits::default().refusal(number, format_args!("{text:?}")));
    text.trim().parse().map(Some).map_err(refusal)
}

fn read_packet_elements<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u16>, D::Error> {
    number(deserializer, Number::PacketElements)
}

fn read_slots<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    number(deserializer, Number::Slots)
}

fn read_weight<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    number(deserializer, Number::Weight)
}

/// Returns the error that the user gets to read, without the terms of the libraries below.
fn refused(error: figment::Error) -> Error {
    let file = error
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.source.as_ref())
        .map(|source| source.to_string());
    if let Kind::UnknownField(key, known) = error.kind {
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
    Error::Setting { place, why: error.kind.to_string() }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
