//! Round trips and timeouts of a connection (RFC 6298).

use netfold_worker::Timing;

use crate::time::Time;

/// Doublings of a timeout at most; the bound of [`Timing`] comes first as a rule.
const MOST_BACKOFF: u32 = 16;

/// The estimator of RFC 6298, in picoseconds, with the job's bounds.
pub(crate) struct Estimator {
    timing: Timing,
    /// SRTT and RTTVAR, once a round trip was measured.
    measured: Option<(u64, u64)>,
    backoff: u32,
}

impl Estimator {
    pub(crate) fn new(timing: Timing) -> Self {
        Self { timing, measured: None, backoff: 0 }
    }

    /// Takes a measured round trip. What was sent twice has none (Karn).
    pub(crate) fn sample(&mut self, round_trip: Time) {
        let rtt = round_trip.ps();
        self.measured = Some(match self.measured {
            None => (rtt, rtt / 2),
            Some((srtt, rttvar)) => ((7 * srtt + rtt) / 8, (3 * rttvar + srtt.abs_diff(rtt)) / 4),
        });
    }

    /// Something was acknowledged.
    pub(crate) fn heard(&mut self) {
        self.backoff = 0;
    }

    /// Nothing was, for as long as the timeout.
    pub(crate) fn expired(&mut self) {
        self.backoff = (self.backoff + 1).min(MOST_BACKOFF);
    }

    /// The timeout as it stands.
    pub(crate) fn timeout(&self) -> Time {
        let Timing { rto_initial_us, rto_min_us, rto_max_us } = self.timing;
        let [initial, least, most] =
            [rto_initial_us, rto_min_us, rto_max_us].map(|us| Time::from_us(us).ps());
        let plain = self.measured.map_or(initial, |(srtt, rttvar)| srtt + 4 * rttvar);
        Time::from_ps(plain.max(least).saturating_mul(1 << self.backoff).min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_those_of_the_rfc_within_the_bounds() {
        let timing = Timing { rto_initial_us: 30, rto_min_us: 10, rto_max_us: 100 };
        let mut estimator = Estimator::new(timing);
        assert_eq!(estimator.timeout(), Time::from_us(30));
        // SRTT 8, RTTVAR 4: 8 + 4 * 4. The second time SRTT stays, and RTTVAR becomes 3.
        for timeout_us in [24, 20] {
            estimator.sample(Time::from_us(8));
            assert_eq!(estimator.timeout(), Time::from_us(timeout_us));
        }
        for timeout_us in [40, 80, 100, 100] {
            estimator.expired();
            assert_eq!(estimator.timeout(), Time::from_us(timeout_us));
        }
        estimator.heard();
        for _ in 0..40 {
            estimator.sample(Time::from_us(1));
        }
        assert_eq!(estimator.timeout(), Time::from_us(10));
    }
}
