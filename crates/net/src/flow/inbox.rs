//! What others want of a flow.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use super::driver::Command;
use super::lock;

/// Commands for whoever has the seat of a flow, oldest first. To see that there are none takes no lock.
#[derive(Default)]
pub(super) struct Inbox {
    commands: Mutex<VecDeque<Command>>,
    count: AtomicUsize,
}

impl Inbox {
    /// Puts a command at the end. Who finds the seat taken afterwards may leave it to who leaves that ([`Inbox::is_empty`]).
    pub(super) fn push(&self, command: Command) {
        let mut commands = lock(&self.commands);
        commands.push_back(command);
        self.count.store(commands.len(), Ordering::Relaxed);
        drop(commands);
        fence(Ordering::SeqCst);
    }

    /// The oldest command, as far as is known.
    pub(super) fn pop(&self) -> Option<Command> {
        if self.count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut commands = lock(&self.commands);
        let command = commands.pop_front();
        self.count.store(commands.len(), Ordering::Relaxed);
        command
    }

    /// Whether there are none. Of a command that was put in by somebody who then found the seat taken, who has left it before knows: of the two fences that
    /// stand between what each of them writes and what it reads, one comes first.
    pub(super) fn is_empty(&self) -> bool {
        fence(Ordering::SeqCst);
        self.count.load(Ordering::Relaxed) == 0
    }
}
