//! Clusters whose times are known by hand, and what holds of every run.

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_sim::{
    Bursts, Calibration, CallSetup, Cluster, CollectiveName, Content, Costs, CostsOf, Crash, Cut,
    Error, Faults, Input, JobSetup, Layer, OVERHEAD_BYTES, Setup, Stall, SwitchStall, Time,
    TrafficSetup,
};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::{Call, Collective, Reduction};
use proptest::prelude::*;

const HEADER_BYTES: u64 = 40;

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

fn sum(elements: u64) -> CallSetup {
    CallSetup { elements, element_type: ElementType::I32, ..CallSetup::default() }
}

fn job(workers: u16, elements: u64) -> JobSetup {
    JobSetup {
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::default()) },
        calls: vec![sum(elements)],
        ..JobSetup::new(workers)
    }
}

/// The same job, with packets that prove themselves so.
fn proven(job: JobSetup, integrity: IntegrityKind) -> JobSetup {
    JobSetup { terms: job.terms.with_integrity(integrity), ..job }
}

fn setup(layers: Vec<Layer>, job: JobSetup) -> Setup {
    Setup::new(layers, vec![job])
}

fn cluster(setup: &Setup, seed: u64) -> Cluster {
    Cluster::new(setup, &Calibration::built_in(), seed).unwrap()
}

fn ended(setup: &Setup, seed: u64) -> Cluster {
    let mut cluster = cluster(setup, seed);
    cluster.run();
    cluster
}

fn took(setup: &Setup) -> Time {
    let cluster = ended(setup, 1);
    assert!(cluster.report().is_well(), "{:?}", cluster.report());
    cluster.completed(0, 0).unwrap()
}

/// One block: on each of the links up and down for its length, and through the switch. 1024 bytes,
/// a header of 40 and 66 around them take 90.4 ns at 100 Gbit/s.
#[test]
fn one_block_takes_what_its_way_takes() {
    let mut one = setup(vec![layer(4)], job(4, 256));
    one.switches.latency_ns = 400;
    let span_ps = (1024 + HEADER_BYTES + u64::from(OVERHEAD_BYTES)) * 80;
    assert_eq!(took(&one), Time::from_ps(2 * span_ps + 2 * 500_000 + 400_000));
    // Two layers are twice as many links, and three passes through switches: up, the root, and
    // down.
    let mut two = setup(vec![layer(3), layer(4)], job(12, 256));
    two.switches.latency_ns = 400;
    assert_eq!(took(&two), Time::from_ps(4 * span_ps + 4 * 500_000 + 3 * 400_000));
    // Below one leaf of the same tree a job goes no further.
    let mut leaf = two.clone();
    leaf.jobs[0] = JobSetup { first_host: 4, ..job(4, 256) };
    assert_eq!(took(&leaf), took(&one));
}

/// Cores add their costs: the worker sends, the switch takes and sends one copy after the other,
/// the last worker takes.
#[test]
fn cores_take_their_time() {
    let mut costly = setup(vec![layer(3)], job(3, 256));
    let bytes = 1024 + HEADER_BYTES;
    let costs = |send: f64, receive: f64| {
        CostsOf::Given(Costs {
            receive_packet_ns: receive,
            receive_byte_ns: 0.5,
            send_packet_ns: send,
            send_byte_ns: 0.25,
        })
    };
    costly.hosts.costs = costs(1_000.0, 2_000.0);
    costly.switches.costs = costs(100.0, 200.0);
    let span_ps = (bytes + u64::from(OVERHEAD_BYTES)) * 80;
    let host_ps = 1_000_000 + bytes * 250 + 2_000_000 + bytes * 500;
    let switch_ps = 3 * (200_000 + bytes * 500) + 3 * (100_000 + bytes * 250);
    assert_eq!(took(&costly), Time::from_ps(2 * span_ps + 2 * 500_000 + host_ps + switch_ps));
}

/// A long call takes as long as each link needs for all its blocks, and the first one's way: the
/// windows fill the path (R-WORK-8). The bound on what comes on top: windows begin with 64 rounds,
/// which take 64 spans of the 2 us of the path, and double at most for each round trip, while
/// nothing else is lost.
#[test]
fn a_long_call_takes_the_time_of_its_links() {
    let blocks = 20_000;
    let long = setup(vec![layer(16)], job(16, blocks * 256));
    let span_ps = (1024 + HEADER_BYTES + u64::from(OVERHEAD_BYTES)) * 80;
    let path_ps = 2 * 500_000 + 2 * span_ps;
    let least_ps = (blocks - 1) * span_ps + path_ps;
    let took_ps = took(&long).ps();
    assert!(took_ps >= least_ps, "{took_ps} {least_ps}");
    // Sixty-four spans are longer than the path, so not a single gap is due; a retransmission would
    // be one.
    assert!(took_ps <= least_ps + path_ps, "{took_ps} {least_ps}");
}

#[test]
fn one_seed_is_one_run() {
    let mut lossy = setup(vec![layer(8)], job(8, 256 * 500));
    lossy.layers[0].faults = Faults { loss: 0.01, ..Faults::default() };
    let digest = |seed| ended(&lossy, seed).digest();
    assert_eq!(digest(1), digest(1));
    assert_ne!(digest(1), digest(2));
    let reports = [ended(&lossy, 3).report(), ended(&lossy, 3).report()];
    assert_eq!(reports[0], reports[1]);
}

/// Thousands of workers: each contribution is counted once at every level.
#[test]
fn three_layers_of_3600_workers_sum_up() {
    let large = setup(vec![layer(15), layer(15), layer(16)], job(3600, 256 * 3));
    let cluster = ended(&large, 1);
    assert!(cluster.report().is_well(), "{:?}", cluster.report());
    // 3600 hosts and 240 switches send each block up once, and get it once.
    assert_eq!(cluster.link_counters().delivered, 2 * 3 * (3600 + 240));
}

/// A stalled worker is waited for; a host that has stopped keeps the call from its end, and only
/// that.
#[test]
fn a_stall_delays_and_a_crash_ends() {
    let mut slow = setup(vec![layer(4)], job(4, 256 * 1000));
    let calm = took(&slow);
    slow.stalls = vec![Stall { host: 2, from_us: 20, until_us: 5_000 }];
    let (stalled, stall) = (took(&slow), Time::from_us(4_980));
    assert!(
        stalled >= calm.max(Time::from_us(5_000)) && stalled < calm + stall + Time::from_us(100),
        "{stalled}"
    );
    slow.stalls.clear();
    slow.crashes = vec![Crash { host: 2, at_us: 20 }];
    slow.until_ms = 3_000;
    let cluster = ended(&slow, 1);
    assert_eq!(cluster.completed(0, 0), None);
    assert!(!cluster.report().is_well() && cluster.drops().stopped > 0);
}

/// A link that is cut for a while goes on afterwards.
#[test]
fn a_cut_heals() {
    let mut cut = setup(vec![layer(2), layer(2)], job(4, 256 * 1000));
    cut.cuts = vec![Cut { layer: 0, child: 1, from_us: 30, until_us: 3_000 }];
    let cluster = ended(&cut, 1);
    assert!(cluster.report().is_well(), "{:?}", cluster.report());
    assert!(cluster.completed(0, 0).unwrap() > Time::from_us(3_000));
    assert!(cluster.link_counters().dropped_cut > 0);
}

/// A datagram that finds no room at a core is dropped, counted, and sent again.
#[test]
fn a_slow_core_drops_what_it_has_no_room_for() {
    let mut slow = setup(vec![layer(4)], job(4, 256 * 1000));
    let costs = Costs { receive_packet_ns: 2_000.0, ..Costs::NONE };
    (slow.hosts.costs, slow.hosts.inbox_bytes) = (CostsOf::Given(costs), 10_000);
    let cluster = ended(&slow, 1);
    assert!(cluster.report().is_well(), "{:?}", cluster.report());
    // The first window brings 64 results of 1064 bytes at the rate of the link, 40 times as fast as
    // the core takes them: 10,000 bytes hold nine.
    assert!(cluster.drops().no_room > 4 * 40, "{:?}", cluster.drops());
    // At most one round of each of 512 slots is outstanding (R-WORK-1), and its answer may come
    // twice.
    slow.hosts.inbox_bytes = 2 * 512 * 1064;
    assert_eq!(ended(&slow, 1).drops().no_room, 0);
}

/// Two jobs that share a link get their sums, and both more than half of it: their blocks take
/// turns.
#[test]
fn jobs_share_links() {
    let mut shared = setup(vec![layer(2), layer(2)], job(4, 256 * 4000));
    let alone = took(&shared);
    shared.jobs.push(JobSetup { name: "second".into(), ..job(4, 256 * 4000) });
    let cluster = ended(&shared, 1);
    assert!(cluster.report().is_well());
    let both = cluster.completed(0, 0).unwrap().max(cluster.completed(1, 0).unwrap());
    assert!(both > alone && both.ps() < 2 * alone.ps() + alone.ps() / 20, "{alone} {both}");
}

fn refusal(change: impl FnOnce(&mut Setup)) -> Error {
    let mut setup = setup(vec![layer(4)], job(4, 256));
    change(&mut setup);
    match Cluster::new(&setup, &Calibration::built_in(), 0) {
        Ok(_) => panic!("this can be simulated: {setup:?}"),
        Err(error) => error,
    }
}

#[test]
fn what_ends_before_it_begins_is_refused() {
    const FROM_US: u64 = 5_000;
    const UNTIL_US: u64 = 3_000;
    let refused = |change: fn(&mut Setup), what: &str| {
        let expected =
            format!("{what} ends at 3000 us, before it begins at 5000 us; give a later until_us");
        assert_eq!(refusal(change).to_string(), expected);
    };
    let cut = |setup: &mut Setup| {
        setup.cuts.push(Cut { layer: 0, child: 1, from_us: FROM_US, until_us: UNTIL_US });
    };
    refused(cut, "the cut of child 1 of layer 0");
    let stall = |setup: &mut Setup| {
        setup.stalls.push(Stall { host: 2, from_us: FROM_US, until_us: UNTIL_US });
    };
    refused(stall, "the stall of host 2");
    let switch_stall = |setup: &mut Setup| {
        setup.switch_stalls.push(SwitchStall { switch: 0, from_us: FROM_US, until_us: UNTIL_US });
    };
    refused(switch_stall, "the stall of switch 0");
    let traffic = |setup: &mut Setup| {
        let (name, start_us, until_us) = ("file".into(), FROM_US, UNTIL_US);
        setup.traffic.push(TrafficSetup { name, from_host: 0, to_host: 1, start_us, until_us });
    };
    refused(traffic, "the traffic file");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |change: fn(&mut Setup), text: &str| {
        let error = refusal(change).to_string();
        assert!(error.contains(text), "{error}");
    };
    refused(|setup| setup.layers[0].fan_out = 0, "layers.fan_out");
    refused(|setup| setup.layers[0].fan_out = u32::MAX, "nodes");
    refused(|setup| setup.layers.clear(), "layers");
    refused(|setup| setup.layers[0].rate_gbps = 0.0, "layers.rate_gbps");
    refused(|setup| setup.layers[0].faults.loss = 2.0, "loss");
    refused(|setup| setup.layers[0].faults.corruption = 0.1, "integrity");
    refused(|setup| setup.jobs[0].workers = 5, "hosts 0 to 4");
    refused(|setup| setup.jobs[0].flows = 2, "switches.pipelines = 2");
    refused(|setup| setup.jobs[0].slots = 0, "jobs.slots");
    refused(|setup| setup.jobs[0].lanes_simulated = 24, "24 simulated lanes");
    refused(
        |setup| setup.jobs[0].calls[0].collective = CollectiveName::Scatter,
        "content = \"real\"",
    );
    refused(|setup| setup.jobs[0].calls[0].operation = Operation::Max, "content = \"real\"");
    refused(|setup| setup.switches.memory_bytes = 1 << 20, "bytes of switch memory");
    refused(|setup| setup.hosts.cores = 0, "hosts.cores");
    refused(
        |setup| setup.stalls.push(Stall { host: 4, from_us: 0, until_us: 1 }),
        "host 4 is not there",
    );
    refused(
        |setup| setup.cuts.push(Cut { layer: 1, child: 0, from_us: 0, until_us: 1 }),
        "layer 1 is not there",
    );
    refused(
        |setup| {
            setup.jobs[0].calls.insert(0, CallSetup { start_us: 9, ..sum(1) });
        },
        "calls.start_us",
    );
}

/// R-TREE-5: what goes to one rank finds its way through layers, in a job of any size.
#[test]
fn a_large_job_delivers_to_one_rank() {
    let mut large = setup(vec![layer(40), layer(40)], job(1600, 256));
    large.jobs[0].calls[0].collective = CollectiveName::ReduceScatter;
    let cluster = ended(&large, 1);
    assert!(cluster.report().is_well(), "{:?}", cluster.report());
}

/// R-TIME-4, R-ECN-5: losses leave a window that mends them, also where a tenth of all datagrams is
/// damaged on each of four links, which looks like a queue that is always full. What a worker waits
/// for it asks for 10, 30, 70, 150, 310, 630, 1130 and 1630 ms after the last answer, if not
/// before.
#[test]
fn many_losses_are_mended() {
    let faults = Faults { corruption: 0.1, ..Faults::default() };
    let links = |fan_out| Layer { faults, ..layer(fan_out) };
    let job = JobSetup { slots: 64, ..job(6, 272 * 256) };
    let job = proven(job, IntegrityKind::Checksum);
    let setup = Setup { until_ms: 2_000, ..setup(vec![links(2), links(3)], job) };
    for seed in 0..400 {
        assert!(ended(&setup, seed).report().is_well(), "seed {seed}");
    }
}

/// A TCP flow alone: 1448 bytes of payload in 1538 on a link. Where the queue marks above what is
/// under way on the path, half the window still fills it; 200 us of the round trip are links, 25 KB
/// at 1 Gbit/s. Where it drops, the queue is what the window of slow start has overrun, and a loss
/// is answered like a mark. The first round trips, and what comes after its end, are less than a
/// hundredth of the time.
#[test]
fn a_tcp_flow_fills_a_link() {
    for (mark_bytes, queue_bytes) in [(Some(30_000), 1 << 20), (None, 60_000)] {
        let link = Layer { rate_gbps: 1.0, delay_ns: 50_000, queue_bytes, mark_bytes, ..layer(2) };
        let traffic = TrafficSetup {
            name: "tcp".into(),
            from_host: 0,
            to_host: 1,
            start_us: 1_000,
            until_us: 501_000,
        };
        let setup =
            Setup { jobs: Vec::new(), traffic: vec![traffic], ..setup(vec![link], job(1, 1)) };
        let report = ended(&setup, 1).report();
        let goodput = report.traffic[0].goodput_gbps / (1448.0 / 1538.0);
        assert!(
            goodput > 0.98 && goodput < 1.01,
            "{goodput} with marks above {mark_bytes:?}: {report:?}"
        );
        let queued = report.layers[0].up.longest_queue_bytes;
        // A segment in a round trip more than the threshold, and in the next, when slow start has
        // ended: it doubles the window until its first mark is back.
        assert!(mark_bytes.is_none_or(|mark| queued < 2 * (mark + 25_000)), "{queued}");
    }
}

/// A host, and a flow from it, cannot be at no host of the cluster, or at one and the same.
#[test]
fn traffic_is_between_two_hosts() {
    let traffic = |from_host, to_host| TrafficSetup {
        name: "tcp".into(),
        from_host,
        to_host,
        start_us: 0,
        until_us: 1,
    };
    for (from_host, to_host, expected) in [(0, 4, "host"), (9, 0, "host"), (2, 2, "another host")] {
        let setup = Setup {
            traffic: vec![traffic(from_host, to_host)],
            ..setup(vec![layer(4)], job(4, 1))
        };
        let error = Cluster::new(&setup, &Calibration::built_in(), 1).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

fn faults() -> impl Strategy<Value = Faults> {
    let share = || prop_oneof![Just(0.0), 0.0..0.1];
    let bursts =
        prop::option::of((0.0..0.01, 0.2..1.0, 0.0..1.0).prop_map(|(begin, end, loss)| Bursts {
            begin,
            end,
            loss,
        }));
    (share(), bursts, share(), share(), 0..50_000_u64, share()).prop_map(
        |(loss, bursts, duplication, reordering, reordering_ns, corruption)| Faults {
            loss,
            bursts,
            duplication,
            reordering,
            reordering_ns,
            corruption,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Whatever links do, every call comes to its end with the right sums; and every datagram has
    /// come out of its link, was dropped for a reason that is counted, or is under way.
    #[test]
    fn sums_are_right_and_no_datagram_disappears(
        seed in any::<u64>(),
        faults in faults(),
        racks in 1..4_u32,
        hosts in 1..5_u32,
        flows in 1..3_u16,
        queue_bytes in 20_000..200_000_u64,
        blocks in 1..400_u64,
        real in any::<bool>(),
    ) {
        let workers = (racks * hosts) as u16;
        let links = |fan_out| Layer { faults, queue_bytes, mark_bytes: Some(queue_bytes / 2), ..layer(fan_out) };
        let job = JobSetup {
            flows,
            slots: 64,
            content: if real { Content::Real } else { Content::Probe },
            ..job(workers, blocks * 256)
        };
        let kinds = [IntegrityKind::Checksum, IntegrityKind::Token];
        let job = proven(job, kinds[(seed % 2) as usize]);
        let mut setup = setup(vec![links(racks), links(hosts)], job);
        setup.switches.pipelines = flows;
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::I32,
            elements: blocks * 256,
            priority: None,
        };
        // Element e of rank r is (r + 1) (e + 1).
        let elements = |factor: i32| (1..=blocks as i32 * 256).flat_map(|e| (factor * e).to_le_bytes()).collect::<Vec<_>>();
        let sums = elements((1..=i32::from(workers)).sum());
        if real {
            setup.jobs[0].calls.clear();
        }
        let mut cluster = cluster(&setup, seed);
        if real {
            let inputs = (1..=i32::from(workers)).map(elements).collect();
            cluster.submit(0, call, Time::ZERO, Input::Bytes { inputs, in_place: false }).unwrap();
        }
        for _ in 0..500 {
            cluster.step();
        }
        // A datagram that goes to several is held once and under way several times.
        prop_assert!(cluster.datagrams_held() as u64 <= cluster.link_counters().under_way());
        cluster.run();
        let report = cluster.report();
        prop_assert!(report.is_well(), "{report:?}");
        let links = cluster.link_counters();
        prop_assert_eq!((links.under_way(), cluster.datagrams_held()), (0, 0));
        let handled: u64 = cluster.shards().map(|shard| shard.counters().datagrams_received).sum();
        let taken: u64 = (0..workers).map(|rank| cluster.counters(0, rank).packets_received).sum();
        prop_assert_eq!(handled + taken + cluster.drops().no_room, links.delivered);
        // Datagrams that were damaged were found out, wherever they came to.
        let shards = cluster.shards().map(|shard| shard.counters());
        let found: u64 = shards
            .map(|of| of.dropped_integrity + of.dropped_field + of.dropped_length + of.dropped_version + of.dropped_unknown_job + of.dropped_direction)
            .sum::<u64>() + (0..workers).map(|rank| cluster.counters(0, rank).dropped).sum::<u64>();
        prop_assert!(found >= links.corrupted, "{found} {links:?}");
        for rank in (0..workers).filter(|_| real) {
            prop_assert_eq!(cluster.result(0, 0, rank), Some(&sums[..]));
        }
    }
}
