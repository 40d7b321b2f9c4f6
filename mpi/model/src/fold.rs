//! MPI's predefined types and operations, and the folds of netfold that they are (R-MPI-6).

use netfold_net::{Arithmetic, ElementType, Operation};

use crate::layout::Layout;
use crate::pair::Pair;

/// The kind of number that a predefined type holds; types of one size and meaning are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Signed integers of 8, 16, 32 and 64 bits.
    I8,
    /// 16 bits.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
    /// Unsigned integers of 8, 16, 32 and 64 bits.
    U8,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
    /// 64 bits.
    U64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
    /// Two binary32.
    C32,
    /// Two binary64.
    C64,
    /// A truth value in one byte, 0 or 1.
    Bool,
    /// A truth value of Fortran in four bytes, 0 or 1.
    Logical,
    /// A value and its index.
    Pair(Pair),
}

impl Element {
    /// Bytes of its data.
    #[inline]
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 | Self::Bool => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 | Self::Logical => 4,
            Self::I64 | Self::U64 | Self::F64 | Self::C32 => 8,
            Self::C64 => 16,
            Self::Pair(pair) => pair.bytes(),
        }
    }
}

/// A predefined operation of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `MPI_SUM`
    Sum,
    /// `MPI_PROD`
    Prod,
    /// `MPI_MIN`
    Min,
    /// `MPI_MAX`
    Max,
    /// `MPI_LAND`
    Land,
    /// `MPI_LOR`
    Lor,
    /// `MPI_LXOR`
    Lxor,
    /// `MPI_BAND`
    Band,
    /// `MPI_BOR`
    Bor,
    /// `MPI_BXOR`
    Bxor,
    /// `MPI_MINLOC`
    Minloc,
    /// `MPI_MAXLOC`
    Maxloc,
}

/// The reason for which a call stays with the host's MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Refusal {
    /// The table says that the host is faster.
    Table,
    /// The host's own time is measured by this call.
    Sampled,
    /// netfold has no such operation on this type.
    Operation,
    /// An operation of the user that is no predefined one.
    UserOperation,
    /// Floats would be added in the order of arrival.
    Order,
    /// The communicator is an inter-communicator.
    Inter,
    /// The communicator has one rank, or is not connected.
    Alone,
    /// Too long, or a root or a count that MPI would refuse.
    Arguments,
    /// Non-blocking or persistent.
    Form,
}

impl Refusal {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Table,
        Self::Sampled,
        Self::Operation,
        Self::UserOperation,
        Self::Order,
        Self::Inter,
        Self::Alone,
        Self::Arguments,
        Self::Form,
    ];

    /// Returns the reason as the report shows it.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Table => "the host is faster by the table",
            Self::Sampled => "the host's time is sampled",
            Self::Operation => "no such fold in netfold",
            Self::UserOperation => "an operation of the program",
            Self::Order => "floats would fold in the order of arrival",
            Self::Inter => "an inter-communicator",
            Self::Alone => "one rank",
            Self::Arguments => "arguments that MPI has to judge",
            Self::Form => "a form that the host has to carry out",
        }
    }
}

/// A change of elements before they travel, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// As they are.
    Plain,
    /// Unsigned and signed integers trade places by their highest bit, so that they compare.
    Biased,
    /// A byte that is 1 for what is not zero; back, the lowest bit as a number of the type.
    Truth,
    /// Integers of 16 bits as those of 32, by their sign or without; back, the lower half.
    Widened {
        /// They have a sign.
        signed: bool,
    },
    /// A byte for each bit, from the lowest of each byte up; back, the lowest bit of each.
    Bits,
    /// The key of a pair, the least of which is that of the pair to be found (R-MPI-17).
    Key {
        /// The pair.
        pair: Pair,
        /// The largest value is to be found.
        largest: bool,
    },
    /// Elements of an operation, with the gaps of its layout; back, without them (R-MPI-18).
    Spread(&'static Layout),
}

/// A fold of netfold that does what an operation of MPI does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Type of a lane.
    pub element_type: ElementType,
    /// Operation on lanes.
    pub operation: Operation,
    /// Lanes of an element of MPI.
    pub lanes: u64,
    /// Bytes of an element of MPI.
    pub bytes: usize,
    /// Change before and after.
    pub prepared: Prepared,
}

impl Fold {
    /// Returns whether the bits of a result may depend on the order in which operands fold
    /// (R-NUM-4). Sums in `block` do not, nor do those of two workers.
    pub fn depends_on_order(&self, arithmetic: Arithmetic, workers: u16) -> bool {
        let rounds = matches!(self.operation, Operation::Sum | Operation::Product);
        self.element_type.is_float() && rounds && workers > 2 && arithmetic != Arithmetic::Block
    }
}

/// Returns the fold for an operation on elements.
///
/// # Errors
/// netfold has no such fold in jobs of this arithmetic.
pub fn fold(op: Op, element: Element, arithmetic: Arithmetic) -> Result<Fold, Refusal> {
    use Element as E;
    use ElementType as T;
    let truth = matches!(op, Op::Land | Op::Lor | Op::Lxor);
    if truth {
        return truths(op, element);
    }
    if matches!(op, Op::Band | Op::Bor | Op::Bxor) {
        return bits(op, element);
    }
    if let Element::Pair(pair) = element {
        return located(op, pair);
    }
    let operation = match op {
        Op::Sum => Operation::Sum,
        Op::Prod => Operation::Product,
        Op::Min => Operation::Min,
        Op::Max => Operation::Max,
        _ => return Err(Refusal::Operation),
    };
    let compares = matches!(op, Op::Min | Op::Max);
    let biased = if compares { Prepared::Biased } else { Prepared::Plain };
    let (element_type, lanes, prepared) = match element {
        E::I32 => (T::I32, 1, Prepared::Plain),
        E::U32 => (T::I32, 1, biased),
        E::I64 => (T::I64, 1, Prepared::Plain),
        E::U64 => (T::I64, 1, biased),
        E::U8 => (T::U8, 1, Prepared::Plain),
        E::I8 => (T::U8, 1, biased),
        E::I16 => (T::I32, 1, Prepared::Widened { signed: true }),
        E::U16 => (T::I32, 1, Prepared::Widened { signed: false }),
        E::F32 => (T::F32, 1, Prepared::Plain),
        E::F64 => (T::F64, 1, Prepared::Plain),
        E::C32 if op == Op::Sum => (T::F32, 2, Prepared::Plain),
        E::C64 if op == Op::Sum => (T::F64, 2, Prepared::Plain),
        E::C32 | E::C64 | E::Bool | E::Logical | E::Pair(_) => return Err(Refusal::Operation),
    };
    arithmetic.coding(element_type, operation).map_err(|_| Refusal::Operation)?;
    let bytes = match prepared {
        Prepared::Widened { .. } => 2,
        _ => element_type.bytes() * lanes as usize,
    };
    Ok(Fold { element_type, operation, lanes, bytes, prepared })
}

/// Returns the fold of pairs by their keys (R-MPI-17).
fn located(op: Op, pair: Pair) -> Result<Fold, Refusal> {
    let largest = op == Op::Maxloc;
    if !largest && op != Op::Minloc {
        return Err(Refusal::Operation);
    }
    Ok(Fold {
        element_type: ElementType::I64,
        operation: Operation::Min,
        lanes: if pair.is_wide() { 2 } else { 1 },
        bytes: pair.bytes(),
        prepared: Prepared::Key { pair, largest },
    })
}

/// Returns the fold of bits, each of which is a truth value in a byte (R-MPI-6).
fn bits(op: Op, element: Element) -> Result<Fold, Refusal> {
    if matches!(element, Element::Bool | Element::Logical) {
        return Err(Refusal::Operation);
    }
    let bytes = integer_bytes(element)?;
    let op = match op {
        Op::Band => Op::Land,
        Op::Bor => Op::Lor,
        _ => Op::Lxor,
    };
    let (lanes, prepared) = (8 * bytes as u64, Prepared::Bits);
    Ok(Fold { lanes, bytes, prepared, ..truths(op, Element::U8)? })
}

/// Returns the bytes of an integer or of a truth value in one byte; bits of others do not fold.
fn integer_bytes(element: Element) -> Result<usize, Refusal> {
    use Element as E;
    Ok(match element {
        E::I8 | E::U8 | E::Bool => 1,
        E::I16 | E::U16 => 2,
        E::I32 | E::U32 | E::Logical => 4,
        E::I64 | E::U64 => 8,
        E::F32 | E::F64 | E::C32 | E::C64 | E::Pair(_) => return Err(Refusal::Operation),
    })
}

/// Returns the fold of truth values: as bytes, `and` is the smallest, `or` the largest, and
/// `exclusive or` the lowest bit of the sum modulo 256.
fn truths(op: Op, element: Element) -> Result<Fold, Refusal> {
    let bytes = integer_bytes(element)?;
    let operation = match op {
        Op::Land => Operation::Min,
        Op::Lor => Operation::Max,
        _ => Operation::Sum,
    };
    let (element_type, prepared) = (ElementType::U8, Prepared::Truth);
    Ok(Fold { element_type, operation, lanes: 1, bytes, prepared })
}

/// The highest bit of a lane of 64 bits, which is signed where keys are not.
const SIGN: u64 = 1 << 63;

/// Returns the key of a pair, by its lane, or by both of its lanes.
fn key(lanes: &[u8]) -> u128 {
    let (first, others) = lanes.split_at(size_of::<u64>());
    let number = |bytes: &[u8]| u64::from_ne_bytes(std::array::from_fn(|at| bytes[at]));
    let first = (number(first) ^ SIGN).into();
    if others.is_empty() { first } else { first << 64 | u128::from(number(others)) }
}

impl Fold {
    /// Returns whether no lane holds what is compared: all ranks' lanes are gathered, and folded
    /// where they arrive, by [`Fold::least`] (R-MPI-17).
    pub fn is_gathered(&self) -> bool {
        matches!(self.prepared, Prepared::Key { pair, .. } if pair.is_wide())
    }

    /// Returns the lanes of the least keys of some rows, each as long as `row`, at least one.
    pub fn least(&self, rows: &[u8], row: usize) -> Vec<u8> {
        let of = |at: usize| &rows[at..at + self.lane_bytes()];
        let least = |place: usize| (place..rows.len()).step_by(row).min_by_key(|at| key(of(*at)));
        let places = (0..row).step_by(self.lane_bytes());
        places.filter_map(least).flat_map(of).copied().collect()
    }

    /// Bytes of an element's lanes.
    fn lane_bytes(&self) -> usize {
        self.lanes as usize * self.element_type.bytes()
    }

    /// Returns the lanes of a key, the first of which compares as the key does.
    fn lanes_of(&self, key: u128) -> Vec<u8> {
        if self.lanes == 1 {
            return (key as u64 ^ SIGN).to_ne_bytes().into();
        }
        [((key >> 64) as u64 ^ SIGN).to_ne_bytes(), (key as u64).to_ne_bytes()].concat()
    }

    /// Returns elements of MPI as lanes.
    pub fn prepare(&self, elements: &[u8]) -> Vec<u8> {
        match self.prepared {
            Prepared::Plain => elements.to_vec(),
            Prepared::Biased => self.biased(elements),
            Prepared::Truth => elements
                .chunks_exact(self.bytes)
                .map(|element| element.iter().any(|byte| *byte != 0).into())
                .collect(),
            Prepared::Widened { signed } => elements
                .as_chunks()
                .0
                .iter()
                .flat_map(|element| match signed {
                    true => i32::from(i16::from_ne_bytes(*element)).to_ne_bytes(),
                    false => u32::from(u16::from_ne_bytes(*element)).to_ne_bytes(),
                })
                .collect(),
            Prepared::Bits => {
                elements.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1)).collect()
            }
            Prepared::Spread(layout) => layout.spread(elements),
            Prepared::Key { pair, largest } => elements
                .chunks_exact(self.bytes)
                .flat_map(|element| self.lanes_of(pair.key(element, largest)))
                .collect(),
        }
    }

    /// Returns lanes as elements of MPI.
    pub fn restore(&self, lanes: &[u8]) -> Vec<u8> {
        match self.prepared {
            Prepared::Plain => lanes.to_vec(),
            Prepared::Biased => self.biased(lanes),
            Prepared::Truth => {
                let mut elements = vec![0; lanes.len() * self.bytes];
                for (element, lane) in elements.chunks_exact_mut(self.bytes).zip(lanes) {
                    element[if cfg!(target_endian = "big") { self.bytes - 1 } else { 0 }] =
                        lane & 1;
                }
                elements
            }
            Prepared::Widened { .. } => lanes
                .as_chunks()
                .0
                .iter()
                .flat_map(|lane| (u32::from_ne_bytes(*lane) as u16).to_ne_bytes())
                .collect(),
            Prepared::Bits => lanes
                .as_chunks::<8>()
                .0
                .iter()
                .map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit & 1))
                .collect(),
            Prepared::Spread(layout) => layout.pack(lanes),
            Prepared::Key { pair, largest } => {
                let mut elements = Vec::with_capacity(lanes.len());
                for lanes in lanes.chunks_exact(self.lane_bytes()) {
                    pair.of_key(key(lanes), largest, &mut elements);
                }
                elements
            }
        }
    }

    /// Flips the highest bit of each element, which is its own inverse.
    fn biased(&self, elements: &[u8]) -> Vec<u8> {
        let mut elements = elements.to_vec();
        let highest = if cfg!(target_endian = "big") { 0 } else { self.bytes - 1 };
        elements.chunks_exact_mut(self.bytes).for_each(|element| element[highest] ^= 0x80);
        elements
    }
}

#[cfg(test)]
mod tests;
