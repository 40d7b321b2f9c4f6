//! Sums by Libra's tables (R-LOG), a lookup at a time: what a switch does in memory, no vector
//! instruction does better.

use crate::float::{elements, elements_mut};
use netfold_num::{ByteOrder, logtable};

/// `acc` = `acc` + `input`, lane by lane of f32.
pub(crate) fn add(order: ByteOrder, acc: &mut [u8], input: &[u8]) {
    let (acc, input) = (elements_mut::<4>(acc), elements::<4>(input));
    assert_eq!(acc.len(), input.len(), "one lane of input for each lane of the slot");
    let lanes = acc.iter_mut().zip(input);
    match order {
        ByteOrder::Little => lanes.for_each(|(acc, &input)| {
            *acc = logtable::add(u32::from_le_bytes(*acc), u32::from_le_bytes(input)).to_le_bytes();
        }),
        ByteOrder::Network => lanes.for_each(|(acc, &input)| {
            *acc = logtable::add(u32::from_be_bytes(*acc), u32::from_be_bytes(input)).to_be_bytes();
        }),
    }
}
