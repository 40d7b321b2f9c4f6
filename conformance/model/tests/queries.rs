//! Small queries (R-QRY), gone through to the last state; and rules that are broken, which the
//! search finds. Those of `make soak` are the same in larger sizes.

use std::num::NonZero;

use netfold_model::{Property, QueryJob, QueryModel, QueryRule};
use netfold_num::Sum;
use netfold_wire::{Replacement, RowProgram, Steps, Sums, Ties};

fn threads() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Goes through all states.
fn explore(name: &str, job: QueryJob) {
    QueryModel::new(job).explore(threads()).holds(name);
}

/// Sums in tables of two slots. Values are powers of 8, so that a sum tells how often each of them
/// is in it.
fn sum() -> RowProgram {
    let sums = Sums::new(&[Sum::Integer]).expect("one sum");
    RowProgram::GroupSum { rows: 2, width: 1, seed: 5, sums }
}

const DISTINCT: RowProgram =
    RowProgram::Distinct { rows: 2, width: 1, seed: 5, replacement: Replacement::Lru };

const LARGEST: RowProgram =
    RowProgram::GroupExtreme { rows: 2, width: 1, seed: 5, ties: Ties::Drop };

const TOP: RowProgram = RowProgram::TopThresholds { n: 1, width: 2, steps: Steps::Integer };

/// R-QRY-31 to 35: a partition whose rows are streamed twice, and more groups than slots.
#[test]
fn sums() {
    explore("a partition of two rows", two_rows(1));
    explore("no table", two_rows(1).with_tables(0));
    explore("two attempts", QueryJob::new(sum(), 2).partition(&[(1, 1)]).with_tables(1));
}

fn two_rows(attempts: usize) -> QueryJob {
    QueryJob::new(sum(), attempts).partition(&[(1, 1), (2, 8)])
}

#[test]
#[ignore = "make soak"]
fn larger_sums() {
    let one = || QueryJob::new(sum(), 2).partition(&[(1, 1)]);
    explore("an attempt that is given up", one().gives_up_attempts());
    explore("two partitions of one group", one().partition(&[(1, 8)]));
    explore("two partitions, two groups", one().partition(&[(3, 8)]));
    explore("two attempts of two rows", two_rows(2).with_tables(1));
}

/// R-QRY-30: the switch is lost at any time.
#[test]
fn switches_that_are_lost() {
    let one = |program| QueryJob::new(program, 2).partition(&[(1, 1)]).loses_switches(1);
    explore("a sum", one(sum()));
    explore("different keys", one(DISTINCT).partition(&[(1, 8)]));
}

/// R-QRY-24, R-QRY-29: rows are dropped because of others that reach the master.
#[test]
fn rows_that_are_dropped() {
    for (name, program) in [("distinct", DISTINCT), ("largest", LARGEST), ("top", TOP)] {
        let one = |attempts| QueryJob::new(program, attempts).partition(&[(1, 1), (1, 2)]);
        explore(name, one(1));
        explore(name, QueryJob::new(program, 2).partition(&[(1, 1)]).partition(&[(1, 1)]));
    }
}

#[test]
#[ignore = "make soak"]
fn rows_that_are_dropped_of_two_attempts() {
    for (name, program) in [("distinct", DISTINCT), ("largest", LARGEST), ("top", TOP)] {
        explore(name, QueryJob::new(program, 2).partition(&[(1, 1), (1, 2)]));
    }
}

/// R-QRY-36: rows stay with the attempts, any of which may be taken.
#[test]
fn verdicts() {
    for (name, program) in [("distinct", DISTINCT), ("largest", LARGEST), ("top", TOP)] {
        let one = |rows| QueryJob::new(program, 2).partition(rows).for_verdicts();
        explore(name, one(&[(1, 1), (1, 2)]));
        explore(name, one(&[(1, 1)]).partition(&[(1, 1)]));
    }
}

/// # Panics
/// If the search does not find that the property is broken.
fn breaks(job: QueryJob, rule: QueryRule, property: Property) {
    let found = QueryModel::new(job).without(rule).break_property(property, threads());
    assert!(found.is_some(), "{rule:?} is not found");
}

/// R-QRY-28: a further attempt that sends its rows in another order under the same number.
#[test]
#[ignore = "make soak"]
fn attempts_that_share_a_number_are_found() {
    breaks(two_rows(2), QueryRule::Numbers, Property::Exact);
}

/// R-QRY-30
#[test]
fn broken_rules_are_found() {
    let lost = || QueryJob::new(sum(), 2).partition(&[(1, 1)]).loses_switches(1);
    breaks(lost(), QueryRule::Epoch, Property::Exact);
    breaks(lost(), QueryRule::Drop, Property::Recovers);
    breaks(lost(), QueryRule::Restart, Property::Recovers);
}
