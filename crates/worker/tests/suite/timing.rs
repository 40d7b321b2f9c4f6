//! Retransmission: when a stream sends again, and what it takes for a round trip (R-TIME-1 to
//! R-TIME-5), with the switch's part written by hand. Queries are in `queries.rs`.

use std::collections::VecDeque;

use crate::hand::{Hand, TIMING};
use netfold_num::{Exponent, Protocol};
use netfold_wire::{Epoch, Pool, Repr, Terms};
use netfold_worker::StreamConfig;

const R0: u64 = TIMING.rto_initial_us;

/// R-TIME-4: a timeout is due only while something is outstanding, and is counted from when
/// something last came or went.
#[test]
fn a_timeout_is_due_only_while_a_result_is_awaited() {
    let mut worker = Hand::new(2);
    assert_eq!(worker.stream.poll_timeout(), None);
    worker.submit(2);
    assert_eq!(worker.stream.poll_timeout(), None, "nothing has been sent");
    let sent = worker.send(70);
    assert_eq!(worker.stream.poll_timeout(), Some(70 + R0));
    worker.answer(90, &sent[0], Exponent::UNKNOWN);
    assert_eq!(worker.stream.poll_timeout(), Some(90 + R0));
    worker.answer(91, &sent[1], Exponent::UNKNOWN);
    assert_eq!(worker.stream.poll_timeout(), None);
    assert_eq!(worker.completed(), [0]);
    worker.stream.handle_timeout(1_000_000);
    assert!(worker.send(1_000_000).is_empty(), "nothing is sent again when nothing is outstanding");
}

/// Called too early, the timeout changes nothing.
#[test]
fn a_timeout_that_is_not_due_is_ignored() {
    let mut worker = Hand::new(1);
    worker.submit(1);
    worker.send(500);
    worker.stream.handle_timeout(500 + R0 - 1);
    assert!(worker.send(500 + R0 - 1).is_empty());
    assert_eq!(worker.stream.poll_timeout(), Some(500 + R0));
    worker.stream.handle_timeout(500 + R0);
    assert_eq!(worker.send(500 + R0).len(), 1);
}

/// R-TIME-4: while nothing arrives, one probe goes out for each timeout, of the lowest position,
/// and R-TIME-3: the timeout doubles up to its limit.
#[test]
fn a_straggler_is_probed_with_one_packet_and_doubling_timeouts() {
    let mut worker = Hand::new(8);
    worker.submit(8);
    let sent = worker.send(0);
    assert_eq!(sent.len(), 8);
    let mut timeout_us = R0;
    let mut now_us = 0;
    for _ in 0..12 {
        now_us += timeout_us;
        assert_eq!(worker.stream.poll_timeout(), Some(now_us));
        worker.stream.handle_timeout(now_us);
        assert_eq!(worker.send(now_us), [sent[0]], "a round is sent again as it was");
        timeout_us = (2 * timeout_us).min(TIMING.rto_max_us);
    }
    assert_eq!(worker.stream.counters().retransmissions, 12);
    assert_eq!(timeout_us, TIMING.rto_max_us, "the loop reaches the limit");

    // The straggler comes, and answers the probe of round 0: the back-off ends. What was sent
    // before that probe and is not answered either is lost: all others.
    worker.answer(now_us + 10, &sent[0], Exponent::UNKNOWN);
    let due_us = worker.stream.poll_timeout().expect("seven rounds are outstanding");
    assert_eq!(due_us, now_us + 10 + R0);
    worker.stream.handle_timeout(due_us);
    assert_eq!(worker.send(due_us), sent[1..]);
}

/// R-TIME-5: a round that was sent before one that has been answered is lost when a round trip and
/// a quarter have gone by; one that was sent later is not.
#[test]
fn an_overtaken_round_is_sent_again_at_once() {
    let mut worker = Hand::new(4);
    worker.submit(4);
    let sent = worker.send(0);
    worker.answer(100, &sent[0], Exponent::UNKNOWN);
    assert_eq!(worker.stream.poll_timeout(), Some(100 + R0), "nothing has been overtaken");
    worker.answer(100, &sent[2], Exponent::UNKNOWN);
    assert_eq!(worker.stream.poll_timeout(), Some(125));
    worker.stream.handle_timeout(124);
    assert!(worker.send(124).is_empty());
    worker.stream.handle_timeout(125);
    assert_eq!(worker.send(125), sent[1..2]);
    let counters = *worker.stream.counters();
    assert_eq!((counters.fast_retransmissions, counters.retransmissions), (1, 1));
    // Nothing was sent after the last round, so that only a probe can tell: the lowest position,
    // and when it has been answered, what was sent before.
    assert_eq!(worker.stream.poll_timeout(), Some(125 + R0));
    worker.stream.handle_timeout(125 + R0);
    assert_eq!(worker.send(125 + R0), sent[1..2]);
    worker.answer(135 + R0, &sent[1], Exponent::UNKNOWN);
    let due_us = worker.stream.poll_timeout().expect("a round is outstanding");
    worker.stream.handle_timeout(due_us);
    assert_eq!(worker.send(due_us), sent[3..]);
    assert_eq!(worker.stream.counters().fast_retransmissions, 1);
}

/// R-TIME-5: each second time that a round is sent again it waits twice as long, so that a round
/// which waits for another worker costs few packets.
#[test]
fn an_overtaken_round_waits_longer_each_time() {
    let mut worker = Hand::new(2);
    worker.submit(100);
    let sent = worker.send(0);
    let (lost, mut other) = (sent[0], sent[1]);
    let mut again_us = Vec::new();
    for now_us in (25..=2_000).step_by(25) {
        if now_us % 100 == 0 {
            worker.answer(now_us, &other, Exponent::ZERO);
        }
        if worker.stream.poll_timeout().is_some_and(|due_us| due_us <= now_us) {
            worker.stream.handle_timeout(now_us);
        }
        for round in worker.send(now_us) {
            if round == lost {
                again_us.push(now_us);
            } else {
                other = round;
            }
        }
    }
    // A round trip of 100 us and a quarter: 125, and then twice 250 and twice 500 us later.
    assert_eq!(again_us, [125, 375, 625, 1_125, 1_625]);
}

/// R-TIME-5: a worker that is slow makes all rounds late, in order. None is taken for overtaken.
#[test]
fn a_slow_worker_is_not_taken_for_loss() {
    let mut worker = Hand::new(8);
    worker.submit(200);
    let mut awaited: std::collections::VecDeque<_> = worker.send(0).into();
    let mut now_us = 0;
    for round in 0..200u64 {
        // Every tenth result comes fifty times as late as the others.
        let next_us = now_us + if round % 10 == 9 { 1_000 } else { 20 };
        while let Some(due_us) = worker.stream.poll_timeout().filter(|due_us| *due_us < next_us) {
            now_us = due_us.max(now_us);
            worker.stream.handle_timeout(now_us);
            worker.send(now_us);
        }
        now_us = next_us;
        let sent = awaited.pop_front().expect("eight rounds are outstanding");
        worker.answer(now_us, &sent, Exponent::ZERO);
        worker.stream.handle_timeout(now_us);
        awaited.extend(worker.send(now_us));
    }
    assert_eq!(worker.completed(), [0]);
    assert_eq!(worker.stream.counters().fast_retransmissions, 0);
}

/// R-TIME-3: where all workers are known to be there, the timeout may be below `RTO_MIN`; where one
/// said UNKNOWN, it is not.
#[test]
fn only_attended_rounds_are_asked_for_early() {
    for (agreed, timeout_us) in
        [(Exponent::ZERO, 40 + 4 * 20), (Exponent::UNKNOWN, TIMING.rto_min_us)]
    {
        let mut worker = Hand::new(1);
        worker.submit(3);
        let first = worker.send(0);
        worker.answer(50, &first[0], Exponent::ZERO);
        let second = worker.send(50);
        worker.answer(50 + 40, &second[0], agreed);
        let third = worker.send(90);
        assert_eq!(worker.stream.poll_timeout(), Some(90 + timeout_us), "{agreed:?}");
        worker.stream.handle_timeout(90 + timeout_us);
        assert_eq!(worker.send(90 + timeout_us), third);
        assert_eq!(
            worker.stream.poll_timeout(),
            Some(90 + 3 * timeout_us),
            "the next one waits twice as long"
        );
    }
}

/// R-TIME-4: a result that came before the round was sent says nothing about it.
#[test]
fn an_earlier_result_does_not_vouch_for_the_path() {
    let mut worker = Hand::new(2);
    worker.submit(1);
    let sent = worker.send(0);
    worker.answer(50, &sent[0], Exponent::UNKNOWN);
    worker.submit(2);
    let sent = worker.send(50);
    assert_eq!(sent.len(), 2);
    worker.stream.handle_timeout(50 + R0);
    assert_eq!(worker.send(50 + R0).len(), 1, "a probe");
}

/// R-TIME-2: the first round of an idle slot is no sample; a round sent in answer to a result is
/// one.
#[test]
fn only_rounds_in_answer_to_a_result_are_measured() {
    let mut worker = Hand::new(1);
    worker.submit(3);
    let first = worker.send(0);
    worker.answer(900, &first[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us().0, 0, "it has waited for other workers");
    let second = worker.send(900);
    worker.answer(900 + 250, &second[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us().0, 250);
    assert_eq!(worker.stream.rtt_rto_us().1, (250 + 4 * 125).max(TIMING.rto_min_us));
}

/// R-TIME-2: if a worker had not made the next call when it sent the round before (UNKNOWN), the
/// next round waits for that worker, and is no sample.
#[test]
fn a_round_that_waits_for_another_worker_is_not_measured() {
    let mut worker = Hand::new(1);
    worker.submit(3);
    let first = worker.send(0);
    worker.answer(100, &first[0], Exponent::UNKNOWN);
    let second = worker.send(100);
    worker.answer(1_090, &second[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us().0, 0);
    let third = worker.send(1_090);
    worker.answer(1_190, &third[0], Exponent::UNKNOWN);
    assert_eq!(worker.stream.rtt_rto_us().0, 100);
}

/// R-RES-6: what another switch is sent anew waits for workers that take longer to find it; round
/// trips are those of the new path.
#[test]
fn what_goes_to_another_switch_anew_is_not_measured() {
    let config = StreamConfig {
        terms: Terms { resumable: true, ..crate::hand::config(1, Protocol::Shadow).terms },
        ..crate::hand::config(1, Protocol::Shadow)
    };
    let mut worker = Hand::of(config);
    worker.submit(5);
    let mut sent = worker.send(0);
    for now_us in [100, 200] {
        worker.answer(now_us, &sent[0], Exponent::ZERO);
        sent = worker.send(now_us);
    }
    assert_eq!(worker.stream.rtt_rto_us(), (100, TIMING.rto_min_us));
    let anew = StreamConfig { epoch: Epoch(config.epoch.0 + 1), ..config };
    worker.stream.resume(anew, &[]).expect("nobody lacks a round");
    assert_eq!(worker.stream.rtt_rto_us(), (0, R0));
    let again = worker.send(5_000);
    assert_eq!(again, [Repr { epoch: anew.epoch, ..sent[0] }]);
    worker.answer(5_900, &again[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us(), (0, R0));
    let next = worker.send(5_900);
    worker.answer(6_050, &next[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us().0, 150);
}

/// R-RES-6, R-ACK-5: nor is what follows a result that is presumed to be acknowledged.
#[test]
fn what_follows_a_presumed_acknowledgement_is_not_measured() {
    let config = StreamConfig {
        terms: Terms { resumable: true, ..crate::hand::config(1, Protocol::Acked).terms },
        ..crate::hand::config(1, Protocol::Acked)
    };
    let mut worker = Hand::of(config);
    worker.submit(5);
    let sent = worker.send(0);
    worker.answer(100, &sent[0], Exponent::ZERO);
    assert_eq!(worker.send(100), [Repr { pool: Pool::Odd, empty: true, ..sent[0] }]);
    let anew = StreamConfig { epoch: Epoch(config.epoch.0 + 1), ..config };
    worker.stream.resume(anew, &[]).expect("nobody lacks a round");
    let next = worker.send(5_000);
    assert_eq!(
        next.iter().map(|round| (round.pool, round.position.0)).collect::<Vec<_>>(),
        [(Pool::Even, 1)]
    );
    // Another worker has taken 45 ms longer.
    worker.answer(50_000, &next[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us(), (0, R0));
}

/// R-TIME-2 (Karn): a round that was sent twice is no sample, since nobody knows to which packet
/// the result belongs.
#[test]
fn a_round_that_was_sent_again_is_not_measured() {
    let mut worker = Hand::new(1);
    worker.submit(2);
    let first = worker.send(0);
    worker.answer(100, &first[0], Exponent::ZERO);
    worker.send(100);
    worker.stream.handle_timeout(100 + R0);
    let again = worker.send(100 + R0);
    assert_eq!(again.len(), 1);
    worker.answer(100 + R0 + 1, &again[0], Exponent::ZERO);
    assert_eq!(worker.completed(), [0]);
    assert_eq!(worker.stream.rtt_rto_us().0, 0);
}

/// R-TIME-2, R-TIME-4: nor is a round that has expired and was left to wait behind the probe.
#[test]
fn a_round_that_waits_behind_a_probe_is_not_measured() {
    let mut worker = Hand::new(2);
    worker.submit(4);
    let first = worker.send(0);
    worker.answer(100, &first[0], Exponent::ZERO);
    worker.answer(100, &first[1], Exponent::ZERO);
    let second = worker.send(100);
    assert_eq!(second.len(), 2);
    worker.stream.handle_timeout(100 + R0);
    assert_eq!(worker.send(100 + R0), second[..1]);
    worker.answer(100 + 2 * R0, &second[1], Exponent::ZERO);
    worker.answer(100 + 2 * R0, &second[0], Exponent::ZERO);
    assert_eq!(worker.completed(), [0]);
    assert_eq!(worker.stream.rtt_rto_us().0, 0);
}

/// A result that comes while its round waits to be sent again makes that needless.
#[test]
fn a_late_result_stops_the_retransmission() {
    let mut worker = Hand::new(1);
    worker.submit(1);
    let sent = worker.send(0);
    worker.stream.handle_timeout(R0);
    worker.answer(R0, &sent[0], Exponent::UNKNOWN);
    assert_eq!(worker.completed(), [0]);
    assert!(worker.send(R0).is_empty());
    assert_eq!(worker.stream.poll_timeout(), None);
}

/// R-WORK-11: an eighth of the round trip, within its bounds, while many rounds are under way and
/// the window has slots to spare.
#[test]
fn results_gather_for_a_share_of_the_round_trip() {
    // A path that passes on one result in so long a time: the window comes down to its 16 rounds.
    let rests = |slots: u16, gap_us: u64| {
        let mut worker = Hand::new(slots);
        worker.submit(2000);
        assert_eq!(worker.stream.rest_us(), None);
        let (mut now_us, mut rests) = (0, Vec::new());
        let mut under_way = VecDeque::from(worker.send(0));
        while let Some(sent) = under_way.pop_front() {
            now_us += gap_us;
            worker.answer(now_us, &sent, Exponent::ZERO);
            under_way.extend(worker.send(now_us));
            rests.push(worker.stream.rest_us());
        }
        // Long after the beginning, where 16 are under way, and where 15 are left.
        assert_eq!(rests.len(), 2000);
        [rests[1900], rests[1984]]
    };
    let [some, few] = rests(512, 250);
    // 16 round trips of 250 us, up to the rounding of their mean.
    assert!(some.is_some_and(|rest_us| rest_us.abs_diff(16 * 250 / 8) <= 2), "{some:?}");
    assert_eq!(few, None, "few are under way");
    assert_eq!(rests(512, 90), [None; 2], "it would be too short");
    assert_eq!(rests(512, 1000)[0], Some(700));
    assert_eq!(rests(16, 250), [None; 2], "no slots are to spare");
}
