//! From effects to the graph of a loop (R-CGRA-1, R-CGRA-3).

use std::collections::BTreeMap;

use super::execute::{Effect, Executor};
use super::pool::{Address, Expression, Id, Region};
use crate::graph::{Access, Graph, Input, Node, Order};
use crate::op::{Op, Ty};
use crate::refusal::Refusal;

/// An address as a sum: a constant, a multiple of the round, and values.
struct Affine {
    offset: i64,
    step: i64,
    rest: Vec<Id>,
}

/// Makes the graph of a loop.
pub(crate) struct Lowering<'l, 'e, 'm> {
    executor: &'l mut Executor<'e, 'm>,
    /// Bytes of an element in each memory; `None` if the loop counts its addresses itself.
    sizes: Option<[usize; 2]>,
    graph: Graph,
    known: BTreeMap<Id, Input>,
    /// Operands that wait for the node of a next value: node, place, value.
    waiting: Vec<(usize, usize, Id)>,
    /// For each access its version: of a load the number of effects before it.
    versions: Vec<(usize, u32)>,
    /// For each expression of a load its node.
    loads: BTreeMap<Id, usize>,
}

impl<'l, 'e, 'm> Lowering<'l, 'e, 'm> {
    pub(crate) fn new(executor: &'l mut Executor<'e, 'm>, sizes: Option<[usize; 2]>) -> Self {
        Self {
            executor,
            sizes,
            graph: Graph::default(),
            known: BTreeMap::new(),
            waiting: Vec::new(),
            versions: Vec::new(),
            loads: BTreeMap::new(),
        }
    }

    /// Makes the graph of effects.
    pub(crate) fn graph(mut self, effects: &[Effect]) -> Result<Graph, Refusal> {
        for effect in effects {
            let value = self.input(effect.value)?;
            let condition = self.input(effect.condition)?;
            let (access, address) = match effect.op {
                Op::Trap => (None, Input::Constant(0)),
                _ => {
                    let (access, address) = self.access(effect.address, effect.bytes)?;
                    (Some(access), address)
                }
            };
            let inputs = match effect.op {
                Op::Trap => [value, Input::Constant(0), Input::Constant(0)],
                _ => [value, address, condition],
            };
            let ty = super::bytes::of_bytes(effect.bytes.into());
            let number = self.node(Node { op: effect.op, ty, inputs, access });
            self.versions.push((number, effect.version));
        }
        while let Some((node, place, next)) = self.waiting.pop() {
            let next = self.input(next)?;
            let from = match next {
                Input::Edge { from, distance: 0, .. } => from,
                // What is carried is a constant, or carried itself.
                other => self.node(Node {
                    op: Op::Pass,
                    ty: Ty::I64,
                    inputs: [other, Input::Constant(0), Input::Constant(0)],
                    access: None,
                }),
            };
            if let Input::Edge { from: at, .. } = &mut self.graph.nodes[node].inputs[place] {
                *at = from;
            }
        }
        self.order();
        self.one_immediate();
        Ok(self.graph)
    }

    fn node(&mut self, node: Node) -> usize {
        let number = self.graph.nodes.len();
        for (place, input) in node.inputs.iter().enumerate() {
            if let Input::Edge { from, distance: 1, .. } = input
                && *from >= WAITING
            {
                self.waiting.push((number, place, self.carried_next(from - WAITING)));
            }
        }
        self.graph.nodes.push(node);
        number
    }

    fn carried(&self) -> &[(Id, Id, Id)] {
        self.executor.kept.as_ref().map_or(&[], |kept| &kept.carried)
    }

    fn carried_next(&self, number: usize) -> Id {
        self.carried()[number].2
    }

    /// Returns the operand that a value is.
    fn input(&mut self, id: Id) -> Result<Input, Refusal> {
        if let Some(known) = self.known.get(&id) {
            return Ok(*known);
        }
        // Without recursion, since chains are as long as elements.
        let mut open = vec![id];
        while let Some(next) = open.last().copied() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let missing: Vec<_> = self
                .parts(next)
                .into_iter()
                .filter(|part| !self.known.contains_key(part))
                .collect();
            if missing.is_empty() {
                open.pop();
                let input = self.made(next)?;
                self.known.insert(next, input);
            } else {
                open.extend(missing);
            }
        }
        Ok(self.known[&id])
    }

    /// The values that a value is made of.
    fn parts(&mut self, id: Id) -> Vec<Id> {
        match self.executor.terms.pool.get(id) {
            Expression::Apply(_, _, inputs) => inputs.to_vec(),
            Expression::Load { address, .. } => {
                address.base.map(|base| self.affine(base).rest).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn made(&mut self, id: Id) -> Result<Input, Refusal> {
        let edge = |from| Input::Edge { from, distance: 0, initial: 0 };
        Ok(match self.executor.terms.pool.get(id) {
            Expression::Constant(bits) => Input::Constant(bits),
            Expression::Parameter(number) => {
                return Err(Refusal::Address(format!("parameter {number}")));
            }
            Expression::Carried { .. } => {
                let found = self.carried().iter().position(|(carried, ..)| *carried == id);
                let number =
                    found.ok_or_else(|| Refusal::Loop("it carries a value of another".into()))?;
                let initial = self.carried()[number].1;
                let initial = self.executor.terms.pool.value(initial);
                let initial = initial.ok_or_else(|| {
                    Refusal::Address("a value that a loop begins with is not a constant".into())
                })?;
                Input::Edge { from: WAITING + number, distance: 1, initial }
            }
            Expression::Load { address, bytes, version } => {
                let (access, operand) = self.access(address, bytes)?;
                let inputs = [operand, Input::Constant(0), Input::Constant(0)];
                let ty = super::bytes::of_bytes(bytes.into());
                let number = self.node(Node { op: Op::Load, ty, inputs, access: Some(access) });
                self.versions.push((number, version));
                self.loads.insert(id, number);
                edge(number)
            }
            Expression::Apply(op, ty, parts) => {
                let inputs = parts.map(|part| self.known[&part]);
                edge(self.node(Node { op, ty, inputs, access: None }))
            }
        })
    }

    /// Splits an address into what is counted by the port, and what units compute.
    fn affine(&mut self, id: Id) -> Affine {
        let constant = |offset| Affine { offset, step: 0, rest: Vec::new() };
        let pool = &self.executor.terms.pool;
        match pool.get(id) {
            Expression::Constant(bits) => constant(i64::from(bits as u32 as i32)),
            Expression::Parameter(_) => constant(0),
            Expression::Carried { .. } => {
                let carried = self.carried().iter().find(|(carried, ..)| *carried == id).copied();
                let Some((_, first, next)) = carried else {
                    return Affine { offset: 0, step: 0, rest: vec![id] };
                };
                let next = self.executor.terms.pool.address(next);
                let first = self.executor.terms.pool.address(first);
                let is_start = first.base.is_none_or(|base| {
                    matches!(self.executor.terms.pool.get(base), Expression::Parameter(_))
                });
                if next.base == Some(id) && is_start {
                    let offset = i64::from(first.offset as u32 as i32);
                    Affine { offset, step: next.offset, rest: Vec::new() }
                } else {
                    Affine { offset: 0, step: 0, rest: vec![id] }
                }
            }
            Expression::Apply(Op::Add, _, [a, b, _]) => {
                let (a, b) = (self.affine(a), self.affine(b));
                let rest = a.rest.into_iter().chain(b.rest).collect();
                Affine { offset: a.offset + b.offset, step: a.step + b.step, rest }
            }
            Expression::Apply(Op::Shl, _, [a, by, _])
                if pool.value(by).is_some_and(|by| by < 16) =>
            {
                let by = pool.value(by).unwrap_or(0);
                match self.affine(a) {
                    inner if inner.rest.is_empty() => Affine {
                        offset: inner.offset << by,
                        step: inner.step << by,
                        rest: inner.rest,
                    },
                    _ => Affine { offset: 0, step: 0, rest: vec![id] },
                }
            }
            _ => Affine { offset: 0, step: 0, rest: vec![id] },
        }
    }

    fn access(&mut self, address: Address, bytes: u8) -> Result<(Access, Input), Refusal> {
        let region = self.executor.region(address);
        let affine = match address.base {
            Some(base) => self.affine(base),
            None => Affine { offset: 0, step: 0, rest: Vec::new() },
        };
        let rest = affine
            .rest
            .into_iter()
            .reduce(|a, b| self.executor.terms.pool.binary(Op::Add, Ty::I32, a, b));
        let operand = match rest {
            Some(rest) => self.input(rest)?,
            None => Input::Constant(0),
        };
        let size = self.sizes.and_then(|sizes| sizes.get(region as usize).copied());
        let outer = size.map_or(affine.step, |size| size as i64);
        let offset = address.offset + affine.offset;
        Ok((Access { region, bytes, offset, outer, inner: 0 }, operand))
    }

    /// Orders accesses that may touch the same bytes.
    fn order(&mut self) {
        let mut accesses = std::mem::take(&mut self.versions);
        accesses.retain(|(node, _)| self.graph.nodes[*node].access.is_some());
        for (place, (a, of_a)) in accesses.iter().enumerate() {
            for (b, of_b) in &accesses[place..] {
                let (first, second) = (self.graph.nodes[*a], self.graph.nodes[*b]);
                let (Some(at), Some(other)) = (first.access, second.access) else { continue };
                let both_load = first.op == Op::Load && second.op == Op::Load;
                if at.region != other.region || both_load {
                    continue;
                }
                // An effect's version counts those before it, a load's those that it sees.
                let a_first = match (first.op, second.op) {
                    (Op::Load, _) => of_a <= of_b,
                    (_, Op::Load) => of_a < of_b,
                    _ => of_a <= of_b,
                };
                let (from, to) = if a_first { (*a, *b) } else { (*b, *a) };
                if from != to && self.meet(from, to, 0) {
                    self.push(from, to, 0);
                }
                let carried = self.sizes.is_none() || at.region == Region::Own;
                if carried {
                    self.order_rounds(*a, *b);
                    if a != b {
                        self.order_rounds(*b, *a);
                    }
                }
            }
        }
    }

    /// Orders an access behind another one of an earlier round, if they may meet.
    fn order_rounds(&mut self, from: usize, to: usize) {
        const FURTHEST: u32 = 64;
        if let Some(distance) = (1..=FURTHEST).find(|distance| self.meet(from, to, *distance)) {
            self.push(from, to, distance);
        }
    }

    /// Returns whether an access may touch bytes that another one touched `distance` rounds before.
    fn meet(&self, from: usize, to: usize, distance: u32) -> bool {
        let (first, second) = (&self.graph.nodes[from], &self.graph.nodes[to]);
        let (Some(a), Some(b)) = (first.access, second.access) else { return false };
        let [x, y] = [first, second].map(|node| node.inputs[usize::from(node.op == Op::Store)]);
        let moves = x != Input::Constant(0) || y != Input::Constant(0);
        // Of the same value in the same round the offsets decide.
        let apart = distance == 0 && x == y;
        if moves && !apart || self.sizes.is_none() && a.outer != b.outer {
            return true;
        }
        let later = if self.sizes.is_some() { 0 } else { b.outer * i64::from(distance) };
        let (begin, other) = (a.offset, b.offset + later);
        begin < other + i64::from(b.bytes) && other < begin + i64::from(a.bytes)
    }

    fn push(&mut self, from: usize, to: usize, distance: u32) {
        // A load sees what was stored in the cycle before, and not what is stored in its own.
        let delay = u32::from(self.graph.nodes[from].op == Op::Store);
        self.graph.orders.push(Order { from, to, distance, delay });
    }

    /// Gives constants that an instruction has no room for an operation of their own.
    fn one_immediate(&mut self) {
        for number in 0..self.graph.nodes.len() {
            let (mut immediate, mut first) = (None, None);
            for place in 0..3 {
                let input = self.graph.nodes[number].inputs[place];
                let fits = match input {
                    Input::Constant(0 | 1) => true,
                    Input::Constant(bits) => *immediate.get_or_insert(bits) == bits,
                    Input::Edge { distance: 0, .. } => true,
                    Input::Edge { initial, .. } => *first.get_or_insert(initial) == initial,
                };
                if !fits {
                    let from = self.graph.nodes.len();
                    let inputs = [input, Input::Constant(0), Input::Constant(0)];
                    self.graph.nodes.push(Node { op: Op::Pass, ty: Ty::I64, inputs, access: None });
                    let edge = Input::Edge { from, distance: 0, initial: 0 };
                    self.graph.nodes[number].inputs[place] = edge;
                }
            }
        }
    }
}

/// Nodes that are not there yet are counted from here.
const WAITING: usize = usize::MAX / 2;
