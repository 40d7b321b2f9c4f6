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
        // Three seconds, in which a generation of an hour is not old. The first question is asked
        // when a worker has come.
        for time in 0..3000 {
            driver.server.answered(1000 * time, EPOCH, Some(answer.clone())).expect("goes on");
            driver.server.tick(1000 * time + 500).expect("goes on");
            closed.extend(questions(&mut driver));
        }
        assert!(!closed.is_empty(), "it asks for news");
        assert!(closed.iter().all(|close| *close == going), "{closed:?}");
    }
}
