//! Dense tensors: a contiguous vector in memory, converted while it is packed and unpacked.

use std::borrow::Borrow;

use netfold_kernels::{self as kernels, Lanes, Quantised};
use netfold_num::{ByteOrder, ElementType, Exponent, Form, Scale};

use crate::call::Collective;
use crate::plan::{Block, Plan};
use crate::tensor::{Contiguous, Tensor};

/// The memory of a call: its input and its output, which may be the same. Ranges are in bytes and
/// lie within what [`Plan::input_output_elements`] says.
pub trait Memory {
    /// Returns the bytes of the input.
    fn input(&self, range: std::ops::Range<usize>) -> &[u8];
    /// Returns the bytes of the output.
    fn output(&mut self, range: std::ops::Range<usize>) -> &mut [u8];
    /// Copies bytes of the input to the output, from offset `to` on.
    fn keep(&mut self, range: std::ops::Range<usize>, to: usize);
    /// Returns whether input and output are the same memory.
    fn in_place(&self) -> bool;
}

/// A tensor that is reduced in place.
impl Memory for Vec<u8> {
    fn input(&self, range: std::ops::Range<usize>) -> &[u8] {
        &self[range]
    }

    fn output(&mut self, range: std::ops::Range<usize>) -> &mut [u8] {
        &mut self[range]
    }

    fn keep(&mut self, range: std::ops::Range<usize>, to: usize) {
        self.copy_within(range, to);
    }

    fn in_place(&self) -> bool {
        true
    }
}

impl<M: Memory> Memory for &mut M {
    fn input(&self, range: std::ops::Range<usize>) -> &[u8] {
        (**self).input(range)
    }

    fn output(&mut self, range: std::ops::Range<usize>) -> &mut [u8] {
        (**self).output(range)
    }

    fn keep(&mut self, range: std::ops::Range<usize>, to: usize) {
        (**self).keep(range, to);
    }

    fn in_place(&self) -> bool {
        (**self).in_place()
    }
}

/// A dense tensor of a [`Plan`], its own or a borrowed one, in some [`Memory`].
#[derive(Debug)]
pub struct Dense<M, P = Plan> {
    plan: P,
    memory: M,
}

impl<M: Memory, P: Borrow<Plan>> Dense<M, P> {
    /// Returns the tensor of `plan` in `memory`.
    pub fn new(plan: P, memory: M) -> Self {
        Self { plan, memory }
    }

    /// Returns the plan of its call.
    pub fn plan(&self) -> &Plan {
        self.plan.borrow()
    }

    /// Gives the memory back.
    pub fn into_memory(self) -> M {
        self.memory
    }

    fn range(&self, offset: Option<u64>, elements: u16) -> std::ops::Range<usize> {
        let bytes = self.plan().call().element_type.bytes();
        let start = offset.unwrap_or(0) as usize * bytes;
        let len = if offset.is_some() { usize::from(elements) * bytes } else { 0 };
        start..start + len
    }

    /// Returns this worker's contribution; nothing if it contributes nothing.
    fn input(&self, block: &Block) -> &[u8] {
        self.memory.input(self.range(block.input, block.sent))
    }

    fn output(&mut self, block: &Block) -> &mut [u8] {
        let range = self.range(block.output, block.taken);
        self.memory.output(range)
    }
}

impl<M: Memory, P: Borrow<Plan>> Tensor for Dense<M, P> {
    fn keep(&mut self) {
        let Some(kept) = self.plan().kept() else { return };
        let bytes = self.plan().call().element_type.bytes();
        let start = kept.input as usize * bytes;
        let range = start..start + kept.elements as usize * bytes;
        self.memory.keep(range, kept.output as usize * bytes);
    }

    fn description(&self) -> Option<String> {
        let call = self.plan().call();
        let is_one = matches!(call.collective, Collective::Elsewhere { .. });
        is_one.then(|| {
            String::from_utf8_lossy(self.memory.input(0..call.elements as usize)).into_owned()
        })
    }

    fn exponent(&self, block: &Block) -> Exponent {
        exponent(self.plan(), self.input(block))
    }

    fn finite_exponent(&self, block: &Block) -> Exponent {
        finite_exponent(self.plan(), self.input(block))
    }

    fn pack(&self, block: &Block, exponent: Exponent, lanes: &mut [u8]) {
        if block.raw {
            return lanes.copy_from_slice(self.input(block));
        }
        to_lanes(self.plan(), exponent, self.input(block), lanes);
    }

    fn lanes(&self, block: &Block, exponent: Exponent) -> Option<Lanes<'_>> {
        let (plan, elements) = (self.plan(), self.input(block));
        let element_type = plan.call().element_type;
        let coding = plan.coding();
        let in_order = plan.byte_order() == ByteOrder::Little && cfg!(target_endian = "little");
        match coding.form {
            _ if block.raw => Some(Lanes::Ready(elements)),
            Form::Plain if in_order => Some(Lanes::Ready(elements)),
            Form::Block if in_order && coding.lane == ElementType::I32 => {
                let scale = scale(plan, exponent);
                Some(Lanes::Quantised(Quantised { element_type, elements, scale }))
            }
            _ => None,
        }
    }

    fn pack_classes(&self, block: &Block, lanes: &mut [u8]) {
        to_classes(self.plan(), self.input(block), lanes);
    }

    fn unpack(&mut self, block: &Block, exponent: Exponent, special: bool, lanes: &[u8]) {
        let range = self.range(block.output, block.taken);
        let Self { plan, memory } = self;
        let (plan, output) = (Borrow::<Plan>::borrow(plan), memory.output(range));
        if block.raw {
            return output.copy_from_slice(lanes);
        }
        let (element_type, lane, divisor) =
            (plan.call().element_type, plan.coding().lane, plan.divisor());
        match plan.coding().form {
            Form::Plain => {
                kernels::from_wire(element_type, plan.byte_order(), lanes, output);
                if divisor != 1 {
                    kernels::divide(element_type, output, divisor);
                }
            }
            Form::Block => {
                let scale = scale(plan, exponent);
                let dequantise =
                    if special { kernels::dequantise_finite } else { kernels::dequantise };
                decode(plan, lane, lanes, output, |lanes, output| {
                    dequantise(element_type, lanes, &scale, divisor, output);
                });
            }
            Form::Ordered => decode(plan, lane, lanes, output, |lanes, output| {
                kernels::from_ordered(element_type, lanes, output);
            }),
        }
    }

    fn unpack_classes(&mut self, block: &Block, lanes: &[u8]) {
        let range = self.range(block.output, block.taken);
        let Self { plan, memory } = self;
        let (plan, in_place) = (Borrow::<Plan>::borrow(plan), memory.in_place());
        decode(plan, CLASS, lanes, memory.output(range), |lanes, output| {
            kernels::resolve(plan.call().element_type, lanes, output, in_place);
        });
    }
}

impl<M: Memory, P: Borrow<Plan>> Contiguous for Dense<M, P> {
    fn elements(&self, block: &Block) -> &[u8] {
        self.input(block)
    }

    fn take_sum<'b, B: Iterator<Item = &'b [u8]>>(
        &mut self,
        block: &Block,
        blocks: &impl Fn() -> B,
    ) -> Exponent {
        let (workers, divisor) = (self.plan().workers(), self.plan().divisor());
        kernels::sum_blocks(blocks, workers, divisor, self.output(block))
    }
}

/// Returns the exponent of some elements of a call, SPECIAL if one is NaN or infinite (R-NUM-6).
pub(crate) fn exponent(plan: &Plan, elements: &[u8]) -> Exponent {
    kernels::exponent(plan.call().element_type, elements)
}

/// Returns the exponent of the finite ones among them.
pub(crate) fn finite_exponent(plan: &Plan, elements: &[u8]) -> Exponent {
    kernels::finite_exponent(plan.call().element_type, elements)
}

/// Writes the lanes of some elements of a call, quantised with `exponent` where the coding asks for
/// it.
pub(crate) fn to_lanes(plan: &Plan, exponent: Exponent, elements: &[u8], lanes: &mut [u8]) {
    let (element_type, lane, operation) =
        (plan.call().element_type, plan.coding().lane, plan.operation());
    match plan.coding().form {
        Form::Plain => kernels::to_wire(element_type, plan.byte_order(), elements, lanes),
        Form::Block => {
            let scale = scale(plan, exponent);
            encode(plan, lane, elements, lanes, |elements, lanes| {
                kernels::quantise(element_type, elements, &scale, lanes);
            });
        }
        Form::Ordered => encode(plan, lane, elements, lanes, |elements, lanes| {
            kernels::to_ordered(element_type, operation, elements, lanes);
        }),
    }
}

/// The type of a lane that counts classes (R-NUM-13).
pub(crate) const CLASS: ElementType = ElementType::I32;

/// Writes the lanes that tell which of some elements are NaN or infinite (R-NUM-13).
pub(crate) fn to_classes(plan: &Plan, elements: &[u8], lanes: &mut [u8]) {
    let element_type = plan.call().element_type;
    encode(plan, CLASS, elements, lanes, |elements, lanes| {
        kernels::classify(element_type, elements, lanes)
    });
}

fn scale(plan: &Plan, exponent: Exponent) -> Scale {
    let scale = match plan.coding().lane {
        ElementType::F16 => Scale::of_halves(plan.workers(), exponent),
        _ => Scale::new(plan.workers(), exponent),
    };
    scale.expect("values are sent with an exponent that was agreed on (R-WORK-4)")
}

/// Lanes that are converted at once on their way from or to network order: few enough for the
/// stack, and to stay in the first level of the cache.
const CHUNK_LANES: usize = 256;

/// Most bytes of a lane that elements are converted into: i32, or f16.
const MOST_LANE_BYTES: usize = ElementType::I32.bytes();

/// Converts elements into lanes of a type and the job's byte order (R-NUM-19); `convert` writes
/// little-endian ones.
fn encode(
    plan: &Plan,
    lane: ElementType,
    input: &[u8],
    lanes: &mut [u8],
    convert: impl Fn(&[u8], &mut [u8]),
) {
    if plan.byte_order() == ByteOrder::Little {
        return convert(input, lanes);
    }
    let mut little = [0; CHUNK_LANES * MOST_LANE_BYTES];
    let elements = input.chunks(CHUNK_LANES * plan.call().element_type.bytes());
    for (input, lanes) in elements.zip(lanes.chunks_mut(CHUNK_LANES * lane.bytes())) {
        let little = &mut little[..lanes.len()];
        convert(input, little);
        kernels::swap(lane, little, lanes);
    }
}

/// Converts lanes of a type and the job's byte order into elements (R-NUM-19); `convert` reads
/// little-endian ones.
fn decode(
    plan: &Plan,
    lane: ElementType,
    lanes: &[u8],
    output: &mut [u8],
    convert: impl Fn(&[u8], &mut [u8]),
) {
    if plan.byte_order() == ByteOrder::Little {
        return convert(lanes, output);
    }
    let mut little = [0; CHUNK_LANES * MOST_LANE_BYTES];
    let elements = output.chunks_mut(CHUNK_LANES * plan.call().element_type.bytes());
    for (lanes, output) in lanes.chunks(CHUNK_LANES * lane.bytes()).zip(elements) {
        let little = &mut little[..lanes.len()];
        kernels::swap(lane, lanes, little);
        convert(little, output);
    }
}
