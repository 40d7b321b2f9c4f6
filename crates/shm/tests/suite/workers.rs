//! Workers as threads: exact sums, waits and their ends.

mod cores;
mod eager;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::driver::{Driver, spec};
use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Protocol};
use netfold_shm::{Error, PortError, Segment, WaitMode, WaitOutcome};
use netfold_switch::JobSpec;
use netfold_wire::{
    CallDigest, Delivery, Direction, Integrity, Kind, Pool, Position, Repr, SlotIndex, Terms,
    WorkerId,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Longer than any wait that a port makes by itself, and than a busy machine keeps a thread from
/// its core.
const BOUND: Duration = Duration::from_secs(10);

/// The input of a worker to a call, drawn from a seed that names both.
fn input(seed: u64, worker: u16, call: usize, lanes: usize) -> Vec<i32> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed ^ (u64::from(worker) << 32) ^ call as u64);
    (0..lanes).map(|_| rng.next_u32() as i32).collect()
}

fn bytes(lanes: &[i32]) -> Vec<u8> {
    lanes.iter().flat_map(|lane| lane.to_ne_bytes()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every worker gets the exact sum of what all have put in, for calls of any length, with more
    /// blocks than slots or fewer.
    #[test]
    fn sums_are_exact(
        workers in 1..=5u16,
        slots in 1..=9u16,
        payload_words in 1..=40u32,
        lengths in prop::collection::vec(0..600usize, 1..12),
        integrity in prop::sample::select(vec![Integrity::Transport, Integrity::Checksum, Integrity::Token([7; 16])]),
        protocol in prop::sample::select(&Protocol::ALL[..]),
        seed: u64,
    ) {
        let spec = JobSpec { terms: Terms { protocol, integrity, ..spec(workers, slots, 8 * payload_words).terms }, ..spec(workers, slots, 8 * payload_words) };
        let segment = Segment::create(&spec, 1).expect("memory to share");
        thread::scope(|scope| {
            for rank in 0..workers {
                let (segment, spec, lengths) = (&segment, &spec, &lengths);
                scope.spawn(move || {
                    let mut driver = Driver::new(segment, spec, rank, Arithmetic::Native);
                    for (call, lanes) in lengths.iter().copied().enumerate() {
                        let sum = driver.all_reduce(ElementType::I32, bytes(&input(seed, rank, call, lanes)));
                        let mut expected = vec![0i32; lanes];
                        for worker in 0..workers {
                            for (sum, lane) in expected.iter_mut().zip(input(seed, worker, call, lanes)) {
                                *sum = sum.wrapping_add(lane);
                            }
                        }
                        assert_eq!(sum.expect("nobody fails"), bytes(&expected), "call {call} at {rank}, seed {seed}");
                    }
                    assert_eq!(driver.reports, []);
                });
            }
        });
        prop_assert_eq!(segment.waiting(), []);
    }
}

/// Block fixed point takes more rounds of a slot (R-WORK-4). Numbers of one magnitude add up
/// exactly in it.
#[test]
fn block_arithmetic_takes_its_rounds() {
    let spec = spec(4, 3, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    thread::scope(|scope| {
        for rank in 0..4u8 {
            let (segment, spec) = (&segment, &spec);
            scope.spawn(move || {
                let mut driver = Driver::new(segment, spec, rank.into(), Arithmetic::Block);
                for call in 0..20u8 {
                    let tensor: Vec<u8> =
                        (0..100).flat_map(|_| f32::from(rank + call).to_ne_bytes()).collect();
                    let sum = driver.all_reduce(ElementType::F32, tensor).expect("nobody fails");
                    let expected = f32::from(4 * call + 6).to_ne_bytes();
                    assert!(sum.chunks(4).all(|lane| lane == expected), "call {call}: {sum:?}");
                }
            });
        }
    });
}

/// A wait ends when its time is over, when it is interrupted (once, also when that comes before),
/// and when the job fails.
#[test]
fn waits_end() {
    let spec = spec(2, 1, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let mut port = segment.port(0, WorkerId(0)).expect("the first one");
    assert_eq!(port.wait(Some(Duration::ZERO), WaitMode::Helper), Ok(WaitOutcome::TimedOut));
    assert_eq!(
        port.wait(Some(Duration::from_millis(3)), WaitMode::Helper),
        Ok(WaitOutcome::TimedOut)
    );
    let waker = port.waker();
    waker.wake();
    waker.wake();
    assert_eq!(port.wait(None, WaitMode::Helper), Ok(WaitOutcome::Interrupted));
    assert_eq!(port.wait(Some(Duration::ZERO), WaitMode::Helper), Ok(WaitOutcome::TimedOut));
    thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::channel();
        scope.spawn(move || {
            for _ in 0..3 {
                sender.send(port.wait(None, WaitMode::Helper)).expect("somebody listens");
            }
        });
        for _ in 0..2 {
            waker.wake();
            assert_eq!(receiver.recv_timeout(BOUND), Ok(Ok(WaitOutcome::Interrupted)));
        }
        segment.fail();
        assert_eq!(receiver.recv_timeout(BOUND), Ok(Err(PortError::Failed)));
    });
    assert!(segment.has_failed());
}

/// Nothing of a failed job goes on, whatever it is doing: workers that wait for a third one get the
/// error.
#[test]
fn a_failure_reaches_everyone() {
    let spec = spec(3, 4, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let failed_at = thread::scope(|scope| {
        let wait = |rank| {
            let mut driver = Driver::new(&segment, &spec, rank, Arithmetic::Native);
            assert_eq!(driver.all_reduce(ElementType::I32, vec![0; 1000]), Err(PortError::Failed));
            assert_eq!(driver.port.deliver(&[]), Err(PortError::Failed));
            assert_eq!(driver.port.receive(|_| {}), Err(PortError::Failed));
            assert_eq!(driver.port.wait(None, WaitMode::Helper), Err(PortError::Failed));
        };
        scope.spawn(move || wait(0));
        scope.spawn(move || wait(1));
        let deadline = Instant::now() + BOUND;
        // Both have contributed to every slot.
        while segment.waiting().iter().filter(|slot| slot.missing == [WorkerId(2)]).count() < 4 {
            assert!(Instant::now() < deadline);
            thread::yield_now();
        }
        segment.fail();
        Instant::now()
    });
    assert!(failed_at.elapsed() < BOUND);
}

/// Two ports of one worker would not know of each other's rounds, and what is outside the job has
/// no port.
#[test]
fn a_port_is_opened_once() {
    let segment = Segment::create(&spec(2, 1, 64), 3).expect("memory to share");
    for flow in 0..3 {
        drop(segment.port(flow, WorkerId(1)).expect("the first one"));
        assert!(matches!(
            segment.port(flow, WorkerId(1)),
            Err(Error::Taken { worker: WorkerId(1), .. })
        ));
        segment.port(flow, WorkerId(0)).expect("another worker's");
        assert!(matches!(segment.port(flow, WorkerId(2)), Err(Error::Range { .. })));
    }
    assert!(matches!(segment.port(3, WorkerId(0)), Err(Error::Range { flow: 3, .. })));
}

/// Returns the header of a worker's contribution of 64 bytes to a round of the first slot.
pub fn contribution(spec: &JobSpec, worker: u16, round: u32) -> Repr {
    Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: if round.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
        job: spec.job,
        epoch: spec.epoch,
        position: Position(round),
        slot: SlotIndex(0),
        elements: 64,
        element_type: ElementType::U8,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(1),
    }
}

/// A port that is driven against the rules, by a worker that does not wait for results, cannot
/// write where another one reads (R-SLOT-6).
#[test]
fn a_result_stands_while_it_is_read() {
    let spec = spec(2, 1, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let datagram = |worker: u16, round: u32, lane: u8| {
        let header = contribution(&spec, worker, round);
        let mut datagram = vec![lane; header.datagram_bytes()];
        header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        datagram
    };
    let mut reader = segment.port(0, WorkerId(0)).expect("the first one");
    let mut hasty = segment.port(0, WorkerId(1)).expect("the first one");
    reader.deliver(&datagram(0, 0, 1)).expect("the job goes on");
    hasty.deliver(&datagram(1, 0, 2)).expect("the job goes on");
    let read = AtomicBool::new(false);
    let results = reader.receive(|result| {
        let before = result.lanes().to_vec();
        assert!(before.iter().all(|lane| *lane == 3));
        // On to the next round, and, without its result, to the one after.
        hasty.deliver(&datagram(1, 1, 4)).expect("the job goes on");
        hasty.deliver(&datagram(1, 2, 5)).expect("the job goes on");
        assert_eq!(hasty.counters().stale_dropped, 1);
        assert_eq!(result.lanes(), before);
        read.store(true, Ordering::Relaxed);
    });
    assert_eq!(results, Ok(1));
    assert!(read.into_inner());
    // A port delivers for its own worker only.
    reader.deliver(&datagram(1, 1, 4)).expect("the job goes on");
    assert_eq!(reader.counters().dropped_range, 1);
}
