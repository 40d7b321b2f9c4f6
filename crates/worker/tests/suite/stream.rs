//! The limits of a stream: what it takes, what it gives up, and what it leaves alone.

use crate::hand::{Hand, config};
use netfold_num::{ElementType, Exponent, Protocol};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Pool,
    Position, Repr, WorkerId,
};
use netfold_worker::{CallId, StreamConfig};
use proptest::prelude::*;

/// R-STREAM-1, R-STREAM-3: calls follow each other in the same stream, block by block, and each
/// slot flips its pool (R-WORK-1).
#[test]
fn calls_share_one_stream() {
    let mut worker = Hand::new(2);
    worker.submit(1);
    worker.submit(2);
    let sent = worker.send(0);
    let places: Vec<_> =
        sent.iter().map(|sent| (sent.position.0, sent.slot.0, sent.pool)).collect();
    assert_eq!(places, [(0, 0, Pool::Even), (1, 1, Pool::Even)]);
    assert_ne!(sent[0].call, sent[1].call, "each call has its digest (R-STREAM-6)");
    // R-WORK-3: the result of a slot sets the slot's next block free, whatever the other slots do.
    worker.answer(10, &sent[0], Exponent::ZERO);
    assert_eq!(worker.completed(), [0]);
    let next = worker.send(10);
    assert_eq!((next[0].position.0, next[0].slot.0, next[0].pool), (2, 0, Pool::Odd));
    assert_eq!(next.len(), 1);
    worker.answer(11, &next[0], Exponent::UNKNOWN);
    worker.answer(12, &sent[1], Exponent::UNKNOWN);
    assert_eq!(worker.completed(), [1]);
    // R-STREAM-1: the next call goes on where the stream stands: position 3 is slot 1's, in its
    // other pool.
    worker.submit(1);
    let next = worker.send(20);
    assert_eq!((next[0].position.0, next[0].slot.0, next[0].pool), (3, 1, Pool::Odd));
}

/// R-WORK-2, R-PKT-3 to R-PKT-5: only the result of the outstanding round counts, once.
#[test]
fn what_is_not_the_awaited_result_is_dropped() {
    let mut worker = Hand::new(1);
    worker.submit(2);
    let sent = worker.send(0)[0];
    let awaited =
        Repr { direction: Direction::Result(None), next_exponent: Exponent::ZERO, ..sent };
    let seal = |repr: &Repr, integrity: Integrity| {
        let mut datagram = vec![0; repr.datagram_bytes()];
        repr.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        integrity.seal(&mut datagram);
        datagram
    };
    let foreign = [
        sent,
        Repr { direction: Direction::Result(Some(WorkerId(0))), ..awaited },
        Repr { job: JobId(6), ..awaited },
        Repr { epoch: Epoch(0xF), ..awaited },
        Repr { slot: netfold_wire::SlotIndex(1), ..awaited },
        Repr { pool: Pool::Odd, ..awaited },
        Repr { position: Position(2), ..awaited },
        Repr { kind: Kind::Classes, ..awaited },
        Repr { call: CallDigest(1), ..awaited },
        Repr { elements: 1, ..awaited },
        Repr { element_type: ElementType::I64, elements: 1, ..awaited },
        // The worker is addressed, so its result has lanes.
        Repr { empty: true, ..awaited },
    ];
    for repr in &foreign {
        worker.stream.handle(5, &seal(repr, Integrity::Checksum), Ecn::Clear);
    }
    worker.stream.handle(5, &seal(&awaited, Integrity::Transport), Ecn::Clear);
    let rounds = |worker: &Hand| worker.stream.counters().rounds;
    assert_eq!(rounds(&worker), 0);
    assert_eq!(
        worker.stream.counters().dropped + worker.stream.counters().duplicates,
        foreign.len() as u64 + 1
    );
    worker.stream.handle(6, &seal(&awaited, Integrity::Checksum), Ecn::Clear);
    worker.stream.handle(7, &seal(&awaited, Integrity::Checksum), Ecn::Clear);
    assert_eq!(rounds(&worker), 1);
    assert_eq!(worker.send(7)[0].position, Position(1));
}

/// R-WORK-7: no more than a window is outstanding, and of the rounds that wait the lowest position
/// goes first.
#[test]
fn a_window_is_filled_in_the_order_of_positions() {
    let mut worker = Hand::new(128);
    worker.submit(300);
    let window = worker.stream.window() as usize;
    assert!(
        (1..128).contains(&window),
        "a window below the slots, {window}, is what this test is about"
    );
    let sent = worker.send(0);
    assert_eq!(
        sent.iter().map(|sent| sent.position.0).collect::<Vec<_>>(),
        (0..window as u32).collect::<Vec<_>>()
    );
    // Slots 3 and 7 could go on with positions 131 and 135, but the slots that have not begun come
    // before them.
    worker.answer(900_000, &sent[3], Exponent::UNKNOWN);
    worker.answer(900_000, &sent[7], Exponent::UNKNOWN);
    let next: Vec<_> = worker.send(900_000).iter().map(|sent| sent.position.0).collect();
    let grown = worker.stream.window() as usize - window;
    assert_eq!(next, (window as u32..).take(2 + grown).collect::<Vec<_>>());
}

/// `abandon` gives back the memory of the calls from one on, and of nothing before it; the rest of
/// the stream goes on.
#[test]
fn abandoned_calls_end_and_earlier_ones_go_on() {
    let mut worker = Hand::new(4);
    worker.submit(3);
    worker.submit(4);
    worker.submit(1);
    let sent = worker.send(0);
    assert_eq!(sent.len(), 4);
    worker.answer(1, &sent[0], Exponent::ZERO);
    let given_up: Vec<_> = worker
        .stream
        .abandon(CallId(1))
        .map(|(id, tensor)| (id.0, tensor.into_memory().len()))
        .collect();
    assert_eq!(given_up, [(1, 4 * 8), (2, 8)]);
    assert!(worker.send(1).is_empty(), "nothing of what was given up is sent");
    // A result of an abandoned block is a duplicate now.
    worker.answer(2, &sent[3], Exponent::ZERO);
    assert_eq!(worker.stream.counters().duplicates, 1);
    worker.answer(3, &sent[1], Exponent::ZERO);
    worker.answer(3, &sent[2], Exponent::ZERO);
    assert_eq!(worker.completed(), [0]);
    assert!(worker.send(3).is_empty());
    assert_eq!(worker.stream.poll_timeout(), None);
}

/// R-STREAM-7: a call without elements waits for its round, as every call does, and has its digest.
#[test]
fn a_call_without_elements_has_a_round_without_lanes() {
    let mut worker = Hand::new(1);
    worker.submit(0);
    assert_eq!(worker.completed(), []);
    let sent = worker.send(0);
    let [round] = &*sent else { panic!("{sent:?}") };
    assert_eq!(
        (round.kind, round.empty, round.elements, round.delivery),
        (Kind::Values, true, 0, Delivery::All)
    );
    let mut other = Hand::new(1);
    other.submit(1);
    assert_ne!(other.send(0)[0].call, round.call);
    worker.answer(1, round, Exponent::ZERO);
    assert_eq!(worker.completed(), [0]);
}

/// R-STREAM-2: a call completes at once on a flow that has none of its blocks.
#[test]
fn a_call_completes_at_once_where_none_of_its_blocks_are() {
    let mut worker = Hand::of(StreamConfig { flow: 1, flows: 2, ..config(1, Protocol::Shadow) });
    worker.submit(1);
    assert_eq!(worker.completed(), [0]);
    assert!(worker.send(0).is_empty());
}

/// R-CTRL-6: a position is described by the call that stands there, as long as it is in progress.
#[test]
fn positions_are_described() {
    let mut worker = Hand::new(2);
    worker.submit(2);
    worker.submit(3);
    let described = |worker: &Hand, position| worker.stream.describe(Position(position), None);
    assert_eq!(
        described(&worker, 1).as_deref(),
        Some("all_reduce(sum, i32, 4 elements) as call 1")
    );
    assert_eq!(
        described(&worker, 2).as_deref(),
        Some("all_reduce(sum, i32, 6 elements) as call 2")
    );
    assert_eq!(described(&worker, 5), None);
}

proptest! {
    /// Whatever arrives, the stream neither panics nor takes it for the result that it waits for.
    #[test]
    fn hostile_datagrams_change_nothing(
        bytes in prop::collection::vec(any::<u8>(), 0..80),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255u8), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut worker = Hand::new(2);
        worker.submit(5);
        let sent = worker.send(0);
        let good = Hand::result(&sent[0], Exponent::ZERO);
        worker.stream.handle(1, &bytes, Ecn::Clear);
        let mut damaged = good.clone();
        for (at, change) in &changes {
            damaged[at.index(good.len())] ^= change;
        }
        if damaged != good {
            worker.stream.handle(1, &damaged, Ecn::Clear);
        }
        worker.stream.handle(1, &good[..cut.index(good.len())], Ecn::Clear);
        prop_assert_eq!(worker.stream.counters().rounds, 0);
        prop_assert!(worker.send(1).is_empty());
        worker.stream.handle(2, &good, Ecn::Clear);
        prop_assert_eq!(worker.stream.counters().rounds, 1);
    }

    /// Sealed results with any header fields, as only the switch itself or a holder of the key can
    /// send: no panic, and no block is taken twice.
    #[test]
    fn sealed_nonsense_does_not_panic(
        rounds in prop::collection::vec(
            (any::<[u8; HEADER_BYTES]>(), prop::collection::vec(0..HEADER_BYTES, 0..4), any::<bool>()),
            0..40,
        ),
    ) {
        let mut worker = Hand::new(2);
        worker.submit(5);
        let mut outstanding = worker.send(0);
        for (now_us, (noise, fields, timeout)) in (1..).zip(rounds) {
            let Some(sent) = outstanding.pop() else { break };
            let mut datagram = Hand::result(&sent, Exponent::ZERO);
            for field in fields {
                datagram[field] = noise[field];
            }
            Integrity::Checksum.seal(&mut datagram);
            worker.stream.handle(now_us, &datagram, Ecn::Clear);
            if let Some(due_us) = worker.stream.poll_timeout().filter(|_| timeout) {
                worker.stream.handle_timeout(due_us.max(now_us));
            }
            outstanding.extend(worker.send(1_000_000 * now_us));
        }
        prop_assert!(worker.stream.counters().rounds <= 5);
        prop_assert!(worker.completed().len() <= 1);
    }
}
