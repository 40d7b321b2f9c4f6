//! A channel of commands to an event loop that waits in `poll`.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::mpsc::{self, Receiver, Sender, TryIter};

use crate::notify::{EventFd, Notifier};

/// The sending end. Sending wakes the loop.
pub(crate) struct CommandSender<C> {
    commands: Sender<C>,
    notifier: Notifier,
}

// Commands themselves need not be copied.
impl<C> Clone for CommandSender<C> {
    fn clone(&self) -> Self {
        Self { commands: self.commands.clone(), notifier: self.notifier.clone() }
    }
}

impl<C> CommandSender<C> {
    /// Sends a command. Returns `false` when the loop has ended.
    pub(crate) fn send(&self, command: C) -> bool {
        let sent = self.commands.send(command).is_ok();
        self.notifier.wake();
        sent
    }
}

/// The receiving end. Its descriptor is readable while commands are there.
pub(crate) struct Commands<C> {
    commands: Receiver<C>,
    wake: EventFd,
}

impl<C> Commands<C> {
    /// Returns the receiving end and its sender.
    pub(crate) fn new() -> io::Result<(CommandSender<C>, Self)> {
        let (sender, commands) = mpsc::channel();
        let wake = EventFd::new()?;
        Ok((CommandSender { commands: sender, notifier: wake.notifier() }, Self { commands, wake }))
    }

    /// Returns the commands that are there.
    pub(crate) fn drain(&mut self) -> TryIter<'_, C> {
        self.wake.reset();
        self.commands.try_iter()
    }
}

impl<C> AsFd for Commands<C> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}
