//! Passes of packets through the pipeline (R-QRY-5, R-QRY-11, R-QRY-12).

use netfold_wire::{Predicates, QueryKind, QueryRepr, Replacement, RowProgram, Steps, Ties};

use super::packets::{datagram, hand, query, request, rows, sum};

/// Each packet has three rows, so it is recirculated twice; rows that a cache does not have take a
/// second pass each, where the program needs one for that.
#[test]
fn rows_after_the_first_and_second_passes_are_recirculated() {
    let (buckets, width, seed, ties) = (4, 8, 1, Ties::Drop);
    let distinct = |replacement| RowProgram::Distinct { rows: buckets, width, seed, replacement };
    let predicates = Predicates::new(&[]).unwrap();
    let programs = [
        (RowProgram::Filter { predicates, truth: 1 }, 0),
        (RowProgram::TopThresholds { n: 1, width, steps: Steps::Integer }, 0),
        (RowProgram::TopMatrix { rows: buckets, width: 1, seed, ties }, 0),
        (distinct(Replacement::Fifo), 3),
        (distinct(Replacement::Lru), 0),
        (RowProgram::GroupExtreme { rows: buckets, width, seed, ties }, 3),
        (RowProgram::BloomJoin { words: buckets, bits: 2, seed, forwards_build: true }, 0),
        (sum(), 0),
    ];
    for (program, misses) in programs {
        let mut query = query(program);
        hand(&mut query, &datagram(&request(QueryKind::Open))).unwrap();
        hand(&mut query, &datagram(&rows(0))).unwrap();
        assert_eq!(query.counters().recirculated, 2 + misses, "{program:?}");
        // The same keys again: each row of a cache has room for all of them.
        hand(&mut query, &datagram(&rows(1))).unwrap();
        assert_eq!(query.counters().recirculated, 2 + misses + 2, "{program:?}");
        let one = QueryRepr { rows: 1, ..rows(2) };
        hand(&mut query, &datagram(&one)).unwrap();
        assert_eq!(query.counters().recirculated, 2 + misses + 2, "a row takes one pass");
    }
}
