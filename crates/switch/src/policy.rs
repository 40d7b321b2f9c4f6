//! The operations of users that a switch takes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Policy of a switch for operations that users bring along (R-OP-22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OperationPolicy {
    /// Every operation is refused.
    None,
    /// Those with a signature are taken.
    Signed,
    /// All are taken.
    #[default]
    Any,
}

impl OperationPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::None, Self::Signed, Self::Any];

    /// Its name, as it is configured and shown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Signed => "signed",
            Self::Any => "any",
        }
    }
}

impl fmt::Display for OperationPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OperationPolicy {
    type Err = UnknownPolicy;

    fn from_str(name: &str) -> Result<Self, UnknownPolicy> {
        Self::ALL.into_iter().find(|policy| policy.name() == name).ok_or(UnknownPolicy)
    }
}

/// A name that stands for no [`OperationPolicy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unknown policy for operations; choose none, signed or any")]
pub struct UnknownPolicy;
