//! Block fixed point (SwitchML, section 4.6): the exponent of a block, and the way into lanes and back.

use crate::dispatch::Kernel;
use crate::float::{Float, elements, for_float, pair};
use crate::simd::{Simd, Step, for_groups};
use netfold_num::{ElementType, Exponent, Scale};
use std::marker::PhantomData;

pub(crate) struct FindExponent<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a [u8],
    pub(crate) finite_only: bool,
}

impl Kernel for FindExponent<'_> {
    type Output = Exponent;

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) -> Exponent {
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
    let mut largest = T::Magnitude::default();
    for &element in elements(tensor) {
        largest = T::from_ne(element).magnitude().max(largest);
    }
    T::from_magnitude(largest).widen()
}

/// The largest magnitude of a finite element.
#[inline(always)]
fn largest_finite<T: Float<N>, const N: usize>(tensor: &[u8]) -> f32 {
    let zero = T::Magnitude::default();
    let mut largest = zero;
    for &element in elements(tensor) {
        let element = T::from_ne(element);
        let magnitude = if element.is_finite() { element.magnitude() } else { zero };
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
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        for_float!(self.element_type, quantise::<_, G>(simd, self.tensor, self.scale, self.lanes));
    }
}

/// R-NUM-9.
#[inline(always)]
fn quantise<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    tensor: &[u8],
    scale: &Scale,
    lanes: &mut [u8],
) {
    let (elements, lanes) = pair(tensor, lanes);
    let step = ToLanes::<T> { factor: scale.factor(), limit: scale.limit().into(), of: PhantomData };
    for_groups(simd, elements, lanes, &step);
}

struct ToLanes<T> {
    factor: f64,
    limit: f64,
    of: PhantomData<T>,
}

impl<S: Simd<G>, const G: usize, T: Float<N>, const N: usize> Step<S, G, N, 4> for ToLanes<T> {
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; N]; G], to: &mut [[u8; 4]; G]) {
        simd.store_i32(simd.quantise(T::load(simd, from), self.factor, self.limit), to);
    }
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
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        if self.finite_only {
            for_float!(self.element_type, dequantise_finite(self.lanes, self.unit, self.tensor));
        } else {
            for_float!(self.element_type, dequantise::<_, G>(simd, self.lanes, self.unit, self.tensor));
        }
    }
}

/// R-NUM-11.
#[inline(always)]
fn dequantise<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    lanes: &[u8],
    unit: f64,
    tensor: &mut [u8],
) {
    let (lanes, elements) = pair(lanes, tensor);
    for_groups(simd, lanes, elements, &FromLanes::<T> { unit, of: PhantomData });
}

struct FromLanes<T> {
    unit: f64,
    of: PhantomData<T>,
}

impl<S: Simd<G>, const G: usize, T: Float<N>, const N: usize> Step<S, G, 4, N> for FromLanes<T> {
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; 4]; G], to: &mut [[u8; N]; G]) {
        T::store(simd, simd.dequantise(simd.load_i32(from), self.unit), to);
    }
}

/// R-NUM-11, where the element is not settled already (R-NUM-14).
#[inline(always)]
fn dequantise_finite<T: Float<N>, const N: usize>(lanes: &[u8], unit: f64, tensor: &mut [u8]) {
    let (lanes, elements) = pair::<4, N>(lanes, tensor);
    for (&lane, element) in lanes.iter().zip(elements) {
        let sum = f64::from(i32::from_le_bytes(lane)) * unit;
        let settled = T::from_ne(*element);
        *element = if settled.is_finite() { T::narrow(sum as f32).to_ne() } else { settled.to_ne() };
    }
}
