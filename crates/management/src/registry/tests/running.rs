//! Jobs that run, end and fail: R-CTRL-3 to R-CTRL-6, and the messages about it.

use super::*;
use crate::{Cause, Finding, Incident, JobPhase, JobStatus, SlotStatus};

fn mismatch(welcome: &Welcome, first: u16, second: u16) -> Incident {
    let cause = Cause::Mismatch { first, second };
    Incident { job: welcome.job, epoch: welcome.epoch, position: 17, slot: 5, shard: 1, cause }
}

fn report(rig: &mut Rig, incident: Incident) {
    rig.registry.incident(rig.now_us, incident, &mut rig.plane);
    rig.drain();
}

fn description(text: &str) -> Message {
    Message::Description { shard: 1, slot: 5, position: 17, text: text.into() }
}

/// R-CTRL-4.
#[test]
fn everyone_is_told_at_once_when_a_connection_closes() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("a", 3);
    rig.hang_up(conns[1]);
    for conn in [conns[0], conns[2]] {
        assert_eq!(rig.failure(conn), Failure::WorkerLost { rank: 1, why: Loss::Closed });
    }
    assert!(rig.plane.admitted.is_empty(), "memory is released at once");
    assert_eq!(rig.jobs(), []);
}

/// R-CTRL-4: within the job's time-out, also for the silent worker itself, which may only be slow.
#[test]
fn a_silent_worker_is_lost_after_the_time_out() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("a", 3);
    let alive = [conns[0], conns[2]];
    rig.advance_alive(SECOND_US * 3 / 4, &alive);
    assert!(rig.closed.is_empty());
    rig.advance_alive(SECOND_US / 4, &alive);
    let why = Loss::Silent { for_ms: TIMEOUT_MS };
    for conn in alive {
        assert_eq!(rig.failure(conn), Failure::WorkerLost { rank: 1, why: why.clone() });
    }
    assert_eq!(rig.failure(conns[1]), Failure::Expelled { rank: 1, why });
}

/// R-CTRL-4: the switch is heard four times in a time-out, while the job forms as well.
#[test]
fn the_switch_sends_heartbeats() {
    let mut rig = Rig::new();
    let forming = rig.join(join("b", 0, 2));
    let (conns, _) = rig.running("a", 1);
    rig.advance_alive(2 * SECOND_US, &[conns[0], forming]);
    assert_eq!(rig.heartbeats(conns[0]), 8);
    assert_eq!(rig.heartbeats(forming), 8);
}

#[test]
fn a_worker_that_is_silent_while_the_job_forms_frees_its_rank() {
    let mut rig = Rig::new();
    let waits = rig.join(join("a", 0, 3));
    let silent = rig.join(join("a", 1, 3));
    rig.heard(waits);
    rig.advance_alive(SECOND_US, &[waits]);
    assert_eq!(rig.refusal(silent), Refusal::Silent { for_ms: TIMEOUT_MS });
    assert_eq!(rig.heard(waits), [waiting(1, 3, [1, 2])]);
    assert_eq!(rig.jobs()[0].missing, [1, 2]);
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let mut rig = Rig::new();
    let conn = rig.connect();
    rig.advance(10 * SECOND_US - 1);
    assert!(rig.closed.is_empty());
    rig.advance(1);
    assert!(rig.closed.contains(&conn));
    assert_eq!(rig.registry.poll_timeout(), None);
}

/// R-CTRL-3: a new epoch has a number of its own, also when the random source repeats itself.
#[test]
fn a_name_can_be_used_again_after_failure_and_after_the_end() {
    let mut rig = Rig::new();
    let (conns, first) = rig.running("a", 2);
    rig.hang_up(conns[0]);
    let (conns, second) = rig.running("a", 2);
    assert_ne!(first.epoch, second.epoch);
    for conn in conns {
        rig.say(conn, Message::Leave { calls: 1 });
    }
    assert!(rig.plane.admitted.is_empty());
    rig.entropy = u64::from(second.epoch) - 2;
    let (_, third) = rig.running("a", 2);
    assert_eq!(
        (third.job, rig.entropy as u32),
        (second.job, second.epoch),
        "the same number and the same entropy"
    );
    assert_ne!(third.epoch, second.epoch);
}

/// R-CTRL-5.
#[test]
fn leaving_is_told_to_the_others_and_the_last_one_ends_the_job() {
    let mut rig = Rig::new();
    let (conns, welcome) = rig.running("a", 3);
    rig.say(conns[1], Message::Leave { calls: 12 });
    assert!(rig.closed.contains(&conns[1]));
    for conn in [conns[0], conns[2]] {
        assert_eq!(rig.heard(conn), [Message::Left { rank: 1, calls: 12 }]);
    }
    assert!(rig.plane.admitted.contains_key(&welcome.job), "the others still fold");
    assert_eq!(rig.jobs()[0].left, [1]);
    rig.say(conns[0], Message::Leave { calls: 12 });
    rig.say(conns[2], Message::Leave { calls: 12 });
    assert!(rig.plane.admitted.is_empty());
    assert_eq!(rig.jobs(), []);
}

/// R-CTRL-4, R-CTRL-5: a worker that has left is not told. One that has not is lost when its
/// connection closes.
#[test]
fn a_loss_after_a_leave_fails_the_rest() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("a", 3);
    rig.say(conns[0], Message::Leave { calls: 1 });
    rig.hang_up(conns[1]);
    assert_eq!(rig.failure(conns[2]), Failure::WorkerLost { rank: 1, why: Loss::Closed });
    assert_eq!(rig.heard(conns[0]), []);
}

/// R-CTRL-6.
#[test]
fn a_mismatch_names_both_ranks_and_both_calls_to_everyone() {
    let mut rig = Rig::new();
    let (conns, welcome) = rig.running("a", 3);
    report(&mut rig, mismatch(&welcome, 2, 0));
    assert!(rig.plane.admitted.is_empty(), "nothing is folded any more");
    let question = Message::Describe { shard: 1, slot: 5, position: 17, lane: None };
    for asked in [conns[0], conns[2]] {
        assert_eq!(rig.heard(asked), std::slice::from_ref(&question));
    }
    assert_eq!(rig.heard(conns[1]), []);
    rig.say(conns[1], description("not asked"));
    rig.say(
        conns[0],
        Message::Description { shard: 0, slot: 5, position: 17, text: "of another shard".into() },
    );
    rig.say(
        conns[0],
        Message::Description { shard: 1, slot: 4, position: 17, text: "of another slot".into() },
    );
    rig.say(conns[0], description("all_reduce #4, 100 f32"));
    assert!(rig.closed.is_empty());
    rig.say(conns[2], description("all_reduce #4, 200 f32"));
    for conn in conns {
        let failure = rig.failure(conn);
        assert_eq!(
            failure,
            Failure::Mismatch {
                rank_a: 2,
                call_a: "all_reduce #4, 200 f32".into(),
                rank_b: 0,
                call_b: "all_reduce #4, 100 f32".into(),
            },
        );
        let text = failure.to_string();
        for part in ["rank 2", "rank 0", "200 f32", "100 f32"] {
            assert!(text.contains(part), "{text}");
        }
    }
}

/// R-CTRL-6: a worker that does not answer, is dead, has left or was never there does not hold up
/// the others.
#[test]
fn a_description_that_does_not_come_is_unknown_after_a_second() {
    fn unknown(rig: &mut Rig, conn: ConnectionId) {
        let Failure::Mismatch { call_a, call_b, .. } = rig.failure(conn) else {
            panic!("another failure")
        };
        assert_eq!((call_a.as_str(), call_b.starts_with("unknown")), ("mine", true));
    }
    let mut rig = Rig::new();
    let (conns, welcome) = rig.running("a", 3);
    rig.advance_alive(SECOND_US / 4, &conns);
    report(&mut rig, mismatch(&welcome, 0, 1));
    rig.say(conns[0], description("mine"));
    rig.advance_alive(SECOND_US, &conns);
    unknown(&mut rig, conns[2]);

    let (conns, welcome) = rig.running("a", 3);
    report(&mut rig, mismatch(&welcome, 0, 1));
    rig.hang_up(conns[1]);
    rig.say(conns[0], description("mine"));
    unknown(&mut rig, conns[2]);

    let (conns, welcome) = rig.running("a", 3);
    rig.say(conns[1], Message::Leave { calls: 0 });
    report(&mut rig, mismatch(&welcome, 0, 1));
    rig.say(conns[0], description("mine"));
    unknown(&mut rig, conns[2]);

    let (conns, welcome) = rig.running("a", 3);
    report(&mut rig, mismatch(&welcome, 0, 1));
    rig.say(conns[0], description("mine"));
    rig.say(conns[1], Message::Leave { calls: 0 });
    unknown(&mut rig, conns[2]);

    let (conns, welcome) = rig.running("a", 3);
    report(&mut rig, mismatch(&welcome, 0, 60));
    rig.say(conns[0], description("mine"));
    unknown(&mut rig, conns[2]);
}

#[test]
fn a_late_mismatch_does_not_hit_the_next_epoch() {
    let mut rig = Rig::new();
    let (conns, first) = rig.running("a", 2);
    rig.hang_up(conns[0]);
    let (conns, second) = rig.running("a", 2);
    assert_eq!(first.job, second.job);
    report(&mut rig, mismatch(&first, 0, 1));
    assert_eq!(rig.heard(conns[0]), []);
}

/// R-CTRL-3: the name is free from the moment the mismatch is known.
#[test]
fn a_new_epoch_begins_while_the_old_one_is_described() {
    let mut rig = Rig::new();
    let (old, welcome) = rig.running("a", 2);
    report(&mut rig, mismatch(&welcome, 0, 1));
    let (new, _) = rig.running("a", 2);
    rig.hang_up(old[0]);
    rig.hang_up(old[1]);
    assert_eq!(rig.heard(new[0]), []);
    assert_eq!(rig.jobs().len(), 1);
    let conn = rig.join(join("a", 0, 2));
    assert!(
        matches!(rig.refusal(conn), Refusal::RankTaken { .. }),
        "the name is still the new epoch's"
    );
}

#[test]
fn a_worker_that_breaks_the_protocol_is_lost() {
    let mut rig = Rig::new();
    for odd in [
        Message::Join(join("a", 0, 2).into()),
        Message::Query { what: Query::Jobs },
        waiting(1, 1, []),
    ] {
        let (conns, _) = rig.running("a", 2);
        rig.say(conns[1], odd);
        let Failure::WorkerLost { rank: 1, why: Loss::Misbehaved { .. } } = rig.failure(conns[0])
        else {
            panic!("another failure")
        };
    }
}

#[test]
fn stopping_tells_everyone() {
    let mut rig = Rig::new();
    let (running, _) = rig.running("a", 2);
    let forming = rig.join(join("b", 0, 2));
    let guest = rig.connect();
    rig.registry.stop(&mut rig.plane);
    rig.drain();
    for conn in running {
        assert_eq!(rig.failure(conn), Failure::SwitchStopping);
    }
    assert_eq!(rig.refusal(forming), Refusal::SwitchStopping);
    assert!(rig.closed.contains(&guest));
    assert!(rig.plane.admitted.is_empty());
}

#[test]
fn reports_show_jobs_counters_and_what_looks_wrong() {
    let mut rig = Rig::new();
    let (conns, welcome) = rig.running("runs", 2);
    let forming = rig.join(join("forms", 1, 3));
    let waiting = |position| SlotStatus { slot: 1, position, seen: vec![0], missing: vec![1] };
    let shard = |dropped, waiting| ShardStatus {
        counters: vec![("contributions", 5), ("dropped_short", dropped)],
        memory_used: 95,
        memory_total: 100,
        jobs: vec![JobStatus {
            job: welcome.job,
            slots: 8,
            counters: vec![("rounds", 3)],
            waiting,
            operations: Vec::new(),
        }],
        tables: Vec::new(),
        queries: Vec::new(),
    };
    rig.plane.shards = vec![shard(2, vec![waiting(40), waiting(41)]), shard(0, vec![waiting(7)])];
    rig.advance_alive(SECOND_US / 2, &[forming, conns[0]]);
    rig.advance(SECOND_US / 8);

    let jobs = rig.jobs();
    assert_eq!(
        (jobs[0].phase, jobs[0].job, jobs[0].age_ms),
        (JobPhase::Running, Some(welcome.job), 625)
    );
    assert_eq!((jobs[1].phase, jobs[1].missing.as_slice()), (JobPhase::Forming, [0, 2].as_slice()));

    let Report::Stats(stats) = rig.ask(Query::Stats) else { panic!("another report") };
    assert_eq!((stats.jobs_forming, stats.jobs_running, stats.workers), (1, 1, 3));
    assert_eq!((stats.shards[1].slots, stats.shards[0].counters["contributions"]), (8, 5));
    assert_eq!(stats.jobs["runs"]["rounds"], 6, "summed over the shards");

    let Report::Doctor { findings, omitted: 0 } = rig.ask(Query::Doctor) else {
        panic!("another report")
    };
    let runs = || "runs".to_owned();
    let expected = [
        Finding::MissingWorkers { job: "forms".into(), size: 3, missing: vec![0, 2], for_ms: 625 },
        Finding::WaitingFor {
            job: runs(),
            rank: 1,
            with: vec![],
            slots: 3,
            shard: 0,
            slot: 1,
            position: 40,
        },
        Finding::QuietWorker { job: runs(), rank: 1, for_ms: 625, timeout_ms: TIMEOUT_MS },
        Finding::MemoryShort { shard: 0, used: 95, total: 100 },
        Finding::MemoryShort { shard: 1, used: 95, total: 100 },
        Finding::Dropped { counter: "dropped_short".into(), datagrams: 2 },
    ];
    assert_eq!(findings, expected);
}

/// R-CTRL-10: a worker that runs the slots itself reports what a shard would.
#[test]
fn a_worker_can_report_a_mismatch() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("a", 3);
    rig.say(
        conns[2],
        Message::Incident {
            shard: 1,
            slot: 5,
            position: 17,
            cause: Cause::Mismatch { first: 0, second: 1 },
        },
    );
    assert!(rig.plane.admitted.is_empty(), "nothing is folded any more");
    for conn in &conns[..2] {
        assert_eq!(
            rig.heard(*conn).pop(),
            Some(Message::Describe { shard: 1, slot: 5, position: 17, lane: None })
        );
        rig.say(*conn, description(&format!("call of {conn:?}")));
    }
    for &conn in &conns {
        let Failure::Mismatch { rank_a: 0, rank_b: 1, .. } = rig.failure(conn) else {
            panic!("another failure")
        };
    }
}

fn in_progress(call: u64, text: &str) -> Message {
    Message::InProgress { calls: vec![(call, text.into())] }
}

fn asks(calls: &[u64]) -> Message {
    Message::AskInProgress { calls: calls.into() }
}

/// R-CTRL-12: one word is about several calls, of which each is compared, and the others are asked
/// about those that nobody has told of. Of more than a worker may tell the rest is ignored.
#[test]
fn calls_behind_others_are_compared() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("a", 3);
    let words = |calls: std::ops::Range<u64>, odd: Option<u64>| {
        let text = |call| if Some(call) == odd { "bulk barrier" } else { "barrier" };
        Message::InProgress { calls: calls.map(|call| (call, text(call).into())).collect() }
    };
    rig.say(conns[0], words(0..3, None));
    assert_eq!(rig.heard(conns[1]), [asks(&[0, 1, 2])]);
    rig.say(conns[1], words(1..100, None));
    let told: Vec<_> = (3..1 + netfold_worker::MOST_TOLD as u64).collect();
    assert_eq!(rig.heard(conns[0]), [asks(&told)]);
    rig.say(conns[2], words(0..9, Some(7)));
    let failure = Failure::Mismatch {
        rank_a: 1,
        call_a: "barrier".into(),
        rank_b: 2,
        call_b: "bulk barrier".into(),
    };
    for conn in conns {
        assert_eq!(rig.failure(conn), failure);
    }
}

/// R-CTRL-12: workers that wait for one call in different streams are told so. A worker that calls
/// nothing there yet is only late.
#[test]
fn calls_that_wait_for_each_other_are_compared() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("a", 3);
    rig.say(conns[1], in_progress(4, "broadcast"));
    for other in [conns[0], conns[2]] {
        assert_eq!(rig.heard(other), [asks(&[4])]);
    }
    assert_eq!(rig.heard(conns[1]), []);
    // The same call, the same worker again, and other calls are no mismatch. Nobody is asked twice.
    rig.say(conns[0], in_progress(4, "broadcast"));
    rig.say(conns[1], in_progress(4, "broadcast"));
    assert_eq!(rig.heard(conns[2]), []);
    rig.say(conns[0], in_progress(5, "barrier"));
    assert_eq!(rig.heard(conns[2]), [asks(&[5])]);
    assert!(rig.closed.is_empty());
    rig.say(conns[2], in_progress(4, "bulk broadcast"));
    assert!(rig.plane.admitted.is_empty(), "nothing is folded any more");
    let failure = Failure::Mismatch {
        rank_a: 0,
        call_a: "broadcast".into(),
        rank_b: 2,
        call_b: "bulk broadcast".into(),
    };
    for conn in conns {
        assert_eq!(rig.failure(conn), failure);
    }
    assert_eq!(rig.jobs(), []);
}

/// R-CTRL-13: the worker whose value was added says which element it was, and everyone hears it.
#[test]
fn an_overflow_is_described_to_everyone() {
    let mut rig = Rig::new();
    let request = |rank| on(join("a", rank, 3), |terms| terms.arithmetic = "fpisa-a".into());
    let conns: Vec<_> = (0..3).map(|rank| rig.join(request(rank))).collect();
    let welcomes = conns.iter().filter_map(|&conn| rig.welcome(conn)).collect::<Vec<_>>();
    let (welcome, cause) = (&welcomes[0], Cause::Overflow { rank: 1, lane: 40 });
    report(&mut rig, Incident { cause, ..mismatch(welcome, 0, 0) });
    assert!(rig.plane.admitted.is_empty(), "nothing is folded any more");
    let question = Message::Describe { shard: 1, slot: 5, position: 17, lane: Some(40) };
    assert_eq!(rig.heard(conns[1]).pop(), Some(question));
    assert_eq!(rig.heard(conns[0]).pop(), None);
    rig.say(conns[1], description("element 296 of all_reduce"));
    let (arithmetic, element) = ("fpisa-a".to_owned(), "element 296 of all_reduce".to_owned());
    let failure = Failure::Overflow { job: "a".into(), arithmetic, rank: 1, element };
    for &conn in &conns {
        assert_eq!(rig.failure(conn), failure);
    }
    // R-FPI-16: mantissas overflow whatever the scale, and what helps depends on the arithmetic.
    let text = failure.to_string();
    for said in [
        "the job \"a\"",
        "scaling does not help",
        "use fpisa,",
        "native or block",
        "overflow=native",
    ] {
        assert!(text.contains(said), "{said} in {text}");
    }
}
