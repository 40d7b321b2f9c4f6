//! Resources of an array in the cycles of an interval (a modulo reservation table), and routes
//! through them.

use crate::array::{Array, Direction};

/// A value in a cycle.
pub(super) type Instance = (usize, i64);

/// A step of a route: from an element in a cycle to the same or another one in the next.
pub(super) type Step = (usize, usize, i64);

/// The reservations.
pub(super) struct Table<'a> {
    array: &'a Array,
    interval: i64,
    /// For each element and slot the node whose operation begins.
    units: Vec<Option<usize>>,
    /// For each element and slot the node whose result comes out.
    results: Vec<Option<usize>>,
    /// For each link and slot the value on it.
    links: Vec<Option<Instance>>,
    /// For each element and slot the values in registers.
    registers: Vec<Vec<Instance>>,
}

const UNREACHED: u32 = u32::MAX;

impl<'a> Table<'a> {
    pub(super) fn new(array: &'a Array, interval: u32) -> Self {
        let slots = array.elements() * interval as usize;
        Self {
            array,
            interval: interval.into(),
            units: vec![None; slots],
            results: vec![None; slots],
            links: vec![None; slots * Direction::ALL.len()],
            registers: vec![Vec::new(); slots],
        }
    }

    fn slot(&self, element: usize, time: i64) -> usize {
        element * self.interval as usize + time.rem_euclid(self.interval) as usize
    }

    pub(super) fn unit(&self, element: usize, time: i64) -> Option<usize> {
        self.units[self.slot(element, time)]
    }

    pub(super) fn result(&self, element: usize, time: i64) -> Option<usize> {
        self.results[self.slot(element, time)]
    }

    /// Takes a unit, and the place of its result if it has one.
    pub(super) fn occupy(
        &mut self,
        node: Option<usize>,
        element: usize,
        time: i64,
        result: Option<i64>,
    ) {
        let slot = self.slot(element, time);
        self.units[slot] = node;
        if let Some(time) = result {
            let slot = self.slot(element, time);
            self.results[slot] = node;
        }
    }

    fn link(&self, from: usize, direction: usize, time: i64) -> usize {
        self.slot(from, time) * Direction::ALL.len() + direction
    }

    fn direction(&self, from: usize, to: usize) -> usize {
        let leads = |direction: &Direction| self.array.neighbour(from, *direction) == Some(to);
        Direction::ALL.iter().position(leads).unwrap_or(0)
    }

    fn free(&self, value: usize, from: usize, direction: usize, time: i64) -> bool {
        self.links[self.link(from, direction, time)].is_none_or(|held| held == (value, time))
    }

    fn holds(&self, value: usize, element: usize, time: i64) -> bool {
        let held = &self.registers[self.slot(element, time)];
        held.len() < self.array.registers || held.contains(&(value, time))
    }

    pub(super) fn too_few_registers(&self, element: usize, time: i64) -> bool {
        self.registers[self.slot(element, time)].len() > self.array.registers
    }

    pub(super) fn take(&mut self, value: usize, (from, to, time): Step) {
        if from == to {
            let slot = self.slot(from, time);
            if !self.registers[slot].contains(&(value, time)) {
                self.registers[slot].push((value, time));
            }
        } else {
            let link = self.link(from, self.direction(from, to), time);
            self.links[link] = Some((value, time));
        }
    }

    pub(super) fn release(&mut self, value: usize, (from, to, time): Step) {
        if from == to {
            let slot = self.slot(from, time);
            self.registers[slot].retain(|held| *held != (value, time));
        } else {
            let link = self.link(from, self.direction(from, to), time);
            self.links[link] = None;
        }
    }

    /// Finds the cheapest way of a value from places where it is to an element in a cycle. The cost
    /// of a link is 4, that of a register 1, since links are what is short.
    pub(super) fn route(
        &self,
        value: usize,
        present: &[(usize, i64)],
        target: (usize, i64),
    ) -> Option<Vec<Step>> {
        let usable = present.iter().filter(|(_, time)| *time <= target.1);
        let first = usable.clone().map(|(_, time)| *time).min()?;
        let elements = self.array.elements();
        let layers = (target.1 - first + 1) as usize;
        let mut cost = vec![UNREACHED; elements * layers];
        let mut came = vec![usize::MAX; elements * layers];
        for (element, time) in usable {
            cost[(time - first) as usize * elements + element] = 0;
        }
        for layer in 0..layers - 1 {
            let time = first + layer as i64;
            for element in 0..elements {
                let at = layer * elements + element;
                if cost[at] == UNREACHED || self.far(element, target.0) > layers - 1 - layer {
                    continue;
                }
                let mut reach = |to: usize, price: u32| {
                    let next = (layer + 1) * elements + to;
                    if cost[at] + price < cost[next] {
                        cost[next] = cost[at] + price;
                        came[next] = element;
                    }
                };
                if self.holds(value, element, time) {
                    reach(element, 1);
                }
                for (number, direction) in Direction::ALL.into_iter().enumerate() {
                    if let Some(to) = self.array.neighbour(element, direction)
                        && self.free(value, element, number, time)
                    {
                        reach(to, 4);
                    }
                }
            }
        }
        let mut element = target.0;
        if cost[(layers - 1) * elements + element] == UNREACHED {
            return None;
        }
        let mut steps = Vec::new();
        for layer in (0..layers).rev() {
            let at = layer * elements + element;
            if cost[at] == 0 {
                break;
            }
            let from = came[at];
            steps.push((from, element, first + layer as i64 - 1));
            element = from;
        }
        Some(steps)
    }

    /// Least number of links between two elements.
    pub(super) fn far(&self, from: usize, to: usize) -> usize {
        let columns = self.array.columns;
        (from / columns).abs_diff(to / columns) + (from % columns).abs_diff(to % columns)
    }
}
