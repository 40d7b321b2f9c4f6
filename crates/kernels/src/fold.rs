//! The fold of one packet's lanes into a slot: the switch's inner loop.

use crate::byte_order::{Bytes, differs, ordered, swapped};
use crate::dispatch::Kernel;
use crate::float::{Bf16, F16, Float, elements, elements_mut};
use crate::lane::{Arithmetic, Lane};
use crate::simd::{Simd, Step, for_groups};
use netfold_num::{ByteOrder, ElementType, Operation};
use std::marker::PhantomData;

pub(crate) struct FoldLanes<'a> {
    pub(crate) lane: ElementType,
    pub(crate) operation: Operation,
    pub(crate) order: ByteOrder,
    pub(crate) acc: &'a mut [u8],
    pub(crate) input: &'a [u8],
}

impl Kernel for FoldLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        if differs(self.order) { self.typed::<true, G>(simd) } else { self.typed::<false, G>(simd) }
    }
}

impl FoldLanes<'_> {
    /// The fold of lanes that are in the other order than the processor's if `SWAP`. The copy keeps
    /// the order of the wire, so that it is a result as it stands.
    #[inline(always)]
    fn typed<const SWAP: bool, const G: usize>(self, simd: impl Simd<G>) {
        let Self { lane, operation, acc, input, .. } = self;
        match lane {
            ElementType::F32 => fold::<f32, SWAP, 4>(operation, acc, input),
            ElementType::F16 => fold_halves::<F16, SWAP, _, G>(simd, operation, acc, input),
            ElementType::Bf16 => fold_halves::<Bf16, SWAP, _, G>(simd, operation, acc, input),
            ElementType::F64 => fold::<f64, SWAP, 8>(operation, acc, input),
            ElementType::I32 => fold::<i32, SWAP, 4>(operation, acc, input),
            ElementType::I64 => fold::<i64, SWAP, 8>(operation, acc, input),
            ElementType::U8 => fold::<u8, false, 1>(operation, acc, input),
        }
    }
}

#[inline(always)]
fn fold<T: Arithmetic<N>, const SWAP: bool, const N: usize>(
    operation: Operation,
    acc: &mut [u8],
    input: &[u8],
) where
    [u8; N]: Bytes,
{
    let (acc, input) = lanes::<N>(acc, input);
    match operation {
        Operation::Sum => zip::<T, SWAP, N>(acc, input, T::sum),
        Operation::Min => zip::<T, SWAP, N>(acc, input, T::min),
        Operation::Max => zip::<T, SWAP, N>(acc, input, T::max),
        Operation::Product => zip::<T, SWAP, N>(acc, input, T::product),
        Operation::Copy => acc.copy_from_slice(input),
        Operation::User(_) => panic!("lanes do not fold by an operation of a user"),
    }
}

/// The 16-bit floats are added and multiplied in `f32`, and rounded after every step (R-NUM-4).
/// Minimum and maximum need neither.
#[inline(always)]
fn fold_halves<T: Lane<2> + Float<2>, const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    operation: Operation,
    acc: &mut [u8],
    input: &[u8],
) {
    let (acc, input) = lanes::<2>(acc, input);
    match operation {
        Operation::Sum => for_groups(simd, input, acc, &Sum::<T, SWAP>(PhantomData)),
        Operation::Min => zip::<T, SWAP, 2>(acc, input, T::min),
        Operation::Max => zip::<T, SWAP, 2>(acc, input, T::max),
        Operation::Product => for_groups(simd, input, acc, &Product::<T, SWAP>(PhantomData)),
        Operation::Copy => acc.copy_from_slice(input),
        Operation::User(_) => panic!("lanes do not fold by an operation of a user"),
    }
}

struct Sum<T, const SWAP: bool>(PhantomData<T>);

impl<S: Simd<G>, const G: usize, T: Float<2>, const SWAP: bool> Step<S, G, 2, 2> for Sum<T, SWAP> {
    #[inline(always)]
    fn apply(&self, simd: S, input: &[[u8; 2]; G], acc: &mut [[u8; 2]; G]) {
        store::<T, SWAP, S, G>(
            simd,
            simd.sum(load::<T, SWAP, S, G>(simd, acc), load::<T, SWAP, S, G>(simd, input)),
            acc,
        );
    }
}

struct Product<T, const SWAP: bool>(PhantomData<T>);

impl<S: Simd<G>, const G: usize, T: Float<2>, const SWAP: bool> Step<S, G, 2, 2>
    for Product<T, SWAP>
{
    #[inline(always)]
    fn apply(&self, simd: S, input: &[[u8; 2]; G], acc: &mut [[u8; 2]; G]) {
        store::<T, SWAP, S, G>(
            simd,
            simd.product(load::<T, SWAP, S, G>(simd, acc), load::<T, SWAP, S, G>(simd, input)),
            acc,
        );
    }
}

#[inline(always)]
fn load<T: Float<2>, const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    lanes: &[[u8; 2]; G],
) -> S::Floats {
    if SWAP { T::load(simd, &swapped(lanes)) } else { T::load(simd, lanes) }
}

#[inline(always)]
fn store<T: Float<2>, const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    floats: S::Floats,
    lanes: &mut [[u8; 2]; G],
) {
    T::store(simd, floats, lanes);
    if SWAP {
        *lanes = swapped(lanes);
    }
}

#[inline(always)]
fn lanes<'a, const N: usize>(
    acc: &'a mut [u8],
    input: &'a [u8],
) -> (&'a mut [[u8; N]], &'a [[u8; N]]) {
    let (acc, input) = (elements_mut(acc), elements(input));
    assert_eq!(acc.len(), input.len(), "one lane of input for each lane of the slot");
    (acc, input)
}

#[inline(always)]
fn zip<T: Lane<N>, const SWAP: bool, const N: usize>(
    acc: &mut [[u8; N]],
    input: &[[u8; N]],
    combine: impl Fn(T, T) -> T,
) where
    [u8; N]: Bytes,
{
    let lane = |bytes| T::from_ne(ordered::<SWAP, _>(bytes));
    for (acc, &input) in acc.iter_mut().zip(input) {
        *acc = ordered::<SWAP, _>(combine(lane(*acc), lane(input)).to_ne());
    }
}
