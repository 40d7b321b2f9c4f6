//! The steps of a contribution, whoever delivers it and wherever its slot lies.
//!
//! A [`Shard`](crate::Shard) owns its slots. In shared memory a slot belongs for the moment to the
//! process that has locked it. Both do these steps: [`Contribution::parse`],
//! [`Contribution::check`], [`Contribution::fold_into`], and when the round is complete
//! [`Copy::result_header`](crate::slot::Copy::result_header).

use netfold_kernels::{Lanes, Quantised};
use netfold_num::{ByteOrder, ElementType, Operation, Overflow};
use netfold_wire::{Direction, Ecn, Packet, ParseError, Repr, WorkerId};

use crate::effect::{Effect, Event};
use crate::fold::{Fault, Memory, Stage, fold, fold_typed};
use crate::job::JobSpec;
use crate::slot::{Arrival, Turn};
use crate::typed::Instances;

/// The reason why a datagram is dropped before it reaches a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It is no packet (R-PKT-1).
    Malformed(ParseError),
    /// It is a result, and the switch has no parent (R-PKT-5, R-TREE-3).
    Direction,
    /// Its job, or its epoch, is not the one (R-PKT-4).
    UnknownJob,
    /// Its integrity field is wrong (R-PKT-3).
    Integrity,
    /// It is outside the job's slots, workers or lanes (R-SLOT-9).
    Range,
}

/// A contribution, or a query about one: a view of its datagram, or of what its worker has in
/// memory that it shares with the slot.
#[derive(Clone, Copy, Debug)]
pub struct Contribution<'a> {
    header: Repr,
    lanes: Lanes<'a>,
    datagram: Option<&'a [u8]>,
    worker: WorkerId,
}

impl<'a> Contribution<'a> {
    /// Reads a datagram, which may be anything. Never panics.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] or [`Refusal::Direction`].
    pub fn parse(datagram: &'a [u8], ecn: Ecn) -> Result<Self, Refusal> {
        Self::of(Packet::new_checked(datagram).map_err(Refusal::Malformed)?.with_ecn(ecn))
    }

    /// Returns the contribution, or the query, that a packet is.
    ///
    /// # Errors
    /// [`Refusal::Direction`].
    pub fn of(packet: Packet<'a>) -> Result<Self, Refusal> {
        Self::new(*packet.repr(), Lanes::Ready(packet.lanes()), packet.datagram())
    }

    /// Returns a contribution whose lanes are quantised as they are folded: a sum of i32 in
    /// little-endian lanes.
    ///
    /// # Errors
    /// [`Refusal::Direction`], or [`Refusal::Range`] if the header says something else.
    pub fn quantised(header: Repr, elements: Quantised<'a>) -> Result<Self, Refusal> {
        let fits = (header.element_type, header.operation) == (ElementType::I32, Operation::Sum)
            && elements.lanes() == usize::from(header.elements);
        let contribution = Self::new(header, Lanes::Quantised(elements), None)?;
        if fits { Ok(contribution) } else { Err(Refusal::Range) }
    }

    fn new(header: Repr, lanes: Lanes<'a>, datagram: Option<&'a [u8]>) -> Result<Self, Refusal> {
        match header.direction {
            Direction::Contribution(worker) | Direction::Query(worker) => {
                Ok(Self { header, lanes, datagram, worker })
            }
            Direction::Result(_) | Direction::Recall(_) => Err(Refusal::Direction),
        }
    }

    /// Returns its header.
    pub fn header(&self) -> &Repr {
        &self.header
    }

    /// Returns the worker that contributes it.
    pub fn worker(&self) -> WorkerId {
        self.worker
    }

    /// Checks that it belongs to the job and fits it. Only what passes may be folded.
    ///
    /// # Errors
    /// The first reason for which it does not.
    pub fn check(&self, spec: &JobSpec) -> Result<(), Refusal> {
        spec.check(&self.header, self.datagram)?;
        let in_order = match self.lanes {
            Lanes::Ready(_) => true,
            Lanes::Quantised(_) => spec.terms.byte_order == ByteOrder::Little,
        };
        if in_order && spec.place.has(self.worker) { Ok(()) } else { Err(Refusal::Range) }
    }

    /// Counts the contribution in its slot and folds its lanes into those of its copy (R-SLOT-1,
    /// R-SLOT-2). A query changes neither (R-SLOT-10).
    ///
    /// `memory` gives all memory of the copy that the contribution names. It is called only when
    /// that is written to. `instances` are those of the job's operations. The effect is for the
    /// driver of the slot to carry out. It fails the job if an operation has trapped (R-OP-20), or
    /// if a lane has overflowed its register (R-FPI-9) and that is an error of the job.
    ///
    /// # Panics
    /// If [`Contribution::check`] has not passed for a job like this whose copies are as long as
    /// what `memory` gives.
    pub fn fold_into<'m, const W: usize, M: Into<Memory<'m>>>(
        &self,
        turn: &mut Turn<'_, W>,
        spec: &JobSpec,
        instances: &mut Instances,
        memory: impl FnOnce() -> M,
    ) -> (Arrival, Effect) {
        let number = spec.place.number(self.worker).expect("a check tells members from others");
        let header = &self.header;
        let arrival = turn.arrive(header, number, &spec.place);
        let effect = Effect::of(arrival, header, self.worker, &spec.place);
        let Arrival::Accepted { opens, overwrite, complete, .. } = arrival else {
            return (arrival, effect);
        };
        let filled = turn.copy.filled;
        // An acknowledgement has no lanes (R-ACK-2).
        let in_order = spec.keeps_order(header.operation) && spec.has_lanes(header.pool);
        let apart = spec.keeps_apart(header.slot, header.pool) || in_order;
        if header.empty && !apart && !(complete && filled) {
            return (arrival, effect);
        }
        let input = (!header.empty).then_some(self.lanes);
        let memory = match memory().into() {
            Memory::Folded(memory) => memory,
            Memory::Apart(mut operands) => {
                operands.put(number, input);
                let settled =
                    if complete { operands.settle(spec, instances, header) } else { Ok(()) };
                return match settled {
                    Err(Fault::Trap(operation, cause)) => {
                        (arrival, Effect::Fail(Event::trap(header, operation, cause, self.worker)))
                    }
                    _ => (arrival, effect),
                };
            }
        };
        let stage = Stage { first: overwrite, last: complete, filled };
        let folded = match header.operation {
            Operation::User(operation) => {
                fold_typed(spec, instances, (operation, number), header, input, stage, memory)
            }
            _ => fold(spec, header, input, stage, memory),
        };
        match folded {
            Ok(()) => (arrival, effect),
            Err(Fault::Trap(operation, cause)) => {
                (arrival, Effect::Fail(Event::trap(header, operation, cause, self.worker)))
            }
            Err(Fault::Overflow(lane)) if spec.terms.overflow == Overflow::Error => {
                (arrival, Effect::Fail(Event::overflow(header, lane, self.worker)))
            }
            Err(Fault::Overflow(_)) => {
                // R-SLOT-11
                turn.copy.overflowed = true;
                (Arrival::Accepted { opens, overwrite, complete, overflowed: true }, effect)
            }
        }
    }
}
