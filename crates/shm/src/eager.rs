//! The eager path in shared memory (R-EAGER): each member writes to its own cells, and reads the
//! cells of all.
//!
//! The cache lines of a slot go from worker to worker with each contribution. Those of a message
//! are written once, and read once by each of the others. A member that finds all messages of a
//! round folds them by itself. No lock is taken.
#![expect(
    unsafe_code,
    reason = "messages are written and read where they lie, while nobody else may"
)]

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Instant;

use netfold_num::{ElementType, Operation};
use netfold_switch::{Counters, Event, WaitingSlot, finish_lanes, fold_lanes, folds_in_lanes};
use netfold_wire::{
    EAGER_CELLS, EAGER_OUTSTANDING, EAGER_QUEUES, EagerRound, HEADER_BYTES, Kind, Pool, Position,
    eager_slot,
};
use rustix::thread::sched_getcpu;

use crate::error::PortError;
use crate::layout::{Cells, MAX_MEMBERS};
use crate::port::{Port, give_up};
use crate::segment::{Segment, State};
use crate::tally::Tally;
use crate::times::{RoundTimes, Stamp};

mod cell;

use cell::EagerCell;

/// The outcome of collecting a round.
#[derive(Debug)]
pub enum Collected<'a> {
    /// Some messages are missing.
    Waiting,
    /// All messages, and the time at which the last one was posted, if the round is timed.
    Done(EagerMessages<'a>, Option<Instant>),
    /// Other members have posted another call (R-EAGER-5): an event for the switch's management
    /// plane. Nothing is folded any more.
    Failed(Event),
}

/// The messages of a round. They borrow the port, which therefore posts nothing meanwhile, so that
/// the messages stay in place (R-EAGER-3).
#[derive(Clone, Copy, Debug)]
pub struct EagerMessages<'a> {
    segment: &'a Segment,
    come: &'a Arrived,
}

/// The messages of a round that are there.
#[derive(Debug, Default)]
struct Arrived {
    cells: Cells,
    /// Bytes of each message with contents.
    len: usize,
    /// Members whose messages have contents, one bit each.
    contributors: u64,
}

const _: () = assert!(MAX_MEMBERS as u32 <= u64::BITS);

impl<'a> EagerMessages<'a> {
    /// Returns the messages with contents, in the order of the members.
    #[inline]
    pub fn contents(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let Self { segment, come: &Arrived { cells, len, contributors } } = *self;
        let members =
            (0..segment.spec().place.count()).filter(move |member| contributors >> member & 1 != 0);
        members.map(move |member| {
            // SAFETY: the cell's owner writes to it again for the round `EAGER_CELLS` later. Before
            // that it collects a round that this port posts later (R-EAGER-3), and this port is
            // borrowed.
            unsafe { cell_of(segment, cells, member).contents(len) }
        })
    }

    /// Folds lanes into others as the job's switch does (R-SLOT-2).
    ///
    /// # Panics
    /// As [`fold_lanes`].
    pub fn fold(
        &self,
        lane: ElementType,
        operation: Operation,
        first: bool,
        fold: &mut [u8],
        lanes: &[u8],
    ) {
        fold_lanes(self.segment.spec(), lane, operation, first, fold, lanes);
    }

    /// Makes lanes of all that has been folded, as the job's switch does (R-NUM-21).
    pub fn finish(&self, lane: ElementType, operation: Operation, fold: &mut [u8]) {
        finish_lanes(self.segment.spec(), lane, operation, fold);
    }
}

/// A port's state in one queue.
#[derive(Debug, Default)]
struct EagerQueue {
    /// Rounds that this port has posted, and the ones of them that it has collected.
    posted: u64,
    collected: u64,
    /// While a wait is for the queue's oldest round: how many members, from the first on, have
    /// posted.
    awaited: Option<Cell<u16>>,
    /// The messages of the round that was collected last.
    come: Arrived,
}

/// A port's state in all queues.
#[derive(Debug, Default)]
pub(crate) struct EagerState {
    queues: [EagerQueue; EAGER_QUEUES as usize],
}

impl EagerState {
    /// Returns whether all messages of an awaited round are there.
    pub(crate) fn any_has_come(&self, segment: &Segment, flow: u16) -> bool {
        (0..EAGER_QUEUES).any(|queue| self.has_come(segment, flow, queue))
    }

    /// Returns whether a member that is waited for may want this core: it posted its last message
    /// on it, or it is not known.
    pub(crate) fn awaits_core(&self, segment: &Segment, flow: u16, core: u64) -> bool {
        let members = segment.spec().place.count();
        let mut queues = (0..).zip(&self.queues).filter_map(|(queue, state)| {
            let round = state.collected;
            let cells = |round| segment.layout().eager_cells(flow, queue, round);
            let (cells, last) = (cells(round), cells(round.wrapping_sub(1)));
            let first = state.awaited.as_ref()?.get();
            Some((first..members).any(|member| {
                let last_core = cell_of(segment, last, member).core().load(Ordering::Relaxed);
                !cell_of(segment, cells, member).has(round) && [0, core].contains(&last_core)
            }))
        });
        // Whoever waits for slots alone does not know for whom.
        queues.next().is_none_or(|first| first || queues.any(|other| other))
    }

    /// Returns whether all messages of the round that is awaited in a queue are there.
    #[inline]
    fn has_come(&self, segment: &Segment, flow: u16, queue: u16) -> bool {
        let EagerQueue { collected: round, awaited: Some(come), .. } =
            &self.queues[usize::from(queue)]
        else {
            return false;
        };
        let members = segment.spec().place.count();
        let cells = segment.layout().eager_cells(flow, queue, *round);
        let missing =
            (come.get()..members).find(|member| !cell_of(segment, cells, *member).has(*round));
        come.set(missing.unwrap_or(members));
        missing.is_none()
    }
}

/// Returns a member's cell among those of a round.
#[inline]
fn cell_of(segment: &Segment, cells: Cells, member: u16) -> EagerCell<'_> {
    EagerCell::new(segment.mapping(), cells.at(member))
}

impl Port {
    /// Returns whether calls with such lanes take the eager path here: the job folds at this place
    /// only, in an arithmetic whose sums need no more room than their lanes (R-EAGER-1).
    #[inline]
    pub fn takes_eager(&self, lane: ElementType, operation: Operation) -> bool {
        let spec = self.segment.spec();
        self.segment.flows() == 1
            && spec.place.parent().is_none()
            && folds_in_lanes(spec.terms.arithmetic, lane, operation)
    }

    /// Posts this worker's message of a round, one after the other (R-EAGER-2). `pack` writes its
    /// contents, `len` bytes.
    ///
    /// # Panics
    /// If it is not the next round of its queue, if [`EAGER_OUTSTANDING`] rounds before it are not
    /// collected (R-EAGER-3), or if the message is too long.
    pub fn post(&mut self, round: &EagerRound, len: usize, pack: impl FnOnce(&mut [u8])) {
        let room = self.segment.layout().message_bytes(round.queue);
        let queue = &mut self.eager.queues[usize::from(round.queue)];
        assert!(
            round.number == queue.posted
                && round.number < queue.collected + EAGER_OUTSTANDING
                && len <= room,
            "{round:?} of {len} bytes cannot be posted with {queue:?}"
        );
        queue.posted += 1;
        Tally::of(&self.segment, self.flow, self.member).add_message(len);
        let cells = self.cells(round.queue, round.number);
        let stamp = || self.segment.is_timed().then(|| Stamp::now().0);
        if self.is_crowded() {
            cell_of(&self.segment, cells, self.member).core().store(own_core(), Ordering::Relaxed);
        }
        // SAFETY: only this worker writes to its cells, and nobody reads this one: all others have
        // posted a message of the last round that is collected here, and had collected, before, the
        // round whose message is in it.
        unsafe { cell_of(&self.segment, cells, self.member).post(round, len, pack, stamp) };
        // Others have the next round's cell in their caches: fetch it meanwhile.
        cell_of(&self.segment, self.cells(round.queue, round.number + 1), self.member).prefetch();
        let members = 0..self.segment.spec().place.count();
        let mut others = members.map(|member| cell_of(&self.segment, cells, member));
        // The last to post wakes the sleepers (R-EAGER-7).
        if self.doorbell().any_asleep() && others.all(|other| other.has(round.number)) {
            self.to_flush = true;
        }
    }

    /// Ends the wait for messages of a queue ([`Port::collect`]).
    pub fn stop_collecting(&mut self, queue: u16) {
        self.eager.queues[usize::from(queue)].awaited = None;
    }

    /// Returns the messages of the queue's oldest round that this worker has posted and not
    /// collected, if all are there (R-EAGER-4). With `looks` it stays awake for a moment first, if
    /// waits have been short lately. While messages are missing, a [`wait`](Port::wait) ends when
    /// they are there.
    ///
    /// # Errors
    /// The job has failed, or a cell holds what no member can have posted.
    ///
    /// # Panics
    /// If it is another round.
    pub fn collect(&mut self, round: &EagerRound, looks: bool) -> Result<Collected<'_>, PortError> {
        match self.segment.state() {
            State::Running => {}
            State::Poisoned => {
                self.stop_collecting(round.queue);
                return Ok(Collected::Waiting);
            }
            State::Failed => return Err(PortError::Failed),
        }
        let room = self.segment.layout().message_bytes(round.queue);
        let queue = &mut self.eager.queues[usize::from(round.queue)];
        assert!(
            round.number == queue.collected && round.number < queue.posted && round.bytes <= room,
            "{round:?} cannot be collected with {queue:?}"
        );
        queue.awaited.get_or_insert_default();
        let has_come = self.eager.has_come(&self.segment, self.flow, round.queue);
        if !has_come && (!looks || !self.look_for_messages(round.queue)?) {
            return Ok(Collected::Waiting);
        }
        let (spec, mut contributors) = (self.segment.spec(), 0);
        let cells = self.cells(round.queue, round.number);
        for (member, name) in (0..).zip(spec.place.members()) {
            let has_contents = cell_of(&self.segment, cells, member).has_contents(round);
            let Some(has_contents) =
                has_contents.inspect_err(|error| give_up(&self.segment, *error))?
            else {
                let (job, epoch, slot) =
                    (spec.job, spec.epoch, eager_slot(spec.slots, round.queue, round.number));
                let (position, first, second) = (Position(round.number as u32), *name, self.worker);
                let reports = self.segment.poison();
                if reports {
                    self.counters.mismatches += 1;
                    self.to_show = true;
                }
                self.stop_collecting(round.queue);
                let event = Event::Mismatch { job, epoch, slot, position, first, second };
                return Ok(if reports { Collected::Failed(event) } else { Collected::Waiting });
            };
            contributors |= u64::from(has_contents) << member;
        }
        let at = if self.segment.is_timed() { self.time_messages(round) } else { None };
        let queue = &mut self.eager.queues[usize::from(round.queue)];
        queue.collected += 1;
        queue.awaited = None;
        queue.come = Arrived { cells, len: round.bytes, contributors };
        Ok(Collected::Done(EagerMessages { segment: &self.segment, come: &queue.come }, at))
    }

    /// Stays awake for a moment for the messages of the awaited round, if waits have been short
    /// lately. Returns whether they are there.
    fn look_for_messages(&mut self, queue: u16) -> Result<bool, PortError> {
        let found = self.stay_awake(|port| {
            if port.eager.has_come(&port.segment, port.flow, queue) {
                return Ok(Some(()));
            }
            if port.segment.has_failed() { Err(PortError::Failed) } else { Ok(None) }
        });
        Ok(found?.is_some())
    }

    /// Returns whether a wait lends this thread's core at every look: workers outnumber the cores,
    /// and one that is awaited may want this core.
    pub fn lends_core(&self) -> bool {
        self.is_crowded() && self.eager.awaits_core(&self.segment, self.flow, own_core())
    }

    /// Returns the time at which the last message of a round was posted, if all were timed. The
    /// member that posted it keeps the round's times.
    #[cold]
    fn time_messages(&mut self, round: &EagerRound) -> Option<Instant> {
        let spec = self.segment.spec();
        let cells = self.cells(round.queue, round.number);
        let posted =
            |member| cell_of(&self.segment, cells, member).posted().load(Ordering::Relaxed);
        let posted = (0..spec.place.count()).map(|member| (Stamp(posted(member)), member));
        let (first, last) = (posted.clone().min()?.0.instant()?, posted.max()?);
        let end = last.0.instant()?;
        if let Some(rounds) = self.rounds.as_mut().filter(|_| last.1 == self.member) {
            rounds.push_back(RoundTimes {
                job: spec.job,
                flow: self.flow,
                slot: eager_slot(spec.slots, round.queue, round.number),
                pool: if round.number.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
                position: Position(round.number as u32),
                kind: Kind::Values,
                acknowledges: false,
                start: first,
                end,
            });
        }
        Some(end)
    }

    #[inline]
    fn cells(&self, queue: u16, round: u64) -> Cells {
        self.segment.layout().eager_cells(self.flow, queue, round)
    }
}

/// Returns the core that this thread is on, plus 1.
fn own_core() -> u64 {
    sched_getcpu() as u64 + 1
}

/// Returns the number of messages that a member has posted to a queue.
fn posted(segment: &Segment, flow: u16, member: u16, queue: u16) -> u64 {
    let cells = |round| segment.layout().eager_cells(flow, queue, round);
    let tag = |round: u64| cell_of(segment, cells(round), member).last_tag();
    (0..u64::from(EAGER_CELLS)).map(tag).max().unwrap_or(0)
}

/// Returns the totals of a flow's eager path, in which a message counts as the packet that it
/// replaces.
pub(crate) fn counters(segment: &Segment, flow: u16) -> Counters {
    let members = 0..segment.spec().place.count();
    let mut sum = Counters::default();
    for queue in 0..EAGER_QUEUES {
        let posted = members.clone().map(|member| posted(segment, flow, member, queue));
        let messages = posted.clone().fold(0, u64::saturating_add);
        sum = sum.plus(&Counters {
            datagrams_received: messages,
            bytes_received: messages.saturating_mul(HEADER_BYTES as u64),
            contributions: messages,
            rounds_completed: posted.min().unwrap_or(0),
            ..Counters::default()
        });
    }
    members.fold(sum, |sum, member| {
        let bytes_received = Tally::of(segment, flow, member).message_bytes();
        sum.plus(&Counters { bytes_received, ..Counters::default() })
    })
}

/// Returns, for each queue of a flow, the oldest round that some members have posted and others
/// have not, as far as can be told while they go on.
pub(crate) fn waiting(segment: &Segment, flow: u16) -> impl Iterator<Item = WaitingSlot> {
    (0..EAGER_QUEUES).filter_map(move |queue| {
        let spec = segment.spec();
        let posted = |member| posted(segment, flow, member, queue);
        let members: Vec<_> =
            (0..).zip(spec.place.members()).map(|(member, name)| (posted(member), *name)).collect();
        let oldest = members.iter().map(|(posted, _)| *posted).min()?;
        let (seen, missing): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(posted, _)| *posted > oldest);
        let names = |of: Vec<(u64, _)>| of.into_iter().map(|(_, name)| name).collect();
        let (slot, position) = (eager_slot(spec.slots, queue, oldest), Position(oldest as u32));
        (!seen.is_empty()).then(|| WaitingSlot {
            slot,
            position,
            seen: names(seen),
            missing: names(missing),
        })
    })
}
