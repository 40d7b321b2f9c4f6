//! The passing of a segment to the processes of a test: over a Unix socket without a file.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::Arc;

use netfold_shm::{Segment, recv_descriptor};
use netfold_switch::JobSpec;

/// Opens the socket at which a process passes the segment to those that it has started.
pub fn rendezvous(name: &str) -> UnixListener {
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).expect("a short name"))
        .expect("the name is free")
}

/// The segment of the process that listens under `name`, in a process that it has started.
pub fn attach(name: &str, spec: &JobSpec) -> (Arc<Segment>, UnixStream) {
    let address = SocketAddr::from_abstract_name(name).expect("a short name");
    let socket = UnixStream::connect_addr(&address).expect("somebody listens");
    let descriptor = recv_descriptor(&socket).expect("a descriptor comes");
    (Segment::attach(descriptor, spec, 1).expect("it is the job's"), socket)
}
