//! Values of any setting, as front ends pass them on.

use std::path::PathBuf;

use netfold_net::{
    Arithmetic, ByteOrder, CoreList, IntegrityKind, OperationPolicy, Overflow, Protocol, Transport,
};
use serde::{Deserialize, Serialize};

use crate::{Seconds, Secret, Size};

/// The value of some setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing was given, and there is no default.
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A count, or bytes.
    Whole(u64),
    /// Seconds.
    Real(f64),
    /// A name, an address, a path or a list.
    Text(String),
}

impl Value {
    /// Returns the text by which a setting is given this value, if there is one.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Bool(value) => Some(value.to_string()),
            Self::Whole(value) => Some(value.to_string()),
            Self::Real(value) => Some(value.to_string()),
            Self::Text(value) => Some(value.clone()),
        }
    }
}

/// A type of settings' values.
pub(crate) trait Shown {
    /// Returns the value.
    fn shown(&self) -> Value;
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> Value {
        self.as_ref().map_or(Value::Nothing, T::shown)
    }
}

/// Types whose values are shown as what this makes of them.
macro_rules! shown {
    ($($of:ty),+: $value:expr) => {$(
        impl Shown for $of {
            fn shown(&self) -> Value {
                let show: fn(&Self) -> Value = $value;
                show(self)
            }
        }
    )+};
}

shown!(
    String, Arithmetic, ByteOrder, CoreList, IntegrityKind, OperationPolicy, Overflow, Protocol,
    Transport:
    |value| Value::Text(value.to_string())
);
shown!(PathBuf: |path| Value::Text(path.to_string_lossy().into_owned()));
shown!(Secret: |Secret(text)| Value::Text(text.clone()));
shown!(bool: |value| Value::Bool(*value));
shown!(u16: |value| Value::Whole((*value).into()));
shown!(Size: |Size(bytes)| Value::Whole(*bytes));
shown!(Seconds: |Seconds(value)| Value::Real(*value));
