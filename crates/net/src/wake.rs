//! Waking a thread that waits in `poll`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};

/// What a loop waits on besides its sockets; ready to read once it was woken.
#[derive(Debug)]
pub(crate) struct Wake(Arc<OwnedFd>);

/// Wakes a loop.
#[derive(Clone, Debug)]
pub(crate) struct Waker(Arc<OwnedFd>);

impl Wake {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?)))
    }

    pub(crate) fn waker(&self) -> Waker {
        Waker(self.0.clone())
    }

    /// Makes it not ready until it is woken again.
    pub(crate) fn reset(&self) {
        // There is nothing to read when nobody has woken it.
        let _ = rustix::io::read(&*self.0, &mut [0u8; 8]);
    }
}

impl Waker {
    /// Ends the wait that is on, or else the next one.
    pub(crate) fn wake(&self) {
        // A full counter means that it has been woken already.
        let _ = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
