//! `netfold server`: killed and started again under load (R-SERVE-2, R-SERVE-8).

use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use netfold_sparse::optimizer::Sgd;
use netfold_sparse::{ElementType, Initialiser, Optimizer, TableSpec};
use netfold_sparse_net::{SparseTable, TableOptions};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{WAIT_LIMIT, ended, netfold};

pub(super) const ROWS: u32 = 4096;

/// A server, which is killed when it is dropped.
pub(super) struct Running {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    pub(super) address: String,
}

impl Running {
    /// Starts it, and waits until it says where it listens.
    pub(super) fn start(listen: &str, data: &Path) -> Self {
        let data = data.to_str().expect("a path in UTF-8");
        let mut child = netfold(&["server", "--listen", listen, "--data", data])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let (_, rest) = line.split_once("tables at ").expect("it says where it is");
        let (address, place) = rest.split_once(": ").unwrap();
        assert!(place.contains(data), "{line}");
        Self { child, address: address.to_owned(), _stdout: stdout }
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(super) fn signal(mut self, signal: Signal) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn open(rank: u16, workers: u16, servers: &[&Running]) -> SparseTable {
    open_ordered(rank, workers, None, servers)
}

fn open_ordered(
    rank: u16,
    workers: u16,
    staleness: Option<u32>,
    servers: &[&Running],
) -> SparseTable {
    SparseTable::open(options(rank, workers, staleness, servers), None, &mut on).unwrap()
}

pub(super) fn options(
    rank: u16,
    workers: u16,
    staleness: Option<u32>,
    servers: &[&Running],
) -> TableOptions {
    TableOptions {
        table: TableSpec {
            name: "of the test".into(),
            rows: ROWS.into(),
            width: 1,
            element_type: ElementType::F32,
            optimizer: Optimizer::Sgd(Sgd { lr: 1.0, ..Sgd::default() }),
            initialiser: Initialiser::Constant { value: 0.0 },
            seed: 1,
            staleness,
            resident: false,
            max_age_ms: 20,
        },
        rank,
        workers,
        servers: servers.iter().map(|server| server.address.clone()).collect(),
        hot_keys: Vec::new(),
        token: None,
        timeout: WAIT_LIMIT,
    }
}

pub(super) fn rows(table: &SparseTable) -> Vec<f32> {
    let keys: Vec<u32> = (0..ROWS).collect();
    let mut rows = vec![f32::NAN; keys.len()];
    table.pull(&keys, None).unwrap().wait(&mut rows, &mut on).unwrap();
    rows
}

/// Sums of whole numbers are exact: each push is in them once, although a server was killed four
/// times while they were under way.
#[test]
fn a_server_that_is_killed_under_load_loses_nothing_and_counts_nothing_twice() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let start = |at: usize, listen: &str| Running::start(listen, folders[at].path());
    let mut servers = [0, 1].map(|at| start(at, "127.0.0.1:0"));
    let tables: Vec<_> = (0..2).map(|rank| open(rank, 2, &[&servers[0], &servers[1]])).collect();
    let mut expected = vec![0.0; ROWS as usize];
    let mut step = 0;
    for kill in 0..4 {
        for _ in 0..50 {
            for table in &tables {
                step += 1;
                let keys: Vec<u32> =
                    (0..ROWS).filter(|key| (key + step).is_multiple_of(3)).collect();
                let gradients: Vec<f32> =
                    keys.iter().map(|key| ((key * 7 + step) % 13) as f32 - 6.0).collect();
                table.push(&keys, &gradients, &mut on).unwrap();
                for (key, gradient) in keys.iter().zip(gradients) {
                    expected[*key as usize] -= gradient;
                }
            }
        }
        let at = kill % 2;
        let address = servers[at].address.clone();
        servers[at].kill();
        servers[at] = start(at, &address);
    }
    tables.iter().for_each(|table| table.flush(&mut on).unwrap());
    assert_eq!(rows(&tables[0]), expected);
    for table in tables {
        table.close(&mut on).unwrap();
    }
    // All is stored, whatever ends the servers.
    let [one, other] = servers;
    let addresses = [one.address.clone(), other.address.clone()];
    assert_eq!(one.signal(Signal::TERM), Some(0), "SIGTERM ends a server well");
    assert_eq!(other.signal(Signal::KILL), None);
    let servers = [start(0, &addresses[0]), start(1, &addresses[1])];
    let table = open(0, 2, &[&servers[0], &servers[1]]);
    assert_eq!(rows(&table), expected);
}

#[test]
fn a_server_that_cannot_start_says_why_and_what_to_do() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ended = ended(&mut netfold(&["server", "--listen", &address]));
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.stderr.contains(&address) && ended.stderr.contains("--listen"),
        "{}",
        ended.stderr
    );
}

/// Returns the output of `netfold ctl` for these servers, and its status.
fn told(what: &str, servers: &str, more: &[&str]) -> (Option<i32>, String) {
    let ended = ended(netfold(&["ctl", what, "--servers", servers]).args(more));
    assert_eq!(ended.stderr, "", "{what}");
    (ended.status, ended.stdout)
}

/// R-SERVE-17
#[test]
fn ctl_shows_the_tables_of_servers_and_who_holds_up_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start("127.0.0.1:0", folder.path());
    let (status, text) = told("jobs", &server.address, &[]);
    assert_eq!((status, &*text), (Some(0), "no tables were used since the servers started\n"));
    let tables: Vec<_> = (0..2).map(|rank| open_ordered(rank, 2, Some(0), &[&server])).collect();
    tables[0].push(&[1, 2, 3], &[1.0_f32, 1.0, 1.0], &mut on).unwrap();
    tables[0].end_step(0, &mut on).unwrap();
    // It waits for rank 1, which has not ended step 0.
    let waits = tables[0].pull(&[1], Some(1)).unwrap();
    let json = |what| -> Value {
        serde_json::from_str(&told(what, &server.address, &["--json"]).1).unwrap()
    };
    let deadline = std::time::Instant::now() + WAIT_LIMIT;
    let finding = loop {
        let report = json("doctor");
        assert!(report["switch"].is_null(), "{report}");
        if let Some(finding) = report["servers"][0]["findings"].get(0) {
            break finding.as_str().unwrap().to_owned();
        }
        assert!(std::time::Instant::now() < deadline, "{report}");
    };
    assert!(finding.contains("ranks 1 have not ended; look at what they do"), "{finding}");
    let (status, doctor) = told("doctor", &server.address, &[]);
    assert_eq!(status, Some(1));
    assert!(doctor.contains(&format!("- server {}: table \"of the test\"", server.address)));
    let report = &json("stats")["servers"][0]["report"];
    let table = &report["tables"][0];
    let expected = [("pushes", 1), ("rows_pushed", 3), ("pulls", 0), ("steps", 0)];
    for (name, count) in expected {
        assert_eq!(table["counters"][name], count, "{name}: {report}");
    }
    assert_eq!(table["waiting"]["step"], 0);
    assert!(table["waiting_bytes"].as_u64() > Some(0) && table["stored_bytes"].as_u64() > Some(0));
    let workers = &table["workers"];
    assert_eq!((&workers[0]["ended"], &workers[1]["behind"]), (&0.into(), &1.into()));

    tables[1].end_step(0, &mut on).unwrap();
    let mut row = [f32::NAN];
    waits.wait(&mut row, &mut on).unwrap();
    assert_eq!(row, [-1.0]);
    assert_eq!(told("doctor", &server.address, &[]), (Some(0), "nothing to report\n".into()));
    let (_, jobs) = told("jobs", &server.address, &[]);
    assert!(
        ["of the test", "sgd", "sync", "2 of 2"].iter().all(|part| jobs.contains(part)),
        "{jobs}"
    );
    let (_, stats) = told("stats", &server.address, &[]);
    assert!(stats.contains("rows pushed"), "{stats}");
}

#[test]
fn ctl_names_a_server_that_is_not_there() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = free.to_string();
    let failed = ended(&mut netfold(&["ctl", "jobs", "--servers", &address]));
    assert_eq!(failed.status, Some(1));
    assert!(failed.stderr.contains(&format!("netfold server --listen {address}")));
    let (status, doctor) = told("doctor", &address, &[]);
    assert_eq!(status, Some(1));
    assert!(doctor.contains("no server of sparse tables"), "{doctor}");
}
