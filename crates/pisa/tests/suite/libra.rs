//! Tables in a pipeline beside those of the software (R-PISA-70 to 73).

mod bench;
mod floats;
mod records;
mod workers;

use std::collections::VecDeque;

use netfold_num::ElementType;
use netfold_pisa::catalog::{self, Dialect, Name, Record, Request};
use netfold_pisa::programs::libra::{Guard, Libra, Sums};
use netfold_pisa::report::Report;
use netfold_pisa::{Pipeline, Sent, Target};
use netfold_wire::{Ecn, Epoch, JobId, TableKind, TableRepr, WINDOW};

use self::bench::{Bench, Pairs, datagram, frame, port, request};
use crate::dice::Dice;

const WORKERS: u16 = 3;

/// A table small enough that pairs meet in a register, and packets in a row.
fn small(registers: u16) -> Libra {
    Libra { registers, words: 8, ..Libra::new(WORKERS) }
}

/// Pairs that are often of one register, and sometimes of one row.
fn any_pairs(dice: &mut Dice, config: &Libra) -> Pairs {
    let most = [1, 3, usize::from(config.pairs)][dice.below(3)];
    let spread = [2, usize::from(config.registers), config.rows() as usize][dice.below(3)];
    let count = dice.below(most + 1);
    (0..count).map(|_| (dice.below(spread) as u32, dice.roll() as i32)).collect()
}

/// A worker's pushes, and which of them are acknowledged.
#[derive(Default)]
struct Worker {
    pushes: Vec<Vec<u8>>,
    acknowledged: Vec<bool>,
}

impl Worker {
    /// A push that R-KEY-3 allows: the next, or one that was sent before.
    fn push(&mut self, dice: &mut Dice, config: &Libra, worker: u16, first: u32) -> Vec<u8> {
        let next = self.pushes.len();
        let may = next.checked_sub(WINDOW as usize).is_none_or(|before| self.acknowledged[before]);
        if next > 0 && (!may || dice.below(3) == 0) {
            let at = match dice.below(3) {
                _ if !may => next - WINDOW as usize,
                0 => next - 1 - dice.below(next.min(8)),
                _ => dice.below(next),
            };
            let mut again = self.pushes[at].clone();
            again[2] = 2;
            return again;
        }
        let repr = request(config, TableKind::Push, worker, first.wrapping_add(next as u32));
        self.pushes.push(datagram(repr, &any_pairs(dice, config)));
        self.acknowledged.push(false);
        self.pushes[next].clone()
    }
}

/// A request of any kind but those that a pipeline does not answer.
fn any_request(dice: &mut Dice, config: &Libra, workers: &mut [Worker]) -> (u16, Vec<u8>) {
    let worker = dice.below(WORKERS.into()) as u16;
    let server = (WORKERS, any_pairs(dice, config));
    match dice.below(10) {
        0..6 => (worker, workers[usize::from(worker)].push(dice, config, worker, 0)),
        6 => (server.0, datagram(request(config, TableKind::Load, 0, 7), &server.1)),
        _ => (worker, datagram(request(config, TableKind::Pull, worker, 9), &server.1)),
    }
}

/// R-PISA-70 to 73: every answer is the software's, and so is every row, however often packets are
/// repeated and however late they are.
#[test]
fn answers_are_those_of_the_software() {
    for (seed, registers) in [(1, 16), (2, 16), (3, 8), (4, 2)] {
        let mut bench = Bench::new(small(registers));
        let config = bench.config.clone();
        let mut dice = Dice(seed);
        let mut workers: Vec<Worker> = (0..WORKERS).map(|_| Worker::default()).collect();
        let mut late: Vec<(u16, Vec<u8>)> = Vec::new();
        for _ in 0..12_000 {
            let drawn = any_request(&mut dice, &config, &mut workers);
            // A copy is held back, for as long as it takes.
            if dice.below(4) == 0 {
                late.push(drawn.clone());
            }
            let (from, bytes) = match dice.below(5) {
                0 if !late.is_empty() => late.swap_remove(dice.below(late.len())),
                _ => drawn,
            };
            let marked = Ecn::from(dice.below(8) == 0);
            let answer = bench.ask(from, &bytes, marked);
            let lost = dice.below(4) == 0;
            if let Some((answer, _)) = answer.filter(|_| !lost).map(|bytes| bench::apart(&bytes))
                && answer.kind == TableKind::Push
            {
                workers[usize::from(from)].acknowledged[answer.sequence as usize] = true;
            }
        }
        let most = workers.iter().map(|worker| worker.pushes.len()).max().unwrap();
        assert!(most > 2 * WINDOW as usize, "windows are used again: {most}");
        bench.assert_values();
    }
}

/// R-PISA-74: numbers in any order are judged as in the software, unless half of their range is
/// between them; only a worker that has broken R-KEY-3 sends such.
#[test]
fn any_number_is_judged_as_in_the_software() {
    let mut bench = Bench::new(small(16));
    let (config, mut dice) = (bench.config.clone(), Dice(11));
    for _ in 0..5000 {
        let number = match dice.below(3) {
            0 => dice.roll() as u32,
            1 => (dice.below(4) as u32).wrapping_sub(2).wrapping_mul(WINDOW),
            _ => dice.below(8) as u32 * 0x2000_0100 + dice.below(2) as u32,
        };
        let repr = request(&config, TableKind::Push, dice.below(3) as u16, number);
        let push = datagram(repr, &vec![(dice.below(20) as u32, 1)]);
        bench.ask(0, &push, Ecn::Clear);
    }
    bench.assert_values();
}

/// R-HOT-8: a packet of which at most j keys share a register takes j passes; a push that is
/// repeated takes one, whatever it has.
#[test]
fn a_packet_takes_as_many_passes_as_keys_share_a_register() {
    let mut bench = Bench::new(small(16));
    let (config, mut dice) = (bench.config.clone(), Dice(5));
    for number in 0..200 {
        let pairs = any_pairs(&mut dice, &config);
        let mut shared = [0; 16];
        pairs.iter().for_each(|(rank, _)| shared[*rank as usize % 16] += 1);
        let j = *shared.iter().max().unwrap();
        let push = datagram(request(&config, TableKind::Push, 0, number), &pairs);
        for passes in [j.max(1), 1] {
            let outcome = bench.pipeline.process(port(0), &frame(0, &push, Ecn::Clear)).unwrap();
            assert_eq!(outcome.passes, passes, "{pairs:?}");
        }
    }
}

/// R-PISA-72: packets that arrive between the passes of another change nothing about the sums.
#[test]
fn passes_of_several_packets_may_mingle() {
    for seed in 0..4 {
        let mut bench = Bench::new(small(16));
        let (config, mut dice) = (bench.config.clone(), Dice(seed));
        let mut workers: Vec<Worker> = (0..WORKERS).map(|_| Worker::default()).collect();
        let mut around: VecDeque<Sent> = VecDeque::new();
        for step in 0..2000 {
            let next = if dice.below(2) == 0 && step < 1900 {
                let (from, bytes) = any_request(&mut dice, &config, &mut workers);
                bench.software(&bytes, Ecn::Clear);
                let acknowledged = &mut workers[usize::from(from) % 3].acknowledged;
                acknowledged.iter_mut().for_each(|one| *one = true);
                Sent { port: port(from), bytes: frame(from, &bytes, Ecn::Clear) }
            } else if let Some(sent) = around.pop_front() {
                sent
            } else {
                continue;
            };
            let outcome = bench.pipeline.pass(next.port, &next.bytes).unwrap();
            around.extend(outcome.sent.into_iter().filter(|sent| sent.port == 68));
        }
        assert!(around.is_empty());
        bench.assert_values();
    }
}

/// R-KEY-2, R-PISA-70: packets of another form are dropped, as the software does, and so are reads,
/// windows and answers to pulls that came astray, which it does not.
#[test]
fn other_packets_are_dropped() {
    let mut bench = Bench::new(small(16));
    let config = bench.config.clone();
    let pairs = vec![(1, 5), (2, 6)];
    let push = request(&config, TableKind::Push, 0, 0);
    let load = request(&config, TableKind::Load, 0, 0);
    let refused: [TableRepr; 6] = [
        TableRepr { worker: netfold_wire::WorkerId(WORKERS), ..push },
        TableRepr { epoch: Epoch(7), ..push },
        TableRepr { job: JobId(6), ..push },
        TableRepr { element_type: ElementType::F32, ..push },
        TableRepr { element_type: ElementType::F32, ..load },
        TableRepr { answer: true, ..request(&config, TableKind::Pull, 0, 0) },
    ];
    for repr in refused {
        assert_eq!(bench.ask(0, &datagram(repr, &pairs), Ecn::Clear), None, "{repr:?}");
    }
    let beyond = vec![(0, 5), (config.rows(), 1)];
    for kind in [TableKind::Push, TableKind::Load, TableKind::Pull] {
        let request = datagram(request(&config, kind, 0, 0), &beyond);
        assert_eq!(bench.ask(0, &request, Ecn::Clear), None);
    }
    let whole = datagram(push, &pairs);
    for short in [0, 39, 40, 41, 55] {
        assert_eq!(bench.ask(0, &whole[..short], Ecn::Clear), None, "{short} bytes");
    }
    for kind in [TableKind::Windows, TableKind::Read] {
        let bytes = datagram(request(&config, kind, 0, 0), &vec![]);
        let outcome = bench.pipeline.process(port(0), &frame(0, &bytes, Ecn::Clear)).unwrap();
        assert_eq!(outcome.sent, []);
    }
    bench.assert_values();
    assert_eq!(bench.value(1), 0);
}

/// R-PISA-71: a sender that the control plane does not know changes nothing, and gets no answer.
#[test]
fn a_stranger_is_not_answered() {
    let mut bench = Bench::new(small(16));
    let push = datagram(request(&bench.config, TableKind::Push, 0, 0), &vec![(3, 1)]);
    let outcome = bench.pipeline.process(9, &frame(9, &push, Ecn::Clear)).unwrap();
    assert_eq!((outcome.sent, bench.value(3)), (vec![], 0));
}

/// R-PISA-72: the whole program of the paper's size fits a Tofino-like switch: 30,000 parameters
/// need fewer words than the registers have.
#[test]
fn the_program_fits_twelve_stages() {
    let config = Libra::new(8);
    assert!(config.rows() >= 30_000);
    let report = Report::of(&config.program(), &Target::tofino());
    assert_eq!(report.stages, 12);
    let sums = u64::from(config.rows()) * 4;
    assert_eq!(report.register_bytes, sums + u64::from(config.rows()) + 8 * 256 * 4);
    for guard in [Guard::Windows, Guard::Cpu { port: 64 }, Guard::Bloom { words: 65536 }] {
        let program = Libra { guard, ..config.clone() }.program();
        Pipeline::load(program, Target::tofino()).unwrap();
    }
}

/// R-PISA-40: both languages express it, with each record.
#[test]
fn it_is_written_for_both_switches() {
    for record in [Record::Windows, Record::Cpu, Record::Bloom] {
        let request = Request::new(Name::Libra(record, Sums::Integers), 13).checked().unwrap();
        for dialect in Dialect::ALL {
            let one_pipeline = dialect == Dialect::V1Model;
            let made = Request { one_pipeline, ..request }.make();
            let (program, control) = catalog::emit(&made, dialect, &request.file_stem()).unwrap();
            assert!(program.contains("take15") && !control.is_empty());
            // R-PISA-1: a header that comes to be there loses what was written to it before.
            let read = program.split("fold15_read()").nth(1).unwrap();
            let place = |what: &str| read.find(what).unwrap();
            assert!(place("found_row15.setValid()") < place("hdr.found_row15.value ="));
        }
    }
}
