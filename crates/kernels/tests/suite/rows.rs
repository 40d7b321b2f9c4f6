//! Sums of rows (R-KEY-6) beside those of single rows, whose bits are the reference's
//! (`fold.rs`).

use netfold_kernels::Kernels;
use netfold_num::{ByteOrder, ElementType, Operation};
use proptest::prelude::*;

proptest! {
    /// The bits are those of one fold after the other, whatever the rows hold.
    #[test]
    fn rows_are_folded_one_by_one(
        lanes in 1..20usize,
        seed in prop::collection::vec(any::<u8>(), 1..200),
        pairs in prop::collection::vec((0..6usize, any::<bool>()), 0..30),
        network: bool,
    ) {
        let order = if network { ByteOrder::Network } else { ByteOrder::Little };
        for lane in [ElementType::F32, ElementType::F64, ElementType::I32, ElementType::I64] {
            let row_bytes = lanes * lane.bytes();
            let mut bytes = seed.iter().copied().cycle();
            let rows: Vec<Vec<u8>> =
                pairs.iter().map(|_| bytes.by_ref().take(row_bytes).collect()).collect();
            for kernels in Kernels::available() {
                let (mut sums, mut expected) = (vec![0; 6 * row_bytes], vec![0; 6 * row_bytes]);
                let numbered = pairs.iter().zip(&rows);
                for ((row, first), input) in numbered.clone() {
                    let operation = if *first { Operation::Copy } else { Operation::Sum };
                    let acc = &mut expected[row * row_bytes..][..row_bytes];
                    kernels.fold(lane, operation, order, acc, input);
                }
                let pairs = numbered.map(|((row, first), input)| (*row, *first, &input[..]));
                kernels.add_rows(lane, order, &mut sums, row_bytes, pairs);
                prop_assert_eq!(&sums, &expected, "{} {}", lane, kernels.level());
            }
        }
    }
}
