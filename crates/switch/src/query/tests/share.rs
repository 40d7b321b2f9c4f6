//! Survivors beside the analysis (R-QRY-9, R-QRY-13).

use netfold_num::hash_key;
use netfold_wire::{RowProgram, Ties};
use netfold_worker::rows::analysis::{bloom_passes, matrix_survivors};

use crate::query::{RowMachine, Rows};

/// A machine's survivors of rows in batches of `batch`, made by functions of their number.
pub(super) fn survivors(
    machine: &mut RowMachine,
    rows: u64,
    key: impl Fn(u64) -> u64,
    code: impl Fn(u64) -> i64,
    build: bool,
) -> u64 {
    const BATCH: u64 = 4096;
    let mut count = 0;
    for first in (0..rows).step_by(BATCH as usize) {
        let numbers = first..(first + BATCH).min(rows);
        let keys: Vec<u64> = numbers.clone().map(&key).collect();
        let codes: Vec<i64> = numbers.map(&code).collect();
        let batch = Rows { identity: first, keys: &keys, columns: &[&codes], build };
        let mut bits = vec![0; batch.words()];
        machine.offer(&batch, &mut bits);
        count += bits.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    }
    count
}

/// Issue 29: 0.24 % of 3 million uniform rows at 64 x 12. The count is a sum of independent
/// indicators, so its variance is below its mean: five deviations.
#[test]
fn the_matrix_forwards_what_the_analysis_says() {
    let (rows, expected) = (3_000_000, matrix_survivors(3_000_000, 64, 12));
    for seed in 0..3 {
        let program = RowProgram::TopMatrix { rows: 64, width: 12, seed, ties: Ties::Keep };
        let mut machine = RowMachine::new(&program).unwrap();
        let code = |row| hash_key(row, seed + 77) as i64;
        let count = survivors(&mut machine, rows, |row| row, code, false) as f64;
        assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{count} {expected}");
    }
}

/// R-QRY-13: false positives are binomial with this probability, once the filter is given: two
/// deviations of the filter's own randomness, which is less than that of its keys' count, are in
/// the bound of a tenth.
#[test]
fn a_bloom_filter_passes_what_the_analysis_says() {
    let (keys, words, bits) = (20_000, 1 << 12, 4);
    let program = RowProgram::BloomJoin { words, bits, seed: 5, forwards_build: false };
    let mut machine = RowMachine::new(&program).unwrap();
    assert_eq!(survivors(&mut machine, 100, |row| row, |_| 0, false), 100, "not sealed");
    assert_eq!(survivors(&mut machine, keys, |row| row, |_| 0, true), 0);
    machine.seal();
    assert_eq!(survivors(&mut machine, keys, |row| row, |_| 0, false), keys, "no key is lost");
    let probes = 400_000;
    let passed = survivors(&mut machine, probes, |row| row + (1 << 40), |_| 0, false) as f64;
    let expected = bloom_passes(keys, words, bits) * probes as f64;
    assert!((passed / expected - 1.0).abs() < 0.1, "{passed} {expected}");
}
