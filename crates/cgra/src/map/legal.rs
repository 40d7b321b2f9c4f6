//! Checks of a mapping that share nothing with the search for it (R-CGRA-11).

use std::collections::{BTreeMap, BTreeSet};

use super::{Hop, Mapping};
use crate::array::{Array, Direction};
use crate::graph::{Graph, Region};

/// Checks that a mapping keeps to the array and to the graph.
///
/// # Errors
/// The rule that it breaks, and where.
pub fn check(graph: &Graph, array: &Array, mapping: &Mapping) -> Result<(), String> {
    let interval = mapping.interval;
    if interval == 0 || interval > array.instructions || mapping.places.len() != graph.nodes.len() {
        return Err(format!("an interval of {interval} for {} nodes", graph.nodes.len()));
    }
    units(graph, array, mapping)?;
    hops(array, mapping)?;
    let mut steps: Vec<BTreeSet<Hop>> = vec![BTreeSet::new(); graph.nodes.len()];
    for hop in &mapping.hops {
        steps[hop.value].insert(*hop);
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        for (from, distance, _) in node.edges() {
            let (source, place) = (mapping.places[from], mapping.places[number]);
            let begin = source.time + array.latency(graph.nodes[from].op.class());
            let mut present = BTreeSet::from([(source.element, begin)]);
            let mut ordered: Vec<_> = steps[from].iter().collect();
            ordered.sort_by_key(|hop| hop.time);
            for hop in ordered {
                if present.contains(&(hop.from, hop.time)) {
                    present.insert((hop.to, hop.time + 1));
                }
            }
            if !present.contains(&(place.element, place.time + distance * interval)) {
                return Err(format!("the value of node {from} does not reach node {number}"));
            }
        }
    }
    for order in &graph.orders {
        let [from, to] = [order.from, order.to].map(|node| mapping.places[node].time);
        if to + order.distance * interval < from + order.delay {
            return Err(format!("nodes {} and {} come in the wrong order", order.from, order.to));
        }
    }
    Ok(())
}

/// One operation, and one result, in each cycle of a processing element that has the unit.
fn units(graph: &Graph, array: &Array, mapping: &Mapping) -> Result<(), String> {
    let (mut begun, mut done) = (BTreeSet::new(), BTreeSet::new());
    for (number, (node, place)) in graph.nodes.iter().zip(&mapping.places).enumerate() {
        let class = node.op.class();
        let aside = node.access.is_some_and(|access| access.region == Region::Own);
        if place.element >= array.elements() || !array.has(place.element, class) {
            return Err(format!("node {number} is where there is no {} unit", class.name()));
        }
        if aside && array.spu(place.element) != 0 {
            return Err(format!("node {number} is far from the look-aside memory"));
        }
        let end = (place.time + array.latency(class)) % mapping.interval;
        let taken = !begun.insert((place.element, place.time % mapping.interval))
            || !node.op.is_effect() && !done.insert((place.element, end));
        if taken {
            return Err(format!("node {number} has a unit that another one has"));
        }
    }
    Ok(())
}

/// One value on each link, and as many as there are registers in each processing element.
fn hops(array: &Array, mapping: &Mapping) -> Result<(), String> {
    let mut links = BTreeSet::new();
    let mut registers: BTreeMap<_, usize> = BTreeMap::new();
    for hop in &mapping.hops {
        let slot = hop.time % mapping.interval;
        if hop.from == hop.to {
            let held = registers.entry((hop.from, slot)).or_default();
            *held += 1;
            if *held > array.registers {
                return Err(format!("element {} has too few registers", hop.from));
            }
            continue;
        }
        let leads = |direction| array.neighbour(hop.from, direction) == Some(hop.to);
        if !Direction::ALL.into_iter().any(leads) {
            return Err(format!("no link from element {} to {}", hop.from, hop.to));
        }
        if !links.insert((hop.from, hop.to, slot)) {
            return Err(format!("two values on the link from element {} to {}", hop.from, hop.to));
        }
    }
    Ok(())
}
