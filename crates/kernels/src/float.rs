//! The float types whose elements are converted: `f32` itself, and two formats of 16 bits in
//! integer steps without branches, which vectorise on every level. Where a level has instructions
//! for it, `load` and `store` use them.

use crate::simd::Simd;
use netfold_num::ElementType;

/// An IEEE binary16, by its bits.
#[derive(Clone, Copy)]
pub(crate) struct F16(pub(crate) u16);

impl F16 {
    pub(crate) const NAN: Self = Self(0x7E00);

    #[inline(always)]
    pub(crate) fn to_bits(self) -> u16 {
        self.0
    }
    #[inline(always)]
    pub(crate) fn is_nan(self) -> bool {
        self.magnitude() > Self::INFINITY
    }
}

/// A bfloat16, by its bits.
#[derive(Clone, Copy)]
pub(crate) struct Bf16(pub(crate) u16);

impl Bf16 {
    pub(crate) const NAN: Self = Self(0x7FC0);

    #[inline(always)]
    pub(crate) fn to_bits(self) -> u16 {
        self.0
    }
    #[inline(always)]
    pub(crate) fn is_nan(self) -> bool {
        self.magnitude() > Self::INFINITY
    }
}

/// A float of N bytes that widens to `f32` exactly.
pub(crate) trait Float<const N: usize>: Copy {
    /// A signed integer of as many bits, which every level can compare.
    type Magnitude: Copy + Ord + Default;
    /// The magnitude of infinity. NaN have larger ones.
    const INFINITY: Self::Magnitude;

    fn from_ne(bytes: [u8; N]) -> Self;
    fn to_ne(self) -> [u8; N];

    /// The bits without the sign, which order as the magnitudes do.
    fn magnitude(self) -> Self::Magnitude;
    /// The element with these bits and no sign.
    fn from_magnitude(magnitude: Self::Magnitude) -> Self;

    fn widen(self) -> f32;
    /// Rounds to nearest, ties to even; a NaN becomes the canonical one (R-NUM-1).
    fn narrow(x: f32) -> Self;

    /// Widens a group, as [`widen`](Self::widen) does.
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; N]; G]) -> S::Floats;
    /// Narrows a group, as [`narrow`](Self::narrow) does, in which every NaN is the canonical one.
    fn store<S: Simd<G>, const G: usize>(simd: S, floats: S::Floats, to: &mut [[u8; N]; G]);

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.magnitude() < Self::INFINITY
    }
}

impl Float<4> for f32 {
    type Magnitude = i32;
    const INFINITY: i32 = 0x7F80_0000;

    #[inline(always)]
    fn from_ne(bytes: [u8; 4]) -> Self {
        Self::from_ne_bytes(bytes)
    }
    #[inline(always)]
    fn to_ne(self) -> [u8; 4] {
        self.to_ne_bytes()
    }
    #[inline(always)]
    fn magnitude(self) -> i32 {
        self.to_bits() as i32 & i32::MAX
    }
    #[inline(always)]
    fn from_magnitude(magnitude: i32) -> Self {
        Self::from_bits(magnitude as u32)
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
    #[inline(always)]
    fn narrow(x: f32) -> Self {
        canonical(x)
    }

    #[inline(always)]
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; 4]; G]) -> S::Floats {
        simd.load_f32(from)
    }
    #[inline(always)]
    fn store<S: Simd<G>, const G: usize>(simd: S, floats: S::Floats, to: &mut [[u8; 4]; G]) {
        simd.store_f32(floats, to);
    }
}

impl Float<2> for F16 {
    type Magnitude = i16;
    const INFINITY: i16 = 0x7C00;

    #[inline(always)]
    fn from_ne(bytes: [u8; 2]) -> Self {
        Self(u16::from_ne_bytes(bytes))
    }
    #[inline(always)]
    fn to_ne(self) -> [u8; 2] {
        self.0.to_ne_bytes()
    }
    #[inline(always)]
    fn magnitude(self) -> i16 {
        self.0 as i16 & i16::MAX
    }
    #[inline(always)]
    fn from_magnitude(magnitude: i16) -> Self {
        Self(magnitude as u16)
    }

    #[inline(always)]
    fn widen(self) -> f32 {
        let bits = u32::from(self.0);
        // With its fraction in place the number is too small by the difference of the two biases,
        // 2^112, also if it is subnormal.
        let magnitude = (bits & 0x7FFF) << 13;
        let scaled = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
        let widened = if bits & 0x7C00 == 0x7C00 { magnitude | 0x7F80_0000 } else { scaled };
        f32::from_bits(widened | (bits & 0x8000) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Self {
        const OVERFLOW: u32 = (127 + 16) << 23; // 2^16
        const NORMAL: u32 = (127 - 14) << 23; // 2^-14
        let magnitude = x.to_bits() & 0x7FFF_FFFF;

        // A normal number: rebias the exponent and round off 13 bits, half up if what remains is
        // odd, just below half otherwise. A carry out of the fraction goes into the exponent, and
        // from the largest exponent to infinity.
        let odd = magnitude >> 13 & 1;
        let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xFFF + odd) >> 13;
        // A subnormal number is a multiple of 2^-24, the unit in the last place of 0.5: adding 0.5
        // rounds it there.
        let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());

        let finite = if magnitude < NORMAL { subnormal } else { normal };
        let rounded = if magnitude < OVERFLOW { finite } else { 0x7C00 };
        let signed = rounded | x.to_bits() >> 16 & 0x8000;
        if x.is_nan() { Self::NAN } else { Self(signed as u16) }
    }

    #[inline(always)]
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; 2]; G]) -> S::Floats {
        simd.load_f16(from)
    }
    #[inline(always)]
    fn store<S: Simd<G>, const G: usize>(simd: S, floats: S::Floats, to: &mut [[u8; 2]; G]) {
        simd.store_f16(floats, to);
    }
}

impl Float<2> for Bf16 {
    type Magnitude = i16;
    const INFINITY: i16 = 0x7F80;

    #[inline(always)]
    fn from_ne(bytes: [u8; 2]) -> Self {
        Self(u16::from_ne_bytes(bytes))
    }
    #[inline(always)]
    fn to_ne(self) -> [u8; 2] {
        self.0.to_ne_bytes()
    }
    #[inline(always)]
    fn magnitude(self) -> i16 {
        self.0 as i16 & i16::MAX
    }
    #[inline(always)]
    fn from_magnitude(magnitude: i16) -> Self {
        Self(magnitude as u16)
    }
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Self {
        let bits = x.to_bits();
        // Half up if what remains is odd, just below half otherwise. A carry goes into the
        // exponent, as it should.
        let odd = bits >> 16 & 1;
        let rounded = bits.wrapping_add(0x7FFF + odd) >> 16;
        if x.is_nan() { Self::NAN } else { Self(rounded as u16) }
    }

    #[inline(always)]
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; 2]; G]) -> S::Floats {
        simd.load_bf16(from)
    }
    #[inline(always)]
    fn store<S: Simd<G>, const G: usize>(simd: S, floats: S::Floats, to: &mut [[u8; 2]; G]) {
        simd.store_bf16(floats, to);
    }
}

/// The same number, with one NaN for all (R-NUM-1).
#[inline(always)]
pub(crate) fn canonical(x: f32) -> f32 {
    if x.is_nan() { f32::NAN } else { x }
}

/// Calls a function that is generic over the float types of a block for the one at hand.
macro_rules! for_float {
    ($element_type:expr, $function:ident($($argument:expr),*)) => {
        for_float!($element_type, $function::<>($($argument),*))
    };
    ($element_type:expr, $function:ident::<$($generic:ty),*>($($argument:expr),*)) => {
        match $element_type {
            netfold_num::ElementType::F32 => $function::<f32, 4 $(, $generic)*>($($argument),*),
            netfold_num::ElementType::F16 => $function::<$crate::float::F16, 2 $(, $generic)*>($($argument),*),
            netfold_num::ElementType::Bf16 => $function::<$crate::float::Bf16, 2 $(, $generic)*>($($argument),*),
            other => $crate::float::refuse(other),
        }
    };
}
pub(crate) use for_float;

#[cold]
pub(crate) fn refuse(element_type: ElementType) -> ! {
    panic!("elements of {element_type} travel as they are and need no conversion")
}

/// A tensor as elements of N bytes.
#[inline(always)]
pub(crate) fn elements<const N: usize>(tensor: &[u8]) -> &[[u8; N]] {
    let (elements, rest) = tensor.as_chunks();
    assert!(
        rest.is_empty(),
        "a buffer of {} bytes is not a whole number of {N}-byte elements",
        tensor.len()
    );
    elements
}

/// A tensor as elements of N bytes, to be written.
#[inline(always)]
pub(crate) fn elements_mut<const N: usize>(tensor: &mut [u8]) -> &mut [[u8; N]] {
    let length = tensor.len();
    let (elements, rest) = tensor.as_chunks_mut();
    assert!(
        rest.is_empty(),
        "a buffer of {length} bytes is not a whole number of {N}-byte elements"
    );
    elements
}

/// Elements of N bytes, and as many of M bytes to be written for them: a tensor's elements and a
/// packet's lanes, or the reverse.
#[inline(always)]
pub(crate) fn pair<'a, const N: usize, const M: usize>(
    from: &'a [u8],
    to: &'a mut [u8],
) -> (&'a [[u8; N]], &'a mut [[u8; M]]) {
    let (from, to) = (elements(from), elements_mut(to));
    assert_eq!(from.len(), to.len(), "one lane for each element");
    (from, to)
}
