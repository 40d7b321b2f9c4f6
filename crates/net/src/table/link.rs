//! The way of a worker's datagrams to its job's table: a socket, or memory (R-KEY-20).

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

use netfold_shm::{ChannelEnd, PortError};
use netfold_wire::{TableKind, TablePacket};
use rustix::event::{PollFd, PollFlags};

use crate::endpoint::{Endpoint, MAX_BURST_BYTES, MAX_BURST_SEGMENTS, wait};
use crate::notify::{EventFd, Notifier, WakeSocket};
use crate::shared::TableWay;

/// The way to the table.
pub(super) enum Link {
    /// Requests go to the shard that is near, and pulls to the top one (R-KEY-17).
    Udp { endpoint: Endpoint, near: SocketAddr, top: SocketAddr },
    /// There is one switch, in a job that has its table there.
    Memory { channel: ChannelEnd, switch: Arc<WakeSocket> },
}

/// The descriptors by which the thread that drives a link is woken.
pub(super) struct Bell {
    wake: EventFd,
    arrivals: Arrivals,
}

/// The descriptor that is readable when something has come.
enum Arrivals {
    /// The link's socket.
    Datagrams(OwnedFd),
    Wakes(Arc<WakeSocket>),
    /// The switch has closed its end. It is silent from now on.
    Closed,
}

impl Link {
    pub(super) fn udp(
        endpoint: Endpoint,
        near: SocketAddr,
        top: SocketAddr,
    ) -> io::Result<(Self, Bell)> {
        let arrivals = Arrivals::Datagrams(endpoint.as_fd().try_clone_to_owned()?);
        Ok((Self::Udp { endpoint, near, top }, Bell { wake: EventFd::new()?, arrivals }))
    }

    pub(super) fn memory(TableWay { channel, wake: switch }: TableWay) -> io::Result<(Self, Bell)> {
        let switch = Arc::new(switch);
        let arrivals = Arrivals::Wakes(switch.clone());
        Ok((Self::Memory { channel, switch }, Bell { wake: EventFd::new()?, arrivals }))
    }

    pub(super) fn is_memory(&self) -> bool {
        matches!(self, Self::Memory { .. })
    }

    /// Returns whether a burst may be sent now. If not, an answer comes when there is room.
    pub(super) fn has_room(&self) -> io::Result<bool> {
        match self {
            Self::Udp { .. } => Ok(true),
            Self::Memory { channel, .. } => channel
                .sender
                .has_room(MAX_BURST_BYTES, MAX_BURST_SEGMENTS)
                .map_err(io::Error::other),
        }
    }

    /// Sends `datagrams`, cut every `segment` bytes.
    pub(super) fn send(&mut self, datagrams: &[u8], segment: usize) -> io::Result<()> {
        match self {
            Self::Udp { endpoint, near, top } => {
                let pulls = TablePacket::is_of(datagrams, TableKind::Pull);
                endpoint.send(if pulls { *top } else { *near }, datagrams, segment)
            }
            Self::Memory { channel, switch } => {
                let write = |datagram| channel.sender.write(datagram).map(drop);
                let written: Result<(), PortError> =
                    datagrams.chunks(segment.max(1)).try_for_each(write);
                written.map_err(io::Error::other)?;
                if channel.sender.publish() {
                    switch.wake();
                }
                Ok(())
            }
        }
    }

    /// Passes what has come to `handle`, with its mark. Never blocks.
    pub(super) fn receive(&mut self, mut handle: impl FnMut(&[u8], bool)) -> io::Result<()> {
        match self {
            Self::Udp { endpoint, .. } => {
                endpoint.receive(|datagram, arrival| handle(datagram, arrival.marked)).map(drop)
            }
            Self::Memory { channel, .. } => channel
                .receiver
                .receive(u32::MAX, |datagram| handle(datagram, false))
                .map(drop)
                .map_err(io::Error::other),
        }
    }

    /// Has the bell ring when something comes. Returns whether nothing is there by now.
    pub(super) fn sleep(&self) -> bool {
        match self {
            Self::Udp { .. } => true,
            Self::Memory { channel, .. } => channel.receiver.sleep(),
        }
    }

    /// Has the bell stay silent, if it can, since somebody looks.
    pub(super) fn stay_awake(&self) {
        if let Self::Memory { channel, .. } = self {
            channel.receiver.stay_awake();
        }
    }
}

impl Bell {
    /// Returns what rings it.
    pub(super) fn notifier(&self) -> Notifier {
        self.wake.notifier()
    }

    /// Waits until it rings, at most `limit`.
    pub(super) fn wait(&mut self, limit: Option<Duration>) -> io::Result<()> {
        let mut fds = vec![PollFd::new(&self.wake, PollFlags::IN)];
        fds.extend(self.arrivals.polled());
        wait(&mut fds, limit)?;
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        let (woken, arrived) = (ready.next() == Some(true), ready.next() == Some(true));
        if woken {
            self.wake.reset();
        }
        match &self.arrivals {
            Arrivals::Wakes(switch) if arrived && !switch.reset() => {
                self.arrivals = Arrivals::Closed;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Arrivals {
    fn polled(&self) -> Option<PollFd<'_>> {
        match self {
            Self::Datagrams(socket) => Some(PollFd::new(socket, PollFlags::IN)),
            Self::Wakes(switch) => Some(PollFd::new(&**switch, PollFlags::IN)),
            Self::Closed => None,
        }
    }
}
