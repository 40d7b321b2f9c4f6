//! R-SERVE-16: learning rates that change within a run.

use netfold_sparse::optimizer::{Adagrad, Optimizer, Sgd};
use netfold_sparse::{Change, Hello, Request};

use crate::cluster::hello;
use crate::driver::{Driver, answered, assert_names, change, end_step, why};

/// A worker of two at a server alone; a row is minus its gradients times their rates.
fn worker(rank: u16, staleness: Option<u32>) -> Hello {
    let mut hello = hello(rank, 2, 1);
    hello.table.optimizer = Optimizer::Sgd(Sgd { lr: 1.0, ..Sgd::default() });
    (hello.table.staleness, hello.switch) = (staleness, None);
    hello
}

fn push(row: f32) -> Change {
    Change::Push { keys: vec![1], rows: vec![row].into() }
}

fn row(driver: &mut Driver, at: u64) -> f32 {
    let replies = driver.send(at, Request::Pull { id: 1, step: None, keys: vec![1] });
    answered(&replies)[0].1
}

/// The rate of a step is that of the last change for it or an earlier one, also if a worker is a
/// step ahead of the others, and also in a process that has read the log or a checkpoint.
#[test]
fn a_synchronous_step_is_applied_with_its_own_rate() {
    for checkpoint in [None, Some(false), Some(true)] {
        let mut driver = Driver::new();
        driver.welcome(1, &worker(0, Some(0)));
        driver.welcome(2, &worker(1, Some(0)));
        let first = [
            push(1.0),
            end_step(0),
            Change::Rate { step: 1, lr: 10.0 },
            push(1.0),
            Change::Rate { step: 1, lr: 100.0 },
            end_step(1),
            Change::Rate { step: 2, lr: 0.5 },
        ];
        for (number, one) in (1..).zip(first) {
            change(&mut driver, 1, number, one);
        }
        if let Some(checkpoint) = checkpoint {
            if checkpoint {
                driver.server.checkpoint();
                driver.replies();
            }
            driver = Driver::over(driver.store);
            driver.welcome(1, &worker(0, Some(0)));
            driver.welcome(2, &worker(1, Some(0)));
        }
        assert_eq!(row(&mut driver, 1), 0.0);
        change(&mut driver, 2, 1, push(1.0));
        change(&mut driver, 2, 2, end_step(0));
        assert_eq!(row(&mut driver, 1), -2.0);
        change(&mut driver, 2, 3, Change::Rate { step: 1, lr: 100.0 });
        change(&mut driver, 2, 4, end_step(1));
        assert_eq!(row(&mut driver, 1), -102.0);
        let last = [push(2.0), end_step(2), push(2.0), end_step(3)];
        for (number, one) in (8..).zip(last) {
            change(&mut driver, 1, number, one);
        }
        change(&mut driver, 2, 5, end_step(2));
        assert_eq!(row(&mut driver, 1), -103.0, "step 2");
        change(&mut driver, 2, 6, end_step(3));
        assert_eq!(row(&mut driver, 1), -104.0, "a rate holds until the next");
    }
}

/// Another table has a rate from when it comes, but a slower worker does not bring an old one back.
#[test]
fn a_push_is_applied_with_the_latest_rate() {
    let mut driver = Driver::new();
    driver.welcome(1, &worker(0, None));
    driver.welcome(2, &worker(1, None));
    change(&mut driver, 1, 1, push(1.0));
    change(&mut driver, 1, 2, Change::Rate { step: 5, lr: 10.0 });
    change(&mut driver, 2, 1, Change::Rate { step: 4, lr: 1000.0 });
    change(&mut driver, 2, 2, push(1.0));
    assert_eq!(row(&mut driver, 1), -11.0);
    // A change that comes again, with its number, is carried out once.
    change(&mut driver, 2, 3, Change::Rate { step: 6, lr: 2.0 });
    change(&mut driver, 1, 3, Change::Rate { step: 6, lr: 3.0 });
    change(&mut driver, 2, 3, Change::Rate { step: 6, lr: 2.0 });
    change(&mut driver, 1, 4, push(1.0));
    assert_eq!(row(&mut driver, 1), -14.0);
    // Another run begins with its own.
    let mut driver = Driver::over(driver.store);
    let mut next = worker(0, None);
    next.workers = 1;
    driver.welcome(1, &next);
    change(&mut driver, 1, 1, push(1.0));
    assert_eq!(row(&mut driver, 1), -15.0);
}

/// A run with the terms of the one before begins with its own rate, and forgets rates of steps that
/// the one before had not come to. A rank that begins anew within a run takes the run's rate.
#[test]
fn another_run_begins_with_its_own_rate() {
    for staleness in [None, Some(0)] {
        for stored in [false, true] {
            let mut driver = Driver::new();
            let hello = |rank: u16, run: u64| Hello {
                session: 10 * run + u64::from(rank),
                ..worker(rank, staleness)
            };
            driver.welcome(1, &hello(0, 1));
            driver.welcome(2, &hello(1, 1));
            for (number, step) in (1..).zip([0, 2]) {
                change(&mut driver, 1, number, Change::Rate { step, lr: 10.0 });
            }
            let step = |driver: &mut Driver, numbers: [u64; 2]| {
                for (at, number) in [(1, numbers[0]), (2, numbers[1])] {
                    change(driver, at, number, push(1.0));
                    change(driver, at, number + 1, end_step(0));
                }
                row(driver, 1)
            };
            assert_eq!(step(&mut driver, [3, 1]), -20.0);
            let mut before = -20.0;
            if staleness.is_none() {
                // One of them ends, and comes back to the run.
                driver.server.disconnected(2);
                driver.welcome(2, &hello(1, 2));
                change(&mut driver, 1, 5, push(1.0));
                change(&mut driver, 2, 1, push(1.0));
                before = row(&mut driver, 1);
                assert_eq!(before, -40.0);
            }
            for connection in [1, 2] {
                driver.server.disconnected(connection);
            }
            if stored {
                driver = Driver::over(driver.store);
            }
            driver.welcome(1, &hello(0, 3));
            driver.welcome(2, &hello(1, 3));
            let after = step(&mut driver, [1, 1]);
            assert_eq!(after, before - 2.0, "{staleness:?}, stored: {stored}");
            for (number, step) in [(3, 1), (5, 2)] {
                for at in [1, 2] {
                    change(&mut driver, at, number, push(1.0));
                    change(&mut driver, at, number + 1, end_step(step));
                }
            }
            assert_eq!(row(&mut driver, 1), after - 4.0, "no rate of the run before is left");
        }
    }
}

#[test]
fn a_rate_that_the_optimizer_cannot_have_is_refused() {
    let mut driver = Driver::new();
    let mut first = worker(0, None);
    first.table.optimizer = Optimizer::Adagrad(Adagrad::default());
    driver.welcome(1, &first);
    let replies = change(&mut driver, 1, 1, Change::Rate { step: 0, lr: -1.0 });
    assert_names(why(&replies, 1), &["adagrad: lr is -1"]);
}
