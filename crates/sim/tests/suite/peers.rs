//! The peers that netfold is compared with: what they cost by theory, and that they are right
//! whatever links do.

use netfold_num::{ElementType, Operation};
use netfold_sim::{
    Bursts, Calibration, CallSetup, Cluster, CollectiveName, Compression, Error, Faults, JobSetup,
    Layer, OVERHEAD_BYTES, Report, Setup, SystemName, Time,
};
use proptest::prelude::*;

/// Of a peer's datagram, and of an acknowledgement alone.
const HEADER_BYTES: u64 = 24;

const PAYLOAD_BYTES: u64 = 1460;

/// Picoseconds of a byte at 100 Gbit/s.
const BYTE_PS: u64 = 80;

const DELAY_NS: u64 = 500;

/// Segments that a worker has under way at most.
const WINDOW: u64 = 128;

const PEERS: [SystemName; 3] =
    [SystemName::Ring, SystemName::DedicatedServers, SystemName::ColocatedServers];

fn layer(fan_out: u32) -> Layer {
    let faults = Faults::default();
    Layer {
        fan_out,
        rate_gbps: 100.0,
        delay_ns: DELAY_NS,
        queue_bytes: 4 << 20,
        mark_bytes: None,
        faults,
    }
}

fn sum(bytes: u64) -> CallSetup {
    CallSetup {
        collective: CollectiveName::AllReduce,
        elements: bytes,
        element_type: ElementType::U8,
        operation: Operation::Sum,
        root: 0,
        priority: None,
        start_us: 0,
    }
}

fn job(system: SystemName, workers: u16, bytes: u64) -> JobSetup {
    JobSetup {
        system,
        payload_bytes: PAYLOAD_BYTES as u32,
        calls: vec![sum(bytes)],
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

fn took_ps(setup: &Setup) -> u64 {
    let cluster = ended(setup, 1);
    assert!(cluster.report().is_well(), "{:?}", cluster.report());
    cluster.completed(0, 0).unwrap().ps()
}

/// Full segments of `bytes`, each with everything around it.
fn wire_bytes(bytes: u64) -> u64 {
    bytes + bytes.div_ceil(PAYLOAD_BYTES) * (HEADER_BYTES + u64::from(OVERHEAD_BYTES))
}

fn acknowledgement_bytes() -> u64 {
    HEADER_BYTES + u64::from(OVERHEAD_BYTES)
}

/// From one host to another by one switch, for a full segment.
fn hop_ps() -> u64 {
    2 * (wire_bytes(PAYLOAD_BYTES) * BYTE_PS + DELAY_NS * 1000)
}

/// Returns the bytes of data that the busiest link carries, in the steps in which it does.
fn link_bytes(system: SystemName, workers: u64, bytes: u64) -> u64 {
    let part = bytes.div_ceil(workers);
    match system {
        SystemName::Ring | SystemName::ColocatedServers => 2 * (workers - 1) * wire_bytes(part),
        SystemName::DedicatedServers => workers * wire_bytes(part),
        SystemName::Netfold | SystemName::Tables | SystemName::Mpi => {
            unreachable!("it is no such peer")
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// No all-reduce is faster than its busiest link, and none is slower by more than theory says.
    /// On top of what the links carry come:
    /// * acknowledgements on the same link, one for two segments at least, if the data in the other
    ///   direction carry none: in a ring;
    /// * for each step of a ring a hop, if the segments of a step take less than that; two hops for
    ///   a server's answer;
    /// * slow start: a connection's window doubles from 10 segments on in each round trip, and a
    ///   round trip is two hops and the time of all segments that a worker has under way, which
    ///   stand in front of its acknowledgements. Four doublings are more than a connection's share
    ///   of a window of 128.
    #[test]
    fn times_are_those_of_theory(
        workers in 2..9_u16,
        bytes in 100_000..4_000_000_u64,
        system in prop::sample::select(PEERS.as_slice()),
    ) {
        let hosts = 2 * u32::from(workers);
        let setup = setup(vec![layer(hosts)], JobSetup { slots: WINDOW as u16, ..job(system, workers, bytes) });
        let (took, n) = (took_ps(&setup), u64::from(workers));
        let least = link_bytes(system, n, bytes) * BYTE_PS;
        prop_assert!(took >= least, "{system:?}: {took} is less than {least}");
        let steps = if system == SystemName::Ring { 2 * (n - 1) } else { 2 };
        let segments = link_bytes(system, n, bytes).div_ceil(wire_bytes(PAYLOAD_BYTES));
        let acknowledgements = segments * acknowledgement_bytes() * BYTE_PS;
        let slow_start = 4 * (2 * hop_ps() + WINDOW * wire_bytes(PAYLOAD_BYTES) * BYTE_PS);
        let most = least + acknowledgements + (steps + 1) * hop_ps() + slow_start;
        prop_assert!(took <= most, "{system:?}: {took} is more than {most}, {least} at least");
    }

    /// Whatever links do, every sum is right, and nothing is left over.
    #[test]
    fn sums_are_right_whatever_links_do(
        seed in any::<u64>(),
        (loss, duplication, reordering) in (0.0..0.1, 0.0..0.1, 0.0..0.1),
        reordering_ns in 0..50_000_u64,
        bursts in prop::option::of((0.0..0.01, 0.2..1.0, 0.0..1.0)),
        racks in 1..3_u32,
        workers in 1..6_u16,
        flows in 1..3_u16,
        bytes in 0..400_000_u64,
        queue_bytes in 20_000..200_000_u64,
        system in prop::sample::select(PEERS.as_slice()),
        slots in 2..100_u16,
    ) {
        let bursts = bursts.map(|(begin, end, loss)| Bursts { begin, end, loss });
        let faults = Faults { loss, duplication, reordering, reordering_ns, bursts, corruption: 0.0 };
        let links = |fan_out| Layer { faults, queue_bytes, ..layer(fan_out) };
        let calls = vec![sum(bytes), sum(1), sum(bytes / 2)];
        let job = JobSetup { flows, slots, calls, ..job(system, workers, bytes) };
        let hosts = u32::from(2 * workers).div_ceil(racks);
        let cluster = ended(&setup(vec![links(racks), links(hosts)], job), seed);
        let report = cluster.report();
        prop_assert!(report.is_well(), "{report:?}");
        prop_assert_eq!((cluster.link_counters().under_way(), cluster.datagrams_held()), (0, 0));
    }
}

/// Without losses nothing is sent again, and netfold's jobs share links with peers'.
#[test]
fn systems_share_a_network() {
    let mut shared = setup(vec![layer(2), layer(4)], job(SystemName::Ring, 4, 1_000_000));
    let netfold = JobSetup {
        first_host: 4,
        calls: vec![CallSetup { element_type: ElementType::F32, ..sum(500_000) }],
        ..JobSetup::new(4)
    };
    shared.jobs.extend([
        netfold,
        JobSetup { first_host: 2, ..job(SystemName::ColocatedServers, 4, 300_000) },
    ]);
    let cluster = ended(&shared, 3);
    let report = cluster.report();
    assert!(report.is_well(), "{report:?}");
    assert!(report.jobs.iter().all(|job| job.retransmissions == 0), "{report:?}");
    assert_eq!(ended(&shared, 3).digest(), cluster.digest());
    let systems: Vec<_> = report.jobs.iter().map(|job| job.system).collect();
    assert_eq!(systems, [SystemName::Ring, SystemName::Netfold, SystemName::ColocatedServers]);
}

/// A gather of vectors compressed to a share c carries c (n - 1) |U|, after the time that
/// compressing takes.
#[test]
fn compression_saves_bytes_and_costs_time() {
    let (n, bytes, ratio, element_ns) = (4, 4_000_000, 0.125, 2.0);
    let compressed = |compression| {
        let job = JobSetup { compression: Some(compression), ..job(SystemName::Ring, n, bytes) };
        ended(&setup(vec![layer(n.into())], job), 1)
    };
    let free = compressed(Compression { ratio, element_ns: 0.0 });
    let took = free.completed(0, 0).unwrap();
    let least = Time::from_ps(u64::from(n - 1) * wire_bytes(bytes / 8) * BYTE_PS);
    assert!(took > least && took.ps() < least.ps() * 11 / 10, "{took} {least}");
    let costly = compressed(Compression { ratio, element_ns });
    assert_eq!(costly.completed(0, 0).unwrap() - took, Time::from_ns(bytes * element_ns as u64));
}

/// Calls follow each other, and wait for their time.
#[test]
fn calls_come_one_after_the_other() {
    for system in PEERS {
        let late = CallSetup { start_us: 5_000, ..sum(10_000) };
        let calls = vec![sum(1_000_000), sum(10_000), late];
        let cluster = ended(&setup(vec![layer(6)], JobSetup { calls, ..job(system, 3, 0) }), 1);
        assert!(cluster.report().is_well());
        let [first, second, third] = [0, 1, 2].map(|call| cluster.completed(0, call).unwrap());
        assert!(
            first < second && second < Time::from_us(5_000) && third > Time::from_us(5_000),
            "{system:?}"
        );
    }
}

#[test]
fn what_peers_do_not_do_is_refused_by_name() {
    let refused = |change: fn(&mut Setup), text: &str| {
        let mut setup = setup(vec![layer(8)], job(SystemName::Ring, 4, 1_000));
        change(&mut setup);
        let error: Error = Cluster::new(&setup, &Calibration::built_in(), 0).err().unwrap();
        assert!(error.to_string().contains(text), "{error}");
    };
    refused(|setup| setup.layers[0].faults.corruption = 0.1, "find no corruption");
    refused(|setup| setup.jobs[0].calls[0].collective = CollectiveName::Barrier, "all_reduce");
    refused(
        |setup| setup.jobs[0].compression = Some(Compression { ratio: 0.0, element_ns: 0.0 }),
        "a ratio above 0",
    );
    refused(
        |setup| {
            setup.jobs[0].compression = Some(Compression { ratio: 0.5, element_ns: 0.0 });
            setup.jobs[0].system = SystemName::ColocatedServers;
        },
        "no compressed vectors",
    );
    refused(
        |setup| {
            setup.jobs[0].compression = Some(Compression { ratio: 0.5, element_ns: 0.0 });
            setup.jobs[0].system = SystemName::Netfold;
        },
        "does not compress",
    );
    refused(
        |setup| (setup.jobs[0].system, setup.jobs[0].workers) = (SystemName::DedicatedServers, 5),
        "hosts 0 to 9",
    );
    refused(|setup| setup.jobs[0].payload_bytes = 0, "payload_bytes");
}

/// A host that stops keeps the call from its end, and only that.
#[test]
fn a_crash_ends_the_call() {
    for system in PEERS {
        let mut short = setup(vec![layer(8)], job(system, 4, 4_000_000));
        short.crashes = vec![netfold_sim::Crash { host: 2, at_us: 20 }];
        short.until_ms = 50;
        let report: Report = ended(&short, 1).report();
        assert!(!report.is_well() && report.jobs[0].calls[0].took_ms.is_none(), "{report:?}");
    }
}
