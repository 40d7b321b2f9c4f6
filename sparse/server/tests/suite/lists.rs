//! Lists of servers (R-SERVE-18 to 23), one message at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use netfold_sparse::optimizer::{Adam, Optimizer};
use netfold_sparse::{
    Change, Hello, Initialiser, Layout, Limits, MemoryStore, Output, Plane, Pushed, Reply, Request,
    Server, Taken, server_of,
};

use crate::cluster::{ROWS, floats};
use crate::driver::{Driver, answered, assert_names, change, end_step, why};

/// A worker of a table with steps that has no switch.
fn hello(rank: u16, workers: u16, servers: u16) -> Hello {
    let mut hello = crate::cluster::hello(rank, workers, servers);
    (hello.switch, hello.hot_keys) = (None, Vec::new());
    hello.table.staleness = Some(0);
    hello
}

/// The same worker on its way from one server to others.
fn coming(hello: &Hello, server: u16, servers: u16) -> Hello {
    Hello { server, servers, list: 1, former: vec!["one".into()], ..hello.clone() }
}

fn push(keys: &[u32], number: f32) -> Change {
    Change::Push { keys: keys.to_vec(), rows: vec![number; keys.len()].into() }
}

fn goes(to: &str) -> Change {
    Change::Move { to: vec![to.into()] }
}

fn take(id: u32) -> Request {
    Request::Take { id, page: 0, stride: 1 }
}

fn taken(replies: Vec<(u64, Reply)>) -> Vec<Taken> {
    let taken = |(_, reply)| match reply {
        Reply::Taken { taken, .. } => Some(taken),
        _ => None,
    };
    replies.into_iter().filter_map(taken).collect()
}

/// Two ranks at one server, which have ended a step with gradients.
fn stepped() -> Driver {
    let mut driver = Driver::new();
    for rank in 0..2 {
        driver.welcome(rank, &hello(rank as u16, 2, 1));
        change(&mut driver, rank, 1, push(&[1, 2], 3.0));
    }
    for rank in 0..2 {
        change(&mut driver, rank, 2, end_step(0));
    }
    driver
}

#[test]
fn rows_are_told_when_every_rank_has_moved_and_that_is_stored() {
    let mut driver = stepped();
    change(&mut driver, 0, 3, goes("two"));
    assert_eq!(taken(driver.send(0, take(1))), []);
    // The store takes its time.
    let request = Request::Change { number: 3, change: goes("two") };
    driver.server.request(0, 1, request).expect("goes on");
    let mut batches = Vec::new();
    while let Some(output) = driver.server.output() {
        match output {
            Output::Commit { batch, .. } => batches.push(batch),
            Output::Reply { reply: Reply::Taken { .. }, .. } => panic!("it is not stored"),
            _ => {}
        }
    }
    assert_eq!(batches.len(), 1);
    driver.server.stored(0, batches[0]).expect("goes on");
    let came = taken(driver.replies());
    assert_eq!((came.len(), came[0].steps, came[0].next), (1, 1, None));
    let lanes: BTreeMap<u32, f32> =
        came[0].keys.iter().copied().zip(floats(&came[0].lanes)).collect();
    assert_eq!((lanes[&1], lanes[&2], lanes[&3]), (6.0, 6.0, 0.0));
}

/// The numbers of a table that stays where it is, to the last bit: bias corrections count steps,
/// and moments come along.
#[test]
fn synchronous_adam_goes_on_at_other_servers() {
    let adam = |hello: Hello| {
        let optimizer = Optimizer::Adam(Adam { lr: 0.1, ..Adam::default() });
        let initialiser = Initialiser::Uniform { low: -1.0, high: 1.0 };
        let table = netfold_sparse::TableSpec { optimizer, initialiser, ..hello.table };
        Hello { table, ..hello }
    };
    let own = adam(hello(0, 1, 1));
    let keys: Vec<u32> = (0..ROWS).filter(|key| key % 3 != 0).collect();
    let mut alone = Driver::new();
    alone.welcome(1, &own);
    let mut number = 0;
    let step = |driver: &mut Driver, number: &mut u64, step: u32, keys: &[u32]| {
        let gradient = step as f32 - 1.5;
        change(driver, 1, *number + 1, push(keys, gradient));
        change(driver, 1, *number + 2, end_step(step));
        *number += 2;
    };
    (0..4).for_each(|at| step(&mut alone, &mut number, at, &keys));

    let mut former = Driver::new();
    former.welcome(1, &own);
    let mut number = 0;
    (0..2).for_each(|at| step(&mut former, &mut number, at, &keys));
    change(&mut former, 1, number + 1, goes("two"));
    let came = taken(former.send(1, take(7))).remove(0);
    let layout = Layout::new(ROWS.into());
    for server in 0..2 {
        let mine = |key: &u32| server_of(layout.part(*key), 2) == server;
        let stride = came.lanes.len() / came.keys.len();
        let came_lanes = floats(&came.lanes);
        let rows = came.keys.iter().zip(came_lanes.chunks(stride));
        let (put, lanes): (Vec<u32>, Vec<&[f32]>) = rows.filter(|(key, _)| mine(key)).unzip();
        let mut next = Driver::new();
        next.welcome(1, &coming(&own, server, 2));
        change(&mut next, 1, 1, Change::Put { keys: put, lanes: lanes.concat().into() });
        let arrived = Change::Arrived { ended: Some(1), steps: came.steps };
        let told = change(&mut next, 1, 2, arrived);
        assert!(told.contains(&(1, Reply::Stepped { step: 1 })), "{told:?}");
        // It comes again from the disk.
        let mut next = Driver::over(next.store);
        next.welcome(1, &coming(&own, server, 2));
        let mut number = 2;
        let own_keys: Vec<u32> = keys.iter().copied().filter(mine).collect();
        (2..4).for_each(|at| step(&mut next, &mut number, at, &own_keys));
        let all: Vec<u32> = (0..ROWS).filter(mine).collect();
        let pull = |id| Request::Pull { id, step: Some(4), keys: all.clone() };
        let rows = |replies: Vec<(u64, Reply)>| match replies.into_iter().next() {
            Some((_, Reply::Rows { rows, .. })) => rows,
            other => panic!("no rows: {other:?}"),
        };
        assert_eq!(rows(next.send(1, pull(1))), rows(alone.send(1, pull(1))));
    }
}

/// R-SERVE-19: what a server was told last counts, until it is whole; also if all else is the same.
#[test]
fn an_announcement_that_is_repeated_names_its_own_former_servers() {
    let (mut driver, own) = (Driver::new(), hello(0, 1, 1));
    let from = |former: &str| Hello { former: vec![former.into()], ..coming(&own, 0, 1) };
    let former = |driver: &Driver| driver.server.located().expect("a table").former;
    driver.welcome(1, &from("one"));
    driver.welcome(2, &from("another"));
    assert_eq!(former(&driver), ["another"]);
    // From the disk, too.
    let mut driver = Driver::over(driver.store);
    assert_eq!(former(&driver), ["another"]);
    driver.welcome(1, &from("another"));
    let arrived = Change::Arrived { ended: None, steps: 0 };
    change(&mut driver, 1, 1, arrived);
    driver.server.disconnected(1);
    driver.welcome(2, &from("third"));
    assert_eq!(former(&driver), ["another"], "it is whole");
}

#[test]
fn moves_that_cannot_be_are_refused_by_name() {
    let mut driver = stepped();
    change(&mut driver, 0, 3, push(&[1], 1.0));
    let refused = change(&mut driver, 0, 4, goes("two"));
    assert_names(why(&refused, 0), &["rank 0", "in the middle of a step"]);

    let mut driver = stepped();
    change(&mut driver, 0, 3, goes("two"));
    let refused = change(&mut driver, 1, 3, goes("three"));
    assert_names(why(&refused, 1), &["rank 1", "three", "rank 0", "two"]);
    let refused = change(&mut driver, 0, 4, push(&[1], 1.0));
    assert_names(why(&refused, 0), &["rank 0", "gone on", "two"]);

    let mut driver = stepped();
    change(&mut driver, 0, 3, goes("two"));
    change(&mut driver, 1, 3, end_step(1));
    let refused = change(&mut driver, 1, 4, goes("two"));
    assert_names(why(&refused, 1), &["rank 1", "step Some(1)", "rank 0", "Some(0)"]);

    let mut driver = stepped();
    change(&mut driver, 1, 3, Change::Leave);
    let refused = change(&mut driver, 0, 3, goes("two"));
    assert_names(why(&refused, 0), &["rank 1 has left"]);
    let mut driver = stepped();
    let refused = change(&mut driver, 0, 3, Change::Move { to: Vec::new() });
    assert_names(why(&refused, 0), &["names no server"]);
    let refused = driver.send(1, Request::Drop { id: 1 });
    assert_names(why(&refused, 1), &["in use"]);

    let mut driver = Driver::new();
    let hot = crate::cluster::hello(0, 1, 1);
    driver.welcome(1, &hot);
    let refused = change(&mut driver, 1, 1, goes("two"));
    assert_names(why(&refused, 1), &["has not replayed its plane"]);
}

/// R-SERVE-20: until every rank has moved, another process goes on at the list.
#[test]
fn another_session_takes_a_move_back() {
    let mut driver = stepped();
    change(&mut driver, 0, 3, goes("two"));
    driver.server.disconnected(0);
    driver.welcome(5, &Hello { session: 77, ..hello(0, 2, 1) });
    change(&mut driver, 5, 1, push(&[1], 1.0));
    change(&mut driver, 1, 3, goes("two"));
    assert_eq!(taken(driver.send(1, take(1))), []);
    change(&mut driver, 5, 2, end_step(0));
    assert_eq!(driver.server.located().expect("a table").next, [""; 0]);
}

/// R-SERVE-20, R-SERVE-21: what a process has said that is gone does not count before another one
/// of its rank could say otherwise.
#[test]
fn a_list_ends_when_all_ranks_are_there() {
    let mut driver = stepped();
    change(&mut driver, 1, 3, goes("two"));
    driver.server.disconnected(1);
    change(&mut driver, 0, 3, goes("two"));
    assert_eq!(taken(driver.send(0, take(1))), []);
    driver.welcome(5, &Hello { session: 77, ..hello(1, 2, 1) });
    change(&mut driver, 5, 1, end_step(0));
    assert_eq!(driver.server.located().expect("a table").next, [""; 0]);
    assert_eq!(taken(change(&mut driver, 5, 2, goes("two"))).len(), 1);

    let mut driver = Driver::new();
    let own = coming(&hello(0, 2, 1), 0, 1);
    driver.welcome(0, &own);
    driver.welcome(1, &Hello { rank: 1, session: 101, ..own.clone() });
    let arrived = Change::Arrived { ended: None, steps: 4 };
    change(&mut driver, 1, 1, arrived.clone());
    driver.server.disconnected(1);
    change(&mut driver, 0, 1, arrived);
    assert!(!driver.server.located().expect("a table").whole);
    let hello = Hello { rank: 1, session: 101, ..own };
    driver.server.request(0, 1, Request::Hello(Box::new(hello))).expect("goes on");
    assert!(!driver.server.located().expect("a table").whole, "it is not stored");
    driver.replies();
    assert!(driver.server.located().expect("a table").whole);
}

/// R-KEY-13: planes that the session before has opened are not its own.
#[test]
fn another_session_opens_a_plane_when_it_wants() {
    let mut driver = stepped();
    let hot = crate::cluster::hello(0, 2, 1);
    let plane = |epoch| {
        let mut switch = hot.switch.clone().expect("a switch");
        switch.epoch = epoch;
        let plane = Plane { switch, hot_keys: hot.hot_keys.clone() };
        Change::Open { plane: Box::new(plane) }
    };
    change(&mut driver, 0, 3, plane(1));
    let refused = change(&mut driver, 0, 4, plane(2));
    assert_names(why(&refused, 0), &["before it has replayed"]);
    driver.welcome(5, &Hello { session: 77, ..hello(0, 2, 1) });
    let told = change(&mut driver, 5, 1, plane(2));
    assert!(told.iter().all(|(_, reply)| !matches!(reply, Reply::Refused { .. })), "{told:?}");
}

/// Gradients of a step that a process before has ended belong to the next step of all.
#[test]
fn gradients_that_wait_for_a_step_are_not_left_behind() {
    let mut driver = stepped();
    change(&mut driver, 0, 3, push(&[1], 1.0));
    change(&mut driver, 0, 4, end_step(1));
    for rank in 0..2 {
        driver.server.disconnected(rank);
        driver.welcome(10 + rank, &Hello { session: 70 + rank, ..hello(rank as u16, 2, 1) });
        change(&mut driver, 10 + rank, 1, goes("two"));
    }
    assert_eq!(taken(driver.send(10, take(1))), []);
}

/// R-SERVE-20, R-SERVE-22: another run may take the rows, and nothing else, whatever its number of
/// workers.
#[test]
fn another_run_takes_the_rows_of_a_list_that_is_over() {
    let mut driver = stepped();
    for rank in 0..2 {
        change(&mut driver, rank, 3, goes("two"));
    }
    let located = driver.server.located().expect("a table");
    assert_eq!((located.list, located.whole, located.next), (0, true, vec!["two".to_owned()]));
    let mut driver = Driver::over(driver.store);
    assert_eq!(driver.server.located().expect("a table").next, ["two"]);
    let guest = Hello { session: 90, ..hello(8, 9, 1) };
    driver.welcome(5, &guest);
    assert_eq!(change(&mut driver, 5, 1, goes("two")), []);
    let came = taken(driver.send(5, take(1)));
    assert_eq!((came.len(), came[0].keys.len() as u32), (1, ROWS));
    assert_names(why(&change(&mut driver, 5, 2, push(&[1], 1.0)), 5), &["gone on", "two"]);
    driver.welcome(6, &guest);
    let flush = Request::Flush { id: 1, pushed: Pushed::default() };
    assert_names(why(&driver.send(6, flush), 6), &["gone on", "two"]);
    let mut other = guest.clone();
    other.table.rows -= 1;
    assert_names(why(&driver.greet(7, &other), 7), &["rows"]);
    // The session that has moved is welcome, and reads.
    driver.welcome(8, &hello(0, 2, 1));
    let pull = Request::Pull { id: 1, step: Some(1), keys: vec![1] };
    assert_eq!(answered(&driver.send(8, pull)), [(1, 6.0)]);
}

/// R-SERVE-23
#[test]
fn rows_that_are_dropped_leave_the_store_and_the_place_of_the_table() {
    let mut driver = stepped();
    driver.server.checkpoint();
    driver.replies();
    assert!(driver.store.sizes().0 > 0);
    for rank in 0..2 {
        change(&mut driver, rank, 3, goes("two"));
    }
    assert!(driver.send(0, Request::Drop { id: 4 }).contains(&(0, Reply::Flushed { id: 4 })));
    assert_eq!(driver.store.sizes(), (0, 0));
    assert_eq!(driver.server.bytes(), (0, 0));
    for mut driver in [Driver::over(Arc::clone(&driver.store)), driver] {
        assert_eq!(driver.server.located().expect("a table").next, ["two"]);
        driver.welcome(9, &hello(0, 2, 1));
        let pull = Request::Pull { id: 1, step: None, keys: vec![1] };
        assert_names(why(&driver.send(9, pull), 9), &["rows have gone", "two"]);
        driver.welcome(9, &hello(1, 2, 1));
        assert_names(why(&driver.send(9, take(1)), 9), &["rows have gone", "two"]);
    }
}

/// R-SERVE-19, R-SERVE-21
#[test]
fn a_list_is_not_used_before_it_is_whole() {
    let mut driver = Driver::new();
    let own = coming(&hello(0, 2, 1), 0, 1);
    driver.welcome(0, &own);
    assert!(!driver.server.located().expect("a table").whole);
    let refused = change(&mut driver, 0, 1, push(&[1], 1.0));
    assert_names(why(&refused, 0), &["still on their way"]);
    driver.welcome(0, &own);
    let pull = Request::Pull { id: 1, step: None, keys: vec![1] };
    assert_names(why(&driver.send(0, pull), 0), &["still on their way"]);
    let fresh = Hello { former: Vec::new(), session: 9, ..own.clone() };
    assert_names(why(&driver.greet(4, &fresh), 4), &["on its way", "one", "start with those"]);
    let nowhere = why(&Driver::new().greet(1, &fresh), 1).to_owned();
    assert_names(&nowhere, &["list 1", "not here", "folder"]);

    // A flush waits for the rows of all ranks.
    driver.welcome(0, &own);
    driver.welcome(1, &Hello { rank: 1, session: 101, ..own.clone() });
    let flush = Request::Flush { id: 3, pushed: Pushed::default() };
    let arrived = Change::Arrived { ended: None, steps: 4 };
    change(&mut driver, 0, 1, Change::Put { keys: vec![5], lanes: vec![2.0_f32].into() });
    change(&mut driver, 0, 2, arrived.clone());
    assert_eq!(driver.send(0, flush), []);
    let told = change(&mut driver, 1, 1, arrived);
    assert!(told.contains(&(0, Reply::Flushed { id: 3 })), "{told:?}");
    // What comes late does no harm.
    change(&mut driver, 1, 2, Change::Put { keys: vec![5], lanes: vec![9.0_f32].into() });
    let pull = Request::Pull { id: 1, step: None, keys: vec![5] };
    assert_eq!(answered(&driver.send(0, pull)), [(1, 2.0)]);
}

/// R-SERVE-19
#[test]
fn the_last_announcement_counts_as_long_as_no_rows_have_come() {
    let mut driver = Driver::new();
    let one = hello(0, 2, 1);
    driver.welcome(0, &coming(&one, 0, 1));
    driver.welcome(1, &coming(&one, 1, 3));
    let terms = driver.server.terms().expect("terms");
    assert_eq!((terms.server, terms.servers), (1, 3));
    // Another rank has announced that.
    let other = Hello { rank: 1, session: 101, ..coming(&one, 0, 2) };
    assert_names(why(&driver.greet(2, &other), 2), &["rank 1", "rank 0", "server"]);
    let key = (0..ROWS)
        .find(|key| server_of(Layout::new(ROWS.into()).part(*key), 3) == 1)
        .expect("a key of the server");
    let put =
        change(&mut driver, 1, 1, Change::Put { keys: vec![key], lanes: vec![2.0_f32].into() });
    assert!(matches!(put[..], [(1, Reply::Stored { number: 1, .. })]), "{put:?}");
    // So it is in a process that starts again.
    let server = Server::recover(Some(Arc::<MemoryStore>::clone(&driver.store)), Limits::default());
    assert_eq!(server.expect("begun").terms().expect("terms").servers, 3);
}
