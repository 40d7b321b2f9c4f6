//! Resources of an array in the cycles of an interval (a modulo reservation table).

use crate::array::{Array, Direction};

/// A value in a cycle.
pub(super) type Instance = (usize, i64);

/// A step of a route: from an element in a cycle to the same or another one in the next.
pub(super) type Step = (usize, usize, i64);

/// The reservations.
pub(super) struct Table<'a> {
    pub(super) array: &'a Array,
    pub(super) interval: i64,
    /// For each element and slot the node whose operation begins.
    units: Vec<Option<usize>>,
    /// For each element and slot the node whose result comes out.
    results: Vec<Option<usize>>,
    /// For each link and slot the value on it.
    links: Vec<Option<Instance>>,
    /// For each element and slot the values in registers.
    registers: Vec<Vec<Instance>>,
    /// Least number of links from each element to each; [`UNREACHED`] if none lead there.
    far: Vec<u32>,
}

pub(super) const UNREACHED: u32 = u32::MAX;

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
            far: distances(array),
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

    pub(super) fn free(&self, value: usize, from: usize, direction: usize, time: i64) -> bool {
        self.links[self.link(from, direction, time)].is_none_or(|held| held == (value, time))
    }

    pub(super) fn holds(&self, value: usize, element: usize, time: i64) -> bool {
        let held = &self.registers[self.slot(element, time)];
        held.len() < self.array.registers || held.contains(&(value, time))
    }

    /// Returns the number of registers that are free.
    pub(super) fn room(&self, element: usize, time: i64) -> usize {
        self.array.registers - self.registers[self.slot(element, time)].len()
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

    /// Least number of links from an element to another; `None` if none lead there.
    pub(super) fn far(&self, from: usize, to: usize) -> Option<u32> {
        let far = self.far[from * self.array.elements() + to];
        (far != UNREACHED).then_some(far)
    }
}

/// Least numbers of links between elements, by breadth-first search.
fn distances(array: &Array) -> Vec<u32> {
    let count = array.elements();
    let mut far = vec![UNREACHED; count * count];
    for start in 0..count {
        let far = &mut far[start * count..][..count];
        far[start] = 0;
        let (mut open, mut at) = (vec![start], 0);
        while let Some(element) = open.get(at).copied() {
            at += 1;
            for next in Direction::ALL.into_iter().filter_map(|way| array.neighbour(element, way)) {
                if far[next] == UNREACHED {
                    far[next] = far[element] + 1;
                    open.push(next);
                }
            }
        }
    }
    far
}
