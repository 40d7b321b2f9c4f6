//! MPI's predefined types and operations, and the folds of netfold that they are (R-MPI-6).

use netfold_net::{Arithmetic, ElementType, Operation};

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
        E::C32 | E::C64 | E::Bool | E::Logical => return Err(Refusal::Operation),
    };
    arithmetic.coding(element_type, operation).map_err(|_| Refusal::Operation)?;
    let bytes = match prepared {
        Prepared::Widened { .. } => 2,
        _ => element_type.bytes() * lanes as usize,
    };
    Ok(Fold { element_type, operation, lanes, bytes, prepared })
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
        E::F32 | E::F64 | E::C32 | E::C64 => return Err(Refusal::Operation),
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

impl Fold {
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
mod tests {
    use super::*;

    #[test]
    fn unsigned_numbers_compare_by_their_bias() {
        // R-MPI-6
        let fold = fold(Op::Max, Element::U32, Arithmetic::Native).unwrap();
        let as_lane = |number: u32| {
            let lane = fold.prepare(&number.to_ne_bytes());
            assert_eq!(fold.restore(&lane), number.to_ne_bytes());
            i32::from_ne_bytes(lane.try_into().unwrap())
        };
        let ordered = [0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX].map(as_lane);
        assert!(ordered.is_sorted(), "{ordered:?}");
        let signed = super::fold(Op::Min, Element::I8, Arithmetic::Native).unwrap();
        let ordered = [-128_i8, -1, 0, 127].map(|number| signed.prepare(&number.to_ne_bytes())[0]);
        assert!(ordered.is_sorted(), "{ordered:?}");
    }

    #[test]
    fn truth_values_fold_as_bytes() {
        let fold = fold(Op::Lxor, Element::I64, Arithmetic::Native).unwrap();
        let numbers: Vec<u8> = [0_i64, 256, -1].iter().flat_map(|n| n.to_ne_bytes()).collect();
        let lanes = fold.prepare(&numbers);
        assert_eq!(lanes, [0, 1, 1]);
        // The sum of 255 and of 254 ones.
        let back = fold.restore(&[255, 254]);
        assert_eq!(back[..8], 1_i64.to_ne_bytes());
        assert_eq!(back[8..], [0; 8]);
        assert_eq!(
            super::fold(Op::Land, Element::F64, Arithmetic::Native),
            Err(Refusal::Operation)
        );
    }

    #[test]
    fn short_integers_fold_as_longer_ones() {
        // R-MPI-6: the lower half of a sum of longer integers is that of the shorter ones.
        for (op, element) in [(Op::Max, Element::I16), (Op::Max, Element::U16)] {
            let fold = fold(op, element, Arithmetic::Native).unwrap();
            let numbers: Vec<u8> = [-2_i16, 5].iter().flat_map(|n| n.to_ne_bytes()).collect();
            let lanes = fold.prepare(&numbers);
            assert_eq!(fold.restore(&lanes), numbers);
            let first = i32::from_ne_bytes(lanes[..4].try_into().unwrap());
            assert_eq!(first, if element == Element::I16 { -2 } else { 0xFFFE });
        }
        let sum = super::fold(Op::Sum, Element::U16, Arithmetic::Native).unwrap();
        assert_eq!(sum.restore(&0x1_0003_i32.to_ne_bytes()), 3_u16.to_ne_bytes());
        assert_eq!((sum.lanes, sum.bytes), (1, 2));
    }

    #[test]
    fn bits_fold_as_truth_values() {
        let fold = fold(Op::Bxor, Element::U16, Arithmetic::Native).unwrap();
        assert_eq!((fold.lanes, fold.bytes), (16, 2));
        let lanes = fold.prepare(&[0b1000_0001, 0xFF]);
        assert_eq!(lanes, [[1, 0, 0, 0, 0, 0, 0, 1], [1; 8]].concat());
        assert_eq!(fold.restore(&lanes), [0b1000_0001, 0xFF]);
        // Sums of 255, 2 and 1 ones.
        assert_eq!(fold.restore(&[255, 2, 1, 0, 0, 0, 0, 0]), [0b101]);
        let and = super::fold(Op::Band, Element::I64, Arithmetic::Native).unwrap();
        assert_eq!(and.operation, Operation::Min);
    }

    #[test]
    fn only_roundings_depend_on_the_order() {
        let native = |op, element, workers| {
            fold(op, element, Arithmetic::Native)
                .unwrap()
                .depends_on_order(Arithmetic::Native, workers)
        };
        assert!(native(Op::Sum, Element::F64, 3) && native(Op::Sum, Element::C32, 3));
        assert!(!native(Op::Sum, Element::F64, 2) && !native(Op::Max, Element::F64, 3));
        assert!(!native(Op::Prod, Element::I32, 3));
        let block = fold(Op::Sum, Element::F32, Arithmetic::Block).unwrap();
        assert!(!block.depends_on_order(Arithmetic::Block, 3));
        assert_eq!(fold(Op::Sum, Element::F64, Arithmetic::Block), Err(Refusal::Operation));
    }

    #[test]
    fn what_netfold_lacks_is_refused() {
        for (op, element) in [
            (Op::Band, Element::F32),
            (Op::Bor, Element::Logical),
            (Op::Minloc, Element::F64),
            (Op::Prod, Element::C64),
            (Op::Sum, Element::Bool),
            (Op::Max, Element::Logical),
        ] {
            assert_eq!(fold(op, element, Arithmetic::Native), Err(Refusal::Operation), "{op:?}");
        }
    }

    #[test]
    fn refusals_stand_in_their_order() {
        for (number, refusal) in Refusal::ALL.into_iter().enumerate() {
            assert_eq!(refusal as usize, number);
        }
    }
}
