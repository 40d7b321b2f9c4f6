//! Looking a parent's name up, which may take a while: the system does not answer without making its caller wait.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::thread;

use super::post::Post;
use crate::management::Uplink;

/// Begins to look for the parent, on a thread of its own. What it finds goes to the post.
///
/// # Errors
/// The system's, if the thread does not start.
pub(super) fn look_up(uplink: Uplink, post: Arc<Post>) -> io::Result<()> {
    let look = move || post.find(find(&uplink));
    thread::Builder::new().name("netfold-lookup".into()).spawn(look).map(drop)
}

/// The first address of the parent of the kind from which to connect.
fn find(uplink: &Uplink) -> io::Result<SocketAddr> {
    let same_kind = |candidate: &SocketAddr| candidate.is_ipv4() == uplink.local.is_ipv4();
    uplink.parent.to_socket_addrs()?.find(same_kind).ok_or(ErrorKind::AddrNotAvailable.into())
}
