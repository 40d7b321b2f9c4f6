//! The SPU that each node should be in, where values only go down from one to the next.

use crate::array::Array;
use crate::graph::Graph;
use crate::op::Class;

/// Share of the slots of an SPU that are given away before the next one is begun.
const FILLED: f64 = 0.75;

/// Divides nodes among SPUs in the order of their cycles, so that what comes later finds room below
/// what it needs. Returns nothing where values get everywhere.
pub(super) fn levels(
    graph: &Graph,
    array: &Array,
    interval: u32,
    early: &[i64],
    aside: &[bool],
) -> Vec<usize> {
    if array.goes_up() {
        return Vec::new();
    }
    // Of all elements, and of those with a class of units.
    let slots = |class: Option<Class>| {
        let of = class.map_or(array.elements(), |class| array.count(class));
        of as f64 * f64::from(interval) / array.spus as f64
    };
    let needed = |class: Option<Class>| {
        let nodes =
            graph.nodes.iter().filter(|node| class.is_none_or(|class| node.op.class() == class));
        nodes.count() as f64
    };
    let kinds: Vec<_> = Class::ALL.into_iter().map(Some).chain([None]).collect();
    let filled = |kind: &Option<Class>| {
        let slots = slots(*kind) * array.spus as f64;
        if slots > 0.0 { needed(*kind) / slots } else { 0.0 }
    };
    let share = kinds.iter().map(filled).fold(FILLED, f64::max);
    // Those that have to be in the first SPU are there before the others.
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by_key(|node| (!aside[*node], early[*node]));
    let mut levels = vec![0; graph.nodes.len()];
    let (mut level, mut taken) = (0, vec![0.0; kinds.len()]);
    for node in order {
        let of =
            |kind: &Option<Class>| kind.is_none_or(|class| graph.nodes[node].op.class() == class);
        let full =
            |(kind, taken): (&Option<Class>, &f64)| of(kind) && *taken >= share * slots(*kind);
        if level + 1 < array.spus && !aside[node] && kinds.iter().zip(&taken).any(full) {
            level += 1;
            taken.fill(0.0);
        }
        levels[node] = level;
        for (kind, taken) in kinds.iter().zip(&mut taken) {
            *taken += f64::from(u8::from(of(kind)));
        }
    }
    levels
}
