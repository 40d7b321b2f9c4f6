//! Block fixed point (SwitchML, section 4.6): the exponent of a block, and the way into lanes and
//! back.

use crate::byte_order::differs;
use crate::dispatch::{Kernel, PlainKernel};
use crate::float::{Float, elements, for_float, pair};
use crate::halves;
use crate::simd::{Portable, Simd, Step, for_groups};
use netfold_num::{ByteOrder, ElementType, Exponent, Scale};
use std::marker::PhantomData;

pub(crate) struct FindExponent<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a [u8],
    pub(crate) finite_only: bool,
}

impl PlainKernel for FindExponent<'_> {
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

/// The largest magnitude, where an infinity is larger than a number, and a NaN than an infinity
/// (R-NUM-6).
#[inline(always)]
pub(crate) fn largest<T: Float<N>, const N: usize>(tensor: &[u8]) -> f32 {
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

/// Little-endian lanes of M bytes, each of which is an integer or stands for one.
trait Fixed<const M: usize> {
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; M]; G]) -> S::Integers;
    fn store<S: Simd<G>, const G: usize>(simd: S, integers: S::Integers, to: &mut [[u8; M]; G]);
}

/// Lanes of i32.
struct Whole;

impl Fixed<4> for Whole {
    #[inline(always)]
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; 4]; G]) -> S::Integers {
        simd.load_i32(from)
    }
    #[inline(always)]
    fn store<S: Simd<G>, const G: usize>(simd: S, integers: S::Integers, to: &mut [[u8; 4]; G]) {
        simd.store_i32(integers, to);
    }
}

/// Lanes of f16.
struct Half;

const SWAP: bool = differs(ByteOrder::Little);

impl Fixed<2> for Half {
    #[inline(always)]
    fn load<S: Simd<G>, const G: usize>(simd: S, from: &[[u8; 2]; G]) -> S::Integers {
        halves::widen::<SWAP, S, G>(simd, from)
    }
    #[inline(always)]
    fn store<S: Simd<G>, const G: usize>(simd: S, integers: S::Integers, to: &mut [[u8; 2]; G]) {
        halves::narrow::<SWAP, S, G>(simd, integers, to);
    }
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
        let Self { element_type, tensor, scale, lanes } = self;
        match scale.lane() {
            ElementType::F16 => {
                for_float!(element_type, to_halves::<_, G>(simd, tensor, scale, lanes))
            }
            _ => for_float!(element_type, to_integers::<_, G>(simd, tensor, scale, lanes)),
        }
    }
}

/// R-NUM-20.
#[inline(always)]
fn to_halves<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    tensor: &[u8],
    scale: &Scale,
    lanes: &mut [u8],
) {
    let (elements, lanes) = pair::<N, 2>(tensor, lanes);
    for_groups(simd, elements, lanes, &ToLanes::<T, Half>::new(scale));
}

/// R-NUM-9.
#[inline(always)]
fn to_integers<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    tensor: &[u8],
    scale: &Scale,
    lanes: &mut [u8],
) {
    let (elements, lanes) = pair::<N, 4>(tensor, lanes);
    for_groups(simd, elements, lanes, &ToLanes::<T, Whole>::new(scale));
}

struct ToLanes<T, L> {
    factor: f64,
    limit: f64,
    of: PhantomData<(T, L)>,
}

impl<T, L> ToLanes<T, L> {
    #[inline(always)]
    fn new(scale: &Scale) -> Self {
        Self { factor: scale.factor(), limit: scale.limit().into(), of: PhantomData }
    }
}

impl<S: Simd<G>, T: Float<N>, L: Fixed<M>, const G: usize, const N: usize, const M: usize>
    Step<S, G, N, M> for ToLanes<T, L>
{
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; N]; G], to: &mut [[u8; M]; G]) {
        L::store(simd, simd.quantise(T::load(simd, from), self.factor, self.limit), to);
    }
}

/// Elements of f32, f16 or bf16 that are quantised on their way into lanes of i32 (R-NUM-9).
#[derive(Clone, Copy, Debug)]
pub struct Quantised<'a> {
    /// Type of the elements.
    pub element_type: ElementType,
    /// The elements, in the processor's order.
    pub elements: &'a [u8],
    /// Their scale, of lanes of i32.
    pub scale: Scale,
}

/// The lanes of a contribution that is folded by whoever has its elements in memory.
#[derive(Clone, Copy, Debug)]
pub enum Lanes<'a> {
    /// Lanes as they travel.
    Ready(&'a [u8]),
    /// Lanes that nobody has written yet.
    Quantised(Quantised<'a>),
}

impl Quantised<'_> {
    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.elements.len() / self.element_type.bytes()
    }

    /// Writes the lanes.
    ///
    /// # Panics
    /// As [`Kernels::quantise`](crate::Kernels::quantise).
    pub fn write(&self, lanes: &mut [u8]) {
        crate::quantise(self.element_type, self.elements, &self.scale, lanes);
    }

    /// Adds the lanes to others: in one pass what [`write`](Self::write) to other memory and a sum
    /// of i32 in little-endian order do.
    ///
    /// # Panics
    /// As [`write`](Self::write), or if the scale has lanes of f16.
    pub fn add(&self, lanes: &mut [u8]) {
        crate::Kernels::best().add_quantised(self, lanes);
    }
}

/// Adds quantised elements to lanes.
pub(crate) struct AddQuantised<'a> {
    pub(crate) quantised: &'a Quantised<'a>,
    pub(crate) lanes: &'a mut [u8],
}

impl Kernel for AddQuantised<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let Quantised { element_type, elements, scale } = self.quantised;
        assert_eq!(scale.lane(), ElementType::I32, "lanes of f16 are not added as they are");
        for_float!(*element_type, add_integers::<_, G>(simd, elements, scale, self.lanes));
    }
}

#[inline(always)]
fn add_integers<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    tensor: &[u8],
    scale: &Scale,
    lanes: &mut [u8],
) {
    let (elements, lanes) = pair::<N, 4>(tensor, lanes);
    for_groups(simd, elements, lanes, &AddToLanes(ToLanes::<T, Whole>::new(scale)));
}

struct AddToLanes<T>(ToLanes<T, Whole>);

impl<S: Simd<G>, T: Float<N>, const G: usize, const N: usize> Step<S, G, N, 4> for AddToLanes<T> {
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; N]; G], to: &mut [[u8; 4]; G]) {
        let quantised = simd.quantise(T::load(simd, from), self.0.factor, self.0.limit);
        simd.store_i32(simd.plus(simd.load_i32(to), quantised), to);
    }
}

pub(crate) struct Dequantise<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) lanes: &'a [u8],
    /// The type of the lanes.
    pub(crate) lane: ElementType,
    pub(crate) unit: f64,
    pub(crate) tensor: &'a mut [u8],
    pub(crate) finite_only: bool,
}

impl Kernel for Dequantise<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let Self { element_type, lanes, lane, unit, tensor, finite_only } = self;
        match (lane, finite_only) {
            (ElementType::F16, true) => {
                for_float!(element_type, of_halves_finite(lanes, unit, tensor))
            }
            (ElementType::F16, false) => {
                for_float!(element_type, of_halves::<_, G>(simd, lanes, unit, tensor))
            }
            (_, true) => for_float!(element_type, of_integers_finite(lanes, unit, tensor)),
            (_, false) => for_float!(element_type, of_integers::<_, G>(simd, lanes, unit, tensor)),
        }
    }
}

/// R-NUM-22.
#[inline(always)]
fn of_halves<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    lanes: &[u8],
    unit: f64,
    tensor: &mut [u8],
) {
    let (lanes, elements) = pair::<2, N>(lanes, tensor);
    for_groups(simd, lanes, elements, &FromLanes::<T, Half> { unit, of: PhantomData });
}

/// R-NUM-11.
#[inline(always)]
fn of_integers<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    lanes: &[u8],
    unit: f64,
    tensor: &mut [u8],
) {
    let (lanes, elements) = pair::<4, N>(lanes, tensor);
    for_groups(simd, lanes, elements, &FromLanes::<T, Whole> { unit, of: PhantomData });
}

struct FromLanes<T, L> {
    unit: f64,
    of: PhantomData<(T, L)>,
}

impl<S: Simd<G>, T: Float<N>, L: Fixed<M>, const G: usize, const N: usize, const M: usize>
    Step<S, G, M, N> for FromLanes<T, L>
{
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; M]; G], to: &mut [[u8; N]; G]) {
        T::store(simd, simd.dequantise(L::load(simd, from), self.unit), to);
    }
}

#[inline(always)]
fn of_halves_finite<T: Float<N>, const N: usize>(lanes: &[u8], unit: f64, tensor: &mut [u8]) {
    finite::<T, N, Half, 2>(lanes, unit, tensor);
}

#[inline(always)]
fn of_integers_finite<T: Float<N>, const N: usize>(lanes: &[u8], unit: f64, tensor: &mut [u8]) {
    finite::<T, N, Whole, 4>(lanes, unit, tensor);
}

/// R-NUM-11, where the element is not settled already (R-NUM-14).
#[inline(always)]
fn finite<T: Float<N>, const N: usize, L: Fixed<M>, const M: usize>(
    lanes: &[u8],
    unit: f64,
    tensor: &mut [u8],
) {
    let (lanes, elements) = pair::<M, N>(lanes, tensor);
    for (&lane, element) in lanes.iter().zip(elements) {
        let sum = f64::from(L::load(Portable, &[lane])) * unit;
        let settled = T::from_ne(*element);
        *element =
            if settled.is_finite() { T::narrow(sum as f32).to_ne() } else { settled.to_ne() };
    }
}
