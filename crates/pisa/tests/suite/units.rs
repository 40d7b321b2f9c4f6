//! Stateful ALUs and instructions compute as Rust does, and the hash unit as catalogues of CRCs
//! say.

use netfold_pisa::program::{
    AluOp, BinOp, Crc, FieldId, Gress, Half, Intrinsic, Op, Operand, Output, Part, Relation, Shift,
    When, Word,
};
use netfold_pisa::{AccessSpec, Builder, Pipeline, Refusal, Target};
use proptest::prelude::*;

use crate::refusals::{act, always, bench, load};

/// Runs a stateful ALU of a pair on the numbers that a packet brings in `a` and `b`.
fn run_alu(
    access: impl Fn(AccessSpec, FieldId, FieldId, FieldId) -> AccessSpec,
    inputs: &[(u32, u32)],
) -> (Vec<u64>, [u64; 2]) {
    let mut bench = bench();
    let fields = bench.fields;
    let array = bench.builder.array("pair", Word::Pair, 2, "");
    let out = bench.builder.meta("out", 32);
    let action =
        act().access(access(AccessSpec::new(array, bench.index), fields[0], fields[1], out));
    bench.builder.table(Gress::Ingress, always("use", 0, action));
    bench.builder.table(
        Gress::Ingress,
        always("show", 1, act().set(fields[2], out).put(Intrinsic::EgressPort.field(), 1)),
    );
    let program = bench.builder.finish();
    let mut pipeline = Pipeline::load(program, Target::fpisa_ext()).unwrap();
    let mut outputs = Vec::new();
    for (a, b) in inputs {
        let packet = [&a.to_be_bytes()[..], &b.to_be_bytes(), &[0; 5]].concat();
        let sent = pipeline.process(1, &packet).unwrap().sent;
        outputs.push(u64::from(u32::from_be_bytes(sent[0].bytes[8..12].try_into().unwrap())));
    }
    let id = pipeline.program().array_named("pair").unwrap();
    (outputs, pipeline.word(0, id, 0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// R-PISA-3: each operation on a register is what Rust computes.
    #[test]
    fn registers_fold_as_rust_does(inputs in prop::collection::vec(any::<(u32, u32)>(), 1..8), which in 0..8usize) {
        type Form = (fn(FieldId) -> AluOp, fn(u32, u32, u32) -> u32);
        let forms: [Form; 8] = [
            (|_| AluOp::Set, |_, x, _| x),
            (|_| AluOp::Add, |m, x, _| m.wrapping_add(x)),
            (|_| AluOp::Sub, |m, x, _| m.wrapping_sub(x)),
            (|_| AluOp::Or, |m, x, _| m | x),
            (|_| AluOp::And, |m, x, _| m & x),
            (|_| AluOp::AndNot, |m, x, _| m & !x),
            (|_| AluOp::MinSigned, |m, x, _| (m as i32).min(x as i32) as u32),
            (|by| AluOp::ShiftAdd { by }, |m, x, by| ((m as i32) >> by.min(31)).wrapping_add(x as i32) as u32),
        ];
        let (op, step) = forms[which];
        let access = |access: AccessSpec, a, b, out| {
            access.update(Half::Hi, When::ALWAYS, op(b), a).output(out, Output::New(Half::Hi))
        };
        let (outputs, word) = run_alu(access, &inputs);
        let mut memory = 0;
        for ((a, b), output) in inputs.iter().zip(outputs) {
            memory = step(memory, *a, *b);
            prop_assert_eq!(output, u64::from(memory));
        }
        prop_assert_eq!(word, [0, u64::from(memory)]);
    }

    /// R-PISA-3: two predicates, serial-number order, and what is given back: the outcome, and both
    /// numbers only where they are to be written.
    #[test]
    fn predicates_decide_as_rust_does(inputs in prop::collection::vec((0..6u32, 0..3u32), 1..12), wrap in any::<bool>(), mask in 0..16u8) {
        let inputs: Vec<_> = inputs.into_iter().map(|(a, b)| (if wrap { a.wrapping_sub(3) } else { a }, b)).collect();
        let access = |access: AccessSpec, a, b, out| {
            access
                .compare(Half::Lo, Relation::Behind, a)
                .compare(Half::Hi, Relation::Equal, b)
                .update(Half::Lo, When(mask), AluOp::Set, a)
                .update(Half::Hi, When::FIRST, AluOp::Set, b)
                .update(Half::Hi, When::NEITHER, AluOp::Add, Operand::Const(1))
                .output(out, Output::Outcome)
        };
        let (outputs, word) = run_alu(access, &inputs);
        let (mut low, mut high) = (0u32, 0u32);
        for ((a, b), output) in inputs.iter().zip(outputs) {
            // RFC 1982: a is newer if it is less than half of all numbers ahead.
            let (newer, same) = (a.wrapping_sub(low).wrapping_sub(1) < 0x7FFF_FFFF, high == *b);
            let outcome = usize::from(newer) + 2 * usize::from(same);
            prop_assert_eq!(output, 1 << outcome);
            if mask >> outcome & 1 == 1 {
                low = *a;
            }
            high = if newer { *b } else if same { high } else { high + 1 };
        }
        prop_assert_eq!(word, [u64::from(low), u64::from(high)]);
    }

    /// R-PISA-3: operations on fields are what Rust computes, at a width that is not a machine's.
    #[test]
    fn fields_compute_as_rust_does(a in any::<u32>(), b in any::<u32>(), by in 0..40u64) {
        let run = |op: &dyn Fn([FieldId; 4]) -> Op| {
            let mut bench = bench();
            bench.builder.table(Gress::Ingress, always("compute", 0, act().op(op(bench.fields)).put(Intrinsic::EgressPort.field(), 1)));
            let mut pipeline = load(bench, Target::bmv2()).unwrap();
            let packet = [&a.to_be_bytes()[..], &b.to_be_bytes(), &[0; 5]].concat();
            let sent = pipeline.process(1, &packet).unwrap().sent;
            u32::from_be_bytes(sent[0].bytes[8..12].try_into().unwrap())
        };
        let binaries: [(BinOp, u32); 6] = [
            (BinOp::Add, a.wrapping_add(b)),
            (BinOp::Sub, a.wrapping_sub(b)),
            (BinOp::SaturatingSub, a.saturating_sub(b)),
            (BinOp::And, a & b),
            (BinOp::Or, a | b),
            (BinOp::Xor, a ^ b),
        ];
        for (op, wanted) in binaries {
            prop_assert_eq!(run(&|[a, b, c, _]| Op::Binary { to: c, op, left: a.into(), right: b.into() }), wanted);
        }
        let distance = by as u32;
        let shifts = [
            (Shift::Left, a.checked_shl(distance).unwrap_or(0)),
            (Shift::Right, a.checked_shr(distance).unwrap_or(0)),
            (Shift::RightSigned, ((a as i32) >> distance.min(31)) as u32),
        ];
        for (shift, wanted) in shifts {
            prop_assert_eq!(run(&|[a, _, c, _]| Op::Shift { to: c, shift, from: a, by: Operand::Const(by) }), wanted);
        }
        prop_assert_eq!(run(&|[a, _, c, _]| Op::Slice { to: c, from: a, low: 0 }), a);
        prop_assert_eq!(run(&|[a, b, c, _]| {
            let bits = |field, low, bits| Part::Bits { field, low, bits };
            Op::Concat { to: c, from: vec![bits(a, 8, 20), bits(b, 3, 12)] }
        }), (a >> 8 & 0xF_FFFF) << 12 | b >> 3 & 0xFFF);
    }
}

/// The check value of CRC-32 that its catalogues give, for the nine digits.
#[test]
fn the_hash_unit_computes_crc_32() {
    let mut builder = Builder::new("crc", &[]);
    let header = builder.header("digits", &[("first", 64), ("last", 8), ("crc", 32)]);
    builder.state("start", &[header]);
    let fields = ["first", "last", "crc"].map(|name| builder.of(header, name));
    let [to, from @ ..] = [fields[2], fields[0], fields[1]];
    let crc = |form, from: &[Part]| {
        let mut builder = builder.clone();
        let table =
            always("crc", 0, act().crc32(to, form, from).put(Intrinsic::EgressPort.field(), 1));
        builder.table(Gress::Ingress, table);
        Pipeline::load(builder.finish(), Target::tofino())
    };
    let whole = from.map(|field| builder.whole(field));
    let sent = |form, from: &[Part]| {
        crc(form, from).unwrap().process(1, b"123456789\0\0\0\0").unwrap().sent[0].bytes[9..]
            .to_vec()
    };
    assert_eq!(sent(Crc::Ethernet, &whole), 0xCBF4_3926u32.to_be_bytes());
    // Linear: what two have in common falls out, and zeros in front change nothing.
    let zeros = Part::Const { value: 0, bits: 704 };
    let linear = sent(Crc::Linear, &whole);
    assert_eq!(sent(Crc::Linear, &[zeros, whole[0], whole[1]]), linear);
    let behind = sent(Crc::Ethernet, &[zeros]);
    let both = sent(Crc::Ethernet, &[Part::Const { value: 0, bits: 632 }, whole[0], whole[1]]);
    let sum: Vec<u8> = behind.iter().zip(&both).map(|(one, other)| one ^ other).collect();
    assert_eq!(sum, linear);
    let Refusal::Operation { what, .. } =
        crc(Crc::Linear, &[Part::Const { value: 0, bits: 7 }]).unwrap_err()
    else {
        panic!("seven bits are no bytes")
    };
    assert_eq!(what, "the parts are not whole bytes");
}
