//! Rounds whose requests an operation answers (R-OP-32), and results that it finishes (R-OP-30).

use std::sync::Arc;

use netfold_num::{ElementType, Operation, Protocol, UserOperation};
use netfold_switch::{
    Event, JobSpec, Operations, Shard, TrapCause, TypedFold, TypedOperation, Usage,
};
use netfold_wire::{Delivery, Ecn, Pool, Position, Repr, SlotIndex, WorkerId};
use proptest::prelude::*;

use super::hand::{Batch, contribution, datagram, drain, spec};

/// Bytes of the data that a ledger keeps.
const STATE: u64 = 1000;

/// A request that traps.
const POISON: i32 = 13;

/// Replies with the sum of the requests before, and ten thousand times the rank.
#[derive(Clone, Debug, Default)]
struct Ledger {
    sum: i32,
    /// It folds lanes by a sum, too, to which it adds 100 at the end of a round.
    folds: bool,
}

impl TypedOperation for Ledger {
    fn hash(&self) -> [u8; 32] {
        [self.folds.into(); 32]
    }

    fn name(&self) -> &str {
        "ledger"
    }

    fn module(&self) -> &[u8] {
        &[]
    }

    fn element_bytes(&self) -> usize {
        4
    }

    fn batch_bytes(&self) -> usize {
        24
    }

    fn any_order(&self) -> bool {
        true
    }

    fn is_associative(&self) -> bool {
        true
    }

    fn has_map(&self) -> bool {
        self.folds
    }

    fn state_bytes(&self) -> Option<u64> {
        Some(STATE)
    }

    fn folds(&self) -> bool {
        self.folds
    }

    fn answers(&self) -> bool {
        !self.folds
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        Ok(Box::new(self.clone()))
    }
}

fn number(lanes: &[u8]) -> i32 {
    i32::from_le_bytes(*lanes.first_chunk().expect("a lane"))
}

impl TypedFold for Ledger {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        complete: bool,
    ) -> Result<(), TrapCause> {
        let sum = operands.map(number).fold(number(accumulator), i32::wrapping_add);
        let result = if complete { sum.wrapping_add(100) } else { sum };
        accumulator[..4].copy_from_slice(&result.to_le_bytes());
        Ok(())
    }

    fn answer(&mut self, request: &mut [u8], rank: u16) -> Result<(), TrapCause> {
        let asked = number(request);
        if asked == POISON {
            return Err(TrapCause::Unreachable);
        }
        request[..4].copy_from_slice(&(self.sum + 10_000 * i32::from(rank)).to_le_bytes());
        self.sum += asked;
        Ok(())
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

/// A job of three workers with four exchange slots, whose operation 0 answers and 1 folds.
fn job() -> JobSpec {
    let ledger = |folds| Arc::new(Ledger { sum: 0, folds }) as Arc<dyn TypedOperation>;
    let operations = Operations::new([ledger(false), ledger(true)]).unwrap();
    let slots = spec(0).slots + 4;
    JobSpec { operations, slots, exchange_slots: 4, ..spec(0) }
}

fn admitted(job: &JobSpec) -> Shard {
    let mut shard = Shard::new(job.memory_bytes());
    shard.admit(job.clone()).expect("the job fits");
    shard
}

/// A packet of a round with requests, in the first exchange slot.
fn request(job: &JobSpec, worker: u16, round: u32) -> Repr {
    Repr {
        elements: 8,
        element_type: ElementType::U8,
        operation: Operation::User(UserOperation::new(0).unwrap()),
        delivery: Delivery::Shift(0),
        slot: SlotIndex(job.slots - 4),
        pool: if round.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
        position: Position(4 * round),
        ..contribution(job, worker, 0)
    }
}

fn results(shard: &mut Shard) -> Vec<(Option<WorkerId>, Option<i32>)> {
    let batches = drain(shard, 1 << 12, 1);
    let of = |Batch { to, results, .. }: Batch| {
        let to = match to {
            netfold_switch::Recipients::One(worker) => Some(worker),
            _ => None,
        };
        results.into_iter().map(move |(_, lane)| (to, lane))
    };
    batches.into_iter().flat_map(of).collect()
}

proptest! {
    /// R-OP-32, R-SLOT-13: requests are answered in rank order whatever the order of arrival, each
    /// once however often it comes, and each worker gets its own reply; one that sends EMPTY asks
    /// nothing.
    #[test]
    fn requests_are_answered_once_in_rank_order(
        rounds in prop::collection::vec(
            (Just([0_u16, 1, 2]).prop_shuffle(), prop::array::uniform3(20_i32..99), any::<[bool; 3]>()),
            1..5),
    ) {
        let job = job();
        let mut shard = admitted(&job);
        let mut sum = 0;
        for (round, (order, asked, empty)) in (0..).zip(rounds) {
            let packet = |worker: u16| {
                let at = usize::from(worker);
                let header = Repr { empty: empty[at], ..request(&job, worker, round) };
                datagram(job.terms.integrity, &header, asked[at])
            };
            for worker in order {
                shard.handle(&packet(worker), Ecn::Clear);
                shard.handle(&packet(worker), Ecn::Clear);
            }
            let mut expected = Vec::new();
            for worker in 0..3_u16 {
                let at = usize::from(worker);
                let reply = (!empty[at]).then_some(sum + 10_000 * i32::from(worker));
                sum += if empty[at] { 0 } else { asked[at] };
                expected.push((Some(WorkerId(worker)), reply));
            }
            let sent = results(&mut shard);
            // Before the round was complete, duplicates had no answer; the last worker's had one.
            prop_assert_eq!(sent.len(), 4);
            prop_assert!(sent.iter().all(|result| expected.contains(result)), "{:?}", sent);
            prop_assert!(expected.iter().all(|result| sent.contains(result)), "{:?}", sent);
            // A worker that has lost its reply gets the same one.
            shard.handle(&packet(1), Ecn::Clear);
            prop_assert_eq!(results(&mut shard), [expected[1]]);
        }
    }
}

/// R-OP-20
#[test]
fn a_request_that_traps_ends_the_job() {
    let job = job();
    let mut shard = admitted(&job);
    for (worker, asked) in [(0, 1), (2, 2), (1, POISON)] {
        let packet = datagram(job.terms.integrity, &request(&job, worker, 0), asked);
        shard.handle(&packet, Ecn::Clear);
    }
    let Some(Event::Trap { cause, worker, .. }) = shard.poll_event() else { panic!("it is told") };
    assert_eq!((cause, worker), (TrapCause::Unreachable, WorkerId(1)));
    assert_eq!(results(&mut shard), []);
}

/// R-SLOT-13: requests to an operation that answers none, folds by one that folds none, and
/// requests outside exchange slots are dropped.
#[test]
fn requests_go_to_operations_that_answer() {
    let job = job();
    let mut shard = admitted(&job);
    let good = request(&job, 0, 0);
    let folding = Operation::User(UserOperation::new(1).unwrap());
    let odd = [
        Repr { operation: folding, ..good },
        Repr { operation: folding, delivery: Delivery::Shift(1), ..good },
        Repr { operation: Operation::Copy, ..good },
        Repr { slot: SlotIndex(0), ..good },
        Repr { slot: SlotIndex(0), delivery: Delivery::All, ..good },
        Repr { delivery: Delivery::Shift(1), ..good },
    ];
    for header in odd {
        shard.handle(&datagram(job.terms.integrity, &header, 1), Ecn::Clear);
    }
    assert_eq!(shard.counters().dropped_range, odd.len() as u64);
}

/// R-ACK-1: the acknowledgement of a round of requests has nothing to fold, so an operation that
/// folds nothing has it confirmed, and the slot can be used again.
#[test]
fn replies_are_acknowledged() {
    let mut job = job();
    job.terms.protocol = Protocol::Acked;
    let mut shard = admitted(&job);
    for round in 0..3 {
        let header = |worker| Repr { pool: Pool::Even, ..request(&job, worker, round) };
        for worker in 0..3 {
            shard.handle(&datagram(job.terms.integrity, &header(worker), 1), Ecn::Clear);
        }
        // Each request adds 1, and the reply has the sum before it.
        let replies = results(&mut shard);
        let expected = (0..3).map(|worker: u16| {
            (Some(WorkerId(worker)), Some(3 * round as i32 + 10_001 * i32::from(worker)))
        });
        assert_eq!(replies, expected.collect::<Vec<_>>());
        for worker in 0..3 {
            let acknowledgement =
                Repr { pool: Pool::Odd, empty: true, delivery: Delivery::All, ..header(worker) };
            shard.handle(&datagram(job.terms.integrity, &acknowledgement, 0), Ecn::Clear);
        }
        assert_eq!(results(&mut shard), [(None, None)], "the confirmation of round {round}");
    }
    assert_eq!(shard.counters().dropped_range, 0);
}

/// R-OP-30: what is left to do at the end of a round is done once: after a fold, after a copy, and
/// when the last contribution is EMPTY.
#[test]
fn the_result_of_a_round_is_finished_once() {
    let operation = Operation::User(UserOperation::new(1).unwrap());
    for (empty, expected) in [
        ([false, false, false], 107),
        ([false, false, true], 103),
        ([true, false, true], 102),
        ([true, true, false], 104),
    ] {
        let job = job();
        let mut shard = admitted(&job);
        for worker in 0..3_u16 {
            let header = Repr {
                operation,
                delivery: Delivery::All,
                slot: SlotIndex(0),
                empty: empty[usize::from(worker)],
                ..request(&job, worker, 0)
            };
            let packet = datagram(job.terms.integrity, &header, 1 << worker);
            shard.handle(&packet, Ecn::Clear);
        }
        assert_eq!(results(&mut shard), [(None, Some(expected))], "{empty:?}");
    }
}

/// R-OP-31: the data that operations keep are memory of the job.
#[test]
fn state_is_memory_of_the_job() {
    let job = job();
    assert_eq!(job.memory_bytes() - job.slots_bytes(), 2 * STATE);
    assert!(Shard::new(job.memory_bytes() - 1).admit(job).is_err());
}
