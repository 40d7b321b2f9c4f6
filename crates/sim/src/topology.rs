//! The trees of switches over the same hosts, and the members of each switch in a job.

use netfold_switch::{Place, Tree};
use netfold_wire::WorkerId;

use crate::error::Error;
use crate::setup::Layer;
use crate::torus::Torus;

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
    /// Links beside those of the tree.
    torus: Option<Crosses>,
}

/// A torus, and its links that are not of the tree: their numbers follow those of legs' links.
struct Crosses {
    torus: Torus,
    /// The switches at both ends of each, ascending: a link leads from the first to the second.
    pairs: Vec<(u32, u32)>,
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
        Ok(Self { parents, firsts, trees, torus: None })
    }

    /// A torus of switches, each with as many hosts: those of the first place come first.
    pub(crate) fn of_torus(dimensions: [u32; 3], hosts: &Layer) -> Result<Self, Error> {
        let torus = Torus::new(dimensions, MOST_NODES)?;
        let switches = torus.parents().len() as u32;
        let nodes = u64::from(switches) * (u64::from(hosts.fan_out) + 1);
        if hosts.fan_out == 0 || nodes > MOST_NODES.into() {
            return Err(Error::Nodes { most: MOST_NODES });
        }
        let of_hosts = (0..switches).flat_map(|place| {
            std::iter::repeat_n(Some(torus.switch(place)), hosts.fan_out as usize)
        });
        let parents = torus.parents().iter().copied().chain(of_hosts).collect();
        let pairs = torus.crosses();
        let firsts = vec![1, switches, nodes as u32];
        Ok(Self { parents, firsts, trees: 1, torus: Some(Crosses { torus, pairs }) })
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

    /// Returns whether a switch is above a node.
    pub(crate) fn is_above(&self, switch: u32, node: u32) -> bool {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
            .any(|above| above == switch)
    }

    /// The links beside those of the tree, by number.
    pub(crate) fn crosses(&self) -> std::ops::Range<u32> {
        let first = up(self.legs());
        first..first + self.torus.as_ref().map_or(0, |crosses| crosses.pairs.len() as u32)
    }

    /// The nodes between which a link leads.
    pub(crate) fn ends(&self, link: u32) -> (u32, u32) {
        if let Some(place) = link.checked_sub(self.crosses().start)
            && let Some(crosses) = &self.torus
        {
            return crosses.pairs[place as usize];
        }
        let (leg, goes_up) = below(link);
        let (lower, upper) = (self.node(leg), self.parent(leg).unwrap_or(0));
        if goes_up { (lower, upper) } else { (upper, lower) }
    }

    /// The link from a switch of a torus to its neighbour on the way to another switch.
    fn next_in_torus(&self, crosses: &Crosses, switch: u32, to: u32) -> u32 {
        let next = crosses.torus.next(switch, to);
        if self.parent(next) == Some(switch) {
            down(next)
        } else if self.parent(switch) == Some(next) {
            up(switch)
        } else {
            let before = crosses.pairs.partition_point(|pair| *pair < (switch, next));
            self.crosses().start + before as u32
        }
    }

    /// The place of a switch: its number in a tree, and in a torus its turn there.
    pub(crate) fn place(&self, switch: u32) -> u32 {
        self.torus.as_ref().map_or(switch, |crosses| crosses.torus.place(switch))
    }

    /// The link from a switch of the first tree on the way to another node of it.
    pub(crate) fn next_link(&self, switch: u32, to: u32) -> u32 {
        if let Some(crosses) = &self.torus {
            let there = if to < self.switches() { Some(to) } else { self.parent(to) };
            return match there.filter(|there| *there != switch) {
                Some(there) => self.next_in_torus(crosses, switch, there),
                None => down(to),
            };
        }
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
mod tests;
