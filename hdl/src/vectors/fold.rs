//! Sums of FP32 values, and the register of `num` after each (R-HDL-12).

use netfold_num::fpisa::{Adder, Element, Register, Rounding, Shared};
use rand::{RngExt, SeedableRng};

use super::stateless::{beside, float};
use super::{Dice, Vectors};

/// The exponent that the pipeline keeps for a sum that is zero from its beginning (R-PISA-32).
const NO_EXPONENT: u32 = 0xFF00;

/// The most operands of a sum: so many never overflow (R-FPI-16).
const MOST_OPERANDS: usize = Adder::FP32.capacity() as usize;

/// The sum of one element as a pipeline keeps it, by `num`'s functions (R-PISA-32).
///
/// A pipeline's sum that has cancelled exactly keeps its exponent, where a single register of
/// R-FPI-5 takes the next operand's. In a block of two it would keep it as well, as long as the
/// other element is not zero (R-FPI-19). So beside the sum there is a second element: -1, which
/// stays -1 however far it is shifted.
#[derive(Clone, Copy, Debug)]
pub struct Sum {
    block: Shared<[Element; 2]>,
    plain: Register,
    /// It has been exactly zero behind an operand that was not, and then an operand came.
    cancelled: bool,
}

impl Sum {
    /// State before the first operand.
    pub const EMPTY: Self = Self { block: Shared::EMPTY, plain: Register::EMPTY, cancelled: false };

    /// Adds a value.
    ///
    /// # Panics
    /// If the sum overflows, or if it differs from R-FPI-5 to 9 although it has not cancelled: the
    /// two are the same rules.
    pub fn add(&mut self, bits: u32) {
        let begun = self.block.elements[1].mantissa != 0;
        let incoming = Adder::FP32.share(&[bits, 0], [Element::ZERO; 2]);
        let adds = incoming.elements[0].mantissa != 0;
        self.cancelled |= begun && adds && self.block.elements[0].mantissa == 0;
        let step = Adder::FP32.add_shared(&mut self.block, &incoming);
        assert!(!step.overflow, "{MOST_OPERANDS} operands do not overflow (R-FPI-16)");
        if !begun && adds {
            self.block.elements[1].mantissa = -1;
        }
        let _ = Adder::FP32.add(&mut self.plain, bits);
        assert!(self.cancelled || self.register() == self.plain, "{self:?} after {bits:08x}");
    }

    /// Exponent, mantissa and flags, as the arrays of a pipeline have them.
    pub fn words(&self) -> [u32; 3] {
        let [sum, beside] = self.block.elements;
        let exponent = if beside.mantissa == 0 { NO_EXPONENT } else { self.block.exponent.into() };
        [exponent, sum.mantissa as i32 as u32, sum.flags.to_bits().into()]
    }

    /// The sum as a register of its own.
    const fn register(&self) -> Register {
        let Element { mantissa, flags } = self.block.elements[0];
        Register { exponent: self.block.exponent, mantissa, flags }
    }

    /// Returns whether R-FPI-5 has been left for R-PISA-32.
    pub const fn cancelled(&self) -> bool {
        self.cancelled
    }
}

/// Values one after the other: whether one begins a sum, and the value; exponent, mantissa and
/// flags behind it.
pub struct Sums {
    dice: Dice,
    sum: Sum,
    latest: u32,
    left: usize,
    /// True if this sum has NaN and infinities. The next field is true if it is taken to zero on
    /// purpose.
    specials: bool,
    cancels: bool,
}

impl Sums {
    /// Sums of up to 128 values.
    pub fn new(seed: u64) -> Self {
        Self {
            dice: Dice::seed_from_u64(seed),
            sum: Sum::EMPTY,
            latest: 0,
            left: 0,
            specials: false,
            cancels: false,
        }
    }

    fn value(&mut self) -> u32 {
        let value = match self.dice.random_range(0..4) {
            0 => float(&mut self.dice),
            1 if self.cancels => self.cancelling(),
            _ => beside(&mut self.dice, self.latest),
        };
        let is_special = value >> 23 & 0xFF == 0xFF;
        // Most sums are finite: flags that stay would hide those that come.
        if is_special && !self.specials { value & !(1 << 30) } else { value }
    }

    /// The value that takes the sum to zero, where there is one.
    fn cancelling(&self) -> u32 {
        Adder::FP32.read(&self.sum.register(), Rounding::TowardZero) ^ 1 << 31
    }
}

impl Vectors for Sums {
    fn next(&mut self, record: &mut Vec<u32>) {
        let begins = self.left == 0;
        if begins {
            let most = if self.dice.random_bool(0.75) { 8 } else { MOST_OPERANDS };
            self.left = self.dice.random_range(1..=most);
            self.sum = Sum::EMPTY;
            self.specials = self.dice.random_bool(0.25);
            self.cancels = self.dice.random_bool(0.25);
        }
        self.left -= 1;
        self.latest = self.value();
        self.sum.add(self.latest);
        record.extend([begins.into(), self.latest]);
        record.extend(self.sum.words());
    }
}
