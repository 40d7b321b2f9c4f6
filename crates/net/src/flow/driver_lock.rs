//! The lock on a flow's driver: the thread that has it drives the flow.

use std::sync::{Arc, TryLockError};
use std::time::Duration;

use netfold_shm::WaitMode;
use netfold_worker::{CallId, Plan};

use super::background::BackgroundDriver;
use super::driver::{AtOnce, Command, Driver, SharedWakeFn};
use super::inbox::Inbox;
use super::lock;
use crate::call_table::CallTable;
use crate::memory::CallMemory;
use crate::sync::{Mutex, MutexGuard};
use crate::unwind::AbortOnUnwind;

/// A flow's driver, its inbox, and its lock.
pub(super) struct DriverLock {
    driver: Mutex<Driver>,
    inbox: Inbox,
    /// Ends the wait of the thread that drives.
    wake_fn: SharedWakeFn,
    pub(super) background: BackgroundDriver,
    call_table: Arc<CallTable>,
}

/// The lock on a flow's driver, held.
pub(crate) struct DriverGuard<'a> {
    lock: &'a DriverLock,
    driver: MutexGuard<'a, Driver>,
    /// The number of calls that were done when `done` was last asked.
    known: Option<u64>,
}

impl DriverLock {
    pub(super) fn new(driver: Driver, call_table: Arc<CallTable>) -> Self {
        let wake_fn = driver.wake_fn();
        Self {
            driver: Mutex::new(driver),
            inbox: Inbox::default(),
            wake_fn,
            background: BackgroundDriver::default(),
            call_table,
        }
    }

    /// Takes the lock, if it is free.
    pub(super) fn take(&self) -> Option<DriverGuard<'_>> {
        let driver = match self.driver.try_lock() {
            Ok(driver) => driver,
            // Unreachable: a panic of the thread that drives ends the process.
            Err(TryLockError::Poisoned(driver)) => driver.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(DriverGuard { lock: self, driver, known: None })
    }

    pub(super) fn enqueue(&self, command: Command) {
        self.inbox.push(command);
    }

    /// Runs the inbox if the lock is free, and then calls `leave`. Otherwise it wakes the thread
    /// that has the lock.
    pub(super) fn run_inbox<'s>(&'s self, leave: impl Fn(DriverGuard<'s>)) {
        // A command that comes between the last look into the inbox and the release finds the lock
        // taken: the thread that releases it looks again.
        while !self.inbox.is_empty() {
            let Some(mut guard) = self.take() else { return self.wake() };
            let abort = AbortOnUnwind::arm();
            guard.driver.look_at_clock();
            guard.read_inbox();
            guard.driver.drain();
            leave(guard);
            abort.disarm();
        }
    }

    /// Drives as [`DriverGuard::drive`] does, if the lock is free. Otherwise it wakes the thread
    /// that has the lock, and returns `false`.
    pub(super) fn drive(
        &self,
        limit: Option<Duration>,
        mode: WaitMode,
        done: impl FnMut() -> bool,
    ) -> bool {
        match self.take() {
            Some(guard) => {
                guard.drive(limit, mode, done);
                true
            }
            None => {
                self.wake();
                false
            }
        }
    }

    /// Ends the present wait of the thread that drives, or else the next one.
    pub(super) fn wake(&self) {
        (*lock(&self.wake_fn))();
    }
}

impl DriverGuard<'_> {
    /// Runs the inbox, and begins a call. `open` opens its state, if it is not done at once.
    /// Releases the lock if it is done: then [`DriverLock::run_inbox`] must follow.
    pub(super) fn begin(
        mut self,
        id: CallId,
        plan: &Plan,
        memory: &mut CallMemory,
        open: impl FnOnce(),
    ) -> Option<Self> {
        let abort = AbortOnUnwind::arm();
        self.read_inbox();
        self.known = Some(self.driver.count_done());
        let in_progress = match self.driver.fold_at_once(id, plan, memory) {
            AtOnce::Done => false,
            AtOnce::Begun => {
                open();
                true
            }
            AtOnce::Refused => {
                open();
                let (plan, memory) = (plan.clone(), memory.take());
                self.driver.obey(Command::Submit { id, plan, memory });
                true
            }
        };
        abort.disarm();
        in_progress.then_some(self)
    }

    /// Drives until `done`, until nothing is in progress, or for `limit`, and releases the lock.
    /// `done` is asked whenever a call of the flow is done.
    pub(crate) fn drive(
        mut self,
        limit: Option<Duration>,
        mode: WaitMode,
        mut done: impl FnMut() -> bool,
    ) {
        let abort = AbortOnUnwind::arm();
        let mut now_us = self.driver.look_at_clock();
        let until_us = limit
            .map(|limit| now_us.saturating_add(limit.as_micros().try_into().unwrap_or(u64::MAX)));
        loop {
            self.read_inbox();
            self.driver.drain();
            let count = Some(self.driver.count_done());
            let is_done = std::mem::replace(&mut self.known, count) != count && done();
            if is_done
                || !self.driver.is_busy()
                || until_us.is_some_and(|until_us| until_us <= now_us)
            {
                break;
            }
            now_us = self.driver.wait(until_us, mode);
        }
        let lock = self.lock;
        self.leave();
        abort.disarm();
        lock.run_inbox(Self::leave);
    }

    fn read_inbox(&mut self) {
        while let Some(command) = self.lock.inbox.pop() {
            self.driver.obey(command);
        }
    }

    /// Releases the lock. Has the background thread drive if calls are in progress to which no
    /// caller comes back.
    pub(super) fn leave(self) {
        let Self { lock, driver, .. } = self;
        let (busy, replaying) = (driver.is_busy(), driver.is_replaying());
        drop(driver);
        // After the release: a call that was detached meanwhile has requested the background thread
        // while the lock was taken.
        if replaying || (busy && lock.call_table.any_detached()) {
            lock.background.request();
        }
    }
}
