//! A job at a shard: what it was admitted with, and its memory.

use netfold_kernels::FPISA_REGISTER_BYTES;
use netfold_num::{ElementType, MAX_WORKERS, Operation, Overflow, Protocol};
use netfold_wire::{Delivery, Epoch, HEADER_BYTES, JobId, Kind, Pool, Repr, SlotIndex, Terms};
use thiserror::Error;

use crate::apart::{Held, Operands};
use crate::contribution::Refusal;
use crate::counters::Counters;
use crate::fold::{CopyMemory, Memory, keeps_lanes, variant};
use crate::place::Place;
use crate::shard::Recipients;
use crate::slots::{MAX_MEMBERS, Slots};
use crate::table::TableError;
use crate::typed::{Instances, Operations};

/// The description of a job that a shard is given when it is admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSpec {
    /// The job's index at this switch.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// Workers, 1 to [`MAX_WORKERS`].
    pub workers: u16,
    /// Slots of each flow, at least 1.
    pub slots: u16,
    /// Number of the last ones of them, which keep operands apart (R-SLOT-13).
    pub exchange_slots: u16,
    /// Number of the last ones of them, exchange slots included, which have memory only while they
    /// are lent (R-CTRL-25).
    pub lent_slots: u16,
    /// Bytes of lanes that a slot holds; a multiple of 8.
    pub payload_bytes: u32,
    /// Terms on which it folds.
    pub terms: Terms,
    /// The workers that send to this switch, and the workers for whom they send.
    pub place: Place,
    /// The operations of users that it may fold by (R-OP-23).
    pub operations: Operations,
}

impl JobSpec {
    /// Returns the memory that the job takes from the shard's budget, in bytes, while nothing is
    /// lent to it: the copies of each slot's lanes, its registers, and the data that its operations
    /// keep.
    pub fn memory_bytes(&self) -> u64 {
        self.slots_bytes() - self.lent_bytes() + self.operations.state_bytes()
    }

    /// Returns the bytes of memory of all slots.
    pub fn slots_bytes(&self) -> u64 {
        let registers = u64::from(self.slots) * Slots::slot_bytes(self) as u64;
        [Region::kept(self), Region::lent(self)]
            .map(|region| region.bytes(self) as u64)
            .iter()
            .sum::<u64>()
            + registers
    }

    /// Returns the part of it that is lent (R-CTRL-25).
    pub fn lent_bytes(&self) -> u64 {
        Region::lent(self).bytes(self) as u64
    }

    /// Returns the number of bytes in which operations of users fold prefixes (R-SLOT-13).
    fn room_bytes(&self) -> usize {
        let folds = self.exchange_slots > 0 && !self.operations.is_empty();
        if folds { self.payload_bytes as usize } else { 0 }
    }

    /// Returns whether the copy of this pool of a slot keeps operands apart (R-SLOT-13).
    pub fn keeps_apart(&self, slot: SlotIndex, pool: Pool) -> bool {
        slot.0 >= self.slots - self.exchange_slots && self.has_lanes(pool)
    }

    /// Returns whether rounds of this pool version have lanes: those of data do, acknowledgements
    /// do not (R-ACK-2).
    pub fn has_lanes(&self, pool: Pool) -> bool {
        self.terms.protocol == Protocol::Shadow || pool == Pool::Even
    }

    /// Copies of a slot that have lanes.
    fn copies(&self) -> usize {
        [Pool::Even, Pool::Odd].into_iter().filter(|pool| self.has_lanes(*pool)).count()
    }

    /// Returns the number of bytes that a copy needs beside its lanes, for what is not kept as it
    /// travels: FPISA's registers (R-FPI-2), and operands that are kept apart (R-OP-25). A multiple
    /// of 8.
    pub fn register_bytes(&self) -> u32 {
        /// Bytes of the shortest lane that becomes a register.
        const SHORTEST_LANE_BYTES: u32 = 2;
        let sums = match variant(self.terms.arithmetic) {
            Some(_) => self.payload_bytes / SHORTEST_LANE_BYTES * FPISA_REGISTER_BYTES as u32,
            None => 0,
        };
        if self.operations.any_order() {
            return sums;
        }
        sums.max(Operands::bytes(self.place.count(), self.payload_bytes) as u32)
    }

    /// Checks that a job can be like this at all.
    ///
    /// # Errors
    /// [`AdmissionError::Workers`], [`AdmissionError::Shape`], [`AdmissionError::Exchange`],
    /// [`AdmissionError::Lent`], [`AdmissionError::Place`] or [`AdmissionError::Members`].
    pub fn checked(&self) -> Result<(), AdmissionError> {
        let &Self { workers, slots, payload_bytes, .. } = self;
        if workers == 0 || workers > MAX_WORKERS {
            return Err(AdmissionError::Workers { workers });
        }
        if slots == 0
            || payload_bytes == 0
            || !payload_bytes.is_multiple_of(8)
            || payload_bytes > u32::from(u16::MAX)
        {
            return Err(AdmissionError::Shape { slots, payload_bytes });
        }
        let members = self.place.count();
        let all_workers = members == workers && self.place.parent().is_none();
        if self.exchange_slots > slots || (self.exchange_slots > 0 && !all_workers) {
            return Err(AdmissionError::Exchange { slots: self.exchange_slots });
        }
        let lent = self.lent_slots;
        if lent > 0 && (lent < self.exchange_slots || lent >= slots) {
            return Err(AdmissionError::Lent { lent, slots });
        }
        if members == 0 || self.place.ranks() > usize::from(workers) {
            return Err(AdmissionError::Place { workers });
        }
        if members > MAX_MEMBERS {
            return Err(AdmissionError::Members { members });
        }
        Ok(())
    }

    /// Makes the checks that every packet of the job must pass, whichever way it goes (R-PKT-3,
    /// R-PKT-4, R-SLOT-9).
    pub(crate) fn check(&self, header: &Repr, datagram: Option<&[u8]>) -> Result<(), Refusal> {
        let &Repr { job, epoch, slot, pool, empty, overflowed, delivery, .. } = header;
        let &Repr { elements, element_type, operation, .. } = header;
        if (job, epoch) != (self.job, self.epoch) {
            return Err(Refusal::UnknownJob);
        }
        if !datagram.is_none_or(|datagram| self.terms.integrity.verify(datagram)) {
            return Err(Refusal::Integrity);
        }
        let apart = slot.0 >= self.slots.saturating_sub(self.exchange_slots);
        let by_user = matches!(operation, Operation::User(_));
        let can_be_delivered = match delivery {
            Delivery::All => empty || !apart,
            Delivery::One(owner) => owner.0 < self.workers && !apart,
            // A request for each worker (R-OP-32), or what another one has sent.
            Delivery::Shift(0) => apart,
            Delivery::Shift(distance) => distance < self.workers && apart,
            Delivery::Prefix { .. } | Delivery::Prefixes | Delivery::PrefixAndTotal => {
                let folds = by_user || keeps_lanes(self.terms.arithmetic, element_type, operation);
                apart && (empty || folds)
            }
        };
        let folds = usize::from(delivery.most_folds(self.workers, by_user));
        let fits = can_be_delivered
            && slot.0 < self.slots
            && (empty || self.has_lanes(pool))
            && (!overflowed || self.terms.overflow == Overflow::Native)
            && folds
                * usize::from(elements)
                * self.terms.arithmetic.slot_bytes(element_type, operation)
                <= self.payload_bytes as usize
            && self.has_operation(header);
        if fits { Ok(()) } else { Err(Refusal::Range) }
    }
}

impl JobSpec {
    /// Returns whether an operation is folded in rank order, so that operands are kept apart until
    /// the round is complete (R-OP-25).
    pub(crate) fn keeps_order(&self, operation: Operation) -> bool {
        let Operation::User(number) = operation else { return false };
        self.operations.of(number).is_some_and(|operation| !operation.any_order())
    }

    /// Returns whether the job has the operation that lanes fold by, or that answers them, and they
    /// are whole elements of it (R-OP-24). An acknowledgement (R-ACK-1) is nothing to fold, even if
    /// the round before it had requests.
    fn has_operation(&self, header: &Repr) -> bool {
        let Operation::User(number) = header.operation else {
            return header.empty || header.delivery != Delivery::Shift(0);
        };
        let bytes = usize::from(header.elements);
        self.operations.of(number).is_some_and(|operation| {
            let can = match header.delivery {
                Delivery::Shift(0) => operation.answers(),
                Delivery::Shift(_) => false,
                Delivery::All if header.empty => true,
                _ => operation.folds(),
            };
            can && (header.kind, header.element_type) == (Kind::Values, ElementType::U8)
                && bytes.is_multiple_of(operation.element_bytes())
                && bytes <= operation.batch_bytes()
        })
    }
}

/// The reason why a shard does not take a job.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AdmissionError {
    /// The memory that is left does not hold the job's slots.
    #[error(
        "the job needs {needed} bytes of switch memory and {free} are free; ask for fewer slots or shorter packets, end another job, or start the switch with more --memory"
    )]
    Memory {
        /// Bytes that the job needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A query that cannot be.
    #[error(transparent)]
    Query(crate::query::QueryError),
    /// More workers than a job can have, or none.
    #[error("a job has 1 to {MAX_WORKERS} workers, not {workers}")]
    Workers {
        /// Workers asked for.
        workers: u16,
    },
    /// Slots or packets of a size that cannot be.
    #[error(
        "{slots} slots of {payload_bytes} bytes cannot be: at least one slot, and a multiple of 8 bytes up to 65528"
    )]
    Shape {
        /// Slots asked for.
        slots: u16,
        /// Bytes of a slot asked for.
        payload_bytes: u32,
    },
    /// Slots that keep operands apart, at a switch whose members are not all workers of the job, or
    /// more of them than slots.
    #[error(
        "{slots} slots cannot keep operands apart: only a switch that all workers send to has such slots, and no more than it has in all"
    )]
    Exchange {
        /// Slots asked for.
        slots: u16,
    },
    /// All slots lent, or exchange slots that are not lent while others are.
    #[error("{lent} of {slots} slots cannot be lent: not all, and exchange slots before others")]
    Lent {
        /// Slots to lend.
        lent: u16,
        /// Slots in all.
        slots: u16,
    },
    /// A switch without members in the job, or with members that are no workers of it.
    #[error("a switch has at least one member in a job, and all are ranks below {workers}")]
    Place {
        /// Workers of the job.
        workers: u16,
    },
    /// More members than a slot's bitmap has bits.
    #[error(
        "one switch folds for at most {MAX_MEMBERS} members of a job, not {members}; put switches below it, each for some of the workers"
    )]
    Members {
        /// Members of the switch.
        members: u16,
    },
    /// A table that cannot be.
    #[error(transparent)]
    Table(TableError),
    /// The number is taken by a job that runs.
    #[error("job number {} is in use", job.0)]
    Taken {
        /// The job's number.
        job: JobId,
    },
}

/// A job's registers and lanes.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) spec: JobSpec,
    pub(crate) slots: Slots,
    /// The memory of the slots that are always there.
    pub(crate) kept: Box<[u8]>,
    /// The memory of those that are lent, while they are (R-CTRL-25).
    lent: Option<Box<[u8]>>,
    /// The instances of its operations.
    pub(crate) instances: Instances,
    /// A mismatch has been reported: the job is about to end, and nothing more is folded.
    pub(crate) poisoned: bool,
    /// Totals of the datagrams that were taken for the job's.
    pub(crate) counters: Counters,
}

impl Job {
    pub(crate) fn new(spec: JobSpec) -> Self {
        Self {
            slots: Slots::new(&spec),
            kept: vec![0; Region::kept(&spec).bytes(&spec)].into(),
            lent: None,
            instances: Instances::new(&spec.operations),
            poisoned: false,
            counters: Counters::default(),
            spec,
        }
    }

    /// Returns the lanes of a result for `to`, in one part or two; `None` if it has none for
    /// them. The result's header says that there are some, and has the lanes of a contribution.
    pub(crate) fn lanes(&self, result: &Repr, to: Recipients) -> Option<[&[u8]; 2]> {
        let &Repr { slot, pool, delivery, .. } = result;
        let bytes = usize::from(result.elements) * result.element_type.bytes();
        let (region, memory) = match Region::of(&self.spec, slot) {
            (region, false) => (region, &self.kept),
            (region, true) => (region, self.lent.as_ref()?),
        };
        let memory = &memory[region.at(&self.spec, slot, pool)..];
        if !self.spec.keeps_apart(slot, pool) {
            return Some([&memory[..bytes], &[]]);
        }
        let Recipients::One(member) = to else { return None };
        let JobSpec { place, payload_bytes, .. } = &self.spec;
        Held::of(&memory[..operand_bytes(&self.spec)], place.count(), *payload_bytes).result(
            delivery,
            matches!(result.operation, Operation::User(_)),
            place.number(member)?,
            bytes,
        )
    }

    /// Returns the specification that the job was admitted with, its slots, the instances of its
    /// operations, and all memory of one copy; of a copy without lanes none.
    ///
    /// # Errors
    /// [`Refusal::Range`] for a slot that is not lent (R-CTRL-25).
    pub(crate) fn parts(
        &mut self,
        slot: SlotIndex,
        pool: Pool,
    ) -> Result<(&JobSpec, &mut Slots, &mut Instances, Memory<'_>), Refusal> {
        let Self { spec, slots, instances, kept, lent, .. } = self;
        let (region, memory) = match Region::of(spec, slot) {
            (region, false) => (region, kept),
            (region, true) => (region, lent.as_mut().ok_or(Refusal::Range)?),
        };
        if !spec.has_lanes(pool) {
            let none = CopyMemory { lanes: &mut [], registers: &mut [] };
            return Ok((spec, slots, instances, none.into()));
        }
        let at = region.at(spec, slot, pool);
        if spec.keeps_apart(slot, pool) {
            let (copies, room) = memory.split_at_mut(region.room_at(spec));
            let memory = &mut copies[at..][..operand_bytes(spec)];
            let operands = Operands::of(memory, spec.place.count(), spec.payload_bytes);
            return Ok((spec, slots, instances, Memory::Apart(operands.with_room(room))));
        }
        let (lanes, registers) = (spec.payload_bytes as usize, spec.register_bytes() as usize);
        let (lanes, rest) = memory[at..].split_at_mut(lanes);
        let memory = CopyMemory { lanes, registers: &mut rest[..registers] };
        Ok((spec, slots, instances, memory.into()))
    }

    /// Returns the number of slots that have memory.
    pub(crate) fn slots_now(&self) -> u16 {
        self.spec.slots - if self.lent.is_some() { 0 } else { self.spec.lent_slots }
    }

    /// Returns the bytes that are lent to the job.
    pub(crate) fn lent_bytes(&self) -> u64 {
        self.lent.as_ref().map_or(0, |lent| lent.len() as u64)
    }

    /// Gives the lent slots their memory (R-CTRL-25). Their registers stay as they are.
    pub(crate) fn lend(&mut self) {
        let bytes = Region::lent(&self.spec).bytes(&self.spec);
        self.lent.get_or_insert_with(|| vec![0; bytes].into());
    }

    /// Frees their memory.
    pub(crate) fn take_back(&mut self) {
        self.lent = None;
    }

    /// Returns the number of bytes of a full datagram of this job.
    pub(crate) fn datagram_bytes(&self) -> usize {
        HEADER_BYTES + self.spec.payload_bytes as usize
    }
}

fn copy_bytes(spec: &JobSpec) -> usize {
    (spec.payload_bytes + spec.register_bytes()) as usize
}

/// Bytes of the operands of one copy that keeps them apart.
fn operand_bytes(spec: &JobSpec) -> usize {
    Operands::bytes(spec.place.count(), spec.payload_bytes)
}

/// Slots of a job that stand together in memory: of those that fold, pool, then slot, the lanes of
/// each copy, then its registers; then of those that keep operands apart, pool, then slot; then the
/// room in which operations of users fold prefixes.
struct Region {
    first: usize,
    /// Slots that fold.
    folding: usize,
    /// Slots that keep operands apart.
    apart: usize,
}

impl Region {
    /// Returns the slots that are always there.
    fn kept(spec: &JobSpec) -> Self {
        Self::between(spec, 0, spec.slots - spec.lent_slots)
    }

    /// Returns the slots that are lent (R-CTRL-25).
    fn lent(spec: &JobSpec) -> Self {
        Self::between(spec, spec.slots - spec.lent_slots, spec.slots)
    }

    fn between(spec: &JobSpec, first: u16, end: u16) -> Self {
        let first_apart = (spec.slots - spec.exchange_slots).clamp(first, end);
        let (folding, apart) = (first_apart - first, end - first_apart);
        Self { first: first.into(), folding: folding.into(), apart: apart.into() }
    }

    /// Returns the region of a slot, and whether it is the lent one.
    fn of(spec: &JobSpec, slot: SlotIndex) -> (Self, bool) {
        let is_lent = slot.0 >= spec.slots - spec.lent_slots;
        (if is_lent { Self::lent(spec) } else { Self::kept(spec) }, is_lent)
    }

    fn bytes(&self, spec: &JobSpec) -> usize {
        self.room_at(spec) + if self.apart > 0 { spec.room_bytes() } else { 0 }
    }

    fn at(&self, spec: &JobSpec, slot: SlotIndex, pool: Pool) -> usize {
        let (slot, pool) = (usize::from(slot.0) - self.first, pool.index());
        match slot.checked_sub(self.folding) {
            None => (pool * self.folding + slot) * copy_bytes(spec),
            Some(apart) => self.apart_at(spec) + (pool * self.apart + apart) * operand_bytes(spec),
        }
    }

    /// Bytes of all copies that fold, which those of operands kept apart follow.
    fn apart_at(&self, spec: &JobSpec) -> usize {
        spec.copies() * self.folding * copy_bytes(spec)
    }

    /// Bytes of all copies.
    fn room_at(&self, spec: &JobSpec) -> usize {
        self.apart_at(spec) + spec.copies() * self.apart * operand_bytes(spec)
    }
}
