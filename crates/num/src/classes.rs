//! NaN and infinity in a block that travels as integers: a round of their own counts them.

/// The largest number of workers whose classes a lane can count (R-NUM-13), and so the largest job.
pub const MAX_WORKERS: u16 = 0x7FFF;

const POSITIVE: u32 = 1;
const NEGATIVE: u32 = 1 << 16;

/// The lane of an element in a Classes round (R-NUM-13): 0 if it is finite, otherwise a one in the
/// counter of its class.
///
/// A NaN counts as infinities of both signs, whose sum it is. The two counters (+infinity in the
/// lower half, -infinity in the upper one) have sixteen bits each, so the sums of up to
/// [`MAX_WORKERS`] lanes do not run into each other.
pub const fn class_of(x: f32) -> i32 {
    let class = if x.is_finite() {
        0
    } else if x.is_nan() {
        POSITIVE | NEGATIVE
    } else if x > 0.0 {
        POSITIVE
    } else {
        NEGATIVE
    };
    class as i32
}

/// Returns the IEEE sum of the classified elements, if they make it not finite (R-NUM-14): NaN if
/// there was a NaN, or infinities of both signs; otherwise the infinity. Returns `None` if all were
/// finite.
pub const fn resolve(sum: i32) -> Option<f32> {
    let sum = sum as u32;
    let (positive, negative) = (sum % NEGATIVE, sum / NEGATIVE);
    match (positive, negative) {
        (0, 0) => None,
        (_, 0) => Some(f32::INFINITY),
        (0, _) => Some(f32::NEG_INFINITY),
        _ => Some(f32::NAN),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use proptest::prelude::*;

    fn element() -> impl Strategy<Value = f32> {
        prop_oneof![
            Just(f32::INFINITY),
            Just(f32::NEG_INFINITY),
            Just(f32::NAN),
            // Small enough that no sum of finite elements is infinite.
            -1e30f32..1e30,
            Just(0.0)
        ]
    }

    fn check(elements: &[f32]) {
        // R-NUM-14: what an f64 sum says, which cannot overflow here.
        let expected: f64 = elements.iter().map(|&x| f64::from(x)).sum();
        let sum = elements
            .iter()
            .fold(0i32, |sum, &x| sum.checked_add(class_of(x)).expect("a class sum fits i32"));
        match resolve(sum) {
            None => assert!(expected.is_finite()),
            Some(x) if x.is_nan() => assert!(expected.is_nan()),
            Some(x) => assert_eq!(f64::from(x), expected),
        }
    }

    #[test]
    fn the_largest_job_of_one_class_does_not_run_over() {
        for x in [0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            check(&std::vec![x; usize::from(MAX_WORKERS)]);
        }
    }

    proptest! {
        #[test]
        fn classes_resolve_as_an_ieee_sum(elements in prop::collection::vec(element(), 1..6)) {
            check(&elements);
        }

        #[test]
        fn large_jobs_resolve_as_an_ieee_sum(elements in prop::collection::vec(element(), 1..=2000)) {
            check(&elements);
        }

        #[test]
        fn no_lane_but_zero_reads_as_finite(sum: i32) {
            prop_assert_eq!(resolve(sum).is_none(), sum == 0);
            prop_assert!(resolve(sum).is_none_or(|x| !x.is_finite()));
        }
    }
}
