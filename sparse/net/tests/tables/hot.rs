//! Hot rows at a real switch, and its loss.

use std::ops::ControlFlow;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use netfold_net::Arithmetic;
use netfold_sparse::TableSpec;
use netfold_sparse_net::{Member, Server, SparseTable, SwitchOptions, TableOptions};

use crate::support::{TIMEOUT, on, options, pull, server, server_options, spec};

pub const ROWS: u32 = 2000;
pub const HOT: u32 = 300;
pub const WIDTH: u16 = 2;

/// Every seventh key, the last one first.
fn hot_keys() -> Vec<u32> {
    (0..HOT).map(|rank| (HOT - 1 - rank) * 6 + 1).collect()
}

/// A step's keys of a worker: half of all, hot ones and cold ones.
fn keys(rank: u16, step: u32) -> Vec<u32> {
    (0..ROWS).filter(|key| (key + step + u32::from(rank)).is_multiple_of(2)).collect()
}

/// Whole numbers, whose sums are exact in every order.
fn gradients(keys: &[u32], rank: u16, step: u32) -> Vec<f32> {
    let lane = |key: &u32, lane: u32| {
        ((key * 13 + lane * 5 + u32::from(rank) * 7 + step * 3) % 11) as f32 - 5.0
    };
    keys.iter().flat_map(|key| [lane(key, 0), lane(key, 1)]).collect()
}

/// The rows after so many steps of all workers.
pub fn expected(workers: u16, steps: u32) -> Vec<f32> {
    let mut rows = vec![0.0; (ROWS * u32::from(WIDTH)) as usize];
    for (rank, step) in (0..workers).flat_map(|rank| (0..steps).map(move |step| (rank, step))) {
        let keys = keys(rank, step);
        for (key, row) in keys.iter().zip(gradients(&keys, rank, step).chunks_exact(2)) {
            rows[*key as usize * 2] -= row[0];
            rows[*key as usize * 2 + 1] -= row[1];
        }
    }
    rows
}

pub fn switch() -> netfold_net::Switch {
    let options = netfold_net::SwitchOptions::default();
    netfold_net::Switch::start(&options).unwrap()
}

pub fn at(switch: &netfold_net::Switch, arithmetic: Arithmetic) -> SwitchOptions {
    SwitchOptions {
        address: switch.address().to_string(),
        arithmetic,
        scale: 8,
        registers: None,
        transport: None,
    }
}

pub fn member(options: TableOptions, switch: &SwitchOptions) -> Member {
    let hot_keys = hot_keys();
    let options = TableOptions { hot_keys, ..options };
    Member::open(options, Some(switch), server_options(None), &mut on).unwrap()
}

pub fn push(table: &SparseTable, rank: u16, step: u32) {
    let keys = keys(rank, step);
    table.push(&keys, &gradients(&keys, rank, step), &mut on).unwrap();
}

pub fn all() -> Vec<u32> {
    (0..ROWS).collect()
}

/// R-KEY-3 to 9, R-SERVE-1: sums of hot rows come to their servers through the switch.
#[test]
fn hot_rows_are_added_at_the_switch_and_come_to_their_servers() {
    for (arithmetic, count) in [(Arithmetic::Native, 1), (Arithmetic::Block, 3)] {
        let switch = switch();
        let servers: Vec<Server> = (0..count).map(|_| server()).collect();
        let servers: Vec<&Server> = servers.iter().collect();
        let barrier = Barrier::new(2);
        thread::scope(|scope| {
            for rank in 0..2 {
                let (at, options) =
                    (at(&switch, arithmetic), options(spec(ROWS.into(), WIDTH), rank, 2, &servers));
                let barrier = &barrier;
                scope.spawn(move || {
                    let member = member(options, &at);
                    for step in 0..20 {
                        push(member.table(), rank, step);
                    }
                    member.table().flush(&mut on).unwrap();
                    barrier.wait();
                    assert_eq!(pull(member.table(), &all(), None), expected(2, 20));
                    let stats = member.table().stats().unwrap();
                    assert!(stats.at_switch && stats.switch_bytes > 0, "{stats:?}");
                    assert_eq!(stats.hot_updates, u64::from(HOT) * 10, "half of them a step");
                    assert_eq!(stats.saved_bytes, stats.hot_updates * 12);
                    member.close(&mut on).unwrap();
                });
            }
        });
    }
}

/// R-SERVE-5, with rank 0 as the server.
#[test]
fn synchronous_workers_pull_the_rows_of_a_single_process() {
    let switch = switch();
    thread::scope(|scope| {
        for rank in 0..2 {
            let at = at(&switch, Arithmetic::Native);
            let spec = TableSpec { staleness: Some(0), ..spec(ROWS.into(), WIDTH) };
            scope.spawn(move || {
                let member = member(options(spec, rank, 2, &[]), &at);
                assert_eq!(member.serves_at().is_some(), rank == 0);
                for step in 0..15 {
                    let rows = pull(member.table(), &all(), Some(step));
                    assert_eq!(rows, expected(2, step), "rank {rank}, step {step}");
                    push(member.table(), rank, step);
                    member.table().end_step(step, &mut on).unwrap();
                }
                member.close(&mut on).unwrap();
            });
        }
    });
}

/// R-KEY-10: the switch is lost in the middle, and nothing is lost or counted twice.
#[test]
fn a_lost_switch_costs_nothing_that_was_pushed() {
    const STEPS: u32 = 30;
    let switch = switch();
    let servers = [server(), server()];
    let servers = [&servers[0], &servers[1]];
    let (barrier, stopped) = (Barrier::new(3), std::sync::Mutex::new(Some(switch)));
    thread::scope(|scope| {
        for rank in 0..2 {
            let at = at(stopped.lock().unwrap().as_ref().unwrap(), Arithmetic::Native);
            let options = options(spec(ROWS.into(), WIDTH), rank, 2, &servers);
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
                assert_eq!(pull(member.table(), &all(), None), expected(2, STEPS), "rank {rank}");
                let stats = member.table().stats().unwrap();
                assert!(!stats.at_switch, "{stats:?}");
                barrier.wait();
            });
        }
        barrier.wait();
        drop(stopped.lock().unwrap().take());
        barrier.wait();
        barrier.wait();
    });
}

/// R-SERVE-6: a worker does not keep more and more while no generation grows old.
#[test]
fn a_worker_that_keeps_much_has_the_servers_store_it() {
    let (switch, server) = (switch(), server());
    let wide = TableSpec { max_age_ms: 600_000, ..spec(ROWS.into(), 256) };
    let member = member(options(wide, 0, 1, &[&server]), &at(&switch, Arithmetic::Native));
    let table = member.table();
    let (keys, rows) = (hot_keys(), vec![-1.0_f32; HOT as usize * 256]);
    // 308,400 bytes each: 64 MiB with the 218th.
    for _ in 0..230 {
        table.push(&keys, &rows, &mut on).unwrap();
    }
    assert_eq!(table.stats().unwrap().hot_updates, 230 * u64::from(HOT));
    let stored = pull(table, &keys[..1], None);
    assert!(stored[0] >= 218.0 && stored[0] < 230.0, "{}", stored[0]);
    table.flush(&mut on).unwrap();
    assert_eq!(pull(table, &keys[..1], None)[0], 230.0);
    member.close(&mut on).unwrap();
}

/// R-KEY-12: resident rows are pulled from the switch.
#[test]
fn resident_rows_come_from_the_switch() {
    let switch = switch();
    let server = server();
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for rank in 0..2 {
            let at = at(&switch, Arithmetic::Native);
            let spec = TableSpec { resident: true, ..spec(ROWS.into(), WIDTH) };
            let (options, barrier) = (options(spec, rank, 2, &[&server]), &barrier);
            scope.spawn(move || {
                let member = member(options, &at);
                let table = member.table();
                for step in 0..10 {
                    push(table, rank, step);
                }
                table.flush(&mut on).unwrap();
                barrier.wait();
                assert_eq!(pull(table, &all(), None), expected(2, 10));
                let stats = table.stats().unwrap();
                assert_eq!(stats.hot_pulled, u64::from(HOT), "{stats:?}");
                barrier.wait();
                if rank == 0 {
                    // A hot key and a cold one.
                    table.set(&[1, 2], &[5.0_f32, -6.0, 7.0, 8.0], &mut on).unwrap();
                    assert_eq!(pull(table, &[2, 1], None), [7.0, 8.0, 5.0, -6.0]);
                }
                barrier.wait();
                member.close(&mut on).unwrap();
            });
        }
    });
}

/// Ctrl-C ends a wait for workers that do not come.
#[test]
fn joining_can_be_interrupted() {
    let switch = switch();
    let options = TableOptions { timeout: TIMEOUT, ..options(spec(10, 1), 0, 2, &[]) };
    let at = at(&switch, Arithmetic::Native);
    let mut interrupt = || ControlFlow::Break(());
    let opened = Member::open(options, Some(&at), server_options(None), &mut interrupt);
    assert!(matches!(opened.err(), Some(netfold_sparse_net::Error::Interrupted)));
}
