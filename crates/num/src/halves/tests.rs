//! The bounds of R-NUM-20 to R-NUM-25, with integers of 128 bits as the oracle.

extern crate std;

use proptest::prelude::*;
use std::vec::Vec;

use super::*;
use crate::{Exponent, MAX_WORKERS, Scale, bf16_to_f32};

/// The exact value of a finite `f32` in units of 2^`base`, of which it must be a multiple.
fn exact(x: f32, base: i32) -> i128 {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 23 & 0xFF) as i32, i128::from(bits & 0x007F_FFFF));
    let (fraction, power) =
        if biased == 0 { (fraction, -149) } else { (fraction | 1 << 23, biased - 150) };
    let magnitude = match power - base {
        _ if fraction == 0 => 0,
        above if above >= 0 => fraction << above,
        below => {
            assert!(fraction.trailing_zeros() as i32 >= -below, "{x:e} is no multiple of 2^{base}");
            fraction >> -below
        }
    };
    if bits >> 31 == 0 { magnitude } else { -magnitude }
}

/// Finite elements of f16 or bf16, as `f32`, whose exponents lie within 24 of each other, anywhere
/// in the range of the format.
fn column() -> impl Strategy<Value = Vec<f32>> {
    let fields = (any::<bool>(), 0u16..31, 1usize..=64);
    fields.prop_flat_map(|(brain, top, n)| {
        let (widen, fraction_bits, top): (fn(u16) -> f32, u32, u16) =
            if brain { (bf16_to_f32, 7, top * 8) } else { (f16_to_f32, 10, top) };
        let bottom = top.saturating_sub(24);
        let inner = (any::<bool>(), bottom..=top, 0u16..1 << fraction_bits);
        let inner = inner.prop_map(move |(negative, biased, fraction)| {
            widen(u16::from(negative) << 15 | biased << fraction_bits | fraction)
        });
        let edge = (any::<bool>(), 0u16..3).prop_map(move |(negative, below)| {
            widen(u16::from(negative) << 15 | (top << fraction_bits).saturating_sub(below))
        });
        let same = edge.clone().prop_flat_map(move |x| prop::collection::vec(Just(x), n));
        prop_oneof![3 => prop::collection::vec(prop_oneof![inner, edge, Just(0.0)], n), 1 => same]
    })
}

/// The lane that a switch sends for its members' lanes (R-NUM-21). No partial sum may leave `i32`.
fn fold(lanes: &[u16]) -> u16 {
    let sums = lanes.iter().map(|lane| sum_of_half(*lane));
    half_of_sum(
        sums.fold(0i32, |sum, lane| sum.checked_add(lane).expect("a sum of lanes fits i32")),
    )
}

/// A sum as a lane of f16, in a tree with `levels` switches on each worker's way: leaves have up to
/// `width` members.
fn fold_in_a_tree(mut lanes: Vec<u16>, width: usize, levels: usize) -> u16 {
    for _ in 1..levels {
        lanes = lanes.chunks(width).map(fold).collect();
    }
    fold(&lanes)
}

/// The scale of a column, and its lanes.
fn packed(elements: &[f32]) -> (Scale, Vec<u16>) {
    let exponent = elements.iter().map(|x| Exponent::of_magnitude_bits(x.to_bits())).max().unwrap();
    let scale = Scale::of_halves(elements.len() as u16, exponent).unwrap();
    (scale, elements.iter().map(|&x| half_of_sum(scale.quantise(x))).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// R-NUM-23 to 25, in units of 2^base, of which all elements and 1/f / 2 are multiples.
    #[test]
    fn a_sum_is_within_the_bound(elements in column(), width in 1usize..=64, levels in 1usize..=10) {
        let (scale, lanes) = packed(&elements);
        let lane = fold_in_a_tree(lanes, width, levels);
        prop_assert!(f16_to_f32(lane).abs() < 40000.0, "R-NUM-24");
        if scale.inverse() == 0.0 {
            prop_assert_eq!(lane, 0);
            return Ok(());
        }
        let unit = scale.inverse().log2() as i32;
        // An element of exponent e has at most ten places behind its first.
        let exponents = elements.iter().filter(|x| **x != 0.0).map(|x| (x.to_bits() >> 23 & 0xFF).max(1) as i32 - 127);
        let base = (unit - 1).min(exponents.min().expect("not all are zeros") - 10);
        let sum: i128 = elements.iter().map(|&x| exact(x, base)).sum();
        let magnitude: i128 = elements.iter().map(|&x| exact(x, base).abs()).sum();
        let off = (i128::from(sum_of_half(lane)) << (unit - base)) - sum;
        // n/(2f)
        let e = i128::from(elements.len() as i64) << (unit - base - 1);
        if levels == 1 {
            // u = 2^-11 + 2^-23, all times 2^23.
            prop_assert!((off.abs() - e) << 23 <= (sum.abs() + e) * ((1 << 12) + 1), "off by {}, e {}, sum {}", off, e, sum);
        }
        // (1 + u)^d - 1 <= d u + d^2 u^2, for d u <= 1: times 2^23 with u = 4097 / 2^23, rounded
        // up.
        let d = levels as i128;
        let growth = d * 4097 + ((d * d * 4097 * 4097) >> 23) + 1;
        prop_assert!((off.abs() - e) << 23 <= (magnitude + e) * growth, "off by {} in {} levels", off, levels);
    }

    /// R-NUM-20: a lane is the integer that it stands for, so that quantising rounds once.
    #[test]
    fn a_lane_of_a_16_bit_element_loses_nothing(elements in column()) {
        let (scale, lanes) = packed(&elements);
        for (&x, lane) in elements.iter().zip(lanes) {
            prop_assert_eq!(sum_of_half(lane), scale.quantise(x));
            // The product is exact: a power of two, and no limit is met.
            let scaled = f64::from(x) * scale.factor();
            prop_assert_eq!(f64::from(scale.quantise(x)), scaled.round_ties_even());
        }
    }

    /// R-NUM-24: lanes of a worker that breaks its word are within the limit, too.
    #[test]
    fn an_element_above_the_exponent_is_clamped(bits: u16, n in 1u16..=MAX_WORKERS) {
        let scale = Scale::of_halves(n, Exponent::SMALLEST).unwrap();
        let x = bf16_to_f32(bits);
        let lane = i64::from(sum_of_half(half_of_sum(scale.quantise(x))));
        prop_assert!(lane.abs() * i64::from(n) <= 1 << 30);
        prop_assert!(x.is_finite() || lane == 0);
    }
}

/// R-NUM-25: a switch's result is an integer to the next switch.
#[test]
fn every_lane_that_a_switch_sends_stands_for_what_it_is() {
    for bits in 0..=u16::MAX {
        let x = f64::from(f16_to_f32(bits));
        let lane = sum_of_half(bits);
        if !x.is_finite() {
            assert_eq!(lane, 0);
            continue;
        }
        assert_eq!(f64::from(lane), (x * 32768.0).round_ties_even(), "{bits:#06x}");
        let sent = half_of_sum(lane);
        assert_eq!(f64::from(f16_to_f32(sent)) * 32768.0, f64::from(lane));
        assert_eq!(sum_of_half(sent), lane);
    }
}

#[test]
fn the_factor_is_a_power_of_two() {
    // R-NUM-20: 2^(30 - c - m), with c = 3 for 5 workers.
    let scale = Scale::of_halves(5, Exponent::from_wire(4).unwrap()).unwrap();
    assert_eq!(
        (scale.factor(), scale.inverse(), scale.limit()),
        (f64::from(1 << 23), 1.0 / f64::from(1 << 23), 1 << 27)
    );
    assert_eq!(f16_to_f32(half_of_sum(scale.quantise(16.0))), 4096.0);
    for (n, c) in [(1, 0), (2, 1), (3, 2), (4, 2), (64, 6), (65, 7), (MAX_WORKERS, 15)] {
        assert_eq!(Scale::of_halves(n, Exponent::ZERO).unwrap().limit(), 1 << (30 - c));
    }
    assert!(Scale::of_halves(0, Exponent::ZERO).is_err());
    assert!(Scale::of_halves(2, Exponent::SPECIAL).is_err());
}

/// R-NUM-20: the steps are those to `f32` and then to f16, as everywhere.
#[test]
fn a_sum_is_rounded_by_way_of_f32() {
    // 2^30 + 2^19 + 1 is just above the middle between two of f16; as an f32 it is the middle,
    // whose even neighbour is below.
    assert_eq!(f16_to_f32(half_of_sum((1 << 30) + (1 << 19) + 1)), 32768.0);
    assert_eq!(f16_to_f32(half_of_sum((1 << 30) + (1 << 19) + (1 << 8))), 32800.0);
}
