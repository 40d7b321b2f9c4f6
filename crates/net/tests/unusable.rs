//! Shared memory that a faulty process has written to. One test, since it looks for the memory
//! among all that the process has open.

use std::fs::{self, OpenOptions};
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use netfold_net::{
    Call, Collective, Communicator, ElementType, Error, Failure, Finding, JoinRequest, Operation,
    Priority, Query, Reduction, Report, Switch, SwitchOptions, Transport, query,
};

/// Far more than are made before one fails.
const CALLS: usize = 100_000;

/// Longer than anything takes here, so that what hangs fails.
const WAIT_LIMIT: Option<Duration> = Some(Duration::from_secs(20));

const SUM: Call = Call {
    collective: Collective::AllReduce,
    reduction: Reduction::Fold(Operation::Sum),
    element_type: ElementType::I32,
    elements: 1,
    priority: None,
};

/// R-CTRL-10, R-CTRL-11: whoever finds it so fails the job, so that nobody waits: a worker, or the
/// leader where results come from the switch.
#[test]
fn memory_that_is_unusable_ends_the_job_for_everyone() {
    let udp = Some(Transport::Udp);
    // Bulk calls take slots, and short ones that are not take the eager path (R-EAGER-1).
    let slots = Some(Priority::Bulk);
    for (transport, last, priority) in [
        (None, None, slots),
        (None, None, None),
        (udp, None, slots),
        (udp, None, None),
        (udp, udp, None),
    ] {
        let sum = Call { priority, ..SUM };
        let switch =
            Switch::start(&SwitchOptions { transport, ..SwitchOptions::default() }).unwrap();
        let address = switch.address().to_string();
        let all = Barrier::new(3);
        let worker = |rank: u16| {
            let request = JoinRequest {
                transport: last.filter(|_| rank == 2),
                slots: Some(2),
                ..JoinRequest::new("unusable", rank, 3)
            };
            let comm =
                Communicator::connect(&address, request, |_| ControlFlow::Continue(())).unwrap();
            // One that still joins when the job fails has no communicator.
            all.wait();
            if rank == 2 && last.is_some() {
                wait_until_the_switch_waits_for_rank_2(&address);
            }
            // What the switch has folded, a worker on another host has. Cells are spoiled before
            // each call: rank 2 puts right what it posts, and may be the first to post for many
            // rounds.
            let call = || {
                if rank == 2 {
                    spoil(last.is_none() && priority.is_none());
                }
                comm.run_in_place(sum, &mut [0; 4], WAIT_LIMIT)
            };
            let mut calls = std::iter::repeat_with(call).take(CALLS);
            let error = calls.find_map(Result::err);
            // The communicator is closed when all have their errors: nobody gets one for that.
            all.wait();
            error.expect("calls are made until one fails")
        };
        let errors: Vec<Error> = thread::scope(|scope| {
            let worker = &worker;
            let workers: Vec<_> = (0..3).map(|rank| scope.spawn(move || worker(rank))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let found = |error: &Error| {
            matches!(error, Error::Io { .. }) && error.to_string().contains("never writes there")
        };
        let told = |error: &Error| matches!(error, Error::Failed(Failure::WorkerLost { .. }));
        assert!(errors.iter().any(found), "{errors:?}");
        assert!(errors.iter().all(|error| found(error) || told(error)), "{errors:?}");
    }
}

/// Until then, the others have not contributed.
fn wait_until_the_switch_waits_for_rank_2(address: &str) {
    let waits = |finding: &Finding| matches!(finding, Finding::WaitingFor { rank: 2, .. });
    loop {
        let report = query(address, Query::Doctor, Duration::from_secs(5)).unwrap();
        match report {
            Report::Doctor { findings, .. } if findings.iter().any(waits) => return,
            _ => thread::yield_now(),
        }
    }
}

/// Writes what no slot can hold to the registers of each, or what no worker can have posted to the
/// cells of rank 2.
fn spoil(eager: bool) {
    // Behind the head (identity, state, a bit for each of 1,024 cores), two doorbells, the toggles
    // and the bits for the way up: a line for each slot, and in it the word of small registers.
    const AT: u64 = 2 * 64 + 1024 / 8 + 4 * 64 + 6 * 4;
    // At the end, for the last rank: 16 cells for messages of 2 KiB, and 16 for those of barriers.
    const CELL_BYTES: [u64; 2] = [64, 2048 + 64];
    let open = fs::read_dir("/proc/self/fd").unwrap().map(|entry| entry.unwrap().path());
    let ours = |path: &std::path::PathBuf| {
        fs::read_link(path).is_ok_and(|to| to.to_string_lossy().contains("memfd:netfold"))
    };
    for memory in open.filter(ours) {
        // The switch may have let go of the memory of a job that has failed.
        let Ok(memory) = OpenOptions::new().write(true).open(memory) else { continue };
        if eager {
            let end = memory.metadata().unwrap().len();
            let cells = (1..=32).scan(end, |at, index| {
                *at -= CELL_BYTES[usize::from(index > 16)];
                Some(*at)
            });
            cells.for_each(|at| memory.write_all_at(&[0xFF; 8], at).unwrap());
        } else {
            (0..4).for_each(|slot| memory.write_all_at(&[0xFF; 4], AT + 64 * slot).unwrap());
        }
    }
}
