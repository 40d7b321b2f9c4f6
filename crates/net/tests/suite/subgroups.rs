//! More than a thousand subgroups of a job at once (R-CTRL-22), and what they leave behind.

use std::sync::Barrier;
use std::time::Instant;

use netfold_net::{
    Collective, Communicator, ElementType, Operation, Query, Report, Switch, SwitchOptions, query,
};
use rustix::process::{Resource, getrlimit, setrlimit};

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, workers};

const WORKERS: u16 = 4;

/// Subgroups that are there at once.
const SUBGROUPS: usize = 1200;

/// Files that these tests have open, and others beside them.
const FILES: u64 = 18_000;

/// The ranks of a subgroup: two of four, each pair in turn and in both orders.
fn ranks(number: usize) -> [u16; 2] {
    let first = number as u16 % WORKERS;
    [first, (first + 1 + number as u16 / WORKERS % (WORKERS - 1)) % WORKERS]
}

/// Raises the limit of open files; false, with a message, if the system does not allow as many.
fn has_files() -> bool {
    let limit = getrlimit(Resource::Nofile);
    let enough = |files: Option<u64>| files.is_none_or(|files| files >= FILES);
    let raised = rustix::process::Rlimit { current: limit.maximum, ..limit };
    let allowed = enough(limit.current)
        || enough(limit.maximum) && setrlimit(Resource::Nofile, raised).is_ok();
    if !allowed {
        eprintln!("skipped: {FILES} files are needed, and a process may have {:?}", limit.maximum);
    }
    allowed
}

/// Jobs that run at a switch, and bytes of memory that they have.
fn held(switch: &Switch) -> (usize, u64) {
    match query(&switch.address().to_string(), Query::Stats, WAIT_LIMIT.unwrap()) {
        Ok(Report::Stats(stats)) => {
            (stats.jobs_running, stats.shards.iter().map(|shard| shard.memory_used).sum())
        }
        other => panic!("{other:?}"),
    }
}

fn sum(comm: &Communicator, own: i32) -> i32 {
    let mut tensor = bytes(&[own; 100]);
    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 100);
    comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
    let sums = integers(&tensor);
    assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
    sums[0]
}

/// Each worker joins its subgroups, has all of them at once, folds in each, and leaves them. The
/// switch then has the job alone, with the memory that it had before.
fn all_at_once(way: Way) {
    if !has_files() {
        return;
    }
    let switch = way.switch(SwitchOptions { memory_bytes: 2 << 30, ..SwitchOptions::default() });
    let all = Barrier::new(WORKERS.into());
    let own = |number: usize, rank: u16| (number * 10) as i32 + i32::from(rank);
    workers(
        &switch,
        way,
        WORKERS,
        |_| (),
        |comm| {
            let before = held(&switch);
            all.wait();
            let mine = (0..SUBGROUPS).filter(|number| ranks(*number).contains(&comm.rank()));
            let subgroups: Vec<(usize, Communicator)> = mine
                .map(|number| {
                    let joined = comm.subgroup(&ranks(number), "", None, |_| {
                        std::ops::ControlFlow::Continue(())
                    });
                    (number, joined.unwrap_or_else(|error| panic!("{number}: {error}")))
                })
                .collect();
            all.wait();
            assert_eq!(held(&switch).0, before.0 + SUBGROUPS);
            for (number, subgroup) in &subgroups {
                let expected: i32 = ranks(*number).iter().map(|rank| own(*number, *rank)).sum();
                assert_eq!(sum(subgroup, own(*number, comm.rank())), expected, "{number}");
            }
            all.wait();
            drop(subgroups);
            all.wait();
            let start = Instant::now();
            while held(&switch) != before {
                let waited = start.elapsed();
                assert!(waited < WAIT_LIMIT.unwrap(), "{:?}, before {before:?}", held(&switch));
            }
            assert_eq!(sum(&comm, 1), i32::from(WORKERS));
        },
    );
}

/// One way after the other: both at once would have more files open than a process may.
#[test]
fn a_thousand_subgroups_are_there_at_once() {
    [Way::Udp, Way::Shm].into_iter().for_each(all_at_once);
}
