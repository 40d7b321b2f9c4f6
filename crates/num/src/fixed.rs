//! Fixed point in constant functions: how the tables of logarithms and powers are computed when the
//! crate is compiled.
//!
//! Numbers have 62 bits after the point. Every operation is off by a few units of 2^-62 at most.

/// 1.
pub(crate) const ONE: u64 = 1 << FRACTION_BITS;

const FRACTION_BITS: u32 = 62;

/// a * b, rounded down. The product is below 4.
pub(crate) const fn multiply(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> FRACTION_BITS) as u64
}

/// The root of `x`, rounded down.
const fn square_root(x: u64) -> u64 {
    ((x as u128) << FRACTION_BITS).isqrt() as u64
}

/// 2^(2^-`n`).
pub(crate) const fn root_of_two(n: u32) -> u64 {
    let mut root = 2 * ONE;
    let mut i = 0;
    while i < n {
        root = square_root(root);
        i += 1;
    }
    root
}

/// 1 / `x` for x in (1/2, 2].
pub(crate) const fn reciprocal(x: u64) -> u64 {
    ((ONE as u128 * ONE as u128) / x as u128) as u64
}

/// The logarithm to base 2 of x in [1, 2), with 40 bits: squaring doubles it, and each time it
/// passes 1 is a bit.
pub(crate) const fn log2(x: u64) -> u64 {
    let (mut x, mut logarithm, mut bit) = (x, 0, ONE >> 1);
    let mut i = 0;
    while i < 40 {
        x = multiply(x, x);
        if x >= 2 * ONE {
            x /= 2;
            logarithm += bit;
        }
        bit /= 2;
        i += 1;
    }
    logarithm
}

/// The integer nearest to `x` in units of 2^-`bits`, ties up.
pub(crate) const fn round(x: u64, bits: u32) -> u64 {
    let dropped = FRACTION_BITS - bits;
    (x + (1 << (dropped - 1))) >> dropped
}
