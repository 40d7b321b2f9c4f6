//! The store of a server whose process is killed (R-SERVE-8).

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use netfold_sparse::{Checkpoint, Store};
use netfold_sparse_net::FileStore;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Variable with the store of a process that this test starts and kills.
const STORE: &str = "STORE_OF_THE_TEST";

const CACHE_BYTES: usize = 16 << 20;

/// Batches between two checkpoints.
const BATCHES: u64 = 7;

/// The bytes of a batch: they tell its number, and are many at times.
fn bytes(batch: u64) -> Vec<u8> {
    let length = 1 + (batch * 7919 % 50_000) as usize;
    (0..length).map(|at| (batch as usize + at) as u8).collect()
}

/// Writes batches and checkpoints for ever, and reports each batch when it is stored.
#[test]
#[ignore = "a process of the test below"]
fn write_until_killed() {
    let Ok(path) = std::env::var(STORE) else { return };
    let store = FileStore::open(Path::new(&path), CACHE_BYTES).unwrap();
    let mut next = 1 + found(&store);
    loop {
        store.append(next, &bytes(next)).unwrap();
        println!("stored {next}");
        std::io::stdout().flush().unwrap();
        if next.is_multiple_of(BATCHES) {
            let meta = next.to_le_bytes().to_vec();
            store
                .checkpoint(&Checkpoint { through: next, meta, pages: Vec::new(), drop: false })
                .unwrap();
        }
        next += 1;
    }
}

/// The last batch that a store has. All before it must be there, once.
fn found(store: &FileStore) -> u64 {
    let meta = store.meta().unwrap();
    let mut last = meta.map_or(0, |meta| u64::from_le_bytes(meta[..].try_into().unwrap()));
    store
        .log(&mut |number, found| {
            assert_eq!(number, last + 1);
            assert_eq!(found, bytes(number), "batch {number}");
            last = number;
            Ok(())
        })
        .unwrap();
    last
}

#[test]
fn what_was_reported_stored_is_there_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data/table.redb");
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut reported = 0;
    for _ in 0..8 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "write_until_killed", "--ignored", "--nocapture"])
            .env(STORE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut left = 1 + random.next_u32() % 40;
        while left > 0 {
            let line = lines.next().expect("the process goes on").unwrap();
            if let Some((_, number)) = line.split_once("stored ") {
                reported = number.parse().unwrap();
                left -= 1;
            }
        }
        // SIGKILL, wherever it is in the next batch.
        child.kill().unwrap();
        child.wait().unwrap();
        for line in lines.map_while(Result::ok) {
            if let Some(number) = line.strip_prefix("stored ").and_then(|text| text.parse().ok()) {
                reported = number;
            }
        }
        let store = FileStore::open(&path, CACHE_BYTES).unwrap();
        let last = found(&store);
        assert!(last == reported || last == reported + 1, "{last} found, {reported} reported");
    }
    assert!(reported > 0);
}

#[test]
fn a_new_store_has_nothing_and_an_open_one_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.redb");
    let store = FileStore::open(&path, CACHE_BYTES).unwrap();
    assert_eq!(store.meta().unwrap(), None);
    assert_eq!(store.page(3).unwrap(), None);
    assert_eq!(found(&store), 0);
    let error = FileStore::open(&path, CACHE_BYTES).unwrap_err().to_string();
    assert!(
        error.contains("another server has it open") && error.contains("table.redb"),
        "{error}"
    );
}

/// A process was killed while it made the file.
#[test]
fn a_store_that_was_half_made_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.redb");
    std::fs::write(folder.path().join("a.redb.new"), [0; 4096]).unwrap();
    let store = FileStore::open(&path, CACHE_BYTES).unwrap();
    store.append(1, &bytes(1)).unwrap();
    drop(store);
    assert_eq!(found(&FileStore::open(&path, CACHE_BYTES).unwrap()), 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
