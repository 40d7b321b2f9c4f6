//! Tables that go on at other servers (R-SERVE-18 to 23): every gradient is in the rows once.
//! Gradients are whole numbers, whose sums are exact in every order.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netfold_net::{Arithmetic, Switch};
use netfold_sparse::optimizer::{Adam, Optimizer};
use netfold_sparse::{Initialiser, ServerReport, TableSpec};
use netfold_sparse_net::{
    Error, Member, Server, ServerOptions, SparseTable, SwitchOptions, TableOptions,
};

use crate::support::{TIMEOUT, on, open, options, pull, server, server_options, spec};

const ROWS: u32 = 500;

fn addresses(servers: &[&Server]) -> Vec<String> {
    servers.iter().map(|server| server.address().to_string()).collect()
}

/// The distinct keys of a worker's push, and a number for each.
fn gradients(rank: u16, push: u32) -> (Vec<u32>, Vec<f32>) {
    let own = |key: &u32| (key * 7 + push + u32::from(rank) * 3).is_multiple_of(5);
    let keys: Vec<u32> = (0..ROWS).filter(own).collect();
    let number = |key: &u32| ((key * 13 + push * 5 + u32::from(rank)) % 17) as f32 - 8.0;
    let rows = keys.iter().map(number).collect();
    (keys, rows)
}

fn push(table: &SparseTable, rank: u16, push: u32) {
    let (keys, rows) = gradients(rank, push);
    table.push(&keys, &rows, &mut on).unwrap();
}

/// All rows after so many pushes of each worker.
fn expected(workers: u16, pushes: u32) -> Vec<f32> {
    let mut sums = vec![0.0; ROWS as usize];
    for (rank, push) in (0..workers).flat_map(|rank| (0..pushes).map(move |push| (rank, push))) {
        let (keys, rows) = gradients(rank, push);
        keys.into_iter().zip(rows).for_each(|(key, row)| sums[key as usize] -= row);
    }
    sums
}

fn all() -> Vec<u32> {
    (0..ROWS).collect()
}

fn report(server: &Server) -> ServerReport {
    netfold_sparse_net::report(&server.address().to_string(), None, TIMEOUT).unwrap()
}

/// The servers of each list, among five.
const LISTS: [&[usize]; 5] = [&[0, 1], &[1, 2, 3], &[4], &[0, 1, 2, 3, 4], &[0, 1]];

/// Goes from list to list, while two threads of each worker push.
fn goes_on(table: TableSpec, hot: bool, durable: bool) {
    let folders: Vec<_> = (0..5).map(|_| tempfile::tempdir().unwrap()).collect();
    let data = |at: usize| durable.then(|| folders[at].path());
    let servers: Vec<Server> =
        (0..5).map(|at| Server::start(server_options(data(at))).unwrap()).collect();
    let list = |at: usize| -> Vec<&Server> { LISTS[at].iter().map(|one| &servers[*one]).collect() };
    let switch = Switch::start(&netfold_net::SwitchOptions::default()).unwrap();
    let (arithmetic, address) = (Arithmetic::Native, switch.address().to_string());
    let at = SwitchOptions { address, arithmetic, scale: 0, registers: None, transport: None };
    let synchronous = table.staleness == Some(0);
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for rank in 0..2 {
            let hot_keys = if hot { (0..40).map(|key| key * 11).collect() } else { vec![] };
            let options = TableOptions { hot_keys, ..options(table.clone(), rank, 2, &list(0)) };
            let (at, barrier, list) = (&at, &barrier, &list);
            scope.spawn(move || {
                let first = options.clone();
                let member = Member::open(first, Some(at), server_options(None), &mut on);
                let member = member.unwrap();
                let table = member.table();
                let step = synchronous.then_some(LISTS.len() as u32);
                thread::scope(|scope| {
                    // In synchronous steps nobody pushes between two.
                    let beside = !synchronous;
                    let beside = beside
                        .then(|| scope.spawn(|| (100..400).for_each(|at| push(table, rank, at))));
                    for next in 0..LISTS.len() {
                        let from = next as u32 * 20;
                        (from..from + 20).for_each(|at| push(table, rank, at));
                        if synchronous {
                            table.end_step(next as u32, &mut on).unwrap();
                        }
                        let to = list((next + 1) % LISTS.len());
                        member.set_servers(&addresses(&to), &mut on).unwrap();
                        assert_eq!(table.stats().unwrap().at_switch, hot);
                    }
                    if let Some(beside) = beside {
                        beside.join().unwrap();
                    }
                });
                table.flush(&mut on).unwrap();
                barrier.wait();
                let pushes = if synchronous { 100 } else { 400 };
                assert_eq!(pull(table, &all(), step), expected(2, pushes), "rank {rank}");
                let updates: usize = (0..pushes).map(|at| gradients(rank, at).0.len()).sum();
                assert_eq!(table.stats().unwrap().updates, updates as u64);
                assert_eq!(table.take_warnings(), [""; 0]);
                barrier.wait();
                member.close(&mut on).unwrap();
                barrier.wait();
                // The next run names former servers.
                let named = addresses(&list(1));
                let options = TableOptions { servers: named, ..options };
                let member = Member::open(options, Some(at), server_options(None), &mut on);
                let table = member.as_ref().unwrap().table();
                assert_eq!(table.stats().unwrap().at_switch, hot);
                assert_eq!(table.take_warnings().len(), 1);
                push(table, rank, pushes);
                if synchronous {
                    table.end_step(0, &mut on).unwrap();
                }
                table.flush(&mut on).unwrap();
                barrier.wait();
                let step = synchronous.then_some(1);
                assert_eq!(pull(table, &all(), step), expected(2, pushes + 1), "rank {rank}");
                barrier.wait();
            });
        }
    });
}

#[test]
fn a_table_goes_on_at_other_servers_under_load() {
    goes_on(spec(ROWS.into(), 1), false, false);
    goes_on(spec(ROWS.into(), 1), false, true);
}

/// R-SERVE-22
#[test]
fn hot_rows_go_on_with_ranks_for_other_servers() {
    goes_on(spec(ROWS.into(), 1), true, true);
    goes_on(TableSpec { resident: true, ..spec(ROWS.into(), 1) }, true, false);
}

/// R-SERVE-5
#[test]
fn synchronous_steps_go_on_at_other_servers() {
    goes_on(TableSpec { staleness: Some(0), ..spec(ROWS.into(), 1) }, false, true);
    goes_on(TableSpec { staleness: Some(0), ..spec(ROWS.into(), 1) }, true, false);
}

/// The state of the optimizer and a learning rate that was changed come along, to the last bit, and
/// so do they to another run, which finds the table by the servers that it had.
#[test]
fn state_and_learning_rate_come_along() {
    let table = TableSpec {
        optimizer: Optimizer::Adam(Adam { lr: 0.1, ..Adam::default() }),
        initialiser: Initialiser::Normal { mean: 0.0, std: 1.0 },
        staleness: Some(0),
        ..spec(ROWS.into(), 3)
    };
    let folders: Vec<_> = (0..4).map(|_| tempfile::tempdir().unwrap()).collect();
    let servers: Vec<Server> = folders
        .iter()
        .map(|folder| Server::start(server_options(Some(folder.path()))).unwrap())
        .collect();
    let step = |table: &SparseTable, at: u32| {
        let (keys, numbers) = gradients(0, at);
        let rows: Vec<f32> = numbers.iter().flat_map(|number| [*number, 1.0, -number]).collect();
        table.push(&keys, &rows, &mut on).unwrap();
        table.end_step(at, &mut on).unwrap();
    };
    let run = |table: &SparseTable, moves: &[(u32, &[&Server])]| {
        for at in 0..12 {
            step(table, at);
            if at == 4 {
                table.set_lr(0.01).unwrap();
            }
            if let Some((_, to)) = moves.iter().find(|(step, _)| *step == at) {
                table.set_servers(&addresses(to), &mut on).unwrap();
            }
        }
        table.flush(&mut on).unwrap();
        pull(table, &all(), Some(12))
    };
    let alone = server();
    let (first, second) = ([&servers[0], &servers[1]], [&servers[1], &servers[2], &servers[3]]);
    let moves: [(u32, &[&Server]); 2] = [(3, &second), (7, &[&servers[0]])];
    let mut rows = Vec::new();
    for moves in [&[][..], &moves] {
        let to = if moves.is_empty() {
            options(table.clone(), 0, 1, &[&alone])
        } else {
            options(table.clone(), 0, 1, &first)
        };
        let opened = open(to);
        rows.push(run(&opened, moves));
        opened.close(&mut on).unwrap();
    }
    assert!(rows[0] == rows[1], "the rows differ");
    let again = open(options(table.clone(), 0, 1, &[&alone]));
    let moved = open(options(table.clone(), 0, 1, &first));
    let told = moved.take_warnings();
    let named = &addresses(&[&servers[0]])[0];
    assert!(told.len() == 1 && told[0].contains(&format!("to [{named:?}]")), "{told:?}");
    assert_eq!(pull(&moved, &all(), None), rows[0]);
    [&again, &moved].into_iter().for_each(|table| table.set_lr(0.1).unwrap());
    assert!(run(&again, &[]) == run(&moved, &[]), "the second run differs");
}

/// R-SERVE-22: the workers are lost at some point of a move; those of another run, which may be
/// others in number, finish it, whichever servers they name.
#[test]
fn another_run_finishes_a_move() {
    for (lost, named) in [(false, 0), (true, 0), (true, 1), (false, 1)] {
        let servers: Vec<Server> = (0..3).map(|_| server()).collect();
        let lists = [[&servers[0], &servers[1]], [&servers[1], &servers[2]]];
        let to = addresses(&lists[1]);
        let tables = [0, 1].map(|rank| open(options(spec(ROWS.into(), 1), rank, 2, &lists[0])));
        (0..20).for_each(|at| (0..2).for_each(|rank| push(&tables[usize::from(rank)], rank, at)));
        tables.iter().for_each(|table| table.flush(&mut on).unwrap());
        let changes = |server: &Server| report(server).tables[0].workers[1].changes;
        let before = changes(&servers[0]);
        let stop = AtomicBool::new(false);
        let interrupted = || match stop.load(Ordering::SeqCst) {
            true => std::ops::ControlFlow::Break(()),
            false => on(),
        };
        thread::scope(|scope| {
            // One that is lost earlier leaves the other one to wait for its move.
            let moving = tables.iter().skip(usize::from(lost));
            let moves = moving.map(|table| {
                let (to, mut interrupted) = (&to, interrupted);
                scope.spawn(move || table.set_servers(to, &mut interrupted))
            });
            let moves: Vec<_> = moves.collect();
            if lost {
                let start = Instant::now();
                while changes(&servers[0]) == before {
                    assert!(start.elapsed() < TIMEOUT, "it does not move");
                }
                stop.store(true, Ordering::SeqCst);
            }
            for one in moves {
                let ended = one.join().unwrap();
                assert!(matches!(ended, Err(Error::Interrupted)) == lost, "{ended:?}");
            }
        });
        if lost {
            let why = tables[1].push(&[1], &[1.0_f32], &mut on).unwrap_err().to_string();
            assert!(why.contains("on its way") && why.contains(&to[0]), "{why}");
            let why = tables[1].set_servers(&addresses(&[&servers[0]]), &mut on).unwrap_err();
            assert!(why.to_string().contains("on its way"), "{why}");
        }
        drop(tables);
        let barrier = Barrier::new(3);
        thread::scope(|scope| {
            for rank in 0..3 {
                let options = options(spec(ROWS.into(), 1), rank, 3, &lists[named]);
                let barrier = &barrier;
                scope.spawn(move || {
                    let table = open(options);
                    barrier.wait();
                    assert_eq!(pull(&table, &all(), None), expected(2, 20), "rank {rank}");
                    barrier.wait();
                });
            }
        });
    }
}

/// When a next server is not there, nothing has changed.
#[test]
fn servers_that_cannot_be_set_change_nothing() {
    let (one, two) = (server(), server());
    let table = TableSpec { staleness: Some(0), ..spec(ROWS.into(), 1) };
    let options =
        TableOptions { timeout: Duration::from_millis(500), ..options(table, 0, 1, &[&one]) };
    let table = open(options);
    let set = |servers: &[&str]| {
        let servers: Vec<String> = servers.iter().map(|one| (*one).to_owned()).collect();
        table.set_servers(&servers, &mut on)
    };
    let own = one.address().to_string();
    let other = two.address().to_string();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(matches!(set(&[&other, &free.to_string()]), Err(Error::NoServer { .. })));
    for (servers, why) in [(vec![], "1 to 64 servers"), (vec![&*other, &*other], "not distinct")] {
        let error = set(&servers).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    push(&table, 0, 0);
    let error = set(&[&other]).unwrap_err().to_string();
    assert!(error.contains("end the step"), "{error}");
    table.end_step(0, &mut on).unwrap();
    let waits = table.pull(&[1], Some(1)).unwrap();
    let error = set(&[&other]).unwrap_err().to_string();
    assert!(error.contains("drop the pulls"), "{error}");
    drop(waits);
    set(&[&own]).unwrap();
    assert_eq!(pull(&table, &all(), Some(1)), expected(1, 1));
    set(&[&own, &other]).unwrap();
    assert_eq!(pull(&table, &all(), Some(1)), expected(1, 1));
    table.close(&mut on).unwrap();
    assert!(matches!(set(&[&own]), Err(Error::Closed)));
}

/// R-SERVE-23: the rows are gone from the disks of former servers, also in the next process.
#[test]
fn former_servers_drop_their_rows() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let start = |at: usize, listen: &str| {
        let options = server_options(Some(folders[at].path()));
        Server::start(ServerOptions { listen: listen.into(), ..options }).unwrap()
    };
    let [one, other] = [0, 1].map(|at| start(at, "127.0.0.1:0"));
    let wide = TableSpec { rows: 100_000, ..spec(1, 32) };
    let table = open(options(wide.clone(), 0, 1, &[&one]));
    let keys: Vec<u32> = (0..100_000).collect();
    table.push(&keys, &vec![1.0_f32; 3_200_000], &mut on).unwrap();
    table.flush(&mut on).unwrap();
    // Its rows go to the file.
    let address = one.address().to_string();
    one.stop().unwrap();
    let file = folders[0].path().join("test.redb");
    assert!(std::fs::metadata(&file).unwrap().len() > 12_800_000);
    let one = start(0, &address);
    table.flush(&mut on).unwrap();
    assert_eq!(report(&one).tables.len(), 1);
    table.set_servers(&addresses(&[&other]), &mut on).unwrap();
    assert_eq!((report(&one).tables.len(), report(&other).tables.len()), (0, 1));
    one.stop().unwrap();
    let restarted = start(0, "127.0.0.1:0");
    let named =
        TableOptions { servers: addresses(&[&restarted]), ..options(wide, 0, 1, &[&other]) };
    drop(table);
    let table = open(named);
    assert_eq!(pull(&table, &[7, 99_999], None), [-1.0; 64]);
    let bytes = std::fs::metadata(&file).unwrap().len();
    assert!(bytes < 4 << 20, "{bytes} bytes for no rows");
}
