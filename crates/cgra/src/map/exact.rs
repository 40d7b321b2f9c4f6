//! Exact mappings by satisfiability: whether a loop fits an array at all with an interval
//! (R-CGRA-20).

use std::collections::BTreeMap;

use batsat::{BasicSolver, Lit, SolverInterface, lbool};

use super::bounds::dependences;
use crate::array::{Array, Direction};
use crate::graph::{Graph, Region};

/// The clauses of a loop, an array and an interval.
struct Clauses<'c> {
    graph: &'c Graph,
    array: &'c Array,
    interval: u32,
    horizon: u32,
    solver: BasicSolver,
    /// A node begins on an element in a cycle.
    begins: BTreeMap<(usize, usize, u32), Lit>,
    /// A value is at an element in a cycle.
    present: BTreeMap<(usize, usize, u32), Lit>,
    /// A value takes a link, or a register (direction 4), of an element in a cycle.
    moves: BTreeMap<(usize, usize, usize, u32), Lit>,
}

/// Returns whether a loop has a mapping with an interval, in which all operations of a round begin
/// within `horizon` cycles. Registers are as many as one likes, so `false` is a proof for any
/// number
/// of them.
pub fn fits(graph: &Graph, array: &Array, interval: u32, horizon: u32) -> bool {
    let mut clauses = Clauses {
        graph,
        array,
        interval,
        horizon,
        solver: BasicSolver::default(),
        begins: BTreeMap::new(),
        present: BTreeMap::new(),
        moves: BTreeMap::new(),
    };
    clauses.places() && {
        clauses.values();
        clauses.operands();
        clauses.orders();
        clauses.solver.solve_limited(&[]) == lbool::TRUE
    }
}

impl Clauses<'_> {
    fn variable(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        let mut literals: Vec<_> = literals.into_iter().collect();
        self.solver.add_clause_reuse(&mut literals);
    }

    fn at_most_one(&mut self, literals: &[Lit]) {
        // With helpers for the groups of a long list (commander encoding, Klieber and Kwon 2007).
        if literals.len() <= 6 {
            for (at, a) in literals.iter().enumerate() {
                for b in &literals[at + 1..] {
                    self.clause([!*a, !*b]);
                }
            }
            return;
        }
        let mut commanders = Vec::new();
        for group in literals.chunks(4) {
            let commander = self.variable();
            group.iter().for_each(|one| self.clause([!*one, commander]));
            self.at_most_one(group);
            commanders.push(commander);
        }
        self.at_most_one(&commanders);
    }

    /// First and last cycle of each node, by what comes before it and behind it.
    fn windows(&self) -> Option<Vec<(u32, u32)>> {
        let edges = dependences(self.graph, self.array);
        let count = self.graph.nodes.len();
        let (mut early, mut late) = (vec![0_i64; count], vec![i64::from(self.horizon) - 1; count]);
        for _ in 0..=count {
            for (from, to, cycles, rounds) in &edges {
                let apart = cycles - i64::from(self.interval) * rounds;
                early[*to] = early[*to].max(early[*from] + apart);
                late[*from] = late[*from].min(late[*to] - apart);
            }
        }
        let windows = early.into_iter().zip(late);
        windows
            .map(|(early, late)| (early <= late).then_some((early as u32, late as u32)))
            .collect()
    }

    /// Each node has one place, and no unit two nodes. `false` if a node has none.
    fn places(&mut self) -> bool {
        let Some(windows) = self.windows() else { return false };
        let mut units: BTreeMap<(usize, u32), Vec<Lit>> = BTreeMap::new();
        let mut results = units.clone();
        for (number, (first, last)) in windows.into_iter().enumerate() {
            let node = &self.graph.nodes[number];
            let class = node.op.class();
            let aside = node.access.is_some_and(|access| access.region == Region::Own);
            let effect = node.op.is_effect();
            let mut all = Vec::new();
            for element in 0..self.array.elements() {
                if !self.array.has(element, class) || aside && self.array.spu(element) != 0 {
                    continue;
                }
                for time in first..=last {
                    let begins = self.variable();
                    self.begins.insert((number, element, time), begins);
                    all.push(begins);
                    units.entry((element, time % self.interval)).or_default().push(begins);
                    if !effect {
                        let end = (time + self.array.latency(class)) % self.interval;
                        results.entry((element, end)).or_default().push(begins);
                    }
                }
            }
            self.clause(all.clone());
            self.at_most_one(&all);
        }
        units.values().chain(results.values()).for_each(|taken| self.at_most_one(taken));
        true
    }

    /// A value is where it was made, where it was kept, and where a link has taken it.
    fn values(&mut self) {
        let end = self.horizon + self.interval;
        let mut links: BTreeMap<(usize, usize, u32), Vec<Lit>> = BTreeMap::new();
        let makers =
            (0..self.graph.nodes.len()).filter(|node| !self.graph.nodes[*node].op.is_effect());
        for value in makers.collect::<Vec<_>>() {
            for element in 0..self.array.elements() {
                for time in 0..end {
                    let present = self.variable();
                    self.present.insert((value, element, time), present);
                    let ways = Direction::ALL.into_iter().enumerate();
                    let ways =
                        ways.filter(|(_, way)| self.array.neighbour(element, *way).is_some());
                    for way in ways.map(|(way, _)| way).chain([HOLD]).collect::<Vec<_>>() {
                        let moves = self.variable();
                        self.clause([!moves, present]);
                        self.moves.insert((value, element, way, time), moves);
                        if way != HOLD {
                            links
                                .entry((element, way, time % self.interval))
                                .or_default()
                                .push(moves);
                        }
                    }
                }
            }
        }
        links.values().for_each(|taken| self.at_most_one(taken));
        for ((value, element, time), present) in self.present.clone() {
            let mut causes = vec![!present];
            let latency = self.array.latency(self.graph.nodes[value].op.class());
            let made =
                time.checked_sub(latency).and_then(|at| self.begins.get(&(value, element, at)));
            causes.extend(made);
            if let Some(before) = time.checked_sub(1) {
                causes.extend(self.moves.get(&(value, element, HOLD, before)));
                for from in 0..self.array.elements() {
                    for (way, direction) in Direction::ALL.into_iter().enumerate() {
                        if self.array.neighbour(from, direction) == Some(element) {
                            causes.extend(self.moves.get(&(value, from, way, before)));
                        }
                    }
                }
            }
            self.clause(causes);
        }
    }

    fn operands(&mut self) {
        for ((node, element, time), begins) in self.begins.clone() {
            for (from, distance, _) in self.graph.nodes[node].edges().collect::<Vec<_>>() {
                let at = time + distance * self.interval;
                match self.present.get(&(from, element, at)).copied() {
                    Some(present) => self.clause([!begins, present]),
                    None => self.clause([!begins]),
                }
            }
        }
    }

    fn orders(&mut self) {
        let begins: Vec<_> = self.begins.iter().map(|(at, literal)| (*at, *literal)).collect();
        for order in self.graph.orders.clone() {
            for ((from, _, first), a) in &begins {
                for ((to, _, second), b) in &begins {
                    let wrong = second + order.distance * self.interval < first + order.delay;
                    if (*from, *to) == (order.from, order.to) && wrong {
                        self.clause([!*a, !*b]);
                    }
                }
            }
        }
    }
}

/// The way of a value that stays.
const HOLD: usize = 4;
