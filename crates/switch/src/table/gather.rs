//! The gathering of a generation from the switches below (R-KEY-17, R-KEY-18).

mod leaf;

use std::collections::VecDeque;

use netfold_wire::TablePacket;

use super::memory::TreeRegisters;
use super::spec::TableSpec;
use leaf::SEQUENCES;
pub use leaf::{LeafRequest, LeafState};

/// A table that asks the switches below, and its news for them (R-KEY-19).
#[derive(Clone, Copy, Debug)]
pub(super) struct Asker<'a> {
    pub(super) spec: &'a TableSpec,
    /// A switch is to stop.
    pub(super) going: bool,
    /// The job is over.
    pub(super) over: bool,
}

/// The news for the table in a leaf's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing, or nothing new.
    Nothing,
    /// Pairs to be folded.
    Pairs,
    /// The window of the worker that the answer names.
    Window,
}

/// No leaf, in a list of leaves by rank.
const NOBODY: u16 = u16::MAX;

/// The leaves of a table's switch.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    leaves: Box<[LeafState]>,
    /// For each rank the leaf that stands for it.
    homes: Box<[u16]>,
    /// A generation is being gathered.
    active: bool,
    /// A leaf that was found empty in it may have been pushed to since.
    doubted: bool,
    /// The parts of the servers that have asked for it.
    awaited: u64,
    /// The parts of servers that are to be told that what they have asked for was empty.
    empty: u64,
    /// The requests that are to be sent, oldest first.
    pub(super) requests: VecDeque<LeafRequest>,
}

impl Gather {
    pub(super) fn new(spec: &TableSpec) -> Self {
        let leaves = &spec.tree.leaves;
        let mut homes = vec![NOBODY; if leaves.is_empty() { 0 } else { spec.workers.into() }];
        for (index, leaf) in (0..).zip(leaves) {
            for worker in &leaf.workers {
                if let Some(home) = homes.get_mut(usize::from(worker.0)) {
                    *home = index;
                }
            }
        }
        Self {
            leaves: leaves.iter().cloned().map(LeafState::new).collect(),
            homes: homes.into(),
            active: false,
            doubted: false,
            awaited: 0,
            empty: 0,
            requests: VecDeque::with_capacity(leaves.len() * SEQUENCES),
        }
    }

    /// Bytes that it takes.
    pub(super) fn memory_bytes(spec: &TableSpec) -> u64 {
        let tree = &spec.tree;
        if tree.leaves.is_empty() {
            return 0;
        }
        let each = size_of::<LeafState>() + SEQUENCES * size_of::<LeafRequest>();
        (tree.leaves.len() * each) as u64 + 2 * 2 * u64::from(spec.workers)
    }

    pub(super) fn registers(&self) -> TreeRegisters<'_> {
        let Self { leaves, doubted, awaited, empty, .. } = self;
        let (doubted, awaited, empty) = (*doubted, *awaited, *empty);
        TreeRegisters { leaves, doubted, awaited, empty, ..TreeRegisters::default() }
    }

    pub(super) fn has_leaves(&self) -> bool {
        !self.leaves.is_empty()
    }

    pub(super) fn is_active(&self) -> bool {
        self.active
    }

    /// Returns whether a leaf is to stop (R-KEY-16).
    pub(super) fn is_going(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.going)
    }

    /// Returns whether nothing was in any leaf when it was asked last.
    pub(super) fn is_empty(&self) -> bool {
        !self.doubted && self.leaves.iter().all(|leaf| leaf.empty)
    }

    /// Forgets that there was nothing, so that leaves are asked again.
    pub(super) fn doubt(&mut self) {
        (self.doubted, self.empty) = (self.active, 0);
        self.leaves.iter_mut().for_each(|leaf| leaf.empty = false);
    }

    /// Returns, once, whether there was nothing in what the server of these parts has asked for.
    pub(super) fn take_empty(&mut self, parts: u64) -> bool {
        let empty = self.empty & parts != 0;
        self.empty &= !parts;
        empty
    }

    /// Has all leaves close what is open there, for the server of these parts.
    pub(super) fn begin(&mut self, asker: Asker<'_>, parts: u64) {
        (self.active, self.awaited) = (true, parts);
        let doubted = std::mem::take(&mut self.doubted);
        self.leaves.iter_mut().for_each(|leaf| leaf.begin(asker, doubted, &mut self.requests));
    }

    /// Asks all leaves for news, as a server does.
    pub(super) fn ask_news(&mut self, asker: Asker<'_>) {
        if !self.active {
            self.leaves.iter_mut().for_each(|leaf| leaf.ask_news(asker, &mut self.requests));
        }
    }

    /// The server of these parts asks while a generation is being gathered. Returns whether it is
    /// answered.
    pub(super) fn repeat(&mut self, asker: Asker<'_>, parts: u64) -> bool {
        self.awaited |= parts;
        let mut answered = true;
        for leaf in self.leaves.iter_mut().filter(|leaf| !leaf.is_done()) {
            answered &= leaf.repeat(asker, &mut self.requests);
        }
        answered
    }

    /// Tells the leaves that this switch will not ask again (R-KEY-19).
    pub(super) fn dismiss(&mut self, asker: Asker<'_>) {
        self.requests.extend(self.leaves.iter().map(|leaf| leaf.last_read(asker)));
    }

    /// Takes a leaf's answer, which fits the table, and goes on to the next request.
    pub(super) fn take(&mut self, asker: Asker<'_>, packet: &TablePacket<'_>) -> Found {
        let repr = &packet.repr;
        let home = self.homes.get(usize::from(repr.worker.0)).copied().unwrap_or(NOBODY);
        let Some(leaf) = self.leaves.get_mut(usize::from(home)) else { return Found::Nothing };
        let found = leaf.take(asker, repr, &mut self.requests);
        self.active &= !self.leaves.iter().all(LeafState::is_done);
        found
    }

    /// Notes that nothing was gathered, and nothing is here either.
    pub(super) fn note_empty(&mut self) {
        self.empty |= if self.doubted { 0 } else { self.awaited };
    }
}
