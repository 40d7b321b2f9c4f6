//! Switches that fold operands of an operation that does not commute out of rank order.

use netfold_model::{Job, Model, Property};
use netfold_switch::{JobSpec, Shard};

use super::{breaks, broken};

fn finds(homes: &[usize], make: fn(&JobSpec) -> Shard) {
    let job = Job::new(homes, 1).all_reduce_in_rank_order(1);
    breaks(Property::Exact, Model::with(job, make));
}

/// R-OP-25: a leaf folds operands as they come, and not in rank order.
#[test]
fn of_arrival_at_a_leaf() {
    finds(&[0, 1, 1], |spec| broken::unordered(spec, spec.place.parent().is_some()));
}

/// R-OP-26: a root folds what a leaf sends up as it comes, and not at the place of its ranks.
#[test]
fn of_arrival_above_a_leaf() {
    finds(&[1, 1, 0], |spec| broken::unordered(spec, spec.place.parent().is_none()));
}
