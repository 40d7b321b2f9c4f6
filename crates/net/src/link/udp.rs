//! The way over UDP.

use std::io;
use std::iter;
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use netfold_shm::WaitMode;
use rustix::event::{PollFd, PollFlags};

use super::{Link, SystemCalls, WakeFn};
use crate::arrival::Arrival;
use crate::awake::Waiter;
use crate::endpoint::{Endpoint, MAX_BURST_BYTES, MAX_BURST_SEGMENTS, wait};
use crate::flow::{Arrivals, Departures};
use crate::notify::EventFd;
use crate::rounds::RoundLog;

/// A socket of this worker, and where its shard is.
pub(crate) struct UdpLink {
    switch: SocketAddr,
    endpoint: Endpoint,
    /// Endpoint at which results for all workers come, if not `endpoint` (R-CTRL-9).
    group: Option<Endpoint>,
    wake: EventFd,
    burst: Box<[u8]>,
    waiter: Waiter,
    /// Sockets that the last wait found readable: `endpoint`, `group`.
    readable: [bool; 2],
}

/// Sends to the shard of a link.
pub(crate) struct Sender {
    switch: SocketAddr,
    endpoint: Endpoint,
}

impl Sender {
    /// Sends `datagrams`, which are cut every `segment` bytes. What cannot be sent now may be lost.
    pub(crate) fn send(&mut self, datagrams: &[u8], segment: usize) -> io::Result<()> {
        self.endpoint.send(self.switch, datagrams, segment)
    }
}

impl UdpLink {
    pub(crate) fn new(
        switch: SocketAddr,
        endpoint: Endpoint,
        group: Option<Endpoint>,
    ) -> io::Result<Self> {
        let burst = vec![0; MAX_BURST_BYTES].into();
        let (wake, waiter) = (EventFd::new()?, Waiter::new());
        Ok(Self { switch, endpoint, group, wake, burst, waiter, readable: [false; 2] })
    }

    /// Returns a sender from the same address, for another thread.
    pub(crate) fn sender(&self) -> io::Result<Sender> {
        Ok(Sender { switch: self.switch, endpoint: self.endpoint.twin()? })
    }

    /// Passes each datagram that has come to `handle`, with its mark and its time of arrival. Never
    /// blocks.
    pub(crate) fn read(&mut self, mut handle: impl FnMut(&[u8], Arrival)) -> io::Result<()> {
        let readable = std::mem::take(&mut self.readable);
        let inlets = iter::once(&mut self.endpoint).chain(&mut self.group).zip(readable);
        for (inlet, _) in inlets.filter(|(_, readable)| *readable) {
            inlet.receive(&mut handle)?;
        }
        Ok(())
    }

    fn inlets(&self) -> impl Iterator<Item = &Endpoint> {
        iter::once(&self.endpoint).chain(&self.group)
    }
}

impl Link for UdpLink {
    fn send(&mut self, departures: &mut Departures<'_>) -> io::Result<()> {
        while let Some(burst) = departures.datagrams(&mut self.burst, MAX_BURST_SEGMENTS) {
            self.endpoint.send(self.switch, &self.burst[..burst.len], burst.segment)?;
        }
        Ok(())
    }

    fn receive(&mut self, arrivals: &mut Arrivals<'_>) -> io::Result<()> {
        self.read(|datagram, arrival| arrivals.datagram(datagram, arrival))
    }

    fn time(&mut self, _log: &Arc<RoundLog>) {
        iter::once(&mut self.endpoint).chain(&mut self.group).for_each(Endpoint::time_arrivals);
    }

    fn rest(&mut self, time: Duration) -> io::Result<bool> {
        let woken = wait(&mut [PollFd::new(&self.wake, PollFlags::IN)], Some(time))? > 0;
        if woken {
            self.wake.reset();
        }
        Ok(woken)
    }

    fn wait(&mut self, timeout: Option<Duration>, mode: WaitMode, few: bool) -> io::Result<()> {
        let group = self.group.as_ref().unwrap_or(&self.endpoint);
        let mut fds = [self.wake.as_fd(), self.endpoint.as_fd(), group.as_fd()]
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let waited_on = if self.group.is_some() { 3 } else { 2 };
        // A helper leaves its core to those that compute.
        let few = few && mode == WaitMode::Caller;
        self.waiter.wait(&mut fds[..waited_on], timeout, few)?;
        let [woken, readable @ ..] = fds.map(|fd| !fd.revents().is_empty());
        self.readable = readable;
        if woken {
            self.wake.reset();
        }
        Ok(())
    }

    fn waker(&self) -> WakeFn {
        let waker = self.wake.notifier();
        Box::new(move || waker.wake())
    }

    fn system_calls(&self) -> SystemCalls {
        SystemCalls {
            send: self.endpoint.system_calls().0,
            receive: self.inlets().map(|inlet| inlet.system_calls().1).sum(),
        }
    }

    fn has_segmentation(&self) -> bool {
        self.endpoint.has_segmentation()
    }
}
