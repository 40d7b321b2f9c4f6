//! A flow of a worker, and who drives it.
//!
//! A flow has one seat. Whoever waits for a call takes it and drives the stream meanwhile, so that a small call costs no change of
//! thread. A thread of the flow's own takes it while calls are in progress and nobody waits, or will come back to. What others want of the flow they put
//! into its inbox, which is read by whoever has the seat.

mod driver;
mod relief;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use netfold_shm::Waiter;
use netfold_worker::StreamConfig;

pub(crate) use driver::{Command, FlowStats, OnBroken};

use crate::link::Link;
use crate::pin::spawn;
use crate::tickets::Tickets;
use driver::{Driver, Waking};
use relief::Relief;

/// How long a flow may take to answer a question. It answers between two batches of packets.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);

/// A flow. Dropping it ends its thread; calls that are in progress must have failed before.
pub(crate) struct Flow {
    seat: Arc<Seat>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Seat {
    driver: Mutex<Driver>,
    inbox: Mutex<VecDeque<Command>>,
    /// Ends the wait of whoever drives.
    waking: Waking,
    relief: Relief,
    tickets: Arc<Tickets>,
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
        let (waking, driver) = (driver.waking(), Mutex::new(driver));
        let seat = Arc::new(Seat { driver, inbox: Mutex::default(), waking, relief: Relief::default(), tickets });
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
        lock(&self.seat.inbox).push_back(command);
    }

    /// Has the inbox read: here if the seat is free, else by whoever has it. The flow's thread goes on from there.
    pub(crate) fn attend(&self) {
        self.seat.attend(Seat::leave);
    }

    /// As [`Flow::attend`], but nobody goes on from there: this thread must [`Flow::drive`] soon, or [`Flow::relieve`].
    pub(crate) fn attend_and_return(&self) {
        self.seat.attend(|_, driver| drop(driver));
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

impl Seat {
    /// The seat, if it is free.
    fn take(&self) -> Option<MutexGuard<'_, Driver>> {
        match self.driver.try_lock() {
            Ok(driver) => Some(driver),
            Err(TryLockError::Poisoned(driver)) => Some(driver.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Reads the inbox if the seat is free, and then does `leave` with it.
    fn attend<'s>(&'s self, leave: impl Fn(&'s Self, MutexGuard<'s, Driver>)) {
        // What comes after the last look into the inbox and before the seat is free finds the seat taken, and is for who leaves it.
        while !lock(&self.inbox).is_empty() {
            let Some(mut driver) = self.take() else { return self.wake() };
            driver.look_at_clock();
            self.read_inbox(&mut driver);
            leave(self, driver);
        }
    }

    fn drive(&self, limit: Option<Duration>, waiter: Waiter, mut done: impl FnMut() -> bool) -> bool {
        let Some(mut driver) = self.take() else {
            self.wake();
            return false;
        };
        let mut now_us = driver.look_at_clock();
        let until_us = limit.map(|limit| now_us.saturating_add(limit.as_micros().try_into().unwrap_or(u64::MAX)));
        loop {
            self.read_inbox(&mut driver);
            if done() || !driver.is_busy() || until_us.is_some_and(|until_us| until_us <= now_us) {
                break;
            }
            now_us = driver.wait(until_us, waiter);
        }
        self.leave(driver);
        self.attend(Self::leave);
        true
    }

    /// Ends the wait of whoever has the seat, or else the next one.
    fn wake(&self) {
        (*lock(&self.waking))();
    }

    fn read_inbox(&self, driver: &mut Driver) {
        loop {
            let (command, is_last) = {
                let mut inbox = lock(&self.inbox);
                (inbox.pop_front(), inbox.is_empty())
            };
            if let Some(command) = command {
                driver.obey(command);
            }
            if is_last {
                return driver.drain();
            }
        }
    }

    /// Frees the seat, and calls the flow's thread to it if there is more to do that nobody comes back for.
    fn leave(&self, driver: MutexGuard<'_, Driver>) {
        let (busy, replaying) = (driver.is_busy(), driver.is_replaying());
        drop(driver);
        // Behind that: a call that is given to the flow's thread meanwhile has called it to a seat that was taken.
        if replaying || (busy && self.tickets.any_unattended()) {
            self.relief.call();
        }
    }
}

/// What a mutex guards here is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
