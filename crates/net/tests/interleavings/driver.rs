//! A flow's driver without packets: it completes the calls that it has when it has enough.

use std::sync::{Arc, PoisonError};

use loom::cell::UnsafeCell;
use netfold_shm::WaitMode;
use netfold_worker::{CallId, Plan};

use crate::call_table::CallTable;
use crate::memory::CallMemory;
use crate::sync::{Condvar, Mutex};

pub type SharedWakeFn = Arc<Mutex<Box<dyn Fn() + Send + Sync>>>;

pub enum AtOnce {
    Done,
    Begun,
    Refused,
}

pub enum Command {
    Submit { id: CallId, plan: Plan, memory: CallMemory },
}

/// The memory of each of two calls, or of each flow of a call: loom panics if two threads may touch
/// one at once.
#[derive(Default)]
pub struct Cells([UnsafeCell<u32>; 2]);

// SAFETY: loom checks each access.
unsafe impl Sync for Cells {}
// SAFETY: as above.
unsafe impl Send for Cells {}

impl Cells {
    /// Adds one to the memory of a call.
    pub fn add(&self, id: CallId) {
        // SAFETY: loom checks it.
        self.0[id.0 as usize].with_mut(|cell| unsafe { *cell += 1 });
    }

    pub fn read(&self, id: CallId) -> u32 {
        // SAFETY: loom checks it.
        self.0[id.0 as usize].with(|cell| unsafe { *cell })
    }
}

/// Ends the wait of a driver, or else the next one.
#[derive(Default)]
struct WaitOutcome {
    set: Mutex<bool>,
    changed: Condvar,
}

pub struct Driver {
    in_progress: Vec<CallId>,
    submitted: usize,
    done: u64,
    /// Calls that must have come before any is answered.
    needed: usize,
    wake: Arc<WaitOutcome>,
    cells: Arc<Cells>,
    call_table: Arc<CallTable>,
}

impl Driver {
    pub fn new(needed: usize, cells: Arc<Cells>, call_table: Arc<CallTable>) -> Self {
        Self {
            in_progress: Vec::new(),
            submitted: 0,
            done: 0,
            needed,
            wake: Arc::default(),
            cells,
            call_table,
        }
    }

    pub fn wake_fn(&self) -> SharedWakeFn {
        let wake = self.wake.clone();
        Arc::new(Mutex::new(Box::new(move || {
            *super::lock(&wake.set) = true;
            wake.changed.notify_one();
        })))
    }

    pub fn count_done(&self) -> u64 {
        self.done
    }

    pub fn is_busy(&self) -> bool {
        !self.in_progress.is_empty()
    }

    pub fn is_replaying(&self) -> bool {
        false
    }

    pub fn look_at_clock(&mut self) -> u64 {
        0
    }

    pub fn drain(&mut self) {}

    pub fn fold_at_once(&mut self, _id: CallId, _plan: &Plan, _memory: &mut CallMemory) -> AtOnce {
        AtOnce::Refused
    }

    pub fn obey(&mut self, Command::Submit { id, .. }: Command) {
        self.in_progress.push(id);
        self.submitted += 1;
    }

    /// Waits in the link: for answers, or until somebody wakes it.
    pub fn wait(&mut self, _until_us: Option<u64>, _waiter: WaitMode) -> u64 {
        if self.submitted >= self.needed {
            for id in self.in_progress.drain(..) {
                self.cells.add(id);
                self.done += 1;
                self.call_table.flow_done(id, Ok(()), None);
            }
        } else {
            let woken = self.wake.changed.wait_while(super::lock(&self.wake.set), |set| !*set);
            *woken.unwrap_or_else(PoisonError::into_inner) = false;
        }
        0
    }
}
