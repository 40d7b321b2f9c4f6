//! The seat of a flow: whoever has it drives.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use netfold_shm::Waiter;
use netfold_worker::{CallId, Plan};

use super::driver::{AtOnce, Command, Driver, Waking};
use super::inbox::Inbox;
use super::lock;
use super::relief::Relief;
use crate::memory::CallMemory;
use crate::tickets::Tickets;

pub(super) struct Seat {
    driver: Mutex<Driver>,
    inbox: Inbox,
    /// Ends the wait of whoever drives.
    waking: Waking,
    pub(super) relief: Relief,
    tickets: Arc<Tickets>,
}

/// The seat of a flow, taken.
pub(crate) struct Seated<'a> {
    seat: &'a Seat,
    driver: MutexGuard<'a, Driver>,
    /// How many calls had been done when it was known last whether those are that the driver waits for.
    known: Option<u64>,
}

impl Seat {
    pub(super) fn new(driver: Driver, tickets: Arc<Tickets>) -> Self {
        let waking = driver.waking();
        Self { driver: Mutex::new(driver), inbox: Inbox::default(), waking, relief: Relief::default(), tickets }
    }

    /// The seat, if it is free.
    pub(super) fn take(&self) -> Option<Seated<'_>> {
        let driver = match self.driver.try_lock() {
            Ok(driver) => driver,
            Err(TryLockError::Poisoned(driver)) => driver.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Seated { seat: self, driver, known: None })
    }

    pub(super) fn enqueue(&self, command: Command) {
        self.inbox.push(command);
    }

    /// Reads the inbox if the seat is free, and then does `leave` with it.
    pub(super) fn attend<'s>(&'s self, leave: impl Fn(Seated<'s>)) {
        // What comes after the last look into the inbox and before the seat is free finds the seat taken, and is for who leaves it.
        while !self.inbox.is_empty() {
            let Some(mut seated) = self.take() else { return self.wake() };
            seated.driver.look_at_clock();
            seated.read_inbox();
            seated.driver.drain();
            leave(seated);
        }
    }

    /// [`Seated::drive`], if the seat is free. Otherwise whoever has it reads the inbox, and this is `false`.
    pub(super) fn drive(&self, limit: Option<Duration>, waiter: Waiter, done: impl FnMut() -> bool) -> bool {
        match self.take() {
            Some(seated) => {
                seated.drive(limit, waiter, done);
                true
            }
            None => {
                self.wake();
                false
            }
        }
    }

    /// Ends the wait of whoever has the seat, or else the next one.
    pub(super) fn wake(&self) {
        (*lock(&self.waking))();
    }
}

impl Seated<'_> {
    /// Carries out what is in the inbox, and then a call. `open` opens its ticket, if it is not done at once. Frees the seat if it is done; [`Seat::attend`] must follow.
    pub(super) fn begin(mut self, id: CallId, plan: &Plan, memory: CallMemory, open: impl FnOnce()) -> Option<Self> {
        self.read_inbox();
        self.known = Some(self.driver.count_done());
        match self.driver.fold_at_once(id, plan, memory) {
            // Nothing is in progress.
            AtOnce::Done => return None,
            AtOnce::Begun => open(),
            AtOnce::Refused => {
                open();
                self.driver.obey(Command::Submit { id, plan: *plan, memory });
            }
        }
        Some(self)
    }

    /// Drives until `done`, until nothing is in progress, or for `limit`, and leaves. `done` may change when a call of the flow is done, and is asked then.
    pub(crate) fn drive(mut self, limit: Option<Duration>, waiter: Waiter, mut done: impl FnMut() -> bool) {
        let mut now_us = self.driver.look_at_clock();
        let until_us = limit.map(|limit| now_us.saturating_add(limit.as_micros().try_into().unwrap_or(u64::MAX)));
        loop {
            self.read_inbox();
            self.driver.drain();
            let count = Some(self.driver.count_done());
            let is_done = std::mem::replace(&mut self.known, count) != count && done();
            if is_done || !self.driver.is_busy() || until_us.is_some_and(|until_us| until_us <= now_us) {
                break;
            }
            now_us = self.driver.wait(until_us, waiter);
        }
        let seat = self.seat;
        self.leave();
        seat.attend(Self::leave);
    }

    fn read_inbox(&mut self) {
        while let Some(command) = self.seat.inbox.pop() {
            self.driver.obey(command);
        }
    }

    /// Frees the seat, and calls the flow's thread to it if there is more to do that nobody comes back for.
    pub(super) fn leave(self) {
        let Self { seat, driver, .. } = self;
        let (busy, replaying) = (driver.is_busy(), driver.is_replaying());
        drop(driver);
        // Behind that: a call that is given to the flow's thread meanwhile has called it to a seat that was taken.
        if replaying || (busy && seat.tickets.any_unattended()) {
            seat.relief.call();
        }
    }
}
