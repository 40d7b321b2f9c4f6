//! Ways between a worker and the slots of its job.

mod paused;
mod shm;
mod udp;

use std::io;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use paused::PausedLink;
pub(crate) use shm::{OnEvent, ShmLink};
pub(crate) use udp::{Sender, UdpLink};

use netfold_shm::WaitMode;
use netfold_worker::Plan;

use crate::flow::{Arrivals, Departures, EagerMessages, OnlyCall};
use crate::rounds::RoundLog;

/// A function that wakes the thread that waits in a link.
pub(crate) type WakeFn = Box<dyn Fn() + Send + Sync>;

/// Calls to the system that moved datagrams.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SystemCalls {
    pub(crate) send: u64,
    pub(crate) receive: u64,
}

impl SystemCalls {
    /// Those over two links together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { send: self.send + other.send, receive: self.receive + other.receive }
    }
}

/// A worker's way to the slots of one flow, and back.
pub(crate) trait Link {
    /// Sends all packets to send to the slots. Those that cannot be sent now may be lost.
    fn send(&mut self, departures: &mut Departures<'_>) -> io::Result<()>;

    /// Passes on all that has come. Never blocks.
    fn receive(&mut self, arrivals: &mut Arrivals<'_>) -> io::Result<()>;

    /// Returns whether a call takes the eager path here (R-EAGER-1). The answer is the same at
    /// every worker of the job.
    fn takes_eager(&self, _plan: &Plan) -> bool {
        false
    }

    /// Posts eager messages, and completes the rounds whose messages are all there.
    fn exchange(&mut self, _messages: &mut EagerMessages<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Posts the message of a call, and takes those of its round if all have come, or come while it
    /// looks for them some times, which it does only where nobody else wants the core. Returns
    /// whether it has taken them.
    fn fold_at_once(&mut self, _call: &mut OnlyCall<'_, '_>) -> io::Result<bool> {
        Ok(false)
    }

    /// Has arrivals timed from now on, and rounds that are run on this side of the link: those go
    /// to `log`.
    fn time(&mut self, log: &Arc<RoundLog>);

    /// Returns whether packets that may wait (R-ACK-6) are better sent when there is nothing to
    /// receive.
    fn defers(&self) -> bool {
        false
    }

    /// Returns whether there is something to receive, where that can be seen without a call to the
    /// system.
    fn has_come(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    /// Returns whether a wait would be over in a moment, where that can be seen without a call to
    /// the system. That moment has then been the wait.
    fn look(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    /// Sleeps for so long, whatever comes, where many results come one by one. Returns whether it
    /// was woken before.
    fn rest(&mut self, _time: Duration) -> io::Result<bool> {
        Ok(false)
    }

    /// Sleeps until there may be something to receive, until it is woken, or until `timeout` is
    /// over. If `few` rounds are under way, the wait for a call may be over before a sleep is.
    fn wait(&mut self, timeout: Option<Duration>, mode: WaitMode, few: bool) -> io::Result<()>;

    /// Ends the wait that is on, or else the next one.
    fn waker(&self) -> WakeFn;

    fn system_calls(&self) -> SystemCalls;

    /// Returns whether one system call sends several datagrams.
    fn has_segmentation(&self) -> bool;
}
