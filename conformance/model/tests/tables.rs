//! Small jobs with a table (R-KEY), gone through to the last state; and switches, workers and
//! servers that break a rule, which the search finds. Those of `make soak` are the same in larger
//! sizes.

mod branch;
mod plain;

use std::num::NonZero;

use netfold_model::{Explored, TableJob, TableModel, TableSwitch};
use plain::PlainTable;

/// Goes through all states.
fn explore(name: &str, job: TableJob) -> Explored {
    TableModel::new(job).explore(threads()).holds(name)
}

fn threads() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// R-KEY-3, R-KEY-4, R-KEY-6: a register of the window is used again, and so is a copy.
#[test]
fn pushes() {
    let job = |asks| TableJob::new(1, asks);
    let three: &[&[u32]] = &[&[0], &[0], &[0]];
    explore("1 worker, 3 pushes, 3 generations", job(4).worker(three));
    explore("1 worker, 3 pushes, 2 registers", job(2).registers(2).worker(three));
    explore("2 workers, 1 push each", job(2).worker(&[&[0]]).worker(&[&[0]]));
    explore("2 workers, 2 pushes and 1", job(1).worker(&[&[0], &[0]]).worker(&[&[0]]));
}

/// R-KEY-7 to R-KEY-9: several servers, and reads that go on.
#[test]
fn reads() {
    explore("2 servers, 1 push", TableJob::new(2, 3).worker(&[&[0, 1]]));
    explore("2 servers, 2 pushes", TableJob::new(2, 2).worker(&[&[0, 1], &[0, 1]]));
    explore(
        "2 rows, a pair at a time",
        TableJob::new(1, 1).worker(&[&[0, 1]]).one_pair_at_a_time(),
    );
}

/// R-KEY-10: servers seal the epoch at any time, and workers replay.
#[test]
fn replays() {
    explore("1 worker, 2 pushes", TableJob::new(1, 2).worker(&[&[0], &[0]]).seals());
    explore("2 workers", TableJob::new(1, 1).worker(&[&[0]]).worker(&[&[0]]).seals());
    explore("2 servers", TableJob::new(2, 2).worker(&[&[0, 1]]).seals());
}

/// R-KEY-13: the table goes from one plane to the next at any time, and what is under way of the
/// first one comes during the second.
#[test]
fn planes() {
    let one: &[&[u32]] = &[&[0]];
    explore("1 worker, 1 push to each", TableJob::new(1, 2).worker(one).next_plane(one));
    explore(
        "2 workers, 1 push each and 1 to the next",
        TableJob::new(1, 1).worker(one).worker(one).next_plane(one),
    );
    explore("2 servers", TableJob::new(2, 1).worker(&[&[0, 1]]).next_plane(&[&[0, 1]]));
    explore("a server is lost", TableJob::new(1, 1).worker(one).next_plane(one).loses_servers(1));
}

/// R-KEY-5, R-KEY-10: a server is lost at any time, and comes back with what it has stored.
#[test]
fn servers_that_are_lost() {
    let two: &[&[u32]] = &[&[0], &[0]];
    explore("1 server", TableJob::new(1, 2).worker(two).loses_servers(1));
    explore("1 server that seals", TableJob::new(1, 2).worker(two).loses_servers(1).seals());
    explore("2 servers", TableJob::new(2, 1).worker(&[&[0, 1]]).loses_servers(1));
}

/// R-KEY-11: the job ends at any time.
#[test]
fn jobs_that_end() {
    explore("1 worker, 2 pushes", TableJob::new(1, 3).worker(&[&[0], &[0]]).ends());
    explore("2 servers", TableJob::new(2, 2).worker(&[&[0, 1]]).ends());
}

/// R-KEY-17, R-KEY-18: a switch below the root, at which some of the workers are.
#[test]
fn trees() {
    let one: &[&[u32]] = &[&[0]];
    explore("1 worker below, 2 pushes", below(2, 4).worker(&[&[0], &[0]]));
    explore(
        "1 worker below, 1 beside",
        TableJob::new(1, 2).worker(one).switch_below(0, 3).worker(one),
    );
    explore("2 workers below", below(1, 3).worker(one).worker(one));
    explore("2 servers", TableJob::new(2, 1).switch_below(0, 2).worker(&[&[0, 1]]));
    explore("it seals", below(2, 3).worker(one).seals());
    explore("a server is lost", below(1, 3).worker(one).loses_servers(1));
    explore("2 below each other", below(1, 2).switch_below(1, 2).worker(one));
    explore("2 below one", below(1, 2).worker(one).switch_below(0, 2).worker(one));
}

/// R-KEY-19: a job ends at the root, and then at the switch below.
#[test]
fn trees_that_end() {
    explore("1 worker below", below(2, 4).worker(&[&[0]]).ends());
}

/// A switch below the root, to which that makes so many requests.
fn below(asks: u32, requests: u32) -> TableJob {
    TableJob::new(1, asks).switch_below(0, requests)
}

/// The switch of the mutants is a right one as long as it keeps all rules: it comes to as many
/// states as the real one.
#[test]
fn with_all_rules_nothing_is_found() {
    is_alike(&TableJob::new(1, 3).worker(&[&[0], &[0], &[0]]));
    is_alike(&TableJob::new(2, 2).worker(&[&[0, 1]]).ends());
}

fn is_alike(job: &TableJob) {
    let real = explore("the real switch", job.clone());
    let plain = TableModel::with(job.clone(), |spec| PlainTable::new(spec, None));
    let plain = plain.explore(threads()).holds("the plain one");
    assert_eq!((plain.states, plain.steps), (real.states, real.steps));
}

/// The state of a machine, as a search knows it, decides what the machine does. Otherwise the
/// search would pass over states.
#[test]
fn machines_in_the_same_state_go_on_in_the_same_way() {
    for job in [
        TableJob::new(1, 3).worker(&[&[0], &[0], &[0]]),
        TableJob::new(2, 2).worker(&[&[0, 1]]).seals(),
        TableJob::new(1, 2).worker(&[&[0], &[0]]).loses_servers(1),
        TableJob::new(2, 2).worker(&[&[0, 1]]).ends(),
        below(2, 3).worker(&[&[0]]).ends(),
    ] {
        let model = TableModel::new(job).rechecked();
        model.explore(threads()).holds("with each step taken anew");
    }
}

mod mutants {
    use netfold_model::{Property, TableRule};
    use netfold_switch::TableSpec;

    use super::*;
    use crate::branch::{Branch, Broken};
    use crate::plain::Rule;

    /// Searches until it is found that a property does not hold.
    ///
    /// # Panics
    /// If it is not found.
    fn breaks<S: TableSwitch>(property: Property, model: TableModel<S>) {
        let counterexample = model
            .break_property(property, NonZero::<usize>::MIN)
            .expect("the search finds what is broken");
        assert!(!counterexample.steps.is_empty(), "a counterexample is a way to a state");
        println!("{}:\n{}", property.name(), counterexample.steps);
    }

    fn switch(property: Property, job: TableJob, make: fn(&TableSpec) -> PlainTable) {
        breaks(property, TableModel::with(job, make));
    }

    fn peers(property: Property, job: TableJob, rule: TableRule) {
        breaks(property, TableModel::new(job).without(rule));
    }

    fn pushes(asks: u32, pushes: usize) -> TableJob {
        let pushes: Vec<&[u32]> = vec![&[0]; pushes];
        TableJob::new(1, asks).worker(&pushes)
    }

    /// R-KEY-3: a push that is repeated is folded twice.
    #[test]
    fn without_windows() {
        switch(Property::Exact, pushes(1, 1), |spec| PlainTable::new(spec, Some(Rule::Windows)));
    }

    /// R-KEY-3: a push that is repeated in the next generation is folded twice.
    #[test]
    fn windows_that_go_with_their_generation() {
        switch(Property::Exact, pushes(2, 1), |spec| {
            PlainTable::new(spec, Some(Rule::WindowsStay))
        });
    }

    /// R-KEY-6: a sum has those of the generation before the last.
    #[test]
    fn rows_that_are_not_overwritten() {
        switch(Property::Exact, pushes(3, 3), |spec| PlainTable::new(spec, Some(Rule::Overwrite)));
    }

    /// R-KEY-8: a generation goes that another server has not stored.
    #[test]
    fn closing_without_waiting_for_all_servers() {
        let job = TableJob::new(2, 2).worker(&[&[0, 1], &[0]]);
        switch(Property::Kept, job, |spec| PlainTable::new(spec, Some(Rule::Stored)));
    }

    /// R-KEY-9: a server takes a push that came after the close for one that it has stored, and
    /// drops it when it is replayed.
    #[test]
    fn windows_of_now() {
        switch(Property::Recovers, pushes(1, 2), |spec| {
            PlainTable::new(spec, Some(Rule::ClosedWindows))
        });
    }

    /// R-KEY-11: what was acknowledged goes with the job.
    #[test]
    fn a_table_that_goes_with_its_job() {
        switch(Property::Recovers, pushes(1, 1).ends(), |spec| {
            PlainTable::new(spec, Some(Rule::Outlives))
        });
    }

    /// R-KEY-18: the windows of a leaf's workers stay at the leaf, so that what a server has stored
    /// is replayed.
    #[test]
    fn windows_that_are_not_gathered() {
        tree(Property::Exact, below(1, 2).worker(&[&[0]]).seals(), |spec| {
            Branch::new(spec, Broken::Windows)
        });
    }

    /// R-KEY-19: a leaf takes a push when the root has looked for the last time.
    #[test]
    fn a_root_that_does_not_say_that_the_job_is_over() {
        tree(Property::Recovers, below(2, 4).worker(&[&[0]]).ends(), |spec| {
            Branch::new(spec, Broken::Over)
        });
    }

    /// R-KEY-19: the root waits for a table that is gone.
    #[test]
    fn a_leaf_that_does_not_wait_for_the_last_word() {
        tree(Property::Recovers, below(2, 4).worker(&[&[0]]).ends(), |spec| {
            Branch::new(spec, Broken::LastWord)
        });
    }

    fn tree(property: Property, job: TableJob, make: fn(&TableSpec) -> Branch) {
        breaks(property, TableModel::with(job, make));
    }

    /// R-KEY-4: a push is overtaken in its register, and taken for a repetition.
    #[test]
    fn a_worker_that_does_not_wait_for_its_register() {
        peers(Property::Recovers, pushes(1, 2), TableRule::Window);
    }

    /// R-KEY-10: a push goes with the switch, since its worker has forgotten it.
    #[test]
    fn a_worker_that_forgets_what_is_acknowledged() {
        peers(Property::Kept, pushes(1, 1), TableRule::Keep);
        peers(Property::Recovers, pushes(1, 1), TableRule::Keep);
    }

    /// R-KEY-10: a push that was replayed comes in a generation, too.
    #[test]
    fn a_server_that_reads_on() {
        peers(Property::Exact, pushes(1, 1).seals(), TableRule::Seal);
    }

    /// R-KEY-10: so it is if the server forgets, when it is lost, that it has sealed.
    #[test]
    fn a_server_that_forgets_the_seal() {
        peers(Property::Exact, pushes(1, 1).seals().loses_servers(1), TableRule::StoredSeal);
    }

    /// R-KEY-10: a server takes of a replay what it has stored.
    #[test]
    fn a_server_that_takes_whole_replays() {
        peers(Property::Exact, pushes(1, 1).seals(), TableRule::Replay);
    }

    /// R-KEY-13: what a worker replays of the plane before comes too late.
    #[test]
    fn a_server_that_does_not_wait_until_all_have_opened_a_plane() {
        let job = TableJob::new(1, 1).worker(&[&[0]]).worker(&[&[0]]).next_plane(&[]);
        peers(Property::Recovers, job, TableRule::Opened);
    }

    /// R-KEY-13: what a worker keeps of a plane is lost when it opens the next.
    #[test]
    fn a_worker_that_opens_a_plane_before_it_has_replayed() {
        let job = TableJob::new(2, 1).worker(&[&[0, 1]]).next_plane(&[]);
        peers(Property::Kept, job, TableRule::Replayed);
    }

    /// R-KEY-5: a server takes an answer to what it asked before its loss for one to what it asks
    /// now.
    #[test]
    fn a_server_that_numbers_requests_anew() {
        peers(Property::Recovers, pushes(2, 2).loses_servers(1), TableRule::Numbers);
        peers(Property::Kept, pushes(2, 2).loses_servers(1), TableRule::Numbers);
    }
}

/// Larger sizes: a million states, and more.
mod soak {
    use super::*;

    #[test]
    #[ignore = "make soak"]
    fn pushes() {
        let two: &[&[u32]] = &[&[0], &[0]];
        explore("2 workers, 2 pushes each", TableJob::new(1, 2).worker(two).worker(two));
        explore("2 workers, 3 generations", TableJob::new(1, 4).worker(two).worker(&[&[0]]));
        let five: &[&[u32]] = &[&[0], &[0], &[0], &[0], &[0]];
        explore("5 pushes, 2 registers", TableJob::new(1, 2).registers(2).worker(five));
    }

    #[test]
    #[ignore = "make soak"]
    fn reads() {
        let two: &[&[u32]] = &[&[0, 1], &[0, 1]];
        explore("2 servers, 3 generations", TableJob::new(2, 4).worker(two));
        explore("2 servers, 2 workers", TableJob::new(2, 2).worker(&[&[0, 1]]).worker(&[&[1]]));
        explore("a pair at a time", TableJob::new(1, 2).worker(two).one_pair_at_a_time());
        is_alike(&TableJob::new(1, 1).worker(&[&[0, 1]]).one_pair_at_a_time());
    }

    #[test]
    #[ignore = "make soak"]
    fn trees() {
        let one: &[&[u32]] = &[&[0]];
        explore("2 servers", TableJob::new(2, 2).switch_below(0, 3).worker(&[&[0, 1]]));
        explore("2 below each other", below(2, 3).switch_below(1, 3).worker(one));
        explore("2 below one", below(1, 3).worker(one).switch_below(0, 3).worker(one));
        explore("2 pushes, and it ends", below(2, 4).worker(&[&[0], &[0]]).ends());
        explore("2 pushes that are replayed", below(2, 4).worker(&[&[0], &[0]]).seals());
    }

    #[test]
    #[ignore = "make soak"]
    fn losses() {
        let two: &[&[u32]] = &[&[0, 1], &[0, 1]];
        explore("2 servers that seal", TableJob::new(2, 3).worker(two).seals());
        explore("2 workers that replay", TableJob::new(1, 2).worker(two).worker(&[&[0]]).seals());
        explore("a server is lost twice", TableJob::new(1, 3).worker(two).loses_servers(2).seals());
        explore("one of 2 servers is lost", TableJob::new(2, 2).worker(two).loses_servers(1));
        let lost = TableJob::new(2, 2).worker(&[&[0, 1]]).loses_servers(1);
        explore("one of 2 that seal", lost.clone().seals());
        explore("a job that ends, and a server that is lost", lost.ends());
    }
}
