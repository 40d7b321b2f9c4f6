//! The sums that R-PISA-32 says a slot holds, beside the shard's.

use std::collections::BTreeMap;

use netfold_num::ByteOrder;
use netfold_num::fpisa::Rounding;
use netfold_pisa::programs::fpisa::Variant;
use netfold_switch::Event;
use netfold_wire::{Direction, HEADER_BYTES, Packet, Repr, WorkerId};

use crate::rack::traffic::lane_bytes;
use crate::rack::{Rack, Received};
use crate::sums::{Sum, adder};

/// A lane that has travelled.
fn lane(order: ByteOrder, bytes: &[u8]) -> u32 {
    let bytes = bytes.try_into().unwrap();
    match order {
        ByteOrder::Little => u32::from_le_bytes(bytes),
        ByteOrder::Network => u32::from_be_bytes(bytes),
    }
}

/// A job, a slot, and one of its copies.
type Place = (u16, u16, usize);

/// The sums of every copy as R-PISA-32 has them, from the contributions that the shard has counted.
pub struct Model {
    variant: Variant,
    byte_order: ByteOrder,
    sums: BTreeMap<Place, Vec<Sum>>,
}

/// The slot and the pool of a header.
fn place(repr: &Repr) -> Place {
    (repr.job.0, repr.slot.0, repr.pool.index())
}

impl Model {
    pub fn new(variant: Variant, byte_order: ByteOrder) -> Self {
        Self { variant, byte_order, sums: BTreeMap::new() }
    }

    /// Gives a datagram to the shard, and its lanes to the model if the shard has counted them.
    /// Returns the shard's answers and events, and the first lane that overflows.
    pub fn take(
        &mut self,
        rack: &mut Rack,
        repr: &Repr,
        bytes: &[u8],
    ) -> (Vec<Received>, Vec<Event>, Option<usize>) {
        let copy = |rack: &Rack| {
            *rack.shard.memory(repr.job).unwrap().0[usize::from(repr.slot.0)].copy(repr.pool)
        };
        let before = copy(rack);
        let (received, events) = rack.by_shard(bytes);
        let Direction::Contribution(WorkerId(worker)) = repr.direction else {
            return (received, events, None);
        };
        let counted = !before.holders().has(worker) && copy(rack).holders().has(worker);
        if !counted {
            return (received, events, None);
        }
        let sums = self.sums.entry(place(repr)).or_default();
        if before.open_round().is_none() {
            *sums = vec![Sum::default(); repr.elements.into()];
        }
        let lanes = bytes[HEADER_BYTES..].chunks_exact(4).map(|bytes| lane(self.byte_order, bytes));
        let mut overflows = None;
        for (lane, (sum, bits)) in sums.iter_mut().zip(lanes).enumerate() {
            if sum.add(self.variant, bits) {
                overflows = overflows.or(Some(lane));
            }
        }
        (received, events, overflows)
    }

    /// An answer of the shard as the pipeline gives it: lanes that have cancelled exactly keep
    /// their exponent. The others are what the model says, too.
    pub fn answer(&self, bytes: &[u8]) -> (Vec<u8>, bool) {
        let repr = Repr::parse(&Packet::new_checked(bytes).unwrap());
        let (mut bytes, mut other) = (bytes.to_vec(), false);
        let lanes = bytes[HEADER_BYTES..].chunks_exact_mut(4);
        for (lane, sum) in lanes.zip(self.sums.get(&place(&repr)).into_iter().flatten()) {
            let reads = adder(self.variant).read(&sum.register(), Rounding::TowardZero);
            let reads = lane_bytes(self.byte_order, reads);
            if sum.cancelled {
                other |= lane != reads;
                lane.copy_from_slice(&reads);
            }
            assert_eq!(lane, reads, "{sum:?}");
        }
        (bytes, other)
    }

    pub fn cancelled(&self, repr: &Repr) -> bool {
        self.sums.get(&place(repr)).into_iter().flatten().any(|sum| sum.cancelled)
    }
}
