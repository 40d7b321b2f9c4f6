//! Queries and recalls: when a stream asks for a round instead of sending it again, and what it
//! makes of a recall (R-TIME-6, R-TIME-7), with the switch's part written by hand.

use crate::hand::{Hand, TIMING};
use netfold_num::Exponent;
use netfold_wire::{
    Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Pool, Position, Repr, SlotIndex,
    WorkerId,
};

const R0: u64 = TIMING.rto_initial_us;

/// Lanes of a packet that is worth a query.
const LONG: u64 = 16;

const RANK: WorkerId = WorkerId(1);

fn query(round: &Repr) -> Repr {
    round.query(RANK)
}

fn recall(round: &Repr) -> Repr {
    round.query(RANK).recall(RANK)
}

/// A stream of so many slots with long packets.
fn asking(slots: u16) -> Hand {
    let mut worker = Hand::new(slots);
    worker.lanes = LONG;
    worker
}

/// Delivers a packet without lanes.
fn deliver(worker: &mut Hand, now_us: u64, packet: &Repr) {
    let mut datagram = [0; HEADER_BYTES];
    packet.emit(&mut datagram);
    Integrity::Checksum.seal(&mut datagram);
    worker.stream.handle(now_us, &datagram, Ecn::Clear);
}

/// Sends the packets that are due, and returns them.
fn after_timeout(worker: &mut Hand, now_us: u64) -> Vec<Repr> {
    worker.stream.handle_timeout(now_us);
    worker.send(now_us)
}

/// Four rounds of which the first and the third have been answered at 100: the second is overtaken
/// at 125.
fn overtaken() -> (Hand, Vec<Repr>) {
    let mut worker = asking(4);
    worker.submit(4);
    let sent = worker.send(0);
    worker.answer(100, &sent[0], Exponent::UNKNOWN);
    worker.answer(100, &sent[2], Exponent::UNKNOWN);
    (worker, sent)
}

/// R-TIME-6: only lanes that are longer than a header are worth a query.
#[test]
fn only_what_is_longer_than_a_header_is_asked_for() {
    let header_lanes = HEADER_BYTES as u64 / 4;
    for (lanes, asks) in [(1, false), (header_lanes, false), (header_lanes + 1, true), (LONG, true)]
    {
        let mut worker = Hand::new(1);
        worker.lanes = lanes;
        worker.submit(1);
        let sent = worker.send(0);
        let expected = if asks { query(&sent[0]) } else { sent[0] };
        assert_eq!(after_timeout(&mut worker, R0), [expected], "{lanes} lanes");
        let counters = worker.stream.counters();
        assert_eq!(
            (counters.queries, counters.retransmissions),
            (u64::from(asks), u64::from(!asks))
        );
        assert_eq!(
            counters.bytes_sent,
            (HEADER_BYTES + sent[0].lane_bytes() + expected.datagram_bytes()) as u64
        );
        assert_eq!(counters.bytes_resent, expected.datagram_bytes() as u64);
    }
}

/// R-TIME-5 to R-TIME-7: an overtaken round is asked for, and goes out when it is recalled, once.
#[test]
fn a_recalled_round_is_sent_at_once() {
    let (mut worker, sent) = overtaken();
    assert_eq!(worker.stream.poll_timeout(), Some(125));
    assert_eq!(after_timeout(&mut worker, 125), [query(&sent[1])]);
    deliver(&mut worker, 160, &recall(&sent[1]));
    assert_eq!(worker.send(160), [sent[1]]);
    let counters = *worker.stream.counters();
    assert_eq!(
        (counters.queries, counters.retransmissions, counters.fast_retransmissions),
        (1, 1, 1)
    );
    assert_eq!(counters.bytes_resent, (HEADER_BYTES + sent[1].datagram_bytes()) as u64);
    // Another copy of the recall comes after the round has gone out.
    deliver(&mut worker, 161, &recall(&sent[1]));
    assert!(worker.send(161).is_empty());
    assert_eq!(worker.stream.counters().duplicates, 1);
    worker.answer(200, &sent[1], Exponent::UNKNOWN);
    worker.answer(201, &sent[3], Exponent::UNKNOWN);
    assert_eq!(worker.completed(), [0]);
    assert_eq!(worker.stream.poll_timeout(), None);
}

/// R-TIME-6: a query that nobody answers is repeated after longer waits. R-TIME-7: once the round
/// is recalled, its waits begin anew.
#[test]
fn waits_grow_for_queries_and_begin_anew_with_a_recall() {
    let mut worker = asking(2);
    worker.submit(100);
    let sent = worker.send(0);
    let (lost, mut other) = (sent[0], sent[1]);
    let mut again = Vec::new();
    for now_us in (25..=2_000).step_by(25) {
        if now_us % 100 == 0 {
            worker.answer(now_us, &other, Exponent::ZERO);
        }
        if now_us == 900 {
            deliver(&mut worker, now_us, &recall(&lost));
        }
        if worker.stream.poll_timeout().is_some_and(|due_us| due_us <= now_us) {
            worker.stream.handle_timeout(now_us);
        }
        for round in worker.send(now_us) {
            if round.slot == lost.slot {
                again.push((now_us, matches!(round.direction, Direction::Query(_))));
            } else {
                other = round;
            }
        }
    }
    // A round trip of 100 us and a quarter: 125, then twice 250 us later. After the recall the
    // same.
    let expected = [
        (125, true),
        (375, true),
        (625, true),
        (900, false),
        (900 + 125, true),
        (1_025 + 250, true),
        (1_275 + 250, true),
    ];
    assert_eq!(again, expected);
}

/// R-TIME-4, R-TIME-5: a recall that answers the only query tells that packets sent before have
/// been overtaken, without another timeout.
#[test]
fn a_recalled_probe_tells_of_what_was_sent_before() {
    let mut worker = asking(4);
    worker.submit(4);
    let sent = worker.send(0);
    assert_eq!(after_timeout(&mut worker, R0), [query(&sent[0])]);
    deliver(&mut worker, R0 + 100, &recall(&sent[0]));
    assert_eq!(worker.send(R0 + 100), [sent[0]]);
    assert_eq!(
        worker.stream.poll_timeout(),
        Some(125),
        "a quarter more than the round trip of the query, which is over"
    );
    let rest: Vec<_> = sent[1..].iter().map(query).collect();
    assert_eq!(after_timeout(&mut worker, R0 + 100), rest);
}

/// R-TIME-7: of two queries nobody knows which one was answered, so that the recall is no measure
/// of time.
#[test]
fn a_recall_after_two_queries_overtakes_nothing() {
    let mut worker = asking(2);
    worker.submit(1);
    let sent = worker.send(0);
    assert_eq!(after_timeout(&mut worker, R0), [query(&sent[0])]);
    worker.submit(1);
    let later = worker.send(2 * R0);
    // The second timeout is twice as long, from when something was last sent.
    assert_eq!(after_timeout(&mut worker, 4 * R0), [query(&sent[0])]);
    deliver(&mut worker, 4 * R0 + 1, &recall(&sent[0]));
    assert_eq!(worker.send(4 * R0 + 1), [sent[0]]);
    // The back-off has ended, and the timeout counts from the recall.
    assert_eq!(worker.stream.poll_timeout(), Some(4 * R0 + 1 + R0));
    assert_eq!(after_timeout(&mut worker, 4 * R0 + 1 + R0), [query(&later[0])]);
}

/// R-TIME-7: a recall that comes while another query waits to be sent takes its place.
#[test]
fn a_recall_takes_the_place_of_a_query() {
    let mut worker = asking(1);
    worker.submit(1);
    let sent = worker.send(0);
    assert_eq!(after_timeout(&mut worker, R0), [query(&sent[0])]);
    worker.stream.handle_timeout(3 * R0);
    deliver(&mut worker, 3 * R0, &recall(&sent[0]));
    assert_eq!(worker.send(3 * R0), sent);
    assert_eq!(worker.stream.counters().queries, 1);
}

/// R-TIME-7, R-WORK-2, R-PKT-3 to R-PKT-5: only a recall of what was asked for counts.
#[test]
fn what_recalls_nothing_is_dropped() {
    let mut worker = asking(1);
    worker.submit(2);
    let sent = worker.send(0)[0];
    let good = recall(&sent);
    deliver(&mut worker, 1, &good);
    assert!(worker.send(1).is_empty(), "nothing has been asked");
    let asked = R0;
    assert_eq!(
        after_timeout(&mut worker, asked),
        [query(&sent)],
        "the timeout still counts from the round"
    );
    let foreign = [
        query(&sent),
        Repr { direction: Direction::Recall(WorkerId(0)), ..good },
        Repr { job: JobId(6), ..good },
        Repr { epoch: Epoch(0xF), ..good },
        Repr { slot: SlotIndex(1), ..good },
        Repr { pool: Pool::Odd, ..good },
        Repr { position: Position(1), ..good },
        Repr { kind: Kind::Classes, ..good },
        Repr { elements: 1, ..good },
    ];
    for packet in &foreign {
        deliver(&mut worker, asked + 1, packet);
    }
    let mut unsealed = [0; HEADER_BYTES];
    good.emit(&mut unsealed);
    worker.stream.handle(asked + 1, &unsealed, Ecn::Clear);
    assert!(worker.send(asked + 1).is_empty());
    let counters = worker.stream.counters();
    assert_eq!(counters.dropped + counters.duplicates, 1 + foreign.len() as u64 + 1);
    deliver(&mut worker, asked + 2, &good);
    assert_eq!(worker.send(asked + 2), [sent]);
}

/// A result that comes while its round waits to be asked for, or to be sent again, makes that
/// needless.
#[test]
fn a_late_result_stops_query_and_retransmission() {
    for recalled in [false, true] {
        let mut worker = asking(1);
        worker.submit(1);
        let sent = worker.send(0);
        worker.stream.handle_timeout(R0);
        if recalled {
            assert_eq!(worker.send(R0), [query(&sent[0])]);
            deliver(&mut worker, R0 + 1, &recall(&sent[0]));
        }
        worker.answer(R0 + 2, &sent[0], Exponent::UNKNOWN);
        assert_eq!(worker.completed(), [0]);
        assert!(worker.send(R0 + 2).is_empty());
        assert_eq!(worker.stream.poll_timeout(), None);
    }
}

/// R-TIME-2: what was asked for, or recalled, is no sample of the round trip.
#[test]
fn a_recalled_round_is_not_measured() {
    let mut worker = asking(1);
    worker.submit(3);
    let first = worker.send(0);
    worker.answer(100, &first[0], Exponent::ZERO);
    let second = worker.send(100);
    assert_eq!(after_timeout(&mut worker, 100 + R0), [query(&second[0])]);
    deliver(&mut worker, 110 + R0, &recall(&second[0]));
    assert_eq!(worker.send(110 + R0), [second[0]]);
    worker.answer(120 + R0, &second[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us().0, 0);
    let third = worker.send(120 + R0);
    worker.answer(420 + R0, &third[0], Exponent::ZERO);
    assert_eq!(worker.stream.rtt_rto_us().0, 300);
}
