//! The master's answer from the survivors beside the answer from all rows, for any stream and any
//! interleaving of partitions (R-QRY-4).

use std::collections::{BTreeMap, BTreeSet};

use netfold_num::{Comparison, ExactFormat, Sum};
use netfold_wire::{
    Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties, row_identity,
};
use netfold_worker::rows::MatrixCheck;
use proptest::prelude::*;

use crate::query::{Row, RowMachine, Verdict};

/// A row of a partition.
#[derive(Clone, Copy, Debug)]
struct Line {
    partition: u32,
    number: u64,
    key: u64,
    code: i64,
}

impl Line {
    fn identity(&self) -> u64 {
        row_identity(self.partition, self.number)
    }
}

/// Rows of three partitions, interleaved: few keys, many ties, the extremes of codes among them.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    let code = prop_oneof![
        4 => -20..20_i64,
        2 => any::<i64>(),
        1 => prop::sample::select(&[i64::MIN, i64::MAX][..])
    ];
    prop::collection::vec((0..3_u32, 0..30_u64, code), 0..400).prop_map(|rows| {
        let mut next = [0_u64; 3];
        let line = |(partition, key, code)| {
            let number = next[partition as usize];
            next[partition as usize] += 1;
            Line { partition, number, key, code }
        };
        rows.into_iter().map(line).collect()
    })
}

/// Offers rows, and returns what is forwarded; other rows are returned second.
fn run(machine: &mut RowMachine, lines: &[Line], build: bool) -> (Vec<Line>, Vec<Line>) {
    lines.iter().partition(|line| {
        let columns = [line.code];
        let row = Row { identity: line.identity(), key: line.key, columns: &columns, build };
        machine.offer_row(&row) == Verdict::Forward
    })
}

/// The n largest codes, in order.
fn top(lines: &[Line], n: usize) -> Vec<i64> {
    let mut codes: Vec<i64> = lines.iter().map(|line| line.code).collect();
    codes.sort_unstable_by(|a, b| b.cmp(a));
    codes.truncate(n);
    codes
}

fn largest(lines: &[Line]) -> BTreeMap<u64, i64> {
    lines.iter().fold(BTreeMap::new(), |mut all, line| {
        let known = all.entry(line.key).or_insert(line.code);
        *known = line.code.max(*known);
        all
    })
}

fn ties() -> impl Strategy<Value = Ties> {
    prop::sample::select(&[Ties::Keep, Ties::Drop][..])
}

/// A comparison, and the same in Rust.
type Compared = (Comparison, fn(i64, i64) -> bool);

const COMPARISONS: [Compared; 6] = [
    (Comparison::Less, |code, constant| code < constant),
    (Comparison::AtMost, |code, constant| code <= constant),
    (Comparison::Equal, |code, constant| code == constant),
    (Comparison::Unequal, |code, constant| code != constant),
    (Comparison::AtLeast, |code, constant| code >= constant),
    (Comparison::Greater, |code, constant| code > constant),
];

proptest! {
    /// R-QRY-6: rows of a disjunction of conjunctions, whose truth table is written here case by
    /// case.
    #[test]
    fn a_filter_forwards_the_rows_of_its_condition(
        lines in lines(),
        comparisons in prop::collection::vec((prop::sample::select(&COMPARISONS[..]), -9..9_i64), 0..7),
        terms in prop::collection::vec(prop::collection::vec(any::<bool>(), 6), 0..4),
    ) {
        let count = comparisons.len();
        // A term names comparisons that hold; the condition holds if all of some term do.
        let holds = |outcomes: &[bool]| {
            let all = |term: &Vec<bool>| term.iter().zip(outcomes).all(|(named, is)| *is || !named);
            terms.iter().any(all)
        };
        let truth = (0..1_u64 << count).filter(|case| {
            let outcomes: Vec<bool> = (0..count).map(|at| case >> at & 1 == 1).collect();
            holds(&outcomes)
        });
        let truth = truth.fold(0, |truth, case| truth | 1 << case);
        let predicates: Vec<Predicate> = comparisons
            .iter()
            .map(|((comparison, _), constant)| Predicate {
                column: 0,
                comparison: *comparison,
                constant: *constant,
            })
            .collect();
        let predicates = Predicates::new(&predicates).unwrap();
        let program = RowProgram::Filter { predicates, truth };
        let (survivors, _) = run(&mut RowMachine::new(&program).unwrap(), &lines, false);
        let wanted = lines.iter().filter(|line| {
            let outcome = |((_, holds), constant): &(Compared, i64)| {
                holds(line.code, *constant)
            };
            holds(&comparisons.iter().map(outcome).collect::<Vec<bool>>())
        });
        let name = |line: &Line| (line.partition, line.number);
        prop_assert!(survivors.iter().map(name).eq(wanted.map(name)));
    }

    /// R-QRY-7
    #[test]
    fn thresholds_lose_no_row(
        lines in lines(),
        n in 1..12_u32,
        width in 1..64_u8,
        steps in prop::sample::select(&[
            Steps::Integer,
            Steps::Float { mantissa_bits: 2 },
            Steps::Float { mantissa_bits: 52 },
        ][..]),
    ) {
        let program = RowProgram::TopThresholds { n, width, steps };
        let mut machine = RowMachine::new(&program).unwrap();
        let (survivors, _) = run(&mut machine, &lines, false);
        prop_assert_eq!(top(&survivors, n as usize), top(&lines, n as usize));
    }

    /// R-QRY-8, R-QRY-10: the matrix is small enough to lose rows often. With ties kept, every row
    /// that may be among the first n is there, whatever orders those of one code.
    #[test]
    fn a_matrix_is_exact_when_it_is_verified(
        lines in lines(),
        n in 1..12_usize,
        row_bits in 0..3_u32,
        width in 1..5_u8,
        seed: u64,
        ties in ties(),
    ) {
        let program = RowProgram::TopMatrix { rows: 1 << row_bits, width: width.into(), seed, ties };
        let mut machine = RowMachine::new(&program).unwrap();
        let (mut survivors, dropped) = run(&mut machine, &lines, false);
        let mut check = MatrixCheck::new(&program, n).unwrap();
        survivors.iter().for_each(|line| check.note(line.identity(), line.code));
        // A packet that comes twice.
        survivors.first().iter().for_each(|line| check.note(line.identity(), line.code));
        if let Some(recall) = check.recall() {
            let missing = dropped.iter().filter(|line| recall.wants(line.identity(), line.code));
            survivors.extend(missing);
        }
        let wanted = top(&lines, n);
        prop_assert_eq!(&top(&survivors, n), &wanted);
        if ties == Ties::Keep {
            let last = wanted.last().copied().unwrap_or(0);
            let count = |rows: &[Line]| rows.iter().filter(|line| line.code >= last).count();
            prop_assert_eq!(count(&survivors), count(&lines));
        }
    }

    /// R-QRY-11
    #[test]
    fn no_key_is_lost(
        lines in lines(),
        row_bits in 1..4_u32,
        width in 1..4_u8,
        seed: u64,
        lru: bool,
    ) {
        let replacement = if lru { Replacement::Lru } else { Replacement::Fifo };
        let program = RowProgram::Distinct { rows: 1 << row_bits, width, seed, replacement };
        let mut machine = RowMachine::new(&program).unwrap();
        let (survivors, _) = run(&mut machine, &lines, false);
        let keys = |lines: &[Line]| lines.iter().map(|line| line.key).collect::<BTreeSet<_>>();
        prop_assert_eq!(keys(&survivors), keys(&lines));
        // With room for all keys in each row, each is forwarded once.
        let program = RowProgram::Distinct { rows: 2, width: 30, seed, replacement };
        let (once, _) = run(&mut RowMachine::new(&program).unwrap(), &lines, false);
        prop_assert_eq!(once.len(), keys(&lines).len());
    }

    /// R-QRY-12. With ties kept, all rows with the largest code of a group are there.
    #[test]
    fn no_extreme_is_lost(
        lines in lines(),
        row_bits in 1..4_u32,
        width in 1..4_u8,
        seed: u64,
        ties in ties(),
    ) {
        let program = RowProgram::GroupExtreme { rows: 1 << row_bits, width, seed, ties };
        let mut machine = RowMachine::new(&program).unwrap();
        let (survivors, _) = run(&mut machine, &lines, false);
        let extremes = largest(&lines);
        prop_assert_eq!(&largest(&survivors), &extremes);
        if ties == Ties::Keep {
            let is_one = |line: &&Line| extremes[&line.key] == line.code;
            let count = |rows: &[Line]| rows.iter().filter(is_one).count();
            prop_assert_eq!(count(&survivors), count(&lines));
        }
    }

    /// R-QRY-13
    #[test]
    fn a_join_loses_no_match(
        build in lines(),
        probe in lines(),
        word_bits in 0..4_u32,
        bits in 1..6_u8,
        seed: u64,
        forwards_build: bool,
    ) {
        let words = 1 << word_bits;
        let program = RowProgram::BloomJoin { words, bits, seed, forwards_build };
        let mut machine = RowMachine::new(&program).unwrap();
        let early = run(&mut machine, &probe, false).0.len();
        prop_assert_eq!(early, probe.len(), "before the seal all rows pass");
        let forwarded = run(&mut machine, &build, true).0.len();
        prop_assert_eq!(forwarded, if forwards_build { build.len() } else { 0 });
        machine.seal();
        let (survivors, _) = run(&mut machine, &probe, false);
        let keys: BTreeSet<u64> = build.iter().map(|line| line.key).collect();
        let matches = |rows: &[Line]| rows.iter().filter(|line| keys.contains(&line.key)).count();
        prop_assert_eq!(matches(&survivors), matches(&probe));
    }

    /// R-QRY-18 to 20: sums of a group from its slot and its survivors.
    #[test]
    fn sums_are_exact(
        lines in lines(),
        values in prop::collection::vec((any::<i32>(), -30..30_i32), 400),
        row_bits in 1..4_u32,
        width in 1..4_u8,
        seed: u64,
    ) {
        let sums = [Sum::Integer, Sum::Exact(ExactFormat::F64)];
        let program = RowProgram::GroupSum {
            rows: 1 << row_bits, width, seed, sums: Sums::new(&sums).unwrap(),
        };
        let mut machine = RowMachine::new(&program).unwrap();
        let mut groups: BTreeMap<u64, [Vec<u64>; 2]> = BTreeMap::new();
        let zero = || sums.map(|sum| vec![0; sum.words()]);
        // Floats in units of 2^-30: 400 values of 31 bits, shifted by less than 60, fit 128 bits.
        let mut wanted: BTreeMap<u64, (i128, i128)> = BTreeMap::new();
        for (line, (mantissa, exponent)) in lines.iter().zip(&values) {
            let float = f64::from(*mantissa) * 2.0_f64.powi(*exponent);
            let columns = [line.code, float.to_bits() as i64];
            let row = Row { identity: 0, key: line.key, columns: &columns, build: false };
            if machine.offer_row(&row) == Verdict::Forward {
                let group = groups.entry(line.key).or_insert_with(zero);
                sums.iter().zip(group).zip(columns).for_each(|((sum, all), x)| sum.add(all, x));
            }
            let known = wanted.entry(line.key).or_default();
            known.0 += i128::from(line.code);
            known.1 += i128::from(*mantissa) << (exponent + 30);
        }
        let table = machine.table().unwrap();
        for slot in (0..table.len()).filter_map(|at| table.slot(at)) {
            let group = groups.entry(slot.key).or_insert_with(zero);
            let (integer, float) = slot.accumulators.split_at(2);
            sums[0].merge(&mut group[0], integer);
            sums[1].merge(&mut group[1], float);
        }
        prop_assert_eq!(groups.len(), wanted.len());
        for (key, [integer, float]) in &groups {
            prop_assert_eq!(Sum::Integer.to_i128(integer), Some(wanted[key].0));
            // A conversion rounds to nearest, ties to even; the scale is exact.
            prop_assert_eq!(sums[1].to_f64(float), wanted[key].1 as f64 * 2.0_f64.powi(-30));
        }
    }
}
