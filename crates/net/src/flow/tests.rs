//! Threads that drive a flow, with a shard in the same process at the other end of its link.

mod panics;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use netfold_num::{Arithmetic, Protocol};
use netfold_switch::{JobSpec, Operations, Place, Shard};
use netfold_wire::{Ecn, Epoch, Integrity, JobId, Packet, Pool, SlotIndex, Terms, WorkerId};
use netfold_worker::{Call, CallId, Plan, Replay, Timing};
use rustix::event::{PollFd, PollFlags};

use super::*;
use crate::arrival::Arrival;
use crate::endpoint;
use crate::error::Error;
use crate::link::{SystemCalls, WakeFn};
use crate::memory::CallMemory;
use crate::notify::EventFd;
use crate::rounds::RoundLog;

const PAYLOAD: u32 = 64;
/// Beside the slots of the bulk stream.
const OTHERS: OtherSlots = OtherSlots { urgent: 2, long: 0, exchange: 0 };
const FOREVER: Option<Duration> = None;
/// Longer than anything takes here.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// Threads that have sent, each with the copy that it has sent for.
type Sent = Arc<Mutex<Vec<(ThreadId, Pool)>>>;

/// Holds results back until the gate is open, and notes what is sent, and which threads send.
struct ShardLink {
    shard: Shard,
    results: VecDeque<Vec<u8>>,
    gate: Arc<AtomicBool>,
    sent: Sent,
    wake: EventFd,
}

impl Link for ShardLink {
    fn send(&mut self, departures: &mut Departures<'_>) -> io::Result<()> {
        let mut datagram = [0; 4096];
        while let Some(transmit) = departures.datagrams(&mut datagram, 1) {
            let datagram = &datagram[..transmit.len];
            let packet = Packet::new_checked(datagram).expect("a flow sends packets");
            lock(&self.sent).push((thread::current().id(), packet.repr().pool));
            self.shard.handle(datagram, Ecn::Clear);
        }
        let mut buffer = [0; 4096];
        while let Some(transmit) = self.shard.poll_transmit(&mut buffer, 1) {
            self.results.push_back(buffer[..transmit.len].to_vec());
        }
        Ok(())
    }

    fn receive(&mut self, arrivals: &mut Arrivals<'_>) -> io::Result<()> {
        while self.gate.load(Ordering::SeqCst)
            && let Some(result) = self.results.pop_front()
        {
            arrivals.datagram(&result, Arrival { from: None, marked: false, at: None });
        }
        Ok(())
    }

    fn defers(&self) -> bool {
        true
    }

    fn has_come(&mut self) -> io::Result<bool> {
        Ok(self.gate.load(Ordering::SeqCst) && !self.results.is_empty())
    }

    fn time(&mut self, _log: &Arc<RoundLog>) {}

    fn wait(&mut self, timeout: Option<Duration>, _mode: WaitMode, _few: bool) -> io::Result<()> {
        let timeout = if self.gate.load(Ordering::SeqCst) { Some(Duration::ZERO) } else { timeout };
        endpoint::wait(&mut [PollFd::new(&self.wake, PollFlags::IN)], timeout)?;
        self.wake.reset();
        Ok(())
    }

    fn waker(&self) -> WakeFn {
        let waker = self.wake.notifier();
        Box::new(move || waker.wake())
    }

    fn system_calls(&self) -> SystemCalls {
        SystemCalls::default()
    }

    fn has_segmentation(&self) -> bool {
        false
    }
}

fn barrier(id: CallId) -> Command {
    let plan = Plan::new(Call::BARRIER, Arithmetic::Native, 1, WorkerId(0), PAYLOAD).unwrap();
    // SAFETY: a barrier has no memory.
    let memory = unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
    Command::Submit { id, plan, memory }
}

struct Rig {
    flow: Flow,
    call_table: Arc<CallTable>,
    gate: Arc<AtomicBool>,
    sent: Sent,
}

/// Returns the configuration of a flow of a resumable job of one worker, in an epoch of the job.
fn config(epoch: Epoch, protocol: Protocol) -> StreamConfig {
    StreamConfig {
        job: JobId(0),
        epoch,
        rank: WorkerId(0),
        first_slot: 0,
        slots: 4,
        flow: 0,
        flows: 1,
        terms: Terms { protocol, resumable: true, ..Terms::new(Integrity::Transport) },
        // Nothing is lost here, and a test may be slow.
        timing: Timing { rto_initial_us: 60_000_000, rto_max_us: 60_000_000, ..Timing::default() },
    }
}

/// The way to a switch that has just taken in such a job.
fn link(epoch: Epoch, protocol: Protocol, gate: &Arc<AtomicBool>, sent: &Sent) -> Box<ShardLink> {
    let mut shard = Shard::new(1 << 20);
    shard
        .admit(JobSpec {
            job: JobId(0),
            epoch,
            workers: 1,
            slots: 6,
            exchange_slots: 0,
            lent_slots: 0,
            payload_bytes: PAYLOAD,
            terms: Terms {
                arithmetic: Arithmetic::Native,
                protocol,
                ..Terms::new(Integrity::Transport)
            },
            place: Place::only(1),
            operations: Operations::default(),
        })
        .unwrap();
    let (results, gate, sent) = (VecDeque::new(), gate.clone(), sent.clone());
    Box::new(ShardLink { shard, results, gate, sent, wake: EventFd::new().unwrap() })
}

/// A flow of a job of one worker.
fn rig(gate_open: bool) -> Rig {
    rig_with(gate_open, Protocol::Shadow)
}

fn rig_with(gate_open: bool, protocol: Protocol) -> Rig {
    let (call_table, gate) = (Arc::new(CallTable::default()), Arc::new(AtomicBool::new(gate_open)));
    let sent = Sent::default();
    let link = link(Epoch(1), protocol, &gate, &sent);
    let config = config(Epoch(1), protocol);
    let flow = Flow::start(
        "test".into(),
        None,
        config,
        OTHERS,
        link,
        call_table.clone(),
        Arc::new(|_| ()),
    )
    .unwrap();
    Rig { flow, call_table, gate, sent }
}

impl Rig {
    fn senders(&self) -> Vec<ThreadId> {
        lock(&self.sent).iter().map(|(thread, _)| *thread).collect()
    }

    fn enqueue_barrier(&self, id: CallId) {
        self.enqueue_barrier_of(id, false);
    }

    fn enqueue_barrier_of(&self, id: CallId, caller_drives: bool) {
        self.call_table.open(id, 1, false, caller_drives);
        self.flow.enqueue(barrier(id));
    }

    fn open_gate(&self) {
        self.gate.store(true, Ordering::SeqCst);
        self.flow.lock.wake();
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
        assert!(rig.flow.drive(FOREVER, || rig.call_table.outcome(id).is_some()));
        assert!(matches!(rig.call_table.wait(id, FOREVER), Some(Ok(()))));
    }
    assert_eq!(rig.senders(), [thread::current().id(); 3]);
}

#[test]
fn a_call_that_nobody_waits_for_goes_on_all_the_same() {
    let rig = rig(true);
    rig.enqueue_barrier(CallId(0));
    rig.flow.run_inbox();
    // Does not drive: it only waits for the thread that does.
    assert!(matches!(rig.call_table.wait(CallId(0), FOREVER), Some(Ok(()))));
}

#[test]
fn a_call_that_was_begun_is_on_its_way_and_waits_for_its_caller() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    rig.flow.run_inbox_only();
    assert_eq!(rig.senders(), [thread::current().id()]);
    rig.gate.store(true, Ordering::SeqCst);
    assert!(rig.flow.drive(FOREVER, || rig.call_table.outcome(CallId(0)).is_some()));
    assert!(rig.call_table.outcome(CallId(0)).is_some());
    // Or for the flow's thread, if the caller calls it.
    rig.enqueue_barrier(CallId(1));
    rig.flow.run_inbox_only();
    rig.flow.request_background();
    assert!(matches!(rig.call_table.wait(CallId(1), FOREVER), Some(Ok(()))));
}

/// Several begun calls are all driven by their caller, who is not disturbed by the flow's thread
/// between one and the next.
#[test]
fn who_comes_back_is_not_relieved() {
    let rig = rig(true);
    for id in (0..6).map(CallId) {
        rig.enqueue_barrier_of(id, true);
        rig.flow.run_inbox_only();
    }
    // Four slots take four of them; the others go out as results come, to the thread that drives
    // then.
    assert!(rig.flow.drive(FOREVER, || rig.call_table.outcome(CallId(0)).is_some()));
    rig.gate.store(false, Ordering::SeqCst);
    for id in (6..9).map(CallId) {
        rig.enqueue_barrier_of(id, true);
        assert!(rig.flow.drive(Some(Duration::ZERO), || false), "nobody else has the lock");
    }
    rig.gate.store(true, Ordering::SeqCst);
    assert!(rig.flow.drive(FOREVER, || rig.call_table.outcome(CallId(8)).is_some()));
    assert_eq!(rig.senders(), [thread::current().id(); 9]);
    assert_eq!(rig.flow.lock.background.requests(), 0);
    // But for a call that its caller gives up waiting for.
    rig.gate.store(false, Ordering::SeqCst);
    rig.enqueue_barrier_of(CallId(9), true);
    assert!(rig.flow.drive(Some(Duration::ZERO), || false));
    assert!(rig.call_table.detach(CallId(9)));
    rig.flow.request_background();
    rig.open_gate();
    assert!(matches!(rig.call_table.wait(CallId(9), FOREVER), Some(Ok(()))));
    assert!(!rig.call_table.detach(CallId(9)), "it is done");
}

/// R-ACK-6: who completes rounds takes their results, and acknowledges them when there is nothing
/// to take.
#[test]
fn results_are_taken_before_they_are_acknowledged() {
    let (sum, acknowledgement) = (Pool::Even, Pool::Odd);
    let rig = rig_with(true, Protocol::Acked);
    let call = |id| {
        rig.enqueue_barrier_of(id, true);
        rig.flow.run_inbox_only();
    };
    for id in (0..2).map(CallId) {
        call(id);
        assert!(rig.flow.drive(FOREVER, || rig.call_table.outcome(id).is_some()));
    }
    rig.gate.store(false, Ordering::SeqCst);
    call(CallId(2));
    let pools = || lock(&rig.sent).iter().map(|(_, pool)| *pool).collect::<Vec<_>>();
    assert_eq!(pools(), [sum; 3]);
    rig.enqueue_barrier(CallId(3));
    // A thread that waits now finds nothing.
    assert!(rig.flow.drive(Some(Duration::from_millis(1)), || false));
    assert_eq!(pools()[3..], [sum, acknowledgement, acknowledgement]);
    rig.open_gate();
    // By the flow's thread: nobody has said that they would come back.
    assert!(matches!(rig.call_table.wait(CallId(3), FOREVER), Some(Ok(()))));
}

#[test]
fn a_call_is_heard_by_who_drives() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    thread::scope(|scope| {
        let driving =
            scope.spawn(|| rig.flow.drive(FOREVER, || rig.call_table.outcome(CallId(0)).is_some()));
        while rig.senders().is_empty() {
            thread::yield_now();
        }
        rig.enqueue_barrier(CallId(1));
        assert!(!rig.flow.drive(FOREVER, || false), "the lock is taken");
        rig.open_gate();
        assert!(driving.join().unwrap());
    });
    assert!(matches!(rig.call_table.wait(CallId(1), FOREVER), Some(Ok(()))));
}

#[test]
fn who_leaves_before_the_end_is_relieved() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    assert!(rig.flow.drive(Some(Duration::ZERO), || rig.call_table.outcome(CallId(0)).is_some()));
    assert!(rig.call_table.outcome(CallId(0)).is_none());
    rig.open_gate();
    assert!(matches!(rig.call_table.wait(CallId(0), FOREVER), Some(Ok(()))));
}

#[test]
fn a_failure_reaches_calls_in_progress_and_later_ones() {
    let rig = rig(false);
    rig.enqueue_barrier(CallId(0));
    rig.flow.run_inbox();
    rig.fail_everything();
    assert!(matches!(rig.call_table.wait(CallId(0), FOREVER), Some(Err(Error::Closed))));
    rig.enqueue_barrier(CallId(1));
    rig.flow.run_inbox();
    assert!(matches!(rig.call_table.wait(CallId(1), FOREVER), Some(Err(Error::Closed))));
    assert_eq!(rig.senders().len(), 1);
}

/// R-RES-9: a thread that counts the calls in progress, when nothing is taken any more, does not
/// count one whose last result has been taken.
#[test]
fn a_flow_that_is_suspended_has_told_of_the_calls_that_are_done() {
    let (call_table, gate, id) =
        (Arc::new(CallTable::default()), Arc::new(AtomicBool::new(true)), CallId(0));
    let link = |epoch| link(epoch, Protocol::Shadow, &gate, &Sent::default());
    let config = config(Epoch(1), Protocol::Shadow);
    let mut driver =
        Driver::new(config, OTHERS, link(Epoch(1)), call_table.clone(), Arc::new(|_| ()));
    call_table.open(id, 1, false, false);
    driver.obey(barrier(id));
    driver.drain();
    driver.wait(None, WaitMode::Caller);
    let (reply, rounds) = mpsc::sync_channel(1);
    driver.obey(Command::Suspend { link: link(Epoch(2)), reply });
    assert!(rounds.try_recv().is_ok());
    assert!(matches!(call_table.outcome(id), Some(Ok(()))));
}

/// R-RES-7: a round is replayed although no call is in progress here, and who takes leave waits for
/// it.
#[test]
fn a_flow_without_calls_replays_a_round_that_others_wait_for() {
    let rig = rig(true);
    let id = CallId(0);
    rig.enqueue_barrier(id);
    assert!(rig.flow.drive(FOREVER, || false));
    assert!(rig.flow.await_replays(Instant::now() + WAIT_LIMIT), "nothing is to be replayed");

    rig.gate.store(false, Ordering::SeqCst);
    let away = link(Epoch(2), Protocol::Shadow, &rig.gate, &rig.sent);
    let rounds = rig.flow.ask(|reply| Command::Suspend { link: away, reply }).unwrap();
    let (slot, round) = (0..).map(SlotIndex).zip(rounds).find(|(_, round)| round.0 > 0).unwrap();
    let replays = vec![Replay { slot, round, source: WorkerId(0) }];
    let next = link(Epoch(2), Protocol::Shadow, &rig.gate, &rig.sent);
    rig.flow
        .ask(|reply| Command::Resume {
            config: config(Epoch(2), Protocol::Shadow),
            replays,
            link: next,
            reply,
        })
        .unwrap()
        .unwrap();
    assert!(!rig.flow.await_replays(Instant::now()), "its result is held back");
    rig.open_gate();
    assert!(rig.flow.await_replays(Instant::now() + WAIT_LIMIT));
    rig.fail_everything();
}

/// A job that is over has nobody who waits for a replay, and so no thread that drives one.
#[test]
fn a_replay_ends_with_the_job() {
    let rig = rig(true);
    rig.enqueue_barrier(CallId(0));
    assert!(rig.flow.drive(FOREVER, || false));
    rig.gate.store(false, Ordering::SeqCst);
    let away = link(Epoch(2), Protocol::Shadow, &rig.gate, &rig.sent);
    let rounds = rig.flow.ask(|reply| Command::Suspend { link: away, reply }).unwrap();
    let replays = (0..).map(SlotIndex).zip(rounds).filter(|(_, round)| round.0 > 0);
    let replays =
        replays.map(|(slot, round)| Replay { slot, round, source: WorkerId(0) }).collect();
    let next = link(Epoch(2), Protocol::Shadow, &rig.gate, &rig.sent);
    rig.flow
        .ask(|reply| Command::Resume {
            config: config(Epoch(2), Protocol::Shadow),
            replays,
            link: next,
            reply,
        })
        .unwrap()
        .unwrap();
    rig.fail_everything();
    // Returns when the thread has ended.
    rig.flow.stop();
}
