//! The switches that have a table, and the ways from them.

use std::collections::BTreeMap;

use netfold_switch::{Leaf, TableTree};
use netfold_wire::{Integrity, TableKind, TablePacket, WorkerId};

use crate::datagram::Party;
use crate::setup::JobSetup;
use crate::topology::{Membership, Topology, memberships};

/// A switch that has a table.
#[derive(Clone, Debug)]
struct Holder {
    switch: u32,
    /// The switches below that it reads, with their nodes.
    leaves: Vec<(Leaf, u32)>,
}

/// The switches that have a job's table.
#[derive(Clone, Debug, Default)]
pub(crate) struct TablePlace {
    /// The switch that servers read, and from which workers pull.
    top: u32,
    holders: Vec<Holder>,
    /// The switch to which each worker pushes.
    near: Vec<u32>,
}

/// The ways of a table's packets from its switches.
#[derive(Clone, Debug)]
pub(crate) struct TableWays {
    /// Proof of its packets.
    pub(crate) integrity: Integrity,
    /// The first link from a switch to whoever it asks or answers.
    links: BTreeMap<(u32, Party), u32>,
    /// The leaves of a switch, by name.
    leaves: BTreeMap<(u32, WorkerId), u32>,
}

impl TablePlace {
    /// At the lowest switch above all hosts of the job. With `tree` at the lowest one above all
    /// workers, and at those between it and them (R-KEY-17).
    ///
    /// # Panics
    /// If the job has no table.
    pub(crate) fn of(topology: &Topology, setup: &JobSetup) -> Self {
        let hosts = setup.first_host..setup.first_host + setup.hosts();
        let workers = 0..setup.workers;
        if !setup.table.expect("the job has a table").tree {
            let top = topology.top(hosts);
            let holders = vec![Holder { switch: top, leaves: Vec::new() }];
            return Self { top, holders, near: workers.map(|_| top).collect() };
        }
        let host = |rank| topology.host(setup.host(rank));
        let holder = |(switch, membership): (u32, Option<Membership>)| {
            let members = membership?.members.into_iter();
            let below = members.filter(|(_, node)| *node < topology.switches());
            let leaf = |(name, node)| {
                let own = (0..setup.workers).filter(|rank| topology.is_above(node, host(*rank)));
                (Leaf { name, workers: own.map(WorkerId).collect() }, node)
            };
            Some(Holder { switch, leaves: below.map(leaf).collect() })
        };
        let members = memberships(topology, setup.first_host, setup.workers);
        Self {
            top: topology.top(hosts.take(setup.workers.into())),
            holders: (0..).zip(members).filter_map(holder).collect(),
            near: workers.filter_map(|rank| topology.parent(host(rank))).collect(),
        }
    }

    /// The switches with their places in the tree.
    pub(crate) fn trees(&self) -> impl Iterator<Item = (u32, TableTree)> {
        self.holders.iter().map(|holder| {
            let leaves = holder.leaves.iter().map(|(leaf, _)| leaf.clone()).collect();
            (holder.switch, TableTree { leaves, has_parent: holder.switch != self.top })
        })
    }

    /// The switch that is to have a request of a rank: pushes fold at the nearest (R-KEY-17).
    pub(crate) fn of_request(&self, rank: u16, datagram: &[u8]) -> u32 {
        let near = self.near.get(usize::from(rank));
        near.filter(|_| TablePacket::is_of(datagram, TableKind::Push)).copied().unwrap_or(self.top)
    }

    /// The ways from the switches to the endpoints of a job, each with the node of its host, and to
    /// each other.
    pub(crate) fn ways(
        &self,
        topology: &Topology,
        integrity: Integrity,
        endpoints: &[(u32, u32)],
    ) -> TableWays {
        let mut ways = TableWays { integrity, links: BTreeMap::new(), leaves: BTreeMap::new() };
        for Holder { switch, leaves } in &self.holders {
            for (endpoint, node) in endpoints {
                let link = topology.next_link(*switch, *node);
                ways.links.insert((*switch, Party::Endpoint(*endpoint)), link);
            }
            for (leaf, node) in leaves {
                ways.leaves.insert((*switch, leaf.name), *node);
                for (one, other) in [(*switch, *node), (*node, *switch)] {
                    let link = topology.next_link(one, other);
                    ways.links.insert((one, Party::Switch(other)), link);
                }
            }
        }
        ways
    }
}

impl TableWays {
    /// The first link from a switch to a party.
    pub(crate) fn link(&self, switch: u32, to: Party) -> Option<u32> {
        self.links.get(&(switch, to)).copied()
    }

    /// The node of a leaf of a switch.
    pub(crate) fn leaf(&self, switch: u32, name: WorkerId) -> Option<u32> {
        self.leaves.get(&(switch, name)).copied()
    }
}
