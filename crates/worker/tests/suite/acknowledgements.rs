//! Acknowledgements: when they are sent, and what they ask for (R-ACK-4, R-ACK-6).

use crate::hand::{Hand, TIMING};
use netfold_num::{Exponent, Protocol};
use netfold_wire::{Delivery, HEADER_BYTES, Packet, Pool, Repr, WorkerId};
use netfold_worker::Collective;

/// Returns the position of each datagram, and whether it acknowledges its result.
fn what(sent: &[Repr]) -> Vec<(u32, bool)> {
    let acknowledges = |repr: &Repr| repr.pool == Pool::Odd;
    assert!(
        sent.iter().all(|repr| acknowledges(repr) == repr.empty),
        "sums have lanes here: {sent:?}"
    );
    sent.iter().map(|repr| (repr.position.0, acknowledges(repr))).collect()
}

/// Sends the packets of a stream that may not wait, one datagram at a time.
fn pressing(hand: &mut Hand, now_us: u64) -> Vec<Repr> {
    let mut buffer = [0; HEADER_BYTES + 64];
    let mut sent = Vec::new();
    while let Some(transmit) = hand.stream.poll_transmit_pressing(now_us, &mut buffer, 1) {
        sent.push(Repr::parse(
            &Packet::new_checked(&buffer[..transmit.len]).expect("a stream sends packets"),
        ));
    }
    sent
}

#[test]
fn an_acknowledgement_goes_in_one_burst_with_the_next_contribution() {
    let mut hand = Hand::with(4, Protocol::Acked);
    hand.submit(1);
    for call in 0..20_u32 {
        let sent = hand.send_bursts(10 * u64::from(call));
        let before = call.checked_sub(1).map(|before| (before, true));
        let expected: Vec<_> = [(call, false)].into_iter().chain(before).collect();
        assert_eq!(sent.iter().map(|burst| what(burst)).collect::<Vec<_>>(), [expected]);
        let now_us = 10 * u64::from(call) + 1;
        // The confirmation of the acknowledgement, then the sum.
        sent[0].iter().rev().for_each(|round| hand.answer(now_us, round, Exponent::UNKNOWN));
        assert_eq!(hand.completed(), [u64::from(call)]);
        assert_eq!(hand.send(now_us), []);
        hand.submit(1);
    }
}

#[test]
fn an_acknowledgement_that_nothing_follows_is_held_for_a_quarter_of_the_least_timeout() {
    let mut hand = Hand::with(4, Protocol::Acked);
    hand.submit(1);
    let sent = hand.send(0);
    hand.answer(100, &sent[0], Exponent::UNKNOWN);
    let due_us = 100 + TIMING.rto_min_us / 4;
    assert_eq!(hand.stream.poll_timeout(), Some(due_us));
    hand.stream.handle_timeout(due_us - 1);
    assert_eq!(hand.send(due_us - 1), []);
    hand.stream.handle_timeout(due_us);
    assert_eq!(what(&hand.send(due_us)), [(0, true)]);
}

/// The last result counts.
#[test]
fn what_is_held_waits_anew_with_each_result() {
    let mut hand = Hand::with(4, Protocol::Acked);
    hand.submit(2);
    let sent = hand.send(0);
    hand.answer(100, &sent[0], Exponent::UNKNOWN);
    hand.answer(150, &sent[1], Exponent::UNKNOWN);
    let due_us = 150 + TIMING.rto_min_us / 4;
    hand.stream.handle_timeout(due_us - 1);
    assert_eq!(hand.send(due_us - 1), []);
    hand.stream.handle_timeout(due_us);
    let acknowledgements = hand.send(due_us);
    assert_eq!(what(&acknowledgements), [(0, true), (1, true)]);
    // R-ACK-4
    assert!(sent.iter().all(|round| round.next_exponent == Exponent::UNKNOWN));
    assert!(acknowledgements.iter().all(|round| round.next_exponent == Exponent::ZERO));
}

/// R-ACK-1: whoever the lanes of a result are for, all are told that all have it.
#[test]
fn an_acknowledgement_is_for_delivery_to_all() {
    let mut hand = Hand::with(2, Protocol::Acked);
    let root = WorkerId(1);
    hand.submit_to(Collective::Reduce { root }, 1);
    let sent = hand.send(0);
    hand.answer(10, &sent[0], Exponent::ZERO);
    let acknowledgements = hand.send(10);
    assert_eq!(what(&acknowledgements), [(0, true)]);
    assert_eq!(
        (sent[0].delivery, acknowledgements[0].delivery),
        (Delivery::One(root), Delivery::All)
    );
}

/// R-ACK-4, R-TIME-2, R-TIME-3: where the slot's next block has not been submitted by all, others
/// may hold their acknowledgements, and it is not taken for lost before `RTO_MIN`. Where it has, it
/// is at its round trip's pace.
#[test]
fn an_acknowledgement_is_attended_as_what_comes_next_is() {
    let due_us = |agreed| {
        let mut hand = Hand::with(1, Protocol::Acked);
        hand.submit(3);
        let sent = hand.send(0);
        hand.answer(10, &sent[0], Exponent::ZERO);
        let acknowledgement = hand.send(10);
        hand.answer(30, &acknowledgement[0], Exponent::ZERO);
        let sent = hand.send(30);
        hand.answer(50, &sent[0], agreed);
        assert_eq!(what(&hand.send(50)), [(1, true)]);
        hand.stream.poll_timeout().expect("an acknowledgement is outstanding")
    };
    assert_eq!(due_us(Exponent::UNKNOWN), 50 + TIMING.rto_min_us);
    // Both round trips took 20: SRTT is that, and RTTVAR 10, then 7.5, in whole microseconds (RFC
    // 6298, section 2).
    assert_eq!(due_us(Exponent::ZERO), 50 + 20 + 4 * 7);
}

/// R-ACK-4: beside the lowest round of all, an acknowledgement that may wait for a worker that has
/// no call, the lowest with data is probed. It is behind a slot that has gone on, if one counts
/// from the first.
#[test]
fn the_lowest_round_with_data_is_probed() {
    let mut hand = Hand::with(3, Protocol::Acked);
    hand.submit(6);
    let sent = hand.send(0);
    hand.answer(10, &sent[0], Exponent::ZERO);
    hand.answer(10, &sent[1], Exponent::ZERO);
    let acknowledgements = hand.send(10);
    assert_eq!(what(&acknowledgements), [(0, true), (1, true)]);
    hand.answer(20, &acknowledgements[1], Exponent::ZERO);
    assert_eq!(what(&hand.send(20)), [(4, false)]);
    let mut probes = Vec::new();
    while probes.len() < 5 {
        let due_us = hand.stream.poll_timeout().expect("rounds are outstanding");
        hand.stream.handle_timeout(due_us);
        // A round that has been overtaken goes out alone.
        probes.extend(Some(what(&hand.send(due_us))).filter(|sent| sent.len() > 1));
    }
    assert!(probes.iter().all(|sent| *sent == [(0, true), (2, false)]), "{probes:?}");
}

/// The next call finds half of the slots free.
#[test]
fn more_acknowledgements_than_half_of_the_slots_are_not_held() {
    for (blocks, held) in [(1, true), (2, true), (3, false), (4, false)] {
        let mut hand = Hand::with(4, Protocol::Acked);
        hand.submit(blocks);
        let sent = hand.send(0);
        sent.iter().for_each(|round| hand.answer(10, round, Exponent::UNKNOWN));
        let expected = if held {
            Vec::new()
        } else {
            (0..blocks as u32).map(|position| (position, true)).collect()
        };
        assert_eq!(what(&hand.send(10)), expected, "{blocks} blocks");
    }
}

/// Of a block that all have submitted, the slot is waited for.
#[test]
fn an_acknowledgement_that_others_wait_for_is_sent_at_once_and_by_its_position() {
    let mut hand = Hand::with(2, Protocol::Acked);
    hand.submit(4);
    let sent = hand.send(0);
    assert_eq!(what(&sent), [(0, false), (1, false)]);
    for round in sent.iter().rev() {
        hand.answer(10, round, Exponent::ZERO);
    }
    let acknowledgements = hand.send(10);
    assert_eq!(what(&acknowledgements), [(0, true), (1, true)]);
    hand.answer(20, &acknowledgements[1], Exponent::ZERO);
    assert_eq!(what(&hand.send(20)), [(3, false)]);
}

/// A call in progress has its stream driven, and others may be waiting in it.
#[test]
fn nothing_is_held_while_a_call_is_in_progress() {
    let mut hand = Hand::with(8, Protocol::Acked);
    hand.submit(1);
    hand.submit(1);
    let sent = hand.send(0);
    hand.answer(10, &sent[0], Exponent::UNKNOWN);
    assert_eq!(what(&hand.send(10)), [(0, true)]);
    hand.answer(11, &sent[1], Exponent::UNKNOWN);
    assert_eq!(hand.send(11), []);
}

/// But a worker holds them that first looks whether the results of its packets are there already.
#[test]
fn what_may_wait_is_not_pressing() {
    let mut hand = Hand::with(4, Protocol::Acked);
    for call in 0..2_u32 {
        hand.submit(1);
        let sent = pressing(&mut hand, 0);
        assert_eq!(what(&sent), [(call, false)]);
        hand.answer(10, &sent[0], Exponent::UNKNOWN);
    }
    hand.submit(1);
    assert_eq!(what(&pressing(&mut hand, 10)), [(2, false)]);
    assert_eq!(what(&hand.send(10)), [(0, true), (1, true)]);
}

#[test]
fn too_many_acknowledgements_are_pressing() {
    let mut hand = Hand::with(4, Protocol::Acked);
    hand.submit(3);
    let sent = pressing(&mut hand, 0);
    sent.iter().for_each(|round| hand.answer(10, round, Exponent::UNKNOWN));
    assert_eq!(what(&pressing(&mut hand, 10)), [(0, true), (1, true), (2, true)]);
}

#[test]
fn with_shadow_copies_nothing_is_acknowledged_or_held() {
    let mut hand = Hand::new(4);
    hand.submit(1);
    let sent = hand.send(0);
    hand.answer(10, &sent[0], Exponent::UNKNOWN);
    assert_eq!((hand.send(10), hand.stream.poll_timeout()), (Vec::new(), None));
}
