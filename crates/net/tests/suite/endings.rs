//! Ends of jobs when several things happen at the same moment: every wait is over soon, with each
//! transport to the slots.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use netfold_net::{Call, Collective, ElementType, Error, Operation, SwitchOptions};

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, joining, over_each, workers};

over_each! {
    workers_give_up_at_the_same_moment,
    a_job_without_calls_ends_well,
    the_first_rank_leaves_before_the_others_have_what_it_has,
}

/// R-CTRL-12: the worker whose time is over first has the switch ask the others, who are about to
/// give up themselves.
fn workers_give_up_at_the_same_moment(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 1);
    for _ in 0..60 {
        let (together, over) = (Barrier::new(3), Barrier::new(4));
        let body = |comm: netfold_net::Communicator| {
            let outcome = (comm.rank() != 3).then(|| {
                together.wait();
                let start = Instant::now();
                let outcome = comm.run_in_place(sum, &mut [0; 4], Some(Duration::from_millis(20)));
                (outcome, start.elapsed())
            });
            over.wait();
            outcome
        };
        for (outcome, took) in workers(&switch, way, 4, |_| (), body).into_iter().flatten() {
            assert!(
                matches!(outcome, Err(Error::Timeout { .. } | Error::Failed(_))),
                "{outcome:?}"
            );
            assert!(Some(took) < WAIT_LIMIT, "{took:?}");
        }
    }
}

/// R-CTRL-11: a leader that has nothing to do is done before the others have fetched its memory.
fn a_job_without_calls_ends_well(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    for _ in 0..200 {
        joining(&switch, way, 5, |_| (), |joined| joined.unwrap().close());
    }
}

/// R-CTRL-5: nobody needs rank 0, which leads its host, for calls that it has completed.
fn the_first_rank_leaves_before_the_others_have_what_it_has(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 3000);
    for _ in 0..30 {
        workers(
            &switch,
            way,
            4,
            |_| (),
            |comm| {
                let mut tensor = bytes(&vec![i32::from(comm.rank()); 3000]);
                comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
                assert!(integers(&tensor).iter().all(|&x| x == 6));
                comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
            },
        );
    }
}
