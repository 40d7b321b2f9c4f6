//! Multiplication (R-FPI-21; appendix A.2): exponents add, mantissas multiply, by table where they
//! are short.

use super::assemble::assemble;
use super::{Flags, Format, Rounding};

/// Memory of the table of quarter squares, in bytes.
pub const QUARTER_SQUARES_BYTES: usize = size_of_val(&QUARTER_SQUARES);

/// The widest format whose mantissas multiply by table.
const WIDEST_BY_TABLE: u32 = 16;

/// floor(n^2 / 4) for every n that is a sum of two mantissas of [`Format::FP16`], 11 bits each.
static QUARTER_SQUARES: [u32; 4096] = {
    let mut table = [0; 4096];
    let mut n = 0;
    while n < table.len() {
        table[n] = (n * n / 4) as u32;
        n += 1;
    }
    table
};

impl Format {
    /// The product of two values, rounded once. NaN, infinities and signed zeros multiply as in
    /// IEEE 754.
    ///
    /// The mantissas of formats up to 16 bits are multiplied by table, which gives the same bits as
    /// an integer multiplier.
    pub fn multiply(self, a: u32, b: u32, rounding: Rounding) -> u32 {
        let negative = self.is_negative(a) != self.is_negative(b);
        let (x, y) = (self.extract(a), self.extract(b));
        let flags = x.flags.union(y.flags);
        if !flags.is_empty() {
            let is_zero = |mantissa, flags: Flags| mantissa == 0 && flags.is_empty();
            let undefined = flags.contains(Flags::NAN)
                || is_zero(x.mantissa, x.flags)
                || is_zero(y.mantissa, y.flags);
            return if undefined { self.nan() } else { self.beyond(negative) };
        }
        let (m, n) = (x.mantissa.unsigned_abs(), y.mantissa.unsigned_abs());
        let by_table =
            self.bits() <= WIDEST_BY_TABLE && self.mantissa_bits() <= Self::FP16.mantissa_bits();
        let product = if by_table { by_quarter_squares(m, n) } else { u64::from(m) * u64::from(n) };
        let scale = i32::from(x.exponent) - 1 + i32::from(y.exponent) - 1 + self.lowest_power();
        assemble(self, negative, product, scale, rounding)
    }
}

/// m * n for mantissas up to 11 bits: two look-ups and a subtraction. Sum and difference are both
/// even or both odd, so what the two floors drop is the same.
pub(super) fn by_quarter_squares(m: u32, n: u32) -> u64 {
    let square = |index: u32| QUARTER_SQUARES[index as usize];
    u64::from(square(m + n) - square(m.abs_diff(n)))
}
