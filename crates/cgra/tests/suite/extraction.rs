//! Graphs of functions (R-CGRA-1 to 4).

use netfold_cgra::graph::{Input, Program, Region};
use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Request, extract};

use crate::kernels::Kernel;

pub fn fold(text: &str, sizes: [usize; 2]) -> Result<Program, netfold_cgra::Refusal> {
    let module = format!(
        "(module (memory (export \"memory\") 1)
           (func (export \"fold\") (param $l i32) (param $r i32) (param $n i32) {text}))"
    );
    let request = Request { function: "fold", sizes, message: false, keeps: false };
    extract(&wat::parse_str(module).unwrap(), &request)
}

fn ops(program: &Program, kernel: usize) -> Vec<Op> {
    let mut ops: Vec<_> = program.kernels[kernel].graph.nodes.iter().map(|node| node.op).collect();
    ops.sort_unstable();
    ops
}

/// R-CGRA-2: vectors are lanes, and an exchange of lanes costs nothing.
#[test]
fn vectors_are_taken_apart() {
    let program = fold(
        "(v128.store (local.get $l)
           (i8x16.shuffle 12 13 14 15 8 9 10 11 4 5 6 7 0 1 2 3
             (i32x4.add (v128.load (local.get $l)) (v128.load (local.get $r)))
             (v128.const i32x4 0 0 0 0)))",
        [16, 16],
    )
    .unwrap();
    // Each of two lanes is stored where the other one is loaded, so they stay together: twice.
    let instances: Vec<_> = program.kernels.iter().map(|kernel| kernel.instances).collect();
    assert_eq!(instances, [2]);
    let count = |op| ops(&program, 0).iter().filter(|other| **other == op).count();
    assert_eq!((count(Op::Load), count(Op::Add), count(Op::Store)), (4, 2, 2));
    assert_eq!(program.kernels[0].graph.nodes.len(), 8);
}

/// R-CGRA-4: equal parts of an element are instances of one loop.
#[test]
fn equal_parts_are_one_loop() {
    let program = fold(
        "(v128.store (local.get $l)
           (i32x4.add (v128.load (local.get $l)) (v128.load (local.get $r))))
         (f32.store offset=16 (local.get $l)
           (f32.mul (f32.load offset=16 (local.get $l)) (f32.load offset=16 (local.get $r))))",
        [20, 20],
    )
    .unwrap();
    let instances: Vec<_> = program.kernels.iter().map(|kernel| kernel.instances).collect();
    assert_eq!(instances, [4, 1]);
    assert_eq!(ops(&program, 0), [Op::Add, Op::Load, Op::Load, Op::Store]);
    let access = program.kernels[0].graph.nodes.iter().find_map(|node| node.access).unwrap();
    assert_eq!((access.outer, access.inner, access.bytes), (20, 4, 4));
}

/// Bytes that one part stores and another loads keep them together.
#[test]
fn parts_that_meet_in_memory_stay_together() {
    let program = fold(
        "(local $x i32)
         (local.set $x (i32.load (local.get $l)))
         (i32.store (local.get $l) (i32.load offset=4 (local.get $l)))
         (i32.store offset=4 (local.get $l) (local.get $x))",
        [8, 8],
    )
    .unwrap();
    assert_eq!(program.kernels.len(), 1);
    // Both loads come before the store to their place.
    assert_eq!(program.kernels[0].graph.orders.len(), 2);
}

/// R-CGRA-2: paths that meet are joined by choices, and conditions are as small as they can be.
#[test]
fn branches_become_choices() {
    let kernel = Kernel::named("larger pair");
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    let all = ops(&program, 0);
    let count = |op| all.iter().filter(|other| **other == op).count();
    assert_eq!((count(Op::Select), count(Op::Store), count(Op::Load)), (2, 2, 4));
    // larger or (equal and smaller index)
    assert_eq!(
        (count(Op::And), count(Op::Or), count(Op::LtS), count(Op::Eq), count(Op::LtU)),
        (1, 1, 1, 1, 1)
    );
    assert_eq!(all.len(), 13);
}

/// R-CGRA-1: what a loop carries comes from the round before, and begins with a value.
#[test]
fn carried_values_have_a_distance() {
    let kernel = Kernel::named("hash");
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    let graph = &program.kernels[0].graph;
    let carried: Vec<_> = graph
        .nodes
        .iter()
        .flat_map(|node| node.inputs)
        .filter_map(|input| match input {
            Input::Edge { from, distance: 1, initial } => Some((graph.nodes[from].op, initial)),
            _ => None,
        })
        .collect();
    assert_eq!(carried, [(Op::Mul, 0x811c_9dc5)]);
}

/// Memory dependences: a bin that was stored may be loaded in the next round, a place that moves on
/// is not.
#[test]
fn stores_precede_loads_of_later_rounds_where_they_may_meet() {
    let orders = |name| {
        let kernel = Kernel::named(name);
        let program = extract(&kernel.module(), &kernel.request()).unwrap();
        let graph = program.kernels[0].graph.clone();
        let carried = graph.orders.iter().filter(|order| order.distance > 0);
        carried
            .map(|order| (graph.nodes[order.from].op, graph.nodes[order.to].op, order.distance))
            .collect::<Vec<_>>()
    };
    assert!(orders("histogram").contains(&(Op::Store, Op::Load, 1)));
    assert_eq!(orders("add"), []);
}

/// R-CGRA-1: two fields of a bin, whose place is a value, lie apart. Each is loaded before it is
/// stored, and there is no other order.
#[test]
fn offsets_tell_accesses_of_one_place_apart() {
    let program = fold(
        "(local $p i32)
         (local.set $p (i32.add (local.get $l)
           (i32.shl (i32.load8_u (local.get $r)) (i32.const 3))))
         (i32.store (local.get $p) (i32.add (i32.load (local.get $p)) (i32.const 3)))
         (i32.store offset=4 (local.get $p)
           (i32.add (i32.load offset=4 (local.get $p)) (i32.const 5)))",
        [2048, 1],
    )
    .unwrap();
    assert_eq!(program.kernels.len(), 1);
    let graph = &program.kernels[0].graph;
    let at = |node: usize| graph.nodes[node].access.map(|access| access.offset);
    let mut ends: Vec<_> =
        graph.orders.iter().map(|order| (at(order.from), at(order.to))).collect();
    ends.sort_unstable();
    assert_eq!(ends, [(Some(0), Some(0)), (Some(4), Some(4))]);
}

/// R-CGRA-3: what is written to the module's own memory is kept only with state, and not the stack.
#[test]
fn own_memory_is_kept_with_state() {
    let module = wat::parse_str(
        "(module (memory (export \"memory\") 1) (global (mut i32) (i32.const 4096))
           (func (export \"map\") (param $p i32) (param $n i32) (local $s i32)
             (global.set 0 (local.tee $s (i32.sub (global.get 0) (i32.const 16))))
             (i32.store (local.get $s) (i32.load (local.get $p)))
             (i32.store (i32.const 8192) (i32.load (local.get $s)))
             (i32.store (local.get $p) (i32.const 5))
             (global.set 0 (i32.add (local.get $s) (i32.const 16)))))",
    )
    .unwrap();
    let stores = |keeps| {
        let request = Request { function: "map", sizes: [4, 0], message: false, keeps };
        let program = extract(&module, &request).unwrap();
        let nodes = program.kernels.into_iter().flat_map(|kernel| kernel.graph.nodes);
        let stores = nodes.filter(|node| node.op == Op::Store);
        let mut stores: Vec<_> =
            stores.filter_map(|node| node.access).map(|at| (at.region, at.offset)).collect();
        stores.sort_unstable();
        stores
    };
    assert_eq!(stores(false), [(Region::First, 0)]);
    assert_eq!(stores(true), [(Region::First, 0), (Region::Own, 8192)]);
}

/// Loops inside of an element are unrolled, and their sums are of the declared type.
#[test]
fn inner_loops_are_unrolled() {
    let program = fold(
        "(local $k i32) (local $sum f64)
         (loop $again
           (local.set $sum (f64.add (local.get $sum)
             (f64.load (i32.add (local.get $r) (i32.shl (local.get $k) (i32.const 3))))))
           (br_if $again (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 8))))
         (f64.store (local.get $l) (local.get $sum))",
        [64, 64],
    )
    .unwrap();
    let graph = &program.kernels[0].graph;
    let sums = graph.nodes.iter().filter(|node| (node.op, node.ty) == (Op::FAdd, Ty::F64)).count();
    // 0 + x is not x of -0, so the first sum stays.
    assert_eq!((sums, graph.nodes.len()), (8, 17));
}
