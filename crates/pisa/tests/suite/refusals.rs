//! Operations that a pipeline cannot do, and a program for each that tries (R-PISA-2, R-PISA-3,
//! R-PISA-4).

use netfold_pisa::program::{
    AluOp, FieldId, Gress, Half, Intrinsic, Match, Operand, Output, Part, Pattern, Relation, Shift,
    When, Word,
};
use netfold_pisa::report::Report;
use netfold_pisa::{AccessSpec, ActionSpec, Builder, Pipeline, Refusal, TableSpec, Target};

/// A program that is being written, with one header of four fields.
pub struct Bench {
    pub builder: Builder,
    pub fields: [FieldId; 4],
    pub index: FieldId,
}

pub fn bench() -> Bench {
    let mut builder = Builder::new("bench", &[]);
    let header = builder.header("values", &[("a", 32), ("b", 32), ("c", 32), ("d", 8)]);
    builder.state("start", &[header]);
    let fields = ["a", "b", "c", "d"].map(|name| builder.of(header, name));
    let index = builder.meta("index", 8);
    Bench { builder, fields, index }
}

/// A table without keys in a stage, with one action.
pub fn always(name: &str, stage: usize, action: ActionSpec) -> TableSpec {
    TableSpec::new(name, stage, "").action(action).otherwise("act")
}

pub fn act() -> ActionSpec {
    ActionSpec::new("act")
}

pub fn load(bench: Bench, target: Target) -> Result<Pipeline, Refusal> {
    Pipeline::load(bench.builder.finish(), target)
}

/// The refusal names this file and the words.
fn refused(result: Result<Pipeline, Refusal>, words: &[&str]) {
    let message = result.expect_err("it is refused").to_string();
    for word in words {
        assert!(message.contains(word), "`{word}` in: {message}");
    }
}

const HERE: &str = "refusals.rs:";

#[test]
fn an_array_in_two_stages() {
    let mut bench = bench();
    let array = bench.builder.array("sums", Word::Single(32), 4, "");
    for (name, stage) in [("one", 1), ("two", 2)] {
        let table = always(name, stage, act().access(AccessSpec::new(array, bench.index)));
        bench.builder.table(Gress::Ingress, table);
    }
    refused(
        load(bench, Target::tofino()),
        &[HERE, "`sums`", "stage 1", "`one`", "stage 2", "`two`"],
    );
}

#[test]
fn an_array_before_replication_and_after() {
    let mut bench = bench();
    let array = bench.builder.array("sums", Word::Single(32), 4, "");
    for (name, gress) in [("one", Gress::Ingress), ("two", Gress::Egress)] {
        bench
            .builder
            .table(gress, always(name, 1, act().access(AccessSpec::new(array, bench.index))));
    }
    refused(load(bench, Target::bmv2()), &[HERE, "`sums`", "`one`", "`two`"]);
}

#[test]
fn an_array_twice_in_a_pass() {
    let mut bench = bench();
    let array = bench.builder.array("sums", Word::Single(32), 4, "");
    let access = || act().access(AccessSpec::new(array, bench.index));
    // Both are in one stage, and which of them a packet meets is known only when it comes.
    let tables = [
        always("one", 1, access()).when(bench.fields[0], 7),
        always("two", 1, access()).when(bench.fields[1], 7),
    ];
    tables.into_iter().for_each(|table| bench.builder.table(Gress::Ingress, table));
    let mut pipeline = load(bench, Target::tofino()).unwrap();
    let packet = |a: u32, b: u32| [&a.to_be_bytes()[..], &b.to_be_bytes(), &[0; 5]].concat();
    for (a, b) in [(7, 0), (0, 7), (0, 0)] {
        pipeline.process(1, &packet(a, b)).unwrap();
    }
    let message = pipeline.process(1, &packet(7, 7)).unwrap_err().to_string();
    for word in [HERE, "`sums`", "stage 1", "`two`"] {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_dependency_that_runs_backward() {
    for (written, read) in [(2, 2), (3, 2)] {
        let mut bench = bench();
        let [a, b, c, _] = bench.fields;
        bench.builder.table(Gress::Ingress, always("writer", written, act().set(b, a)));
        bench.builder.table(Gress::Ingress, always("reader", read, act().set(c, b)));
        let words = [HERE, "`reader`", "stage 2", "`values.b`", "`writer`"];
        refused(load(bench, Target::bmv2()), &words);
    }
    // A gate, and a write before an earlier table has read.
    let mut bench1 = bench();
    let [a, b, c, _] = bench1.fields;
    bench1.builder.table(Gress::Ingress, always("writer", 2, act().set(b, a)));
    bench1.builder.table(Gress::Ingress, always("reader", 2, act().put(c, 1)).when(b, 1));
    refused(load(bench1, Target::tofino()), &["`reader`", "`values.b`"]);
    let mut bench2 = bench();
    let [a, b, c, _] = bench2.fields;
    bench2.builder.table(Gress::Ingress, always("reader", 2, act().set(c, b)));
    bench2.builder.table(Gress::Ingress, always("writer", 1, act().set(b, a)));
    refused(load(bench2, Target::tofino()), &["`writer`", "`values.b`"]);
}

#[test]
fn an_action_that_needs_what_it_writes() {
    let mut bench = bench();
    let [a, b, c, _] = bench.fields;
    bench.builder.table(Gress::Ingress, always("table", 0, act().set(b, a).set(c, b)));
    refused(load(bench, Target::bmv2()), &[HERE, "`act`", "`table`", "`values.b`"]);
}

#[test]
fn two_writes_to_a_field_in_a_stage() {
    let mut bench = bench();
    let [a, b, _, _] = bench.fields;
    let tables = [always("one", 0, act().put(b, 1)), always("two", 0, act().put(b, 2)).when(a, 0)];
    tables.into_iter().for_each(|table| bench.builder.table(Gress::Ingress, table));
    let mut pipeline = load(bench, Target::bmv2()).unwrap();
    pipeline.process(1, &[1; 13]).unwrap();
    let message = pipeline.process(1, &[0; 13]).unwrap_err().to_string();
    assert!(message.contains("`two`") && message.contains("`values.b`"), "{message}");
}

/// Instructions of a stage are carried out together, so a compiler has to see that no packet goes
/// through both tables; packets that do are found in any case.
#[test]
fn two_writers_in_a_stage() {
    let program = |gates: [u64; 2], target: Target| {
        let mut bench = bench();
        let [a, b, _, d] = bench.fields;
        for (name, value) in ["one", "two"].into_iter().zip(gates) {
            let table = always(name, 3, act().set(a, b)).when(d, value);
            bench.builder.table(Gress::Ingress, table);
        }
        load(bench, target)
    };
    refused(
        program([1, 1], Target::tofino()),
        &[HERE, "`one`", "`two`", "stage 3", "`values.a`", "exclude each other"],
    );
    assert!(program([1, 2], Target::tofino()).is_ok());
    assert!(program([1, 1], Target::bmv2()).is_ok());
}

#[test]
fn shifts_by_a_register() {
    for (target, fits) in
        [(Target::tofino(), false), (Target::fpisa_ext(), true), (Target::bmv2(), true)]
    {
        let mut bench = bench();
        let [a, b, c, _] = bench.fields;
        bench
            .builder
            .table(Gress::Ingress, always("align", 4, act().shift(c, Shift::RightSigned, a, b)));
        let result = load(bench, target);
        if fits {
            drop(result.unwrap())
        } else {
            refused(result, &[HERE, "stage 4", "`align`", "shift"])
        }
    }
}

#[test]
fn a_shift_and_an_add_in_one_access() {
    for (target, fits) in [(Target::tofino(), false), (Target::fpisa_ext(), true)] {
        let mut bench = bench();
        let [a, b, _, _] = bench.fields;
        let array = bench.builder.array("mantissas", Word::Single(32), 4, "");
        let access = AccessSpec::new(array, bench.index).update(
            Half::Lo,
            When::ALWAYS,
            AluOp::ShiftAdd { by: b },
            a,
        );
        bench.builder.table(Gress::Ingress, always("add", 5, act().access(access)));
        let result = load(bench, target);
        if fits {
            drop(result.unwrap())
        } else {
            refused(result, &[HERE, "`mantissas`", "stage 5"])
        }
    }
}

#[test]
fn forms_that_no_stateful_alu_has() {
    let of = |word, access: fn(&Bench, netfold_pisa::program::ArrayId) -> AccessSpec| {
        let mut bench = bench();
        let array = bench.builder.array("words", word, 4, "");
        let action = act().access(access(&bench, array));
        bench.builder.table(Gress::Ingress, always("use", 0, action));
        load(bench, Target::tofino())
    };
    refused(
        of(Word::Single(32), |bench, array| {
            let access = AccessSpec::new(array, bench.index);
            (0..3).fold(access, |access, _| {
                access.compare(Half::Lo, Relation::Equal, Operand::Const(0))
            })
        }),
        &[HERE, "`words`", "2 conditions"],
    );
    refused(
        of(Word::Pair, |bench, array| {
            let access = AccessSpec::new(array, bench.index);
            (0..3).fold(access, |access, _| {
                access.update(Half::Hi, When::FIRST, AluOp::Add, Operand::Const(1))
            })
        }),
        &["2 ways to write"],
    );
    refused(
        of(Word::Single(16), |bench, array| {
            AccessSpec::new(array, bench.index).output(bench.fields[0], Output::Old(Half::Hi))
        }),
        &["no second number"],
    );
    refused(
        of(Word::Single(32), |bench, array| {
            AccessSpec::new(array, bench.index).update(
                Half::Lo,
                When::ALWAYS,
                AluOp::Add,
                Operand::Param(0),
            )
        }),
        &["fields and constants"],
    );
}

/// It has two buses, whatever its instructions do with them.
#[test]
fn what_the_instructions_of_one_array_are_given_together() {
    let given = |operands: &[usize]| {
        let mut bench = bench();
        let array = bench.builder.array("sums", Word::Pair, 4, "");
        let mut table = TableSpec::new("folds", 1, "").key(bench.fields[3], Match::Exact);
        for (number, operand) in operands.iter().enumerate() {
            let access = AccessSpec::new(array, bench.index);
            let access = access.update(Half::Lo, When::ALWAYS, AluOp::Add, bench.fields[*operand]);
            table = table.action(ActionSpec::new(&format!("add{number}")).access(access));
        }
        bench.builder.table(Gress::Ingress, table);
        load(bench, Target::tofino())
    };
    assert!(given(&[0, 1, 0, 1]).is_ok());
    refused(given(&[0, 1, 2]), &[HERE, "`folds`", "stage 1", "3 fields of one stateful ALU", "2"]);
}

/// An array's index is one part, 32 bits that are put together are two; a field above zeros takes
/// no part.
#[test]
fn what_hash_units_bring_to_a_stage() {
    let hashing = |concats: usize, arrays: usize, above_zeros: bool| {
        let mut bench = bench();
        let [a, b, c, _] = bench.fields;
        let d = bench.builder.meta("more", 32);
        let half = |low| Part::Bits { field: a, low, bits: 16 };
        let halves =
            [half(0), if above_zeros { Part::Const { value: 0, bits: 16 } } else { half(16) }];
        for (number, to) in [b, c, d].into_iter().take(concats).enumerate() {
            let table = always(&format!("joins{number}"), 2, act().concat(to, &halves));
            bench.builder.table(Gress::Ingress, table);
        }
        for number in 0..arrays {
            let array = bench.builder.array(&format!("array{number}"), Word::Single(32), 4, "");
            let access = act().access(AccessSpec::new(array, bench.index));
            bench.builder.table(Gress::Ingress, always(&format!("counts{number}"), 2, access));
        }
        load(bench, Target::tofino())
    };
    assert!(hashing(3, 0, false).is_ok());
    assert!(hashing(2, 2, false).is_ok());
    refused(hashing(3, 1, false), &[HERE, "stage 2", "7 parts of hash units", "`counts0`"]);
    assert!(hashing(3, 4, true).is_ok());
}

/// Without keys there is nothing to miss.
#[test]
fn what_a_miss_cannot_do() {
    let missing = |target, keyed: bool, hashed: bool| {
        let mut bench = bench();
        let [a, b, _, d] = bench.fields;
        let array = bench.builder.array("sums", Word::Single(32), 4, "");
        let action = if hashed {
            act().concat(b, &[Part::Bits { field: a, low: 0, bits: 32 }])
        } else {
            act().access(AccessSpec::new(array, bench.index))
        };
        let table = always("folds", 1, action);
        bench.builder.table(Gress::Ingress, if keyed { table.key(d, Match::Exact) } else { table });
        load(bench, target)
    };
    for hashed in [false, true] {
        refused(
            missing(Target::tofino(), true, hashed),
            &[HERE, "`folds`", "`act`", "an entry that matches all"],
        );
        assert!(missing(Target::tofino(), false, hashed).is_ok());
        assert!(missing(Target::bmv2(), true, hashed).is_ok());
    }
}

#[test]
fn stages_and_budgets() {
    let mut far = bench();
    let [a, b, c, _] = far.fields;
    far.builder.table(Gress::Ingress, always("late", 12, act().set(b, a)));
    refused(load(far, Target::tofino()), &[HERE, "`late`", "stage 12", "0 to 11"]);

    let arrays = |count: usize, word: Word, size: u32| {
        let mut bench = bench();
        for number in 0..count {
            let array = bench.builder.array(&format!("array{number}"), word, size, "");
            let action = act().access(AccessSpec::new(array, bench.index));
            bench.builder.table(Gress::Ingress, always(&format!("table{number}"), 3, action));
        }
        load(bench, Target::tofino())
    };
    assert!(arrays(4, Word::Pair, 1024).is_ok());
    refused(arrays(5, Word::Pair, 1024), &[HERE, "stage 3", "5 stateful ALUs", "`table4`"]);
    // 64 K words of 32 bits take 16 blocks and one to spare: of 48 that leaves room for two.
    assert!(arrays(2, Word::Single(32), 65536).is_ok());
    refused(arrays(3, Word::Single(32), 65536), &["51 SRAM blocks for registers"]);

    let mut actions = bench();
    let mut table = TableSpec::new("shifts", 4, "").key(actions.fields[3], Match::Exact);
    for by in 1..=33 {
        table = table.action(ActionSpec::new(&format!("by{by}")).shift(
            b,
            Shift::Left,
            a,
            Operand::Const(by),
        ));
    }
    actions.builder.table(Gress::Ingress, table);
    refused(load(actions, Target::tofino()), &["33 VLIW slots", "`shifts`"]);

    let mut keys = bench();
    let table = TableSpec::new("wide", 4, "")
        .key(a, Match::Ternary)
        .key(b, Match::Range)
        .action(act().put(a, 1))
        .room(8192);
    keys.builder.table(Gress::Ingress, table);
    refused(load(keys, Target::tofino()), &["TCAM blocks", "`wide`"]);

    let mut gates = bench();
    let table = always("gated", 4, act().put(b, 1)).when(a, 1).when(b, 1);
    gates.builder.table(Gress::Ingress, table);
    refused(load(gates, Target::tofino()), &["64 gateway bits"]);

    let mut hashes = bench();
    let part = [Part::Bits { field: a, low: 0, bits: 32 }];
    let table = always("hashed", 4, act().concat(b, &part).concat(c, &part));
    hashes.builder.table(Gress::Ingress, table);
    refused(load(hashes, Target::tofino()), &["64 hashed bits"]);

    // The table that asks for too much is named, and neither the one before nor the last.
    let mut between = bench();
    let (d, between_index) = (between.fields[3], between.index);
    between.builder.table(Gress::Ingress, always("first", 4, act().put(d, 1)));
    between
        .builder
        .table(Gress::Ingress, always("greedy", 4, act().put(c, 1)).when(a, 1).when(b, 1));
    between.builder.table(Gress::Ingress, always("last", 4, act().put(between_index, 1)));
    refused(
        load(between, Target::tofino()),
        &["64 gateway bits", "`greedy`", "is the first that does not fit"],
    );

    let mut vector = bench();
    for number in 0..130 {
        vector.builder.meta(&format!("m{number}"), 32);
    }
    refused(load(vector, Target::tofino()), &["header vector"]);
}

#[test]
fn what_the_control_plane_cannot_do() {
    let mut bench = bench();
    let [_, b, _, d] = bench.fields;
    let table = TableSpec::new("table", 0, "")
        .key(d, Match::Exact)
        .action(act().param("value", 8).set(b, Operand::Param(0)))
        .room(1);
    bench.builder.table(Gress::Ingress, table);
    let mut pipeline = load(bench, Target::tofino()).unwrap();
    assert!(pipeline.insert("table", &[Pattern::Is(1)], "act", &[256]).is_err());
    assert!(pipeline.insert("table", &[], "act", &[1]).is_err());
    assert!(pipeline.insert("table", &[Pattern::Is(1)], "other", &[1]).is_err());
    assert!(pipeline.insert("tables", &[Pattern::Is(1)], "act", &[1]).is_err());
    assert!(pipeline.insert("table", &[Pattern::Is(1)], "act", &[1]).is_ok());
    assert!(pipeline.insert("table", &[Pattern::Is(2)], "act", &[1]).is_err());
}

#[test]
fn a_word_that_is_not_there_and_a_packet_without_end() {
    let mut bench = bench();
    let array = bench.builder.array("few", Word::Single(8), 4, "");
    let action = act().access(AccessSpec::new(array, bench.fields[3]));
    bench.builder.table(Gress::Ingress, always("use", 0, action));
    let send = act().put(Intrinsic::EgressPort.field(), 9);
    bench.builder.table(Gress::Ingress, always("around", 1, send));
    let without_loopback = bench.builder.clone().finish();
    let mut pipeline = Pipeline::load(without_loopback, Target::tofino()).unwrap();
    let message = pipeline.process(1, &[4; 13]).unwrap_err().to_string();
    assert!(message.contains("`few`") && message.contains("word 4"), "{message}");
    pipeline.process(1, &[3; 13]).unwrap();
    bench.builder.loopbacks(&[9]);
    let mut pipeline = load(bench, Target::tofino()).unwrap();
    assert_eq!(pipeline.process(1, &[3; 13]), Err(Refusal::Endless { passes: 32 }));
}

/// R-PISA-4: an array of 1024 words takes 10 bits of the stage's 416, an exact match of 512 entries
/// 9, and 32 bits that are put together 32; of the 32 result buses tables with keys have one each.
#[test]
fn what_hash_bits_and_result_buses_are() {
    let mut bench = bench();
    let [a, b, c, d] = bench.fields;
    let array = bench.builder.array("sums", Word::Single(32), 1024, "");
    let access = act().access(AccessSpec::new(array, bench.index));
    bench.builder.table(Gress::Ingress, always("counts", 0, access));
    let exact =
        TableSpec::new("exact", 0, "").key(d, Match::Exact).action(act().put(b, 1)).room(512);
    bench.builder.table(Gress::Ingress, exact);
    let half = |low| Part::Bits { field: a, low, bits: 16 };
    let joins = TableSpec::new("joins", 1, "")
        .key(d, Match::Ternary)
        .action(act().concat(c, &[half(0), half(16)]));
    bench.builder.table(Gress::Ingress, joins);
    let report = Report::of(&bench.builder.finish(), &Target::tofino());
    let shares =
        |what: &str| report.lines.iter().find(|line| line.what == what).and_then(|line| line.share);
    let of = |all: f64, most: f64, of: f64| Some((all / (12.0 * of), most / of));
    assert_eq!(shares("hash bits"), of(51.0, 32.0, 416.0));
    assert_eq!(shares("result buses"), of(2.0, 1.0, 32.0));
    // The index of a byte and the byte that is looked up; four bytes to the hash unit, and one to
    // the TCAM.
    assert_eq!(shares("input crossbar bytes"), of(7.0, 5.0, 194.0));
}
