//! A state of a job with a table.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netfold_switch::Shard;
use netfold_wire::{TablePacket, TableRepr};

use super::job::TableJob;
use super::server::Server;
use super::switch::{Node, TableSwitch};
use super::worker::Worker;
use crate::network::Network;

/// One that asks a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Peer {
    /// A worker, by its rank.
    Worker(u16),
    /// A server.
    Server(u16),
    /// The switch above another, which it asks: this one.
    Parent(usize),
}

/// A datagram between a switch and a peer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TableDatagram {
    /// The peer that asks.
    pub peer: Peer,
    /// It is the switch's answer.
    pub answer: bool,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for TableDatagram {
    /// Writes the fields that matter in a counterexample.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = if self.answer { "to" } else { "from" };
        let Ok(packet) = TablePacket::new_checked(&self.bytes) else {
            return write!(f, "{} bytes {way} {:?}", self.bytes.len(), self.peer);
        };
        let TableRepr { kind, sequence, generation, stored, place, close, last, .. } = packet.repr;
        write!(f, "{kind:?} {sequence} {way} {:?}: generation {generation}", self.peer)?;
        write!(f, ", stored {stored}, place {place}")?;
        if close || last {
            write!(f, "{}", if close { ", close" } else { ", last" })?;
        }
        let rest = &packet.rest[..packet.rest.len().min(16)];
        write!(f, ", ranks {:02x?}, then {rest:02x?}", packet.ranks)
    }
}

/// A state of a job with a table: its machines, and the network.
#[derive(Clone)]
pub struct TableState<S: TableSwitch = Shard> {
    pub(super) workers: Vec<Arc<Worker>>,
    pub(super) servers: Vec<Arc<Server>>,
    /// The switches; 0 is the root.
    pub(super) nodes: Vec<Arc<Node<S>>>,
    pub(super) network: Network<TableDatagram>,
    /// The switches at which the job is over, a bit for each. It is over at the root first.
    pub(super) ended: u32,
    /// Number of times that servers were lost.
    pub(super) losses: u32,
    pub(super) fault: Option<Fault>,
}

/// A fault of a state. It ends the search there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fault {
    /// A server has stored what is not a sum of pushes, each once at most.
    WrongSum {
        /// The server.
        server: u16,
    },
    /// A generation is gone that a server has not stored (R-KEY-8).
    Overwritten {
        /// The server.
        server: u16,
    },
}

impl<S: TableSwitch> TableState<S> {
    /// All that tells one state from another, but for the network.
    pub(super) fn machines(&self) -> (Vec<u64>, Vec<u64>, Vec<u64>, u32, u32, Option<Fault>) {
        let workers = self.workers.iter().map(|worker| worker.digest()).collect();
        let servers = self.servers.iter().map(|server| server.digest()).collect();
        let nodes = self.nodes.iter().map(|node| node.digest()).collect();
        (workers, servers, nodes, self.ended, self.losses, self.fault)
    }

    /// Forgets answers to requests that wait for none: nothing comes of them, whenever they are
    /// delivered. `losses` is the number of times that servers may be lost in all; as long as one
    /// may be, its answers are kept, since it may ask again by the same numbers.
    pub(super) fn forget_answers(&mut self, job: &TableJob, losses: u32) {
        let Self { workers, servers, .. } = self;
        let all_lost = self.losses == losses;
        self.network.retain(|datagram| {
            let number = || TablePacket::new_checked(&datagram.bytes).map(|it| it.repr.sequence);
            !datagram.answer
                || number().is_ok_and(|number| match datagram.peer {
                    Peer::Worker(rank) => workers[usize::from(rank)].awaits(job, number),
                    Peer::Server(index) => !all_lost || servers[usize::from(index)].awaits(number),
                    Peer::Parent(_) => true,
                })
        });
    }

    /// Returns whether the job is over.
    pub(super) fn is_over(&self) -> bool {
        self.ended != 0
    }

    /// Returns whether a server has sealed the epoch.
    pub(super) fn is_sealed(&self) -> bool {
        self.servers.iter().any(|server| server.view().store.sealed)
    }

    /// The sum of a row that a server has stored.
    pub(super) fn sum(&self, server: u16, rank: u32) -> u32 {
        let sums = &self.servers[usize::from(server)].view().store.sums;
        sums.get(&rank).copied().unwrap_or_default()
    }
}

impl<S: TableSwitch> PartialEq for TableState<S> {
    fn eq(&self, other: &Self) -> bool {
        self.machines() == other.machines() && self.network == other.network
    }
}

impl<S: TableSwitch> Eq for TableState<S> {}

impl<S: TableSwitch> Hash for TableState<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.machines().hash(state);
        self.network.hash(state);
    }
}

impl<S: TableSwitch> fmt::Debug for TableState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let workers: Vec<_> = self.workers.iter().map(|worker| worker.view()).collect();
        let servers: Vec<_> = self.servers.iter().map(|server| server.view()).collect();
        f.debug_struct("TableState")
            .field("workers", &workers)
            .field("servers", &servers)
            .field("network", &self.network)
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}
