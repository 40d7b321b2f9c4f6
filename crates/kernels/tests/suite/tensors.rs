//! Blocks of random elements, and their values by the scalar reference.

use netfold_num::{ByteOrder, ElementType, bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};
use proptest::prelude::*;

/// The element types that are converted.
pub const NARROW: [ElementType; 3] = [ElementType::F32, ElementType::F16, ElementType::Bf16];

/// A block of `count` elements, as bytes: any bits, the special numbers, and numbers of one size,
/// whose fractions matter to each other.
pub fn block(ty: ElementType, count: usize) -> impl Strategy<Value = Vec<u8>> {
    let special = [
        0.0,
        -0.0,
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1.0,
        -1.0,
        65504.0,
        65520.0,
        5.96e-8,
        6e-5,
        1e-45,
        -1e-40,
        f32::MAX.into(),
        f32::MIN.into(),
        f32::MIN_POSITIVE.into(),
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    let element = prop_oneof![
        4 => any::<u64>().prop_map(move |bits| bits.to_ne_bytes()[..ty.bytes()].to_vec()),
        1 => prop::sample::select(special.to_vec()).prop_map(move |x| encode(ty, x)),
        4 => (-2.0f64..2.0).prop_map(move |x| encode(ty, x)),
    ];
    // Blocks of which every element is finite are as important as the others, and would be rare.
    let finite = (-2.0f64..2.0).prop_map(move |x| encode(ty, x));
    prop_oneof![
        3 => prop::collection::vec(element, count).prop_map(|elements| elements.concat()),
        1 => prop::collection::vec(finite, count).prop_map(|elements| elements.concat()),
    ]
}

/// A block of 0 to 599 elements of a type that is converted.
pub fn any_block() -> impl Strategy<Value = (ElementType, Vec<u8>)> {
    (prop::sample::select(NARROW.to_vec()), 0usize..600)
        .prop_flat_map(|(ty, count)| (Just(ty), block(ty, count)))
}

/// An element of any type, as bytes.
fn encode(ty: ElementType, x: f64) -> Vec<u8> {
    match ty {
        ElementType::F64 => x.to_ne_bytes().to_vec(),
        ElementType::I32 => ((x * 1e9) as i32).to_ne_bytes().to_vec(),
        ElementType::I64 => ((x * 1e18) as i64).to_ne_bytes().to_vec(),
        ElementType::U8 => vec![(x * 1e2) as u8],
        _ => narrow(ty, x as f32),
    }
}

/// Little-endian lanes in an order.
pub fn in_order(lane: ElementType, order: ByteOrder, lanes: Vec<u8>) -> Vec<u8> {
    match order {
        ByteOrder::Little => lanes,
        ByteOrder::Network => swapped(lane, lanes),
    }
}

/// Lanes, each with its bytes reversed.
pub fn swapped(lane: ElementType, mut lanes: Vec<u8>) -> Vec<u8> {
    lanes.chunks_exact_mut(lane.bytes()).for_each(<[u8]>::reverse);
    lanes
}

/// A number as an element, rounded by the reference; a NaN becomes the canonical one (R-NUM-1).
pub fn narrow(ty: ElementType, x: f32) -> Vec<u8> {
    match ty {
        ElementType::F32 => if x.is_nan() { f32::NAN } else { x }.to_ne_bytes().to_vec(),
        ElementType::F16 => f16_from_f32(x).to_ne_bytes().to_vec(),
        ElementType::Bf16 => bf16_from_f32(x).to_ne_bytes().to_vec(),
        other => panic!("{other} is not converted"),
    }
}

/// Numbers as a tensor, rounded by the reference.
pub fn tensor_of(ty: ElementType, values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(|x| narrow(ty, x)).collect()
}

/// The numbers that a tensor holds.
pub fn values(ty: ElementType, tensor: &[u8]) -> Vec<f32> {
    let halves = || tensor.as_chunks().0.iter().map(|&bytes| u16::from_ne_bytes(bytes));
    match ty {
        ElementType::F32 => {
            tensor.as_chunks().0.iter().map(|&bytes| f32::from_ne_bytes(bytes)).collect()
        }
        ElementType::F16 => halves().map(f16_to_f32).collect(),
        ElementType::Bf16 => halves().map(bf16_to_f32).collect(),
        other => panic!("{other} is not converted"),
    }
}
