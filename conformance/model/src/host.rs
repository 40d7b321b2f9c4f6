//! A worker of a model.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netfold_wire::{Ecn, SlotIndex};
use netfold_worker::{CallId, Event, LastRound, Progress, Replay, Stream, StreamConfig};

use crate::job::Job;
use crate::ledger::Ledger;
use crate::network::digest;

/// Changes what the workers of a model send and receive, so that a test can break a rule of theirs.
#[derive(Clone, Copy, Debug)]
pub struct Tamper {
    /// Changes a datagram of a worker; `Progress` is that before the step that sends it.
    pub outgoing: fn(&Progress, &mut [u8]),
    /// Changes a datagram that a worker is about to handle.
    pub incoming: fn(&Progress, &mut [u8]),
}

impl Tamper {
    /// Changes nothing.
    pub const NONE: Self = Self { outgoing: |_, _| {}, incoming: |_, _| {} };
}

/// An event at a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input<'a> {
    /// It makes its next call.
    Call,
    /// A datagram comes.
    Datagram(&'a [u8]),
    /// It takes a slot's round for lost.
    Lost(SlotIndex),
    /// Its timers are looked at.
    Time,
    /// The job goes on at other switches, with these rounds to replay (R-RES-5).
    Resumed(&'a StreamConfig, &'a [Replay]),
}

/// All of a worker that tells one state from another. The results that its calls have taken follow
/// from it, since a wrong result ends the search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    pub(crate) progress: Progress,
    /// Calls that it has made, and those of them that are done.
    pub(crate) called: usize,
    pub(crate) done: usize,
    /// Switches that the job has lost.
    pub(crate) losses: u32,
}

/// A worker.
#[derive(Clone)]
pub(crate) struct Host {
    stream: Stream<Ledger>,
    view: View,
    /// Digest of the view.
    digest: u64,
}

impl Host {
    pub(crate) fn new(job: &Job, worker: u16) -> Self {
        let stream = Stream::new(job.stream_config(worker, 0));
        let view = View { progress: stream.progress(), called: 0, done: 0, losses: 0 };
        Self { stream, digest: digest(&view), view }
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    pub(crate) fn poll_timeout(&mut self) -> Option<u64> {
        self.stream.poll_timeout()
    }

    /// The last round of each slot (R-RES-2).
    pub(crate) fn last_rounds(&self) -> impl Iterator<Item = LastRound> {
        self.stream.last_rounds()
    }

    /// Takes a step and drains the stream. Gives what it sends, or `None` if a call of it has taken
    /// what is wrong.
    pub(crate) fn step(
        &mut self,
        job: &Arc<Job>,
        worker: u16,
        tamper: &Tamper,
        now_us: u64,
        input: Input<'_>,
    ) -> Option<Vec<Arc<[u8]>>> {
        match input {
            Input::Call => {
                let call = self.view.called;
                let ledger = Ledger::new(job, call, worker);
                self.stream.submit(CallId(call as u64), job.plan(call, worker), ledger);
                self.view.called += 1;
            }
            Input::Datagram(bytes) => {
                let mut bytes = bytes.to_vec();
                (tamper.incoming)(&self.view.progress, &mut bytes);
                self.stream.handle(now_us, &bytes, Ecn::Clear);
            }
            Input::Lost(slot) => self.stream.presume_lost(slot),
            Input::Time => self.stream.handle_timeout(now_us),
            Input::Resumed(config, replays) => {
                self.stream.resume(*config, replays).ok()?;
                self.view.losses += 1;
            }
        }
        let mut buffer = vec![0; netfold_wire::HEADER_BYTES + job.payload_bytes() as usize];
        let mut sent = Vec::new();
        while let Some(transmit) = self.stream.poll_transmit(now_us, &mut buffer, 1) {
            let datagram = &mut buffer[..transmit.len];
            (tamper.outgoing)(&self.view.progress, datagram);
            sent.push(Arc::from(&*datagram));
        }
        while let Some(Event::Completed(_, ledger)) = self.stream.poll_event() {
            if !ledger.is_complete() {
                return None;
            }
            self.view.done += 1;
        }
        self.view.progress = self.stream.progress();
        self.digest = digest(&self.view);
        let in_progress =
            (0..self.view.called as u64).filter_map(|call| self.stream.tensor(CallId(call)));
        (!in_progress.into_iter().any(Ledger::is_wrong)).then_some(sent)
    }
}

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest && self.view == other.view
    }
}

impl Eq for Host {}

impl Hash for Host {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view.fmt(f)
    }
}
