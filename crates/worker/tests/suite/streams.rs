//! The two streams of a flow (R-STREAM-8 to R-STREAM-10). The switch is written by hand: it answers
//! what is sent, in any order that a test likes.

use std::collections::VecDeque;

use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Protocol};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Packet, Position,
    Repr, SlotIndex, Terms, WorkerId,
};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, Lengths, OtherSlots, Plan, Priority, Reduction,
    StreamConfig, Streams, Timing,
};
use proptest::prelude::*;

const LANES: u64 = 2;
const BULK_SLOTS: u16 = 4;
const URGENT_SLOTS: u16 = 2;
const OTHERS: OtherSlots = OtherSlots { urgent: URGENT_SLOTS, long: 0, exchange: 0 };
const CONFIG: StreamConfig = StreamConfig {
    job: JobId(5),
    epoch: Epoch(0xE),
    rank: WorkerId(1),
    first_slot: 0,
    slots: BULK_SLOTS,
    flow: 0,
    flows: 1,
    terms: Terms::new(Integrity::Checksum),
    timing: Timing { rto_initial_us: 1_000, rto_min_us: 400, rto_max_us: 50_000 },
};

struct Hand {
    streams: Streams<Dense<Vec<u8>>>,
    calls: u64,
}

impl Hand {
    fn new() -> Self {
        Self::with(BULK_SLOTS)
    }

    fn with(slots: u16) -> Self {
        Self { streams: Streams::new(StreamConfig { slots, ..CONFIG }, OTHERS), calls: 0 }
    }

    /// A worker of a job with exchange slots.
    fn exchanging() -> Self {
        let others = OtherSlots { exchange: 2, ..OTHERS };
        Self { streams: Streams::new(CONFIG, others), calls: 0 }
    }

    /// An all-to-all of parts of so many blocks.
    fn all_to_all(&mut self, blocks: u64, priority: Priority) {
        let call = Call {
            collective: Collective::AllToAll,
            reduction: Reduction::Fold(Operation::Copy),
            element_type: ElementType::U8,
            elements: 4 * blocks * LANES,
            priority: Some(priority),
        };
        let plan = Plan::new(call, Arithmetic::Native, 3, WorkerId(1), LANES as u32 * 4)
            .expect("parts to exchange");
        let memory = vec![0; 3 * 4 * (blocks * LANES) as usize];
        self.streams.submit(CallId(self.calls), plan.clone(), Dense::new(plan, memory));
        self.calls += 1;
    }

    /// A scan of one block, which is urgent where it is no exchange (R-STREAM-18).
    fn scan(&mut self) {
        self.call(Collective::Scan, LANES, None);
    }

    fn submit(&mut self, blocks: u64, priority: Priority) {
        self.call(Collective::AllReduce, blocks * LANES, Some(priority));
    }

    fn call(&mut self, collective: Collective, elements: u64, priority: Option<Priority>) {
        let call = Call {
            collective,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::I32,
            elements,
            priority,
        };
        let plan = Plan::new(call, Arithmetic::Native, 3, WorkerId(1), LANES as u32 * 4)
            .expect("a sum of integers");
        let memory = vec![0; 4 * elements as usize];
        self.streams.submit(CallId(self.calls), plan.clone(), Dense::new(plan, memory));
        self.calls += 1;
    }

    /// Sends the packets that are ready, each transmission apart.
    fn transmissions(&mut self, now_us: u64) -> Vec<Vec<Repr>> {
        let mut buffer = [0; 8 * (HEADER_BYTES + 8)];
        let mut sent = Vec::new();
        while let Some(transmit) = self.streams.poll_transmit(now_us, &mut buffer, 8) {
            let datagrams = buffer[..transmit.len].chunks(transmit.segment);
            sent.push(
                datagrams
                    .map(|bytes| Repr::parse(&Packet::new_checked(bytes).expect("a packet")))
                    .collect(),
            );
        }
        sent
    }

    fn send(&mut self, now_us: u64) -> Vec<Repr> {
        self.transmissions(now_us).concat()
    }

    fn answer(&mut self, now_us: u64, sent: &Repr) {
        // A result for somebody else has no lanes, and so has that of a barrier.
        let empty = match sent.delivery {
            Delivery::One(receiver) => receiver != WorkerId(1),
            _ => sent.empty,
        };
        let direction = Direction::Result(None);
        let result = Repr { direction, empty, next_exponent: Exponent::ZERO, ..*sent };
        let mut datagram = vec![7; result.datagram_bytes()];
        result.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        Integrity::Checksum.seal(&mut datagram);
        self.streams.handle(now_us, &datagram, Ecn::Clear);
    }

    fn completed(&mut self) -> Vec<u64> {
        std::iter::from_fn(|| self.streams.poll_event())
            .map(|Event::Completed(id, _)| id.0)
            .collect()
    }
}

fn places(sent: &[Repr]) -> Vec<(u16, u32)> {
    sent.iter().map(|sent| (sent.slot.0, sent.position.0)).collect()
}

/// R-STREAM-8, R-STREAM-10: each stream has its positions and its slots, and the urgent one is sent
/// first, whenever it was called.
#[test]
fn urgent_blocks_go_first_through_slots_of_their_own() {
    let mut worker = Hand::new();
    worker.submit(6, Priority::Bulk);
    worker.submit(3, Priority::Urgent);
    let sent = worker.transmissions(0);
    assert_eq!(
        sent.iter().map(|sent| places(sent)).collect::<Vec<_>>(),
        [vec![(4, 0), (5, 1)], vec![(0, 0), (1, 1), (2, 2), (3, 3)],]
    );
    // Bulk waits in its slots, and an urgent slot goes on.
    worker.answer(1, &sent[0][0]);
    let next = worker.send(1);
    assert_eq!(places(&next), [(4, 2)]);
    worker.answer(2, &next[0]);
    worker.answer(2, &sent[0][1]);
    assert_eq!(worker.completed(), [1], "the call that was made last is done first");
    // The next urgent call goes on where its stream stands.
    worker.submit(1, Priority::Urgent);
    assert_eq!(places(&worker.send(3)), [(5, 3)]);
    worker.answer(4, &sent[1][2]);
    assert_eq!(places(&worker.send(4)), [], "position 6 has no block");
    worker.answer(4, &sent[1][0]);
    assert_eq!(places(&worker.send(4)), [(0, 4)]);
}

/// R-STREAM-16: exchanges have slots behind the others, and go after urgent calls and before bulk;
/// a barrier does not wait for them. In a round of theirs every worker has a contribution.
#[test]
fn exchanges_have_slots_of_their_own() {
    let mut worker = Hand::exchanging();
    worker.submit(1, Priority::Bulk);
    worker.all_to_all(2, Priority::Bulk);
    worker.submit(1, Priority::Urgent);
    let sent = worker.transmissions(0);
    let slots: Vec<_> = sent.iter().map(|sent| places(sent)).collect();
    assert_eq!(slots, [vec![(4, 0)], vec![(6, 0), (7, 1)], vec![(0, 0)]]);
    let exchanged =
        |sent: &[Repr]| sent.iter().map(|sent| (sent.delivery, sent.empty)).collect::<Vec<_>>();
    assert_eq!(exchanged(&sent[1]), [(Delivery::Shift(1), false); 2]);
    worker.answer(1, &sent[2][0]);
    assert_eq!(worker.completed(), [0], "bulk does not wait for an exchange");
    worker.answer(1, &sent[1][0]);
    worker.answer(1, &sent[1][1]);
    let rest = worker.send(2);
    assert_eq!(
        (places(&rest), exchanged(&rest)),
        (vec![(6, 2), (7, 3)], vec![(Delivery::Shift(2), false); 2])
    );
    rest.iter().for_each(|sent| worker.answer(3, sent));
    assert_eq!(worker.completed(), [1]);
}

/// R-STREAM-17: a part that is shorter than others is filled up with zeros, what fills up the
/// result is left out, and behind a part's end there is nothing to send or to take.
#[test]
fn shorter_parts_are_filled_up() {
    let others = OtherSlots { exchange: 4, ..OTHERS };
    let mut streams: Streams<Dense<Vec<u8>>> = Streams::new(CONFIG, others);
    // Packets of 8 bytes. Rank 1 sends 3 bytes to rank 2 and takes 5 from rank 0; the longest part
    // of that group, from rank 2 to rank 0, has 11. Of the other group only rank 1 takes: 2 bytes.
    let lengths: Lengths = vec![0, 5, 0, 0, 0, 3, 11, 2, 0].into();
    let call = Call {
        collective: Collective::AllToAll,
        reduction: Reduction::Fold(Operation::Copy),
        element_type: ElementType::U8,
        elements: 0,
        priority: Some(Priority::Bulk),
    };
    let plan = Plan::with_lengths(call, lengths, Arithmetic::Native, 3, WorkerId(1), 8)
        .expect("parts to exchange");
    // Beyond the output there is a byte that nothing may touch.
    let memory = vec![1, 2, 3, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE];
    streams.submit(CallId(0), plan.clone(), Dense::new(plan, memory));
    let mut buffer = vec![0xAA; 8 * (HEADER_BYTES + 8)];
    let mut sent = Vec::new();
    while let Some(transmit) = streams.poll_transmit(0, &mut buffer, 8) {
        sent.extend(buffer[..transmit.len].chunks(transmit.segment).map(<[u8]>::to_vec));
    }
    let packets: Vec<_> =
        sent.iter().map(|bytes| Packet::new_checked(bytes).expect("a packet")).collect();
    let lanes: Vec<_> =
        packets.iter().map(|packet| (packet.repr().elements, packet.lanes())).collect();
    assert_eq!(lanes, [(8, &[1, 2, 3, 0, 0, 0, 0, 0][..]), (3, &[]), (2, &[])]);
    for (packet, lanes) in
        packets.iter().zip([&[9, 8, 7, 6, 5, 0x77, 0x77, 0x77][..], &[], &[4, 3]])
    {
        let result = Repr {
            direction: Direction::Result(Some(WorkerId(1))),
            empty: lanes.is_empty(),
            ..*packet.repr()
        };
        let mut datagram = vec![0; HEADER_BYTES];
        result.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        datagram.extend(lanes);
        Integrity::Checksum.seal(&mut datagram);
        streams.handle(1, &datagram, Ecn::Clear);
    }
    let Some(Event::Completed(_, tensor)) = streams.poll_event() else { panic!("it is complete") };
    assert_eq!(tensor.into_memory(), [9, 8, 7, 6, 5, 4, 3, 0xEE]);
}

/// R-STREAM-16: an urgent all-to-all, and one in a job without exchange slots, is one of pairs.
#[test]
fn other_all_to_alls_are_folds() {
    for (mut worker, priority) in
        [(Hand::exchanging(), Priority::Urgent), (Hand::new(), Priority::Bulk)]
    {
        worker.all_to_all(1, priority);
        let sent = worker.send(0);
        assert!(sent.iter().all(|sent| matches!(sent.delivery, Delivery::One(_))), "{sent:?}");
        assert!(sent.iter().any(|sent| sent.empty));
    }
}

/// R-STREAM-6: a call's number is that in the job, not in its stream, so that workers which
/// disagree about the order of calls find out.
#[test]
fn calls_are_numbered_in_the_job() {
    let digest = |before: &[Priority]| {
        let mut worker = Hand::new();
        before.iter().for_each(|priority| worker.submit(0, *priority));
        worker.submit(1, Priority::Bulk);
        worker.send(0).last().expect("each call sends something").call
    };
    assert_eq!(digest(&[Priority::Bulk]), digest(&[Priority::Urgent]));
    assert_ne!(digest(&[]), digest(&[Priority::Urgent]));
}

/// R-CTRL-6: a position is one of a slot's stream.
#[test]
fn positions_are_described_by_the_stream_of_their_slot() {
    let mut worker = Hand::new();
    worker.submit(2000, Priority::Urgent);
    worker.submit(3, Priority::Bulk);
    let described =
        |slot, position| worker.streams.describe(SlotIndex(slot), Position(position), None);
    let bulk = Some("bulk all_reduce(sum, i32, 6 elements) as call 2".to_owned());
    let urgent = Some("all_reduce(sum, i32, 4000 elements) as call 1".to_owned());
    assert_eq!([0, BULK_SLOTS - 1].map(|slot| described(slot, 1)), [bulk.clone(), bulk]);
    assert_eq!(
        [BULK_SLOTS, BULK_SLOTS + 1, u16::MAX].map(|slot| described(slot, 1)),
        [(); 3].map(|()| urgent.clone())
    );
    assert_eq!((described(0, 3), described(BULK_SLOTS, 2000)), (None, None));
    assert_eq!(
        worker.streams.call(CallId(0)).as_deref(),
        Some("all_reduce(sum, i32, 4000 elements)")
    );
    assert_eq!(
        worker.streams.call(CallId(1)).as_deref(),
        Some("bulk all_reduce(sum, i32, 6 elements)")
    );
    assert!(worker.streams.call(CallId(2)).is_none());
}

/// R-CTRL-5: every call from one on is given up in both streams, and what came before goes on in
/// both.
#[test]
fn calls_are_abandoned_in_both_streams() {
    let mut worker = Hand::new();
    for priority in [Priority::Bulk, Priority::Urgent, Priority::Bulk, Priority::Urgent] {
        worker.submit(1, priority);
    }
    let sent = worker.send(0);
    assert_eq!(places(&sent), [(4, 0), (5, 1), (0, 0), (1, 1)]);
    let mut given_up: Vec<u64> = worker.streams.abandon(CallId(2)).map(|(id, _)| id.0).collect();
    given_up.sort_unstable();
    assert_eq!(given_up, [2, 3]);
    sent.iter().for_each(|sent| worker.answer(1, sent));
    let mut completed = worker.completed();
    completed.sort_unstable();
    assert_eq!(completed, [0, 1]);
    assert_eq!(worker.streams.counters().duplicates, 2);
    assert_eq!(worker.streams.poll_timeout(), None);
}

/// Each stream's timer runs by itself: what is lost is sent again, also of a stream whose other
/// goes on.
#[test]
fn both_streams_retransmit() {
    for lost in [Priority::Bulk, Priority::Urgent] {
        let mut worker = Hand::new();
        worker.submit(1, lost);
        let first = worker.send(0);
        let other = if lost == Priority::Bulk { Priority::Urgent } else { Priority::Bulk };
        worker.submit(200, other);
        let mut again = Vec::new();
        for now_us in (0..2_000).step_by(100) {
            if worker.streams.poll_timeout().is_some_and(|due_us| due_us <= now_us) {
                worker.streams.handle_timeout(now_us);
            }
            for sent in worker.send(now_us) {
                if sent.slot == first[0].slot {
                    again.push(sent)
                } else {
                    worker.answer(now_us, &sent)
                }
            }
        }
        assert_eq!(again.first(), first.first(), "{lost:?}");
        worker.answer(2_000, &first[0]);
        assert!(worker.completed().contains(&0));
    }
}

proptest! {
    /// R-STREAM-3, R-STREAM-8, R-WORK-1: whatever is called and in whatever order results come,
    /// each stream's positions count up from 0, each at its slot, and every call completes once.
    #[test]
    fn streams_do_not_meet(
        calls in prop::collection::vec((0..10u64, any::<bool>()), 1..12),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
    ) {
        let mut worker = Hand::new();
        for (blocks, urgent) in &calls {
            worker.submit(*blocks, if *urgent { Priority::Urgent } else { Priority::Bulk });
        }
        let (mut outstanding, mut seen, mut completed) = (Vec::new(), Vec::new(), Vec::new());
        for now_us in 0.. {
            for sent in worker.send(now_us) {
                seen.push(places(&[sent])[0]);
                outstanding.push(sent);
            }
            completed.extend(worker.completed());
            if outstanding.is_empty() {
                break;
            }
            let pick = picks.get(now_us as usize).map_or(0, |pick| pick.index(outstanding.len()));
            worker.answer(now_us, &outstanding.swap_remove(pick));
        }
        for (urgent, first, slots) in [(false, 0, BULK_SLOTS), (true, BULK_SLOTS, URGENT_SLOTS)] {
            // R-STREAM-7: a call without elements has a block.
            let blocks: u64 = calls.iter().filter(|call| call.1 == urgent).map(|call| call.0.max(1)).sum();
            let mut positions: Vec<_> = seen.iter().filter(|(slot, _)| (*slot >= BULK_SLOTS) == urgent).collect();
            positions.sort_unstable_by_key(|(_, position)| *position);
            let expected: Vec<_> =
                (0..blocks).map(|p| (first + (p % u64::from(slots)) as u16, p as u32)).collect();
            prop_assert!(positions.into_iter().eq(&expected));
        }
        completed.sort_unstable();
        prop_assert!(completed.into_iter().eq(0..calls.len() as u64));
    }
}

/// R-WORK-11: no result is left to gather while an urgent call is in progress.
#[test]
fn an_urgent_call_waits_for_no_results_to_gather() {
    let mut worker = Hand::with(512);
    worker.submit(5000, Priority::Bulk);
    let mut under_way = VecDeque::from(worker.send(0));
    let mut now_us = 0;
    for _ in 0..2000 {
        now_us += 250;
        worker.answer(now_us, &under_way.pop_front().expect("more is under way"));
        under_way.extend(worker.send(now_us));
    }
    assert!(worker.streams.rest_us().is_some());
    worker.submit(1, Priority::Urgent);
    assert_eq!(worker.streams.rest_us(), None);
    let urgent = worker.send(now_us);
    assert_eq!(worker.streams.rest_us(), None);
    worker.answer(now_us + 100, &urgent[0]);
    assert!(worker.streams.rest_us().is_some());
}

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
        let (of, is_bulk) = (worker.send(0), |sent: &Repr| sent.slot.0 < BULK_SLOTS);
        assert_eq!(of.iter().any(is_bulk), !are_lent, "R-STREAM-18: it is bulk without slots, too");
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
