//! Operations are such that faults show: the cases that matter come about, and often.

use std::collections::BTreeMap;

use netfold_cgra::op::Op as ElementOp;

use super::element::{FLOATS, INTEGERS, SIGNS};
use super::fold::{Sum, Sums};
use super::stateless::{Kind, Op, Stateless};
use super::{Vectors, signed, stateful};

/// A predicate that tells whether an operation is of a sort.
type Case = fn(&[u32]) -> bool;

const OPERATIONS: usize = 20_000;

fn records(mut vectors: impl Vectors) -> Vec<Vec<u32>> {
    let next = |_| {
        let mut record = Vec::new();
        vectors.next(&mut record);
        record
    };
    (0..OPERATIONS).map(next).collect()
}

fn count(records: &[Vec<u32>], case: impl Fn(&[u32]) -> bool) -> usize {
    records.iter().filter(|record| case(record)).count()
}

/// Every case has at least so many operations.
fn often<const N: usize>(records: &[Vec<u32>], cases: [(&str, Case); N]) {
    for (name, case) in cases {
        let found = count(records, case);
        assert!(found >= OPERATIONS / 500, "{name}: {found} of {OPERATIONS}");
    }
}

#[test]
fn the_same_seed_gives_the_same_operations_and_another_gives_others() {
    assert_eq!(records(Sums::new(1)), records(Sums::new(1)));
    assert_ne!(records(Sums::new(1)), records(Sums::new(2)));
}

#[test]
fn shifts_by_a_field_go_beyond_the_width_and_carry_signs() {
    let records =
        records(Stateless::new(Kind { width: 32, shift_by_field: true, float: false }, 1));
    let shifts =
        |record: &[u32], op: Op| record[0] == op as u32 && record[4] == 0 && record[5] == 0;
    let beyond = count(&records, |record| {
        shifts(record, Op::ShiftSigned) && record[2] >= 32 && signed(record[1], 32) < 0
    });
    assert!(beyond >= OPERATIONS / 500, "{beyond}");
    let within = count(&records, |record| {
        shifts(record, Op::ShiftLeft) && (1..32).contains(&record[2]) && record[6] != 0
    });
    assert!(within >= OPERATIONS / 500, "{within}");
}

#[test]
fn float_sums_round_cancel_overflow_and_underflow() {
    let mut records =
        records(Stateless::new(Kind { width: 32, shift_by_field: false, float: true }, 1));
    records.retain(|record| record[0] == Op::FloatAdd as u32 && record[4] == 0 && record[5] == 0);
    fn values(record: &[u32]) -> [f32; 3] {
        [record[1], record[2], record[6]].map(f32::from_bits)
    }
    fn exact(record: &[u32]) -> f64 {
        let [a, b, _] = values(record);
        f64::from(a) + f64::from(b)
    }
    often(
        &records,
        [
            ("NaN", |record| values(record)[2].is_nan()),
            ("infinite of finite", |record| {
                let [a, b, sum] = values(record);
                a.is_finite() && b.is_finite() && sum.is_infinite()
            }),
            ("subnormal", |record| values(record)[2].is_subnormal()),
            ("cancels", |record| {
                let [a, b, sum] = values(record);
                sum == 0.0 && a != 0.0 && b != 0.0
            }),
            ("rounds", |record| exact(record) != f64::from(values(record)[2])),
            // The exact sum lies half way between its neighbours.
            ("tie", |record| {
                let sum = values(record)[2];
                let error = exact(record) - f64::from(sum);
                let ulp = f64::from(f32::from_bits(sum.abs().to_bits() + 1)) - f64::from(sum.abs());
                sum.is_finite() && error.abs() * 2.0 == ulp
            }),
        ],
    );
}

#[test]
fn conditions_come_out_in_every_way() {
    let kind = stateful::Kind { width: 32, lean: false, shift: true };
    let records = records(stateful::Stateful::new(kind, 1));
    for outcome in [1, 2, 4, 8] {
        let given =
            count(&records, |record| record[0] == 1 && record[12] == 3 && record[14] == outcome);
        assert!(given >= OPERATIONS / 200, "{outcome}: {given}");
    }
}

#[test]
fn sums_shift_either_side_cancel_and_meet_specials() {
    let records = records(Sums::new(1));
    let (mut sum, mut moved, mut cancelled, mut special) = (Sum::EMPTY, 0, 0, 0);
    for record in &records {
        if record[0] == 1 {
            sum = Sum::EMPTY;
        }
        let before = sum.words();
        sum.add(record[1]);
        assert_eq!(sum.words(), record[2..5]);
        moved += usize::from(before[1] != 0 && before[0] < record[2]);
        cancelled += usize::from(sum.cancelled());
        special += usize::from(before[2] != record[4]);
    }
    for (name, found) in [("moved", moved), ("cancelled", cancelled), ("special", special)] {
        assert!(found >= OPERATIONS / 200, "{name}: {found}");
    }
    // The rest is R-FPI-5 to 9 to the letter, which `Sum` asserts.
    assert!(cancelled <= OPERATIONS / 2, "{cancelled}");
}

/// R-PISA-32: a sum that has cancelled keeps its exponent, and one that begins with zero has none.
#[test]
fn a_sum_keeps_its_exponent_where_it_cancels() {
    let mut sum = Sum::EMPTY;
    sum.add(0);
    assert_eq!(sum.words(), [0xFF00, 0, 0]);
    sum.add(1.0f32.to_bits());
    assert_eq!(sum.words(), [127, 1 << 23, 0]);
    sum.add((-1.0f32).to_bits());
    assert_eq!(sum.words(), [127, 0, 0]);
    // 3 * 2^-25, floored to a multiple of 2^-23 under the exponent of 1.
    sum.add((3.0 * 0.5f32.powi(25)).to_bits());
    assert_eq!(sum.words(), [127, 0, 0]);
    sum.add((-0.5f32.powi(25)).to_bits());
    assert_eq!(sum.words(), [127, u32::MAX, 0]);
    assert!(sum.cancelled());
}

/// R-CGRA-16: the codes that the Verilog compares with are those of configuration words, for every
/// operation of an element.
#[test]
fn operations_of_an_element_have_the_codes_of_configuration_words() {
    let text = include_str!("../../common/element_ops.vh");
    let defined: BTreeMap<String, usize> = text
        .lines()
        .filter_map(|line| line.strip_prefix("`define ELEMENT_")?.split_once("7'd"))
        .map(|(name, code)| (name.trim().replace('_', ""), code.parse().unwrap()))
        .collect();
    let port = [ElementOp::Load, ElementOp::Store, ElementOp::Trap];
    let all = INTEGERS.into_iter().chain(SIGNS).chain(FLOATS).chain(port);
    let codes = all.map(|op| {
        // 0 is a unit that rests.
        let code = ElementOp::ALL.iter().position(|other| *other == op).unwrap() + 1;
        (format!("{op:?}").to_uppercase(), code)
    });
    assert_eq!(defined, codes.collect());
}
