//! Pairs of a value and its index, as numbers that compare as `MPI_MINLOC` and `MPI_MAXLOC` order
//! pairs (R-MPI-17).

use crate::fold::Element;

/// A number of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

/// A predefined type of pairs: the types of the value and of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Type of the value.
    pub value: Number,
    /// Type of the index.
    pub index: Number,
}

/// Values that compare as equal, by their codes: the first one, and their number.
struct Ties {
    first: u64,
    members: u64,
}

impl Number {
    /// Returns the element of a type that holds such a number alone.
    pub(crate) const fn element(self) -> Element {
        match self {
            Self::I16 => Element::I16,
            Self::I32 => Element::I32,
            Self::I64 => Element::I64,
            Self::F32 => Element::F32,
            Self::F64 => Element::F64,
        }
    }

    const fn bits(self) -> u32 {
        match self {
            Self::I16 => 16,
            Self::I32 | Self::F32 => 32,
            Self::I64 | Self::F64 => 64,
        }
    }

    const fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// Number of NaNs of one sign; none of integers.
    const fn nans(self) -> u64 {
        match self {
            Self::F32 => (1 << 23) - 1,
            Self::F64 => (1 << 52) - 1,
            Self::I16 | Self::I32 | Self::I64 => 0,
        }
    }

    /// Returns the lowest bits of a number that are its own.
    const fn masked(self, bits: u64) -> u64 {
        bits & (u64::MAX >> (64 - self.bits()))
    }

    const fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// Returns the code of a number: codes ascend as numbers do, from NaNs on, or as they descend
    /// if `largest` is set. Each number has a code of its own, zeros of both signs and NaNs, too.
    const fn code(self, bits: u64, largest: bool) -> u64 {
        if self.nans() == 0 {
            let code = bits ^ self.sign();
            return if largest { self.masked(!code) } else { code };
        }
        let bits = if largest { bits ^ self.sign() } else { bits };
        let negative = bits & self.sign() != 0;
        let order = if negative { self.masked(!bits) } else { bits | self.sign() };
        // NaNs stand at both ends: those of the upper one come before those of the lower one.
        self.masked(order.wrapping_add(self.nans()))
    }

    /// Returns the number of a code.
    const fn of_code(self, code: u64, largest: bool) -> u64 {
        if self.nans() == 0 {
            let code = if largest { self.masked(!code) } else { code };
            return code ^ self.sign();
        }
        let order = self.masked(code.wrapping_sub(self.nans()));
        let positive = order & self.sign() != 0;
        let bits = if positive { order ^ self.sign() } else { self.masked(!order) };
        if largest { bits ^ self.sign() } else { bits }
    }

    /// Returns the values that compare as one of this code does.
    const fn ties(self, code: u64) -> Ties {
        let nans = 2 * self.nans();
        // That of the negative zero; that of the positive one follows.
        let zero = self.sign() - 1 + self.nans();
        if nans == 0 {
            Ties { first: code, members: 1 }
        } else if code < nans {
            Ties { first: 0, members: nans }
        } else if code == zero || code == zero + 1 {
            Ties { first: zero, members: 2 }
        } else {
            Ties { first: code, members: 1 }
        }
    }

    /// Reads a number from the beginning of its bytes.
    fn read(self, bytes: &[u8]) -> u64 {
        match self {
            Self::I16 => u16::from_ne_bytes(first(bytes)).into(),
            Self::I32 | Self::F32 => u32::from_ne_bytes(first(bytes)).into(),
            Self::I64 | Self::F64 => u64::from_ne_bytes(first(bytes)),
        }
    }

    fn write(self, bits: u64, into: &mut Vec<u8>) {
        match self {
            Self::I16 => into.extend((bits as u16).to_ne_bytes()),
            Self::I32 | Self::F32 => into.extend((bits as u32).to_ne_bytes()),
            Self::I64 | Self::F64 => into.extend(bits.to_ne_bytes()),
        }
    }
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|at| bytes[at])
}

impl Pair {
    /// Bytes of both numbers, without a gap.
    pub const fn bytes(self) -> usize {
        self.value.bytes() + self.index.bytes()
    }

    /// Returns the name in a trace.
    pub const fn traced(self) -> &'static str {
        match (self.value, self.index) {
            (Number::I16, _) => "i16,i32",
            (Number::I32, _) => "i32,i32",
            (Number::I64, _) => "i64,i32",
            (Number::F32, Number::F32) => "f32,f32",
            (Number::F32, _) => "f32,i32",
            (Number::F64, Number::F64) => "f64,f64",
            (Number::F64, _) => "f64,i32",
        }
    }

    /// Bits of each half of a key.
    const fn half(self) -> u32 {
        if self.value.bits() > 32 || self.index.bits() > 32 { 64 } else { 32 }
    }

    /// Returns whether a key has 128 bits, and not 64.
    pub const fn is_wide(self) -> bool {
        self.half() == 64
    }

    /// Returns the key of a pair, by its bytes. The least key is that of the pair with the least
    /// value, or with the largest one if `largest` is set; among equal values, zeros of both signs
    /// and NaNs, that of the least index. Each pair has a key of its own.
    pub fn key(self, pair: &[u8], largest: bool) -> u128 {
        let code = self.value.code(self.value.read(pair), largest);
        let index = self.index.code(self.index.read(&pair[self.value.bytes()..]), false);
        let Ties { first, members } = self.value.ties(code);
        let place = u128::from(index) * u128::from(members) + u128::from(code - first);
        (u128::from(first) << self.half()) + place
    }

    /// Appends the bytes of the pair that has this key.
    pub fn of_key(self, key: u128, largest: bool, into: &mut Vec<u8>) {
        let Ties { first, members } = self.value.ties((key >> self.half()) as u64);
        let place = key - (u128::from(first) << self.half());
        let (index, member) = match members {
            1 => (place as u64, 0),
            _ => ((place / u128::from(members)) as u64, (place % u128::from(members)) as u64),
        };
        self.value.write(self.value.of_code(first + member, largest), into);
        self.index.write(self.index.of_code(index, false), into);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAIRS: [Pair; 7] = [
        Pair { value: Number::I16, index: Number::I32 },
        Pair { value: Number::I32, index: Number::I32 },
        Pair { value: Number::I64, index: Number::I32 },
        Pair { value: Number::F32, index: Number::I32 },
        Pair { value: Number::F64, index: Number::I32 },
        Pair { value: Number::F32, index: Number::F32 },
        Pair { value: Number::F64, index: Number::F64 },
    ];

    /// A number whose value `small` is, or which is a zero, an infinity or a NaN.
    fn bytes(number: Number, small: i16, special: u8) -> Vec<u8> {
        let float = match special {
            0 => f64::NAN,
            1 => -f64::NAN,
            2 => f64::INFINITY,
            3 => f64::NEG_INFINITY,
            4 => -0.0,
            5 => f64::MIN_POSITIVE,
            _ => small.into(),
        };
        let extreme = |least: i64, most: i64| match special {
            0 => least,
            1 => most,
            _ => small.into(),
        };
        match number {
            Number::I16 => (extreme(i16::MIN.into(), i16::MAX.into()) as i16).to_ne_bytes().into(),
            Number::I32 => (extreme(i32::MIN.into(), i32::MAX.into()) as i32).to_ne_bytes().into(),
            Number::I64 => extreme(i64::MIN, i64::MAX).to_ne_bytes().into(),
            Number::F32 => (float as f32).to_ne_bytes().into(),
            Number::F64 => float.to_ne_bytes().into(),
        }
    }

    /// The number of some bytes, as the largest type of its kind has it.
    fn number(of: Number, bytes: &[u8]) -> Result<i64, f64> {
        match of {
            Number::I16 => Ok(i16::from_ne_bytes(first(bytes)).into()),
            Number::I32 => Ok(i32::from_ne_bytes(first(bytes)).into()),
            Number::I64 => Ok(i64::from_ne_bytes(first(bytes))),
            Number::F32 => Err(f32::from_ne_bytes(first(bytes)).into()),
            Number::F64 => Err(f64::from_ne_bytes(first(bytes))),
        }
    }

    /// Returns true if the first value is preferred to the second one.
    fn wins(a: Result<i64, f64>, b: Result<i64, f64>, largest: bool) -> bool {
        match (a, b) {
            (Ok(a), Ok(b)) => {
                if largest {
                    a > b
                } else {
                    a < b
                }
            }
            (Err(a), Err(b)) if a.is_nan() || b.is_nan() => a.is_nan() && !b.is_nan(),
            (Err(a), Err(b)) => {
                if largest {
                    a > b
                } else {
                    a < b
                }
            }
            _ => unreachable!("both are of one type"),
        }
    }

    proptest! {
        #[test]
        fn the_least_key_is_that_of_the_pair_that_mpi_gives(
            of in 0..PAIRS.len(),
            largest: bool,
            drawn in prop::collection::vec((-3_i16..4, 0_u8..12, -3_i16..4, 2_u8..12), 1..9),
        ) {
            // R-MPI-17
            let Pair { value, index } = PAIRS[of];
            let pair = PAIRS[of];
            let pairs: Vec<Vec<u8>> = drawn
                .iter()
                .map(|(v, special, i, i_special)| {
                    let integral = matches!(index, Number::I32);
                    let index = bytes(index, *i, if integral { 9 } else { *i_special });
                    [bytes(value, *v, *special), index].concat()
                })
                .collect();
            for one in &pairs {
                let mut back = Vec::new();
                pair.of_key(pair.key(one, largest), largest, &mut back);
                prop_assert_eq!(&back, one, "a key is that of one pair");
            }
            let least = pairs.iter().map(|one| pair.key(one, largest)).min().unwrap();
            prop_assert!(pair.is_wide() || least <= u64::MAX.into());
            let mut got = Vec::new();
            pair.of_key(least, largest, &mut got);
            let (v, i) = got.split_at(value.bytes());
            let (v, i) = (number(value, v), number(index, i));
            for one in &pairs {
                let (other, at) = one.split_at(value.bytes());
                let (other, at) = (number(value, other), number(index, at));
                prop_assert!(!wins(other, v, largest));
                let tied = !wins(v, other, largest);
                prop_assert!(!tied || !wins(at, i, false));
            }
            prop_assert!(pairs.contains(&got), "one of the pairs");
        }
    }

    #[test]
    fn keys_of_64_bits_hold_what_32_bits_compare() {
        let narrow = PAIRS.map(|pair| (pair.bytes(), pair.is_wide()));
        let expected =
            [(6, false), (8, false), (12, true), (8, false), (12, true), (8, false), (16, true)];
        assert_eq!(narrow, expected);
        let pair = Pair { value: Number::F32, index: Number::I32 };
        for value in [0_u32, 0x8000_0000, 0x7F80_0001, u32::MAX, 0x7F7F_FFFF, 0xFF7F_FFFF] {
            for index in [i32::MIN, -1, i32::MAX] {
                let bytes = [value.to_ne_bytes(), index.to_ne_bytes()].concat();
                for largest in [false, true] {
                    let key = pair.key(&bytes, largest);
                    let mut back = Vec::new();
                    pair.of_key(u64::try_from(key).unwrap().into(), largest, &mut back);
                    assert_eq!(back, bytes);
                }
            }
        }
    }
}
