//! Programs at a switch that runs already (R-QRY-39).

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use netfold_net::{Switch, SwitchOptions, Token};
use netfold_query::data::{self, HardTables};
use netfold_query::{Elsewhere, Query, Settings};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use tempfile::TempDir;

use super::cluster::start;
use super::support::{ROWS, Row, WAYS, block_on, plain, rows, sorted, switched, texts};

/// A query of each program, with keys that are values and such that are hashes.
const PROGRAMS: [&str; 8] = [
    "select * from facts order by f desc, id limit 40",
    "select distinct k, n from facts",
    "select distinct s from facts",
    "select s, max(f) from facts group by s",
    "select k, sum(f), sum(m), count(*) from facts group by k",
    "select s, n, sum(g) from facts group by s, n",
    "select sum(g), count(k) from facts where n > 0",
    "select facts.id, label from facts join sides on facts.k = sides.k where n > 2",
];

/// Silence of a switch that has gone.
const TIMEOUT: Duration = Duration::from_millis(200);

fn token() -> Token {
    Token::new("of the switch").expect("it is not empty")
}

fn switch(memory_bytes: u64) -> Switch {
    let tokens = vec![token()];
    let options = SwitchOptions { memory_bytes, tokens, ..SwitchOptions::default() };
    Switch::start(&options).expect("a switch")
}

fn tables(facts: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    data::hard(folder.path(), HardTables { facts, sides: 200, parts: 4 }, 7).expect("data");
    folder
}

fn at(switch: &Switch, token: Token, timeout: Duration) -> Option<Elsewhere> {
    Some(Elsewhere::new(&switch.address().to_string(), Some(token), timeout))
}

/// Runs a query; returns its rows without their order, the reasons for which it did without the
/// switch, and the rows that were offered and forwarded.
async fn run(
    sql: &str,
    folder: &Path,
    settings: &Settings,
) -> (Vec<Row>, Vec<String>, (usize, usize)) {
    let query = match settings.cluster.is_empty() {
        true => Query::plan(sql, folder, settings).await.expect("a plan"),
        false => Query::plan_on_cluster(sql, settings).await.expect("a plan"),
    };
    let batches = query.run().await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let counts =
        query.stats().iter().fold((0, 0), |sum, one| (sum.0 + one.offered, sum.1 + one.forwarded));
    (sorted(batches.iter().flat_map(texts).collect()), query.done_without(), counts)
}

#[test]
fn answers_through_a_switch_elsewhere_are_those_of_datafusion() {
    let (folder, switch) = (tables(3000), switch(64 << 20));
    let elsewhere = at(&switch, token(), Duration::from_secs(20));
    block_on(async {
        let (cluster, _folders) = start(folder.path(), 2).await;
        for sql in PROGRAMS {
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            for way in WAYS {
                let threads = Settings { switch: elsewhere.clone(), ..switched(3, way) };
                let set = threads.set.clone();
                let processes = Settings { switch: elsewhere.clone(), set, ..cluster.clone() };
                for settings in [threads, processes] {
                    let (answer, without, counts) = run(sql, folder.path(), &settings).await;
                    assert_eq!(answer, expected, "{sql}, {way:?}");
                    assert_eq!(without, [""; 0], "{sql}, {way:?}");
                    let every = way == ROWS;
                    assert!(!every || counts.1 < counts.0, "{sql}, {way:?}: {counts:?}");
                }
            }
        }
    });
}

/// A switch that refuses a query names the reason, and the engine has the answer.
#[test]
fn a_query_that_is_refused_is_done_by_the_engine() {
    let (folder, small) = (tables(3000), switch(100 << 10));
    let gone = at(&switch(1 << 20), token(), TIMEOUT);
    let stranger = Token::new("another").expect("a token");
    block_on(async {
        for (elsewhere, why) in [
            (at(&small, stranger, TIMEOUT), "token"),
            (at(&small, token(), TIMEOUT), "bytes of switch memory"),
            (gone, "no netfold switch answers"),
        ] {
            for sql in [PROGRAMS[1], PROGRAMS[4], PROGRAMS[7]] {
                let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
                let settings = Settings { switch: elsewhere.clone(), ..switched(2, ROWS) };
                let (answer, without, counts) = run(sql, folder.path(), &settings).await;
                assert_eq!(answer, expected, "{sql}");
                assert!(without.len() == 1 && without[0].contains(why), "{without:?}");
                assert!(counts.1 < counts.0, "by the programs of the master's process");
            }
        }
    });
}

/// The switch ends after a number of rows that a seed draws; workers are threads, and processes.
/// The next query is the standby's.
#[test]
fn a_switch_that_goes_in_mid_query_takes_no_row_with_it() {
    let (folder, standby) = (tables(3000), switch(64 << 20));
    let (mut lost, mut repeated) = (0, 0);
    block_on(async {
        let (cluster, _folders) = start(folder.path(), 2).await;
        for seed in 0..24 {
            let mut random = Pcg64::seed_from_u64(seed);
            let sql = PROGRAMS[seed as usize % PROGRAMS.len()];
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            let switch = switch(64 << 20);
            let list = format!("{},{}", switch.address(), standby.address());
            let switched = Settings {
                switch: Some(Elsewhere::new(&list, Some(token()), TIMEOUT)),
                ..if seed % 3 == 0 { cluster.clone() } else { switched(2, &[]) }
            };
            let set = ROWS.iter().copied().chain(["datafusion.execution.batch_size=50"]);
            let settings = Settings { set: set.map(str::to_owned).collect(), ..switched };
            let query = match settings.cluster.is_empty() {
                true => Query::plan(sql, folder.path(), &settings).await.expect("a plan"),
                false => Query::plan_on_cluster(sql, &settings).await.expect("a plan"),
            };
            let after = random.random_range(1..2500);
            let (watch, over) = (query.watch(), AtomicBool::new(false));
            let over = &over;
            let batches = thread::scope(|scope| {
                scope.spawn(move || {
                    let offered = || watch.stats().iter().map(|one| one.offered).sum::<usize>();
                    while offered() < after && !over.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                    drop(switch);
                });
                let batches = tokio::task::block_in_place(|| {
                    tokio::runtime::Handle::current().block_on(query.run())
                });
                over.store(true, Ordering::Relaxed);
                batches
            });
            let batches = batches.unwrap_or_else(|error| panic!("seed {seed}, {sql}: {error}"));
            let answer = sorted(batches.iter().flat_map(texts).collect());
            assert_eq!(answer, expected, "seed {seed}, {sql}");
            lost += usize::from(!query.done_without().is_empty());
            repeated += query.stats().iter().map(|one| one.repeated).sum::<usize>();
            let next = Elsewhere::new(&list, Some(token()), Duration::from_secs(20));
            let settings = Settings { switch: Some(next), ..settings };
            let (answer, without, counts) = run(sql, folder.path(), &settings).await;
            assert_eq!(answer, expected, "seed {seed}, {sql}");
            assert_eq!(without, [""; 0], "seed {seed}, {sql}");
            assert!(counts.1 < counts.0, "seed {seed}, {sql}: {counts:?}");
        }
    });
    assert!(lost > 6, "{lost} of 24 queries have lost their switch");
    assert!(repeated > 0, "packets to a switch that has gone are sent again");
}

/// A table of integers by text in two files, with so many groups in each.
fn groups(files: [usize; 2], text: impl Fn(usize) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("t")).expect("a folder");
    for (file, count) in files.into_iter().enumerate() {
        let rows = (0..count).map(|group| format!("{},{}\n", text(group), 7 * group + file));
        let csv = std::iter::once("s,n\n".to_owned()).chain(rows).collect::<String>();
        std::fs::write(folder.path().join(format!("t/{file}.csv")), csv).expect("a file");
    }
    folder
}

const SUM: &str = "select s, sum(n), count(*) from t group by s";

/// R-QRY-42: a switch that is not there is not missed, since it is not asked.
#[test]
fn small_results_ask_for_nothing() {
    let folder = tables(3000);
    let gone = at(&switch(1 << 20), token(), TIMEOUT);
    block_on(async {
        let (cluster, _folders) = start(folder.path(), 2).await;
        for sql in &PROGRAMS[..7] {
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            for settings in [switched(2, &[]), cluster.clone()] {
                let settings = Settings { switch: gone.clone(), ..settings };
                let (answer, without, counts) = run(sql, folder.path(), &settings).await;
                assert_eq!(answer, expected, "{sql}");
                assert_eq!(without, [""; 0], "{sql}");
                assert_eq!(counts.0, counts.1, "{sql}");
            }
        }
    });
}

/// R-QRY-42: of a sum, a partition that is not worth the way has an attempt without rows.
#[test]
fn one_partition_is_small_and_the_other_is_not() {
    let folder = groups([5_000, 3], |group| format!("g{group}"));
    let switch = switch(64 << 20);
    block_on(async {
        let expected = sorted(rows(SUM, folder.path(), &plain(1)).await);
        let (cluster, _folders) = start(folder.path(), 2).await;
        let elsewhere = at(&switch, token(), Duration::from_secs(20));
        let set = vec!["netfold.small=2000".to_owned()];
        let settings = Settings { switch: elsewhere, set, ..cluster };
        let (answer, without, counts) = run(SUM, folder.path(), &settings).await;
        assert_eq!(answer, expected);
        assert_eq!(without, [""; 0]);
        assert_eq!(counts, (5_003, 3));
    });
}

/// R-QRY-41: what crosses links is 24 bytes of a row whose key is the text, and no text.
#[test]
fn short_texts_do_not_follow_their_sums() {
    const GROUPS: usize = 2000;
    for (switch, of_each) in [(None, 24), (Some(switch(64 << 20)), 0)] {
        for (long, text) in [("", 8), ("9", 9)] {
            let folder = groups([GROUPS; 2], |group| format!("g{group:07}{long}"));
            block_on(async {
                let expected = sorted(rows(SUM, folder.path(), &plain(1)).await);
                let (cluster, _folders) = start(folder.path(), 2).await;
                let elsewhere = switch.as_ref();
                let elsewhere = elsewhere.and_then(|one| at(one, token(), Duration::from_secs(20)));
                let set = WAYS[0].iter().map(|one| (*one).to_owned()).collect();
                let settings = Settings { switch: elsewhere, set, ..cluster };
                let query = Query::plan_on_cluster(SUM, &settings).await.expect("a plan");
                let batches = query.run().await.expect("an answer");
                assert_eq!(sorted(batches.iter().flat_map(texts).collect()), expected);
                let stats = &query.stats()[0];
                assert_eq!((stats.offered, stats.forwarded), (2 * GROUPS, 0));
                // A bit for each row, the plan, and what frames have beside these.
                let most = 2 * GROUPS * of_each + 30_000;
                let texts = if text > 8 { 2 * GROUPS * (8 + text) } else { 0 };
                let expected = (2 * GROUPS * of_each + texts)..(most + 2 * texts);
                assert!(expected.contains(&stats.bytes), "{text}: {stats:?}, not {expected:?}");
            });
        }
    }
}

/// R-QRY-40: a master whose process has the program has the rows already that this does not add.
#[test]
fn rows_that_are_not_added_do_not_come_again() {
    const GROUPS: usize = 2000;
    let folder = groups([GROUPS; 2], |group| format!("g{group:07}"));
    block_on(async {
        let expected = sorted(rows(SUM, folder.path(), &plain(1)).await);
        let (cluster, _folders) = start(folder.path(), 2).await;
        let set = ["netfold.small=0", "netfold.rows=2", "netfold.width=2"];
        let settings = Settings { set: set.map(str::to_owned).to_vec(), ..cluster };
        let query = Query::plan_on_cluster(SUM, &settings).await.expect("a plan");
        let batches = query.run().await.expect("an answer");
        assert_eq!(sorted(batches.iter().flat_map(texts).collect()), expected);
        let stats = &query.stats()[0];
        // Four slots take a row of each worker in.
        assert!(stats.forwarded >= 2 * GROUPS - 8, "{stats:?}");
        // A key and two columns of each row, where a row of Arrow would have 16 bytes and a text.
        assert!(stats.bytes < 2 * GROUPS * 24 + 30_000, "{stats:?}");
    });
}
