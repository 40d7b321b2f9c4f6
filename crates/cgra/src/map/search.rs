//! Modulo scheduling, placement and routing, node by node, with nodes put off again where there is
//! no room (Rau's iterative modulo scheduling, with the routes of SPR: Friedman and others, FPGA
//! 2009).

use std::collections::BTreeMap;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::bounds::dependences;
use super::table::{Step, Table};
use super::{Hop, Place};
use crate::array::Array;
use crate::graph::{Graph, Region};
use crate::op::Class;

/// Nodes that may be put off, for each node of the graph.
const PUT_OFF: usize = 20;

/// Nodes that may be put off at all.
const MOST_PUT_OFF: usize = 600;

/// Places that are routed for all nodes together, for each node.
const TRIES: usize = 150;

/// Places that are routed for a node.
const ROUTED: usize = 96;

pub(super) struct Search<'s> {
    graph: &'s Graph,
    array: &'s Array,
    interval: i64,
    table: Table<'s>,
    places: Vec<Option<(usize, i64)>>,
    /// Steps of each value, with the number of routes that go over it.
    routes: Vec<BTreeMap<Step, u32>>,
    /// Steps of the route to each operand.
    ways: BTreeMap<(usize, usize), Vec<Step>>,
    /// Edges that leave a node: the other node, operand, rounds.
    readers: Vec<Vec<(usize, usize, i64)>>,
    early: Vec<i64>,
    /// Places that may still be routed.
    tries: usize,
}

impl<'s> Search<'s> {
    pub(super) fn new(graph: &'s Graph, array: &'s Array, interval: u32) -> Self {
        let count = graph.nodes.len();
        let mut readers = vec![Vec::new(); count];
        for (number, node) in graph.nodes.iter().enumerate() {
            for (from, distance, operand) in node.edges() {
                readers[from].push((number, operand, i64::from(distance)));
            }
        }
        let mut search = Self {
            graph,
            array,
            interval: interval.into(),
            table: Table::new(array, interval),
            places: vec![None; count],
            routes: vec![BTreeMap::new(); count],
            ways: BTreeMap::new(),
            readers,
            early: vec![0; count],
            tries: TRIES * (count + 20),
        };
        search.early = search.earliest();
        search
    }

    /// Cycles in which nodes could begin; loads as late as their first reader allows.
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
        for (number, node) in self.graph.nodes.iter().enumerate() {
            if node.edges().next().is_none() {
                let latest = self.readers[number].iter().map(|(reader, ..)| early[*reader]).min();
                early[number] = latest.map_or(0, |latest| latest - self.latency(number) - 1);
            }
        }
        early
    }

    fn latency(&self, node: usize) -> i64 {
        self.array.latency(self.graph.nodes[node].op.class()).into()
    }

    /// The nodes, each behind what it needs, as stores ask for them.
    fn order(&self, dice: &mut Pcg64Mcg) -> Vec<usize> {
        let mut sinks: Vec<usize> =
            (0..self.graph.nodes.len()).filter(|node| self.readers[*node].is_empty()).collect();
        sinks.sort_by_key(|sink| self.early[*sink]);
        let rest = 0..self.graph.nodes.len();
        let mut order = Vec::new();
        let mut seen = vec![false; self.graph.nodes.len()];
        for root in sinks.into_iter().chain(rest) {
            let mut open = vec![(root, false)];
            while let Some((node, ready)) = open.pop() {
                if ready {
                    order.push(node);
                    continue;
                }
                if std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                open.push((node, true));
                let mut needs: Vec<_> = self.graph.nodes[node].edges().map(|edge| edge.0).collect();
                if dice.random_bool(0.3) {
                    needs.reverse();
                }
                needs.sort_by_key(|need| self.early[*need]);
                open.extend(
                    needs.into_iter().filter(|need| !seen[*need]).map(|need| (need, false)),
                );
            }
        }
        order
    }

    /// Places all nodes, or gives up.
    pub(super) fn run(mut self, dice: &mut Pcg64Mcg) -> Option<(Vec<Place>, Vec<Hop>)> {
        let order = self.order(dice);
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, node)| rank[*node] = place);
        let mut open: std::collections::BTreeSet<usize> = (0..order.len()).collect();
        let mut budget = (PUT_OFF * order.len()).min(MOST_PUT_OFF);
        while let Some(next) = open.pop_first() {
            let node = order[next];
            while !self.place(node, dice) {
                budget = budget.checked_sub(1).filter(|_| self.tries > 0)?;
                for other in self.in_the_way(node, dice) {
                    self.remove(other);
                    open.insert(rank[other]);
                }
            }
        }
        Some(self.finish())
    }

    fn finish(self) -> (Vec<Place>, Vec<Hop>) {
        let first = self.places.iter().flatten().map(|(_, time)| *time).min().unwrap_or(0);
        let place = |(element, time): (usize, i64)| Place { element, time: (time - first) as u32 };
        let places = self.places.iter().flatten().map(|at| place(*at)).collect();
        let mut hops = Vec::new();
        for (value, steps) in self.routes.iter().enumerate() {
            hops.extend(steps.keys().map(|(from, to, time)| Hop {
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
        let orders = self.graph.orders.iter();
        near.extend(orders.filter_map(|order| match (order.from == node, order.to == node) {
            (true, false) => Some(order.to),
            (false, true) => Some(order.from),
            _ => None,
        }));
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

    /// Bounds of a node's cycle on an element, by what is placed.
    fn window(&self, node: usize, element: usize) -> (Option<i64>, Option<i64>) {
        let far = |other: usize| self.table.far(other, element) as i64;
        let (mut low, mut high) = (None::<i64>, None::<i64>);
        let mut at_least = |time: i64| low = Some(low.map_or(time, |low| low.max(time)));
        let mut at_most = |time: i64| high = Some(high.map_or(time, |high| high.min(time)));
        for (from, distance, _) in self.graph.nodes[node].edges() {
            if let (Some((there, time)), true) = (self.places[from], from != node) {
                at_least(
                    time + self.latency(from) + far(there) - self.interval * i64::from(distance),
                );
            }
        }
        for (reader, _, distance) in &self.readers[node] {
            if let (Some((there, time)), true) = (self.places[*reader], *reader != node) {
                at_most(time + self.interval * distance - self.latency(node) - far(there));
            }
        }
        for order in self.graph.orders.iter().filter(|order| order.from != order.to) {
            let slack = self.interval * i64::from(order.distance) - i64::from(order.delay);
            if let (true, Some((_, time))) = (order.to == node, self.places[order.from]) {
                at_least(time - slack);
            }
            if let (true, Some((_, time))) = (order.from == node, self.places[order.to]) {
                at_most(time + slack);
            }
        }
        (low, high)
    }

    fn fits(&self, node: usize, element: usize) -> bool {
        let node = &self.graph.nodes[node];
        let class = node.op.class();
        let aside = node.access.is_some_and(|access| access.region == Region::Own);
        self.array.has(element, class) && !(aside && self.array.spu(element) != 0)
    }

    /// Finds places for a node, the best ones first.
    fn candidates(&self, node: usize, dice: &mut Pcg64Mcg) -> Vec<(i64, usize, i64)> {
        let mut found = Vec::new();
        let effect = self.graph.nodes[node].op.is_effect();
        for element in (0..self.array.elements()).filter(|element| self.fits(node, *element)) {
            let (low, high) = self.window(node, element);
            let begin = match (low, high) {
                (Some(low), _) => low,
                (None, Some(high)) => high - self.interval + 1,
                (None, None) => self.early[node],
            };
            let end = high.unwrap_or(i64::MAX).min(begin + self.interval - 1);
            for time in begin..=end {
                let result = time + self.latency(node);
                let taken = self.table.unit(element, time).is_some()
                    || !effect && self.table.result(element, result).is_some();
                if taken {
                    continue;
                }
                let late = if low.is_none() && high.is_some() { end - time } else { time - begin };
                let wait: i64 = low.map_or(0, |_| self.distance(node, element));
                // Units that few elements have are left to those that need them.
                let rare = if self.graph.nodes[node].op.class() == Class::Memory {
                    0
                } else {
                    i64::from(self.array.has(element, Class::Memory))
                };
                let noise = dice.random_range(0..3);
                found.push((2 * late + 2 * wait + rare + noise, element, time));
            }
        }
        found.sort_unstable();
        found.truncate(ROUTED);
        found
    }

    fn distance(&self, node: usize, element: usize) -> i64 {
        let sources = self.graph.nodes[node].edges().filter_map(|edge| self.places[edge.0]);
        let readers = self.readers[node].iter().filter_map(|reader| self.places[reader.0]);
        sources.chain(readers).map(|(there, _)| self.table.far(there, element) as i64).sum()
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
        present.extend(self.routes[from].keys().map(|(_, to, time)| (*to, time + 1)));
        let Some(steps) = self.table.route(from, &present, target) else { return false };
        // The way there is that of the route to its first step, and goes on.
        let way = self.whole_way(from, steps, target);
        for step in &way {
            self.table.take(from, *step);
            *self.routes[from].entry(*step).or_insert(0) += 1;
        }
        if self.clashes(from) {
            self.ways.insert((to, operand), way);
            self.disconnect(from, to, operand);
            return false;
        }
        self.ways.insert((to, operand), way);
        true
    }

    /// Returns whether a value needs a link in two rounds at once, or there are too few registers.
    fn clashes(&self, value: usize) -> bool {
        self.routes[value].keys().any(|step| {
            let (from, to, time) = *step;
            let again = |(a, b, other): &Step| {
                (*a, *b) == (from, to) && *other != time && (other - time) % self.interval == 0
            };
            if from == to {
                self.table.too_few_registers(from, time)
            } else {
                self.routes[value].keys().any(again)
            }
        })
    }

    fn whole_way(&self, value: usize, steps: Vec<Step>, target: (usize, i64)) -> Vec<Step> {
        let mut way = steps;
        let Some((home, begin)) = self.places[value] else { return way };
        let start = (home, begin + self.latency(value));
        let mut at = way.last().map_or(target, |(from, _, time)| (*from, *time));
        while at != start {
            let Some(step) = self.routes[value].keys().find(|(_, to, time)| (*to, time + 1) == at)
            else {
                break;
            };
            at = (step.0, step.2);
            way.push(*step);
        }
        way
    }

    fn disconnect(&mut self, from: usize, to: usize, operand: usize) {
        for step in self.ways.remove(&(to, operand)).unwrap_or_default() {
            if let Some(count) = self.routes[from].get_mut(&step) {
                *count -= 1;
                if *count == 0 {
                    self.routes[from].remove(&step);
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
