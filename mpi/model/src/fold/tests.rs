use super::*;
use crate::pair::Number;

#[test]
fn unsigned_numbers_compare_by_their_bias() {
    // R-MPI-6
    let fold = fold(Op::Max, Element::U32, Arithmetic::Native).unwrap();
    let as_lane = |number: u32| {
        let lane = fold.prepare(&number.to_ne_bytes());
        assert_eq!(fold.restore(&lane), number.to_ne_bytes());
        i32::from_ne_bytes(lane.try_into().unwrap())
    };
    let ordered = [0, 1, 0x7FFF_FFFF, 0x8000_0000, u32::MAX].map(as_lane);
    assert!(ordered.is_sorted(), "{ordered:?}");
    let signed = super::fold(Op::Min, Element::I8, Arithmetic::Native).unwrap();
    let ordered = [-128_i8, -1, 0, 127].map(|number| signed.prepare(&number.to_ne_bytes())[0]);
    assert!(ordered.is_sorted(), "{ordered:?}");
}

#[test]
fn truth_values_fold_as_bytes() {
    let fold = fold(Op::Lxor, Element::I64, Arithmetic::Native).unwrap();
    let numbers: Vec<u8> = [0_i64, 256, -1].iter().flat_map(|n| n.to_ne_bytes()).collect();
    let lanes = fold.prepare(&numbers);
    assert_eq!(lanes, [0, 1, 1]);
    // The sum of 255 and of 254 ones.
    let back = fold.restore(&[255, 254]);
    assert_eq!(back[..8], 1_i64.to_ne_bytes());
    assert_eq!(back[8..], [0; 8]);
    assert_eq!(super::fold(Op::Land, Element::F64, Arithmetic::Native), Err(Refusal::Operation));
}

#[test]
fn short_integers_fold_as_longer_ones() {
    // R-MPI-6: the lower half of a sum of longer integers is that of the shorter ones.
    for (op, element) in [(Op::Max, Element::I16), (Op::Max, Element::U16)] {
        let fold = fold(op, element, Arithmetic::Native).unwrap();
        let numbers: Vec<u8> = [-2_i16, 5].iter().flat_map(|n| n.to_ne_bytes()).collect();
        let lanes = fold.prepare(&numbers);
        assert_eq!(fold.restore(&lanes), numbers);
        let first = i32::from_ne_bytes(lanes[..4].try_into().unwrap());
        assert_eq!(first, if element == Element::I16 { -2 } else { 0xFFFE });
    }
    let sum = super::fold(Op::Sum, Element::U16, Arithmetic::Native).unwrap();
    assert_eq!(sum.restore(&0x1_0003_i32.to_ne_bytes()), 3_u16.to_ne_bytes());
    assert_eq!((sum.lanes, sum.bytes), (1, 2));
}

#[test]
fn bits_fold_as_truth_values() {
    let fold = fold(Op::Bxor, Element::U16, Arithmetic::Native).unwrap();
    assert_eq!((fold.lanes, fold.bytes), (16, 2));
    let lanes = fold.prepare(&[0b1000_0001, 0xFF]);
    assert_eq!(lanes, [[1, 0, 0, 0, 0, 0, 0, 1], [1; 8]].concat());
    assert_eq!(fold.restore(&lanes), [0b1000_0001, 0xFF]);
    // Sums of 255, 2 and 1 ones.
    assert_eq!(fold.restore(&[255, 2, 1, 0, 0, 0, 0, 0]), [0b101]);
    let and = super::fold(Op::Band, Element::I64, Arithmetic::Native).unwrap();
    assert_eq!(and.operation, Operation::Min);
}

#[test]
fn pairs_fold_by_their_keys() {
    // R-MPI-17
    let pair = Element::Pair(Pair { value: Number::F32, index: Number::I32 });
    let fold = fold(Op::Maxloc, pair, Arithmetic::Native).unwrap();
    let of = |value: f32, index: i32| [value.to_ne_bytes(), index.to_ne_bytes()].concat();
    // From the one that is found to those that are not.
    let ordered = [of(f32::INFINITY, 0), of(2.0, -1), of(2.0, 5), of(-0.0, 1), of(0.0, 2)];
    let lanes = fold.prepare(&ordered.concat());
    assert_eq!(fold.restore(&lanes), ordered.concat());
    let keys: Vec<i64> = lanes.as_chunks().0.iter().map(|k| i64::from_ne_bytes(*k)).collect();
    assert!(keys.is_sorted(), "{keys:?}");
    assert!(!fold.depends_on_order(Arithmetic::Native, 3));
    for (op, element) in [(Op::Sum, pair), (Op::Band, pair)] {
        let refused = super::fold(op, element, Arithmetic::Native);
        assert_eq!(refused, Err(Refusal::Operation), "{op:?}");
    }
}

#[test]
fn keys_of_two_lanes_fold_where_they_arrive() {
    // R-MPI-17
    let pair = Element::Pair(Pair { value: Number::F64, index: Number::I32 });
    let fold = fold(Op::Minloc, pair, Arithmetic::Native).unwrap();
    let of = |value: f64, index: i32| [&value.to_ne_bytes()[..], &index.to_ne_bytes()].concat();
    let rows = [[of(1.0, 3), of(5.0, 9)], [of(1.0, 2), of(7.0, -4)], [of(3.0, -9), of(6.0, 0)]];
    let lanes: Vec<u8> = rows.iter().flat_map(|row| fold.prepare(&row.concat())).collect();
    assert!(fold.is_gathered());
    let least = |rows: usize| fold.restore(&fold.least(&lanes[..rows * 32], 32));
    assert_eq!(least(1), rows[0].concat());
    assert_eq!(least(3), [of(1.0, 2), of(5.0, 9)].concat());
    assert!(fold.least(&[], 0).is_empty());
}

#[test]
fn only_roundings_depend_on_the_order() {
    let native = |op, element, workers| {
        fold(op, element, Arithmetic::Native).unwrap().depends_on_order(Arithmetic::Native, workers)
    };
    assert!(native(Op::Sum, Element::F64, 3) && native(Op::Sum, Element::C32, 3));
    assert!(!native(Op::Sum, Element::F64, 2) && !native(Op::Max, Element::F64, 3));
    assert!(!native(Op::Prod, Element::I32, 3));
    let block = fold(Op::Sum, Element::F32, Arithmetic::Block).unwrap();
    assert!(!block.depends_on_order(Arithmetic::Block, 3));
    assert_eq!(fold(Op::Sum, Element::F64, Arithmetic::Block), Err(Refusal::Operation));
}

#[test]
fn what_netfold_lacks_is_refused() {
    for (op, element) in [
        (Op::Band, Element::F32),
        (Op::Bor, Element::Logical),
        (Op::Minloc, Element::F64),
        (Op::Prod, Element::C64),
        (Op::Sum, Element::Bool),
        (Op::Max, Element::Logical),
    ] {
        assert_eq!(fold(op, element, Arithmetic::Native), Err(Refusal::Operation), "{op:?}");
    }
}

#[test]
fn refusals_stand_in_their_order() {
    for (number, refusal) in Refusal::ALL.into_iter().enumerate() {
        assert_eq!(refusal as usize, number);
    }
}
