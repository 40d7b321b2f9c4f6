//! How the processes of one host come to share the memory of a job (R-CTRL-10).

mod desk;
mod visit;

pub(crate) use desk::Desk;
pub(crate) use visit::{fetch, reaches};

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::SocketAddr;

/// Bytes that a worker sends to the desk: its ticket.
const TICKET_BYTES: usize = size_of::<u64>();

/// An address without a file: it goes with the socket, and is not seen from another network namespace.
fn abstract_address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}
