//! R-QRY-17: a batch has the verdicts of its rows.

use netfold_num::{Comparison, Sum};
use netfold_wire::{Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties};
use proptest::prelude::*;

use crate::query::{Row, RowMachine, Rows, Verdict};

fn ties() -> impl Strategy<Value = Ties> {
    prop::sample::select(&[Ties::Keep, Ties::Drop][..])
}

fn rows(least: u32) -> impl Strategy<Value = u32> {
    (least..5).prop_map(|bits| 1 << bits)
}

/// Any program, small enough that its rows fill.
pub(super) fn any_program() -> impl Strategy<Value = RowProgram> {
    use Comparison::*;
    let comparison = prop::sample::select(&[Less, AtMost, Equal, Unequal, AtLeast, Greater][..]);
    let predicate = (0..2_u8, comparison, -6..6_i64)
        .prop_map(|(column, comparison, constant)| Predicate { column, comparison, constant });
    let steps = prop_oneof![Just(Steps::Integer), Just(Steps::Float { mantissa_bits: 2 })];
    let replacement = prop::sample::select(&[Replacement::Fifo, Replacement::Lru][..]);
    prop_oneof![
        (prop::collection::vec(predicate, 0..7), any::<u64>()).prop_map(|(all, truth)| {
            RowProgram::Filter { predicates: Predicates::new(&all).unwrap(), truth }
        }),
        (1..9_u32, 1..6_u8, steps).prop_map(|(n, width, steps)| RowProgram::TopThresholds {
            n,
            width,
            steps
        }),
        (rows(0), 1..4_u8, any::<u64>(), ties()).prop_map(|(rows, width, seed, ties)| {
            RowProgram::TopMatrix { rows, width: width.into(), seed, ties }
        }),
        (rows(1), 1..6_u8, any::<u64>(), replacement).prop_map(
            |(rows, width, seed, replacement)| RowProgram::Distinct {
                rows,
                width,
                seed,
                replacement
            }
        ),
        (rows(1), 1..6_u8, any::<u64>(), ties()).prop_map(|(rows, width, seed, ties)| {
            RowProgram::GroupExtreme { rows, width, seed, ties }
        }),
        (rows(0), 1..6_u8, any::<u64>(), any::<bool>()).prop_map(
            |(words, bits, seed, forwards_build)| RowProgram::BloomJoin {
                words,
                bits,
                seed,
                forwards_build
            }
        ),
        (rows(1), 1..4_u8, any::<u64>()).prop_map(|(rows, width, seed)| RowProgram::GroupSum {
            rows,
            width,
            seed,
            sums: Sums::new(&[Sum::Integer, Sum::NativeF64]).unwrap(),
        }),
    ]
}

proptest! {
    #[test]
    fn a_batch_has_the_verdicts_of_its_rows(
        program in any_program(),
        keys in prop::collection::vec((0..40_u64, -9..9_i64, -9..9_i64), 0..1500),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 3),
        sides in any::<[bool; 4]>(),
        identity in 0..1_u64 << 50,
    ) {
        let mut one = RowMachine::new(&program).unwrap();
        let mut all = one.clone();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(keys.len() + 1)).collect();
        cuts.extend([0, keys.len()]);
        cuts.sort_unstable();
        for (part, build) in cuts.windows(2).zip(sides) {
            let rows = &keys[part[0]..part[1]];
            let column = |at: usize| -> Vec<i64> {
                rows.iter().map(|row| if at == 0 { row.1 } else { row.2 }).collect()
            };
            let (first, second) = (column(0), column(1));
            let part_keys: Vec<u64> = rows.iter().map(|row| row.0).collect();
            let identity = identity + part[0] as u64;
            let columns = [&first[..], &second[..]];
            let batch = Rows { identity, keys: &part_keys, columns: &columns, build };
            let mut bits = vec![u64::MAX; batch.words()];
            all.offer(&batch, &mut bits);
            for (at, row) in rows.iter().enumerate() {
                let columns = [row.1, row.2];
                let identity = identity + at as u64;
                let row = Row { identity, key: row.0, columns: &columns, build };
                let forwards = one.offer_row(&row) == Verdict::Forward;
                prop_assert_eq!(bits[at / 64] >> (at % 64) & 1 == 1, forwards, "row {}", at);
            }
            let behind = (rows.len()..bits.len() * 64).any(|at| bits[at / 64] >> (at % 64) & 1 == 1);
            prop_assert!(!behind, "no bits behind the last row");
            prop_assert_eq!(&one, &all);
            if build {
                one.seal();
                all.seal();
            }
        }
    }
}
