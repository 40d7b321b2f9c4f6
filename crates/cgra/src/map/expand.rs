//! The graph of a loop as an array carries it out: values that are made again (R-CGRA-21), and the
//! nodes that count addresses and rounds where units do so (R-CGRA-7).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::waits::again;
use crate::array::{Array, Counting};
use crate::graph::{Access, Graph, Input, Kernel, Node};
use crate::op::{Op, Ty};

/// Returns the graph of a loop as an array carries it out.
pub fn expand<'k>(kernel: &'k Kernel, array: &Array) -> Cow<'k, Graph> {
    let graph = again(&kernel.graph, array);
    if array.counting == Counting::Ports || kernel.instances > 1 {
        return graph;
    }
    let mut graph = graph.into_owned();
    let zero = Input::Constant(0);
    let mut counters: BTreeMap<i64, usize> = BTreeMap::new();
    let add = |graph: &mut Graph, op, inputs| {
        graph.nodes.push(Node { op, ty: Ty::I32, inputs, access: None });
        graph.nodes.len() - 1
    };
    let word = |value: i64| u64::from(value as u32);
    let mut counter = |graph: &mut Graph, step: i64| {
        *counters.entry(step).or_insert_with(|| {
            let from = graph.nodes.len();
            let before = Input::Edge { from, distance: 1, initial: word(-step) };
            add(graph, Op::Add, [before, Input::Constant(word(step)), zero])
        })
    };
    let edge = |from| Input::Edge { from, distance: 0, initial: 0 };
    for number in 0..graph.nodes.len() {
        let Some(access) = graph.nodes[number].access.filter(|access| access.outer != 0) else {
            continue;
        };
        let place = usize::from(graph.nodes[number].op == Op::Store);
        let count = edge(counter(&mut graph, access.outer));
        let operand = match graph.nodes[number].inputs[place] {
            Input::Constant(_) => Input::Constant(word(access.offset)),
            operand => operand,
        };
        let offset = if matches!(operand, Input::Constant(_)) { 0 } else { access.offset };
        let nodes = &mut graph.nodes;
        nodes.push(Node { op: Op::Add, ty: Ty::I32, inputs: [count, operand, zero], access: None });
        let address = edge(nodes.len() - 1);
        nodes[number].inputs[place] = address;
        nodes[number].access = Some(Access { offset, outer: 0, ..access });
    }
    // The round's number is compared with that of all rounds; the sequencer knows both, too, and
    // what the branch decides is what it does.
    let rounds = counter(&mut graph, 1);
    let inputs = [edge(rounds), Input::Constant(u64::from(u32::MAX)), zero];
    graph.nodes.push(Node { op: Op::LtU, ty: Ty::I32, inputs, access: None });
    let compared = edge(graph.nodes.len() - 1);
    let inputs = [compared, zero, zero];
    graph.nodes.push(Node { op: Op::Pass, ty: Ty::I32, inputs, access: None });
    Cow::Owned(graph)
}
