//! Results of folds.

use netfold_ops::{Hash, Limits, Operation, TrapCause, TypedOperation, Usage};

use super::support::{SUM, SUM_BODY, bytes, folding, integers, load, module, runtime};

/// R-OP-8: the accumulator is the left operand, and the result takes its place.
#[test]
fn the_operand_is_subtracted_from_the_accumulator() {
    let body = SUM_BODY.replace("i32.add (i32.load", "i32.sub (i32.load");
    let operation = load(&module("abi 1\nname minus\nelement i32\n", &body)).unwrap();
    assert!(!operation.declaration().any_order());
    let mut instance = operation.instance().unwrap();
    let mut accumulator = bytes(&[10, 20, i32::MIN]);
    instance.fold(&mut accumulator, &bytes(&[1, -2, 1])).unwrap();
    assert_eq!(integers(&accumulator), [9, 22, i32::MAX]);
    let (one, two) = (bytes(&[1, 1, 1]), bytes(&[0, 0, i32::MAX]));
    instance.round(&mut accumulator, [one.as_slice(), &two], false).unwrap();
    assert_eq!(integers(&accumulator), [8, 21, -1]);
    // As the switch has it.
    let typed: &dyn TypedOperation = &operation;
    assert_eq!((typed.element_bytes(), typed.batch_bytes(), typed.any_order()), (4, 65_536, false));
    let mut typed = typed.instance().unwrap();
    let mut operands = [one.as_slice(), &two].into_iter();
    typed.fold(&mut accumulator, &mut operands, false).unwrap();
    assert_eq!(integers(&accumulator), [7, 20, i32::MAX]);
    let Usage { calls, bytes, traps, time_ns } = typed.usage();
    assert_eq!((calls, bytes, traps), (2, 24, 0));
    assert!(time_ns > 0, "the first fold is timed");
}

/// R-OP-13, R-OP-18: several operands are folded in one go from left to right, also more than have
/// room beside each other, and of any length.
#[test]
fn operands_are_folded_from_left_to_right() {
    let body = folding(
        "(loop $next
            (i32.store (local.get $left)
                (i32.add (i32.mul (i32.load (local.get $left)) (i32.const 3))
                    (i32.load (local.get $right))))
            (local.set $left (i32.add (local.get $left) (i32.const 4)))
            (local.set $right (i32.add (local.get $right) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))",
    );
    let operation = load(&module("abi 1\nname horner\nelement i32\n", &body)).unwrap();
    let mut instance = operation.instance().unwrap();
    for (elements, operands) in [(0, 3), (1, 0), (1, 3000), (17, 1500), (5000, 7), (16_384, 3)] {
        let number = |operand: i32, place: i32| operand.wrapping_mul(1_000_003) ^ place;
        let operand = |at: i32| bytes(&(0..elements).map(|to| number(at, to)).collect::<Vec<_>>());
        let sent: Vec<Vec<u8>> = (1..=operands).map(operand).collect();
        let mut accumulator = operand(0);
        instance.round(&mut accumulator, sent.iter().map(Vec::as_slice), false).unwrap();
        let expected = (0..elements).map(|to| {
            let all = (0..=operands).map(|at| number(at, to));
            all.reduce(|sum, one| sum.wrapping_mul(3).wrapping_add(one)).unwrap()
        });
        assert_eq!(integers(&accumulator), expected.collect::<Vec<_>>(), "{elements} {operands}");
    }
}

/// R-OP-19: one of several operands traps, and nothing of those before it is seen.
#[test]
fn a_trap_among_several_operands_leaves_the_accumulator() {
    let body = folding(
        "(i32.store (local.get $left)
            (i32.div_s (i32.load (local.get $left)) (i32.load (local.get $right))))",
    );
    let operation = load(&module("abi 1\nname x\nelement i32\nrange 0 1 9\n", &body)).unwrap();
    let mut instance = operation.instance().unwrap();
    let (two, zero) = (bytes(&[2]), bytes(&[0]));
    let mut accumulator = bytes(&[100]);
    let trapped =
        instance.round(&mut accumulator, [two.as_slice(), &zero, &two], false).unwrap_err();
    assert_eq!(trapped.cause, TrapCause::Arithmetic);
    assert_eq!(integers(&accumulator), [100]);
    instance.round(&mut accumulator, [two.as_slice(), &two], false).unwrap();
    assert_eq!(integers(&accumulator), [25]);
}

/// R-OP-3: operands of elements are cut up, as long as they are.
#[test]
fn operands_are_longer_than_a_batch() {
    let mut instance = load(&module(SUM, SUM_BODY)).unwrap().instance().unwrap();
    for count in [0, 1, 16_384, 16_385, 50_000] {
        let left: Vec<i32> = (0..count).collect();
        let right: Vec<i32> = (0..count).map(|index| index.wrapping_mul(-77_777)).collect();
        let mut accumulator = bytes(&left);
        instance.fold(&mut accumulator, &bytes(&right)).unwrap();
        let expected: Vec<i32> =
            left.iter().zip(&right).map(|(left, right)| left.wrapping_add(*right)).collect();
        assert_eq!(integers(&accumulator), expected);
    }
}

/// R-OP-8: a call has at most as many elements as 64 KiB hold.
#[test]
fn a_call_has_a_batch_of_elements() {
    // Stores the number of elements of its call in each of its elements.
    let body = folding(
        "(local $all i32) (local.set $all (local.get $count))
         (loop $next
            (i32.store (local.get $left) (local.get $all))
            (local.set $left (i32.add (local.get $left) (i32.const 12)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))",
    );
    let operation = load(&module("abi 1\nname count\nelement i32x3\n", &body)).unwrap();
    let mut accumulator = vec![0; 12 * 6000];
    operation.instance().unwrap().fold(&mut accumulator, &vec![0; 12 * 6000]).unwrap();
    let counts: Vec<i32> = integers(&accumulator).into_iter().step_by(3).collect();
    let mut expected = vec![5461; 5461];
    expected.extend(vec![539; 539]);
    assert_eq!(counts, expected);
}

/// R-OP-19: also if an earlier batch of it went well.
#[test]
fn a_trap_leaves_the_accumulator_as_it_was() {
    // Writes, and then divides by what the operand has.
    let body = folding(
        "(loop $next
            (i32.store (local.get $left) (i32.const 7))
            (drop (i32.div_u (i32.const 1) (i32.load (local.get $right))))
            (local.set $left (i32.add (local.get $left) (i32.const 4)))
            (local.set $right (i32.add (local.get $right) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))",
    );
    let declaration = "abi 1\nname divide\nelement i32\nrange 0 1 9\n";
    let mut instance = load(&module(declaration, &body)).unwrap().instance().unwrap();
    for zero in [0, 5, 29_999] {
        let mut operand = vec![1; 30_000];
        operand[zero] = 0;
        let mut accumulator = bytes(&vec![3; 30_000]);
        let trapped = instance.fold(&mut accumulator, &bytes(&operand)).unwrap_err();
        assert_eq!((&*trapped.operation, trapped.cause.name()), ("divide", "arithmetic"));
        assert_eq!(accumulator, bytes(&vec![3; 30_000]));
        // R-OP-21
        instance.fold(&mut accumulator, &bytes(&vec![1; 30_000])).unwrap();
        assert_eq!(accumulator, bytes(&vec![7; 30_000]));
    }
}

/// R-OP-21
#[test]
fn nothing_is_left_of_an_instance_that_trapped() {
    // The first operand becomes the number of calls so far, in the memory and in a global.
    let body = folding(
        "(i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))
         (global.set $calls (i32.add (global.get $calls) (i32.const 256)))
         (if (i32.eq (i32.load (local.get $right)) (i32.const -1)) (then (unreachable)))
         (i32.store (local.get $left)
            (i32.add (i32.load (i32.const 64)) (global.get $calls)))",
    );
    let global = "(global $calls (mut i32) (i32.const 0))";
    let declaration = "abi 1\nname calls\nelement i32\nrange 0 0 9\n";
    let bytes_of = module(declaration, &format!("{body} {global}"));
    let mut instance = load(&bytes_of).unwrap().instance().unwrap();
    let mut accumulator = bytes(&[0]);
    for expected in [257, 514] {
        instance.fold(&mut accumulator, &bytes(&[0])).unwrap();
        assert_eq!(integers(&accumulator), [expected]);
    }
    instance.fold(&mut accumulator, &bytes(&[-1])).unwrap_err();
    instance.fold(&mut accumulator, &bytes(&[0])).unwrap();
    assert_eq!(integers(&accumulator), [257]);
}

/// R-OP-12
#[test]
fn a_nan_that_arithmetic_makes_is_the_canonical_one() {
    for (element, add) in [("f32", "f32.add"), ("f64", "f64.add")] {
        let of = &element[..3];
        let body = folding(&format!(
            "({of}.store (local.get $left)
                ({add} ({of}.load (local.get $left)) ({of}.load (local.get $right))))"
        ));
        let text = format!("abi 1\nname add\nelement {element}\n");
        let mut instance = load(&module(&text, &body)).unwrap().instance().unwrap();
        let check =
            |instance: &mut netfold_ops::Instance, left: &[u8], right: &[u8], nan: &[u8]| {
                let mut accumulator = left.to_vec();
                instance.fold(&mut accumulator, right).unwrap();
                assert_eq!(accumulator, nan);
            };
        if element == "f32" {
            let nan = 0x7FC0_0000_u32.to_le_bytes();
            let odd = 0xFFC1_2345_u32.to_le_bytes();
            check(&mut instance, &odd, &1_f32.to_le_bytes(), &nan);
            check(&mut instance, &1_f32.to_le_bytes(), &odd, &nan);
            check(
                &mut instance,
                &f32::INFINITY.to_le_bytes(),
                &f32::NEG_INFINITY.to_le_bytes(),
                &nan,
            );
        } else {
            let nan = 0x7FF8_0000_0000_0000_u64.to_le_bytes();
            let odd = 0xFFF8_0000_0001_2345_u64.to_le_bytes();
            check(&mut instance, &odd, &1_f64.to_le_bytes(), &nan);
        }
    }
}

/// R-OP-12, for vectors.
#[test]
fn vectors_have_canonical_nans_too() {
    let body = folding(
        "(v128.store (local.get $left)
            (f32x4.add (v128.load (local.get $left)) (v128.load (local.get $right))))",
    );
    let mut instance =
        load(&module("abi 1\nname add\nelement f32x4\n", &body)).unwrap().instance().unwrap();
    let odd: Vec<u8> = [0xFFC1_2345_u32, 0x7F80_0001, 0x3F80_0000, 0x7F80_0000]
        .iter()
        .flat_map(|bits| bits.to_le_bytes())
        .collect();
    let one = 1_f32.to_le_bytes().repeat(4);
    let mut accumulator = odd;
    instance.fold(&mut accumulator, &one).unwrap();
    let bits: Vec<u32> = integers(&accumulator).iter().map(|bits| bits.cast_unsigned()).collect();
    assert_eq!(bits, [0x7FC0_0000, 0x7FC0_0000, 2_f32.to_bits(), f32::INFINITY.to_bits()]);
}

/// R-OP-1. The expected hash is that of an empty module by `sha256sum`.
#[test]
fn the_identity_is_the_hash_of_all_bytes() {
    let empty = b"\0asm\x01\0\0\0";
    let expected = "93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476";
    assert_eq!(Hash::of(empty).to_string(), expected);
    let bytes = module(SUM, SUM_BODY);
    assert_eq!(load(&bytes).unwrap().hash(), Hash::of(&bytes));
    let named = module(&SUM.replace("name sum", "name mus"), SUM_BODY);
    assert_ne!(load(&named).unwrap().hash(), Hash::of(&bytes));
}

#[test]
fn a_message_is_seen_whole_and_no_longer() {
    let declaration = "abi 1\nname last\nelement i32\nscope message 20000\n";
    assert_eq!(load(&module(declaration, SUM_BODY)).unwrap_err().name(), "declaration");
    let declaration = "abi 1\nname first\nelement i32\nscope message 3\n";
    // The first element becomes the number of elements.
    let body = folding("(i32.store (local.get $left) (local.get $count))");
    let mut instance = load(&module(declaration, &body)).unwrap().instance().unwrap();
    let mut accumulator = bytes(&[9, 9, 9]);
    instance.fold(&mut accumulator, &bytes(&[0, 0, 0])).unwrap();
    assert_eq!(integers(&accumulator), [3, 9, 9]);
    let longer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        instance.fold(&mut bytes(&[0; 4]), &bytes(&[0; 4]))
    }));
    assert!(longer.is_err());
}

#[test]
fn instances_are_counted() {
    let operation = Operation::load(
        &netfold_ops::Runtime::new().unwrap(),
        &module(SUM, SUM_BODY),
        &Limits::default(),
    )
    .unwrap();
    let most = netfold_ops::MAX_INSTANCES as usize;
    let all: Vec<_> = (0..most).map(|_| operation.instance().unwrap()).collect();
    assert_eq!(operation.instance().unwrap_err().name(), "instances");
    drop(all);
    assert!(operation.instance().is_ok());
    assert!(load(&module(SUM, SUM_BODY)).is_ok(), "{:?}", runtime());
}
