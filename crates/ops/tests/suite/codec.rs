//! Codecs (R-OP-30), state (R-OP-31) and answers (R-OP-32) of modules.

use netfold_ops::{Claim, Limits, Operation, Refused, TrapCause, TypedOperation, examine};
use proptest::prelude::*;

use super::support::{SUM_BODY, bytes, integers, load, module, runtime};

/// Numbers from -128 to 127 travel as bytes, 128 more than they are; larger ones become the bound.
const CODEC: &str = r#"
    (func (export "decode") (param $to i32) (param $from i32) (param $count i32)
        (loop $next
            (i32.store (local.get $to)
                (i32.sub (i32.load8_u (local.get $from)) (i32.const 128)))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (local.set $from (i32.add (local.get $from) (i32.const 1)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
    (func (export "encode") (param $to i32) (param $from i32) (param $count i32) (local $value i32)
        (loop $next
            (local.set $value (i32.add (i32.load (local.get $from)) (i32.const 128)))
            (if (i32.lt_s (local.get $value) (i32.const 0))
                (then (local.set $value (i32.const 0))))
            (if (i32.gt_s (local.get $value) (i32.const 255))
                (then (local.set $value (i32.const 255))))
            (i32.store8 (local.get $to) (local.get $value))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))
            (local.set $from (i32.add (local.get $from) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#;

/// Adds 1 to each element of a result.
const MAP: &str = r#"
    (func (export "map") (param $at i32) (param $count i32)
        (loop $next
            (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#;

const SHORT: &str =
    "abi 1\nname short\nelement i32\nwire u8\nassociative yes\ncommutative yes\nrange 0 -99 99\n";

/// Keeps 1,024 sums in its memory. A request has a place and a number: the reply has the rank, and
/// the place's sum before the number was added to it.
const LEDGER: &str = r#"
    (memory (export "memory") 1)
    (func (export "answer") (param $at i32) (param $count i32) (param $rank i32)
        (local $place i32) (local $sum i32)
        (loop $next
            (local.set $place
                (i32.mul (i32.const 4)
                    (i32.and (i32.load (local.get $at)) (i32.const 1023))))
            (local.set $sum (i32.load (local.get $place)))
            (i32.store (local.get $place)
                (i32.add (local.get $sum) (i32.load offset=4 (local.get $at))))
            (i32.store (local.get $at) (local.get $rank))
            (i32.store offset=4 (local.get $at) (local.get $sum))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#;

const LEDGER_DECLARATION: &str = "abi 1\nname ledger\nelement i32,i32\nstate 4096\n";

fn short(further: &str) -> Operation {
    load(&module(SHORT, &format!("{SUM_BODY}{CODEC}{further}"))).unwrap()
}

/// The wire form of a number, by the definition of the codec.
fn wire(number: i32) -> u8 {
    (number + 128).clamp(0, 255) as u8
}

/// R-OP-44: the codec has no room for sums of two numbers, unless these are in half of its range.
#[test]
fn a_codec_that_loses_something_is_found() {
    for (range, lost) in [("-99 99", &[Claim::Lossless][..]), ("-60 60", &[])] {
        let declaration = SHORT.replace("-99 99", range) + "lossless yes\n";
        let operation = load(&module(&declaration, &format!("{SUM_BODY}{CODEC}"))).unwrap();
        let found = examine(&operation, 100, 1).unwrap();
        assert!(found.iter().map(|one| one.claim).eq(lost.iter().copied()), "{found:?}");
    }
}

proptest! {
    /// R-OP-30: a round folds what was decoded, and encodes the map of the sum, once.
    #[test]
    fn a_round_encodes_its_result_alone(
        operands in prop::collection::vec(prop::collection::vec(-99_i32..100, 5), 1..6),
    ) {
        for (further, more) in [("", 0), (MAP, 1)] {
            let operation = short(further);
            let mut instance = TypedOperation::instance(&operation).unwrap();
            let sent: Vec<Vec<u8>> =
                operands.iter().map(|one| one.iter().map(|&number| wire(number)).collect()).collect();
            let mut lanes = sent[0].clone();
            let mut rest = sent[1..].iter().map(Vec::as_slice);
            instance.fold(&mut lanes, &mut rest, true).unwrap();
            let sums = (0..5).map(|at| operands.iter().map(|one| one[at]).sum::<i32>());
            prop_assert_eq!(lanes, sums.map(|sum| wire(sum + more)).collect::<Vec<_>>());
        }
    }
}

/// R-OP-30: numbers go there and back as they are, many batches of them; bounds hold.
#[test]
fn elements_are_encoded_and_decoded_batch_by_batch() {
    let operation = short("");
    let typed: &dyn TypedOperation = &operation;
    // A batch has as many elements as 64 KiB hold of four bytes each.
    assert_eq!((typed.element_bytes(), typed.batch_bytes()), (1, 16_384));
    assert!(!typed.any_order() && typed.finishes() && typed.folds());
    let mut instance = operation.instance().unwrap();
    let numbers: Vec<i32> = (0..40_000).map(|at| at % 256 - 128).collect();
    let encoded = instance.encode(&bytes(&numbers)).unwrap();
    assert_eq!(encoded, numbers.iter().map(|&number| wire(number)).collect::<Vec<_>>());
    assert_eq!(integers(&instance.decode(&encoded).unwrap()), numbers);
    assert_eq!(instance.encode(&bytes(&[-1000, 1000])).unwrap(), [0, 255]);
    assert_eq!(instance.encode(&[]).unwrap(), []);
    // Claims are about elements, and hold.
    assert_eq!(examine(&operation, 20, 1).unwrap(), []);
}

/// R-OP-30: without a codec elements travel as they are.
#[test]
fn elements_travel_as_they_are_without_a_codec() {
    let operation = load(&module("abi 1\nname sum\nelement i32\n", SUM_BODY)).unwrap();
    let mut instance = operation.instance().unwrap();
    let elements = bytes(&[1, 2]);
    assert_eq!(instance.encode(&elements).unwrap(), elements);
    assert_eq!(instance.decode(&elements).unwrap(), elements);
}

/// R-OP-30, R-OP-32: what a declaration needs is exported, and nothing that it does not have.
#[test]
fn exports_go_with_the_declaration() {
    let sum = "abi 1\nname sum\nelement i32\n";
    let answer = "(func (export \"answer\") (param i32 i32 i32))";
    let cases = [
        (SHORT, SUM_BODY.to_owned(), "`decode`"),
        (SHORT, format!("{SUM_BODY}{}", CODEC.replace("\"encode\"", "\"code\"")), "`encode`"),
        (sum, format!("{SUM_BODY}{CODEC}"), "declare `wire`"),
        (sum, format!("{SUM_BODY}{answer}"), "declare `state`"),
        (SHORT, format!("{SUM_BODY}{CODEC}{answer}"), "no `wire`"),
        (sum, "(memory (export \"memory\") 1)".to_owned(), "`fold`"),
        (sum, format!("{SUM_BODY}(func (export \"answer\") (param i32))"), "its `answer`"),
    ];
    for (declaration, fields, reason) in cases {
        let refused = load(&module(declaration, &fields)).unwrap_err();
        assert!(matches!(refused, Refused::Export(_)), "{refused}");
        assert!(refused.to_string().contains(reason), "{refused}: {reason}");
    }
    assert!(load(&module(&format!("{sum}state 8\n"), &format!("{SUM_BODY}{answer}"))).is_ok());
}

/// R-OP-31, R-OP-32: what a call leaves in the memory is there for the next one, and each instance
/// has a memory of its own.
#[test]
fn answers_find_what_former_ones_have_left() {
    let operation = load(&module(LEDGER_DECLARATION, LEDGER)).unwrap();
    let typed: &dyn TypedOperation = &operation;
    assert!(typed.answers() && !typed.folds() && !typed.finishes());
    assert_eq!(typed.state_bytes(), Some(4096));
    let mut instance = typed.instance().unwrap();
    let mut ask = |rank, requests: &[i32]| {
        let mut lanes = bytes(requests);
        instance.answer(&mut lanes, rank).unwrap();
        integers(&lanes)
    };
    assert_eq!(ask(3, &[7, 10, 8, 1, 7, 100]), [3, 0, 3, 0, 3, 10]);
    assert_eq!(ask(0, &[7, 0, 8, 0, 9, 0]), [0, 110, 0, 1, 0, 0]);
    let mut other = typed.instance().unwrap();
    let mut lanes = bytes(&[7, 0]);
    other.answer(&mut lanes, 1).unwrap();
    assert_eq!(integers(&lanes), [1, 0]);
    // Nothing is folded, so nothing is claimed.
    assert_eq!(examine(&operation, 20, 1).unwrap(), []);
    let cause = other.fold(&mut lanes, &mut [&bytes(&[0, 0])[..]].into_iter(), false);
    assert_eq!(cause, Err(TrapCause::Other));
}

/// R-OP-19, R-OP-21: a place beyond the memory traps. The requests stay as they were, and what the
/// instance has kept is gone.
#[test]
fn a_place_beyond_the_memory_traps() {
    let unmasked = LEDGER.replace(
        "(i32.and (i32.load (local.get $at)) (i32.const 1023))",
        "(i32.load (local.get $at))",
    );
    assert_ne!(unmasked, LEDGER);
    let declaration = format!("{LEDGER_DECLARATION}range 0 0 1023\n");
    let operation = load(&module(&declaration, &unmasked)).unwrap();
    // 2^30 bytes further, and 4 bytes before the end of all addresses.
    for place in [1 << 28, -1] {
        let mut instance = (&operation as &dyn TypedOperation).instance().unwrap();
        let mut ask = |requests: &[i32]| {
            let mut lanes = bytes(requests);
            let answered = instance.answer(&mut lanes, 2);
            (answered, integers(&lanes))
        };
        assert_eq!(ask(&[7, 10, 7, 1]), (Ok(()), vec![2, 0, 2, 10]));
        let requests = [7, 100, place, 1];
        assert_eq!(ask(&requests), (Err(TrapCause::Memory), requests.to_vec()));
        assert_eq!(ask(&[7, 0]), (Ok(()), vec![2, 0]), "after {place}");
    }
}

/// R-OP-31: the declared bytes come on top of the memory that every operation may have.
#[test]
fn state_has_memory_beyond_the_limit() {
    // 80 pages are 5 MiB, and 4 MiB are the limit without state.
    let body =
        SUM_BODY.replace("(memory (export \"memory\") 1)", "(memory (export \"memory\") 80)");
    let declared = |state: &str| format!("abi 1\nname sum\nelement i32\n{state}");
    assert!(matches!(load(&module(&declared(""), &body)), Err(Refused::Memory { .. })));
    assert!(matches!(load(&module(&declared("state 1000\n"), &body)), Err(Refused::Memory { .. })));
    let large = load(&module(&declared("state 2000000\n"), &body)).unwrap();
    let mut accumulator = bytes(&[1]);
    large.instance().unwrap().fold(&mut accumulator, &bytes(&[2])).unwrap();
    assert_eq!(integers(&accumulator), [3]);
}

/// R-OP-17: each function of a module is tried, with its own work.
#[test]
fn every_function_is_tried() {
    let endless = "(loop $again (br $again))";
    let of = |name: &str| {
        let parameters = if name == "map" { "i32 i32" } else { "i32 i32 i32" };
        format!("(func (export \"{name}\") (param {parameters}) {endless})")
    };
    let codec = |name: &str| CODEC.replace(&format!("(export \"{name}\")"), "");
    let state = "abi 1\nname sum\nelement i32\nstate 8\n";
    let cases = [
        (SHORT, format!("{SUM_BODY}{}{}", codec("encode"), of("encode"))),
        (SHORT, format!("{SUM_BODY}{}{}", codec("decode"), of("decode"))),
        (SHORT, format!("{SUM_BODY}{CODEC}{}", of("map"))),
        (state, format!("{SUM_BODY}{}", of("answer"))),
    ];
    let limits = Limits { work: 1000, work_per_byte: 16, ..Limits::default() };
    for (declaration, fields) in cases {
        let refused = Operation::load(runtime(), &module(declaration, &fields), &limits);
        assert!(matches!(refused, Err(Refused::Work { .. })), "{refused:?} {fields}");
    }
}
