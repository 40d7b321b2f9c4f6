//! The client through which a worker fetches the memory of its job.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use netfold_management::Ticket;
use netfold_shm::recv_descriptor;

use super::abstract_address;

/// Time in which the switch must hand out memory: other clients may be served first.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Returns whether the server called `name` can be reached, which it can on its own host only.
pub(crate) fn reaches(name: &str) -> bool {
    connect(name).is_ok()
}

/// Fetches the memory of `ticket` from the server called `name`.
///
/// # Errors
/// The system's error; an end of file if the switch does not know the ticket.
pub(crate) fn fetch(name: &str, ticket: Ticket) -> io::Result<OwnedFd> {
    let mut server = connect(name)?;
    server.set_read_timeout(Some(TIMEOUT))?;
    server.write_all(&ticket.0.to_be_bytes())?;
    recv_descriptor(&server)
}

fn connect(name: &str) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&abstract_address(name)?)
}
