//! Commands for an event loop that waits in `poll`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::mpsc::{self, Receiver, Sender, TryIter};

use crate::wake::{Wake, Waker};

/// Where commands are sent from. Sending wakes the loop.
#[derive(Clone)]
pub(crate) struct MailboxSender<C> {
    commands: Sender<C>,
    waker: Waker,
}

impl<C> MailboxSender<C> {
    /// Sends a command. `false` when the loop has ended.
    pub(crate) fn send(&self, command: C) -> bool {
        let sent = self.commands.send(command).is_ok();
        self.waker.wake();
        sent
    }
}

/// Where an event loop reads its commands; ready to read when there are any.
pub(crate) struct Mailbox<C> {
    commands: Receiver<C>,
    wake: Wake,
}

impl<C> Mailbox<C> {
    /// A mailbox and its sender.
    pub(crate) fn new() -> io::Result<(MailboxSender<C>, Self)> {
        let (sender, commands) = mpsc::channel();
        let wake = Wake::new()?;
        Ok((MailboxSender { commands: sender, waker: wake.waker() }, Self { commands, wake }))
    }

    /// The commands that are there.
    pub(crate) fn drain(&mut self) -> TryIter<'_, C> {
        self.wake.reset();
        self.commands.try_iter()
    }
}

impl<C> AsFd for Mailbox<C> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
