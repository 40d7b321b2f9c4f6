//! Cases for any [`Target`](crate::Target): functions that panic where it does not conform.
//!
//! [`conformance_cases!`](crate::conformance_cases) makes a test of each, so that a new form of the
//! switch needs one line to be held to all of them.

mod appendix_a;
mod limits;
mod queries;
mod rounds;
mod rules;
mod slots;

pub use appendix_a::worked_example_of_appendix_a;
pub use limits::{
    bytes_that_are_no_packet_change_nothing, contributions_outside_the_job_change_nothing,
    jobs_do_not_see_each_other, memory_is_refused_when_spent_and_comes_back,
    packets_of_another_epoch_change_nothing, packets_that_are_not_whole_change_nothing,
    results_sent_to_the_switch_change_nothing, sixty_four_workers,
};
pub use queries::{
    a_query_about_an_earlier_kind_is_stale, late_queries_are_stale, queries_change_no_slot,
    queries_disagree_with_nobody, what_has_come_is_recalled_when_its_round_is_complete,
    what_has_not_come_is_recalled,
};
pub use rounds::{
    a_block_goes_through_its_rounds, a_round_of_empty_contributions, delivery_to_one_worker,
    lanes_in_network_order, marks_are_told_to_all, one_contributor,
    the_largest_exponent_is_agreed_on,
};
pub use rules::{
    a_delayed_duplicate_does_not_join_an_open_round, a_delayed_duplicate_does_not_start_a_round,
    a_round_of_one_worker_is_complete_at_once, contributions_that_disagree_are_reported,
    positions_wrap_around,
};
pub use slots::{
    basic_reduction, both_sets, ignored_retransmission, other_set, retransmission_after_reduction,
    retransmission_from_previous_set, slot_reuse, slot_reuse_with_retransmission,
};

/// Makes a test of every case, each on a fresh target that the expression makes:
/// `conformance_cases!(ShardTarget::default());`.
///
/// - `tree`: a target that is several switches sees what workers have sent only where their folds
///   meet, and has cases of its own for that.
/// - `pipeline`: a switch as hardware has no use for proofs and marks, and drops what others fold
///   (R-PISA-16); it counts positions from the first 2^29 on (R-PISA-11), and takes workers to be
///   such (R-PISA-18).
/// - `named`: no tests, but a list of the cases for a pipeline, with names, for code that runs
///   them.
#[macro_export]
macro_rules! conformance_cases {
    (named) => {
        $crate::conformance_cases!(@common list)
    };
    ($target:expr) => {
        $crate::conformance_cases!(tree $target);
        $crate::conformance_cases!(@each $target,
            contributions_that_disagree_are_reported,
            a_query_about_an_earlier_kind_is_stale,
        );
    };
    (tree $target:expr) => {
        $crate::conformance_cases!(@common each $target);
        $crate::conformance_cases!(@each $target,
            packets_that_are_not_whole_change_nothing,
            positions_wrap_around,
            marks_are_told_to_all,
        );
    };
    (pipeline $target:expr) => {
        $crate::conformance_cases!(@common each $target);
    };
    (@common $how:ident $($target:expr)?) => {
        $crate::conformance_cases! { @$how $($target)?,
            basic_reduction,
            other_set,
            both_sets,
            slot_reuse,
            ignored_retransmission,
            retransmission_after_reduction,
            retransmission_from_previous_set,
            slot_reuse_with_retransmission,
            worked_example_of_appendix_a,
            a_round_of_one_worker_is_complete_at_once,
            a_delayed_duplicate_does_not_start_a_round,
            a_delayed_duplicate_does_not_join_an_open_round,
            a_block_goes_through_its_rounds,
            the_largest_exponent_is_agreed_on,
            a_round_of_empty_contributions,
            one_contributor,
            delivery_to_one_worker,
            lanes_in_network_order,
            what_has_not_come_is_recalled,
            what_has_come_is_recalled_when_its_round_is_complete,
            late_queries_are_stale,
            queries_disagree_with_nobody,
            queries_change_no_slot,
            bytes_that_are_no_packet_change_nothing,
            packets_of_another_epoch_change_nothing,
            results_sent_to_the_switch_change_nothing,
            contributions_outside_the_job_change_nothing,
            jobs_do_not_see_each_other,
            sixty_four_workers,
            memory_is_refused_when_spent_and_comes_back,
        }
    };
    (@each $target:expr, $($case:ident),+ $(,)?) => {
        $(
            #[test]
            fn $case() {
                $crate::cases::$case(&mut $target);
            }
        )+
    };
    (@list , $($case:ident),+ $(,)?) => {
        [$((stringify!($case), $crate::cases::$case as fn(&mut dyn $crate::Target))),+]
    };
}
