//! The fate of a datagram on a link, drawn from the link's own generator.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Deserialize;

use crate::error::Error;
use crate::time::Time;

/// Losses that come in bursts (Gilbert and Elliott): a link is in a good or in a bad state, changes
/// it at random with each datagram, and loses datagrams in the bad one.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bursts {
    /// Share of datagrams with which a good link becomes bad.
    pub begin: f64,
    /// Share of datagrams with which a bad link becomes good.
    pub end: f64,
    /// Share of datagrams that a bad link loses.
    pub loss: f64,
}

/// Faults of a link, which befall datagrams that it has admitted. Shares are between 0 and 1, and
/// independent of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// Share of datagrams that are lost.
    pub loss: f64,
    /// Losses in bursts.
    pub bursts: Option<Bursts>,
    /// Share of datagrams that come twice, one right after the other.
    pub duplication: f64,
    /// Share of datagrams that are held up, so that later ones overtake them.
    pub reordering: f64,
    /// Longest time for which they are held up, in nanoseconds; each is held up for a random time.
    pub reordering_ns: u64,
    /// Share of datagrams of which one bit is flipped.
    pub corruption: f64,
}

impl Faults {
    /// Returns whether a link with these delivers everything, once and in order.
    pub fn are_none(&self) -> bool {
        let Self { loss, bursts, duplication, reordering, reordering_ns: _, corruption } = *self;
        bursts.is_none() && [loss, duplication, reordering, corruption] == [0.0; 4]
    }

    /// Checks that they are possible.
    ///
    /// # Errors
    /// [`Error::Share`].
    pub fn checked(&self) -> Result<(), Error> {
        let Self { loss, bursts, duplication, reordering, reordering_ns: _, corruption } = *self;
        let own = [
            ("loss", loss),
            ("duplication", duplication),
            ("reordering", reordering),
            ("corruption", corruption),
        ];
        let of_bursts = bursts.map(|Bursts { begin, end, loss }| {
            [("bursts.begin", begin), ("bursts.end", end), ("bursts.loss", loss)]
        });
        let shares = own.into_iter().chain(of_bursts.into_iter().flatten());
        match shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            Some((what, share)) => Err(Error::Share { what, share }),
            None => Ok(()),
        }
    }
}

/// Fate of one datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is lost.
    Lost,
    /// It comes.
    Comes {
        /// So much later than it would.
        held_up: Time,
        /// A second time, too.
        twice: bool,
        /// With this bit flipped, counted from the first of the datagram, modulo their number.
        flipped: Option<usize>,
    },
}

/// The faults of a link in progress.
pub(crate) struct LinkFaults {
    faults: Faults,
    rng: Pcg64Mcg,
    bad: bool,
}

impl LinkFaults {
    /// The faults of link number `link` in the run of `seed`. Links draw independently of each
    /// other.
    pub(crate) fn new(faults: Faults, seed: u64, link: u32) -> Self {
        // Odd, so that different links have different seeds.
        let seed = seed.wrapping_add(u64::from(link).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Self { faults, rng: Pcg64Mcg::seed_from_u64(seed), bad: false }
    }

    /// Draws the fate of the next datagram.
    pub(crate) fn fate(&mut self) -> Fate {
        let Self { faults, rng, bad } = self;
        if let Some(Bursts { begin, end, loss }) = faults.bursts {
            *bad = if *bad { !rng.random_bool(end) } else { rng.random_bool(begin) };
            if *bad && rng.random_bool(loss) {
                return Fate::Lost;
            }
        }
        if rng.random_bool(faults.loss) {
            return Fate::Lost;
        }
        let held_up = if rng.random_bool(faults.reordering) {
            Time::from_ps(rng.random_range(0..=Time::from_ns(faults.reordering_ns).ps()))
        } else {
            Time::ZERO
        };
        let twice = rng.random_bool(faults.duplication);
        let flipped = rng.random_bool(faults.corruption).then(|| rng.random_range(0..1 << 32));
        Fate::Comes { held_up, twice, flipped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(faults: Faults, datagrams: usize) -> Vec<bool> {
        let mut faults = LinkFaults::new(faults, 1, 0);
        (0..datagrams).map(|_| faults.fate() == Fate::Lost).collect()
    }

    /// The share of losses, and the mean length of a run of them, are those of the two-state chain:
    /// with begin b, end e and all lost in the bad state, b / (b + e) and 1 / e. The tolerance is
    /// four standard deviations of n independent draws, times the square root of 2 / e - 1 by which
    /// the chain's correlation widens it.
    #[test]
    fn bursts_are_those_of_the_chain() {
        let (begin, end, n) = (0.01, 0.25, 200_000);
        let lost =
            lost(Faults { bursts: Some(Bursts { begin, end, loss: 1.0 }), ..Faults::default() }, n);
        let losses = lost.iter().filter(|lost| **lost).count() as f64;
        let bursts = lost.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
        let share = begin / (begin + end);
        let tolerance = 4.0 * (share * (1.0 - share) / n as f64 * (2.0 / end - 1.0)).sqrt();
        assert!((losses / n as f64 - share).abs() < tolerance, "{losses}");
        // A geometric length has the standard deviation sqrt(1 - e) / e.
        let tolerance = 4.0 * (1.0 - end).sqrt() / end / bursts.sqrt();
        assert!((losses / bursts - 1.0 / end).abs() < tolerance, "{losses} in {bursts}");
    }

    /// Within four standard deviations.
    #[test]
    fn independent_losses_have_their_share() {
        let (share, n) = (0.1, 100_000);
        let losses = lost(Faults { loss: share, ..Faults::default() }, n)
            .iter()
            .filter(|lost| **lost)
            .count();
        let deviation = (share * (1.0 - share) * n as f64).sqrt();
        assert!((losses as f64 - share * n as f64).abs() < 4.0 * deviation, "{losses}");
    }

    #[test]
    fn links_draw_independently() {
        let faults = Faults { loss: 0.5, ..Faults::default() };
        let draw = |seed, link| {
            let mut faults = LinkFaults::new(faults, seed, link);
            (0..64).map(|_| faults.fate() == Fate::Lost).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }

    #[test]
    fn what_is_no_share_is_refused_by_name() {
        let bursts = Bursts { begin: 0.1, end: 1.5, loss: 1.0 };
        let error = Faults { bursts: Some(bursts), ..Faults::default() }.checked().unwrap_err();
        assert!(error.to_string().contains("bursts.end"), "{error}");
        assert!(Faults { loss: f64::NAN, ..Faults::default() }.checked().is_err());
        assert!(Faults { loss: 1.0, ..Faults::default() }.checked().is_ok());
    }
}
