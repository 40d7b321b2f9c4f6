//! Refusals, and their words.

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::time::Duration;

use netfold_net::Token;
use netfold_sparse::TableSpec;
use netfold_sparse_net::{Error, Server, ServerOptions, SparseTable, TableOptions};

use crate::support::{on, open, options, pull, server, server_options, spec};

fn refusal(options: TableOptions) -> Error {
    SparseTable::open(options, None, &mut on).err().expect("it should be refused")
}

#[test]
fn a_server_that_is_not_there_is_named_with_what_to_do() {
    let nowhere = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let options = TableOptions {
        servers: vec![nowhere.clone()],
        timeout: Duration::from_millis(50),
        ..options(spec(10, 1), 0, 1, &[])
    };
    let error = refusal(options).to_string();
    assert!(error.contains(&nowhere) && error.contains("netfold server --listen"), "{error}");
}

#[test]
fn a_server_that_does_not_come_back_is_named_and_the_table_goes_on_when_it_does() {
    let server = server();
    let listen = server.address().to_string();
    let timeout = Duration::from_millis(100);
    let table = open(TableOptions { timeout, ..options(spec(10, 1), 0, 1, &[&server]) });
    server.stop().unwrap();
    let error = table.flush(&mut on).unwrap_err();
    assert!(matches!(error, Error::ServerLost { .. }), "{error:?}");
    assert!(error.to_string().contains(&listen), "{error}");
    let _server =
        Server::start(ServerOptions { listen, ..server_options(None) }).expect("the port is free");
    while table.flush(&mut on).is_err() {}
}

/// R-SERVE-2
#[test]
fn a_server_that_comes_back_without_its_rows_is_refused() {
    let server = server();
    let listen = server.address().to_string();
    let table = open(options(spec(10, 1), 0, 1, &[&server]));
    table.push(&[1], &[1.0_f32], &mut on).unwrap();
    table.flush(&mut on).unwrap();
    server.stop().unwrap();
    let _server =
        Server::start(ServerOptions { listen, ..server_options(None) }).expect("the port is free");
    let error = table.flush(&mut on).unwrap_err();
    assert!(matches!(error, Error::RowsLost { .. }), "{error:?}");
    assert!(error.to_string().contains("--data"), "{error}");
}

#[test]
fn workers_that_differ_are_refused_by_name() {
    let server = server();
    let _table = open(options(spec(10, 1), 0, 2, &[&server]));
    let error = refusal(options(TableSpec { seed: 2, ..spec(10, 1) }, 1, 2, &[&server]));
    assert!(matches!(&error, Error::Refused { why, .. } if why.contains("seed")), "{error}");
}

#[test]
fn a_worker_without_the_servers_token_is_refused() {
    let token = |text: &str| Some(Token::new(text).unwrap());
    let server = Server::start(ServerOptions { token: token("a"), ..server_options(None) });
    let server = server.unwrap();
    let with = |token| TableOptions { token, ..options(spec(10, 1), 0, 1, &[&server]) };
    for (other, what) in [(None, "NETFOLD_TOKEN"), (token("b"), "another one")] {
        let error = refusal(with(other));
        assert!(matches!(&error, Error::Refused { why, .. } if why.contains(what)), "{error}");
    }
    open(with(token("a")));
}

#[test]
fn arguments_that_make_no_sense_are_refused_before_anything_is_sent() {
    let server = server();
    let cases = [
        (options(spec(0, 1), 0, 1, &[&server]), "not 0"),
        (options(spec(10, 0), 0, 1, &[&server]), "at least 1 number"),
        (options(spec(10, 1), 2, 2, &[&server]), "rank 2"),
        (options(spec(10, 1), 0, 1, &[]), "servers"),
        (TableOptions { hot_keys: vec![3, 3], ..options(spec(10, 1), 0, 1, &[&server]) }, "twice"),
        (
            options(
                TableSpec { resident: true, staleness: Some(0), ..spec(10, 1) },
                0,
                1,
                &[&server],
            ),
            "synchronous",
        ),
    ];
    for (options, what) in cases {
        let error = refusal(options).to_string();
        assert!(error.contains(what), "{error}");
    }
    let table = open(options(spec(10, 2), 0, 1, &[&server]));
    let error = table.push(&[10], &[0.0_f32, 0.0], &mut on).unwrap_err().to_string();
    assert!(error.contains("key 10"), "{error}");
    let error = table.pull(&[1], None).unwrap().wait(&mut [0.0_f32], &mut on).unwrap_err();
    assert!(error.to_string().contains("2 numbers, not 1"), "{error}");
    assert_eq!(pull(&table, &[1], None), [0.0, 0.0]);
}

/// R-SERVE-5: a pull for a step waits for all workers, and can be interrupted.
#[test]
fn a_wait_can_be_interrupted_and_is_limited() {
    let server = server();
    let spec = TableSpec { staleness: Some(0), ..spec(10, 1) };
    let timeout = Duration::from_millis(300);
    let table = open(TableOptions { timeout, ..options(spec, 0, 2, &[&server]) });
    table.end_step(0, &mut on).unwrap();
    let mut rows = [0.0_f32];
    let error = table.pull(&[1], Some(1)).unwrap().wait(&mut rows, &mut on).unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    let error = table.pull(&[1], Some(1)).unwrap();
    let error = error.wait(&mut rows, &mut || ControlFlow::Break(())).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    table.close(&mut on).unwrap();
    assert!(matches!(table.stats(), Err(Error::Closed)));
}
