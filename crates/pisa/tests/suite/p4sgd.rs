//! P4SGD's program beside a direct reading of algorithm 2 (R-PISA-20).

use std::collections::VecDeque;

use crate::dice::Dice;
use netfold_pisa::programs::p4sgd::{ETHER_TYPE, P4Sgd};
use netfold_pisa::report::{REGISTER_BLOCKS, Report};
use netfold_pisa::{Pipeline, Target};
use proptest::prelude::*;

/// Algorithm 2, line by line.
#[derive(Clone, Default)]
struct Slot {
    agg: Vec<u32>,
    agg_count: u32,
    agg_bm: u32,
    ack_count: u32,
    ack_bm: u32,
}

impl Slot {
    /// Returns the values that go to all workers, if any do.
    fn receive(&mut self, workers: u32, is_agg: bool, bm: u32, values: &[u32]) -> Option<Vec<u32>> {
        if is_agg {
            if self.agg_bm & bm == 0 {
                self.agg_count += 1;
                self.agg_bm |= bm;
                self.agg
                    .iter_mut()
                    .zip(values)
                    .for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
                if self.agg_count == workers {
                    (self.ack_count, self.ack_bm) = (0, 0);
                }
            }
            (self.agg_count == workers).then(|| self.agg.clone())
        } else {
            if self.ack_bm & bm == 0 {
                self.ack_count += 1;
                self.ack_bm |= bm;
                if self.ack_count == workers {
                    (self.agg_count, self.agg_bm) = (0, 0);
                    self.agg.fill(0);
                }
            }
            (self.ack_count == workers).then(|| values.to_vec())
        }
    }
}

fn packet(is_agg: bool, seq: u16, bm: u32, acked: bool, values: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 12];
    bytes.extend_from_slice(&ETHER_TYPE.to_be_bytes());
    bytes.extend_from_slice(&[u8::from(is_agg), u8::from(acked)]);
    bytes.extend_from_slice(&seq.to_be_bytes());
    bytes.extend_from_slice(&bm.to_be_bytes());
    values.iter().for_each(|value| bytes.extend_from_slice(&value.to_be_bytes()));
    bytes
}

fn load(config: &P4Sgd) -> Pipeline {
    let mut pipeline = Pipeline::load(config.program(), Target::tofino())
        .unwrap_or_else(|refusal| panic!("{refusal}"));
    let ports: Vec<u16> = (1..=config.workers).collect();
    config.controls(&ports).iter().for_each(|control| control.apply(&mut pipeline).unwrap());
    pipeline
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// R-PISA-20: any packets, in any order and as often as the network likes.
    #[test]
    fn as_algorithm_2_says(seed in any::<u64>(), workers in 1..=5u16, elements in 1..=4u16) {
        let config = P4Sgd { elements, slots: 8, ..P4Sgd::new(workers) };
        let mut pipeline = load(&config);
        let mut slots = vec![Slot { agg: vec![0; elements.into()], ..Slot::default() }; 8];
        let mut dice = Dice(seed);
        let mut answers = 0;
        for _ in 0..800 {
            // Few slots and one kind for a while, so that rounds complete.
            let (slot, is_agg) = (dice.below(2), dice.below(100) < if slots[0].agg_count < u32::from(workers) { 80 } else { 20 });
            let bm = 1 << dice.below(workers.into());
            let values: Vec<u32> = (0..elements).map(|_| dice.roll() as u32).collect();
            let wanted = slots[slot].receive(workers.into(), is_agg, bm, &values);
            let outcome = pipeline.process(1, &packet(is_agg, slot as u16, bm, false, &values)).unwrap();
            prop_assert_eq!(outcome.passes, if wanted.is_some() { 2 } else { 1 });
            let ports: Vec<u16> = outcome.sent.iter().map(|sent| sent.port).collect();
            let all: Vec<u16> = if wanted.is_some() { (1..=workers).collect() } else { Vec::new() };
            prop_assert_eq!(ports, all);
            if let Some(values) = wanted {
                answers += 1;
                let answer = packet(is_agg, slot as u16, bm, !is_agg, &values);
                prop_assert!(outcome.sent.iter().all(|sent| sent.bytes == answer), "{:?}", outcome.sent);
            }
        }
        prop_assert!(answers > 10, "{} answers", answers);
    }
}

/// A packet that goes around: the answer that algorithm 2 gives to it, and its bytes.
type Around = (Vec<u8>, Vec<u8>);

/// Workers of algorithm 1, each with links to and from the switch that lose packets and keep their
/// order, and packets of other workers between the two passes of one.
struct Rack {
    config: P4Sgd,
    pipeline: Pipeline,
    slots: Vec<Slot>,
    /// By worker and slot, the number of the packet that is to be answered: sums are even.
    waits: Vec<Vec<u32>>,
    around: VecDeque<Around>,
    dice: Dice,
    answers: usize,
    most_around: usize,
}

impl Rack {
    fn new(pipeline: Pipeline, config: &P4Sgd, seed: u64) -> Self {
        let slot = || Slot { agg: vec![0; config.elements.into()], ..Slot::default() };
        Self {
            pipeline,
            slots: vec![slot(), slot()],
            waits: vec![vec![0; 2]; config.workers.into()],
            around: VecDeque::new(),
            dice: Dice(seed),
            answers: 0,
            most_around: 0,
            config: config.clone(),
        }
    }

    /// A worker sends what it waits for, again if it has done so before.
    fn send(&mut self, worker: usize, slot: usize) {
        let number = self.waits[worker][slot];
        let mut values = Dice(u64::from(number) << 16 | (worker as u64) << 8 | slot as u64);
        let values: Vec<u32> = (0..self.config.elements).map(|_| values.roll() as u32).collect();
        let (is_agg, bm) = (number.is_multiple_of(2), 1 << worker);
        let workers = self.config.workers.into();
        let wanted = self.slots[slot].receive(workers, is_agg, bm, &values);
        let wanted = wanted.map(|values| packet(is_agg, slot as u16, bm, !is_agg, &values));
        let sent = packet(is_agg, slot as u16, bm, false, &values);
        self.pass(1, &sent, wanted);
    }

    /// One pass of a packet. What leaves the switch is what algorithm 2 answers.
    fn pass(&mut self, port: u16, bytes: &[u8], wanted: Option<Vec<u8>>) {
        let outcome = self.pipeline.pass(port, bytes).unwrap_or_else(|why| panic!("{why}"));
        let [first, ..] = &outcome.sent[..] else {
            return assert_eq!(wanted, None, "the answer to {bytes:02x?}");
        };
        let wanted = wanted.unwrap_or_else(|| panic!("no answer to {bytes:02x?}"));
        if first.port == self.config.loopback {
            self.around.push_back((wanted, first.bytes.clone()));
            self.most_around = self.most_around.max(self.around.len());
            return;
        }
        self.answers += 1;
        let ports: Vec<u16> = outcome.sent.iter().map(|sent| sent.port).collect();
        assert_eq!(ports, (1..=self.config.workers).collect::<Vec<_>>());
        for (worker, sent) in outcome.sent.iter().enumerate() {
            assert_eq!(sent.bytes, wanted, "the answer to worker {worker}");
            let (is_agg, slot) = (wanted[14] == 1, usize::from(wanted[17]));
            let waits = &mut self.waits[worker][slot];
            if waits.is_multiple_of(2) == is_agg && self.dice.below(100) < 85 {
                *waits += 1;
            }
        }
    }

    fn run(&mut self, packets: usize) {
        for _ in 0..packets {
            match self.dice.below(100) {
                0..35 => {
                    if let Some((wanted, bytes)) = self.around.pop_front() {
                        self.pass(self.config.loopback, &bytes, Some(wanted));
                    }
                }
                // Lost on its way.
                35..45 => {}
                _ => {
                    let worker = self.dice.below(self.config.workers.into());
                    let slot = self.dice.below(2);
                    self.send(worker, slot);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// R-PISA-21: packets that come between the two passes of another change no answer.
    #[test]
    fn packets_come_between_the_passes_of_another(
        seed in any::<u64>(), workers in 1..=5u16, elements in 1..=5u16,
    ) {
        let config = P4Sgd { elements, slots: 8, ..P4Sgd::new(workers) };
        let mut rack = Rack::new(load(&config), &config, seed);
        rack.run(2000);
        prop_assert!(rack.answers > 20 && rack.most_around >= 3, "{} answers", rack.answers);
    }
}

/// The comparison finds an answer that does not go around behind the packet that clears.
#[test]
#[should_panic(expected = "answer")]
fn an_answer_ahead_of_the_packet_that_clears_is_found() {
    let config = P4Sgd { slots: 8, ..P4Sgd::new(3) };
    let mut program = config.program();
    let outcome = program.ingress.iter_mut().find(|table| table.name == "outcome").unwrap();
    let named = |name| outcome.actions.iter().position(|action| action.name == name).unwrap();
    let (around, at_once) = (named("aggregated_before"), named("spread"));
    outcome
        .entries
        .iter_mut()
        .filter(|entry| entry.action == around)
        .for_each(|entry| entry.action = at_once);
    let mut pipeline = Pipeline::load(program, Target::tofino()).unwrap();
    config.controls(&[1, 2, 3]).iter().for_each(|control| control.apply(&mut pipeline).unwrap());
    Rack::new(pipeline, &config, 1).run(20_000);
}

/// Packets of another protocol, and those of no slot, are dropped.
#[test]
fn what_is_no_packet_is_dropped() {
    let config = P4Sgd { slots: 8, ..P4Sgd::new(1) };
    let mut pipeline = load(&config);
    let good = packet(true, 7, 1, false, &[5]);
    assert_eq!(pipeline.process(1, &good).unwrap().sent.len(), 1);
    let mut other = good.clone();
    other[13] = 0;
    for bad in [&packet(true, 8, 1, false, &[5]), &other, &good[..good.len() - 1].to_vec()] {
        assert_eq!(pipeline.process(1, bad).unwrap().sent, []);
    }
}

/// R-PISA-22: the paper's figures (section IV-B): five arrays over four stages, 70.83 % of a
/// stage's SRAM.
#[test]
fn four_stages_as_published() {
    let program = P4Sgd::new(8).program();
    let report = Report::of(&program, &Target::tofino());
    assert_eq!((report.stages, program.arrays.len()), (4, 5));
    let blocks = report.lines.iter().find(|line| line.what == REGISTER_BLOCKS).unwrap();
    let (_, most) = blocks.share.unwrap();
    assert_eq!(format!("{:.2}", 100.0 * most), "70.83");
}
