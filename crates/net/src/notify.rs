//! Ending the wait of a thread in `poll`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair,
};

/// An event descriptor that a loop polls beside its sockets. It is readable once the loop was
/// woken.
#[derive(Debug)]
pub(crate) struct EventFd(Arc<OwnedFd>);

/// A handle that wakes a loop.
#[derive(Clone, Debug)]
pub(crate) struct Notifier(Arc<OwnedFd>);

impl EventFd {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?)))
    }

    pub(crate) fn notifier(&self) -> Notifier {
        Notifier(self.0.clone())
    }

    /// Makes it unreadable until it is woken again.
    pub(crate) fn reset(&self) {
        // There is nothing to read when nobody has woken it.
        let _ = rustix::io::read(&*self.0, &mut [0u8; 8]);
    }
}

impl Notifier {
    /// Ends the present wait, or else the next one.
    pub(crate) fn wake(&self) {
        // A full counter means that it has been woken already.
        let _ = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }
}

/// A socket by which one process wakes another, and is woken. It is readable once the other end
/// has woken it, or is closed.
///
/// The other process can make no call here wait, and can take no wake away: it has a socket of its
/// own, where an event descriptor would be one and the same for both.
#[derive(Debug)]
pub(crate) struct WakeSocket(OwnedFd);

impl WakeSocket {
    /// Returns two ends.
    pub(crate) fn pair() -> io::Result<(Self, Self)> {
        let flags = SocketFlags::CLOEXEC;
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
        Ok((Self(one), Self(other)))
    }

    /// Ends the present wait of the other end, or else its next one.
    pub(crate) fn wake(&self) {
        // A full buffer means that it has been woken already.
        let _ = send(&self.0, &[0], SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
    }

    /// Makes it unreadable until it is woken again. Returns whether the other end is open.
    pub(crate) fn reset(&self) -> bool {
        match recv(&self.0, &mut [0; 256], RecvFlags::DONTWAIT) {
            Ok((taken, _)) => taken > 0,
            Err(error) => matches!(error, Errno::AGAIN | Errno::INTR),
        }
    }
}

impl From<OwnedFd> for WakeSocket {
    /// The end that another process has made.
    fn from(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }
}

impl AsFd for WakeSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl AsFd for EventFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use rustix::event::{PollFd, PollFlags};
    use std::time::Duration;

    use super::*;
    use crate::endpoint::wait;

    fn is_woken(socket: &WakeSocket) -> bool {
        let mut fds = [PollFd::new(socket, PollFlags::IN)];
        wait(&mut fds, Some(Duration::ZERO)).unwrap() > 0
    }

    #[test]
    fn either_end_wakes_the_other() {
        let (one, other) = WakeSocket::pair().unwrap();
        for (from, to) in [(&one, &other), (&other, &one)] {
            assert!(!is_woken(to));
            for _ in 0..3 {
                from.wake();
            }
            assert!(is_woken(to) && !is_woken(from));
            assert!(to.reset());
            assert!(!is_woken(to), "one call takes all of them");
            assert!(to.reset(), "there is nothing to take");
        }
    }

    /// An end that never looks, or is closed, makes no wake wait.
    #[test]
    fn a_wake_waits_for_nobody() {
        let (one, other) = WakeSocket::pair().unwrap();
        for _ in 0..100_000 {
            one.wake();
        }
        assert!(is_woken(&other) && one.reset());
        drop(other);
        one.wake();
        assert!(is_woken(&one) && !one.reset());
    }
}
