//! A query's switch, its attempts and its master, each under any packets (R-QRY).
//!
//! The first byte names the program, and what is tried. The rest is a script of packets, so that
//! the search works on fields and not on checksums. Whatever it says, nobody panics and nobody
//! sends what is not well-formed.
#![no_main]
#![forbid(unsafe_code)]

#[path = "query/draw.rs"]
mod draw;
#[path = "query/master.rs"]
mod master;
#[path = "query/model.rs"]
mod model;
#[path = "query/sender.rs"]
mod sender;
#[path = "query/switch.rs"]
mod switch;

use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use netfold_num::{Comparison, Sum};
use netfold_wire::{
    Epoch, Integrity, JobId, Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties,
};

const JOB: JobId = JobId(1);
const EPOCH: Epoch = Epoch(7);
const WORKERS: u16 = 3;
const PARTITIONS: u32 = 3;
const ATTEMPTS: u16 = 2;
const DATAGRAM_BYTES: usize = 200;
const INTEGRITY: Integrity = Integrity::Checksum;

/// Addends of a sum: a column, and a count of the rows.
const SUMS: [Sum; 2] = [Sum::Integer, Sum::Integer];

/// The programs, in 4 rows of 2 cells.
fn programs() -> [RowProgram; 7] {
    let (rows, width, seed, ties) = (4, 2, 5, Ties::Drop);
    let predicates = [
        Predicate { column: 0, comparison: Comparison::Less, constant: 3 },
        Predicate { column: 1, comparison: Comparison::Equal, constant: 1 },
    ];
    let predicates = Predicates::new(&predicates).expect("there may be two");
    let sums = Sums::new(&SUMS).expect("there may be two");
    [
        RowProgram::Filter { predicates, truth: 0b0110 },
        RowProgram::TopThresholds { n: 3, width, steps: Steps::Integer },
        RowProgram::TopMatrix { rows, width: width.into(), seed, ties },
        RowProgram::Distinct { rows, width, seed, replacement: Replacement::Fifo },
        RowProgram::GroupExtreme { rows, width, seed, ties },
        RowProgram::BloomJoin { words: rows, bits: width, seed, forwards_build: true },
        RowProgram::GroupSum { rows, width, seed, sums },
    ]
}

/// Words of a slot's accumulators; 0 of a program that is no sum.
fn sum_words(program: &RowProgram) -> usize {
    match program {
        RowProgram::GroupSum { sums, .. } => sums.words(),
        _ => 0,
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((first, script)) = input.split_first() else { return };
    let (first, programs) = (usize::from(*first), programs());
    let program = programs[first % programs.len()];
    let mut script = Unstructured::new(script);
    match first / programs.len() % 4 {
        0 | 1 => switch::run(&program, &mut script),
        2 => sender::run(&program, &mut script),
        _ => master::run(&program, &mut script),
    }
});
