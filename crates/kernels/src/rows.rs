//! Sums of rows that lie anywhere: what a push adds to a table (R-KEY-6).

use netfold_num::{ByteOrder, ElementType, Operation};

use crate::dispatch::Kernel;
use crate::fold::FoldLanes;
use crate::simd::Simd;

/// A row of the sums, whether the input takes its place, and the input.
pub(crate) struct AddRows<'a, P> {
    pub(crate) lane: ElementType,
    pub(crate) order: ByteOrder,
    pub(crate) sums: &'a mut [u8],
    pub(crate) row_bytes: usize,
    pub(crate) pairs: P,
}

impl<'i, P: Iterator<Item = (usize, bool, &'i [u8])>> Kernel for AddRows<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let Self { lane, order, sums, row_bytes, pairs } = self;
        for (row, first, input) in pairs {
            let acc = &mut sums[row * row_bytes..][..row_bytes];
            let operation = if first { Operation::Copy } else { Operation::Sum };
            FoldLanes { lane, operation, order, acc, input }.run(simd);
        }
    }
}
