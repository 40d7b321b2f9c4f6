//! Lanes of f16 that stand for integers, at every level that this processor has, against the scalar
//! reference, bit for bit (R-NUM-18).

use crate::tensors::{any_block, in_order, tensor_of, values};
use netfold_kernels::Kernels;
use netfold_num::{ByteOrder, ElementType, Exponent, Scale, half_of_sum, sum_of_half};
use proptest::prelude::*;

fn halves(lanes: impl IntoIterator<Item = u16>) -> Vec<u8> {
    lanes.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn integers(sums: impl IntoIterator<Item = i32>) -> Vec<u8> {
    sums.into_iter().flat_map(i32::to_le_bytes).collect()
}

fn exponent() -> impl Strategy<Value = Exponent> {
    prop_oneof![
        9 => (-149i16..=128).prop_map(|power| Exponent::from_wire(power).expect("within the range of f32")),
        1 => Just(Exponent::ZERO),
    ]
}

/// Sums where rounding is decided: any, small ones, and those around the middle between two lanes.
fn sum() -> impl Strategy<Value = i32> {
    let middle = (12u32..31, 1i32..1 << 11, -1i32..=1).prop_map(|(bit, odd, off)| {
        (((2 * i64::from(odd) + 1) << (bit - 12)) as i32).wrapping_add(off)
    });
    prop_oneof![any::<i32>(), -5000i32..5000, middle, Just(i32::MIN), Just(i32::MAX)]
}

proptest! {
    #[test]
    fn quantise_is_the_reference((ty, tensor) in any_block(), n in 1u16..=64, other in exponent(), skew in 0usize..8) {
        // R-NUM-20
        let agreed = netfold_kernels::finite_exponent(ty, &tensor);
        for exponent in [agreed, agreed.max(other), other] {
            let scale = Scale::of_halves(n, exponent).unwrap();
            let expected = halves(values(ty, &tensor).into_iter().map(|x| half_of_sum(scale.quantise(x))));
            for kernels in Kernels::available() {
                let mut lanes = vec![0xAA; expected.len() + skew];
                kernels.quantise(ty, &tensor, &scale, &mut lanes[skew..]);
                prop_assert_eq!(&lanes[skew..], &expected[..], "{:?}", kernels);
            }
        }
    }

    #[test]
    fn dequantise_is_the_reference(
        (ty, tensor) in any_block(),
        bits in prop::collection::vec(any::<u16>(), 600),
        n in 1u16..=64,
        exponent in exponent(),
        average: bool,
    ) {
        // R-NUM-22; R-NUM-14 where the tensor holds what is settled.
        let scale = Scale::of_halves(n, exponent).unwrap();
        let divisor = if average { u32::from(n) } else { 1 };
        let bits = &bits[..tensor.len() / ty.bytes()];
        let expected = tensor_of(ty, bits.iter().map(|&lane| scale.dequantise(sum_of_half(lane), divisor)));
        let finite: Vec<u8> = values(ty, &tensor)
            .iter()
            .zip(tensor.chunks_exact(ty.bytes()).zip(expected.chunks_exact(ty.bytes())))
            .flat_map(|(x, (settled, sum))| if x.is_finite() { sum } else { settled })
            .copied()
            .collect();
        let lanes = halves(bits.iter().copied());
        for kernels in Kernels::available() {
            let mut result = vec![0xAA; expected.len()];
            kernels.dequantise(ty, &lanes, &scale, divisor, &mut result);
            prop_assert_eq!(&result, &expected, "{:?}", kernels);
            let mut result = tensor.clone();
            kernels.dequantise_finite(ty, &lanes, &scale, divisor, &mut result);
            prop_assert_eq!(&result, &finite, "{:?}", kernels);
        }
    }

    #[test]
    fn a_slot_reads_as_the_reference(sums in prop::collection::vec(sum(), 0..600), skew in 0usize..8) {
        // R-NUM-20, in the memory of the integers.
        let expected = halves(sums.iter().map(|sum| half_of_sum(*sum)));
        for (kernels, order) in Kernels::available().flat_map(|kernels| ByteOrder::ALL.map(|order| (kernels, order))) {
            let mut memory = [vec![0xAA; skew], integers(sums.iter().copied())].concat();
            kernels.read_halves(order, &mut memory[skew..]);
            let read = in_order(ElementType::F16, order, memory[skew..skew + expected.len()].to_vec());
            prop_assert_eq!(read, &expected[..], "{} {:?}", order, kernels);
            prop_assert!(memory[..skew].iter().all(|&byte| byte == 0xAA));
        }
    }

    #[test]
    fn every_lane_adds_as_the_reference_does(before in any::<i32>(), rest in 0usize..16) {
        // R-NUM-21: every pattern, in both orders; groups that are not full as well.
        let patterns = || (0..=u16::MAX).take((1 << 16) - rest);
        let lanes = halves(patterns());
        for (first, expected) in [
            (true, integers(patterns().map(sum_of_half))),
            (false, integers(patterns().map(|lane| before.wrapping_add(sum_of_half(lane))))),
        ] {
            for (kernels, order) in Kernels::available().flat_map(|kernels| ByteOrder::ALL.map(|order| (kernels, order))) {
                let mut sums = integers(patterns().map(|_| before));
                kernels.add_halves(order, first, &mut sums, &in_order(ElementType::F16, order, lanes.clone()));
                prop_assert!(sums == expected, "{} {:?}, first {}", order, kernels, first);
            }
        }
    }
}
