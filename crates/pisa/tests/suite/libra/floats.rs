//! Tables of floats (R-PISA-77) beside the same rows in the software, which `num` adds up.

use netfold_pisa::catalog::{self, Dialect, Name, Record, Request};
use netfold_pisa::programs::libra::{Guard, Libra, Sums};
use netfold_pisa::report::Report;
use netfold_pisa::{Pipeline, Sent, Target};
use netfold_wire::{Ecn, TableKind};

use super::bench::{Bench, Pairs, datagram, frame, port, received, request};
use crate::dice::Dice;

const WORKERS: u16 = 3;

/// So few rows that packets often have a row twice.
fn small(sums: Sums) -> Libra {
    Libra { words: 8, ..Libra::of_floats(sums, WORKERS) }
}

/// A float whose sums with others never cancel exactly, where a pipeline differs (R-PISA-32): each
/// is drawn once, of 24 random bits at one of few exponents.
fn any_float(dice: &mut Dice) -> i32 {
    let sign = (dice.below(2) as u32) << 31;
    let exponent = (120 + dice.below(20) as u32) << 23;
    (sign | exponent | dice.roll() as u32 & 0x007F_FFFF) as i32
}

fn any_pairs(dice: &mut Dice, config: &Libra, value: fn(&mut Dice) -> i32) -> Pairs {
    let count = dice.below(usize::from(config.pairs) + 1);
    (0..count).map(|_| (dice.below(config.rows() as usize) as u32, value(dice))).collect()
}

/// Asks both forms at random, with repetitions, and compares all rows at the end.
fn play(sums: Sums, seed: u64, guard: Guard, value: fn(&mut Dice) -> i32) {
    let mut bench = Bench::new(Libra { guard, ..small(sums) });
    let (config, mut dice) = (bench.config.clone(), Dice(seed));
    let mut pushes: Vec<(u16, Vec<u8>)> = Vec::new();
    let mut numbers = [0_u32; WORKERS as usize];
    for _ in 0..3000 {
        let worker = dice.below(WORKERS.into()) as u16;
        let pairs = any_pairs(&mut dice, &config, value);
        match dice.below(8) {
            0..4 => {
                let number = &mut numbers[usize::from(worker)];
                let push = datagram(request(&config, TableKind::Push, worker, *number), &pairs);
                *number += 1;
                bench.ask(worker, &push, Ecn::Clear);
                pushes.push((worker, push));
            }
            4 if !pushes.is_empty() => {
                // Of the last that its worker may still send.
                let from = pushes.len().saturating_sub(40);
                let (worker, mut again) = pushes[from + dice.below(pushes.len() - from)].clone();
                again[2] = 2;
                bench.ask(worker, &again, Ecn::Clear);
            }
            5 => {
                let load = datagram(request(&config, TableKind::Load, 0, 7), &pairs);
                bench.ask(WORKERS, &load, Ecn::Clear);
            }
            _ => {
                let pull = datagram(request(&config, TableKind::Pull, worker, 9), &pairs);
                bench.ask(worker, &pull, Ecn::Clear);
            }
        }
    }
    compare(&mut bench);
}

/// Every row, loaded and pulled by itself.
fn compare(bench: &mut Bench) {
    let config = bench.config.clone();
    for rank in 0..config.rows() {
        for kind in [TableKind::Load, TableKind::Pull] {
            let asked = datagram(request(&config, kind, 0, 0), &vec![(rank, 0)]);
            assert!(bench.ask(0, &asked, Ecn::Clear).is_some());
        }
    }
}

/// R-PISA-77, R-PISA-79: every answer is the software's, whatever is repeated.
#[test]
fn sums_are_those_of_the_software() {
    for sums in [Sums::FpisaA, Sums::LogTable] {
        for seed in 0..3 {
            play(sums, seed, Guard::Windows, any_float);
        }
        play(sums, 7, Guard::Bloom { words: 65536 }, any_float);
    }
}

/// R-FPI-4, R-FPI-9, R-FPI-12: values that are no numbers, zeros, subnormals, and sums that
/// overflow.
#[test]
fn values_at_the_ends_are_summed_as_in_the_software() {
    let any = |dice: &mut Dice| {
        let special: [u32; 6] =
            [0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0001, 0x7F7F_FFFF];
        match dice.below(40) {
            at @ 0..6 => special[at] as i32,
            // Subnormals of one sign do not cancel.
            _ => (dice.roll() as u32 & 0x007F_FFFF | 1) as i32,
        }
    };
    for seed in 10..13 {
        play(Sums::FpisaA, seed, Guard::Windows, any);
        play(Sums::LogTable, seed, Guard::Windows, any);
        // Any pattern, whose sums by tables do not depend on what was before (R-LOG-3 to 5).
        play(Sums::LogTable, seed, Guard::Windows, |dice| dice.roll() as i32);
        // Few values, whose sums are often 0 (R-LOG-4).
        play(Sums::LogTable, seed, Guard::Windows, |dice| {
            [1.0_f32, -1.0, 2.5, -2.5][dice.below(4)].to_bits() as i32
        });
    }
    let mut bench = Bench::new(small(Sums::FpisaA));
    let config = bench.config.clone();
    // The largest mantissa, 256 times: more than 7 bits of headroom hold.
    for number in 0..300 {
        let push = request(&config, TableKind::Push, 0, number);
        let push = datagram(push, &vec![(3, 0x3FFF_FFFF), (4, 1.5_f32.to_bits() as i32)]);
        bench.ask(0, &push, Ecn::Clear);
    }
    compare(&mut bench);
    let pull = datagram(request(&config, TableKind::Pull, 0, 0), &vec![(3, 0)]);
    let answer = bench.ask(0, &pull, Ecn::Clear).unwrap();
    let value = f32::from_be_bytes(*answer.last_chunk().unwrap());
    assert!(value.is_nan(), "{value}");
}

/// R-HOT-8, R-PISA-79: each pair takes a pass, or two by tables; a repetition takes one.
#[test]
fn a_pair_takes_a_pass_or_two() {
    for (sums, each) in [(Sums::FpisaA, 1), (Sums::LogTable, 2)] {
        let mut bench = Bench::new(small(sums));
        let config = bench.config.clone();
        for number in 0..=13 {
            let pairs: Pairs = (0..number).map(|pair| (pair % 8, pair as i32)).collect();
            let push = frame(
                0,
                &datagram(request(&config, TableKind::Push, 0, number), &pairs),
                Ecn::Clear,
            );
            for passes in [(each * number).max(1), 1] {
                assert_eq!(bench.pipeline.process(port(0), &push).unwrap().passes, passes);
            }
        }
    }
}

/// R-PISA-72, R-PISA-79: passes of packets that want the same rows mingle; one that finds a row
/// locked comes again, and no pair is lost or counts twice.
#[test]
fn passes_of_several_packets_may_mingle() {
    const PUSHES: u32 = 20;
    for (sums, seed) in [Sums::FpisaA, Sums::LogTable].into_iter().zip(0..) {
        let mut bench = Bench::new(small(sums));
        let (config, mut dice) = (bench.config.clone(), Dice(seed));
        let (mut under_way, mut exact) = (Vec::new(), [0.0_f64; 2]);
        for number in 0..=PUSHES {
            // A push has each row twice, and the load once. They are of one binade, so that FPISA-A
            // adds them exactly, in any order.
            let (from, kind, count) = match number {
                PUSHES => (WORKERS, TableKind::Load, 2),
                _ => (0, TableKind::Push, 4),
            };
            let values: Vec<f32> = (0..count).map(|_| (64 + dice.below(64)) as f32).collect();
            let pairs: Pairs =
                (0..).zip(&values).map(|(at, value)| (at % 2, value.to_bits() as i32)).collect();
            for ((rank, _), value) in pairs.iter().zip(&values) {
                exact[*rank as usize] += f64::from(*value);
            }
            let sent = datagram(request(&config, kind, 0, number), &pairs);
            under_way.push(Sent { port: port(from), bytes: frame(from, &sent, Ecn::Clear) });
        }
        let (mut passes, mut answers) = (0, 0);
        while !under_way.is_empty() {
            let next = under_way.swap_remove(dice.below(under_way.len()));
            passes += 1;
            for sent in bench.pipeline.pass(next.port, &next.bytes).unwrap().sent {
                if sent.port == 68 { under_way.push(sent) } else { answers += 1 }
            }
        }
        assert_eq!(answers, PUSHES + 1);
        let least = (PUSHES * 4 + 2) * if sums == Sums::LogTable { 2 } else { 1 };
        assert_eq!(passes > least, sums == Sums::LogTable, "{passes}: rows were found locked");
        for (rank, exact) in (0..).zip(exact) {
            let pairs = vec![(rank, 0)];
            let answers = [TableKind::Load, TableKind::Pull].map(|kind| {
                let asked = frame(0, &datagram(request(&config, kind, 0, 0), &pairs), Ecn::Clear);
                received(0, &bench.pipeline.process(port(0), &asked).unwrap()).unwrap()
            });
            let value = f64::from(f32::from_be_bytes(*answers[1].last_chunk().unwrap()));
            // R-LOG-7: 41 values of one sign. The smallest of them is more than twice as much.
            let bound = match sums {
                Sums::LogTable => ((1.0 + 7e-5_f64).powi(40) - 1.0) * exact,
                _ => 0.0,
            };
            assert!((value - exact).abs() <= bound && bound < 32.0, "{value} {exact} {bound}");
        }
    }
}

/// R-PISA-77: the whole program of the paper's size fits a Tofino-like switch, with each record.
#[test]
fn the_program_fits_twelve_stages() {
    for guard in [Guard::Windows, Guard::Cpu { port: 64 }, Guard::Bloom { words: 65536 }] {
        for sums in [Sums::FpisaA, Sums::LogTable] {
            let config = Libra { guard, ..Libra::of_floats(sums, 8) };
            assert!(config.rows() >= 30_000);
            let program = config.program();
            assert_eq!(Report::of(&program, &Target::tofino()).stages, 12);
            Pipeline::load(program, Target::tofino()).unwrap();
        }
    }
    // A mantissa, an exponent, flags, and what says whether it has begun and is loaded.
    let config = Libra::of_floats(Sums::FpisaA, 8);
    let bytes = |config: &Libra| {
        let windows = 8 * 256 * 4;
        Report::of(&config.program(), &Target::tofino()).register_bytes - windows
    };
    assert_eq!(bytes(&config), u64::from(config.rows()) * 8);
    // R-LOG-1, R-LOG-4: a sum, its lock and its flag; the tables, of which those of a logarithm are
    // there twice, by keys of 11 bits where they have 12 with a 1 before them. The exponent is a
    // number as it is.
    let config = Libra::of_floats(Sums::LogTable, 8);
    let logarithm = 2 * (2048 + 4096 + 2048 + 65536);
    let tables = 2 * (2 * (logarithm / 2) + 3 * 65536);
    assert_eq!(bytes(&config), u64::from(config.rows()) * 6 + tables);
}

/// R-PISA-40, R-PISA-79: both languages express it, and the control plane fills the tables.
#[test]
fn it_is_written_for_both_switches() {
    for sums in [Sums::FpisaA, Sums::LogTable] {
        let request = Request::new(Name::Libra(Record::Windows, sums), 13).checked().unwrap();
        for dialect in Dialect::ALL {
            let one_pipeline = dialect == Dialect::V1Model;
            let made = Request { one_pipeline, ..request }.make();
            let (program, control) = catalog::emit(&made, dialect, &request.file_stem()).unwrap();
            assert!(program.contains("take_pair12"), "{sums:?}");
            // The square root of 2, less 1, in units of 2^-16.
            let entry = if one_pipeline { "final_exp 32768 27146" } else { ", 27146, " };
            assert_eq!(control.contains(entry), sums == Sums::LogTable, "{dialect:?}");
        }
    }
}
