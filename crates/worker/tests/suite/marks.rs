//! A stream's response to marks and losses (R-ECN-3, R-ECN-5), with the switch's part written by
//! hand.

use crate::hand::Hand;
use netfold_num::{Exponent, Protocol};
use netfold_wire::{Ecn, HEADER_BYTES, Integrity, Pool, Repr, WorkerId};

/// A round trip.
const TRIP_US: u64 = 100;

/// A stream of 64 slots with 64 rounds under way, all of one call.
fn full() -> (Hand, Vec<Repr>) {
    let mut worker = Hand::new(64);
    worker.submit(100_000);
    let sent = worker.send(0);
    assert_eq!((sent.len(), worker.stream.window()), (64, 64));
    assert!(worker.completed().is_empty());
    (worker, sent)
}

/// Answers everything that was sent, the rounds whose index `marked` names with MARKED set, and
/// returns the packets that are sent then.
fn answer_all(
    worker: &mut Hand,
    now_us: u64,
    sent: &[Repr],
    marked: impl Fn(usize) -> bool,
) -> Vec<Repr> {
    for (index, round) in sent.iter().enumerate() {
        let result = Repr { marked: marked(index), ..*round };
        worker.answer(now_us, &result, Exponent::ZERO);
    }
    worker.send(now_us)
}

/// R-ECN-3: whoever marked it and wherever, the window is 7/10 once in a round trip, and grows by
/// 9/17 of a round in each round trip without marks. R-WORK-8 would have doubled it at once.
#[test]
fn marks_reduce_the_window_once_in_a_round_trip() {
    let (mut worker, sent) = full();
    let sent = answer_all(&mut worker, TRIP_US, &sent, |index| index % 7 == 3);
    assert_eq!(worker.stream.window(), 44);
    assert_eq!(sent.len(), 44);
    assert_eq!(worker.stream.counters().results_marked, 9);
    assert_eq!(worker.stream.counters().reductions, 1);
    // 44.8 rounds are kept; a round trip begins with each of the next, and 17 make 9 rounds.
    let mut sent = sent;
    for trip in 2..=40 {
        sent = answer_all(&mut worker, trip * TRIP_US, &sent, |_| false);
    }
    let window = f64::from(worker.stream.window());
    let grown = 44.8 + 39.0 * 9.0 / 17.0;
    // The window is counted in whole rounds, and the first and the last round trip may not have
    // been whole.
    assert!((window - grown).abs() <= 2.0, "{window}, not about {grown}");
    assert_eq!(worker.stream.counters().reductions, 1);
}

/// R-ACK-4, R-WORK-7: an acknowledgement has a place in the window by its position, and that of the
/// lowest one is never held back.
#[test]
fn acknowledgements_have_their_place_in_the_window() {
    let mut worker = Hand::with(64, Protocol::Acked);
    worker.submit(100_000);
    let sent = worker.send(0);
    assert_eq!(sent.len(), 64);
    let now = |worker: &mut Hand| {
        worker
            .send(TRIP_US)
            .iter()
            .map(|round| (round.position.0, round.pool == Pool::Odd))
            .collect::<Vec<_>>()
    };
    worker.answer(TRIP_US, &Repr { marked: true, ..sent[0] }, Exponent::ZERO);
    worker.answer(TRIP_US, &sent[1], Exponent::ZERO);
    // 62 are outstanding, and 44 may be.
    assert_eq!(worker.stream.window(), 44);
    assert_eq!(now(&mut worker), [(0, true)]);
    worker.answer(TRIP_US, &Repr { pool: Pool::Odd, empty: true, ..sent[0] }, Exponent::ZERO);
    assert_eq!(now(&mut worker), [(1, true)]);
}

/// R-ECN-3: a result that was marked on its way counts like one that says so.
#[test]
fn a_result_that_comes_marked_reduces_the_window() {
    let (mut worker, sent) = full();
    worker.stream.handle(TRIP_US, &Hand::result(&sent[0], Exponent::ZERO), Ecn::Ce);
    assert_eq!(worker.stream.window(), 44);
    worker.stream.handle(TRIP_US, &Hand::result(&sent[0], Exponent::ZERO), Ecn::Ce);
    assert_eq!(worker.stream.counters().results_marked, 1, "a duplicate is no result");
}

/// R-ECN-3: marks leave two rounds, with which a call comes to its end.
#[test]
fn marks_leave_two_rounds() {
    let mut worker = Hand::new(64);
    worker.submit(500);
    let (mut sent, mut now_us) = (worker.send(0), 0);
    while !sent.is_empty() {
        now_us += TRIP_US;
        sent = answer_all(&mut worker, now_us, &sent, |_| true);
    }
    assert_eq!((worker.stream.window(), worker.completed()), (2, vec![0]));
}

/// Long packets of which the first `lost` are recalled in each of some round trips of `trip_us`,
/// after a first one of [`TRIP_US`]. Whether the window is reduced in the end.
fn is_reduced(lost: usize, trip_us: u64) -> bool {
    let mut worker = Hand::new(64);
    worker.lanes = 16;
    worker.submit(100_000);
    let mut sent = worker.send(0);
    let mut now_us = TRIP_US;
    sent = answer_all(&mut worker, now_us, &sent, |_| false);
    for _ in 0..40 {
        now_us += trip_us;
        for round in &sent[lost..] {
            worker.answer(now_us, round, Exponent::ZERO);
        }
        if worker.stream.counters().reductions > 0 {
            return true;
        }
        sent = worker.send(now_us);
        if lost == 0 {
            continue;
        }
        // The others are asked for when they have been overtaken, and the switch has none of them.
        let asked_us = worker.stream.poll_timeout().expect("rounds are outstanding");
        worker.stream.handle_timeout(asked_us);
        let queries = worker.send(asked_us);
        assert_eq!(queries.len(), lost);
        for query in queries {
            let mut datagram = [0; HEADER_BYTES];
            query.recall(WorkerId(1)).emit(&mut datagram);
            Integrity::Checksum.seal(&mut datagram);
            worker.stream.handle(asked_us, &datagram, Ecn::Clear);
        }
        sent.extend(worker.send(asked_us));
    }
    false
}

/// R-ECN-5: few losses change nothing, and many, or those of a long queue, do. The shortest round
/// trip is 100 us, and a quarter of `RTO_MIN` as well.
#[test]
fn losses_count_when_they_are_those_of_a_full_queue() {
    assert!(!is_reduced(0, 240));
    assert!(!is_reduced(1, 240), "one of 64 is below a twentieth, and 240 us below 250");
    assert!(is_reduced(1, 260), "260 us is a long queue");
    assert!(is_reduced(8, 120), "8 of 64 are more than links lose");
    assert!(!is_reduced(0, 1_000), "a long queue without losses is R-WORK-8's");
}
