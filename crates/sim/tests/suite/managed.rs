//! Jobs that join, run, fail and leave, with the machines of the management plane in virtual time.

use netfold_management::{Ending, Failure, Loss, Refusal, Rejection};
use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_sim::{
    Behaviour, Calibration, CallSetup, Cluster, Content, Crash, Cut, Exception, Input, JobSetup,
    Leaks, Management, Outcome, Setup, Stall, Stop, SwitchCrash, Time,
};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::{Call, Collective, Reduction};

use crate::support::{DELAY_US, TIMEOUT_US, layer};

fn sum(elements: u64, start_us: u64) -> CallSetup {
    CallSetup { elements, element_type: ElementType::I32, start_us, ..CallSetup::default() }
}

/// A call at once, and one after a second.
fn job(name: &str, first_host: u32, workers: u16) -> JobSetup {
    JobSetup {
        name: name.into(),
        first_host,
        slots: 16,
        payload_bytes: 256,
        content: Content::Real,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::default()) },
        timeout_ms: TIMEOUT_US / 1000,
        calls: vec![sum(2_000, 0), sum(100, 1_000_000)],
        ..JobSetup::new(workers)
    }
}

/// Switches with three layers of two: hosts 0 to 3 and 4 to 7 have a switch above their racks in
/// common.
fn setup(jobs: Vec<JobSetup>) -> Setup {
    let management = Management { forming_ms: 2_000, ..Management::default() };
    Setup { management: Some(management), ..Setup::new(vec![layer(2), layer(2), layer(2)], jobs) }
}

fn run(setup: &Setup) -> Cluster {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), 1).unwrap();
    cluster.keep_log();
    cluster.run();
    let left = cluster.leaks();
    assert_eq!(left, Leaks::default(), "{:#?}", cluster.log());
    sums_are_right(&cluster);
    assert_eq!(cluster.datagrams_held(), 0);
    cluster
}

/// Checks that completed results are the sums over the workers that have made the call, whatever
/// befalls a job.
fn sums_are_right(cluster: &Cluster) {
    let report = cluster.report();
    let wrong = report.jobs.iter().flat_map(|job| &job.calls).find_map(|call| call.wrong.as_ref());
    assert_eq!(wrong, None);
}

fn outcome(cluster: &Cluster, job: usize, rank: u16) -> (u64, Outcome) {
    let record = cluster.worker(job, rank).unwrap();
    let (at, outcome) = record
        .outcome
        .clone()
        .unwrap_or_else(|| panic!("rank {rank} goes on: {:#?}", cluster.log()));
    (at.us(), outcome)
}

fn has_left(cluster: &Cluster, job: usize, workers: u16) {
    for rank in 0..workers {
        assert_eq!(outcome(cluster, job, rank).1, Outcome::Left, "rank {rank} of job {job}");
        let done = cluster
            .worker(job, rank)
            .unwrap()
            .calls
            .values()
            .filter(|(_, result)| result.is_ok())
            .count();
        assert_eq!(done, 2);
    }
}

/// The cause of which a worker was told, not before `from_us` and within `within_us` of it.
fn told(cluster: &Cluster, job: usize, rank: u16, from_us: u64, within_us: u64) -> Failure {
    let (at_us, outcome) = outcome(cluster, job, rank);
    assert!(
        (from_us..=from_us + within_us).contains(&at_us),
        "rank {rank} is told at {at_us} us of {outcome:?}"
    );
    match outcome {
        Outcome::Ended(Ending::Failed(failure)) => failure,
        other => panic!("rank {rank}: {other:?}"),
    }
}

/// The same job with the ability to go on after a loss.
fn going_on(mut job: JobSetup, able: fn(&mut Terms<IntegrityKind>)) -> JobSetup {
    able(&mut job.terms);
    job
}

fn except(mut job: JobSetup, rank: u16, does: Behaviour) -> JobSetup {
    job.exceptions.push(Exception { rank, does });
    job
}

/// R-CTRL-14 to 17: jobs at one switch, through two levels and through three, side by side and one
/// after the other under one name.
#[test]
fn jobs_come_and_go() {
    let mut again = job("one rack", 0, 2);
    again.start_us = 1_500_000;
    again.calls.iter_mut().for_each(|call| call.start_us += 1_500_000);
    let cluster =
        run(&setup(vec![job("one rack", 0, 2), job("all", 0, 8), job("two racks", 1, 3), again]));
    for (job, workers) in [(0, 2), (1, 8), (2, 3), (3, 2)] {
        has_left(&cluster, job, workers);
        assert!((0..2).all(|call| cluster.completed(job, call).is_some()));
    }
    counted(&cluster, 0, 2);
}

/// Workers that have left are counted: a round for each block of 64 lanes, at each of them.
fn counted(cluster: &Cluster, job: usize, workers: u16) {
    let blocks = 2_000_u64.div_ceil(64) + 100_u64.div_ceil(64);
    let report = &cluster.report().jobs[job];
    let sent_once = report.packets_sent - report.retransmissions - report.queries;
    assert_eq!(
        (report.rounds, sent_once),
        (u64::from(workers) * blocks, u64::from(workers) * blocks)
    );
}

/// Before the first event of a run nothing is random but what the seed says.
#[test]
fn a_run_can_be_repeated() {
    let setup = setup(vec![job("all", 0, 8)]);
    let digest = |seed| {
        let mut cluster = Cluster::new(&setup, &Calibration::built_in(), seed).unwrap();
        cluster.run();
        cluster.digest()
    };
    assert_eq!(digest(7), digest(7));
    assert_ne!(digest(7), digest(8));
}

/// R-CTRL-4: a host that stops is noticed by its silence, and a process that ends by its
/// connection: after a way of three links up, and at most three down.
#[test]
fn a_lost_worker_is_told_to_the_others_and_to_no_other_job() {
    let mut lost = setup(vec![job("all", 0, 6), job("others", 6, 2)]);
    lost.crashes = vec![Crash { host: 3, at_us: 200_000 }];
    let cluster = run(&lost);
    assert_eq!(outcome(&cluster, 0, 3), (200_000, Outcome::Crashed));
    for rank in [0, 1, 2, 4, 5] {
        // The last heartbeat went out at most a quarter of the time-out before.
        let failure =
            told(&cluster, 0, rank, 200_000 + TIMEOUT_US * 3 / 4, TIMEOUT_US / 4 + 6 * DELAY_US);
        let Failure::WorkerLost { rank: 3, why: Loss::Silent { .. } } = failure else {
            panic!("{failure:?}")
        };
    }
    has_left(&cluster, 1, 2);

    let cluster = run(&setup(vec![
        except(job("all", 0, 6), 3, Behaviour::Dies(200_000)),
        job("others", 6, 2),
    ]));
    for rank in [0, 1, 2, 4, 5] {
        let failure = told(&cluster, 0, rank, 200_000, 6 * DELAY_US);
        assert_eq!(failure, Failure::WorkerLost { rank: 3, why: Loss::Closed });
    }
    has_left(&cluster, 1, 2);
}

/// R-CTRL-18: workers below a switch that has gone have lost their switch. Everyone else has lost
/// the workers below it.
#[test]
fn a_lost_switch_loses_the_workers_below_it() {
    let mut lost = setup(vec![job("all", 0, 8), job("others", 6, 2)]);
    // The switch above hosts 2 and 3.
    lost.switch_crashes =
        vec![SwitchCrash { switch: 4, at_us: 200_000, how: Stop::Killed, restarts_us: None }];
    let cluster = run(&lost);
    for rank in 0..8 {
        if let 2 | 3 = rank {
            let (at_us, outcome) = outcome(&cluster, 0, rank);
            assert_eq!(at_us, 200_000 + DELAY_US);
            assert!(matches!(outcome, Outcome::Ended(Ending::SwitchLost { .. })), "{outcome:?}");
        } else {
            let failure = told(&cluster, 0, rank, 200_000, 5 * DELAY_US);
            let Failure::WorkerLost { rank: 2 | 3, why: Loss::SwitchGone { .. } } = failure else {
                panic!("{failure:?}")
            };
        }
    }
    has_left(&cluster, 1, 2);
}

/// R-CTRL-18: a switch that is told to stop tells those below it, and the root.
#[test]
fn a_switch_that_stops_says_so() {
    let mut stopped = setup(vec![job("all", 0, 8), job("others", 6, 2)]);
    stopped.switch_crashes =
        vec![SwitchCrash { switch: 1, at_us: 200_000, how: Stop::Stopped, restarts_us: None }];
    let cluster = run(&stopped);
    for rank in 0..8 {
        match told(&cluster, 0, rank, 200_000, 5 * DELAY_US) {
            Failure::SwitchStopping if rank < 4 => {}
            Failure::WorkerLost { rank: 0..4, why: Loss::SwitchGone { .. } } if rank >= 4 => {}
            other => panic!("rank {rank}: {other:?}"),
        }
    }
    has_left(&cluster, 1, 2);
}

/// A link that is cut, or a host that does nothing, for less than the time-out costs time only; for
/// longer, it costs the job.
#[test]
fn what_is_short_is_borne() {
    let outage = |during_us: u64| {
        let mut setup = setup(vec![job("cut", 0, 2), job("stalled", 4, 2)]);
        let (from_us, until_us) = (100_000, 100_000 + during_us);
        setup.cuts = vec![Cut { layer: 2, child: 1, from_us, until_us }];
        setup.stalls = vec![Stall { host: 5, from_us, until_us }];
        run(&setup)
    };
    let cluster = outage(TIMEOUT_US * 2 / 3);
    has_left(&cluster, 0, 2);
    has_left(&cluster, 1, 2);
    let cluster = outage(2 * TIMEOUT_US);
    for job in 0..2 {
        let failure = told(&cluster, job, 0, 100_000, TIMEOUT_US + 6 * DELAY_US);
        assert!(
            matches!(failure, Failure::WorkerLost { rank: 1, why: Loss::Silent { .. } }),
            "{failure:?}"
        );
    }
    // A worker that was only slow is told why it is out.
    assert!(matches!(
        outcome(&cluster, 1, 1).1,
        Outcome::Ended(Ending::Failed(Failure::Expelled { rank: 1, .. }))
    ));
}

/// R-CTRL-5, R-CTRL-6, and workers that do not come.
#[test]
fn who_does_otherwise_is_named() {
    let other = Behaviour::Calls { number: 1, call: sum(99, 0) };
    let cluster = run(&setup(vec![
        except(job("leaves", 0, 3), 1, Behaviour::Leaves(1)),
        except(job("calls", 3, 3), 2, other),
        except(job("absent", 6, 2), 0, Behaviour::Absent),
    ]));
    assert_eq!(outcome(&cluster, 0, 1).1, Outcome::Left);
    for rank in [0, 2] {
        let left = Ending::PeerLeft { rank: 1, calls: 1 };
        assert_eq!(outcome(&cluster, 0, rank).1, Outcome::Ended(left));
        assert!(cluster.worker(0, rank).unwrap().calls[&0].1.is_ok());
    }
    for rank in 0..3 {
        let failure = told(&cluster, 1, rank, 1_000_000, 20 * DELAY_US);
        let Failure::Mismatch { rank_a, rank_b, call_a, call_b } = failure else {
            panic!("{failure:?}")
        };
        let (odd, text) = if rank_a == 2 { (rank_a, call_a) } else { (rank_b, call_b) };
        assert!(odd == 2 && text.contains("99"), "rank {odd} called {text}");
    }
    let refused = |rank| match outcome(&cluster, 2, rank) {
        (at_us, Outcome::Rejected(Rejection::Refused(refusal))) => (at_us, refusal),
        other => panic!("{other:?}"),
    };
    let (at_us, refusal) = refused(1);
    assert!(at_us.abs_diff(2_000_000) < 20 * DELAY_US);
    assert!(matches!(refusal, Refusal::JoinTimeout { missing, .. } if missing == [0]));
    assert_eq!(cluster.worker(2, 0).unwrap().outcome, None);
}

/// R-CTRL-2: a job that does not fit is refused at all its workers, and has room when the other has
/// gone.
#[test]
fn memory_is_of_who_comes_first_and_free_again_when_it_has_gone() {
    let mut later = job("again", 0, 2);
    later.start_us = 2_000_000;
    later.calls.iter_mut().for_each(|call| call.start_us += 2_000_000);
    let mut second = job("second", 0, 2);
    second.start_us = 1_000;
    let mut setup = setup(vec![job("first", 0, 2), second, later]);
    // 16 slots and 8 urgent ones, two copies of 256 bytes each, and what belongs to them: room for
    // one job and not for two.
    setup.switches.memory_bytes = 24 * 2 * 256 * 3 / 2;
    let cluster = run(&setup);
    has_left(&cluster, 0, 2);
    has_left(&cluster, 2, 2);
    for rank in 0..2 {
        // The switch that folds is below the root, which therefore hears of the lack when the job
        // runs there already (R-CTRL-17).
        let (at_us, outcome) = outcome(&cluster, 1, rank);
        assert!(at_us < 1_000 + 20 * DELAY_US);
        assert!(
            matches!(outcome, Outcome::Rejected(Rejection::Failed(Failure::SwitchUnable { .. }))),
            "{outcome:?}"
        );
    }
}

/// A job on all racks that goes on without its switch, with calls at once and after a second, and
/// one of two hosts below switch 6.
fn resumable(crash: Option<SwitchCrash>) -> Setup {
    let all = going_on(job("all", 0, 8), |terms| terms.resumable = true);
    let mut setup = setup(vec![all, job("others", 6, 2)]);
    setup.switch_crashes = crash.into_iter().collect();
    setup
}

/// R-RES: a switch of any level that stops at any moment of a call, and starts again, costs time
/// only. Workers that do not need it do not lose even that.
#[test]
fn a_job_goes_on_when_its_switch_starts_again() {
    // In the next epoch of the job the call in the middle is completed and the last one made: a
    // worker that had left would not come along (R-RES-7).
    let later = |mut setup: Setup| {
        setup.jobs[0].calls.push(sum(500, 2_000_000));
        setup
    };
    let undisturbed = run(&later(resumable(None)));
    for (switch, how) in [(0, Stop::Killed), (1, Stop::Stopped), (4, Stop::Killed)] {
        for after_us in (0..200).step_by(9) {
            let at_us = 1_000_000 + after_us;
            let restarts_us = Some(at_us + TIMEOUT_US / 2);
            let cluster =
                run(&later(resumable(Some(SwitchCrash { switch, at_us, how, restarts_us }))));
            for rank in 0..8 {
                assert_eq!(
                    outcome(&cluster, 0, rank).1,
                    Outcome::Left,
                    "rank {rank}, at {at_us} us"
                );
                assert_eq!(cluster.worker(0, rank).unwrap().resumed, 1);
                for call in 0..3 {
                    assert_eq!(
                        cluster.result(0, call, rank),
                        undisturbed.result(0, call, rank),
                        "at {at_us} us"
                    );
                }
            }
            if switch != 0 {
                has_left(&cluster, 1, 2);
            }
        }
    }
}

/// R-RES-7: when the switch starts again too late, or not at all, everyone is told what has ended
/// the job.
#[test]
fn a_switch_that_starts_again_too_late_is_lost() {
    for restarts_us in [None, Some(200_000 + 3 * TIMEOUT_US)] {
        let crash = SwitchCrash { switch: 4, at_us: 200_000, how: Stop::Killed, restarts_us };
        let cluster = run(&resumable(Some(crash)));
        for rank in 0..8 {
            let (at_us, Outcome::Ended(Ending::NotResumed { lost, .. })) =
                outcome(&cluster, 0, rank)
            else {
                panic!("rank {rank}")
            };
            assert!(lost.is_of_a_switch(), "{lost:?}");
            // Workers that have lost it look for it for the time-out. The others, which have
            // theirs, wait for twice that.
            let waits_us = if let 2 | 3 = rank { TIMEOUT_US } else { 2 * TIMEOUT_US };
            let from_us = 200_000 + waits_us - if let 2 | 3 = rank { 110_000 } else { 0 };
            assert!(
                (from_us..=200_000 + waits_us + 1_000).contains(&at_us),
                "rank {rank} is told at {at_us} us"
            );
        }
        has_left(&cluster, 1, 2);
    }
}

/// R-RES-7: a worker without one that has left has nobody to go on with, and is told at once.
#[test]
fn nobody_goes_on_without_a_worker_that_has_left() {
    let pair = going_on(job("pair", 0, 2), |terms| terms.resumable = true);
    let mut setup = setup(vec![except(pair, 1, Behaviour::Leaves(1))]);
    setup.switch_crashes = vec![SwitchCrash {
        switch: 3,
        at_us: 200_000,
        how: Stop::Killed,
        restarts_us: Some(300_000),
    }];
    let (at_us, outcome) = outcome(&run(&setup), 0, 0);
    assert_eq!(at_us, 200_000 + DELAY_US);
    assert!(matches!(outcome, Outcome::Ended(Ending::SwitchLost { .. })), "{outcome:?}");
}

/// A switch starts again after it has stopped, and not if it has gone without a word.
#[test]
fn what_cannot_start_again_is_refused() {
    for (how, restarts_us) in [(Stop::Killed, 200_000), (Stop::Silent, 300_000)] {
        let crash = SwitchCrash { switch: 4, at_us: 200_000, how, restarts_us: Some(restarts_us) };
        let error =
            Cluster::new(&resumable(Some(crash)), &Calibration::built_in(), 1).err().unwrap();
        assert!(error.to_string().contains("restarts_us"), "{error}");
    }
    let mut unmanaged = resumable(None);
    unmanaged.management = None;
    let error = Cluster::new(&unmanaged, &Calibration::built_in(), 1).err().unwrap();
    assert!(error.to_string().contains("resumable"), "{error}");
}

/// R-RES-8, R-RES-9: the others go on without a worker whose process ends, between two calls or in
/// one, and every one of them has a call that tells so.
#[test]
fn an_elastic_job_goes_on_without_a_lost_worker() {
    const WORKERS: u16 = 8;
    // Five times as many blocks as slots, so that a call takes several rounds.
    const ELEMENTS: usize = 5_000;
    for dies_us in [500_000, 1_000_050] {
        let job = JobSetup { calls: Vec::new(), ..job("elastic", 0, WORKERS) };
        let job = going_on(job, |terms| terms.elastic = true);
        let setup =
            setup(vec![except(job, 3, Behaviour::Dies(dies_us)), self::job("others", 6, 2)]);
        let mut cluster = Cluster::new(&setup, &Calibration::built_in(), 1).unwrap();
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::I32,
            elements: ELEMENTS as u64,
            priority: None,
        };
        for at_us in [0, 1_000_000, 3_000_000] {
            let inputs = vec![1_i32.to_ne_bytes().repeat(ELEMENTS); WORKERS.into()];
            cluster
                .submit(0, call, Time::from_us(at_us), Input::Bytes { inputs, in_place: false })
                .unwrap();
        }
        cluster.run();
        sums_are_right(&cluster);
        assert_eq!(cluster.leaks(), Leaks::default());
        let left: Vec<u16> = (0..WORKERS).filter(|rank| *rank != 3).collect();
        for &rank in &left {
            assert_eq!(outcome(&cluster, 0, rank).1, Outcome::Left, "rank {rank}");
            let record = cluster.worker(0, rank).unwrap();
            assert_eq!((&record.misled, record.regrouped), (&None, 1));
            assert_eq!(record.members, [(0, (0..WORKERS).collect()), (2, left.clone())]);
            let told = &record.calls[&1].1;
            assert!(
                matches!(told, Err(Ending::Regrouped { lost, workers: 7, .. }) if *lost == [3]),
                "{told:?}"
            );
            assert_eq!(cluster.result(0, 0, rank).unwrap(), 8_i32.to_ne_bytes().repeat(ELEMENTS));
            assert_eq!(cluster.result(0, 2, rank).unwrap(), 7_i32.to_ne_bytes().repeat(ELEMENTS));
        }
        has_left(&cluster, 1, 2);
    }
}
