//! Dense tensors: a contiguous vector in memory, converted while it is packed and unpacked.

use netfold_kernels as kernels;
use netfold_num::{Exponent, Form, Scale};

use crate::plan::{Block, Plan};
use crate::tensor::Tensor;

/// The memory of a call: its input and its output, which may be the same. Ranges are in bytes and lie within what
/// [`Plan::input_output_elements`] says.
pub trait Memory {
    /// Bytes of the input.
    fn input(&self, range: std::ops::Range<usize>) -> &[u8];
    /// Bytes of the output.
    fn output(&mut self, range: std::ops::Range<usize>) -> &mut [u8];
    /// Whether input and output are the same memory.
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

    fn in_place(&self) -> bool {
        true
    }
}

/// A dense tensor of a [`Plan`] in some [`Memory`].
#[derive(Debug)]
pub struct Dense<M> {
    plan: Plan,
    memory: M,
}

impl<M: Memory> Dense<M> {
    /// The tensor of `plan` in `memory`.
    pub fn new(plan: Plan, memory: M) -> Self {
        Self { plan, memory }
    }

    /// The memory back.
    pub fn into_memory(self) -> M {
        self.memory
    }

    fn scale(&self, exponent: Exponent) -> Scale {
        Scale::new(self.plan.workers(), exponent)
            .expect("values are sent with an exponent that was agreed on (R-WORK-4)")
    }

    fn range(&self, offset: Option<u64>, block: &Block) -> std::ops::Range<usize> {
        let bytes = self.plan.call().element_type.bytes();
        let start = offset.unwrap_or(0) as usize * bytes;
        let len = if offset.is_some() { usize::from(block.elements) * bytes } else { 0 };
        start..start + len
    }

    /// This worker's contribution; nothing if it contributes nothing.
    fn input(&self, block: &Block) -> &[u8] {
        self.memory.input(self.range(block.input, block))
    }

    fn output(&mut self, block: &Block) -> &mut [u8] {
        let range = self.range(block.output, block);
        self.memory.output(range)
    }
}

impl<M: Memory> Tensor for Dense<M> {
    fn exponent(&self, block: &Block) -> Exponent {
        kernels::exponent(self.plan.call().element_type, self.input(block))
    }

    fn finite_exponent(&self, block: &Block) -> Exponent {
        kernels::finite_exponent(self.plan.call().element_type, self.input(block))
    }

    fn pack(&self, block: &Block, exponent: Exponent, lanes: &mut [u8]) {
        let element_type = self.plan.call().element_type;
        let input = self.input(block);
        match self.plan.coding().form {
            Form::Plain => kernels::to_wire(element_type, input, lanes),
            Form::Block => kernels::quantise(element_type, input, &self.scale(exponent), lanes),
            Form::Ordered => kernels::to_ordered(element_type, self.plan.operation(), input, lanes),
        }
    }

    fn pack_classes(&self, block: &Block, lanes: &mut [u8]) {
        kernels::classify(self.plan.call().element_type, self.input(block), lanes);
    }

    fn unpack(&mut self, block: &Block, exponent: Exponent, special: bool, lanes: &[u8]) {
        let (element_type, divisor) = (self.plan.call().element_type, self.plan.divisor());
        match self.plan.coding().form {
            Form::Plain => {
                let output = self.output(block);
                kernels::from_wire(element_type, lanes, output);
                if divisor != 1 {
                    kernels::divide(element_type, output, divisor);
                }
            }
            Form::Block => {
                let scale = self.scale(exponent);
                let dequantise = if special { kernels::dequantise_finite } else { kernels::dequantise };
                dequantise(element_type, lanes, &scale, divisor, self.output(block));
            }
            Form::Ordered => kernels::from_ordered(element_type, lanes, self.output(block)),
        }
    }

    fn unpack_classes(&mut self, block: &Block, lanes: &[u8]) {
        let (element_type, in_place) = (self.plan.call().element_type, self.memory.in_place());
        kernels::resolve(element_type, lanes, self.output(block), in_place);
    }
}
