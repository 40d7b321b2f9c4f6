//! The trees of switches over the same hosts, and the members of each switch in a job.

use netfold_switch::{Place, Tree};
use netfold_wire::WorkerId;

use crate::error::Error;
use crate::setup::Layer;

/// Most switches and hosts of a cluster.
const MOST_NODES: u32 = 1 << 20;

/// Nodes in the order of trees, and of layers in each: the first root is 0, hosts come last.
///
/// A *leg* is a node with a link above it. A switch is one, with its number as a node, and a host
/// one in each tree: those in the first tree have the hosts' numbers, and those in the others
/// follow.
pub(crate) struct Topology {
    /// The switch above each leg; a root has none.
    parents: Vec<Option<u32>>,
    /// In a tree alone the first node of each layer, then the number of nodes.
    firsts: Vec<u32>,
    trees: u32,
}

impl Topology {
    pub(crate) fn new(layers: &[Layer], trees: u32) -> Result<Self, Error> {
        if trees == 0 {
            let (what, value) = ("management.trees", "0".to_owned());
            return Err(Error::Number { what, value, instead: "1 or more" });
        }
        // Of a tree alone.
        let (mut parents, mut firsts) = (Vec::new(), vec![1]);
        let mut above = 0..1_u32;
        for layer in layers {
            if layer.fan_out == 0 {
                let (what, value) = ("layers.fan_out", "0".to_owned());
                return Err(Error::Number { what, value, instead: "1 or more" });
            }
            let nodes = u64::from(above.end)
                + u64::from(above.end - above.start) * u64::from(layer.fan_out);
            if nodes.saturating_mul(trees.into()) > MOST_NODES.into() {
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
            return Err(Error::Number {
                what,
                value,
                instead: "at least one, whose children are hosts",
            });
        }
        let (of_switches, of_hosts) = parents.split_at(firsts[firsts.len() - 2] as usize - 1);
        let in_tree = |parent: &u32, tree| Some(parent + tree * (of_switches.len() as u32 + 1));
        let switches = |tree| {
            std::iter::once(None).chain(of_switches.iter().map(move |parent| in_tree(parent, tree)))
        };
        let hosts = |tree| of_hosts.iter().map(move |parent| in_tree(parent, tree));
        let parents = (0..trees).flat_map(switches).chain((0..trees).flat_map(hosts)).collect();
        Ok(Self { parents, firsts, trees })
    }

    /// Switches of all trees.
    pub(crate) fn switches(&self) -> u32 {
        self.trees * self.switches_of_tree()
    }

    fn switches_of_tree(&self) -> u32 {
        self.firsts[self.firsts.len() - 2]
    }

    pub(crate) fn hosts(&self) -> u32 {
        self.firsts[self.firsts.len() - 1] - self.switches_of_tree()
    }

    /// Legs, and as many numbers of links in each direction but one.
    pub(crate) fn legs(&self) -> u32 {
        self.parents.len() as u32
    }

    /// The leg of a node in a tree; a switch is in its own.
    pub(crate) fn leg(&self, node: u32, tree: u32) -> u32 {
        if node < self.switches() { node } else { node + tree * self.hosts() }
    }

    /// The node of a leg.
    pub(crate) fn node(&self, leg: u32) -> u32 {
        let switches = self.switches();
        if leg < switches { leg } else { switches + (leg - switches) % self.hosts() }
    }

    /// The tree of a switch.
    pub(crate) fn tree(&self, switch: u32) -> u32 {
        switch / self.switches_of_tree()
    }

    /// The node of a host.
    pub(crate) fn host(&self, host: u32) -> u32 {
        self.switches() + host
    }

    /// The leg at a place of a layer; those of a tree come after those of the tree before.
    pub(crate) fn child(&self, layer: usize, child: u32) -> Result<u32, Error> {
        let layers = self.firsts.len() - 1;
        if layer >= layers {
            return Err(Error::Missing {
                what: "layer",
                index: layer as u64,
                count: layers as u64,
            });
        }
        let (first, end) = (self.firsts[layer], self.firsts[layer + 1]);
        let (width, all) = (end - first, self.trees * (end - first));
        if child >= all {
            return Err(Error::Missing { what: "child", index: child.into(), count: all.into() });
        }
        if layer + 1 == layers {
            return Ok(self.switches() + child);
        }
        Ok(child / width * self.switches_of_tree() + first + child % width)
    }

    /// The layer that a leg stands in which has a switch above it.
    pub(crate) fn layer(&self, leg: u32) -> usize {
        if leg >= self.switches() {
            return self.firsts.len() - 2;
        }
        self.firsts.partition_point(|first| *first <= leg % self.switches_of_tree()) - 1
    }

    /// The switch above a leg.
    pub(crate) fn parent(&self, leg: u32) -> Option<u32> {
        self.parents[leg as usize]
    }

    /// The link from a switch of the first tree on the way to another node of it.
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

    /// All legs with a switch above them.
    pub(crate) fn children(&self) -> impl Iterator<Item = u32> {
        (0..self.legs()).filter(|leg| self.parent(*leg).is_some())
    }

    /// The lowest switch of the first tree that is above all of these hosts, which are some.
    pub(crate) fn top(&self, hosts: impl Iterator<Item = u32>) -> u32 {
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

/// The link above a leg, towards the root. Those above roots are there, and carry nothing.
pub(crate) fn up(leg: u32) -> u32 {
    2 * (leg - 1)
}

/// The link above a leg, towards the leg.
pub(crate) fn down(leg: u32) -> u32 {
    2 * (leg - 1) + 1
}

/// Returns the leg below a link, and whether the link goes up from it.
pub(crate) fn below(link: u32) -> (u32, bool) {
    (link / 2 + 1, link.is_multiple_of(2))
}

/// Role of a switch in a job.
pub(crate) struct Membership {
    pub(crate) place: Place,
    /// Each member's name, and the node that it is.
    pub(crate) members: Vec<(WorkerId, u32)>,
}

/// Returns the part of each switch of the first tree in a job on `workers` hosts from `first_host`
/// on.
pub(crate) fn memberships(
    topology: &Topology,
    first_host: u32,
    workers: u16,
) -> Vec<Option<Membership>> {
    let hosts: Vec<u32> = (0..u32::from(workers)).map(|rank| first_host + rank).collect();
    let top = topology.top(hosts.iter().copied());
    let parent = |switch| {
        if switch == top { None } else { topology.parent(switch).map(|node| node as usize) }
    };
    let parents: Vec<_> = (0..topology.switches_of_tree()).map(parent).collect();
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
        trees(fan_outs, 1).unwrap()
    }

    fn trees(fan_outs: &[u32], trees: u32) -> Result<Topology, Error> {
        let layer = |fan_out: &u32| Layer {
            fan_out: *fan_out,
            rate_gbps: 1.0,
            delay_ns: 0,
            queue_bytes: 0,
            mark_bytes: None,
            faults: Faults::default(),
        };
        Topology::new(&fan_outs.iter().map(layer).collect::<Vec<_>>(), trees)
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

    /// Every tree has the shape of the first, with switches of its own and the same hosts.
    #[test]
    fn hosts_have_a_leg_in_each_tree() {
        let topology = trees(&[2, 3], 3).unwrap();
        assert_eq!((topology.switches(), topology.hosts(), topology.legs()), (9, 6, 27));
        assert_eq!(
            [0, 3, 4, 6, 8].map(|switch| topology.parent(switch)),
            [None, None, Some(3), None, Some(6)]
        );
        assert_eq!([0, 2, 3, 8].map(|switch| topology.tree(switch)), [0, 0, 1, 2]);
        for (host, rack) in [(0, 1), (2, 1), (3, 2), (5, 2)] {
            for tree in 0..3 {
                let leg = topology.leg(topology.host(host), tree);
                assert_eq!((topology.node(leg), topology.layer(leg)), (topology.host(host), 1));
                assert_eq!(topology.parent(leg), Some(3 * tree + rack));
                assert_eq!(topology.child(1, 6 * tree + host), Ok(leg));
            }
        }
        assert_eq!([0, 1, 2, 5].map(|child| topology.child(0, child).unwrap()), [1, 2, 4, 8]);
        assert!(topology.child(0, 6).is_err() && topology.child(1, 18).is_err());
        assert!(trees(&[2], 0).is_err() && trees(&[1 << 19], 2).is_err());
    }

    #[test]
    fn the_way_to_a_host_goes_up_and_then_down() {
        let topology = tree(&[2, 2, 2]);
        let (from, to) = (topology.host(0), topology.host(3));
        assert_eq!((topology.parent(from), topology.parent(to)), (Some(3), Some(4)));
        assert_eq!(
            [3, 1, 4].map(|switch| topology.next_link(switch, to)),
            [up(3), down(4), down(to)]
        );
        // To another half the way goes through the root.
        let far = topology.host(7);
        assert_eq!(
            [1, 0, 2, 6].map(|switch| topology.next_link(switch, far)),
            [up(1), down(2), down(6), down(far)]
        );
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
        assert_eq!(
            (members(1), members(2), members(3)),
            (vec![(0, 5)], vec![(1, 6), (2, 7)], vec![(3, 8)])
        );
        assert_eq!(memberships[2].as_ref().unwrap().place.parent(), Some(WorkerId(1)));
    }

    /// Every switch has all its children as members, each once, however many workers the job has.
    #[test]
    fn in_a_large_job_each_switch_has_its_children() {
        let topology = tree(&[15, 15, 16]);
        for (switch, membership) in (0..).zip(memberships(&topology, 0, 3600)) {
            let membership = membership.unwrap();
            let children: Vec<_> =
                topology.children().filter(|node| topology.parent(*node) == Some(switch)).collect();
            assert_eq!(
                membership.members.iter().map(|(_, node)| *node).collect::<Vec<_>>(),
                children
            );
            assert_eq!(membership.place.count(), children.len() as u16);
            assert_eq!(membership.place.parent().is_none(), switch == 0);
        }
    }
}
