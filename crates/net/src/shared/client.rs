//! The client through which a worker fetches the memory of its job.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use netfold_management::Ticket;
use netfold_shm::{Channel, ChannelEnd, recv_descriptor};

use super::{MEMORY, QUESTION_BYTES, TICKET_BYTES, abstract_address};
use crate::notify::WakeSocket;

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
    recv_descriptor(&ask(name, ticket, MEMORY)?)
}

/// A worker's way to its job's table in shared memory (R-KEY-20).
pub(crate) struct TableWay {
    /// The worker's end of its channel.
    pub(crate) channel: ChannelEnd,
    /// Wakes the switch, and is woken by it.
    pub(crate) wake: WakeSocket,
}

/// Fetches the channel of a rank from the server called `name`, which hands it out once.
///
/// # Errors
/// As [`fetch`]; an end of file if the switch has no channel for the rank, or not any more.
pub(crate) fn fetch_channel(name: &str, ticket: Ticket, rank: u16) -> io::Result<TableWay> {
    let server = ask(name, ticket, rank)?;
    let channel = Channel::attach(recv_descriptor(&server)?).map_err(io::Error::other)?;
    let wake = recv_descriptor(&server)?.into();
    Ok(TableWay { channel: channel.worker_end(), wake })
}

fn ask(name: &str, Ticket(ticket): Ticket, what: u16) -> io::Result<UnixStream> {
    let mut server = connect(name)?;
    server.set_read_timeout(Some(TIMEOUT))?;
    let mut question = [0; QUESTION_BYTES];
    question[..TICKET_BYTES].copy_from_slice(&ticket.to_be_bytes());
    question[TICKET_BYTES..].copy_from_slice(&what.to_be_bytes());
    server.write_all(&question)?;
    Ok(server)
}

fn connect(name: &str) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&abstract_address(name)?)
}
