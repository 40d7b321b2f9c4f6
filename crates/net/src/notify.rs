//! Ending the wait of a thread in `poll`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};

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

impl From<OwnedFd> for EventFd {
    /// The event descriptor that another process has made.
    fn from(descriptor: OwnedFd) -> Self {
        Self(Arc::new(descriptor))
    }
}

impl From<OwnedFd> for Notifier {
    fn from(descriptor: OwnedFd) -> Self {
        Self(Arc::new(descriptor))
    }
}

impl Notifier {
    /// Ends the present wait, or else the next one.
    pub(crate) fn wake(&self) {
        // A full counter means that it has been woken already.
        let _ = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }
}

impl AsFd for Notifier {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl AsFd for EventFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
