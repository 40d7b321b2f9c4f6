//! SwitchML's program with FPISA's lanes beside the software switch: packet by packet the same
//! answers (R-PISA-10), but for R-PISA-32 and R-PISA-38.

mod model;

use model::Model;

use crate::dice::Dice;
use crate::faults::without_shadow;
use crate::rack::answers::Answers;
use crate::rack::passes::between_passes;
use crate::rack::traffic::{LaneMaker, Network, Traffic, datagram};
use crate::rack::{JobShape, Rack, Received, shapes};
use crate::sums::any_bits;
use netfold_num::{ByteOrder, ElementType, Operation};
use netfold_pisa::catalog::Passes;
use netfold_pisa::program::Pattern;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::switchml::SwitchMl;
use netfold_pisa::programs::{Arithmetic, FrameConfig, MISMATCH, OVERFLOW};
use netfold_pisa::report::Report;
use netfold_pisa::{Outcome, Pipeline, Sent, Target};
use netfold_switch::Event;
use netfold_wire::{Delivery, HEADER_BYTES, JobId, Kind, Packet, Position, Repr, WorkerId};
use proptest::prelude::*;

/// Floats of every sort, exponents as wide apart as they can be; and pairs that FPISA-A's headroom
/// does not hold.
const WIDE: LaneMaker = (ElementType::F32, |dice| {
    let sign = (dice.roll() as u32 & 1) << 31;
    match dice.below(5) {
        0 => sign | 0x3F80_0000,
        1 => sign | 0x437F_FFFF,
        _ => any_bits(dice),
    }
});

/// Floats of every sort whose finite ones do not overflow: eight of them with exponents 0 to 4 are
/// below 2^31 (R-FPI-16).
const NARROW: LaneMaker = (ElementType::F32, |dice| {
    let sign = (dice.roll() as u32 & 1) << 31;
    match dice.below(40) {
        0 => sign | 0x7F80_0000,
        1 => 0x7FC0_0001,
        2..=4 => sign,
        5..=8 => sign | 1,
        // These cancel each other.
        9..=26 => sign | 4 << 23,
        _ => sign | (dice.below(5) as u32) << 23 | dice.roll() as u32 >> 9,
    }
});

/// The events that a comparison has come across.
#[derive(Debug, Default)]
struct Seen {
    answers: Answers,
    /// Results with a lane that R-PISA-32 makes another.
    otherwise: usize,
    overflows: usize,
}

/// Drives both forms with the same packets, and holds each answer of the one to that of the other.
/// A job in which a sum overflows has come to its end.
fn compare(config: &SwitchMl, target: Target, lanes: LaneMaker, seed: u64, packets: usize) -> Seen {
    let Arithmetic::Fpisa(variant) = config.arithmetic else {
        panic!("integers are compared in switchml.rs")
    };
    let mut rack = Rack::new(config, target, &shapes());
    let mut dice = Dice(seed);
    let mut jobs: Vec<_> = shapes()
        .into_iter()
        .map(|shape| Traffic::new(shape, config.elements, lanes, dice.roll()))
        .collect();
    jobs.iter_mut().for_each(|job| job.byte_order = config.byte_order);
    let (mut network, mut seen) = (Network::default(), Seen::default());
    let mut model = Model::new(variant, config.byte_order);
    for _ in 0..packets {
        let Some((worker, bytes)) = network.next(&mut dice, &jobs) else { continue };
        let header = Repr::parse(&Packet::new_checked(&bytes).unwrap());
        let Some(at) = jobs.iter().position(|job| job.shape.job == header.job.0) else { continue };
        let (wanted, events, overflows) = model.take(&mut rack, &header, &bytes);
        let (got, outcome) =
            rack.by_pipeline(worker, &bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
        if let Some(lane) = overflows {
            // R-PISA-37
            let report =
                |report: &netfold_pisa::Report| (report.reason, report.fields[4], report.fields[6]);
            let reports: Vec<_> = outcome.reports.iter().map(report).collect();
            assert_eq!(
                reports,
                [(OVERFLOW, u64::from(worker), lane as u64)],
                "seed {seed}: {header:?}"
            );
            assert_eq!(got, [], "seed {seed}: {header:?}");
            if !model.cancelled(&header) {
                assert_eq!(
                    events,
                    [Event::overflow(&header, lane, WorkerId(worker))],
                    "seed {seed}: {header:?}"
                );
            }
        }
        if overflows.is_some() || !events.is_empty() {
            // The other way round, an overflow is one of R-PISA-32.
            assert!(overflows.is_some() || model.cancelled(&header), "seed {seed}: {events:?}");
            seen.overflows += 1;
            jobs.remove(at);
            if jobs.is_empty() {
                break;
            }
            continue;
        }
        let wanted: Vec<_> = wanted
            .into_iter()
            .map(|(job, worker, bytes)| {
                let (bytes, other) = model.answer(&bytes);
                seen.otherwise += usize::from(other);
                (job, worker, bytes)
            })
            .collect();
        assert_eq!(got, wanted, "seed {seed}: the answer to {header:?}");
        assert_eq!(outcome.reports, [], "seed {seed}: {header:?}");
        seen.answers.deliver(wanted, outcome.passes, &mut jobs, &mut dice);
    }
    seen
}

fn small(variant: Variant, elements: u16) -> SwitchMl {
    SwitchMl { slots: 8, workers: 8, ..SwitchMl::with(Arithmetic::Fpisa(variant), elements) }
}

fn little(config: SwitchMl) -> SwitchMl {
    SwitchMl { byte_order: ByteOrder::Little, ..config }
}

/// All lanes in one pipeline, as bmv2 has it.
fn in_one(variant: Variant, elements: u16) -> SwitchMl {
    SwitchMl { pipelines: 1, frame: FrameConfig::new(1), ..small(variant, elements) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// R-PISA-35: FPISA-A on a switch of today, one value in a pass.
    #[test]
    fn fpisa_a_on_tofino(seed in any::<u64>()) {
        compare(&small(Variant::Approximate, 1), Target::tofino(), NARROW, seed, 1500);
        compare(&small(Variant::Approximate, 1), Target::tofino(), WIDE, seed, 1500);
    }

    /// R-PISA-15, R-PISA-35: a value in each of four pipelines.
    #[test]
    fn fpisa_a_over_four_pipelines(seed in any::<u64>()) {
        compare(&small(Variant::Approximate, 4), Target::tofino(), NARROW, seed, 700);
        compare(&small(Variant::Approximate, 4), Target::tofino(), WIDE, seed, 700);
    }

    /// R-PISA-36: FPISA with the extensions, in one pipeline and over four.
    #[test]
    fn fpisa_on_fpisa_ext(seed in any::<u64>()) {
        compare(&small(Variant::Full, 4), Target::fpisa_ext(), WIDE, seed, 1000);
        compare(&small(Variant::Full, 16), Target::fpisa_ext(), WIDE, seed, 500);
    }

    /// R-PISA-19: any number of lanes, with fewer of them in the last pipeline.
    #[test]
    fn any_number_of_lanes(seed in any::<u64>(), few in 2..=4u16, more in 5..=16u16) {
        compare(&small(Variant::Approximate, few), Target::tofino(), NARROW, seed, 300);
        compare(&small(Variant::Full, more), Target::fpisa_ext(), WIDE, seed, 300);
        compare(&in_one(Variant::Approximate, more), Target::bmv2(), NARROW, seed, 200);
    }

    /// R-PISA-39: lanes in little-endian order, which the parser converts, in one pipeline and over
    /// four.
    #[test]
    fn little_endian_lanes_on_fpisa_ext(seed in any::<u64>()) {
        compare(&little(small(Variant::Full, 4)), Target::fpisa_ext(), WIDE, seed, 700);
        compare(&little(small(Variant::Full, 16)), Target::fpisa_ext(), WIDE, seed, 400);
        compare(&little(in_one(Variant::Approximate, 8)), Target::bmv2(), NARROW, seed, 400);
    }

    /// Both on bmv2, with more lanes than a pipeline of hardware has.
    #[test]
    fn both_on_bmv2(seed in any::<u64>()) {
        compare(&in_one(Variant::Approximate, 8), Target::bmv2(), NARROW, seed, 500);
        compare(&in_one(Variant::Approximate, 8), Target::bmv2(), WIDE, seed, 500);
        compare(&in_one(Variant::Full, 8), Target::bmv2(), WIDE, seed, 500);
    }
}

/// The comparisons meet every sort of answer, sums that cancel, and sums that overflow.
#[test]
fn the_traffic_meets_what_is_rare() {
    for (config, target) in [
        (small(Variant::Approximate, 1), Target::tofino()),
        (small(Variant::Full, 4), Target::fpisa_ext()),
        (small(Variant::Approximate, 4), Target::tofino()),
    ] {
        let seen = compare(&config, target, NARROW, 1, 5000);
        assert!(seen.answers.all_above(20) && seen.otherwise > 1, "{seen:?}");
        // R-PISA-35: to add, and to read; and to relay, the copy that goes around has the passes of
        // one that reads.
        assert_eq!(seen.answers.most_passes, u32::from(2 * config.pipelines), "{seen:?}");
    }
    let overflows: usize = (0..20)
        .map(|seed| {
            compare(&small(Variant::Approximate, 1), Target::tofino(), WIDE, seed, 1500).overflows
        })
        .sum();
    assert!(overflows > 10, "{overflows} jobs of 60 have overflowed");
}

/// Positive floats: no sum cancels (R-PISA-32) or overflows.
const POSITIVE: LaneMaker =
    (ElementType::F32, |dice| (dice.below(5) as u32) << 23 | dice.roll() as u32 >> 9);

/// R-PISA-14, R-PISA-35: packets that come between the passes of another change no answer.
#[test]
fn packets_come_between_the_passes_of_another() {
    for seed in 0..4 {
        for (config, target) in [
            (small(Variant::Approximate, 1), Target::tofino()),
            (small(Variant::Approximate, 3), Target::tofino()),
            (small(Variant::Full, 4), Target::fpisa_ext()),
            (small(Variant::Full, 10), Target::fpisa_ext()),
        ] {
            let mut rack = Rack::new(&config, target, &shapes());
            let most_inside = between_passes(&mut rack, &config, POSITIVE, seed, 2000);
            assert!(most_inside >= 3, "seed {seed}: {most_inside} packets at a time");
        }
    }
}

/// The comparison finds a slot whose two copies are one: a round overwrites the one before while
/// its result goes around.
#[test]
#[should_panic(expected = "seed 1")]
fn a_slot_without_a_shadow_copy_is_found() {
    let config = small(Variant::Full, 4);
    let mut rack = Rack::new(&config, Target::fpisa_ext(), &shapes());
    without_shadow(&mut rack.pipeline, Pattern::Is(1), config.slots.into());
    between_passes(&mut rack, &config, POSITIVE, 1, 2000);
}

/// The contribution of a worker to the first round of a job of three.
fn contribution(worker: u16, position: u32, elements: u16) -> Repr {
    let traffic = Traffic::new(JobShape { job: 3, workers: 3, slots: 2 }, elements, NARROW, 7);
    let (repr, _) = traffic.contribution(0, 1, worker);
    Repr { empty: false, elements, delivery: Delivery::All, position: Position(position), ..repr }
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// R-PISA-37: whose contribution it was is told with the lane; nobody gets the round's result,
/// whoever asks, and whoever it is for; other rounds go on.
#[test]
fn an_overflow_is_reported_and_its_result_withheld() {
    let configs = [
        (small(Variant::Approximate, 1), Target::tofino()),
        (small(Variant::Approximate, 4), Target::tofino()),
        (in_one(Variant::Approximate, 4), Target::bmv2()),
    ];
    for (config, target) in configs {
        let elements = config.elements;
        let last = elements - 1;
        for overflows_with in [1, 2] {
            for delivery in [Delivery::All, Delivery::One(WorkerId(1))] {
                let mut rack = Rack::new(&config, target.clone(), &shapes());
                // 2^7 times the first one's exponent is as far as FPISA-A moves an operand: one
                // fits beside the first, two do not (R-FPI-16).
                let lanes = |worker: u16| {
                    let mut lanes = vec![1.0; elements.into()];
                    lanes[usize::from(last)] =
                        if worker > 0 && worker >= overflows_with - 1 { 255.0 } else { 1.0 };
                    bits(&lanes)
                };
                let of = |worker| {
                    let repr = Repr { delivery, ..contribution(worker, 0, elements) };
                    (repr, datagram(&repr, &lanes(worker)))
                };
                let mut reported = Vec::new();
                for worker in [0, 1, 2] {
                    let (repr, bytes) = of(worker);
                    let (sent, outcome) = rack.by_pipeline(worker, &bytes).unwrap();
                    let (_, events) = rack.by_shard(&bytes);
                    if let [event] = events[..] {
                        assert_eq!(event, Event::overflow(&repr, last.into(), WorkerId(worker)));
                        let fields =
                            [3, u64::from(repr.epoch.0), 0, 0, worker.into(), 0, last.into()];
                        assert_eq!(
                            outcome.reports,
                            [netfold_pisa::Report { reason: OVERFLOW, fields: fields.into() }]
                        );
                        reported.push(worker);
                    } else {
                        assert_eq!(outcome.reports, []);
                    }
                    assert!(without_lanes(&sent), "{sent:?}");
                }
                assert_eq!(reported.len(), 1, "one contribution is too much");
                for worker in [0, 1, 2] {
                    let (sent, outcome) = rack.by_pipeline(worker, &of(worker).1).unwrap();
                    assert!(without_lanes(&sent) && outcome.reports.is_empty(), "{sent:?}");
                }
                // The copy is as good as ever for a later round.
                for worker in [0, 1, 2] {
                    let repr = contribution(worker, 4, elements);
                    let (sent, _) = rack
                        .by_pipeline(worker, &datagram(&repr, &bits(&vec![2.5; elements.into()])))
                        .unwrap();
                    assert_eq!(sent.len(), if worker == 2 { 3 } else { 0 });
                    let sums = bits(&vec![7.5; elements.into()]);
                    let sums: Vec<u8> = sums.iter().flat_map(|sum| sum.to_be_bytes()).collect();
                    assert!(sent.iter().all(|(_, _, bytes)| bytes[HEADER_BYTES..] == sums));
                }
            }
        }
    }
}

/// Results for workers that the lanes are not for may go out.
fn without_lanes(sent: &[Received]) -> bool {
    sent.iter().all(|(_, _, bytes)| bytes.len() == HEADER_BYTES)
}

/// R-PISA-32, as it stands there: 1 and -1 cancel exactly, and the next operand moves under their
/// exponent. `num`, and the software, take it as it is.
#[test]
fn a_sum_that_has_cancelled_keeps_its_exponent() {
    let configs = [
        (small(Variant::Approximate, 1), Target::tofino()),
        (small(Variant::Full, 1), Target::fpisa_ext()),
    ];
    for (config, target) in configs {
        let mut rack = Rack::new(&config, target, &shapes());
        let small = 1.0 + f32::EPSILON;
        for (worker, value) in [1.0, -1.0, small / 4.0].into_iter().enumerate() {
            let worker = worker as u16;
            let bytes = datagram(&contribution(worker, 0, 1), &bits(&[value]));
            let (by_shard, _) = rack.by_shard(&bytes);
            let (by_pipeline, _) = rack.by_pipeline(worker, &bytes).unwrap();
            assert_eq!(by_shard.len(), by_pipeline.len());
            let lane = |received: &Received| {
                f32::from_be_bytes(received.2[HEADER_BYTES..].try_into().unwrap())
            };
            assert!(by_shard.iter().all(|received| lane(received) == small / 4.0));
            // Two bits of it are below the last place under the exponent of 1.
            assert!(by_pipeline.iter().all(|received| lane(received) == 0.25));
        }
        let done =
            rack.shard.memory(JobId(3)).unwrap().0[0].copy(contribution(0, 0, 1).pool).result();
        assert!(done.is_some(), "the round is complete");
    }
}

/// R-SLOT-7, R-PISA-13: calls that meet are reported as with integers, and the round is never
/// complete.
#[test]
fn a_mismatch_is_reported() {
    let mut rack = Rack::new(&small(Variant::Approximate, 1), Target::tofino(), &shapes());
    let first = contribution(2, 0, 1);
    let mut second = contribution(0, 0, 1);
    second.call.0 ^= 1;
    let at = |repr: &Repr| datagram(repr, &bits(&[1.0]));
    assert_eq!(
        rack.by_pipeline(2, &at(&first)).unwrap().1,
        Outcome { passes: 1, ..Default::default() }
    );
    let (sent, outcome) = rack.by_pipeline(0, &at(&second)).unwrap();
    let [report] = &outcome.reports[..] else { panic!("{outcome:?}") };
    assert_eq!((report.reason, &report.fields[4..6], sent), (MISMATCH, &[0, 2][..], vec![]));
    for worker in [0, 1, 2] {
        assert_eq!(rack.by_pipeline(worker, &at(&contribution(worker, 0, 1))).unwrap().0, []);
    }
}

/// R-PISA-16: what the program does not fold is dropped: integers, other operations, lanes that it
/// has no modules for.
#[test]
fn other_lanes_and_operations_are_not_folded() {
    let mut rack = Rack::new(&small(Variant::Full, 4), Target::fpisa_ext(), &shapes());
    for (element_type, operation, elements) in [
        (ElementType::I32, Operation::Sum, 4),
        (ElementType::F32, Operation::Max, 4),
        (ElementType::F16, Operation::Sum, 4),
        (ElementType::F32, Operation::Sum, 5),
    ] {
        for worker in 0..3 {
            let repr = Repr { element_type, operation, ..contribution(worker, 0, elements) };
            let lanes = if element_type == ElementType::F16 {
                vec![0; 2]
            } else {
                vec![0; elements.into()]
            };
            assert_eq!(rack.by_pipeline(worker, &datagram(&repr, &lanes)).unwrap().0, []);
        }
    }
    let program = rack.pipeline.program();
    for array in &program.arrays {
        let id = program.array_named(&array.name).unwrap();
        assert!(
            (0..array.size as usize).all(|word| rack.pipeline.word(0, id, word) == [0; 2]),
            "{}",
            array.name
        );
    }
}

/// R-PISA-35: FPISA-A takes all twelve stages of a Tofino-like switch, three of them for slots; a
/// second value does not fit.
#[test]
fn fpisa_a_fits_beside_the_slots() {
    let config = small(Variant::Approximate, 1);
    assert_eq!(Report::of(&config.program(), &Target::tofino()).stages, 12);
    let second = Pipeline::load(in_one(Variant::Approximate, 2).program(), Target::tofino());
    let message = second.unwrap_err().to_string();
    assert!(message.contains("stage 6 needs") && message.contains("VLIW slots"), "{message}");
}

/// R-PISA-36: with the extensions four values share eleven stages, and not eight; without them the
/// program is refused.
#[test]
fn fpisa_fits_four_times_beside_the_slots() {
    for (elements, fits) in [(1, true), (4, true), (8, false)] {
        let program = in_one(Variant::Full, elements).program();
        assert_eq!(Report::of(&program, &Target::fpisa_ext()).stages, 11);
        assert_eq!(Pipeline::load(program, Target::fpisa_ext()).is_ok(), fits, "{elements} lanes");
    }
    let refused = Pipeline::load(small(Variant::Full, 4).program(), Target::tofino())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("shift"), "{refused}");
}

/// R-PISA-39: a parser of today does not convert.
#[test]
fn little_endian_lanes_are_not_for_tofino() {
    let program = little(small(Variant::Approximate, 1)).program();
    assert!(Pipeline::load(program.clone(), Target::fpisa_ext()).is_ok());
    let refused = Pipeline::load(program.clone(), Target::tofino()).unwrap_err().to_string();
    assert!(refused.contains("`lane0` is little-endian"), "{refused}");
    let refused = netfold_pisa::p4::tna(&program).unwrap_err().to_string();
    assert!(refused.contains("`lane0` is little-endian"), "{refused}");
}

/// R-PISA-35: a pass adds or reads, whatever the length; a round without lanes is over in one.
#[test]
fn passes_are_those_of_the_report() {
    for (config, target) in [
        (small(Variant::Approximate, 1), Target::tofino()),
        (small(Variant::Approximate, 4), Target::tofino()),
        (small(Variant::Full, 4), Target::fpisa_ext()),
        (small(Variant::Full, 16), Target::fpisa_ext()),
    ] {
        let Passes { fold, result } = Passes::of_floats(config.pipelines);
        for elements in [1, config.elements] {
            for empty in [false, true] {
                let mut rack = Rack::new(&config, target.clone(), &shapes());
                for worker in 0..3 {
                    let repr = Repr { empty, ..contribution(worker, 0, elements) };
                    let lanes = if empty { vec![] } else { bits(&vec![1.0; elements.into()]) };
                    let (sent, outcome) =
                        rack.by_pipeline(worker, &datagram(&repr, &lanes)).unwrap();
                    let passes = if worker == 2 && !empty { result } else { fold };
                    assert_eq!(
                        (sent.len(), outcome.passes),
                        (if worker == 2 { 3 } else { 0 }, passes.into())
                    );
                }
            }
        }
    }
}

/// R-PISA-15: a packet that the switch itself loses on its way costs a retransmission, never a
/// wrong sum.
#[test]
fn a_loss_inside_the_switch_is_made_good() {
    let config = small(Variant::Approximate, 4);
    for seed in 0..60 {
        let mut rack = Rack::new(&config, Target::tofino(), &shapes()[..1]);
        let mut dice = Dice(seed);
        let mut got: [Option<Vec<u8>>; 3] = [const { None }; 3];
        let values = [1.0, 2.0, 4.5];
        for step in 0.. {
            assert!(step < 1000, "seed {seed}: the round does not end");
            let Some(_) = got.iter().position(Option::is_none) else { break };
            let worker = dice.below(3) as u16;
            if got[usize::from(worker)].is_some() {
                continue;
            }
            let bytes =
                datagram(&contribution(worker, 0, 4), &bits(&[values[usize::from(worker)]; 4]));
            let mut pending = vec![Sent { port: 1, bytes: rack.framed(worker, &bytes) }];
            while let Some(packet) = pending.pop() {
                let outcome = rack.pipeline.pass(packet.port, &packet.bytes).unwrap();
                let (again, out): (Vec<_>, Vec<_>) = outcome
                    .sent
                    .into_iter()
                    .partition(|sent| config.frame.loopbacks.contains(&sent.port));
                pending.extend(again.into_iter().filter(|_| dice.below(100) >= 20));
                for (_, WorkerId(worker), bytes) in
                    rack.received(&Outcome { sent: out, ..Default::default() })
                {
                    got[usize::from(worker)].get_or_insert(bytes);
                }
            }
        }
        let sum: Vec<u8> = 7.5f32.to_be_bytes().repeat(4);
        assert!(
            got.iter().flatten().all(|bytes| bytes[HEADER_BYTES..] == sum),
            "seed {seed}: {got:?}"
        );
    }
}

/// Classes rounds fold as Values rounds do, and Exponents rounds have no lanes, whatever they
/// bring.
#[test]
fn an_exponents_round_has_no_lanes() {
    for (kind, length) in [(Kind::Exponents, HEADER_BYTES), (Kind::Classes, HEADER_BYTES + 4)] {
        let mut rack = Rack::new(&small(Variant::Approximate, 1), Target::tofino(), &shapes());
        for worker in 0..3 {
            let repr = Repr { kind, ..contribution(worker, 0, 1) };
            let (sent, _) = rack.by_pipeline(worker, &datagram(&repr, &bits(&[1.5]))).unwrap();
            assert_eq!(sent.len(), if worker == 2 { 3 } else { 0 });
            assert!(sent.iter().all(|(_, _, bytes)| bytes.len() == length), "{kind:?}");
        }
    }
}
