//! The division of a call into blocks (R-STREAM-1 to R-STREAM-5, R-STREAM-13).

use core::fmt;
use std::sync::Arc;

use netfold_num::{Arithmetic, ByteOrder, Coding, ElementType, Form, Operation};
use netfold_wire::{CallDigest, WorkerId};
use xxhash_rust::xxh3::xxh3_64;

use crate::call::{Call, Collective, Priority, Reduction};
use crate::tensor::Tensor;

mod blocks;
mod error;
mod lengths;
mod prefixes;
mod segments;
#[cfg(test)]
pub(crate) mod tests;
mod typed;

pub use blocks::{Block, Kept};
pub use error::PlanError;
pub use lengths::Lengths;
use lengths::Parts;
pub(crate) use prefixes::Fold;
use segments::Segments;

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

/// A call as one worker carries it out: its blocks, their coding, and the worker's own part of
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    call: Call,
    coding: Coding,
    byte_order: ByteOrder,
    operation: Operation,
    workers: u16,
    rank: WorkerId,
    lanes_per_block: u16,
    parts: Parts,
    segments: Segments,
    /// Elements of all segments; 0 for a call of one block without lanes.
    travelling: u64,
    /// The longest part of each group, if the call is an exchange (R-STREAM-17).
    exchange: Option<Arc<[u64]>>,
    /// Lanes fold as they travel: with no agreed exponent, and in no wider memory (R-STREAM-18).
    folds_as_sent: bool,
    arithmetic: Arithmetic,
    /// It is bulk unless its caller says otherwise, however short it is (R-STREAM-18).
    bulk_by_default: bool,
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
        Self::of_parts(call, Parts::Even(call.elements), arithmetic, workers, rank, payload_bytes)
    }

    /// Returns the same with parts of these `lengths` (R-STREAM-13). They decide the elements of
    /// the call.
    ///
    /// # Errors
    /// As [`Plan::new`], and [`PlanError::Lengths`] if there are not as many as the collective has
    /// parts.
    pub fn with_lengths(
        call: Call,
        lengths: Lengths,
        arithmetic: Arithmetic,
        workers: u16,
        rank: WorkerId,
        payload_bytes: u32,
    ) -> Result<Self, PlanError> {
        let needed = Lengths::needed(call.collective, workers).unwrap_or(0);
        let given = lengths.all().len();
        if needed != given || needed == 0 {
            return Err(PlanError::Lengths { collective: call.collective.name(), needed, given });
        }
        let total = lengths.total().filter(|total| *total <= MAX_ELEMENTS);
        let elements = total.ok_or(PlanError::TooLong(lengths.total().unwrap_or(u64::MAX)))?;
        let call = Call { elements, ..call };
        let parts = Parts::uneven(lengths, call.collective, workers, rank);
        Self::of_parts(call, parts, arithmetic, workers, rank, payload_bytes)
    }

    #[inline(always)]
    fn of_parts(
        call: Call,
        parts: Parts,
        arithmetic: Arithmetic,
        workers: u16,
        rank: WorkerId,
        payload_bytes: u32,
    ) -> Result<Self, PlanError> {
        if let Some(root) = call.collective.root().filter(|root| root.0 >= workers) {
            return Err(PlanError::Root { root: root.0, last: workers - 1 });
        }
        if call.collective == Collective::Message && workers != 2 {
            return Err(PlanError::Message(workers));
        }
        if call.elements > MAX_ELEMENTS {
            return Err(PlanError::TooLong(call.elements));
        }
        let moves = call.collective.only_moves();
        if moves && call.element_type != ElementType::U8 {
            let (collective, element_type) = (call.collective.name(), call.element_type.name());
            return Err(PlanError::MovesBytes { collective, element_type });
        }
        if call.collective.prefix_delivery().is_some() && call.reduction == Reduction::Average {
            return Err(PlanError::PrefixAverage(call.collective.name()));
        }
        // A fold that the arithmetic does not have is refused without elements, too.
        let reduction = call.carried_out();
        let (mut operation, mut coding) =
            (reduction.operation(), reduction.coding(arithmetic, call.element_type)?);
        // A header counts lanes in 16 bits.
        let lane_bytes = arithmetic.slot_bytes(coding.lane, operation);
        let mut lanes_per_block =
            (payload_bytes as usize / lane_bytes).min(usize::from(u16::MAX)) as u16;
        if let Reduction::User(fold) = &reduction {
            lanes_per_block = typed::lanes_per_block(fold, &call, &parts, lanes_per_block)?;
        }
        let travelling = if call.moves_no_elements() {
            0
        } else {
            let elements = Segments::elements(call.collective, workers, &parts);
            elements.ok_or(PlanError::TooLong(call.elements))?
        };
        if call.collective == Collective::LookAside && !matches!(reduction, Reduction::User(_)) {
            return Err(PlanError::NoAnswer);
        }
        let mut segments = Segments::ONE_BLOCK;
        if travelling == 0 {
            // R-STREAM-7, R-STREAM-11
            (operation, coding) =
                (Operation::Copy, arithmetic.coding(ElementType::U8, Operation::Copy)?);
        } else {
            segments = Segments::new(call.collective, workers, &parts, lanes_per_block);
        }
        let in_registers =
            arithmetic.has_registers() && operation == Operation::Sum && coding.lane.is_float();
        // Operands with a codec are folded all at once (R-OP-30).
        let encoded = matches!(&reduction, Reduction::User(fold) if fold.traits().has_codec);
        let folds_as_sent = coding.form != Form::Block
            && !in_registers
            && !encoded
            && !arithmetic.widens(coding.lane, operation);
        let byte_order = ByteOrder::Little;
        Ok(Self {
            call,
            coding,
            byte_order,
            operation,
            workers,
            rank,
            lanes_per_block,
            parts,
            segments,
            travelling,
            exchange: None,
            folds_as_sent,
            arithmetic,
            bulk_by_default: false,
        })
    }

    /// Returns the same plan in a job that has exchange slots: as an exchange, if it is one there
    /// (R-STREAM-16, R-STREAM-18).
    #[must_use]
    #[inline]
    pub fn in_exchange_slots(self) -> Self {
        if self.exchange.is_some() || self.travelling == 0 {
            return self;
        }
        match self.call.collective.prefix_delivery() {
            Some(delivery) => self.of_prefixes(delivery),
            None if self.call.collective == Collective::AllToAll => self.of_shifts(),
            None if self.call.collective == Collective::LookAside => self.of_requests(),
            None => self,
        }
    }

    /// R-OP-32
    fn of_requests(self) -> Self {
        let longest: Arc<[u64]> = Arc::new([self.call.elements]);
        let segments = Segments::of_exchange(&longest, self.lanes_per_block);
        Self { segments, exchange: Some(longest), ..self }
    }

    /// R-STREAM-16
    fn of_shifts(self) -> Self {
        if self.priority() != Priority::Bulk {
            return self;
        }
        let (n, lanes) = (self.workers, self.lanes_per_block);
        let longest: Arc<[u64]> = (1..n)
            .map(|distance| {
                let of_pair = |from| self.parts.elements(from, Some((from + distance) % n));
                (0..n).map(of_pair).max().unwrap_or(0)
            })
            .collect();
        Self { segments: Segments::of_exchange(&longest, lanes), exchange: Some(longest), ..self }
    }

    /// Returns whether the call is an exchange.
    pub fn is_exchange(&self) -> bool {
        self.exchange.is_some()
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
        self.segments.blocks()
    }

    /// Returns the stream that the call goes through (R-STREAM-9), the same at every worker.
    #[inline]
    pub fn priority(&self) -> Priority {
        // Exchange slots are those of bulk calls (R-OP-32).
        let given = self.call.priority.filter(|_| self.call.collective != Collective::LookAside);
        given.unwrap_or(self.default_priority())
    }

    /// Elements that travel, over all segments; 0 for a call of one block without lanes.
    pub(crate) fn travelling(&self) -> u64 {
        self.travelling
    }

    fn default_priority(&self) -> Priority {
        let bytes = self.travelling.saturating_mul(self.call.element_type.bytes() as u64);
        // A barrier stays behind the bulk that was called before it.
        let bulk = matches!(self.call.collective, Collective::Barrier | Collective::LookAside);
        let short = bytes <= URGENT_BYTES && !bulk;
        if short && !self.bulk_by_default { Priority::Urgent } else { Priority::Bulk }
    }

    /// Elements that this worker's input must have, and its output.
    pub fn input_output_elements(&self) -> (u64, u64) {
        let (n, rank) = (self.call.elements, self.rank);
        let own = || self.parts.elements(rank.0, None);
        let (all_in, all_out) = (self.parts.input(self.workers), self.parts.output(self.workers));
        match self.call.collective {
            Collective::AllReduce | Collective::Scan | Collective::LookAside => (n, n),
            Collective::ExScan => (n, if rank.0 == 0 { 0 } else { n }),
            Collective::Prefixes => (n, u64::from(self.workers) * n),
            Collective::ScanTotal => (n, if self.is_last() { n } else { 2 * n }),
            Collective::Reduce { root } => (n, if root == rank { n } else { 0 }),
            Collective::Broadcast { root } if root == rank => (n, 0),
            Collective::Broadcast { .. } => (0, n),
            Collective::Message => {
                if rank.0 == 0 {
                    (n, 0)
                } else {
                    (0, n)
                }
            }
            Collective::AllGather => (own(), all_out),
            Collective::ReduceScatter => (all_in, own()),
            Collective::Gather { root } => (own(), if root == rank { all_out } else { 0 }),
            Collective::Scatter { root } => (if root == rank { all_in } else { 0 }, own()),
            Collective::AllToAll => (all_in, all_out),
            Collective::Barrier => (0, 0),
            Collective::Elsewhere { .. } => (n, 0),
        }
    }

    /// Returns the call as errors show it: one that is carried out elsewhere by the description
    /// that is its `tensor`.
    pub(crate) fn in_words(&self, tensor: Option<&impl Tensor>) -> String {
        tensor.and_then(Tensor::description).unwrap_or_else(|| self.to_string())
    }

    /// Returns the digest that all workers' headers must agree in, for call number `number` of the
    /// job (R-STREAM-6).
    pub fn digest(&self, number: u64) -> CallDigest {
        let Call { collective, element_type, elements, .. } = self.call;
        let extent = self.parts.lengths().map_or(elements, Lengths::hash);
        let [high, low] = collective.root().map_or(u16::MAX, |root| root.0).to_be_bytes();
        let [first, high, low] = match collective {
            Collective::Elsewhere { mark } => mark.0,
            _ => [0, high, low],
        };
        let (divides, urgent) = (self.divisor() != 1, self.priority() == Priority::Urgent);
        let (element_type, operation) =
            (element_type.to_wire(), self.call.carried_out().operation().to_wire());
        let rest = [
            collective.code() | u8::from(self.parts.lengths().is_some()) << 7,
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
        let words = [number, extent, u64::from_be_bytes(rest)].map(u64::to_be_bytes);
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
