//! Subgroups, and messages between two workers.

use std::thread;
use std::time::Duration;

use netfold::{CallOptions, Communicator, Error, JobError, Op, Transport};

use crate::support::workers;

/// R-CTRL-22: several at once, some of the same ranks, with ranks of their own.
#[test]
fn subgroups_are_jobs_of_their_own() {
    for transport in [Transport::Shm, Transport::Udp] {
        workers(
            4,
            |settings| settings.transport(transport),
            |comm| {
                let rank = comm.rank();
                let pair = if rank % 2 == 0 { [2, 0] } else { [1, 3] };
                let first = comm.subgroup(&pair).unwrap();
                let second = comm.subgroup(&pair).unwrap();
                assert_eq!(
                    usize::from(first.rank()),
                    pair.iter().position(|of| *of == rank).unwrap()
                );
                assert_eq!((first.size(), second.size(), comm.size()), (2, 2, 4));
                let sum = |of: &netfold::Communicator| {
                    let mut vector = vec![i32::from(rank); 1000];
                    of.all_reduce(&mut vector, Op::Sum).unwrap();
                    assert!(vector.iter().all(|sum| *sum == vector[0]));
                    vector[0]
                };
                // Calls of different jobs have no order.
                let (a, b) = if rank == 0 {
                    let b = sum(&second);
                    (sum(&first), b)
                } else {
                    std::thread::scope(|scope| {
                        let b = scope.spawn(|| sum(&second));
                        (sum(&first), b.join().unwrap())
                    })
                };
                let wanted = i32::from(pair[0] + pair[1]);
                assert_eq!((a, b, sum(&comm)), (wanted, wanted, 6));
                // One that is left is made again.
                drop(first);
                let third = comm.subgroup(&pair).unwrap();
                assert_eq!(sum(&third), wanted);
                let alone = comm.subgroup(&[rank]).unwrap();
                assert_eq!(sum(&alone), i32::from(rank));
            },
        );
    }
}

#[test]
fn subgroups_that_cannot_be_are_refused_and_the_job_goes_on() {
    workers(
        2,
        |settings| settings,
        |comm| {
            for ranks in [&[][..], &[1 - comm.rank()], &[0, 1, 2], &[0, 0, 1]] {
                let Err(error) = comm.subgroup(ranks) else { panic!("{ranks:?} is no subgroup") };
                assert!(error.goes_on(), "{error}");
                let message = error.to_string();
                assert!(message.contains(&format!("{ranks:?}")), "{message}");
            }
            assert!(comm.send(&[1_u8], comm.rank(), 0).is_err(), "a message to oneself");
            comm.barrier().unwrap();
        },
    );
}

/// R-STREAM-15: in order for each tag, whatever their lengths; other tags and the other direction
/// have an order of their own.
#[test]
fn messages_arrive_in_the_order_of_their_tag() {
    for transport in [Transport::Shm, Transport::Udp] {
        workers(
            3,
            |settings| settings.transport(transport),
            |comm| {
                let (rank, lengths) = (comm.rank(), [1, 0, 100_000, 7]);
                let message = |number: usize, from: u16| -> Vec<i64> {
                    (0..lengths[number] as i64)
                        .map(|at| at * 5 + number as i64 + i64::from(from) * 1_000_003)
                        .collect()
                };
                let (next, before) = ((rank + 1) % 3, (rank + 2) % 3);
                let send = |tag| {
                    (0..4).for_each(|number| comm.send(&message(number, rank), next, tag).unwrap());
                };
                let receive = |tag| {
                    for (number, length) in lengths.into_iter().enumerate() {
                        let mut got = vec![0; length];
                        comm.recv(&mut got, before, tag).unwrap();
                        assert!(got == message(number, before), "message {number} of {before}");
                    }
                };
                std::thread::scope(|scope| {
                    scope.spawn(|| send(0));
                    scope.spawn(|| send(7));
                    receive(7);
                    receive(0);
                });
                comm.barrier().unwrap();
            },
        );
    }
}

/// The two of them are told, and nobody else.
#[test]
fn a_message_of_another_length_is_a_mismatch_of_the_two() {
    workers(
        3,
        |settings| settings,
        |comm| {
            let told = match comm.rank() {
                0 => comm.send(&[1.0_f32; 3], 2, 0),
                2 => comm.recv(&mut [0.0_f32; 4], 0, 0),
                _ => Ok(()),
            };
            if let Err(Error::Job(error)) = &told {
                let message = error.to_string();
                let both = ["message(12 bytes)", "message(16 bytes)"];
                assert!(both.iter().all(|call| message.contains(call)), "{message}");
            }
            assert_eq!(told.is_err(), comm.rank() != 1);
            let mut sum = [1];
            comm.all_reduce(&mut sum, Op::Sum).unwrap();
            assert_eq!(sum, [3]);
        },
    );
}

type Meeting = fn(&Communicator) -> Result<(), Error>;

/// Ways to wait for the other of two workers.
const MEETINGS: [Meeting; 3] = [
    |comm| comm.subgroup(&[0, 1]).map(drop),
    |comm| comm.send(&[1_u8], 1 - comm.rank(), 0),
    |comm| comm.recv(&mut [0_u8], 1 - comm.rank(), 0),
];

/// R-CTRL-22: one that leaves the job joins nothing any more, and the other does not wait for it.
#[test]
fn nobody_waits_for_a_worker_that_has_left() {
    for meet in MEETINGS {
        workers(
            3,
            |settings| settings,
            |comm| {
                // Worker 2 is told, and needs nothing of worker 1.
                let told = match comm.rank() {
                    0 => meet(&comm),
                    1 => Ok(()),
                    _ => comm.barrier(),
                };
                let left =
                    matches!(&told, Err(Error::Job(JobError::PeerLeft { rank: 1, calls: 0 })));
                assert!(left || comm.rank() == 1, "{told:?}");
            },
        );
    }
}

/// R-CTRL-22: in the middle of a wait as well as before it.
#[test]
fn a_job_that_fails_ends_the_waits_for_others() {
    for meet in MEETINGS {
        workers(
            2,
            |settings| settings,
            |comm| {
                thread::scope(|scope| {
                    let waits = scope.spawn(|| (comm.rank() == 0).then(|| meet(&comm)));
                    let told = comm.all_reduce(&mut vec![0; 5 + usize::from(comm.rank())], Op::Sum);
                    let mismatch = |told: &Result<(), Error>| {
                        told.as_ref().is_err_and(|error| error.to_string().contains("5 elements"))
                    };
                    let waited = waits.join().unwrap();
                    assert!(mismatch(&told), "{told:?}");
                    assert!(waited.as_ref().is_none_or(mismatch), "{waited:?}");
                });
            },
        );
    }
}

/// R-CTRL-22: joining is no call, which could differ from those of others: its time ends it.
#[test]
fn a_wait_for_others_ends_with_its_time_and_the_job_goes_on() {
    for meet in MEETINGS {
        workers(
            2,
            |settings| settings,
            |comm| {
                if comm.rank() == 0 {
                    let hurried = comm.with(CallOptions::new().timeout(Duration::from_millis(300)));
                    let told = meet(&hurried).unwrap_err();
                    assert!(told.goes_on(), "{told}");
                    let Error::Job(JobError::NotMet { ranks, missing, .. }) = told else {
                        panic!("{told}")
                    };
                    assert_eq!((ranks.len(), missing), (2, vec![1]));
                    let mut sum = [1];
                    hurried.with(CallOptions::new()).all_reduce(&mut sum, Op::Sum).unwrap();
                    assert_eq!(sum, [2]);
                } else {
                    comm.all_reduce(&mut [1], Op::Sum).unwrap();
                }
            },
        );
    }
}
