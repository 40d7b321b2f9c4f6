//! MPI's processes on one switch and in tori: what they cost by closed formulas where nothing
//! contends, and what each link carries by hand.

use std::collections::BTreeMap;

use netfold_num::{Arithmetic, ElementType};
use netfold_sim::{
    Algorithm, Calibration, CallSetup, Cluster, CollectiveName, Costs, CostsOf, End, Error, Faults,
    JobSetup, Layer, MpiSetup, Setup, SystemName, TorusSetup,
};
use proptest::prelude::*;

/// A byte takes a nanosecond.
const RATE_GBPS: f64 = 8.0;

/// Of links to hosts and between switches, through a switch, and of a send or a receive.
const HOST_NS: u64 = 900;
const HOP_NS: u64 = 440;
const SWITCH_NS: u64 = 52;
const HALF_NS: u64 = 50_000;

const PACKET_BYTES: u64 = 1408;
const AROUND_BYTES: u64 = 24 + 66;

fn layer(fan_out: u32) -> Layer {
    Layer {
        fan_out,
        rate_gbps: RATE_GBPS,
        delay_ns: HOST_NS,
        queue_bytes: 1 << 40,
        mark_bytes: None,
        faults: Faults::default(),
    }
}

fn call(collective: CollectiveName, bytes: u64) -> CallSetup {
    CallSetup { collective, elements: bytes, element_type: ElementType::U8, ..CallSetup::default() }
}

fn job(workers: u16, mpi: MpiSetup, call: CallSetup) -> JobSetup {
    JobSetup {
        system: SystemName::Mpi,
        payload_bytes: PACKET_BYTES as u32,
        mpi: Some(mpi),
        calls: vec![call],
        ..JobSetup::new(workers)
    }
}

fn setup(torus: Option<[u32; 3]>, job: JobSetup) -> Setup {
    let hosts = if torus.is_some() { 1 } else { job.workers.into() };
    let mut setup = Setup::new(vec![layer(hosts)], vec![job]);
    setup.torus = torus.map(|dimensions| TorusSetup {
        dimensions,
        rate_gbps: RATE_GBPS,
        delay_ns: HOP_NS,
        queue_bytes: 1 << 40,
    });
    setup.switches.latency_ns = SWITCH_NS;
    let half_ns = HALF_NS as f64;
    setup.hosts.costs = CostsOf::Given(Costs {
        receive_packet_ns: half_ns,
        send_packet_ns: half_ns,
        ..Costs::NONE
    });
    setup
}

fn run(setup: &Setup) -> Cluster {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), 1).unwrap();
    cluster.run();
    let report = cluster.report();
    assert!(report.is_well(), "{:?}", report.jobs[0].calls);
    cluster
}

fn ns(torus: Option<[u32; 3]>, workers: u16, mpi: MpiSetup, call: CallSetup) -> u64 {
    let cluster = run(&setup(torus, job(workers, mpi, call)));
    cluster.completed(0, 0).unwrap().ns()
}

fn on_one_switch(workers: u16, algorithm: Algorithm, name: CollectiveName, bytes: u64) -> u64 {
    ns(None, workers, MpiSetup::new(algorithm), call(name, bytes))
}

/// Bytes of a message on a link, and of its first packet.
fn wire_bytes(bytes: u64) -> (u64, u64) {
    let packets = bytes.div_ceil(PACKET_BYTES).max(1);
    (bytes + packets * AROUND_BYTES, bytes.min(PACKET_BYTES) + AROUND_BYTES)
}

/// A message alone, from memory to memory, without the overhead: all links but the last delay it by
/// its first packet, the last one by all of it.
fn net_ns(bytes: u64, hops: u64) -> u64 {
    let (wire, lead) = wire_bytes(bytes);
    2 * HOST_NS + hops * HOP_NS + (hops + 1) * (SWITCH_NS + lead) + wire
}

/// The same with the overhead.
fn message_ns(bytes: u64) -> u64 {
    2 * HALF_NS + net_ns(bytes, 0)
}

/// Pairs and rings have links of their own at a switch: a step takes a message's time.
#[test]
fn exchanges_take_their_steps() {
    use Algorithm::{
        Binomial, Bruck, Pairwise, Rabenseifner, RecursiveDoubling, RecursiveHalving, Ring,
    };
    use CollectiveName::{AllGather, AllReduce, AllToAll, Reduce, ReduceScatter, Scan};
    for bytes in [0, 4, 4096, 1 << 20] {
        for (power, n) in [(1_u32, 2_u16), (3, 8), (4, 16)] {
            let ways = u64::from(n);
            let sum = |of: &dyn Fn(u32) -> u64| (0..power).map(of).sum::<u64>();
            let doubled = sum(&|step| message_ns(bytes << step));
            let took = |algorithm, name| on_one_switch(n, algorithm, name, bytes);
            assert_eq!(took(RecursiveDoubling, AllReduce), u64::from(power) * message_ns(bytes));
            assert_eq!(took(RecursiveDoubling, AllGather), doubled);
            assert_eq!(took(Bruck, AllGather), doubled);
            assert_eq!(took(Ring, AllGather), (ways - 1) * message_ns(bytes));
            assert_eq!(took(RecursiveHalving, ReduceScatter), doubled);
            assert_eq!(took(Ring, ReduceScatter), (ways - 1) * message_ns(bytes));
            assert_eq!(took(RecursiveDoubling, Scan), u64::from(power) * message_ns(bytes));
            assert_eq!(took(Binomial, Reduce), u64::from(power) * message_ns(bytes));
            assert_eq!(
                took(Pairwise, AllToAll),
                if bytes == 0 { 0 } else { (ways - 1) * message_ns(bytes) }
            );
            assert_eq!(
                took(Bruck, AllToAll),
                if bytes == 0 { 0 } else { u64::from(power) * message_ns(bytes * ways / 2) }
            );
            if bytes % ways == 0 {
                let halved = sum(&|step| message_ns(bytes >> (step + 1)));
                assert_eq!(took(Ring, AllReduce), 2 * (ways - 1) * message_ns(bytes / ways));
                assert_eq!(took(Rabenseifner, AllReduce), 2 * halved);
            }
        }
    }
}

/// A rank of a binomial tree sends to its subtrees one after the other, the largest first.
fn tree_ns(subtrees: u64) -> u64 {
    let through = |place: u64| place * HALF_NS + net_ns(4, 0) + HALF_NS + tree_ns(subtrees - place);
    (1..=subtrees).map(through).max().unwrap_or(0)
}

/// Short messages, which take less time on a link than a send does.
#[test]
fn trees_and_chains_take_their_longest_way() {
    use CollectiveName::{Broadcast, Gather};
    for (power, n) in [(1, 2_u16), (3, 8), (5, 32)] {
        let others = u64::from(n) - 1;
        let took = |algorithm, name| on_one_switch(n, algorithm, name, 4);
        assert_eq!(took(Algorithm::Binomial, Broadcast), tree_ns(power));
        // The root takes all messages, one after the other, from when the first has come. Those
        // that come together take their turn on its link.
        let first = HALF_NS + net_ns(4, 0);
        assert_eq!(took(Algorithm::Linear, Gather), first + others * HALF_NS);
        for segments in [1_u32, 5] {
            let mpi = MpiSetup { segments, ..MpiSetup::new(Algorithm::Chain) };
            let bytes = 100 * u64::from(segments);
            let after = u64::from(segments) - 1;
            // A rank between two others takes and sends each segment, the root only sends.
            let each = if n > 2 { 2 * HALF_NS } else { HALF_NS };
            assert_eq!(
                ns(None, n, mpi, call(Broadcast, bytes)),
                others * message_ns(100) + after * each
            );
        }
    }
}

/// Up a tree and down again, one level after the other, in one segment. Both children of a rank
/// send at the same time and are taken one after the other, and get the result one after the other;
/// the root has one child.
#[test]
fn an_all_reduce_goes_up_and_down_a_tree() {
    for (levels, n) in [(1, 2_u16), (2, 4), (5, 32)] {
        let net = net_ns(4, 0);
        let up = levels * (HALF_NS + net) + (levels - 1) * 2 * HALF_NS + HALF_NS;
        let down = 2 * HALF_NS + net + (levels - 1) * (3 * HALF_NS + net);
        assert_eq!(on_one_switch(n, Algorithm::Tree, CollectiveName::AllReduce, 4), up + down);
    }
}

/// A rank with two children sends each segment of a tree three times: up once, and down twice. Of
/// two trees each rank has two children in one, and none in the other, where it sends once.
#[test]
fn two_trees_send_two_vectors() {
    let (bytes, segments) = (1 << 22, 256);
    for n in [15, 16, 33] {
        let times = [(Algorithm::Tree, segments, 3), (Algorithm::DoubleTree, 2 * segments, 2)].map(
            |(algorithm, chunks, vectors)| {
                let mpi = MpiSetup { segments: segments as u32, ..MpiSetup::new(algorithm) };
                let mut setup = setup(None, job(n, mpi, call(CollectiveName::AllReduce, bytes)));
                setup.hosts.costs = CostsOf::Nothing;
                let cluster = run(&setup);
                let busiest = cluster.links().map(|(.., link)| link.bytes).max().unwrap();
                assert_eq!(busiest, vectors * chunks * wire_bytes(bytes / chunks).0);
                let took = cluster.completed(0, 0).unwrap().ns();
                assert!(took > busiest);
                took
            },
        );
        assert!(times[1] < times[0], "{n}: {times:?}");
    }
}

/// A scatter halves what goes down a tree; the first subtree's path is the longest.
#[test]
fn a_scattered_broadcast_is_a_scatter_and_an_all_gather() {
    for (power, n) in [(1_u32, 2_u16), (4, 16)] {
        let part = 16 * PACKET_BYTES;
        let bytes = part * u64::from(n);
        let scatter: u64 = (1..=power).map(|step| message_ns(bytes >> step)).sum();
        let doubling: u64 = (0..power).map(|step| message_ns(part << step)).sum();
        let took = |algorithm| on_one_switch(n, algorithm, CollectiveName::Broadcast, bytes);
        // The last ranks to have their part end the first steps of what follows; ranks that wait
        // for them take no step of their own meanwhile.
        assert!(took(Algorithm::ScatterDoubling) >= scatter.max(doubling));
        assert!(
            took(Algorithm::ScatterDoubling) <= scatter + doubling + u64::from(power) * HALF_NS
        );
        let ring = u64::from(n - 1) * message_ns(part);
        assert!(took(Algorithm::ScatterRing) >= ring);
        assert!(took(Algorithm::ScatterRing) <= scatter + ring + u64::from(power) * HALF_NS);
    }
}

fn hops([a, b, c]: [u32; 3], from: u32, to: u32) -> u64 {
    let along = |side: u32, one: u32, other: u32| {
        let apart = one.abs_diff(other);
        u64::from(apart.min(side - apart))
    };
    along(a, from % a, to % a)
        + along(b, from / a % b, to / a % b)
        + along(c, from / a / b, to / a / b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A message alone in a torus takes its hops, and loads as many links.
    #[test]
    fn a_message_takes_its_hops(
        a in 1_u32..5, b in 1_u32..5, c in 1_u32..5, root in 0_u16..64, bytes in 0_u64..100_000,
    ) {
        let n = (a * b * c) as u16;
        prop_assume!(n >= 2);
        let root = root % n;
        let (from, to) = (u32::from(root), u32::from((root + 1) % n));
        // All-to-all in which one pair alone has anything to say.
        let mut lengths = vec![0; usize::from(n) * usize::from(n)];
        lengths[from as usize * usize::from(n) + to as usize] = bytes;
        let mpi = MpiSetup { lengths, ..MpiSetup::new(Algorithm::Linear) };
        let cluster =
            run(&setup(Some([a, b, c]), job(n, mpi, call(CollectiveName::AllToAll, 0))));
        let far = hops([a, b, c], from, to);
        let took = if bytes == 0 { 0 } else { 2 * HALF_NS + net_ns(bytes, far) };
        prop_assert_eq!(cluster.completed(0, 0).unwrap().ns(), took);
        let loaded: Vec<_> = cluster.links().filter(|(.., link)| link.bytes > 0).collect();
        prop_assert_eq!(loaded.len() as u64, if bytes == 0 { 0 } else { far + 2 });
        prop_assert!(loaded.iter().all(|(.., link)| link.bytes == wire_bytes(bytes).0));
    }

    /// Any number of ranks and any root end with the right chunks, by every algorithm that takes
    /// them; and no message is left over.
    #[test]
    fn results_are_right(n in 1_u16..20, root in 0_u16..20, bytes in 0_u64..5_000, segments in 1_u32..9) {
        use CollectiveName::{
            AllGather, AllReduce, AllToAll, Broadcast, Gather, Reduce, ReduceScatter, Scan, Scatter,
        };
        let names = [
            AllGather, AllReduce, AllToAll, Broadcast, Gather, Reduce, ReduceScatter, Scan, Scatter,
        ];
        let algorithms = [
            Algorithm::RecursiveHalving,
            Algorithm::RecursiveDoubling, Algorithm::Rabenseifner, Algorithm::Ring,
            Algorithm::Binomial, Algorithm::ScatterDoubling, Algorithm::ScatterRing,
            Algorithm::Chain, Algorithm::Linear, Algorithm::Bruck, Algorithm::Pairwise,
            Algorithm::Tree, Algorithm::DoubleTree,
        ];
        let mut carried_out = 0;
        for name in names {
            for algorithm in algorithms {
                let mpi = MpiSetup { segments, ..MpiSetup::new(algorithm) };
                let call = CallSetup { root: root % n, ..call(name, bytes) };
                let setup = setup(None, job(n, mpi, call));
                match Cluster::new(&setup, &Calibration::built_in(), 1) {
                    Ok(mut cluster) => {
                        cluster.run();
                        prop_assert!(cluster.report().is_well(), "{:?} by {:?}", name, algorithm);
                        prop_assert_eq!(cluster.datagrams_held(), 0);
                        carried_out += 1;
                    }
                    Err(error) => prop_assert!(matches!(error, Error::Peer { .. }), "{}", error),
                }
            }
        }
        // Halving and doubling are five of 22.
        prop_assert_eq!(carried_out, if n.is_power_of_two() { 22 } else { 17 });
    }
}

/// A ring in a torus of 2 x 2: the way from 1 to 2, and from 3 to 0, has two hops, the first along
/// the first dimension.
#[test]
fn links_carry_what_a_ring_sends() {
    let mpi = MpiSetup::new(Algorithm::Ring);
    let cluster = run(&setup(Some([2, 2, 1]), job(4, mpi, call(CollectiveName::AllGather, 1000))));
    let step = wire_bytes(1000).0;
    let switch = End::Switch;
    let mut expected: BTreeMap<_, _> = [
        // 0 to 1; 1 to 0 to 2; 2 to 3; 3 to 2 to 0; three steps of each.
        ((switch(0), switch(1)), 3 * step),
        ((switch(1), switch(0)), 3 * step),
        ((switch(0), switch(2)), 3 * step),
        ((switch(2), switch(3)), 3 * step),
        ((switch(3), switch(2)), 3 * step),
        ((switch(2), switch(0)), 3 * step),
        ((switch(1), switch(3)), 0),
        ((switch(3), switch(1)), 0),
    ]
    .into();
    for place in 0..4 {
        expected.insert((End::Host(place), switch(place)), 3 * step);
        expected.insert((switch(place), End::Host(place)), 3 * step);
    }
    let found: BTreeMap<_, _> =
        cluster.links().map(|(from, to, link)| ((from, to), link.bytes)).collect();
    assert_eq!(found, expected);
    let of_torus = &cluster.report().layers[0];
    assert_eq!(of_torus.up.bytes + of_torus.down.bytes, 18 * step);
}

/// Messages that go the same way take their turns: two of them share the link into the root.
#[test]
fn messages_contend_for_links() {
    let bytes = 1 << 20;
    let took = on_one_switch(3, Algorithm::Linear, CollectiveName::Gather, bytes);
    let (wire, _) = wire_bytes(bytes);
    assert_eq!(took, message_ns(bytes) + wire);
}

fn refusal(change: impl FnOnce(&mut Setup)) -> String {
    let mpi = MpiSetup::new(Algorithm::Ring);
    let mut setup = setup(None, job(4, mpi, call(CollectiveName::AllReduce, 1000)));
    change(&mut setup);
    Cluster::new(&setup, &Calibration::built_in(), 1).err().unwrap().to_string()
}

#[test]
fn what_cannot_be_simulated_is_refused_by_name() {
    assert!(refusal(|setup| setup.jobs[0].mpi = None).contains("have an algorithm"));
    assert!(refusal(|setup| setup.jobs[0].system = SystemName::Ring).contains("have an algorithm"));
    assert!(refusal(|setup| setup.jobs[0].system = SystemName::Netfold).contains("of MPI's"));
    assert!(refusal(|setup| setup.layers[0].queue_bytes = 1000).contains("not sent again"));
    assert!(refusal(|setup| setup.layers[0].faults.loss = 0.1).contains("not sent again"));
    assert!(
        refusal(|setup| setup.jobs[0].calls[0].collective = CollectiveName::Gather)
            .contains("does not carry out")
    );
    let lengths = |setup: &mut Setup| {
        setup.jobs[0].mpi =
            Some(MpiSetup { lengths: vec![1; 16], ..MpiSetup::new(Algorithm::Ring) });
    };
    assert!(refusal(lengths).contains("all pairs"));
    let torus = Some(TorusSetup {
        dimensions: [2, 2, 0],
        rate_gbps: 8.0,
        delay_ns: 1,
        queue_bytes: 1 << 40,
    });
    assert!(refusal(|setup| setup.torus = torus).contains("torus.dimensions"));
    assert!(
        refusal(|setup| {
            setup.torus = torus;
            setup.layers.push(layer(2));
        })
        .contains("one layer")
    );
}

/// netfold's own switches in a torus: the way up and down the tree, as high as the farthest place
/// is away, with a switch's latency at each, and on each link of the tree the vector once each way.
#[test]
fn netfold_folds_along_the_tree_of_a_torus() {
    let packet = 1024 + 40 + 66;
    for (dimensions, levels) in
        [([1, 1, 1], 0), ([2, 1, 1], 1), ([4, 3, 2], 4), ([5, 1, 4], 4), ([4, 4, 2], 5)]
    {
        let n: u32 = dimensions.iter().product();
        let mut job = JobSetup { calls: vec![], ..JobSetup::new(n as u16) };
        job.terms.arithmetic = Arithmetic::Native;
        let call =
            CallSetup { elements: 256, element_type: ElementType::I32, ..CallSetup::default() };
        job.calls = vec![call];
        let mut setup = setup(Some(dimensions), job);
        setup.hosts.costs = CostsOf::Nothing;
        let cluster = run(&setup);
        let took =
            2 * (packet + HOST_NS) + levels * 2 * (packet + HOP_NS) + (2 * levels + 1) * SWITCH_NS;
        assert_eq!(cluster.completed(0, 0).unwrap().ns(), took, "{dimensions:?}");
        assert!((cluster.mean_us(0, 0).unwrap() * 1e3).round() as u64 <= took);
        let loaded: Vec<_> = cluster.links().filter(|(.., link)| link.bytes > 0).collect();
        // Both directions of n links to hosts and n - 1 of the tree.
        assert_eq!(loaded.len() as u32, 2 * (2 * n - 1));
        assert!(loaded.iter().all(|(.., link)| link.bytes == packet));
    }
}

/// Probes of bytes that are only moved tell bytes that are at a wrong place.
#[test]
fn probes_follow_bytes_that_are_moved() {
    use CollectiveName::{AllGather, Broadcast, Gather};
    for collective in [AllGather, Broadcast, Gather] {
        for root in [0, 5] {
            let call = CallSetup { collective, elements: 5 * 1024, root, ..CallSetup::default() };
            let job = JobSetup { calls: vec![call], ..JobSetup::new(8) };
            let mut setup = setup(Some([2, 2, 2]), job);
            setup.hosts.costs = CostsOf::Nothing;
            let real = {
                let mut real = setup.clone();
                real.jobs[0].content = netfold_sim::Content::Real;
                run(&real)
            };
            let probe = run(&setup);
            // As long as the real one, to the picosecond, on every link.
            assert_eq!(probe.completed(0, 0), real.completed(0, 0));
            assert!(
                probe
                    .links()
                    .map(|(.., link)| link.bytes)
                    .eq(real.links().map(|(.., link)| link.bytes))
            );
            setup.switch_errors = vec![netfold_sim::SwitchError {
                switch: 0,
                share: 1.0,
                does: netfold_sim::Miscount::FlipsABit,
            }];
            let mut wrong = Cluster::new(&setup, &Calibration::built_in(), 1).unwrap();
            wrong.run();
            assert!(wrong.report().jobs[0].calls[0].wrong_lanes > 0, "{collective:?}");
        }
    }
}
