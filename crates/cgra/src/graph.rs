//! The data flow of a loop: what an array carries out in each round (R-CGRA-1).

use std::fmt::Write;

use crate::op::{Op, Ty};
pub use crate::wasm::Region;

/// An operand of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A constant.
    Constant(u64),
    /// Another node's result, of so many rounds before.
    Edge {
        /// The node.
        from: usize,
        /// Number of rounds.
        distance: u32,
        /// The value in the first rounds, which have none before them.
        initial: u64,
    },
}

/// The addresses of a load or a store: `offset` + `outer` times the element + `inner` times the
/// instance + the operand (R-CGRA-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Memory.
    pub region: Region,
    /// Number of bytes.
    pub bytes: u8,
    /// First address.
    pub offset: i64,
    /// Bytes from an element to the next.
    pub outer: i64,
    /// Bytes from an instance to the next.
    pub inner: i64,
}

/// An operation of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Operation.
    pub op: Op,
    /// Its type.
    pub ty: Ty,
    /// Its operands a, b and c.
    pub inputs: [Input; 3],
    /// Memory, of a load or a store.
    pub access: Option<Access>,
}

/// Accesses that must come in an order: `to` of `distance` rounds later begins at least `delay`
/// cycles behind `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The first.
    pub from: usize,
    /// The second.
    pub to: usize,
    /// Rounds between them.
    pub distance: u32,
    /// Least number of cycles between them.
    pub delay: u32,
}

/// A loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Operations.
    pub nodes: Vec<Node>,
    /// Orders of accesses to memory.
    pub orders: Vec<Order>,
}

/// The loop of a part of an operation, and the elements that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The loop.
    pub graph: Graph,
    /// Instances of the loop's body in an element, one behind the other (R-CGRA-4).
    pub instances: u32,
    /// Tells if elements may lie beside each other in lanes.
    pub lanes: bool,
}

/// A function of an operation as loops that run one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name of the function.
    pub function: String,
    /// Loops.
    pub kernels: Vec<Kernel>,
    /// WebAssembly instructions for one element.
    pub instructions: u64,
    /// Bytes of an element in the first and in the second memory.
    pub sizes: [usize; 2],
    /// First content of the module's own memory.
    pub memory: Vec<(u64, Vec<u8>)>,
}

impl Node {
    /// Edges that come in: the node, rounds, and the place of the operand.
    pub fn edges(&self) -> impl Iterator<Item = (usize, u32, usize)> + '_ {
        self.inputs.iter().enumerate().filter_map(|(place, input)| match input {
            Input::Edge { from, distance, .. } => Some((*from, *distance, place)),
            Input::Constant(_) => None,
        })
    }
}

impl Kernel {
    /// Returns the bits of the widest number in it: 32 or 64.
    pub fn word_bits(&self) -> u32 {
        let wide = |node: &Node| {
            let bytes = node.access.map_or(0, |access| u32::from(access.bytes));
            node.ty.bits() > 32 && !node.op.is_effect() || bytes > 4
        };
        if self.graph.nodes.iter().any(wide) { 64 } else { 32 }
    }
}

impl Graph {
    /// Writes the graph as Graphviz's DOT.
    pub fn dot(&self, name: &str) -> String {
        let mut text =
            format!("digraph \"{name}\" {{\n  node [shape=box, fontname=\"monospace\"];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let mut label = format!("{number}: {}.{:?}", node.op.name(), node.ty).to_lowercase();
            if let Some(access) = node.access {
                let _ = write!(
                    label,
                    "\\n{} {} bytes at {} + {}e + {}j",
                    access.region.name(),
                    access.bytes,
                    access.offset,
                    access.outer,
                    access.inner
                );
            }
            for (place, input) in node.inputs.iter().enumerate() {
                if let Input::Constant(bits) = input
                    && *bits != 0
                {
                    let _ = write!(label, "\\n{} = {bits:#x}", ["a", "b", "c"][place]);
                }
            }
            let _ = writeln!(text, "  n{number} [label=\"{label}\"];");
        }
        for (number, node) in self.nodes.iter().enumerate() {
            for (from, distance, place) in node.edges() {
                let style = if distance > 0 { ", style=bold" } else { "" };
                let place = ["a", "b", "c"][place];
                let rounds = if distance > 0 { format!(" [{distance}]") } else { String::new() };
                let _ =
                    writeln!(text, "  n{from} -> n{number} [label=\"{place}{rounds}\"{style}];");
            }
        }
        for order in &self.orders {
            let _ = writeln!(
                text,
                "  n{} -> n{} [label=\"[{}]\", style=dashed];",
                order.from, order.to, order.distance
            );
        }
        text.push_str("}\n");
        text
    }
}
