//! The eager path of workers that share memory (R-EAGER): a short call is one round, in which every
//! worker posts a message and reads the messages of all.

use std::collections::VecDeque;

use netfold_wire::{EAGER_OUTSTANDING, EAGER_QUEUES, EagerRound, HEADER_BYTES, Position};

use crate::call::Priority;
use crate::calls::CallId;
use crate::counters::Counters;
use crate::plan::Plan;
use crate::tensor::Contiguous;

mod message;
#[cfg(test)]
mod tests;

pub use message::{EagerMessage, EagerMessages};
use message::{Entry, Room};

/// A call in progress.
#[derive(Debug)]
struct Active<T> {
    id: CallId,
    plan: Plan,
    entry: Entry,
    tensor: T,
}

/// A call whose message is posted before it is known whether the call has to wait
/// ([`EagerPath::begin`]).
///
/// It borrows plan and tensor: a copy of what has just been written would stall.
#[derive(Debug)]
pub struct EagerCall<'p> {
    id: CallId,
    plan: &'p Plan,
    entry: Entry,
}

impl EagerCall<'_> {
    /// Returns the message to post.
    #[inline]
    pub fn message<'a, T: Contiguous>(&'a self, tensor: &'a T) -> EagerMessage<'a, T> {
        EagerMessage::new(self.plan, &self.entry, tensor)
    }

    /// Returns the round of the message.
    pub fn round(&self) -> &EagerRound {
        &self.entry.round
    }
}

/// The calls of one queue, oldest first.
struct EagerQueue<T> {
    number: u16,
    /// The first is that of round `taken`.
    calls: VecDeque<Active<T>>,
    taken: u64,
    posted: u64,
}

impl<T> EagerQueue<T> {
    fn new(number: u16) -> Self {
        Self { number, calls: VecDeque::new(), taken: 0, posted: 0 }
    }

    /// Returns the entry of a call at the end of the queue (R-EAGER-2).
    #[inline(always)]
    fn entry(&self, id: CallId, plan: &Plan) -> Entry {
        let (number, call) = (self.taken + self.calls.len() as u64, plan.digest(id.0));
        let block = (plan.blocks() == 1).then(|| plan.block(0));
        let bytes = plan.message_bytes() as usize;
        Entry { block, round: EagerRound { queue: self.number, number, call, bytes } }
    }

    /// Returns the call whose message is posted next, if one may be posted (R-EAGER-3).
    fn next(&self) -> Option<&Active<T>> {
        let ahead = self.posted - self.taken;
        self.calls.get(ahead as usize).filter(|_| ahead < EAGER_OUTSTANDING)
    }

    /// Returns the oldest round that this worker has posted and not taken.
    fn awaited(&self) -> Option<EagerRound> {
        self.calls.front().filter(|_| self.posted > self.taken).map(|call| call.entry.round)
    }
}

/// One worker's side of the eager path, a state machine without I/O.
///
/// After every mutation ([`EagerPath::submit`], [`EagerPath::take`]) its driver posts the messages
/// that [`EagerPath::poll_post`] returns, and collects the rounds that are
/// [`EagerPath::awaited`].
pub struct EagerPath<T> {
    urgent: EagerQueue<T>,
    barriers: EagerQueue<T>,
    room: Room,
    counters: Counters,
}

impl<T> Default for EagerPath<T> {
    fn default() -> Self {
        let (urgent, barriers) = (EagerQueue::new(0), EagerQueue::new(EAGER_QUEUES - 1));
        Self { urgent, barriers, room: Room::default(), counters: Counters::default() }
    }
}

impl<T: Contiguous> EagerPath<T> {
    /// Adds a call to the end of its queue: the queue's next round (R-EAGER-2).
    pub fn submit(&mut self, id: CallId, plan: Plan, tensor: T) {
        debug_assert!(plan.is_eager(), "{plan} fits no message");
        let queue = self.queue_of(&plan);
        let entry = queue.entry(id, &plan);
        queue.calls.push_back(Active { id, plan, entry, tensor });
    }

    /// Begins a call while no other is in progress. The driver posts its message, and calls
    /// [`EagerPath::finish`] if all messages of the round are there, or else [`EagerPath::keep`].
    #[inline(always)]
    pub fn begin<'p>(&mut self, id: CallId, plan: &'p Plan) -> EagerCall<'p> {
        debug_assert!(plan.is_eager() && self.is_idle(), "{plan} cannot go before others");
        let queue = self.queue_of(plan);
        let entry = queue.entry(id, plan);
        queue.posted += 1;
        self.counters.posted(entry.bytes());
        EagerCall { id, plan, entry }
    }

    /// Completes a call that was begun: folds the messages of its round (R-EAGER-4).
    pub fn finish(
        &mut self,
        begun: &EagerCall<'_>,
        tensor: &mut impl Contiguous,
        messages: &impl EagerMessages,
    ) {
        begun.entry.take(begun.plan, tensor, messages, &mut self.room);
        self.queue_of(begun.plan).taken += 1;
        self.counters.taken(begun.plan.workers(), begun.entry.round.bytes);
    }

    /// Queues a call that was begun, until the messages of its round are there.
    pub fn keep(&mut self, begun: EagerCall<'_>, tensor: T) {
        let EagerCall { id, plan, entry } = begun;
        self.queue_of(plan).calls.push_back(Active { id, plan: plan.clone(), entry, tensor });
    }

    /// Returns whether no call is in progress.
    pub fn is_idle(&self) -> bool {
        self.urgent.calls.is_empty() && self.barriers.calls.is_empty()
    }

    /// Returns the next message to post, and counts it as posted; `None` if no message may be
    /// posted yet (R-EAGER-3). A barrier waits until `bulk`, the first call in progress in the bulk
    /// stream, is a later one (R-EAGER-6).
    pub fn poll_post(&mut self, bulk: Option<CallId>) -> Option<EagerMessage<'_, T>> {
        let Self { urgent, barriers, counters, .. } = self;
        let may_go = |barrier: &Active<T>| bulk.is_none_or(|bulk| barrier.id < bulk);
        let queue = if urgent.next().is_some() {
            urgent
        } else {
            barriers.next().filter(|barrier| may_go(barrier))?;
            barriers
        };
        let index = (queue.posted - queue.taken) as usize;
        queue.posted += 1;
        let call = queue.calls.get(index)?;
        let message = EagerMessage::new(&call.plan, &call.entry, &call.tensor);
        counters.posted(message.bytes());
        Some(message)
    }

    /// The oldest round of a queue that this worker has posted and not taken.
    pub fn awaited(&self, queue: u16) -> Option<EagerRound> {
        self.queues().find(|other| other.number == queue)?.awaited()
    }

    /// Folds the messages of the round that is awaited in its queue (R-EAGER-4). Returns its call,
    /// which is done.
    ///
    /// # Panics
    /// If the round is not awaited, or its messages have another length.
    pub fn take(&mut self, round: &EagerRound, messages: &impl EagerMessages) -> (CallId, T) {
        let mut queues = [&mut self.urgent, &mut self.barriers].into_iter();
        let queue = queues
            .find(|queue| queue.awaited().as_ref() == Some(round))
            .expect("the round is awaited");
        let mut call = queue.calls.pop_front().expect("its call is the first");
        call.entry.take(&call.plan, &mut call.tensor, messages, &mut self.room);
        queue.taken += 1;
        self.counters.taken(call.plan.workers(), round.bytes);
        (call.id, call.tensor)
    }

    /// Removes the calls from `first` on. No call may follow: a message that is posted cannot be
    /// taken back.
    pub fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> + use<T> {
        let given_up = [&mut self.urgent, &mut self.barriers].map(|queue| {
            queue.calls.split_off(queue.calls.partition_point(|call| call.id < first))
        });
        given_up.into_iter().flatten().map(|call| (call.id, call.tensor))
    }

    /// Returns the text by which errors name the call in a queue's round whose number ends in these
    /// 32 bits; `None` if that call is not in progress.
    pub fn describe(&self, queue: u16, position: Position) -> Option<String> {
        let queue = self.queues().find(|other| other.number == queue)?;
        let ahead = position.0.wrapping_sub(queue.taken as u32);
        let call = queue.calls.get(ahead as usize)?;
        Some(format!("{} as call {}", call.plan.in_words(Some(&call.tensor)), call.id.0 + 1))
    }

    /// Returns the text by which errors name call `id`; `None` if it is not in progress here.
    pub fn call(&self, id: CallId) -> Option<String> {
        let call = self.queues().flat_map(|queue| &queue.calls).find(|call| call.id == id)?;
        Some(call.plan.in_words(Some(&call.tensor)))
    }

    /// Returns the totals, in which a message counts as a packet.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn queue_of(&mut self, plan: &Plan) -> &mut EagerQueue<T> {
        match plan.priority() {
            Priority::Urgent => &mut self.urgent,
            Priority::Bulk => &mut self.barriers,
        }
    }

    fn queues(&self) -> impl Iterator<Item = &EagerQueue<T>> {
        [&self.urgent, &self.barriers].into_iter()
    }
}

impl Counters {
    /// Counts a message that is posted.
    fn posted(&mut self, lane_bytes: usize) {
        self.packets_sent += 1;
        self.bytes_sent += (HEADER_BYTES + lane_bytes) as u64;
    }

    /// Counts a round that is taken, and the other workers' messages.
    fn taken(&mut self, workers: u16, lane_bytes: usize) {
        let others = u64::from(workers - 1);
        self.rounds += 1;
        self.packets_received += others;
        self.bytes_received += others * (HEADER_BYTES + lane_bytes) as u64;
    }
}
