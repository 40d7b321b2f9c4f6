//! Hot rows in a tree of real switches (R-KEY-17 to R-KEY-19), and the loss of one of them.

use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use netfold_net::{Arithmetic, Query, Report, Switch, SwitchOptions, query};
use netfold_sparse::TableSpec;
use netfold_sparse_net::{Server, TableOptions};

use crate::hot::{HOT, ROWS, WIDTH, all, at, expected, member, push, switch};
use crate::support::{TIMEOUT, on, options, pull, server, spec};

const WORKERS: u16 = 4;

/// Of each worker the switch: 0 is the root.
const HOMES: [usize; WORKERS as usize] = [1, 2, 0, 1];

/// A root, a switch below it, and one below that.
struct Tree(Vec<Switch>);

impl Tree {
    fn start() -> Self {
        let below = |parent: &Switch| {
            let parent = Some(parent.address().to_string());
            Switch::start(&SwitchOptions { parent, ..SwitchOptions::default() }).unwrap()
        };
        let root = switch();
        let middle = below(&root);
        let lowest = below(&middle);
        Self(vec![root, middle, lowest])
    }

    fn of(&self, rank: u16) -> &Switch {
        &self.0[HOMES[usize::from(rank)]]
    }
}

/// A counter of a switch; without a name the memory that is in use.
fn total(switch: &Switch, name: Option<&str>) -> u64 {
    let report = query(&switch.address().to_string(), Query::Stats, TIMEOUT).unwrap();
    let Report::Stats(stats) = report else { panic!("another report") };
    let shards = stats.shards.iter();
    shards.map(|shard| name.map_or(shard.memory_used, |name| shard.counters[name])).sum()
}

fn counter(switch: &Switch, name: &str) -> u64 {
    total(switch, Some(name))
}

/// R-KEY-17: what workers push anywhere comes to the servers through the root.
#[test]
fn hot_rows_are_added_on_their_way_to_the_root() {
    const STEPS: u32 = 20;
    for (arithmetic, count) in [(Arithmetic::Native, 1), (Arithmetic::Block, 3)] {
        let tree = Tree::start();
        let servers: Vec<Server> = (0..count).map(|_| server()).collect();
        let servers: Vec<&Server> = servers.iter().collect();
        let barrier = Barrier::new(WORKERS.into());
        thread::scope(|scope| {
            for rank in 0..WORKERS {
                let at = at(tree.of(rank), arithmetic);
                let table = TableSpec { max_age_ms: 100, ..spec(ROWS.into(), WIDTH) };
                let options = options(table, rank, WORKERS, &servers);
                let barrier = &barrier;
                scope.spawn(move || {
                    let member = member(options, &at);
                    for step in 0..STEPS {
                        push(member.table(), rank, step);
                    }
                    member.table().flush(&mut on).unwrap();
                    barrier.wait();
                    assert_eq!(pull(member.table(), &all(), None), expected(WORKERS, STEPS));
                    member.close(&mut on).unwrap();
                });
            }
        });
        let pushed: Vec<u64> = tree.0.iter().map(|at| counter(at, "pairs_pushed")).collect();
        let each = u64::from(HOT / 2 * STEPS);
        assert_eq!(pushed, [each, 2 * each, each], "{arithmetic}: half of the hot keys a step");
        let [gathered, closed] =
            ["pairs_gathered", "generations_closed"].map(|name| counter(&tree.0[0], name));
        assert!(gathered <= closed * u64::from(HOT), "a pair for each row of a generation");
        assert!(gathered < 3 * each, "{arithmetic}: {gathered} pairs of {} are folded", 3 * each);
        // R-KEY-19: tables go with their job.
        let start = Instant::now();
        while tree.0.iter().any(|switch| total(switch, None) > 0) {
            assert!(start.elapsed() < TIMEOUT, "a table stays behind");
        }
    }
}

/// R-SERVE-5
#[test]
fn synchronous_workers_of_a_tree_pull_the_rows_of_a_single_process() {
    let tree = Tree::start();
    thread::scope(|scope| {
        for rank in 0..WORKERS {
            let at = at(tree.of(rank), Arithmetic::Native);
            let spec = TableSpec { staleness: Some(0), ..spec(ROWS.into(), WIDTH) };
            scope.spawn(move || {
                let member = member(options(spec, rank, WORKERS, &[]), &at);
                for step in 0..10 {
                    let rows = pull(member.table(), &all(), Some(step));
                    assert_eq!(rows, expected(WORKERS, step), "rank {rank}, step {step}");
                    push(member.table(), rank, step);
                    member.table().end_step(step, &mut on).unwrap();
                }
                member.close(&mut on).unwrap();
            });
        }
    });
}

/// R-KEY-12, R-KEY-17: workers pull values from the root, which has what was flushed, and with
/// bounded staleness what R-SERVE-5 asks for.
#[test]
fn resident_rows_come_from_the_root() {
    for staleness in [None, Some(1)] {
        let (tree, server) = (Tree::start(), server());
        let barrier = Barrier::new(WORKERS.into());
        thread::scope(|scope| {
            for rank in 0..WORKERS {
                let at = at(tree.of(rank), Arithmetic::Native);
                let spec = TableSpec { resident: true, staleness, ..spec(ROWS.into(), WIDTH) };
                let (options, barrier) = (options(spec, rank, WORKERS, &[&server]), &barrier);
                scope.spawn(move || {
                    let member = member(options, &at);
                    let table = member.table();
                    for step in 0..10 {
                        push(table, rank, step);
                        if staleness.is_some() {
                            table.end_step(step, &mut on).unwrap();
                        }
                    }
                    // With a staleness of 1, step 11 waits for the end of step 9 everywhere.
                    let step = staleness.map(|_| 11);
                    if staleness.is_none() {
                        table.flush(&mut on).unwrap();
                        barrier.wait();
                    }
                    assert_eq!(pull(table, &all(), step), expected(WORKERS, 10), "rank {rank}");
                    let stats = table.stats().unwrap();
                    assert_eq!(stats.hot_pulled, u64::from(HOT), "{stats:?}");
                    barrier.wait();
                    member.close(&mut on).unwrap();
                });
            }
        });
        assert_eq!(counter(&tree.0[1], "pairs_pulled"), 0);
    }
}

/// R-KEY-16, R-KEY-19: a switch of the tree that is to stop hands its sums over before. Nobody
/// else has generations closed.
#[test]
fn a_switch_of_a_tree_that_is_to_stop_hands_its_sums_over_before() {
    for going in 0..3 {
        let (mut tree, servers) = (Tree::start(), [server(), server()]);
        let servers = [&servers[0], &servers[1]];
        let barrier = Barrier::new(usize::from(WORKERS) + 1);
        thread::scope(|scope| {
            for rank in 0..WORKERS {
                let at = at(tree.of(rank), Arithmetic::Native);
                let table = TableSpec { max_age_ms: 600_000, ..spec(ROWS.into(), WIDTH) };
                let options = options(table, rank, WORKERS, &servers);
                let barrier = &barrier;
                scope.spawn(move || {
                    let member = member(options, &at);
                    (0..5).for_each(|step| push(member.table(), rank, step));
                    barrier.wait();
                    barrier.wait();
                    (5..10).for_each(|step| push(member.table(), rank, step));
                    member.table().flush(&mut on).unwrap();
                    barrier.wait();
                    let rows = pull(member.table(), &all(), None);
                    assert_eq!(rows, expected(WORKERS, 10), "rank {rank}");
                    barrier.wait();
                });
            }
            barrier.wait();
            let start = Instant::now();
            let drained = tree.0[going].drain(|| start.elapsed() > TIMEOUT);
            assert!(drained, "the servers have what was pushed to switch {going}");
            drop(tree.0.remove(going));
            barrier.wait();
            barrier.wait();
            barrier.wait();
        });
    }
}

/// R-KEY-10, R-KEY-19: a switch of the tree is lost in the middle, and nothing is lost or counted
/// twice.
#[test]
fn a_lost_switch_of_a_tree_costs_nothing_that_was_pushed() {
    const STEPS: u32 = 30;
    for lost in 0..3 {
        let servers = [server(), server()];
        let servers = [&servers[0], &servers[1]];
        let (barrier, tree) = (Barrier::new(usize::from(WORKERS) + 1), Mutex::new(Tree::start()));
        thread::scope(|scope| {
            for rank in 0..WORKERS {
                let at = at(tree.lock().unwrap().of(rank), Arithmetic::Native);
                let options = options(spec(ROWS.into(), WIDTH), rank, WORKERS, &servers);
                let barrier = &barrier;
                scope.spawn(move || {
                    let timeout = Duration::from_secs(60);
                    let member = member(TableOptions { timeout, ..options }, &at);
                    for step in 0..STEPS {
                        if step == STEPS / 2 {
                            barrier.wait();
                        }
                        push(member.table(), rank, step);
                    }
                    member.table().flush(&mut on).unwrap();
                    barrier.wait();
                    let rows = pull(member.table(), &all(), None);
                    assert_eq!(rows, expected(WORKERS, STEPS), "rank {rank}");
                    let stats = member.table().stats().unwrap();
                    assert!(!stats.at_switch, "{stats:?}");
                    barrier.wait();
                });
            }
            barrier.wait();
            drop(tree.lock().unwrap().0.remove(lost));
            barrier.wait();
            barrier.wait();
        });
    }
}
