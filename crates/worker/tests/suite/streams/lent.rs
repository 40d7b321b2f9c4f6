//! Lent slots (R-STREAM-21, R-CTRL-25): calls that wait for them, with and without success, and
//! their return.

use netfold_num::Protocol;
use netfold_wire::{CallDigest, Position, Repr, SlotIndex, Terms};
use netfold_worker::{CallId, Collective, OtherSlots, Priority, StreamConfig, Streams};

use super::{BULK_SLOTS, CONFIG, Hand, LANES, OTHERS, places};

/// Finishes all calls. Returns their rounds: slot, position and the digest of the call.
fn order_of_rounds(worker: &mut Hand) -> Vec<(u16, u32, CallDigest)> {
    let mut rounds = Vec::new();
    loop {
        let sent = worker.send(0);
        if sent.is_empty() {
            break;
        }
        rounds.extend(sent.iter().map(|sent| (sent.slot.0, sent.position.0, sent.call)));
        sent.iter().for_each(|sent| worker.answer(1, sent));
    }
    assert_eq!(worker.completed().len() as u64, worker.calls);
    rounds.sort_unstable_by_key(|(slot, position, _)| (*slot, *position));
    rounds
}

/// A worker of a job with three lent slots for long calls, and two lent exchange slots.
fn borrowing() -> Hand {
    let others = OtherSlots { long: 3, exchange: 2, ..OTHERS };
    Hand { streams: Streams::new(CONFIG, others), calls: 0 }
}

/// R-STREAM-21: a bulk call of more blocks than the bulk stream has slots waits until the switch
/// has lent slots, and so do exchanges and what is bulk behind it; urgent calls do not.
#[test]
fn long_calls_wait_for_lent_slots() {
    let mut worker = borrowing();
    worker.submit(5, Priority::Bulk);
    worker.submit(0, Priority::Bulk);
    worker.all_to_all(1, Priority::Bulk);
    worker.submit(5, Priority::Urgent);
    worker.submit(4, Priority::Bulk);
    assert_eq!(worker.streams.poll_slot_request(), Some(0));
    assert_eq!(worker.streams.poll_slot_request(), None, "it asks once");
    assert_eq!(places(&worker.send(0)), [(4, 0), (5, 1)]);
    let waits = worker.streams.call(CallId(0));
    assert_eq!(waits.as_deref(), Some("bulk all_reduce(sum, i32, 10 elements)"));
    // Answers that it does not await.
    worker.streams.take_slot_answer(1, true);
    assert_eq!(places(&worker.send(1)), []);
    worker.streams.take_slot_answer(0, true);
    assert_eq!(worker.streams.poll_slot_request(), None);
    let sent = places(&worker.send(2));
    assert_eq!(sent[..6], [(9, 0), (10, 1), (0, 0), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(sent[6..], [(6, 0), (7, 1), (8, 2)]);
    // The slots are there for what comes.
    worker.submit(5, Priority::Bulk);
    assert_eq!(worker.streams.poll_slot_request(), None);
}

/// R-STREAM-21: a call without lent slots goes through the bulk stream, an all-to-all as one of
/// pairs, and the worker asks for the next one.
#[test]
fn a_call_that_gets_no_slots_goes_through_the_bulk_stream() {
    let mut worker = borrowing();
    worker.submit(5, Priority::Bulk);
    worker.all_to_all(1, Priority::Bulk);
    worker.submit(5, Priority::Bulk);
    assert_eq!(worker.streams.poll_slot_request(), Some(0));
    worker.streams.take_slot_answer(0, false);
    assert_eq!(places(&worker.send(0)), [(0, 0), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(worker.streams.poll_slot_request(), Some(1));
    worker.streams.take_slot_answer(1, false);
    assert_eq!(worker.streams.poll_slot_request(), Some(2));
    worker.streams.take_slot_answer(2, true);
    let sent = worker.send(1);
    assert_eq!(places(&sent), [(6, 0), (7, 1), (8, 2)]);
    // The sum of five blocks in the bulk stream goes on with those of the all-to-all behind it.
    for slot in [0, 1, 2, 3] {
        let of = Repr { slot: SlotIndex(slot), position: Position(slot.into()), ..sent[0] };
        assert!(worker.streams.describe(of.slot, of.position, None).is_some());
    }
    let behind = worker.streams.describe(SlotIndex(1), Position(5), None).unwrap();
    assert!(behind.contains("all_to_all"), "{behind}");
}

/// R-STREAM-21: what the switch refuses changes nothing in the order of a stream, whenever its
/// answer comes: all workers fold the same calls in a round.
#[test]
fn what_is_refused_keeps_its_place() {
    let calls: [fn(&mut Hand); 8] = [
        |worker| worker.submit(1, Priority::Bulk),
        |worker| worker.submit(5, Priority::Bulk),
        |worker| worker.submit(2, Priority::Bulk),
        |worker| worker.scan(),
        |worker| worker.submit(2, Priority::Urgent),
        |worker| worker.all_to_all(1, Priority::Bulk),
        |worker| worker.submit(0, Priority::Bulk),
        |worker| worker.submit(3, Priority::Bulk),
    ];
    // The first that needs lent slots does not get them; the second and the third do, or do not.
    for are_lent in [false, true] {
        let described = |answer_at: usize| {
            let mut worker = borrowing();
            let mut numbers = Vec::new();
            for (made, call) in calls.iter().enumerate() {
                call(&mut worker);
                while made >= answer_at
                    && let Some(number) = worker.streams.poll_slot_request()
                {
                    numbers.push(number);
                    worker.streams.take_slot_answer(number, are_lent && number > 0);
                }
            }
            let asked = if are_lent { vec![0, 1] } else { vec![0, 1, 2] };
            assert_eq!(numbers, asked);
            order_of_rounds(&mut worker)
        };
        let at_once = described(0);
        // Without exchange slots a scan has a segment for each rank above 0, and an all-to-all one
        // for each of six pairs.
        let in_bulk = 1 + 5 + 2 + if are_lent { 0 } else { 2 + 6 } + 1 + 3;
        assert_eq!(at_once.iter().filter(|(slot, ..)| *slot < BULK_SLOTS).count(), in_bulk);
        for answer_at in 1..calls.len() {
            assert_eq!(described(answer_at), at_once, "answers after {answer_at} calls");
        }
    }
}

/// R-CTRL-12, R-STREAM-18: a scan that was made urgent is no exchange, and errors say so. Each scan
/// is described alike while it waits for slots, with them and without them, since other workers
/// hear of the answer at other times.
#[test]
fn a_scan_is_described_alike_while_it_waits_and_when_it_has_begun() {
    for are_lent in [true, false] {
        let mut worker = borrowing();
        worker.scan();
        worker.call(Collective::Scan, LANES, Some(Priority::Bulk));
        worker.call(Collective::Scan, LANES, Some(Priority::Urgent));
        let described = |worker: &Hand| {
            [0, 1, 2].map(|id| worker.streams.call(CallId(id)).expect("it is in progress"))
        };
        let scan = "scan(sum, i32, 2 elements)".to_owned();
        let expected = [scan.clone(), scan.clone(), format!("urgent {scan}")];
        assert_eq!(described(&worker), expected);
        while let Some(number) = worker.streams.poll_slot_request() {
            worker.streams.take_slot_answer(number, are_lent);
            assert_eq!(described(&worker), expected, "lent: {are_lent}, answer {number}");
        }
        // R-STREAM-18: without slots they are bulk, too.
        let in_bulk = worker.send(0).iter().any(|sent| sent.slot.0 < BULK_SLOTS);
        assert_eq!(in_bulk, !are_lent);
    }
}

/// R-CTRL-25: slots are returned when no call needs them, and asked for again by the next one.
#[test]
fn lent_slots_are_returned_when_nothing_needs_them() {
    let mut worker = borrowing();
    assert_eq!(worker.streams.return_slots(), Some(0), "it has none");
    worker.submit(5, Priority::Bulk);
    assert_eq!(worker.streams.return_slots(), None, "a call waits");
    worker.streams.poll_slot_request();
    worker.streams.take_slot_answer(0, true);
    let mut left = worker.send(0);
    while !left.is_empty() {
        assert_eq!(worker.streams.return_slots(), None, "a call is in progress");
        left.iter().for_each(|sent| worker.answer(1, sent));
        left = worker.send(1);
    }
    assert_eq!(worker.completed(), [0]);
    assert_eq!(worker.streams.return_slots(), Some(1));
    worker.submit(5, Priority::Bulk);
    assert_eq!(worker.streams.poll_slot_request(), Some(1));
    worker.streams.take_slot_answer(1, true);
    // The stream goes on where it stood: positions 0 to 4 are done.
    assert_eq!(places(&worker.send(2)), [(8, 5), (6, 6), (7, 7)]);
}

/// In `acked` a round is over when all workers have acknowledged it, and not before that the slots
/// are returned.
#[test]
fn an_acknowledgement_holds_the_slots() {
    let terms = Terms { protocol: Protocol::Acked, ..CONFIG.terms };
    let others = OtherSlots { long: 8, exchange: 0, ..OTHERS };
    let mut worker =
        Hand { streams: Streams::new(StreamConfig { terms, ..CONFIG }, others), calls: 0 };
    worker.submit(5, Priority::Bulk);
    worker.streams.poll_slot_request();
    worker.streams.take_slot_answer(0, true);
    worker.send(0).iter().for_each(|sent| worker.answer(1, sent));
    assert_eq!(worker.completed(), [0]);
    let acknowledgements = worker.send(1_000_000);
    assert_eq!(acknowledgements.len(), 5);
    assert_eq!(worker.streams.return_slots(), None);
    acknowledgements.iter().for_each(|sent| worker.answer(1_000_001, sent));
    assert_eq!(worker.streams.return_slots(), Some(1));
}

/// R-CTRL-5: calls that wait for slots are given up as others are.
#[test]
fn calls_that_wait_for_slots_are_abandoned() {
    let mut worker = borrowing();
    worker.submit(1, Priority::Bulk);
    worker.submit(5, Priority::Bulk);
    worker.all_to_all(1, Priority::Bulk);
    let given_up: Vec<u64> = worker.streams.abandon(CallId(2)).map(|(id, _)| id.0).collect();
    assert_eq!(given_up, [2]);
    let given_up: Vec<u64> = worker.streams.abandon(CallId(1)).map(|(id, _)| id.0).collect();
    assert_eq!(given_up, [1]);
    assert_eq!(worker.streams.poll_slot_request(), None);
}
