//! The passing of a descriptor from the switch to a worker: as ancillary data over a Unix socket.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::cmsg_space;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// The byte that carries the descriptor: a stream socket sends no ancillary data without one.
const CARRIER: u8 = b'm';

/// Sends a descriptor over a Unix stream socket, with one byte of data.
///
/// # Errors
/// The system's error.
pub fn send_descriptor(socket: impl AsFd, descriptor: BorrowedFd<'_>) -> io::Result<()> {
    let descriptors = [descriptor];
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let fits = control.push(SendAncillaryMessage::ScmRights(&descriptors));
    debug_assert!(fits, "the buffer was made for one descriptor");
    let data = [CARRIER];
    loop {
        match sendmsg(&socket, &[IoSlice::new(&data)], &mut control, SendFlags::NOSIGNAL) {
            Err(Errno::INTR) => {}
            sent => return Ok(sent.map(drop)?),
        }
    }
}

/// Receives a descriptor that [`send_descriptor`] has sent, and blocks as the socket does. It is
/// closed when another program is executed.
///
/// # Errors
/// The system's error, or one that says that the other end has closed, or that the message carries
/// no descriptor.
pub fn recv_descriptor(socket: impl AsFd) -> io::Result<OwnedFd> {
    let mut data = [0];
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        match recvmsg(
            &socket,
            &mut [IoSliceMut::new(&mut data)],
            &mut control,
            RecvFlags::CMSG_CLOEXEC,
        ) {
            Err(Errno::INTR) => {}
            received => break received?,
        }
    };
    if received.bytes == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let descriptor = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    descriptor.ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidData, "a message came without a descriptor")
    })
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Seek, Write};
    use std::os::unix::net::UnixStream;

    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::io::{FdFlags, fcntl_getfd};

    use super::*;

    #[test]
    fn a_descriptor_arrives_and_is_closed_on_execution() {
        let (here, there) = UnixStream::pair().unwrap();
        let mut file = File::from(memfd_create("test", MemfdFlags::CLOEXEC).unwrap());
        file.write_all(b"shared").unwrap();
        send_descriptor(&here, file.as_fd()).unwrap();
        let received = recv_descriptor(&there).unwrap();
        assert!(fcntl_getfd(&received).unwrap().contains(FdFlags::CLOEXEC));
        let mut text = String::new();
        let mut received = File::from(received);
        received.rewind().unwrap();
        received.read_to_string(&mut text).unwrap();
        assert_eq!(text, "shared");
    }

    #[test]
    fn no_descriptor_is_an_error() {
        let (mut here, there) = UnixStream::pair().unwrap();
        here.write_all(b"m").unwrap();
        assert_eq!(recv_descriptor(&there).unwrap_err().kind(), io::ErrorKind::InvalidData);
        drop(here);
        assert_eq!(recv_descriptor(&there).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
