//! The way through shared memory: this worker runs the slots itself.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use netfold_management::JoinRequest;
use netfold_shm::{Collected, Port, PortError, WaitMode};
use netfold_switch::Event;
use netfold_wire::EAGER_QUEUES;
use netfold_worker::Plan;
use rustix::event::{PollFd, PollFlags};

use super::{Link, SystemCalls, WakeFn};
use crate::endpoint;
use crate::flow::{Arrivals, Departures, EagerMessages, OnlyCall};
use crate::notify::EventFd;
use crate::rounds::RoundLog;

/// Called for every mismatch that this worker is the first to see.
pub(crate) type OnEvent = Box<dyn Fn(Event) + Send>;

/// This worker's port of the job's memory.
pub(crate) struct ShmLink {
    port: Port,
    on_event: OnEvent,
    /// Short calls take the eager path.
    eager: bool,
    /// A mismatch that was seen while the caller held locks which the listener may want.
    event: Option<Event>,
    /// Log of the rounds that this worker has ended, if somebody asks for them.
    log: Option<Arc<RoundLog>>,
    /// The job has ended. The management plane says why, so that from here on nothing happens.
    ended: bool,
    /// Event that ends a wait after the job's end.
    wake: EventFd,
}

impl ShmLink {
    /// The link of a worker that has joined by `request`.
    pub(crate) fn new(port: Port, on_event: OnEvent, request: &JoinRequest) -> io::Result<Self> {
        // A message could not be replayed (R-EAGER-1).
        let eager = !request.terms.resumable && !request.terms.elastic;
        Ok(Self {
            port,
            on_event,
            eager,
            event: None,
            log: None,
            ended: false,
            wake: EventFd::new()?,
        })
    }

    fn log_rounds(&mut self) {
        if let Some(log) = &self.log {
            log.extend(std::iter::from_fn(|| self.port.poll_round()));
        }
    }

    /// Completes the rounds of a queue whose messages are all there.
    fn collect(&mut self, messages: &mut EagerMessages<'_>, queue: u16) -> io::Result<()> {
        while let Some(round) = messages.awaited(queue) {
            match unless_ended(&mut self.ended, self.port.collect(&round, false))? {
                Some(Collected::Done(come, at)) => messages.take(&round, come, at),
                Some(Collected::Failed(event)) => (self.on_event)(event),
                Some(Collected::Waiting) | None => return Ok(()),
            }
            messages.post(&mut self.port);
        }
        self.port.stop_collecting(queue);
        Ok(())
    }
}

/// Returns the answer of a port, or `None` if the job has ended.
fn unless_ended<T>(ended: &mut bool, said: Result<T, PortError>) -> io::Result<Option<T>> {
    match said {
        Ok(value) => Ok(Some(value)),
        Err(PortError::Failed) => {
            *ended = true;
            Ok(None)
        }
        Err(error) => Err(io::Error::other(error)),
    }
}

impl Link for ShmLink {
    fn send(&mut self, departures: &mut Departures<'_>) -> io::Result<()> {
        while let Some(outgoing) = departures.packet() {
            let (header, lanes) = (*outgoing.header(), outgoing.lanes());
            let delivered = self.port.contribute(header, lanes, |lanes| outgoing.pack(lanes));
            if let Some(Some(event)) = unless_ended(&mut self.ended, delivered)? {
                (self.on_event)(event);
            }
            self.log_rounds();
        }
        Ok(())
    }

    fn receive(&mut self, arrivals: &mut Arrivals<'_>) -> io::Result<()> {
        let received = self.port.receive_timed(|packet, at| arrivals.packet(packet, at));
        unless_ended(&mut self.ended, received).map(drop)
    }

    fn takes_eager(&self, plan: &Plan) -> bool {
        self.eager && plan.is_eager() && self.port.takes_eager(plan.coding().lane, plan.operation())
    }

    fn exchange(&mut self, messages: &mut EagerMessages<'_>) -> io::Result<()> {
        if let Some(event) = self.event.take() {
            (self.on_event)(event);
        }
        messages.post(&mut self.port);
        for queue in 0..EAGER_QUEUES {
            self.collect(messages, queue)?;
        }
        self.port.flush();
        self.log_rounds();
        Ok(())
    }

    fn fold_at_once(&mut self, call: &mut OnlyCall<'_, '_>) -> io::Result<bool> {
        call.post(&mut self.port);
        self.port.flush();
        if self.log.is_some() {
            // Its round is to be logged, and the call to be timed.
            return Ok(false);
        }
        match unless_ended(&mut self.ended, self.port.collect(call.round(), true))? {
            Some(Collected::Done(come, _)) => {
                call.take(come);
                return Ok(true);
            }
            Some(Collected::Failed(event)) => self.event = Some(event),
            Some(Collected::Waiting) | None => {}
        }
        Ok(false)
    }

    fn defers(&self) -> bool {
        // Those who wait do not sleep, so that a round of its own wakes nobody.
        !self.port.is_crowded()
    }

    fn has_come(&mut self) -> io::Result<bool> {
        let has_results = self.port.has_results();
        Ok(unless_ended(&mut self.ended, has_results)?.unwrap_or(false))
    }

    fn look(&mut self) -> io::Result<bool> {
        let looked = self.port.look_awhile();
        Ok(unless_ended(&mut self.ended, looked)?.unwrap_or(false))
    }

    fn time(&mut self, log: &Arc<RoundLog>) {
        self.port.time_rounds();
        self.log = Some(log.clone());
    }

    fn wait(&mut self, timeout: Option<Duration>, mode: WaitMode, _few: bool) -> io::Result<()> {
        if self.ended {
            endpoint::wait(&mut [PollFd::new(&self.wake, PollFlags::IN)], timeout)?;
            self.wake.reset();
            return Ok(());
        }
        let waited = self.port.wait(timeout, mode);
        unless_ended(&mut self.ended, waited).map(drop)
    }

    fn waker(&self) -> WakeFn {
        let (port, ended) = (self.port.waker(), self.wake.notifier());
        Box::new(move || {
            port.wake();
            ended.wake();
        })
    }

    fn system_calls(&self) -> SystemCalls {
        SystemCalls::default()
    }

    fn has_segmentation(&self) -> bool {
        false
    }
}
