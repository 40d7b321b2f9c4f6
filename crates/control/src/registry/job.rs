//! A job: its members, what they have agreed on, and where it is in its life.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};

use netfold_num::{Arithmetic, ByteOrder};

use super::ConnectionId;
use crate::failure::Refusal;
use crate::limits::MAX_SHARING;
use crate::message::{HostGroup, IntegrityKind, Join, Ticket, Transport, Welcome};
use crate::negotiate::{Grant, MIN_ELEMENTS, Needs, fitting_elements, grant};
use crate::plane::{Admission, Incident};
use crate::report::{JobPhase, JobReport};
use crate::token::{Token, integrity};
use crate::tree::{self, Bearer, Comer, Hop, Standing};

/// Position of a token in the switch's list.
pub(super) type TokenIndex = usize;

pub(super) struct Job {
    pub(super) name: String,
    pub(super) created_us: u64,
    /// By rank.
    pub(super) members: BTreeMap<u16, Member>,
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
    /// The call that it was last heard to wait for, and how it describes it (R-CTRL-12).
    pub(super) in_progress: Option<(u64, String)>,
}

impl Member {
    fn comer(&self, rank: u16, leader: u16) -> Comer<'_> {
        Comer { rank, ip: self.ip, path: &self.path, udp_ports: &self.join.udp_ports, leader }
    }
}

pub(super) enum Phase {
    Forming {
        deadline_us: u64,
    },
    Running(Life),
    /// An incident has been reported and the job's memory released; what the workers concerned have called is asked for (R-CTRL-6).
    Describing {
        life: Life,
        deadline_us: u64,
        incident: Incident,
        texts: BTreeMap<u16, String>,
    },
}

/// What a job has from the moment it runs.
#[derive(Clone, Copy)]
pub(super) struct Life {
    pub(super) number: u16,
    pub(super) epoch: u32,
    pub(super) grant: Grant,
    /// Where the slots are.
    pub(super) slots_at: SlotsAt,
    /// For the memory that workers share, with the switch or with each other.
    pub(super) secret: Ticket,
}

/// Where the slots of a job are.
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
    /// How the workers reach them.
    pub(super) fn transport(self) -> Transport {
        match self {
            Self::Shards | Self::Below => Transport::Udp,
            Self::SwitchMemory | Self::Host => Transport::Shm,
        }
    }
}

impl Life {
    /// For the memory that the workers share with the switch (R-CTRL-10).
    pub(super) fn ticket(&self) -> Option<Ticket> {
        (self.slots_at == SlotsAt::SwitchMemory).then_some(self.secret)
    }
}

impl Job {
    pub(super) fn new(name: String, now_us: u64, deadline_us: u64) -> Self {
        Self { name, created_us: now_us, members: BTreeMap::new(), phase: Phase::Forming { deadline_us } }
    }

    /// What any member says of the job: they agree. `None` if the job has no member.
    pub(super) fn terms(&self) -> Option<&Join> {
        self.members.values().next().map(|member| &member.join)
    }

    /// Takes a worker in if its rank is free and it agrees with those that are there (R-CTRL-1, R-CTRL-3).
    pub(super) fn add(&mut self, rank: u16, newcomer: Member) -> Result<(), Refusal> {
        if let Some(holder) = self.members.get(&rank) {
            return Err(Refusal::RankTaken { job: self.name.clone(), rank, by: holder.ip.to_string() });
        }
        for member in self.members.values() {
            self.agree(member, &newcomer)?;
        }
        self.packets_fit(&newcomer)?;
        self.memory_is_shared(&newcomer)?;
        self.members.insert(rank, newcomer);
        Ok(())
    }

    /// R-CTRL-1: whether a newcomer wants what a member wants. What one of them leaves to the switch is no disagreement.
    fn agree(&self, member: &Member, newcomer: &Member) -> Result<(), Refusal> {
        let (a, b) = (&member.join, &newcomer.join);
        let optional = |a: Option<u16>, b: Option<u16>| a.zip(b).map(|(a, b)| (a.to_string(), b.to_string()));
        let token = |token: Option<TokenIndex>| match token {
            Some(index) => format!("the switch's token number {}", index + 1),
            None => "no token".to_owned(),
        };
        let terms = [
            ("size", Some((a.size.to_string(), b.size.to_string()))),
            ("arithmetic", Some((a.arithmetic.clone(), b.arithmetic.clone()))),
            ("byte order", Some((a.byte_order.clone(), b.byte_order.clone()))),
            ("integrity", Some((a.integrity.to_string(), b.integrity.to_string()))),
            ("token", Some((token(member.token), token(newcomer.token)))),
            ("time-out", Some((format!("{} ms", a.timeout_ms), format!("{} ms", b.timeout_ms)))),
            ("packet elements", optional(a.packet_elements, b.packet_elements)),
            ("slots", optional(a.slots, b.slots)),
            ("weight", Some((a.weight.to_string(), b.weight.to_string()))),
            ("transport", a.transport.zip(b.transport).map(|(a, b)| (a.to_string(), b.to_string()))),
        ];
        for (what, values) in terms {
            if let Some((value_a, value_b)) = values.filter(|(a, b)| a != b) {
                return Err(Refusal::Disagreement {
                    job: self.name.clone(),
                    what: what.to_owned(),
                    rank_a: a.rank,
                    value_a,
                    rank_b: b.rank,
                    value_b,
                });
            }
        }
        Ok(())
    }

    /// Whether the packets that someone has asked for (or the smallest ones) fit everyone's path.
    fn packets_fit(&self, newcomer: &Member) -> Result<(), Refusal> {
        let everyone = || self.members.values().chain([newcomer]).map(|member| &member.join);
        let asked = everyone().find_map(|join| join.packet_elements).unwrap_or(MIN_ELEMENTS);
        let narrow = everyone().find(|join| fitting_elements(join.max_datagram) < asked);
        narrow.map_or(Ok(()), |join| {
            Err(Refusal::PacketTooLarge {
                asked,
                fits: fitting_elements(join.max_datagram),
                rank: join.rank,
                max_datagram: join.max_datagram,
            })
        })
    }

    /// R-CTRL-10: whether all can have shared memory if one of them asks for it.
    fn memory_is_shared(&self, newcomer: &Member) -> Result<(), Refusal> {
        let everyone = || self.members.values().chain([newcomer]).map(|member| &member.join);
        let asked = everyone().any(|join| join.transport == Some(Transport::Shm));
        let size = newcomer.join.size;
        if asked && size > MAX_SHARING {
            let allowed = format!("at most {MAX_SHARING}; NETFOLD_TRANSPORT=udp takes more");
            return Err(Refusal::bad_value("the number of workers that share memory", size, allowed));
        }
        match everyone().find(|join| asked && !join.shares_memory) {
            Some(join) => Err(Refusal::NoSharedMemory { rank: join.rank }),
            None => Ok(()),
        }
    }

    /// R-CTRL-10, R-CTRL-11: where the job's slots are, now that all workers are there.
    fn slots_at(&self) -> SlotsAt {
        let (leaders, few) = (self.leaders(), self.members.len() <= usize::from(MAX_SHARING));
        if self.all_reach_switch_memory() {
            SlotsAt::SwitchMemory
        } else if few && leaders.len() > 1 && leaders.iter().all(|leader| *leader == leaders[0]) {
            SlotsAt::Host
        } else if tree::standing(&self.at_switch(0), leaders.len() as u16) == Standing::Idle {
            SlotsAt::Below
        } else {
            SlotsAt::Shards
        }
    }

    /// R-CTRL-10
    fn all_reach_switch_memory(&self) -> bool {
        let shared = |member: &Member| member.join.shares_memory && member.join.transport != Some(Transport::Udp);
        self.members.len() <= usize::from(MAX_SHARING) && self.members.values().all(shared)
    }

    /// Ranks that have not joined.
    pub(super) fn missing(&self) -> Vec<u16> {
        let size = self.terms().map_or(0, |terms| terms.size);
        (0..size).filter(|rank| !self.members.contains_key(rank)).collect()
    }

    /// Members that have not taken their leave, with their connections.
    pub(super) fn present(&self) -> Vec<(u16, ConnectionId)> {
        self.members.iter().filter_map(|(&rank, member)| Some((rank, member.connection?))).collect()
    }

    pub(super) fn connection_of(&self, rank: u16) -> Option<ConnectionId> {
        self.members.get(&rank)?.connection
    }

    /// The life that the data plane runs; `None` before and after.
    pub(super) fn running(&self) -> Option<Life> {
        match self.phase {
            Phase::Running(life) => Some(life),
            Phase::Forming { .. } | Phase::Describing { .. } => None,
        }
    }

    /// The life that begins now that all are there (R-CTRL-2). `secret` must be random.
    pub(super) fn life(&self, number: u16, epoch: u32, switch_buffer: u64, secret: u64) -> Life {
        Life { number, epoch, grant: self.negotiate(switch_buffer), slots_at: self.slots_at(), secret: Ticket(secret) }
    }

    /// R-CTRL-11: for each rank the one that sends for it, of the workers of its host that have come the same way.
    fn leaders(&self) -> Vec<u16> {
        let alone = self.all_reach_switch_memory();
        // For each host, and each way that its workers have come, the leader of the latest group, and how many that has.
        let mut groups = BTreeMap::new();
        let leader = |(&rank, member): (&u16, &Member)| {
            let Some(offer) = member.join.host.as_ref().filter(|_| !alone) else { return rank };
            let way: Vec<_> = member.path.iter().map(|hop| hop.id).collect();
            let (leader, count) = groups.entry((offer.id, way)).or_insert((rank, 0));
            if *count == MAX_SHARING {
                (*leader, *count) = (rank, 0);
            }
            *count += 1;
            *leader
        };
        self.members.iter().map(leader).collect()
    }

    /// Who sends to the switch, and for whom (R-TREE-1).
    fn at_switch(&self, flows: u16) -> Vec<tree::Member> {
        let workers = self.members.iter().zip(self.leaders());
        tree::members(workers.map(|((rank, member), leader)| member.comer(*rank, leader)), flows)
    }

    /// R-CTRL-15: no worker has come through a switch with fewer shards.
    fn flows(&self) -> u16 {
        self.members.values().map(|member| member.join.udp_ports.len()).min().unwrap_or(0) as u16
    }

    /// R-CTRL-17: for each switch through which `rank` has come, the nearest to the root first, the ranks below it.
    fn below(&self, rank: u16) -> Vec<Vec<u16>> {
        let comes_by = |id: u64| {
            let through = self.members.iter().filter(move |(_, member)| member.path.iter().any(|hop| hop.id == id));
            through.map(|(&rank, _)| rank).collect()
        };
        let path = self.members.get(&rank).map_or(&[][..], |member| &member.path);
        path.iter().rev().map(|hop| comes_by(hop.id)).collect()
    }

    /// Bytes of a shard's receive buffer for each of those that send to it, at the switch where that is least. What a parent sends is as much as one member does.
    fn buffer_share(&self, own_buffer: u64) -> u64 {
        let mut bearers: BTreeMap<u64, (u64, BTreeSet<Bearer>)> = BTreeMap::new();
        for (member, leader) in self.members.values().zip(self.leaders()) {
            for (index, hop) in member.path.iter().enumerate() {
                let (_, below) = bearers.entry(hop.id).or_insert((hop.receive_buffer, BTreeSet::new()));
                below.insert(Bearer::of(&member.path[..index], leader));
            }
        }
        let own = own_buffer / self.at_switch(0).len().max(1) as u64;
        bearers.values().map(|(buffer, below)| buffer / (below.len() as u64 + 1)).fold(own, u64::min)
    }

    /// R-CTRL-11: the workers with which `rank` folds before anything leaves their host; `None` if there are no others.
    fn host(&self, rank: u16, life: &Life) -> Option<HostGroup> {
        let leaders = self.leaders();
        let leader = *leaders.get(usize::from(rank))?;
        let ranks: Vec<u16> = (0..).zip(&leaders).filter(|(_, of)| **of == leader).map(|(rank, _)| rank).collect();
        let desk = self.members.get(&leader)?.join.host.as_ref()?.desk.clone();
        (ranks.len() > 1).then_some(HostGroup { leader, ranks, desk, ticket: life.secret })
    }

    /// The workers for which the member of this name sends: those of a host or below a switch, or itself.
    pub(super) fn stands_for(&self, rank: u16) -> Vec<u16> {
        self.at_switch(0).into_iter().find(|member| member.rank == rank).map_or_else(Vec::new, |member| member.ranks)
    }

    fn negotiate(&self, switch_buffer: u64) -> Grant {
        let joins = || self.members.values().map(|member| &member.join);
        grant(&Needs {
            elements: joins().find_map(|join| join.packet_elements),
            slots: joins().find_map(|join| join.slots),
            max_datagram: joins().map(|join| join.max_datagram).min().unwrap_or(0),
            worker_buffer: joins().map(|join| join.receive_buffer).min().unwrap_or(0),
            switch_share: self.buffer_share(switch_buffer),
            transport: self.slots_at().transport(),
        })
    }

    /// What the data plane is told of the job, whose workers have agreed on how it folds ([`Join::folding`]).
    pub(super) fn admission(&self, life: Life, folding: (Arithmetic, ByteOrder), tokens: &[Token]) -> Admission {
        let first = self.members.values().next();
        let kind = first.map_or(IntegrityKind::Transport, |member| member.join.integrity);
        let token = first.and_then(|member| tokens.get(member.token?));
        let (flows, members) = (self.flows(), self.at_switch(self.flows()));
        Admission {
            job: life.number,
            epoch: life.epoch,
            workers: self.members.len() as u16,
            slots: life.grant.all_slots(),
            payload_bytes: life.grant.payload_bytes,
            arithmetic: folding.0,
            byte_order: folding.1,
            // Integrity by token is refused at the join when there is no token (R-CTRL-8).
            integrity: integrity(kind, token, life.epoch),
            flows,
            groups: tree::groups(&members),
            members,
            parent: None,
            ticket: life.ticket(),
            elsewhere: matches!(life.slots_at, SlotsAt::Host | SlotsAt::Below),
        }
    }

    /// What a worker is told when the job runs.
    pub(super) fn welcome(&self, rank: u16, life: Life, shards: &[SocketAddr]) -> Option<Welcome> {
        let terms = self.terms()?;
        Some(Welcome {
            job: life.number,
            epoch: life.epoch,
            workers: terms.size,
            slots: life.grant.slots,
            urgent_slots: life.grant.urgent_slots,
            payload_bytes: life.grant.payload_bytes,
            shards: shards.iter().take(self.flows().into()).copied().collect(),
            groups: tree::groups(&self.at_switch(self.flows())),
            ticket: life.ticket(),
            host: self.host(rank, &life),
            below: self.below(rank),
            integrity: terms.integrity,
            timeout_ms: terms.timeout_ms,
        })
    }

    /// What `netfold ctl jobs` shows; `None` if the job has no member.
    pub(super) fn report(&self, now_us: u64) -> Option<JobReport> {
        let terms = self.terms()?;
        let (phase, life) = match self.phase {
            Phase::Forming { .. } => (JobPhase::Forming, None),
            Phase::Running(life) => (JobPhase::Running, Some(life)),
            Phase::Describing { life, .. } => (JobPhase::Failing, Some(life)),
        };
        let left = |(&rank, member): (&u16, &Member)| member.connection.is_none().then_some(rank);
        Some(JobReport {
            name: self.name.clone(),
            phase,
            job: life.map(|life| life.number),
            epoch: life.map(|life| life.epoch),
            size: terms.size,
            missing: if life.is_some() { Vec::new() } else { self.missing() },
            left: self.members.iter().filter_map(left).collect(),
            arithmetic: terms.arithmetic.clone(),
            byte_order: terms.byte_order.clone(),
            integrity: terms.integrity,
            slots: life.map(|life| life.grant.all_slots()),
            payload_bytes: life.map(|life| life.grant.payload_bytes),
            age_ms: now_us.saturating_sub(self.created_us) / 1000,
        })
    }
}
