//! Several threads of a worker.

use std::thread;

use netfold_management::Transport;
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
    connect(switch, JoinRequest::new("threads", rank, 2))
}

fn connect(switch: &Switch, request: JoinRequest) -> Communicator {
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

/// A switch with three threads, and the communicators of two workers that reach it over UDP.
fn with_three_flows() -> (Switch, [Communicator; 2]) {
    let switch = Switch::start(&SwitchOptions { cores: 3, ..SwitchOptions::default() });
    let switch = switch.expect("a switch");
    let workers = thread::scope(|scope| {
        let workers = [0, 1].map(|rank| {
            let transport = Some(Transport::Udp);
            let request = JoinRequest { transport, ..JoinRequest::new("threads", rank, 2) };
            let switch = &switch;
            scope.spawn(move || connect(switch, request))
        });
        workers.map(|worker| worker.join().expect("it joins"))
    });
    (switch, workers)
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

/// Makes `rounds` all-reduces of `elements` bytes at both workers, and checks the sums.
fn sums(workers: &[Communicator; 2], elements: usize, rounds: u8) {
    let call = Call { elements: elements as u64, ..IN_A_SLOT };
    thread::scope(|scope| {
        for (rank, worker) in (0..).zip(workers) {
            scope.spawn(move || {
                for round in 0..rounds {
                    let (input, mut output) = (vec![round + rank; elements], vec![0; elements]);
                    worker.run(call, &input, &mut output, WAIT_LIMIT).expect("both have called");
                    assert_eq!(output, vec![2 * round + 1; elements]);
                }
            });
        }
    });
}

/// A call whose only block is on the first of several flows is driven by its caller (R-STREAM-2).
#[test]
fn a_short_call_on_several_flows_needs_no_other_thread() {
    let (_switch, workers) = with_three_flows();
    let [here, there] = workers.each_ref().map(|worker| worker.inner().unwrap());
    let requests = || {
        let flows = here.flows.iter().chain(&there.flows);
        flows.map(Flow::background_requests).sum::<u64>()
    };
    assert_eq!((here.flows.len(), there.flows.len()), (3, 3));
    sums(&workers, 1, 100);
    assert_eq!(requests(), 0, "callers have driven");
    // What more than one flow has, the flows' threads drive.
    sums(&workers, 100_000, 10);
    assert!(requests() > 0);
    // They may have the locks a moment longer than the calls take.
    let mut again = (0..1_000).map(|_| {
        let before = requests();
        sums(&workers, 1, 10);
        requests() == before
    });
    assert!(again.any(|quiet| quiet), "callers drive again");
}

/// A short call goes on without its caller where there are several flows, too; and beside a long
/// one.
#[test]
fn a_short_call_on_several_flows_may_be_left_and_overtaken() {
    let (_switch, workers) = with_three_flows();
    let [here, there] = &workers;
    // SAFETY: a barrier has no memory.
    let nothing = || unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
    let left = here.begin(Call::BARRIER, nothing()).expect("the job goes on");
    assert!(here.poll(left, Some(Duration::from_millis(1))).is_none(), "the other one is missing");
    there.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).expect("both have called");
    assert!(matches!(here.inner().unwrap().call_table.wait(left, WAIT_LIMIT), Some(Ok(()))));
    const LONG: usize = 1 << 20;
    let long = Call { elements: LONG as u64, ..IN_A_SLOT };
    thread::scope(|scope| {
        for worker in &workers {
            scope.spawn(move || {
                let (input, mut output) = (vec![3; LONG], vec![0; LONG]);
                // SAFETY: both vectors live until the calls are done.
                let memory = unsafe {
                    CallMemory::from_raw(input.as_ptr(), LONG, output.as_mut_ptr(), LONG)
                };
                let before = worker.submit(long, memory, false).expect("the job goes on");
                let short = worker.begin(Call::BARRIER, nothing()).expect("the job goes on");
                for id in [short, before] {
                    assert!(matches!(worker.wait(id, WAIT_LIMIT), Ok(())));
                }
                assert!(output.iter().all(|&sum| sum == 6));
            });
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
        inner
            .epoch()
            .memory
            .get()
            .expect("workers of one host have the switch's memory")
            .segment
            .seize(0);
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
