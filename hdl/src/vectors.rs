//! Random operations and their required results (R-HDL-13).
//!
//! An operation is a record: the unit's inputs, and then its outputs, in words of 32 bits as the
//! bench of the unit reads them. Sums, extremes and floats are computed by `num`; what `num` has no
//! function for, such as a bitwise and, is an expression of Rust.

pub mod chain;
pub mod control;
pub mod element;
pub mod fold;
pub mod stateful;
pub mod stateless;
pub mod streams;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Source of random operations.
pub type Dice = Pcg64Mcg;

/// Makes records without end.
pub trait Vectors {
    /// Appends the next record.
    fn next(&mut self, record: &mut Vec<u32>);
}

/// The lowest `bits` bits.
pub const fn mask(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

/// The lowest `bits` bits as a number in two's complement.
pub const fn signed(value: u32, bits: u32) -> i32 {
    let unused = 32 - bits;
    ((value << unused) as i32) >> unused
}

/// A word of `bits` bits: often one at which carries, signs and distances turn, else any.
fn word(dice: &mut Dice, bits: u32) -> u32 {
    let value = match dice.random_range(0..16) {
        0 => 0,
        1 => 1,
        2 => u32::MAX,
        3 => 1 << (bits - 1),
        4 => mask(bits - 1),
        5 => 1 << dice.random_range(0..bits),
        6 => mask(dice.random_range(1..=bits)),
        7 => bits,
        8 => bits - 1,
        9 | 10 => dice.random_range(0..2 * bits),
        _ => dice.random(),
    };
    value & mask(bits)
}

/// Draws a distance to shift by: mostly less than the width, and often just that.
fn distance(dice: &mut Dice, bits: u32) -> u32 {
    match dice.random_range(0..8) {
        0 => bits - 1,
        1 => bits,
        2 => bits + 1,
        3 => word(dice, bits),
        _ => dice.random_range(0..bits),
    }
}

#[cfg(test)]
mod tests;
