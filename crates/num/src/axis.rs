//! The axes of a fold: element types, operations, arithmetics, the coding they agree on, and the
//! order of a lane's bytes.
//!
//! The numbers of [`ElementType`] and [`Operation`] are those of the header fields of the same
//! names (`wire.toml`).

use core::fmt;
use core::str::FromStr;

/// The type of a tensor's element, or of a lane of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ElementType {
    /// IEEE 754 binary32.
    F32 = 1,
    /// IEEE 754 binary16.
    F16 = 2,
    /// The upper half of a binary32 (bfloat16).
    Bf16 = 3,
    /// IEEE 754 binary64.
    F64 = 4,
    /// Signed 32-bit integer, two's complement.
    I32 = 5,
    /// Signed 64-bit integer, two's complement.
    I64 = 6,
    /// Unsigned 8-bit integer.
    U8 = 7,
}

impl ElementType {
    /// Every element type, in the order of their wire numbers.
    pub const ALL: [Self; 7] =
        [Self::F32, Self::F16, Self::Bf16, Self::F64, Self::I32, Self::I64, Self::U8];

    /// Size of one element in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::F16 | Self::Bf16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }

    /// Returns the short name, `f32`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
        }
    }

    /// The type with this number in a header, if there is one.
    pub const fn from_wire(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::F32,
            2 => Self::F16,
            3 => Self::Bf16,
            4 => Self::F64,
            5 => Self::I32,
            6 => Self::I64,
            7 => Self::U8,
            _ => return None,
        })
    }

    /// The number that stands for this type in a header.
    pub const fn to_wire(self) -> u8 {
        self as u8
    }

    /// Returns whether this is one of the floating-point types.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F16 | Self::Bf16 | Self::F64)
    }
}

/// The operation that combines the lanes of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Operation {
    /// Addition.
    Sum = 1,
    /// The smaller of two.
    Min = 2,
    /// The larger of two.
    Max = 3,
    /// Multiplication.
    Product = 4,
    /// One contributor, whose bytes travel as they are (broadcast, all-gather).
    Copy = 5,
}

impl Operation {
    /// Every operation, in the order of their wire numbers.
    pub const ALL: [Self; 5] = [Self::Sum, Self::Min, Self::Max, Self::Product, Self::Copy];

    /// Returns the short name, `sum`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Product => "product",
            Self::Copy => "copy",
        }
    }

    /// The operation with this number in a header, if there is one.
    pub const fn from_wire(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Sum,
            2 => Self::Min,
            3 => Self::Max,
            4 => Self::Product,
            5 => Self::Copy,
            _ => return None,
        })
    }

    /// The number that stands for this operation in a header.
    pub const fn to_wire(self) -> u8 {
        self as u8
    }
}

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
    /// refuse products of floats and every operation on `f64` except [`Operation::Copy`];
    /// [`LogTable`](Self::LogTable) besides sums of 16-bit floats.
    pub const fn coding(
        self,
        element_type: ElementType,
        operation: Operation,
    ) -> Result<Coding, Unsupported> {
        use ElementType as T;
        use Operation as O;
        let (lane, form) = match (self, element_type, operation) {
            (_, _, O::Copy) => (T::U8, Form::Plain),
            (_, T::I32 | T::I64 | T::U8, _) | (Self::Native, _, _) => (element_type, Form::Plain),
            (Self::Block, T::F32, O::Sum) => (T::I32, Form::Block),
            (Self::Block, T::F16 | T::Bf16, O::Sum) => (T::F16, Form::Block),
            (Self::Block, T::F32 | T::F16 | T::Bf16, O::Min | O::Max) => (T::I32, Form::Ordered),
            (Self::LogTable, T::F32, O::Sum)
            | (Self::Fpisa | Self::FpisaA, T::F32 | T::F16 | T::Bf16, O::Sum) => {
                (element_type, Form::Plain)
            }
            (
                Self::Fpisa | Self::FpisaA | Self::LogTable,
                T::F32 | T::F16 | T::Bf16,
                O::Min | O::Max,
            ) => (element_type, Form::Plain),
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

/// The order of a lane's bytes in a packet, a term of the job (R-NUM-19). The header does not
/// depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The least significant byte first, as nearly every host holds its numbers.
    Little,
    /// The most significant byte first, as switches read integers (FPISA, section 4.1).
    Network,
}

impl ByteOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Little, Self::Network];

    /// Returns the short name, `little`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Network => "network",
        }
    }
}

/// The condition under which a slot may be used again, a term of the job (R-ACK).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// All workers have contributed to the next round, in the slot's other copy (SwitchML, section
    /// 4.5).
    Shadow,
    /// All workers have acknowledged the result, of which there is one copy (P4SGD, section III-C).
    Acked,
}

impl Protocol {
    /// Both protocols.
    pub const ALL: [Self; 2] = [Self::Shadow, Self::Acked];

    /// Returns the short name, `shadow`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shadow => "shadow",
            Self::Acked => "acked",
        }
    }
}

/// Policy for sums that overflow their registers, a term of the job (R-SLOT-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// The job fails, and says where (R-CTRL-13).
    Error,
    /// The block is folded again by [`Arithmetic::Native`].
    Native,
}

impl Overflow {
    /// Both policies.
    pub const ALL: [Self; 2] = [Self::Error, Self::Native];

    /// Returns the short name, `error`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Native => "native",
        }
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
    /// The type of a lane in the packet. For [`Operation::Copy`] it is `u8` whatever the tensor
    /// holds, so that lanes count bytes.
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

/// A name that stands for no element type, operation, arithmetic, byte order or protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownName {
    /// No [`ElementType`] has the name.
    ElementType,
    /// No [`Operation`] has the name.
    Operation,
    /// No [`Arithmetic`] has the name.
    Arithmetic,
    /// No [`ByteOrder`] has the name.
    ByteOrder,
    /// No [`Protocol`] has the name.
    Protocol,
    /// No [`Overflow`] has the name.
    Overflow,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ElementType => list(f, "element type", ElementType::ALL),
            Self::Operation => list(f, "operation", Operation::ALL),
            Self::Arithmetic => list(f, "arithmetic", Arithmetic::ALL),
            Self::ByteOrder => list(f, "byte order", ByteOrder::ALL),
            Self::Protocol => list(f, "protocol", Protocol::ALL),
            Self::Overflow => list(f, "policy for overflows", Overflow::ALL),
        }
    }
}

impl core::error::Error for UnknownName {}

fn list(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    names: impl IntoIterator<Item: fmt::Display>,
) -> fmt::Result {
    write!(f, "unknown {what}; choose one of")?;
    for (i, name) in names.into_iter().enumerate() {
        write!(f, "{} {name}", if i == 0 { "" } else { "," })?;
    }
    Ok(())
}

impl FromStr for ElementType {
    type Err = UnknownName;

    /// Reads a short name (`f32`) or the name that NumPy and torch use (`float32`).
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Ok(match name {
            "f32" | "float32" => Self::F32,
            "f16" | "float16" => Self::F16,
            "bf16" | "bfloat16" => Self::Bf16,
            "f64" | "float64" => Self::F64,
            "i32" | "int32" => Self::I32,
            "i64" | "int64" => Self::I64,
            "u8" | "uint8" => Self::U8,
            _ => return Err(UnknownName::ElementType),
        })
    }
}

impl FromStr for Operation {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|o| o.name() == name).ok_or(UnknownName::Operation)
    }
}

impl FromStr for Arithmetic {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|a| a.name() == name).ok_or(UnknownName::Arithmetic)
    }
}

impl FromStr for ByteOrder {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|o| o.name() == name).ok_or(UnknownName::ByteOrder)
    }
}

impl FromStr for Protocol {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|p| p.name() == name).ok_or(UnknownName::Protocol)
    }
}

impl FromStr for Overflow {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|o| o.name() == name).ok_or(UnknownName::Overflow)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::ToString;

    #[test]
    fn wire_numbers_and_names_round_trip() {
        for number in 0..=u8::MAX {
            assert!(ElementType::from_wire(number).is_none_or(|t| t.to_wire() == number));
            assert!(Operation::from_wire(number).is_none_or(|o| o.to_wire() == number));
            assert!(Arithmetic::from_wire(number).is_none_or(|a| a.to_wire() == number));
        }
        for t in ElementType::ALL {
            assert_eq!(ElementType::from_wire(t.to_wire()), Some(t));
            assert_eq!(t.to_string().parse(), Ok(t));
        }
        for o in Operation::ALL {
            assert_eq!(Operation::from_wire(o.to_wire()), Some(o));
            assert_eq!(o.to_string().parse(), Ok(o));
        }
        for a in Arithmetic::ALL {
            assert_eq!(Arithmetic::from_wire(a.to_wire()), Some(a));
            assert_eq!(a.to_string().parse(), Ok(a));
        }
        for o in ByteOrder::ALL {
            assert_eq!(o.to_string().parse(), Ok(o));
        }
        for p in Protocol::ALL {
            assert_eq!(p.to_string().parse(), Ok(p));
        }
        for o in Overflow::ALL {
            assert_eq!(o.to_string().parse(), Ok(o));
        }
    }

    #[test]
    fn long_names_are_read_and_unknown_ones_answered_with_a_list() {
        assert_eq!("bfloat16".parse(), Ok(ElementType::Bf16));
        assert_eq!("uint8".parse(), Ok(ElementType::U8));
        let error = "complex64".parse::<ElementType>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown element type; choose one of f32, f16, bf16, f64, i32, i64, u8"
        );
        let error = "exact".parse::<Arithmetic>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown arithmetic; choose one of block, native, fpisa, fpisa-a, logtable"
        );
        let error = "big".parse::<ByteOrder>().unwrap_err();
        assert_eq!(error.to_string(), "unknown byte order; choose one of little, network");
        let error = "shadowed".parse::<Protocol>().unwrap_err();
        assert_eq!(error.to_string(), "unknown protocol; choose one of shadow, acked");
    }

    #[test]
    fn coding_is_total_and_refuses_only_what_an_arithmetic_cannot_fold() {
        // R-NUM-2
        for arithmetic in Arithmetic::ALL {
            for t in ElementType::ALL {
                for o in Operation::ALL {
                    let narrow_float = t.is_float() && t != ElementType::F64;
                    let expected = if o == Operation::Copy {
                        Some((ElementType::U8, Form::Plain))
                    } else if arithmetic == Arithmetic::Native || !t.is_float() {
                        Some((t, Form::Plain))
                    } else if !narrow_float || o == Operation::Product {
                        None
                    } else if arithmetic == Arithmetic::Block {
                        let form = if o == Operation::Sum { Form::Block } else { Form::Ordered };
                        let halves = o == Operation::Sum && t != ElementType::F32;
                        Some((if halves { ElementType::F16 } else { ElementType::I32 }, form))
                    } else if arithmetic == Arithmetic::LogTable
                        && o == Operation::Sum
                        && t != ElementType::F32
                    {
                        None
                    } else {
                        Some((t, Form::Plain))
                    };
                    let coding = arithmetic.coding(t, o);
                    assert_eq!(
                        coding.ok(),
                        expected.map(|(lane, form)| Coding { lane, form }),
                        "{arithmetic} {o} {t}"
                    );
                }
            }
        }
    }

    #[test]
    fn only_lanes_of_f16_that_block_adds_are_wider_in_a_slot() {
        // R-NUM-21
        for arithmetic in Arithmetic::ALL {
            for t in ElementType::ALL {
                for o in Operation::ALL {
                    let widens =
                        (arithmetic, t, o) == (Arithmetic::Block, ElementType::F16, Operation::Sum);
                    assert_eq!(arithmetic.widens(t, o), widens, "{arithmetic} {o} {t}");
                    assert_eq!(arithmetic.slot_bytes(t, o), if widens { 4 } else { t.bytes() });
                }
            }
        }
    }

    #[test]
    fn a_refusal_says_what_to_use_instead() {
        let text = |t, o| Arithmetic::Block.coding(t, o).unwrap_err().to_string();
        assert_eq!(
            text(ElementType::F32, Operation::Product),
            "arithmetic block cannot fold product of f32; use arithmetic native, or one of the operations sum, min and max"
        );
        assert_eq!(
            text(ElementType::F64, Operation::Sum),
            "arithmetic block cannot fold sum of f64; use arithmetic native, or convert the tensor to f32"
        );
        assert_eq!(
            text(ElementType::F64, Operation::Product),
            "arithmetic block cannot fold product of f64; use arithmetic native"
        );
    }
}
