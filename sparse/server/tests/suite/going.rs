//! R-KEY-16: a switch that is to stop hands its sums over.

use netfold_sparse::{Answer, Output};

use crate::cluster::{EPOCH, hello};
use crate::driver::Driver;

/// Takes the questions to the switch; with each whether the open generation is to be closed.
fn questions(driver: &mut Driver) -> Vec<bool> {
    let outputs = std::iter::from_fn(|| driver.server.output());
    let asked = outputs.filter_map(|output| match output {
        Output::Ask { close, .. } => Some(close),
        _ => None,
    });
    asked.collect()
}

#[test]
fn a_generation_is_closed_at_once_whatever_its_age() {
    for going in [false, true] {
        let mut driver = Driver::new();
        let mut hello = hello(0, 1, 1);
        hello.table.max_age_ms = 3_600_000;
        driver.welcome(1, &hello);
        let answer = Answer { open: 1, empty: false, going, generation: None };
        let mut closed = Vec::new();
        let hears = |driver: &mut Driver, time_us| {
            driver.server.answered(time_us, EPOCH, Some(answer.clone())).expect("goes on");
        };
        // The first question is asked when a worker has come.
        hears(&mut driver, 0);
        // Three seconds, in which a generation of an hour is not old.
        for time in 1..3000 {
            driver.server.tick(1000 * time).expect("goes on");
            let asked = questions(&mut driver);
            if !asked.is_empty() {
                closed.extend(asked);
                hears(&mut driver, 1000 * time);
            }
        }
        assert!(!closed.is_empty(), "it asks for news");
        assert!(closed.iter().all(|close| *close == going), "{closed:?}");
    }
}
