//! The machine at an endpoint: a worker's side of one flow, or one of the peers that netfold is
//! compared with.

use netfold_worker::{Counters, Streams};

use crate::content::Elements;
use crate::mpi::{Message, Process};
use crate::peers::{Peer, Transmit};
use crate::time::Time;

/// The state machine of an endpoint, which knows nothing of time but what it is told.
pub(crate) enum Machine {
    Netfold(Box<Streams<Elements>>),
    /// The same between two epochs of its job (R-RES-2): it takes calls, but neither sends nor
    /// hears anything.
    Suspended(Box<Streams<Elements>>),
    Peer(Box<Peer>),
    Mpi(Box<Process>),
}

/// A datagram that a machine sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// So many bytes, for the switch that folds them.
    ToSwitch { len: usize },
    /// So many bytes, for the switch that has the job's table, which answers to the sender alone.
    Request { len: usize },
    /// So many bytes that stand for `bytes`, for a rank of the same flow.
    ToRank { len: usize, bytes: u32, rank: u16 },
    /// A message of so many bytes here, for a rank.
    Message(Message),
}

impl Machine {
    /// `marked` by a link on its way (R-ECN-1), to which connections of peers do not react.
    pub(crate) fn handle(&mut self, now: Time, datagram: &[u8], marked: bool) {
        match self {
            Self::Netfold(streams) => streams.handle(now.us(), datagram, marked.into()),
            Self::Suspended(_) => {}
            Self::Peer(peer) => peer.handle(now, datagram, marked),
            Self::Mpi(process) => process.handle(datagram),
        }
    }

    pub(crate) fn handle_timeout(&mut self, now: Time) {
        match self {
            Self::Netfold(streams) => streams.handle_timeout(now.us()),
            Self::Suspended(_) | Self::Mpi(_) => {}
            Self::Peer(peer) => peer.handle_timeout(now),
        }
    }

    pub(crate) fn poll_transmit(&mut self, now: Time, buffer: &mut [u8]) -> Option<Sent> {
        match self {
            Self::Netfold(streams) => streams
                .poll_transmit(now.us(), buffer, 1)
                .map(|transmit| Sent::ToSwitch { len: transmit.len }),
            Self::Suspended(_) => None,
            Self::Mpi(process) => process.poll_transmit(buffer).map(Sent::Message),
            Self::Peer(peer) => {
                let Transmit { len, bytes, to } = peer.poll_transmit(now, buffer)?;
                Some(to.map_or(Sent::Request { len }, |rank| Sent::ToRank { len, bytes, rank }))
            }
        }
    }

    pub(crate) fn poll_timeout(&mut self) -> Option<Time> {
        match self {
            Self::Netfold(streams) => streams.poll_timeout().map(Time::from_us),
            Self::Suspended(_) | Self::Mpi(_) => None,
            Self::Peer(peer) => peer.poll_timeout(),
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        match self {
            Self::Netfold(streams) | Self::Suspended(streams) => streams.counters(),
            Self::Peer(peer) => peer.counters(),
            Self::Mpi(process) => process.counters(),
        }
    }

    /// The round trip as it is estimated, in microseconds; 0 where none was measured, or it is a
    /// peer's.
    pub(crate) fn round_trip_us(&self) -> u64 {
        match self {
            Self::Netfold(streams) | Self::Suspended(streams) => streams.rtt_rto_us().0,
            Self::Peer(_) | Self::Mpi(_) => 0,
        }
    }
}
