//! The layout of a segment. Each process computes it from its description of the job, and never
//! reads it from the segment.
//!
//! ```text
//! head     identity (one line), state of the job (one line), cores of the members (a bit each)
//! flow 0   doorbell and claims (one line), doorbell of the way up (one line)
//!          toggles: two bits for each slot, one for each copy
//!          raised (at a leaf): two bits for each slot, to send its fold up, and to ask the
//!          parent about it
//!          slots: one line each, registers and lock
//!          copies: for each slot two of [notice, times, header, lanes, registers]; that of
//!          acknowledgements has headers alone
//!          tallies: for each member what it has counted, on lines of its own
//!          eager path (not at a leaf): for each member and queue its cells [tag, call and length,
//!          time, lanes], one after the other; those of barriers have no lanes
//! flow 1   ...
//! ```

use netfold_switch::slot::SLOT_WORDS;
use netfold_switch::{JobSpec, Members};
use netfold_wire::{EAGER_CELLS, EAGER_QUEUES, HEADER_BYTES, Pool, SlotIndex, eager_limit};

use crate::cores::CORE_WORDS;
use crate::error::Error;
use crate::tally::tally_words;

/// Bytes of a line. Data that different processes write is kept on lines of its own.
pub(crate) const LINE_BYTES: usize = 64;

/// Words of the identity, at the segment's start.
pub(crate) const IDENTITY_WORDS: usize = 9;

/// Offset of the state of the job. A word behind it says whether its rounds are timed.
pub(crate) const STATE_AT: usize = LINE_BYTES;

/// Offset of the members' cores.
pub(crate) const CORES_AT: usize = 2 * LINE_BYTES;

const HEAD_BYTES: usize = (CORES_AT + 8 * CORE_WORDS).next_multiple_of(LINE_BYTES);

/// In a doorbell's line: the generation (32 bits), the sleepers (64 bits). In the flow's first line
/// besides: the claims (64 bits).
pub(crate) const GENERATION_AT: usize = 0;
pub(crate) const SLEEPERS_AT: usize = 8;
pub(crate) const CLAIMS_AT: usize = 16;

const UPWARD_AT: usize = LINE_BYTES;
const TOGGLES_AT: usize = 2 * LINE_BYTES;

/// Most workers that share the memory of one job: a slot's registers and its lock fit one cache
/// line, and sleepers are bits of one word.
pub const MAX_MEMBERS: u16 = Members::<1>::MOST;

/// In a slot's line, in words: the registers, then the lock.
pub(crate) const LOCK_WORD: usize = SLOT_WORDS;
pub(crate) const SLOT_LINE_WORDS: usize = LINE_BYTES / 4;
const _: () = assert!(LOCK_WORD < SLOT_LINE_WORDS);

/// Offset in a copy of the result for members that its delivery does not address, which is a header
/// alone.
pub(crate) const NOTICE_AT: usize = 0;
/// Offset of the times at which the copy's round began and ended: on the same line.
pub(crate) const TIMES_AT: usize = 48;
/// The result with lanes: the header stands right before them, and they begin on a line.
pub(crate) const LANES_AT: usize = 2 * LINE_BYTES;
pub(crate) const HEADER_AT: usize = LANES_AT - HEADER_BYTES;
const _: () = assert!(
    NOTICE_AT + HEADER_BYTES <= TIMES_AT && TIMES_AT + 16 <= LINE_BYTES && HEADER_AT >= LINE_BYTES
);

/// Offsets in a cell: the tag, the message's call and length, the time when it was posted, the core
/// on which it was, its lanes.
pub(crate) const TAG_AT: usize = 0;
pub(crate) const ABOUT_AT: usize = 8;
pub(crate) const POSTED_AT: usize = 16;
pub(crate) const CORE_AT: usize = 24;
pub(crate) const MESSAGE_AT: usize = 32;

/// The cells of one round, one for each member.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cells {
    /// Offset of the first member's cell.
    first: usize,
    /// Bytes from there to the next member's cell.
    step: usize,
}

impl Cells {
    /// Returns the offset of a member's cell.
    #[inline]
    pub(crate) fn at(self, member: u16) -> usize {
        self.first + usize::from(member) * self.step
    }
}

/// The layout of a job's segment, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    slots: usize,
    payload_bytes: usize,
    /// Bytes of a slot's copies.
    copy_bytes: [usize; 2],
    /// Bytes from a flow's beginning to its slots, and to their copies.
    slots_at: usize,
    copies_at: usize,
    tallies_at: usize,
    /// Bytes of a member's tally.
    tally_bytes: usize,
    eager_at: usize,
    /// Bytes of a cell, for each queue of the eager path.
    cell_bytes: [usize; EAGER_QUEUES as usize],
    flow_bytes: usize,
    pub(crate) total_bytes: usize,
}

impl Layout {
    /// Returns the layout for a job of `flows`.
    pub(crate) fn new(spec: &JobSpec, flows: u16) -> Result<Self, Error> {
        spec.checked()?;
        if spec.place.count() > MAX_MEMBERS {
            return Err(Error::Members { members: spec.place.count() });
        }
        let (slots, payload_bytes) = (usize::from(spec.slots), spec.payload_bytes as usize);
        let registers = (spec.register_bytes() as usize).next_multiple_of(LINE_BYTES);
        let with_lanes = LANES_AT + payload_bytes.next_multiple_of(LINE_BYTES) + registers;
        // R-ACK-2: of acknowledgements there are headers alone.
        let copy_bytes = [Pool::Even, Pool::Odd]
            .map(|pool| if spec.has_lanes(pool) { with_lanes } else { LANES_AT });
        // A slot count and a payload are 16-bit numbers: none of this overflows 64 bits.
        let slots_at = raised_at(slots) + (2 * slots).div_ceil(8).next_multiple_of(LINE_BYTES);
        let copies_at = slots_at + slots * LINE_BYTES;
        let tallies_at = copies_at + slots * (copy_bytes[0] + copy_bytes[1]);
        let tally_bytes = (8 * tally_words(spec)).next_multiple_of(LINE_BYTES);
        let eager_at = tallies_at + usize::from(spec.place.count()) * tally_bytes;
        // R-EAGER-2: the messages of barriers have no lanes.
        let cell_bytes = [eager_limit(spec.place.count()), 0]
            .map(|lanes| (MESSAGE_AT + lanes).next_multiple_of(LINE_BYTES));
        let eager_members =
            if spec.place.parent().is_none() { usize::from(spec.place.count()) } else { 0 };
        let flow_bytes =
            eager_at + eager_members * usize::from(EAGER_CELLS) * cell_bytes.iter().sum::<usize>();
        let total_bytes =
            flow_bytes.checked_mul(flows.into()).and_then(|bytes| bytes.checked_add(HEAD_BYTES));
        match total_bytes {
            Some(total_bytes) if flows > 0 && isize::try_from(total_bytes).is_ok() => Ok(Self {
                slots,
                payload_bytes,
                copy_bytes,
                slots_at,
                copies_at,
                tallies_at,
                tally_bytes,
                eager_at,
                cell_bytes,
                flow_bytes,
                total_bytes,
            }),
            _ => Err(Error::Size { flows, slots: spec.slots, payload_bytes: spec.payload_bytes }),
        }
    }

    /// Returns the offset of a flow.
    #[inline]
    pub(crate) fn flow(&self, flow: u16) -> usize {
        HEAD_BYTES + usize::from(flow) * self.flow_bytes
    }

    /// Returns the offset of the doorbell of a flow's members.
    #[inline]
    pub(crate) fn members(&self, flow: u16) -> usize {
        self.flow(flow)
    }

    /// Returns the offset of the doorbell of a flow's way up.
    pub(crate) fn upward(&self, flow: u16) -> usize {
        self.flow(flow) + UPWARD_AT
    }

    /// Returns the offset of the bits of the uplink requests, and the number of their 64-bit words.
    pub(crate) fn raised(&self, flow: u16) -> (usize, usize) {
        (self.flow(flow) + raised_at(self.slots), (2 * self.slots).div_ceil(64))
    }

    /// Returns the offset of a flow's toggles, and the number of their 64-bit words.
    pub(crate) fn toggles(&self, flow: u16) -> (usize, usize) {
        (self.flow(flow) + TOGGLES_AT, (2 * self.slots).div_ceil(64))
    }

    /// Returns the offset of the line of a slot.
    pub(crate) fn slot(&self, flow: u16, slot: SlotIndex) -> usize {
        self.flow(flow) + self.slots_at + usize::from(slot.0) * LINE_BYTES
    }

    /// Returns the offset of a copy.
    pub(crate) fn copy(&self, flow: u16, slot: SlotIndex, pool: Pool) -> usize {
        let [even, odd] = self.copy_bytes;
        self.flow(flow)
            + self.copies_at
            + usize::from(slot.0) * (even + odd)
            + if pool == Pool::Odd { even } else { 0 }
    }

    /// Returns the start of a member's tally, in bytes.
    #[inline]
    pub(crate) fn tally(&self, flow: u16, member: u16) -> usize {
        self.flow(flow) + self.tallies_at + usize::from(member) * self.tally_bytes
    }

    /// Returns the members' cells for a round of a queue. A leaf has no cells.
    #[inline]
    pub(crate) fn eager_cells(&self, flow: u16, queue: u16, round: u64) -> Cells {
        let cells = usize::from(EAGER_CELLS);
        let [urgent, barrier] = self.cell_bytes;
        let (queue_at, bytes) = if queue == 0 { (0, urgent) } else { (cells * urgent, barrier) };
        let first = self.flow(flow) + self.eager_at + queue_at + round as usize % cells * bytes;
        Cells { first, step: cells * (urgent + barrier) }
    }

    /// Returns the largest number of bytes of lanes of a message in a queue.
    #[inline]
    pub(crate) fn message_bytes(&self, queue: u16) -> usize {
        self.cell_bytes[usize::from(queue)] - MESSAGE_AT
    }

    /// Returns the number of bytes from a copy's beginning to its registers.
    pub(crate) fn registers_at(&self) -> usize {
        LANES_AT + self.payload_bytes.next_multiple_of(LINE_BYTES)
    }
}

/// Returns the number of bytes from a flow's beginning to its bits for the way up.
fn raised_at(slots: usize) -> usize {
    TOGGLES_AT + (2 * slots).div_ceil(8).next_multiple_of(LINE_BYTES)
}

#[cfg(test)]
mod tests {
    use netfold_num::{Arithmetic, Protocol};
    use netfold_switch::{Operations, Place};
    use netfold_wire::{Epoch, Integrity, JobId, Terms};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Nothing overlaps, everything lies inside, and lanes, registers and cells begin on lines.
        #[test]
        fn parts_lie_apart(
            slots in 1..=300u16,
            lanes in 1..=8191u32,
            flows in 1..=4u16,
            arithmetic in prop::sample::select(Arithmetic::ALL.to_vec()),
            protocol in prop::sample::select(&Protocol::ALL[..]),
        ) {
            let payload_bytes = 8 * lanes;
            let (integrity, place) = (Integrity::Transport, Place::only(2));
            let spec = JobSpec { job: JobId(0), epoch: Epoch(0), workers: 2, slots, exchange_slots: 0, lent_slots: 0, payload_bytes, terms: Terms { arithmetic, protocol, ..Terms::new(integrity) }, place, operations: Operations::default() };
            let layout = Layout::new(&spec, flows).unwrap();
            let mut parts = vec![(0, HEAD_BYTES)];
            for flow in 0..flows {
                parts.push((layout.members(flow), LINE_BYTES));
                parts.extend([0, 1].map(|member| (layout.tally(flow, member), 8 * tally_words(&spec))));
                for (member, queue) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let cells = (0..u64::from(EAGER_CELLS)).map(|round| layout.eager_cells(flow, queue, round).at(member));
                    parts.extend(cells.map(|start| (start, if queue == 0 { MESSAGE_AT + eager_limit(2) } else { MESSAGE_AT })));
                }
                parts.push((layout.upward(flow), LINE_BYTES));
                let (raised, words) = layout.raised(flow);
                prop_assert!(64 * words >= 2 * usize::from(slots));
                parts.push((raised, 8 * words));
                let (toggles, words) = layout.toggles(flow);
                prop_assert!(64 * words >= 2 * usize::from(slots));
                parts.push((toggles, 8 * words));
                for slot in (0..slots).map(SlotIndex) {
                    parts.push((layout.slot(flow, slot), LINE_BYTES));
                    for pool in [Pool::Even, Pool::Odd] {
                        if !spec.has_lanes(pool) {
                            parts.push((layout.copy(flow, slot, pool), LANES_AT));
                            continue;
                        }
                        parts.push((layout.copy(flow, slot, pool), LANES_AT + payload_bytes as usize));
                        let registers_at = layout.copy(flow, slot, pool) + layout.registers_at();
                        parts.push((registers_at, spec.register_bytes() as usize));
                    }
                }
            }
            prop_assert!(parts.iter().all(|(start, _)| start % LINE_BYTES == 0));
            parts.sort_unstable();
            prop_assert!(parts.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
            let (start, len) = parts[parts.len() - 1];
            prop_assert!(start + len <= layout.total_bytes);
        }
    }
}
