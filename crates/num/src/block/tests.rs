//! The bounds of appendix E, with exact rational arithmetic as the oracle.

extern crate std;

use super::*;
use proptest::prelude::*;
use std::string::ToString;
use std::vec::Vec;

/// The exact value of a finite `f32` in units of 2^`base`, of which it must be a multiple.
fn exact(x: f32, base: i16) -> i128 {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 23 & 0xFF) as i16, i128::from(bits & 0x007F_FFFF));
    let (fraction, power) =
        if biased == 0 { (fraction, -149) } else { (fraction | 1 << 23, biased - 150) };
    let magnitude = fraction << (power - base);
    if bits >> 31 == 0 { magnitude } else { -magnitude }
}

/// Workers' elements of one lane: finite `f32` whose exponents lie within 20 of each other,
/// anywhere in the range.
fn lane() -> impl Strategy<Value = Vec<f32>> {
    (0u32..=254, 1usize..=64).prop_flat_map(|(top, n)| {
        let bottom = top.saturating_sub(20);
        let wide = (any::<bool>(), bottom..=top, 0u32..1 << 23).prop_map(
            |(negative, biased, fraction)| {
                f32::from_bits(u32::from(negative) << 31 | biased << 23 | fraction)
            },
        );
        // The magnitudes at which rounding and the limit meet: a power of two, and what is just
        // below.
        let edge = (any::<bool>(), 0u32..3).prop_map(move |(negative, below)| {
            f32::from_bits(u32::from(negative) << 31 | (top << 23).saturating_sub(below))
        });
        let same = edge.clone().prop_flat_map(move |x| prop::collection::vec(Just(x), n));
        prop_oneof![3 => prop::collection::vec(prop_oneof![wide, edge], n), 1 => same]
    })
}

fn agreed(elements: &[f32]) -> Exponent {
    elements.iter().map(|x| Exponent::of_magnitude_bits(x.to_bits())).max().unwrap()
}

/// Compares |S * n * 2^m / (2^31 - 1) - X| with n * n * 2^m / (2^31 - 1), where X is the exact sum:
/// the distance of the unrounded result from the exact one against the bound n/f, both times
/// (2^31 - 1) / 2^base.
fn within_bound_before_rounding(sum: i32, exact_sum: i128, n: u16, power: i16, base: i16) -> bool {
    let unit = i128::from(n) << (power - base);
    (i128::from(sum) * unit - exact_sum * i128::from(i32::MAX)).abs() <= unit * i128::from(n)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_sum_fits_and_is_within_the_bound(elements in lane()) {
        let n = elements.len() as u16;
        let exponent = agreed(&elements);
        let scale = Scale::new(n, exponent).unwrap();
        let lanes: Vec<i32> = elements.iter().map(|&x| scale.quantise(x)).collect();
        // R-NUM-10: no partial sum overflows, in any order.
        prop_assert!(lanes.iter().map(|lane| i64::from(lane.unsigned_abs())).sum::<i64>() <= i64::from(i32::MAX));
        let sum: i32 = lanes.iter().sum();

        let Some(power) = exponent.power() else {
            prop_assert_eq!(scale.dequantise(sum, 1), 0.0);
            return Ok(());
        };
        // Everything is a multiple of 2^base: the elements, by their window of exponents, and the
        // unit.
        let base = elements.iter().map(|x| ((x.to_bits() >> 23 & 0xFF) as i16 - 150).max(-149)).min().unwrap();
        let exact_sum: i128 = elements.iter().map(|&x| exact(x, base)).sum();
        prop_assert!(within_bound_before_rounding(sum, exact_sum, n, power, base));

        // R-NUM-12: the result is within n/f, plus the half unit in the last place by which it is
        // rounded to f32.
        let result = scale.dequantise(sum, 1);
        if result.is_finite() {
            let half_ulp = f64::from(f32::from_bits(result.abs().to_bits() + 1)) / 2.0 - f64::from(result.abs()) / 2.0;
            // An integer of at most 31 + 26 bits: i128 to f64 rounds by less than 2^-53 of it, far
            // below the 2^-31 of the bound.
            let sum = exact_sum as f64 * power_of_two_wide(base);
            let bound = f64::from(n) * scale.inverse() + if half_ulp.is_finite() { half_ulp } else { f64::INFINITY };
            prop_assert!((f64::from(result) - sum).abs() <= bound, "{result:e} for {sum:e}, bound {bound:e}");
        } else {
            // Only where a rounded IEEE sum would be infinite too, but for the bound.
            let sum = exact_sum as f64 * power_of_two_wide(base);
            prop_assert!(sum.abs() + f64::from(n) * scale.inverse() >= f64::from(f32::MAX));
        }
    }

    #[test]
    fn one_element_is_within_one_unit(bits: u32, n in 1u16..=MAX_WORKERS, above in 0i16..40) {
        // R-NUM-9, also where the agreed exponent is another worker's and larger.
        let x = f32::from_bits(bits);
        if let Some(power) = Exponent::of_magnitude_bits(bits).power() {
            let exponent = Exponent::from_wire((power + above).min(128)).unwrap();
            let scale = Scale::new(n, exponent).unwrap();
            let scaled = f64::from(x) * scale.factor();
            let lane = scale.quantise(x);
            prop_assert!((f64::from(lane) - scaled).abs() < 1.0);
            prop_assert!(lane.abs() <= scale.limit());
            prop_assert_eq!(scale.quantise(-x), -lane);
            if scaled.abs() <= f64::from(scale.limit()) {
                prop_assert_eq!(f64::from(lane), scaled.round_ties_even());
            }
        }
    }

    #[test]
    fn a_block_that_breaks_its_word_is_clamped(x: f32, n in 1u16..=64) {
        // R-NUM-10 holds even for an element above the agreed exponent, and for one that is not
        // finite.
        let scale = Scale::new(n, Exponent::SMALLEST).unwrap();
        let lane = i64::from(scale.quantise(x));
        prop_assert!(lane.abs() * i64::from(n) <= i64::from(i32::MAX));
        prop_assert!(x.is_finite() || lane == 0);
    }

    #[test]
    fn an_average_is_the_sum_over_the_divisor(sum: i32, power in -149i16..=128, n in 1u16..=64) {
        // R-NUM-11: two roundings to f64 more than the exact quotient, then one to f32; so at most
        // the neighbouring f32.
        let scale = Scale::new(n, Exponent::from_wire(power).unwrap()).unwrap();
        let exact = f64::from(sum) * scale.inverse() / f64::from(n);
        let average = scale.dequantise(sum, u32::from(n));
        let expected = exact as f32;
        prop_assert!(average == expected || average == expected.next_up() || average == expected.next_down());
    }
}

/// 2^power for -149 - 20 and up, as `f64`.
fn power_of_two_wide(power: i16) -> f64 {
    2f64.powi(i32::from(power))
}

#[test]
fn ties_round_to_even() {
    let rounded =
        [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999999999999994, 2147483646.5, -2147483646.5]
            .map(round_ties_even);
    assert_eq!(rounded, [-2, -2, 0, 0, 2, 2, 0, 2147483646, -2147483646]);
}

#[test]
fn the_factor_is_that_of_the_paper() {
    // Section 4.6: f = (2^31 - 1) / (n * 2^m).
    let scale = Scale::new(4, Exponent::from_wire(3).unwrap()).unwrap();
    assert_eq!(scale.factor(), 2147483647.0 / 32.0);
    assert_eq!(scale.inverse(), 32.0 / 2147483647.0);
    assert_eq!(scale.limit(), 536870911);
    assert_eq!(scale.quantise(8.0), 536870911);
    assert_eq!(scale.quantise(-8.0), -536870911);
}

#[test]
fn zero_needs_no_exponent() {
    let scale = Scale::new(7, Exponent::ZERO).unwrap();
    assert_eq!([0.0, -0.0, 1.0, f32::NAN, f32::INFINITY].map(|x| scale.quantise(x)), [0; 5]);
    assert_eq!(scale.dequantise(12345, 7).to_bits(), 0);
}

#[test]
fn a_sum_that_f32_cannot_hold_is_infinite() {
    let scale = Scale::new(2, Exponent::of_magnitude_bits(f32::MAX.to_bits())).unwrap();
    let sum = 2 * scale.quantise(-f32::MAX);
    assert_eq!(scale.dequantise(sum, 1), f32::NEG_INFINITY);
    assert!(scale.dequantise(sum, 2).is_finite());
}

#[test]
fn there_is_no_scale_before_there_is_agreement() {
    let text = |n, exponent| Scale::new(n, exponent).unwrap_err().to_string();
    assert!(text(2, Exponent::UNKNOWN).contains("Exponents round"));
    assert!(text(2, Exponent::SPECIAL).contains("Classes round"));
    assert_eq!(text(0, Exponent::ZERO), "a block cannot be scaled for 0 workers; give 1 to 32767");
    assert_eq!(
        Scale::new(MAX_WORKERS + 1, Exponent::ZERO),
        Err(ScaleError::Workers(MAX_WORKERS + 1))
    );
}
