//! Cycles for which values wait for their readers, whatever the places of nodes (R-CGRA-12), and
//! values that are made again so that they need not wait (R-CGRA-21).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::bounds::Bounds;
use crate::array::Array;
use crate::graph::{Graph, Input, Node, Order};
use crate::op::{Class, Op};

/// Nodes in an order in which each stands behind its operands of the same round.
fn in_order(graph: &Graph) -> Vec<usize> {
    let mut missing: Vec<usize> = graph
        .nodes
        .iter()
        .map(|node| node.edges().filter(|(_, distance, _)| *distance == 0).count())
        .collect();
    let readers = readers(graph);
    let mut order: Vec<usize> = (0..missing.len()).filter(|node| missing[*node] == 0).collect();
    let mut at = 0;
    while let Some(node) = order.get(at).copied() {
        at += 1;
        for reader in &readers[node] {
            missing[*reader] -= 1;
            if missing[*reader] == 0 {
                order.push(*reader);
            }
        }
    }
    order
}

/// Readers of each node in the same round, once for each operand.
fn readers(graph: &Graph) -> Vec<Vec<usize>> {
    let mut readers = vec![Vec::new(); graph.nodes.len()];
    for (number, node) in graph.nodes.iter().enumerate() {
        for (from, ..) in node.edges().filter(|(_, distance, _)| *distance == 0) {
            readers[from].push(number);
        }
    }
    readers
}

fn latency(graph: &Graph, array: &Array, node: usize) -> i64 {
    array.latency(graph.nodes[node].op.class()).into()
}

/// For each node the least number of cycles from its result to its last reader in the same round:
/// those of the longest way of dependences between the two.
pub(super) fn least_waits(graph: &Graph, array: &Array) -> Vec<u64> {
    let (order, readers) = (in_order(graph), readers(graph));
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, node)| place[*node] = at);
    let mut longest = vec![i64::MIN; graph.nodes.len()];
    let wait = |node: usize| {
        // With one reader the two may follow each other.
        let last = readers[node].iter().map(|reader| place[*reader]).max();
        let Some(last) = last.filter(|_| readers[node].iter().any(|one| *one != readers[node][0]))
        else {
            return 0;
        };
        let between = &order[place[node]..=last];
        longest[node] = 0;
        for at in between {
            if longest[*at] > i64::MIN {
                let done = longest[*at] + latency(graph, array, *at);
                for reader in &readers[*at] {
                    longest[*reader] = longest[*reader].max(done);
                }
            }
        }
        let own = latency(graph, array, node);
        let waits = readers[node].iter().map(|reader| longest[*reader] - own).max();
        for at in between {
            longest[*at] = i64::MIN;
            readers[*at].iter().for_each(|reader| longest[*reader] = i64::MIN);
        }
        waits.unwrap_or(0).max(0) as u64
    };
    (0..graph.nodes.len()).map(wait).collect()
}

/// Most operations that are done again for a value.
const MOST_AGAIN: usize = 8;

/// Most times that values are chosen for it.
const MOST_TIMES: usize = 32;

/// Share of registers and links that waiting values may take, as one in so many. The rest is for
/// what the places of nodes add.
const WAITING_SHARE: u64 = 3;

/// Has values made again, for their later readers, that would wait long otherwise, as long as
/// values that wait take more than a third of registers and links (R-CGRA-21).
pub(super) fn again<'g>(graph: &'g Graph, array: &Array) -> Cow<'g, Graph> {
    let mut graph = Cow::Borrowed(graph);
    for _ in 0..MOST_TIMES {
        let Ok(bounds) = Bounds::of(&graph, array) else { break };
        let others = bounds.resource().max(bounds.recurrence);
        let ((cycles, places), elements) = (bounds.waits, array.elements() as u64);
        if WAITING_SHARE * cycles <= places * u64::from(others) || others > array.instructions {
            break;
        }
        let waits = least_waits(&graph, array);
        let mut found: Vec<(u64, usize)> = Vec::new();
        for (value, waits) in waits.into_iter().enumerate() {
            let Some(cone) = cone(&graph, value).filter(|_| waits > 0) else { continue };
            // A cycle of waiting takes one of many places, an operation one of the elements.
            let takes = cone.len() as u64 * places / elements;
            if waits > takes {
                found.push((waits - takes, value));
            }
        }
        found.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
        // A part of them at a time, since each takes units.
        found.truncate(found.len().div_ceil(4));
        if found.is_empty() {
            break;
        }
        let early = earliest(&graph, array);
        let graph = graph.to_mut();
        for (_, value) in found {
            // Operations that make it may have been changed by those before it.
            if let Some(cone) = cone(graph, value) {
                make_again(graph, value, &cone, &early);
            }
        }
    }
    graph
}

/// The operations that make a value of what is loaded, each behind its operands; `None` if they are
/// many, or divisions, or need what another round or an address has.
pub(super) fn cone(graph: &Graph, value: usize) -> Option<Vec<usize>> {
    let mut cone = Vec::new();
    let mut open = vec![(value, false)];
    while let Some((node, ready)) = open.pop() {
        if cone.contains(&node) {
            continue;
        }
        if ready {
            cone.push(node);
            continue;
        }
        let Node { op, .. } = graph.nodes[node];
        let divides = matches!(op.class(), Class::Divide | Class::FloatDivide);
        let moves = op == Op::Load && graph.nodes[node].edges().next().is_some();
        if divides || moves || op.is_effect() || open.len() + cone.len() > 2 * MOST_AGAIN {
            return None;
        }
        open.push((node, true));
        for (from, distance, _) in graph.nodes[node].edges() {
            if distance > 0 {
                return None;
            }
            open.push((from, false));
        }
    }
    (cone.len() <= MOST_AGAIN).then_some(cone)
}

/// The cycles in which nodes can begin at the earliest.
fn earliest(graph: &Graph, array: &Array) -> Vec<i64> {
    let mut early = vec![0; graph.nodes.len()];
    for node in in_order(graph) {
        let ready = graph.nodes[node].edges().filter(|(_, distance, _)| *distance == 0);
        let ready = ready.map(|(from, ..)| early[from] + latency(graph, array, from));
        early[node] = ready.max().unwrap_or(0);
    }
    early
}

/// Gives the later readers of a value one of their own: those behind the widest gap.
fn make_again(graph: &mut Graph, value: usize, cone: &[usize], early: &[i64]) {
    let reads =
        |node: &Node| node.edges().any(|(from, distance, _)| (from, distance) == (value, 0));
    let known = graph.nodes.iter().zip(early);
    let mut times: Vec<i64> =
        known.filter(|(node, _)| reads(node)).map(|(_, early)| *early).collect();
    times.sort_unstable();
    let gap = times.windows(2).max_by_key(|pair| pair[1] - pair[0]);
    let Some([_, behind]) = gap.filter(|pair| pair[1] > pair[0]) else { return };
    let behind = *behind;
    let mut copies: BTreeMap<usize, usize> = BTreeMap::new();
    for node in cone {
        let mut copy = graph.nodes[*node];
        for input in &mut copy.inputs {
            if let Input::Edge { from, .. } = input {
                *from = copies[from];
            }
        }
        // A load again sees what the first one sees.
        let ordered = |order: &&Order| order.from == *node || order.to == *node;
        let number = graph.nodes.len();
        let of = |end: usize| if end == *node { number } else { end };
        let orders = graph.orders.iter().filter(ordered);
        let orders: Vec<_> = orders
            .map(|order| Order { from: of(order.from), to: of(order.to), ..*order })
            .collect();
        graph.orders.extend(orders);
        copies.insert(*node, number);
        graph.nodes.push(copy);
    }
    for number in (0..early.len()).filter(|number| early[*number] >= behind) {
        for input in &mut graph.nodes[number].inputs {
            if let Input::Edge { from, distance: 0, .. } = input
                && *from == value
            {
                *from = copies[&value];
            }
        }
    }
}
