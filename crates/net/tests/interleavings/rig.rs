//! A flow, and callers that do with it what a communicator does.

use std::ptr;
use std::sync::Arc;

use loom::thread::{self, JoinHandle};
use netfold_net::{Arithmetic, WorkerId};
use netfold_shm::WaitMode;
use netfold_worker::{Call, CallId, Plan};

use super::driver::{Cells, Command, Driver};
use super::driver_lock::{DriverGuard, DriverLock};
use super::lock;
use crate::call_table::CallTable;
use crate::memory::CallMemory;
use crate::sync::Mutex;

/// Next step of the caller of a call.
#[derive(Clone, Copy, PartialEq)]
pub enum Caller {
    /// It drives the call, as `Communicator::run` does.
    Drives,
    /// It comes back, as after `Communicator::begin`.
    Returns,
}

pub struct Rig {
    lock: DriverLock,
    pub call_table: Arc<CallTable>,
    /// The next call's number. Calls are made under this lock.
    next: Mutex<u64>,
    cells: Arc<Cells>,
}

impl Rig {
    /// A flow whose switch answers when it has so many calls.
    pub fn new(needed: usize) -> Self {
        let (call_table, cells) = (Arc::new(CallTable::default()), Arc::new(Cells::default()));
        let lock = DriverLock::new(
            Driver::new(needed, cells.clone(), call_table.clone()),
            call_table.clone(),
        );
        Self { lock, call_table, next: Mutex::default(), cells }
    }

    /// Starts the flow's thread.
    pub fn start_background(self: &Arc<Self>) -> JoinHandle<()> {
        let rig = self.clone();
        thread::spawn(move || {
            while rig.lock.background.wait() {
                rig.lock.drive(None, WaitMode::Helper, || false);
            }
        })
    }

    pub fn stop(&self, background: JoinHandle<()>) {
        self.lock.background.stop();
        background.join().unwrap();
    }

    /// Takes the next number for a call, and writes the call's memory.
    fn number(&self, next: &mut u64) -> CallId {
        let id = CallId(*next);
        *next += 1;
        self.cells.add(id);
        id
    }

    fn plan() -> Plan {
        Plan::new(Call::BARRIER, Arithmetic::Native, 1, WorkerId(0), 64).unwrap()
    }

    fn memory() -> CallMemory {
        // SAFETY: a barrier has no memory. What stands for it here is in `Cells`.
        unsafe { CallMemory::from_raw(ptr::null(), 0, ptr::null_mut(), 0) }
    }

    /// As `Communicator::submit`.
    pub fn submit(&self, caller_drives: bool) -> CallId {
        let mut next = lock(&self.next);
        let id = self.number(&mut next);
        self.call_table.open(id, 1, false, caller_drives);
        self.lock.enqueue(Command::Submit { id, plan: Self::plan(), memory: Self::memory() });
        drop(next);
        if caller_drives {
            self.lock.run_inbox(drop)
        } else {
            self.lock.run_inbox(DriverGuard::leave)
        }
        id
    }

    /// As `Communicator::attempt`, or `Communicator::begin`.
    pub fn make(&self, caller: Caller) -> CallId {
        if caller == Caller::Returns {
            return self.submit(true);
        }
        let mut next = lock(&self.next);
        let id = self.number(&mut next);
        let open = || self.call_table.open(id, 1, false, true);
        let Some(guard) = self.lock.take() else {
            open();
            self.lock.enqueue(Command::Submit { id, plan: Self::plan(), memory: Self::memory() });
            return id;
        };
        let guard = guard
            .begin(id, &Self::plan(), &mut Self::memory(), open)
            .expect("it is not done at once");
        drop(next);
        guard.drive(None, WaitMode::Caller, || self.call_table.outcome(id).is_some());
        id
    }

    /// As `Communicator::poll`: waits for a call, and reads its memory.
    pub fn wait(&self, id: CallId) {
        let mut outcome = None;
        let drove = self.lock.drive(None, WaitMode::Caller, || {
            outcome = self.call_table.outcome(id);
            outcome.is_some()
        });
        if !drove {
            self.go_on_alone(id);
        }
        let outcome = outcome.or_else(|| self.call_table.wait(id, None));
        assert!(matches!(outcome, Some(Ok(()))));
        self.read(id);
    }

    /// As `Communicator::watch`.
    pub fn watch(&self, id: CallId) {
        self.call_table.watch(id);
        self.go_on_alone(id);
    }

    fn go_on_alone(&self, id: CallId) {
        if self.call_table.detach(id) {
            self.lock.background.request();
        }
    }

    /// Reads the memory of a call that is done. Its caller wrote it, and so did the thread that
    /// drove.
    pub fn read(&self, id: CallId) {
        assert_eq!(self.cells.read(id), 2);
    }
}
