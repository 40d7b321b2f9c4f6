//! Who drives a flow, with a shard in the same process at the other end of its link.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use netfold_num::{Arithmetic, ByteOrder};
use netfold_switch::{JobSpec, Place, Shard};
use netfold_wire::{Epoch, Integrity, JobId, WorkerId};
use netfold_worker::{Call, CallId, Plan, Timing};
use rustix::event::{PollFd, PollFlags};

use super::*;
use crate::endpoint;
use crate::error::Error;
use crate::link::{SystemCalls, Wakes};
use crate::memory::CallMemory;
use crate::wake::Wake;

const PAYLOAD: u32 = 64;
const FOREVER: Option<Instant> = None;

/// Holds results back until the gate is open, and notes which threads send.
struct ShardLink {
    shard: Shard,
    gate: Arc<AtomicBool>,
    senders: Arc<Mutex<Vec<ThreadId>>>,
    wake: Wake,
}

impl Link for ShardLink {
    fn burst_limits(&self) -> (usize, usize) {
        (4096, 1)
    }

    fn send(&mut self, datagrams: &[u8], _segment: usize) -> io::Result<()> {
        lock(&self.senders).push(thread::current().id());
        self.shard.handle(datagrams);
        Ok(())
    }

    fn receive(&mut self, handle: &mut dyn FnMut(&[u8], bool)) -> io::Result<()> {
        let mut buffer = [0; 4096];
        while self.gate.load(Ordering::SeqCst)
            && let Some(transmit) = self.shard.poll_transmit(&mut buffer, 1)
        {
            handle(&buffer[..transmit.len], false);
        }
        Ok(())
    }

    fn wait(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = if self.gate.load(Ordering::SeqCst) { Some(Duration::ZERO) } else { timeout };
        endpoint::wait(&mut [PollFd::new(&self.wake, PollFlags::IN)], timeout)?;
        self.wake.reset();
        Ok(())
    }

    fn waker(&self) -> Wakes {
        let waker = self.wake.waker();
        Box::new(move || waker.wake())
    }

    fn system_calls(&self) -> SystemCalls {
        SystemCalls::default()
    }

    fn has_segmentation(&self) -> bool {
        false
    }
}

struct Rig {
    flow: Flow,
    tickets: Arc<Tickets>,
    gate: Arc<AtomicBool>,
    senders: Arc<Mutex<Vec<ThreadId>>>,
}

/// A flow of a job of one worker.
fn rig(gate_open: bool) -> Rig {
    let (job, epoch, integrity) = (JobId(0), Epoch(1), Integrity::Transport);
    let mut shard = Shard::new(1 << 20);
    shard
        .admit(JobSpec {
            job,
            epoch,
            workers: 1,
            slots: 6,
            payload_bytes: PAYLOAD,
            arithmetic: Arithmetic::Native,
            byte_order: ByteOrder::Little,
            integrity,
            place: Place::only(1),
        })
        .unwrap();
    let (tickets, gate) = (Arc::new(Tickets::default()), Arc::new(AtomicBool::new(gate_open)));
    let senders = Arc::new(Mutex::default());
    let link = ShardLink { shard, gate: gate.clone(), senders: senders.clone(), wake: Wake::new().unwrap() };
    let config = StreamConfig {
        job,
        epoch,
        rank: WorkerId(0),
        first_slot: 0,
        slots: 4,
        flow: 0,
        flows: 1,
        integrity,
        // Nothing is lost here, and a test may be slow.
        timing: Timing { rto_initial_us: 60_000_000, rto_max_us: 60_000_000, ..Timing::default() },
        resumable: false,
        weight: 1,
    };
    let flow = Flow::start("test".into(), None, config, 2, Box::new(link), tickets.clone(), Arc::new(|_| ())).unwrap();
    Rig { flow, tickets, gate, senders }
}

impl Rig {
    fn enqueue_barrier(&self, id: CallId) {
        let plan = Plan::new(Call::BARRIER, Arithmetic::Native, 1, WorkerId(0), PAYLOAD).unwrap();
        // SAFETY: a barrier has no memory.
        let memory = unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
        self.tickets.open(id, 1, false);
        self.flow.enqueue(Command::Submit { id, plan, memory });
    }

    fn open_gate(&self) {
        self.gate.store(true, Ordering::SeqCst);
        self.flow.seat.wake();
    }

    fn fail_everything(&self) {
        self.flow.tell(Command::Fail { first: CallId(0), error: Error::Closed });
    }
}

#[test]
fn who_waits_for_a_call_carries_it_out() {
    let rig = rig(true);
    for id in (0..3).map(CallId) {
        rig.enqueue_barrier(id);
        assert!(rig.flow.drive(FOREVER, || rig.tickets.is_done(id)));
        assert!(matches!(rig.tickets.wait(id, FOREVER), Some(Ok(()))));
    }
    assert_eq!(*lock(&rig.senders), [thread::current().id(); 3]);
}

#[test]
fn a_call_that_nobody_waits_for_goes_on_all_the_same() {
    let rig = rig(true);
    rig.enqueue_barrier(CallId(0));
    rig.flow.attend();
    // Does not drive: it only waits for whoever does.
    assert!(matches!(rig.tickets.wait(CallId(0), FOREVER), Some(Ok(()))));
}

#[test]
fn a_call_that_was_begun_is_on_its_way_and_waits_for_its_caller() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    rig.flow.attend_and_return();
    assert_eq!(*lock(&rig.senders), [thread::current().id()]);
    rig.gate.store(true, Ordering::SeqCst);
    assert!(rig.flow.drive(FOREVER, || rig.tickets.is_done(CallId(0))));
    assert!(rig.tickets.is_done(CallId(0)));
    // Or for the flow's thread, if the caller calls it.
    rig.enqueue_barrier(CallId(1));
    rig.flow.attend_and_return();
    rig.flow.relieve();
    assert!(matches!(rig.tickets.wait(CallId(1), FOREVER), Some(Ok(()))));
}

#[test]
fn a_call_is_heard_by_who_drives() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    thread::scope(|scope| {
        let driving = scope.spawn(|| rig.flow.drive(FOREVER, || rig.tickets.is_done(CallId(0))));
        while lock(&rig.senders).is_empty() {
            thread::yield_now();
        }
        rig.enqueue_barrier(CallId(1));
        assert!(!rig.flow.drive(FOREVER, || false), "the seat is taken");
        rig.open_gate();
        assert!(driving.join().unwrap());
    });
    assert!(matches!(rig.tickets.wait(CallId(1), FOREVER), Some(Ok(()))));
}

#[test]
fn who_leaves_before_the_end_is_relieved() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    assert!(rig.flow.drive(Some(Instant::now()), || rig.tickets.is_done(CallId(0))));
    assert!(!rig.tickets.is_done(CallId(0)));
    rig.open_gate();
    assert!(matches!(rig.tickets.wait(CallId(0), FOREVER), Some(Ok(()))));
}

#[test]
fn a_failure_reaches_calls_in_progress_and_later_ones() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    rig.flow.attend();
    rig.fail_everything();
    assert!(matches!(rig.tickets.wait(CallId(0), FOREVER), Some(Err(Error::Closed))));
    rig.enqueue_barrier(CallId(1));
    rig.flow.attend();
    assert!(matches!(rig.tickets.wait(CallId(1), FOREVER), Some(Err(Error::Closed))));
    assert_eq!(lock(&rig.senders).len(), 1);
}
