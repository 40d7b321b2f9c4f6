//! Programs of queries beside their software form, row by row (R-PISA-80 to 87).

use netfold_num::fpisa::{Adder, Rounding};
use netfold_num::{Comparison, Sum, hash_key};
use netfold_pisa::programs::fpisa::ETHER_TYPE;
use netfold_pisa::programs::rows::{RowsKind, RowsProgram, operation, verdict};
use netfold_pisa::{Pipeline, Target};
use netfold_switch::query::{Row, RowMachine, Verdict};
use netfold_wire::{Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties, matrix_row};
use proptest::prelude::*;

const WORKER: u16 = 3;
const MASTER: u16 = 9;
const MAC: u64 = 77;
const SEED: u64 = 5;
const ROWS: u32 = 8;

/// A row in hardware: its number, its key and its code.
#[derive(Clone, Copy, Debug)]
struct Line {
    number: u64,
    key: u32,
    code: i32,
}

struct Hardware {
    pipeline: Pipeline,
    program: RowsProgram,
    /// Bytes that a program's header has more than those of all.
    more: usize,
}

impl Hardware {
    fn new(kind: RowsKind, target: Target) -> Self {
        let program = RowsProgram { rows: ROWS, ..RowsProgram::new(kind) };
        let built = program.program();
        let mut pipeline =
            Pipeline::load(built.clone(), target).unwrap_or_else(|refusal| panic!("{refusal}"));
        for control in program.controls(&built, [(WORKER, MAC)], MASTER) {
            control.apply(&mut pipeline).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
        let more = match kind {
            RowsKind::Filter { width } => 4 * usize::from(width),
            RowsKind::Bloom => 8,
            RowsKind::Sum => 7,
            _ => 0,
        };
        Self { pipeline, program, more }
    }

    /// Sends a row, with what its program's header has more at the front of `own`, and returns
    /// whether it goes to the master, its code, and its passes.
    fn send(&mut self, op: u64, index: usize, line: &Line, own: &[u8]) -> (bool, u32, u32) {
        let mut bytes = vec![0; 14];
        bytes[11] = MAC as u8;
        bytes[12..].copy_from_slice(&ETHER_TYPE.to_be_bytes());
        bytes.extend_from_slice(&[op as u8, 0]);
        bytes.extend_from_slice(&(index as u16).to_be_bytes());
        bytes.extend_from_slice(&line.key.to_be_bytes());
        bytes.extend_from_slice(&line.code.to_be_bytes());
        bytes.extend_from_slice(&own[..self.more]);
        let outcome =
            self.pipeline.process(WORKER, &bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(outcome.sent.len(), 1, "a row leaves once");
        let sent = &outcome.sent[0];
        assert_eq!(sent.bytes.len(), bytes.len(), "without the bridge");
        let forwarded = sent.port == MASTER;
        assert!(forwarded || sent.port == WORKER);
        let wanted = if forwarded { verdict::FORWARDED } else { verdict::RETURNED };
        assert_eq!(u64::from(sent.bytes[15]), wanted);
        let code = u32::from_be_bytes(sent.bytes[22..26].try_into().unwrap());
        (forwarded, code, outcome.passes)
    }
}

/// The row of a cache, or the slot, that a key goes to (R-QRY-16).
fn bucket(key: u32) -> usize {
    (hash_key(key.into(), SEED) >> (64 - ROWS.trailing_zeros())) as usize
}

fn offer(machine: &mut RowMachine, line: &Line, build: bool) -> Verdict {
    let columns = [i64::from(line.code)];
    machine.offer_row(&Row {
        identity: line.number,
        key: line.key.into(),
        columns: &columns,
        build,
    })
}

/// Rows of few keys, whose codes have many ties; any codes of 32 bits among them.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    let code = prop_oneof![3 => -20..20_i32, 1 => any::<i32>()];
    prop::collection::vec((1..40_u32, code), 0..150).prop_map(|rows| {
        (0..).zip(rows).map(|(number, (key, code))| Line { number, key, code }).collect()
    })
}

/// Comparisons with constants around 0, and with the ends of the codes.
fn comparisons() -> impl Strategy<Value = Vec<(Comparison, i32)>> {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    let all = vec![Less, AtMost, Equal, Unequal, AtLeast, Greater];
    let comparison = prop::sample::select(all);
    let ends = prop::sample::select(vec![i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX]);
    let constant = prop_oneof![3 => -2..3_i32, 1 => ends];
    prop::collection::vec((comparison, constant), 1..7)
}

/// Rows of six columns, with codes as those constants are.
fn columns() -> impl Strategy<Value = Vec<[i32; 6]>> {
    let ends = prop::sample::select(vec![i32::MIN, i32::MAX]);
    let code = prop_oneof![4 => -3..4_i32, 1 => ends, 1 => any::<i32>()];
    prop::collection::vec(prop::array::uniform6(code), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// R-PISA-87: whatever the comparisons and the truth table.
    #[test]
    fn filters_are_those_of_the_software(
        rows in columns(),
        comparisons in comparisons(),
        truth: u64,
    ) {
        let width = comparisons.len();
        let kind = RowsKind::Filter { width: width as u8 };
        let mut hardware = Hardware::new(kind, Target::tofino());
        for control in hardware.program.filter(&comparisons, truth) {
            control.apply(&mut hardware.pipeline).unwrap_or_else(|refusal| panic!("{refusal}"));
        }
        let predicate = |(column, (comparison, constant)): (u8, &(Comparison, i32))| Predicate {
            column,
            comparison: *comparison,
            constant: (*constant).into(),
        };
        let predicates: Vec<_> = (0..).zip(&comparisons).map(predicate).collect();
        let predicates = Predicates::new(&predicates).unwrap();
        let program = RowProgram::Filter { predicates, truth };
        let mut machine = RowMachine::new(&program).unwrap();
        for row in &rows {
            let columns = row.map(i64::from);
            let wanted = machine.offer_row(&Row {
                identity: 0,
                key: 0,
                columns: &columns[..width],
                build: false,
            });
            let own = row.map(i32::to_be_bytes).concat();
            let line = Line { number: 0, key: 0, code: 0 };
            let (forwards, _, passes) = hardware.send(operation::ROW, 0, &line, &own);
            prop_assert_eq!((forwards, passes), (wanted == Verdict::Forward, 1), "{:?}", row);
        }
    }

    /// R-PISA-81: thresholds that fit.
    #[test]
    fn thresholds_are_those_of_the_software(mut lines in lines(), n in 1..9_u32) {
        lines.iter_mut().for_each(|line| line.code %= 1 << 29);
        let kind = RowsKind::Thresholds { n, width: 8, step: 1 << 4 };
        let mut hardware = Hardware::new(kind, Target::tofino());
        let steps = Steps::Float { mantissa_bits: 4 };
        let program = RowProgram::TopThresholds { n, width: 8, steps };
        let mut machine = RowMachine::new(&program).unwrap();
        for line in &lines {
            let wanted = offer(&mut machine, line, false) == Verdict::Forward;
            let (forwards, _, passes) = hardware.send(operation::ROW, 0, line, &[]);
            prop_assert_eq!((forwards, passes), (wanted, 1), "{:?}", line);
        }
    }

    /// R-PISA-82: on a Tofino 3 cells, on bmv2 any number.
    #[test]
    fn the_matrix_is_that_of_the_software(mut lines in lines(), wide: bool) {
        lines.iter_mut().for_each(|line| line.code &= i32::MAX);
        let (width, target) = if wide { (12, Target::bmv2()) } else { (3, Target::tofino()) };
        let mut hardware = Hardware::new(RowsKind::Matrix { width }, target);
        let program = RowProgram::TopMatrix { rows: ROWS, width: width.into(), seed: SEED, ties: Ties::Keep };
        let mut machine = RowMachine::new(&program).unwrap();
        for line in &lines {
            let wanted = offer(&mut machine, line, false) == Verdict::Forward;
            let index = matrix_row(line.number, SEED, ROWS.trailing_zeros());
            let (forwards, _, passes) = hardware.send(operation::ROW, index, line, &[]);
            prop_assert_eq!((forwards, passes), (wanted, 1), "{:?}", line);
        }
    }

    /// R-PISA-83: a miss takes a second pass.
    #[test]
    fn distinct_is_that_of_the_software(lines in lines(), width in 1..6_u8) {
        let mut hardware = Hardware::new(RowsKind::Distinct { width }, Target::tofino());
        let replacement = Replacement::Fifo;
        let program = RowProgram::Distinct { rows: ROWS, width, seed: SEED, replacement };
        let mut machine = RowMachine::new(&program).unwrap();
        for line in &lines {
            let wanted = offer(&mut machine, line, false) == Verdict::Forward;
            let (forwards, _, passes) = hardware.send(operation::ROW, bucket(line.key), line, &[]);
            prop_assert_eq!((forwards, passes), (wanted, 1 + u32::from(wanted)), "{:?}", line);
        }
        // R-PISA-83: the key 0 is cached nowhere.
        let zero = Line { number: 0, key: 0, code: 0 };
        prop_assert!(hardware.send(operation::ROW, 0, &zero, &[]).0);
        prop_assert!(hardware.send(operation::ROW, 0, &zero, &[]).0);
    }

    /// R-PISA-84
    #[test]
    fn the_extreme_is_that_of_the_software(lines in lines(), width in 1..6_u8) {
        let mut hardware = Hardware::new(RowsKind::Extreme { width }, Target::tofino());
        let program = RowProgram::GroupExtreme { rows: ROWS, width, seed: SEED, ties: Ties::Keep };
        let mut machine = RowMachine::new(&program).unwrap();
        for line in &lines {
            let before = machine.second_passes();
            let wanted = offer(&mut machine, line, false) == Verdict::Forward;
            let passes = 1 + (machine.second_passes() - before) as u32;
            let (forwards, _, taken) = hardware.send(operation::ROW, bucket(line.key), line, &[]);
            prop_assert_eq!((forwards, taken), (wanted, passes), "{:?}", line);
        }
    }

    /// R-PISA-85: before the seal and after it.
    #[test]
    fn the_filter_is_that_of_the_software(lines in lines(), build in lines()) {
        let mut hardware = Hardware::new(RowsKind::Bloom, Target::tofino());
        let (words, bits) = (ROWS, 3);
        let program = RowProgram::BloomJoin { words, bits, seed: SEED, forwards_build: false };
        let mut machine = RowMachine::new(&program).unwrap();
        let mut all = vec![(&lines[..], false, false), (&build[..], true, false)];
        all.push((&lines[..], false, true));
        for (lines, build, seal) in all {
            if seal {
                machine.seal();
                hardware.program.seal().apply(&mut hardware.pipeline).unwrap();
            }
            for line in lines {
                let hash = hash_key(line.key.into(), SEED);
                let mask = (0..bits).fold(0_u64, |mask, i| mask | 1 << (hash >> (6 * i) & 63));
                let wanted = offer(&mut machine, line, build) == Verdict::Forward;
                let op = if build { operation::BUILD } else { operation::ROW };
                let (forwards, _, _) = hardware.send(op, bucket(line.key), line, &mask.to_be_bytes());
                prop_assert_eq!(forwards, wanted, "{:?}", line);
            }
        }
    }

    /// R-PISA-86: the slots' keys are those of the software, and their sums those of `num` for
    /// operands that do not cancel (R-PISA-31 says what differs there).
    #[test]
    fn sums_are_those_of_the_software(mut lines in lines()) {
        // Positive floats.
        lines.iter_mut().for_each(|line| {
            line.code = (1.0 + (line.code & 0xFFFF) as f32).to_bits() as i32;
        });
        let mut hardware = Hardware::new(RowsKind::Sum, Target::fpisa_ext());
        let sums = Sums::new(&[Sum::Fpisa]).unwrap();
        let program = RowProgram::GroupSum { rows: ROWS, width: 1, seed: SEED, sums };
        let mut machine = RowMachine::new(&program).unwrap();
        let mut values = vec![Vec::new(); ROWS as usize];
        for line in &lines {
            let absorbed = offer(&mut machine, line, false) == Verdict::Absorb;
            let (forwards, _, _) = hardware.send(operation::ROW, bucket(line.key), line, &[0; 7]);
            prop_assert_eq!(forwards, !absorbed, "{:?}", line);
            if absorbed {
                values[bucket(line.key)].push(line.code as u32);
            }
        }
        let table = machine.table().unwrap();
        for (index, values) in values.into_iter().enumerate().filter(|(_, all)| !all.is_empty()) {
            let slot = table.slot(index).expect("the slot is in use");
            let read = Line { number: 0, key: 0, code: 0 };
            let (_, code, _) = hardware.send(operation::READ, index, &read, &[0; 7]);
            let by_num = Adder::FP32.read(&Adder::FP32.fold(values), Rounding::TowardZero);
            prop_assert_eq!(code, by_num);
            prop_assert_eq!(f64::from(f32::from_bits(code)), Sum::Fpisa.to_f64(slot.accumulators));
        }
    }
}

/// Stages, bytes of registers and passes of docs/query.md: cells of a cache take a stage each, of a
/// matrix three, and four counters of thresholds share one.
#[test]
fn programs_take_what_the_table_says() {
    let matrix = |width| RowsKind::Matrix { width };
    let thresholds = RowsKind::Thresholds { n: 250, width: 8, step: 1 << 23 };
    let rows = [
        (RowsKind::Filter { width: 6 }, Target::tofino(), 5, 0),
        (thresholds, Target::tofino(), 9, 40),
        (matrix(3), Target::tofino(), 11, 6 * 4096),
        (matrix(12), Target::bmv2(), 38, 24 * 4096),
        (RowsKind::Distinct { width: 2 }, Target::tofino(), 4, 2 * 4096),
        (RowsKind::Extreme { width: 2 }, Target::tofino(), 6, 4 * 4096),
        (RowsKind::Bloom, Target::tofino(), 5, 2 * 4096),
    ];
    for (kind, target, stages, bytes) in rows {
        let program = RowsProgram::new(kind).program();
        Pipeline::load(program.clone(), target).unwrap_or_else(|refusal| panic!("{refusal}"));
        let last = program.ingress.iter().map(|table| table.stage).max().unwrap();
        let words = program.arrays.iter().map(|array| array.size * array.word.bits() / 8);
        assert_eq!((last + 1, words.sum::<u32>()), (stages, bytes), "{kind:?}");
    }
    let program = RowsProgram::new(RowsKind::Sum).program();
    let last = |tables: &[netfold_pisa::program::Table]| {
        tables.iter().map(|table| table.stage).max().unwrap() + 1
    };
    assert_eq!((last(&program.ingress), last(&program.egress)), (8, 10));
}
