//! Logarithm and square root by table (R-FPI-22, R-FPI-23; appendix A.2).

use super::assemble::assemble;
use super::{Flags, Format, Rounding};
use crate::fixed::{self, ONE};

/// Bits after the point of the result of [`Format::log2`].
pub const LOG2_FRACTION_BITS: u32 = 16;

/// Memory of the table of logarithms, in bytes: 1025 entries, below the 2000 of appendix A.2.
pub const LOG2_TABLE_BYTES: usize = size_of_val(&LOG2);

/// Memory of the table of square roots, in bytes: 2049 entries.
pub const SQUARE_ROOT_TABLE_BYTES: usize = size_of_val(&SQUARE_ROOT);

/// Mantissa bits that are looked up.
const INDEX_BITS: u32 = 10;
const STEPS: usize = 1 << INDEX_BITS;

/// log2(1 + i / 1024), in units of 2^-16.
static LOG2: [u32; STEPS + 1] = {
    let mut table = [0; STEPS + 1];
    let mut i = 0;
    while i < STEPS {
        table[i] =
            fixed::round(fixed::log2(ONE + (i as u64) * (ONE >> INDEX_BITS)), LOG2_FRACTION_BITS)
                as u32;
        i += 1;
    }
    table[STEPS] = 1 << LOG2_FRACTION_BITS;
    table
};

/// Bits after the point of a square root in the table.
const ROOT_FRACTION_BITS: u32 = 24;

/// The root of 1 + i / 1024, then of 2 + i / 512, up to that of 4; in units of 2^-24.
static SQUARE_ROOT: [u32; 2 * STEPS + 1] = {
    let mut table = [0; 2 * STEPS + 1];
    let mut i = 0;
    while i < table.len() {
        let mantissa = if i < STEPS { STEPS + i } else { 2 * i };
        // Twice the root in the unit of the table, rounded down; half of it, rounded up, is the
        // nearest.
        let twice = ((mantissa as u64) << (2 * ROOT_FRACTION_BITS + 2 - INDEX_BITS)).isqrt();
        table[i] = twice.div_ceil(2) as u32;
        i += 1;
    }
    table
};

/// A positive value with its leading one in place: `mantissa` / 2^23 is in [1, 2).
struct Normal {
    /// Power of two of the leading one.
    power: i32,
    /// 24 bits, the leading one included.
    mantissa: u32,
}

/// Bits after the point of [`Normal::mantissa`].
const NORMAL_BITS: u32 = 23;

impl Normal {
    /// Half a step of the tables rounds to the nearest entry; formats of up to 10 bits are always
    /// at one.
    fn index(&self) -> usize {
        let step = NORMAL_BITS - INDEX_BITS;
        let fraction = self.mantissa - (1 << NORMAL_BITS);
        ((fraction + (1 << (step - 1))) >> step) as usize
    }
}

impl Format {
    /// The logarithm to base 2, in units of 2^-16 ([`LOG2_FRACTION_BITS`]). `None` for zeros,
    /// negative values, infinities and NaN.
    ///
    /// Its error is at most 7.7e-6 for mantissas up to 10 bits and 7.13e-4 for wider ones
    /// (R-FPI-22).
    pub fn log2(self, bits: u32) -> Option<i32> {
        let normal = self.normal(bits)?;
        Some((normal.power << LOG2_FRACTION_BITS) + LOG2[normal.index()] as i32)
    }

    /// The square root. For mantissas up to 10 bits it is the nearest value; for wider ones its
    /// relative error is at most 2^-12 + 2^-22 + 2^-(M+1) (R-FPI-23). NaN of negative values but
    /// -0, which is its own root.
    pub fn square_root(self, bits: u32) -> u32 {
        let Some(normal) = self.normal(bits) else {
            let operand = self.extract(bits);
            return if operand.flags.is_empty() && operand.mantissa == 0 {
                self.sign(self.is_negative(bits))
            } else if operand.flags == Flags::POSITIVE_INFINITY {
                self.beyond(false)
            } else {
                self.nan()
            };
        };
        // An odd power leaves a factor of two in the mantissa: the upper half of the table.
        let root = SQUARE_ROOT[normal.index() + if normal.power % 2 == 0 { 0 } else { STEPS }];
        let scale = normal.power.div_euclid(2) - ROOT_FRACTION_BITS as i32 - self.lowest_power();
        assemble(self, false, u64::from(root), scale, Rounding::NearestEven)
    }

    /// A positive finite value, normalised; `None` for all others.
    fn normal(self, bits: u32) -> Option<Normal> {
        let operand = self.extract(bits);
        let mantissa = u32::try_from(operand.mantissa).ok().filter(|&mantissa| mantissa != 0)?;
        let leading = mantissa.ilog2();
        let power = i32::from(operand.exponent) - 1 + self.lowest_power() + leading as i32;
        Some(Normal { power, mantissa: mantissa << (NORMAL_BITS - leading) })
    }
}
