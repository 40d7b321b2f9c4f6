//! Floats as integers that compare alike (R-NUM-15).

use crate::dispatch::Kernel;
use crate::float::{Float, for_float, pair};
use crate::simd::{Simd, Step, for_groups};
use netfold_num::{ElementType, Operation};
use std::marker::PhantomData;

pub(crate) struct ToOrdered<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) operation: Operation,
    pub(crate) tensor: &'a [u8],
    pub(crate) lanes: &'a mut [u8],
}

impl Kernel for ToOrdered<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let nan = netfold_num::to_ordered(self.operation, f32::NAN);
        for_float!(self.element_type, to_ordered::<_, G>(simd, self.tensor, nan, self.lanes));
    }
}

#[inline(always)]
fn to_ordered<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    tensor: &[u8],
    nan: i32,
    lanes: &mut [u8],
) {
    let (elements, lanes) = pair(tensor, lanes);
    for_groups(simd, elements, lanes, &Keys::<T> { nan, of: PhantomData });
}

struct Keys<T> {
    nan: i32,
    of: PhantomData<T>,
}

impl<S: Simd<G>, const G: usize, T: Float<N>, const N: usize> Step<S, G, N, 4> for Keys<T> {
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; N]; G], to: &mut [[u8; 4]; G]) {
        simd.store_i32(simd.order(T::load(simd, from), self.nan), to);
    }
}

pub(crate) struct FromOrdered<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) lanes: &'a [u8],
    pub(crate) tensor: &'a mut [u8],
}

impl Kernel for FromOrdered<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        for_float!(self.element_type, from_ordered::<_, G>(simd, self.lanes, self.tensor));
    }
}

#[inline(always)]
fn from_ordered<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    lanes: &[u8],
    tensor: &mut [u8],
) {
    let (lanes, elements) = pair(lanes, tensor);
    for_groups(simd, lanes, elements, &Elements::<T>(PhantomData));
}

struct Elements<T>(PhantomData<T>);

impl<S: Simd<G>, const G: usize, T: Float<N>, const N: usize> Step<S, G, 4, N> for Elements<T> {
    #[inline(always)]
    fn apply(&self, simd: S, from: &[[u8; 4]; G], to: &mut [[u8; N]; G]) {
        // Keys beyond the infinities are bits of NaN.
        T::store(simd, simd.restore(simd.load_i32(from)), to);
    }
}
