//! The calls that are in progress on a flow, and where their blocks stand in its stream.

use std::collections::VecDeque;

use netfold_num::Exponent;
use netfold_wire::{CallDigest, Position};

use crate::plan::{Block, Plan};
use crate::tensor::Tensor;

/// A call, by its number in the job from 0: the same at every worker (R-STREAM-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u64);

/// A call in progress on this stream.
#[derive(Clone)]
pub(crate) struct Active<T> {
    id: CallId,
    pub(crate) plan: Plan,
    pub(crate) digest: CallDigest,
    /// Position in the stream at which its blocks begin, not wrapped.
    start: u64,
    /// Blocks on this flow, and how many of them are not done.
    blocks: u64,
    remaining: u64,
    /// Given back when the last block is done.
    tensor: Option<T>,
}

impl<T> Active<T> {
    pub(crate) fn tensor(&self) -> &T {
        self.tensor.as_ref().expect("a call keeps its memory until it is done")
    }

    pub(crate) fn id(&self) -> CallId {
        self.id
    }

    pub(crate) fn tensor_mut(&mut self) -> &mut T {
        self.tensor.as_mut().expect("a call keeps its memory until it is done")
    }
}

impl<T: Tensor> Active<T> {
    /// Returns the call as errors show it.
    pub(crate) fn in_words(&self) -> String {
        self.plan.in_words(self.tensor.as_ref())
    }
}

/// The calls of a stream, in the order in which they were made (R-STREAM-1). Positions are not
/// wrapped here.
#[derive(Clone)]
pub(crate) struct Calls<T> {
    /// This flow, and the flows of the job.
    flow: u64,
    flows: u64,
    active: VecDeque<Active<T>>,
    /// Position after the last block of the last call.
    end: u64,
}

impl<T: Tensor> Calls<T> {
    pub(crate) fn new(flow: u16, flows: u16) -> Self {
        Self { flow: flow.into(), flows: flows.into(), active: VecDeque::new(), end: 0 }
    }

    /// Puts a call at the end. Gives the positions of its blocks, or its memory back if none of
    /// them are on this flow.
    pub(crate) fn push(
        &mut self,
        id: CallId,
        plan: Plan,
        tensor: T,
    ) -> Result<std::ops::Range<u64>, T> {
        // R-STREAM-2: this flow's share of the blocks 0, 1, 2, ...
        let blocks = (plan.blocks() + self.flows - 1 - self.flow) / self.flows;
        if blocks == 0 {
            return Err(tensor);
        }
        let (start, digest) = (self.end, plan.digest(id.0));
        self.end += blocks;
        self.active.push_back(Active {
            id,
            plan,
            digest,
            start,
            blocks,
            remaining: blocks,
            tensor: Some(tensor),
        });
        Ok(start..self.end)
    }

    /// Returns whether no call is in progress.
    pub(crate) fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// Returns the first call in progress.
    pub(crate) fn first(&self) -> Option<CallId> {
        self.active.front().map(|call| call.id)
    }

    /// Returns the position after the last block of the last call.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Returns the call and the block at `position`; `None` if it has not been submitted.
    pub(crate) fn at(&self, position: u64) -> Option<(&Active<T>, Block)> {
        let call = self.call_at(position)?;
        // R-STREAM-2, read backwards.
        let block = call.plan.block((position - call.start) * self.flows + self.flow);
        Some((call, block))
    }

    /// Returns the call at `position`.
    pub(crate) fn call_at(&self, position: u64) -> Option<&Active<T>> {
        self.active.get(self.index(position)?)
    }

    /// Returns the same, to change its memory.
    pub(crate) fn call_at_mut(&mut self, position: u64) -> Option<&mut Active<T>> {
        let index = self.index(position)?;
        self.active.get_mut(index)
    }

    /// Returns this worker's exponent for a block before the block's turn (R-WORK-5).
    pub(crate) fn look_ahead(&self, position: u64) -> Exponent {
        match self.at(position) {
            None => Exponent::UNKNOWN,
            Some((call, block)) if block.raw || !call.plan.needs_exponent() => Exponent::ZERO,
            Some((call, block)) => call.tensor().exponent(&block),
        }
    }

    /// Marks the block at `position` as done. Gives the call and its memory back if it was the last
    /// one.
    pub(crate) fn finish_block(&mut self, position: u64) -> Option<(CallId, T)> {
        let call = self.call_at_mut(position)?;
        call.remaining -= 1;
        let finished = if call.remaining == 0 {
            call.tensor.take().map(|tensor| (call.id, tensor))
        } else {
            None
        };
        while self.active.front().is_some_and(|call| call.remaining == 0) {
            self.active.pop_front();
        }
        finished
    }

    /// Gives up the calls from `first` on; the stream ends where the first of them began.
    pub(crate) fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> + use<T> {
        let given_up = self.active.split_off(self.active.partition_point(|call| call.id < first));
        if let Some(call) = given_up.front() {
            self.end = call.start;
        }
        given_up.into_iter().filter_map(|call| Some((call.id, call.tensor?)))
    }

    /// Returns the call whose block stands at a position as the wire has it, and the block's number
    /// in the call.
    pub(crate) fn at_wire(&self, position: Position) -> Option<(&Active<T>, u64)> {
        let offset =
            |call: &Active<T>| u64::from(position.since(Position(call.start as u32)) as u32);
        let call = self.active.iter().find(|call| offset(call) < call.blocks)?;
        Some((call, offset(call) * self.flows + self.flow))
    }

    /// Returns the call with this name.
    pub(crate) fn named(&self, id: CallId) -> Option<&Active<T>> {
        self.active.iter().find(|call| call.id == id)
    }

    /// Returns the memory of the call with this name, until its last block is done.
    pub(crate) fn tensor_of(&self, id: CallId) -> Option<&T> {
        self.named(id)?.tensor.as_ref()
    }

    fn index(&self, position: u64) -> Option<usize> {
        let is_before = |call: &Active<T>| call.start + call.blocks <= position;
        // Mostly it is the first one's.
        let first = self.active.front().is_some_and(|call| !is_before(call));
        (position < self.end)
            .then(|| if first { 0 } else { self.active.partition_point(is_before) })
    }
}
