//! The memory of a call that has real elements: plain bytes, a copy for each flow.

use std::ops::Range;

use netfold_worker::{Memory, Plan};

/// Value of the output's bytes before a result is written.
const UNTOUCHED: u8 = 0xA5;

/// Input and output of a call. Flows that share a call get a clone each, so that a flow which
/// writes outside its blocks is found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallBytes {
    /// The input, or, in place, input and output.
    input: Vec<u8>,
    /// The output; `None` in place.
    output: Option<Vec<u8>>,
    input_bytes: usize,
    output_bytes: usize,
}

impl CallBytes {
    /// The memory of `plan` with this input; in place, the output takes the input's bytes.
    ///
    /// # Panics
    /// If `input` is not as long as the plan says.
    pub fn new(plan: &Plan, mut input: Vec<u8>, in_place: bool) -> Self {
        let bytes = |elements: u64| elements as usize * plan.call().element_type.bytes();
        let (input_elements, output_elements) = plan.input_output_elements();
        assert_eq!(input.len(), bytes(input_elements), "the input of {}", plan.call());
        let (input_bytes, output_bytes) = (input.len(), bytes(output_elements));
        let output = if in_place {
            input.resize(input.len().max(output_bytes), UNTOUCHED);
            None
        } else {
            Some(vec![UNTOUCHED; output_bytes])
        };
        Self { input, output, input_bytes, output_bytes }
    }

    /// The input, as long as nothing was written in its place.
    pub(crate) fn input_bytes(&self) -> &[u8] {
        &self.input[..self.input_bytes]
    }

    /// The output.
    pub fn result(&self) -> &[u8] {
        &self.output.as_ref().unwrap_or(&self.input)[..self.output_bytes]
    }

    fn result_mut(&mut self) -> &mut [u8] {
        &mut self.output.as_mut().unwrap_or(&mut self.input)[..self.output_bytes]
    }

    /// Takes over what `part`, the clone that flow `flow` of `flows` has worked on, has changed of
    /// `before`: the blocks of that flow (R-STREAM-2), and of the first flow what the worker keeps
    /// (R-STREAM-13).
    ///
    /// # Panics
    /// If the flow has changed anything but its blocks.
    pub fn merge(&mut self, plan: &Plan, flow: u16, flows: u16, part: Self, before: &Self) {
        let mine = self.result_mut().iter_mut().zip(part.result()).zip(before.result());
        mine.filter(|((_, new), old)| new != old).for_each(|((mine, new), _)| *mine = *new);
        let stays_within = part.stays_within(plan, flow, flows, before);
        assert!(stays_within, "flow {flow} has written outside its blocks of {}", plan.call());
    }

    /// Returns whether flow `flow` of `flows`, to which this belonged, has changed nothing but its
    /// blocks of `before`.
    pub(crate) fn stays_within(
        mut self,
        plan: &Plan,
        flow: u16,
        flows: u16,
        before: &Self,
    ) -> bool {
        for range in outputs(plan, flow, flows) {
            let before = &before.output.as_ref().unwrap_or(&before.input)[range.clone()];
            self.output(range).copy_from_slice(before);
        }
        self == *before
    }
}

/// Returns the places of a flow's blocks in the output, in bytes.
fn outputs(plan: &Plan, flow: u16, flows: u16) -> impl Iterator<Item = Range<usize>> {
    let element = plan.call().element_type.bytes();
    let kept = plan.kept().filter(|_| flow == 0).map(|kept| (kept.output, kept.elements));
    let blocks = (u64::from(flow)..plan.blocks()).step_by(flows.into());
    let blocks = blocks.flat_map(|number| {
        let outputs = plan.outputs(&plan.block(number));
        outputs.map(|block| (block.output.expect("a place has an offset"), block.taken.into()))
    });
    let places = kept.into_iter().chain(blocks);
    places.map(move |(offset, elements)| {
        offset as usize * element..(offset + elements) as usize * element
    })
}

impl Memory for CallBytes {
    fn input(&self, range: Range<usize>) -> &[u8] {
        &self.input[range]
    }

    fn output(&mut self, range: Range<usize>) -> &mut [u8] {
        &mut self.output.as_mut().unwrap_or(&mut self.input)[range]
    }

    fn keep(&mut self, range: Range<usize>, to: usize) {
        let kept = self.input[range].to_vec();
        self.output(to..to + kept.len()).copy_from_slice(&kept);
    }

    fn in_place(&self) -> bool {
        self.output.is_none()
    }
}
