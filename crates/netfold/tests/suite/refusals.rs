//! Calls and settings that cannot be: clear errors, after which the job goes on.

use std::ops::ControlFlow;

use netfold::{Arithmetic, Communicator, Error, JobError, Op};

use crate::support::workers;

/// A call that is made and refused at every worker, before anything is sent.
fn is_refused(result: Result<(), Error>, told: &[&str]) {
    let error = result.expect_err("it cannot be");
    let message = error.to_string();
    assert!(told.iter().all(|part| message.contains(part)), "{message}");
    assert!(error.goes_on(), "{message}");
}

fn lengths_that_differ(comm: &Communicator) {
    is_refused(
        comm.all_reduce_into(&[1.0_f32; 3], &mut [0.0; 4], Op::Sum),
        &["all_reduce", "3 elements", "of 4"],
    );
    is_refused(
        comm.all_gather(&[1_u8; 3], &mut [0; 3]),
        &["all_gather", "2 workers", "all workers' inputs"],
    );
    is_refused(comm.all_gather(&[1_u8; 3], &mut [0; 7]), &["an output of 7"]);
    is_refused(comm.all_gather::<u8>(&[], &mut [0; 7]), &["an input of 0"]);
    is_refused(
        comm.reduce_scatter(&[1_i64; 5], &mut [0; 3], Op::Sum),
        &["reduce_scatter", "5 elements"],
    );
    is_refused(comm.reduce_scatter(&[1_i64; 3], &mut [0; 3], Op::Sum), &["all workers' outputs"]);
    is_refused(
        comm.begin_reduce_scatter(vec![1_i64; 3], Op::Sum).map(drop),
        &["as many elements for each worker"],
    );
}

fn parts_that_do_not_fit(comm: &Communicator) {
    let rank = comm.rank();
    is_refused(comm.all_to_all(&[1_u8; 3], &mut [0; 3]), &["all_to_all", "for each worker"]);
    is_refused(comm.all_to_all(&[1_u8; 4], &mut [0; 2]), &["all_to_all", "an output of 2"]);
    is_refused(comm.gather(&[1_u8; 4], &mut [0; 4], rank), &["gather", "at the root"]);
    is_refused(comm.scatter(&[1_u8; 4], &mut [0; 4], rank), &["scatter", "at the root"]);
    is_refused(comm.scan(&[1_i32; 4], &mut [0; 3], Op::Sum), &["scan", "an output of 3"]);
    is_refused(comm.scan(&[1.0_f32; 4], &mut [0.0; 4], Op::Average), &["scan", "no average"]);
    let lengths = &[1, 2];
    is_refused(comm.all_gather_v(&[1_u8; 9], &mut [0; 3], lengths), &["as the lengths say"]);
    is_refused(comm.all_gather_v(&[1_u8; 1], &mut [0; 3], &[1]), &["2 lengths", "not 1"]);
    is_refused(comm.all_to_all_v(&[1_u8; 1], &mut [0; 3], lengths), &["4 lengths", "not 2"]);
}

fn roots_that_are_no_ranks(comm: &Communicator) {
    for root in [2, u16::MAX] {
        let told = &[&root.to_string()[..], "ranks 0 to 1"];
        is_refused(comm.reduce(&mut [1.0_f32; 4], Op::Sum, root), told);
        is_refused(comm.broadcast(&mut [1.0_f32; 4], root), told);
        is_refused(comm.gather(&[1.0_f32; 4], &mut [0.0; 8], root), told);
        is_refused(comm.scatter(&[1.0_f32; 8], &mut [0.0; 4], root), told);
        is_refused(comm.begin_reduce(vec![1.0_f32; 4], Op::Sum, root).map(drop), told);
        is_refused(comm.begin_broadcast(vec![1.0_f32; 4], root).map(drop), told);
    }
}

fn folds_that_the_job_lacks(comm: &Communicator) {
    is_refused(comm.all_reduce(&mut [1.0_f64; 4], Op::Sum), &["block", "f64"]);
    is_refused(comm.all_reduce(&mut [1.0_f32; 4], Op::Product), &["block", "product"]);
    is_refused(comm.all_reduce(&mut [1_i32; 4], Op::Average), &["average", "integers"]);
    // Without elements, too.
    is_refused(comm.all_reduce::<f64>(&mut [], Op::Sum), &["block", "f64"]);
}

#[test]
fn wrong_calls_are_refused_by_name_and_the_job_goes_on() {
    workers(
        2,
        |settings| settings.arithmetic(Arithmetic::Block),
        |comm| {
            lengths_that_differ(&comm);
            parts_that_do_not_fit(&comm);
            roots_that_are_no_ranks(&comm);
            folds_that_the_job_lacks(&comm);
            let mut sum = [f32::from(comm.rank()) + 1.0; 5];
            comm.all_reduce(&mut sum, Op::Sum).unwrap();
            assert_eq!(sum, [3.0; 5]);
        },
    );
}

/// R-STREAM-6: workers whose calls differ are told so.
#[test]
fn calls_that_differ_fail_at_every_worker() {
    let errors = workers(
        2,
        |settings| settings,
        |comm| {
            let mut tensor = vec![1.0_f32; 100 + usize::from(comm.rank())];
            comm.all_reduce(&mut tensor, Op::Sum).unwrap_err()
        },
    );
    for error in errors {
        assert!(!error.goes_on() && error.to_string().contains("101 elements"), "{error}");
    }
}

#[test]
fn what_cannot_be_joined_is_told() {
    let refusal = |settings: netfold::Connect| settings.join().map(drop).unwrap_err();
    let error = refusal(netfold::connect("127.0.0.1:1", "nobody", 0, 1));
    assert!(
        matches!(error, Error::Job(JobError::Join(_))) && error.to_string().contains("127.0.0.1:1"),
        "{error}"
    );
    let switch = netfold::Switch::start(&netfold::SwitchOptions::default()).unwrap();
    let address = switch.address().to_string();
    assert!(refusal(netfold::connect(&address, "ranks", 2, 2)).to_string().contains("rank"));
    assert!(
        refusal(netfold::connect(&address, "slots", 0, 1).slots(3))
            .to_string()
            .contains("power of two")
    );
    let alone = netfold::connect(&address, "alone", 0, 2).on_waiting(|now| {
        assert_eq!((now.joined, now.size), (1, 2));
        ControlFlow::Break(())
    });
    assert!(matches!(refusal(alone), Error::Job(JobError::Join(_))));
}
