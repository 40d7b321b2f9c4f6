//! The arithmetics, and the coding in which elements travel in each.

use core::fmt;

use super::{ElementType, Operation};

/// The job's choice of what is added when its elements are floats (R-NUM-2). Integers fold the same
/// way in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Arithmetic {
    /// Block fixed point (SwitchML, section 4.6): the switch adds 32-bit integers, or lanes of f16
    /// as such.
    Block = 1,
    /// The switch has a floating-point unit and computes in the element's own type.
    Native = 2,
    /// Floating point on integers (FPISA, section 4.2): the switch keeps exponent and mantissa
    /// apart and shifts either operand.
    Fpisa = 3,
    /// The same on the switches of today (FPISA-A, section 4.3): only the incoming operand moves.
    FpisaA = 4,
    /// Sums by lookup in tables of logarithms (Libra, section 3.5).
    LogTable = 5,
}

impl Arithmetic {
    /// Returns whether sums of floats are kept in registers, which may overflow (R-FPI-9).
    pub const fn has_registers(self) -> bool {
        matches!(self, Self::Fpisa | Self::FpisaA)
    }

    /// Every arithmetic, in the order of their wire numbers.
    pub const ALL: [Self; 5] =
        [Self::Block, Self::Native, Self::Fpisa, Self::FpisaA, Self::LogTable];

    /// Returns the short name, `block`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Native => "native",
            Self::Fpisa => "fpisa",
            Self::FpisaA => "fpisa-a",
            Self::LogTable => "logtable",
        }
    }

    /// The arithmetic with this number, if there is one.
    pub const fn from_wire(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Block,
            2 => Self::Native,
            3 => Self::Fpisa,
            4 => Self::FpisaA,
            5 => Self::LogTable,
            _ => return None,
        })
    }

    /// The number that stands for this arithmetic in messages.
    pub const fn to_wire(self) -> u8 {
        self as u8
    }

    /// Returns the coding of elements of this type when this operation folds them (R-NUM-2).
    ///
    /// # Errors
    /// [`Unsupported`] names what this arithmetic cannot fold: all but [`Native`](Self::Native)
    /// refuse every operation on `f64` except [`Operation::Copy`]; [`Block`](Self::Block) and
    /// [`LogTable`](Self::LogTable) products of floats, the latter besides sums of 16-bit floats.
    pub const fn coding(
        self,
        element_type: ElementType,
        operation: Operation,
    ) -> Result<Coding, Unsupported> {
        use ElementType as T;
        use Operation as O;
        let (lane, form) = match (self, element_type, operation) {
            (_, _, O::Copy | O::User(_)) => (T::U8, Form::Plain),
            (_, T::I32 | T::I64 | T::U8, _) | (Self::Native, _, _) => (element_type, Form::Plain),
            (Self::Block, T::F32, O::Sum) => (T::I32, Form::Block),
            (Self::Block, T::F16 | T::Bf16, O::Sum) => (T::F16, Form::Block),
            (Self::Block, T::F32 | T::F16 | T::Bf16, O::Min | O::Max) => (T::I32, Form::Ordered),
            (Self::LogTable, T::F32, O::Sum)
            | (Self::LogTable, T::F32 | T::F16 | T::Bf16, O::Min | O::Max)
            | (Self::Fpisa | Self::FpisaA, T::F32 | T::F16 | T::Bf16, _) => {
                (element_type, Form::Plain)
            }
            (_, T::F64, _) | (_, _, O::Product) | (Self::LogTable, _, O::Sum) => {
                return Err(Unsupported { arithmetic: self, element_type, operation });
            }
        };
        Ok(Coding { lane, form })
    }

    /// Returns whether lanes that fold so are kept as `i32` until their round is complete
    /// (R-NUM-21).
    pub const fn widens(self, lane: ElementType, operation: Operation) -> bool {
        matches!((self, lane, operation), (Self::Block, ElementType::F16, Operation::Sum))
    }

    /// Bytes that a lane takes in a slot, while this operation folds it.
    pub const fn slot_bytes(self, lane: ElementType, operation: Operation) -> usize {
        if self.widens(lane, operation) { ElementType::I32.bytes() } else { lane.bytes() }
    }
}

/// The form that an element has as a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The lane is the element.
    Plain,
    /// The lane is the element times a factor that all workers have agreed on for the block,
    /// rounded ([`Scale`](crate::Scale)); an f16 stands for it where the element has 16 bits
    /// ([`half_of_sum`](crate::half_of_sum)).
    Block,
    /// The lane is an integer that compares as the element does
    /// ([`to_ordered`](crate::to_ordered)).
    Ordered,
}

/// The coding in which the elements of a tensor travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coding {
    /// The type of a lane in the packet. For [`Operation::Copy`] and operations of users it is `u8`
    /// whatever the tensor holds, so that lanes count bytes.
    pub lane: ElementType,
    /// The form of an element in a lane.
    pub form: Form,
}

/// An arithmetic was asked for a fold that it cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The job's arithmetic.
    pub arithmetic: Arithmetic,
    /// The type of the tensor's elements.
    pub element_type: ElementType,
    /// The operation asked for.
    pub operation: Operation,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { arithmetic, element_type, operation } = self;
        write!(
            f,
            "arithmetic {arithmetic} cannot fold {operation} of {element_type}; use arithmetic native"
        )?;
        match (element_type, operation) {
            (ElementType::F16 | ElementType::Bf16, Operation::Sum) => {
                f.write_str(", or convert the tensor to f32")
            }
            (ElementType::F64, Operation::Product) => Ok(()),
            (ElementType::F64, _) => f.write_str(", or convert the tensor to f32"),
            _ => f.write_str(", or one of the operations sum, min and max"),
        }
    }
}

impl core::error::Error for Unsupported {}
