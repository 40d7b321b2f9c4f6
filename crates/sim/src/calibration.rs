//! The costs of datagrams on real cores, as measured.

use serde::{Deserialize, Serialize};

use crate::core::Costs;
use crate::error::Error;

/// A calibration, as `netfold sim calibrate` writes it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Place and method of the measurement.
    pub measured: String,
    /// A core of a worker.
    pub host: Costs,
    /// A core of a switch.
    pub switch: Costs,
}

impl Calibration {
    /// The calibration in a file's text.
    ///
    /// # Errors
    /// [`Error::Toml`], or [`Error::Cost`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let calibration: Self =
            toml::from_str(text).map_err(|error| Error::Toml(error.to_string()))?;
        calibration.host.checked()?;
        calibration.switch.checked()?;
        Ok(calibration)
    }

    /// As a file's text.
    ///
    /// # Errors
    /// [`Error::Toml`], if a number cannot be written.
    pub fn text(&self) -> Result<String, Error> {
        toml::to_string(self).map_err(|error| Error::Toml(error.to_string()))
    }

    /// The calibration that comes with netfold.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn built_in() -> Self {
        Self::parse(include_str!("../calibration/default.toml"))
            .expect("a test reads the calibration that is built in")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_calibration_is_one_and_survives_its_file() {
        let calibration = Calibration::built_in();
        assert_eq!(Calibration::parse(&calibration.text().unwrap()).as_ref(), Ok(&calibration));
        assert!(calibration.host.receive_packet_ns > 0.0);
    }

    #[test]
    fn unknown_keys_are_refused() {
        let text = Calibration::built_in().text().unwrap() + "speed = 1\n";
        assert!(
            matches!(Calibration::parse(&text), Err(Error::Toml(why)) if why.contains("speed"))
        );
    }
}
