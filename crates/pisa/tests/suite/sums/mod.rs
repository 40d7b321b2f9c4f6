//! FPISA's sums as a pipeline keeps them, and floats to add.

use netfold_num::fpisa::{Adder, Flags, Format, Register};
use netfold_pisa::programs::fpisa::Variant;

use crate::dice::Dice;

/// The sum of one element as R-PISA-32 has it: the rules of R-FPI-5 to 9, but that a sum which has
/// cancelled keeps its exponent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    exponent: Option<i32>,
    mantissa: i32,
    flags: Flags,
    /// It has been zero behind an operand that was not.
    pub cancelled: bool,
}

impl Sum {
    /// Adds a value, and returns whether the addition overflows.
    pub fn add(&mut self, variant: Variant, bits: u32) -> bool {
        let operand = Format::FP32.extract(bits);
        self.flags = self.flags.union(operand.flags);
        let (x, k) = (i32::from(operand.exponent), operand.mantissa as i64);
        if k == 0 {
            return false;
        }
        self.cancelled |= self.exponent.is_some() && self.mantissa == 0;
        let Some(e) = self.exponent else {
            (self.exponent, self.mantissa) = (Some(x), k as i32);
            return false;
        };
        let (d, m) = (x - e, i64::from(self.mantissa));
        let (exponent, sum) = match variant {
            _ if d <= 0 => (e, m + (k >> (-d).min(63))),
            Variant::Full => (x, (m >> d.min(63)) + k),
            Variant::Approximate if d <= 7 => (e, m + (k << d)),
            Variant::Approximate => (x, k),
        };
        self.exponent = Some(exponent);
        let overflows = i32::try_from(sum).is_err();
        if overflows {
            self.flags = self.flags.union(Flags::OVERFLOW);
        }
        self.mantissa = sum as i32;
        overflows
    }

    /// Returns the sum as a register, to be read.
    pub fn register(&self) -> Register {
        let exponent = self.exponent.map_or(0, |exponent| exponent as u8);
        Register { exponent, mantissa: self.mantissa.into(), flags: self.flags }
    }
}

/// `num`'s adder with the same registers.
pub fn adder(variant: Variant) -> Adder {
    match variant {
        Variant::Approximate => Adder::FP32_A,
        Variant::Full => Adder::FP32,
    }
}

/// Floats of every sort, and such that lie close together, so that sums shift by little, cancel and
/// overflow.
pub fn any_bits(dice: &mut Dice) -> u32 {
    let sign = (dice.roll() as u32 & 1) << 31;
    match dice.below(24) {
        0 => sign,
        1 => sign | dice.roll() as u32 >> 9,
        2 => sign | 0x7F80_0000,
        3 => 0x7FC0_0000,
        4..=8 => dice.roll() as u32,
        9..=12 => sign | 0x7F7F_FFFF,
        13..=15 => sign | 0x3F80_0000,
        16..=18 => sign | (dice.below(40) as u32 * 0x0040_0000),
        // The headroom above the one before: two of them overflow it.
        19..=20 => 0x437F_FFFF,
        _ => sign | (120 + dice.below(14) as u32) << 23 | dice.roll() as u32 >> 9,
    }
}
