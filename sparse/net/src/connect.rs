//! Connections to a server, greeted and set up.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use netfold_management::Token;
use socket2::{SockRef, TcpKeepalive};

use crate::greeting::{self, GreetingError};

/// Silence after which the system asks whether the other end is there, and how often it then asks.
const KEEP_ALIVE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(2));

/// Bytes that the system holds in each direction.
const BUFFER_BYTES: usize = 4 << 20;

/// A connection that was not made.
#[derive(Debug)]
pub(crate) struct NotConnected {
    pub(crate) why: String,
    /// Trying again does not help.
    pub(crate) is_final: bool,
}

impl From<io::Error> for NotConnected {
    fn from(error: io::Error) -> Self {
        Self { why: error.to_string(), is_final: false }
    }
}

/// Connects to the server at an address, whose name is looked up anew.
pub(crate) fn connect(
    address: &str,
    token: Option<&Token>,
    timeout: Duration,
) -> Result<TcpStream, NotConnected> {
    let mut last = NotConnected { why: "the name has no address".into(), is_final: false };
    let addresses = address.to_socket_addrs().map_err(|error| NotConnected {
        why: format!("{error} (give HOST:PORT)"),
        is_final: error.kind() == io::ErrorKind::InvalidInput,
    })?;
    for address in addresses {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(mut stream) => {
                set_up(&stream)?;
                stream.set_read_timeout(Some(timeout))?;
                greeting::introduce(&mut stream, token).map_err(|error| NotConnected {
                    is_final: !matches!(error, GreetingError::Io(_)),
                    why: error.to_string(),
                })?;
                stream.set_read_timeout(None)?;
                return Ok(stream);
            }
            Err(error) => last = error.into(),
        }
    }
    Err(last)
}

/// Sets up a connection at either end: small messages go at once, large ones find room, and an end
/// that has vanished is noticed.
pub(crate) fn set_up(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (idle, interval) = KEEP_ALIVE;
    let keep = TcpKeepalive::new().with_time(idle).with_interval(interval);
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&keep)?;
    // The system may give less.
    socket.set_send_buffer_size(BUFFER_BYTES)?;
    socket.set_recv_buffer_size(BUFFER_BYTES)
}
