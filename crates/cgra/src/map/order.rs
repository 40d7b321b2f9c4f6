//! The order in which the search places nodes.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::waits::cone;
use crate::graph::{Graph, Node};

/// Nodes of a graph that is small: what comes behind a node is left to chance there.
const SMALL: usize = 64;

/// A visit of a node on the way from stores to loads: before its operands, when they are placed, or
/// behind its reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Before,
    Ready,
    Behind,
}

/// The nodes in the order in which they are placed: each behind the operand that it waits for
/// longest, as stores ask for them. What makes the other operands of a few loads comes behind
/// the node, so that it is done just before and does not wait (as in swing modulo scheduling:
/// Llosa, Gonzalez, Ayguade and Valero, PACT 1996).
pub(super) fn order(graph: &Graph, early: &[i64], dice: &mut Pcg64Mcg) -> Vec<usize> {
    let mut read = vec![false; graph.nodes.len()];
    graph.nodes.iter().flat_map(Node::edges).for_each(|(from, ..)| read[from] = true);
    let mut sinks: Vec<usize> = (0..graph.nodes.len()).filter(|node| !read[*node]).collect();
    sinks.sort_by_key(|sink| early[*sink]);
    let rest = 0..graph.nodes.len();
    let mut order = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let swings = graph.nodes.len() > SMALL || dice.random_bool(0.5);
    for root in sinks.into_iter().chain(rest) {
        let mut open = vec![(root, Visit::Before)];
        while let Some((node, visit)) = open.pop() {
            if visit == Visit::Ready {
                order.push(node);
                continue;
            }
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            let mut needs: Vec<_> = graph.nodes[node].edges().map(|edge| edge.0).collect();
            if dice.random_bool(0.3) {
                needs.reverse();
            }
            needs.sort_by_key(|need| early[*need]);
            if visit == Visit::Behind {
                order.push(node);
                open.extend(needs.into_iter().map(|need| (need, Visit::Behind)));
                continue;
            }
            let last = needs.pop();
            let (behind, before): (Vec<_>, Vec<_>) =
                needs.into_iter().partition(|need| swings && cone(graph, *need).is_some());
            open.extend(behind.into_iter().map(|need| (need, Visit::Behind)));
            open.push((node, Visit::Ready));
            open.extend(before.into_iter().chain(last).map(|need| (need, Visit::Before)));
        }
    }
    order
}
