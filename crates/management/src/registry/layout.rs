//! The senders to each switch of a job (R-TREE-1, R-CTRL-15, R-CTRL-16), once all its workers are
//! there.

use core::net::SocketAddr;
use std::collections::{BTreeMap, BTreeSet};

use netfold_switch::TypedOperation;

use super::job::{Job, Member, SlotsAt};
use crate::failure::{MAX_NAMED, Refusal};
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
    /// The workers below it, in order.
    ranks: Vec<u16>,
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
                    ranks: Vec::new(),
                    bearers: BTreeSet::new(),
                });
                rack.ranks.push(rank);
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

    /// R-OP-26: the refusal, if a switch below another would fold operands by itself that an
    /// operation of the job wants folded elsewhere.
    pub(super) fn misplaced(&self, job: &Job) -> Option<Refusal> {
        // A switch with all workers below it is the top, or above that.
        let is_leaf = |rack: &&Rack| (2..self.leaders.len()).contains(&rack.ranks.len());
        let leaves: Vec<&Rack> = self.racks.values().filter(is_leaf).collect();
        job.operations().find_map(|(_, operation)| {
            let folding = Folding::of(operation);
            let at = leaves.iter().find(|rack| match folding {
                Folding::Anywhere => false,
                Folding::Consecutive => !is_consecutive(&rack.ranks),
                Folding::AtOnePlace => true,
            })?;
            let (job, operation) = (job.name.clone(), operation.name().to_owned());
            let ranks: Vec<u16> = at.ranks.iter().take(MAX_NAMED).copied().collect();
            let (switch, more) = (at.at, at.ranks.len() - ranks.len());
            Some(match folding {
                Folding::AtOnePlace => {
                    Refusal::NotAssociative { job, operation, switch, ranks, more }
                }
                _ => Refusal::NotConsecutive { job, operation, switch, ranks, more },
            })
        })
    }

    /// The most members that a switch of the job has.
    pub(super) fn most_members(&self) -> u16 {
        let racks = self.racks.values().map(|rack| rack.bearers.len());
        racks.chain([self.members.len()]).max().unwrap_or(0) as u16
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
            .map(|hop| self.racks.get(&hop.id).map_or(0, |rack| rack.ranks.len() as u16))
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

/// R-OP-26: the places at which operands may be folded by themselves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Folding {
    /// Those of any workers.
    Anywhere,
    /// Those of consecutive ranks.
    Consecutive,
    /// Those of all workers alone.
    AtOnePlace,
}

impl Folding {
    fn of(operation: &dyn TypedOperation) -> Self {
        match (operation.any_order(), operation.is_associative()) {
            (true, _) => Self::Anywhere,
            (false, true) => Self::Consecutive,
            (false, false) => Self::AtOnePlace,
        }
    }

    /// That of the operation of a job which allows least.
    fn of_all(workers: &BTreeMap<u16, Member>) -> Self {
        let all = workers.values().flat_map(|member| member.operations.iter());
        all.map(|operation| Self::of(&**operation)).max().unwrap_or(Self::Anywhere)
    }
}

/// Returns whether these ranks, which ascend, have no gap.
fn is_consecutive(ranks: &[u16]) -> bool {
    ranks.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

/// R-CTRL-11: for each rank the one that sends for it, of the workers of its host that have come
/// the same way.
fn leaders(workers: &BTreeMap<u16, Member>) -> Vec<u16> {
    let folding = Folding::of_all(workers);
    let alone = all_reach_switch_memory(workers)
        || (resumes_flows(workers) && is_one_host(workers))
        || keeps_state(workers)
        || (folding == Folding::AtOnePlace && !fold_in_one_memory(workers));
    // For each host, and each way that its workers have come, the leader of the latest group, how
    // many that has, and the last of them.
    let mut groups = BTreeMap::new();
    let leader = |(&rank, member): (&u16, &Member)| {
        let Some(offer) = member.join.host.as_ref().filter(|_| !alone) else { return rank };
        let (leader, count, last) =
            groups.entry((offer.id, way(member))).or_insert((rank, 0, rank));
        let follows = folding == Folding::Anywhere || rank - *last <= 1;
        if *count == MAX_SHARING || !follows {
            (*leader, *count) = (rank, 0);
        }
        (*count, *last) = (*count + 1, rank);
        *leader
    };
    workers.iter().map(leader).collect()
}

fn way(member: &Member) -> Vec<u64> {
    member.path.iter().map(|hop| hop.id).collect()
}

/// Returns whether all workers fold in one memory, away from the switch.
fn fold_in_one_memory(workers: &BTreeMap<u16, Member>) -> bool {
    let mut ways = workers.values().map(way);
    let first = ways.next();
    is_one_host(workers)
        && workers.len() <= usize::from(MAX_SHARING)
        && ways.all(|way| Some(way) == first)
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
