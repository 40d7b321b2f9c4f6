//! The time after which a round counts as lost (R-TIME-2, R-TIME-3).

/// Bounds of the retransmission timeout, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Before any round trip has been measured.
    pub rto_initial_us: u64,
    /// Never less, `RTO_MIN`, where other workers may not be there yet: the time for which an
    /// operating system may leave a peer waiting for a core. What else a delay can mean is measured
    /// with it: see [`Timing::probe_min_us`] and [`Timing::queue_us`].
    pub rto_min_us: u64,
    /// Never more, `RTO_MAX`.
    pub rto_max_us: u64,
}

impl Timing {
    /// Returns the least timeout where all workers are there (R-TIME-3): a hundredth of `RTO_MIN`.
    /// By default that is twice the slack of Linux's timers, below which a wait is no wait. A peer
    /// that waits for a core costs as many packets as the timeout doubles before it is back.
    pub const fn probe_min_us(&self) -> u64 {
        self.rto_min_us / 100
    }

    /// Returns the longest time for which an acknowledgement that nobody waits for is held
    /// (R-ACK-6). It is a quarter of `RTO_MIN`, so that nobody sends theirs again for it.
    pub const fn hold_us(&self) -> u64 {
        self.rto_min_us / 4
    }

    /// Returns the queueing that a window may cause (R-WORK-8): half of `RTO_MIN`. By default that
    /// is more than a time slice of Linux's scheduler, so that a peer which waits for a core is not
    /// taken for a queue.
    pub const fn queue_us(&self) -> u64 {
        self.rto_min_us / 2
    }
}

impl Default for Timing {
    fn default() -> Self {
        Self { rto_initial_us: 20_000, rto_min_us: 10_000, rto_max_us: 500_000 }
    }
}

/// The round-trip estimator of RFC 6298, in whole microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RttEstimator {
    timing: Timing,
    /// SRTT and RTTVAR, once a round trip was measured.
    measured: Option<(u64, u64)>,
    backoff: u32,
}

impl RttEstimator {
    pub(crate) fn new(timing: Timing) -> Self {
        Self { timing, measured: None, backoff: 0 }
    }

    /// Takes a measured round trip (RFC 6298, section 2: alpha 1/8, beta 1/4).
    pub(crate) fn sample(&mut self, rtt_us: u64) {
        self.measured = Some(match self.measured {
            None => (rtt_us, rtt_us / 2),
            Some((srtt, rttvar)) => {
                ((7 * srtt + rtt_us) / 8, (3 * rttvar + srtt.abs_diff(rtt_us)) / 4)
            }
        });
    }

    /// Returns SRTT, once a round trip was measured.
    pub(crate) fn srtt_us(&self) -> Option<u64> {
        self.measured.map(|(srtt, _)| srtt)
    }

    /// Returns the timeout as it stands, back-off included, for a round that all workers were there
    /// for, or not (R-TIME-3).
    pub(crate) fn timeout_us(&self, attended: bool) -> u64 {
        let Timing { rto_initial_us, rto_min_us, rto_max_us } = self.timing;
        let base = match self.measured {
            None => rto_initial_us.max(rto_min_us),
            Some((srtt, rttvar)) => (srtt + 4 * rttvar).max(2 * srtt).max(if attended {
                self.timing.probe_min_us()
            } else {
                rto_min_us
            }),
        };
        base.saturating_mul(1 << self.backoff.min(20)).min(rto_max_us)
    }

    pub(crate) fn back_off(&mut self) {
        self.backoff += 1;
    }

    pub(crate) fn end_back_off(&mut self) {
        self.backoff = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMING: Timing = Timing { rto_initial_us: 1_000, rto_min_us: 500, rto_max_us: 50_000 };

    /// R-TIME-3, against the definition in real numbers.
    #[test]
    fn the_timeout_follows_rfc_6298() {
        let mut estimator = RttEstimator::new(TIMING);
        assert_eq!(estimator.timeout_us(false), 1_000);
        let samples = [4_000.0, 5_000.0, 3_000.0, 4_500.0, 9_000.0];
        let (mut srtt, mut rttvar): (f64, f64) = (samples[0], samples[0] / 2.0);
        estimator.sample(samples[0] as u64);
        for sample in &samples[1..] {
            rttvar = 0.75 * rttvar + 0.25 * (srtt - sample).abs();
            srtt = 0.875 * srtt + 0.125 * sample;
            estimator.sample(*sample as u64);
        }
        let exact = srtt + 4.0 * rttvar;
        // Whole microseconds: each of four steps cuts below 1 us of SRTT and of RTTVAR.
        assert!(
            (estimator.timeout_us(false) as f64 - exact).abs() <= 4.0 * 5.0,
            "{} {exact}",
            estimator.timeout_us(false)
        );
    }

    #[test]
    fn a_back_off_doubles_up_to_the_limit_and_ends() {
        let mut estimator = RttEstimator::new(TIMING);
        estimator.sample(100);
        assert_eq!(estimator.timeout_us(false), TIMING.rto_min_us);
        for doublings in 1..=40u32 {
            estimator.back_off();
            assert_eq!(
                estimator.timeout_us(false),
                (500u64 << doublings.min(20)).min(TIMING.rto_max_us)
            );
        }
        estimator.end_back_off();
        assert_eq!(estimator.timeout_us(false), TIMING.rto_min_us);
    }
}
