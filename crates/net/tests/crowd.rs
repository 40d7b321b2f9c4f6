//! Jobs of a thousand workers and more on real switches (R-CTRL-2): on one, and on a tree of them.
//!
//! A worker here is a control connection, a UDP socket and the state machine that real workers
//! have. One thread drives them all, so that a job costs files and no threads.

#[path = "crowd/crowd.rs"]
mod crowd;

use std::net::SocketAddr;

use crowd::{Crowd, RunningWorker, allow_files};
use netfold_management::{Failure, Loss, Message};
use netfold_net::{Query, Report, Switch, SwitchOptions, Transport, query};

/// Elements of a vector: 32 blocks of what an Ethernet frame holds.
const ELEMENTS: usize = 8192;

fn switch(parent: Option<&Switch>) -> Switch {
    let parent = parent.map(|parent| parent.address().to_string());
    let (transport, memory_bytes) = (Some(Transport::Udp), 256 << 20);
    Switch::start(&SwitchOptions { transport, memory_bytes, parent, ..SwitchOptions::default() })
        .unwrap()
}

fn value(rank: u16, index: usize) -> i32 {
    i32::from(rank) * 101 - index as i32 * 7
}

/// The sum of `value` over all ranks below `size`, by the formula of Gauss.
fn expected(size: u16) -> Vec<i32> {
    let n = i64::from(size);
    let sum = |index: usize| n * (n - 1) / 2 * 101 - n * index as i64 * 7;
    (0..ELEMENTS).map(|index| i32::try_from(sum(index)).unwrap()).collect()
}

/// Joins, sums, and checks every worker's result.
fn summed(size: u16, home: impl Fn(u16) -> SocketAddr) -> Crowd {
    let mut crowd = Crowd::join("job", size, home).unwrap_or_else(|refusal| panic!("{refusal}"));
    let results = crowd.sum(|rank| (0..ELEMENTS).map(|index| value(rank, index)).collect());
    let expected = expected(size);
    for (rank, result) in results.iter().enumerate() {
        assert!(*result == expected, "at rank {rank}");
    }
    crowd
}

fn jobs(switch: &Switch) -> usize {
    match query(&switch.address().to_string(), Query::Jobs, crowd::WAIT_LIMIT) {
        Ok(Report::Jobs { jobs, omitted: 0 }) => jobs.len(),
        other => panic!("{other:?}"),
    }
}

fn on_one_switch(size: u16) {
    // Three files for each: a worker's two, and the switch's.
    let Some(_turn) = allow_files(3 * u64::from(size)) else { return };
    let root = switch(None);
    let crowd = summed(size, |_| root.address());
    assert!(crowd.workers.iter().all(|worker| worker.welcome.workers == size));
    crowd.leave();
    assert_eq!(jobs(&root), 0);
}

fn on_a_tree(racks: usize, size: u16) {
    // Five files for each: a worker's two, two at its rack switch, and one at the root.
    let Some(_turn) = allow_files(5 * u64::from(size)) else { return };
    let root = switch(None);
    let racks: Vec<Switch> = (0..racks).map(|_| switch(Some(&root))).collect();
    let home = |rank| racks[usize::from(rank) % racks.len()].address();
    summed(size, home).leave();
    assert_eq!(jobs(&root), 0);

    // R-CTRL-4: one is lost, and every other is told which.
    let mut crowd = summed(size, home);
    let lost = size / 2;
    drop(crowd.workers.remove(usize::from(lost)));
    let cause = Failure::WorkerLost { rank: lost, why: Loss::Closed };
    for RunningWorker { control, .. } in &mut crowd.workers {
        let told = control.receive_until(|message| matches!(message, Message::Failed { .. }));
        assert_eq!(told, Some(Message::Failed { cause: cause.clone() }));
    }
}

#[test]
fn hundreds_on_one_switch() {
    on_one_switch(300);
}

#[test]
fn hundreds_on_a_tree() {
    on_a_tree(3, 300);
}

/// R-CTRL-2: as many members as a switch tells apart.
#[test]
fn the_largest_job_of_one_switch() {
    on_one_switch(1024);
}

/// R-CTRL-2: more than any one switch could take, on two of them.
#[test]
fn more_on_a_tree_than_one_switch_takes() {
    on_a_tree(2, 1100);
}

/// R-CTRL-2: as many as the addresses of one host have ports for.
#[test]
#[ignore = "takes a while and 15,000 files; `make soak` runs it"]
fn the_largest_job_of_a_tree_on_one_host() {
    on_a_tree(3, 3000);
}

/// R-CTRL-2: all are told at which switch, and what to do.
#[test]
fn one_too_many_for_a_switch_are_told_so() {
    let Some(_turn) = allow_files(3 * 1025) else { return };
    let root = switch(None);
    let Err(refusal) = Crowd::join("job", 1025, |_| root.address()) else { panic!("taken") };
    let text = refusal.to_string();
    assert!(text.contains("1025 members") && text.contains("start switches below it"), "{text}");
    assert_eq!(jobs(&root), 0);
}
