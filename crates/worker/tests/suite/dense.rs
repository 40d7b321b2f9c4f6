//! R-NUM-19: the bytes that a dense tensor packs and unpacks in network order, against those of
//! little-endian.

use std::ops::Range;

use netfold_kernels::Lanes;
use netfold_num::{Arithmetic, ByteOrder, ElementType, Exponent, Form, Operation};
use netfold_wire::WorkerId;
use netfold_worker::{Block, Call, Collective, Dense, Memory, Plan, Reduction, Tensor};
use proptest::prelude::*;

/// The same bytes for input and output.
struct Bytes(Vec<u8>);

impl Memory for Bytes {
    fn input(&self, range: Range<usize>) -> &[u8] {
        &self.0[range]
    }

    fn output(&mut self, range: Range<usize>) -> &mut [u8] {
        &mut self.0[range]
    }

    fn keep(&mut self, range: Range<usize>, to: usize) {
        self.0.copy_within(range, to);
    }

    fn in_place(&self) -> bool {
        true
    }
}

/// Types and operations that [`plan`] has, one of each way of lanes at least.
const CALLS: [(ElementType, Operation); 10] = [
    (ElementType::F32, Operation::Sum),
    (ElementType::F16, Operation::Sum),
    (ElementType::Bf16, Operation::Sum),
    (ElementType::F32, Operation::Max),
    (ElementType::F16, Operation::Min),
    (ElementType::I32, Operation::Sum),
    (ElementType::I64, Operation::Sum),
    (ElementType::U8, Operation::Sum),
    (ElementType::F64, Operation::Product),
    (ElementType::Bf16, Operation::Product),
];

/// One block of a call, as long as the longest that a packet holds here.
fn plan(
    element_type: ElementType,
    operation: Operation,
    elements: usize,
    order: ByteOrder,
) -> Plan {
    let reduction = Reduction::Fold(operation);
    let collective = Collective::AllReduce;
    let call =
        Call { collective, reduction, element_type, elements: elements as u64, priority: None };
    let arithmetic =
        if operation == Operation::Product { Arithmetic::Native } else { Arithmetic::Block };
    Plan::new(call, arithmetic, 3, WorkerId(1), 8 * elements as u32)
        .expect("a call of the arithmetic")
        .with_byte_order(order)
}

fn reversed(lane: ElementType, lanes: &[u8]) -> Vec<u8> {
    lanes.chunks_exact(lane.bytes()).flat_map(|lane| lane.iter().rev()).copied().collect()
}

/// Lanes packed, each with its type, and tensors unpacked, in an order: first of values, then of
/// classes.
struct Converted {
    packed: Vec<(ElementType, Vec<u8>)>,
    unpacked: Vec<Vec<u8>>,
}

/// Packs `tensor` in an order, and unpacks lanes in that order, which `noise` has little-endian.
fn convert(plan: Plan, exponent: Exponent, tensor: &[u8], noise: &[u8]) -> Converted {
    let (block, lane): (Block, _) = (plan.block(0), plan.coding().lane);
    let network = plan.byte_order() == ByteOrder::Network;
    let sums = |lane: ElementType| {
        let sums = &noise[..usize::from(block.elements) * lane.bytes()];
        if network { reversed(lane, sums) } else { sums.to_vec() }
    };
    let dense = || Dense::new(plan.clone(), Bytes(tensor.to_vec()));
    let mut values = vec![0xAA; sums(lane).len()];
    dense().pack(&block, exponent, &mut values);
    let mut sum = dense();
    sum.unpack(&block, exponent, false, &sums(lane));
    let (mut packed, mut unpacked) = (vec![(lane, values)], vec![sum.into_memory().0]);
    if plan.coding().form == Form::Block {
        // R-NUM-13
        let class = ElementType::I32;
        let mut classes = vec![0xAA; sums(class).len()];
        dense().pack_classes(&block, &mut classes);
        let mut special = dense();
        special.unpack_classes(&block, &sums(class));
        special.unpack(&block, exponent, true, &sums(lane));
        packed.push((class, classes));
        unpacked.push(special.into_memory().0);
    }
    Converted { packed, unpacked }
}

proptest! {
    #[test]
    fn lanes_in_network_order_are_the_same_numbers(
        (element_type, operation) in prop::sample::select(CALLS.to_vec()),
        elements in 1usize..700,
        noise in prop::collection::vec(any::<u8>(), 700 * 16),
    ) {
        let (tensor, sums) = noise.split_at(700 * 8);
        let tensor = &tensor[..elements * element_type.bytes()];
        let exponent = Exponent::of_magnitude_bits(1e3f32.to_bits());
        let little = plan(element_type, operation, elements, ByteOrder::Little);
        let network = convert(plan(element_type, operation, elements, ByteOrder::Network), exponent, tensor, sums);
        let little = convert(little, exponent, tensor, sums);
        let expected: Vec<_> = little.packed.iter().map(|(lane, lanes)| (*lane, reversed(*lane, lanes))).collect();
        prop_assert_eq!(network.packed, expected);
        prop_assert_eq!(network.unpacked, little.unpacked);
    }
}

proptest! {
    /// Lanes for a switch that has the memory at hand are those that are packed.
    #[test]
    fn lanes_at_hand_are_those_that_are_packed(
        (element_type, operation) in prop::sample::select(CALLS.to_vec()),
        order in prop::sample::select(ByteOrder::ALL.to_vec()),
        power in -20..20i16,
        bytes in prop::collection::vec(any::<u8>(), 8 * 40),
    ) {
        let elements = bytes.len() / 8;
        let plan = plan(element_type, operation, elements, order);
        let (form, lane) = (plan.coding().form, plan.coding().lane);
        let block = plan.block(0);
        let dense = Dense::new(plan, Bytes(bytes));
        let exponent = Exponent::from_wire(power).expect("within the range of f32");
        let mut packed = vec![0; elements * lane.bytes()];
        dense.pack(&block, exponent, &mut packed);
        match dense.lanes(&block, exponent) {
            Some(Lanes::Ready(lanes)) => prop_assert_eq!(lanes, &packed[..]),
            Some(Lanes::Quantised(elements)) => {
                let mut lanes = vec![0xAA; packed.len()];
                elements.write(&mut lanes);
                prop_assert_eq!(lanes, packed);
            }
            None => prop_assert!(
                order == ByteOrder::Network || form == Form::Ordered || lane == ElementType::F16,
                "{} in {:?} lies as it travels", element_type, form
            ),
        }
    }
}
