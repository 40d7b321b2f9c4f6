//! The thread that admits operations of users, which takes as long as a compiler does (R-OP-41).

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use netfold_management::{ConnectionId, Loading};
use tracing::debug;

use super::background::run_in_background;
use super::post::Post;

/// Operations that wait to be admitted, in the order in which they have come: those of a connection
/// at most once.
#[derive(Default)]
pub(super) struct Loads {
    shared: Arc<Shared>,
    /// The thread runs: it starts with the first.
    started: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(ConnectionId, Loading)>,
    /// The server has ended.
    closed: bool,
}

impl Loads {
    /// Has a worker's operations admitted; what comes of it is left at `post`.
    pub(super) fn push(
        &mut self,
        conn: ConnectionId,
        loading: Loading,
        post: &Arc<Post>,
    ) -> io::Result<()> {
        if !self.started {
            let (shared, post) = (self.shared.clone(), post.clone());
            thread::Builder::new()
                .name("netfold-loader".into())
                .spawn(move || shared.run(&post))?;
            self.started = true;
        }
        self.shared.queue().waiting.push_back((conn, loading));
        self.shared.changed.notify_one();
        Ok(())
    }

    /// A connection has closed: nobody waits for its operations any more.
    pub(super) fn forget(&self, conn: ConnectionId) {
        if self.started {
            self.shared.queue().waiting.retain(|(waiting, _)| *waiting != conn);
        }
    }
}

impl Drop for Loads {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        (queue.waiting, queue.closed) = (VecDeque::new(), true);
        drop(queue);
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn run(&self, post: &Post) {
        if let Err(error) = run_in_background() {
            debug!(%error, "operations are admitted at the priority of the server");
        }
        while let Some((conn, loading)) = self.next() {
            post.loaded(conn, loading.run());
        }
    }

    /// Waits for the next one; `None` once the server has ended.
    fn next(&self) -> Option<(ConnectionId, Loading)> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(next) = queue.waiting.pop_front() {
                return Some(next);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
