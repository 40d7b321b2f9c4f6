//! Routes of values through what is free of an array (R-CGRA-11).

use super::table::{Step, Table, UNREACHED};
use crate::array::Direction;

/// Cost of a link, where that of a register is 1: links are what is short.
const LINK: u32 = 4;

/// Time that a route has spent on an element before it went on.
struct Stay {
    element: usize,
    cycles: i64,
    before: Option<usize>,
}

/// The cheapest ways to all elements, cycle by cycle.
struct Ways<'w, 'a> {
    table: &'w Table<'a>,
    value: usize,
    first: i64,
    cost: Vec<u32>,
    /// The element that each place was reached from.
    came: Vec<usize>,
    /// The cycle, behind the first one, since which the way has been on the element.
    since: Vec<i64>,
    /// The latest of the stays before that.
    stays: Vec<Option<usize>>,
    ended: Vec<Stay>,
}

impl Ways<'_, '_> {
    /// Returns whether the value may stay for one cycle more. A value that stays for longer than an
    /// interval needs several registers.
    fn stays(&self, element: usize, layer: i64) -> bool {
        let (at, time) = (self.at(element, layer), self.first + layer);
        if !self.table.holds(self.value, element, time) {
            return false;
        }
        let (interval, mut registers) =
            (self.table.interval, (layer - self.since[at]) / self.table.interval + 1);
        let mut stay = self.stays[at];
        while let Some(Stay { element: other, cycles, before }) = stay.map(|at| &self.ended[at]) {
            if *other == element {
                registers += (cycles + interval - 1) / interval;
            }
            stay = *before;
        }
        registers == 1 || registers <= self.table.room(element, time) as i64
    }

    fn at(&self, element: usize, layer: i64) -> usize {
        layer as usize * self.table.array.elements() + element
    }

    /// Goes on from an element in a cycle.
    fn go_on(&mut self, element: usize, layer: i64) {
        let at = self.at(element, layer);
        let next = self.at(element, layer + 1);
        if self.cost[at] + 1 < self.cost[next] && self.stays(element, layer) {
            self.reach(at, next, 1, element);
            (self.since[next], self.stays[next]) = (self.since[at], self.stays[at]);
        }
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            let Some(to) = self.table.array.neighbour(element, direction) else { continue };
            let next = self.at(to, layer + 1);
            if self.cost[at] + LINK >= self.cost[next]
                || !self.table.free(self.value, element, number, self.first + layer)
            {
                continue;
            }
            self.reach(at, next, LINK, element);
            (self.since[next], self.stays[next]) = (layer + 1, self.stays[at]);
            if layer > self.since[at] {
                let cycles = layer - self.since[at];
                self.ended.push(Stay { element, cycles, before: self.stays[at] });
                self.stays[next] = Some(self.ended.len() - 1);
            }
        }
    }

    fn reach(&mut self, at: usize, next: usize, price: u32, from: usize) {
        self.cost[next] = self.cost[at] + price;
        self.came[next] = from;
    }
}

/// Cycles before the target in which a way is looked for first.
const NEAR: i64 = 24;

/// Finds the cheapest way of a value from places where it is to an element in a cycle: from places
/// where it was not long before, or else from all.
pub(super) fn route(
    table: &Table<'_>,
    value: usize,
    present: &[(usize, i64)],
    target: (usize, i64),
) -> Option<Vec<Step>> {
    let since = |cycles: i64| {
        let usable = present.iter().filter(|(_, time)| (0..=cycles).contains(&(target.1 - time)));
        cheapest(table, value, &usable.copied().collect::<Vec<_>>(), target)
    };
    since(NEAR).or_else(|| since(i64::MAX))
}

fn cheapest(
    table: &Table<'_>,
    value: usize,
    usable: &[(usize, i64)],
    target: (usize, i64),
) -> Option<Vec<Step>> {
    let first = usable.iter().map(|(_, time)| *time).min()?;
    let elements = table.array.elements();
    let last = target.1 - first;
    let places = elements * (last as usize + 1);
    let mut ways = Ways {
        table,
        value,
        first,
        cost: vec![UNREACHED; places],
        came: vec![0; places],
        since: vec![0; places],
        stays: vec![None; places],
        ended: Vec::new(),
    };
    for (element, time) in usable {
        let at = ways.at(*element, time - first);
        (ways.cost[at], ways.since[at]) = (0, time - first);
    }
    for layer in 0..last {
        for element in 0..elements {
            let in_reach = |far| i64::from(far) <= last - layer;
            if ways.cost[ways.at(element, layer)] != UNREACHED
                && table.far(element, target.0).is_some_and(in_reach)
            {
                ways.go_on(element, layer);
            }
        }
    }
    if ways.cost[ways.at(target.0, last)] == UNREACHED {
        return None;
    }
    let (mut element, mut steps) = (target.0, Vec::new());
    for layer in (0..=last).rev() {
        let at = ways.at(element, layer);
        if ways.cost[at] == 0 {
            break;
        }
        let from = ways.came[at];
        steps.push((from, element, first + layer - 1));
        element = from;
    }
    Some(steps)
}
