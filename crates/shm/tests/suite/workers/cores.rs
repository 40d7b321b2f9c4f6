//! Workers that share cores, and lend them to each other.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use netfold_shm::{Collected, Port, Segment, WaitMode};
use netfold_wire::{CallDigest, EagerRound, WorkerId};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::driver::spec;

/// Returns the cores that this process may run on.
fn cores() -> Vec<usize> {
    let allowed = sched_getaffinity(None).expect("a set of cores");
    (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect()
}

/// Does something on a core.
fn on<T: Send>(core: usize, something: impl FnOnce() -> T + Send) -> T {
    let bound = || {
        let mut only = CpuSet::new();
        only.set(core);
        sched_setaffinity(None, &only).expect("this process may run there");
        something()
    };
    thread::scope(|scope| scope.spawn(bound).join().expect("no panic"))
}

/// The port of a worker that is bound to a core.
fn bound(segment: &Arc<Segment>, worker: u16, core: usize) -> Port {
    on(core, || segment.port(0, WorkerId(worker)).expect("the first one"))
}

/// Workers are bound as a job's launcher binds them, and as one does that leaves cores to others.
#[test]
fn workers_that_are_bound_are_crowded_where_they_share_a_core() {
    let cores = cores();
    let ports = |second: usize| {
        let segment = Segment::create(&spec(2, 1, 64), 1).expect("memory to share");
        let mut ports = [bound(&segment, 0, cores[0]), bound(&segment, 1, second)];
        // The first has seen nobody yet, and looks about when it waits.
        assert!(ports[0].is_crowded());
        ports[0].wait(Some(Duration::ZERO), WaitMode::Caller).expect("the job goes on");
        ports.map(|port| port.is_crowded())
    };
    assert_eq!(ports(cores[0]), [true, true]);
    if let Some(&other) = cores.get(1) {
        assert_eq!(ports(other), [false, false]);
    }
}

/// Two workers on one core and a third on another: the core is lent to a worker that has posted its
/// last message there, to one that has posted none yet, and where nobody knows for whom the wait
/// is.
#[test]
fn a_core_is_lent_to_those_who_may_want_it() {
    let cores = cores();
    let &[here, there, ..] = &*cores else { return };
    let segment = Segment::create(&spec(3, 1, 64), 1).expect("memory to share");
    let places = [here, here, there];
    let mut ports: Vec<Port> =
        (0..).zip(places).map(|(rank, at)| bound(&segment, rank, at)).collect();
    let round = |number| EagerRound { queue: 0, number, call: CallDigest(1), bytes: 4 };
    let post = |port: &mut Port, core, number| {
        on(core, || port.post(&round(number), 4, |room| room.fill(1)));
    };
    let is_done = |port: &mut Port, number| {
        matches!(port.collect(&round(number), false), Ok(Collected::Done(..)))
    };
    let lends = |port: &mut Port| {
        [here, there].map(|core| {
            let port = &mut *port;
            on(core, move || port.lends_core())
        })
    };

    assert_eq!(lends(&mut ports[0]), [true, true], "no round is awaited");
    for (first, number) in [(true, 0), (false, 1)] {
        post(&mut ports[0], here, number);
        assert!(!is_done(&mut ports[0], number));
        assert_eq!(lends(&mut ports[0]), [true, true], "both are missing");
        post(&mut ports[1], here, number);
        assert_eq!(lends(&mut ports[0]), [first, true], "the third is missing");
        post(&mut ports[2], there, number);
        assert_eq!(lends(&mut ports[0]), [false, false], "nobody is missing");
        assert!(ports.iter_mut().all(|port| is_done(port, number)));
    }
    // The second goes to the other core.
    post(&mut ports[0], here, 2);
    post(&mut ports[0], here, 3);
    post(&mut ports[1], there, 2);
    post(&mut ports[2], there, 2);
    assert!(is_done(&mut ports[0], 2) && !is_done(&mut ports[0], 3));
    assert_eq!(lends(&mut ports[0]), [false, true], "both are there now");
}
