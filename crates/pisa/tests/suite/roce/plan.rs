//! The messages that all workers send, and a worker's end of a queue pair.

use netfold_num::Exponent;
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::roce::Roce;

use super::{MESSAGES, message};
use crate::dice::Dice;
use crate::fabric::Nic;
use crate::fabric::frame::Write;

/// The messages that all workers send.
pub struct Plan {
    seed: u64,
    workers: u16,
    config: Roce,
}

impl Plan {
    pub fn new(seed: u64, workers: u16, config: &Roce) -> Self {
        Self { seed, workers, config: config.clone() }
    }

    /// Returns the lanes of a worker, without any in an Exponents round, the value on which all
    /// agree, and its own exponent.
    fn message(&self, pair: usize, round: u16, worker: u16) -> (Vec<Vec<u32>>, u32, u32) {
        let (slot, packets) = MESSAGES[pair];
        let packets = packets.min(self.config.packets);
        let mut dice = Dice(self.seed ^ (pair as u64) << 32 ^ u64::from(round) << 40);
        let empty = packets == 1 && dice.below(3) == 0;
        let offset = dice.roll() as u32 >> 12;
        let exponent = Exponent::of_magnitude_bits(dice.roll() as u32);
        let mut dice = Dice(dice.roll() ^ u64::from(worker));
        let next = Exponent::of_magnitude_bits(dice.roll() as u32);
        let wire = |exponent: Exponent| u32::from(exponent.to_wire() as u16);
        let count = if empty { 0 } else { self.config.elements };
        let lanes = |_| (0..count).map(|at| self.lane(&mut dice, at)).collect();
        ((slot..slot + packets).map(lanes).collect(), offset, wire(exponent) << 16 | wire(next))
    }

    /// A lane. Floats are positive, so that no sum cancels (R-PISA-32), and near one another; those
    /// of even lanes are integers whose sums are exact.
    fn lane(&self, dice: &mut Dice, at: u16) -> u32 {
        match self.config.arithmetic {
            Arithmetic::Block => dice.roll() as u32,
            Arithmetic::Fpisa(_) if at.is_multiple_of(2) => {
                (512.0 + dice.below(512) as f32).to_bits()
            }
            Arithmetic::Fpisa(_) => (120 + dice.below(6) as u32) << 23 | dice.roll() as u32 >> 9,
        }
    }

    /// Its packets, from this PSN on.
    pub fn writes(&self, pair: usize, round: u16, worker: u16, psn: u32) -> Vec<Write> {
        let (lanes, offset, immediate) = self.message(pair, round, worker);
        let length = lanes.iter().map(|lanes| 4 * lanes.len() as u32).sum();
        message(pair, round, psn, offset, length, immediate, lanes)
    }

    /// Holds the lanes of a whole message to the sum: of floats, those that are exact.
    pub fn check(&self, pair: usize, round: u16, lanes: &[u32]) {
        let all = (0..self.workers).map(|worker| self.message(pair, round, worker).0.concat());
        let exact = |one: u32, other| match self.config.arithmetic {
            Arithmetic::Block => one.wrapping_add(other),
            Arithmetic::Fpisa(_) => (f32::from_bits(one) + f32::from_bits(other)).to_bits(),
        };
        let sums = all.reduce(|sum, lanes| {
            sum.iter().zip(&lanes).map(|(one, other)| exact(*one, *other)).collect()
        });
        let sums = sums.unwrap();
        assert_eq!(lanes.len(), sums.len());
        let is_exact =
            |at: usize| self.config.arithmetic == Arithmetic::Block || at.is_multiple_of(2);
        // Lanes are counted from the front of their packet.
        let in_packet = |at: usize| at % usize::from(self.config.elements);
        for (at, (lane, sum)) in lanes.iter().zip(&sums).enumerate() {
            assert!(
                !is_exact(in_packet(at)) || lane == sum,
                "seed {}: round {round} of queue pair {pair}, lane {at}: {lane:x}, not {sum:x}",
                self.seed
            );
        }
    }
}

/// A worker's end of a queue pair.
#[derive(Clone, Debug)]
pub struct End {
    pub round: u16,
    pub psn: u32,
    /// Packets of all workers until it sends its message again.
    pub waiting: usize,
    pub nic: Nic,
}

impl End {
    /// The ends of all workers: PSNs that go over the end of their range, and rounds that go over
    /// half of theirs.
    pub fn all(workers: u16, dice: &mut Dice) -> Vec<Vec<Self>> {
        let mut end = |_| Self {
            round: 0x7FFA,
            psn: 0xFF_FFFF - dice.below(40) as u32,
            waiting: 0,
            nic: Nic::default(),
        };
        (0..workers).map(|_| (0..MESSAGES.len()).map(&mut end).collect()).collect()
    }
}
