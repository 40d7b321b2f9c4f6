//! Building blocks of the kernels that convert: operations on a group of elements, by explicit
//! instructions where the processor has them.
//!
//! The compiler vectorises most loops well by itself. It does not where 16-bit floats are
//! converted, for which processors have instructions that Rust's stable types do not reach, where
//! numbers pass through `f64`, and where bytes and 32-bit integers belong together, as in FPISA's
//! registers. Those kernels are written once, over [`Simd`]. A group is 16 elements in vectors,
//! whatever their width is: one register of AVX-512, two of AVX2. Elements that do not fill a group
//! are copied into one, so that every element goes the same way.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

pub(crate) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(crate) use {avx2::Avx2, avx512::Avx512};

/// The summand that rounds an `f64` that fits `i32`: to nearest, ties to even.
///
/// From 2^52 to 2^53 the unit in the last place of an `f64` is 1, so adding 1.5 * 2^52 makes the
/// addition itself round to an integer, and leaves that integer in the lowest bits, in two's
/// complement. Unlike a conversion with saturation this is one simple instruction everywhere.
pub(crate) const ROUND: f64 = 1.5 * (1u64 << 52) as f64;

/// Groups of G elements, for the processors that have what the implementing type stands for. A
/// value of it exists only there.
///
/// [`Portable`] says what each operation does to an element, and the others do the same to the last
/// bit. Operations give the canonical NaN (R-NUM-1); stores round to nearest, ties to even, and
/// keep the canonical NaN.
pub(crate) trait Simd<const G: usize>: Copy {
    /// G times `f32`.
    type Floats: Copy;
    /// G times `i32`.
    type Integers: Copy;

    fn load_f32(self, from: &[[u8; 4]; G]) -> Self::Floats;
    /// The first ones of a group, at most G; the others are 0.
    fn load_first_f32(self, from: &[[u8; 4]]) -> Self::Floats;
    fn load_f16(self, from: &[[u8; 2]; G]) -> Self::Floats;
    fn load_bf16(self, from: &[[u8; 2]; G]) -> Self::Floats;
    fn load_i32(self, from: &[[u8; 4]; G]) -> Self::Integers;

    fn store_f32(self, floats: Self::Floats, to: &mut [[u8; 4]; G]);
    /// The first ones of a group, at most G.
    fn store_first_f32(self, floats: Self::Floats, to: &mut [[u8; 4]]);
    fn store_f16(self, floats: Self::Floats, to: &mut [[u8; 2]; G]);
    fn store_bf16(self, floats: Self::Floats, to: &mut [[u8; 2]; G]);
    fn store_i32(self, integers: Self::Integers, to: &mut [[u8; 4]; G]);

    fn sum(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn product(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn quotient(self, dividend: Self::Floats, divisor: f32) -> Self::Floats;
    fn splat_f32(self, x: f32) -> Self::Floats;

    /// R-NUM-9: NaN and infinity become 0.
    fn quantise(self, floats: Self::Floats, factor: f64, limit: f64) -> Self::Integers;
    /// R-NUM-11, before the element's type rounds.
    fn dequantise(self, integers: Self::Integers, unit: f64) -> Self::Floats;
    /// Converts to the nearest integers, ties to even, of magnitudes below 2^31; NaN and infinity
    /// become 0.
    fn to_integers(self, floats: Self::Floats) -> Self::Integers;
    /// Converts to the nearest floats, ties to even.
    fn to_floats(self, integers: Self::Integers) -> Self::Floats;
    /// R-NUM-15, with the key of a NaN.
    fn order(self, floats: Self::Floats, nan: i32) -> Self::Integers;
    /// R-NUM-15, the way back.
    fn restore(self, keys: Self::Integers) -> Self::Floats;

    /// Bytes, as integers from 0 to 255.
    fn load_u8(self, from: &[u8; G]) -> Self::Integers;
    /// Lanes of 16 bits, with their signs.
    fn load_i16(self, from: &[[u8; 2]; G]) -> Self::Integers;
    /// Integers from 0 to 255.
    fn store_u8(self, integers: Self::Integers, to: &mut [u8; G]);
    /// Integers from 0 to 65535.
    fn store_u16(self, integers: Self::Integers, to: &mut [[u8; 2]; G]);

    fn splat(self, integer: i32) -> Self::Integers;
    /// `a` + `b`, wrapped around.
    fn plus(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// `a` - `b`, wrapped around.
    fn minus(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    fn and(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    fn or(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    fn xor(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// `a` where the mask is 0, and 0 where it is -1.
    fn unless(self, mask: Self::Integers, a: Self::Integers) -> Self::Integers;
    /// `a` where the mask is -1, and `b` where it is 0.
    fn select(self, mask: Self::Integers, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// The larger ones, as signed integers.
    fn larger(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// The smaller ones, as unsigned integers.
    fn smaller_unsigned(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// A mask: -1 where they are equal, 0 elsewhere.
    fn equal(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// A mask: -1 where `a` is above `b`, as signed integers, 0 elsewhere.
    fn above(self, a: Self::Integers, b: Self::Integers) -> Self::Integers;
    /// Shifted left, each by its own distance; 0 where that is not from 0 to 31.
    fn left(self, a: Self::Integers, by: Self::Integers) -> Self::Integers;
    /// Shifted right as unsigned integers, each by its own distance; 0 where that is not from 0
    /// to 31.
    fn right_unsigned(self, a: Self::Integers, by: Self::Integers) -> Self::Integers;
    /// Shifted right as signed integers, each by its own distance; 0 or -1 where that is not from 0
    /// to 31.
    fn right(self, a: Self::Integers, by: Self::Integers) -> Self::Integers;
    /// `a` negated where `sign` is negative. `a` must be 0 where `sign` is.
    fn with_sign(self, a: Self::Integers, sign: Self::Integers) -> Self::Integers;
    /// The bits of the largest `f32` that are not above integers from 0 to 2^31.
    fn truncated(self, a: Self::Integers) -> Self::Integers;
    fn any_negative(self, a: Self::Integers) -> bool;
}

/// A kernel's step for a group of inputs of N bytes, and the outputs of M bytes that belong to
/// them. `apply` must be `#[inline(always)]`, as everything that runs inside a level.
pub(crate) trait Step<S, const G: usize, const N: usize, const M: usize> {
    fn apply(&self, simd: S, from: &[[u8; N]; G], to: &mut [[u8; M]; G]);
}

/// Takes a step over buffers of equally many elements.
#[inline(always)]
pub(crate) fn for_groups<S: Simd<G>, const G: usize, const N: usize, const M: usize>(
    simd: S,
    from: &[[u8; N]],
    to: &mut [[u8; M]],
    step: &impl Step<S, G, N, M>,
) {
    let (from, from_rest) = from.as_chunks();
    let (to, to_rest) = to.as_chunks_mut();
    for (from, to) in from.iter().zip(to) {
        step.apply(simd, from, to);
    }
    if !from_rest.is_empty() {
        let (mut from, mut to) = ([[0; N]; G], [[0; M]; G]);
        from[..from_rest.len()].copy_from_slice(from_rest);
        to[..to_rest.len()].copy_from_slice(to_rest);
        step.apply(simd, &from, &mut to);
        to_rest.copy_from_slice(&to[..to_rest.len()]);
    }
}

/// Implements operations of [`Simd`] by an expression of intrinsics.
#[cfg(target_arch = "x86_64")]
macro_rules! intrinsics {
    ($(fn $name:ident($($argument:ident: $ty:ty),*) $(-> $output:ty)? $body:block)*) => {$(
        #[inline(always)]
        #[expect(unsafe_code, reason = "intrinsics of features that the type of `self` stands for, on arrays of the right size")]
        fn $name(self, $($argument: $ty),*) $(-> $output)? {
            // SAFETY: `self` exists only where the processor has the features that the intrinsics
            // need (`new` asks for that). The loads and stores are those without alignment, of no
            // more bytes than the array behind the pointer has. Those of the first elements of a
            // group touch no others.
            unsafe { $body }
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
use intrinsics;
