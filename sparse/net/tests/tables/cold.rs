//! Rows at servers alone.

use std::thread;

use netfold_sparse_net::{Server, ServerOptions};

use crate::support::{on, open, options, pull, server, server_options, spec};

/// A worker's gradients of some keys for a step: whole numbers, whose sums are exact.
fn gradients(keys: &[u32], width: u16, rank: u16, step: u32) -> Vec<f32> {
    let lane = |key: u32, lane: u16| {
        ((key * 31 + u32::from(lane) * 7 + u32::from(rank) * 3 + step) % 17) as f32 - 8.0
    };
    keys.iter().flat_map(|key| (0..width).map(move |at| lane(*key, at))).collect()
}

fn keys(rank: u16, step: u32, rows: u32, count: u32) -> Vec<u32> {
    let first = (u32::from(rank) * 97 + step * 13) % rows;
    (0..count).map(|at| (first + at) % rows).collect()
}

/// R-SERVE-1, R-SERVE-3: every pair reaches the server of its key, and rows come from there.
#[test]
fn rows_are_minus_the_sums_of_all_workers_gradients_at_any_number_of_servers() {
    const ROWS: u32 = 5000;
    for (count, width) in [(1, 1), (2, 3), (3, 1)] {
        let servers: Vec<Server> = (0..count).map(|_| server()).collect();
        let servers: Vec<&Server> = servers.iter().collect();
        let tables: Vec<_> =
            (0..2).map(|rank| open(options(spec(ROWS.into(), width), rank, 2, &servers))).collect();
        let mut expected = vec![0.0; ROWS as usize * usize::from(width)];
        for step in 0..5 {
            for (table, rank) in tables.iter().zip(0..) {
                let keys = keys(rank, step, ROWS, 1000);
                let rows = gradients(&keys, width, rank, step);
                table.push(&keys, &rows, &mut on).unwrap();
                for (key, row) in keys.iter().zip(rows.chunks(usize::from(width))) {
                    let start = *key as usize * usize::from(width);
                    for (sum, gradient) in expected[start..].iter_mut().zip(row) {
                        *sum -= gradient;
                    }
                }
            }
        }
        tables.iter().for_each(|table| table.flush(&mut on).unwrap());
        let all: Vec<u32> = (0..ROWS).rev().collect();
        let mut rows = pull(&tables[1], &all, None);
        let rows: Vec<f32> =
            rows.chunks_mut(usize::from(width)).rev().flat_map(|row| row.to_vec()).collect();
        assert_eq!(rows, expected, "{count} servers");
        let stats = tables[0].stats().unwrap();
        assert_eq!((stats.updates, stats.hot_updates, stats.repeated_messages), (5000, 0, 0));
    }
}

/// R-SERVE-5: in a synchronous table every worker pulls the rows of a single process.
#[test]
fn synchronous_workers_pull_what_all_have_pushed_before() {
    const ROWS: u32 = 200;
    let servers = [server(), server()];
    let servers = [&servers[0], &servers[1]];
    let spec = netfold_sparse::TableSpec { staleness: Some(0), ..spec(ROWS.into(), 2) };
    thread::scope(|scope| {
        for rank in 0..3 {
            let table = open(options(spec.clone(), rank, 3, &servers));
            scope.spawn(move || {
                let all: Vec<u32> = (0..ROWS).collect();
                let mut expected = vec![0.0; ROWS as usize * 2];
                for step in 0..20 {
                    assert_eq!(
                        pull(&table, &all, Some(step)),
                        expected,
                        "rank {rank}, step {step}"
                    );
                    for other in 0..3 {
                        let rows = gradients(&all, 2, other, step);
                        if other == rank {
                            table.push(&all, &rows, &mut on).unwrap();
                        }
                        expected.iter_mut().zip(&rows).for_each(|(sum, row)| *sum -= row);
                    }
                    table.end_step(step, &mut on).unwrap();
                }
                table.close(&mut on).unwrap();
            });
        }
    });
}

/// R-SERVE-8, R-SERVE-2: what was stored is there again, and what was not comes again.
#[test]
fn a_server_that_stops_and_starts_goes_on_with_the_same_rows() {
    const ROWS: u32 = 3000;
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(server_options(Some(folder.path()))).unwrap();
    let listen = server.address().to_string();
    let table = open(options(spec(ROWS.into(), 1), 0, 1, &[&server]));
    let mut expected = vec![0.0; ROWS as usize];
    for step in 0..60 {
        let keys = keys(0, step, ROWS, 500);
        let rows = gradients(&keys, 1, 0, step);
        table.push(&keys, &rows, &mut on).unwrap();
        keys.iter().zip(&rows).for_each(|(key, row)| expected[*key as usize] -= row);
        if step % 20 == 10 {
            server.stop().unwrap();
            // It is pushed while no server is there.
            table.push(&[7], &[1.0_f32], &mut on).unwrap();
            expected[7] -= 1.0;
            server = Server::start(ServerOptions {
                listen: listen.clone(),
                ..server_options(Some(folder.path()))
            })
            .unwrap();
        }
    }
    let all: Vec<u32> = (0..ROWS).collect();
    assert_eq!(pull(&table, &all, None), expected);
    table.close(&mut on).unwrap();
    server.stop().unwrap();
    let server = Server::start(server_options(Some(folder.path()))).unwrap();
    let table = open(options(spec(ROWS.into(), 1), 0, 1, &[&server]));
    assert_eq!(pull(&table, &all, None), expected);
}

/// A pull that is not waited for does no harm, and one of nothing gives nothing.
#[test]
fn pulls_in_the_background_come_in_any_order() {
    let server = server();
    let table = open(options(spec(100, 2), 0, 1, &[&server]));
    table.set(&[1, 2], &[1.0_f32, 2.0, 3.0, 4.0], &mut on).unwrap();
    let first = table.pull(&[1], None).unwrap();
    let second = table.pull(&[2], None).unwrap();
    drop(table.pull(&[3], None).unwrap());
    let mut rows = [0.0_f32; 2];
    second.wait(&mut rows, &mut on).unwrap();
    assert_eq!(rows, [3.0, 4.0]);
    first.wait(&mut rows, &mut on).unwrap();
    assert_eq!(rows, [1.0, 2.0]);
    assert_eq!(pull(&table, &[], None), [0.0; 0]);
}

/// R-SERVE-15: a table that is closed in good order holds up nobody, whose pull would wait for it
/// until the time-out otherwise.
#[test]
fn a_worker_that_closes_its_table_holds_up_no_step() {
    for staleness in [0, 1] {
        let servers = [server(), server()];
        let servers = [&servers[0], &servers[1]];
        let spec = netfold_sparse::TableSpec { staleness: Some(staleness), ..spec(10, 1) };
        let [stays, leaves] = [0, 1].map(|rank| open(options(spec.clone(), rank, 2, &servers)));
        let keys: Vec<u32> = (0..10).collect();
        for (table, row) in [(&stays, 1.0_f32), (&leaves, 2.0)] {
            table.push(&keys, &[row; 10], &mut on).unwrap();
            table.end_step(0, &mut on).unwrap();
        }
        leaves.close(&mut on).unwrap();
        for step in 1..5 {
            if staleness > 0 {
                // A pull may lack what was pushed last.
                stays.flush(&mut on).unwrap();
            }
            let expected = -2.0 - step as f32;
            assert_eq!(pull(&stays, &keys, Some(step)), [expected; 10], "step {step}");
            stays.push(&keys, &[1.0_f32; 10], &mut on).unwrap();
            stays.end_step(step, &mut on).unwrap();
        }
        stays.close(&mut on).unwrap();
    }
}
