//! Rows a second and core of each program of queries, and the comparison of floats by their codes
//! beside that by the processor's own; rows that matrices forward, beside the analysis.
//!
//! `cargo run --release -p netfold-switch --example queries`; with `--json` as data.
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
use netfold_worker::rows::analysis::matrix_survivors;
use serde::Serialize;

const ROWS: usize = 4 << 20;
const ROUNDS: usize = 11;
/// Different keys.
const KEYS: u64 = 5_000;
/// Rows that matrices are offered, in random order, and the sizes of these.
const UNIFORM: u64 = 3_000_000;
const MATRICES: [(u32, u8); 4] = [(64, 4), (64, 8), (64, 12), (256, 8)];

/// Rates of a program, or of a comparison: medians and percentiles of rounds.
#[derive(Serialize)]
struct Rate {
    name: &'static str,
    /// Rows that are offered at a time.
    batch: usize,
    median: f64,
    p5: f64,
    p95: f64,
}

/// Rows of [`UNIFORM`] that a matrix forwards.
#[derive(Serialize)]
struct Forwarded {
    rows: u32,
    width: u8,
    counted: u64,
    /// The number that is expected (R-QRY-9).
    expected: f64,
}

#[derive(Serialize)]
struct Report {
    /// Millions of rows a second and core.
    rates: Vec<Rate>,
    forwarded: Vec<Forwarded>,
}

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

/// Returns millions of rows a second.
fn rate(name: &'static str, batch: usize, mut seconds: Vec<f64>) -> Rate {
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let at = ((seconds.len() - 1) as f64 * share).round() as usize;
        ROWS as f64 / seconds[at] / 1e6
    };
    Rate { name, batch, median: at(0.5), p5: at(0.95), p95: at(0.05) }
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
    let mut rates: Vec<Rate> =
        [100, 4096].into_iter().flat_map(|batch| pruning(&keys, &codes, batch)).collect();
    rates.extend(compare(&floats, &codes));
    let report = Report { rates, forwarded: forwarded() };
    if std::env::args().any(|argument| argument == "--json") {
        println!("{}", serde_json::to_string_pretty(&report).expect("a report is plain data"));
    } else {
        report.print();
    }
}

impl Report {
    fn print(&self) {
        println!("{:<32} batch  median      p5     p95", "millions of rows a second");
        for Rate { name, batch, median, p5, p95 } in &self.rates {
            println!("{name:<32} {batch:>5} {median:>7.0} {p5:>7.0} {p95:>7.0}");
        }
        for Forwarded { rows, width, counted, expected } in &self.forwarded {
            println!("matrix {rows} x {width} forwards {counted} rows, {expected:.0} expected");
        }
    }
}

/// Times all programs, in turns.
fn pruning(keys: &[u64], codes: &[i64], batch: usize) -> Vec<Rate> {
    let columns = [codes, codes];
    let mut machines: Vec<_> = programs()
        .into_iter()
        .map(|(name, program)| {
            let mut machine = RowMachine::new(&program).expect("the program can be");
            if matches!(program, RowProgram::BloomJoin { .. }) {
                // A tenth of the keys is on the build side.
                let keys: Vec<u64> = (0..KEYS / 10).collect();
                let columns = [&codes[..keys.len()]; 2];
                let build = Rows { identity: 0, keys: &keys, columns: &columns, build: true };
                machine.offer(&build, &mut vec![0; build.words()]);
                machine.seal();
            }
            offer(&mut machine, keys, columns, batch);
            (name, machine, Vec::new())
        })
        .collect();
    for _ in 0..ROUNDS {
        for (_, machine, seconds) in &mut machines {
            seconds.push(timed(|| offer(machine, keys, columns, batch)));
        }
    }
    machines.into_iter().map(|(name, _, seconds)| rate(name, batch, seconds)).collect()
}

/// Counts the rows that matrices forward.
fn forwarded() -> Vec<Forwarded> {
    let keys: Vec<u64> = (0..UNIFORM).collect();
    let codes: Vec<i64> = keys.iter().map(|row| hash_key(*row, 3) as i64).collect();
    MATRICES
        .into_iter()
        .map(|(rows, width)| {
            let ties = Ties::Keep;
            let program = RowProgram::TopMatrix { rows, width: width.into(), seed: 11, ties };
            let mut machine = RowMachine::new(&program).expect("the program can be");
            let counted = offer(&mut machine, &keys, [&codes, &codes], 4096);
            let expected = matrix_survivors(UNIFORM, rows, width);
            Forwarded { rows, width, counted, expected }
        })
        .collect()
}

/// Times comparisons with a constant, a bit for each row: of codes, and of the floats themselves.
fn compare(floats: &[f64], codes: &[i64]) -> [Rate; 2] {
    const BATCH: usize = 4096;
    let bound = floats[7];
    let code = code_of_f64(bound, FloatOrder::Total);
    let mut bits = vec![0; BATCH / 64];
    let (mut by_code, mut by_float) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        by_code.push(timed(|| {
            codes.chunks_exact(BATCH).fold(0, |sum, codes| {
                Kernels::best().compare(Comparison::AtLeast, codes, code, &mut bits);
                sum + bits[5]
            })
        }));
        by_float.push(timed(|| {
            floats.chunks_exact(BATCH).fold(0, |sum, floats| {
                for (floats, word) in floats.chunks_exact(64).zip(&mut bits) {
                    let set = floats.iter().enumerate();
                    *word = set.fold(0, |all, (at, x)| all | u64::from(*x >= bound) << at);
                }
                sum + bits[5]
            })
        }));
    }
    [
        rate("comparison of codes", BATCH, by_code),
        rate("comparison of f64, as compiled", BATCH, by_float),
    ]
}
