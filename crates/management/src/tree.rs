//! The members and standing of a switch in a job, from the workers that reach it by themselves or
//! through other switches (R-TREE-1, R-CTRL-14 to 16).

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::failure::Refusal;
use crate::message::reach;

/// Most rack switches on the way of a worker to the root (R-CTRL-14).
pub const MAX_LEVELS: usize = 8;

/// A rack switch on the way of a worker to the root (R-CTRL-14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hop {
    /// Its identity: drawn at random when it started.
    pub id: u64,
    /// Address at which it listens, for messages to people.
    pub at: SocketAddr,
    /// UDP ports of its shards, at the address that its connection comes from.
    pub udp_ports: Vec<u16>,
    /// Bytes of the receive buffer of one of its shards.
    pub receive_buffer: u64,
}

/// A member of a switch in a job (R-TREE-1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name: the lowest of `ranks`.
    pub rank: u16,
    /// The workers that it stands for, in order.
    pub ranks: Vec<u16>,
    /// It is another switch.
    pub is_switch: bool,
    /// Addresses at which it takes results, for each flow.
    pub addresses: Vec<SocketAddr>,
}

/// A worker as it comes to a switch.
pub(crate) struct Comer<'a> {
    pub(crate) rank: u16,
    /// Address from which its connection comes.
    pub(crate) ip: IpAddr,
    /// The switches through which it comes, the nearest last.
    pub(crate) path: &'a [Hop],
    /// Its own ports.
    pub(crate) udp_ports: &'a [u16],
    /// Worker of its host that sends for it: itself if it is alone (R-CTRL-11).
    pub(crate) leader: u16,
}

/// Sender of a worker's contributions to a switch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bearer {
    /// Another switch.
    Switch(u64),
    /// A worker.
    Worker(u16),
}

impl Bearer {
    /// To a switch at the end of `path`, of a worker for which `leader` sends on its host.
    pub(crate) fn of(path: &[Hop], leader: u16) -> Self {
        path.last().map_or(Self::Worker(leader), |hop| Self::Switch(hop.id))
    }
}

/// Role of a switch in a job (R-CTRL-16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its slots are the last: their results are the job's.
    Top,
    /// It sends on what it folds, under this name.
    Leaf { name: u16 },
    /// The job's slots are all below its only member.
    Idle,
}

/// R-TREE-1: the members of a switch with `flows` flows, to which these workers come in the order
/// of their ranks.
pub(crate) fn members<'a>(comers: impl IntoIterator<Item = Comer<'a>>, flows: u16) -> Vec<Member> {
    let mut found: Vec<Member> = Vec::new();
    let mut places: BTreeMap<Bearer, usize> = BTreeMap::new();
    for Comer { rank, ip, path, udp_ports, leader } in comers {
        let place = *places.entry(Bearer::of(path, leader)).or_insert(found.len());
        if let Some(member) = found.get_mut(place) {
            member.ranks.push(rank);
            continue;
        }
        let ports = path.last().map_or(udp_ports, |hop| &hop.udp_ports);
        let addresses =
            ports.iter().take(flows.into()).map(|port| SocketAddr::new(ip, *port)).collect();
        found.push(Member { rank, ranks: vec![rank], is_switch: !path.is_empty(), addresses });
    }
    found
}

/// R-CTRL-16: returns the role of a switch with these members in a job of `workers`.
pub(crate) fn standing(members: &[Member], workers: u16) -> Standing {
    let below: usize = members.iter().map(|member| member.ranks.len()).sum();
    match members {
        [first, ..] if below < usize::from(workers) => Standing::Leaf { name: first.rank },
        [only] if only.is_switch || only.ranks.len() > 1 => Standing::Idle,
        _ => Standing::Top,
    }
}

/// R-CTRL-9: for each flow, where one datagram reaches every member; empty if there is no such
/// address.
pub(crate) fn groups(members: &[Member]) -> Vec<SocketAddr> {
    /// The broadcast address of the loopback network.
    const LOOPBACK_BROADCAST: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 255, 255, 255));

    let on_loopback =
        |address: &SocketAddr| matches!(address.ip(), IpAddr::V4(ip) if ip.is_loopback());
    let listens = |member: &Member| !member.is_switch && member.addresses.iter().all(on_loopback);
    match members {
        [first, _, ..] if members.iter().all(listens) => first
            .addresses
            .iter()
            .map(|address| SocketAddr::new(LOOPBACK_BROADCAST, address.port()))
            .collect(),
        _ => Vec::new(),
    }
}

/// Checks that a greeting's path is possible, and returns it. The neighbour's address takes the
/// place of one by which the neighbour knows only that it listens everywhere.
pub(crate) fn checked_path(mut path: Vec<Hop>, neighbour: IpAddr) -> Result<Vec<Hop>, Refusal> {
    if path.len() > MAX_LEVELS {
        return Err(Refusal::TooDeep { limit: MAX_LEVELS });
    }
    let usable = |hop: &Hop| !hop.udp_ports.is_empty() && !hop.udp_ports.contains(&0);
    if !path.iter().all(usable) {
        return Err(Refusal::bad_value(
            "the list of a switch's UDP ports",
            "empty or with 0",
            "one port for each shard",
        ));
    }
    reach(path.last_mut().map(|hop| &mut hop.at), neighbour);
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hop(id: u64) -> Hop {
        Hop {
            id,
            at: ([10, 0, 0, id as u8], 5555).into(),
            udp_ports: vec![100, 200, 300],
            receive_buffer: 1 << 20,
        }
    }

    fn comer<'a>(
        rank: u16,
        ip: [u8; 4],
        path: &'a [Hop],
        udp_ports: &'a [u16],
        leader: u16,
    ) -> Comer<'a> {
        Comer { rank, ip: ip.into(), path, udp_ports, leader }
    }

    /// R-TREE-1: workers that come through one switch, or send through one worker of their host,
    /// are one member, with the lowest rank's name.
    #[test]
    fn who_comes_the_same_way_is_one_member() {
        let (near, far) = ([hop(7), hop(1)], [hop(2)]);
        let (one, two) = ([10, 0, 0, 1], [10, 0, 0, 2]);
        let found = members(
            [
                comer(0, one, &near, &[1, 2], 0),
                comer(1, two, &[], &[3, 4], 1),
                comer(2, one, &near[1..], &[5, 6], 2),
                comer(3, two, &[], &[7, 8], 1),
                comer(4, two, &far, &[9, 10], 4),
            ],
            2,
        );
        let seen: Vec<_> = found.iter().map(|m| (m.rank, m.ranks.clone(), m.is_switch)).collect();
        assert_eq!(seen, [(0, vec![0, 2], true), (1, vec![1, 3], false), (4, vec![4], true)]);
        assert_eq!(found[0].addresses, [(one, 100).into(), (one, 200).into()]);
        assert_eq!(found[1].addresses, [(two, 3).into(), (two, 4).into()]);
        assert_eq!(standing(&found, 5), Standing::Top);
        assert_eq!(standing(&found, 6), Standing::Leaf { name: 0 });
        assert_eq!(
            standing(&found[1..2], 2),
            Standing::Idle,
            "the workers of one host need no switch"
        );
        assert_eq!(standing(&found[2..], 1), Standing::Idle, "the switch below has them all");
    }

    /// R-CTRL-9, R-CTRL-16
    #[test]
    fn one_datagram_reaches_workers_on_loopback_only() {
        let local = [127, 0, 0, 1];
        let workers = members([comer(0, local, &[], &[1], 0), comer(1, local, &[], &[2], 1)], 1);
        assert_eq!(groups(&workers), [([127, 255, 255, 255], 1).into()]);
        assert_eq!(groups(&workers[..1]), []);
        let path = [hop(1)];
        let mixed = members([comer(0, local, &[], &[1], 0), comer(1, local, &path, &[2], 1)], 1);
        assert_eq!(groups(&mixed), []);
        let apart =
            members([comer(0, local, &[], &[1], 0), comer(1, [10, 0, 0, 1], &[], &[2], 1)], 1);
        assert_eq!(groups(&apart), []);
    }

    /// R-CTRL-14
    #[test]
    fn a_path_is_short_and_has_ports() {
        let neighbour = IpAddr::from([10, 0, 0, 9]);
        let everywhere = Hop { at: ([0; 4], 5555).into(), ..hop(1) };
        let path = checked_path(vec![hop(2), everywhere], neighbour).unwrap();
        assert_eq!((path[0].at, path[1].at), (hop(2).at, (neighbour, 5555).into()));
        let long = (0..=MAX_LEVELS as u64).map(hop).collect();
        assert_eq!(checked_path(long, neighbour), Err(Refusal::TooDeep { limit: MAX_LEVELS }));
        for udp_ports in [vec![], vec![1, 0]] {
            assert!(checked_path(vec![Hop { udp_ports, ..hop(1) }], neighbour).is_err());
        }
    }
}
