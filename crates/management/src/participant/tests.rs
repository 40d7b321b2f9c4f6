//! Workers between epochs, told of everything by hand.

use core::time::Duration;
use std::io;

use super::*;
use crate::failure::{Failure, Loss};
use netfold_wire::{IntegrityKind, Terms};

const TIMEOUT: Duration = Duration::from_secs(2);
const SECOND_US: u64 = 1_000_000;

type Worker = Participant<Ending>;

fn welcome(epoch: u32, workers: u16) -> Welcome {
    Welcome {
        job: 0,
        epoch,
        workers,
        slots: 16,
        urgent_slots: 8,
        long_slots: 0,
        exchange_slots: 0,
        payload_bytes: 256,
        block_bytes: None,
        shards: Vec::new(),
        groups: Vec::new(),
        ticket: None,
        host: None,
        below: Vec::new(),
        table_top: None,
        replays: Vec::new(),
        first_call: 0,
        integrity: IntegrityKind::Transport,
        timeout_ms: TIMEOUT.as_millis() as u64,
    }
}

#[test]
fn sums_of_slots_that_a_hostile_switch_names_stay_within_bounds() {
    let most = u16::MAX;
    let hostile = Welcome { long_slots: most, exchange_slots: most, ..welcome(1, 2) };
    assert_eq!((hostile.all_slots(), hostile.lent_slots()), (most, most));
    let lends = Welcome { long_slots: 3, exchange_slots: 4, ..welcome(1, 2) };
    assert_eq!((lends.all_slots(), lends.lent_slots()), (16 + 8 + 3 + 4, 3 + 4));
}

/// Rank `rank` of a job of `workers` with two switches, which goes on as far as that can be asked
/// for.
fn worker(rank: u16, workers: u16) -> Worker {
    let mut request = JoinRequest {
        terms: Terms { elastic: true, ..Terms::new(None) },
        timeout: TIMEOUT,
        ..JoinRequest::new("a", rank, workers)
    };
    let failover = Failover::new(2, &mut request);
    Participant::new(failover, request, welcome(1, workers))
}

fn gone() -> Notice {
    Notice::SwitchLost { address: "a:1".into(), why: "closed".into() }
}

fn lost(rank: u16) -> Notice {
    Notice::Failed(Failure::WorkerLost { rank, why: Loss::Closed })
}

fn nobody() -> ClientError {
    ClientError::NoSwitch { address: "b:1".into(), source: io::ErrorKind::ConnectionRefused.into() }
}

fn absent(missing: &[u16], size: u16) -> ClientError {
    let missing = missing.to_vec();
    ClientError::Refused(Refusal::JoinTimeout {
        job: "a".into(),
        size,
        missing,
        more: 0,
        waited_s: 4,
    })
}

/// Returns its request at the switch that it tries next.
fn joins(worker: &mut Worker) -> (Attempt, JoinRequest) {
    match worker.poll_step() {
        Some(Step::Join(attempt, request)) => (attempt, *request),
        other => panic!("{other:?}"),
    }
}

fn suspends(worker: &mut Worker) {
    assert!(matches!(worker.poll_step(), Some(Step::Suspend(_))));
}

fn rounds() -> Vec<FlowRounds> {
    vec![FlowRounds::new([7, 3])]
}

fn actions(worker: &mut Worker) -> Vec<Action<Ending>> {
    std::iter::from_fn(|| worker.poll_action()).collect()
}

/// No call is in progress from this number on.
fn idle(_: CallId) -> Option<CallId> {
    None
}

/// R-RES-8: of any two parts that have no worker in common one is more at most, and of a part and
/// the rest exactly one.
#[test]
fn one_part_is_more_than_the_rest() {
    for all in 1..=8u16 {
        for chosen in 0u16..1 << all {
            let (part, rest): (Vec<u16>, Vec<u16>) =
                (0..all).partition(|rank| chosen >> rank & 1 == 1);
            assert_ne!(is_majority(&part, all), is_majority(&rest, all), "{part:?} and {rest:?}");
        }
    }
}

/// R-CTRL-5, R-CTRL-7: calls that another has made can be done, and no call that comes after a
/// loss.
#[test]
fn calls_end_where_another_has_left_and_where_the_job_ends() {
    let mut worker = worker(0, 2);
    assert_eq!(worker.make(), Ok(CallId(0)));
    worker.handle(Notice::Left { rank: 1, calls: 1 }, idle);
    let left = Ending::PeerLeft { rank: 1, calls: 1 };
    assert_eq!(actions(&mut worker), [Action::Fail { first: CallId(1), error: left.clone() }]);
    assert_eq!(worker.make(), Err(left));
    assert!(!worker.is_over());
    // R-RES-7: nobody goes on with one that has left.
    worker.handle(gone(), idle);
    let (_, ending) = gone().ending().unwrap();
    assert_eq!(actions(&mut worker), [Action::End(ending.clone())]);
    assert!(worker.is_over() && worker.poll_step().is_none());
    assert_eq!((worker.make(), worker.leave(None, false)), (Err(ending), None));
}

/// R-CTRL-6, R-CTRL-12: questions are answered, and of a call that lasts is told.
#[test]
fn it_tells_of_calls_that_last() {
    let mut worker = worker(0, 2);
    let all = |from| Some(from).filter(|call: &CallId| call.0 < 3);
    (0..3).for_each(|call| assert_eq!(worker.make(), Ok(CallId(call))));
    for notice in
        [Notice::Pulse, Notice::Pulse, Notice::Pulse, Notice::AskInProgress { calls: vec![1, 9] }]
    {
        worker.handle(notice, all);
    }
    worker.handle(Notice::Describe { shard: 1, slot: 2, position: 3, lane: None }, all);
    let asked = Action::Describe { shard: 1, slot: 2, position: 3, lane: None };
    let tell = |calls: &[u64]| Action::Tell(calls.iter().copied().map(CallId).collect());
    assert_eq!(actions(&mut worker), [tell(&[0, 1, 2]), tell(&[1, 9]), asked]);
    // The switch at which it goes on has heard nothing.
    worker.handle(gone(), all);
    suspends(&mut worker);
    worker.suspended(5, rounds(), Some(CallId(0)));
    joins(&mut worker);
    worker.joined(welcome(2, 2));
    assert!(matches!(worker.poll_step(), Some(Step::Resume)));
    worker.arrived();
    worker.handle(Notice::Pulse, all);
    assert_eq!(actions(&mut worker), [tell(&[0, 1, 2])]);
}

/// R-RES-2, R-RES-7: it joins at the next switch with what its slots have done, calls may be made
/// meanwhile, and it leaves when nobody needs it any more.
#[test]
fn it_goes_on_at_the_next_switch() {
    let mut worker = worker(1, 3);
    worker.handle(gone(), idle);
    suspends(&mut worker);
    assert!(worker.is_away() && worker.is_settled());
    assert_eq!(worker.make(), Ok(CallId(0)));
    worker.suspended(5, rounds(), Some(CallId(0)));
    let (attempt, request) = joins(&mut worker);
    assert_eq!(attempt, Attempt { switch: 1, at_us: 5 });
    assert_eq!(request.resume, Some(Resume { epoch: 1, flows: rounds(), regroup: None }));
    assert_eq!((request.rank, request.size, request.slots), (1, 3, Some(16)));
    worker.turned_away(9, &nobody(), None);
    assert_eq!(joins(&mut worker).0.switch, 0);
    worker.joined(welcome(2, 3));
    assert!(matches!(worker.poll_step(), Some(Step::Resume)));
    assert_eq!(worker.leave(None, false), None, "it has not arrived");
    worker.arrived();
    assert_eq!(worker.leave(Some(CallId(0)), false), None, "a call is in progress");
    assert_eq!(worker.leave(None, true), None, "others may need what it replays");
    assert_eq!(worker.leave(None, false), Some(1));
    assert!(actions(&mut worker).is_empty());
}

/// R-RES-7: when no switch has the job in time, its calls fail with the cause that has ended its
/// last epoch.
#[test]
fn who_finds_no_switch_is_told_what_was_lost() {
    let mut worker = worker(0, 2);
    worker.handle(gone(), idle);
    suspends(&mut worker);
    worker.suspended(0, rounds(), None);
    let mut now_us = 0;
    while let Some(Step::Join(attempt, _)) = worker.poll_step() {
        now_us = attempt.at_us + 1;
        worker.turned_away(now_us, &nobody(), None);
    }
    assert!(now_us <= 2 * SECOND_US, "{now_us}");
    let (_, ending) = gone().ending().unwrap();
    let error = Ending::NotResumed { lost: ending.into(), why: nobody().to_string() };
    assert_eq!(actions(&mut worker), [Action::End(error.clone())]);
    assert_eq!(worker.make(), Err(error));
}

/// R-RES-8, R-RES-9: it goes on without those that are lost and those that do not come, and the
/// call of which they were a part tells so.
#[test]
fn it_goes_on_without_those_that_are_lost() {
    let mut worker = worker(3, 5);
    assert_eq!(worker.make(), Ok(CallId(0)));
    worker.handle(lost(1), idle);
    suspends(&mut worker);
    assert!(!worker.is_settled(), "a call would be counted by some and not by others");
    worker.suspended(0, rounds(), Some(CallId(0)));
    let (attempt, request) = joins(&mut worker);
    assert_eq!((attempt.switch, request.rank, request.size), (0, 2, 4));
    let resume = request.resume.unwrap();
    assert_eq!((resume.epoch, resume.flows), (1, vec![FlowRounds::new([])]));
    assert_eq!(resume.regroup, Some(Regroup { made: 1, idle: false }));
    // Ranks 0, 2, 3 and 4 are 0 to 3 now, and 4 does not come.
    worker.turned_away(4 * SECOND_US, &absent(&[3], 4), None);
    let (_, request) = joins(&mut worker);
    assert_eq!((request.rank, request.size), (2, 3));
    worker.joined(Welcome { first_call: 2, ..welcome(2, 3) });
    let Some(Step::Restart(error)) = worker.poll_step() else { panic!("it does not begin anew") };
    let why = Box::new(lost(1).ending().unwrap().1);
    assert_eq!(error, Ending::Regrouped { why, lost: vec![1, 4], rank: 2, workers: 3 });
    worker.arrived();
    assert!(worker.is_settled());
    // Others have made a call more.
    assert_eq!((worker.make(), worker.make()), (Err(error), Ok(CallId(2))));
    assert!(actions(&mut worker).is_empty());
}

/// R-RES-11: ranks that were lost since are those of the epoch that has ended; it joins at once
/// without them, at the same switch.
#[test]
fn it_joins_again_without_those_that_were_lost_since() {
    let mut worker = worker(3, 10);
    worker.handle(lost(1), idle);
    suspends(&mut worker);
    worker.suspended(0, rounds(), None);
    joins(&mut worker);
    for (at_us, since, rank, size) in [(5, &[4][..], 2, 8), (9, &[0, 5], 1, 6)] {
        let lost = since.to_vec();
        worker.turned_away(
            at_us,
            &ClientError::Refused(Refusal::OthersLost { job: "a".into(), lost }),
            None,
        );
        let (attempt, request) = joins(&mut worker);
        assert_eq!(
            (attempt, request.rank, request.size),
            (Attempt { switch: 0, at_us }, rank, size)
        );
        assert_eq!(request.resume.unwrap().epoch, 1);
    }
    // R-RES-12
    let out = ClientError::Refused(Refusal::GoneOn { job: "a".into() });
    worker.turned_away(10, &out, None);
    let lost = Box::new(lost(1).ending().unwrap().1);
    assert_eq!(
        actions(&mut worker),
        [Action::End(Ending::NotResumed { lost, why: out.to_string() })]
    );
}

/// R-RES-8: workers that were lost with a switch do not come to the next, and without them a
/// majority goes on.
#[test]
fn after_the_loss_of_a_switch_only_a_majority_goes_on() {
    for (missing, goes_on) in [(&[0, 1][..], true), (&[0, 1, 2], false)] {
        let mut worker = worker(4, 5);
        worker.handle(gone(), idle);
        suspends(&mut worker);
        worker.suspended(0, rounds(), None);
        joins(&mut worker);
        worker.turned_away(4 * SECOND_US, &absent(missing, 5), None);
        if goes_on {
            let (attempt, request) = joins(&mut worker);
            assert_eq!((attempt.switch, request.rank, request.size), (1, 2, 3));
        } else {
            let [Action::End(Ending::NotResumed { why, .. })] = &actions(&mut worker)[..] else {
                panic!("it goes on")
            };
            assert!(why.contains("2 of its 5 workers"), "{why}");
        }
    }
}

/// R-RES-8: others may have gone to a switch that does not know of this epoch, if the job can go on
/// at another.
#[test]
fn where_others_may_have_gone_elsewhere_only_a_majority_goes_on() {
    for (resumable, since, goes_on) in
        [(true, &[0][..], true), (true, &[0, 2], false), (false, &[0, 2, 3], true)]
    {
        let mut worker = worker(4, 5);
        worker.request.terms.resumable = resumable;
        worker.handle(lost(1), idle);
        suspends(&mut worker);
        worker.suspended(0, rounds(), None);
        joins(&mut worker);
        let refusal = Refusal::OthersLost { job: "a".into(), lost: since.to_vec() };
        worker.turned_away(5, &ClientError::Refused(refusal), None);
        if goes_on {
            assert_eq!(usize::from(joins(&mut worker).1.size), 4 - since.len());
        } else {
            let [Action::End(Ending::NotResumed { why, .. })] = &actions(&mut worker)[..] else {
                panic!("it goes on")
            };
            assert!(why.contains("2 of its 5 workers"), "{why}");
        }
    }
}

/// Switches are tried in turns until the time is over. The reason why one has refused the worker is
/// told, even if the last one that was tried did not answer.
#[test]
fn the_refusal_of_a_standby_is_told() {
    let mut worker = worker(0, 2);
    worker.handle(gone(), idle);
    suspends(&mut worker);
    worker.suspended(0, rounds(), None);
    let refusal = Refusal::FewerShards { flows: 3, shards: 1 };
    let mut now_us = 0;
    for turn in 0.. {
        if worker.is_over() {
            break;
        }
        assert!(turn < 1_000, "it never ends");
        joins(&mut worker);
        now_us += SECOND_US / 4;
        let why = if turn == 0 { ClientError::Refused(refusal.clone()) } else { nobody() };
        worker.turned_away(now_us, &why, None);
    }
    let [Action::End(Ending::NotResumed { why, .. })] = &actions(&mut worker)[..] else {
        panic!("it goes on")
    };
    assert!(why.contains("has 3 flows") && why.contains("--cores"), "{why}");
}

/// The next epoch may end before a worker is in it, whether it comes into it or not: then it comes
/// from there.
#[test]
fn the_next_epoch_may_end_as_well() {
    for comes in [true, false] {
        let mut worker = worker(0, 4);
        worker.handle(lost(2), idle);
        suspends(&mut worker);
        worker.suspended(0, rounds(), None);
        joins(&mut worker);
        worker.joined(Welcome { first_call: 1, ..welcome(2, 3) });
        assert!(matches!(worker.poll_step(), Some(Step::Restart(_))));
        worker.handle(lost(1), idle);
        assert!(worker.poll_step().is_none(), "one step at a time");
        if comes {
            worker.arrived()
        } else {
            worker.strand("its memory has gone".into())
        }
        suspends(&mut worker);
        worker.suspended(0, rounds(), None);
        let (_, request) = joins(&mut worker);
        assert_eq!((request.size, request.resume.unwrap().epoch), (2, 2));
        worker.joined(Welcome { first_call: 1, ..welcome(3, 2) });
        // Nobody was told of the first loss alone: by the ranks of four, 2 and 1 are lost.
        let Some(Step::Restart(Ending::Regrouped { lost, .. })) = worker.poll_step() else {
            panic!("no new streams")
        };
        assert_eq!(lost, [1, 2]);
        worker.arrived();
        assert!(worker.is_settled() && actions(&mut worker).is_empty());
    }
}

/// A job that fails for another reason is over wherever the worker is, and a step that is under way
/// comes to nothing.
#[test]
fn an_end_on_the_way_is_the_end() {
    let mut worker = worker(0, 2);
    worker.handle(gone(), idle);
    suspends(&mut worker);
    let (_, ending) = gone().ending().unwrap();
    worker.fail(ending.clone());
    worker.suspended(0, rounds(), None);
    worker.joined(welcome(2, 2));
    worker.arrived();
    worker.strand("late".into());
    assert!(worker.poll_step().is_none() && worker.is_over());
    assert_eq!(actions(&mut worker), [Action::End(ending)]);
}
