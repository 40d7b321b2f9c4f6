//! Urgent calls beside bulk (R-STREAM-8 to R-STREAM-10): how long they take in virtual time, and
//! what workers find out that do not agree on them.

use netfold_conformance::fabric::{CallBytes, Faults, Setup};
use netfold_conformance::rack::Small;
use netfold_conformance::{Fabric, JobShape, Mismatch, Rack, ShardTarget, Target};
use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_wire::{Ecn, HEADER_BYTES, IntegrityKind, Terms, WorkerId};
use netfold_worker::{
    Call, CallId, Collective, Dense, OtherSlots, Plan, Priority, Reduction, StreamConfig, Streams,
    Timing,
};

const TIMING: Timing = Timing { rto_initial_us: 2_000, rto_min_us: 500, rto_max_us: 50_000 };

/// R-STREAM-10: an urgent call waits for no more than what the large one has sent, which takes a
/// round trip of a full window, and has a round trip itself. A call in the large one's stream waits
/// for all of it.
#[test]
fn a_small_call_does_not_wait_for_a_large_one() {
    for (workers, rate_bps, link_ns) in
        [(2, 200_000_000, 10_000), (8, 10_000_000_000, 10_000), (4, 100_000_000_000, 5_000)]
    {
        // Of 16 KiB, while the large one is half done and its window is what the path takes.
        let large = Rack::new(workers, 512, 16_384, rate_bps, link_ns);
        let alone_ns = large.run(0).took_ns;
        let with = |priority| {
            let small = Small { at_ns: alone_ns / 2, blocks: 16, priority };
            Rack { small: Some(small), ..large.clone() }.run(0)
        };
        let urgent = with(Priority::Urgent);
        let urgent_ns = urgent.small_ns.expect("there is a small call") as f64;
        // Through both links; the window of the large call may stand before the small one on each.
        let round_trip_ns = 2.0 * (link_ns as f64 + 16.0 * large.datagram_ns());
        let window_ns = 512.0 * large.datagram_ns();
        assert!(urgent_ns < 2.0 * (round_trip_ns + window_ns), "{urgent_ns} with {large:?}");
        assert!(20.0 * urgent_ns < alone_ns as f64, "{urgent_ns} beside {alone_ns}");
        // The large one pays for the small one's packets, and no more.
        let most_ns = alone_ns as f64 + 32.0 * large.datagram_ns();
        assert!(
            (urgent.took_ns as f64) < most_ns,
            "{} instead of {alone_ns} with {large:?}",
            urgent.took_ns
        );
        let bulk_ns = with(Priority::Bulk).small_ns.expect("there is a small call");
        assert!(
            bulk_ns >= alone_ns * 49 / 100,
            "{bulk_ns} of {alone_ns}: it goes behind the large one"
        );
    }
}

/// A small call beside a large one, with losses on every link: both streams recover, each by its
/// own timers. An urgent round waits for another of its stream, or for a timeout, in the worst case
/// the initial one, doubled for each loss of the same round.
#[test]
fn a_small_call_gets_through_losses() {
    for seed in 0..30 {
        let small = Small { at_ns: 30_000_000, blocks: 16, priority: Priority::Urgent };
        let rack = Rack {
            loss: 0.01,
            small: Some(small),
            ..Rack::new(4, 512, 16_384, 1_000_000_000, 10_000)
        };
        let run = rack.run(seed);
        let small_ns = run.small_ns.expect("there is a small call");
        assert!(small_ns < 1_000 * 7 * rack.timing.rto_initial_us, "{small_ns} with seed {seed}");
    }
}

fn sum(elements: u64, priority: Priority) -> Call {
    Call {
        collective: Collective::AllReduce,
        reduction: Reduction::Fold(Operation::Sum),
        element_type: ElementType::I32,
        elements,
        priority: Some(priority),
    }
}

/// Urgent calls that never stop do not starve bulk: it goes on in the slots of its own, between
/// them.
#[test]
fn urgent_calls_do_not_starve_bulk() {
    let setup = Setup {
        workers: 3,
        flows: 2,
        slots: 8,
        urgent_slots: 2,
        exchange_slots: 0,
        payload_bytes: 32,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::Checksum) },
        timing: TIMING,
        faults: Faults::NONE,
    };
    let mut fabric = Fabric::new(setup, 1, ShardTarget::default);
    let (large, short, urgent_calls) = (4000, 80, 200);
    for worker in 0..3 {
        fabric.submit_at(0, worker, sum(large, Priority::Bulk), vec![1; 4 * large as usize], true);
        for _ in 0..urgent_calls {
            fabric.submit_at(
                0,
                worker,
                sum(short, Priority::Urgent),
                vec![2; 4 * short as usize],
                false,
            );
        }
    }
    fabric.run(10_000_000).expect("everything comes to an end");
    for worker in 0..3 {
        let folded = |value: u8, elements: u64| vec![3 * value; 4 * elements as usize];
        assert_eq!(fabric.result(worker, 0), folded(1, large));
        (1..=urgent_calls)
            .for_each(|call| assert_eq!(fabric.result(worker, call), folded(2, short)));
        // 250 blocks of bulk on each flow in 8 slots are 32 round trips; 1000 blocks of urgent
        // calls in 2 slots are 500.
        let bulk_us = fabric.completed_us(worker, 0);
        let urgent_us = fabric.completed_us(worker, urgent_calls);
        assert!(10 * bulk_us < urgent_us, "{bulk_us} {urgent_us}");
    }
}

/// Two workers and a shard, exchanging their datagrams until nothing is left.
struct Pair {
    target: ShardTarget,
    job: netfold_wire::JobId,
    workers: Vec<Streams<Dense<CallBytes>>>,
}

impl Pair {
    fn new() -> Self {
        let mut target = ShardTarget::default();
        let shape = JobShape {
            workers: 2,
            slots: 6,
            exchange_slots: 0,
            payload_bytes: 32,
            terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::Checksum) },
        };
        let admitted = target.admit(&shape).expect("the job fits");
        let streams = |rank| {
            let bulk = StreamConfig {
                job: admitted.job,
                epoch: admitted.epoch,
                rank: WorkerId(rank),
                first_slot: 0,
                slots: 4,
                flow: 0,
                flows: 1,
                terms: Terms::new(admitted.integrity),
                timing: TIMING,
            };
            Streams::new(bulk, OtherSlots { urgent: 2, long: 0, exchange: 0 })
        };
        Self { target, job: admitted.job, workers: (0..2).map(streams).collect() }
    }

    fn submit(&mut self, rank: u16, number: u64, call: Call) {
        let plan =
            Plan::new(call, Arithmetic::Native, 2, WorkerId(rank), 32).expect("a sum of integers");
        let memory = CallBytes::new(&plan, vec![1; 4 * call.elements as usize], true);
        self.workers[usize::from(rank)].submit(
            CallId(number),
            plan.clone(),
            Dense::new(plan, memory),
        );
    }

    fn exchange(&mut self) -> Vec<Mismatch> {
        let mut buffer = [0; HEADER_BYTES + 32];
        let mut moved = true;
        while moved {
            moved = false;
            for rank in 0..2 {
                while let Some(transmit) = self.workers[rank].poll_transmit(0, &mut buffer, 1) {
                    moved = true;
                    for sent in self.target.exchange(
                        self.job,
                        WorkerId(rank as u16),
                        &buffer[..transmit.len],
                    ) {
                        self.workers[usize::from(sent.to.0)].handle(0, &sent.bytes, Ecn::Clear);
                    }
                }
            }
        }
        self.target.mismatches()
    }
}

/// R-SLOT-7, in the slots of either stream; and R-STREAM-6: a call that workers give different
/// priorities is found as soon as another meets it.
#[test]
fn different_calls_are_found_in_either_stream() {
    let found = [Mismatch { job: netfold_wire::JobId(0), first: WorkerId(0), second: WorkerId(1) }];
    for (priority, other) in
        [(Priority::Urgent, Priority::Bulk), (Priority::Bulk, Priority::Urgent)]
    {
        let mut pair = Pair::new();
        for rank in 0..2 {
            pair.submit(rank, 0, sum(100, priority));
            pair.submit(rank, 1, sum(100, other));
        }
        assert_eq!(pair.exchange(), []);
        pair.submit(0, 2, sum(100, priority));
        pair.submit(1, 2, sum(99, priority));
        assert_eq!(pair.exchange(), found);

        let mut pair = Pair::new();
        pair.submit(0, 0, sum(100, priority));
        pair.submit(1, 0, sum(100, other));
        assert_eq!(pair.exchange(), [], "they wait for each other");
        for rank in 0..2 {
            assert!(pair.workers[usize::from(rank)].poll_event().is_none());
            pair.submit(rank, 1, sum(100, other));
        }
        // Worker 1 was there first, with call 0.
        assert_eq!(
            pair.exchange(),
            [Mismatch { first: WorkerId(1), second: WorkerId(0), ..found[0] }]
        );
    }
}
