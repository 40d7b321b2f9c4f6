//! Messages packet by packet: what is taken, and what comes back (R-PISA-50 to 56).

use super::{SLOTS, answers, message, plain, small, small_with, two_workers};
use crate::fabric::frame::{ONLY, Reth, Write};
use crate::fabric::{Fabric, Nic};
use netfold_pisa::Target;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::{Arithmetic, OVERFLOW};

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

/// R-PISA-37, R-PISA-61: an overflow is reported with its lane, and no result is sent, whoever
/// asks.
#[test]
fn an_overflow_is_reported_and_its_result_withheld() {
    let config = small_with(Arithmetic::Fpisa(Variant::Approximate), 3);
    let mut fabric = Fabric::new(&config, Target::bmv2(), 3, SLOTS);
    let send = |fabric: &mut Fabric, worker: u16, last: f32| {
        let lanes = vec![1.0, 2.0, last].into_iter().map(f32::to_bits).collect();
        let writes = message(1, 1, 9, 0, 12, 0x0003_0004, vec![lanes]);
        fabric.pipeline.process(1 + worker, &Fabric::framed(worker, &writes[0])).unwrap()
    };
    // Under the exponent of 1 a register holds what is below 2^8 (R-FPI-9): 255, and not 509.
    let outcomes = [(0, 1.0), (1, 254.0), (2, 254.0), (0, 1.0)]
        .map(|(worker, last)| send(&mut fabric, worker, last));
    assert!(outcomes.iter().all(|outcome| outcome.sent.is_empty()), "{outcomes:?}");
    let reported: Vec<_> = outcomes
        .iter()
        .flat_map(|outcome| &outcome.reports)
        .map(|report| (report.reason, report.fields[3], report.fields[5]))
        .collect();
    assert_eq!(reported, [(OVERFLOW, 2, 2)], "reason, worker and lane");
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
