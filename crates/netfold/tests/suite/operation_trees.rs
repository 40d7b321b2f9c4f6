//! Operations of users in trees of switches and below hosts (R-OP-13, R-OP-26, R-OP-40), over real
//! sockets.

use std::sync::Arc;
use std::thread;

use netfold::{
    CallOptions, Communicator, Operations, Switch, SwitchOptions, Transport, TypedOperation,
};
use netfold_ops::{Loader, Operation, Policy};

use super::operations::{compose, composed, doubled, largest, lines, load, module};
use super::state::{complemented, counted, halved};
use super::support::WAIT_LIMIT;

/// A root, two switches below it, and one below the second of these. None shares memory.
struct Tree {
    switches: [Switch; 4],
}

impl Tree {
    /// A tree of which only the switches with these numbers take operations.
    fn taking(taking: &[usize]) -> Self {
        let start = |number: usize, parent: Option<&Switch>| {
            let loader = taking.contains(&number);
            Switch::start(&SwitchOptions {
                parent: parent.map(|parent| parent.address().to_string()),
                operations: loader.then(|| Arc::new(Loader::new(Policy::Any)) as Arc<_>),
                transport: Some(Transport::Udp),
                ..SwitchOptions::default()
            })
            .unwrap()
        };
        let root = start(0, None);
        let (first, second) = (start(1, Some(&root)), start(2, Some(&root)));
        let third = start(3, Some(&second));
        Self { switches: [root, first, second, third] }
    }

    fn new() -> Self {
        Self::taking(&[0, 1, 2, 3])
    }

    /// Runs `work` as a worker at each of these switches, by rank. Those at 4 and more are at the
    /// switch with 4 less, and fold on their host first.
    fn run<R: Send>(
        &self,
        homes: &[usize],
        operations: impl Fn() -> Vec<Operation> + Sync,
        work: impl Fn(Result<Communicator, netfold::Error>) -> R + Sync,
    ) -> Vec<R> {
        let worker = |rank: usize| {
            let switch = &self.switches[homes[rank] % 4];
            let (address, size) = (switch.address().to_string(), homes.len() as u16);
            let connect = netfold::connect(&address, "tree", rank as u16, size);
            let connect = if homes[rank] < 4 { connect.transport(Transport::Udp) } else { connect };
            let all = operations().into_iter().map(|one| Arc::new(one) as Arc<dyn TypedOperation>);
            let joined = connect.operations(Operations::new(all).unwrap()).join();
            work(joined.map(|comm| comm.with(CallOptions::new().timeout(WAIT_LIMIT))))
        };
        thread::scope(|scope| {
            let worker = &worker;
            let threads: Vec<_> =
                (0..homes.len()).map(|rank| scope.spawn(move || worker(rank))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a worker")).collect()
        })
    }
}

/// Homes of workers of which each switch below another has consecutive ranks, at two levels, and
/// with workers that fold on their host.
const HOMES: [&[usize]; 4] =
    [&[1, 1, 0, 3, 3, 2], &[0, 1, 1, 1, 6, 6], &[5, 5, 7, 7, 7, 2], &[4, 4, 4, 3, 3, 0]];

/// Operands are folded in rank order through every level, in every collective that folds.
#[test]
fn rank_order_holds_in_trees() {
    const COUNT: usize = 3001;
    for homes in HOMES {
        Tree::new().run(
            homes,
            || vec![largest(), compose()],
            |comm| {
                let comm = comm.unwrap();
                let (rank, size) = (comm.rank(), comm.size());
                let compose = comm.operation("compose").unwrap().expect("it was brought along");
                for count in [0, 1, COUNT] {
                    let mut tensor = lines(rank, count);
                    comm.all_reduce(&mut tensor, compose).unwrap();
                    assert!(tensor == composed(0..size, count), "{homes:?}, {count}");
                }
                let mut tensor = lines(rank, COUNT);
                comm.reduce(&mut tensor, compose, 4).unwrap();
                let expected =
                    if rank == 4 { composed(0..size, COUNT) } else { lines(rank, COUNT) };
                assert!(tensor == expected, "{homes:?}");
                let mut part = vec![0; 2 * COUNT];
                comm.reduce_scatter(&lines(rank, 6 * COUNT), &mut part, compose).unwrap();
                let whole = composed(0..size, 6 * COUNT);
                assert!(part == whole[usize::from(rank) * 2 * COUNT..][..2 * COUNT], "{homes:?}");
                let (input, mut prefix) = (lines(rank, COUNT), vec![0; 2 * COUNT]);
                comm.scan(&input, &mut prefix, compose).unwrap();
                assert!(prefix == composed(0..rank + 1, COUNT), "{homes:?}");
                let largest = comm.operation("largest").unwrap().expect("it was brought along");
                let mut tensor = vec![i32::from(rank) + 5; COUNT];
                comm.all_reduce(&mut tensor, largest).unwrap();
                assert!(tensor == vec![i32::from(size) + 4; COUNT], "{homes:?}");
            },
        );
    }
}

/// R-OP-28: the root maps, and nobody below it does, whoever folds there.
#[test]
fn results_are_mapped_once() {
    let homes = [HOMES[0], HOMES[2], &[1, 3, 1, 3], &[3, 3, 7]];
    for homes in homes {
        Tree::new().run(
            homes,
            || vec![doubled()],
            |comm| {
                let comm = comm.unwrap();
                let doubled = comm.operation("doubled").unwrap().expect("it was brought along");
                let mut tensor: Vec<i32> =
                    (0..2000).map(|at| at + i32::from(comm.rank())).collect();
                comm.all_reduce(&mut tensor, doubled).unwrap();
                let size = i32::from(comm.size());
                let wanted = (0..2000).map(|at| 2 * (size * at + size * (size - 1) / 2));
                assert!(tensor.into_iter().eq(wanted), "{homes:?}");
            },
        );
    }
}

/// R-OP-44: a switch encodes what it has folded, and the one above finds it unchanged.
#[test]
fn lossless_codecs_fold_in_trees() {
    const COUNT: i32 = 3001;
    let travelling = |number: i32| [number, !number];
    for homes in HOMES {
        Tree::new().run(
            homes,
            || vec![complemented()],
            |comm| {
                let comm = comm.unwrap();
                let op = comm.operation("complemented").unwrap().expect("it was brought along");
                let rank = i32::from(comm.rank());
                let mut tensor: Vec<i32> =
                    (0..COUNT).flat_map(|at| travelling(at * (rank + 1))).collect();
                comm.all_reduce(&mut tensor, op).unwrap();
                // 1 to 6, of six workers.
                let wanted = (0..COUNT).flat_map(|at| travelling(21 * at));
                assert!(tensor.into_iter().eq(wanted), "{homes:?}");
            },
        );
    }
}

/// R-OP-34: switches below fold without the state, and the root, which has all of it, maps.
#[test]
fn state_is_at_the_root() {
    for homes in [&[1, 1, 0, 3, 3, 2][..], &[1, 3, 1, 3], &[3, 3, 3]] {
        Tree::new().run(
            homes,
            || vec![counted()],
            |comm| {
                let comm = comm.unwrap();
                let counted = comm.operation("counted").unwrap().expect("it was brought along");
                let size = i32::from(comm.size());
                for rounds_before in 0..5 {
                    let mut tensor = [i32::from(comm.rank()); 8];
                    comm.all_reduce(&mut tensor, counted).unwrap();
                    assert_eq!(tensor, [size * (size - 1) / 2 + rounds_before; 8], "{homes:?}");
                }
            },
        );
    }
}

/// The difference: neither associative nor commutative.
fn difference() -> Operation {
    let step = "(i32.store (local.get $left)
        (i32.sub (i32.load (local.get $left)) (i32.load (local.get $right))))";
    load(&module("name difference\\nelement i32", 4, step, ""))
}

/// Folds that a switch below another must not do by itself are refused by name, with the reason. At
/// one switch the same workers fold.
#[test]
fn what_may_not_be_folded_apart_is_refused() {
    let why = |homes, operation: fn() -> Operation| {
        let refused = Tree::new().run(
            homes,
            || vec![operation()],
            |comm| comm.err().expect("it is refused").to_string(),
        );
        assert!(refused.iter().all(|error| *error == refused[0]), "{refused:?}");
        refused[0].clone()
    };
    let error = why(&[1, 1, 0], difference);
    for part in ["\"difference\"", "not associative", "ranks 0, 1 by themselves"] {
        assert!(error.contains(part), "{error}");
    }
    // R-OP-44: at each level the codec would lose something.
    let error = why(&[1, 1, 0], halved);
    for part in ["\"halved\"", "lossless", "ranks 0, 1 by themselves"] {
        assert!(error.contains(part), "{error}");
    }
    let error = why(&[1, 2, 1], compose);
    for part in ["\"compose\"", "not commutative", "not consecutive: 0, 2"] {
        assert!(error.contains(part), "{error}");
    }
    // Where all workers are at one switch, whichever it is, or one of each at another.
    for homes in [&[3, 3, 3][..], &[0, 0, 0], &[1, 2, 0], &[4, 4, 0, 0], &[1, 3, 0]] {
        Tree::new().run(
            homes,
            || vec![difference()],
            |comm| {
                let comm = comm.unwrap();
                let difference =
                    comm.operation("difference").unwrap().expect("it was brought along");
                let mut tensor = vec![10 + i32::from(comm.rank()); 1000];
                comm.all_reduce(&mut tensor, difference).unwrap();
                let wanted = 10 - (1..homes.len() as i32).map(|rank| 10 + rank).sum::<i32>();
                assert!(tensor == vec![wanted; 1000], "{homes:?}");
            },
        );
    }
}

/// R-OP-40
#[test]
fn every_switch_on_the_way_decides_for_itself() {
    let tree = Tree::taking(&[0, 2]);
    let at = tree.switches[3].address().to_string();
    let refused =
        tree.run(&[3], || vec![largest()], |comm| comm.err().expect("it is refused").to_string());
    assert!(refused[0].contains(&at) && refused[0].contains("--ops any"), "{refused:?}");
    let joined = tree.run(&[2], || vec![largest()], |comm| comm.is_ok());
    assert_eq!(joined, [true]);
}

/// R-OP-20, R-CTRL-18: a trap below is told to everyone.
#[test]
fn a_trap_below_another_switch_is_told_to_everyone() {
    for homes in [&[0, 3, 3][..], &[0, 7, 7]] {
        let errors = Tree::new().run(
            homes,
            || vec![largest()],
            |comm| {
                let comm = comm.unwrap();
                let largest = comm.operation("largest").unwrap().expect("it was brought along");
                // Only ranks 1 and 2 have what traps: it is where these meet.
                let mut tensor = vec![if comm.rank() == 0 { 1 } else { -1 }; 1000];
                comm.all_reduce(&mut tensor, largest).unwrap_err().to_string()
            },
        );
        for error in errors {
            for part in ["\"largest\"", "unreachable", "all_reduce(largest, 4000 bytes)"] {
                assert!(error.contains(part), "{error}");
            }
        }
    }
}
