//! A flow of a worker, and the threads that drive it.
//!
//! A flow's driver has a lock. A thread that waits for a call takes the lock and drives the stream
//! meanwhile, so that a small call costs no change of thread. The flow's background thread takes it
//! while calls are in progress for which no caller waits or comes back. Other threads put commands
//! into the flow's inbox, which the thread with the lock carries out.

mod background;
mod calls;
mod driver;
mod driver_lock;
mod inbox;
#[cfg(test)]
mod tests;
mod traffic;

use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use netfold_shm::WaitMode;
use netfold_worker::{CallId, Dense, OtherSlots, Plan, StreamConfig};

pub(crate) use driver::{Command, FlowStats, OnBroken, OnSignal, Signal};
pub(crate) use traffic::{Arrivals, Departures, EagerMessages, OnlyCall};

use crate::call_table::CallTable;
use crate::link::Link;
use crate::memory::CallMemory;
use crate::pin::spawn;
use driver::Driver;
pub(crate) use driver_lock::DriverGuard;
use driver_lock::DriverLock;

/// Time that a flow may take to answer a question. It answers between two batches of packets.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// The memory of a call, as the streams have it.
pub(crate) type CallTensor = Dense<CallMemory>;

/// The state of a call that a thread has begun.
pub(crate) enum Begun<'a> {
    /// It is done. [`Flow::run_inbox`] must follow.
    Done,
    /// This thread must drive it.
    Here(DriverGuard<'a>),
    /// The thread with the lock drives it.
    Elsewhere,
}

/// A flow. Dropping it ends its thread; calls that are in progress must have failed before.
pub(crate) struct Flow {
    lock: Arc<DriverLock>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Flow {
    /// A flow over `link`, with a thread called `name`, on `core` if one is given. `config` is that
    /// of its bulk stream.
    pub(crate) fn start(
        name: String,
        core: Option<usize>,
        config: StreamConfig,
        others: OtherSlots,
        link: Box<dyn Link + Send>,
        call_table: Arc<CallTable>,
        on_signal: OnSignal,
    ) -> io::Result<Self> {
        let driver = Driver::new(config, others, link, call_table.clone(), on_signal);
        let lock = Arc::new(DriverLock::new(driver, call_table));
        let background = lock.clone();
        let thread = spawn(name, core, move || {
            while background.background.wait() {
                // A thread that has the lock requests this one again when it leaves.
                background.drive(None, WaitMode::Helper, || false);
            }
        })?;
        Ok(Self { lock, thread: Mutex::new(Some(thread)) })
    }

    /// Puts a command into the inbox. [`Flow::run_inbox`] or [`Flow::drive`] must follow.
    pub(crate) fn enqueue(&self, command: Command) {
        self.lock.enqueue(command);
    }

    /// Begins a call. If the lock is free, this thread takes it, and must [`DriverGuard::drive`]
    /// unless the call is done. Otherwise the call goes into the inbox. `open` opens the state of a
    /// call that is not done.
    #[inline]
    pub(crate) fn begin(
        &self,
        id: CallId,
        plan: &Plan,
        memory: &mut CallMemory,
        open: impl FnOnce(),
    ) -> Begun<'_> {
        let Some(guard) = self.lock.take() else {
            open();
            self.enqueue(Command::Submit { id, plan: plan.clone(), memory: memory.take() });
            return Begun::Elsewhere;
        };
        guard.begin(id, plan, memory, open).map_or(Begun::Done, Begun::Here)
    }

    /// Runs the inbox, or has the thread with the lock run it. The background thread goes on from
    /// there.
    pub(crate) fn run_inbox(&self) {
        self.lock.run_inbox(DriverGuard::leave);
    }

    /// Runs the inbox as [`Flow::run_inbox`] does, without the background thread: this thread must
    /// [`Flow::drive`] soon, or [`Flow::request_background`].
    pub(crate) fn run_inbox_only(&self) {
        self.lock.run_inbox(drop);
    }

    /// Has the background thread drive.
    pub(crate) fn request_background(&self) {
        self.lock.background.request();
    }

    /// Returns how often the background thread was to drive so far.
    #[cfg(test)]
    pub(crate) fn background_requests(&self) -> u64 {
        self.lock.background.requests()
    }

    /// Drives until `done`, until nothing is in progress, or for `limit`. Returns `false` if
    /// another thread has the lock: that thread runs the inbox, and this one has done nothing.
    pub(crate) fn drive(&self, limit: Option<Duration>, done: impl FnMut() -> bool) -> bool {
        self.lock.drive(limit, WaitMode::Caller, done)
    }

    /// Tells the flow something.
    pub(crate) fn tell(&self, command: Command) {
        self.enqueue(command);
        self.run_inbox();
    }

    /// Asks the flow something; `None` if it does not answer.
    pub(crate) fn ask<R>(&self, command: impl FnOnce(SyncSender<R>) -> Command) -> Option<R> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(command(reply));
        answer.recv_timeout(ANSWER_TIMEOUT).ok()
    }

    /// Waits until no round is to be replayed, at most until `deadline`. Returns whether that is
    /// so.
    pub(crate) fn await_replays(&self, deadline: Instant) -> bool {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(Command::AwaitReplays(reply));
        answer.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok()
    }

    /// Ends the flow's thread, once nothing is in progress.
    pub(crate) fn stop(&self) {
        self.lock.background.stop();
        if let Some(thread) = lock(&self.thread).take() {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

impl Drop for Flow {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Locks `mutex`, poisoned or not. Guarded data is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
