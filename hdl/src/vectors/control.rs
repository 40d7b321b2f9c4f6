//! Packets of collectives, with the answers of a model of sets of ranks (R-CGRA-24).

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};

use super::{Dice, Vectors};

const COMMUNICATORS: usize = 16;
const RANKS: u32 = 16;
const PORTS: u32 = 8;

/// A communicator: the ports of its ranks, the ranks that have contributed, and the collective.
#[derive(Clone, Debug, Default)]
struct Communicator {
    size: u32,
    ports: Vec<u32>,
    contributors: BTreeSet<u32>,
    called: (u32, u32),
}

/// The answer to a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Answer {
    accepted: bool,
    begins: bool,
    completes: bool,
    ports: u32,
}

impl Communicator {
    /// Takes a packet of a collective: all-reduce 0, reduce 1, broadcast 2.
    fn take(&mut self, collective: u32, rank: u32, root: u32) -> Answer {
        let idle = self.contributors.is_empty();
        if rank >= self.size || root >= self.size {
            return Answer::default();
        }
        let everyone = (0..self.size).collect::<BTreeSet<_>>();
        let completes = match collective {
            0 | 1 => {
                let agrees = idle || self.called == (collective, root);
                if !agrees || !self.contributors.insert(rank) {
                    return Answer::default();
                }
                self.called = (collective, root);
                self.contributors == everyone
            }
            2 if idle && rank == root => true,
            _ => return Answer::default(),
        };
        let mut answer = Answer { accepted: true, begins: idle, completes, ports: 0 };
        if completes {
            self.contributors.clear();
            let receives = |rank: &u32| match collective {
                0 => true,
                1 => *rank == root,
                _ => *rank != root,
            };
            let ports = everyone.into_iter().filter(receives);
            answer.ports = ports.fold(0, |ports, rank| ports | 1 << self.ports[rank as usize]);
        }
        answer
    }
}

/// Records: an entry of a table, a packet; the answer.
pub struct Packets {
    dice: Dice,
    all: Vec<Communicator>,
    /// Entries that are still to be written before the first packet.
    unwritten: u32,
}

impl Packets {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        let one = Communicator { ports: vec![0; RANKS as usize], ..Communicator::default() };
        let all = vec![one; COMMUNICATORS];
        let unwritten = COMMUNICATORS as u32 * (RANKS + 1);
        Self { dice: Dice::seed_from_u64(seed), all, unwritten }
    }

    /// Writes an entry: 1 for a size, 1 for a port, its place, and its value.
    fn entry(&mut self) -> [u32; 5] {
        let (at, rank, is_size) = match self.unwritten.checked_sub(1) {
            Some(left) => {
                self.unwritten = left;
                (left / (RANKS + 1), left % (RANKS + 1) % RANKS, left % (RANKS + 1) == RANKS)
            }
            None => {
                let at = self.dice.random_range(0..COMMUNICATORS as u32);
                (at, self.dice.random_range(0..RANKS), self.dice.random_ratio(1, 4))
            }
        };
        let communicator = &mut self.all[at as usize];
        let value = if is_size {
            communicator.size = match self.dice.random_range(0..4) {
                0 => self.dice.random_range(0..=RANKS),
                _ => self.dice.random_range(1..4),
            };
            communicator.contributors.clear();
            communicator.size
        } else {
            communicator.ports[rank as usize] = self.dice.random_range(0..PORTS);
            communicator.ports[rank as usize]
        };
        [is_size.into(), (!is_size).into(), at, rank, value]
    }
}

impl Vectors for Packets {
    fn next(&mut self, record: &mut Vec<u32>) {
        if self.unwritten > 0 || self.dice.random_ratio(1, 32) {
            record.extend(self.entry());
            record.extend([0; 9]);
            return;
        }
        let at = self.dice.random_range(0..COMMUNICATORS);
        let communicator = &mut self.all[at];
        // Mostly what a program would send: the collective under way, by one who is missing.
        let missing = (0..communicator.size).find(|rank| !communicator.contributors.contains(rank));
        let usual = self.dice.random_ratio(7, 8);
        let (collective, root) = if usual && !communicator.contributors.is_empty() {
            communicator.called
        } else {
            let root = self.dice.random_range(0..communicator.size.clamp(1, RANKS));
            (self.dice.random_range(0..4), root)
        };
        let rank = match missing.filter(|_| usual) {
            Some(_) if collective == 2 => root,
            Some(missing) => missing,
            None => self.dice.random_range(0..RANKS),
        };
        let Answer { accepted, begins, completes, ports } =
            communicator.take(collective, rank, root);
        record.extend([0; 5]);
        record.extend([1, at as u32, collective, rank, root]);
        record.extend([accepted.into(), begins.into(), completes.into(), ports]);
    }
}
