//! Letters of short calls (R-MAIL): each member has boxes that it alone writes to, and everyone reads those of all.
//!
//! Of a slot, whose lines go from worker to worker with each contribution, nothing is left: a letter's line is written once and read once by each of the others, and whoever
//! has all letters of a round folds them for itself. No lock is taken.
#![expect(unsafe_code, reason = "letters are written and read where they lie, while nobody else may")]

use std::cell::Cell;
use std::hint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use netfold_num::{ElementType, Operation};
use netfold_switch::{Counters, Event, WaitingSlot, finish_lanes, fold_lanes, folds_in_lanes};
use netfold_wire::{
    CallDigest, HEADER_BYTES, Kind, LETTER_BOXES, LETTERS_OUTSTANDING, MAIL_LINES, MailRound, Pool, Position, mail_slot,
};

use crate::error::PortError;
use crate::layout::{ABOUT_AT, Boxes, LETTER_AT, MAX_MEMBERS, POSTED_AT, TAG_AT};
use crate::mapping::Mapping;
use crate::port::{Port, give_up};
use crate::segment::{Segment, State};
use crate::tally::Tally;
use crate::times::{RoundTimes, Stamp};

/// What became of a round.
#[derive(Debug)]
pub enum Collected<'a> {
    /// Letters are missing.
    Waiting,
    /// All letters, and when the last of them was posted, if the round is timed.
    Done(Letters<'a>, Option<Instant>),
    /// Others have posted another call (R-MAIL-5): an event for the switch's management plane. Nothing is folded any more.
    Failed(Event),
}

/// The letters of a round. While somebody has them, the port posts none, so that they stay where
/// they are (R-MAIL-3).
#[derive(Clone, Copy, Debug)]
pub struct Letters<'a> {
    segment: &'a Segment,
    come: &'a Come,
}

/// Letters of a round that have come.
#[derive(Debug, Default)]
struct Come {
    boxes: Boxes,
    /// Length of those with contents.
    len: usize,
    /// Members that have posted one with contents, a bit each.
    contributors: u64,
}

const _: () = assert!(MAX_MEMBERS as u32 <= u64::BITS);

impl<'a> Letters<'a> {
    /// Those with contents, in the order of the members.
    #[inline]
    pub fn contents(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let Self { segment, come: &Come { boxes, len, contributors } } = *self;
        let members = (0..segment.spec().place.count()).filter(move |member| contributors >> member & 1 != 0);
        members.map(move |member| {
            let mailbox = Mailbox::of(segment, boxes, member);
            // SAFETY: whose box it is writes to it again for the round after as many as there are
            // boxes. Before, it collects a round which the port that reads posts later (R-MAIL-3),
            // and that port is borrowed.
            unsafe { mailbox.mapping.bytes(mailbox.at + LETTER_AT, len) }
        })
    }

    /// Folds lanes into others as the job's switch does (R-SLOT-2).
    ///
    /// # Panics
    /// As [`fold_lanes`].
    pub fn fold(&self, lane: ElementType, operation: Operation, first: bool, fold: &mut [u8], lanes: &[u8]) {
        fold_lanes(self.segment.spec(), lane, operation, first, fold, lanes);
    }

    /// Makes lanes of all that has been folded, as the job's switch does (R-NUM-21).
    pub fn finish(&self, lane: ElementType, operation: Operation, fold: &mut [u8]) {
        finish_lanes(self.segment.spec(), lane, operation, fold);
    }
}

/// What a port has of one line of the mail.
#[derive(Debug, Default)]
struct Line {
    /// Rounds that this port has posted, and of those the ones that it has collected.
    posted: u64,
    collected: u64,
    /// In the round that a wait is over for, the members, from the first on, whose letters have come.
    awaited: Option<Cell<u16>>,
    /// Those of the round that was collected last.
    come: Come,
}

/// What a port has of the mail.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    lines: [Line; MAIL_LINES as usize],
}

impl Desk {
    /// Whether all letters of a round that is awaited have come.
    pub(crate) fn any_has_come(&self, segment: &Segment, flow: u16) -> bool {
        (0..MAIL_LINES).any(|line| self.has_come(segment, flow, line))
    }

    /// Whether all letters of the round that is awaited in a line have come.
    fn has_come(&self, segment: &Segment, flow: u16, line: u16) -> bool {
        let Line { collected: round, awaited: Some(come), .. } = &self.lines[usize::from(line)] else { return false };
        let members = segment.spec().place.count();
        let boxes = segment.layout().mailboxes(flow, line, *round);
        let missing = (come.get()..members).find(|member| !Mailbox::of(segment, boxes, *member).has(*round));
        come.set(missing.unwrap_or(members));
        missing.is_none()
    }
}

/// A box, for one round.
#[derive(Clone, Copy)]
struct Mailbox<'a> {
    mapping: &'a Mapping,
    at: usize,
}

impl<'a> Mailbox<'a> {
    #[inline]
    fn of(segment: &'a Segment, boxes: Boxes, member: u16) -> Self {
        Self { mapping: segment.mapping(), at: boxes.at(member) }
    }

    /// The tag: of the letter in it, the number of its round and 1.
    fn tag(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + TAG_AT, 1)[0]
    }

    /// What the letter is.
    fn about(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + ABOUT_AT, 1)[0]
    }

    /// When it was posted, if it was timed.
    fn posted(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + POSTED_AT, 1)[0]
    }

    /// Whether the round's letter has come, or what nobody of this crate has written.
    fn has(self, round: u64) -> bool {
        // Sequentially consistent, as the doorbell asks.
        self.tag().load(Ordering::SeqCst) > round
    }

    /// Returns whether the letter of the round, which has come, has contents; `None` if it is not of the round's
    /// call.
    fn has_contents(self, round: &MailRound) -> Result<Option<bool>, PortError> {
        if self.tag().load(Ordering::Acquire) != round.number + 1 {
            return Err(PortError::Corrupt);
        }
        let stands = self.about().load(Ordering::Relaxed);
        let [empty, full] = [0, round.bytes].map(|len| stands == about(round.call, len));
        Ok((empty || full).then_some(!empty))
    }
}

/// What a letter is, in a word.
fn about(call: CallDigest, len: usize) -> u64 {
    u64::from(call.0) | (len as u64) << 32
}

impl Port {
    /// Whether calls with such lanes can go by mail here: at the only place where the job folds, in an arithmetic whose sums need no more room than their lanes (R-MAIL-1).
    pub fn takes_letters(&self, lane: ElementType, operation: Operation) -> bool {
        let spec = self.segment.spec();
        self.segment.flows() == 1 && spec.place.parent().is_none() && folds_in_lanes(spec.arithmetic, lane, operation)
    }

    /// Posts this worker's letter of a round, one after the other (R-MAIL-2). `pack` writes its
    /// contents, `len` bytes.
    ///
    /// # Panics
    /// If it is not the next round of its line, or [`LETTERS_OUTSTANDING`] before it are not collected (R-MAIL-3), or there is no room for so many bytes.
    pub fn post(&mut self, round: &MailRound, len: usize, pack: impl FnOnce(&mut [u8])) {
        let room = self.segment.layout().letter_bytes(round.line);
        let line = &mut self.desk.lines[usize::from(round.line)];
        assert!(
            round.number == line.posted && round.number < line.collected + LETTERS_OUTSTANDING && len <= room,
            "{round:?} of {len} bytes cannot be posted with {line:?}"
        );
        line.posted += 1;
        Tally::of(&self.segment, self.flow, self.member).add_letter(len);
        let boxes = self.boxes(round.line, round.number);
        let mailbox = Mailbox::of(&self.segment, boxes, self.member);
        // SAFETY: nobody else writes to this worker's boxes, and nobody reads this one: all others have posted a letter of the last round that is collected here, and had
        // collected, before, the round whose letter stands in it.
        pack(unsafe { mailbox.mapping.bytes_mut(mailbox.at + LETTER_AT, len) });
        mailbox.about().store(about(round.call, len), Ordering::Relaxed);
        if self.segment.is_timed() {
            mailbox.posted().store(Stamp::now().0, Ordering::Relaxed);
        }
        mailbox.tag().swap(round.number + 1, Ordering::SeqCst);
        // The box of the next round, which others have in their caches, is fetched meanwhile.
        let next = Mailbox::of(&self.segment, self.boxes(round.line, round.number + 1), self.member);
        next.mapping.prefetch(next.at);
        let members = 0..self.segment.spec().place.count();
        let mut others = members.map(|member| Mailbox::of(&self.segment, boxes, member));
        // Who posts last wakes those who sleep.
        if self.doorbell().any_asleep() && others.all(|other| other.has(round.number)) {
            self.to_flush = true;
        }
    }

    /// Nobody waits for letters of a line ([`Port::collect`]) any more.
    pub fn stop_collecting(&mut self, line: u16) {
        self.desk.lines[usize::from(line)].awaited = None;
    }

    /// Gives the letters of the oldest round of a line that this worker has posted and not
    /// collected, if all have come (R-MAIL-4), or come while it `looks` some times, which it does
    /// only where nobody else wants the core. If not, a [`wait`](Port::wait) is over when they
    /// have.
    ///
    /// # Errors
    /// The job has failed, or a box holds what no member can have posted.
    ///
    /// # Panics
    /// If it is another round.
    pub fn collect(&mut self, round: &MailRound, looks: bool) -> Result<Collected<'_>, PortError> {
        match self.segment.state() {
            State::Running => {}
            State::Poisoned => {
                self.stop_collecting(round.line);
                return Ok(Collected::Waiting);
            }
            State::Failed => return Err(PortError::Failed),
        }
        let room = self.segment.layout().letter_bytes(round.line);
        let line = &mut self.desk.lines[usize::from(round.line)];
        assert!(
            round.number == line.collected && round.number < line.posted && round.bytes <= room,
            "{round:?} cannot be collected with {line:?}"
        );
        line.awaited.get_or_insert_default();
        let has_come = self.desk.has_come(&self.segment, self.flow, round.line);
        if !has_come && (!looks || !self.look_for_letters(round.line)?) {
            return Ok(Collected::Waiting);
        }
        let (spec, mut contributors) = (self.segment.spec(), 0);
        let boxes = self.boxes(round.line, round.number);
        for (member, name) in (0..).zip(spec.place.members()) {
            let has_contents = Mailbox::of(&self.segment, boxes, member).has_contents(round);
            let Some(has_contents) = has_contents.inspect_err(|error| give_up(&self.segment, *error))? else {
                let (job, epoch, slot) = (spec.job, spec.epoch, mail_slot(spec.slots, round.line, round.number));
                let (position, first, second) = (Position(round.number as u32), *name, self.worker);
                let reports = self.segment.poison();
                if reports {
                    self.counters.mismatches += 1;
                    self.to_show = true;
                }
                self.stop_collecting(round.line);
                let event = Event::Mismatch { job, epoch, slot, position, first, second };
                return Ok(if reports { Collected::Failed(event) } else { Collected::Waiting });
            };
            contributors |= u64::from(has_contents) << member;
        }
        let at = if self.segment.is_timed() { self.time_letters(round) } else { None };
        let line = &mut self.desk.lines[usize::from(round.line)];
        line.collected += 1;
        line.awaited = None;
        line.come = Come { boxes, len: round.bytes, contributors };
        Ok(Collected::Done(Letters { segment: &self.segment, come: &line.come }, at))
    }

    /// Looks for letters of the round that is awaited in a line as often as a port does before it lends its core, if it has one of its own, and waits have been short lately.
    fn look_for_letters(&mut self, line: u16) -> Result<bool, PortError> {
        let pays = self.patience.stays_awake() && !self.is_crowded();
        let looks = if pays { self.patience.looks() } else { 0 };
        for _ in 0..looks {
            if self.desk.has_come(&self.segment, self.flow, line) {
                self.patience.waited(true);
                return Ok(true);
            }
            if self.segment.has_failed() {
                return Err(PortError::Failed);
            }
            // Each look takes the line from who is about to post.
            hint::spin_loop();
        }
        Ok(false)
    }

    /// When the last letter of a round was posted, if all of them were timed. Whoever did keeps the round's times.
    #[cold]
    fn time_letters(&mut self, round: &MailRound) -> Option<Instant> {
        let spec = self.segment.spec();
        let boxes = self.boxes(round.line, round.number);
        let posted = |member| Mailbox::of(&self.segment, boxes, member).posted().load(Ordering::Relaxed);
        let posted = (0..spec.place.count()).map(|member| (Stamp(posted(member)), member));
        let (first, last) = (posted.clone().min()?.0.instant()?, posted.max()?);
        let end = last.0.instant()?;
        if let Some(rounds) = self.rounds.as_mut().filter(|_| last.1 == self.member) {
            rounds.push_back(RoundTimes {
                job: spec.job,
                flow: self.flow,
                slot: mail_slot(spec.slots, round.line, round.number),
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

    fn boxes(&self, line: u16, round: u64) -> Boxes {
        self.segment.layout().mailboxes(self.flow, line, round)
    }
}

/// Number of letters of a line that a member has posted.
fn posted(segment: &Segment, flow: u16, member: u16, line: u16) -> u64 {
    let boxes = |round| segment.layout().mailboxes(flow, line, round);
    let tag = |round: u64| Mailbox::of(segment, boxes(round), member).tag().load(Ordering::Relaxed);
    (0..u64::from(LETTER_BOXES)).map(tag).max().unwrap_or(0)
}

/// Totals of a flow's mail: a letter counts as the packet that it would be.
pub(crate) fn counters(segment: &Segment, flow: u16) -> Counters {
    let members = 0..segment.spec().place.count();
    let mut sum = Counters::default();
    for line in 0..MAIL_LINES {
        let posted = members.clone().map(|member| posted(segment, flow, member, line));
        let letters = posted.clone().fold(0, u64::saturating_add);
        sum = sum.plus(&Counters {
            datagrams_received: letters,
            bytes_received: letters.saturating_mul(HEADER_BYTES as u64),
            contributions: letters,
            rounds_completed: posted.min().unwrap_or(0),
            ..Counters::default()
        });
    }
    members.fold(sum, |sum, member| {
        let bytes_received = Tally::of(segment, flow, member).letter_bytes();
        sum.plus(&Counters { bytes_received, ..Counters::default() })
    })
}

/// The oldest round of each line of a flow's mail that some have posted and others have not, as far as can be told while they go on.
pub(crate) fn waiting(segment: &Segment, flow: u16) -> impl Iterator<Item = WaitingSlot> {
    (0..MAIL_LINES).filter_map(move |line| {
        let spec = segment.spec();
        let posted = |member| posted(segment, flow, member, line);
        let members: Vec<_> = (0..).zip(spec.place.members()).map(|(member, name)| (posted(member), *name)).collect();
        let oldest = members.iter().map(|(posted, _)| *posted).min()?;
        let (seen, missing): (Vec<_>, Vec<_>) = members.into_iter().partition(|(posted, _)| *posted > oldest);
        let names = |of: Vec<(u64, _)>| of.into_iter().map(|(_, name)| name).collect();
        let (slot, position) = (mail_slot(spec.slots, line, oldest), Position(oldest as u32));
        (!seen.is_empty()).then(|| WaitingSlot { slot, position, seen: names(seen), missing: names(missing) })
    })
}
