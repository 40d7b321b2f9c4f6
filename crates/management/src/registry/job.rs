//! A job: its members, the terms on which they have agreed, and its phase.

use core::net::{IpAddr, SocketAddr};
use netfold_switch::{JobSpec, Operations, Place, TypedOperation};
use netfold_wire::{IntegrityKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

use super::ConnectionId;
use super::layout::Layout;
use super::lending::Lending;
use super::pending_calls::PendingCalls;
use super::terms::Preferences;
use crate::message::{HostGroup, Join, Message, Ticket, Transport, Welcome};
use crate::negotiate::{Exchange, Grant, Needs, grant};
use crate::plane::{Admission, Incident, Spare};
use crate::report::{JobPhase, JobReport};
use crate::resume::MAX_RESUMABLE_SLOTS;
use crate::token::{Token, integrity};
use crate::tree::Hop;
use crate::waiting::{NAMED, Waiting};

/// Position of a token in the switch's list.
pub(super) type TokenIndex = usize;

pub(super) struct Job {
    pub(super) name: String,
    pub(super) created_us: u64,
    /// By rank.
    pub(super) members: BTreeMap<u16, Member>,
    /// Ranks that have not joined.
    pub(super) missing: BTreeSet<u16>,
    /// Members that have taken their leave, or were lost.
    parted: usize,
    /// Preferences of the members; to be gathered anew when one has gone.
    pub(super) preferences: Option<Preferences>,
    /// Number of members that all of them were last told, while the job forms.
    pub(super) told: u16,
    /// The fewest calls of a member that has taken its leave (R-CTRL-5).
    pub(super) fewest_calls: Option<u64>,
    pub(super) pending: PendingCalls,
    pub(super) lending: Lending,
    pub(super) phase: Phase,
}

/// A worker of a job.
pub(super) struct Member {
    /// `None` once it has taken its leave.
    pub(super) connection: Option<ConnectionId>,
    pub(super) ip: IpAddr,
    /// The switches through which it has come, the nearest last.
    pub(super) path: Vec<Hop>,
    pub(super) join: Join,
    pub(super) token: Option<TokenIndex>,
    /// Operations that it has brought along, which were admitted (R-OP-23).
    pub(super) operations: Operations,
}

pub(super) enum Phase {
    Forming {
        deadline_us: u64,
    },
    Running(JobEpoch),
    /// An incident has been reported and the job's memory released. The workers concerned are asked
    /// for their calls (R-CTRL-6).
    Describing {
        epoch: JobEpoch,
        deadline_us: u64,
        incident: Incident,
        texts: BTreeMap<u16, String>,
    },
}

/// An epoch of a job: its state from the moment that it runs.
#[derive(Clone, Copy)]
pub(super) struct JobEpoch {
    /// Number of the job.
    pub(super) job: u16,
    /// The random number in its packets (R-PKT-4).
    pub(super) id: u32,
    pub(super) grant: Grant,
    /// Location of the slots.
    pub(super) slots_at: SlotsAt,
    /// For the memory that workers share, with the switch or with each other.
    pub(super) secret: Ticket,
}

/// Location of the slots of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotsAt {
    /// At the shards, and reached over UDP.
    Shards,
    /// In memory that the workers share with the switch (R-CTRL-10).
    SwitchMemory,
    /// In memory that all workers share on their host, away from the switch (R-CTRL-11).
    Host,
    /// At a switch below this one (R-CTRL-16).
    Below,
}

impl SlotsAt {
    /// Returns the transport by which the workers reach them.
    pub(super) fn transport(self) -> Transport {
        match self {
            Self::Shards | Self::Below => Transport::Udp,
            Self::SwitchMemory | Self::Host => Transport::Shm,
        }
    }
}

impl JobEpoch {
    /// For the memory that the workers share with the switch (R-CTRL-10).
    pub(super) fn ticket(&self) -> Option<Ticket> {
        (self.slots_at == SlotsAt::SwitchMemory).then_some(self.secret)
    }
}

impl Job {
    pub(super) fn new(name: String, now_us: u64, deadline_us: u64) -> Self {
        Self {
            name,
            created_us: now_us,
            members: BTreeMap::new(),
            missing: BTreeSet::new(),
            parted: 0,
            preferences: None,
            told: 0,
            fewest_calls: None,
            pending: PendingCalls::default(),
            lending: Lending::default(),
            phase: Phase::Forming { deadline_us },
        }
    }

    /// Returns the terms of any member: they agree. `None` if the job has no member.
    pub(super) fn agreed(&self) -> Option<&Join> {
        self.members.values().next().map(|member| &member.join)
    }

    /// Returns the operations of users, with their numbers.
    pub(super) fn operations(&self) -> impl Iterator<Item = (u8, &dyn TypedOperation)> {
        let first = self.members.values().next();
        let all = first.into_iter().flat_map(|member| member.operations.iter());
        (0..).zip(all.map(|operation| &**operation))
    }

    /// Returns the name of an operation of users, by its number.
    pub(super) fn operation(&self, number: u8) -> String {
        let found = self.operations().find(|(place, _)| *place == number);
        found.map_or_else(|| format!("number {number}"), |(_, found)| found.name().to_owned())
    }

    /// Returns whether all its workers are there.
    pub(super) fn is_complete(&self) -> bool {
        self.agreed().is_some_and(|terms| self.members.len() == usize::from(terms.size))
    }

    /// A worker has joined. The first one brings the size, on which the others agree with it.
    pub(super) fn enter(&mut self, rank: u16, member: Member) {
        if self.members.is_empty() {
            self.missing = (0..member.join.size).collect();
        }
        self.missing.remove(&rank);
        self.members.insert(rank, member);
    }

    /// A worker has gone before the job ran: another can have its rank.
    pub(super) fn free(&mut self, rank: u16) {
        self.members.remove(&rank);
        self.missing.insert(rank);
        self.preferences = None;
    }

    /// Members that have not taken their leave, with their connections.
    pub(super) fn present(&self) -> Vec<(u16, ConnectionId)> {
        self.members.iter().filter_map(|(&rank, member)| Some((rank, member.connection?))).collect()
    }

    /// A member has gone. Of a job that runs it stays a member.
    pub(super) fn part(&mut self, rank: u16) {
        if self.members.get_mut(&rank).is_some_and(|member| member.connection.take().is_some()) {
            self.parted += 1;
        }
    }

    /// Returns whether all members have gone.
    pub(super) fn is_deserted(&self) -> bool {
        self.members.len() == self.parted
    }

    /// Returns the message that tells a waiting member of those that have come or gone since all
    /// were told; `None` if nobody has.
    pub(super) fn news(&self) -> Option<Message> {
        let joined = self.members.len() as u16;
        let Phase::Forming { .. } = self.phase else { return None };
        (joined != self.told).then(|| self.waiting()).flatten()
    }

    /// Returns the number of workers that have joined, and the missing ranks.
    pub(super) fn waiting(&self) -> Option<Message> {
        let missing = self.missing.iter().take(NAMED).copied().collect();
        let joined = self.members.len() as u16;
        Some(Message::Waiting(Waiting { joined, size: self.agreed()?.size, missing }))
    }

    pub(super) fn connection_of(&self, rank: u16) -> Option<ConnectionId> {
        self.members.get(&rank)?.connection
    }

    /// Returns the epoch that the data plane runs; `None` before and after.
    pub(super) fn running(&self) -> Option<JobEpoch> {
        match self.phase {
            Phase::Running(epoch) => Some(epoch),
            Phase::Forming { .. } | Phase::Describing { .. } => None,
        }
    }

    /// Returns the epoch that begins now that all are there (R-CTRL-2). `secret` must be random.
    pub(super) fn new_epoch(
        &self,
        job: u16,
        id: u32,
        layout: &Layout,
        switch_buffer: u64,
        secret: u64,
    ) -> JobEpoch {
        let grant = self.negotiate(layout, switch_buffer);
        JobEpoch { job, id, grant, slots_at: layout.slots_at, secret: Ticket(secret) }
    }

    /// Returns the epoch and the admission of the job at a switch that has `spare` memory, from
    /// those at one that has plenty (R-CTRL-20). No switch of the job has more members than
    /// `most_members`, at which a slot takes most memory.
    pub(super) fn afford(
        &self,
        epoch: JobEpoch,
        admission: Admission,
        spare: Spare,
        most_members: u16,
    ) -> (JobEpoch, Admission) {
        let bytes_of = |admission: &Admission| {
            let place = Place::only(most_members);
            // What operations keep is beside the slots, whose number does not change it.
            JobSpec { place, ..admission.spec() }.slots_bytes()
        };
        let joins = || self.members.values().map(|member| &member.join);
        let own = match epoch.slots_at {
            SlotsAt::Host => return (epoch, admission),
            SlotsAt::Below => u64::MAX,
            SlotsAt::Shards | SlotsAt::SwitchMemory => spare.share(),
        };
        let bytes = joins().filter_map(|join| join.memory).fold(own, u64::min);
        // R-CTRL-23
        let has_exchange = epoch.grant.exchange_slots > 0;
        let (exchange, share) = match has_exchange && self.answers() {
            true => (Exchange::Needed(self.members.len() as u16), bytes),
            false => (Exchange::Not, if has_exchange { bytes / 4 * 3 } else { bytes }),
        };
        let fits = bytes_of(&admission) <= share;
        if fits || joins().any(|join| join.resumes_slots().is_some()) {
            return (epoch, admission);
        }
        let (epoch, admission) = granted(epoch.grant.exchanging(exchange), epoch, admission);
        if joins().any(|join| join.slots.is_some()) {
            return (epoch, admission);
        }
        let slot_bytes = bytes_of(&admission) / u64::from(admission.slots);
        let grant = epoch.grant.within(bytes, slot_bytes).exchanging(exchange);
        granted(grant, epoch, admission)
    }

    /// R-CTRL-25: returns the epoch and the admission with lent slots, if the job can have some at
    /// a switch that lends.
    pub(super) fn lending(
        &self,
        epoch: JobEpoch,
        admission: Admission,
        layout: &Layout,
    ) -> (JobEpoch, Admission) {
        let joins = || self.members.values().map(|member| &member.join);
        let can = layout.only_workers()
            && !self.answers()
            && joins().all(|join| {
                join.asks_for_slots
                    && join.slots.is_none()
                    && !(join.terms.resumable || join.terms.elastic)
            });
        if can { granted(epoch.grant.lending(), epoch, admission) } else { (epoch, admission) }
    }

    fn negotiate(&self, layout: &Layout, switch_buffer: u64) -> Grant {
        let joins = || self.members.values().map(|member| &member.join);
        let resumable = joins().any(|join| join.terms.resumable);
        grant(&Needs {
            elements: joins().find_map(|join| join.packet_elements),
            slots: joins().find_map(|join| join.slots),
            message_bytes: self.message_bytes(),
            max_datagram: joins().map(|join| join.max_datagram).min().unwrap_or(0),
            worker_buffer: joins().map(|join| join.receive_buffer).min().unwrap_or(0),
            switch_share: layout.buffer_share(switch_buffer),
            transport: layout.slots_at.transport(),
            exchange: match (joins().find_map(Join::resumes_slots), self.members.len() as u16) {
                _ if !layout.only_workers() => Exchange::Not,
                (Some(slots), workers) => Exchange::Resumed(workers, slots),
                (None, workers) if self.answers() => Exchange::Needed(workers),
                (None, workers) => Exchange::Among(workers),
            },
            // R-RES-3
            most_slots: if resumable {
                MAX_RESUMABLE_SLOTS / u32::from(layout.flows.max(1))
            } else {
                u16::MAX.into()
            },
        })
    }

    /// Returns the bytes of the longest message, or element, of the job's operations.
    fn message_bytes(&self) -> u32 {
        let bytes = |operation: &dyn TypedOperation| {
            let elements = u64::from(operation.message_elements().unwrap_or(1));
            elements.saturating_mul(operation.element_bytes() as u64)
        };
        let longest = self.operations().map(|(_, operation)| bytes(operation)).max();
        u32::try_from(longest.unwrap_or(0)).unwrap_or(u32::MAX)
    }

    /// Returns whether one of the job's operations answers requests.
    fn answers(&self) -> bool {
        self.operations().any(|(_, operation)| operation.answers())
    }

    /// Returns the admission of the job for the data plane. The job's workers have agreed on its
    /// terms ([`Join::terms`]).
    pub(super) fn admission(
        &self,
        epoch: JobEpoch,
        layout: &Layout,
        terms: Terms<IntegrityKind>,
        tokens: &[Token],
    ) -> Admission {
        let first = self.members.values().next();
        let token = first.and_then(|member| tokens.get(member.token?));
        Admission {
            job: epoch.job,
            epoch: epoch.id,
            workers: self.members.len() as u16,
            slots: epoch.grant.all_slots(),
            exchange_slots: epoch.grant.exchange_slots,
            lent_slots: epoch.grant.lent_slots(),
            payload_bytes: epoch.grant.payload_bytes,
            // Integrity by token is refused at the join when there is no token (R-CTRL-8).
            terms: terms.with_integrity(integrity(terms.integrity, token, epoch.id)),
            flows: layout.flows,
            groups: layout.groups.clone(),
            members: layout.members.clone(),
            parent: None,
            ticket: epoch.ticket(),
            elsewhere: matches!(epoch.slots_at, SlotsAt::Host | SlotsAt::Below),
            operations: first.map(|member| member.operations.clone()).unwrap_or_default(),
        }
    }

    /// Returns the welcome of a worker when the job runs, without the rounds that it has to replay.
    pub(super) fn welcome(
        &self,
        rank: u16,
        epoch: JobEpoch,
        layout: &Layout,
        shards: &[SocketAddr],
    ) -> Option<Welcome> {
        let (agreed, member) = (self.agreed()?, self.members.get(&rank)?);
        Some(Welcome {
            job: epoch.job,
            epoch: epoch.id,
            workers: agreed.size,
            slots: epoch.grant.slots,
            urgent_slots: epoch.grant.urgent_slots,
            long_slots: epoch.grant.long_slots,
            exchange_slots: epoch.grant.exchange_slots,
            payload_bytes: epoch.grant.payload_bytes,
            block_bytes: epoch.grant.short_bytes(),
            shards: shards.iter().take(layout.flows.into()).copied().collect(),
            groups: layout.groups.clone(),
            ticket: epoch.ticket(),
            host: self.host(layout.host(rank), epoch.secret),
            below: layout.below(&member.path),
            table_top: None,
            replays: Vec::new(),
            first_call: self.first_call(),
            integrity: agreed.terms.integrity,
            timeout_ms: agreed.timeout_ms,
        })
    }

    /// R-CTRL-11: the workers with which one folds before anything leaves their host; `None` if
    /// there are no others.
    fn host(&self, ranks: &[u16], ticket: Ticket) -> Option<HostGroup> {
        let &[leader, _, ..] = ranks else { return None };
        let memory_server = self.members.get(&leader)?.join.host.as_ref()?.memory_server.clone();
        Some(HostGroup { leader, ranks: ranks.to_vec(), memory_server, ticket })
    }

    /// Returns the job's line in `netfold ctl jobs`; `None` if the job has no member.
    pub(super) fn report(&self, now_us: u64) -> Option<JobReport> {
        let Join { size, terms, .. } = self.agreed()?;
        let (phase, epoch) = match self.phase {
            Phase::Forming { .. } => (JobPhase::Forming, None),
            Phase::Running(epoch) => (JobPhase::Running, Some(epoch)),
            Phase::Describing { epoch, .. } => (JobPhase::Failing, Some(epoch)),
        };
        let left = |(&rank, member): (&u16, &Member)| member.connection.is_none().then_some(rank);
        Some(JobReport {
            name: self.name.clone(),
            phase,
            job: epoch.map(|epoch| epoch.job),
            epoch: epoch.map(|epoch| epoch.id),
            size: *size,
            missing: self.missing.iter().copied().collect(),
            left: self.members.iter().filter_map(left).collect(),
            arithmetic: terms.arithmetic.clone(),
            overflow: terms.overflow.clone(),
            byte_order: terms.byte_order.clone(),
            protocol: terms.protocol.clone(),
            integrity: terms.integrity,
            slots: epoch.map(|epoch| epoch.grant.all_slots()),
            payload_bytes: epoch.map(|epoch| epoch.grant.payload_bytes),
            age_ms: now_us.saturating_sub(self.created_us) / 1000,
            table: None,
        })
    }
}

/// Returns an epoch and its admission with other slots.
fn granted(grant: Grant, epoch: JobEpoch, admission: Admission) -> (JobEpoch, Admission) {
    let (slots, exchange_slots) = (grant.all_slots(), grant.exchange_slots);
    let lent_slots = grant.lent_slots();
    (JobEpoch { grant, ..epoch }, Admission { slots, exchange_slots, lent_slots, ..admission })
}
