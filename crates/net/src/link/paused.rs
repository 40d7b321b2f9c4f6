//! No way to the slots: where a flow waits while its worker is between two switches (R-RES-2).

use std::io;
use std::sync::Arc;
use std::time::Duration;

use netfold_shm::WaitMode;
use rustix::event::{PollFd, PollFlags};

use super::{Link, SystemCalls, WakeFn};
use crate::endpoint;
use crate::flow::{Arrivals, Departures};
use crate::notify::EventFd;
use crate::rounds::RoundLog;

/// A link over which nothing goes and nothing comes, but on which one can wait.
pub(crate) struct PausedLink(EventFd);

impl PausedLink {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(EventFd::new()?))
    }
}

impl Link for PausedLink {
    fn send(&mut self, _departures: &mut Departures<'_>) -> io::Result<()> {
        Ok(())
    }

    fn receive(&mut self, _arrivals: &mut Arrivals<'_>) -> io::Result<()> {
        Ok(())
    }

    fn time(&mut self, _log: &Arc<RoundLog>) {}

    fn wait(&mut self, timeout: Option<Duration>, _mode: WaitMode, _few: bool) -> io::Result<()> {
        endpoint::wait(&mut [PollFd::new(&self.0, PollFlags::IN)], timeout)?;
        self.0.reset();
        Ok(())
    }

    fn waker(&self) -> WakeFn {
        let waker = self.0.notifier();
        Box::new(move || waker.wake())
    }

    fn system_calls(&self) -> SystemCalls {
        SystemCalls::default()
    }

    fn has_segmentation(&self) -> bool {
        false
    }
}
