//! Sums of FP32 by table lookup, in the logarithmic domain (Libra, sections 3.5 and 5.5).
//!
//! With x the larger and y the smaller of two magnitudes, log(x + y) = log(x) + log(1 +
//! 2^-(log(x) - log(y))): three kinds of look-ups, additions, and nothing else, which is what a
//! switch without floats can do. [`add`] does it; the rules are R-LOG in `spec/numerics.md`, with
//! the bounds of the error (R-LOG-6). The tables are constants of the program: nothing is computed
//! when it starts.
//!
//! ```
//! use netfold_num::logtable;
//!
//! let sum = f32::from_bits(logtable::add(0.3f32.to_bits(), 0.4f32.to_bits()));
//! assert!((f64::from(sum) - 0.7).abs() <= 7e-5 * 0.7);
//! assert_eq!(logtable::TABLES_BYTES, 418_304); // 408.5 KiB, as in the paper
//! ```

mod tables;

use crate::fpisa::{Flags, Format};
use tables::{DIFFERENCES, TABLES};

/// Memory of the paper's seven tables, in bytes: 408.5 KiB (R-LOG-1).
pub const TABLES_BYTES: usize = size_of_val(&TABLES);

/// Memory of the eighth table, which operands of opposite sign need, in bytes: 128 KiB (R-LOG-4).
pub const DIFFERENCES_BYTES: usize = size_of_val(&DIFFERENCES);

/// Tables by name, for a switch that looks their entries up by index (R-LOG-1, R-LOG-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// log(m), by the upper 11 fraction bits.
    LogOfM,
    /// log(dm) + 24, by the lower 12 fraction bits.
    LogOfDm,
    /// log(m ln 2), by the upper 11 fraction bits; two's complement.
    LogOfMLn2,
    /// 2^(key - 24).
    Exp,
    /// log(1 + 2^-t).
    Mi,
    /// -log(1 - 2^-t).
    Difference,
    /// 2^f - 1.
    FinalExp,
}

/// Returns the entries of a table, from key 0 on.
pub fn entries(lookup: Lookup) -> impl Iterator<Item = u16> {
    let (unsigned, signed): (&[u16], &[i16]) = match lookup {
        Lookup::LogOfM => (&TABLES.log_m[2048..], &[]),
        Lookup::LogOfDm => (&TABLES.log_dm, &[]),
        Lookup::LogOfMLn2 => (&[], &TABLES.log_m_ln_2[2048..]),
        Lookup::Exp => (&TABLES.exp, &[]),
        Lookup::Mi => (&TABLES.mi, &[]),
        Lookup::Difference => (&DIFFERENCES, &[]),
        Lookup::FinalExp => (&TABLES.final_exp, &[]),
    };
    unsigned.iter().copied().chain(signed.iter().map(|entry| entry.cast_unsigned()))
}

/// Bits after the point of a logarithm.
const LOG_BITS: u32 = 24;

/// The difference of logarithms from which the smaller operand does not count: 16.
const NEGLIGIBLE: i32 = 16 << LOG_BITS;

const MAGNITUDE: u32 = 0x7FFF_FFFF;
const SMALLEST_NORMAL: u32 = 0x0080_0000;
const INFINITY: u32 = 0x7F80_0000;

/// The FP32 pattern of the sum of two, by table (R-LOG-2 to 5).
///
/// Sums of equal signs are within 7e-5 of the exact sum, those of opposite signs within 1.2e-4 of
/// the larger operand (R-LOG-6). Subnormal operands count as zeros, and sums below the normal range
/// are zero.
pub fn add(a: u32, b: u32) -> u32 {
    let (larger, smaller) = if (a & MAGNITUDE) >= (b & MAGNITUDE) { (a, b) } else { (b, a) };
    if (larger & MAGNITUDE) >= INFINITY {
        return special(larger, smaller);
    }
    if (smaller & MAGNITUDE) < SMALLEST_NORMAL {
        return if (larger & MAGNITUDE) < SMALLEST_NORMAL { 0 } else { larger };
    }
    let sign = larger & !MAGNITUDE;
    let logarithm = log(larger);
    let difference = logarithm.saturating_sub(log(smaller));
    let sum = if (larger ^ smaller) & !MAGNITUDE == 0 {
        Some(logarithm.saturating_add(log_of_sum(difference)))
    } else {
        log_of_difference(difference).map(|drop| logarithm.saturating_sub(drop))
    };
    sum.map_or(0, |sum| exp(sum, sign))
}

/// The sum of two, the larger of which is infinite or NaN, as IEEE 754 has it.
fn special(larger: u32, smaller: u32) -> u32 {
    let cancels = larger ^ smaller == !MAGNITUDE;
    let not_a_number = Format::FP32.extract(larger).flags.contains(Flags::NAN);
    if cancels || not_a_number { Format::FP32.nan() } else { larger }
}

/// The logarithm of a normal magnitude (R-LOG-2). Those below 2^128 may round to 128, which
/// saturates.
fn log(bits: u32) -> i32 {
    let exponent = (bits & MAGNITUDE) >> 23;
    let m = 1 << 11 | bits >> 12 & 0x7FF;
    let dm = bits & 0xFFF;
    let correction = if dm == 0 { 0 } else { TABLES.exp[key_of_correction(m, dm)] };
    let power = i32::from(TABLES.exponent[exponent as usize]) << LOG_BITS;
    let fraction = (i32::from(TABLES.log_m[m as usize]) << (LOG_BITS - 16)) + i32::from(correction);
    power.saturating_add(fraction)
}

/// log(dm) - log(m ln 2) + 24, in units of 2^-12; between 1/2 and 14.
fn key_of_correction(m: u32, dm: u32) -> usize {
    (i32::from(TABLES.log_dm[dm as usize]) - i32::from(TABLES.log_m_ln_2[m as usize])) as usize
}

/// log(1 + 2^-t) for the difference t of two logarithms (R-LOG-3). That of the operand with the
/// larger magnitude may be the smaller one by the error of the tables; t is 0 then.
fn log_of_sum(difference: i32) -> i32 {
    if difference >= NEGLIGIBLE {
        0
    } else {
        i32::from(TABLES.mi[key(difference)]) << (LOG_BITS - 16)
    }
}

/// -log(1 - 2^-t) for the difference t of two logarithms; `None` where the operands cancel
/// (R-LOG-4).
fn log_of_difference(difference: i32) -> Option<i32> {
    if difference <= 0 {
        return None;
    }
    if difference >= NEGLIGIBLE {
        return Some(0);
    }
    let key = key(difference);
    let unit_bits = if key < tables::FINE { 12 } else { 16 };
    Some(i32::from(DIFFERENCES[key]) << (LOG_BITS - unit_bits))
}

/// The key of a difference of logarithms below 16: in units of 2^-12, rounded down.
fn key(difference: i32) -> usize {
    (difference.max(0) >> (LOG_BITS - 12)) as usize
}

/// The pattern of the power of two with this logarithm (R-LOG-3, R-LOG-5).
fn exp(logarithm: i32, sign: u32) -> u32 {
    // To the nearest in units of 2^-16; in two shifts, as there is nothing above a saturated
    // logarithm.
    let rounded = ((logarithm >> (LOG_BITS - 17)) + 1) >> 1;
    let exponent = (rounded >> 16) + 127;
    let fraction = u32::from(TABLES.final_exp[(rounded & 0xFFFF) as usize]);
    match exponent {
        ..=0 => 0,
        1..=254 => sign | (exponent as u32) << 23 | fraction << 7,
        _ => sign | INFINITY,
    }
}

#[cfg(test)]
mod tests;
