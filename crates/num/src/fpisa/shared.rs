//! Block floating point: several mantissas under one exponent (R-FPI-19; section 3.3).

use super::adder::shift_right;
use super::{Adder, Flags, Movement, Register, Step};

/// An element of a block: all that its register would hold but the exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Element {
    /// Mantissa in two's complement, guard bits included, not normalised.
    pub mantissa: i64,
    /// Conditions seen on the way.
    pub flags: Flags,
}

impl Element {
    /// Zero, without flags.
    pub const ZERO: Self = Self { mantissa: 0, flags: Flags::NONE };
}

/// A block of elements that share an exponent: an operand, or a register.
///
/// `E` is the memory of the elements: an array, or whatever else lends a slice of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared<E> {
    /// Biased exponent of all elements; 0 before the first operand.
    pub exponent: u8,
    /// The elements; all operands of a sum have as many.
    pub elements: E,
}

impl<const N: usize> Shared<[Element; N]> {
    /// A register before its first operand: zeros.
    pub const EMPTY: Self = Self { exponent: 0, elements: [Element::ZERO; N] };
}

impl<E: AsRef<[Element]>> Shared<E> {
    /// Returns the registers that the elements would be on their own. [`Adder::read`] reads each.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        self.elements.as_ref().iter().map(|&Element { mantissa, flags }| Register {
            exponent: self.exponent,
            mantissa,
            flags,
        })
    }

    fn is_zero(&self) -> bool {
        self.elements.as_ref().iter().all(|element| element.mantissa == 0)
    }
}

impl Adder {
    /// Makes a block of floats, in the memory that is given: under the largest of their exponents,
    /// each mantissa shifted right to it.
    ///
    /// Zeros, NaN and infinities do not raise the exponent; the latter two leave a zero and their
    /// flag.
    ///
    /// # Panics
    /// If there are not as many elements as floats.
    pub fn share<E: AsMut<[Element]>>(&self, floats: &[u32], mut elements: E) -> Shared<E> {
        let memory = elements.as_mut();
        assert_eq!(memory.len(), floats.len(), "a block has an element for each float");
        let operands = || floats.iter().map(|&bits| self.format().extract(bits));
        let nonzero = operands().filter(|operand| operand.mantissa != 0);
        let exponent = nonzero.map(|operand| operand.exponent).max().unwrap_or(0);
        for (element, operand) in memory.iter_mut().zip(operands()) {
            let mantissa = i64::from(operand.mantissa) << self.guard_bits();
            let distance = u32::from(exponent.saturating_sub(operand.exponent));
            *element = Element { mantissa: shift_right(mantissa, distance), flags: operand.flags };
        }
        Shared { exponent, elements }
    }

    /// Adds a block to a block, with one alignment for all elements. The step has overflowed if an
    /// element has; the flags say which.
    ///
    /// # Panics
    /// If the two have different lengths.
    pub fn add_shared<E: AsRef<[Element]> + AsMut<[Element]>>(
        &self,
        register: &mut Shared<E>,
        incoming: &Shared<E>,
    ) -> Step {
        let alignment = self.align(
            register.exponent,
            register.is_zero(),
            incoming.exponent,
            incoming.is_zero(),
        );
        let mut step = Step { movement: alignment.movement, overflow: false };
        let (sums, addends) = (register.elements.as_mut(), incoming.elements.as_ref());
        assert_eq!(sums.len(), addends.len(), "blocks that are added are equally long");
        for (sum, addend) in sums.iter_mut().zip(addends) {
            let (mantissa, overflow) = self.sum(&alignment, sum.mantissa, addend.mantissa);
            let overflow_flag = if overflow { Flags::OVERFLOW } else { Flags::NONE };
            sum.mantissa = mantissa;
            sum.flags = sum.flags.union(addend.flags).union(overflow_flag);
            step.overflow |= overflow;
        }
        register.exponent = alignment.exponent;
        if step.movement == Movement::Zero
            && addends.iter().any(|element| !element.flags.is_empty())
        {
            step.movement = Movement::Special;
        }
        step
    }
}
