//! Block floating point: several mantissas under one exponent (R-FPI-19; section 3.3).

use super::adder::shift_right;
use super::{Adder, Flags, Movement, Register, Rounding, Step};

/// A block of N elements that share an exponent: an operand, or a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared<const N: usize> {
    /// Biased exponent of all elements; 0 before the first operand.
    pub exponent: u8,
    /// Mantissas, guard bits included, not normalised.
    pub mantissas: [i64; N],
    /// Conditions seen for each element.
    pub flags: [Flags; N],
}

impl<const N: usize> Shared<N> {
    /// A register before its first operand: zeros.
    pub const EMPTY: Self = Self { exponent: 0, mantissas: [0; N], flags: [Flags::NONE; N] };

    /// The register that element `index` would be on its own.
    ///
    /// # Panics
    /// If `index` is not below N.
    pub const fn element(&self, index: usize) -> Register {
        Register {
            exponent: self.exponent,
            mantissa: self.mantissas[index],
            flags: self.flags[index],
        }
    }

    fn is_zero(&self) -> bool {
        self.mantissas.iter().all(|&mantissa| mantissa == 0)
    }
}

impl Adder {
    /// Floats as a block: under the largest of their exponents, each mantissa shifted right to it.
    ///
    /// Zeros, NaN and infinities do not raise the exponent; the latter two leave a zero and their
    /// flag.
    pub fn share<const N: usize>(&self, elements: &[u32; N]) -> Shared<N> {
        let operands = elements.map(|bits| self.format().extract(bits));
        let nonzero = operands.iter().filter(|operand| operand.mantissa != 0);
        let exponent = nonzero.map(|operand| operand.exponent).max().unwrap_or(0);
        let mantissas = operands.map(|operand| {
            let mantissa = i64::from(operand.mantissa) << self.guard_bits();
            shift_right(mantissa, u32::from(exponent.saturating_sub(operand.exponent)))
        });
        Shared { exponent, mantissas, flags: operands.map(|operand| operand.flags) }
    }

    /// Adds a block to a block, with one alignment for all elements. The step has overflowed if an
    /// element has; the flags say which.
    pub fn add_shared<const N: usize>(
        &self,
        register: &mut Shared<N>,
        incoming: &Shared<N>,
    ) -> Step {
        let alignment = self.align(
            register.exponent,
            register.is_zero(),
            incoming.exponent,
            incoming.is_zero(),
        );
        let mut step = Step { movement: alignment.movement, overflow: false };
        for (index, &addend) in incoming.mantissas.iter().enumerate() {
            let (mantissa, overflow) = self.sum(&alignment, register.mantissas[index], addend);
            let overflow_flag = if overflow { Flags::OVERFLOW } else { Flags::NONE };
            register.mantissas[index] = mantissa;
            register.flags[index] =
                register.flags[index].union(incoming.flags[index]).union(overflow_flag);
            step.overflow |= overflow;
        }
        register.exponent = alignment.exponent;
        if step.movement == Movement::Zero && incoming.flags.iter().any(|flags| !flags.is_empty()) {
            step.movement = Movement::Special;
        }
        step
    }

    /// The floats that a block stands for, each rounded on its own.
    pub fn read_shared<const N: usize>(
        &self,
        register: &Shared<N>,
        rounding: Rounding,
    ) -> [u32; N] {
        core::array::from_fn(|index| self.read(&register.element(index), rounding))
    }
}
