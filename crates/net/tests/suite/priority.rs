//! Calls of both priorities at once (R-STREAM-8 to R-STREAM-10), over real sockets on loopback and
//! through shared memory.

use std::collections::HashMap;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, over_each, workers};
use netfold_net::{
    Call, CallId, CallMemory, Collective, Communicator, ElementType, Error, Operation, Priority,
    SwitchOptions,
};

over_each! {
    an_urgent_call_overtakes_bulk,
    calls_of_both_priorities_share_the_flows,
    different_calls_are_told_in_either_stream,
    different_priorities_are_told_to_everyone,
    calls_of_both_priorities_end_where_a_worker_left,
    calls_of_both_priorities_end_with_a_worker_that_goes,
}

fn i32_sum(elements: usize, priority: Option<Priority>) -> Call {
    Call {
        priority,
        ..call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements as u64)
    }
}

/// Begins a call in place; the tensor must outlive it.
fn submit(comm: &Communicator, call: Call, tensor: &mut [u8]) -> Result<CallId, Error> {
    let start = tensor.as_mut_ptr();
    // SAFETY: the tests keep the tensor, and look at it only when the call is done.
    comm.submit(
        call,
        unsafe { CallMemory::from_raw(start, tensor.len(), start, tensor.len()) },
        true,
    )
}

fn completed(comm: &Communicator) -> (CallId, Result<(), Error>) {
    comm.next_completion(WAIT_LIMIT.unwrap()).expect("a call completes")
}

/// R-STREAM-10: a call that is made after a large one is done before it, by its length or since its
/// caller wants it so.
fn an_urgent_call_overtakes_bulk(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (large, small) = (16 << 20, 1000);
    workers(
        &switch,
        way,
        2,
        |_| (),
        |comm| {
            for (first, second) in [(None, None), (Some(Priority::Bulk), Some(Priority::Urgent))] {
                let (mut bulk, mut urgent) = (bytes(&vec![1; large]), bytes(&vec![2; small]));
                let bulk_id = submit(&comm, i32_sum(large, first), &mut bulk).unwrap();
                let urgent_id = submit(&comm, i32_sum(small, second), &mut urgent).unwrap();
                for expected in [urgent_id, bulk_id] {
                    let (id, outcome) = completed(&comm);
                    outcome.unwrap();
                    assert_eq!(id, expected);
                }
                assert!(
                    integers(&bulk).iter().all(|&x| x == 2)
                        && integers(&urgent).iter().all(|&x| x == 4)
                );
            }
        },
    );
}

/// R-STREAM-8: calls of both priorities at once, over several flows.
fn calls_of_both_priorities_share_the_flows(way: Way) {
    let switch = way.switch(SwitchOptions { cores: 2, ..SwitchOptions::default() });
    let lengths = [1, 70_000, 900, 4_096, 4_097, 30_000, 64, 129];
    workers(
        &switch,
        way,
        3,
        |request| request.packet_elements = Some(64),
        |comm| {
            for round in 0..5 {
                let value = |call: usize, i: usize| (call * 7 + i + round) as i32;
                let priorities = [None, Some(Priority::Urgent), Some(Priority::Bulk)];
                let mut calls = Vec::new();
                for (number, length) in lengths.into_iter().enumerate() {
                    let mut tensor =
                        bytes(&(0..length).map(|i| value(number, i)).collect::<Vec<_>>());
                    let made = i32_sum(length, priorities[(number + round) % 3]);
                    let id = submit(&comm, made, &mut tensor).unwrap();
                    calls.push((id, tensor));
                }
                for _ in &calls {
                    completed(&comm).1.unwrap();
                }
                for (number, (id, tensor)) in calls.iter().enumerate() {
                    assert!(
                        integers(tensor)
                            .iter()
                            .enumerate()
                            .all(|(i, &x)| x == 3 * value(number, i))
                    );
                    comm.forget(*id);
                }
            }
        },
    );
}

/// R-CTRL-6, for a call in either stream while the other is busy.
fn different_calls_are_told_in_either_stream(way: Way) {
    for (shared, different) in
        [(Priority::Urgent, Priority::Bulk), (Priority::Bulk, Priority::Urgent)]
    {
        let switch = way.switch(SwitchOptions::default());
        let messages = workers(
            &switch,
            way,
            3,
            |_| (),
            |comm| {
                let mut tensor = bytes(&[1; 100]);
                // A slow worker may hear of the mismatch before it has the first call's result.
                let first = comm.run_in_place(i32_sum(100, Some(shared)), &mut tensor, WAIT_LIMIT);
                let elements = if comm.rank() == 1 { 99 } else { 100 };
                let second = first.and_then(|()| {
                    comm.run_in_place(i32_sum(elements, Some(different)), &mut tensor, WAIT_LIMIT)
                });
                second.unwrap_err().to_string()
            },
        );
        for message in messages {
            let word = if different == Priority::Bulk { "bulk " } else { "" };
            assert!(
                message.contains(&format!("rank 1 called {word}all_reduce(sum, i32, 99 elements)")),
                "{message}"
            );
            assert!(
                message.contains(&format!("called {word}all_reduce(sum, i32, 100 elements)")),
                "{message}"
            );
        }
    }
}

/// R-CTRL-12: workers that differ in a call's priority, or in a length that decides about it, are
/// told so: by themselves within a quarter of the job's time-out, and at the time-out of the call.
fn different_priorities_are_told_to_everyone(way: Way) {
    let chosen = |rank| i32_sum(100, (rank == 1).then_some(Priority::Bulk));
    let by_length = |rank| i32_sum(if rank == 1 { 100_000 } else { 100 }, None);
    let cases: [(&(dyn Fn(u16) -> Call + Sync), &str); 2] = [
        (&chosen, "bulk all_reduce(sum, i32, 100 elements)"),
        (&by_length, "all_reduce(sum, i32, 100000 elements)"),
    ];
    for (made, said) in cases {
        for (job_timeout, call_timeout) in [
            (Duration::from_secs(4), WAIT_LIMIT),
            (WAIT_LIMIT.unwrap(), Some(Duration::from_millis(200))),
        ] {
            let switch = way.switch(SwitchOptions::default());
            let (start, all_joined) = (Instant::now(), Barrier::new(3));
            let messages = workers(
                &switch,
                way,
                3,
                |request| request.timeout = job_timeout,
                |comm| {
                    all_joined.wait();
                    let mut tensor = vec![0; 400_000];
                    comm.run_in_place(made(comm.rank()), &mut tensor, call_timeout)
                        .unwrap_err()
                        .to_string()
                },
            );
            assert!(start.elapsed() < Duration::from_secs(5));
            for message in messages {
                assert!(message.contains(&format!("rank 1 called {said}")), "{message}");
                assert!(message.contains("called all_reduce(sum, i32, 100 elements)"), "{message}");
                assert!(message.contains("with the same priority"), "{message}");
            }
        }
    }
}

/// R-CTRL-5 over both streams: what the worker that left has called completes, and later calls
/// fail, whatever their priorities.
fn calls_of_both_priorities_end_where_a_worker_left(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let all_submitted = Barrier::new(2);
    workers(
        &switch,
        way,
        2,
        |_| (),
        |comm| {
            let lengths = [2_000_000, 100, 50_000, 10];
            let mut tensors: Vec<_> =
                lengths.iter().map(|length| bytes(&vec![1; *length])).collect();
            let mut submitted = Vec::new();
            let calls = if comm.rank() == 0 { 2 } else { 4 };
            for (length, tensor) in lengths.iter().zip(&mut tensors).take(calls) {
                submitted.push(submit(&comm, i32_sum(*length, None), tensor).unwrap());
            }
            all_submitted.wait();
            // The short call that fails may end before the long one that completes.
            let outcomes: HashMap<_, _> = submitted.iter().map(|_| completed(&comm)).collect();
            for id in &submitted[..2] {
                assert!(matches!(outcomes[id], Ok(())), "{outcomes:?}");
            }
            for id in &submitted[2..] {
                let left: Result<(), _> = Err(Error::PeerLeft { rank: 0, calls: 2 });
                assert_eq!(format!("{:?}", outcomes[id]), format!("{left:?}"));
            }
            assert!(tensors[..2].iter().all(|tensor| integers(tensor).iter().all(|&x| x == 2)));
            if calls == 2 {
                comm.close();
            }
        },
    );
}

/// R-CTRL-4 over both streams: nothing of either is left behind when a worker goes without leave.
fn calls_of_both_priorities_end_with_a_worker_that_goes(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let all_submitted = Barrier::new(3);
    workers(
        &switch,
        way,
        3,
        |_| (),
        |comm| {
            let calls = [
                i32_sum(1_000_000, None),
                i32_sum(100, None),
                i32_sum(8_000_000, None),
                i32_sum(10, None),
                i32_sum(10, Some(Priority::Bulk)),
            ];
            let mut tensors = calls.map(|call| bytes(&vec![1; call.elements as usize]));
            let mut ids = Vec::new();
            let mut pairs = calls.into_iter().zip(&mut tensors);
            for (call, tensor) in pairs.by_ref().take(2) {
                ids.push(submit(&comm, call, tensor).unwrap());
            }
            for _ in 0..2 {
                completed(&comm).1.unwrap();
            }
            if comm.rank() == 2 {
                // It goes in the middle of the third call, and does not make the others.
                all_submitted.wait();
                let (call, tensor) = pairs.next().expect("there is a third call");
                submit(&comm, call, tensor).unwrap();
                return comm.close();
            }
            for (call, tensor) in pairs {
                ids.push(submit(&comm, call, tensor).unwrap());
            }
            all_submitted.wait();
            let outcomes: HashMap<_, _> = (2..5).map(|_| completed(&comm)).collect();
            for id in &ids[3..] {
                let error = outcomes[id].as_ref().unwrap_err().to_string();
                assert!(error.contains("rank 2"), "{error}");
            }
        },
    );
}
