//! The blocks of a plan: what a worker sends and takes in each (R-STREAM-1 to R-STREAM-5,
//! R-STREAM-16, R-STREAM-17).

use core::ops::Range;

use netfold_wire::{Delivery, WorkerId};

use super::Plan;
use super::segments::ends;
use crate::call::Collective;

/// One packet's worth of a call. Offsets and lengths are in elements of the call's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Elements, and lanes.
    pub elements: u16,
    /// Offset of this worker's contribution in its input; `None` if it contributes nothing.
    pub input: Option<u64>,
    /// Elements of this contribution: the lanes behind them are zeros (R-STREAM-17).
    pub sent: u16,
    /// Offset of the result in this worker's output; `None` if it takes nothing.
    pub output: Option<u64>,
    /// Elements of the result that it takes, the first ones.
    pub taken: u16,
    /// Receivers of the lanes of the result.
    pub delivery: Delivery,
    /// Its elements travel as bytes, as they are in memory: one worker's, which nothing is folded
    /// with (R-STREAM-19).
    pub raw: bool,
}

impl Block {
    /// A block of a call without elements (R-STREAM-7).
    pub(super) const BARE: Self = Self {
        elements: 0,
        input: None,
        sent: 0,
        output: None,
        taken: 0,
        delivery: Delivery::All,
        raw: false,
    };
}

impl Block {
    /// A block whose operand and result are at the same place of this worker's vectors (R-OP-32).
    fn own(elements: u16, offset: u64) -> Self {
        let (at, delivery) = (Some(offset), Delivery::Shift(0));
        Self {
            elements,
            input: at,
            sent: elements,
            output: at,
            taken: elements,
            delivery,
            raw: false,
        }
    }
}

/// Elements that a worker copies from its own input to its own output: they do not travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Offset in the input, in elements.
    pub input: u64,
    /// Offset in the output, in elements.
    pub output: u64,
    /// Number of elements.
    pub elements: u64,
}

impl Plan {
    /// Returns the elements that this worker gets from itself, which do not travel; `None` if all
    /// of its elements travel.
    #[inline]
    pub fn kept(&self) -> Option<Kept> {
        let own = self.rank.0;
        let (from, to) = (self.parts.input(own), self.parts.output(own));
        let (input, output, elements) = match self.call.collective {
            Collective::Gather { root } if root.0 == own => (0, to, self.parts.elements(own, None)),
            Collective::Scatter { root } if root.0 == own => {
                (from, 0, self.parts.elements(own, None))
            }
            Collective::AllToAll => (from, to, self.parts.elements(own, Some(own))),
            Collective::Scan if own == 0 => (0, 0, self.call.elements),
            Collective::ScanTotal if own == 0 && !self.is_last() => {
                (0, self.call.elements, self.call.elements)
            }
            _ => return None,
        };
        (elements > 0).then_some(Kept { input, output, elements })
    }

    /// Returns block number `index` of the call.
    ///
    /// # Panics
    /// If there is no such block.
    #[inline]
    pub fn block(&self, index: u64) -> Block {
        assert!(index < self.blocks(), "the call has {} blocks", self.blocks());
        if self.travelling == 0 {
            return Block::BARE;
        }
        if let Some(longest) = &self.exchange {
            return self.exchange_block(longest, index);
        }
        let (from, to, offset) = self.origin(index);
        let length = self.parts.elements(from, to);
        let elements = (length - offset).min(self.lanes_per_block.into()) as u16;
        let (rank, part) = (self.rank, WorkerId(from));
        let mine = part == rank;
        let whole = Some(offset);
        let output = || self.parts.output(from) + offset;
        let (output, delivery) = match self.call.collective {
            Collective::Barrier | Collective::Elsewhere { .. } => (None, Delivery::All),
            Collective::AllReduce => (whole, Delivery::All),
            Collective::LookAside => (whole, Delivery::Shift(0)),
            Collective::Reduce { root } => (whole.filter(|_| root == rank), Delivery::One(root)),
            Collective::Broadcast { root } => (whole.filter(|_| root != rank), Delivery::All),
            Collective::Message => {
                let to = WorkerId(1);
                (whole.filter(|_| rank == to), Delivery::One(to))
            }
            Collective::AllGather => (Some(output()), Delivery::All),
            Collective::ReduceScatter
            | Collective::Scatter { .. }
            | Collective::Scan
            | Collective::ExScan => (whole.filter(|_| mine), Delivery::One(part)),
            Collective::Gather { root } => ((root == rank).then(output), Delivery::One(root)),
            Collective::AllToAll => {
                let to = WorkerId(to.unwrap_or(from));
                ((to == rank).then(output), Delivery::One(to))
            }
            Collective::Prefixes => {
                (Some(u64::from(from) * self.call.elements + offset), Delivery::All)
            }
            Collective::ScanTotal if from + 1 == self.workers => (whole, Delivery::All),
            Collective::ScanTotal => {
                (mine.then_some(self.call.elements + offset), Delivery::One(part))
            }
        };
        let sends = self.contributors_to(from).contains(&rank.0);
        let input = sends.then(|| self.start_in_input(from, to) + offset);
        let raw = self.call.collective == Collective::Prefixes && from == 0;
        Block { elements, input, sent: elements, output, taken: elements, delivery, raw }
    }

    /// Returns the ranks that contribute to block `index`, and the offset of their contributions in
    /// their inputs, in elements. The call has elements, and is no exchange.
    ///
    /// # Panics
    /// If there is no such block.
    pub(crate) fn contributions(&self, index: u64) -> (Range<u16>, u64) {
        let (from, to, offset) = self.origin(index);
        (self.contributors_to(from), self.start_in_input(from, to) + offset)
    }

    /// Returns the offset of a segment in the inputs of those who contribute to it. In an
    /// all-to-all that is `from`, which sends it to `to`.
    #[inline]
    fn start_in_input(&self, from: u16, to: Option<u16>) -> u64 {
        match (self.call.collective, to) {
            (Collective::ReduceScatter | Collective::Scatter { .. }, _) => self.parts.input(from),
            (Collective::AllToAll, Some(to)) if from == self.rank.0 => self.parts.input(to),
            (Collective::AllToAll, Some(to)) => {
                (0..to).map(|to| self.parts.elements(from, Some(to))).sum()
            }
            _ => 0,
        }
    }

    /// Returns this worker's input as one block, to be packed at once.
    pub(crate) fn whole_input(&self) -> Block {
        let elements = self.input_output_elements().0 as u16;
        Block { elements, input: Some(0), sent: elements, ..Block::BARE }
    }

    /// Returns the elements of the longest input of a worker.
    pub(crate) fn longest_input(&self) -> u64 {
        let part = |rank, to| self.parts.elements(rank, to);
        let ranks = 0..self.workers;
        let longest = match self.call.collective {
            Collective::AllGather | Collective::Gather { .. } => {
                ranks.map(|rank| part(rank, None)).max()
            }
            Collective::AllToAll => {
                let input = |rank| ranks.clone().map(|to| part(rank, Some(to))).sum();
                ranks.clone().map(input).max()
            }
            Collective::ReduceScatter | Collective::Scatter { .. } => {
                Some(self.parts.input(self.workers))
            }
            _ => Some(self.call.elements),
        };
        longest.unwrap_or(0)
    }

    /// Returns the ranks that contribute to a segment, which is that of rank `from` (R-STREAM-4).
    #[inline]
    fn contributors_to(&self, from: u16) -> Range<u16> {
        match self.call.collective {
            Collective::Broadcast { root } | Collective::Scatter { root } => root.0..root.0 + 1,
            Collective::Message => 0..1,
            Collective::AllGather | Collective::Gather { .. } | Collective::AllToAll => {
                from..from + 1
            }
            Collective::Scan | Collective::Prefixes | Collective::ScanTotal => 0..from + 1,
            Collective::ExScan => 0..from,
            _ => 0..self.workers,
        }
    }

    /// R-STREAM-16, R-STREAM-17
    fn exchange_block(&self, longest: &[u64], index: u64) -> Block {
        let place = self.segments.place(index);
        let (n, rank, distance) = (self.workers, self.rank.0, place.group + 1);
        let offset = place.block * u64::from(self.lanes_per_block);
        let most = longest[usize::from(place.group)] - offset;
        let elements = most.min(self.lanes_per_block.into()) as u16;
        if self.call.collective == Collective::LookAside {
            return Block::own(elements, offset);
        }
        if let Some(delivery) = self.call.collective.prefix_delivery() {
            return self.prefix_block(delivery, elements, offset);
        }
        let (to, from) = ((rank + distance) % n, (rank + n - distance) % n);
        let here = |from, to| {
            let length = self.parts.elements(from, Some(to));
            length.saturating_sub(offset).min(elements.into()) as u16
        };
        let (sent, taken) = (here(rank, to), here(from, rank));
        Block {
            elements,
            input: (sent > 0).then(|| self.parts.input(to) + offset),
            sent,
            output: (taken > 0).then(|| self.parts.output(from) + offset),
            taken,
            delivery: Delivery::Shift(distance),
            raw: false,
        }
    }

    pub(super) fn is_last(&self) -> bool {
        self.rank.0 + 1 == self.workers
    }

    /// Returns the rank whose part a block belongs to, in an all-to-all the rank to which it goes,
    /// and the block's offset in the part.
    #[inline]
    fn origin(&self, index: u64) -> (u16, Option<u16>, u64) {
        let place = self.segments.place(index);
        let (from, to) = ends(self.call.collective, self.workers, place.group, place.member);
        (from, to, place.block * u64::from(self.lanes_per_block))
    }

    /// Returns the number of the element at a lane of block `index`, counted over all parts.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn element(&self, index: u64, lane: u16) -> u64 {
        if self.exchange.is_some() {
            // The last rank contributes nothing to an exscan.
            let block = self.block(index);
            return block.input.or(block.output).unwrap_or(0) + u64::from(lane);
        }
        let (from, _, offset) = self.origin(index);
        let part = match self.call.collective {
            // The vector is the same for every rank.
            of if of.prefix_delivery().is_some() => 0,
            _ => self.parts.input(from),
        };
        part + offset + u64::from(lane)
    }
}
