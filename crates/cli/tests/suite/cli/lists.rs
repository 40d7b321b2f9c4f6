//! `netfold server`: tables that go on at other servers, which are killed meanwhile (R-SERVE-18 to
//! 23).

use std::array;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use netfold_sparse_net::SparseTable;

use super::server::{ROWS, Running, on, options, rows};

/// Kills that must come while the table is on its way.
const KILLS: u32 = 24;

/// The servers of the lists, which come one after the other.
const LISTS: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// Sums of whole numbers are exact: each push is in them once, although former and next servers
/// were killed again and again at any time of a move.
#[test]
fn moves_lose_nothing_when_former_and_next_servers_are_killed() {
    let folders: [_; 3] = array::from_fn(|_| tempfile::tempdir().unwrap());
    let mut servers: [_; 3] =
        array::from_fn(|at| Running::start("127.0.0.1:0", folders[at].path()));
    let addresses: [_; 3] = array::from_fn(|at| servers[at].address.clone());
    let list = |at: usize| LISTS[at % 3].map(|one| addresses[one].clone());
    let [moving, moved, killed] = array::from_fn(|_| AtomicU32::new(0));
    let (last, expected) = (AtomicU32::new(u32::MAX), Mutex::new(vec![0.0; ROWS as usize]));
    thread::scope(|scope| {
        let workers = [0, 1].map(|rank| {
            let (moving, moved, killed, last) = (&moving, &moved, &killed, &last);
            let (expected, list) = (&expected, &list);
            scope.spawn(move || {
                let mut options = options(rank, 2, None, &[]);
                options.servers = list(0).to_vec();
                let table = SparseTable::open(options, None, &mut on).unwrap();
                for at in 1.. {
                    (0..10).for_each(|push| pushed(&table, push * 7 + u32::from(rank), expected));
                    moving.fetch_add(1, SeqCst);
                    table.set_servers(&list(at as usize), &mut on).unwrap();
                    moved.fetch_add(1, SeqCst);
                    if rank == 0 && killed.load(SeqCst) >= KILLS {
                        // The other one is at most one move ahead or behind.
                        last.fetch_min(at + 2, SeqCst);
                    }
                    if at == last.load(SeqCst) {
                        break;
                    }
                }
                pushed(&table, 5, expected);
                table.flush(&mut on).unwrap();
            })
        });
        let over = || workers.iter().all(thread::ScopedJoinHandle::is_finished);
        let (mut seen, mut faults) = (0, 0..);
        while !over() {
            if moving.load(SeqCst) <= seen {
                thread::yield_now();
                continue;
            }
            // Two calls a move: in every other move a second server is killed while it goes on.
            let calls = moving.load(SeqCst);
            seen = calls.next_multiple_of(2);
            for fault in faults.by_ref().take(1 + seen as usize / 2 % 2) {
                // The time of the fault: from the announcement to the end of the move.
                thread::sleep(Duration::from_micros(fault * 2711 % 40_000));
                killed.fetch_add(u32::from(moved.load(SeqCst) < seen), SeqCst);
                let at = fault as usize % 3;
                servers[at].kill();
                servers[at] = Running::start(&addresses[at], folders[at].path());
            }
        }
    });
    // All is stored, and found by the servers that the table had first.
    let mut options = options(0, 1, None, &[]);
    options.servers = list(0).to_vec();
    let table = SparseTable::open(options, None, &mut on).unwrap();
    assert!(rows(&table) == *expected.lock().unwrap(), "another run finds other sums");
}

/// Pushes whole numbers, and counts them as expected.
fn pushed(table: &SparseTable, push: u32, expected: &Mutex<Vec<f32>>) {
    let keys: Vec<u32> = (0..ROWS).filter(|key| (key + push).is_multiple_of(3)).collect();
    let gradients: Vec<f32> = keys.iter().map(|key| ((key * 7 + push) % 13) as f32 - 6.0).collect();
    table.push(&keys, &gradients, &mut on).unwrap();
    let mut expected = expected.lock().unwrap();
    keys.iter().zip(gradients).for_each(|(key, gradient)| expected[*key as usize] -= gradient);
}
