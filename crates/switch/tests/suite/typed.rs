//! Operations of users at a switch (R-OP-24, R-OP-25): the order of operands, and traps.

use std::sync::Arc;

use netfold_num::{ElementType, Operation, Protocol, UserOperation};
use netfold_switch::{
    Event, JobSpec, Operations, Shard, TooManyOperations, TrapCause, TypedFold, TypedOperation,
    Usage,
};
use netfold_wire::{Delivery, Ecn, Kind, Pool, Position, Repr, Terms, WorkerId};
use proptest::prelude::*;

use super::hand::{Batch, contribution, datagram, drain, send, spec};

/// An operation on elements of a u32: 31 times the left operand, plus the right one; or their sum,
/// which does not depend on the order. It traps on [`POISON`].
#[derive(Clone, Debug)]
pub(crate) struct Horner {
    any_order: bool,
    module: Vec<u8>,
    usage: Usage,
}

pub(crate) const POISON: u32 = 0xDEAD;

impl Horner {
    pub(crate) fn operation(any_order: bool) -> Arc<dyn TypedOperation> {
        Arc::new(Self { any_order, module: vec![u8::from(any_order)], usage: Usage::default() })
    }

    fn combine(&self, left: u32, right: u32) -> u32 {
        left.wrapping_mul(if self.any_order { 1 } else { 31 }).wrapping_add(right)
    }
}

impl TypedOperation for Horner {
    fn hash(&self) -> [u8; 32] {
        [self.module[0]; 32]
    }

    fn name(&self) -> &str {
        "horner"
    }

    fn module(&self) -> &[u8] {
        &self.module
    }

    fn element_bytes(&self) -> usize {
        4
    }

    fn batch_bytes(&self) -> usize {
        24
    }

    fn any_order(&self) -> bool {
        self.any_order
    }

    fn is_associative(&self) -> bool {
        self.any_order
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        Ok(Box::new(self.clone()))
    }
}

impl TypedFold for Horner {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        _complete: bool,
    ) -> Result<(), TrapCause> {
        for operand in operands {
            self.usage.calls += 1;
            let (lefts, _) = accumulator.as_chunks_mut::<4>();
            for (left, right) in lefts.iter_mut().zip(operand.as_chunks::<4>().0) {
                let right = u32::from_le_bytes(*right);
                if right == POISON {
                    return Err(TrapCause::Arithmetic);
                }
                *left = self.combine(u32::from_le_bytes(*left), right).to_le_bytes();
            }
        }
        Ok(())
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

/// A job of three workers that may fold by both forms: number 0 in any order, 1 in rank order.
fn job() -> JobSpec {
    let operations = Operations::new([Horner::operation(true), Horner::operation(false)]).unwrap();
    JobSpec { operations, ..spec(0) }
}

fn operand(job: &JobSpec, worker: u16, operation: u8) -> Repr {
    let number = UserOperation::new(operation).expect("a number of an operation");
    Repr {
        elements: 16,
        element_type: ElementType::U8,
        operation: Operation::User(number),
        ..contribution(job, worker, 0)
    }
}

fn admitted(job: &JobSpec) -> Shard {
    let mut shard = Shard::new(job.memory_bytes());
    shard.admit(job.clone()).expect("the job fits");
    shard
}

fn results(shard: &mut Shard) -> Vec<Option<i32>> {
    let batches = drain(shard, 1 << 12, 1);
    batches.into_iter().flat_map(|Batch { results, .. }| results).map(|(_, lane)| lane).collect()
}

proptest! {
    /// R-OP-13, R-OP-25: whatever the order of arrival, operands are folded in rank order, without
    /// those of workers that send EMPTY. In rounds one after the other nothing is left of the last.
    #[test]
    fn operands_are_folded_in_rank_order(
        rounds in prop::collection::vec(
            (Just([0_u16, 1, 2]).prop_shuffle(), any::<[u32; 3]>(), any::<[bool; 3]>()), 1..4),
        any_order in any::<bool>(),
    ) {
        let job = job();
        let horner = Horner { any_order, module: vec![], usage: Usage::default() };
        let mut shard = admitted(&job);
        for (round, (order, values, empty)) in (0_u32..).zip(rounds) {
            let pool = if round % 2 == 0 { Pool::Even } else { Pool::Odd };
            for worker in order {
                let header = Repr {
                    empty: empty[usize::from(worker)],
                    pool,
                    position: Position(8 * round),
                    ..operand(&job, worker, u8::from(!any_order))
                };
                let packet = datagram(job.terms.integrity, &header, values[usize::from(worker)] as i32);
                shard.handle(&packet, Ecn::Clear);
                shard.handle(&packet, Ecn::Clear);
            }
            let there = (0..3).filter(|worker| !empty[*worker]).map(|worker| values[worker]);
            let expected = there.reduce(|left, right| horner.combine(left, right));
            let sent = results(&mut shard);
            prop_assert_eq!(sent[0], expected.map(|value| value as i32));
            prop_assert!(values.contains(&POISON) || shard.poll_event().is_none());
        }
    }
}

/// R-OP-20: a trap is told once, with the worker whose operand came last, and ends the job alone.
#[test]
fn a_trap_ends_its_job_alone() {
    for operation in [0, 1] {
        let (job, other) = (job(), spec(1));
        let mut shard = Shard::new(job.memory_bytes() + other.memory_bytes());
        shard.admit(job.clone()).unwrap();
        shard.admit(other.clone()).unwrap();
        for (worker, value) in [(2, 1), (0, 2), (1, POISON as i32)] {
            let header = operand(&job, worker, operation);
            shard.handle(&datagram(job.terms.integrity, &header, value), Ecn::Clear);
        }
        let Some(Event::Trap { operation: number, cause, worker, position, .. }) =
            shard.poll_event()
        else {
            panic!("it is told")
        };
        assert_eq!(
            (number.number(), cause, worker, position),
            (operation, TrapCause::Arithmetic, WorkerId(1), Position(0))
        );
        assert_eq!((results(&mut shard), shard.poll_event()), (vec![], None));
        // Nothing is folded for it any more; the other job goes on.
        let again = operand(&job, 0, operation);
        shard.handle(&datagram(job.terms.integrity, &again, 1), Ecn::Clear);
        for worker in 0..3 {
            let header = contribution(&other, worker, 0);
            shard.handle(&datagram(other.terms.integrity, &header, 5), Ecn::Clear);
        }
        assert_eq!((results(&mut shard), shard.poll_event()), (vec![Some(15)], None));
    }
}

/// R-OP-24: what names no operation of the job, or has no whole elements of it, is dropped.
#[test]
fn packets_of_no_operation_are_dropped() {
    let job = job();
    let mut shard = admitted(&job);
    let good = operand(&job, 0, 0);
    let odd = [
        Repr { operation: operand(&job, 0, 2).operation, ..good },
        Repr { operation: operand(&job, 0, 15).operation, ..good },
        Repr { elements: 15, ..good },
        Repr { elements: 28, ..good },
        Repr { element_type: ElementType::I32, elements: 4, ..good },
        Repr { kind: Kind::Refold, ..good },
    ];
    for header in odd {
        shard.handle(&datagram(job.terms.integrity, &header, 1), Ecn::Clear);
    }
    assert_eq!(shard.counters().dropped_range, odd.len() as u64);
    for (worker, value) in [(0, 1), (1, 2), (2, 3)] {
        let header = Repr { delivery: Delivery::All, ..operand(&job, worker, 0) };
        shard.handle(&datagram(job.terms.integrity, &header, value), Ecn::Clear);
    }
    assert_eq!(results(&mut shard), [Some(6)]);
    let status = shard.status();
    let calls: Vec<u64> = status[0].usage.iter().map(|usage| usage.calls).collect();
    assert_eq!(calls, [2, 0]);
}

/// R-OP-25: memory is taken for operands that are kept apart, and for no others.
#[test]
fn operands_take_memory_where_they_are_kept_apart() {
    let one = |any_order| Operations::new([Horner::operation(any_order)]).unwrap();
    let (plain, any) = (spec(0), JobSpec { operations: one(true), ..spec(0) });
    let ranks = JobSpec { operations: one(false), ..spec(0) };
    assert_eq!(plain.memory_bytes(), any.memory_bytes());
    // 8 slots of two copies with 3 operands of 32 bytes, and 8 bytes of flags.
    assert_eq!(ranks.memory_bytes() - plain.memory_bytes(), 8 * 2 * (3 * 32 + 8));
}

/// R-OP-23
#[test]
fn a_job_has_so_many_operations() {
    let many = |count| Operations::new((0..count).map(|_| Horner::operation(true)));
    assert_eq!(many(16).unwrap().len(), 16);
    assert_eq!(many(17).unwrap_err(), TooManyOperations { count: 17, bytes: 17 });
    let long = Horner { any_order: true, module: vec![0; 200_000], usage: Usage::default() };
    let two = [&long, &long].map(|long| Arc::new(long.clone()) as Arc<dyn TypedOperation>);
    assert_eq!(Operations::new(two).unwrap_err(), TooManyOperations { count: 2, bytes: 400_000 });
}

/// R-ACK-2: where a result is acknowledged, the second round of an operation in rank order has no
/// operands.
#[test]
fn an_acknowledgement_has_no_operands() {
    for operation in [0, 1] {
        let job = JobSpec { terms: Terms { protocol: Protocol::Acked, ..job().terms }, ..job() };
        let mut shard = admitted(&job);
        for (worker, value) in [(2, 3), (0, 1), (1, 2)] {
            send(&mut shard, &job, &operand(&job, worker, operation), value);
        }
        let sum = if operation == 0 { 6 } else { (31 + 2) * 31 + 3 };
        assert_eq!(results(&mut shard), [Some(sum)]);
        for worker in 0..3 {
            let header = Repr { pool: Pool::Odd, empty: true, ..operand(&job, worker, operation) };
            send(&mut shard, &job, &header, 0);
        }
        assert_eq!((results(&mut shard), shard.poll_event()), (vec![None], None));
    }
}
