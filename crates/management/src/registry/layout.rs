//! The senders to each switch of a job (R-TREE-1, R-CTRL-15, R-CTRL-16), once all its workers are
//! there.

use core::net::SocketAddr;
use std::collections::{BTreeMap, BTreeSet};

use super::job::{Member, SlotsAt};
use crate::failure::Refusal;
use crate::limits::MAX_SHARING;
use crate::message::Transport;
use crate::tree::{self, Bearer, Comer, Hop, Standing};

/// A job on its tree of switches, as the root sees it. To make it takes time in proportion to the
/// workers.
pub(super) struct Layout {
    /// Location of the job's slots.
    pub(super) slots_at: SlotsAt,
    pub(super) flows: u16,
    /// Members that send to the root.
    pub(super) members: Vec<tree::Member>,
    /// For each flow, the address at which one datagram of the root reaches all its members
    /// (R-CTRL-9).
    pub(super) groups: Vec<SocketAddr>,
    /// For each rank the one that sends for it on its host: itself if it is alone (R-CTRL-11).
    leaders: Vec<u16>,
    /// For each that sends the ranks for which it does.
    hosts: BTreeMap<u16, Vec<u16>>,
    /// The switches through which workers have come, by identity.
    racks: BTreeMap<u64, Rack>,
}

/// A switch below the root, in a job.
struct Rack {
    at: SocketAddr,
    receive_buffer: u64,
    workers: u16,
    /// Its members.
    bearers: BTreeSet<Bearer>,
}

impl Layout {
    /// Of the workers of a job, all of which are there.
    pub(super) fn of(workers: &BTreeMap<u16, Member>) -> Self {
        let (leaders, flows) = (leaders(workers), flows(workers));
        let comer = |((&rank, member), &leader): ((&u16, _), _)| comer(rank, member, leader);
        let members = tree::members(workers.iter().zip(&leaders).map(comer), flows);
        let (mut hosts, mut racks) = (BTreeMap::<u16, Vec<u16>>::new(), BTreeMap::new());
        for ((&rank, member), &leader) in workers.iter().zip(&leaders) {
            hosts.entry(leader).or_default().push(rank);
            for (index, hop) in member.path.iter().enumerate() {
                let rack = racks.entry(hop.id).or_insert_with(|| Rack {
                    at: hop.at,
                    receive_buffer: hop.receive_buffer,
                    workers: 0,
                    bearers: BTreeSet::new(),
                });
                rack.workers += 1;
                rack.bearers.insert(Bearer::of(&member.path[..index], leader));
            }
        }
        let few = workers.len() <= usize::from(MAX_SHARING);
        let slots_at = if all_reach_switch_memory(workers) {
            SlotsAt::SwitchMemory
        } else if few && leaders.len() > 1 && hosts.len() == 1 {
            SlotsAt::Host
        } else if tree::standing(&members, workers.len() as u16) == Standing::Idle {
            SlotsAt::Below
        } else {
            SlotsAt::Shards
        };
        Self { slots_at, flows, groups: tree::groups(&members), members, leaders, hosts, racks }
    }

    /// R-CTRL-23: returns whether all that send to the slots are workers, each for itself, at this
    /// switch.
    pub(super) fn only_workers(&self) -> bool {
        self.slots_at == SlotsAt::Shards
            && self.racks.is_empty()
            && self.members.len() == self.leaders.len()
    }

    /// R-CTRL-2: the refusal, if a switch of the job would have more members than `limit`.
    pub(super) fn crowded(&self, job: &str, limit: u16) -> Option<Refusal> {
        let racks = self.racks.values().map(|rack| (Some(rack.at), rack.bearers.len()));
        let (switch, members) = racks
            .chain([(None, self.members.len())])
            .find(|(_, members)| *members > usize::from(limit))?;
        Some(Refusal::TooManyMembers { job: job.to_owned(), switch, members, limit })
    }

    /// Bytes of a shard's receive buffer for each of those that send to it, at the switch where
    /// that is least. A parent sends as much as one member does.
    pub(super) fn buffer_share(&self, own_buffer: u64) -> u64 {
        let own = own_buffer / self.members.len().max(1) as u64;
        self.racks
            .values()
            .map(|rack| rack.receive_buffer / (rack.bearers.len() as u64 + 1))
            .fold(own, u64::min)
    }

    /// R-CTRL-17: for each switch of a path, the nearest to the root first, how many workers are
    /// below it.
    pub(super) fn below(&self, path: &[Hop]) -> Vec<u16> {
        path.iter()
            .rev()
            .map(|hop| self.racks.get(&hop.id).map_or(0, |rack| rack.workers))
            .collect()
    }

    /// R-CTRL-11: the workers that fold on one host with this one, itself among them.
    pub(super) fn host(&self, rank: u16) -> &[u16] {
        let leader = self.leaders.get(usize::from(rank));
        leader.and_then(|leader| self.hosts.get(leader)).map_or(&[], Vec::as_slice)
    }
}

fn comer(rank: u16, member: &Member, leader: u16) -> Comer<'_> {
    Comer { rank, ip: member.ip, path: &member.path, udp_ports: &member.join.udp_ports, leader }
}

/// R-CTRL-10
fn all_reach_switch_memory(workers: &BTreeMap<u16, Member>) -> bool {
    let shared = |member: &Member| {
        member.join.shares_memory && member.join.transport != Some(Transport::Udp)
    };
    !resumes_flows(workers)
        && !keeps_state(workers)
        && workers.len() <= usize::from(MAX_SHARING)
        && workers.values().all(shared)
}

/// R-RES-3: returns whether the job goes on in several flows, which memory does not have.
fn resumes_flows(workers: &BTreeMap<u16, Member>) -> bool {
    let resume = workers.values().next().and_then(|member| member.join.resume.as_ref());
    resume.is_some_and(|resume| resume.flows.len() > 1)
}

fn is_one_host(workers: &BTreeMap<u16, Member>) -> bool {
    let mut hosts = workers.values().map(|member| member.join.host.as_ref().map(|offer| offer.id));
    let first = hosts.next().flatten();
    first.is_some() && hosts.all(|host| host == first)
}

/// R-CTRL-11: for each rank the one that sends for it, of the workers of its host that have come
/// the same way.
fn leaders(workers: &BTreeMap<u16, Member>) -> Vec<u16> {
    let alone = all_reach_switch_memory(workers)
        || (resumes_flows(workers) && is_one_host(workers))
        || folds_at_one_place(workers);
    // For each host, and each way that its workers have come, the leader of the latest group, and
    // how many that has.
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
    workers.iter().map(leader).collect()
}

/// R-OP-26: returns whether the job has operations of users, and its workers cannot fold in one
/// memory.
fn folds_at_one_place(workers: &BTreeMap<u16, Member>) -> bool {
    let has_operations = workers.values().any(|member| !member.operations.is_empty());
    let in_one_memory =
        is_one_host(workers) && workers.len() <= usize::from(MAX_SHARING) && !keeps_state(workers);
    has_operations && !in_one_memory
}

/// R-OP-34: returns whether the job has operations that keep state.
fn keeps_state(workers: &BTreeMap<u16, Member>) -> bool {
    workers.values().next().is_some_and(|member| member.operations.keep_state())
}

/// R-CTRL-15: no worker has come through a switch with fewer shards. R-OP-34: state is at one.
fn flows(workers: &BTreeMap<u16, Member>) -> u16 {
    if keeps_state(workers) {
        return 1;
    }
    workers.values().map(|member| member.join.udp_ports.len()).min().unwrap_or(0) as u16
}
