//! The fold of one packet's lanes into a slot: the switch's inner loop.

use crate::dispatch::Kernel;
use crate::float::{Bf16, F16, elements, elements_mut};
use crate::lane::Lane;
use netfold_num::{ElementType, Operation};

pub(crate) struct FoldLanes<'a> {
    pub(crate) lane: ElementType,
    pub(crate) operation: Operation,
    pub(crate) acc: &'a mut [u8],
    pub(crate) input: &'a [u8],
}

impl Kernel for FoldLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { lane, operation, acc, input } = self;
        match lane {
            ElementType::F32 => fold::<f32, 4>(operation, acc, input),
            ElementType::F16 => fold::<F16, 2>(operation, acc, input),
            ElementType::Bf16 => fold::<Bf16, 2>(operation, acc, input),
            ElementType::F64 => fold::<f64, 8>(operation, acc, input),
            ElementType::I32 => fold::<i32, 4>(operation, acc, input),
            ElementType::I64 => fold::<i64, 8>(operation, acc, input),
            ElementType::U8 => fold::<u8, 1>(operation, acc, input),
        }
    }
}

#[inline(always)]
fn fold<T: Lane<N>, const N: usize>(operation: Operation, acc: &mut [u8], input: &[u8]) {
    let (acc, input) = (elements_mut::<N>(acc), elements::<N>(input));
    assert_eq!(acc.len(), input.len(), "one lane of input for each lane of the slot");
    match operation {
        Operation::Sum => zip(acc, input, T::sum),
        Operation::Min => zip(acc, input, T::min),
        Operation::Max => zip(acc, input, T::max),
        Operation::Product => zip(acc, input, T::product),
        Operation::Copy => acc.copy_from_slice(input),
    }
}

#[inline(always)]
fn zip<T: Lane<N>, const N: usize>(acc: &mut [[u8; N]], input: &[[u8; N]], combine: impl Fn(T, T) -> T) {
    for (acc, &input) in acc.iter_mut().zip(input) {
        *acc = combine(T::from_le(*acc), T::from_le(input)).to_le();
    }
}
