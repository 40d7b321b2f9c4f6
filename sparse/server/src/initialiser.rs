//! How a row is made (R-SERVE-7).

use serde::{Deserialize, Serialize};

/// A distribution of the numbers of new rows. As JSON it is an object with a `name` and options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case", deny_unknown_fields)]
pub enum Initialiser {
    /// The same number everywhere.
    Constant {
        /// The number.
        value: f64,
    },
    /// The normal distribution.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        std: f64,
    },
    /// The uniform distribution over `low..high`.
    Uniform {
        /// The least number.
        low: f64,
        /// The bound that no number reaches.
        high: f64,
    },
}
