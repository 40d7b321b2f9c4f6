//! A switch below another, as that one reads it (R-KEY-18).

use std::collections::VecDeque;

use netfold_wire::{Epoch, JobId, PARTS, TABLE_HEADER_BYTES, TableKind, TableRepr, WorkerId};

use super::{Asker, Found};
use crate::table::spec::Leaf;

/// Reads of a leaf that are under way at a time, each of some of the parts.
pub(super) const SEQUENCES: usize = 8;

/// Servers' reads in a row, without an answer of a leaf, from which on they are not answered.
const LONGEST_SILENCE: u8 = 8;

/// All parts, a bit for each.
const ALL_PARTS: u64 = u64::MAX >> (64 - PARTS);

/// Bytes of the longest request to a leaf: a header, and parts.
const REQUEST_BYTES: usize = TABLE_HEADER_BYTES + 8;

/// A request of a switch to one of its leaves (R-KEY-18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeafRequest {
    /// The job's index.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// The leaf's name (R-TREE-1).
    pub leaf: WorkerId,
    bytes: [u8; REQUEST_BYTES],
    len: usize,
}

impl LeafRequest {
    /// Returns the datagram.
    pub fn datagram(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A sequence of requests to a leaf, each of which is sent when the one before is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Step {
    /// Nothing is asked.
    #[default]
    Done,
    /// The leaf is to say whether it is to stop.
    News,
    /// The leaf is to close its generation, and to say what is in it.
    Close,
    /// Pairs of these parts, from a place on.
    Pairs { parts: u64, place: u32 },
    /// The window of the leaf's worker with this index.
    Window(usize),
}

/// A leaf, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeafState {
    leaf: Leaf,
    /// The generation that is open there; or was, if that has been closed and is being read.
    open: u32,
    /// Number of the next request.
    next: u32,
    /// The requests that are under way, with their numbers.
    sequences: [(u32, Step); SEQUENCES],
    /// Nothing was in the last generation that was asked for.
    pub(super) empty: bool,
    /// It is to stop (R-KEY-16).
    pub(super) going: bool,
    /// It has said that it cannot close yet, and is to be asked anew.
    waits: bool,
    /// Servers' reads since it has answered last.
    silence: u8,
}

impl Step {
    fn kind(self) -> TableKind {
        match self {
            Self::Window(_) => TableKind::Windows,
            Self::Done | Self::News | Self::Close | Self::Pairs { .. } => TableKind::Read,
        }
    }
}

impl LeafState {
    pub(super) fn new(leaf: Leaf) -> Self {
        Self {
            leaf,
            open: 1,
            next: 0,
            sequences: [(0, Step::Done); SEQUENCES],
            empty: false,
            going: false,
            waits: false,
            silence: 0,
        }
    }

    /// Returns how many requests were made to it.
    pub fn requests(&self) -> u32 {
        self.next
    }

    pub(super) fn is_done(&self) -> bool {
        self.sequences.iter().all(|(_, step)| *step == Step::Done)
    }

    fn request(&self, asker: Asker<'_>, kind: TableKind, number: u32) -> TableRepr {
        let spec = asker.spec;
        TableRepr {
            worker: self.leaf.name,
            sequence: number,
            generation: self.open,
            stored: self.open - 1,
            ..TableRepr::request(kind, spec.job, spec.epoch, &spec.table)
        }
    }

    /// Has it close what is open there, and forgets what was found, if that is doubted.
    pub(super) fn begin(
        &mut self,
        asker: Asker<'_>,
        doubted: bool,
        requests: &mut VecDeque<LeafRequest>,
    ) {
        self.silence = 0;
        self.empty &= !doubted;
        self.submit(asker, 0, Step::Close, requests);
    }

    /// Asks for news.
    pub(super) fn ask_news(&mut self, asker: Asker<'_>, requests: &mut VecDeque<LeafRequest>) {
        self.submit(asker, 0, Step::News, requests);
    }

    /// A server has asked while requests are under way: they are sent again, each time after twice
    /// as many reads. Returns whether the server is answered.
    pub(super) fn repeat(
        &mut self,
        asker: Asker<'_>,
        requests: &mut VecDeque<LeafRequest>,
    ) -> bool {
        self.silence = (self.silence + 1).min(LONGEST_SILENCE + 1);
        let due = self.silence > LONGEST_SILENCE || matches!(self.silence, 2 | 4 | LONGEST_SILENCE);
        if std::mem::take(&mut self.waits) || due {
            let under_way = self.sequences.iter().filter(|(_, step)| *step != Step::Done);
            requests.extend(under_way.map(|&(number, step)| self.write(asker, number, step)));
        }
        self.silence <= LONGEST_SILENCE
    }

    /// Returns the last read of a switch that will not ask again (R-KEY-19).
    pub(super) fn last_read(&self, asker: Asker<'_>) -> LeafRequest {
        let repr = self.request(asker, TableKind::Read, self.next);
        self.sealed(asker, TableRepr { last: true, ..repr }, ALL_PARTS)
    }

    /// Takes an answer, and goes on to the next request.
    pub(super) fn take(
        &mut self,
        asker: Asker<'_>,
        repr: &TableRepr,
        requests: &mut VecDeque<LeafRequest>,
    ) -> Found {
        let asked = |&(number, step): &(u32, Step)| {
            step != Step::Done && number == repr.sequence && step.kind() == repr.kind
        };
        let Some(index) = self.sequences.iter().position(asked) else { return Found::Nothing };
        self.silence = 0;
        self.going |= repr.going;
        self.advance(asker, index, repr, requests)
    }

    /// Writes a request.
    fn write(&self, asker: Asker<'_>, number: u32, step: Step) -> LeafRequest {
        let repr = self.request(asker, step.kind(), number);
        let repr = TableRepr { going: asker.going, ..repr };
        match step {
            Step::Done | Step::News => self.sealed(asker, repr, ALL_PARTS),
            Step::Close => {
                let repr = TableRepr { close: true, last: asker.over, ..repr };
                self.sealed(asker, repr, ALL_PARTS)
            }
            Step::Pairs { parts, place } => self.sealed(asker, TableRepr { place, ..repr }, parts),
            Step::Window(index) => {
                self.sealed(asker, TableRepr { worker: self.leaf.workers[index], ..repr }, 0)
            }
        }
    }

    fn sealed(&self, asker: Asker<'_>, repr: TableRepr, parts: u64) -> LeafRequest {
        let spec = asker.spec;
        let (mut bytes, len) = ([0; REQUEST_BYTES], repr.datagram_bytes());
        bytes[TABLE_HEADER_BYTES..].copy_from_slice(&parts.to_be_bytes());
        repr.seal(&spec.terms.integrity, &mut bytes[..len]);
        LeafRequest { job: spec.job, epoch: spec.epoch, leaf: self.leaf.name, bytes, len }
    }

    /// Sends the next request of a sequence, if there is one.
    fn submit(
        &mut self,
        asker: Asker<'_>,
        index: usize,
        step: Step,
        requests: &mut VecDeque<LeafRequest>,
    ) {
        if step == Step::Done {
            self.sequences[index] = (0, step);
            return;
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.sequences[index] = (number, step);
        requests.push_back(self.write(asker, number, step));
    }

    /// Takes the answer to a request of a sequence.
    fn advance(
        &mut self,
        asker: Asker<'_>,
        index: usize,
        repr: &TableRepr,
        requests: &mut VecDeque<LeafRequest>,
    ) -> Found {
        let (_, step) = self.sequences[index];
        if step == Step::News {
            self.sequences[index] = (0, Step::Done);
            return Found::Nothing;
        }
        if repr.generation == self.open && step == Step::Close {
            (self.empty, self.waits) = (repr.last, !repr.last);
            if repr.last {
                self.sequences[index] = (0, Step::Done);
            }
            return Found::Nothing;
        }
        if repr.generation != self.open + 1 {
            return Found::Nothing;
        }
        let mut submit = |own: &mut Self, index, step| {
            own.submit(asker, index, step, requests);
        };
        let found = match step {
            Step::Done | Step::News => Found::Nothing,
            Step::Close if repr.last => {
                // The generation is whole. All sequences ask for windows.
                (0..SEQUENCES).for_each(|index| submit(self, index, self.window_at(index)));
                Found::Pairs
            }
            Step::Close => {
                // Its pairs come again, with those of the same parts.
                let pairs = |index| Step::Pairs { parts: share(index), place: 0 };
                (0..SEQUENCES).for_each(|index| submit(self, index, pairs(index)));
                Found::Nothing
            }
            Step::Pairs { parts, .. } if !repr.last => {
                submit(self, index, Step::Pairs { parts, place: repr.place });
                Found::Pairs
            }
            Step::Pairs { .. } => {
                submit(self, index, self.window_at(index));
                Found::Pairs
            }
            Step::Window(at) => {
                submit(self, index, self.window_at(at + SEQUENCES));
                Found::Window
            }
        };
        if self.is_done() {
            (self.open, self.empty) = (self.open + 1, false);
        }
        found
    }

    /// Returns the request for the window of a worker, if there is such a worker.
    fn window_at(&self, index: usize) -> Step {
        if index < self.leaf.workers.len() { Step::Window(index) } else { Step::Done }
    }
}

/// Returns the parts of a sequence.
fn share(index: usize) -> u64 {
    (0..PARTS)
        .filter(|part| *part as usize % SEQUENCES == index)
        .fold(0, |all, part| all | 1 << part)
}
