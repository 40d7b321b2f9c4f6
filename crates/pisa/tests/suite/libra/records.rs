//! The paper's two records of pushes (R-PISA-75, R-PISA-76).

use std::collections::BTreeSet;

use netfold_pisa::Target;
use netfold_pisa::programs::libra::{Guard, Libra, RECORD};
use netfold_wire::{Ecn, TableKind, TableRepr, WorkerId};

use super::bench::{self, Bench, datagram, frame, port, request};
use super::{WORKERS, any_pairs, small};
use crate::dice::Dice;

const CPU: u16 = 60;

/// R-PISA-75: with its record the CPU has each push folded once, if no first copy comes behind a
/// repeated one.
#[test]
fn the_cpu_has_each_push_folded_once() {
    let mut bench = Bench::new(Libra { guard: Guard::Cpu { port: CPU }, ..small(16) });
    let (config, mut dice) = (bench.config.clone(), Dice(3));
    let (mut record, mut returned) = (BTreeSet::new(), 0);
    for number in 0..2000u32 {
        let worker = dice.below(WORKERS.into()) as u16;
        let push = request(&config, TableKind::Push, worker, number);
        let push = datagram(push, &any_pairs(&mut dice, &config));
        // Lost on the way there, or only its acknowledgement; then once or twice more.
        let first_is_lost = dice.below(2) == 0;
        for copy in 0..dice.below(4) {
            if copy == 0 && first_is_lost {
                continue;
            }
            let mut bytes = push.clone();
            bytes[2] = if copy == 0 { 0 } else { 2 };
            let expected = bench.software(&bytes, Ecn::Clear);
            let whole = frame(worker, &bytes, Ecn::Clear);
            let mut outcome = bench.pipeline.process(port(worker), &whole).unwrap();
            if copy > 0 {
                // The outlet: the packet as it came.
                let [sent] = &outcome.sent[..] else { panic!("one packet to the CPU") };
                assert_eq!((sent.port, &sent.bytes), (CPU, &whole));
                if record.contains(&(u64::from(worker), u64::from(number))) {
                    continue;
                }
                returned += 1;
                bytes[2] = 0;
                let back = frame(worker, &bytes, Ecn::Clear);
                outcome = bench.pipeline.process(CPU, &back).unwrap();
            }
            let [report] = &outcome.reports[..] else { panic!("the CPU is told once") };
            assert_eq!(report.reason, RECORD);
            let [_, worker_told, number_told] = report.fields[..] else { panic!() };
            record.insert((worker_told, number_told));
            assert_eq!(bench::received(worker, &outcome), expected);
        }
    }
    assert!(returned > 100);
    bench.assert_values();
}

/// R-PISA-76: the share of pushes that are lost to the filter is what the rule says, and none is
/// folded twice.
#[test]
fn a_filter_drops_as_many_gradients_as_the_rule_says() {
    const WORDS: u32 = 1024;
    const PROBES: u32 = 200;
    let config = Libra { guard: Guard::Bloom { words: WORDS }, ..small(16) };
    for taken in [100, 400, 1000] {
        let (mut dropped, mut probes) = (0, 0);
        for seed in 0..20 {
            let mut pipeline = bench::load(&config, Target::tofino());
            let sums = pipeline.program().array_named("sum0").unwrap();
            let mut dice = Dice(seed << 20 | taken);
            let mut any_push = |repeated| {
                let (worker, number) = (dice.below(WORKERS.into()) as u16, dice.roll() as u32);
                let push = request(&config, TableKind::Push, worker, number);
                let repr = TableRepr { repeated, worker: WorkerId(worker), ..push };
                (worker, datagram(repr, &vec![(0, 1)]))
            };
            let mut sum = 0;
            for _ in 0..taken {
                let (worker, mut push) = any_push(false);
                let mut send = |push: &[u8]| {
                    pipeline.process(port(worker), &frame(worker, push, Ecn::Clear)).unwrap();
                    pipeline.word(0, sums, 0)[0]
                };
                // A first copy always counts, and a repetition of it never.
                sum += 1;
                assert_eq!(send(&push), sum);
                push[2] = 2;
                assert_eq!(send(&push), sum);
            }
            // The first copy of each of these was lost. A probe that is taken changes the filter,
            // so each meets the filter as it was.
            for _ in 0..PROBES {
                let (worker, probe) = any_push(true);
                let mut meets = pipeline.clone();
                let outcome =
                    meets.process(port(worker), &frame(worker, &probe, Ecn::Clear)).unwrap();
                assert_eq!(outcome.sent.len(), 1, "it is acknowledged in any case");
                probes += 1;
                dropped += u32::from(meets.word(0, sums, 0)[0] == sum);
            }
        }
        let full = 1.0 - (1.0 - 1.0 / f64::from(WORDS)).powi(taken as i32);
        let chance = full * full;
        // Of so many probes five standard deviations. The share of words that are set varies from
        // filter to filter, by less than sqrt(full (1 - full) / WORDS) for each array, which moves
        // the chance by twice `full` times that, and the mean of 20 filters by 1 / sqrt 20 of it.
        let one = (chance * (1.0 - chance) / f64::from(probes)).sqrt();
        let filters = full * (2.0 * full * (1.0 - full) / f64::from(WORDS) / 20.0).sqrt();
        let share = f64::from(dropped) / f64::from(probes);
        let bound = 5.0 * one.hypot(filters);
        assert!((share - chance).abs() < bound, "{taken}: {share}, and not {chance} +- {bound}");
    }
}
