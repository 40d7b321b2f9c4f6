//! What others want of a flow.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::driver::Command;
use super::lock;

/// Commands for whoever has the seat of a flow, oldest first. To see that there are none takes no lock.
#[derive(Default)]
pub(super) struct Inbox {
    commands: Mutex<VecDeque<Command>>,
    count: AtomicUsize,
    /// Changed between a command and a look at the seat, and between leaving the seat and a look at
    /// the commands.
    turn: AtomicUsize,
}

impl Inbox {
    /// Puts a command at the end. Who finds the seat taken afterwards may leave it to who leaves that ([`Inbox::is_empty`]).
    pub(super) fn push(&self, command: Command) {
        let mut commands = lock(&self.commands);
        commands.push_back(command);
        self.count.store(commands.len(), Ordering::Relaxed);
        drop(commands);
        self.take_turn();
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

    /// Returns whether there are no commands. A thread that puts one in may find the seat taken: then
    /// the thread that leaves the seat sees the command here.
    pub(super) fn is_empty(&self) -> bool {
        self.take_turn();
        self.count.load(Ordering::Relaxed) == 0
    }

    /// Orders what this thread has written before what it reads next, as to everybody who takes a
    /// turn: of two turns one is later, and sees what was written before the other. A fence would
    /// do, too, and takes as long as eight of these.
    fn take_turn(&self) {
        self.turn.fetch_add(1, Ordering::AcqRel);
    }
}
