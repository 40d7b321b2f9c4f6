//! Workers that follow R-PISA-56, over a network that loses, repeats and reorders, beside the
//! software switch.

use std::collections::VecDeque;

use netfold_pisa::program::Pattern;
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::roce::Roce;
use netfold_pisa::{Sent, Target};
use proptest::prelude::*;

use super::plan::{End, Plan};
use super::{MESSAGES, SLOTS, message, small, small_with};
use crate::dice::Dice;
use crate::fabric::frame::Write;
use crate::fabric::{Answers, Fabric, Nic};
use crate::faults::without_shadow;
use crate::loopback::{Loopback, Pass};

const FPISA_A: Arithmetic = Arithmetic::Fpisa(Variant::Approximate);
const FPISA: Arithmetic = Arithmetic::Fpisa(Variant::Full);

/// The events that a comparison has come across.
#[derive(Debug, Default)]
struct Seen {
    messages: usize,
    empty: usize,
    /// Packets that UC has not taken, and repeats that were answered.
    refused: usize,
    repeated: usize,
    lost: usize,
    most_passes: u32,
    /// Packets that were inside the switch at a time, beside the one that has come.
    most_inside: usize,
}

/// Workers and their links to the switch.
struct Workers {
    plan: Plan,
    ends: Vec<Vec<End>>,
    links: Vec<VecDeque<Write>>,
}

impl Workers {
    fn new(config: &Roce, workers: u16, dice: &mut Dice, seed: u64) -> Self {
        Self {
            plan: Plan::new(seed, workers, config),
            ends: End::all(workers, dice),
            links: vec![VecDeque::new(); workers.into()],
        }
    }

    /// The next packet that reaches the switch, if one does now.
    fn next(&mut self, dice: &mut Dice) -> Option<(u16, Write)> {
        let worker = dice.below(self.links.len());
        let pair = dice.below(MESSAGES.len());
        let end = &mut self.ends[worker][pair];
        let link = &mut self.links[worker];
        if end.waiting == 0 {
            let writes = self.plan.writes(pair, end.round, worker as u16, end.psn);
            end.psn = (end.psn + writes.len() as u32) & 0xFF_FFFF;
            // A time-out is up to when a few hundred packets have gone by.
            end.waiting = 20 + dice.below(300);
            link.extend(writes);
        }
        self.ends.iter_mut().flatten().for_each(|end| end.waiting = end.waiting.saturating_sub(1));
        let write = link.front().cloned()?;
        match dice.below(100) {
            0 => drop(link.pop_front()),
            1 => {}
            2 => {
                let at = dice.below(link.len());
                link.swap(0, at);
                return None;
            }
            3 => link.rotate_left(1),
            _ => drop(link.pop_front()),
        }
        Some((worker as u16, write))
    }

    /// The end that a result is for.
    fn end(&mut self, to: u16, write: &Write) -> (usize, &mut End) {
        let pair = (write.dest_qp & 0xFF) as usize;
        (pair, &mut self.ends[usize::from(to)][pair])
    }

    /// Results on their way to their workers.
    fn deliver(&mut self, answers: Answers, dice: &mut Dice, seen: &mut Seen) {
        seen.repeated += usize::from(answers.len() == 1);
        for (to, write) in answers {
            if dice.below(100) < 2 {
                seen.lost += 1;
                continue;
            }
            let (pair, end) = self.end(to, &write);
            let Some((_, lanes, immediate)) = end.nic.take(&write) else { continue };
            if immediate >> 16 != u32::from(end.round) {
                continue;
            }
            // R-PISA-55: a message that a NIC takes for whole is the whole result, in its order.
            let round = end.round;
            end.round = end.round.wrapping_add(1);
            end.waiting = 0;
            self.plan.check(pair, round, &lanes);
            seen.messages += 1;
            seen.empty += usize::from(lanes.is_empty());
        }
    }
}

/// Drives both forms with the same packets, and holds each answer of the one to that of the other.
fn compare(config: &Roce, target: Target, workers: u16, seed: u64, packets: usize) -> Seen {
    let mut fabric = Fabric::new(config, target, workers, SLOTS);
    let mut dice = Dice(seed);
    let mut all = Workers::new(config, workers, &mut dice, seed);
    let mut seen = Seen::default();
    let mut done = 0;
    while done < packets {
        let Some((worker, write)) = all.next(&mut dice) else { continue };
        let mut model = fabric.reception.clone();
        seen.refused += usize::from(model.accept(worker, &write).is_none());
        done += 1;
        let (sent, outcome) = fabric.compare(worker, &write);
        seen.most_passes = seen.most_passes.max(outcome.passes);
        all.deliver(sent, &mut dice, &mut seen);
    }
    seen
}

/// A packet on its way through the pipeline.
struct UnderWay {
    wanted: Answers,
    got: Answers,
    /// Copies of it that are still inside.
    inside: usize,
}

/// Does the same, but has other packets go through the pipeline between the passes of one. Loopback
/// ports are first in, first out. The shard answers at once what the pipeline answers when it has
/// gone around.
fn compare_between_passes(config: &Roce, mut fabric: Fabric, seed: u64, packets: usize) -> Seen {
    let mut dice = Dice(seed);
    let mut all = Workers::new(config, fabric.workers, &mut dice, seed);
    let mut seen = Seen::default();
    let mut under_way: Vec<UnderWay> = Vec::new();
    let mut loops = Loopback::default();
    for left in (0..packets).rev() {
        let again = loops.draw(&mut dice, left == 0);
        let Pass { port, number, bytes } = if let Some(pass) = again {
            pass
        } else {
            let Some((worker, write)) = all.next(&mut dice) else { continue };
            let (wanted, _) = fabric.by_shard(worker, &write);
            under_way.push(UnderWay { wanted, got: Vec::new(), inside: 1 });
            let bytes = Fabric::framed(worker, &write);
            Pass { port: 1 + worker, number: under_way.len() - 1, bytes }
        };
        let outcome =
            fabric.pipeline.pass(port, &bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(outcome.reports, [], "seed {seed}");
        let one = &mut under_way[number];
        one.inside -= 1;
        for sent in outcome.sent {
            if config.loopbacks.contains(&sent.port) {
                one.inside += 1;
                loops.push(Pass { port: sent.port, number, bytes: sent.bytes });
            } else {
                one.got.push((sent.port - 1, crate::fabric::read::parse(&sent.bytes)));
            }
        }
        seen.most_inside = seen.most_inside.max(loops.len());
        if one.inside > 0 {
            continue;
        }
        let (mut got, wanted) = (std::mem::take(&mut one.got), std::mem::take(&mut one.wanted));
        got.sort_by_key(|(to, _)| *to);
        assert_eq!(got.len(), wanted.len(), "seed {seed}");
        for ((to, got), (wanted_to, wanted)) in got.iter().zip(&wanted) {
            // R-PISA-14: the lanes of a result that its worker has already may be those of a later
            // round.
            let (_, end) = all.end(*to, got);
            let has_it = got.psn >> 8 & 0xFFFF != u32::from(end.round);
            let lanes = if has_it { got.lanes.clone() } else { wanted.lanes.clone() };
            let wanted = Write { lanes, ..wanted.clone() };
            assert_eq!((to, got), (wanted_to, &wanted), "seed {seed}");
        }
        all.deliver(got, &mut dice, &mut seen);
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// R-PISA-50 to 59: 64 lanes in one pipeline.
    #[test]
    fn the_same_answers_as_the_software(seed in any::<u64>()) {
        compare(&small(64), Target::tofino(), 3, seed, 900);
    }

    /// R-PISA-19, R-PISA-50: lanes that are no path MTU, in messages of one packet.
    #[test]
    fn packets_of_other_lengths(seed in any::<u64>(), half in 17..=32u16, quarter in 17..=32u16) {
        compare(&small(2 * half), Target::tofino(), 3, seed, 200);
        compare(&small(4 * quarter), Target::tofino(), 2, seed, 100);
    }

    /// R-PISA-61: floats, a few of them on a switch with extensions, and a path MTU on bmv2.
    #[test]
    fn floats(seed in any::<u64>(), few in 1..=4u16, more in 5..=40u16) {
        compare(&small_with(FPISA, few), Target::fpisa_ext(), 3, seed, 300);
        compare(&small_with(FPISA, more), Target::bmv2(), 3, seed, 60);
        compare(&small_with(FPISA_A, few), Target::bmv2(), 3, seed, 300);
    }
}

/// The traffic meets every sort of answer, and goes on.
#[test]
fn sixty_four_lanes() {
    for (config, target, packets, passes) in [
        (small(64), Target::tofino(), 3000, 2),
        (small_with(FPISA, 64), Target::bmv2(), 1500, 3),
        (small_with(FPISA_A, 3), Target::bmv2(), 3000, 3),
    ] {
        let seen = compare(&config, target, 3, 1, packets);
        let each = [seen.messages, seen.empty, seen.repeated, seen.lost];
        assert!(each.iter().all(|count| *count > 10), "{seen:?}");
        assert!(config.packets == 1 || seen.refused > 10, "{seen:?}");
        assert_eq!(seen.most_passes, passes);
    }
}

/// R-PISA-15: 256 lanes over four pipelines.
#[test]
fn two_hundred_and_fifty_six_lanes() {
    let seen = compare(&small(256), Target::tofino(), 2, 2, 500);
    assert!(seen.messages > 30, "{seen:?}");
    assert_eq!(seen.most_passes, 11);
}

/// R-PISA-14, R-PISA-56: packets that come between the passes of another change no answer.
#[test]
fn packets_come_between_the_passes_of_another() {
    for seed in 0..3 {
        for (config, target, packets) in [
            (small(64), Target::tofino(), 1500),
            (small(128), Target::tofino(), 1000),
            (small_with(FPISA, 4), Target::fpisa_ext(), 2000),
            (small_with(FPISA_A, 3), Target::bmv2(), 2000),
        ] {
            let fabric = Fabric::new(&config, target, 3, SLOTS);
            let seen = compare_between_passes(&config, fabric, seed, packets);
            assert!(seen.messages > 10 && seen.most_inside >= 3, "seed {seed}: {seen:?}");
        }
    }
}

/// The comparison finds a slot whose two copies are one: a round overwrites the one before while
/// its result goes around.
#[test]
#[should_panic(expected = "seed 1")]
fn a_slot_without_a_shadow_copy_is_found() {
    let config = small_with(FPISA, 4);
    let mut fabric = Fabric::new(&config, Target::fpisa_ext(), 3, SLOTS);
    without_shadow(&mut fabric.pipeline, Pattern::Masked(1, 1), SLOTS.into());
    compare_between_passes(&config, fabric, 1, 2000);
}

/// R-PISA-15, R-PISA-53: what the switch loses between its pipelines is a gap in those behind, and
/// the message sent again makes it good.
#[test]
fn a_loss_between_pipelines_is_made_good() {
    let config = small(256);
    for seed in 0..20 {
        let mut fabric = Fabric::new(&config, Target::tofino(), 2, SLOTS);
        let mut dice = Dice(seed);
        let lanes: Vec<_> = (1..=4).map(|number| vec![number; 256]).collect();
        let mut got: [Option<Vec<u32>>; 2] = [None, None];
        let mut nics = [Nic::default(), Nic::default()];
        for attempt in 0.. {
            assert!(attempt < 200, "seed {seed}: the round does not end");
            let Some(worker) =
                (0..2).cycle().skip(attempt % 2).take(2).find(|worker| got[*worker].is_none())
            else {
                break;
            };
            for write in message(0, 1, 4 * attempt as u32, 0, 4096, 0, lanes.clone()) {
                let mut pending =
                    vec![Sent { port: 1, bytes: Fabric::framed(worker as u16, &write) }];
                while let Some(packet) = pending.pop() {
                    for sent in fabric.pipeline.pass(packet.port, &packet.bytes).unwrap().sent {
                        if config.loopbacks.contains(&sent.port) {
                            pending.extend((dice.below(100) >= 4).then_some(sent));
                            continue;
                        }
                        let to = usize::from(sent.port - 1);
                        let write = crate::fabric::read::parse(&sent.bytes);
                        got[to] =
                            got[to].take().or(nics[to].take(&write).map(|(_, lanes, _)| lanes));
                    }
                }
            }
        }
        for lanes in got.into_iter().flatten() {
            assert_eq!(
                lanes,
                (1..=4).flat_map(|number| [2 * number; 256]).collect::<Vec<u32>>(),
                "seed {seed}"
            );
        }
    }
}
