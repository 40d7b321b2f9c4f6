//! The division of a call into blocks (R-STREAM-1 to R-STREAM-5).

use core::fmt;

use netfold_num::{Arithmetic, ByteOrder, Coding, ElementType, Form, Operation, Unsupported};
use netfold_wire::{CallDigest, Delivery, WorkerId};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::call::{Call, Collective, Priority, Reduction};
use crate::tensor::Tensor;

/// A reason why a call cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The job's arithmetic does not have this fold.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// An average of integers.
    #[error(
        "an average of {0} is not defined here: integers would be truncated; sum them and divide, or convert to floating point first"
    )]
    IntegerAverage(&'static str),
    /// Elements of a type where only bytes are moved.
    #[error("{collective} moves bytes: give it u8 and a length in bytes, not {element_type}")]
    MovesBytes {
        /// The collective asked for.
        collective: &'static str,
        /// The type given.
        element_type: &'static str,
    },
    /// A root that is no worker of the job.
    #[error("root {root} is not a rank of this job, which has ranks 0 to {last}")]
    Root {
        /// The root asked for.
        root: u16,
        /// The last rank.
        last: u16,
    },
    /// More elements than can be addressed.
    #[error("{0} elements are more than a call can have")]
    TooLong(u64),
}

impl PlanError {
    /// Returns true if the job's arithmetic lacks the fold: every call of this reduction and
    /// element type is refused. Any other error is a mistake in one call.
    pub const fn is_of_the_arithmetic(&self) -> bool {
        matches!(self, Self::Unsupported(_) | Self::IntegerAverage(_))
    }
}

impl Reduction {
    /// Returns the coding of elements of this type in jobs of this arithmetic.
    ///
    /// # Errors
    /// One for which [`PlanError::is_of_the_arithmetic`] holds: no such job has the fold.
    #[inline]
    pub fn coding(
        self,
        arithmetic: Arithmetic,
        element_type: ElementType,
    ) -> Result<Coding, PlanError> {
        if self == Self::Average && !element_type.is_float() {
            return Err(PlanError::IntegerAverage(element_type.name()));
        }
        Ok(arithmetic.coding(element_type, self.operation())?)
    }
}

/// One packet's worth of a call. Offsets and lengths are in elements of the call's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Elements, and lanes.
    pub elements: u16,
    /// Offset of this worker's contribution in its input; `None` if it contributes nothing.
    pub input: Option<u64>,
    /// Offset of the result in this worker's output; `None` if it takes nothing.
    pub output: Option<u64>,
    /// Receivers of the lanes of the result.
    pub delivery: Delivery,
}

/// A call as one worker carries it out: its blocks, their coding, and the worker's own part of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    call: Call,
    coding: Coding,
    byte_order: ByteOrder,
    operation: Operation,
    workers: u16,
    rank: WorkerId,
    lanes_per_block: u16,
    segments: u16,
    blocks_per_segment: u64,
}

/// The longest call that is urgent unless its caller says otherwise (R-STREAM-9).
const URGENT_BYTES: u64 = 16 * 1024;

/// Most elements of a vector: offsets in bytes of all workers' parts stay within 63 bits.
const MAX_ELEMENTS: u64 = 1 << 48;

impl Plan {
    /// Returns the plan of `call`, with little-endian lanes, at worker `rank` of `workers`, with
    /// packets of `payload_bytes`.
    ///
    /// # Errors
    /// The error names what cannot be done. It is the same on every worker that makes the same
    /// call.
    #[inline]
    pub fn new(
        call: Call,
        arithmetic: Arithmetic,
        workers: u16,
        rank: WorkerId,
        payload_bytes: u32,
    ) -> Result<Self, PlanError> {
        if let Some(root) = call.collective.root().filter(|root| root.0 >= workers) {
            return Err(PlanError::Root { root: root.0, last: workers - 1 });
        }
        if call.elements > MAX_ELEMENTS {
            return Err(PlanError::TooLong(call.elements));
        }
        let moves = call.collective.only_moves();
        if moves && call.element_type != ElementType::U8 {
            let (collective, element_type) = (call.collective.name(), call.element_type.name());
            return Err(PlanError::MovesBytes { collective, element_type });
        }
        // A fold that the arithmetic does not have is refused without elements, too.
        let reduction = call.carried_out();
        let (mut operation, mut coding) =
            (reduction.operation(), reduction.coding(arithmetic, call.element_type)?);
        let empty = call.travelling() == 0;
        if empty {
            // R-STREAM-7, R-STREAM-11
            (operation, coding) =
                (Operation::Copy, arithmetic.coding(ElementType::U8, Operation::Copy)?);
        }
        // A header counts lanes in 16 bits.
        let lane_bytes = arithmetic.slot_bytes(coding.lane, operation);
        let lanes_per_block =
            (payload_bytes as usize / lane_bytes).min(usize::from(u16::MAX)) as u16;
        let blocks = call.elements.div_ceil(lanes_per_block.into());
        let (segments, blocks_per_segment) = match call.collective {
            Collective::Barrier => (1, 1),
            _ if empty => (1, 1),
            Collective::AllGather | Collective::ReduceScatter => (workers, blocks),
            _ => (1, blocks),
        };
        Ok(Self {
            call,
            coding,
            byte_order: ByteOrder::Little,
            operation,
            workers,
            rank,
            lanes_per_block,
            segments,
            blocks_per_segment,
        })
    }

    /// Returns the same plan with lanes in the byte order of the job (R-NUM-19).
    #[must_use]
    pub fn with_byte_order(self, byte_order: ByteOrder) -> Self {
        Self { byte_order, ..self }
    }

    /// Returns the call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns the coding in which elements travel.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the order of a lane's bytes.
    pub fn byte_order(&self) -> ByteOrder {
        self.byte_order
    }

    /// Returns the operation with which the switch folds lanes.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Workers of the job.
    pub fn workers(&self) -> u16 {
        self.workers
    }

    /// Returns the divisor of a sum where it is unpacked: the number of workers for an average,
    /// else 1.
    pub fn divisor(&self) -> u32 {
        if self.call.reduction == Reduction::Average && !self.call.collective.only_moves() {
            self.workers.into()
        } else {
            1
        }
    }

    /// Returns whether a block's values can only be sent with an exponent that all workers have
    /// agreed on (R-WORK-4).
    pub fn needs_exponent(&self) -> bool {
        self.coding.form == Form::Block
    }

    /// Blocks of the call, on all flows together.
    pub fn blocks(&self) -> u64 {
        u64::from(self.segments) * self.blocks_per_segment
    }

    /// Returns the stream that the call goes through (R-STREAM-9), the same at every worker.
    #[inline]
    pub fn priority(&self) -> Priority {
        self.call.priority.unwrap_or(self.default_priority())
    }

    fn default_priority(&self) -> Priority {
        let bytes = self.call.travelling()
            * u64::from(self.segments)
            * self.call.element_type.bytes() as u64;
        // A barrier stays behind the bulk that was called before it.
        let short = bytes <= URGENT_BYTES && self.call.collective != Collective::Barrier;
        if short { Priority::Urgent } else { Priority::Bulk }
    }

    /// Elements that this worker's input must have, and its output.
    pub fn input_output_elements(&self) -> (u64, u64) {
        let n = self.call.elements;
        let all = n * u64::from(self.workers);
        match self.call.collective {
            Collective::AllReduce => (n, n),
            Collective::Reduce { root } => (n, if root == self.rank { n } else { 0 }),
            Collective::Broadcast { root } if root == self.rank => (n, 0),
            Collective::Broadcast { .. } => (0, n),
            Collective::AllGather => (n, all),
            Collective::ReduceScatter => (all, n),
            Collective::Barrier => (0, 0),
            Collective::Elsewhere { .. } => (n, 0),
        }
    }

    /// Returns block number `index` of the call.
    ///
    /// # Panics
    /// If there is no such block.
    #[inline]
    pub fn block(&self, index: u64) -> Block {
        assert!(index < self.blocks(), "the call has {} blocks", self.blocks());
        let segment = WorkerId((index / self.blocks_per_segment) as u16);
        let offset = (index % self.blocks_per_segment) * u64::from(self.lanes_per_block);
        let elements = (self.call.travelling() - offset).min(self.lanes_per_block.into()) as u16;
        let part = u64::from(segment.0) * self.call.elements;
        let mine = segment == self.rank;
        let (input, output, delivery) = match self.call.collective {
            Collective::Barrier | Collective::Elsewhere { .. } => (None, None, Delivery::All),
            _ if self.call.elements == 0 => (None, None, Delivery::All),
            Collective::AllReduce => (Some(offset), Some(offset), Delivery::All),
            Collective::Reduce { root } => {
                (Some(offset), (root == self.rank).then_some(offset), Delivery::One(root))
            }
            Collective::Broadcast { root } => {
                let is_root = root == self.rank;
                (is_root.then_some(offset), (!is_root).then_some(offset), Delivery::All)
            }
            Collective::AllGather => (mine.then_some(offset), Some(part + offset), Delivery::All),
            Collective::ReduceScatter => {
                (Some(part + offset), mine.then_some(offset), Delivery::One(segment))
            }
        };
        Block { elements, input, output, delivery }
    }

    /// Returns the call as errors show it: one that is carried out elsewhere by the description
    /// that is its `tensor`.
    pub(crate) fn in_words(&self, tensor: Option<&impl Tensor>) -> String {
        tensor.and_then(Tensor::description).unwrap_or_else(|| self.to_string())
    }

    /// Returns the number of the element at a lane of block `index`, counted over all segments.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn element(&self, index: u64, lane: u16) -> u64 {
        let (segment, block) = (index / self.blocks_per_segment, index % self.blocks_per_segment);
        segment * self.call.elements + block * u64::from(self.lanes_per_block) + u64::from(lane)
    }

    /// Returns the digest that all workers' headers must agree in, for call number `number` of the
    /// job (R-STREAM-6).
    pub fn digest(&self, number: u64) -> CallDigest {
        let Call { collective, element_type, elements, .. } = self.call;
        let [high, low] = collective.root().map_or(u16::MAX, |root| root.0).to_be_bytes();
        let [first, high, low] = match collective {
            Collective::Elsewhere { mark } => mark.0,
            _ => [0, high, low],
        };
        let (divides, urgent) = (self.divisor() != 1, self.priority() == Priority::Urgent);
        let (element_type, operation) =
            (element_type.to_wire(), self.call.carried_out().operation().to_wire());
        let rest = [
            collective.code(),
            element_type,
            operation,
            divides.into(),
            urgent.into(),
            first,
            high,
            low,
        ];
        // Whole words, as the hash reads them: it would wait for bytes that have just been written
        // one by one.
        let words = [number, elements, u64::from_be_bytes(rest)].map(u64::to_be_bytes);
        CallDigest(xxh3_64(words.as_flattened()) as u32)
    }
}

impl fmt::Display for Plan {
    /// Writes the call as errors show it: with its priority, unless it is the one that it would
    /// have by its length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let priority = self.priority();
        if priority != self.default_priority() {
            write!(f, "{} ", priority.name())?;
        }
        self.call.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan(collective: Collective, elements: u64, rank: u16) -> Plan {
        let element_type = if collective.only_moves() { ElementType::U8 } else { ElementType::I32 };
        let call = Call {
            collective,
            reduction: Reduction::Fold(Operation::Sum),
            element_type,
            elements,
            priority: None,
        };
        Plan::new(call, Arithmetic::Block, 3, WorkerId(rank), 64).unwrap()
    }

    fn covered(plan: &Plan, offset_of: impl Fn(&Block) -> Option<u64>) -> Vec<u64> {
        let blocks = (0..plan.blocks()).map(|index| plan.block(index));
        blocks
            .filter_map(|block| {
                offset_of(&block).map(|offset| offset..offset + u64::from(block.elements))
            })
            .flatten()
            .collect()
    }

    proptest! {
        /// R-STREAM-4: blocks cover each element of input and output exactly once, in order.
        #[test]
        fn blocks_cover_input_and_output(elements in 0..300u64, rank in 0..3u16, root in 0..3u16) {
            let root = WorkerId(root);
            for collective in [
                Collective::AllReduce,
                Collective::Reduce { root },
                Collective::Broadcast { root },
                Collective::AllGather,
                Collective::ReduceScatter,
            ] {
                let plan = plan(collective, elements, rank);
                let (input, output) = plan.input_output_elements();
                prop_assert_eq!(covered(&plan, |block| block.input), (0..input).collect::<Vec<_>>());
                prop_assert_eq!(covered(&plan, |block| block.output), (0..output).collect::<Vec<_>>());
            }
        }

        /// R-STREAM-4: what one worker receives is what another contributes.
        #[test]
        fn every_block_has_contributors_and_receivers(elements in 1..300u64, root in 0..3u16) {
            let root = WorkerId(root);
            let collectives = [
                (Collective::AllReduce, 3, 3),
                (Collective::Reduce { root }, 3, 1),
                (Collective::Broadcast { root }, 1, 2),
                (Collective::AllGather, 1, 3),
                (Collective::ReduceScatter, 3, 1),
            ];
            for (collective, contributors, receivers) in collectives {
                let plans: Vec<_> = (0..3).map(|rank| plan(collective, elements, rank)).collect();
                for index in 0..plans[0].blocks() {
                    let blocks: Vec<_> = plans.iter().map(|plan| plan.block(index)).collect();
                    prop_assert_eq!(blocks.iter().filter(|block| block.input.is_some()).count(), contributors);
                    prop_assert_eq!(blocks.iter().filter(|block| block.output.is_some()).count(), receivers);
                    for (rank, block) in (0..).zip(&blocks) {
                        prop_assert_eq!(block.elements, blocks[0].elements);
                        prop_assert_eq!(block.delivery, blocks[0].delivery);
                        prop_assert!(block.output.is_none() || block.delivery.addresses(WorkerId(rank)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_barrier_is_one_block_without_lanes() {
        let plan = Plan::new(Call::BARRIER, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
        assert_eq!(plan.blocks(), 1);
        assert_eq!(
            plan.block(0),
            Block { elements: 0, input: None, output: None, delivery: Delivery::All }
        );
    }

    /// R-STREAM-7: whatever the collective, the operation and the arithmetic.
    #[test]
    fn a_call_without_elements_is_carried_out_as_a_barrier() {
        let root = WorkerId(1);
        let collectives = [
            Collective::AllReduce,
            Collective::Reduce { root },
            Collective::Broadcast { root },
            Collective::AllGather,
            Collective::ReduceScatter,
        ];
        let barrier = Plan::new(Call::BARRIER, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
        // R-STREAM-11: whatever the length of its description.
        let elsewhere = Call::elsewhere(&"gather".repeat(4_000));
        let elsewhere = Plan::new(elsewhere, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
        assert_eq!((elsewhere.blocks(), elsewhere.block(0)), (1, barrier.block(0)));
        assert_eq!(
            (elsewhere.operation(), elsewhere.coding()),
            (barrier.operation(), barrier.coding())
        );
        assert_eq!(
            (elsewhere.priority(), elsewhere.input_output_elements()),
            (Priority::Urgent, (24_000, 0))
        );
        let mut digests = vec![barrier.digest(0)];
        for collective in collectives {
            for operation in [Operation::Sum, Operation::Max] {
                let element_type =
                    if collective.only_moves() { ElementType::U8 } else { ElementType::F32 };
                let reduction = Reduction::Fold(operation);
                let call =
                    Call { collective, reduction, element_type, elements: 0, priority: None };
                let plan = Plan::new(call, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
                assert_eq!((plan.blocks(), plan.block(0)), (1, barrier.block(0)));
                assert_eq!(
                    (plan.operation(), plan.coding()),
                    (barrier.operation(), barrier.coding())
                );
                assert!(!plan.needs_exponent());
                digests.push(plan.digest(0));
            }
        }
        digests.sort_unstable_by_key(|digest| digest.0);
        digests.dedup();
        // A broadcast and an all-gather have no operation.
        assert_eq!(digests.len(), 1 + 3 * 2 + 2);
    }

    /// R-STREAM-6: any difference between two calls shows in the digest.
    #[test]
    fn a_digest_differs_where_calls_differ() {
        let base = plan(Collective::AllReduce, 100, 0);
        let of =
            |call: Call| Plan::new(call, Arithmetic::Native, 3, WorkerId(0), 64).unwrap().digest(0);
        let call = *base.call();
        let moved =
            Call { element_type: ElementType::U8, priority: Some(Priority::Urgent), ..call };
        let digests = [
            base.digest(0),
            base.digest(1),
            of(Call { elements: 101, ..call }),
            of(Call { element_type: ElementType::I64, ..call }),
            of(Call { reduction: Reduction::Fold(Operation::Max), ..call }),
            of(Call { element_type: ElementType::F32, ..call }),
            of(Call { element_type: ElementType::F32, reduction: Reduction::Average, ..call }),
            of(Call { collective: Collective::ReduceScatter, ..call }),
            of(Call { priority: Some(Priority::Bulk), ..call }),
            of(Call { collective: Collective::Reduce { root: WorkerId(0) }, ..call }),
            of(Call { collective: Collective::Reduce { root: WorkerId(1) }, ..call }),
            of(Call { collective: Collective::Broadcast { root: WorkerId(0) }, ..moved }),
            of(Call { collective: Collective::AllGather, ..moved }),
            of(Call::elsewhere("gather(8 bytes, root 0)")),
            of(Call::elsewhere("gather(8 bytes, root 1)")),
            // Nothing but the collective is another here.
            of(Call { collective: Collective::Barrier, ..moved }),
        ];
        for (i, a) in digests.iter().enumerate() {
            assert!(digests[i + 1..].iter().all(|b| a != b), "digest {i}");
        }
        // Parts that differ between ranks are not in it.
        assert_eq!(base.digest(5), plan(Collective::AllReduce, 100, 2).digest(5));
        // Nor is the caller's choice of a priority.
        assert_eq!(base.digest(0), of(Call { priority: Some(Priority::Urgent), ..call }));
    }

    /// R-STREAM-9: the length of the whole call decides, where its caller does not.
    #[test]
    fn short_calls_are_urgent() {
        let sum = |collective, bytes: u64| plan(collective, bytes / 4, 0).priority();
        assert_eq!(sum(Collective::AllReduce, 16 * 1024), Priority::Urgent);
        assert_eq!(sum(Collective::AllReduce, 16 * 1024 + 4), Priority::Bulk);
        // Three workers have a part each.
        assert_eq!(sum(Collective::ReduceScatter, 5460), Priority::Urgent);
        assert_eq!(sum(Collective::ReduceScatter, 5464), Priority::Bulk);
        let barrier = Plan::new(Call::BARRIER, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
        assert_eq!(barrier.priority(), Priority::Bulk);
        let chosen = |elements, priority| {
            let call = Call {
                priority: Some(priority),
                ..*plan(Collective::AllReduce, elements, 0).call()
            };
            Plan::new(call, Arithmetic::Block, 3, WorkerId(0), 64).unwrap()
        };
        for priority in [Priority::Urgent, Priority::Bulk] {
            assert!(
                [1, 1_000_000]
                    .iter()
                    .all(|&elements| chosen(elements, priority).priority() == priority)
            );
        }
        assert_eq!(chosen(1, Priority::Bulk).to_string(), "bulk all_reduce(sum, i32, 1 elements)");
        assert_eq!(chosen(1, Priority::Urgent).to_string(), "all_reduce(sum, i32, 1 elements)");
    }

    #[test]
    fn what_cannot_be_done_is_refused_by_name() {
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Average,
            element_type: ElementType::I32,
            elements: 1,
            priority: None,
        };
        let refused = |call, arithmetic| {
            Plan::new(call, arithmetic, 3, WorkerId(0), 64).unwrap_err().to_string()
        };
        assert!(refused(call, Arithmetic::Native).contains("average of i32"));
        let product = Call {
            reduction: Reduction::Fold(Operation::Product),
            element_type: ElementType::F32,
            ..call
        };
        let message = refused(product, Arithmetic::Block);
        assert!(["block", "product", "f32"].iter().all(|word| message.contains(word)), "{message}");
        let moved = Call { collective: Collective::AllGather, ..product };
        let message = refused(moved, Arithmetic::Native);
        assert!(["all_gather", "u8", "f32"].iter().all(|word| message.contains(word)), "{message}");
        let root = Call { collective: Collective::Broadcast { root: WorkerId(3) }, ..product };
        assert!(refused(root, Arithmetic::Block).contains("root 3 is not a rank"));
    }
}
