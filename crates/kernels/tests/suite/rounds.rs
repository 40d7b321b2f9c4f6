//! Whole rounds, as workers and switch run them: what comes out against an IEEE sum of what went
//! in.

use crate::tensors::{NARROW, tensor_of, values};
use netfold_kernels::Kernels;
use netfold_num::{ByteOrder, ElementType, Exponent, Operation, Scale};
use proptest::prelude::*;

/// Folds the lanes that each worker packs for its tensor.
fn switch(
    operation: Operation,
    kernels: Kernels,
    tensors: &[Vec<u8>],
    elements: usize,
    pack: impl Fn(&[u8], &mut [u8]),
) -> Vec<u8> {
    let mut slot = vec![0; 4 * elements];
    for (worker, tensor) in tensors.iter().enumerate() {
        let mut packet = vec![0; 4 * elements];
        pack(tensor, &mut packet);
        let operation = if worker == 0 { Operation::Copy } else { operation };
        kernels.fold(ElementType::I32, operation, ByteOrder::Little, &mut slot, &packet);
    }
    slot
}

/// Folds lanes of f16, as many as `elements` (R-NUM-21).
fn switch_of_halves(
    kernels: Kernels,
    tensors: &[Vec<u8>],
    elements: usize,
    pack: impl Fn(&[u8], &mut [u8]),
) -> Vec<u8> {
    let mut slot = vec![0xAA; 4 * elements];
    for (worker, tensor) in tensors.iter().enumerate() {
        let mut packet = vec![0; 2 * elements];
        pack(tensor, &mut packet);
        kernels.add_halves(ByteOrder::Little, worker == 0, &mut slot, &packet);
    }
    kernels.read_halves(ByteOrder::Little, &mut slot);
    slot.truncate(2 * elements);
    slot
}

/// The sums of a block's values, and their scale.
fn sums_of(
    kernels: Kernels,
    ty: ElementType,
    tensors: &[Vec<u8>],
    agreed: Exponent,
) -> (Vec<u8>, Scale) {
    let (n, elements) = (tensors.len() as u16, tensors[0].len() / ty.bytes());
    if ty == ElementType::F32 {
        let scale = Scale::new(n, agreed).unwrap();
        let pack = |tensor: &[u8], packet: &mut [u8]| kernels.quantise(ty, tensor, &scale, packet);
        return (switch(Operation::Sum, kernels, tensors, elements, pack), scale);
    }
    let scale = Scale::of_halves(n, agreed).unwrap();
    let pack = |tensor: &[u8], packet: &mut [u8]| kernels.quantise(ty, tensor, &scale, packet);
    (switch_of_halves(kernels, tensors, elements, pack), scale)
}

/// An all-reduce by sum under `Arithmetic::Block`: the first worker's result, reduced in place or
/// into another buffer, and 1/f.
fn all_reduce(
    kernels: Kernels,
    ty: ElementType,
    tensors: &[Vec<u8>],
    in_place: bool,
) -> (Vec<u8>, f64) {
    let elements = tensors[0].len() / ty.bytes();
    let mut result = if in_place { tensors[0].clone() } else { vec![0xAA; tensors[0].len()] };
    let agreed = tensors.iter().map(|tensor| kernels.exponent(ty, tensor)).max().unwrap();
    if agreed != Exponent::SPECIAL {
        let (sums, scale) = sums_of(kernels, ty, tensors, agreed);
        kernels.dequantise(ty, &sums, &scale, 1, &mut result);
        return (result, scale.inverse());
    }
    // R-WORK-4: Classes, then Values with the exponent of the finite elements.
    let classes = switch(Operation::Sum, kernels, tensors, elements, |tensor, packet| {
        kernels.classify(ty, tensor, packet)
    });
    kernels.resolve(ty, &classes, &mut result, in_place);
    let agreed = tensors.iter().map(|tensor| kernels.finite_exponent(ty, tensor)).max().unwrap();
    // What a worker that reduces in place has left of its tensor is what it packs.
    let mut tensors = tensors.to_vec();
    if in_place {
        tensors[0].clone_from(&result);
    }
    let (sums, scale) = sums_of(kernels, ty, &tensors, agreed);
    kernels.dequantise_finite(ty, &sums, &scale, 1, &mut result);
    (result, scale.inverse())
}

/// The numbers that a tensor holds, as `f64`.
fn decode(ty: ElementType, tensor: &[u8]) -> Vec<f64> {
    values(ty, tensor).into_iter().map(f64::from).collect()
}

/// A number that, 64 times, is no infinity in f16.
fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -900f32..900.0, 1 => (-1e-3f32..1e-3).prop_map(|x| x * x * x), 1 => Just(0.0), 1 => Just(512.0), 1 => Just(-512.0)]
}

fn special() -> impl Strategy<Value = f32> {
    prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY])
}

/// The tensors of 1 to 64 workers, and whether anything in them is special.
fn workers() -> impl Strategy<Value = (ElementType, Vec<Vec<u8>>)> {
    (prop::sample::select(NARROW.to_vec()), 1usize..=64, 1usize..40, any::<bool>()).prop_flat_map(
        |(ty, n, elements, with_special)| {
            let element = prop_oneof![40 => finite(), u32::from(with_special) => special()];
            let tensor = prop::collection::vec(element, elements)
                .prop_map(move |block| tensor_of(ty, block));
            (Just(ty), prop::collection::vec(tensor, n))
        },
    )
}

proptest! {
    #[test]
    fn a_sum_is_within_the_bound_or_as_special_as_an_ieee_sum((ty, tensors) in workers(), in_place: bool) {
        let inputs: Vec<Vec<f64>> = tensors.iter().map(|tensor| decode(ty, tensor)).collect();
        let n = inputs.len() as f64;
        // The bits of precision, and half of the smallest subnormal.
        let (precision, tiny) = match ty {
            ElementType::F32 => (24, 2f64.powi(-150)),
            ElementType::F16 => (11, 2f64.powi(-25)),
            _ => (8, 2f64.powi(-134)),
        };
        for kernels in Kernels::available() {
            let (result, inverse) = all_reduce(kernels, ty, &tensors, in_place);
            for (i, result) in decode(ty, &result).into_iter().enumerate() {
                // With m the exponent of the block, n additions in f64 err by at most n^2 * 2^m *
                // 2^-53: 2^-22 of the bound, which is not spent that far (R-NUM-12, R-NUM-23).
                let sum: f64 = inputs.iter().map(|input| input[i]).sum();
                if !sum.is_finite() {
                    prop_assert!(result == sum || result.is_nan() && sum.is_nan(), "{result} for {sum}");
                    continue;
                }
                // R-NUM-12: n/f, and half a unit in the last place, which rounding by way of f32
                // exceeds by no more than 2^-24 of the result.
                let rounding = result.abs() * (2f64.powi(-precision) + 2f64.powi(-24)) + tiny;
                let bound = if ty == ElementType::F32 {
                    n * inverse
                } else {
                    // R-NUM-23
                    let e = n * inverse / 2.0;
                    e + (2f64.powi(-11) + 2f64.powi(-23)) * (sum.abs() + e)
                };
                prop_assert!((result - sum).abs() <= bound + rounding, "{result:e} for {sum:e}");
            }
        }
    }

    #[test]
    fn minimum_and_maximum_are_exact((ty, tensors) in workers()) {
        // R-NUM-15, against f64 comparisons.
        let inputs: Vec<Vec<f64>> = tensors.iter().map(|tensor| decode(ty, tensor)).collect();
        let elements = inputs[0].len();
        for kernels in Kernels::available() {
            for operation in [Operation::Min, Operation::Max] {
                let keys = switch(operation, kernels, &tensors, elements, |tensor, packet| kernels.to_ordered(ty, operation, tensor, packet));
                let mut result = vec![0; tensors[0].len()];
                kernels.from_ordered(ty, &keys, &mut result);
                for (i, result) in decode(ty, &result).into_iter().enumerate() {
                    let column = || inputs.iter().map(|input| input[i]);
                    if column().any(f64::is_nan) {
                        prop_assert!(result.is_nan());
                    } else {
                        prop_assert!(column().any(|x| x == result));
                        let beaten = |x: f64| if operation == Operation::Min { x < result } else { x > result };
                        prop_assert!(!column().any(beaten));
                    }
                }
            }
        }
    }
}
