//! Losses against their definitions, and derivatives against finite differences (R-GLM-4, R-GLM-5).

use crate::textbook::derive;
use netfold_glm::Loss;
use proptest::prelude::*;

/// Differences over 2 h err by h^2 / 6 of the third derivative, which is below 1/4 here, and by
/// 2^-52 of a loss below 2^9 over h.
const H: f64 = 1e-5;
const TOLERANCE: f64 = 1e-8;

proptest! {
    #[test]
    fn binary(activation in -20f64..20.0, positive: bool) {
        let target = if positive { 1.0 } else { -1.0 };
        for loss in Loss::ALL.into_iter().filter(|loss| *loss != Loss::Multinomial) {
            let (value, slope) = loss.of(activation, target);
            let (expected, slopes) = derive(loss, &[activation], u32::from(positive));
            prop_assert!((value - expected).abs() <= 1e-12 * (1.0 + expected), "{loss:?}");
            prop_assert!((slope - slopes[0]).abs() <= 1e-12 * (1.0 + slope.abs()));
            // Not at the corner of the hinge.
            if (1.0 - activation * target).abs() > 2.0 * H {
                let difference = (loss.of(activation + H, target).0 - loss.of(activation - H, target).0) / (2.0 * H);
                prop_assert!((difference - slope).abs() < TOLERANCE, "{loss:?}: {difference} for {slope}");
            }
        }
    }

    #[test]
    fn multinomial(activations in prop::collection::vec(-20f64..20.0, 2..6), class in any::<prop::sample::Index>()) {
        let class = class.index(activations.len());
        let value = |activations: &[f64]| Loss::multinomial(&mut activations.to_vec(), class);
        let mut slopes = activations.clone();
        let loss = Loss::multinomial(&mut slopes, class);
        let (expected, expected_slopes) = derive(Loss::Multinomial, &activations, class as u32);
        prop_assert!((loss - expected).abs() < 1e-12 * (1.0 + expected));
        for (index, (slope, expected)) in slopes.iter().zip(expected_slopes).enumerate() {
            prop_assert!((slope - expected).abs() < 1e-12);
            let (mut above, mut below) = (activations.clone(), activations.clone());
            above[index] += H;
            below[index] -= H;
            prop_assert!(((value(&above) - value(&below)) / (2.0 * H) - slope).abs() < TOLERANCE);
        }
    }
}

#[test]
fn far_activations_stay_finite() {
    for activation in [-1e300, -1e6, 1e6, 1e300] {
        for loss in [Loss::Squared, Loss::Logistic, Loss::Hinge] {
            let (_, slope) = loss.of(activation, 1.0);
            assert!(slope.is_finite() && slope.abs() <= 1e12, "{loss:?} at {activation}: {slope}");
        }
    }
    let mut activations = [1e300, -1e300];
    assert_eq!(Loss::multinomial(&mut activations, 0), 0.0);
    assert_eq!(activations, [0.0, 0.0]);
}
