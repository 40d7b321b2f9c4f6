//! Sharing of a queue among jobs and with TCP, in virtual time (R-ECN).
//!
//! Hosts have links of one rate, and a job of two workers keeps both directions of two of them
//! full. The tests assert the share that each has of a link, relative to what its packets would
//! carry alone. They leave out the first half second, in which windows find each other: a
//! difference shrinks to 7/10 with each mark, and at 20 ms from one to the next that is to less
//! than a thousandth.

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_sim::{
    Calibration, CallSetup, Cluster, CollectiveName, Faults, JobSetup, Layer, Setup, Time,
    TrafficSetup, jain,
};
use netfold_wire::{IntegrityKind, Terms};

const RATE_GBPS: f64 = 1.0;
const PAYLOAD_BYTES: u64 = 1024;

/// The time of the measurement, in milliseconds.
const FROM_MS: u64 = 500;
const UNTIL_MS: u64 = 2_000;

/// Bytes of a job's datagram and of a TCP segment on a link.
const DATAGRAM_BYTES: f64 = 1024.0 + 40.0 + 66.0;
const SEGMENT_BYTES: f64 = 1448.0 + 90.0;

/// Delay of a link, in nanoseconds.
const DELAY_NS: u64 = 100_000;

/// Above 3/7 of what a job has under way on the path, two links and back, 25 KB: what a mark leaves
/// of all windows fills it.
const MARK_BYTES: u64 = 50_000;

fn layer(fan_out: u32, mark_bytes: Option<u64>) -> Layer {
    Layer {
        fan_out,
        rate_gbps: RATE_GBPS,
        delay_ns: DELAY_NS,
        queue_bytes: 1 << 20,
        mark_bytes,
        faults: Faults::default(),
    }
}

/// A job of two workers on hosts 0 and 1 that has more to do than the time takes.
fn job(weight: u16) -> JobSetup {
    let call = CallSetup {
        collective: CollectiveName::AllReduce,
        elements: 1 << 30,
        element_type: ElementType::I32,
        operation: Operation::Sum,
        root: 0,
        priority: None,
        start_us: 0,
    };
    let terms =
        Terms { arithmetic: Arithmetic::Native, weight, ..Terms::new(IntegrityKind::default()) };
    JobSetup { terms, calls: vec![call], ..JobSetup::new(2) }
}

/// A TCP flow from host 0 to host 1.
fn tcp() -> TrafficSetup {
    TrafficSetup {
        name: "tcp".into(),
        from_host: 0,
        to_host: 1,
        start_us: 0,
        until_us: UNTIL_MS * 1_000,
    }
}

fn setup(layers: Vec<Layer>, jobs: Vec<JobSetup>, traffic: Vec<TrafficSetup>) -> Setup {
    Setup { traffic, until_ms: UNTIL_MS, ..Setup::new(layers, jobs) }
}

/// Outcome of a run.
#[derive(Debug)]
struct Shares {
    /// Share of the link's payload that each job had, and then each flow: each by what its packets
    /// allow it alone.
    of_link: Vec<f64>,
    longest_queue_bytes: u64,
    /// Contributions sent again, and queries, of all workers since the beginning.
    again: u64,
    /// Share of datagrams that found no room.
    dropped: f64,
}

fn shares(setup: &Setup) -> Shares {
    let mut cluster =
        Cluster::new(setup, &Calibration::built_in(), 1).expect("it can be simulated");
    let (jobs, flows) = (setup.jobs.len(), setup.traffic.len());
    let bytes = |cluster: &Cluster| -> Vec<f64> {
        let of_job = |job| (cluster.counters(job, 0).rounds * PAYLOAD_BYTES) as f64;
        let of_flow = |flow| cluster.traffic_bytes(flow) as f64;
        (0..jobs).map(of_job).chain((0..flows).map(of_flow)).collect()
    };
    let run_until = |cluster: &mut Cluster, at_ms: u64| {
        while cluster.now() < Time::from_us(at_ms * 1_000) && cluster.step() {}
    };
    run_until(&mut cluster, FROM_MS);
    let (before, links) = (bytes(&cluster), cluster.link_counters());
    cluster.forget_queues();
    run_until(&mut cluster, UNTIL_MS);
    let seconds = (UNTIL_MS - FROM_MS) as f64 / 1e3;
    let alone = |payload: f64, on_link: f64| RATE_GBPS * 1e9 / 8.0 * payload / on_link * seconds;
    let jobs_alone = (0..jobs).map(|_| alone(PAYLOAD_BYTES as f64, DATAGRAM_BYTES));
    let alone = jobs_alone.chain((0..flows).map(|_| alone(1448.0, SEGMENT_BYTES)));
    let of_link = bytes(&cluster)
        .into_iter()
        .zip(before)
        .zip(alone)
        .map(|((after, before), alone)| (after - before) / alone);
    let after = cluster.link_counters();
    let counters = (0..jobs).flat_map(|job| [0, 1].map(|rank| cluster.counters(job, rank)));
    Shares {
        of_link: of_link.collect(),
        longest_queue_bytes: after.longest_queue_bytes,
        again: counters.map(|counters| counters.retransmissions + counters.queries).sum(),
        dropped: (after.dropped_queue - links.dropped_queue) as f64
            / (after.offered - links.offered) as f64,
    }
}

/// Each job's part by its weight.
fn parts(of_link: &[f64], weights: &[u16]) -> Vec<f64> {
    of_link.iter().zip(weights).map(|(share, weight)| share / f64::from(*weight)).collect()
}

/// Bytes that a queue has at most where it marks above [`MARK_BYTES`]: marks come back after a
/// round trip, and take effect in another. In each, a window grows by 9/17 of a round for a weight
/// of 1, and goes out in bursts of one more; a TCP flow grows by a segment.
fn most_queued(weights: &[u16], flows: usize) -> f64 {
    let grown = weights.iter().map(|weight| f64::from(*weight) * 9.0 / 17.0 + 1.0).sum::<f64>()
        * DATAGRAM_BYTES;
    MARK_BYTES as f64 + 2.0 * (grown + flows as f64 * SEGMENT_BYTES)
}

/// R-ECN-3, R-ECN-4: a queue that marks is shared as weights are, is full, and is never longer than
/// its threshold and the growth of windows before they hear of it. Nothing is lost. All flows see
/// marks in the same round trip, as the derivation wants, but for flows that had no datagram then:
/// in a round trip a window of 10, the smallest mean here, goes out whole. Phases are left: a flow
/// that grows a round trip more or less between two marks, which are at least ten apart, is off by
/// a tenth.
#[test]
fn jobs_share_a_queue_as_their_weights_are() {
    for weights in [&[1][..], &[1, 1], &[1, 2], &[1, 1, 1, 1], &[1, 4]] {
        let jobs = weights.iter().map(|weight| job(*weight)).collect();
        let shares = shares(&setup(vec![layer(2, Some(MARK_BYTES))], jobs, Vec::new()));
        let parts = parts(&shares.of_link, weights);
        let mean = parts.iter().sum::<f64>() / parts.len() as f64;
        assert!(
            parts.iter().all(|part| (part / mean - 1.0).abs() < 0.1),
            "{weights:?}: {shares:?}"
        );
        assert!(jain(&parts) > 0.99, "{weights:?}: {shares:?}");
        assert!(shares.of_link.iter().sum::<f64>() > 0.98, "{weights:?}: {shares:?}");
        assert!(
            (shares.longest_queue_bytes as f64) < most_queued(weights, 0),
            "{weights:?}: {shares:?}"
        );
        assert_eq!((shares.again, shares.dropped), (0, 0.0), "{weights:?}: {shares:?}");
    }
}

/// R-ECN-2: a mark between two switches comes to all workers. Four hosts on two leaves have links
/// that are ten times as fast as the leaves' own, where the queues are.
#[test]
fn jobs_share_a_queue_between_switches() {
    let (inner, outer) =
        (layer(2, Some(MARK_BYTES)), Layer { rate_gbps: 10.0 * RATE_GBPS, ..layer(2, None) });
    let jobs = [1, 2].map(|weight| JobSetup { workers: 4, ..job(weight) });
    let shares = shares(&setup(vec![inner, outer], jobs.into(), Vec::new()));
    let parts = parts(&shares.of_link, &[1, 2]);
    assert!(jain(&parts) > 0.99 && shares.of_link.iter().sum::<f64>() > 0.98, "{shares:?}");
    assert_eq!((shares.again, shares.dropped), (0, 0.0), "{shares:?}");
}

/// R-ECN-3: a job and a TCP flow that heeds marks share by their packets and round trips as two TCP
/// flows do. Where marks come to both at once, windows grow by as much between them in each round
/// trip, and carry themselves in each: the shorter round trip counts twice. TCP's is over two links
/// and back by two, a job's ends at the switch; the queue is part of both. It is as long as its
/// threshold at a mark; what is left after one, of 75 KB under way at most 7/10 and at least half,
/// stands on the 25 KB or more of the path, so that a third of the threshold is below its mean. A
/// tenth more is for phases, as above.
#[test]
fn a_job_and_a_tcp_flow_share_a_queue() {
    let ratio = |queued_bytes: f64| {
        let queue_ns = queued_bytes * 8.0 / RATE_GBPS;
        let (of_job, of_tcp) = (2.0 * DELAY_NS as f64 + queue_ns, 4.0 * DELAY_NS as f64 + queue_ns);
        DATAGRAM_BYTES / SEGMENT_BYTES * (of_tcp / of_job).powi(2)
    };
    for weight in [1, 2] {
        let shares =
            shares(&setup(vec![layer(2, Some(MARK_BYTES))], vec![job(weight)], vec![tcp()]));
        let [ours, theirs] = shares.of_link[..] else { panic!("{shares:?}") };
        let by_weight = ours / theirs / f64::from(weight);
        let (least, most) = (0.9 * ratio(MARK_BYTES as f64), 1.1 * ratio(MARK_BYTES as f64 / 3.0));
        assert!(
            (least..most).contains(&by_weight),
            "{by_weight}, not in {least}..{most}: {shares:?}"
        );
        assert!(ours + theirs > 0.98, "{shares:?}");
        assert!((shares.longest_queue_bytes as f64) < most_queued(&[weight], 1), "{shares:?}");
        assert_eq!((shares.again, shares.dropped), (0, 0.0), "{shares:?}");
    }
}

/// R-ECN-5: two jobs that overrun a queue which does not mark make room, and share it. Losses are
/// below the share that is taken for a full queue, and what is left fills the link.
#[test]
fn jobs_share_a_queue_that_drops() {
    for queue_bytes in [30_000, 100_000] {
        let dropping = Layer { queue_bytes, ..layer(2, None) };
        let shares = shares(&setup(vec![dropping], vec![job(1), job(1)], Vec::new()));
        assert!(jain(&shares.of_link) > 0.95, "{queue_bytes}: {shares:?}");
        assert!(shares.of_link.iter().sum::<f64>() > 0.95, "{queue_bytes}: {shares:?}");
        assert!(shares.dropped < 0.05, "{queue_bytes}: {shares:?}");
    }
}
