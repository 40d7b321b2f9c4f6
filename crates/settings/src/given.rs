//! Values of settings that no other crate has a type for.

use std::convert::Infallible;
use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;
use std::time::Duration;

/// A secret, which [`fmt::Debug`] does not show.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub(crate) String);

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A time in seconds, not below 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub(crate) f64);

impl FromStr for Seconds {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, ParseFloatError> {
        text.parse().map(Self)
    }
}

impl From<Seconds> for Duration {
    fn from(Seconds(seconds): Seconds) -> Self {
        // The range of a setting is within that of a `Duration`.
        Self::try_from_secs_f64(seconds).unwrap_or(Self::MAX)
    }
}
