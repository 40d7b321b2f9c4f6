//! The report of a rank to the command that has started it: whether all ranks have this library
//! (R-MPI-19).

use std::env;
use std::ffi::c_int;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use netfold_mpi::{Meeting, Present};

use crate::failure::say;
use crate::host::Host;

/// Longest time until the command answers, in times of that in which it waits for other ranks: it
/// begins to wait before this rank reports.
const LIMIT_FACTOR: u32 = 3;

/// Returns whether a rank may rely on all others to have this library: those that no
/// `netfold mpirun` has started, or that others have spawned, are taken to have it.
pub(crate) fn all_present(host: &Host, rank: c_int, size: c_int) -> bool {
    let Some(text) = env::var_os(Meeting::VARIABLE) else { return true };
    if is_spawned(host) {
        return true;
    }
    let asked = match Meeting::parse(&text.to_string_lossy()) {
        Some(meeting) => ask(&meeting, rank, size).map_err(|why| {
            format!("netfold mpirun at {} has not answered: {why}", meeting.address)
        }),
        None => Err(format!("{} has another form than here", Meeting::VARIABLE)),
    };
    asked.unwrap_or_else(|why| {
        say(&format!("rank {rank}: {why}; the program's MPI carries out all collectives"));
        false
    })
}

/// Reports, and returns whether all ranks have.
fn ask(meeting: &Meeting, rank: c_int, size: c_int) -> io::Result<bool> {
    let address: SocketAddr = meeting.address.parse().map_err(io::Error::other)?;
    let limit = meeting.limit.max(Duration::from_millis(1));
    let mut stream = TcpStream::connect_timeout(&address, limit)?;
    stream.set_read_timeout(Some(LIMIT_FACTOR * limit))?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let (rank, size) = (rank.unsigned_abs(), size.unsigned_abs());
    let present = Present { token: meeting.token.clone(), version, rank, size };
    stream.write_all(present.line().as_bytes())?;
    let mut answer = String::new();
    if BufReader::new(stream).read_line(&mut answer)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(answer == Present::ALL)
}

/// Returns whether other ranks have started this one.
fn is_spawned(host: &Host) -> bool {
    let mut parent = host.handles.null_communicator;
    // SAFETY: the result is a variable of this frame.
    unsafe { (host.call.comm_get_parent)(&raw mut parent) };
    host.handle(parent) != host.handles.null_communicator
}
