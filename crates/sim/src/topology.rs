//! The tree of switches and hosts, and who is a member of which switch in a job.

use netfold_switch::{Place, Tree};
use netfold_wire::WorkerId;

use crate::error::Error;
use crate::setup::Layer;

/// Most switches and hosts of a cluster.
const MOST_NODES: u32 = 1 << 20;

/// Nodes in the order of layers: the root is 0, hosts come last.
pub(crate) struct Topology {
    /// Of each node but the root, by the node's number less 1.
    parents: Vec<u32>,
    /// The first node of each layer, then the number of nodes.
    firsts: Vec<u32>,
}

impl Topology {
    pub(crate) fn new(layers: &[Layer]) -> Result<Self, Error> {
        let (mut parents, mut firsts) = (Vec::new(), vec![1]);
        let mut above = 0..1_u32;
        for layer in layers {
            if layer.fan_out == 0 {
                let (what, value) = ("layers.fan_out", "0".to_owned());
                return Err(Error::Number { what, value, instead: "1 or more" });
            }
            let nodes = u64::from(above.end) + u64::from(above.end - above.start) * u64::from(layer.fan_out);
            if nodes > MOST_NODES.into() {
                return Err(Error::Nodes { most: MOST_NODES });
            }
            for parent in above.clone() {
                parents.extend(std::iter::repeat_n(parent, layer.fan_out as usize));
            }
            above = above.end..nodes as u32;
            firsts.push(above.end);
        }
        if layers.is_empty() {
            let (what, value) = ("layers", "[]".to_owned());
            return Err(Error::Number { what, value, instead: "at least one, whose children are hosts" });
        }
        Ok(Self { parents, firsts })
    }

    pub(crate) fn switches(&self) -> u32 {
        self.firsts[self.firsts.len() - 2]
    }

    pub(crate) fn hosts(&self) -> u32 {
        self.firsts[self.firsts.len() - 1] - self.switches()
    }

    /// The node of a host.
    pub(crate) fn host(&self, host: u32) -> u32 {
        self.switches() + host
    }

    /// The node at a place of a layer.
    pub(crate) fn child(&self, layer: usize, child: u32) -> Result<u32, Error> {
        let layers = self.firsts.len() - 1;
        if layer >= layers {
            return Err(Error::Missing { what: "layer", index: layer as u64, count: layers as u64 });
        }
        let (first, end) = (self.firsts[layer], self.firsts[layer + 1]);
        if child >= end - first {
            return Err(Error::Missing { what: "child", index: child.into(), count: (end - first).into() });
        }
        Ok(first + child)
    }

    /// The layer that a node but the root stands in.
    pub(crate) fn layer(&self, node: u32) -> usize {
        self.firsts.partition_point(|first| *first <= node) - 1
    }

    pub(crate) fn parent(&self, node: u32) -> Option<u32> {
        let index = node.checked_sub(1)?;
        Some(self.parents[index as usize])
    }

    /// The link from a switch on the way to another node.
    pub(crate) fn next_link(&self, switch: u32, to: u32) -> u32 {
        let mut node = to;
        while let Some(parent) = self.parent(node) {
            if parent == switch {
                return down(node);
            }
            node = parent;
        }
        up(switch)
    }

    /// All nodes but the root, each of which has a link above it.
    pub(crate) fn children(&self) -> impl Iterator<Item = u32> {
        1..=self.parents.len() as u32
    }

    /// The lowest switch that is above all of these hosts, which are some.
    fn top(&self, hosts: impl Iterator<Item = u32>) -> u32 {
        let above = |node: u32| std::iter::successors(self.parent(node), |node| self.parent(*node));
        let common = hosts.map(|host| self.host(host)).reduce(|one, other| {
            let (mut one, mut other) = (one, other);
            // Numbers grow downwards.
            while one != other {
                let lower = if one > other { &mut one } else { &mut other };
                *lower = self.parent(*lower).unwrap_or(0);
            }
            one
        });
        let common = common.unwrap_or(0);
        if common < self.switches() { common } else { above(common).next().unwrap_or(0) }
    }
}

/// The link above a node, towards the root. Every node but the root has one.
pub(crate) fn up(node: u32) -> u32 {
    2 * (node - 1)
}

/// The link above a node, towards the node.
pub(crate) fn down(node: u32) -> u32 {
    2 * (node - 1) + 1
}

/// The node below a link, and whether the link goes up from it.
pub(crate) fn below(link: u32) -> (u32, bool) {
    (link / 2 + 1, link.is_multiple_of(2))
}

/// What a switch is in a job.
pub(crate) struct Membership {
    pub(crate) place: Place,
    /// Each member's name, and the node that it is.
    pub(crate) members: Vec<(WorkerId, u32)>,
}

/// What each switch is in a job on `workers` hosts from `first_host` on, if anything.
pub(crate) fn memberships(topology: &Topology, first_host: u32, workers: u16) -> Vec<Option<Membership>> {
    let hosts: Vec<u32> = (0..u32::from(workers)).map(|rank| first_host + rank).collect();
    let top = topology.top(hosts.iter().copied());
    let parent = |switch| if switch == top { None } else { topology.parent(switch).map(|node| node as usize) };
    let parents: Vec<_> = (0..topology.switches()).map(parent).collect();
    let home = |host: &u32| topology.parent(topology.host(*host)).unwrap_or(0) as usize;
    let homes: Vec<_> = hosts.iter().map(home).collect();
    let tree = Tree::new(&parents, &homes);
    let mut memberships: Vec<_> = (0..parents.len())
        .map(|switch| tree.place(switch).map(|place| Membership { place, members: Vec::new() }))
        .collect();
    for (switch, parent) in parents.iter().enumerate() {
        if let (Some(name), Some(parent)) = (tree.name(switch), parent)
            && let Some(membership) = &mut memberships[*parent]
        {
            membership.members.push((name, switch as u32));
        }
    }
    for ((rank, host), home) in (0..).map(WorkerId).zip(&hosts).zip(&homes) {
        if let Some(membership) = &mut memberships[*home] {
            membership.members.push((rank, topology.host(*host)));
        }
    }
    memberships
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Faults;

    fn tree(fan_outs: &[u32]) -> Topology {
        let layer = |fan_out: &u32| Layer {
            fan_out: *fan_out,
            rate_gbps: 1.0,
            delay_ns: 0,
            queue_bytes: 0,
            mark_bytes: None,
            faults: Faults::default(),
        };
        Topology::new(&fan_outs.iter().map(layer).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn nodes_are_numbered_layer_by_layer() {
        let topology = tree(&[2, 3]);
        assert_eq!((topology.switches(), topology.hosts()), (3, 6));
        assert_eq!(
            [0, 1, 2, 3, 5, 6, 8].map(|node| topology.parent(node)),
            [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2)]
        );
        assert_eq!((topology.child(1, 5), topology.layer(8), topology.layer(2)), (Ok(8), 1, 0));
        assert!(topology.child(1, 6).is_err() && topology.child(2, 0).is_err());
        assert_eq!((below(up(5)), below(down(5))), ((5, true), (5, false)));
    }

    #[test]
    fn the_way_to_a_host_goes_up_and_then_down() {
        let topology = tree(&[2, 2, 2]);
        let (from, to) = (topology.host(0), topology.host(3));
        assert_eq!((topology.parent(from), topology.parent(to)), (Some(3), Some(4)));
        assert_eq!([3, 1, 4].map(|switch| topology.next_link(switch, to)), [up(3), down(4), down(to)]);
        // To another half the way goes through the root.
        let far = topology.host(7);
        assert_eq!([1, 0, 2, 6].map(|switch| topology.next_link(switch, far)), [up(1), down(2), down(6), down(far)]);
    }

    /// A job that fits below one switch goes no further up.
    #[test]
    fn the_top_of_a_job_is_the_lowest_switch_above_it() {
        let topology = tree(&[2, 2, 2]);
        assert_eq!(topology.top(0..8), 0);
        assert_eq!(topology.top(0..3), 1);
        assert_eq!(topology.top(2..4), 4);
        assert_eq!(topology.top(7..8), 6);
        assert_eq!(topology.top(3..5), 0);
    }

    /// Ranks 1 to 4 of hosts 1 to 4 on racks of two: R-TREE-1 names leaves by their lowest ranks.
    #[test]
    fn members_are_called_by_ranks() {
        let topology = tree(&[3, 2]);
        let memberships = memberships(&topology, 1, 4);
        let members = |switch: usize| {
            let membership = memberships[switch].as_ref().unwrap();
            membership.members.iter().map(|(name, node)| (name.0, *node)).collect::<Vec<_>>()
        };
        assert_eq!(members(0), [(0, 1), (1, 2), (3, 3)]);
        assert_eq!((members(1), members(2), members(3)), (vec![(0, 5)], vec![(1, 6), (2, 7)], vec![(3, 8)]));
        assert_eq!(memberships[2].as_ref().unwrap().place.parent(), Some(WorkerId(1)));
    }

    /// Every switch has all its children as members, each once, however many workers the job has.
    #[test]
    fn in_a_large_job_each_switch_has_its_children() {
        let topology = tree(&[15, 15, 16]);
        for (switch, membership) in (0..).zip(memberships(&topology, 0, 3600)) {
            let membership = membership.unwrap();
            let children: Vec<_> = topology.children().filter(|node| topology.parent(*node) == Some(switch)).collect();
            assert_eq!(membership.members.iter().map(|(_, node)| *node).collect::<Vec<_>>(), children);
            assert_eq!(membership.place.count(), children.len() as u16);
            assert_eq!(membership.place.parent().is_none(), switch == 0);
        }
    }
}
