//! Ways between a worker and the slots of its job.

mod paused;
mod shm;
mod udp;

use std::io;
use std::time::Duration;

pub(crate) use paused::PausedLink;
pub(crate) use shm::{OnEvent, ShmLink};
pub(crate) use udp::{Sender, UdpLink};

/// Wakes whoever waits in a link.
pub(crate) type Wakes = Box<dyn Fn() + Send + Sync>;

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
    /// Bytes and datagrams that one [`Link::send`] takes at most.
    fn burst_limits(&self) -> (usize, usize);

    /// Sends `datagrams`, which are cut every `segment` bytes, to the slots. What cannot be sent now may be lost.
    fn send(&mut self, datagrams: &[u8], segment: usize) -> io::Result<()>;

    /// Passes each datagram that has come to `handle`, with whether the network has marked it (R-ECN-1). Never blocks.
    fn receive(&mut self, handle: &mut dyn FnMut(&[u8], bool)) -> io::Result<()>;

    /// Sleeps until there may be something to receive, until it is woken, or until `timeout` is over.
    fn wait(&mut self, timeout: Option<Duration>) -> io::Result<()>;

    /// Ends the wait that is on, or else the next one.
    fn waker(&self) -> Wakes;

    fn system_calls(&self) -> SystemCalls;

    /// Whether one system call sends several datagrams.
    fn has_segmentation(&self) -> bool;
}
