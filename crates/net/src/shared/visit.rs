//! How a worker gets the memory of its job.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use netfold_control::Ticket;
use netfold_shm::recv_descriptor;

use super::abstract_address;

/// How long the switch may take to hand out memory: others may stand before this worker.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the desk called `name` can be reached, which it can on the host of its switch only.
pub(crate) fn reaches(name: &str) -> bool {
    connect(name).is_ok()
}

/// Fetches the memory for which `ticket` stands at the desk called `name`.
///
/// # Errors
/// What the system says; an end of file if the switch does not know the ticket.
pub(crate) fn fetch(name: &str, ticket: Ticket) -> io::Result<OwnedFd> {
    let mut desk = connect(name)?;
    desk.set_read_timeout(Some(PATIENCE))?;
    desk.write_all(&ticket.0.to_be_bytes())?;
    recv_descriptor(&desk)
}

fn connect(name: &str) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&abstract_address(name)?)
}
