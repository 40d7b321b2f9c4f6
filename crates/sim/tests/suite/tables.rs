//! Tables of sparse models: what they cost by theory, and that every gradient is in the sums once,
//! whatever links do.

use netfold_sim::{
    Bursts, Calibration, CallSetup, Cluster, End, Error, Faults, JobSetup, Layer, Miscount,
    OVERHEAD_BYTES, Scenario, Setup, SwitchError, SystemName, TableSetup, Time, Variant,
};
use proptest::prelude::*;

/// Bytes of a header, of a connection's segment and of a table's packet.
const SEGMENT_HEADER: u64 = 24;

/// Pairs of a full segment or packet: a key and a lane, of 4 bytes each.
const PAIRS: u64 = 179;

/// Picoseconds of a byte at 100 Gbit/s.
const BYTE_PS: u64 = 80;

fn layer(fan_out: u32) -> Layer {
    Layer {
        fan_out,
        rate_gbps: 100.0,
        delay_ns: 500,
        queue_bytes: 4 << 20,
        mark_bytes: None,
        faults: Faults::default(),
    }
}

fn job(workers: u16, pairs: u64, calls: usize, table: TableSetup) -> JobSetup {
    JobSetup {
        system: SystemName::Tables,
        payload_bytes: 8 * PAIRS as u32,
        table: Some(table),
        calls: vec![CallSetup { elements: pairs, ..CallSetup::default() }; calls],
        ..JobSetup::new(workers)
    }
}

fn setup(layers: Vec<Layer>, job: JobSetup) -> Setup {
    Setup { until_ms: 600_000, ..Setup::new(layers, vec![job]) }
}

fn ended(setup: &Setup, seed: u64) -> Cluster {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), seed).unwrap();
    cluster.run();
    cluster
}

fn hot(hot: u32) -> TableSetup {
    TableSetup { keys: 200_000, exponent: 1.05, hot, max_age_us: 100, ..TableSetup::default() }
}

fn took(cluster: &Cluster) -> Time {
    let report = cluster.report();
    assert!(report.is_well(), "{report:?}");
    cluster.completed(0, report.jobs[0].calls.len() - 1).unwrap()
}

/// Load of a server's link towards it: each cold key with its lane, and each once more alone,
/// in segments with everything around them.
#[test]
fn a_server_alone_takes_the_time_of_its_link() {
    let (workers, pairs, calls) = (16, 2000, 5);
    let cluster = ended(&setup(vec![layer(17)], job(workers, pairs, calls as usize, hot(0))), 1);
    let all = u64::from(workers) * pairs * calls;
    let bytes = all * (8 + 4);
    let least = Time::from_ps(bytes * BYTE_PS);
    let took = took(&cluster);
    // Segments of up to 1432 bytes, the last of each message shorter: 12 and 6 of them for a call
    // of a worker. Acknowledgements of answers, at most one for each, use the link, too. A worker
    // waits for two ways of a segment and an answer in each call, while others use the link.
    let segments = u64::from(workers) * calls * (12 + 6);
    let around = (segments + segments) * (SEGMENT_HEADER + u64::from(OVERHEAD_BYTES));
    let waits = calls * 8 * (500_000 + 1522 * BYTE_PS);
    let most = Time::from_ps((bytes + around) * BYTE_PS + waits);
    assert!(least < took && took < most, "{least} {took} {most}");
}

/// Hot keys save the server the share of pairs that they are. With 16 workers its link is what
/// limits, with one it is the worker's own, which carries all pairs as before.
#[test]
fn hot_keys_take_load_off_the_server() {
    let took = |workers: u16, hot_keys| {
        let job = job(workers, 2000, 10, hot(hot_keys));
        took(&ended(&setup(vec![layer(u32::from(workers) + 1)], job), 1)).ps() as f64
    };
    let gain = took(16, 0) / took(16, 10_000);
    // At least half of the pairs are hot: the first 10,000 of 200,000 keys have two thirds of the
    // draws, of which keys that are drawn twice count once.
    assert!(gain > 1.5 && gain < 3.0, "{gain}");
    let alone = took(1, 0) / took(1, 10_000);
    assert!((0.6..1.1).contains(&alone), "{alone}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// R-KEY-4: every gradient is in the servers' sums once, whatever links do, and nothing is left
    /// over.
    #[test]
    fn sums_are_exact_whatever_links_do(
        seed in any::<u64>(),
        (loss, duplication, reordering) in (0.0..0.1, 0.0..0.1, 0.0..0.1),
        reordering_ns in 0..50_000_u64,
        bursts in prop::option::of((0.0..0.01, 0.2..1.0, 0.0..1.0)),
        racks in 1..3_u32,
        (workers, servers) in (1..6_u16, 1..4_u16),
        (pairs, calls) in (0..3000_u64, 1..4_usize),
        (hot, width) in (0..2000_u32, 1..5_u16),
        queue_bytes in 20_000..200_000_u64,
        tree in any::<bool>(),
    ) {
        let bursts = bursts.map(|(begin, end, loss)| Bursts { begin, end, loss });
        let faults = Faults { loss, duplication, reordering, reordering_ns, bursts, corruption: 0.0 };
        let links = |fan_out| Layer { faults, queue_bytes, ..layer(fan_out) };
        let table = TableSetup { hot, width, servers, keys: 50_000, exponent: 1.0, max_age_us: 300, tree, ..TableSetup::default() };
        let hosts = u32::from(workers + servers).div_ceil(racks);
        let setup = setup(vec![links(racks), links(hosts)], job(workers, pairs, calls, table));
        let cluster = ended(&setup, seed);
        let report = cluster.report();
        prop_assert!(report.is_well(), "{report:?}");
        prop_assert_eq!((cluster.link_counters().under_way(), cluster.datagrams_held()), (0, 0));
    }
}

/// R-KEY-17: the racks' switches fold what their workers push, and the one above reads each of them
/// once a generation.
#[test]
fn switches_of_racks_take_load_off_the_links_above_them() {
    let (workers, pairs, calls) = (8_u16, 1000_u64, 4_u64);
    let up = |tree| {
        let table = TableSetup { keys: 4000, max_age_us: 100_000, tree, ..hot(4000) };
        let job = job(workers, pairs, calls as usize, table);
        let cluster = ended(&setup(vec![layer(3), layer(4)], job), 1);
        took(&cluster);
        // What workers ask for goes up in either case.
        let racks = cluster
            .links()
            .filter(|(from, to, _)| matches!((from, to), (End::Switch(1 | 2), End::Switch(0))));
        racks.map(|(.., link)| link.bytes).sum::<u64>()
    };
    let (alone, gathered) = (up(false), up(true));
    // All keys are hot, so each worker pushes `pairs` of 8 bytes in a call, which all went up.
    let pushed = u64::from(workers) * pairs * calls * 8;
    // Each rack's generations have at most one pair for each of the keys that it was pushed, and
    // the top reads few of them: the job is over long before a second one is due.
    let read = 2 * 2 * 4000 * 8;
    assert!(gathered + pushed < alone + read, "{gathered} {alone} {pushed}");
    assert!(gathered < alone, "{gathered} {alone}");
}

/// A run is its seed: the same bits again, and others with another seed, by their keys alone.
#[test]
fn a_run_is_repeatable() {
    let setup = setup(vec![layer(5)], job(4, 1000, 3, hot(500)));
    let digests = [1, 1, 2].map(|seed| ended(&setup, seed).digest());
    assert_eq!(digests[0], digests[1]);
    assert_ne!(digests[0], digests[2]);
}

/// A switch that adds wrongly is found by the sums at the servers.
#[test]
fn wrong_sums_are_found() {
    for does in [Miscount::AddsTwice, Miscount::FlipsABit] {
        let mut wrong = setup(vec![layer(5)], job(4, 1000, 3, hot(500)));
        wrong.switch_errors = vec![SwitchError { switch: 0, share: 0.1, does }];
        let report = ended(&wrong, 1).report();
        let call = &report.jobs[0].calls[2];
        assert!(call.wrong_lanes > 0 && call.wrong.is_some() && !report.is_well(), "{report:?}");
    }
}

/// Other jobs use the same switch and the same links.
#[test]
fn a_table_shares_a_network() {
    let mut shared = setup(vec![layer(2), layer(5)], job(4, 1000, 3, hot(500)));
    let dense = JobSetup {
        first_host: 5,
        calls: vec![CallSetup { elements: 100_000, ..CallSetup::default() }],
        ..JobSetup::new(4)
    };
    shared.jobs.extend([
        dense,
        JobSetup { first_host: 2, ..job(5, 700, 2, TableSetup { servers: 2, ..hot(900) }) },
    ]);
    let report = ended(&shared, 3).report();
    assert!(report.is_well(), "{report:?}");
    assert!(report.jobs.iter().all(|job| job.retransmissions == 0), "{report:?}");
}

/// The scenario of the repository: hot keys gain, and losses leave the sums right.
#[test]
fn the_scenario_shows_the_gain() {
    let text = include_str!("../../scenarios/tables.toml");
    let took = |hot_keys: i64, loss: f64| {
        let is_it = |run: &&Variant| {
            run.values == [toml::Value::Integer(hot_keys), toml::Value::Float(loss)]
        };
        let scenario = Scenario::parse(text).unwrap();
        let cluster = ended(&scenario.runs.iter().find(is_it).unwrap().setup, 1);
        let call = &cluster.report().jobs[0].calls[0];
        assert_eq!(call.bytes, 4 * 4000);
        took(&cluster) - Time::from_us(1000)
    };
    assert!(took(0, 0.0) > took(30_000, 0.0));
    // R-KEY-5: with losses a pull may wait for a timeout, so only the sums are checked.
    assert!(took(0, 0.001) > Time::ZERO && took(30_000, 0.001) > Time::ZERO);
}

#[test]
fn what_tables_do_not_do_is_refused_by_name() {
    let refused = |change: fn(&mut Setup), text: &str| {
        let mut setup = setup(vec![layer(8)], job(4, 1000, 2, hot(100)));
        change(&mut setup);
        let error: Error = Cluster::new(&setup, &Calibration::built_in(), 0).err().unwrap();
        assert!(error.to_string().contains(text), "{error}");
    };
    refused(|setup| setup.jobs[0].table = None, "its table is missing");
    refused(|setup| setup.jobs[0].system = SystemName::Ring, "no tables");
    refused(|setup| setup.jobs[0].system = SystemName::Netfold, "no tables");
    refused(|setup| setup.jobs[0].flows = 2, "one flow");
    refused(|setup| setup.jobs[0].calls[1].elements = 5, "alike");
    refused(|setup| setup.jobs[0].calls.clear(), "with the job");
    refused(|setup| setup.jobs[0].table.as_mut().unwrap().width = 0, "a width of 1");
    refused(|setup| setup.jobs[0].table.as_mut().unwrap().keys = 50, "law of keys");
    refused(|setup| setup.jobs[0].table.as_mut().unwrap().mini_batch = Some(150_000), "few of");
    refused(
        |setup| {
            setup.layers[0].fan_out = 80;
            setup.jobs[0].table.as_mut().unwrap().servers = 65;
        },
        "64 servers",
    );
    refused(|setup| setup.switches.memory_bytes = 1000, "memory");
    refused(|setup| setup.layers[0].faults.corruption = 0.1, "corruption");
    refused(|setup| setup.jobs[0].table.as_mut().unwrap().servers = 5, "hosts 0 to 8");
}
