//! Tables that go from one plane to the next (R-KEY-13 to R-KEY-15): every gradient is in the rows
//! once. Gradients are whole numbers, whose sums are exact in every order.

use std::collections::BTreeMap;
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Instant;

use netfold_net::{Arithmetic, Switch};
use netfold_sparse::TableSpec;
use netfold_sparse_net::{Member, Server, SparseTable, SwitchOptions, TableOptions};

use crate::support::{TIMEOUT, on, options, pull, server, server_options, spec};

const ROWS: u32 = 300;

fn switch() -> Switch {
    Switch::start(&netfold_net::SwitchOptions::default()).unwrap()
}

fn at(switches: &[&Switch]) -> SwitchOptions {
    let address: Vec<String> = switches.iter().map(|one| one.address().to_string()).collect();
    let (address, arithmetic) = (address.join(","), Arithmetic::Native);
    SwitchOptions { address, arithmetic, scale: 0, registers: None, transport: None }
}

fn member(options: TableOptions, at: &SwitchOptions) -> Member {
    Member::open(options, Some(at), server_options(None), &mut on).unwrap()
}

/// The distinct keys of a worker's push, and a number for each.
fn gradients(rank: u16, push: u32) -> (Vec<u32>, Vec<f32>) {
    let own = |key: &u32| (key * 7 + push + u32::from(rank) * 3).is_multiple_of(5);
    let keys: Vec<u32> = (0..ROWS).filter(own).collect();
    let number = |key: &u32| ((key * 13 + push * 5 + u32::from(rank)) % 17) as f32 - 8.0;
    let rows = keys.iter().map(number).collect();
    (keys, rows)
}

/// All rows after so many pushes of each worker.
fn expected(workers: u16, pushes: u32) -> Vec<f32> {
    let mut sums = BTreeMap::new();
    for (rank, push) in (0..workers).flat_map(|rank| (0..pushes).map(move |push| (rank, push))) {
        let (keys, rows) = gradients(rank, push);
        for (key, row) in keys.into_iter().zip(rows) {
            *sums.entry(key).or_insert(0.0) -= row;
        }
    }
    (0..ROWS).map(|key| sums.get(&key).copied().unwrap_or_default()).collect()
}

fn push(table: &SparseTable, rank: u16, push: u32) {
    let (keys, rows) = gradients(rank, push);
    table.push(&keys, &rows, &mut on).unwrap();
}

fn all() -> Vec<u32> {
    (0..ROWS).collect()
}

/// Hot keys, the hottest first: other ones each time, some of which were hot before.
fn hot_keys(time: u32) -> Vec<u32> {
    (0..40).map(|at| (at * 11 + time * 55) % ROWS).collect()
}

/// Waits until the hot rows are at a switch.
fn wait_for_switch(table: &SparseTable) {
    let start = Instant::now();
    while !table.stats().unwrap().at_switch {
        assert!(start.elapsed() < TIMEOUT, "{:?}", table.take_warnings());
        thread::yield_now();
    }
}

/// Pushes until the table is at its next switch. Returns the number of the next push.
fn push_until_next(table: &SparseTable, rank: u16, from: u32) -> u32 {
    let (start, mut made) = (Instant::now(), from);
    // Some of them while the switch goes, some while there is none, and some at the next.
    while table.take_warnings().iter().all(|told| !told.contains("are at the switch")) {
        assert!(start.elapsed() < TIMEOUT, "it is at no other switch");
        push(table, rank, made);
        made += 1;
    }
    made
}

/// The end of a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It stops at once.
    Sudden,
    /// It is drained before (R-KEY-16).
    Planned,
}

fn standby(resident: bool, count: usize, end: End) {
    const PUSHES: u32 = 40;
    let (first, second) = (switch(), switch());
    let at = at(&[&first, &second]);
    let servers: Vec<Server> = (0..count).map(|_| server()).collect();
    let servers: Vec<&Server> = servers.iter().collect();
    let (barrier, made) = (Barrier::new(3), Mutex::new([0; 2]));
    thread::scope(|scope| {
        for rank in 0..2 {
            // Generations stay open for long, so that most of what is pushed is not stored when the
            // switch goes.
            let table = TableSpec { resident, max_age_ms: 600_000, ..spec(ROWS.into(), 1) };
            let options =
                TableOptions { hot_keys: hot_keys(0), ..options(table, rank, 2, &servers) };
            let (at, barrier, made) = (&at, &barrier, &made);
            scope.spawn(move || {
                let member = member(options, at);
                let table = member.table();
                (0..PUSHES).for_each(|at| push(table, rank, at));
                barrier.wait();
                let last = push_until_next(table, rank, PUSHES);
                let before = table.stats().unwrap();
                (last..last + PUSHES).for_each(|at| push(table, rank, at));
                table.flush(&mut on).unwrap();
                let after = table.stats().unwrap();
                let hot = (last..last + PUSHES).flat_map(|at| gradients(rank, at).0);
                let hot = hot.filter(|key| hot_keys(0).contains(key)).count();
                assert!(after.at_switch, "{:?}", table.take_warnings());
                assert_eq!(after.hot_updates - before.hot_updates, hot as u64);
                made.lock().unwrap()[usize::from(rank)] = last + PUSHES;
                barrier.wait();
                let made = *made.lock().unwrap();
                let most = made[0].max(made[1]);
                // As many for each.
                (made[usize::from(rank)]..most).for_each(|at| push(table, rank, at));
                table.flush(&mut on).unwrap();
                barrier.wait();
                assert_eq!(pull(table, &all(), None), expected(2, most), "rank {rank}");
                assert_eq!(table.take_warnings(), [""; 0], "it is told of once");
                member.close(&mut on).unwrap();
            });
        }
        barrier.wait();
        let start = Instant::now();
        if end == End::Planned {
            let drained = first.drain(|| start.elapsed() > TIMEOUT);
            assert!(drained, "workers push on, or a generation stays open");
            println!("drained after {:?}", start.elapsed());
        }
        drop(first);
        barrier.wait();
        println!("at the standby, with all stored, after {:?}", start.elapsed());
        barrier.wait();
    });
}

/// R-KEY-16
#[test]
fn a_switch_that_is_to_stop_hands_its_sums_over_before() {
    for count in 1..=3 {
        standby(false, count, End::Planned);
        standby(true, count, End::Planned);
    }
}

/// R-KEY-14
#[test]
fn the_table_goes_on_at_a_standby_when_its_switch_is_lost() {
    for count in 1..=3 {
        standby(false, count, End::Sudden);
    }
}

/// R-KEY-12, R-KEY-14
#[test]
fn resident_rows_go_on_at_a_standby_when_their_switch_is_lost() {
    standby(true, 1, End::Sudden);
    standby(true, 3, End::Sudden);
}

/// R-KEY-14: switches are lost one after the other, until servers alone carry on.
#[test]
fn one_switch_after_the_other_is_lost() {
    let switches = [switch(), switch(), switch()];
    let at = at(&[&switches[0], &switches[1], &switches[2]]);
    let server = server();
    let (barrier, at) = (Barrier::new(3), &at);
    thread::scope(|scope| {
        for rank in 0..2 {
            let options = options(spec(ROWS.into(), 1), rank, 2, &[&server]);
            let (options, barrier) = (TableOptions { hot_keys: hot_keys(0), ..options }, &barrier);
            scope.spawn(move || {
                let member = member(options, at);
                let table = member.table();
                for turn in 0..4 {
                    (turn * 20..turn * 20 + 20).for_each(|at| push(table, rank, at));
                    barrier.wait();
                    // The switch is stopped.
                    barrier.wait();
                    if turn < 2 {
                        // It has noticed, and is at the next.
                        while table
                            .take_warnings()
                            .iter()
                            .all(|told| !told.contains("at the switch"))
                        {
                            table.flush(&mut on).unwrap();
                        }
                        wait_for_switch(table);
                    }
                }
                table.flush(&mut on).unwrap();
                barrier.wait();
                assert_eq!(pull(table, &all(), None), expected(2, 80), "rank {rank}");
                assert!(!table.stats().unwrap().at_switch);
                barrier.wait();
            });
        }
        let mut switches = switches.into_iter();
        for _ in 0..4 {
            barrier.wait();
            drop(switches.next());
            barrier.wait();
        }
        barrier.wait();
        barrier.wait();
    });
}

/// Sets other hot keys again and again, while two threads of each worker push.
fn other_hot_keys(spec: TableSpec, count: usize) {
    const TIMES: u32 = 6;
    let resident = spec.resident;
    let synchronous = spec.staleness == Some(0);
    let switch = switch();
    let at = at(&[&switch]);
    let servers: Vec<Server> = (0..count).map(|_| server()).collect();
    let servers: Vec<&Server> = servers.iter().collect();
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for rank in 0..2 {
            let options = options(spec.clone(), rank, 2, &servers);
            let options = TableOptions { hot_keys: hot_keys(0), ..options };
            let (at, barrier) = (&at, &barrier);
            scope.spawn(move || {
                let member = member(options, at);
                let table = member.table();
                thread::scope(|scope| {
                    // In synchronous steps nobody pushes between two.
                    let beside = (!synchronous)
                        .then(|| scope.spawn(|| (100..400).for_each(|at| push(table, rank, at))));
                    for time in 0..TIMES {
                        (time * 10..time * 10 + 10).for_each(|at| push(table, rank, at));
                        if synchronous {
                            table.end_step(time, &mut on).unwrap();
                        }
                        // In between none is hot.
                        let keys = if time == 3 { vec![] } else { hot_keys(time + 1) };
                        member.set_hot(&keys, &mut on).unwrap();
                        // The other worker may be a step ahead, and have ended this plane, too.
                        assert!(!(keys.is_empty() && table.stats().unwrap().at_switch));
                    }
                    if let Some(beside) = beside {
                        beside.join().unwrap();
                        return;
                    }
                    let rows = pull(table, &all(), Some(TIMES));
                    assert_eq!(rows, expected(2, TIMES * 10), "rank {rank}");
                });
                let before = table.stats().unwrap();
                (60..100).for_each(|at| push(table, rank, at));
                let after = table.stats().unwrap();
                let hot = (60..100).flat_map(|at| gradients(rank, at).0);
                let hot = hot.filter(|key| hot_keys(TIMES).contains(key)).count();
                assert_eq!(after.hot_updates - before.hot_updates, hot as u64);
                if synchronous {
                    table.end_step(TIMES, &mut on).unwrap();
                }
                table.flush(&mut on).unwrap();
                barrier.wait();
                let all_pushes = if synchronous { 100 } else { 400 };
                let step = synchronous.then_some(TIMES + 1);
                let before = table.stats().unwrap().hot_pulled;
                assert_eq!(pull(table, &all(), step), expected(2, all_pushes), "rank {rank}");
                // All are loaded: the generation that was flushed was read after that.
                let pulled = table.stats().unwrap().hot_pulled - before;
                assert_eq!(pulled, if resident { hot_keys(TIMES).len() as u64 } else { 0 });
                assert_eq!(table.take_warnings(), [""; 0]);
                barrier.wait();
                member.close(&mut on).unwrap();
            });
        }
    });
}

/// R-KEY-15
#[test]
fn other_keys_are_hot_from_one_call_on() {
    for count in 1..=3 {
        other_hot_keys(spec(ROWS.into(), 1), count);
    }
}

/// R-KEY-12, R-KEY-15
#[test]
fn other_resident_keys_are_hot_from_one_call_on() {
    for count in 1..=3 {
        other_hot_keys(TableSpec { resident: true, ..spec(ROWS.into(), 1) }, count);
    }
}

/// R-SERVE-5, R-KEY-15
#[test]
fn other_keys_are_hot_from_one_synchronous_step_on() {
    for count in 1..=3 {
        other_hot_keys(TableSpec { staleness: Some(0), ..spec(ROWS.into(), 1) }, count);
    }
}
