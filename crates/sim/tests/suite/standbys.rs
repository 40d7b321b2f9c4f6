//! Jobs that go on elsewhere when their switch is lost (R-RES-2), and elastic jobs that lose
//! several workers at once (R-RES-11).

use netfold_management::{Ending, Refusal, Rejection};
use netfold_num::{Arithmetic, ElementType};
use netfold_sim::{
    Behaviour, Calibration, CallSetup, Cluster, Content, Crash, Exception, JobSetup, Leaks,
    Management, Outcome, Setup, Stop, SwitchCrash,
};
use netfold_wire::{IntegrityKind, Terms};

use crate::support::{DELAY_US, TIMEOUT_US, layer};

const WORKERS: u16 = 8;

/// The longest that packets of calls as short as these take for themselves on all links of a way
/// and back, in microseconds.
const PACKETS_US: u64 = 10;

fn sum(elements: u64, start_us: u64) -> CallSetup {
    CallSetup { elements, element_type: ElementType::F32, start_us, ..CallSetup::default() }
}

/// Two trees of three levels over eight hosts. The switches of the first are 0 to 6, those of the
/// second 7 to 13.
fn setup(jobs: Vec<JobSetup>) -> Setup {
    let management = Management { forming_ms: 2_000, trees: 2, ..Management::default() };
    Setup { management: Some(management), ..Setup::new(vec![layer(2), layer(2), layer(2)], jobs) }
}

/// Sums that depend on the order of the additions.
fn job(name: &str, trees: &[u32], calls: Vec<CallSetup>) -> JobSetup {
    JobSetup {
        name: name.into(),
        trees: trees.to_vec(),
        slots: 16,
        payload_bytes: 256,
        content: Content::Real,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::default()) },
        timeout_ms: TIMEOUT_US / 1000,
        calls,
        ..JobSetup::new(WORKERS)
    }
}

fn lost(switch: u32, at_us: u64, how: Stop, restarts_us: Option<u64>) -> SwitchCrash {
    SwitchCrash { switch, at_us, how, restarts_us }
}

fn run(setup: &Setup) -> Cluster {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), 1).unwrap();
    cluster.keep_log();
    cluster.run();
    assert_eq!(cluster.leaks(), Leaks::default(), "{:#?}", cluster.log());
    let report = cluster.report();
    let wrong = report.jobs.iter().flat_map(|job| &job.calls).find_map(|call| call.wrong.as_ref());
    assert_eq!((wrong, cluster.datagrams_held()), (None, 0));
    cluster
}

fn outcome(cluster: &Cluster, job: usize, rank: u16) -> (u64, Outcome) {
    let (at, outcome) = cluster.worker(job, rank).unwrap().outcome.clone().expect("it has ended");
    (at.us(), outcome)
}

fn has_left(cluster: &Cluster, job: usize, resumed: u32) {
    for rank in 0..WORKERS {
        assert_eq!(
            outcome(cluster, job, rank).1,
            Outcome::Left,
            "rank {rank} of job {job}: {:#?}",
            cluster.log()
        );
        assert_eq!(cluster.worker(job, rank).unwrap().resumed, resumed);
    }
}

/// Returns the time at which the last worker had the result of a call, in microseconds.
fn done_us(cluster: &Cluster, call: usize) -> u64 {
    cluster.completed(0, call).expect("it is complete").us()
}

/// A way up and down again between a host and the root: three links each.
const WAY_US: u64 = 6 * DELAY_US;

/// Longest time from the moment at which a root or host knows that a switch or worker is lost until
/// the next call is complete. Others are told, connect, which each switch passes on before the root
/// greets, join and are welcome, and a round goes up and comes down.
const GOES_ON_US: u64 = 4 * WAY_US + PACKETS_US;

/// The same for several losses: a worker that has begun to join by then is told of the last when it
/// asks to, and connects and joins once more.
const GO_ON_US: u64 = GOES_ON_US + 2 * WAY_US;

/// R-RES-2: whenever its switch is lost in a call, and however, all go on at the next one of the
/// list, in no more time than it takes to notice and to join; and others do not notice.
#[test]
fn a_job_goes_on_at_its_standby() {
    let calls = vec![sum(2_000, 0), sum(2_000, 1_000_000), sum(500, 2_000_000)];
    let both =
        || setup(vec![job("all", &[0, 1], calls.clone()), job("others", &[1], calls.clone())]);
    let undisturbed = run(&both());
    let took_us = done_us(&undisturbed, 1) - 1_000_000;
    for (how, noticed_us) in [(Stop::Killed, 0), (Stop::Stopped, 0), (Stop::Silent, TIMEOUT_US)] {
        for after_us in (0..took_us + 20).step_by(7) {
            let mut setup = both();
            let at_us = 1_000_000 + after_us;
            setup.switch_crashes = vec![lost(0, at_us, how, None)];
            let cluster = run(&setup);
            has_left(&cluster, 0, 1);
            has_left(&cluster, 1, 0);
            // With the silence that is borne between two heartbeats.
            let bound_us = at_us + noticed_us + GOES_ON_US + took_us;
            assert!(
                done_us(&cluster, 1) <= bound_us,
                "{how:?} at {at_us} us: {}",
                done_us(&cluster, 1)
            );
            for (call, rank) in (0..3).flat_map(|call| (0..WORKERS).map(move |rank| (call, rank))) {
                assert_eq!(
                    cluster.result(0, call, rank),
                    cluster.result(0, call, 0),
                    "{how:?} at {at_us} us"
                );
            }
        }
    }
}

/// Switches are restarted one after the other, and the list begins anew at its end.
#[test]
fn a_job_comes_back_to_its_first_switch() {
    let calls = (0..5).map(|number| sum(2_000, number * 1_000_000)).collect();
    let mut setup = setup(vec![job("all", &[0, 1], calls)]);
    setup.switch_crashes = vec![
        lost(0, 1_000_050, Stop::Stopped, Some(1_500_000)),
        lost(7, 2_000_050, Stop::Killed, Some(2_500_000)),
        lost(0, 3_000_050, Stop::Stopped, None),
    ];
    has_left(&run(&setup), 0, 3);
}

/// The first that answers has the job: nobody listens at the first, or its host is not there.
#[test]
fn a_job_begins_where_a_switch_answers() {
    for (how, from_us) in [(Stop::Killed, 0), (Stop::Silent, 5_000_000)] {
        let job = JobSetup { start_us: 200_000, ..job("all", &[0, 1], vec![sum(2_000, 200_000)]) };
        let mut setup = Setup { layers: vec![layer(WORKERS.into())], ..setup(vec![job]) };
        setup.switch_crashes = vec![lost(0, 100_000, how, None)];
        let cluster = run(&setup);
        has_left(&cluster, 0, 0);
        let joined_us = cluster.worker(0, 0).unwrap().joined.unwrap().us();
        assert!(
            (from_us..from_us + 20 * DELAY_US).contains(&(joined_us - 200_000)),
            "{joined_us} us"
        );
        setup.switch_crashes.push(lost(1, 150_000, Stop::Killed, None));
        for rank in 0..WORKERS {
            let (_, outcome) = outcome(&run(&setup), 0, rank);
            assert!(
                matches!(outcome, Outcome::Rejected(Rejection::NoSwitch { .. })),
                "{outcome:?}"
            );
        }
    }
}

/// R-RES-3: one that knows of another switch than the others is named, after twice the time-out; it
/// has none to go to when one time-out is over.
#[test]
fn a_worker_that_does_not_come_along_is_named() {
    let mut all = job("all", &[0, 1], vec![sum(2_000, 0), sum(100, 1_000_000)]);
    all.exceptions = vec![Exception { rank: 3, does: Behaviour::Trees(vec![0, 0]) }];
    let mut setup = setup(vec![all]);
    setup.switch_crashes = vec![lost(0, 500_000, Stop::Stopped, None)];
    let cluster = run(&setup);
    for rank in 0..WORKERS {
        let (at_us, outcome) = outcome(&cluster, 0, rank);
        let Outcome::Ended(Ending::NotResumed { why, .. }) = outcome else {
            panic!("rank {rank}: {outcome:?}")
        };
        let (missing, within) =
            if rank == 3 { (false, TIMEOUT_US) } else { (true, 2 * TIMEOUT_US) };
        assert_eq!(why.contains("missing: 3"), missing, "{why}");
        let told_us = at_us - 500_000;
        // It rests for 100 ms between its attempts.
        assert!(
            (within - 100_000..within + GOES_ON_US).contains(&told_us),
            "rank {rank} is told after {told_us} us"
        );
    }
}

#[test]
fn trees_that_are_not_there_are_refused() {
    let elsewhere = Exception { rank: 0, does: Behaviour::Trees(vec![0, 2]) };
    for job in [
        job("two", &[0, 2], Vec::new()),
        job("none", &[], Vec::new()),
        JobSetup { exceptions: vec![elsewhere], ..job("all", &[0, 1], Vec::new()) },
    ] {
        let error = Cluster::new(&setup(vec![job]), &Calibration::built_in(), 1).err().unwrap();
        assert!(error.to_string().contains("management.trees"), "{error}");
    }
    let unmanaged = Setup { management: None, ..setup(vec![job("all", &[0, 1], Vec::new())]) };
    let error = Cluster::new(&unmanaged, &Calibration::built_in(), 1).err().unwrap();
    assert!(error.to_string().contains("[management]"), "{error}");
}

/// Calls that are made while workers die.
const CALLS: u64 = 1_000;

/// Returns the time in microseconds from the last death until the first call that all remaining
/// workers complete, while one is due every `every_us`.
fn goes_on_after_us(setup: &mut Setup, gone: &[u16], last_us: u64, every_us: u64) -> u64 {
    setup.jobs[0].terms.elastic = true;
    setup.jobs[0].calls = (0..CALLS).map(|number| sum(100, 100_000 + every_us * number)).collect();
    let cluster = run(setup);
    let left: Vec<u16> = (0..WORKERS).filter(|rank| !gone.contains(rank)).collect();
    for &rank in &left {
        assert_eq!(outcome(&cluster, 0, rank).1, Outcome::Left);
        assert_eq!(cluster.worker(0, rank).unwrap().members.last().unwrap().1, left);
    }
    let of_all = |call: u64| {
        let with_all = |rank: &u16| {
            let record = cluster.worker(0, *rank).unwrap();
            let (at, done) = &record.calls[&call];
            (done.is_ok() && record.members_of(call) == Some(&left)).then_some(at.us())
        };
        left.iter()
            .map(with_all)
            .collect::<Option<Vec<_>>>()
            .and_then(|done| done.into_iter().max())
    };
    (0..CALLS).find_map(of_all).expect("they make more calls") - last_us
}

/// R-RES-11: workers of one host, or of a rack with its switch, that die within milliseconds cost
/// the others no time-out where their connections close, and one where they are silent.
#[test]
fn several_that_are_lost_at_once_cost_one_bounded_wait() {
    let dies = |rank, at_us| Exception { rank, does: Behaviour::Dies(at_us) };
    for (between_us, resumable) in
        [(0, false), (3, false), (70, false), (200, true), (2_000, false)]
    {
        let calls = |exceptions| {
            let all = job("all", &[0], Vec::new());
            JobSetup { exceptions, terms: Terms { resumable, ..all.terms }, ..all }
        };
        let processes: Vec<_> = [1, 6, 7]
            .into_iter()
            .zip(0..)
            .map(|(rank, place)| dies(rank, 101_000 + place * between_us))
            .collect();
        let mut apart = setup(vec![calls(processes)]);
        let took_us = goes_on_after_us(&mut apart, &[1, 6, 7], 101_000 + 2 * between_us, 20);
        assert!(took_us <= GO_ON_US + 20, "{between_us} us apart: {took_us} us");
    }
    // Ranks 2 and 3 are below switch 4.
    for (how, noticed_us, every_us) in [(Stop::Killed, 0, 20), (Stop::Silent, TIMEOUT_US, 500)] {
        let mut rack = setup(vec![job("all", &[0], Vec::new())]);
        rack.switch_crashes = vec![lost(4, 101_000, how, None)];
        rack.crashes = [2, 3].map(|host| Crash { host, at_us: 101_000 }).into();
        let took_us = goes_on_after_us(&mut rack, &[2, 3], 101_000, every_us);
        assert!(
            (noticed_us * 3 / 4..=noticed_us + GO_ON_US + every_us).contains(&took_us),
            "{how:?}: {took_us} us"
        );
    }
    let mut silent = setup(vec![job("all", &[0], Vec::new())]);
    silent.crashes =
        [1, 6, 7].map(|host| Crash { host, at_us: 101_000 + 500 * u64::from(host) }).into();
    let took_us = goes_on_after_us(&mut silent, &[1, 6, 7], 101_000 + 3_500, 500);
    assert!(took_us <= TIMEOUT_US + GO_ON_US + 500, "{took_us} us");
}

/// R-RES-8: of a job that can do both, a majority goes on at the standby without those that were
/// lost with the switch, when these have not come within twice the time-out.
#[test]
fn a_majority_goes_on_at_the_standby() {
    let calls = vec![sum(2_000, 0), sum(2_000, 1_000_000), sum(500, 5_000_000)];
    let mut all = job("all", &[0, 1], calls);
    all.terms.elastic = true;
    let mut setup = setup(vec![all]);
    setup.switch_crashes = vec![lost(0, 1_000_050, Stop::Killed, None)];
    setup.crashes = [0, 5].map(|host| Crash { host, at_us: 1_000_050 }).into();
    let cluster = run(&setup);
    for rank in (0..WORKERS).filter(|rank| ![0, 5].contains(rank)) {
        assert_eq!(outcome(&cluster, 0, rank).1, Outcome::Left);
        let (at, told) = &cluster.worker(0, rank).unwrap().calls[&1];
        assert!(
            matches!(told, Err(Ending::Regrouped { lost, workers: 6, .. }) if *lost == [0, 5]),
            "{told:?}"
        );
        let told_us = at.us() - 1_000_050;
        assert!(
            (2 * TIMEOUT_US..2 * TIMEOUT_US + 2 * GOES_ON_US).contains(&told_us),
            "{told_us} us"
        );
        assert!(cluster.worker(0, rank).unwrap().calls[&2].1.is_ok());
    }
}

/// A refusal that no other switch would lift ends the way through the list.
#[test]
fn who_wants_other_terms_is_refused_at_the_first() {
    let mut all = job("all", &[0, 1], vec![sum(100, 0)]);
    all.exceptions = vec![Exception { rank: 2, does: Behaviour::Trees(vec![0]) }];
    let cluster = run(&setup(vec![all]));
    let refused = |rank| match outcome(&cluster, 0, rank).1 {
        Outcome::Rejected(Rejection::Refused(refusal)) => refusal,
        other => panic!("rank {rank}: {other:?}"),
    };
    assert!(matches!(refused(2), Refusal::Disagreement { .. }), "{:?}", refused(2));
}
