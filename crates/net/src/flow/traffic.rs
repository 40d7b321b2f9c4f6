//! Traffic between a flow and its link: datagrams, packets that need not become one, and eager
//! messages.

use std::time::Instant;

use netfold_num::{ElementType, Operation};
use netfold_shm::{self as shm, Port};
use netfold_wire::{EagerRound, Packet};
use netfold_worker::{
    self as worker, CallId, Dense, EagerCall, EagerPath, Outgoing, Plan, Sending, Streams, Transmit,
};

use super::CallTensor;
use super::calls::Calls;
use crate::arrival::Arrival;
use crate::clock::Clock;
use crate::memory::CallMemory;

/// The packets to send. Between two bursts it looks at the clock.
pub(crate) struct Departures<'a> {
    pub(super) streams: &'a mut Streams<CallTensor>,
    pub(super) what: Sending,
    pub(super) clock: Clock,
    /// The time, as the flow has it.
    pub(super) now_us: &'a mut u64,
    /// Something has been sent since the time was that.
    pub(super) sent: bool,
}

impl Departures<'_> {
    /// Writes datagrams to `buffer`, at most `max_segments`; `None` when there is nothing to send.
    /// See [`Streams::poll_transmit`].
    pub(crate) fn datagrams(&mut self, buffer: &mut [u8], max_segments: usize) -> Option<Transmit> {
        self.look_at_clock()?;
        match self.what {
            Sending::Everything => self.streams.poll_transmit(*self.now_us, buffer, max_segments),
            Sending::Pressing => {
                self.streams.poll_transmit_pressing(*self.now_us, buffer, max_segments)
            }
        }
    }

    /// The next one of them, for a link whose other end is in this process; `None` when there is
    /// nothing to send.
    pub(crate) fn packet(&mut self) -> Option<Outgoing<'_, CallTensor>> {
        self.look_at_clock()?;
        self.streams.poll_outgoing(*self.now_us, self.what)
    }

    /// Brings the time up to date, unless there is nothing to send.
    fn look_at_clock(&mut self) -> Option<()> {
        if std::mem::replace(&mut self.sent, true) {
            if !self.streams.has_ready(self.what) {
                return None;
            }
            *self.now_us = self.clock.now_us();
        }
        Some(())
    }
}

/// Destination of the packets that have come.
pub(crate) struct Arrivals<'a> {
    pub(super) streams: &'a mut Streams<CallTensor>,
    pub(super) calls: &'a mut Calls,
    pub(super) now_us: u64,
}

impl Arrivals<'_> {
    /// Takes a datagram, which may be anything.
    pub(crate) fn datagram(&mut self, datagram: &[u8], arrival: Arrival) {
        self.streams.handle(self.now_us, datagram, arrival.marked.into());
        self.note(arrival.at);
    }

    /// Takes a packet from the other end in this process. It has been there since `at`, if that is
    /// known.
    pub(crate) fn packet(&mut self, packet: &Packet<'_>, at: Option<Instant>) {
        self.streams.handle_packet(self.now_us, packet);
        self.note(at);
    }

    /// Calls that the packets have completed are done since then.
    fn note(&mut self, at: Option<Instant>) {
        if at.is_some() {
            self.calls.deliver(self.streams, at);
        }
    }
}

/// The eager path of a flow, and the table of its calls.
pub(crate) struct EagerMessages<'a> {
    pub(super) eager: &'a mut EagerPath<CallTensor>,
    /// The first bulk call that is in progress in the streams.
    pub(super) bulk: Option<CallId>,
    pub(super) calls: &'a mut Calls,
}

impl EagerMessages<'_> {
    /// Posts all messages that may be posted.
    pub(crate) fn post(&mut self, port: &mut Port) {
        while let Some(message) = self.eager.poll_post(self.bulk) {
            port.post(message.round(), message.bytes(), |contents| message.pack(contents));
        }
    }

    /// Returns the round of a queue whose messages are awaited.
    pub(crate) fn awaited(&self, queue: u16) -> Option<EagerRound> {
        self.eager.awaited(queue)
    }

    /// Completes that round with its messages. They have been there since `at`, if that is known.
    pub(crate) fn take(
        &mut self,
        round: &EagerRound,
        messages: shm::EagerMessages<'_>,
        at: Option<Instant>,
    ) {
        let (id, _memory) = self.eager.take(round, &Opened(messages));
        self.calls.done(id, Ok(()), at);
    }
}

/// A call that takes the eager path while nothing else is in progress.
pub(crate) struct OnlyCall<'a, 'p> {
    pub(super) eager: &'a mut EagerPath<CallTensor>,
    pub(super) begun: &'a EagerCall<'a>,
    pub(super) tensor: &'a mut Dense<&'p mut CallMemory, &'p Plan>,
}

impl OnlyCall<'_, '_> {
    /// Posts its message.
    pub(crate) fn post(&self, port: &mut Port) {
        let message = self.begun.message(&*self.tensor);
        port.post(message.round(), message.bytes(), |contents| message.pack(contents));
    }

    /// Returns the message's round.
    pub(crate) fn round(&self) -> &EagerRound {
        self.begun.round()
    }

    /// Completes the call with the messages of its round.
    pub(crate) fn take(&mut self, messages: shm::EagerMessages<'_>) {
        self.eager.finish(self.begun, self.tensor, &Opened(messages));
    }
}

/// The messages in shared memory, for the worker's state machine.
struct Opened<'a>(shm::EagerMessages<'a>);

impl worker::EagerMessages for Opened<'_> {
    fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.0.contents()
    }

    fn fold(
        &self,
        lane: ElementType,
        operation: Operation,
        first: bool,
        fold: &mut [u8],
        lanes: &[u8],
    ) {
        self.0.fold(lane, operation, first, fold, lanes);
    }

    fn finish(&self, lane: ElementType, operation: Operation, fold: &mut [u8]) {
        self.0.finish(lane, operation, fold);
    }
}
