//! Times of short actions, side by side.

use std::time::Instant;

/// Least time of a batch of calls, in nanoseconds: a thousand times what reading the clock takes.
const BATCH_NS: f64 = 50_000.0;

/// Time of a call in nanoseconds, over batches of calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// A quarter of the batches were faster.
    pub lower_ns: f64,
    /// Median.
    pub median_ns: f64,
    /// A quarter of the batches were slower.
    pub upper_ns: f64,
}

/// Times actions in turn, a batch of calls of each in every round, so that all of them meet the
/// same disturbances.
pub fn side_by_side(rounds: usize, actions: &mut [&mut dyn FnMut()]) -> Vec<Timing> {
    let calls: Vec<u32> = actions.iter_mut().map(calls_of_a_batch).collect();
    let mut times = vec![Vec::with_capacity(rounds); actions.len()];
    for _ in 0..rounds {
        for ((action, calls), times) in actions.iter_mut().zip(&calls).zip(&mut times) {
            times.push(batch(action, *calls) / f64::from(*calls));
        }
    }
    times.into_iter().map(summary).collect()
}

fn calls_of_a_batch(action: &mut &mut dyn FnMut()) -> u32 {
    let mut calls = 1;
    while batch(action, calls) < BATCH_NS && calls < 1 << 20 {
        calls *= 2;
    }
    calls
}

fn batch(action: &mut &mut dyn FnMut(), calls: u32) -> f64 {
    let begin = Instant::now();
    (0..calls).for_each(|_| action());
    begin.elapsed().as_nanos() as f64
}

fn summary(mut times: Vec<f64>) -> Timing {
    times.sort_by(f64::total_cmp);
    let last = times.len().saturating_sub(1);
    let at = |quarter: usize| times.get(last * quarter / 4).copied().unwrap_or(f64::NAN);
    Timing { lower_ns: at(1), median_ns: at(2), upper_ns: at(3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_in_order() {
        let times = (0..101).rev().map(f64::from).collect();
        let timing = summary(times);
        assert_eq!((timing.lower_ns, timing.median_ns, timing.upper_ns), (25.0, 50.0, 75.0));
    }

    #[test]
    fn every_action_runs_as_often_as_it_is_timed() {
        let (mut first, mut second) = (0_u64, 0_u64);
        let timings = side_by_side(3, &mut [&mut || first += 1, &mut || second += 1]);
        assert_eq!(timings.len(), 2);
        assert!(first >= 4 && second >= 4);
    }
}
