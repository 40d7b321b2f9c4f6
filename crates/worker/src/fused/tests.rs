//! Chains and their plans.

use netfold_num::{Operation, UserOperation};

use super::*;
use crate::call::{FoldTraits, UserFold};

const SUM: Reduction = Reduction::Fold(Operation::Sum);

fn user(mapped: bool) -> Reduction {
    let number = UserOperation::new(u8::from(mapped)).unwrap();
    let fold = UserFold::new(number, if mapped { "sgd" } else { "plain" }, 4, None);
    Reduction::User(fold.with(FoldTraits { has_map: mapped, ..*fold.traits() }))
}

fn kept(step: Step) -> Stage {
    Stage { step, keep: true }
}

/// The calls of a plan by name and input, and its results.
type Planned = (Vec<(&'static str, usize)>, Vec<(usize, usize, Part)>);

fn planned(stages: &[Stage]) -> Planned {
    let plan = Fused::new(stages, 4).unwrap();
    let calls = plan.calls().iter().map(|call| (call.collective.name(), call.input));
    let results = plan.results().iter().map(|it| (it.stage, it.call, it.part));
    (calls.collect(), results.collect())
}

fn why(stages: &[Step]) -> String {
    let stages: Vec<Stage> = stages.iter().map(|step| (*step).into()).collect();
    Fused::new(&stages, 4).unwrap_err().to_string()
}

#[test]
fn prefixes_take_the_place_of_gather_scan_and_gather() {
    let (gather, scan) = (Step::AllGather, Step::Scan(SUM));
    let all = [gather.into(), scan.into(), gather.into()];
    assert_eq!(planned(&all), (vec![("prefixes", 0)], vec![(2, 0, Part::Whole)]));
    assert_eq!(planned(&all[1..]), (vec![("prefixes", 0)], vec![(1, 0, Part::Whole)]));
    let (calls, results) = planned(&[kept(gather), kept(scan), gather.into()]);
    assert_eq!(calls, [("prefixes", 0), ("all_gather", 0)]);
    assert_eq!(results, [(0, 1, Part::Whole), (1, 0, Part::Own), (2, 0, Part::Whole)]);
    let (_, results) = planned(&[kept(gather), scan.into(), gather.into()]);
    assert_eq!(results, [(0, 1, Part::Whole), (2, 0, Part::Whole)]);
    let plan = Fused::new(&all, 4).unwrap();
    assert_eq!((plan.calls()[0].fold, plan.inputs()), (Some(1), 1));
}

#[test]
fn a_total_takes_the_place_of_scan_and_broadcast() {
    let chain = |root| [kept(Step::Scan(SUM)), Step::Broadcast(root).into()];
    let expected = (vec![("scan_total", 0)], vec![(0, 0, Part::Prefix), (1, 0, Part::Total)]);
    assert_eq!(planned(&chain(None)), expected);
    assert_eq!(planned(&chain(Some(WorkerId(3)))), expected);
    let other = Fused::new(&chain(Some(WorkerId(2))), 4).unwrap_err().to_string();
    assert!(
        ["stage 2", "broadcast", "rank, 3", "rank 2"].iter().all(|it| other.contains(it)),
        "{other}"
    );
}

#[test]
fn a_reduction_that_is_spread_is_an_all_reduce() {
    let (root, sgd) = (WorkerId(1), user(true));
    let one = vec![("all_reduce", 0)];
    let broadcast = Stage::from(Step::Broadcast(None));
    let reduce = [kept(Step::Reduce(SUM, root)), broadcast];
    let results = vec![(0, 0, Part::AtRoot(root)), (1, 0, Part::Whole)];
    assert_eq!(planned(&reduce), (one.clone(), results.clone()));
    let gather = [kept(Step::Gather(root)), Step::Broadcast(Some(root)).into()];
    assert_eq!(planned(&gather), (vec![("all_gather", 0)], results));
    let mapped = |first| [Stage::from(first), Step::Map(sgd).into(), broadcast];
    for first in [Step::AllReduce(sgd), Step::Reduce(sgd, root)] {
        assert_eq!(planned(&mapped(first)), (one.clone(), vec![(2, 0, Part::Whole)]));
    }
    let two = &mapped(Step::AllReduce(sgd))[..2];
    assert_eq!(planned(two), (one, vec![(1, 0, Part::Whole)]));
}

#[test]
fn stages_with_data_of_their_own_go_at_once() {
    let all_reduce = Step::AllReduce(SUM).into();
    let chain = [all_reduce, Step::AllToAll.into(), all_reduce];
    let calls = vec![("all_reduce", 0), ("all_to_all", 1), ("all_reduce", 2)];
    let results = [0, 1, 2].map(|at| (at, at, Part::Whole)).to_vec();
    assert_eq!(planned(&chain), (calls, results));
    assert_eq!(Fused::new(&chain, 4).unwrap().inputs(), 3);
    let mixed = [Step::Scan(SUM).into(), Step::Broadcast(None).into(), all_reduce];
    assert_eq!(planned(&mixed).0, [("scan_total", 0), ("all_reduce", 1)]);
}

/// A chain that cannot be fused is refused by name, and the message says what to call.
#[test]
fn the_rest_is_refused_by_name() {
    let root = WorkerId(2);
    let (plain, sgd) = (user(false), user(true));
    let cases: &[(&[Step], &[&str])] = &[
        (&[], &["two stages", "not 0"]),
        (&[Step::AllToAll], &["two stages", "not 1"]),
        (&[Step::AllGather, Step::AllGather], &["stage 1", "all_gather", "call all_gather"]),
        (&[Step::AllReduce(SUM), Step::Scan(SUM)], &["stage 2", "scan", "call scan"]),
        (&[Step::AllReduce(SUM), Step::Broadcast(None)], &["stage 2", "leave it out"]),
        (&[Step::Broadcast(None), Step::AllToAll], &["stage 1", "call broadcast"]),
        (
            &[Step::Reduce(SUM, root), Step::Broadcast(Some(WorkerId(1)))],
            &["stage 2", "broadcast from rank 2"],
        ),
        (&[Step::Reduce(SUM, root), Step::AllToAll], &["stage 1", "reduce", "call reduce"]),
        (&[Step::Gather(root), Step::AllToAll], &["stage 1", "gather", "call gather"]),
        (&[Step::Other(Collective::ExScan), Step::AllGather], &["exscan", "call exscan"]),
        (&[Step::Map(sgd), Step::AllToAll], &["stage 1", "map", "call the function"]),
        (&[Step::AllReduce(plain), Step::Map(plain)], &["stage 2", "plain has no map"]),
        (&[Step::AllReduce(sgd), Step::Map(plain)], &["stage 2", "another one"]),
        (&[Step::Scan(sgd), Step::AllGather], &["stage 1", "scan", "sgd transforms"]),
    ];
    for (stages, words) in cases {
        let message = why(stages);
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    }
    let kept = [kept(Step::AllReduce(sgd)), Step::Map(sgd).into()];
    let message = Fused::new(&kept, 4).unwrap_err().to_string();
    assert!(message.contains("stage 1") && message.contains("keep"), "{message}");
}

#[test]
fn steps_are_found_by_name() {
    let root = Some(WorkerId(3));
    for name in ["all_gather", "scan", "all_reduce", "reduce", "gather", "map", "broadcast"] {
        assert_eq!(Step::named(name, SUM, root).unwrap().name(), name);
    }
    assert_eq!(Step::named("exscan", SUM, root), Some(Step::Other(Collective::ExScan)));
    assert_eq!(Step::named("fold", SUM, root), None);
}
