//! A job's table over UDP, or in shared memory for its workers (R-KEY-20): [`TableClient`] is a
//! worker's side of it, [`TableReader`] a server's (R-KEY).

mod client;
mod driver;
mod link;
mod reader;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use netfold_wire::{Epoch, JobId, TableTerms, Terms};
use netfold_worker::StreamConfig;
use netfold_worker::keyed::Lanes;

pub use client::{TableClient, TableStats};
pub use reader::{ReadGeneration, TableRead, TableReader};

use crate::endpoint::Endpoint;
use crate::shared::TableWay;

/// A table at a switch, as those who send requests to it know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAddress {
    /// Socket of the shard at which servers read it: of the job's top switch (R-KEY-17).
    pub shard: SocketAddr,
    /// The job.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// Workers of the job.
    pub workers: u16,
    /// Terms of the job, with the key of its packets.
    pub terms: Terms,
    /// The table.
    pub table: TableTerms,
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
    /// In `block` arithmetic, a lane is a number times 2^scale.
    pub scale: i32,
}

/// A worker's path to the table of its job.
pub(crate) struct TablePath {
    pub(crate) address: TableAddress,
    /// The shard to which it pushes: of the switch that the worker has joined at (R-KEY-17).
    pub(crate) near: SocketAddr,
    /// The way in shared memory, if there is one (R-KEY-20).
    pub(crate) memory: Option<TableWay>,
    pub(crate) stream: StreamConfig,
    pub(crate) timeout: Duration,
}

impl TableAddress {
    fn lanes(&self) -> Lanes {
        let (element_type, order) = (self.table.element_type, self.terms.byte_order);
        Lanes { element_type, order, scale: self.scale }
    }

    /// Opens a socket that reaches the shard.
    fn endpoint(&self) -> io::Result<Endpoint> {
        let any: IpAddr = match self.shard {
            SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        Endpoint::bind(SocketAddr::new(any, 0))
    }
}
