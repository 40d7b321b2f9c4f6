//! The agreements of the management plane, as the machines of the data plane are told them, and the
//! reports of these machines in return. The driver of both passes them on.

use core::net::SocketAddr;

use netfold_num::UserOperation;
use netfold_switch::{
    self as switch, Counters, Event, JobSpec, Leaf, Operations, Place, TableSpec, TableTree,
    TypedOperation, Usage, WaitingSlot,
};
use netfold_wire::{Epoch, HEADER_BYTES, JobId, SlotIndex, WorkerId};
use netfold_worker::{
    self as worker, FoldTraits, LastRound, OtherSlots, StreamConfig, Timing, UserFold,
};

use crate::join::JoinRequest;
use crate::message::Welcome;
use crate::operations::OperationReport;
use crate::plane::{
    Admission, AdmissionError, Cause, Incident, JobStatus, SlotStatus, TableStatus,
};
use crate::resume::Replay;

impl Admission {
    /// The job as a shard is told of it.
    pub fn spec(&self) -> JobSpec {
        JobSpec {
            job: JobId(self.job),
            epoch: Epoch(self.epoch),
            workers: self.workers,
            slots: self.slots,
            exchange_slots: self.exchange_slots,
            lent_slots: self.lent_slots,
            payload_bytes: self.payload_bytes,
            terms: self.terms,
            place: self.place(),
            operations: self.operations.clone(),
        }
    }

    /// The job's table as a shard is told of it, if the job has one that is not below this switch.
    pub fn table(&self) -> Option<TableSpec> {
        if self.elsewhere && self.members.iter().any(|member| member.is_switch) {
            return None;
        }
        Some(TableSpec {
            job: JobId(self.job),
            epoch: Epoch(self.epoch),
            workers: self.workers,
            datagram_bytes: self.payload_bytes + HEADER_BYTES as u32,
            table: self.terms.table?,
            terms: self.terms,
            tree: TableTree {
                leaves: self.leaves().map(|(leaf, _)| leaf).collect(),
                has_parent: self.parent.is_some(),
            },
        })
    }

    /// The switches below this one in the job's table, and the addresses of their first shards
    /// (R-KEY-17).
    pub fn leaves(&self) -> impl Iterator<Item = (Leaf, SocketAddr)> {
        self.members.iter().filter(|member| member.is_switch).filter_map(|member| {
            let workers = member.ranks.iter().map(|rank| WorkerId(*rank)).collect();
            let leaf = Leaf { name: WorkerId(member.rank), workers };
            Some((leaf, *member.addresses.first()?))
        })
    }

    /// R-TREE-1: returns the senders to this switch in the job, the workers for which they send,
    /// and whether the switch sends on.
    fn place(&self) -> Place {
        let stands = self.members.iter().flat_map(|member| {
            let name = WorkerId(member.rank);
            member.ranks.iter().map(move |rank| (WorkerId(*rank), name))
        });
        let place = Place::root(stands);
        match &self.parent {
            Some(parent) => place.below(WorkerId(parent.name)),
            None => place,
        }
    }
}

impl AdmissionError {
    /// Converts the error of one of `flows` shards to the user's count, which is over all of them.
    pub fn of_shard(error: &switch::AdmissionError, flows: u16) -> Self {
        let flows = u64::from(flows);
        match error {
            switch::AdmissionError::Memory { needed, free } => {
                Self::Memory { needed: needed * flows, free: free * flows }
            }
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<Event> for Cause {
    fn from(event: Event) -> Self {
        match event {
            Event::Mismatch { first, second, .. } => {
                Self::Mismatch { first: first.0, second: second.0 }
            }
            Event::Overflow { lane, worker, .. } => Self::Overflow { rank: worker.0, lane },
            Event::Trap { operation, cause, worker, .. } => {
                Self::Trap { rank: worker.0, operation: operation.number(), why: cause }
            }
        }
    }
}

impl Incident {
    /// Makes an incident of an event that a shard has found.
    pub fn at_shard(event: Event, shard: u16) -> Self {
        let (job, epoch, slot, position) = event.place();
        let (job, epoch, slot, position) = (job.0, epoch.0, slot.0, position.0);
        Self { job, epoch, position, slot, shard, cause: event.into() }
    }
}

impl JobStatus {
    /// A job of so many slots with its totals, and those of the slots that wait.
    pub fn of(job: u16, slots: u16, counters: &Counters, waiting: Vec<WaitingSlot>) -> Self {
        let waiting = waiting.into_iter().map(SlotStatus::from).collect();
        Self { job, slots, counters: counters.iter().collect(), waiting, operations: Vec::new() }
    }

    /// Adds what its operations have done.
    #[must_use]
    pub fn with_operations(self, operations: &Operations, usage: &[Usage]) -> Self {
        let all = (0..).zip(operations.iter()).zip(usage);
        let report = all
            .map(|((number, operation), usage)| OperationReport::of(number, &**operation, *usage));
        Self { operations: report.collect(), ..self }
    }
}

impl TableStatus {
    /// A table as a shard has it at this time.
    pub fn of(table: &netfold_switch::TableStatus, now_us: u64) -> Self {
        let spec = &table.spec;
        Self {
            job: spec.job.0,
            epoch: spec.epoch.0,
            rows: spec.table.rows,
            width: spec.table.width,
            element_type: spec.table.element_type.to_string(),
            resident: spec.table.resident,
            bytes: spec.memory_bytes(),
            open: table.open,
            stored: table.stored,
            drained: table.drained,
            ended: table.ended,
            asked_ms: table.asked_us.map(|asked_us| now_us.saturating_sub(asked_us) / 1000),
            counters: table.counters.iter().collect(),
        }
    }
}

impl From<WaitingSlot> for SlotStatus {
    fn from(waiting: WaitingSlot) -> Self {
        let ranks = |workers: Vec<WorkerId>| workers.into_iter().map(|worker| worker.0).collect();
        Self {
            slot: waiting.slot.0,
            position: waiting.position.0,
            seen: ranks(waiting.seen),
            missing: ranks(waiting.missing),
        }
    }
}

impl Welcome {
    /// The slots that follow those of a flow's bulk stream.
    pub fn other_slots(&self) -> OtherSlots {
        OtherSlots {
            urgent: self.urgent_slots,
            long: self.long_slots,
            exchange: self.exchange_slots,
        }
    }
}

impl JoinRequest {
    /// Returns the configuration of the bulk stream of a worker that has joined by this request, on
    /// `flow` of so many.
    pub fn stream(&self, welcome: &Welcome, flow: u16, flows: u16, timing: Timing) -> StreamConfig {
        StreamConfig {
            job: JobId(welcome.job),
            epoch: Epoch(welcome.epoch),
            rank: WorkerId(self.rank),
            first_slot: 0,
            slots: welcome.slots,
            flow,
            flows,
            terms: self.terms.with_integrity(self.integrity(welcome)),
            timing,
        }
    }

    /// Returns the folds by the operations of the job, in the order of their numbers, as calls name
    /// them (R-OP-23).
    pub fn folds(&self) -> impl Iterator<Item = UserFold> {
        let numbers = (0..).map_while(UserOperation::new);
        numbers.zip(self.operations.iter()).map(|(number, operation)| fold_by(number, &**operation))
    }
}

/// Returns the fold by an operation, which has this number in its job.
pub fn fold_by(number: UserOperation, operation: &dyn TypedOperation) -> UserFold {
    // An element has at most 4096 bytes (R-OP-2).
    let element_bytes = operation.element_bytes() as u16;
    let messages = operation.message_elements();
    UserFold::new(number, operation.name(), element_bytes, messages).with(FoldTraits {
        has_map: operation.has_map(),
        has_codec: operation.has_codec(),
        keeps_state: operation.state_bytes().is_some(),
        folds: operation.folds(),
        answers: operation.answers(),
        batch_bytes: u32::try_from(operation.batch_bytes()).ok(),
    })
}

impl Replay {
    /// Those of `replays` that are on a flow, as its streams are told of them.
    pub fn on_flow(replays: &[Self], flow: u16) -> Vec<worker::Replay> {
        let of_flow = replays.iter().filter(|replay| replay.flow == flow);
        let told = |replay: &Self| worker::Replay {
            slot: SlotIndex(replay.slot),
            round: LastRound(replay.round),
            source: WorkerId(replay.source),
        };
        of_flow.map(told).collect()
    }
}
