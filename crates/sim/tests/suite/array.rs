//! Switches whose folds an array carries out (R-CGRA-28, R-CGRA-29).

use std::sync::Arc;

use netfold_cgra::{Array, Chain, Compiled, Effort, Memories, Request, compile, extract};
use netfold_num::{Arithmetic, ElementType};
use netfold_sim::{
    Calibration, CallSetup, Cluster, CollectiveName, Content, Layer, Scenario, Setup, SystemName,
};

use crate::hardware::{ELEMENTS, WORKERS, ended, hardware, refusal, setup};

/// A cycle of an array at 250 MHz.
const CYCLE_PS: u64 = 4_000;

/// Cycles of the fold of one packet, by running on the array what a compiler makes of a sum: until
/// its last result, and until another packet may begin.
fn cycles(elements: usize) -> (u64, u64) {
    let module = "(module (memory (export \"memory\") 1)
        (func (export \"fold\") (param $l i32) (param $r i32) (param $n i32)
          (i32.store (local.get $l)
            (i32.add (i32.load (local.get $l)) (i32.load (local.get $r))))))";
    let request = Request { function: "fold", sizes: [4, 4], message: false, keeps: false };
    let program = extract(&wat::parse_str(module).unwrap(), &request).unwrap();
    let array = Array::parse(Array::ACIS).unwrap();
    let compiled = compile(program, &array, Effort::default()).unwrap();
    let operand = vec![0; 4 * elements];
    let mut memories = Memories::new(&compiled.program, operand.clone(), operand, 0);
    let whole = compiled.run(&array, &mut memories, elements).cycles;
    (whole, (elements as f64 * compiled.figures(&array).cycles_per_element).ceil() as u64)
}

/// The packets of all workers come at the same time, and take the array one behind the other; what
/// the last one brings comes out with its last result (R-CGRA-28).
#[test]
fn folds_take_what_their_mapping_on_an_array_says() {
    let took = |elements: u64, array: Option<&str>| {
        let mut setup = setup(1024, None);
        setup.switches.array = array.map(str::to_owned);
        let job = &mut setup.jobs[0];
        job.terms.arithmetic = Arithmetic::Native;
        job.content = Content::Real;
        job.calls[0] =
            CallSetup { elements, element_type: ElementType::I32, ..CallSetup::default() };
        ended(&setup).completed(0, 0).unwrap().ps()
    };
    for elements in [1, 16, 17, 256] {
        let (whole, busy) = cycles(elements as usize);
        let busy = busy.max(1);
        let more = took(elements, Some("acis")) - took(elements, None);
        assert_eq!(more, (u64::from(WORKERS - 1) * busy + whole) * CYCLE_PS, "{elements}");
    }
    // A long call takes no less than the array takes for all of its packets.
    let packets = ELEMENTS / 256 * u64::from(WORKERS);
    let busy_ps = packets * cycles(256).1 * CYCLE_PS;
    let with_array = took(ELEMENTS, Some("acis"));
    assert!(with_array >= busy_ps, "{with_array} for {busy_ps}");
}

/// Whatever the collective, its packets go through the array: each takes at least the cycles of two
/// loads or one, and a store.
#[test]
fn packets_of_all_collectives_go_through_the_array() {
    use CollectiveName::*;
    for collective in [
        AllReduce,
        Reduce,
        Broadcast,
        AllGather,
        ReduceScatter,
        Gather,
        Scatter,
        AllToAll,
        Scan,
        ExScan,
        Prefixes,
        ScanTotal,
    ] {
        let took = |array: Option<&str>| {
            let mut setup = setup(1024, None);
            setup.switches.array = array.map(str::to_owned);
            let job = &mut setup.jobs[0];
            job.terms.arithmetic = Arithmetic::Native;
            job.content = Content::Real;
            let element_type = ElementType::I32;
            job.calls[0] =
                CallSetup { collective, elements: 64, element_type, ..CallSetup::default() };
            ended(&setup).completed(0, 0).unwrap().ps()
        };
        let more = took(Some("acis")) - took(None);
        assert!(more >= 4 * CYCLE_PS, "{collective:?}: {more} ps");
    }
}

/// The scenario of the repository: the operands of both workers go through the array, 16 elements
/// in each cycle.
#[test]
fn the_scenario_takes_the_cycles_of_all_operands() {
    let scenario = Scenario::parse(include_str!("../../scenarios/array.toml")).unwrap();
    assert_eq!(scenario.runs.len(), 4);
    for (run, elements) in scenario.runs.iter().zip([16, 256, 4096, 65536]) {
        let took = |array: Option<&str>| {
            let mut setup = run.setup.clone();
            setup.switches.array = array.map(str::to_owned);
            ended(&setup).completed(0, 0).unwrap().ps()
        };
        let (with, without) = (took(Some("acis")), took(None));
        assert!(with >= without + 4 * CYCLE_PS, "{elements}: {with} ps, {without} ps without it");
        assert!(with >= 2 * elements / 16 * CYCLE_PS, "{elements}: {with} ps");
    }
}

#[test]
fn folds_that_an_array_does_not_have_are_refused_by_name() {
    let array = |change: &dyn Fn(&mut Setup)| {
        refusal(|setup| {
            setup.switches.hardware = None;
            setup.switches.array = Some("acis".into());
            change(setup);
        })
    };
    let why = array(&|setup| setup.jobs[0].terms.arithmetic = Arithmetic::FpisaA);
    assert!(why.contains("no sum of f32 in fpisa-a arithmetic"), "{why}");
    let mut setup = setup(256, hardware(64, 1.0));
    setup.switches.array = Some("acis".into());
    let built = Cluster::new(&setup, &Calibration::built_in(), 1);
    assert!(built.err().unwrap().to_string().contains("one of the two"));
    (setup.switches.hardware, setup.switches.array) = (None, Some("large".into()));
    let built = Cluster::new(&setup, &Calibration::built_in(), 1);
    assert!(built.err().unwrap().to_string().contains("\"small-2x2\""));
}

/// A function of an operation, with the bytes of an element behind its pointers.
type Function = (&'static str, [usize; 2], &'static str);

const DECODE: Function =
    ("decode", [4, 2], "(i32.store (local.get 0) (i32.load16_s (local.get 1)))");
const FOLD: Function = (
    "fold",
    [4, 4],
    "(i32.store (local.get 0) (i32.add (i32.load (local.get 0)) (i32.load (local.get 1))))",
);
const MAP: Function =
    ("map", [4, 0], "(i32.store (local.get 0) (i32.mul (i32.load (local.get 0)) (i32.const 3)))");
const ENCODE: Function = ("encode", [2, 4], "(i32.store16 (local.get 0) (i32.load (local.get 1)))");

fn acis() -> Array {
    Array::parse(Array::ACIS).unwrap()
}

fn compiled((function, sizes, body): Function) -> Compiled {
    let parameters = if function == "map" { "(param i32 i32)" } else { "(param i32 i32 i32)" };
    let module = format!(
        "(module (memory (export \"memory\") 1) (func (export \"{function}\") {parameters} {body}))"
    );
    let request = Request { function, sizes, message: false, keeps: false };
    let program = extract(&wat::parse_str(module).unwrap(), &request).unwrap();
    compile(program, &acis(), Effort::default()).unwrap()
}

/// A call of so many bytes, in one packet if they have room in it.
fn with_chain(bytes: u64, functions: &[Function]) -> Setup {
    let mut setup = setup(1024, None);
    setup.switches.array = Some("acis".into());
    let job = &mut setup.jobs[0];
    job.terms.arithmetic = Arithmetic::Native;
    job.content = Content::Real;
    let element_type = ElementType::I32;
    job.calls[0] = CallSetup { elements: bytes / 4, element_type, ..CallSetup::default() };
    let functions: Vec<_> = functions.iter().copied().map(compiled).collect();
    job.chain = Some(Arc::new(Chain::new(&functions, &acis()).unwrap()));
    setup
}

fn without_array(mut setup: Setup) -> Setup {
    (setup.switches.array, setup.jobs[0].chain) = (None, None);
    setup
}

/// Cycles of a function for so many elements, by running it.
fn run(function: Function, elements: usize) -> u64 {
    let compiled = compiled(function);
    let [first, second] = compiled.program.sizes.map(|size| vec![0; size * elements]);
    let mut memories = Memories::new(&compiled.program, first, second, 0);
    compiled.run(&acis(), &mut memories, elements).cycles
}

/// The packets of all workers come at the same time. Each keeps the array for a decoding and a
/// fold, 16 elements in a cycle; the last one goes through all four functions, and comes out with
/// the last result of the last one.
#[test]
fn rounds_of_an_operation_take_all_of_its_passes() {
    for elements in [16, 48, 512] {
        let setup = with_chain(2 * elements, &[DECODE, FOLD, MAP, ENCODE]);
        let (with, without) = (ended(&setup), ended(&without_array(setup.clone())));
        let took = |cluster: &Cluster| cluster.completed(0, 0).unwrap().ps();
        let whole: u64 = [DECODE, FOLD, MAP, ENCODE]
            .map(|function| run(function, elements as usize))
            .iter()
            .sum();
        let others = u64::from(WORKERS - 1) * 2 * elements / 16;
        assert_eq!(took(&with) - took(&without), (others + whole) * CYCLE_PS, "{elements}");
        // Each operand goes around once, and the last one twice more.
        assert_eq!(with.report().recirculations, u64::from(WORKERS) + 2);
        assert_eq!(without.report().recirculations, 0);
    }
}

/// An operation without codec and map takes what its fold takes, and goes around for nothing.
#[test]
fn an_operation_that_only_folds_is_a_fold() {
    let setup = with_chain(1024, &[FOLD]);
    let mut plain = setup.clone();
    plain.jobs[0].chain = None;
    let (chain, plain) = (ended(&setup), ended(&plain));
    assert_eq!(chain.completed(0, 0), plain.completed(0, 0));
    assert_eq!(chain.report().recirculations, 0);
}

/// In a tree each switch encodes what it sends, and the root alone maps it. What comes down is
/// moved.
#[test]
fn results_are_mapped_at_the_root_alone() {
    const LEAVES: u16 = 2;
    let mut setup = with_chain(1024, &[DECODE, FOLD, MAP, ENCODE]);
    let layer = Layer { fan_out: LEAVES.into(), ..setup.layers[0].clone() };
    setup.layers = vec![layer.clone(), Layer { fan_out: (WORKERS / LEAVES).into(), ..layer }];
    let operands = u64::from(WORKERS + LEAVES);
    // At a leaf an encoding follows the last operand; at the root a map and an encoding.
    assert_eq!(ended(&setup).report().recirculations, operands + u64::from(LEAVES) + 2);
}

/// Probes stand for as many bytes as real elements have, so they take as long.
#[test]
fn probes_stand_for_the_elements_of_an_operation() {
    let setup = with_chain(64 * 1024, &[DECODE, FOLD, ENCODE]);
    let mut probes = setup.clone();
    probes.jobs[0].content = Content::Probe;
    let (real, probes) = (ended(&setup), ended(&probes));
    assert_eq!(real.completed(0, 0), probes.completed(0, 0));
    let rounds = real.counters(0, 0).rounds;
    assert_eq!(real.report().recirculations, rounds * (u64::from(WORKERS) + 1));
    assert_eq!(probes.report().recirculations, real.report().recirculations);
}

#[test]
fn operations_that_an_array_cannot_carry_out_are_refused_by_name() {
    let chained = |change: &dyn Fn(&mut Setup)| {
        refusal(|setup| {
            *setup = with_chain(64, &[FOLD]);
            change(setup);
        })
    };
    let why = chained(&|setup| setup.switches.array = None);
    assert!(why.contains("give switches.array"), "{why}");
    let why = chained(&|setup| {
        setup.jobs[0].chain = None;
        setup.jobs[0].operation = Some("sum.wasm".into());
    });
    assert!(why.contains("has not been read"), "{why}");
    let why = chained(&|setup| setup.jobs[0].system = SystemName::Ring);
    assert!(why.contains("system = \"netfold\""), "{why}");
    for collective in [
        CollectiveName::Scan,
        CollectiveName::ExScan,
        CollectiveName::Prefixes,
        CollectiveName::ScanTotal,
    ] {
        let why = chained(&|setup| setup.jobs[0].calls[0].collective = collective);
        assert!(why.contains("all_reduce, reduce and reduce_scatter"), "{why}");
    }
    // What only moves needs no function.
    let mut moved = with_chain(64, &[FOLD]);
    moved.jobs[0].calls[0].collective = CollectiveName::AllGather;
    assert_eq!(ended(&moved).report().recirculations, 0);
}
