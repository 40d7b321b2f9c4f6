//! The fold of one packet's lanes into a slot: the switch's inner loop.

use crate::dispatch::Kernel;
use crate::float::{Bf16, F16, Float, elements, elements_mut};
use crate::lane::{Arithmetic, Lane};
use crate::simd::{Simd, Step, for_groups};
use netfold_num::{ElementType, Operation};
use std::marker::PhantomData;

pub(crate) struct FoldLanes<'a> {
    pub(crate) lane: ElementType,
    pub(crate) operation: Operation,
    pub(crate) acc: &'a mut [u8],
    pub(crate) input: &'a [u8],
}

impl Kernel for FoldLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let Self { lane, operation, acc, input } = self;
        match lane {
            ElementType::F32 => fold::<f32, 4>(operation, acc, input),
            ElementType::F16 => fold_halves::<F16, _, G>(simd, operation, acc, input),
            ElementType::Bf16 => fold_halves::<Bf16, _, G>(simd, operation, acc, input),
            ElementType::F64 => fold::<f64, 8>(operation, acc, input),
            ElementType::I32 => fold::<i32, 4>(operation, acc, input),
            ElementType::I64 => fold::<i64, 8>(operation, acc, input),
            ElementType::U8 => fold::<u8, 1>(operation, acc, input),
        }
    }
}

#[inline(always)]
fn fold<T: Arithmetic<N>, const N: usize>(operation: Operation, acc: &mut [u8], input: &[u8]) {
    let (acc, input) = lanes::<N>(acc, input);
    match operation {
        Operation::Sum => zip(acc, input, T::sum),
        Operation::Min => zip(acc, input, T::min),
        Operation::Max => zip(acc, input, T::max),
        Operation::Product => zip(acc, input, T::product),
        Operation::Copy => acc.copy_from_slice(input),
    }
}

/// The 16-bit floats are added and multiplied in `f32`, and rounded after every step (R-NUM-4). Minimum and maximum need neither.
#[inline(always)]
fn fold_halves<T: Lane<2> + Float<2>, S: Simd<G>, const G: usize>(
    simd: S,
    operation: Operation,
    acc: &mut [u8],
    input: &[u8],
) {
    let (acc, input) = lanes::<2>(acc, input);
    match operation {
        Operation::Sum => for_groups(simd, input, acc, &Sum::<T>(PhantomData)),
        Operation::Min => zip(acc, input, T::min),
        Operation::Max => zip(acc, input, T::max),
        Operation::Product => for_groups(simd, input, acc, &Product::<T>(PhantomData)),
        Operation::Copy => acc.copy_from_slice(input),
    }
}

struct Sum<T>(PhantomData<T>);

impl<S: Simd<G>, const G: usize, T: Float<2>> Step<S, G, 2, 2> for Sum<T> {
    #[inline(always)]
    fn apply(&self, simd: S, input: &[[u8; 2]; G], acc: &mut [[u8; 2]; G]) {
        store::<T, S, G>(simd, simd.sum(load::<T, S, G>(simd, acc), load::<T, S, G>(simd, input)), acc);
    }
}

struct Product<T>(PhantomData<T>);

impl<S: Simd<G>, const G: usize, T: Float<2>> Step<S, G, 2, 2> for Product<T> {
    #[inline(always)]
    fn apply(&self, simd: S, input: &[[u8; 2]; G], acc: &mut [[u8; 2]; G]) {
        store::<T, S, G>(simd, simd.product(load::<T, S, G>(simd, acc), load::<T, S, G>(simd, input)), acc);
    }
}

#[inline(always)]
fn load<T: Float<2>, S: Simd<G>, const G: usize>(simd: S, lanes: &[[u8; 2]; G]) -> S::Floats {
    T::load(simd, &in_other_order(*lanes))
}

#[inline(always)]
fn store<T: Float<2>, S: Simd<G>, const G: usize>(simd: S, floats: S::Floats, lanes: &mut [[u8; 2]; G]) {
    T::store(simd, floats, lanes);
    *lanes = in_other_order(*lanes);
}

/// Lanes of the wire in the order of the processor, and back (R-NUM-19).
#[inline(always)]
fn in_other_order<const G: usize>(lanes: [[u8; 2]; G]) -> [[u8; 2]; G] {
    if cfg!(target_endian = "big") { lanes.map(|[low, high]| [high, low]) } else { lanes }
}

#[inline(always)]
fn lanes<'a, const N: usize>(acc: &'a mut [u8], input: &'a [u8]) -> (&'a mut [[u8; N]], &'a [[u8; N]]) {
    let (acc, input) = (elements_mut(acc), elements(input));
    assert_eq!(acc.len(), input.len(), "one lane of input for each lane of the slot");
    (acc, input)
}

#[inline(always)]
fn zip<T: Lane<N>, const N: usize>(acc: &mut [[u8; N]], input: &[[u8; N]], combine: impl Fn(T, T) -> T) {
    for (acc, &input) in acc.iter_mut().zip(input) {
        *acc = combine(T::from_le(*acc), T::from_le(input)).to_le();
    }
}
