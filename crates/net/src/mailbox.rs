//! Commands for an event loop that waits in `poll`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, TryIter};

use rustix::event::{EventfdFlags, eventfd};

/// Where commands are sent from. Sending wakes the loop.
pub(crate) struct MailboxSender<C> {
    commands: Sender<C>,
    wake: Arc<OwnedFd>,
}

impl<C> Clone for MailboxSender<C> {
    fn clone(&self) -> Self {
        Self { commands: self.commands.clone(), wake: self.wake.clone() }
    }
}

impl<C> MailboxSender<C> {
    /// Sends a command. `false` when the loop has ended.
    pub(crate) fn send(&self, command: C) -> bool {
        let sent = self.commands.send(command).is_ok();
        // A full counter means that the loop has been woken already.
        let _ = rustix::io::write(&*self.wake, &1u64.to_ne_bytes());
        sent
    }
}

/// Where an event loop reads its commands; ready to read when there are any.
pub(crate) struct Mailbox<C> {
    commands: Receiver<C>,
    wake: Arc<OwnedFd>,
}

impl<C> Mailbox<C> {
    /// A mailbox and its sender.
    pub(crate) fn new() -> io::Result<(MailboxSender<C>, Self)> {
        let (sender, commands) = mpsc::channel();
        let wake = Arc::new(eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?);
        Ok((MailboxSender { commands: sender, wake: wake.clone() }, Self { commands, wake }))
    }

    /// The commands that are there.
    pub(crate) fn drain(&mut self) -> TryIter<'_, C> {
        // Reading sets the counter back; there is nothing to read when nobody has sent.
        let _ = rustix::io::read(&*self.wake, &mut [0u8; 8]);
        self.commands.try_iter()
    }
}

impl<C> AsFd for Mailbox<C> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
