//! Rows a second and core of each program of queries, and the comparison of floats by their codes
//! beside that by the processor's own (issue 29, target 4).
//!
//! `cargo run --release -p netfold-switch --example queries`
//!
//! Rows are uniform and random, 4 million of them, in batches of 100, as they come in packets, and
//! of 4096. Each program is warm: it has seen the rows once. Rounds of all programs alternate; the
//! table has the median, and the 5th and the 95th percentile.
#![expect(clippy::disallowed_types, reason = "it measures; the crate itself reads no clock")]

use std::hint::black_box;
use std::time::Instant;

use netfold_kernels::Kernels;
use netfold_num::{Comparison, ExactFormat, FloatOrder, Sum, code_of_f64, hash_key};
use netfold_switch::query::{RowMachine, Rows};
use netfold_wire::{Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties};

const ROWS: usize = 4 << 20;
const ROUNDS: usize = 11;
/// Different keys.
const KEYS: u64 = 5_000;

fn programs() -> Vec<(&'static str, RowProgram)> {
    let seed = 11;
    let at_least = Predicate { column: 0, comparison: Comparison::AtLeast, constant: 1 << 61 };
    let below = Predicate { column: 1, comparison: Comparison::Less, constant: 1 << 60 };
    let predicates = Predicates::new(&[at_least, below]).expect("two fit");
    let steps = Steps::Float { mantissa_bits: 52 };
    let (rows, width) = (4096, 2);
    let sums = |sums: &[Sum]| RowProgram::GroupSum {
        rows,
        width: 4,
        seed,
        sums: Sums::new(sums).expect("one fits"),
    };
    let replacement = Replacement::Fifo;
    vec![
        ("filter, 2 comparisons", RowProgram::Filter { predicates, truth: 0b1000 }),
        ("top 250, 16 thresholds", RowProgram::TopThresholds { n: 250, width: 16, steps }),
        (
            "top 250, matrix 64 x 12",
            RowProgram::TopMatrix { rows: 64, width: 12, seed, ties: Ties::Keep },
        ),
        ("distinct 4096 x 2, FIFO", RowProgram::Distinct { rows, width, seed, replacement }),
        (
            "group maximum 4096 x 2",
            RowProgram::GroupExtreme { rows, width, seed, ties: Ties::Drop },
        ),
        (
            "Bloom join, 2^16 words, 4 bits",
            RowProgram::BloomJoin { words: 1 << 16, bits: 4, seed, forwards_build: false },
        ),
        ("sum of integers 4096 x 4", sums(&[Sum::Integer])),
        ("sum of f64, native", sums(&[Sum::NativeF64])),
        ("sum of f64, exact", sums(&[Sum::Exact(ExactFormat::F64)])),
        ("sum of f32, fpisa", sums(&[Sum::Fpisa])),
    ]
}

/// Offers all rows in batches, and returns the survivors.
fn offer(machine: &mut RowMachine, keys: &[u64], columns: [&[i64]; 2], batch: usize) -> u64 {
    let mut bits = vec![0; batch.div_ceil(64)];
    let mut survivors = 0;
    let parts = keys.chunks(batch).zip(columns[0].chunks(batch).zip(columns[1].chunks(batch)));
    for (at, (keys, (first, second))) in parts.enumerate() {
        let identity = (at * batch) as u64;
        let rows = Rows { identity, keys, columns: &[first, second], build: false };
        let bits = &mut bits[..rows.words()];
        machine.offer(&rows, bits);
        survivors += bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    }
    survivors
}

/// Median, 5th and 95th percentile of millions of rows a second.
fn rates(seconds: &mut [f64]) -> String {
    seconds.sort_by(f64::total_cmp);
    let rate = |share: f64| {
        let at = ((seconds.len() - 1) as f64 * share).round() as usize;
        ROWS as f64 / seconds[at] / 1e6
    };
    format!("{:8.0} {:8.0} {:8.0}", rate(0.5), rate(0.95), rate(0.05))
}

fn timed(work: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}

fn main() {
    let floats: Vec<f64> = (0..ROWS as u64).map(|row| hash_key(row, 1) as f64 / 1e3).collect();
    let codes: Vec<i64> = floats.iter().map(|x| code_of_f64(*x, FloatOrder::Total)).collect();
    let keys: Vec<u64> = (0..ROWS as u64).map(|row| hash_key(row, 2) % KEYS).collect();
    let columns = [&codes[..], &codes[..]];
    println!("{:<34} {:>8} {:>8} {:>8}", "millions of rows a second", "median", "p5", "p95");
    for batch in [100, 4096] {
        let mut machines: Vec<_> = programs()
            .into_iter()
            .map(|(name, program)| {
                let mut machine = RowMachine::new(&program).expect("the program can be");
                let build = Rows { identity: 0, keys: &keys, columns: &columns, build: true };
                if matches!(program, RowProgram::BloomJoin { .. }) {
                    // A tenth of the keys is on the build side.
                    let keys: Vec<u64> = (0..KEYS / 10).collect();
                    let columns = [&codes[..keys.len()]; 2];
                    let build = Rows { keys: &keys, columns: &columns, ..build };
                    machine.offer(&build, &mut vec![0; build.words()]);
                    machine.seal();
                }
                offer(&mut machine, &keys, columns, batch);
                (name, machine, Vec::new())
            })
            .collect();
        for _ in 0..ROUNDS {
            for (_, machine, seconds) in &mut machines {
                seconds.push(timed(|| offer(machine, &keys, columns, batch)));
            }
        }
        for (name, _, seconds) in &mut machines {
            println!("{:<34} {}", format!("{name}, batches of {batch}"), rates(seconds));
        }
    }
    compare(&floats, &codes);
}

/// Comparison with a constant, a bit for each row: of codes, and of the floats themselves.
fn compare(floats: &[f64], codes: &[i64]) {
    let bound = floats[7];
    let code = code_of_f64(bound, FloatOrder::Total);
    let mut bits = vec![0; 64];
    let (mut by_code, mut by_float) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        by_code.push(timed(|| {
            codes.chunks_exact(4096).fold(0, |sum, codes| {
                Kernels::best().compare(Comparison::AtLeast, codes, code, &mut bits);
                sum + bits[5]
            })
        }));
        by_float.push(timed(|| {
            floats.chunks_exact(4096).fold(0, |sum, floats| {
                for (floats, word) in floats.chunks_exact(64).zip(&mut bits) {
                    let set = floats.iter().enumerate();
                    *word = set.fold(0, |all, (at, x)| all | u64::from(*x >= bound) << at);
                }
                sum + bits[5]
            })
        }));
    }
    println!("{:<34} {}", "comparison of codes", rates(&mut by_code));
    println!("{:<34} {}", "comparison of f64, as compiled", rates(&mut by_float));
}
