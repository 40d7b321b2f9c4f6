//! A slot in the segment: its registers, its lock, and its copies, each with the headers of its
//! result.
#![expect(unsafe_code, reason = "who may touch a copy is settled by its slot's lock and registers")]

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use netfold_switch::slot::{Arrival, COPY_WORDS, Copy, Round, Slot, Turn};
use netfold_switch::{
    Answer, Contribution, CopyMemory, Effect, Instances, JobSpec, Members, Recipients, Settled,
};
use netfold_wire::{Delivery, HEADER_BYTES, Packet, Pool, Repr, SlotIndex, WorkerId};

use crate::error::PortError;
use crate::layout::{HEADER_AT, LANES_AT, LOCK_WORD, Layout, NOTICE_AT, SLOT_LINE_WORDS, TIMES_AT};
use crate::lock;
use crate::mapping::Mapping;
use crate::times::Stamp;
use crate::uplink::UplinkRequest;

/// A slot of one flow, as everyone has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedSlot<'a> {
    mapping: &'a Mapping,
    layout: &'a Layout,
    /// Registers, then the lock.
    words: &'a [AtomicU32; SLOT_LINE_WORDS],
    flow: u16,
    index: SlotIndex,
}

impl<'a> SharedSlot<'a> {
    /// Returns a slot of the segment that `layout` describes.
    pub(crate) fn of(
        mapping: &'a Mapping,
        layout: &'a Layout,
        flow: u16,
        index: SlotIndex,
    ) -> Self {
        let words = mapping.words(layout.slot(flow, index), SLOT_LINE_WORDS);
        Self { mapping, layout, words: words.first_chunk().expect("a line"), flow, index }
    }

    /// Returns the registers as they stand; `None` if no slot can have them. Without the lock, they
    /// may be half written.
    pub(crate) fn registers(&self) -> Option<Slot> {
        Slot::from_words(&self.load(0))
    }

    /// Returns whether a member that is about to contribute to a copy has the slot for itself, as
    /// it looks without the lock: its contribution begins a round, or is the last one of it.
    pub(crate) fn seems_unwanted(&self, pool: Pool, members: u16) -> bool {
        let copy: Option<Copy> = Copy::from_words(&self.load(pool.index() * COPY_WORDS));
        let others = copy.and_then(|copy| copy.open_round()).map_or(0, |(_, seen)| seen.len());
        !lock::seems_held(&self.words[LOCK_WORD]) && (others == 0 || others + 1 == members)
    }

    /// Returns the registers of one copy. A caller reads and writes where they say, so they say
    /// nothing of lanes that the copy does not have.
    fn copy(&self, spec: &JobSpec, pool: Pool) -> Result<Copy, PortError> {
        let copy = Copy::from_words(&self.load(pool.index() * COPY_WORDS));
        copy.filter(|copy| spec.has_lanes(pool) || !copy.is_filled()).ok_or(PortError::Corrupt)
    }

    fn load<const N: usize>(&self, start: usize) -> [u32; N] {
        // Acquire: a process that reads that a round is complete reads its result.
        std::array::from_fn(|index| self.words[start + index].load(Ordering::Acquire))
    }

    fn store<const N: usize>(&self, start: usize, words: [u32; N]) {
        for (word, value) in self.words[start..start + N].iter().zip(words) {
            word.store(value, Ordering::Release);
        }
    }

    /// Stores the registers of a copy.
    fn store_copy(&self, pool: Pool, copy: &Copy) {
        self.store(pool.index() * COPY_WORDS, copy.to_words());
    }

    /// Takes the lock, and never gives it back.
    pub(crate) fn seize(&self) {
        std::mem::forget(lock::acquire(&self.words[LOCK_WORD], false, || false));
    }

    fn copy_at(&self, pool: Pool) -> usize {
        self.layout.copy(self.flow, self.index, pool)
    }

    /// Runs the switch on a contribution of this slot, which has passed its check for the job. The
    /// result stands in the copy if the contribution completes the round. Nothing is stored if
    /// the effect fails the job. `instances` are this process's. `spin` is for the slot's lock. A
    /// round that is `timed` has its stamps in the copy.
    pub(crate) fn fold(
        &self,
        spec: &JobSpec,
        contribution: &Contribution<'_>,
        instances: &mut Instances,
        spin: bool,
        timed: bool,
        failed: impl Fn() -> bool,
    ) -> Result<(Arrival, Effect), PortError> {
        let &Repr { pool, empty, .. } = contribution.header();
        let (copy_at, others_at) = (self.copy_at(pool), pool.flipped().index() * COPY_WORDS);
        // Lines that others have written are fetched at once, and not each when the one before is
        // here.
        self.mapping.prefetch(copy_at + HEADER_AT);
        if !empty {
            self.mapping.prefetch(copy_at + LANES_AT);
        }
        let _held = lock::acquire(&self.words[LOCK_WORD], spin, failed).ok_or(PortError::Failed)?;
        let mut copy = self.copy(spec, pool)?;
        let mut gone_on = Members::from_words(self.load(others_at));
        let holders = copy.holders();
        // R-SLOT-6, here as a check: a round may not begin where a port may read (`result`), or
        // before the parent has answered. No worker that waits for results tries to (R-WORK-3).
        let rests = !holders.is_empty() || copy.raised().is_some();
        let holds =
            spec.place.number(contribution.worker()).is_some_and(|number| holders.has(number));
        if copy.open_round().is_none() && rests && !holds {
            return Ok((Arrival::Stale, Effect::Nothing));
        }
        let mut turn = Turn { copy: &mut copy, holders: &mut gone_on };
        let (arrival, effect) = contribution.fold_into(&mut turn, spec, instances, || {
            // SAFETY: only the holder of the slot's lock writes to its copies, and only to one that
            // nobody may read: its round is open, or begins, and then the copy has no holders
            // (above) until the registers are stored. Lanes and registers do not overlap. A copy
            // without lanes is not asked for: the check has refused what has some.
            unsafe {
                CopyMemory {
                    lanes: self.mapping.bytes_mut(copy_at + LANES_AT, spec.payload_bytes as usize),
                    registers: self.mapping.bytes_mut(
                        copy_at + self.layout.registers_at(),
                        spec.register_bytes() as usize,
                    ),
                }
            }
        });
        if matches!(effect, Effect::Fail(_)) {
            return Ok((arrival, effect));
        }
        if let Arrival::Accepted { opens, .. } = arrival {
            let ends = effect == Effect::Deliver;
            if ends {
                self.write_result(spec, &copy, pool)?;
            }
            if timed && (opens || ends) {
                self.stamp(pool, opens, ends);
            }
            self.store_copy(pool, &copy);
            self.store(others_at, gone_on.to_words());
        }
        Ok((arrival, effect))
    }

    /// Takes what the parent says of a round, which has passed its check for the job, if a copy
    /// waits for it (R-TREE-3). It stands in the copy afterwards.
    pub(crate) fn settle(
        &self,
        spec: &JobSpec,
        answer: &Answer<'_>,
        timed: bool,
        failed: impl Fn() -> bool,
    ) -> Result<Settled, PortError> {
        let pool = answer.header().pool;
        let _held =
            lock::acquire(&self.words[LOCK_WORD], false, failed).ok_or(PortError::Failed)?;
        let mut copy = self.copy(spec, pool)?;
        let lanes_at = self.copy_at(pool) + LANES_AT;
        let settled = answer.settle(&mut copy, || {
            // SAFETY: the lock is held, and the stored registers say that the copy waits for the
            // parent, so that nobody may read it.
            unsafe { self.mapping.bytes_mut(lanes_at, spec.payload_bytes as usize) }
        });
        if settled == Settled::Result {
            self.write_result(spec, &copy, pool)?;
            if timed {
                self.stamp(pool, false, true);
            }
            self.store_copy(pool, &copy);
        }
        Ok(settled)
    }

    /// Writes the fold that waits for the parent to `buffer`, as a contribution to it or as a query
    /// about that, and returns its length; `None` if no fold waits (R-TREE-2, R-TREE-4).
    pub(crate) fn fold_to_raise(
        &self,
        spec: &JobSpec,
        request: UplinkRequest,
        buffer: &mut [u8],
        failed: impl Fn() -> bool,
    ) -> Result<Option<usize>, PortError> {
        let _held =
            lock::acquire(&self.words[LOCK_WORD], false, failed).ok_or(PortError::Failed)?;
        let slot = self.registers().ok_or(PortError::Corrupt)?;
        let header = |pool| slot.copy(pool).raised_header(spec, self.index, pool);
        let Some(header) = [Pool::Even, Pool::Odd].into_iter().find_map(header) else {
            return Ok(None);
        };
        let header = match (request, spec.place.parent()) {
            (UplinkRequest::Query, Some(name)) => header.query(name),
            _ => header,
        };
        let datagram = &mut buffer[..datagram_bytes(spec, &header)?];
        let (head, lanes) = datagram.split_first_chunk_mut().ok_or(PortError::Corrupt)?;
        header.emit(head);
        let lanes_at = self.copy_at(header.pool) + LANES_AT;
        // SAFETY: the lock is held, and only its holder writes to the copies.
        lanes.copy_from_slice(unsafe { self.mapping.bytes(lanes_at, lanes.len()) });
        spec.terms.integrity.seal(datagram);
        Ok(Some(datagram.len()))
    }

    /// Puts the headers of a result in front of its lanes; the registers that say so are not stored
    /// yet.
    fn write_result(&self, spec: &JobSpec, copy: &Copy, pool: Pool) -> Result<(), PortError> {
        let header = |to| copy.result_header(spec, self.index, pool, to).ok_or(PortError::Corrupt);
        let addressed = |delivery| match delivery {
            Delivery::One(owner) => Recipients::One(owner),
            // No slot in memory keeps operands apart (R-CTRL-23).
            _ => Recipients::All,
        };
        let full = header(Recipients::All)?;
        self.write(spec, HEADER_AT, &header(addressed(full.delivery))?)?;
        if let Delivery::One(owner) = full.delivery {
            self.write(spec, NOTICE_AT, &header(Recipients::AllBut(owner))?)?;
        }
        Ok(())
    }

    /// Writes one header of a result at `at` of its copy.
    fn write(&self, spec: &JobSpec, at: usize, header: &Repr) -> Result<(), PortError> {
        datagram_bytes(spec, header)?;
        // SAFETY: the lock is held, and the stored registers do not say yet that the round is
        // complete, so that nobody may read the copy.
        let head = unsafe { self.mapping.bytes_mut(self.copy_at(header.pool) + at, HEADER_BYTES) };
        header.emit(head.first_chunk_mut().ok_or(PortError::Corrupt)?);
        Ok(())
    }

    /// Returns the result that a copy holds for `worker`. It reads the result alone, and not the
    /// registers, which somebody may be about to change for the other copy.
    ///
    /// # Safety
    /// The copy's toggle has changed since its result was taken last for `worker`, and the port of
    /// `worker` delivers nothing while the packet is in use.
    pub(crate) unsafe fn result(
        &self,
        spec: &JobSpec,
        pool: Pool,
        worker: WorkerId,
    ) -> Result<Packet<'a>, PortError> {
        let copy_at = self.copy_at(pool);
        // SAFETY: the round is complete, so that all members have contributed to it, `worker` among
        // them. Only the worker's next contribution takes it out of the copy's holders, which the
        // caller rules out, and until then `fold` starts no round in the copy.
        let bytes = |at: usize, len: usize| unsafe { self.mapping.bytes(copy_at + at, len) };
        let full = Packet::in_memory(bytes(HEADER_AT, most_bytes(spec, pool)))
            .ok_or(PortError::Corrupt)?;
        if full.repr().delivery.addresses(worker) {
            return Ok(full);
        }
        Packet::in_memory(bytes(NOTICE_AT, HEADER_BYTES)).ok_or(PortError::Corrupt)
    }

    /// Returns the same result addressed to `worker` alone (R-SLOT-4), if it is there.
    ///
    /// # Safety
    /// The port of `worker` delivers nothing while the packet is in use.
    pub(crate) unsafe fn answer(
        &self,
        spec: &JobSpec,
        pool: Pool,
        worker: WorkerId,
    ) -> Result<Option<Packet<'a>>, PortError> {
        let Some((copy, _)) = self.held_by(spec, pool, worker)? else { return Ok(None) };
        let header = copy
            .result_header(spec, self.index, pool, Recipients::One(worker))
            .ok_or(PortError::Corrupt)?;
        let lanes = datagram_bytes(spec, &header)? - HEADER_BYTES;
        // SAFETY: as in `result`.
        let lanes = unsafe { self.mapping.bytes(self.copy_at(pool) + LANES_AT, lanes) };
        Ok(Packet::local(header, lanes))
    }

    /// Returns the times at which the round of a copy began and ended, as its stamps say.
    pub(crate) fn times(&self, pool: Pool) -> [Stamp; 2] {
        let [start, end] = self.stamps(pool);
        [start, end].map(|stamp| Stamp(stamp.load(Ordering::Relaxed)))
    }

    /// Stamps the beginning of a copy's round, its end, or both. The lock is held, and the
    /// registers that say so are not stored yet.
    fn stamp(&self, pool: Pool, opens: bool, ends: bool) {
        let now = Stamp::now().0;
        for (stamp, _) in self.stamps(pool).iter().zip([opens, ends]).filter(|(_, due)| *due) {
            stamp.store(now, Ordering::Relaxed);
        }
    }

    fn stamps(&self, pool: Pool) -> &'a [AtomicU64; 2] {
        let words = self.mapping.wide_words(self.copy_at(pool) + TIMES_AT, 2);
        words.first_chunk().expect("they are two")
    }

    /// Returns a copy whose round is complete and whose result `worker` may read, and the round.
    fn held_by(
        &self,
        spec: &JobSpec,
        pool: Pool,
        worker: WorkerId,
    ) -> Result<Option<(Copy, Round)>, PortError> {
        // Without the lock: only this copy, which stands still if the worker may read it. The other
        // one may be half written.
        let copy = self.copy(spec, pool)?;
        let holds = spec.place.number(worker).is_some_and(|number| copy.holders().has(number));
        Ok(copy.result().copied().filter(|_| holds).map(|round| (copy, round)))
    }
}

/// Returns the number of bytes of a result, if they fit the copy.
fn datagram_bytes(spec: &JobSpec, header: &Repr) -> Result<usize, PortError> {
    Some(header.datagram_bytes())
        .filter(|len| *len <= most_bytes(spec, header.pool))
        .ok_or(PortError::Corrupt)
}

/// Returns the largest number of bytes of a result in a copy of this pool.
fn most_bytes(spec: &JobSpec, pool: Pool) -> usize {
    HEADER_BYTES + if spec.has_lanes(pool) { spec.payload_bytes as usize } else { 0 }
}
