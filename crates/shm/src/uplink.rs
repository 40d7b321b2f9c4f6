//! A leaf's ways to its parent and back: the folds of its members here go up, and results from
//! above come down (R-TREE).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use netfold_switch::{Answer, Counters, Effect, Recipients, Transmit};
use netfold_wire::{Ecn, HEADER_BYTES, SlotIndex};

use crate::doorbell::{Doorbell, Waker};
use crate::error::{Error, PortError};
use crate::port::{LOOK_AGAIN, WaitOutcome, give_up, place};
use crate::segment::Segment;
use crate::slot::SharedSlot;

/// The sleeper at the doorbell of an uplink: only one does sleep there.
const ITSELF: u16 = 0;

/// An uplink request about a slot, which has two bits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UplinkRequest {
    /// Its fold (R-TREE-2).
    Fold = 0,
    /// A query about it (R-TREE-4).
    Query = 1,
}

impl UplinkRequest {
    /// Leaves it in the segment, for the uplink of the flow.
    pub(crate) fn leave(self, segment: &Segment, flow: u16, slot: SlotIndex) {
        let (at, words) = segment.layout().raised(flow);
        let index = 2 * usize::from(slot.0) + self as usize;
        segment.mapping().wide_words(at, words)[index / 64]
            .fetch_or(1 << (index % 64), Ordering::SeqCst);
    }
}

/// Sends the folds of one flow up: those whose round has become complete, and those that a member
/// or the parent asks for again (R-TREE-2, R-TREE-4). One thread drives it.
#[derive(Debug)]
pub struct Uplink {
    segment: Arc<Segment>,
    flow: u16,
    /// Uplink requests, as taken from the segment.
    taken: Box<[u64]>,
    /// Room for one datagram.
    datagram: Box<[u8]>,
    interrupted: Arc<AtomicBool>,
}

impl Uplink {
    /// Returns the way up of a flow.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such flow, [`Error::NoParent`] if the segment is no leaf's.
    pub fn new(segment: Arc<Segment>, flow: u16) -> Result<Self, Error> {
        check(&segment, flow)?;
        let (_, words) = segment.layout().raised(flow);
        let bytes = HEADER_BYTES + segment.spec().payload_bytes as usize;
        Ok(Self {
            segment,
            flow,
            taken: vec![0; words].into(),
            datagram: vec![0; bytes].into(),
            interrupted: Arc::default(),
        })
    }

    /// Writes folds to `buffer`: as many datagrams of one length as are ready and fit, at most
    /// `max_segments` (at least 1). `None` when there is nothing to send.
    ///
    /// # Errors
    /// The job has failed.
    ///
    /// # Panics
    /// If `buffer` does not hold a full datagram of the job.
    pub fn poll_transmit(
        &mut self,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Result<Option<Transmit>, PortError> {
        let job = self.segment.spec().job;
        let mut transmit = Transmit { job, to: Recipients::Parent, len: 0, segment: 0 };
        let mut segments = 0;
        while segments < max_segments {
            let Some((slot, request)) = self.next() else { break };
            // Answered meanwhile, by a result that another of the fold's transmissions has brought.
            let Some(bytes) = self.read(slot, request)? else { continue };
            let fits = transmit.len + bytes <= buffer.len();
            assert!(fits || segments > 0, "the buffer does not hold one datagram of {bytes} bytes");
            if !fits || (segments > 0 && bytes > transmit.segment) {
                self.put_back(slot, request);
                break;
            }
            buffer[transmit.len..transmit.len + bytes].copy_from_slice(&self.datagram[..bytes]);
            transmit.len += bytes;
            transmit.segment = transmit.segment.max(bytes);
            segments += 1;
            // Only the last datagram of a batch may be shorter.
            if bytes < transmit.segment {
                break;
            }
        }
        Ok((segments > 0).then_some(transmit))
    }

    /// Sleeps until there is something to send, or a [`Waker`] ends it.
    ///
    /// # Errors
    /// The job has failed.
    pub fn wait(&mut self) -> Result<WaitOutcome, PortError> {
        loop {
            let found = self.doorbell().sleep(ITSELF, LOOK_AGAIN, || self.look().transpose());
            if let Some(found) = found.or_else(|| self.look().transpose()) {
                return found;
            }
        }
    }

    /// Returns a handle that ends the [`wait`](Uplink::wait) from other threads of its process.
    pub fn waker(&self) -> Waker {
        Waker {
            segment: self.segment.clone(),
            doorbell_at: self.segment.layout().upward(self.flow),
            member: ITSELF,
            interrupted: self.interrupted.clone(),
        }
    }

    fn look(&self) -> Result<Option<WaitOutcome>, PortError> {
        if self.taken.iter().any(|bits| *bits != 0)
            || self.raised().iter().any(|bits| bits.load(Ordering::SeqCst) != 0)
        {
            return Ok(Some(WaitOutcome::Results));
        }
        if self.segment.has_failed() {
            return Err(PortError::Failed);
        }
        Ok(self.interrupted.swap(false, Ordering::SeqCst).then_some(WaitOutcome::Interrupted))
    }

    /// Takes an uplink request, and its slot.
    fn next(&mut self) -> Option<(SlotIndex, UplinkRequest)> {
        let slots = usize::from(self.segment.spec().slots);
        for word in 0..self.taken.len() {
            if self.taken[word] == 0 {
                self.taken[word] = self.raised()[word].swap(0, Ordering::SeqCst);
            }
            while self.taken[word] != 0 {
                let bit = self.taken[word].trailing_zeros() as usize;
                self.taken[word] &= self.taken[word] - 1;
                let (slot, request) = (
                    (64 * word + bit) / 2,
                    if bit.is_multiple_of(2) { UplinkRequest::Fold } else { UplinkRequest::Query },
                );
                // Bits behind the last slot's only a stranger has written.
                if slot < slots {
                    return Some((SlotIndex(slot as u16), request));
                }
            }
        }
        None
    }

    fn put_back(&mut self, slot: SlotIndex, request: UplinkRequest) {
        let index = 2 * usize::from(slot.0) + request as usize;
        self.taken[index / 64] |= 1 << (index % 64);
    }

    /// Writes the packet that goes up to `datagram`, and returns its length; `None` if the slot
    /// does not wait for the parent any more.
    fn read(
        &mut self,
        index: SlotIndex,
        request: UplinkRequest,
    ) -> Result<Option<usize>, PortError> {
        let segment = &*self.segment;
        let slot = SharedSlot::of(segment.mapping(), segment.layout(), self.flow, index);
        slot.fold_to_raise(segment.spec(), request, &mut self.datagram, || segment.has_failed())
            .inspect_err(|error| give_up(segment, *error))
    }

    fn raised(&self) -> &[AtomicU64] {
        let (at, words) = self.segment.layout().raised(self.flow);
        self.segment.mapping().wide_words(at, words)
    }

    fn doorbell(&self) -> Doorbell<'_> {
        Doorbell::of(self.segment.mapping(), self.segment.layout().upward(self.flow))
    }
}

/// Takes results from above into the slots of one flow (R-TREE-3). One thread drives it.
#[derive(Debug)]
pub struct Downlink {
    segment: Arc<Segment>,
    flow: u16,
    to_flush: bool,
    to_raise: bool,
    counters: Counters,
}

impl Downlink {
    /// Returns the way down of a flow.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such flow, [`Error::NoParent`] if the segment is no leaf's.
    pub fn new(segment: Arc<Segment>, flow: u16) -> Result<Self, Error> {
        check(&segment, flow)?;
        Ok(Self { segment, flow, to_flush: false, to_raise: false, counters: Counters::default() })
    }

    /// Takes a datagram of the parent, with its mark of the network (R-ECN-2). Whatever is no
    /// result and no recall of a round that waits here is dropped and counted.
    ///
    /// # Errors
    /// The job has failed.
    pub fn settle(&mut self, datagram: &[u8], ecn: Ecn) -> Result<(), PortError> {
        self.counters.received(datagram.len(), ecn);
        let answer = Answer::parse(datagram, ecn);
        match answer.and_then(|answer| answer.check(self.segment.spec()).map(|()| answer)) {
            Ok(answer) => self.take(&answer),
            Err(refusal) => {
                self.counters.refused(refusal);
                Ok(())
            }
        }
    }

    /// Wakes the members that sleep for the results settled, by one system call if there are any,
    /// and the way up if folds must go there again. Call it after a burst of [`Downlink::settle`].
    pub fn flush(&mut self) {
        if std::mem::take(&mut self.to_flush) {
            let layout = self.segment.layout();
            Doorbell::of(self.segment.mapping(), layout.members(self.flow)).ring(u64::MAX);
        }
        if std::mem::take(&mut self.to_raise) {
            let layout = self.segment.layout();
            Doorbell::of(self.segment.mapping(), layout.upward(self.flow)).ring(u64::MAX);
        }
    }

    /// Returns the totals of the packets that have come from the parent.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn take(&mut self, answer: &Answer<'_>) -> Result<(), PortError> {
        let segment = &*self.segment;
        if segment.has_failed() {
            return Err(PortError::Failed);
        }
        let header = answer.header();
        let slot = SharedSlot::of(segment.mapping(), segment.layout(), self.flow, header.slot);
        let settled = slot
            .settle(segment.spec(), answer, segment.is_timed(), || segment.has_failed())
            .inspect_err(|error| give_up(segment, *error))?;
        self.counters.settled(settled);
        match settled.into() {
            Effect::Deliver => {
                let (word, bit) = place(header.slot, header.pool);
                let (at, words) = segment.layout().toggles(self.flow);
                segment.mapping().wide_words(at, words)[word].fetch_xor(bit, Ordering::SeqCst);
                self.to_flush = true;
            }
            Effect::Raise => {
                UplinkRequest::Fold.leave(segment, self.flow, header.slot);
                self.to_raise = true;
            }
            // The parent has no other.
            _ => {}
        }
        Ok(())
    }
}

fn check(segment: &Segment, flow: u16) -> Result<(), Error> {
    let worker = segment.spec().place.parent().ok_or(Error::NoParent)?;
    if flow < segment.flows() { Ok(()) } else { Err(Error::Range { flow, worker }) }
}
