//! The faults that a datagram can meet on its way.

use std::ops::RangeInclusive;

use netfold_wire::IntegrityKind;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A worker that can neither send nor receive for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Rank of the worker.
    pub worker: u16,
    /// The time of the partition, in microseconds.
    pub during_us: RangeInclusive<u64>,
}

/// The faults of every link, in both directions. Shares are between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults {
    /// Share of datagrams that get lost.
    pub loss: f64,
    /// Share of datagrams that arrive twice, each with a delay of its own.
    pub duplicate: f64,
    /// Share of datagrams that arrive damaged: with flipped bits where the job's packets prove
    /// themselves, else cut short.
    pub corrupt: f64,
    /// Travel time of a datagram, in microseconds. A range lets datagrams overtake each other.
    pub delay_us: RangeInclusive<u64>,
    /// Share of datagrams of which another copy turns up late.
    pub late: f64,
    /// Delay of the late copy, in microseconds.
    pub late_us: RangeInclusive<u64>,
    /// A worker that is cut off for a while.
    pub partition: Option<Partition>,
}

impl Faults {
    /// A perfect network in which every datagram takes 50 µs.
    pub const NONE: Self = Self {
        loss: 0.0,
        duplicate: 0.0,
        corrupt: 0.0,
        delay_us: 50..=50,
        late: 0.0,
        late_us: 0..=0,
        partition: None,
    };

    /// Returns the arrivals of a datagram of or for `worker`, sent at `now_us`: a time for each
    /// copy.
    pub(super) fn carry(
        &self,
        rng: &mut Pcg64Mcg,
        now_us: u64,
        worker: u16,
        integrity: IntegrityKind,
        bytes: &[u8],
    ) -> Vec<(u64, Vec<u8>)> {
        if self
            .partition
            .as_ref()
            .is_some_and(|cut| cut.worker == worker && cut.during_us.contains(&now_us))
        {
            return Vec::new();
        }
        let mut arrivals = Vec::new();
        for _ in 0..1 + u8::from(rng.random_bool(self.duplicate)) {
            if rng.random_bool(self.loss) {
                continue;
            }
            let mut copy = bytes.to_vec();
            if rng.random_bool(self.corrupt) {
                damage(rng, integrity, &mut copy);
            }
            arrivals.push((now_us + rng.random_range(self.delay_us.clone()), copy));
        }
        if rng.random_bool(self.late) {
            arrivals.push((now_us + rng.random_range(self.late_us.clone()), bytes.to_vec()));
        }
        arrivals
    }
}

fn damage(rng: &mut Pcg64Mcg, integrity: IntegrityKind, bytes: &mut Vec<u8>) {
    let whole = bytes.len();
    if integrity == IntegrityKind::Transport || rng.random_bool(0.2) {
        bytes.truncate(rng.random_range(0..whole));
        return;
    }
    // Distinct bits, so that the packet is not what it was.
    let first = rng.random_range(0..whole * 8);
    for distance in 0..rng.random_range(1..=3usize) {
        let bit = (first + distance * 13) % (whole * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}
