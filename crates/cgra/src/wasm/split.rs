//! Parts of an element that have nothing to do with each other: equal ones are rounds of one loop
//! (R-CGRA-4).

use std::collections::BTreeMap;

use crate::graph::{Access, Graph, Input, Kernel, Node, Region};
use crate::op::Op;

/// Most loops of an element; with more of them it is one loop.
const MOST_KERNELS: usize = 8;

/// A part: the nodes that its stores need, in an order that is the same for equal parts.
struct Part {
    nodes: Vec<usize>,
    shape: Vec<u64>,
    offsets: Vec<i64>,
}

/// Splits the graph of an element.
pub(crate) fn split(graph: &Graph, lanes: bool) -> Vec<Kernel> {
    let whole = || vec![Kernel { graph: graph.clone(), instances: 1, lanes }];
    let separable = |node: &Node| match (node.op, node.access) {
        (Op::Trap, _) => false,
        (Op::Store, Some(access)) => {
            access.region != Region::Own
                && node.inputs[1..] == [Input::Constant(0), Input::Constant(1)]
        }
        (Op::Load, Some(access)) => {
            access.region != Region::Own && node.inputs[0] == Input::Constant(0)
        }
        _ => true,
    };
    if !graph.nodes.iter().all(separable) {
        return whole();
    }
    let mut classes: Vec<Vec<Part>> = Vec::new();
    let mut by_shape = BTreeMap::new();
    for stores in groups(graph) {
        let part = part(graph, &stores);
        let class = *by_shape.entry(part.shape.clone()).or_insert_with(|| {
            classes.push(Vec::new());
            classes.len() - 1
        });
        classes[class].push(part);
    }
    let mut kernels = Vec::new();
    for class in classes {
        let mut rest = &class[..];
        while let Some(first) = rest.first() {
            let strides = rest.get(1).map(|second| differences(&second.offsets, &first.offsets));
            let in_line = |(number, part): &(usize, &Part)| {
                let expected = strides.iter().flatten().map(|stride| stride * *number as i64);
                *number == 0 || expected.eq(differences(&part.offsets, &first.offsets))
            };
            let count = rest.iter().enumerate().take_while(in_line).count();
            kernels.push(kernel(graph, first, count, strides.as_deref(), lanes));
            rest = &rest[count..];
        }
    }
    if kernels.len() > MOST_KERNELS { whole() } else { kernels }
}

fn differences(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Groups the stores by what they share: a unit's result, or bytes that one writes and the other
/// reads.
fn groups(graph: &Graph) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..graph.nodes.len()).collect();
    fn find(root: &mut [usize], mut at: usize) -> usize {
        while root[at] != at {
            root[at] = root[root[at]];
            at = root[at];
        }
        at
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a] = b;
    };
    // A load that several read is one for each of them, so that it joins none; the parts of which
    // one stores what another loads have to stay together.
    let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        for (from, ..) in node.edges() {
            if graph.nodes[from].op == Op::Load {
                readers.entry(from).or_default().push(number);
            } else {
                join(from, number);
            }
        }
    }
    for order in &graph.orders {
        for (load, store) in [(order.from, order.to), (order.to, order.from)] {
            if graph.nodes[load].op == Op::Load {
                readers.get(&load).into_iter().flatten().for_each(|reader| join(*reader, store));
            }
        }
        if graph.nodes[order.from].op == Op::Store && graph.nodes[order.to].op == Op::Store {
            join(order.from, order.to);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        if node.op == Op::Store {
            let group = find(&mut root, number);
            groups.entry(group).or_default().push(number);
        }
    }
    let offset =
        |store: &usize| graph.nodes[*store].access.map(|access| (access.region, access.offset));
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.iter_mut().for_each(|stores| stores.sort_by_key(offset));
    groups.sort_by_key(|stores| stores.first().and_then(offset));
    groups
}

/// Follows the operands of stores.
fn part(graph: &Graph, stores: &[usize]) -> Part {
    let mut part = Part { nodes: Vec::new(), shape: Vec::new(), offsets: Vec::new() };
    let mut place: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open: Vec<(usize, bool)> = stores.iter().rev().map(|store| (*store, false)).collect();
    while let Some((number, ready)) = open.pop() {
        if place.contains_key(&number) {
            continue;
        }
        let node = &graph.nodes[number];
        if !ready {
            open.push((number, true));
            open.extend(node.edges().map(|(from, ..)| (from, false)));
            continue;
        }
        place.insert(number, part.nodes.len());
        part.nodes.push(number);
        part.shape.extend([node.op as u64, node.ty as u64]);
        for input in node.inputs {
            match input {
                Input::Constant(bits) => part.shape.extend([0, bits]),
                Input::Edge { from, distance, initial } => {
                    part.shape.extend([1, place[&from] as u64, distance.into(), initial]);
                }
            }
        }
        if let Some(access) = node.access {
            part.shape.extend([access.region as u64, access.bytes.into()]);
            part.offsets.push(access.offset);
        }
    }
    part
}

/// Makes the loop of equal parts.
fn kernel(
    graph: &Graph,
    part: &Part,
    instances: usize,
    strides: Option<&[i64]>,
    lanes: bool,
) -> Kernel {
    let place: BTreeMap<_, _> =
        part.nodes.iter().enumerate().map(|(place, number)| (*number, place)).collect();
    let mut strides = strides.unwrap_or_default().iter();
    let mut nodes = Vec::new();
    for number in &part.nodes {
        let mut node = graph.nodes[*number];
        for input in &mut node.inputs {
            if let Input::Edge { from, .. } = input {
                *from = place[from];
            }
        }
        node.access = node.access.map(|access| {
            let stride = strides.next().copied().unwrap_or(0);
            Access { inner: if instances > 1 { stride } else { 0 }, ..access }
        });
        nodes.push(node);
    }
    let orders = graph.orders.iter().filter_map(|order| {
        let (from, to) = (*place.get(&order.from)?, *place.get(&order.to)?);
        Some(crate::graph::Order { from, to, ..*order })
    });
    let orders = orders.collect();
    Kernel { graph: Graph { nodes, orders }, instances: instances as u32, lanes }
}
