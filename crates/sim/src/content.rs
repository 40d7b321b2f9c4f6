//! The content of the workers' tensors: real elements, or probes that stand for them.

use netfold_num::{ElementType, Exponent, Operation};
use netfold_worker::{Block, Collective, Dense, Plan, Tensor};

use crate::memory::CallBytes;
use crate::oracle::WrongElement;

/// Bytes of a probe's lane.
pub(crate) const PROBE_LANE_BYTES: usize = 4;

/// The tensor of one worker's call on one flow.
pub(crate) enum Elements {
    Probe(Probe),
    Real(Dense<CallBytes>),
}

/// Elements that need no memory. That of rank r at place e is (r + 1) h(e), for a small h: so the
/// sum tells whether each worker's was added, and once. Bytes that are only moved are those of
/// their places in the output.
pub(crate) struct Probe {
    rank: u16,
    /// The sum of (r + 1) over all workers.
    all: i32,
    /// Place of this worker's first byte in the output, if bytes are only moved.
    moved_to: Option<u64>,
    /// Lanes of results that were not the sum.
    pub(crate) wrong: u64,
    pub(crate) first_wrong: Option<WrongElement>,
}

impl Probe {
    pub(crate) fn new(plan: &Plan, rank: u16) -> Self {
        let workers = i64::from(plan.workers());
        let moved_to = match plan.call().collective {
            Collective::Broadcast { .. } => Some(0),
            Collective::AllGather | Collective::Gather { .. } => {
                Some(u64::from(rank) * plan.call().elements)
            }
            _ => None,
        };
        // In 32 bits, as the switch adds.
        let all = (workers * (workers + 1) / 2) as i32;
        Self { rank, all, moved_to, wrong: 0, first_wrong: None }
    }

    /// Returns the bytes of a lane, if elements of a call can be probes.
    pub(crate) fn lane_bytes(plan: &Plan) -> Option<u32> {
        match plan.call().collective {
            Collective::Broadcast { .. } | Collective::AllGather | Collective::Gather { .. } => {
                Some(1)
            }
            _ => Self::can_be(plan).then_some(PROBE_LANE_BYTES as u32),
        }
    }

    /// Returns whether a call's elements can be probes that are added.
    fn can_be(plan: &Plan) -> bool {
        let contributed_by_all = matches!(
            plan.call().collective,
            Collective::AllReduce
                | Collective::Reduce { .. }
                | Collective::ReduceScatter
                | Collective::Barrier
        );
        let sums = plan.operation() == Operation::Sum && plan.coding().lane == ElementType::I32;
        contributed_by_all && (sums || plan.call().collective == Collective::Barrier)
    }
}

/// h: 1 to 16.
fn weight(element: u64) -> i32 {
    1 + (element.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60) as i32
}

/// The byte at a place of the output, where bytes are only moved.
fn mark(place: u64) -> u8 {
    (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
}

fn lanes_of(from: u64, lanes: usize) -> impl Iterator<Item = i32> {
    (from..).take(lanes / PROBE_LANE_BYTES).map(weight)
}

impl Tensor for Probe {
    fn exponent(&self, _block: &Block) -> Exponent {
        Exponent::of_magnitude_bits(1_f32.to_bits())
    }

    fn finite_exponent(&self, block: &Block) -> Exponent {
        self.exponent(block)
    }

    fn pack(&self, block: &Block, _exponent: Exponent, lanes: &mut [u8]) {
        if let Some(first) = self.moved_to {
            let from = first + block.input.unwrap_or(0);
            lanes.iter_mut().zip(from..).for_each(|(lane, place)| *lane = mark(place));
            return;
        }
        let weights = lanes_of(block.input.unwrap_or(0), lanes.len());
        for (lane, weight) in lanes.chunks_exact_mut(PROBE_LANE_BYTES).zip(weights) {
            lane.copy_from_slice(&(weight * (i32::from(self.rank) + 1)).to_le_bytes());
        }
    }

    fn pack_classes(&self, _block: &Block, lanes: &mut [u8]) {
        lanes.fill(0);
    }

    fn unpack(&mut self, block: &Block, _exponent: Exponent, _special: bool, lanes: &[u8]) {
        if self.moved_to.is_some() {
            let from = block.output.unwrap_or(0);
            for (element, got) in (from..).zip(lanes).filter(|(place, got)| mark(*place) != **got) {
                let (wanted, got) = (mark(element).to_string(), got.to_string());
                self.wrong += 1;
                self.first_wrong.get_or_insert(WrongElement { element, wanted, got });
            }
            return;
        }
        // The elements that a worker takes stand where it has contributed them (R-STREAM-4).
        let from = block.input.unwrap_or(0);
        let sums =
            lanes.as_chunks::<PROBE_LANE_BYTES>().0.iter().map(|lane| i32::from_le_bytes(*lane));
        for ((element, weight), got) in (from..).zip(lanes_of(from, lanes.len())).zip(sums) {
            let wanted = weight.wrapping_mul(self.all);
            if got != wanted {
                let (wanted, got) = (wanted.to_string(), got.to_string());
                self.wrong += 1;
                self.first_wrong.get_or_insert(WrongElement { element, wanted, got });
            }
        }
    }

    fn unpack_classes(&mut self, _block: &Block, _lanes: &[u8]) {}
}

impl Tensor for Elements {
    fn keep(&mut self) {
        if let Self::Real(dense) = self {
            dense.keep();
        }
    }

    fn exponent(&self, block: &Block) -> Exponent {
        match self {
            Self::Probe(probe) => probe.exponent(block),
            Self::Real(dense) => dense.exponent(block),
        }
    }

    fn finite_exponent(&self, block: &Block) -> Exponent {
        match self {
            Self::Probe(probe) => probe.finite_exponent(block),
            Self::Real(dense) => dense.finite_exponent(block),
        }
    }

    fn pack(&self, block: &Block, exponent: Exponent, lanes: &mut [u8]) {
        match self {
            Self::Probe(probe) => probe.pack(block, exponent, lanes),
            Self::Real(dense) => dense.pack(block, exponent, lanes),
        }
    }

    fn pack_classes(&self, block: &Block, lanes: &mut [u8]) {
        match self {
            Self::Probe(probe) => probe.pack_classes(block, lanes),
            Self::Real(dense) => dense.pack_classes(block, lanes),
        }
    }

    fn unpack(&mut self, block: &Block, exponent: Exponent, special: bool, lanes: &[u8]) {
        match self {
            Self::Probe(probe) => probe.unpack(block, exponent, special, lanes),
            Self::Real(dense) => dense.unpack(block, exponent, special, lanes),
        }
    }

    fn unpack_classes(&mut self, block: &Block, lanes: &[u8]) {
        match self {
            Self::Probe(probe) => probe.unpack_classes(block, lanes),
            Self::Real(dense) => dense.unpack_classes(block, lanes),
        }
    }
}

/// Elements for a real call of a scenario: integers from 1 to 16 in the type's own format. Those of
/// two ranks follow no common pattern, so that none stands for another.
pub(crate) fn sample(element_type: ElementType, elements: u64, rank: u16) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(elements as usize * element_type.bytes());
    for element in 0..elements {
        let value = weight(element + (u64::from(rank) << 32)) as u8;
        match element_type {
            ElementType::F32 => bytes.extend(f32::from(value).to_le_bytes()),
            ElementType::F16 => bytes.extend(half::f16::from(value).to_le_bytes()),
            ElementType::Bf16 => bytes.extend(half::bf16::from(value).to_le_bytes()),
            ElementType::F64 => bytes.extend(f64::from(value).to_le_bytes()),
            ElementType::I32 => bytes.extend(i32::from(value).to_le_bytes()),
            ElementType::I64 => bytes.extend(i64::from(value).to_le_bytes()),
            ElementType::U8 => bytes.push(value),
        }
    }
    bytes
}
