//! Commands from other threads to a flow.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use super::driver::Command;
use super::lock;
use crate::sync::{AtomicUsize, Mutex};

/// Commands for the thread that drives a flow, oldest first. An empty inbox is seen without a lock.
#[derive(Default)]
pub(super) struct Inbox {
    commands: Mutex<VecDeque<Command>>,
    count: AtomicUsize,
    /// Changed between a command and a look at the driver's lock, and between the release of that
    /// lock and a look at the commands.
    turn: AtomicUsize,
}

impl Inbox {
    /// Adds a command at the end. A thread that finds the driver's lock taken afterwards may leave
    /// the command to the thread that releases it ([`Inbox::is_empty`]).
    pub(super) fn push(&self, command: Command) {
        let mut commands = lock(&self.commands);
        commands.push_back(command);
        self.count.store(commands.len(), Ordering::Relaxed);
        drop(commands);
        self.take_turn();
    }

    /// Removes the oldest command, as far as is known.
    pub(super) fn pop(&self) -> Option<Command> {
        if self.count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut commands = lock(&self.commands);
        let command = commands.pop_front();
        self.count.store(commands.len(), Ordering::Relaxed);
        command
    }

    /// Returns whether there are no commands. A thread that adds one may find the driver's lock
    /// taken: then the thread that releases it sees the command here.
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
