//! A worker of an elastic job: the real stream, its part in the job, and its connections.

mod managed;

use std::collections::VecDeque;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};

use netfold_management::{
    Ending, JoinRequest, Membership, Message, Participant, Transport, Welcome,
};
use netfold_num::Arithmetic;
use netfold_wire::{Ecn, Epoch, HEADER_BYTES, SlotIndex, Terms};
use netfold_worker::{CallId, Event, Plan, Stream, Timing};

use super::Tampering;
use super::plane::RegistryInput;
use crate::job::Job;
use crate::ledger::Ledger;
use crate::network::digest;

/// Address of the switch.
const SWITCH: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

/// Message or event that comes over a connection.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Message(Box<Message>),
    /// The switch's welcome to an epoch of these workers.
    Welcome(Box<Welcome>, Arc<[u16]>),
    Closed,
}

/// A connection, as its worker has it, and what is under way to the worker.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) conn: u64,
    member: Membership,
    pub(super) inbox: VecDeque<Item>,
}

/// Outcome of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Call {
    InProgress,
    Failed,
    /// Complete, in this epoch.
    Done(u32),
}

/// Fault of a worker after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It has taken a result that is not the sum of the workers that it has made the call with.
    Result,
    /// Its caller does not know the workers of a call that it makes.
    Misled,
}

/// Outputs of a step: datagrams, and messages to the switch.
pub(super) type Given = (Vec<Arc<[u8]>>, Vec<RegistryInput>);

/// A worker.
#[derive(Clone)]
pub(super) struct Worker {
    number: u16,
    job: Arc<Job>,
    tampering: Tampering,
    stream: Option<Stream<Ledger>>,
    /// It neither sends nor takes anything (R-RES-2).
    suspended: bool,
    /// Shared, as connections are, with the states before, in which it mostly was the same.
    part: Option<Arc<Participant<Ending>>>,
    /// Its connection, and that of the previous epoch until it is in the next one (R-RES-11).
    pub(super) line: Option<Arc<Line>>,
    pub(super) former: Option<Arc<Line>>,
    /// Request by which it joins next.
    request: Option<JoinRequest>,
    /// The workers of its epoch, in the order of their ranks.
    members: Arc<[u16]>,
    /// The workers that its caller makes calls with, as far as calls have told (R-RES-9).
    known: Vec<u16>,
    /// Its calls, by number.
    pub(super) calls: Vec<Call>,
    wrong: Option<Wrong>,
    /// Digest of all that tells its state from another, once it was asked for.
    digest: OnceLock<u64>,
    /// Digest of the part of it that changes with the job's management alone.
    management: OnceLock<u64>,
}

/// Returns the request by which a worker joins its first epoch.
fn first_request(job: &Job, number: u16) -> JoinRequest {
    JoinRequest {
        terms: Terms { arithmetic: Arithmetic::Native, elastic: true, ..Terms::new(None) },
        slots: Some(job.slots()),
        packet_elements: Some((job.payload_bytes() / 4) as u16),
        transport: Some(Transport::Udp),
        ..JoinRequest::new("model", number, job.workers())
    }
}

impl Worker {
    pub(super) fn new(job: &Arc<Job>, number: u16, tampering: Tampering) -> Self {
        Self {
            number,
            job: job.clone(),
            tampering,
            stream: None,
            suspended: false,
            part: None,
            line: None,
            former: None,
            request: Some(first_request(job, number)),
            members: Arc::new([]),
            known: (0..job.workers()).collect(),
            calls: Vec::new(),
            wrong: None,
            digest: OnceLock::new(),
            management: OnceLock::new(),
        }
    }

    pub(super) fn digest(&self) -> u64 {
        *self.digest.get_or_init(|| {
            let management = self.management.get_or_init(|| {
                let of_job = (&self.part, &self.line, &self.former, &self.request);
                digest(&format!("{of_job:?}"))
            });
            let progress = self.stream.as_ref().map(Stream::progress);
            digest(&(
                (progress, self.suspended, management),
                (&self.members, &self.known, &self.calls),
            ))
        })
    }

    pub(super) fn wrong(&self) -> Option<Wrong> {
        self.wrong
    }

    /// Returns whether the job is over for it.
    pub(super) fn is_over(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.is_over())
    }

    /// Returns whether it can make another call.
    pub(super) fn may_call(&self) -> bool {
        let part = self.part.as_ref().filter(|part| !part.is_over() && part.is_settled());
        part.is_some_and(|part| (part.made() as usize) < self.job.calls().len())
    }

    /// Returns whether it is to join.
    pub(super) fn may_join(&self) -> bool {
        self.request.is_some()
    }

    /// Returns whether its stream runs.
    pub(super) fn is_running(&self) -> bool {
        self.stream.is_some() && !self.suspended
    }

    pub(super) fn poll_timeout(&mut self) -> Option<u64> {
        if self.suspended { None } else { self.stream.as_mut()?.poll_timeout() }
    }

    /// Its connection of this number.
    pub(super) fn line_mut(&mut self, conn: u64) -> Option<&mut Line> {
        let mut lines = [&mut self.line, &mut self.former].into_iter().flatten();
        lines.find(|line| line.conn == conn).map(Arc::make_mut)
    }

    /// Makes its next call.
    pub(super) fn call(&mut self, now_us: u64) -> Given {
        let Some(part) = self.part.as_mut().map(Arc::make_mut) else { return Given::default() };
        match part.make() {
            Ok(id) => {
                // R-RES-9
                if *self.known != *self.members {
                    self.wrong = Some(Wrong::Misled);
                }
                self.calls.push(Call::InProgress);
                self.submit(id.0 as usize);
            }
            Err(error) => {
                self.calls.push(Call::Failed);
                self.told(&error);
            }
        }
        self.settle(now_us, Vec::new(), true)
    }

    fn submit(&mut self, call: usize) {
        let Some(plan) = self.plan(call) else { return };
        let Some(stream) = &mut self.stream else { return };
        let ledger = Ledger::among(&self.job, call, self.number, self.known.clone().into());
        stream.submit(CallId(call as u64), plan, ledger);
    }

    /// Returns a call as it is cut into blocks in the epoch that the worker is in; `None` outside.
    fn plan(&self, call: usize) -> Option<Plan> {
        let part = self.part.as_ref()?;
        Some(self.job.plan_among(call, part.request().rank, part.welcome().workers))
    }

    /// Takes a datagram.
    pub(super) fn take(&mut self, now_us: u64, datagram: &[u8]) -> Given {
        let epoch = self.epoch();
        let first = self.stream.as_ref().and_then(|stream| stream.first_call());
        let first = first.and_then(|call| Some(self.plan(call.0 as usize)?.digest(call.0)));
        let Some(stream) = self.stream.as_mut().filter(|_| !self.suspended) else {
            return Given::default();
        };
        let mut datagram = datagram.to_vec();
        (self.tampering.incoming)(epoch, first, &mut datagram);
        stream.handle(now_us, &datagram, Ecn::Clear);
        self.settle(now_us, Vec::new(), false)
    }

    /// Takes a slot's round for lost.
    pub(super) fn lose(&mut self, slot: SlotIndex) -> Given {
        let Some(stream) = self.stream.as_mut().filter(|_| !self.suspended) else {
            return Given::default();
        };
        stream.presume_lost(slot);
        self.settle(0, Vec::new(), false)
    }

    /// Looks at its timers.
    pub(super) fn look(&mut self, now_us: u64) -> Given {
        let Some(stream) = self.stream.as_mut().filter(|_| !self.suspended) else {
            return Given::default();
        };
        stream.handle_timeout(now_us);
        self.settle(now_us, Vec::new(), false)
    }

    fn epoch(&self) -> Epoch {
        Epoch(self.part.as_ref().map_or(0, |part| part.welcome().epoch))
    }

    /// The first call in progress from a number on.
    fn in_progress(calls: &[Call], from: CallId) -> Option<CallId> {
        let numbered = (0..).map(CallId).zip(calls).skip(from.0 as usize);
        numbered.into_iter().find(|(_, call)| **call == Call::InProgress).map(|(id, _)| id)
    }

    /// Begins a stream in its epoch of the job.
    fn begin(&mut self) {
        let Some(part) = &self.part else { return };
        self.suspended = false;
        self.stream =
            Some(Stream::new(part.request().stream(part.welcome(), 0, 1, Timing::default())));
    }

    /// Ends the calls in progress from a number on.
    fn end_calls(&mut self, first: CallId, error: &Ending) {
        if let Some(stream) = &mut self.stream {
            stream.abandon(first).for_each(drop);
        }
        let failed =
            self.calls.iter_mut().skip(first.0 as usize).filter(|call| **call == Call::InProgress);
        if failed.map(|call| *call = Call::Failed).count() > 0 {
            self.told(error);
        }
    }

    /// Has the caller strike out the workers of whose loss it hears from its list (R-RES-9).
    /// Several calls may tell of one loss.
    fn told(&mut self, error: &Ending) {
        let Ending::Regrouped { lost, rank, workers, .. } = error else { return };
        if self.known.len() == usize::from(*workers) {
            return;
        }
        let mut place = 0..;
        self.known.retain(|_| place.next().is_none_or(|place| !lost.contains(&place)));
        let right = self.known.len() == usize::from(*workers)
            && self.known.get(usize::from(*rank)) == Some(&self.number);
        if !right {
            self.wrong = Some(Wrong::Misled);
        }
    }

    /// Drains the stream after a step, and looks at what has come of it. `managed`: the step may
    /// have changed more than the stream.
    fn settle(&mut self, now_us: u64, inputs: Vec<RegistryInput>, managed: bool) -> Given {
        let mut sent = Vec::new();
        if let Some(stream) = self.stream.as_mut().filter(|_| !self.suspended) {
            let mut buffer = vec![0; HEADER_BYTES + self.job.payload_bytes() as usize];
            while let Some(transmit) = stream.poll_transmit(now_us, &mut buffer, 1) {
                sent.push(Arc::from(&buffer[..transmit.len]));
            }
            let epoch = self.part.as_ref().map_or(0, |part| part.welcome().epoch);
            while let Some(Event::Completed(id, ledger)) = stream.poll_event() {
                self.calls[id.0 as usize] = Call::Done(epoch);
                if !ledger.is_complete() {
                    self.wrong = Some(Wrong::Result);
                }
            }
            let mut in_progress =
                (0..self.calls.len() as u64).filter_map(|call| stream.tensor(CallId(call)));
            if in_progress.any(Ledger::is_wrong) {
                self.wrong = Some(Wrong::Result);
            }
        }
        self.changed(managed);
        (sent, inputs)
    }

    /// Has digests made anew.
    fn changed(&mut self, managed: bool) {
        self.digest = OnceLock::new();
        if managed {
            self.management = OnceLock::new();
        }
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("number", &self.number)
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}
