//! The threads of one connection: a writer, which closes it, and a reader.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};
use tracing::{debug, warn};

use super::{Census, Event};
use crate::failure::Loss;
use crate::frame::Decoder;
use crate::management::Uplink;
use crate::registry::ConnectionId;

/// Messages that wait for a connection's writer. A job of 1024 workers makes about twice as many while it forms and ends.
const SEND_QUEUE: usize = 2048;

/// How long one message may take to leave.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);

/// How long a peer may take to close its end after the switch has closed its own. Until then what the peer still sends is read
/// and dropped: closing over unread bytes would reset the connection, and the peer might not see the last message.
const LINGER: Duration = Duration::from_secs(1);

/// How long a connection to the parent may take.
const DIAL_PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of stack of a connection's threads, which parse one message at a time.
const STACK_BYTES: usize = 256 * 1024;

const READ_BYTES: usize = 4096;

/// Starts a connection's threads and gives the queue of its writer, which closes the connection when the queue ends.
pub(super) fn spawn(
    stream: TcpStream,
    conn: ConnectionId,
    peer: SocketAddr,
    events: SyncSender<Event>,
    census: Census,
) -> io::Result<SyncSender<Vec<u8>>> {
    let (sender, frames) = sync_channel::<Vec<u8>>(SEND_QUEUE);
    let read_ended = listen(&stream, conn, peer, events)?;
    thread("netfold-write").spawn(move || {
        write(&stream, &frames, &read_ended);
        drop(census);
    })?;
    Ok(sender)
}

/// The same for a connection that is still to be made.
pub(super) fn dial(
    uplink: Uplink,
    conn: ConnectionId,
    events: SyncSender<Event>,
    census: Census,
) -> io::Result<SyncSender<Vec<u8>>> {
    let (sender, frames) = sync_channel::<Vec<u8>>(SEND_QUEUE);
    thread("netfold-dial").spawn(move || {
        let dialed = connect(uplink).and_then(|stream| {
            let read_ended = listen(&stream, conn, uplink.parent, events.clone())?;
            Ok((stream, read_ended))
        });
        match dialed {
            Ok((stream, read_ended)) => write(&stream, &frames, &read_ended),
            Err(error) => {
                let why = Loss::Unreachable { error: error.to_string() };
                if events.send(Event::Ended(conn, why)).is_err() {
                    debug!(parent = %uplink.parent, "connection failed after the server");
                }
            }
        }
        drop(census);
    })?;
    Ok(sender)
}

fn connect(Uplink { parent, local }: Uplink) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(parent), Type::STREAM, Some(Protocol::TCP))?;
    if !local.is_unspecified() {
        socket.bind(&SocketAddr::new(local, 0).into())?;
    }
    socket.connect_timeout(&parent.into(), DIAL_PATIENCE)?;
    Ok(socket.into())
}

fn thread(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.into()).stack_size(STACK_BYTES)
}

/// Starts a connection's reader. What is given ends with it.
fn listen(
    stream: &TcpStream,
    conn: ConnectionId,
    peer: SocketAddr,
    events: SyncSender<Event>,
) -> io::Result<Receiver<()>> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    let (reading, read_ended) = sync_channel::<()>(1);
    let read_half = stream.try_clone()?;
    thread("netfold-read").spawn(move || {
        let why = read(read_half, conn, &events);
        if let Loss::Misbehaved { what } = &why {
            warn!(%peer, "closing a control connection: {what}");
        }
        // An error means that the server has stopped.
        if events.send(Event::Ended(conn, why)).is_err() {
            debug!(%peer, "connection ended after the server");
        }
        drop(reading);
    })?;
    Ok(read_ended)
}

fn write(mut stream: &TcpStream, frames: &Receiver<Vec<u8>>, read_ended: &Receiver<()>) {
    let sent = frames.iter().try_for_each(|frame| stream.write_all(&frame));
    if let Err(error) = sent.and_then(|()| stream.shutdown(Shutdown::Write)) {
        debug!("writing to a control connection: {error}");
    } else {
        // Nothing is ever sent on this channel: it ends with the reader.
        let ended = read_ended.recv_timeout(LINGER);
        debug_assert!(ended.is_err());
    }
    // The reader may still wait for bytes that never come.
    if let Err(error) = stream.shutdown(Shutdown::Both) {
        debug!("closing a control connection: {error}");
    }
}

/// Reads until the connection ends, and says how.
fn read(mut stream: TcpStream, conn: ConnectionId, events: &SyncSender<Event>) -> Loss {
    let mut decoder = Decoder::default();
    let mut bytes = [0; READ_BYTES];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return Loss::Closed,
            Ok(count) => decoder.push(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                debug!("reading from a control connection: {error}");
                return Loss::Closed;
            }
        }
        loop {
            match decoder.next_message() {
                Ok(Some(message)) => {
                    if events.send(Event::Received(conn, message)).is_err() {
                        return Loss::Closed;
                    }
                }
                Ok(None) => break,
                Err(error) => return Loss::Misbehaved { what: format!("it sent {error}") },
            }
        }
    }
}
