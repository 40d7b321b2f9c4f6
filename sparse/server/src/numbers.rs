//! Numbers of rows: as many as a message or a page has, all of one type (R-SERVE-24).

use netfold_num::{ElementType, Number};
use serde::{Deserialize, Deserializer, Serializer};

use crate::codec::Word;
use crate::optimizer::Optimized;

/// Numbers of rows, one row after the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Floats of 32 bits.
    F32(Vec<f32>),
    /// Floats of 64 bits.
    F64(Vec<f64>),
    /// Integers of 32 bits.
    I32(Vec<i32>),
    /// Integers of 64 bits.
    I64(Vec<i64>),
}

impl Default for Numbers {
    fn default() -> Self {
        Self::F32(Vec::new())
    }
}

/// A number of a row.
pub trait RowNumber: Number + Word + Optimized {
    /// Returns the numbers with their type.
    fn wrap(numbers: Vec<Self>) -> Numbers;

    /// Returns the numbers if they are of this type.
    fn of(numbers: &Numbers) -> Option<&[Self]>;
}

macro_rules! row_numbers {
    ($($type:ty => $name:ident),*) => {
        $(
            impl RowNumber for $type {
                fn wrap(numbers: Vec<Self>) -> Numbers {
                    Numbers::$name(numbers)
                }

                fn of(numbers: &Numbers) -> Option<&[Self]> {
                    match numbers {
                        Numbers::$name(numbers) => Some(numbers),
                        _ => None,
                    }
                }
            }
        )*
    };
}

impl<T: RowNumber> From<Vec<T>> for Numbers {
    fn from(numbers: Vec<T>) -> Self {
        T::wrap(numbers)
    }
}

row_numbers! { f32 => F32, f64 => F64, i32 => I32, i64 => I64 }

/// Evaluates an expression with the numbers of an enumeration, whatever their type is.
#[macro_export]
macro_rules! each_type {
    ($of:ident, $value:expr, $numbers:ident => $then:expr) => {
        match $value {
            $of::F32($numbers) => $then,
            $of::F64($numbers) => $then,
            $of::I32($numbers) => $then,
            $of::I64($numbers) => $then,
        }
    };
}

/// Evaluates an expression with a name for the type of rows; `None` if rows do not have it.
#[macro_export]
macro_rules! with_type {
    ($element_type:expr, $name:ident => $then:expr) => {
        match $element_type {
            $crate::ElementType::F32 => {
                type $name = f32;
                Some($then)
            }
            $crate::ElementType::F64 => {
                type $name = f64;
                Some($then)
            }
            $crate::ElementType::I32 => {
                type $name = i32;
                Some($then)
            }
            $crate::ElementType::I64 => {
                type $name = i64;
                Some($then)
            }
            $crate::ElementType::F16 | $crate::ElementType::Bf16 | $crate::ElementType::U8 => None,
        }
    };
}

impl Numbers {
    /// Returns no numbers of a type; `None` if rows do not have it.
    pub fn none(element_type: ElementType) -> Option<Self> {
        with_type!(element_type, T => T::wrap(Vec::new()))
    }

    /// Returns their type.
    pub const fn element_type(&self) -> ElementType {
        match self {
            Self::F32(_) => ElementType::F32,
            Self::F64(_) => ElementType::F64,
            Self::I32(_) => ElementType::I32,
            Self::I64(_) => ElementType::I64,
        }
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        each_type!(Self, self, numbers => numbers.len())
    }

    /// Returns whether it has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes that they take.
    pub fn bytes(&self) -> usize {
        self.len() * self.element_type().bytes()
    }
}

/// Reads a type by its name, for terms in JSON.
pub(crate) fn type_of_text<'de, D: Deserializer<'de>>(text: D) -> Result<ElementType, D::Error> {
    String::deserialize(text)?.parse().map_err(serde::de::Error::custom)
}

/// Writes the name of a type, for terms in JSON.
pub(crate) fn text_of_type<S: Serializer>(
    element_type: &ElementType,
    text: S,
) -> Result<S::Ok, S::Error> {
    text.serialize_str(element_type.name())
}
