//! The items that other threads leave for the event loop.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mio::Waker;
use netfold_management::{ConnectionId, Incident, Loaded, StatsReport};
use tracing::debug;

/// Place for these items, with the waker that makes the event loop look.
pub(super) struct Post {
    left: Mutex<Left>,
    waker: Waker,
}

/// Items that the event loop has not seen.
#[derive(Default)]
pub(super) struct Left {
    /// A shard reports one for a job at most.
    pub(super) incidents: Vec<Incident>,
    /// Operations of workers that were admitted or refused.
    pub(super) loaded: Vec<(ConnectionId, Loaded)>,
    /// Channels of the askers that wait for counters and memory.
    pub(super) questions: Vec<SyncSender<StatsReport>>,
    /// Address of the parent, or the reason for which it cannot be known.
    pub(super) parent: Option<io::Result<SocketAddr>>,
    pub(super) stop: bool,
    /// The event loop has ended, and takes nothing any more.
    closed: bool,
}

impl Post {
    pub(super) fn new(waker: Waker) -> Self {
        Self { left: Mutex::default(), waker }
    }

    pub(super) fn report(&self, incident: Incident) {
        self.leave(|left| left.incidents.push(incident));
    }

    /// The operations of the worker at a connection were admitted or refused.
    pub(super) fn loaded(&self, conn: ConnectionId, loaded: Loaded) {
        self.leave(|left| left.loaded.push((conn, loaded)));
    }

    /// The answer comes through what is given, unless the event loop ends before. `None` if it has
    /// ended.
    pub(super) fn ask(&self) -> Option<Receiver<StatsReport>> {
        let (question, answer) = sync_channel(1);
        self.leave(|left| left.questions.push(question)).then_some(answer)
    }

    /// The parent's name has been looked up.
    pub(super) fn find(&self, parent: io::Result<SocketAddr>) {
        self.leave(|left| left.parent = Some(parent));
    }

    pub(super) fn stop(&self) {
        self.leave(|left| left.stop = true);
    }

    /// Takes what has been left.
    pub(super) fn take(&self) -> Left {
        std::mem::take(&mut *self.lock())
    }

    /// Takes note that the event loop ends. An asker that waits for an answer gets none, and its
    /// channel says so.
    pub(super) fn close(&self) {
        *self.lock() = Left { closed: true, ..Left::default() };
    }

    fn leave(&self, put: impl FnOnce(&mut Left)) -> bool {
        let mut left = self.lock();
        if left.closed {
            return false;
        }
        put(&mut left);
        drop(left);
        if let Err(error) = self.waker.wake() {
            debug!(%error, "the control server looks at its post later");
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
