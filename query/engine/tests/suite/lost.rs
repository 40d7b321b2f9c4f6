//! Workers of other processes that are lost (R-QRY-43).

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use netfold_query::cluster::serve;
use netfold_query::data::{self, HardTables};
use netfold_query::{Query, Settings};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::support::{ROWS, Row, WAYS, block_on, plain, rows, sorted, texts};

/// A query of each program, and one without.
const QUERIES: [&str; 8] = [
    "select f, id from facts order by f desc, id limit 40",
    "select distinct k, n from facts",
    "select s, max(f) from facts group by s",
    "select k, sum(f), sum(m), count(*) from facts group by k",
    "select s, n, sum(g) from facts group by s, n",
    "select sum(g), count(k) from facts where n > 0",
    "select facts.id, label from facts join sides on facts.k = sides.k where n > 2",
    "select id from facts where n = 77",
];

const WORKERS: usize = 3;

fn tables() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    data::hard(folder.path(), HardTables { facts: 3_000, sides: 200, parts: 7 }, 7).expect("data");
    folder
}

/// The settings of a cluster whose workers have the same files.
fn shared(cluster: Vec<String>, way: &[&str]) -> Settings {
    let set = way.iter().chain(&["netfold.shared=true"]).map(|one| (*one).to_owned()).collect();
    Settings { workers: WORKERS, cluster, switch: None, plain: false, set }
}

/// A worker that is reached through a relay, which ends all of its connections for good after so
/// many bytes.
async fn mortal(folder: &Path, bytes: usize) -> SocketAddr {
    let behind = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
    let target = behind.local_addr().expect("an address");
    tokio::spawn(serve(behind, folder.to_owned()));
    let front = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
    let address = front.local_addr().expect("an address");
    let left = Arc::new(AtomicUsize::new(bytes));
    tokio::spawn(async move {
        while left.load(Ordering::SeqCst) > 0 {
            let (one, _) = front.accept().await.expect("a master");
            let other = TcpStream::connect(target).await.expect("the worker");
            tokio::spawn(relay(one, other, Arc::clone(&left)));
        }
    });
    address
}

/// Hands bytes on in both directions, as long as some are left.
async fn relay(mut one: TcpStream, mut other: TcpStream, left: Arc<AtomicUsize>) {
    let (mut there, mut back) = ([0; 97], [0; 97]);
    loop {
        let done = tokio::select! {
            read = one.read(&mut there) => pass(read, &there, &mut other, &left).await,
            read = other.read(&mut back) => pass(read, &back, &mut one, &left).await,
        };
        if done {
            return;
        }
    }
}

async fn pass(
    read: std::io::Result<usize>,
    bytes: &[u8],
    to: &mut TcpStream,
    left: &AtomicUsize,
) -> bool {
    let count = read.unwrap_or(0);
    let before = left
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| Some(left.saturating_sub(count)));
    let over = before.expect("it always has a value") <= count;
    count == 0 || over || to.write_all(&bytes[..count]).await.is_err()
}

async fn answer(sql: &str, settings: &Settings) -> (Vec<Row>, Vec<String>) {
    let query = Query::plan_on_cluster(sql, settings).await.expect("a plan");
    let batches = query.run().await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    (sorted(batches.iter().flat_map(texts).collect()), query.lost_workers())
}

/// Each of the workers reads files of its own: rows would come three times.
#[test]
fn workers_with_the_same_files_read_each_once() {
    let folder = tables();
    block_on(async {
        let mut cluster = Vec::new();
        for _ in 0..WORKERS {
            cluster.push(mortal(folder.path(), usize::MAX).await.to_string());
        }
        for sql in QUERIES {
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            for way in WAYS {
                let got = answer(sql, &shared(cluster.clone(), way)).await;
                assert_eq!(got, (expected.clone(), vec![]), "{sql}, {way:?}");
            }
        }
        let other = tables();
        cluster[1] = mortal(other.path(), usize::MAX).await.to_string();
        let settings = shared(cluster.clone(), &[]);
        let error = Query::plan_on_cluster("select 1", &settings).await.expect_err("other files");
        assert!(error.to_string().contains(&cluster[1]), "{error}");
    });
}

/// A worker is lost after a number of bytes that a seed draws, and another one at times, too.
#[test]
fn another_worker_reads_what_a_lost_one_was_to() {
    let folder = tables();
    let (mut once, mut twice, mut without) = (0, 0, BTreeSet::new());
    block_on(async {
        for seed in 0..96 {
            let mut random = Pcg64::seed_from_u64(seed);
            let sql = QUERIES[seed as usize % QUERIES.len()];
            let way = WAYS[random.random_range(0..WAYS.len())];
            let mut cluster = Vec::new();
            for worker in 0..WORKERS {
                let lives = worker == 2 || worker == 1 && random.random();
                let bytes = if lives { usize::MAX } else { random.random_range(1..20_000) };
                cluster.push(mortal(folder.path(), bytes).await.to_string());
            }
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            let (got, lost) = answer(sql, &shared(cluster.clone(), way)).await;
            assert_eq!(got, expected, "seed {seed}, {sql}, {way:?}, lost: {lost:?}");
            let known = |lost: &String| cluster.iter().any(|one| lost.starts_with(one));
            assert!(lost.iter().all(known), "{lost:?}");
            once += usize::from(lost.len() == 1);
            twice += usize::from(lost.len() == 2);
            if !lost.is_empty() {
                without.insert(sql);
            }
        }
    });
    assert!(once > 10 && twice > 5, "{once} queries have lost a worker, {twice} two");
    assert_eq!(without.len(), QUERIES.len(), "{without:?}");
}

/// Nobody else has the files of a worker, or nobody is left.
#[test]
fn a_worker_that_nobody_replaces_is_named_with_what_to_do() {
    let folder = tables();
    block_on(async {
        for (bytes, workers) in [(12_000, 1), (40, 1), (12_000, 2)] {
            let mut cluster = Vec::new();
            for _ in 0..workers {
                cluster.push(mortal(folder.path(), bytes).await.to_string());
            }
            let settings = Settings { set: vec![], ..shared(cluster.clone(), &[]) };
            for settings in [settings, shared(cluster.clone(), ROWS)] {
                let shared = !settings.set.is_empty();
                let failed = async {
                    let sql = "select * from facts";
                    Query::plan_on_cluster(sql, &settings).await?.run().await.map(|_| ())
                };
                let error = failed.await.expect_err("it is lost").to_string();
                assert!(cluster.iter().any(|one| error.contains(one)), "{error}");
                assert!(error.contains("netfold query worker --listen"), "{error}");
                assert_eq!(error.contains("--shared"), !shared, "{error}");
            }
        }
    });
}

/// A process of the command.
struct Worker(Child, String);

impl Worker {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netfold-query"));
        command.args(["worker", "--listen", "127.0.0.1:0", "--data"]).arg(folder);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("a worker");
        let mut line = String::new();
        let told = child.stderr.take().expect("a pipe");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(told), &mut line).expect("a line");
        let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
        Self(child, address)
    }

    fn kill(&mut self) {
        self.0.kill().expect("it is there");
        self.0.wait().expect("it has ended");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have been killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Processes are killed as soon as bytes have come.
#[test]
fn a_process_that_is_killed_is_replaced() {
    let folder = tables();
    block_on(async {
        for sql in QUERIES {
            let mut workers: Vec<_> = (0..WORKERS).map(|_| Worker::start(folder.path())).collect();
            let cluster: Vec<_> = workers.iter().map(|worker| worker.1.clone()).collect();
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            let settings = shared(cluster.clone(), ROWS);
            let query = Query::plan_on_cluster(sql, &settings).await.expect("a plan");
            workers[2].kill();
            let (watch, over) = (query.watch(), AtomicBool::new(false));
            let (victim, over) = (&mut workers[0], &over);
            let batches = thread::scope(|scope| {
                scope.spawn(move || {
                    let silent = || watch.stats().iter().all(|one| one.bytes == 0);
                    while silent() && !over.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                    victim.kill();
                });
                let batches = tokio::task::block_in_place(|| {
                    tokio::runtime::Handle::current().block_on(query.run())
                });
                over.store(true, Ordering::Relaxed);
                batches
            });
            let batches = batches.unwrap_or_else(|error| panic!("{sql}: {error}"));
            assert_eq!(sorted(batches.iter().flat_map(texts).collect()), expected, "{sql}");
            let lost = query.lost_workers();
            assert!(lost.iter().any(|one| one.starts_with(&cluster[2])), "{lost:?}");
            // The one that was killed last may have had no more to do.
            assert!(lost.len() <= 2, "{lost:?}");
        }
    });
}
