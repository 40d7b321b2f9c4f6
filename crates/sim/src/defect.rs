//! Switches that add wrongly, so that what checks results can itself be checked.

use netfold_switch::{Shard, finish_lanes, fold_lanes};
use netfold_wire::{
    Direction, HEADER_BYTES, Integrity, Kind, Packet, TABLE_HEADER_BYTES, TableKind, TablePacket,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::setup::{Miscount, SwitchError};

/// The errors of a pipeline in progress, drawn from its own generator.
pub(crate) struct Defect {
    error: SwitchError,
    rng: Pcg64Mcg,
}

impl Defect {
    /// The errors of pipeline number `index` in the run of `seed`.
    pub(crate) fn new(error: SwitchError, seed: u64, index: usize) -> Self {
        // Odd, and not the step between links, so that nothing else draws the same.
        let seed = seed.wrapping_add((index as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Self { error, rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// Returns the datagram that the shard takes in place of this one; `None` if it takes this one.
    pub(crate) fn alter(&mut self, datagram: &[u8], shard: &Shard) -> Option<Vec<u8>> {
        let packet = Packet::new_checked(datagram).ok()?;
        let header = packet.repr();
        let counts =
            matches!(header.direction, Direction::Contribution(_)) && header.kind == Kind::Values;
        if !counts || packet.lanes().is_empty() || !self.rng.random_bool(self.error.share) {
            return None;
        }
        let spec =
            shard.status().into_iter().map(|job| job.spec).find(|spec| spec.job == header.job)?;
        if !packet.is_whole(&spec.terms.integrity) {
            return None;
        }
        let mut altered = datagram.to_vec();
        let lanes = &mut altered[HEADER_BYTES..];
        match self.error.does {
            Miscount::AddsTwice => {
                let (lane, operation) = (header.element_type, header.operation);
                let slot_bytes = usize::from(header.elements)
                    * spec.terms.arithmetic.slot_bytes(lane, operation);
                let mut slot = vec![0; slot_bytes];
                fold_lanes(&spec, lane, operation, true, &mut slot, packet.lanes());
                fold_lanes(&spec, lane, operation, false, &mut slot, packet.lanes());
                finish_lanes(&spec, lane, operation, &mut slot);
                lanes.copy_from_slice(&slot[..lanes.len()]);
            }
            Miscount::FlipsABit => {
                let bit = self.rng.random_range(0..8 * lanes.len());
                lanes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        spec.terms.integrity.seal(&mut altered);
        Some(altered)
    }

    /// The same for a request to a table: rows that are pushed are altered, lanes of 32 bits.
    pub(crate) fn alter_push(&mut self, datagram: &[u8], integrity: &Integrity) -> Option<Vec<u8>> {
        let packet = TablePacket::new_checked(datagram).ok()?;
        let is_push = packet.repr.kind == TableKind::Push && !packet.rest.is_empty();
        if !is_push || !self.rng.random_bool(self.error.share) || !packet.is_whole(integrity) {
            return None;
        }
        let mut altered = datagram.to_vec();
        let rows = &mut altered[TABLE_HEADER_BYTES + packet.ranks.len()..];
        match self.error.does {
            Miscount::AddsTwice => {
                let (lanes, _) = rows.as_chunks_mut::<4>();
                for lane in lanes {
                    *lane = u32::from_le_bytes(*lane).wrapping_mul(2).to_le_bytes();
                }
            }
            Miscount::FlipsABit => {
                let bit = self.rng.random_range(0..8 * rows.len());
                rows[bit / 8] ^= 1 << (bit % 8);
            }
        }
        packet.repr.seal(integrity, &mut altered);
        Some(altered)
    }
}
