//! Several threads of a worker.

use std::thread;

use netfold_num::{ElementType, Operation};
use netfold_worker::{Collective, Priority, Reduction};

use super::*;
use crate::switch::{Switch, SwitchOptions};

/// Longer than anything takes here, so that what hangs fails.
const WAIT_LIMIT: Option<Duration> = Some(Duration::from_secs(20));

/// A short call that does not take the eager path.
const IN_A_SLOT: Call = Call {
    collective: Collective::AllReduce,
    reduction: Reduction::Fold(Operation::Sum),
    element_type: ElementType::U8,
    elements: 1,
    priority: Some(Priority::Bulk),
};

/// The communicator of a worker of two.
fn worker(switch: &Switch, rank: u16) -> Communicator {
    let request = JoinRequest::new("threads", rank, 2);
    let address = switch.address().to_string();
    Communicator::connect(&address, request, |_| ControlFlow::Continue(()))
        .expect("the other one comes")
}

/// The communicators of both.
fn both(switch: &Switch) -> [Communicator; 2] {
    thread::scope(|scope| {
        let workers = [0, 1].map(|rank| scope.spawn(move || worker(switch, rank)));
        workers.map(|worker| worker.join().expect("it joins"))
    })
}

/// A call whose caller finds another one driving goes on when that one has what it waited for.
#[test]
fn who_waits_while_another_drives_is_not_left_behind() {
    let switch = Switch::start(&SwitchOptions::default()).expect("a switch");
    let [here, there] = both(&switch);
    let Inner { call_table, flows, .. } = &**here.inner().unwrap();
    // SAFETY: a barrier has no memory.
    let nothing = || unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
    let calls = [0, 1].map(|_| here.begin(Call::BARRIER, nothing()).expect("the job goes on"));
    thread::scope(|scope| {
        let waits = |id: CallId| {
            let here = &here;
            scope.spawn(move || here.poll(id, WAIT_LIMIT))
        };
        let first = waits(calls[0]);
        while flows[0].drive(Some(Duration::ZERO), || true) {
            thread::yield_now();
        }
        let second = waits(calls[1]);
        while call_table.waiting() == 0 {
            thread::yield_now();
        }
        for waiting in [first, second] {
            there
                .run(Call::BARRIER, &[], &mut [], WAIT_LIMIT)
                .expect("the other worker has called it");
            assert!(
                matches!(waiting.join().expect("a thread that waits"), Some(Ok(()))),
                "nobody drives it"
            );
        }
    });
}

/// R-CTRL-7, R-RES-2: a caller that waits for a slot which another process has died with is set
/// free when its own worker knows that the epoch is over. The switch, whose memory it is, need not
/// have noticed.
#[test]
fn nobody_waits_for_the_slot_of_the_dead() {
    let switch = Switch::start(&SwitchOptions::default()).expect("a switch");
    for suspends in [false, true] {
        let [here, there] = both(&switch);
        let inner = here.inner().unwrap();
        inner.epoch().memory.get().expect("workers of one host have the switch's memory").seize(0);
        thread::scope(|scope| {
            let caller = scope.spawn(|| here.run(IN_A_SLOT, &[0], &mut [0], WAIT_LIMIT));
            while lock(&inner.part).made() == 0 {
                thread::yield_now();
            }
            if suspends {
                assert!(inner.suspend().is_ok(), "its flow answers");
            }
            inner.abort(Error::Closed);
            assert!(matches!(caller.join().expect("a caller"), Err(Error::Closed)));
        });
        drop(there);
    }
}
