//! A flow of a worker, and who drives it.
//!
//! A flow has one seat. Whoever waits for a call takes it and drives the stream meanwhile, so that a small call costs no change of
//! thread. A thread of the flow's own takes it while calls are in progress and nobody waits, or will come back to. What others want of the flow they put
//! into its inbox, which is read by whoever has the seat.

mod calls;
mod driver;
mod inbox;
mod relief;
mod seat;
#[cfg(test)]
mod tests;
mod traffic;

use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use netfold_shm::Waiter;
use netfold_worker::{CallId, Dense, Plan, StreamConfig};

pub(crate) use driver::{Command, FlowStats, OnBroken};
pub(crate) use traffic::{Arrivals, Departures, EagerMessages, OnlyCall};

use crate::link::Link;
use crate::memory::CallMemory;
use crate::pin::spawn;
use crate::tickets::Tickets;
use driver::Driver;
use seat::Seat;
pub(crate) use seat::Seated;

/// How long a flow may take to answer a question. It answers between two batches of packets.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// The memory of a call, as the streams have it.
pub(crate) type CallTensor = Dense<CallMemory>;

/// Where a call is that a thread has begun.
pub(crate) enum Begun<'a> {
    /// It is done. [`Flow::attend`] must follow.
    Done,
    /// This thread is to drive it.
    Here(Seated<'a>),
    /// Whoever has the seat does.
    Elsewhere,
}

/// A flow. Dropping it ends its thread; calls that are in progress must have failed before.
pub(crate) struct Flow {
    seat: Arc<Seat>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Flow {
    /// A flow over `link`, with a thread called `name`, on `core` if one is given. `config` is that of its bulk stream.
    pub(crate) fn start(
        name: String,
        core: Option<usize>,
        config: StreamConfig,
        urgent_slots: u16,
        link: Box<dyn Link + Send>,
        tickets: Arc<Tickets>,
        on_broken: OnBroken,
    ) -> io::Result<Self> {
        let driver = Driver::new(config, urgent_slots, link, tickets.clone(), on_broken);
        let seat = Arc::new(Seat::new(driver, tickets));
        let background = seat.clone();
        let thread = spawn(name, core, move || {
            while background.relief.wait() {
                // If somebody has the seat, this thread is called again when they leave it.
                background.drive(None, Waiter::Helper, || false);
            }
        })?;
        Ok(Self { seat, thread: Mutex::new(Some(thread)) })
    }

    /// Puts a command into the inbox. [`Flow::attend`] or [`Flow::drive`] must follow.
    pub(crate) fn enqueue(&self, command: Command) {
        self.seat.enqueue(command);
    }

    /// Begins a call, if the seat is free, and gives the seat to this thread, which must [`Seated::drive`], unless the call is done; otherwise puts it into the inbox. `open`
    /// opens the ticket of a call that is not done.
    #[inline]
    pub(crate) fn begin(&self, id: CallId, plan: &Plan, memory: CallMemory, open: impl FnOnce()) -> Begun<'_> {
        let Some(seated) = self.seat.take() else {
            open();
            self.enqueue(Command::Submit { id, plan: *plan, memory });
            return Begun::Elsewhere;
        };
        seated.begin(id, plan, memory, open).map_or(Begun::Done, Begun::Here)
    }

    /// Has the inbox read: here if the seat is free, else by whoever has it. The flow's thread goes on from there.
    pub(crate) fn attend(&self) {
        self.seat.attend(Seated::leave);
    }

    /// As [`Flow::attend`], but nobody goes on from there: this thread must [`Flow::drive`] soon, or [`Flow::relieve`].
    pub(crate) fn attend_and_return(&self) {
        self.seat.attend(drop);
    }

    /// Calls the flow's thread to the seat.
    pub(crate) fn relieve(&self) {
        self.seat.relief.call();
    }

    /// Drives until `done`, until nothing is in progress, or for `limit`. `false` if somebody else has the seat: the inbox will be read then, and nothing
    /// else was done.
    pub(crate) fn drive(&self, limit: Option<Duration>, done: impl FnMut() -> bool) -> bool {
        self.seat.drive(limit, Waiter::Caller, done)
    }

    /// Tells the flow something.
    pub(crate) fn tell(&self, command: Command) {
        self.enqueue(command);
        self.attend();
    }

    /// Asks the flow something; `None` if it does not answer.
    pub(crate) fn ask<R>(&self, command: impl FnOnce(SyncSender<R>) -> Command) -> Option<R> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(command(reply));
        answer.recv_timeout(ANSWER_TIMEOUT).ok()
    }

    /// Waits until no round is to be replayed, at most until `deadline`. Returns whether that is so.
    pub(crate) fn await_replays(&self, deadline: Instant) -> bool {
        let (reply, answer) = mpsc::sync_channel(1);
        self.tell(Command::AwaitReplays(reply));
        answer.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok()
    }

    /// Ends the flow's thread, once nothing is in progress.
    pub(crate) fn stop(&self) {
        self.seat.relief.dismiss();
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

/// What a mutex guards here is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
