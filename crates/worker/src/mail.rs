//! Short calls where workers see each other's memory (R-MAIL): each is one round, in which every worker posts a letter and reads those of all.

use std::collections::VecDeque;

use netfold_wire::{HEADER_BYTES, LETTERS_OUTSTANDING, MAIL_LINES, MailRound, Position};

use crate::call::Priority;
use crate::calls::CallId;
use crate::counters::Counters;
use crate::plan::Plan;
use crate::tensor::Contiguous;

mod letter;
#[cfg(test)]
mod tests;

use letter::{Entry, Room};
pub use letter::{Letter, Letters};

/// A call on its way.
#[derive(Debug)]
struct Active<T> {
    id: CallId,
    plan: Plan,
    entry: Entry,
    tensor: T,
}

/// A call whose letter is posted before anybody knows whether it has to wait ([`Mail::begin`]).
///
/// It leaves plan and tensor where they are: who copies what has just been written waits for it.
#[derive(Debug)]
pub struct Begun<'p> {
    id: CallId,
    plan: &'p Plan,
    entry: Entry,
}

impl Begun<'_> {
    /// The letter to post.
    #[inline]
    pub fn letter<'a, T: Contiguous>(&'a self, tensor: &'a T) -> Letter<'a, T> {
        Letter::new(self.plan, &self.entry, tensor)
    }

    /// The round that it is for.
    pub fn round(&self) -> &MailRound {
        &self.entry.round
    }
}

/// The calls of one line.
struct Line<T> {
    number: u16,
    /// The first is that of round `taken`.
    calls: VecDeque<Active<T>>,
    taken: u64,
    posted: u64,
}

impl<T> Line<T> {
    fn new(number: u16) -> Self {
        Self { number, calls: VecDeque::new(), taken: 0, posted: 0 }
    }

    /// A call that comes behind those which are there (R-MAIL-2).
    #[inline(always)]
    fn entry(&self, id: CallId, plan: &Plan) -> Entry {
        let (number, call) = (self.taken + self.calls.len() as u64, plan.digest(id.0));
        let block = plan.block(0);
        let bytes = plan.letter_bytes(&block);
        Entry { block, round: MailRound { line: self.number, number, call, bytes } }
    }

    /// The call whose letter is to be posted next, if it may be (R-MAIL-3).
    fn next(&self) -> Option<&Active<T>> {
        let ahead = self.posted - self.taken;
        self.calls.get(ahead as usize).filter(|_| ahead < LETTERS_OUTSTANDING)
    }

    /// The oldest round that this worker has posted and not taken.
    fn awaited(&self) -> Option<MailRound> {
        self.calls.front().filter(|_| self.posted > self.taken).map(|call| call.entry.round)
    }
}

/// One worker's side of the mail. Its driver follows one law, after every mutation ([`Mail::submit`], [`Mail::take`]): post what [`Mail::poll_post`] gives, then
/// collect the letters of the rounds that are [`Mail::awaited`].
pub struct Mail<T> {
    urgent: Line<T>,
    barriers: Line<T>,
    room: Room,
    counters: Counters,
}

impl<T> Default for Mail<T> {
    fn default() -> Self {
        let (urgent, barriers) = (Line::new(0), Line::new(MAIL_LINES - 1));
        Self { urgent, barriers, room: Room::default(), counters: Counters::default() }
    }
}

impl<T: Contiguous> Mail<T> {
    /// Puts a call at the end of its line. It has the round after that of the call before it (R-MAIL-2).
    pub fn submit(&mut self, id: CallId, plan: Plan, tensor: T) {
        debug_assert!(plan.fits_letter(), "{plan} fits no letter");
        let line = self.line_of(&plan);
        let entry = line.entry(id, &plan);
        line.calls.push_back(Active { id, plan, entry, tensor });
    }

    /// Begins a call while no other is on its way. Its letter must be posted. If all letters of its round have come, [`Mail::finish`] follows, else [`Mail::keep`].
    #[inline(always)]
    pub fn begin<'p>(&mut self, id: CallId, plan: &'p Plan) -> Begun<'p> {
        debug_assert!(plan.fits_letter() && self.is_idle(), "{plan} cannot go before others");
        let line = self.line_of(plan);
        let entry = line.entry(id, plan);
        line.posted += 1;
        self.counters.posted(entry.bytes());
        Begun { id, plan, entry }
    }

    /// Folds the letters of the round of a call that was begun, which is done (R-MAIL-4).
    pub fn finish(&mut self, begun: &Begun<'_>, tensor: &mut impl Contiguous, letters: &impl Letters) {
        begun.entry.take(begun.plan, tensor, letters, &mut self.room);
        self.line_of(begun.plan).taken += 1;
        self.counters.taken(begun.plan.workers(), begun.entry.round.bytes);
    }

    /// Has a call that was begun wait for the letters of its round, as one that was submitted.
    pub fn keep(&mut self, begun: Begun<'_>, tensor: T) {
        let Begun { id, plan, entry } = begun;
        self.line_of(plan).calls.push_back(Active { id, plan: *plan, entry, tensor });
    }

    /// Whether no call is on its way.
    pub fn is_idle(&self) -> bool {
        self.urgent.calls.is_empty() && self.barriers.calls.is_empty()
    }

    /// The next letter, which is posted then; `None` if there is none yet (R-MAIL-3). A barrier waits until `bulk`, the first call that is in progress in the bulk
    /// stream, is a later one (R-MAIL-6).
    pub fn poll_post(&mut self, bulk: Option<CallId>) -> Option<Letter<'_, T>> {
        let Self { urgent, barriers, counters, .. } = self;
        let may_go = |barrier: &Active<T>| bulk.is_none_or(|bulk| barrier.id < bulk);
        let line = if urgent.next().is_some() {
            urgent
        } else {
            barriers.next().filter(|barrier| may_go(barrier))?;
            barriers
        };
        let index = (line.posted - line.taken) as usize;
        line.posted += 1;
        let call = line.calls.get(index)?;
        let letter = Letter::new(&call.plan, &call.entry, &call.tensor);
        counters.posted(letter.bytes());
        Some(letter)
    }

    /// The oldest round of a line that this worker has posted and not taken.
    pub fn awaited(&self, line: u16) -> Option<MailRound> {
        self.lines().find(|other| other.number == line)?.awaited()
    }

    /// Folds the letters of the round that is awaited in its line, and gives its call back, which
    /// is done (R-MAIL-4).
    ///
    /// # Panics
    /// If the round is not awaited, or has letters of another length.
    pub fn take(&mut self, round: &MailRound, letters: &impl Letters) -> (CallId, T) {
        let mut lines = [&mut self.urgent, &mut self.barriers].into_iter();
        let line = lines.find(|line| line.awaited().as_ref() == Some(round)).expect("the round is awaited");
        let mut call = line.calls.pop_front().expect("its call is the first");
        call.entry.take(&call.plan, &mut call.tensor, letters, &mut self.room);
        line.taken += 1;
        self.counters.taken(call.plan.workers(), round.bytes);
        (call.id, call.tensor)
    }

    /// Gives up the calls from `first` on. There is no later one any more: who has posted a letter cannot take it back.
    pub fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> + use<T> {
        let given_up = [&mut self.urgent, &mut self.barriers]
            .map(|line| line.calls.split_off(line.calls.partition_point(|call| call.id < first)));
        given_up.into_iter().flatten().map(|call| (call.id, call.tensor))
    }

    /// The call of the round of a line whose number ends in these 32 bits, as errors show it; `None` if it is not on its way.
    pub fn describe(&self, line: u16, position: Position) -> Option<String> {
        let line = self.lines().find(|other| other.number == line)?;
        let ahead = position.0.wrapping_sub(line.taken as u32);
        let call = line.calls.get(ahead as usize)?;
        Some(format!("{} as call {}", call.plan.in_words(Some(&call.tensor)), call.id.0 + 1))
    }

    /// The call with this number, as errors show it; `None` if it does not go by mail, or is not on
    /// its way.
    pub fn call(&self, id: CallId) -> Option<String> {
        let call = self.lines().flat_map(|line| &line.calls).find(|call| call.id == id)?;
        Some(call.plan.in_words(Some(&call.tensor)))
    }

    /// Totals: a letter counts as a packet.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn line_of(&mut self, plan: &Plan) -> &mut Line<T> {
        match plan.priority() {
            Priority::Urgent => &mut self.urgent,
            Priority::Bulk => &mut self.barriers,
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Line<T>> {
        [&self.urgent, &self.barriers].into_iter()
    }
}

impl Counters {
    /// Counts a letter that is posted.
    fn posted(&mut self, lane_bytes: usize) {
        self.packets_sent += 1;
        self.bytes_sent += (HEADER_BYTES + lane_bytes) as u64;
    }

    /// Counts a round that is taken, and the letters of the others.
    fn taken(&mut self, workers: u16, lane_bytes: usize) {
        let others = u64::from(workers - 1);
        self.rounds += 1;
        self.packets_received += others;
        self.bytes_received += others * (HEADER_BYTES + lane_bytes) as u64;
    }
}
