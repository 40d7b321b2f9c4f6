//! The jobs that a search goes through.

use std::sync::Arc;

use netfold_management::MIN_ELEMENTS;
use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Overflow, Protocol};
use netfold_switch::{JobSpec, Operations, Recipients, Tree, TypedOperation};
use netfold_wire::{Epoch, Integrity, JobId, Terms, WorkerId};
use netfold_worker::{Call, Collective, Plan, Priority, Reduction, StreamConfig, Timing};

use crate::network::Address;
use crate::operation::Ordered;

/// The one job of a model.
pub(crate) const JOB: JobId = JobId(0);

/// Its first epoch.
const EPOCH: Epoch = Epoch(1);

/// A small job: its workers, its switches, and its calls.
#[derive(Clone, Debug)]
pub struct Job {
    /// The switch that each worker sends to: 0 is the root, others are leaves below it (R-TREE).
    homes: Vec<usize>,
    slots: u16,
    arithmetic: Arithmetic,
    protocol: Protocol,
    /// Lanes of every block.
    lanes: u16,
    calls: Vec<Call>,
    /// Call, block and worker whose block holds a NaN.
    specials: Vec<(usize, u64, u16)>,
    /// Workers make each call when they like; otherwise all have made all calls at the start.
    at_any_time: bool,
    /// The number of times that all switches may be lost.
    losses: u32,
    /// All slots keep operands apart.
    exchange: bool,
}

impl Job {
    /// A job of workers at these switches, one entry for each worker: 0 stands for the root, and
    /// any other number for a leaf below it. It has no calls yet, integers are added, and a block
    /// is shorter than a header, so that nothing is asked for (R-TIME-6).
    ///
    /// # Panics
    /// If there are more than four workers: their contributions could not be told apart in a sum of
    /// 32 bits.
    pub fn new(homes: &[usize], slots: u16) -> Self {
        assert!((1..=4).contains(&homes.len()), "one to four workers");
        Self {
            homes: homes.into(),
            slots,
            arithmetic: Arithmetic::Native,
            protocol: Protocol::Shadow,
            lanes: 4,
            calls: Vec::new(),
            specials: Vec::new(),
            at_any_time: false,
            losses: 0,
            exchange: false,
        }
    }

    /// Then comes an all-reduce of so many blocks.
    ///
    /// # Panics
    /// If a call has more than eight blocks, or a job more than seven calls: a lane has 8 bits for
    /// what tells a worker's blocks apart.
    #[must_use]
    pub fn all_reduce(self, blocks: u64) -> Self {
        let element_type = self.element_type();
        self.call(Collective::AllReduce, element_type, blocks)
    }

    /// Then comes a reduction to worker `root` of so many blocks.
    #[must_use]
    pub fn reduce(self, root: u16, blocks: u64) -> Self {
        let element_type = self.element_type();
        self.call(Collective::Reduce { root: WorkerId(root) }, element_type, blocks)
    }

    /// Adds a broadcast from worker `root` of one block: the others send EMPTY.
    #[must_use]
    pub fn broadcast(mut self, root: u16) -> Self {
        let elements = u64::from(self.payload_bytes());
        self.calls.push(Call {
            collective: Collective::Broadcast { root: WorkerId(root) },
            reduction: Reduction::Fold(Operation::Copy),
            element_type: ElementType::U8,
            elements,
            priority: None,
        });
        self
    }

    /// All slots keep operands apart (R-SLOT-13): calls are all-to-alls.
    #[must_use]
    pub fn exchange_slots(self) -> Self {
        Self { exchange: true, ..self }
    }

    /// Then comes an all-to-all of so many blocks from each worker to each other.
    #[must_use]
    pub fn all_to_all(mut self, blocks: u64) -> Self {
        let elements = blocks * u64::from(self.payload_bytes());
        self.calls.push(Call {
            collective: Collective::AllToAll,
            reduction: Reduction::Fold(Operation::Copy),
            element_type: ElementType::U8,
            elements,
            priority: Some(Priority::Bulk),
        });
        self
    }

    /// Then comes a call that gives every worker all prefixes, of so many blocks, of as many lanes
    /// as results have room for (R-STREAM-19).
    #[must_use]
    pub fn prefixes(self, blocks: u64) -> Self {
        let folds = u64::from(self.workers()).max(2) - 1;
        self.folded(Collective::Prefixes, folds, blocks)
    }

    /// Then comes a scan with total of so many blocks (R-STREAM-20).
    #[must_use]
    pub fn scan_total(self, blocks: u64) -> Self {
        let folds = if self.workers() > 2 { 2 } else { 1 };
        self.folded(Collective::ScanTotal, folds, blocks)
    }

    fn folded(mut self, collective: Collective, folds: u64, blocks: u64) -> Self {
        let element_type = self.element_type();
        self = self.call(collective, element_type, blocks);
        let last = self.calls.len() - 1;
        self.calls[last].elements = blocks * (u64::from(self.lanes) / folds);
        self.calls[last].priority = Some(Priority::Bulk);
        self
    }

    /// Then comes an all-reduce of so many blocks by an operation of a user, which folds in rank
    /// order, and maps what it has folded (R-OP-25, R-OP-28). Ranks below a leaf are consecutive.
    #[must_use]
    pub fn all_reduce_in_rank_order(self, blocks: u64) -> Self {
        self.fold_in_rank_order(Collective::AllReduce, blocks)
    }

    /// Then comes a reduction to worker `root` by the same operation.
    #[must_use]
    pub fn reduce_in_rank_order(self, root: u16, blocks: u64) -> Self {
        self.fold_in_rank_order(Collective::Reduce { root: WorkerId(root) }, blocks)
    }

    fn fold_in_rank_order(mut self, collective: Collective, blocks: u64) -> Self {
        let bytes = blocks * u64::from(self.payload_bytes());
        self = self.call(collective, ElementType::U8, blocks);
        let last = self.calls.len() - 1;
        self.calls[last].elements = bytes;
        self.calls[last].reduction = Ordered::reduction();
        self
    }

    /// Then comes a scan of so many blocks; or an exscan, without each worker's own operand.
    #[must_use]
    pub fn scan(mut self, own: bool, blocks: u64) -> Self {
        let element_type = self.element_type();
        self = self.call(
            if own { Collective::Scan } else { Collective::ExScan },
            element_type,
            blocks,
        );
        let last = self.calls.len() - 1;
        self.calls[last].priority = Some(Priority::Bulk);
        self
    }

    /// Then comes a barrier.
    #[must_use]
    pub fn barrier(mut self) -> Self {
        self.calls.push(Call::BARRIER);
        self
    }

    /// Blocks are longer than a header: a round that may be lost is asked for before it is sent
    /// again (R-TIME-6).
    #[must_use]
    pub fn long_blocks(self) -> Self {
        Self { lanes: 16, ..self }
    }

    /// Floats are added in block arithmetic, so that rounds agree on exponents (R-WORK-4). Calls
    /// come after it.
    #[must_use]
    pub fn block_arithmetic(self) -> Self {
        Self { arithmetic: Arithmetic::Block, ..self }
    }

    /// Adds floats on FPISA-A's registers, in calls that come after it. They overflow in some
    /// orders of arrival and not in others, and such blocks are folded again (R-SLOT-12).
    ///
    /// # Panics
    /// If there are more than two workers: their contributions could not be told apart.
    #[must_use]
    pub fn refolds(self) -> Self {
        assert!(self.workers() <= 2, "one or two workers");
        Self { arithmetic: Arithmetic::FpisaA, ..self }
    }

    /// A slot has one copy, and results are acknowledged (R-ACK).
    #[must_use]
    pub fn acked(self) -> Self {
        Self { protocol: Protocol::Acked, ..self }
    }

    /// A block of a call holds a NaN at this worker.
    #[must_use]
    pub fn special(mut self, call: usize, block: u64, worker: u16) -> Self {
        self.specials.push((call, block, worker));
        self
    }

    /// Blocks are as long as the shortest that the management plane grants, and still shorter than
    /// a header.
    #[must_use]
    pub(crate) fn granted_blocks(self) -> Self {
        let mut calls = self.calls;
        calls.iter_mut().for_each(|call| {
            call.elements = call.elements / u64::from(self.lanes) * u64::from(MIN_ELEMENTS)
        });
        Self { lanes: MIN_ELEMENTS, calls, ..self }
    }

    /// Each worker makes each call whenever it likes.
    #[must_use]
    pub fn calls_at_any_time(self) -> Self {
        Self { at_any_time: true, ..self }
    }

    /// All switches are lost, so many times and whenever that may be, and the job goes on at others
    /// (R-RES). Of an elastic job so many workers are lost ([`Elastic`](crate::Elastic)).
    #[must_use]
    pub fn losses(self, losses: u32) -> Self {
        Self { losses, ..self }
    }

    fn call(mut self, collective: Collective, element_type: ElementType, blocks: u64) -> Self {
        assert!(blocks <= 8 && self.calls.len() < 7, "at most seven calls of eight blocks");
        self.calls.push(Call {
            collective,
            reduction: Reduction::Fold(Operation::Sum),
            element_type,
            elements: blocks * u64::from(self.lanes),
            priority: None,
        });
        self
    }

    /// Returns true if lanes are floats, folded on registers.
    pub(crate) fn has_registers(&self) -> bool {
        self.arithmetic.has_registers()
    }

    fn element_type(&self) -> ElementType {
        match self.arithmetic {
            Arithmetic::Native => ElementType::I32,
            _ => ElementType::F32,
        }
    }

    fn overflow(&self) -> Overflow {
        if self.has_registers() { Overflow::Native } else { Overflow::Error }
    }

    pub(crate) fn are_calls_at_any_time(&self) -> bool {
        self.at_any_time
    }

    /// Returns the number of times that all switches may be lost.
    pub(crate) fn most_losses(&self) -> u32 {
        self.losses
    }

    pub(crate) fn workers(&self) -> u16 {
        self.homes.len() as u16
    }

    pub(crate) fn slots(&self) -> u16 {
        self.slots
    }

    pub(crate) fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Lanes of a block of I32; lanes are bytes where a call only moves.
    pub(crate) fn payload_bytes(&self) -> u32 {
        u32::from(self.lanes) * 4
    }

    /// Elements of a block of a call.
    pub(crate) fn block_elements(&self, call: usize) -> u64 {
        let call = &self.calls[call];
        let folds = match call.collective {
            Collective::Prefixes => u64::from(self.workers()) - 1,
            Collective::ScanTotal if self.workers() > 2 => 2,
            _ => 1,
        };
        u64::from(self.payload_bytes()) / call.element_type.bytes() as u64 / folds
    }

    /// Returns what `worker` does for a call.
    pub(crate) fn plan(&self, call: usize, worker: u16) -> Plan {
        self.plan_among(call, worker, self.workers())
    }

    /// Returns the plan of the worker of a rank for a call that so many workers make.
    pub(crate) fn plan_among(&self, call: usize, rank: u16, workers: u16) -> Plan {
        let plan = Plan::new(
            self.calls[call],
            self.arithmetic,
            workers,
            WorkerId(rank),
            self.payload_bytes(),
        );
        let plan = plan.expect("the calls of a model can be made");
        if self.exchange { plan.in_exchange_slots() } else { plan }
    }

    /// The exponent of the finite elements of a worker's block: workers and blocks differ.
    pub(crate) fn finite_exponent(&self, call: usize, block: u64, worker: u16) -> Exponent {
        let power = 1 + (5 * call as u64 + 3 * block + 2 * u64::from(worker)) % 7;
        Exponent::from_wire(power as i16).expect("a small power of two is an exponent")
    }

    pub(crate) fn is_special(&self, call: usize, block: u64, worker: u16) -> bool {
        self.specials.contains(&(call, block, worker))
    }

    /// Returns the configuration of a worker's stream after so many losses.
    pub(crate) fn stream_config(&self, worker: u16, losses: u32) -> StreamConfig {
        StreamConfig {
            job: JOB,
            epoch: epoch(losses),
            rank: WorkerId(worker),
            first_slot: 0,
            slots: self.slots,
            flow: 0,
            flows: 1,
            terms: Terms {
                protocol: self.protocol,
                resumable: self.losses > 0,
                ..Terms::new(Integrity::Transport)
            },
            timing: Timing::default(),
        }
    }

    pub(crate) fn switches(&self) -> usize {
        self.homes.iter().max().map_or(0, |last| last + 1)
    }

    /// Returns the destination of a worker's datagrams.
    pub(crate) fn home(&self, worker: u16) -> Address {
        Address::Switch(self.homes[usize::from(worker)])
    }

    /// The parent of each switch: the root, for all but itself.
    fn parents(&self) -> Vec<Option<usize>> {
        (0..self.switches()).map(|switch| (switch != 0).then_some(0)).collect()
    }

    /// Returns the members of a switch: the rank by which it knows each, and the member's address.
    fn members(&self, switch: usize) -> Vec<(WorkerId, Address)> {
        let workers =
            (0..self.workers()).filter(|worker| self.homes[usize::from(*worker)] == switch);
        let mut members: Vec<_> =
            workers.map(|worker| (WorkerId(worker), Address::Worker(worker))).collect();
        if switch == 0 {
            let parents = self.parents();
            let tree = Tree::new(&parents, &self.homes);
            let leaf = |leaf| tree.name(leaf).map(|name| (name, Address::Switch(leaf)));
            members.extend((1..self.switches()).filter_map(leaf));
        }
        members
    }

    /// Returns the destinations of a switch's datagrams.
    pub(crate) fn recipients(&self, switch: usize, to: Recipients) -> Vec<Address> {
        if to == Recipients::Parent {
            return vec![Address::Switch(0)];
        }
        let members = self.members(switch).into_iter();
        members.filter_map(|(rank, address)| to.include(rank).then_some(address)).collect()
    }

    /// Returns what a switch is told about the job, after so many losses; `None` if nobody sends to
    /// it.
    pub(crate) fn spec(&self, switch: usize, losses: u32) -> Option<JobSpec> {
        let place = Tree::new(&self.parents(), &self.homes).place(switch)?;
        Some(JobSpec {
            job: JOB,
            epoch: epoch(losses),
            workers: self.workers(),
            slots: self.slots,
            exchange_slots: if self.exchange { self.slots } else { 0 },
            lent_slots: 0,
            payload_bytes: self.payload_bytes(),
            terms: Terms {
                arithmetic: self.arithmetic,
                overflow: self.overflow(),
                protocol: self.protocol,
                ..Terms::new(Integrity::Transport)
            },
            place,
            operations: self.operations(switch),
        })
    }

    /// Returns whether a call folds by an operation of a user.
    pub(crate) fn is_by_user(&self, call: usize) -> bool {
        matches!(self.calls[call].reduction, Reduction::User(_))
    }

    /// Returns whether switches fold parts of a round each, so that an operation of a user must be
    /// associative (R-OP-13).
    pub(crate) fn folds_in_parts(&self) -> bool {
        self.switches() > 1
    }

    fn operations(&self, switch: usize) -> Operations {
        let folds = (0..self.calls.len()).any(|call| self.is_by_user(call));
        let (operands, associative) = (self.members(switch).len(), self.folds_in_parts());
        let operation = Ordered { operands, associative };
        let all = folds.then(|| Arc::new(operation) as Arc<dyn TypedOperation>);
        Operations::new(all).expect("one operation is not too many")
    }
}

fn epoch(losses: u32) -> Epoch {
    Epoch(EPOCH.0 + losses)
}
