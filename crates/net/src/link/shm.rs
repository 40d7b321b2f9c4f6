//! The way through shared memory: this worker runs the slots itself.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use netfold_shm::{Port, PortError, Waiter};
use netfold_switch::Event;
use rustix::event::{PollFd, PollFlags};

use super::{Link, SystemCalls, Wakes};
use crate::endpoint;
use crate::flow::{Arrivals, Departures};
use crate::rounds::RoundLog;
use crate::wake::Wake;

/// Called for every mismatch that this worker is the first to see.
pub(crate) type OnEvent = Box<dyn Fn(Event) + Send>;

/// This worker's port of the job's memory.
pub(crate) struct ShmLink {
    port: Port,
    on_event: OnEvent,
    /// Where rounds go that this worker has ended, if somebody asks for them.
    log: Option<Arc<RoundLog>>,
    /// The job has ended. Why is the management plane's to say, so that from here on nothing happens.
    ended: bool,
    /// What ends a wait after the job's end.
    wake: Wake,
}

impl ShmLink {
    pub(crate) fn new(port: Port, on_event: OnEvent) -> io::Result<Self> {
        Ok(Self { port, on_event, log: None, ended: false, wake: Wake::new()? })
    }

    /// What a port has said: nothing, if the job has ended.
    fn unless_ended<T>(&mut self, said: Result<T, PortError>) -> io::Result<Option<T>> {
        match said {
            Ok(value) => Ok(Some(value)),
            Err(PortError::Failed) => {
                self.ended = true;
                Ok(None)
            }
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

impl Link for ShmLink {
    fn send(&mut self, departures: &mut Departures<'_>) -> io::Result<()> {
        while let Some(outgoing) = departures.packet() {
            let delivered = self.port.contribute(*outgoing.header(), |lanes| outgoing.pack(lanes));
            if let Some(Some(event)) = self.unless_ended(delivered)? {
                (self.on_event)(event);
            }
            if let Some(log) = &self.log {
                log.extend(std::iter::from_fn(|| self.port.poll_round()));
            }
        }
        Ok(())
    }

    fn receive(&mut self, arrivals: &mut Arrivals<'_>) -> io::Result<()> {
        let received = self.port.receive_timed(|packet, at| arrivals.packet(packet, at));
        self.unless_ended(received).map(drop)
    }

    fn defers(&self) -> bool {
        // Those who wait do not sleep, so that a round of its own wakes nobody.
        !self.port.is_crowded()
    }

    fn has_come(&mut self) -> io::Result<bool> {
        let has_results = self.port.has_results();
        Ok(self.unless_ended(has_results)?.unwrap_or(false))
    }

    fn look(&mut self) -> io::Result<bool> {
        let looked = self.port.look_awhile();
        Ok(self.unless_ended(looked)?.unwrap_or(false))
    }

    fn time(&mut self, log: &Arc<RoundLog>) {
        self.port.time_rounds();
        self.log = Some(log.clone());
    }

    fn wait(&mut self, timeout: Option<Duration>, waiter: Waiter) -> io::Result<()> {
        if self.ended {
            endpoint::wait(&mut [PollFd::new(&self.wake, PollFlags::IN)], timeout)?;
            self.wake.reset();
            return Ok(());
        }
        let waited = self.port.wait(timeout, waiter);
        self.unless_ended(waited).map(drop)
    }

    fn waker(&self) -> Wakes {
        let (port, ended) = (self.port.waker(), self.wake.waker());
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
