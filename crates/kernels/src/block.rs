//! Block fixed point (SwitchML, section 4.6): the exponent of a block, and the way into lanes and back.

use crate::dispatch::Kernel;
use crate::float::{Float, elements, for_float, pack, unpack};
use netfold_num::{ElementType, Exponent, Scale};

pub(crate) struct FindExponent<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a [u8],
    pub(crate) finite_only: bool,
}

impl Kernel for FindExponent<'_> {
    type Output = Exponent;

    #[inline(always)]
    fn run(self) -> Exponent {
        let largest = if self.finite_only {
            for_float!(self.element_type, largest_finite(self.tensor))
        } else {
            for_float!(self.element_type, largest(self.tensor))
        };
        Exponent::of_magnitude_bits(largest.to_bits())
    }
}

/// The largest magnitude, where an infinity is larger than a number, and a NaN than an infinity (R-NUM-6).
#[inline(always)]
fn largest<T: Float<N>, const N: usize>(tensor: &[u8]) -> f32 {
    let mut largest = 0;
    for &element in elements(tensor) {
        largest = T::from_ne(element).magnitude().max(largest);
    }
    T::from_magnitude(largest).widen()
}

/// The largest magnitude of a finite element.
#[inline(always)]
fn largest_finite<T: Float<N>, const N: usize>(tensor: &[u8]) -> f32 {
    let mut largest = 0;
    for &element in elements(tensor) {
        let element = T::from_ne(element);
        let magnitude = if element.is_finite() { element.magnitude() } else { 0 };
        largest = magnitude.max(largest);
    }
    T::from_magnitude(largest).widen()
}

pub(crate) struct Quantise<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a [u8],
    pub(crate) scale: &'a Scale,
    pub(crate) lanes: &'a mut [u8],
}

impl Kernel for Quantise<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for_float!(self.element_type, quantise(self.tensor, self.scale, self.lanes));
    }
}

/// R-NUM-9.
#[inline(always)]
fn quantise<T: Float<N>, const N: usize>(tensor: &[u8], scale: &Scale, lanes: &mut [u8]) {
    let (factor, limit) = (scale.factor(), f64::from(scale.limit()));
    for (&element, lane) in pack::<N>(tensor, lanes) {
        let element = T::from_ne(element);
        let finite = if element.is_finite() { element.widen() } else { 0.0 };
        let scaled = f64::from(finite) * factor;
        // The limit is an integer, so it is the same to clamp before rounding or after.
        let low = if scaled < -limit { -limit } else { scaled };
        let clamped = if low > limit { limit } else { low };
        *lane = nearest(clamped).to_le_bytes();
    }
}

/// The integer nearest to a number that fits `i32`, ties to even.
///
/// From 2^52 to 2^53 the unit in the last place of an `f64` is 1, so adding 1.5 * 2^52 makes the addition itself round to an integer, and leaves
/// that integer in the lowest bits, in two's complement. Unlike a conversion with saturation this is two simple instructions everywhere.
#[inline(always)]
fn nearest(number: f64) -> i32 {
    const SHIFT: f64 = 1.5 * (1u64 << 52) as f64;
    (number + SHIFT).to_bits() as u32 as i32
}

pub(crate) struct Dequantise<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) lanes: &'a [u8],
    pub(crate) unit: f64,
    pub(crate) tensor: &'a mut [u8],
    pub(crate) finite_only: bool,
}

impl Kernel for Dequantise<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        if self.finite_only {
            for_float!(self.element_type, dequantise_finite(self.lanes, self.unit, self.tensor));
        } else {
            for_float!(self.element_type, dequantise(self.lanes, self.unit, self.tensor));
        }
    }
}

/// R-NUM-11.
#[inline(always)]
fn dequantise<T: Float<N>, const N: usize>(lanes: &[u8], unit: f64, tensor: &mut [u8]) {
    for (&lane, element) in unpack::<N>(lanes, tensor) {
        let sum = f64::from(i32::from_le_bytes(lane)) * unit;
        *element = T::narrow(sum as f32).to_ne();
    }
}

/// R-NUM-11, where the element is not settled already (R-NUM-14).
#[inline(always)]
fn dequantise_finite<T: Float<N>, const N: usize>(lanes: &[u8], unit: f64, tensor: &mut [u8]) {
    for (&lane, element) in unpack::<N>(lanes, tensor) {
        let sum = f64::from(i32::from_le_bytes(lane)) * unit;
        let settled = T::from_ne(*element);
        *element = if settled.is_finite() { T::narrow(sum as f32).to_ne() } else { settled.to_ne() };
    }
}
