//! SwitchML over RoCE beside the software switch: packet by packet the same answers, byte by byte
//! with the ICRC (R-PISA-50 to 60).

mod dice;
mod fabric;

use std::collections::VecDeque;

use dice::Dice;
use fabric::frame::{FIRST, LAST, MIDDLE, ONLY, Reth, Write};
use fabric::{FIRST_QP, Fabric, Nic};
use netfold_num::Exponent;
use netfold_pisa::programs::roce::Roce;
use netfold_pisa::{Sent, Target, Usage};
use proptest::prelude::*;

/// The slots of each queue pair: where they begin, and how many packets a message has.
const MESSAGES: [(u16, u16); 4] = [(0, 4), (4, 1), (5, 3), (8, 16)];
const SLOTS: u16 = 24;

fn small(elements: u16) -> Roce {
    Roce { slots: 32, workers: 4, messages: 64, ..Roce::new(elements) }
}

/// The messages that all workers send.
struct Plan {
    seed: u64,
    elements: u16,
    workers: u16,
}

impl Plan {
    /// Returns the lanes of a worker, without any in an Exponents round, the value on which all
    /// agree, and its own exponent.
    fn message(&self, pair: usize, round: u16, worker: u16) -> (Vec<Vec<u32>>, u32, u32) {
        let (slot, packets) = MESSAGES[pair];
        let mut dice = Dice(self.seed ^ (pair as u64) << 32 ^ u64::from(round) << 40);
        let empty = packets == 1 && dice.below(3) == 0;
        let offset = dice.roll() as u32 >> 12;
        let exponent = Exponent::of_magnitude_bits(dice.roll() as u32);
        let mut dice = Dice(dice.roll() ^ u64::from(worker));
        let next = Exponent::of_magnitude_bits(dice.roll() as u32);
        let wire = |exponent: Exponent| u32::from(exponent.to_wire() as u16);
        let lanes =
            |_| (0..if empty { 0 } else { self.elements }).map(|_| dice.roll() as u32).collect();
        ((slot..slot + packets).map(lanes).collect(), offset, wire(exponent) << 16 | wire(next))
    }

    /// Its packets, from this PSN on.
    fn writes(&self, pair: usize, round: u16, worker: u16, psn: u32) -> Vec<Write> {
        let (lanes, offset, immediate) = self.message(pair, round, worker);
        let length = lanes.iter().map(|lanes| 4 * lanes.len() as u32).sum();
        message(pair, round, psn, offset, length, immediate, lanes)
    }

    /// The lanes of the result.
    fn sum(&self, pair: usize, round: u16) -> Vec<u32> {
        let all = (0..self.workers).map(|worker| self.message(pair, round, worker).0.concat());
        all.reduce(|sum, lanes| {
            sum.iter().zip(&lanes).map(|(one, other)| one.wrapping_add(*other)).collect()
        })
        .unwrap()
    }
}

fn message(
    pair: usize,
    round: u16,
    psn: u32,
    offset: u32,
    length: u32,
    immediate: u32,
    lanes: Vec<Vec<u32>>,
) -> Vec<Write> {
    let last = lanes.len() - 1;
    let packet = |(at, lanes): (usize, Vec<u32>)| Write {
        opcode: match at {
            0 if last == 0 => ONLY,
            0 => FIRST,
            at if at == last => LAST,
            _ => MIDDLE,
        },
        dest_qp: FIRST_QP + pair as u32,
        psn: (psn + at as u32) & 0xFF_FFFF,
        reth: (at == 0).then_some(Reth {
            address: 0x5555_0000_0000 | u64::from(offset),
            rkey: u32::from(round) << 16 | u32::from(MESSAGES[pair].0),
            length,
        }),
        immediate: (at == last).then_some(immediate),
        lanes,
    };
    lanes.into_iter().enumerate().map(packet).collect()
}

/// A worker's end of a queue pair.
#[derive(Clone, Debug)]
struct End {
    round: u16,
    psn: u32,
    waiting: usize,
    nic: Nic,
}

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
}

/// Workers that follow R-PISA-56, over a network that loses, repeats and reorders.
fn compare(config: &Roce, target: Target, workers: u16, seed: u64, packets: usize) -> Seen {
    let mut fabric = Fabric::new(config, target, workers, SLOTS);
    let plan = Plan { seed, elements: config.elements, workers };
    let mut dice = Dice(seed);
    // PSNs that go over the end of their range, and rounds that go over half of theirs.
    let mut ends: Vec<Vec<End>> = (0..workers)
        .map(|_| {
            let end = |_| End {
                round: 0x7FFA,
                psn: 0xFF_FFFF - dice.below(40) as u32,
                waiting: 0,
                nic: Nic::default(),
            };
            (0..MESSAGES.len()).map(end).collect()
        })
        .collect();
    let mut links: Vec<VecDeque<Write>> = vec![VecDeque::new(); workers.into()];
    let mut seen = Seen::default();
    let mut done = 0;
    while done < packets {
        let worker = dice.below(workers.into());
        let pair = dice.below(MESSAGES.len());
        let end = &mut ends[worker][pair];
        if end.waiting == 0 {
            let writes = plan.writes(pair, end.round, worker as u16, end.psn);
            end.psn = (end.psn + writes.len() as u32) & 0xFF_FFFF;
            // A time-out is up to when a few hundred packets have gone by.
            end.waiting = 20 + dice.below(300);
            links[worker].extend(writes);
        }
        ends.iter_mut().flatten().for_each(|end| end.waiting = end.waiting.saturating_sub(1));
        let Some(write) = links[worker].front().cloned() else { continue };
        match dice.below(100) {
            0 => drop(links[worker].pop_front()),
            1 => {}
            2 => {
                let at = dice.below(links[worker].len());
                links[worker].swap(0, at);
                continue;
            }
            3 => {
                links[worker].push_back(write.clone());
                drop(links[worker].pop_front());
            }
            _ => drop(links[worker].pop_front()),
        }
        let mut model = fabric.reception.clone();
        seen.refused += usize::from(model.accept(worker as u16, &write).is_none());
        done += 1;
        let (sent, outcome) = fabric.compare(worker as u16, &write);
        seen.most_passes = seen.most_passes.max(outcome.passes);
        seen.repeated += usize::from(sent.len() == 1);
        for (to, write) in sent {
            if dice.below(100) < 2 {
                seen.lost += 1;
                continue;
            }
            let pair = (write.dest_qp & 0xFF) as usize;
            let end = &mut ends[usize::from(to)][pair];
            let Some((_, lanes, immediate)) = end.nic.take(&write) else { continue };
            if immediate >> 16 != u32::from(end.round) {
                continue;
            }
            // R-PISA-55: a message that a NIC takes for whole is the whole result, in its order.
            assert_eq!(
                lanes,
                plan.sum(pair, end.round),
                "seed {seed}: round {} of queue pair {pair}",
                end.round
            );
            seen.messages += 1;
            seen.empty += usize::from(lanes.is_empty());
            end.round = end.round.wrapping_add(1);
            end.waiting = 0;
        }
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
}

/// The traffic meets every sort of answer, and goes on.
#[test]
fn sixty_four_lanes() {
    let seen = compare(&small(64), Target::tofino(), 3, 1, 3000);
    let each = [seen.messages, seen.empty, seen.refused, seen.repeated, seen.lost];
    assert!(each.iter().all(|count| *count > 10), "{seen:?}");
    assert_eq!(seen.most_passes, 2);
}

/// R-PISA-15: 256 lanes over four pipelines.
#[test]
fn two_hundred_and_fifty_six_lanes() {
    let seen = compare(&small(256), Target::tofino(), 2, 2, 500);
    assert!(seen.messages > 30, "{seen:?}");
    assert_eq!(seen.most_passes, 11);
}

/// The packets of a message that a job of two agrees on, with lanes of one number.
fn plain(pair: usize, round: u16, psn: u32) -> Vec<Write> {
    let lanes: Vec<_> = (1..=u32::from(MESSAGES[pair].1)).map(|number| vec![number; 64]).collect();
    let length = 256 * lanes.len() as u32;
    message(pair, round, psn, 0x40, length, 0x0003_0004, lanes)
}

fn two_workers() -> Fabric {
    Fabric::new(&small(64), Target::tofino(), 2, SLOTS)
}

/// Sends packets of a worker, and says for each how many answers went out.
fn answers(fabric: &mut Fabric, worker: u16, writes: &[Write]) -> Vec<usize> {
    writes.iter().map(|write| fabric.compare(worker, write).0.len()).collect()
}

/// R-PISA-57: the ICRC of a packet of another maker: a congestion notification that a ConnectX-4 Lx
/// sent, among the tests of Scapy's RoCE layer.
#[test]
fn the_icrc_is_that_of_packets_on_the_wire() {
    let mut packet = vec![0; 12];
    packet.extend_from_slice(&[
        0x08, 0x00, 0x45, 0xC2, 0, 60, 0x71, 0x8C, 0x40, 0, 64, 17, 0x91, 0x61,
    ]);
    packet.extend_from_slice(&[10, 0, 17, 1, 10, 0, 18, 1, 0, 0, 0x12, 0xB7, 0, 40, 0, 0]);
    packet.extend_from_slice(&[0x81, 0, 0xFF, 0xFF, 0x40, 0, 1, 0x18, 0, 0, 0, 0]);
    packet.extend_from_slice(&[0; 16 + 4]);
    assert_eq!(fabric::frame::icrc(&packet), [0x82, 0xFD, 0x00, 0x2A]);
}

/// R-PISA-53: a gap drops the rest of its message, and nothing else.
#[test]
fn a_gap_drops_the_rest_of_its_message_and_only_that() {
    let mut fabric = two_workers();
    let (first, other) = (plain(0, 1, 500), plain(2, 1, 9));
    assert_eq!(answers(&mut fabric, 0, &first), [0; 4]);
    assert_eq!(answers(&mut fabric, 0, &other), [0; 3]);
    // The second packet is lost: the third and fourth are dropped, also where the second comes
    // after all.
    assert_eq!(
        answers(
            &mut fabric,
            1,
            &[first[0].clone(), first[2].clone(), first[1].clone(), first[3].clone()]
        ),
        [2, 0, 0, 0]
    );
    // Another queue pair is as before, and the next message of this one, too.
    assert_eq!(answers(&mut fabric, 1, &other), [2; 3]);
    assert_eq!(answers(&mut fabric, 1, &plain(0, 1, 504)), [1, 2, 2, 2]);
}

/// R-PISA-53: a First that comes twice begins its message again, wherever it was.
#[test]
fn a_first_that_comes_again_begins_again() {
    let mut fabric = two_workers();
    let writes = plain(0, 1, 7);
    let again = [&writes[..2], &writes[..1], &writes[1..]].concat();
    assert_eq!(answers(&mut fabric, 0, &again), [0; 6]);
    assert_eq!(answers(&mut fabric, 1, &again), [2, 2, 1, 1, 2, 2]);
    // A Middle or a Last without a First is nothing, also on a queue pair that has heard nothing
    // yet, and behind a Last.
    let mut fresh = plain(3, 1, 0xFF_FFFF);
    assert_eq!(answers(&mut fabric, 0, &fresh[1..]), [0; 15]);
    fresh.truncate(2);
    fresh[1].psn = 11;
    assert_eq!(
        answers(
            &mut fabric,
            0,
            &[writes[3].clone(), Write { psn: 11, ..writes[1].clone() }, fresh[1].clone()]
        ),
        [0; 3]
    );
}

/// R-PISA-53: the length in the First says which packet is the last.
#[test]
fn a_message_is_as_long_as_its_first_says() {
    let mut fabric = two_workers();
    assert_eq!(answers(&mut fabric, 1, &plain(0, 1, 0)), [0; 4]);
    let writes = plain(0, 1, 30);
    // A Last in place of the second packet; and a Middle in place of the last.
    let early = Write { psn: 31, ..writes[3].clone() };
    assert_eq!(answers(&mut fabric, 0, &[writes[0].clone(), early, writes[2].clone()]), [2, 0, 0]);
    let late = Write { psn: 33, ..writes[1].clone() };
    let late = [&writes[..3], &[late, Write { psn: 34, ..writes[3].clone() }]].concat();
    assert_eq!(answers(&mut fabric, 0, &late), [1, 2, 2, 0, 0]);
}

/// R-PISA-53: behind PSN 2^24 - 1 comes 0.
#[test]
fn sequence_numbers_begin_again() {
    let mut fabric = two_workers();
    let writes = plain(0, 1, 0xFF_FFFE);
    assert_eq!(
        writes.iter().map(|write| write.psn).collect::<Vec<_>>(),
        [0xFF_FFFE, 0xFF_FFFF, 0, 1]
    );
    assert_eq!(answers(&mut fabric, 0, &writes), [0; 4]);
    assert_eq!(answers(&mut fabric, 1, &writes), [2; 4]);
}

/// R-PISA-51: numbers of rounds, too.
#[test]
fn rounds_begin_again() {
    let mut fabric = Fabric::new(&small(64), Target::tofino(), 1, SLOTS);
    for round in [1, 0x7FFE, 0x7FFF, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0, 1, 2] {
        assert_eq!(answers(&mut fabric, 0, &plain(1, round, 0)), [1], "{round}");
    }
    assert_eq!(answers(&mut fabric, 0, &plain(1, 0, 0)), [0], "an old one");
    assert_eq!(answers(&mut fabric, 0, &plain(1, 2, 0)), [1], "the latest");
}

/// R-PISA-55: PSNs of a result's packets follow one another, and say round and place.
#[test]
fn results_are_numbered_by_round_and_place() {
    let mut fabric = two_workers();
    for round in [1, 2] {
        answers(&mut fabric, 0, &plain(0, round, 3));
        let sent: Vec<_> = plain(0, round, 90)
            .iter()
            .flat_map(|write| fabric.compare(1, write).0)
            .filter(|(to, _)| *to == 0)
            .collect();
        let psns: Vec<_> = sent.iter().map(|(_, write)| write.psn).collect();
        let last = u32::from(round) * 256 + 255;
        assert_eq!(psns, [last - 3, last - 2, last - 1, last]);
        let mut nic = Nic::default();
        let whole: Vec<_> = sent.iter().filter_map(|(_, write)| nic.take(write)).collect();
        let [(reth, lanes, immediate)] = &whole[..] else { panic!("{whole:?}") };
        assert_eq!((reth.address, reth.rkey), (0x7F00_0010_0040, 0xBEEF_0000));
        assert_eq!(*lanes, (1..=4).flat_map(|number| [2 * number; 64]).collect::<Vec<u32>>());
        assert_eq!(*immediate, u32::from(round) << 16 | 4);
    }
}

/// R-PISA-56: a message that is sent again is counted where it was not, and answered where the
/// round is complete.
#[test]
fn a_message_is_sent_again_after_a_part_of_it_was_taken() {
    let mut fabric = two_workers();
    assert_eq!(answers(&mut fabric, 0, &plain(0, 1, 0)), [0; 4]);
    assert_eq!(answers(&mut fabric, 1, &plain(0, 1, 0)[..2]), [2, 2]);
    let mut nics = [Nic::default(), Nic::default()];
    let mut whole = Vec::new();
    for write in plain(0, 1, 4) {
        for (to, write) in fabric.compare(1, &write).0 {
            whole.extend(nics[usize::from(to)].take(&write).map(|(_, lanes, _)| (to, lanes)));
        }
    }
    // The first worker's NIC has not seen this First; it asks in turn.
    let sum: Vec<u32> = (1..=4).flat_map(|number| [2 * number; 64]).collect();
    assert_eq!(whole, [(1, sum.clone())]);
    assert_eq!(answers(&mut fabric, 0, &plain(0, 1, 4)), [1; 4]);
    let word = |name| fabric.pipeline.program().array_named(name).unwrap();
    assert_eq!(fabric.pipeline.word(0, word("pair0"), 2 * 3 + 24)[0], 2, "lanes are added once");
}

/// R-PISA-55: a slot that completes while a repeated message is answered comes out of turn, and the
/// NIC sees that it does.
#[test]
fn a_result_out_of_turn_is_a_gap() {
    let mut fabric = two_workers();
    let (one, other) = (plain(0, 1, 0), plain(0, 1, 40));
    answers(&mut fabric, 1, &other);
    answers(&mut fabric, 0, &one[..2]);
    let mut nic = Nic::default();
    let mut whole = Vec::new();
    let mut send = |worker, write: &Write| {
        for (to, write) in fabric.compare(worker, write).0 {
            whole.extend(if to == 1 { nic.take(&write) } else { None });
        }
    };
    // Of the message sent again the third packet is lost; the other worker's goes on beside it.
    // Four packets come back, in the order 0, 2, 1, 3.
    send(1, &other[0]);
    one.iter().take(3).for_each(|write| send(0, write));
    send(1, &other[1]);
    send(0, &one[3]);
    assert_eq!(whole, []);
    let mut whole = Vec::new();
    for write in &other {
        whole.extend(fabric.compare(1, write).0.iter().filter_map(|(_, write)| nic.take(write)));
    }
    assert_eq!(whole.len(), 1);
}

/// R-PISA-54: whatever the packets of a round do not agree on, the two workers are reported, and
/// the round is never complete.
#[test]
fn a_mismatch_is_reported() {
    let base = || plain(0, 1, 20);
    let longer = || {
        let mut writes = plain(0, 1, 20);
        writes[0].reth.as_mut().unwrap().length = 256 * 3;
        writes
    };
    let change = |change: fn(&mut Vec<Write>)| {
        let mut writes = base();
        change(&mut writes);
        writes
    };
    let others = [
        ("offset", change(|writes| writes[0].reth.as_mut().unwrap().address += 4), 0),
        ("length", longer(), 0),
        ("exponent", change(|writes| writes[3].immediate = Some(0x0002_0004)), 3),
        ("queue pair", change(|writes| writes.iter_mut().for_each(|write| write.dest_qp += 1)), 0),
        (
            "opcode",
            vec![Write {
                opcode: ONLY,
                immediate: Some(0x0003_0004),
                reth: base()[0].reth.map(|reth| Reth { length: 256, ..reth }),
                ..base()[0].clone()
            }],
            0,
        ),
        ("round", plain(0, 3, 20), 0),
    ];
    for (what, writes, at) in others {
        let mut fabric = two_workers();
        answers(&mut fabric, 1, &base());
        // `compare` holds the reports to those of the software, whose job ends with the first.
        let reports: Vec<_> =
            writes[..=at].iter().map(|write| fabric.compare(0, write).1.reports).collect();
        assert_eq!(reports.iter().position(|reports| !reports.is_empty()), Some(at), "{what}");
        let report = &reports[at][0];
        assert_eq!(report.reason, netfold_pisa::programs::MISMATCH);
        assert_eq!(report.fields[0], u64::from(writes[at].dest_qp), "{what}");
        assert_eq!(
            (report.fields[3], report.fields[4]),
            (0, 1),
            "{what}: the second worker, and the first"
        );
        let sent = fabric.pipeline.process(1, &Fabric::framed(0, &base()[at])).unwrap().sent;
        assert_eq!(sent, [], "{what}: the round is never complete");
    }
}

/// R-PISA-51: the largest exponent of all, in the message's last packet alone.
#[test]
fn the_immediate_has_the_largest_exponent() {
    let mut fabric = Fabric::new(&small(64), Target::tofino(), 3, SLOTS);
    let mut sent = Vec::new();
    let negative = 0xFFF0;
    for (worker, next) in [(0, negative), (1, 9), (2, negative + 2)] {
        let mut writes = plain(0, 1, 1);
        writes[3].immediate = Some(0x0003_0000 | next);
        sent = writes.iter().flat_map(|write| fabric.compare(worker, write).0).collect();
    }
    let immediates: Vec<_> = sent.iter().filter_map(|(_, write)| write.immediate).collect();
    assert_eq!(immediates, [0x0001_0009; 3]);
}

/// R-PISA-50 to 53: a packet that belongs to no job's message is dropped, and leaves no trace.
#[test]
fn what_is_no_packet_of_a_message_is_dropped() {
    use fabric::read::{BTH_AT, UDP_AT};
    let mut fabric = two_workers();
    let first = plain(0, 1, 5)[0].clone();
    let good = Fabric::framed(0, &first);
    let reth = |change: fn(&mut Reth)| {
        let mut write = first.clone();
        change(write.reth.as_mut().unwrap());
        Fabric::framed(0, &write)
    };
    let byte = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let only = plain(1, 1, 5)[0].clone();
    let mut bad = vec![
        // Padding, another version, another opcode; a sender and a QPN that nobody knows.
        byte(BTH_AT + 1, 0x10),
        byte(BTH_AT + 1, 1),
        byte(BTH_AT, 0x06),
        byte(BTH_AT + 7, 0x70),
        byte(29, 9),
        byte(UDP_AT + 5, 1),
        // More than the slots, more than a message has, not a whole number of packets, one packet.
        reth(|reth| reth.rkey += 21),
        reth(|reth| reth.length = 256 * 17),
        reth(|reth| reth.length += 4),
        reth(|reth| reth.length = 256),
        // Lanes that are not all there, and an Immediate that is no exponent.
        Fabric::framed(0, &Write { lanes: vec![1; 63], ..only.clone() }),
        Fabric::framed(0, &Write { immediate: Some(0x7000_0000), ..only }),
    ];
    bad.extend((0..good.len() - 4).map(|length| good[..length].to_vec()));
    for bytes in bad {
        let outcome = fabric.pipeline.process(1, &bytes).unwrap();
        assert_eq!((outcome.sent, outcome.passes), (vec![], 1), "{bytes:02x?}");
    }
    let program = fabric.pipeline.program();
    for name in ["last", "round", "first", "count", "largest", "pair0", "pair31"] {
        let id = program.array_named(name).unwrap();
        let size = program.arrays.iter().find(|array| array.name == name).unwrap().size as usize;
        assert!((0..size).all(|word| fabric.pipeline.word(0, id, word) == [0; 2]), "{name}");
    }
}

/// R-PISA-60: RoCE between others, and everything else, goes where it is addressed, as it is.
#[test]
fn other_traffic_is_forwarded_as_it_is() {
    use fabric::read::{BTH_AT, UDP_AT};
    let mut fabric = two_workers();
    let mac = fabric::address(1).0;
    fabric
        .pipeline
        .insert("forward", &[netfold_pisa::program::Pattern::Is(mac)], "send", &[42])
        .unwrap();
    let writes = plain(0, 1, 5);
    let between = |write: &Write| {
        let mut bytes = Fabric::framed(0, write);
        bytes[..6].copy_from_slice(&mac.to_be_bytes()[2..]);
        // To the other worker, with a QPN that the switch has for itself, too.
        bytes[33] = 1;
        bytes
    };
    let mut frames: Vec<_> = writes.iter().chain(&plain(1, 1, 5)).map(between).collect();
    frames.push(between(&Write { lanes: vec![7; 3], ..writes[1].clone() }));
    frames.push(between(&Write { lanes: vec![7; 200], ..writes[0].clone() }));
    for (at, value) in [
        (12, 0x86),
        (14, 0x46),
        (20, 0x20),
        (23, 6),
        (UDP_AT + 3, 1),
        (BTH_AT, 0x06),
        (BTH_AT, 0x81),
    ] {
        let mut bytes = frames[0].clone();
        bytes[at] = value;
        frames.push(bytes);
    }
    for bytes in frames {
        let outcome = fabric.pipeline.process(5, &bytes).unwrap();
        assert_eq!(outcome.sent, [Sent { port: 42, bytes }]);
    }
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
                        let write = fabric::read::parse(&sent.bytes);
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

/// R-PISA-4: the resources of a Tofino-like switch are enough for 64 lanes in a pipeline, and for
/// 256 in four.
#[test]
fn it_fits_a_switch_like_tofino() {
    for (elements, pipelines) in [(64, 1), (128, 2), (256, 4)] {
        let program = Roce::new(elements).program();
        assert_eq!(program.pipelines(), pipelines);
        let usage = Usage::of(&program, &Target::tofino());
        assert_eq!(usage.stages.len(), 12);
        netfold_pisa::Pipeline::load(program, Target::tofino())
            .unwrap_or_else(|refusal| panic!("{refusal}"));
    }
}
