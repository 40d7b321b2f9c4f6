//! Caches beside lists that are kept by hand (R-QRY-11, R-QRY-12).

use std::collections::{BTreeMap, VecDeque};

use netfold_num::hash_key;
use netfold_wire::{Replacement, RowProgram, Ties};
use proptest::prelude::*;

use crate::query::{RowMachine, Rows};

/// Few keys, so that rows of few cells are hit as well as missed.
const KEYS: u64 = 12;

/// Offers rows in one batch, and returns which are forwarded.
fn offered(program: &RowProgram, rows: &[(u64, i64)]) -> Vec<bool> {
    let mut machine = RowMachine::new(program).expect("the program can be");
    let (keys, codes): (Vec<u64>, Vec<i64>) = rows.iter().copied().unzip();
    let columns: &[&[i64]] = &[&codes];
    let columns = if matches!(program, RowProgram::Distinct { .. }) { &[] } else { columns };
    let rows = Rows { identity: 0, keys: &keys, columns, build: false };
    let mut bits = vec![u64::MAX; rows.words()];
    machine.offer(&rows, &mut bits);
    (0..keys.len()).map(|at| bits[at / 64] >> (at % 64) & 1 != 0).collect()
}

fn some_rows() -> impl Strategy<Value = Vec<(u64, i64)>> {
    prop::collection::vec((0..KEYS, 0..6_i64), 0..200)
}

proptest! {
    /// R-QRY-11.
    #[test]
    fn keys_move_on_and_leave(
        rows in some_rows(),
        bits in 1..3_u32,
        width in 1..10_u8,
        seed: u64,
        lru: bool,
    ) {
        let mut cached: BTreeMap<u64, VecDeque<u64>> = BTreeMap::new();
        let expected: Vec<bool> = rows.iter().map(|(key, _)| {
            let row = cached.entry(hash_key(*key, seed) >> (64 - bits)).or_default();
            let hit = row.iter().position(|cell| cell == key);
            match hit {
                Some(at) if lru => {
                    row.remove(at);
                    row.push_front(*key);
                }
                Some(_) => {}
                None => row.push_front(*key),
            }
            row.truncate(width.into());
            hit.is_none()
        }).collect();
        let replacement = if lru { Replacement::Lru } else { Replacement::Fifo };
        let program = RowProgram::Distinct { rows: 1 << bits, width, seed, replacement };
        prop_assert_eq!(offered(&program, &rows), expected);
    }

    /// R-QRY-12.
    #[test]
    fn the_largest_code_stays_with_its_key(
        rows in some_rows(),
        bits in 1..3_u32,
        width in 1..10_u8,
        seed: u64,
        keeps: bool,
    ) {
        let mut cached: BTreeMap<u64, VecDeque<(u64, i64)>> = BTreeMap::new();
        let expected: Vec<bool> = rows.iter().map(|(key, code)| {
            let row = cached.entry(hash_key(*key, seed) >> (64 - bits)).or_default();
            if let Some((_, known)) = row.iter_mut().find(|(cell, _)| cell == key) {
                let forwards = *code > *known || keeps && *code == *known;
                *known = (*known).max(*code);
                return forwards;
            }
            row.push_front((*key, *code));
            row.truncate(width.into());
            true
        }).collect();
        let ties = if keeps { Ties::Keep } else { Ties::Drop };
        let program = RowProgram::GroupExtreme { rows: 1 << bits, width, seed, ties };
        prop_assert_eq!(offered(&program, &rows), expected);
    }
}
