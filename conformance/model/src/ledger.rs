//! The memory of a call in a model: contributions that can be told apart in a sum, and results that
//! are held to what the sum must be.

use std::sync::Arc;

use netfold_num::{ElementType, Exponent};
use netfold_wire::Delivery;
use netfold_worker::{Block, Collective, Tensor};

use crate::job::Job;
use crate::operation::Ordered;

/// The mark of a Classes round, in place of an exponent: no exponent of a model is that large.
const CLASSES: u8 = 63;

/// An odd number with about as many ones as zeros, so that its products with small numbers differ
/// in many bits.
const SPREAD: u32 = 0x9E37_79B1;

/// Content of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Classes,
    Values(Exponent),
}

/// The memory of one call at one worker. A lane of I32 has 8 bits for each worker, so that the sum
/// tells how often each worker's contribution is in it, of which block, and quantised with which
/// exponent: each of these in every third lane. In an exchange the bytes tell from whom to whom
/// they go, of which block and call.
#[derive(Clone, Debug)]
pub struct Ledger {
    job: Arc<Job>,
    call: usize,
    worker: u16,
    /// The workers whose contributions a result is the fold of.
    members: Arc<[u16]>,
    /// Number of times that each block's classes and its values have been taken; of a call whose
    /// blocks go to several vectors of the output, those of one vector after the other.
    taken: Vec<(u8, u8)>,
    wrong: bool,
}

impl Ledger {
    pub(crate) fn new(job: &Arc<Job>, call: usize, worker: u16) -> Self {
        Self::among(job, call, worker, (0..job.workers()).collect())
    }

    /// The memory of a call that a worker makes with these alone, and itself among them.
    pub(crate) fn among(job: &Arc<Job>, call: usize, worker: u16, members: Arc<[u16]>) -> Self {
        let mut blocks = job.plan(call, worker).blocks() as usize;
        if job.calls()[call].elements > 0 {
            blocks *= Self::vectors(job, call, worker).len().max(1);
        }
        Self { job: job.clone(), call, worker, members, taken: vec![(0, 0); blocks], wrong: false }
    }

    /// Returns the last rank of the fold in each vector of the output, of a call whose blocks go to
    /// several (R-STREAM-19, R-STREAM-20); none of another.
    fn vectors(job: &Job, call: usize, worker: u16) -> Vec<u16> {
        let last = job.workers() - 1;
        match job.calls()[call].collective {
            Collective::Prefixes => (0..=last).collect(),
            Collective::ScanTotal if worker == 0 || worker == last => vec![last],
            Collective::ScanTotal => vec![last, worker],
            _ => Vec::new(),
        }
    }

    /// Returns whether a result was not the fold of all contributions, each once, or was taken
    /// twice or too early.
    pub(crate) fn is_wrong(&self) -> bool {
        self.wrong
    }

    /// Returns whether this worker has all the results that it must have.
    pub(crate) fn is_complete(&self) -> bool {
        let plan = self.job.plan(self.call, self.worker);
        let blocks = plan.blocks();
        let must = |block: u64| {
            let block = block % blocks;
            let block_of = plan.block(block);
            let takes = block_of.output.is_some() && block_of.elements > 0;
            (u8::from(takes && plan.needs_exponent() && self.is_special(block)), u8::from(takes))
        };
        !self.wrong && self.taken.iter().zip(0..).all(|(taken, block)| *taken == must(block))
    }

    /// Number of the block in its call: those of a model are all full.
    fn number(&self, offset: Option<u64>) -> u64 {
        offset.expect("a block that is packed or unpacked has a place")
            / self.job.block_elements(self.call)
    }

    /// Returns whether any worker's block holds a NaN.
    fn is_special(&self, block: u64) -> bool {
        self.members.iter().any(|worker| self.job.is_special(self.call, block, *worker))
    }

    /// R-NUM-7: the largest exponent of all workers' finite elements.
    fn agreed(&self, block: u64) -> Exponent {
        let exponents =
            self.members.iter().map(|worker| self.job.finite_exponent(self.call, block, *worker));
        exponents.max().unwrap_or(Exponent::ZERO)
    }

    /// Returns a worker's contribution to a block at a lane.
    fn lane(&self, worker: u16, block: u64, lane: usize, content: Content) -> u32 {
        let mark = match (lane % 3, content) {
            (0, _) => 1,
            (1, _) => 1 + 8 * self.call as u8 + block as u8,
            (_, Content::Classes) => CLASSES,
            // The exponents of a model are small; ZERO, of a block that is not quantised, has 0.
            (_, Content::Values(exponent)) => exponent.power().unwrap_or(0) as u8,
        };
        let lane = u32::from(mark) << (8 * worker);
        // All bits count for an operation of a user, of any worker's lane.
        if self.job.is_by_user(self.call) { lane.wrapping_mul(SPREAD) } else { lane }
    }

    /// R-STREAM-16: the number of the block of an exchange that has `offset` in the memory of this
    /// worker, and the bytes that go from one worker to another in it.
    fn exchanged(
        &self,
        block: &Block,
        offset: Option<u64>,
        (from, to): (u16, u16),
    ) -> (u64, Vec<u8>) {
        let Delivery::Shift(distance) = block.delivery else { unreachable!("of an exchange") };
        let part = self.job.calls()[self.call].elements;
        let in_part = offset.expect("a block that is packed or unpacked has a place") % part
            / self.job.block_elements(self.call);
        let blocks = part / self.job.block_elements(self.call);
        let number = u64::from(distance - 1) * blocks + in_part;
        let marks = [from as u8, to as u8, in_part as u8, self.call as u8];
        (number, marks.iter().copied().cycle().take(block.elements.into()).collect())
    }

    fn write(&self, block: &Block, content: Content, lanes: &mut [u8]) {
        if let Delivery::Shift(distance) = block.delivery {
            let to = (self.worker + distance) % self.job.workers();
            let (_, bytes) = self.exchanged(block, block.input, (self.worker, to));
            return lanes.copy_from_slice(&bytes);
        }
        let number = self.number(block.input);
        if self.lane_type() == ElementType::U8 {
            lanes.copy_from_slice(&self.moved(number, lanes.len()));
            return;
        }
        for (index, lane) in lanes.as_chunks_mut().0.iter_mut().enumerate() {
            *lane = match self.lane_type() {
                ElementType::F32 => self.float(self.worker, number).to_le_bytes(),
                _ => self.lane(self.worker, number, index, content).to_le_bytes(),
            };
        }
    }

    /// Returns a worker's lane of a block of floats: 1 and a bit, or 255 and a bit.
    ///
    /// The sum is 256 or more. It overflows where the smaller lane has come first and so has given
    /// the register its exponent (R-FPI-16), and fits where it comes last.
    fn float(&self, worker: u16, block: u64) -> f32 {
        let bit = (1 + 8 * self.call as u64 + block) as f32 / 64.0;
        if worker == 0 { 1.0 + bit } else { 255.0 + bit }
    }

    /// Bytes that are only moved: those of the call's root.
    fn moved(&self, block: u64, bytes: usize) -> Vec<u8> {
        (0..bytes).map(|at| (31 * self.call as u64 + 7 * block + at as u64) as u8).collect()
    }

    fn lane_type(&self) -> ElementType {
        match self.job.calls()[self.call].collective {
            _ if self.job.is_by_user(self.call) => ElementType::I32,
            Collective::Broadcast { .. } => ElementType::U8,
            _ if self.job.has_registers() => ElementType::F32,
            _ => ElementType::I32,
        }
    }

    /// The fold of all workers' contributions, each once.
    fn fold(&self, block: u64, content: Content, bytes: usize) -> Vec<u8> {
        if self.lane_type() == ElementType::U8 {
            return self.moved(block, bytes);
        }
        if self.lane_type() == ElementType::F32 {
            // Exact: a sum of two has 15 bits.
            let sum: f32 = self.members.iter().map(|worker| self.float(*worker, block)).sum();
            return sum.to_le_bytes().repeat(bytes / 4);
        }
        let vectors = Self::vectors(&self.job, self.call, self.worker);
        let blocks = self.taken.len() as u64 / vectors.len().max(1) as u64;
        let up_to = vectors.get((block / blocks) as usize);
        let block = block % blocks;
        let is_in = |worker: &&u16| match self.job.calls()[self.call].collective {
            _ if let Some(last) = up_to => **worker <= *last,
            Collective::Scan => **worker <= self.worker,
            Collective::ExScan => **worker < self.worker,
            _ => true,
        };
        let sum = |lane| {
            let lanes = self.members.iter().filter(is_in);
            let lanes = lanes.map(|worker| self.lane(*worker, block, lane, content));
            match self.job.is_by_user(self.call) {
                true => Ordered::result(lanes, self.job.folds_in_parts()).unwrap_or_default(),
                false => lanes.sum::<u32>(),
            }
        };
        (0..bytes / 4).flat_map(|lane| sum(lane).to_le_bytes()).collect()
    }

    fn check(&mut self, block: u64, content: Content, right_time: bool, lanes: &[u8]) {
        let taken = &mut self.taken[block as usize];
        let count = if content == Content::Classes { &mut taken.0 } else { &mut taken.1 };
        *count += 1;
        let first = *count == 1;
        self.wrong |= !first || !right_time || lanes != self.fold(block, content, lanes.len());
    }
}

impl Tensor for Ledger {
    fn exponent(&self, block: &Block) -> Exponent {
        let number = self.number(block.input);
        if self.job.is_special(self.call, number, self.worker) {
            Exponent::SPECIAL
        } else {
            self.finite_exponent(block)
        }
    }

    fn finite_exponent(&self, block: &Block) -> Exponent {
        self.job.finite_exponent(self.call, self.number(block.input), self.worker)
    }

    fn pack(&self, block: &Block, exponent: Exponent, lanes: &mut [u8]) {
        self.write(block, Content::Values(exponent), lanes);
    }

    fn pack_classes(&self, block: &Block, lanes: &mut [u8]) {
        self.write(block, Content::Classes, lanes);
    }

    fn unpack(&mut self, block: &Block, _: Exponent, special: bool, lanes: &[u8]) {
        if let Delivery::Shift(distance) = block.delivery {
            let workers = self.job.workers();
            let from = (self.worker + workers - distance) % workers;
            let (number, bytes) = self.exchanged(block, block.output, (from, self.worker));
            let taken = &mut self.taken[number as usize].1;
            *taken += 1;
            self.wrong |= *taken > 1 || lanes != bytes;
            return;
        }
        let number = self.number(block.output);
        let quantised = self.job.plan(self.call, self.worker).needs_exponent();
        let agreed = if quantised { self.agreed(number) } else { Exponent::ZERO };
        let right_time = special == (quantised && self.is_special(number));
        self.check(number, Content::Values(agreed), right_time, lanes);
    }

    fn unpack_classes(&mut self, block: &Block, lanes: &[u8]) {
        let number = self.number(block.output);
        let right_time = self.is_special(number) && self.taken[number as usize].1 == 0;
        self.check(number, Content::Classes, right_time, lanes);
    }
}
