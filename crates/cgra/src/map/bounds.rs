//! Bounds of the initiation interval (R-CGRA-12; Rau, MICRO 1994).

use std::fmt;

use super::waits::least_waits;
use crate::array::{Array, Direction};
use crate::graph::{Access, Graph, Region};
use crate::op::Class;
use crate::refusal::Refusal;

/// Bounds below which no interval is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// By units of each class and by processing elements: operations, units, and their name.
    pub resources: Vec<(usize, usize, &'static str)>,
    /// By recurrences: the least interval in which every cycle of dependences fits.
    pub recurrence: u32,
    /// By values that wait for their readers: cycles of waiting, and registers and links.
    pub waits: (u64, u64),
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
        let waits: u64 = least_waits(graph, array).iter().sum();
        Ok(Self {
            resources: resources(graph, array),
            recurrence: recurrence(graph, array),
            waits: (waits, places_to_wait(array)),
        })
    }

    /// Returns the least interval that units allow (ResMII).
    pub fn resource(&self) -> u32 {
        self.resources
            .iter()
            .map(|(needed, units, _)| needed.div_ceil(*units) as u32)
            .max()
            .unwrap_or(1)
    }

    /// Returns the least interval in which values that wait have a place.
    pub fn waiting(&self) -> u32 {
        let (cycles, places) = self.waits;
        u32::try_from(cycles.div_ceil(places)).unwrap_or(u32::MAX)
    }

    /// Returns the least interval (MII).
    pub fn interval(&self) -> u32 {
        self.resource().max(self.recurrence).max(self.waiting())
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
        )?;
        let waiting = self.waiting();
        if waiting > self.resource().max(self.recurrence) {
            let (cycles, places) = self.waits;
            write!(
                f,
                ", {waiting} for {cycles} cycles of waiting in {places} registers and links"
            )?;
        }
        Ok(())
    }
}

/// Operations, and what there is for them: processing elements, units, and, where values only go
/// down, what is above the look-aside memory's ports.
fn resources(graph: &Graph, array: &Array) -> Vec<(usize, usize, &'static str)> {
    let mut resources = vec![(graph.nodes.len(), array.elements(), "processing elements")];
    for class in Class::ALL {
        let needed = graph.nodes.iter().filter(|node| node.op.class() == class).count();
        if needed > 0 {
            resources.push((needed, array.count(class), class.name()));
        }
    }
    let own = |access: Access| access.region == Region::Own;
    let aside = graph.nodes.iter().filter(|node| node.access.is_some_and(own)).count();
    if aside > 0 {
        let first = || (0..array.elements()).filter(|element| array.spu(*element) == 0);
        let ports = first().filter(|element| array.has(*element, Class::Memory)).count();
        resources.push((aside, ports, "ports of the look-aside memory"));
        let above = lead_aside(graph, array).into_iter().filter(|leads| *leads).count();
        resources.push((above, first().count(), "processing elements of the first SPU"));
    }
    resources.retain(|(needed, units, _)| *needed > 0 && *units > 0);
    resources
}

/// Nodes that have to be in the first SPU: those that access the look-aside memory, and, where
/// values only go down, those whose results lead there.
pub(super) fn lead_aside(graph: &Graph, array: &Array) -> Vec<bool> {
    let own = |access: Access| access.region == Region::Own;
    let mut leads: Vec<bool> =
        graph.nodes.iter().map(|node| node.access.is_some_and(own)).collect();
    if array.goes_up() {
        return leads;
    }
    let mut open: Vec<usize> = (0..leads.len()).filter(|node| leads[*node]).collect();
    while let Some(node) = open.pop() {
        for (from, ..) in graph.nodes[node].edges() {
            if !std::mem::replace(&mut leads[from], true) {
                open.push(from);
            }
        }
    }
    leads
}

/// Registers of all elements, and links between them: each keeps one value for a cycle.
fn places_to_wait(array: &Array) -> u64 {
    let links = |element: usize| {
        let leads = |direction: &&Direction| array.neighbour(element, **direction).is_some();
        Direction::ALL.iter().filter(leads).count() + array.registers
    };
    (0..array.elements()).map(links).sum::<usize>() as u64
}

/// A dependence: from, to, cycles, rounds.
pub(crate) type Dependence = (usize, usize, i64, i64);

/// Dependences as edges.
pub(crate) fn dependences(graph: &Graph, array: &Array) -> Vec<Dependence> {
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

/// The least interval for which no cycle of dependences takes longer than its rounds (RecMII): from
/// 1 on, each cycle that takes longer raises it to what this cycle takes.
fn recurrence(graph: &Graph, array: &Array) -> u32 {
    let mut edges = dependences(graph, array);
    // Nodes stand behind their operands, so that one pass goes along a whole chain.
    edges.sort_unstable();
    let mut interval = 1_i64;
    while let Some((cycles, rounds)) = longer(&edges, graph.nodes.len(), interval) {
        if rounds == 0 {
            return u32::MAX;
        }
        interval = (cycles + rounds - 1) / rounds;
    }
    u32::try_from(interval).unwrap_or(u32::MAX)
}

/// Finds a cycle of dependences that takes longer than its rounds: its cycles, and its rounds
/// (Bellman and Ford; a cycle in the graph of the last improvements is one).
fn longer(edges: &[Dependence], nodes: usize, interval: i64) -> Option<(i64, i64)> {
    let mut longest = vec![0_i64; nodes];
    let mut by: Vec<Option<usize>> = vec![None; nodes];
    loop {
        let mut changed = false;
        for (number, (from, to, cycles, rounds)) in edges.iter().enumerate() {
            let reached = longest[*from] + cycles - interval * rounds;
            if reached > longest[*to] {
                longest[*to] = reached;
                by[*to] = Some(number);
                changed = true;
            }
        }
        if !changed {
            return None;
        }
        if let Some(cycle) = cycle(edges, &by) {
            return Some(cycle);
        }
    }
}

/// Finds a cycle among edges of which one leads to each node at most.
fn cycle(edges: &[Dependence], by: &[Option<usize>]) -> Option<(i64, i64)> {
    let mut seen = vec![0_usize; by.len()];
    for start in 0..by.len() {
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = start + 1;
            let Some(edge) = by[at] else { break };
            at = edges[edge].0;
        }
        if seen[at] != start + 1 || by[at].is_none() {
            continue;
        }
        let (mut sums, first) = ((0, 0), at);
        while let Some(edge) = by[at] {
            let (from, _, cycles, rounds) = edges[edge];
            sums = (sums.0 + cycles, sums.1 + rounds);
            at = from;
            if at == first {
                return Some(sums);
            }
        }
    }
    None
}
