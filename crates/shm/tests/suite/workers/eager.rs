//! The eager path: the order in which members may post and collect, and its results (R-EAGER).

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_shm::{Collected, EagerMessages, Port, PortError, Segment, WaitMode, WaitOutcome};
use netfold_switch::{Event, JobSpec, Place, WaitingSlot};
use netfold_wire::{
    CallDigest, EAGER_OUTSTANDING, EAGER_QUEUES, EagerRound, Position, SlotIndex, Terms, WorkerId,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::driver::spec;

/// Slots of the jobs here: numbers behind these name rounds of the eager path.
const SLOTS: u16 = 4;

/// Cells of a worker in a queue (R-EAGER-2), and bytes of one in the queue of barriers.
const BOXES: u64 = 16;
const BARRIER_BOX_BYTES: u64 = 64;

/// Bytes of a worker's tally. The tallies stand right before the eager path.
const TALLY_BYTES: u64 = 256;

fn job(workers: u16) -> (JobSpec, Arc<Segment>, Vec<Port>) {
    let spec = spec(workers, SLOTS, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let ports =
        (0..workers).map(|rank| segment.port(0, WorkerId(rank)).expect("the first one")).collect();
    (spec, segment, ports)
}

fn round(queue: u16, number: u64, elements: u16) -> EagerRound {
    let (call, bytes) =
        (CallDigest(number as u32 * 7 + u32::from(queue)), 4 * usize::from(elements));
    EagerRound { queue, number, call, bytes }
}

fn post(port: &mut Port, round: &EagerRound, lanes: &[f32]) {
    let bytes: Vec<u8> = lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
    port.post(round, bytes.len(), |room| room.copy_from_slice(&bytes));
    port.flush();
}

/// The sum of all messages in the order of ranks; nothing if none has contents.
fn sum(messages: &EagerMessages<'_>) -> Vec<u8> {
    let mut fold = Vec::new();
    for message in messages.contents() {
        if fold.is_empty() {
            fold.extend(message);
        } else {
            messages.fold(ElementType::F32, Operation::Sum, false, &mut fold, message);
        }
    }
    fold
}

/// Returns the offset of a worker's cell in the memory of a job of two. The eager path is at the
/// end of the segment.
fn cell_at(spec: &JobSpec, worker: u16, queue: u16, number: u64) -> u64 {
    let urgent_cell_bytes = 2048 + 64;
    let of_a_worker = BOXES * (urgent_cell_bytes + BARRIER_BOX_BYTES);
    let start = Segment::memory_bytes(spec, 1).expect("there is such a segment") - 2 * of_a_worker;
    let (queue_at, cell_bytes) =
        [(0, urgent_cell_bytes), (BOXES * urgent_cell_bytes, BARRIER_BOX_BYTES)]
            [usize::from(queue)];
    start + u64::from(worker) * of_a_worker + queue_at + number % BOXES * cell_bytes
}

fn memory_of(segment: &Segment) -> File {
    segment.descriptor().try_clone_to_owned().expect("a descriptor is left").into()
}

/// Returns the input of a worker to a round, drawn from a seed that names both: nothing if it is no
/// contributor.
fn input(seed: u64, queue: u16, number: u64, worker: u16, elements: u16) -> Vec<f32> {
    let mut rng =
        Pcg64Mcg::seed_from_u64(seed ^ number << 20 ^ u64::from(queue) << 16 ^ u64::from(worker));
    let elements = if rng.next_u32().is_multiple_of(8) { 0 } else { elements };
    // Of very different magnitudes, so that the order of a sum shows in its bits.
    (0..elements).map(|_| f32::from_bits(rng.next_u32() & 0x8FFF_FFFF | 0x3800_0000)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// R-EAGER-3, R-EAGER-4: in whatever order workers post and collect, as far ahead as they may,
    /// each gets the sum of what all have posted in that round, added in the order of ranks, to the
    /// bit.
    #[test]
    fn every_worker_has_the_sum_in_the_order_of_ranks(
        workers in 1..=6u16,
        rounds in 1..80u64,
        most in 1..=256u16,
        seed: u64,
    ) {
        let (_, segment, mut ports) = job(workers);
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut done = vec![[(0, 0); EAGER_QUEUES as usize]; workers.into()];
        while done.iter().flatten().any(|(_, collected)| *collected < rounds) {
            let (rank, queue) = (rng.next_u32() as u16 % workers, rng.next_u32() as u16 % EAGER_QUEUES);
            // A message of a barrier has room for 8.
            let elements = most.min([256, 8][usize::from(queue)]);
            let (port, (posted, collected)) = (&mut ports[usize::from(rank)], &mut done[usize::from(rank)][usize::from(queue)]);
            if rng.next_u32().is_multiple_of(2) {
                if *posted < rounds.min(*collected + EAGER_OUTSTANDING) {
                    post(port, &round(queue, *posted, elements), &input(seed, queue, *posted, rank, elements));
                    *posted += 1;
                }
            } else if *collected < *posted {
                let Collected::Done(messages, at) = port.collect(&round(queue, *collected, elements), false).expect("nobody fails") else { continue };
                let inputs = (0..workers).map(|worker| input(seed, queue, *collected, worker, elements));
                let total = inputs.filter(|input| !input.is_empty()).reduce(|sum, input| {
                    sum.iter().zip(&input).map(|(sum, lane)| sum + lane).collect()
                });
                let expected: Vec<u8> = total.unwrap_or_default().iter().flat_map(|lane| lane.to_le_bytes()).collect();
                prop_assert_eq!(sum(&messages), expected);
                prop_assert!(at.is_none(), "nobody asked for times");
                *collected += 1;
            }
        }
        prop_assert_eq!(segment.waiting(), []);
    }
}

proptest! {
    /// Another member writes anything to any cell or tally between the steps of two workers: sums
    /// and counts may be wrong, the job may fail, and nobody panics or reads outside of a cell.
    #[test]
    fn hostile_messages_do_no_harm(
        words in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(), any::<bool>()), 1..60),
        elements in 0..=512u16,
    ) {
        let (spec, segment, mut ports) = job(2);
        let memory = memory_of(&segment);
        let size = Segment::memory_bytes(&spec, 1).expect("there is such a segment");
        let cells = cell_at(&spec, 0, 0, 0);
        let start = cells - u64::from(spec.workers) * TALLY_BYTES;
        let mut done = [(0, 0); 2];
        let mut counts_are_kept = true;
        for (at, word, small) in words {
            // Half of the words are such as tags are.
            let word = if small { word % 8 } else { word };
            let at = start + 8 * at.index(((size - start) / 8) as usize) as u64;
            memory.write_all_at(&word.to_ne_bytes(), at).expect("a member can write");
            counts_are_kept &= at >= cells;
            for (port, (posted, collected)) in ports.iter_mut().zip(&mut done) {
                if *posted < *collected + EAGER_OUTSTANDING {
                    post(port, &round(0, *posted, elements), &vec![1.0; elements.into()]);
                    *posted += 1;
                }
                match port.collect(&round(0, *collected, elements), false) {
                    Ok(Collected::Done(messages, _)) => {
                        let bytes = 4 * usize::from(elements);
                        prop_assert!(messages.contents().all(|message| message.len() == bytes && !message.is_empty()));
                        prop_assert!([0, bytes].contains(&sum(&messages).len()));
                        *collected += 1;
                    }
                    Ok(Collected::Waiting | Collected::Failed(_)) => {}
                    Err(_) => prop_assert!(segment.has_failed()),
                }
            }
            let counters = segment.counters();
            if counts_are_kept {
                prop_assert!(
                    counters.rounds_completed <= counters.contributions,
                    "{:?}",
                    counters
                );
            }
        }
    }
}

/// R-EAGER-7: a worker that waits sleeps until the last message is posted, and is not woken by
/// another.
#[test]
fn whoever_posts_last_wakes_those_who_sleep() {
    const DOORBELL_AT: u64 = 2 * 64 + 1024 / 8;
    let (_, segment, ports) = job(3);
    let memory = memory_of(&segment);
    let rings = || {
        let mut word = [0; 4];
        memory.read_exact_at(&mut word, DOORBELL_AT).expect("a member can read");
        u32::from_ne_bytes(word)
    };
    let sleeps = || {
        let mut word = [0; 8];
        memory.read_exact_at(&mut word, DOORBELL_AT + 8).expect("a member can read");
        u64::from_ne_bytes(word) & 1 != 0
    };
    let [mut first, mut second, mut third]: [Port; 3] = ports.try_into().expect("three");
    let this = round(0, 0, 1);
    post(&mut first, &this, &[1.0]);
    thread::scope(|scope| {
        let waits = scope.spawn(move || {
            assert!(matches!(first.collect(&this, true), Ok(Collected::Waiting)));
            while first.wait(None, WaitMode::Caller) != Ok(WaitOutcome::Results) {}
            matches!(first.collect(&this, false), Ok(Collected::Done(messages, _)) if sum(&messages) == 7f32.to_le_bytes())
        });
        let until_it_sleeps = || {
            while !sleeps() {
                thread::yield_now()
            }
        };
        until_it_sleeps();
        let before = rings();
        post(&mut second, &this, &[2.0]);
        assert_eq!(rings(), before, "a message is missing yet");
        until_it_sleeps();
        post(&mut third, &this, &[4.0]);
        assert!(waits.join().expect("it waits and collects"));
        assert_eq!(rings(), before + 1);
    });
}

/// R-EAGER-5
#[test]
fn another_call_is_a_mismatch_that_one_worker_reports() {
    for queue in 0..EAGER_QUEUES {
        let (spec, segment, mut ports) = job(2);
        let other = EagerRound { call: CallDigest(99), ..round(queue, 0, 2) };
        post(&mut ports[0], &round(queue, 0, 2), &[1.0, 2.0]);
        assert!(matches!(ports[0].collect(&round(queue, 0, 2), true), Ok(Collected::Waiting)));
        post(&mut ports[1], &other, &[1.0, 2.0]);
        let expected = Event::Mismatch {
            job: spec.job,
            epoch: spec.epoch,
            slot: SlotIndex(SLOTS + 16 * queue),
            position: Position(0),
            first: WorkerId(0),
            second: WorkerId(1),
        };
        assert!(
            matches!(ports[1].collect(&other, true), Ok(Collected::Failed(event)) if event == expected)
        );
        for (port, posted) in ports.iter_mut().zip([round(queue, 0, 2), other]) {
            // It waits for the job's end, and not for messages.
            assert!(matches!(port.collect(&posted, false), Ok(Collected::Waiting)));
            assert_eq!(
                port.wait(Some(Duration::ZERO), WaitMode::Helper),
                Ok(WaitOutcome::TimedOut)
            );
        }
        segment.fail();
        assert!(matches!(ports[0].collect(&round(queue, 0, 2), true), Err(PortError::Failed)));
    }
}

/// R-EAGER-5, R-CTRL-10: a tag of a round that is yet to come, which no worker can have written,
/// ends the job.
#[test]
fn what_no_worker_can_have_posted_fails_the_job() {
    let (spec, segment, mut ports) = job(2);
    post(&mut ports[0], &round(0, 0, 1), &[1.0]);
    memory_of(&segment)
        .write_all_at(&2u64.to_ne_bytes(), cell_at(&spec, 1, 0, 0))
        .expect("a member can write");
    assert!(matches!(ports[0].collect(&round(0, 0, 1), true), Err(PortError::Corrupt)));
    assert!(segment.has_failed());
}

/// Lengths are those of the round, whatever a cell says.
#[test]
fn a_message_of_another_length_is_not_of_the_round() {
    let (spec, segment, mut ports) = job(2);
    let this = round(0, 0, 2);
    post(&mut ports[0], &this, &[1.0, 1.0]);
    post(&mut ports[1], &this, &[1.0, 1.0]);
    let about = u64::from(this.call.0) | u64::from(u32::MAX) << 32;
    memory_of(&segment)
        .write_all_at(&about.to_ne_bytes(), cell_at(&spec, 1, 0, 0) + 8)
        .expect("a member can write");
    assert!(matches!(ports[0].collect(&this, true), Ok(Collected::Failed(_))));
}

/// R-EAGER-7: the workers that have posted the fewest messages are waited for.
#[test]
fn who_is_waited_for_shows() {
    let (_, segment, mut ports) = job(3);
    for (rank, rounds) in [(0, 3), (1, 1), (2, 2)] {
        (0..rounds).for_each(|number| post(&mut ports[rank], &round(1, number, 1), &[1.0]));
    }
    let waiting = WaitingSlot {
        slot: SlotIndex(SLOTS + 16 + 1),
        position: Position(1),
        seen: vec![WorkerId(0), WorkerId(2)],
        missing: vec![WorkerId(1)],
    };
    assert_eq!(segment.waiting(), [waiting]);
}

/// R-EAGER-3
#[test]
#[should_panic(expected = "cannot be posted")]
fn nobody_posts_more_than_may_be_outstanding() {
    let (_, _segment, mut ports) = job(2);
    (0..=EAGER_OUTSTANDING).for_each(|number| post(&mut ports[0], &round(0, number, 1), &[1.0]));
}

/// R-EAGER-1: not at a leaf, and not what is kept in registers.
#[test]
fn some_folds_need_slots() {
    let takes = |spec: &JobSpec, flows: u16, operation| {
        let segment = Segment::create(spec, flows).expect("memory to share");
        let port = segment.port(0, WorkerId(0)).expect("the first one");
        port.takes_eager(ElementType::F32, operation)
    };
    let native = spec(2, SLOTS, 64);
    assert!(takes(&native, 1, Operation::Sum));
    assert!(!takes(&native, 2, Operation::Sum));
    assert!(!takes(
        &JobSpec { place: Place::only(2).below(WorkerId(0)), ..native.clone() },
        1,
        Operation::Sum
    ));
    for arithmetic in [Arithmetic::Fpisa, Arithmetic::FpisaA] {
        let fpisa =
            JobSpec { terms: Terms { arithmetic, ..native.clone().terms }, ..native.clone() };
        assert!(!takes(&fpisa, 1, Operation::Sum));
        assert!(takes(&fpisa, 1, Operation::Max));
    }
}

/// The round's times are those of its first and of its last message, and the worker that has posted
/// the last keeps them.
#[test]
fn rounds_are_timed_from_the_first_message_to_the_last() {
    let (_, _segment, mut ports) = job(2);
    ports[0].time_rounds();
    ports[1].time_rounds();
    let before = Instant::now();
    let between = [0, 1].map(|rank: usize| {
        post(&mut ports[rank], &round(0, 0, 1), &[1.0]);
        Instant::now()
    });
    for port in &mut ports {
        let Ok(Collected::Done(_, at)) = port.collect(&round(0, 0, 1), false) else {
            panic!("both have posted")
        };
        let at = at.expect("rounds are timed");
        assert!(between[0] <= at && at <= between[1]);
    }
    assert!(ports[0].poll_round().is_none());
    let times = ports[1].poll_round().expect("it has ended the round");
    assert!(
        before <= times.start
            && times.start <= between[0]
            && between[0] <= times.end
            && times.end <= between[1]
    );
    assert_eq!((times.slot, times.position), (SlotIndex(SLOTS), Position(0)));
}
