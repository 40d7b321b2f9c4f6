//! Modulo scheduling, placement and routing, node by node, with nodes put off again where there is
//! no room (Rau's iterative modulo scheduling, with the routes of SPR: Friedman and others, FPGA
//! 2009).

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::bounds::{dependences, lead_aside};
use super::levels::levels;
use super::order::order;
use super::route::route;
use super::table::{Step, Table};
use super::waits::cone;
use super::{Hop, Place};
use crate::array::Array;
use crate::graph::Graph;
use crate::op::Class;

/// Nodes that may be put off, for each node of the graph.
const PUT_OFF: usize = 20;

/// Nodes that may be put off at all.
const MOST_PUT_OFF: usize = 600;

/// Places that are routed in a search: some, and more for each node.
const TRIES: [usize; 2] = [6_000, 10];

/// Places that are routed for a node.
const ROUTED: usize = 96;

/// Cost of a place that is an SPU away from where the node should be, in half cycles.
const LEVEL: i64 = 6;

/// An access that comes before or behind another one: the other, whether it comes first, and the
/// cycles by which it may come too late.
type Near = (usize, bool, i64);

/// Places of all nodes, and steps of all values.
type Routed = (Vec<Place>, Vec<Hop>);

pub(super) struct Search<'s> {
    graph: &'s Graph,
    array: &'s Array,
    interval: i64,
    table: Table<'s>,
    places: Vec<Option<(usize, i64)>>,
    /// For each value the places where it is in a cycle: the step that leads there, and the number
    /// of routes that go over it.
    routes: Vec<BTreeMap<(usize, i64), (Step, u32)>>,
    /// Steps of the route to each operand.
    ways: BTreeMap<(usize, usize), Vec<Step>>,
    /// Edges that leave a node: the other node, operand, rounds.
    readers: Vec<Vec<(usize, usize, i64)>>,
    /// Orders of each node's accesses.
    orders: Vec<Vec<Near>>,
    early: Vec<i64>,
    /// Nodes that have to be in the first SPU.
    aside: Vec<bool>,
    /// The SPU that each node should be in; empty if that does not matter.
    levels: Vec<usize>,
    /// Places that may still be routed, and those that are left to other searches.
    tries: usize,
    others: usize,
}

impl<'s> Search<'s> {
    /// Begins a search in which at most `places` are routed.
    pub(super) fn new(graph: &'s Graph, array: &'s Array, interval: u32, places: usize) -> Self {
        let count = graph.nodes.len();
        let mut readers = vec![Vec::new(); count];
        for (number, node) in graph.nodes.iter().enumerate() {
            for (from, distance, operand) in node.edges() {
                readers[from].push((number, operand, i64::from(distance)));
            }
        }
        let mut orders = vec![Vec::new(); count];
        for order in graph.orders.iter().filter(|order| order.from != order.to) {
            let slack = i64::from(interval * order.distance) - i64::from(order.delay);
            orders[order.to].push((order.from, true, slack));
            orders[order.from].push((order.to, false, slack));
        }
        let tries = places.min(TRIES[0] + TRIES[1] * count);
        let mut search = Self {
            graph,
            array,
            interval: interval.into(),
            table: Table::new(array, interval),
            places: vec![None; count],
            routes: vec![BTreeMap::new(); count],
            ways: BTreeMap::new(),
            readers,
            orders,
            early: vec![0; count],
            aside: lead_aside(graph, array),
            levels: Vec::new(),
            tries,
            others: places - tries,
        };
        search.early = search.earliest();
        search.levels = levels(graph, array, interval, &search.early, &search.aside);
        search
    }

    /// Cycles in which nodes could begin; what is made of a few loads as late as its first reader
    /// allows.
    fn earliest(&self) -> Vec<i64> {
        let edges = dependences(self.graph, self.array);
        let mut early = vec![0_i64; self.graph.nodes.len()];
        for _ in 0..self.graph.nodes.len() {
            let mut changed = false;
            for (from, to, cycles, rounds) in &edges {
                let reached = early[*from] + cycles + 1 - self.interval * rounds;
                if *rounds == 0 && reached > early[*to] {
                    early[*to] = reached;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Readers stand behind what they read, but for what was made again.
        for _ in 0..2 {
            for number in (0..self.graph.nodes.len()).rev() {
                let readers = self.readers[number].iter().filter(|(_, _, distance)| *distance == 0);
                let latest = readers.map(|(reader, ..)| early[*reader]).min();
                if let Some(latest) = latest.filter(|_| cone(self.graph, number).is_some()) {
                    early[number] = latest - self.latency(number) - 1;
                }
            }
        }
        early
    }

    fn latency(&self, node: usize) -> i64 {
        self.array.latency(self.graph.nodes[node].op.class()).into()
    }

    /// Places all nodes, or gives up. Returns the number of places that may still be routed, too.
    pub(super) fn run(mut self, dice: &mut Pcg64Mcg) -> (Option<Routed>, usize) {
        let found = self.place_all(dice);
        let left = self.tries + self.others;
        (found.then(|| self.finish()), left)
    }

    fn place_all(&mut self, dice: &mut Pcg64Mcg) -> bool {
        let order = order(self.graph, &self.early, dice);
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, node)| rank[*node] = place);
        let mut open: BTreeSet<usize> = (0..order.len()).collect();
        let mut budget = (PUT_OFF * order.len()).min(MOST_PUT_OFF);
        while let Some(next) = open.pop_first() {
            let node = order[next];
            while !self.place(node, dice) {
                if budget == 0 || self.tries == 0 {
                    return false;
                }
                budget -= 1;
                for other in self.in_the_way(node, dice) {
                    self.remove(other);
                    open.insert(rank[other]);
                }
            }
        }
        true
    }

    fn finish(self) -> Routed {
        let first = self.places.iter().flatten().map(|(_, time)| *time).min().unwrap_or(0);
        let place = |(element, time): (usize, i64)| Place { element, time: (time - first) as u32 };
        let places = self.places.iter().flatten().map(|at| place(*at)).collect();
        let mut hops = Vec::new();
        for (value, steps) in self.routes.iter().enumerate() {
            hops.extend(steps.values().map(|((from, to, time), _)| Hop {
                value,
                time: (time - first) as u32,
                from: *from,
                to: *to,
            }));
        }
        hops.sort_unstable();
        (places, hops)
    }

    /// Chooses nodes to be put off: neighbours of one that has no place, and one that has its unit.
    fn in_the_way(&self, node: usize, dice: &mut Pcg64Mcg) -> Vec<usize> {
        let mut near: Vec<usize> = self.graph.nodes[node].edges().map(|edge| edge.0).collect();
        near.extend(self.readers[node].iter().map(|reader| reader.0));
        near.extend(self.orders[node].iter().map(|order| order.0));
        near.retain(|other| self.places[*other].is_some() && *other != node);
        let class = self.graph.nodes[node].op.class();
        let same: Vec<usize> = (0..self.places.len())
            .filter(|other| self.places[*other].is_some())
            .filter(|other| self.graph.nodes[*other].op.class() == class || near.is_empty())
            .collect();
        for _ in 0..2 {
            if !same.is_empty() {
                near.push(same[dice.random_range(0..same.len())]);
            }
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Bounds of a node's cycle on an element, by what is placed; `None` if no links lead there or
    /// on.
    fn window(&self, node: usize, element: usize) -> Option<(Option<i64>, Option<i64>)> {
        let far = |from, to| self.table.far(from, to).map(i64::from);
        let (mut low, mut high) = (None::<i64>, None::<i64>);
        let mut at_least = |time: i64| low = Some(low.map_or(time, |low| low.max(time)));
        let mut at_most = |time: i64| high = Some(high.map_or(time, |high| high.min(time)));
        for (from, distance, _) in self.graph.nodes[node].edges() {
            if let (Some((there, time)), true) = (self.places[from], from != node) {
                let ready = time + self.latency(from) + far(there, element)?;
                at_least(ready - self.interval * i64::from(distance));
            }
        }
        for (reader, _, distance) in &self.readers[node] {
            if let (Some((there, time)), true) = (self.places[*reader], *reader != node) {
                let needed = time + self.interval * distance - far(element, there)?;
                at_most(needed - self.latency(node));
            }
        }
        for (other, first, slack) in &self.orders[node] {
            match self.places[*other] {
                Some((_, time)) if *first => at_least(time - slack),
                Some((_, time)) => at_most(time + slack),
                None => {}
            }
        }
        Some((low, high))
    }

    fn fits(&self, node: usize, element: usize) -> bool {
        let class = self.graph.nodes[node].op.class();
        self.array.has(element, class) && !(self.aside[node] && self.array.spu(element) != 0)
    }

    /// Finds places for a node, the best ones first.
    fn candidates(&self, node: usize, dice: &mut Pcg64Mcg) -> Vec<(i64, usize, i64)> {
        let mut found = Vec::new();
        let op = self.graph.nodes[node].op;
        let (effect, class) = (op.is_effect(), op.class());
        for element in (0..self.array.elements()).filter(|element| self.fits(node, *element)) {
            let Some((low, high)) = self.window(node, element) else { continue };
            let begin = match (low, high) {
                (Some(low), _) => low,
                (None, Some(high)) => high - self.interval + 1,
                (None, None) => self.early[node],
            };
            let end = high.unwrap_or(i64::MAX).min(begin + self.interval - 1);
            // Units that few elements have are left to those that need them.
            let rare = class != Class::Memory && self.array.has(element, Class::Memory);
            let level = self.levels.get(node).copied();
            let level = level.map_or(0, |level| level.abs_diff(self.array.spu(element)) as i64);
            let wait: i64 = low.map_or(0, |_| self.distance(node, element));
            let cost = 2 * wait + i64::from(rare) + LEVEL * level;
            for time in begin..=end {
                let result = time + self.latency(node);
                let taken = self.table.unit(element, time).is_some()
                    || !effect && self.table.result(element, result).is_some();
                if taken {
                    continue;
                }
                let late = if low.is_none() && high.is_some() { end - time } else { time - begin };
                let noise = dice.random_range(0..3);
                found.push((2 * late + cost + noise, element, time));
            }
        }
        found.sort_unstable();
        found.truncate(ROUTED);
        found
    }

    fn distance(&self, node: usize, element: usize) -> i64 {
        let sources = self.graph.nodes[node].edges().filter_map(|edge| self.places[edge.0]);
        let readers = self.readers[node].iter().filter_map(|reader| self.places[reader.0]);
        let far = |(there, _): (usize, i64)| self.table.far(there, element);
        // If no link leads to a reader, one leads back from it.
        let far = |at| far(at).or_else(|| self.table.far(element, at.0)).map_or(0, i64::from);
        sources.chain(readers).map(far).sum()
    }

    fn place(&mut self, node: usize, dice: &mut Pcg64Mcg) -> bool {
        self.candidates(node, dice).into_iter().any(|(_, element, time)| {
            self.tries = self.tries.saturating_sub(1);
            self.tries > 0 && self.place_at(node, element, time)
        })
    }

    fn place_at(&mut self, node: usize, element: usize, time: i64) -> bool {
        let result = (!self.graph.nodes[node].op.is_effect()).then(|| time + self.latency(node));
        self.table.occupy(Some(node), element, time, result);
        self.places[node] = Some((element, time));
        let sources = self.graph.nodes[node].edges();
        let mut wanted: Vec<_> = sources
            .filter(|(from, ..)| self.places[*from].is_some())
            .map(|(from, distance, operand)| (from, node, operand, i64::from(distance)))
            .collect();
        let readers = self.readers[node]
            .iter()
            .filter(|(reader, ..)| *reader != node && self.places[*reader].is_some());
        wanted.extend(
            readers.map(|(reader, operand, distance)| (node, *reader, *operand, *distance)),
        );
        for (from, to, operand, distance) in wanted {
            if !self.connect(from, to, operand, distance) {
                self.remove(node);
                return false;
            }
        }
        true
    }

    /// Finds a route of a value to an operand, and takes it.
    fn connect(&mut self, from: usize, to: usize, operand: usize, distance: i64) -> bool {
        let (Some((home, begin)), Some((element, time))) = (self.places[from], self.places[to])
        else {
            return false;
        };
        let target = (element, time + distance * self.interval);
        let mut present = vec![(home, begin + self.latency(from))];
        present.extend(self.routes[from].keys());
        let Some(steps) = route(&self.table, from, &present, target) else { return false };
        if self.clashes(&steps) {
            return false;
        }
        // The way there is that of the route to its first step, and goes on.
        let way = self.whole_way(from, steps, target);
        for step in &way {
            self.table.take(from, *step);
            self.routes[from].entry((step.1, step.2 + 1)).or_insert((*step, 0)).1 += 1;
        }
        self.ways.insert((to, operand), way);
        true
    }

    /// Returns whether a new part of a route needs a link in two rounds at once, or more registers
    /// than are left.
    fn clashes(&self, steps: &[Step]) -> bool {
        let slot = |(from, to, time): &Step| (*from, *to, time.rem_euclid(self.interval));
        let mut slots: Vec<_> = steps.iter().map(slot).collect();
        slots.sort_unstable();
        slots.chunk_by(|a, b| a == b).any(|same| {
            let (from, to, time) = same[0];
            if from == to { self.table.room(from, time) < same.len() } else { same.len() > 1 }
        })
    }

    fn whole_way(&self, value: usize, steps: Vec<Step>, target: (usize, i64)) -> Vec<Step> {
        let mut way = steps;
        let mut at = way.last().map_or(target, |(from, _, time)| (*from, *time));
        while let Some((step, _)) = self.routes[value].get(&at) {
            at = (step.0, step.2);
            way.push(*step);
        }
        way
    }

    fn disconnect(&mut self, from: usize, to: usize, operand: usize) {
        for step in self.ways.remove(&(to, operand)).unwrap_or_default() {
            let there = (step.1, step.2 + 1);
            if let Some((_, count)) = self.routes[from].get_mut(&there) {
                *count -= 1;
                if *count == 0 {
                    self.routes[from].remove(&there);
                    self.table.release(from, step);
                }
            }
        }
    }

    /// Takes a node away, with the routes to it and from it.
    fn remove(&mut self, node: usize) {
        let Some((element, time)) = self.places[node] else { return };
        let sources: Vec<_> = self.graph.nodes[node].edges().collect();
        for (from, _, operand) in sources {
            self.disconnect(from, node, operand);
        }
        for (reader, operand, _) in self.readers[node].clone() {
            self.disconnect(node, reader, operand);
        }
        let result = (!self.graph.nodes[node].op.is_effect()).then(|| time + self.latency(node));
        self.table.occupy(None, element, time, result);
        self.places[node] = None;
    }
}
