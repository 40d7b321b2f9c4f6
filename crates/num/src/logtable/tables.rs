//! The tables' entries, computed when the crate is compiled (R-LOG-1, R-LOG-4).

use crate::fixed::{self, ONE};

/// The seven tables of the paper, which the switch keeps in its match-action stages.
pub(super) struct Tables {
    /// e - 127.
    pub exponent: [i16; 256],
    /// log(m), in units of 2^-16. Keys are 1 and the upper 11 fraction bits, so the lower half is
    /// never looked up.
    pub log_m: [u16; 4096],
    /// log(dm) + 24, in units of 2^-12, for dm = key * 2^-23. Key 0 is never looked up.
    pub log_dm: [u16; 4096],
    /// log(m ln 2), in units of 2^-12; keys as for `log_m`.
    pub log_m_ln_2: [i16; 4096],
    /// 2^(key / 4096 - 24), in units of 2^-24.
    pub exp: [u16; 65536],
    /// log(1 + 2^-t), in units of 2^-16, for t in the middle of a step of 2^-12.
    pub mi: [u16; 65536],
    /// 2^(key / 65536) - 1, in units of 2^-16.
    pub final_exp: [u16; 65536],
}

/// Shared by all jobs, as they are in the switch.
pub(super) static TABLES: Tables = Tables {
    exponent: exponents(),
    log_m: logarithms_of_m(),
    log_dm: logarithms_of_dm(),
    log_m_ln_2: logarithms_of_m_ln_2(),
    exp: powers(),
    mi: sums(),
    final_exp: final_powers(),
};

/// -log(1 - 2^-t) for t in the middle of a step of 2^-12; in units of 2^-12 for keys below
/// [`FINE`], of 2^-16 above.
pub(super) static DIFFERENCES: [u16; 65536] = differences();

/// The first key of [`DIFFERENCES`] with the finer unit: t = 1.
pub(super) const FINE: usize = 4096;

/// -log(ln 2), in units of 2^-62; 2 ln 2 is in [1, 2).
const MINUS_LOG_LN_2: u64 = ONE - fixed::log2((core::f64::consts::LN_2 * (2 * ONE) as f64) as u64);

/// 2^(2^-12), 2^(2^-13) and 2^(2^-16).
const STEP_12: u64 = fixed::root_of_two(12);
const STEP_13: u64 = fixed::root_of_two(13);
const STEP_16: u64 = fixed::root_of_two(16);

const fn exponents() -> [i16; 256] {
    let mut table = [0; 256];
    let mut e = 0;
    while e < table.len() {
        table[e] = e as i16 - 127;
        e += 1;
    }
    table
}

const fn logarithms_of_m() -> [u16; 4096] {
    let mut table = [0; 4096];
    let mut m = 2048;
    while m < table.len() {
        table[m] = fixed::round(fixed::log2(m as u64 * (ONE >> 11)), 16) as u16;
        m += 1;
    }
    table
}

const fn logarithms_of_dm() -> [u16; 4096] {
    let mut table = [0; 4096];
    let mut dm = 1u64;
    while dm < 4096 {
        let power = dm.ilog2();
        let fraction = fixed::log2(dm * (ONE >> power));
        // log(dm) - 23, and 24 more.
        table[dm as usize] = ((power as u64 + 1) << 12 | fixed::round(fraction, 12)) as u16;
        dm += 1;
    }
    table
}

const fn logarithms_of_m_ln_2() -> [i16; 4096] {
    let mut table = [0; 4096];
    let mut m = 2048;
    while m < table.len() {
        // Above -1, so that what is rounded is positive.
        let above = fixed::log2(m as u64 * (ONE >> 11)) + (ONE - MINUS_LOG_LN_2);
        table[m] = fixed::round(above, 12) as i16 - 4096;
        m += 1;
    }
    table
}

const fn powers() -> [u16; 65536] {
    // The power's exponent is the upper four bits of the key; the lower twelve step through an
    // octave.
    let mut table = [0; 65536];
    let mut fraction = 0;
    let mut power = ONE;
    while fraction < 4096 {
        let mut exponent = 0;
        while exponent < 16 {
            // In units of 2^-24 the power is at least 1; the last ones do not fit and are never
            // looked up.
            let entry = fixed::round(power >> (16 - exponent), 16);
            table[exponent << 12 | fraction] =
                if entry > u16::MAX as u64 { u16::MAX } else { entry as u16 };
            exponent += 1;
        }
        power = fixed::multiply(power, STEP_12);
        fraction += 1;
    }
    table
}

const fn final_powers() -> [u16; 65536] {
    let mut table = [0; 65536];
    let mut power = ONE;
    let mut key = 0;
    while key < table.len() {
        table[key] = fixed::round(power - ONE, 16) as u16;
        power = fixed::multiply(power, STEP_16);
        key += 1;
    }
    table
}

const fn sums() -> [u16; 65536] {
    // From the largest t down, 1 + 2^-t rises from 1 to 2, and the entry follows it: it is the
    // number of thresholds 2^((entry + 1/2) / 65536) that lie below.
    let mut table = [0; 65536];
    let mut power = fixed::multiply(ONE >> 16, STEP_13);
    let mut threshold = fixed::root_of_two(17);
    let mut entry = 0;
    let mut key = table.len();
    while key > 0 {
        key -= 1;
        while ONE + power > threshold {
            threshold = fixed::multiply(threshold, STEP_16);
            entry += 1;
        }
        table[key] = entry;
        power = fixed::multiply(power, STEP_12);
    }
    table
}

const fn differences() -> [u16; 65536] {
    // As in `sums`, but 1 - 2^-t falls, from 1 to 1/2 in the fine unit, then on in the coarse one.
    let mut table = [0; 65536];
    let mut power = fixed::multiply(ONE >> 16, STEP_13);
    let mut threshold = fixed::reciprocal(fixed::root_of_two(17));
    let mut step = fixed::reciprocal(STEP_16);
    let mut entry = 0;
    let mut key = table.len();
    while key > 0 {
        key -= 1;
        if key + 1 == FINE {
            // The entry of 1/2 and the threshold half a step below.
            entry = 4096;
            threshold = fixed::reciprocal(STEP_13) >> 1;
            step = fixed::reciprocal(STEP_12);
        }
        while ONE - power < threshold {
            threshold = fixed::multiply(threshold, step);
            entry += 1;
        }
        table[key] = entry;
        power = fixed::multiply(power, STEP_12);
    }
    table
}
