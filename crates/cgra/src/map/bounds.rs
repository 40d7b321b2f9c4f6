//! Bounds of the initiation interval (Rau, MICRO 1994).

use std::fmt;

use crate::array::Array;
use crate::graph::{Graph, Region};
use crate::op::Class;
use crate::refusal::Refusal;

/// Bounds below which no interval is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// By units of each class and by processing elements: operations, units, and for what.
    pub resources: Vec<(usize, usize, &'static str)>,
    /// By recurrences: the least interval in which every cycle of dependences fits.
    pub recurrence: u32,
}

impl Bounds {
    /// Computes them.
    ///
    /// # Errors
    /// [`Refusal::NoUnit`] and [`Refusal::Word`] for an operation that no unit can carry out.
    pub fn of(graph: &Graph, array: &Array) -> Result<Self, Refusal> {
        for node in &graph.nodes {
            let class = node.op.class();
            if array.count(class) == 0 {
                return Err(Refusal::NoUnit {
                    op: node.op.name(),
                    class: class.name(),
                    array: array.name.clone(),
                });
            }
            let bits = node.access.map_or(0, |access| 8 * u32::from(access.bytes));
            let bits = if node.op.name() == "pass" { bits } else { bits.max(node.ty.bits()) };
            if bits > array.word_bits {
                return Err(Refusal::Word {
                    op: node.op.name(),
                    bits,
                    array: array.name.clone(),
                    word: array.word_bits,
                });
            }
        }
        let mut resources = vec![(graph.nodes.len(), array.elements(), "processing elements")];
        for class in Class::ALL {
            let needed = graph.nodes.iter().filter(|node| node.op.class() == class).count();
            if needed > 0 {
                resources.push((needed, array.count(class), class.name()));
            }
        }
        let own = |access: crate::graph::Access| access.region == Region::Own;
        let aside = graph.nodes.iter().filter(|node| node.access.is_some_and(own)).count();
        if aside > 0 {
            let ports = (0..array.elements())
                .filter(|element| array.spu(*element) == 0 && array.has(*element, Class::Memory));
            resources.push((aside, ports.count(), "ports of the look-aside memory"));
        }
        Ok(Self { resources, recurrence: recurrence(graph, array) })
    }

    /// Returns the least interval that units allow (ResMII).
    pub fn resource(&self) -> u32 {
        self.resources
            .iter()
            .map(|(needed, units, _)| needed.div_ceil(*units) as u32)
            .max()
            .unwrap_or(1)
    }

    /// Returns the least interval (MII).
    pub fn interval(&self) -> u32 {
        self.resource().max(self.recurrence)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.resources.iter().max_by_key(|(needed, units, _)| needed.div_ceil(*units));
        let (needed, units, what) = most.copied().unwrap_or((0, 1, "units"));
        write!(
            f,
            "ResMII {} ({needed} operations on {units} {what}), RecMII {}",
            self.resource(),
            self.recurrence
        )
    }
}

/// Dependences as edges: from, to, cycles, rounds.
pub(crate) fn dependences(graph: &Graph, array: &Array) -> Vec<(usize, usize, i64, i64)> {
    let edges = graph.nodes.iter().enumerate().flat_map(|(to, node)| {
        node.edges().map(move |(from, distance, _)| {
            let latency = array.latency(graph.nodes[from].op.class());
            (from, to, i64::from(latency), i64::from(distance))
        })
    });
    let orders = graph
        .orders
        .iter()
        .map(|order| (order.from, order.to, order.delay.into(), order.distance.into()));
    edges.chain(orders).collect()
}

/// The least interval for which no cycle of dependences takes longer than its rounds.
fn recurrence(graph: &Graph, array: &Array) -> u32 {
    let edges = dependences(graph, array);
    let fits = |interval: u32| {
        let mut longest = vec![0_i64; graph.nodes.len()];
        for _ in 0..=graph.nodes.len() {
            let mut changed = false;
            for (from, to, cycles, rounds) in &edges {
                let reached = longest[*from] + cycles - i64::from(interval) * rounds;
                if reached > longest[*to] {
                    longest[*to] = reached;
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    };
    let most: i64 = edges.iter().map(|(_, _, cycles, _)| cycles).sum::<i64>().max(1);
    let (mut low, mut high) = (1_u32, most as u32);
    while low < high {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
