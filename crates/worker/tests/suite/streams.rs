//! The two streams of a flow (R-STREAM-8 to R-STREAM-10). The switch is written by hand: it answers
//! what is sent, in any order that a test likes.

mod exchanges;
mod lent;

use std::collections::VecDeque;

use netfold_num::{Arithmetic, ElementType, Exponent, Operation};
use netfold_wire::{
    Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Packet, Position, Repr,
    SlotIndex, Terms, WorkerId,
};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, OtherSlots, Plan, Priority, Reduction, StreamConfig,
    Streams, Timing,
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
