//! Packets that are between two passes, at the loopback ports of a pipeline.

use std::collections::{BTreeMap, VecDeque};

use crate::dice::Dice;

/// A packet at a port, with the number of the one that it began as.
pub struct Pass {
    pub port: u16,
    pub number: usize,
    pub bytes: Vec<u8>,
}

/// The queues of the loopback ports, first in, first out.
#[derive(Default)]
pub struct Loopback(BTreeMap<u16, VecDeque<(usize, Vec<u8>)>>);

impl Loopback {
    pub fn push(&mut self, pass: Pass) {
        self.0.entry(pass.port).or_default().push_back((pass.number, pass.bytes));
    }

    /// Returns the first packet of some port, in 45 of 100 cases or, with `empties`, always; `None`
    /// otherwise, and if all ports are empty.
    pub fn draw(&mut self, dice: &mut Dice, empties: bool) -> Option<Pass> {
        let waiting: Vec<u16> =
            self.0.iter().filter(|(_, queue)| !queue.is_empty()).map(|(port, _)| *port).collect();
        if waiting.is_empty() || !(empties || dice.below(100) < 45) {
            return None;
        }
        let port = waiting[dice.below(waiting.len())];
        let (number, bytes) = self.0.get_mut(&port)?.pop_front()?;
        Some(Pass { port, number, bytes })
    }

    /// Packets at all ports.
    pub fn len(&self) -> usize {
        self.0.values().map(VecDeque::len).sum()
    }
}
