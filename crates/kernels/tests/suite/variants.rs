//! Every kernel at every level that this processor has, against the scalar reference, bit for bit
//! (R-NUM-18).

use crate::tensors::{NARROW, any_block, block, in_order, narrow, swapped, tensor_of, values};
use half::{bf16, f16};
use netfold_kernels::{Kernels, Quantised};
use netfold_num::{
    ByteOrder, ElementType, Exponent, Fold, MAX_WORKERS, Operation, Scale, class_of, from_ordered,
    resolve, to_ordered,
};
use proptest::prelude::*;

/// The reference fold of a buffer.
fn reference_fold(lane: ElementType, operation: Operation, acc: &[u8], input: &[u8]) -> Vec<u8> {
    macro_rules! fold {
        ($read:path, $write:path, $bytes:literal) => {
            acc.as_chunks::<$bytes>()
                .0
                .iter()
                .zip(input.as_chunks::<$bytes>().0)
                .flat_map(|(&a, &b)| $write($read(a).fold(operation, $read(b))))
                .collect()
        };
    }
    match lane {
        ElementType::F32 => fold!(f32::from_le_bytes, f32::to_le_bytes, 4),
        ElementType::F16 => fold!(f16::from_le_bytes, f16::to_le_bytes, 2),
        ElementType::Bf16 => fold!(bf16::from_le_bytes, bf16::to_le_bytes, 2),
        ElementType::F64 => fold!(f64::from_le_bytes, f64::to_le_bytes, 8),
        ElementType::I32 => fold!(i32::from_le_bytes, i32::to_le_bytes, 4),
        ElementType::I64 => fold!(i64::from_le_bytes, i64::to_le_bytes, 8),
        ElementType::U8 => fold!(u8::from_le_bytes, u8::to_le_bytes, 1),
    }
}

fn lanes_from(lanes: impl IntoIterator<Item = i32>) -> Vec<u8> {
    lanes.into_iter().flat_map(i32::to_le_bytes).collect()
}

/// A copy of a buffer that starts `skew` bytes into its allocation, so that kernels see every
/// alignment.
fn skewed(buffer: &[u8], skew: usize) -> Vec<u8> {
    [&vec![0; skew][..], buffer].concat()
}

/// A lane in a round of classes: mostly small, so that every class is seen.
fn class_sum() -> impl Strategy<Value = i32> {
    prop_oneof![
        Just(0),
        any::<i32>(),
        prop::collection::vec(prop::sample::select(vec![0, 1, 1 << 16, 1 << 16 | 1]), 1..4)
            .prop_map(|classes| classes.iter().sum()),
        (0..=i32::from(MAX_WORKERS), 0u32..2).prop_map(|(count, class)| count << (16 * class)),
    ]
}

fn exponent() -> impl Strategy<Value = Exponent> {
    prop_oneof![
        9 => (-149i16..=128).prop_map(|power| Exponent::from_wire(power).expect("within the range of f32")),
        1 => Just(Exponent::ZERO),
    ]
}

proptest! {
    #[test]
    fn fold_is_the_reference(
        (lane, acc, input) in prop::sample::select(ElementType::ALL.to_vec())
            .prop_flat_map(|t| (0usize..600).prop_flat_map(move |n| (Just(t), block(t, n), block(t, n)))),
        skew in 0usize..8,
    ) {
        // R-NUM-19: the numbers do not depend on the order of their bytes.
        for (operation, order) in Operation::ALL.into_iter().flat_map(|o| ByteOrder::ALL.map(|order| (o, order))) {
            let expected = in_order(lane, order, reference_fold(lane, operation, &acc, &input));
            let (acc, input) = (in_order(lane, order, acc.clone()), in_order(lane, order, input.clone()));
            for kernels in Kernels::available() {
                let mut result = skewed(&acc, skew);
                kernels.fold(lane, operation, order, &mut result[skew..], &input);
                prop_assert_eq!(&result[skew..], &expected[..], "{} {} {} {:?}", operation, lane, order, kernels);
                prop_assert!(result[..skew].iter().all(|&byte| byte == 0));
            }
        }
    }

    #[test]
    fn exponents_are_the_reference((ty, tensor) in any_block(), skew in 0usize..8) {
        // R-NUM-6, over the elements one by one: the exponent of a block is the largest of theirs
        // (R-NUM-7).
        let of = |x: &f32| Exponent::of_magnitude_bits(x.to_bits());
        let all = values(ty, &tensor).iter().map(of).max().unwrap_or(Exponent::ZERO);
        let finite = values(ty, &tensor).iter().filter(|x| x.is_finite()).map(of).max().unwrap_or(Exponent::ZERO);
        let tensor = skewed(&tensor, skew);
        for kernels in Kernels::available() {
            prop_assert_eq!(kernels.exponent(ty, &tensor[skew..]), all);
            prop_assert_eq!(kernels.finite_exponent(ty, &tensor[skew..]), finite);
        }
    }

    #[test]
    fn quantise_is_the_reference((ty, tensor) in any_block(), n in 1u16..=64, other in exponent(), skew in 0usize..8) {
        let agreed = netfold_kernels::finite_exponent(ty, &tensor);
        for exponent in [agreed, agreed.max(other), other] {
            let scale = Scale::new(n, exponent).unwrap();
            let expected = lanes_from(values(ty, &tensor).into_iter().map(|x| scale.quantise(x)));
            for kernels in Kernels::available() {
                let (tensor, mut lanes) = (skewed(&tensor, skew), vec![0xAA; expected.len() + skew]);
                kernels.quantise(ty, &tensor[skew..], &scale, &mut lanes[skew..]);
                prop_assert_eq!(&lanes[skew..], &expected[..], "{:?}", kernels);
            }
        }
    }

    /// In one pass, as quantised to lanes of their own and then folded (R-SLOT-2).
    #[test]
    fn quantised_lanes_add_up((ty, tensor) in any_block(), n in 1u16..=MAX_WORKERS, other in exponent(), first in any::<i32>()) {
        let agreed = netfold_kernels::finite_exponent(ty, &tensor);
        for exponent in [agreed, other] {
            let scale = Scale::new(n, exponent).unwrap();
            let values = values(ty, &tensor);
            let before: Vec<i32> = (0..values.len() as i32).map(|lane| first.wrapping_add(lane)).collect();
            let after = values.iter().zip(&before).map(|(x, lane)| lane.wrapping_add(scale.quantise(*x)));
            let (mut lanes, after) = (lanes_from(before.clone()), lanes_from(after));
            let quantised = Quantised { element_type: ty, elements: &tensor, scale };
            for kernels in Kernels::available() {
                let mut sums = lanes.clone();
                kernels.add_quantised(&quantised, &mut sums);
                prop_assert_eq!(&sums, &after, "{:?}", kernels);
            }
            quantised.add(&mut lanes);
            prop_assert_eq!(&lanes, &after);
        }
    }

    /// R-NUM-9 where levels may take shortcuts: at the largest magnitude that an exponent stands
    /// for, next to it, beyond it, and where a group has one such element among others.
    #[test]
    fn elements_at_the_limit_are_the_reference(power in -149i16..=128, n in 1u16..=MAX_WORKERS, place in 0usize..40) {
        let scale = Scale::new(n, Exponent::from_wire(power).unwrap()).unwrap();
        let most = 2f64.powi(power.into()) as f32;
        let limit = (f64::from(scale.limit()) / scale.factor()) as f32;
        for largest in [most, limit, f32::MAX, f32::INFINITY, f32::NAN] {
            for x in [largest, largest.next_down(), largest.next_up(), largest.next_down().next_down()] {
                let mut values = [x / 3.0; 40];
                values[place] = x;
                values[(place + 7) % 40] = -x;
                let expected = lanes_from(values.map(|x| scale.quantise(x)));
                let tensor = values.map(f32::to_ne_bytes).concat();
                for kernels in Kernels::available() {
                    let mut lanes = vec![0xAA; expected.len()];
                    kernels.quantise(ElementType::F32, &tensor, &scale, &mut lanes);
                    prop_assert_eq!(&lanes, &expected, "{} {:?}", x, kernels);
                }
            }
        }
    }

    /// R-EAGER-8: as many blocks as there are contributors, of the same length, side by side.
    #[test]
    fn sums_of_blocks_are_the_reference(
        columns in (0usize..=9).prop_flat_map(|n| {
            let element = prop_oneof![9 => -4f32..4.0, 1 => any::<u32>().prop_map(f32::from_bits)];
            prop::collection::vec(prop::collection::vec(element, n), 0..300)
        }),
        others in 1u16..=9,
        average: bool,
        skew in 0usize..8,
    ) {
        let count = columns.first().map_or(0, Vec::len);
        let block = |worker: usize| tensor_of(ElementType::F32, columns.iter().map(|column| column[worker]));
        let blocks: Vec<Vec<u8>> = (0..count).map(|worker| skewed(&block(worker), skew)).collect();
        let of = |x: &f32| Exponent::of_magnitude_bits(x.to_bits());
        let agreed = columns.iter().flatten().map(of).max().unwrap_or(Exponent::ZERO);
        let workers = count as u16 + others;
        let divisor = if average { u32::from(workers) } else { 1 };
        let expected: Option<Vec<u8>> = Scale::new(workers, agreed).ok().map(|scale| {
            let sum = |column: &Vec<f32>| column.iter().map(|x| scale.quantise(*x)).sum();
            tensor_of(ElementType::F32, columns.iter().map(|column| scale.dequantise(sum(column), divisor)))
        });
        let untouched = vec![0xAA; 4 * columns.len()];
        for kernels in Kernels::available() {
            let mut result = skewed(&untouched, skew);
            let inputs = || blocks.iter().map(|block| &block[skew..]);
            prop_assert_eq!(kernels.sum_blocks(&inputs, workers, divisor, &mut result[skew..]), agreed);
            prop_assert_eq!(&result[skew..], expected.as_ref().unwrap_or(&untouched), "{:?}", kernels);
        }
    }

    #[test]
    fn dequantise_is_the_reference(
        ty in prop::sample::select(NARROW.to_vec()),
        lanes in prop::collection::vec(prop_oneof![any::<i32>(), -100i32..100, Just(i32::MAX), Just(i32::MIN)], 0..600),
        n in 1u16..=64,
        exponent in prop_oneof![exponent(), (-20i16..20).prop_map(|power| Exponent::from_wire(power).expect("within the range of f32"))],
        average: bool,
    ) {
        let scale = Scale::new(n, exponent).unwrap();
        let divisor = if average { u32::from(n) } else { 1 };
        let expected = tensor_of(ty, lanes.iter().map(|&lane| scale.dequantise(lane, divisor)));
        for kernels in Kernels::available() {
            let mut tensor = vec![0xAA; expected.len()];
            kernels.dequantise(ty, &lanes_from(lanes.clone()), &scale, divisor, &mut tensor);
            prop_assert_eq!(&tensor, &expected, "{:?}", kernels);
        }
    }

    #[test]
    fn dequantise_finite_leaves_what_is_settled(
        (ty, tensor) in any_block(), lane: i32, exponent in exponent(), n in 1u16..=64,
    ) {
        // R-NUM-14
        let scale = Scale::new(n, exponent).unwrap();
        let lanes: Vec<i32> = (0..tensor.len() / ty.bytes()).map(|i| lane.wrapping_mul(i as i32)).collect();
        let sums = tensor_of(ty, lanes.iter().map(|&lane| scale.dequantise(lane, 1)));
        let expected: Vec<u8> = values(ty, &tensor)
            .iter()
            .zip(tensor.chunks_exact(ty.bytes()).zip(sums.chunks_exact(ty.bytes())))
            .flat_map(|(x, (settled, sum))| if x.is_finite() { sum } else { settled })
            .copied()
            .collect();
        for kernels in Kernels::available() {
            let mut result = tensor.clone();
            kernels.dequantise_finite(ty, &lanes_from(lanes.clone()), &scale, 1, &mut result);
            prop_assert_eq!(&result, &expected, "{:?}", kernels);
        }
    }

    #[test]
    fn classify_is_the_reference((ty, tensor) in any_block()) {
        // R-NUM-13
        let expected = lanes_from(values(ty, &tensor).into_iter().map(class_of));
        for kernels in Kernels::available() {
            let mut lanes = vec![0xAA; expected.len()];
            kernels.classify(ty, &tensor, &mut lanes);
            prop_assert_eq!(&lanes, &expected, "{:?}", kernels);
        }
    }

    #[test]
    fn resolve_is_the_reference((ty, tensor) in any_block(), sums in prop::collection::vec(class_sum(), 600), in_place: bool) {
        // R-NUM-14
        let elements = tensor.chunks_exact(ty.bytes());
        let sums = &sums[..elements.len()];
        let expected: Vec<u8> = elements
            .zip(sums)
            .flat_map(|(element, &sum)| match resolve(sum) {
                Some(special) => narrow(ty, special),
                None if in_place => element.to_vec(),
                None => narrow(ty, 0.0),
            })
            .collect();
        for kernels in Kernels::available() {
            let mut result = tensor.clone();
            kernels.resolve(ty, &lanes_from(sums.iter().copied()), &mut result, in_place);
            prop_assert_eq!(&result, &expected, "{:?}", kernels);
        }
    }

    #[test]
    fn ordered_lanes_are_the_reference((ty, tensor) in any_block(), keys in prop::collection::vec(any::<i32>(), 0..600)) {
        // R-NUM-15
        for operation in [Operation::Min, Operation::Max] {
            let there = lanes_from(values(ty, &tensor).into_iter().map(|x| to_ordered(operation, x)));
            let back = tensor_of(ty, values(ty, &tensor));
            for kernels in Kernels::available() {
                let mut lanes = vec![0xAA; there.len()];
                kernels.to_ordered(ty, operation, &tensor, &mut lanes);
                prop_assert_eq!(&lanes, &there, "{:?}", kernels);
                let mut result = vec![0xAA; tensor.len()];
                kernels.from_ordered(ty, &lanes, &mut result);
                prop_assert_eq!(&result, &back, "{:?}", kernels);
            }
        }
        let expected = tensor_of(ty, keys.iter().map(|&key| from_ordered(key)));
        for kernels in Kernels::available() {
            let mut result = vec![0xAA; expected.len()];
            kernels.from_ordered(ty, &lanes_from(keys.clone()), &mut result);
            prop_assert_eq!(&result, &expected, "{:?}", kernels);
        }
    }

    #[test]
    fn lanes_are_in_the_order_of_the_wire(
        (ty, tensor) in prop::sample::select(ElementType::ALL.to_vec())
            .prop_flat_map(|t| (0usize..600).prop_flat_map(move |n| (Just(t), block(t, n)))),
        skew in 0usize..8,
    ) {
        // R-NUM-19, whatever the host's order is.
        let little = if cfg!(target_endian = "big") { swapped(ty, tensor.clone()) } else { tensor.clone() };
        for order in ByteOrder::ALL {
            let expected = in_order(ty, order, little.clone());
            for kernels in Kernels::available() {
                let mut lanes = vec![0xAA; tensor.len() + skew];
                kernels.to_wire(ty, order, &tensor, &mut lanes[skew..]);
                prop_assert_eq!(&lanes[skew..], &expected[..], "{} {} {:?}", ty, order, kernels);
                prop_assert!(lanes[..skew].iter().all(|&byte| byte == 0xAA));
                let mut back = vec![0xAA; tensor.len()];
                kernels.from_wire(ty, order, &lanes[skew..], &mut back);
                prop_assert_eq!(&back, &tensor, "{} {} {:?}", ty, order, kernels);
            }
        }
        for kernels in Kernels::available() {
            let mut lanes = vec![0xAA; tensor.len() + skew];
            kernels.swap(ty, &tensor, &mut lanes[skew..]);
            prop_assert_eq!(&lanes[skew..], &swapped(ty, tensor.clone())[..], "{} {:?}", ty, kernels);
        }
    }

    #[test]
    fn divide_is_the_reference((ty, tensor) in any_block(), doubles in block(ElementType::F64, 37), divisor in 1u32..=1023) {
        // R-NUM-17
        let expected = tensor_of(ty, values(ty, &tensor).into_iter().map(|x| x / divisor as f32));
        let quotients: Vec<u8> = doubles
            .as_chunks()
            .0
            .iter()
            .map(|&x| f64::from_ne_bytes(x) / f64::from(divisor))
            .flat_map(|x| if x.is_nan() { f64::NAN } else { x }.to_ne_bytes())
            .collect();
        for kernels in Kernels::available() {
            let (mut narrow, mut wide) = (tensor.clone(), doubles.clone());
            kernels.divide(ty, &mut narrow, divisor);
            prop_assert_eq!(&narrow, &expected, "{:?}", kernels);
            kernels.divide(ElementType::F64, &mut wide, divisor);
            prop_assert_eq!(&wide, &quotients, "{:?}", kernels);
        }
    }
}

#[test]
fn every_half_widens_as_the_reference_does() {
    let patterns: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
    for ty in [ElementType::F16, ElementType::Bf16] {
        let expected =
            lanes_from(values(ty, &patterns).into_iter().map(|x| to_ordered(Operation::Max, x)));
        for kernels in Kernels::available() {
            let mut lanes = vec![0; expected.len()];
            kernels.to_ordered(ty, Operation::Max, &patterns, &mut lanes);
            assert_eq!(lanes, expected, "{ty} {kernels:?}");
            for (pattern, x) in patterns.chunks_exact(2).zip(values(ty, &patterns)) {
                assert_eq!(kernels.exponent(ty, pattern), Exponent::of_magnitude_bits(x.to_bits()));
            }
        }
    }
}

#[test]
fn every_half_folds_as_the_reference_does() {
    // Every pattern, with zeros, the smallest subnormal, ones, an odd neighbour, the largest
    // numbers, infinities and a signalling NaN of either format.
    let others = [
        0x0000, 0x8000, 0x0001, 0x3C00, 0x3F80, 0xBC01, 0x7BFF, 0x7F7F, 0x7C00, 0xFC00, 0x7F80,
        0xFF80, 0x7C01, 0x7F81u16,
    ];
    let patterns: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    for (ty, operation) in [ElementType::F16, ElementType::Bf16]
        .into_iter()
        .flat_map(|ty| Operation::ALL.map(|o| (ty, o)))
    {
        for other in others {
            let input = other.to_le_bytes().repeat(1 << 16);
            let expected = reference_fold(ty, operation, &patterns, &input);
            for (kernels, order) in Kernels::available()
                .flat_map(|kernels| ByteOrder::ALL.map(|order| (kernels, order)))
            {
                let mut acc = in_order(ty, order, patterns.clone());
                kernels.fold(ty, operation, order, &mut acc, &in_order(ty, order, input.clone()));
                assert!(
                    acc == in_order(ty, order, expected.clone()),
                    "{operation} {ty} {order} with {other:#06x}, {kernels:?}"
                );
            }
        }
    }
}

#[test]
fn every_boundary_between_halves_rounds_as_the_reference_does() {
    // Around each representable number and each midpoint between two: where rounding, ties,
    // underflow and overflow are decided. The pattern that a half narrows to depends on nothing
    // else, as the map is monotone.
    for ty in [ElementType::F16, ElementType::Bf16] {
        let patterns: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
        let numbers = values(ty, &patterns);
        let midpoints =
            numbers.windows(2).map(|pair| (f64::from(pair[0]).midpoint(f64::from(pair[1]))) as f32);
        let largest = values(ty, &narrow(ty, f32::MAX.next_down()))[0];
        let beyond = [65519.0, 65520.0, 65521.0, 65536.0, f32::MAX, largest];
        let edges = numbers.iter().copied().chain(midpoints).chain(beyond);
        let around: Vec<f32> = edges.flat_map(|x| [x.next_down(), x, x.next_up(), -x]).collect();
        let keys = lanes_from(around.iter().map(|&x| to_ordered(Operation::Max, x)));
        let expected = tensor_of(ty, around.iter().copied());
        for kernels in Kernels::available() {
            let mut result = vec![0; expected.len()];
            kernels.from_ordered(ty, &keys, &mut result);
            assert_eq!(result, expected, "{ty} {kernels:?}");
        }
    }
}
