//! SwitchML's program beside the software switch: packet by packet the same answers (R-PISA-10).

use crate::dice::Dice;
use crate::rack::answers::Answers;
use crate::rack::passes::between_passes;
use crate::rack::traffic::{LaneMaker, Network, Traffic, datagram};
use crate::rack::{JobShape, Rack, shapes};
use netfold_num::{ByteOrder, ElementType, Exponent, Operation, Protocol};
use netfold_pisa::Target;
use netfold_pisa::programs::switchml::SwitchMl;
use netfold_switch::Event;
use netfold_wire::{
    Delivery, Direction, HEADER_BYTES, Kind, Packet, Pool, Position, Repr, WorkerId,
};
use proptest::prelude::*;

/// Integers of every sort.
const INTEGERS: LaneMaker = (ElementType::I32, |dice| dice.roll() as u32);

/// Drives both forms with the same packets, and holds each answer of the one to that of the other.
fn compare(
    config: &SwitchMl,
    target: Target,
    shapes: &[JobShape],
    seed: u64,
    packets: usize,
) -> Answers {
    let mut rack = Rack::new(config, target, shapes);
    let mut dice = Dice(seed);
    let mut jobs: Vec<_> = shapes
        .iter()
        .map(|shape| Traffic::new(shape.clone(), config.elements, INTEGERS, dice.roll()))
        .collect();
    jobs.iter_mut().for_each(|job| job.protocol = config.protocol);
    jobs.iter_mut().for_each(|job| job.byte_order = config.byte_order);
    let (mut network, mut seen) = (Network::default(), Answers::default());
    for _ in 0..packets {
        let Some((worker, bytes)) = network.next(&mut dice, &jobs) else { continue };
        let header = Repr::parse(&Packet::new_checked(&bytes).unwrap());
        let (wanted, events) = rack.by_shard(&bytes);
        let (got, outcome) =
            rack.by_pipeline(worker, &bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(got, wanted, "seed {seed}: the answer to {header:?}");
        assert_eq!((events.len(), outcome.reports.len()), (0, 0), "seed {seed}: {header:?}");
        seen.deliver(wanted, outcome.passes, &mut jobs, &mut dice);
    }
    seen
}

/// R-PISA-10, R-PISA-14, R-PISA-15: packets that come between the passes of another change no
/// answer.
#[test]
fn packets_come_between_the_passes_of_another() {
    let acked = |config| SwitchMl { protocol: Protocol::Acked, ..config };
    for seed in 0..6 {
        for config in [small(8, 1), acked(small(8, 1)), small(12, 3), acked(small(12, 3))] {
            let target = if config.pipelines == 1 { Target::tofino() } else { Target::bmv2() };
            let mut rack = Rack::new(&config, target, &shapes());
            let most_inside = between_passes(&mut rack, &config, INTEGERS, seed, 3000);
            assert!(most_inside >= 3, "seed {seed}: {most_inside} packets at a time");
        }
    }
}

fn small(elements: u16, pipelines: u16) -> SwitchMl {
    SwitchMl { elements, pipelines, slots: 8, workers: 8, ..SwitchMl::new(64 * pipelines) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// R-PISA-10: the program with a few lanes.
    #[test]
    fn few_lanes(seed in any::<u64>()) {
        compare(&small(8, 1), Target::tofino(), &shapes(), seed, 1500);
    }

    /// R-PISA-10, R-PISA-15: lanes over several pipelines.
    #[test]
    fn several_pipelines(seed in any::<u64>()) {
        compare(&small(12, 3), Target::bmv2(), &shapes(), seed, 1000);
        // R-PISA-39
        let little = SwitchMl { byte_order: ByteOrder::Little, ..small(8, 1) };
        compare(&little, Target::fpisa_ext(), &shapes(), seed, 500);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// R-PISA-19: any number of lanes: in one pipeline, and with fewer of them in the last.
    #[test]
    fn any_number_of_lanes(seed in any::<u64>(), few in 1..=20u16, many in 65..=256u16) {
        compare(&small(few, 1), Target::tofino(), &shapes(), seed, 500);
        let spread = SwitchMl { slots: 8, workers: 8, ..SwitchMl::new(many) };
        prop_assert_eq!(spread.pipelines, many.div_ceil(64));
        compare(&spread, Target::tofino(), &shapes(), seed, 60);
    }
}

/// R-PISA-24: P4SGD's protocol in netfold's packets: results that are acknowledged, with one copy
/// of the lanes, answer for answer as the software switch gives them, whatever the network does.
#[test]
fn results_that_are_acknowledged() {
    let acked = |config| SwitchMl { protocol: Protocol::Acked, ..config };
    for seed in 0..8 {
        let seen = compare(&acked(small(8, 1)), Target::tofino(), &shapes(), seed, 1500);
        assert!(seen.all_above(20), "seed {seed}: {seen:?}");
        compare(&acked(small(12, 3)), Target::bmv2(), &shapes(), seed, 700);
    }
    let seen = compare(&acked(small(64, 1)), Target::tofino(), &shapes(), 1, 900);
    assert!(seen.all_above(20), "{seen:?}");
    let program = acked(small(64, 1)).program();
    let words = |name: &str| {
        program.arrays[program.arrays.iter().position(|array| array.name == name).unwrap()].size
    };
    assert_eq!((words("pair0"), words("round")), (8, 16));
}

/// R-ACK-2, R-PISA-24: an acknowledgement with lanes is dropped, and the one without them counts.
#[test]
fn an_acknowledgement_brings_no_lanes() {
    let config = SwitchMl { protocol: Protocol::Acked, ..small(8, 1) };
    let mut rack = Rack::new(&config, Target::tofino(), &shapes());
    let mut answers = |repr: &Repr, lanes: &[u32]| {
        let Direction::Contribution(worker) = repr.direction else { panic!("{repr:?}") };
        let bytes = datagram(repr, lanes);
        let wanted = rack.by_shard(&bytes).0;
        assert_eq!(rack.by_pipeline(worker.0, &bytes).unwrap().0, wanted, "{repr:?}");
        wanted.len()
    };
    let data = |worker| Repr { kind: Kind::Values, pool: Pool::Even, ..contribution(worker) };
    let acknowledgement = |worker| Repr { pool: Pool::Odd, empty: true, ..data(worker) };
    assert_eq!([0, 1, 2].map(|worker| answers(&data(worker), &[5; 8])), [0, 0, 3]);
    let with_lanes = |worker| Repr { empty: false, ..acknowledgement(worker) };
    assert_eq!([0, 1, 2].map(|worker| answers(&with_lanes(worker), &[5; 8])), [0, 0, 0]);
    assert_eq!([0, 1, 2].map(|worker| answers(&acknowledgement(worker), &[])), [0, 0, 3]);
}

/// R-PISA-10: 64 lanes in one pass and a pass to read, on a Tofino-like switch; the traffic meets
/// every sort of answer.
#[test]
fn sixty_four_lanes() {
    let seen = compare(&small(64, 1), Target::tofino(), &shapes(), 1, 900);
    assert!(seen.all_above(20), "{seen:?}");
    // A contribution, and two more passes for the one worker that a relayed result is for.
    assert_eq!(seen.most_passes, 3);
}

/// R-PISA-15: 256 lanes over four folded pipelines: four passes, and eight at most to gather the
/// result.
#[test]
fn two_hundred_and_fifty_six_lanes() {
    let seen = compare(&small(256, 4), Target::tofino(), &shapes(), 2, 300);
    assert!(seen.taken > 30, "{seen:?}");
    assert_eq!(seen.most_passes, 12);
}

/// The first contribution of a worker to a job of three.
fn contribution(worker: u16) -> Repr {
    let traffic = Traffic::new(JobShape { job: 3, workers: 3, slots: 2 }, 8, INTEGERS, 7);
    let (repr, _) = traffic.contribution(0, 1, worker);
    Repr { empty: false, elements: 8, delivery: Delivery::All, ..repr }
}

/// R-SLOT-7: whatever two contributions to a round do not agree on, both forms report the same two
/// workers, and a round in which calls met is never complete.
#[test]
fn a_mismatch_is_reported_and_the_round_is_never_complete() {
    let changes: [fn(&mut Repr); 6] = [
        |repr| repr.call.0 ^= 1,
        |repr| repr.elements -= 1,
        |repr| repr.delivery = Delivery::One(WorkerId(0)),
        |repr| repr.exponent = Exponent::LARGEST,
        // A later round of this copy, and a later kind of the same block.
        |repr| repr.position.0 += 4,
        |repr| repr.kind = Kind::Values,
    ];
    for change in changes {
        let mut rack = Rack::new(&small(8, 1), Target::tofino(), &shapes());
        let first = Repr { kind: Kind::Classes, ..contribution(2) };
        let mut second = Repr { kind: Kind::Classes, ..contribution(0) };
        change(&mut second);
        let lanes = |repr: &Repr| vec![1; repr.elements.into()];
        let (one, other) = (datagram(&first, &lanes(&first)), datagram(&second, &lanes(&second)));
        assert_eq!(rack.by_shard(&one).1, []);
        assert_eq!(rack.by_shard(&other).1, [Event::mismatch(&second, WorkerId(2), WorkerId(0))]);
        let (_, outcome) = rack.by_pipeline(2, &one).unwrap();
        assert_eq!(outcome, netfold_pisa::Outcome { passes: 1, ..Default::default() });
        let (_, outcome) = rack.by_pipeline(0, &other).unwrap();
        let [report] = &outcome.reports[..] else { panic!("{second:?}: {outcome:?}") };
        assert_eq!(report.reason, netfold_pisa::programs::MISMATCH);
        let slot = u64::from(second.slot.0);
        let position = u64::from(second.position.0);
        assert_eq!(report.fields, [3, u64::from(second.epoch.0), slot, position, 0, 2]);
        // The control plane may be slow: until it has ended the job, no sum of different calls goes
        // out.
        for worker in [1, 0, 2, 1] {
            for repr in [first, second] {
                let repr = Repr { direction: Direction::Contribution(WorkerId(worker)), ..repr };
                let (sent, _) = rack.by_pipeline(worker, &datagram(&repr, &lanes(&repr))).unwrap();
                assert_eq!(sent, [], "{repr:?}");
            }
        }
    }
}

/// R-PISA-13, R-PISA-18: a worker that contributes to a round older than its copy's, and newer than
/// its own latest, breaks the round, whatever it sends then.
#[test]
fn an_older_round_that_is_new_to_its_worker_breaks_the_one_that_is_open() {
    let mut rack = Rack::new(&small(8, 1), Target::tofino(), &shapes());
    let at = |worker, position| {
        datagram(&Repr { position: Position(position), ..contribution(worker) }, &[1; 8])
    };
    assert_eq!(rack.by_pipeline(2, &at(2, 4)).unwrap().1.reports, []);
    let (sent, outcome) = rack.by_pipeline(0, &at(0, 0)).unwrap();
    assert_eq!((sent, outcome.reports.len()), (vec![], 1));
    for worker in [0, 1] {
        assert_eq!(rack.by_pipeline(worker, &at(worker, 4)).unwrap().0, []);
    }
    // The software drops it as stale, and the round goes on.
    let sent: Vec<_> = [at(2, 4), at(0, 0), at(0, 4), at(1, 4)]
        .iter()
        .map(|bytes| rack.by_shard(bytes).0.len())
        .collect();
    assert_eq!(sent, [0, 0, 0, 3]);
}

/// R-PKT-1 to 5, R-SLOT-9: what the software drops, the pipeline drops, without a trace in any
/// register.
#[test]
fn what_is_no_packet_of_a_job_is_dropped() {
    let good = datagram(&contribution(1), &[5; 8]);
    let change = |at: usize, value: u8| {
        let mut bad = good.clone();
        bad[at] = value;
        bad
    };
    use netfold_wire::field;
    let mut bad = vec![
        change(field::VERSION.start, 2),
        change(field::KIND.start, 5),
        change(field::KIND.start, 0),
        change(field::FLAGS.start, 1),
        change(field::FLAGS.start, 4),
        change(field::FLAGS.start, 16),
        change(field::FLAGS.start, 2),
        change(field::POOL.start, 2),
        change(field::JOB.start + 1, 77),
        change(field::EPOCH.start, 0),
        change(field::WORKER.start + 1, 3),
        change(field::SLOT.start + 1, 2),
        change(field::ELEMENTS.start + 1, 7),
        change(field::ELEMENTS.start, 1),
        change(field::DELIVERY.start, 0),
        change(field::EXPONENT.start, 0x70),
        change(field::NEXT_EXPONENT.start, 0x70),
        change(field::INTEGRITY.start, 1),
        change(field::INTEGRITY.start + 7, 1),
    ];
    bad.extend((0..good.len()).map(|length| good[..length].to_vec()));
    bad.push([&good[..], &[0; 4]].concat());
    let mut rack = Rack::new(&small(8, 1), Target::tofino(), &shapes());
    for bytes in bad {
        assert_eq!(rack.by_shard(&bytes), (vec![], vec![]));
        let (sent, outcome) = rack.by_pipeline(1, &bytes).unwrap();
        assert_eq!((sent, outcome.reports, outcome.passes), (vec![], vec![], 1), "{bytes:02x?}");
    }
    let program = rack.pipeline.program();
    for (at, array) in program.arrays.iter().enumerate() {
        let id = program.array_named(&array.name).unwrap();
        assert!(
            (0..array.size as usize).all(|word| rack.pipeline.word(0, id, word) == [0; 2]),
            "array {at}"
        );
    }
    // The same worker's contribution is as good as ever.
    for worker in 0..3 {
        let repr = contribution(worker);
        let bytes = datagram(&repr, &[u32::from(worker); 8]);
        let wanted = rack.by_shard(&bytes).0;
        assert_eq!(rack.by_pipeline(worker, &bytes).unwrap().0, wanted);
        assert_eq!(wanted.len(), if worker == 2 { 3 } else { 0 });
    }
}

/// R-PISA-16: what the program does not fold is dropped, not folded wrongly.
#[test]
fn other_lanes_and_operations_are_not_folded() {
    let mut rack = Rack::new(&small(8, 1), Target::tofino(), &shapes());
    for (element_type, operation) in [
        (ElementType::F32, Operation::Sum),
        (ElementType::F16, Operation::Sum),
        (ElementType::I32, Operation::Min),
        (ElementType::U8, Operation::Copy),
    ] {
        for worker in 0..3 {
            let repr =
                Repr { element_type, operation, elements: 0, empty: true, ..contribution(worker) };
            assert_eq!(rack.by_pipeline(worker, &datagram(&repr, &[])).unwrap().0, []);
        }
    }
    for worker in 0..3 {
        let marked = Repr { marked: true, ..contribution(worker) };
        assert_eq!(rack.by_pipeline(worker, &datagram(&marked, &[5; 8])).unwrap().0, []);
    }
}

/// Other traffic goes to where its address is, as it is, whatever it is.
#[test]
fn other_traffic_is_forwarded_as_it_is() {
    let mut rack = Rack::new(&small(8, 1), Target::tofino(), &shapes());
    let mac = crate::rack::address(1).mac;
    rack.pipeline
        .insert("forward", &[netfold_pisa::program::Pattern::Is(mac)], "send", &[42])
        .unwrap();
    let netfold = rack.framed(0, &datagram(&contribution(0), &[5; 8]));
    let to = |change: &[(usize, u8)]| {
        let mut frame = netfold.clone();
        frame[..6].copy_from_slice(&mac.to_be_bytes()[2..]);
        change.iter().for_each(|(at, value)| frame[*at] = *value);
        frame
    };
    // Not IPv4; IPv4 with options, a fragment, TCP; another UDP port.
    for change in
        [&[(12, 0x86)][..], &[(14, 0x46)], &[(20, 0x20)], &[(21, 1)], &[(23, 6)], &[(36, 1)]]
    {
        let outcome = rack.pipeline.process(5, &to(change)).unwrap();
        assert_eq!(outcome.sent, [netfold_pisa::Sent { port: 42, bytes: to(change) }]);
    }
    let unknown = [&[2, 2, 2, 2, 2, 2][..], &to(&[(23, 6)])[6..]].concat();
    assert_eq!(rack.pipeline.process(5, &unknown).unwrap().sent, []);
}

/// R-PISA-15: a packet that the switch itself loses between two pipelines costs a retransmission,
/// never a wrong sum.
#[test]
fn a_loss_between_pipelines_is_made_good() {
    let config = small(16, 4);
    for seed in 0..60 {
        let mut rack = Rack::new(&config, Target::tofino(), &shapes()[..1]);
        let mut dice = Dice(seed);
        let mut got: [Option<Vec<u8>>; 3] = [const { None }; 3];
        let around =
            |worker| datagram(&Repr { elements: 16, ..contribution(worker) }, &[1 << worker; 16]);
        for step in 0.. {
            assert!(step < 1000, "seed {seed}: the round does not end");
            let Some(_) = got.iter().position(Option::is_none) else { break };
            let worker = dice.below(3) as u16;
            if got[usize::from(worker)].is_some() {
                continue;
            }
            let mut pending =
                vec![netfold_pisa::Sent { port: 1, bytes: rack.framed(worker, &around(worker)) }];
            while let Some(packet) = pending.pop() {
                let outcome = rack.pipeline.pass(packet.port, &packet.bytes).unwrap();
                let (again, out): (Vec<_>, Vec<_>) = outcome
                    .sent
                    .into_iter()
                    .partition(|sent| config.frame.loopbacks.contains(&sent.port));
                pending.extend(again.into_iter().filter(|_| dice.below(100) >= 20));
                let out = netfold_pisa::Outcome { sent: out, ..Default::default() };
                for (_, WorkerId(worker), bytes) in rack.received(&out) {
                    got[usize::from(worker)].get_or_insert(bytes);
                }
            }
        }
        for bytes in got.into_iter().flatten() {
            let sum: Vec<u8> = [0, 0, 0, 7].repeat(16);
            assert_eq!(bytes[HEADER_BYTES..], sum, "seed {seed}");
        }
    }
}

/// R-PISA-14, R-PISA-15: a contribution passes each pipeline once, and the one that completes a
/// round of full packets gathers the other halves.
#[test]
fn passes_are_those_of_the_report() {
    for (elements, pipelines, fold, result) in [(64, 1, 1, 2), (32, 1, 1, 2), (256, 4, 4, 11)] {
        let mut rack = Rack::new(&small(elements, pipelines), Target::tofino(), &shapes());
        for worker in 0..3 {
            let repr = Repr { elements, ..contribution(worker) };
            let (sent, outcome) =
                rack.by_pipeline(worker, &datagram(&repr, &vec![1; elements.into()])).unwrap();
            let last = worker == 2;
            assert_eq!((sent.len(), outcome.passes), if last { (3, result) } else { (0, fold) });
        }
    }
    // Half of a pipeline's lanes come back at once.
    let mut rack = Rack::new(&small(64, 1), Target::tofino(), &shapes());
    let outcomes = (0..3).map(|worker| {
        let repr = Repr { elements: 31, ..contribution(worker) };
        rack.by_pipeline(worker, &datagram(&repr, &[1; 31])).unwrap().1.passes
    });
    assert_eq!(outcomes.collect::<Vec<_>>(), [1, 1, 1]);
}
