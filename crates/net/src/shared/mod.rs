//! Sharing of a job's memory among the processes of one host (R-CTRL-10).

mod client;
mod server;

pub(crate) use client::{TableWay, fetch, fetch_channel, reaches};
pub(crate) use server::{ChannelOffer, MemoryListener, MemoryServer};

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::SocketAddr;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Returns the identity of this host for shared memory: the same for processes that reach the same
/// abstract sockets, and hardly for others. `None` if the system does not tell.
pub(crate) fn host_id() -> Option<u64> {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").ok()?;
    let network = std::fs::metadata("/proc/self/ns/net").ok()?;
    Some(xxh3_64_with_seed(&boot, network.ino()))
}

/// Bytes that a worker sends to the server: its ticket, and the rank whose channel it asks for
/// (R-KEY-20), or else [`MEMORY`].
const QUESTION_BYTES: usize = TICKET_BYTES + size_of::<u16>();

const TICKET_BYTES: usize = size_of::<u64>();

/// A question for the memory of the job's slots. No rank is as large.
const MEMORY: u16 = u16::MAX;

/// An address without a file: it goes with the socket, and is not seen from another network
/// namespace.
fn abstract_address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}
