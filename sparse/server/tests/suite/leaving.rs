//! R-SERVE-15: workers that leave in good order.

use netfold_sparse::{Change, Hello, Pushed, Request};

use crate::cluster::{EPOCH, hello};
use crate::driver::{Driver, answered, assert_names, change, end_step, why};

/// A worker of two, in a synchronous table at servers alone.
fn synchronous(rank: u16) -> Hello {
    let mut hello = hello(rank, 2, 1);
    (hello.table.staleness, hello.switch) = (Some(0), None);
    hello
}

/// R-SERVE-15: nobody waits for a rank that has left, also not a process that has read the log, and
/// what it has pushed counts.
#[test]
fn a_worker_that_has_left_holds_up_no_step() {
    for restarts in [false, true] {
        let mut driver = Driver::new();
        driver.welcome(1, &synchronous(0));
        driver.welcome(2, &synchronous(1));
        let push = |row: f32| Change::Push { keys: vec![1], rows: vec![row].into() };
        let pull = |step| Request::Pull { id: step, step: Some(step), keys: vec![1] };
        change(&mut driver, 1, 1, push(5.0));
        change(&mut driver, 1, 2, end_step(0));
        assert_eq!(answered(&driver.send(1, pull(1))), []);
        // A push in a step that it does not end.
        change(&mut driver, 2, 1, push(7.0));
        let replies = change(&mut driver, 2, 2, Change::Leave);
        assert_eq!(answered(&replies), [(1, 12.0)]);
        let replies = change(&mut driver, 2, 3, push(1.0));
        assert_names(why(&replies, 2), &["rank 1: it has left"]);
        if restarts {
            driver = Driver::over(driver.store);
            driver.welcome(1, &synchronous(0));
        }
        change(&mut driver, 1, 3, push(5.0));
        change(&mut driver, 1, 4, end_step(1));
        assert_eq!(answered(&driver.send(1, pull(2))), [(2, 17.0)]);
        // Its place may be taken by another process, which is waited for.
        driver.welcome(3, &Hello { session: 7, ..synchronous(1) });
        change(&mut driver, 1, 5, end_step(2));
        assert_eq!(answered(&driver.send(1, pull(3))), []);
        let replies = change(&mut driver, 3, 1, end_step(2));
        assert_eq!(answered(&replies), [(3, 17.0)]);
    }
}

/// R-SERVE-15: a step that only some had ended when the last of them left is applied.
#[test]
fn what_was_pushed_is_applied_when_all_have_left() {
    let mut driver = Driver::new();
    driver.welcome(1, &synchronous(0));
    driver.welcome(2, &synchronous(1));
    let push = Change::Push { keys: vec![1], rows: vec![5.0_f32].into() };
    change(&mut driver, 1, 1, push);
    change(&mut driver, 1, 2, end_step(0));
    change(&mut driver, 1, 3, Change::Leave);
    change(&mut driver, 2, 1, Change::Leave);
    let replies = driver.send(2, Request::Pull { id: 1, step: None, keys: vec![1] });
    assert_eq!(answered(&replies), [(1, 5.0)]);
}

/// R-SERVE-15: a seal waits for the replays of those that are there.
#[test]
fn a_worker_that_has_left_has_replayed() {
    let mut driver = Driver::new();
    for rank in 0..2 {
        let mut bounded = hello(rank, 2, 1);
        bounded.table.staleness = Some(1);
        driver.welcome(u64::from(rank) + 1, &bounded);
    }
    change(&mut driver, 2, 1, Change::Leave);
    driver.send(1, Request::Seal { epoch: EPOCH });
    let pushed = Pushed { epoch: EPOCH, count: 1 };
    change(&mut driver, 1, 1, Change::EndStep { step: 0, pushed });
    let pull = Request::Pull { id: 2, step: Some(2), keys: vec![1] };
    assert_eq!(answered(&driver.send(1, pull)), []);
    let replies = change(&mut driver, 1, 2, Change::EndReplay { epoch: EPOCH });
    assert_eq!(answered(&replies), [(2, 0.0)]);
}
