//! Calls that go on while their caller does something else.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use netfold::{CallOptions, Error, JobError, Op, Pending};

use crate::support::{WAIT_LIMIT, workers};

/// Elements of a long vector.
const LENGTH: usize = 100_000;

#[test]
fn several_are_under_way_and_come_back_in_any_order() {
    workers(
        2,
        |settings| settings,
        |comm| {
            let begin = |number: i32| comm.begin_all_reduce(vec![number; LENGTH], Op::Sum).unwrap();
            let mut pending: Vec<Pending<i32>> = (0..8).map(begin).collect();
            // Even waiting for the last first, and with another call between.
            comm.barrier().unwrap();
            while let Some(call) = pending.pop() {
                let number = pending.len() as i32;
                assert_eq!(call.wait().unwrap(), vec![2 * number; LENGTH]);
            }
        },
    );
}

/// One worker does not touch its call until the other's is done, which needs all of both vectors:
/// more than the slots take at once.
#[test]
fn a_call_goes_on_by_itself() {
    let done = Barrier::new(2);
    workers(
        2,
        |settings| settings.slots(8),
        |comm| {
            let mut tensor = vec![1_i32; LENGTH];
            let pending =
                (comm.rank() == 0).then(|| comm.begin_all_reduce(tensor.clone(), Op::Sum).unwrap());
            let other = pending.is_none().then(|| comm.all_reduce(&mut tensor, Op::Sum));
            done.wait();
            if let Some(result) = other {
                result.expect("the other's call goes on");
                assert_eq!(tensor, vec![2; LENGTH]);
            }
            if let Some(pending) = pending {
                while !pending.is_done() {
                    thread::yield_now();
                }
                // What is done may be dropped: the job goes on.
                drop(pending);
            }
            comm.barrier().unwrap();
        },
    );
}

#[test]
fn another_thread_waits_for_a_call_while_this_one_makes_the_next() {
    workers(
        2,
        |settings| settings,
        |comm| {
            let pending = comm.begin_all_reduce(vec![1_i64; LENGTH], Op::Sum).unwrap();
            thread::scope(|scope| {
                let waits = scope.spawn(move || pending.wait().unwrap());
                let mut next = [3.0_f32; 10];
                comm.all_reduce(&mut next, Op::Sum).unwrap();
                assert_eq!(next, [6.0; 10]);
                assert_eq!(waits.join().unwrap(), vec![2; LENGTH]);
            });
            // The communicator itself serves a second thread, too.
            let clone = comm.clone();
            thread::scope(|scope| scope.spawn(move || clone.barrier().unwrap()).join().unwrap());
        },
    );
}

/// The memory of a forgotten call stays, and the job goes on.
#[test]
fn a_forgotten_call_is_carried_out() {
    workers(
        2,
        |settings| settings,
        |comm| {
            std::mem::forget(comm.begin_all_reduce(vec![1_i32; LENGTH], Op::Sum).unwrap());
            let mut next = [1_i32];
            comm.all_reduce(&mut next, Op::Sum).unwrap();
            assert_eq!(next, [2]);
            comm.barrier().unwrap();
        },
    );
}

/// A call that is dropped before it is done ends the job for all.
#[test]
fn a_dropped_call_ends_the_job() {
    let dropped = Barrier::new(2);
    let errors = workers(
        2,
        |settings| settings,
        |comm| {
            if comm.rank() == 0 {
                drop(comm.begin_all_reduce(vec![1_i32; LENGTH], Op::Sum).unwrap());
                dropped.wait();
            } else {
                dropped.wait();
            }
            // What rank 0 has sent before may be all that the first call needs.
            let mut calls =
                std::iter::repeat_with(|| comm.all_reduce(&mut vec![1_i32; LENGTH], Op::Sum));
            calls.find_map(Result::err).unwrap()
        },
    );
    assert!(matches!(errors[0], Error::Job(JobError::Timeout { .. })), "{}", errors[0]);
    assert!(errors.iter().all(|error| !error.goes_on()), "{errors:?}");
}

#[test]
fn a_call_that_takes_longer_than_it_may_fails_with_the_rank_that_is_missing() {
    let over = Barrier::new(2);
    workers(
        2,
        |settings| settings,
        |comm| {
            if comm.rank() == 0 {
                let hasty = comm.with(CallOptions::new().timeout(Duration::from_millis(20)));
                let error = hasty.all_reduce(&mut [1.0_f32; 4], Op::Sum).unwrap_err();
                assert!(matches!(&error, Error::Job(JobError::Timeout { .. })), "{error}");
                assert!(error.to_string().contains("rank 1"), "{error}");
            }
            over.wait();
        },
    );
}

#[test]
fn a_closed_communicator_refuses_calls_in_every_clone() {
    workers(
        1,
        |settings| settings.timeout(WAIT_LIMIT),
        |comm| {
            let clone = comm.clone();
            comm.close();
            comm.close();
            for comm in [comm, clone] {
                assert!(matches!(comm.barrier(), Err(Error::Job(JobError::Closed))));
            }
        },
    );
}
