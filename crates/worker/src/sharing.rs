//! A window's share of a queue that the network marks (R-ECN-3, R-ECN-4).

/// Fraction of a window that a mark leaves: that of CUBIC (RFC 9438, section 4.6).
const KEPT: (u32, u32) = (7, 10);

/// Growth of a window of weight 1 in a round trip, as a fraction of a round: 3 (1 - b) / (1 + b)
/// with b = 7/10. With it, the window has the share of a flow which grows by 1 and halves (RFC
/// 9438, section 4.3).
const GROWTH: (u32, u32) = (9, 17);

/// Additive increase and multiplicative decrease, from a mark on until the marks have ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing {
    /// Growth in a round trip, in parts of which `parts` are a round.
    growth: u32,
    parts: u32,
    state: Option<Shared>,
}

/// A queue that others share.
#[derive(Clone, Copy, Debug)]
struct Shared {
    /// The window when the last mark came that reduced it.
    marked_at: u32,
    /// Results of transmissions from this one on show the effect of the reduction.
    until: u64,
    /// Parts of a round that the window has grown by.
    grown: u32,
}

impl Sharing {
    /// Makes the share of one of a job's `flows`, which have the job's `weight` together (R-ECN-4).
    pub(crate) fn new(weight: u16, flows: u16) -> Self {
        Self {
            growth: GROWTH.0 * u32::from(weight),
            parts: GROWTH.1 * u32::from(flows),
            state: None,
        }
    }

    /// Returns whether marks have come lately.
    pub(crate) fn is_on(&self) -> bool {
        self.state.is_some()
    }

    /// Returns the size of a window of `rounds` after the result of a transmission is marked, at
    /// least `least`; `None` if it has been reduced since that went out. `next` is the number of
    /// the next transmission.
    pub(crate) fn mark(
        &mut self,
        transmission: u64,
        next: u64,
        rounds: u32,
        least: u32,
    ) -> Option<u32> {
        if self.state.is_some_and(|shared| transmission < shared.until) {
            return None;
        }
        let grown = self.state.map_or(0, |shared| shared.grown);
        let kept = (rounds * self.parts + grown) * KEPT.0 / KEPT.1;
        self.state = Some(Shared { marked_at: rounds, until: next, grown: kept % self.parts });
        Some((kept / self.parts).max(least).min(rounds))
    }

    /// Returns the size of a window of `rounds`, at most `most`, after a round trip in which it was
    /// full, if marks have come before and none did now. Marks have ended when the window is twice
    /// what it was at the last one.
    pub(crate) fn grow(&mut self, rounds: u32, most: u32) -> u32 {
        let Some(shared) = &mut self.state else { return rounds };
        let grown = shared.grown + self.growth;
        shared.grown = grown % self.parts;
        let rounds = (rounds + grown / self.parts).min(most);
        if rounds >= (2 * shared.marked_at).min(most) {
            self.state = None;
        }
        rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue of `capacity` rounds, path included, that marks every flow in a round trip in which
    /// all together exceed it. Gives the mean of each window over the second half of `round_trips`.
    fn shares(flows: &[(u16, u16)], capacity: u32, round_trips: u64) -> Vec<f64> {
        let mut windows: Vec<_> =
            flows.iter().map(|&(weight, flows)| (Sharing::new(weight, flows), capacity)).collect();
        let mut sums = vec![0.0; flows.len()];
        for round_trip in 0..round_trips {
            let marked = windows.iter().map(|(_, rounds)| rounds).sum::<u32>() > capacity;
            for ((sharing, rounds), sum) in windows.iter_mut().zip(&mut sums) {
                if marked {
                    *rounds =
                        sharing.mark(round_trip, round_trip + 1, *rounds, 2).unwrap_or(*rounds);
                } else {
                    *rounds = sharing.grow(*rounds, 100_000);
                }
                if round_trip >= round_trips / 2 {
                    *sum += f64::from(*rounds);
                }
            }
        }
        sums.iter().map(|sum| sum / (round_trips - round_trips / 2) as f64).collect()
    }

    /// R-ECN-4: with marks that come to all at once, windows become proportional to growth,
    /// whatever they were before: each reduction takes 3/10 of what they differ by. Half a round
    /// that a window has begun to grow by is 1 % of the smallest mean here.
    #[test]
    fn shares_are_as_weights() {
        for (flows, expected) in [
            (&[(1, 1), (1, 1)][..], &[0.5, 0.5][..]),
            (&[(1, 1), (2, 1)][..], &[1.0 / 3.0, 2.0 / 3.0][..]),
            (&[(1, 1), (1, 2), (1, 2)][..], &[0.5, 0.25, 0.25][..]),
            (&[(3, 1), (1, 1), (4, 1)][..], &[0.375, 0.125, 0.5][..]),
        ] {
            let means = shares(flows, 1_000, 200_000);
            let sum: f64 = means.iter().sum();
            for (mean, expected) in means.iter().zip(expected) {
                assert!((mean / sum / expected - 1.0).abs() < 0.01, "{means:?} with {flows:?}");
            }
        }
    }

    /// R-ECN-3: the share of a flow that grows by a round and halves (RFC 5681) under the same
    /// marks. Between two of them, n round trips apart, that has a mean of 3n/2, and this one has
    /// 9/17 n (1 + 7/10) / 2 / (1 - 7/10) = 3n/2. Half a round is 0.2 % of the mean of 300 or less.
    #[test]
    fn a_share_is_that_of_tcp() {
        let (mut sharing, mut window, mut tcp) = (Sharing::new(1, 1), 64_u32, 2.0_f64);
        let (mut ours, mut theirs) = (0.0, 0.0);
        for round_trip in 0..200_000 {
            if f64::from(window) + tcp > 600.0 {
                window = sharing
                    .mark(round_trip, round_trip + 1, window, 2)
                    .expect("a reduction in each round trip");
                tcp /= 2.0;
            } else {
                window = sharing.grow(window, 100_000);
                tcp += 1.0;
            }
            if round_trip > 10_000 {
                ours += f64::from(window);
                theirs += tcp;
            }
        }
        assert!((ours / theirs - 1.0).abs() < 0.01, "{}", ours / theirs);
    }

    /// R-ECN-3: a transmission that was sent before a reduction says nothing of its effect.
    #[test]
    fn a_window_is_reduced_once_in_a_round_trip() {
        let mut sharing = Sharing::new(1, 1);
        assert_eq!(sharing.mark(10, 110, 100, 2), Some(70));
        assert_eq!(sharing.mark(11, 120, 70, 2), None);
        assert_eq!(sharing.mark(109, 180, 70, 2), None);
        assert_eq!(sharing.mark(110, 180, 70, 2), Some(49));
        assert_eq!(sharing.mark(180, 190, 3, 2), Some(2));
        assert_eq!(sharing.mark(190, 191, 2, 2), Some(2));
        assert_eq!(sharing.mark(191, 192, 1, 2), Some(1));
    }

    /// R-ECN-3: a window that has doubled since the last mark has found more room than there was.
    #[test]
    fn marks_have_ended_when_the_window_has_doubled() {
        let mut sharing = Sharing::new(17, 1);
        let mut rounds = sharing.mark(0, 1, 100, 2).expect("the first mark");
        // 9 rounds in a round trip, from 70 to 200.
        for round_trip in 1..=15 {
            assert!(sharing.is_on(), "after {round_trip} round trips");
            rounds = sharing.grow(rounds, 1_000);
        }
        assert_eq!((rounds, sharing.is_on()), (205, false));
        assert_eq!(sharing.grow(rounds, 1_000), rounds);
        // Or it is as large as it can be.
        assert_eq!(sharing.mark(1, 2, 100, 2), Some(70));
        assert_eq!((sharing.grow(70, 72), sharing.is_on()), (72, false));
    }
}
