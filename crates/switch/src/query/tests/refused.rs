//! Packets that make no sense (R-QRY-23): the switch refuses them, and the master drops them.

use netfold_num::Comparison;
use netfold_wire::{
    Epoch, JobId, Predicate, Predicates, QueryKind, QueryPacket, QueryRepr, Replacement,
    RowProgram, Steps, Ties, WorkerId,
};
use netfold_worker::rows::{Master, MasterConfig, MasterEvent, MasterSlot, Survivors};

use super::packets::{INTEGRITY, datagram, hand, query, request, rows, sum};
use crate::contribution::Refusal;
use crate::query::{Query, Receiver, RowMachine, Rows};

const JOIN: RowProgram =
    RowProgram::BloomJoin { words: 8, bits: 3, seed: 1, forwards_build: false };

/// All programs but that of a join.
fn others() -> [RowProgram; 6] {
    let predicate = Predicate { column: 0, comparison: Comparison::Less, constant: 0 };
    let predicates = Predicates::new(&[predicate]).unwrap();
    let (rows, width, seed, ties) = (4, 2, 1, Ties::Drop);
    [
        RowProgram::Filter { predicates, truth: 1 },
        RowProgram::TopThresholds { n: 1, width: 2, steps: Steps::Integer },
        RowProgram::TopMatrix { rows, width: 2, seed, ties },
        RowProgram::Distinct { rows, width, seed, replacement: Replacement::Fifo },
        RowProgram::GroupExtreme { rows, width, seed, ties },
        sum(),
    ]
}

fn slots(query: &Query) -> usize {
    let table = query.table().unwrap();
    (0..table.len()).filter(|at| table.slot(*at).is_some()).count()
}

/// R-QRY-26: to put keys in twice is for a filter alone.
#[test]
fn rows_of_a_build_side_are_for_joins() {
    let build = QueryRepr { counted: false, build: true, ..rows(0) };
    for program in others() {
        let mut query = query(program);
        assert_eq!(hand(&mut query, &datagram(&build)), Err(Refusal::Range), "{program:?}");
        assert_eq!(query.counters().passed, 0);
    }
    let (receiver, answer) = hand(&mut query(JOIN), &datagram(&build)).unwrap();
    assert_eq!((receiver, answer.rows), (Receiver::Master, 3), "rows of no counted attempt pass");
}

/// The shared table has rows of attempts that are committed, and no others (R-QRY-35).
#[test]
fn the_shared_table_has_committed_rows_alone() {
    let mut query = query(sum());
    for build in [true, true, false] {
        let _ = hand(&mut query, &datagram(&QueryRepr { counted: false, build, ..rows(0) }));
    }
    assert_eq!(slots(&query), 0);
    hand(&mut query, &datagram(&request(QueryKind::Open))).unwrap();
    hand(&mut query, &datagram(&rows(0))).unwrap();
    assert_eq!(slots(&query), 0, "its table is its own");
    let fin = QueryRepr { sequence: 1, counted: true, ..request(QueryKind::Fin) };
    hand(&mut query, &datagram(&fin)).unwrap();
    hand(&mut query, &datagram(&request(QueryKind::Merge))).unwrap();
    assert!(slots(&query) > 0);
}

/// The registers of a partition without a counted attempt are no attempt's, nor are those of one
/// that is committed.
#[test]
fn attempts_have_numbers_of_their_own() {
    for program in [JOIN, sum()] {
        let mut query = query(program);
        let discard = QueryRepr { counted: true, partition: 0, ..request(QueryKind::Discard) };
        hand(&mut query, &datagram(&QueryRepr { attempt: 0, ..discard })).unwrap();
        for (attempt, partition) in [(0, 0), (0, 1), (u32::MAX, 0), (u32::MAX, 1)] {
            for kind in [QueryKind::Open, QueryKind::Fin] {
                let repr = QueryRepr { attempt, partition, counted: true, ..request(kind) };
                assert_eq!(hand(&mut query, &datagram(&repr)), Err(Refusal::Range));
            }
            let rows = QueryRepr { attempt, partition, ..rows(0) };
            assert_eq!(hand(&mut query, &datagram(&rows)), Err(Refusal::Range));
        }
        assert_eq!(query.counters().offered, 0);
    }
}

/// A number after which none comes is no packet's. The one before it is.
#[test]
fn the_last_number_of_all_is_of_no_packet() {
    for program in [JOIN, sum()] {
        let mut query = query(program);
        let open = QueryRepr { sequence: u32::MAX - 1, ..request(QueryKind::Open) };
        hand(&mut query, &datagram(&open)).unwrap();
        assert_eq!(hand(&mut query, &datagram(&rows(u32::MAX))), Err(Refusal::Range));
        hand(&mut query, &datagram(&rows(u32::MAX - 1))).unwrap();
        assert_eq!(query.counters().offered, 3);
        assert_eq!(hand(&mut query, &datagram(&rows(u32::MAX))), Err(Refusal::Range));
        let fin = QueryRepr { sequence: u32::MAX, counted: true, ..request(QueryKind::Fin) };
        let (receiver, fin) = hand(&mut query, &datagram(&fin)).unwrap();
        assert_eq!((receiver, fin.forwarded), (Receiver::Master, true), "all packets are there");
    }
}

/// The switch hands on packets that a master sends, and none that are too long.
#[test]
fn answers_that_are_handed_on_are_acknowledgements() {
    let mut query = query(sum());
    for kind in [QueryKind::Rows, QueryKind::Fin] {
        let acknowledgement = QueryRepr { place: 70_000, ..request(kind).answered() };
        let handed = hand(&mut query, &datagram(&acknowledgement));
        assert_eq!(handed, Ok((Receiver::Worker(WorkerId(1)), acknowledgement)));
    }
    let answer = request(QueryKind::Rows).answered();
    // 65,535 bits are more than 8 KiB.
    let verdicts = QueryRepr { verdicts: true, place: u16::MAX.into(), ..answer };
    let mut bits = vec![0; verdicts.datagram_bytes()];
    verdicts.seal(&INTEGRITY, &mut bits);
    assert_eq!(hand(&mut query, &bits), Err(Refusal::Range));
    let slots = QueryRepr { rows: 2, columns: 2, first: 2, ..request(QueryKind::Read).answered() };
    let open = QueryRepr { counted: true, ..request(QueryKind::Open).answered() };
    for other in [slots, open, QueryRepr { ahead: true, ..answer }] {
        assert_eq!(hand(&mut query, &datagram(&other)), Err(Refusal::Range), "{other:?}");
    }
}

/// Numbers of rows may be any: those after the last one of all begin anew.
#[test]
fn numbers_of_rows_begin_anew_after_the_last() {
    let program = RowProgram::TopMatrix { rows: 2, width: 3, seed: 1, ties: Ties::Drop };
    let mut machine = RowMachine::new(&program).unwrap();
    let rows = Rows { identity: u64::MAX, keys: &[1, 2], columns: &[&[7, 8]], build: false };
    let mut bits = [0];
    machine.offer(&rows, &mut bits);
    assert_eq!(bits, [0b11]);
    let (bits, keys, columns) = (vec![0b101], vec![1, 2], Vec::new());
    let survivors = Survivors { first: u64::MAX, bits, keys, columns };
    assert!(survivors.numbers().eq([u64::MAX, 1]));
}

/// Slots of other sums than the query's are in no answer: who reads them could not tell.
#[test]
fn a_master_takes_no_slots_of_other_sums() {
    let mut master = Master::new(MasterConfig {
        job: JobId(1),
        epoch: Epoch(1),
        partitions: 2,
        sum_words: 2,
        rto_us: 1000,
        memory_bytes: 1 << 20,
        integrity: INTEGRITY,
    });
    let take = |master: &mut Master, repr: &QueryRepr| {
        master.handle(&QueryPacket::new_checked(&datagram(repr)).unwrap());
    };
    let asked = |master: &mut Master, kind| {
        let sent = std::iter::from_fn(|| master.poll_transmit(0));
        let sent: Vec<Vec<u8>> = sent.collect();
        let mut reprs = sent.iter().map(|sent| QueryPacket::new_checked(sent).unwrap().repr);
        reprs.find(|repr| repr.kind == kind && !repr.answer)
    };
    let fin = request(QueryKind::Fin);
    take(&mut master, &QueryRepr { forwarded: true, counted: true, ..fin });
    let merge = asked(&mut master, QueryKind::Merge).unwrap();
    let slots = QueryRepr { columns: 2, first: 2, rows: 1, last: true, ..merge.answered() };
    for columns in [0, 1, 3, 255] {
        take(&mut master, &QueryRepr { columns, first: columns.into(), ..slots });
        assert_eq!(asked(&mut master, QueryKind::Discard), None, "it waits for the answer");
    }
    take(&mut master, &slots);
    let discard = asked(&mut master, QueryKind::Discard).unwrap();
    take(&mut master, &discard.answered());
    let event = master.poll_event();
    let Some(MasterEvent::Committed { slots, .. }) = event else { panic!("{event:?}") };
    assert_eq!(slots, [MasterSlot { key: 5, accumulators: vec![6, 7] }]);
}
