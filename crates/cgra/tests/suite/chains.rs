//! Functions that a round goes through, one behind the other, beside Rust (R-CGRA-29).

use netfold_cgra::{Array, Chain, Compiled, Effort, Memories, Refusal, Request, compile, extract};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const PARAMETERS: &str = "(param $l i32) (param $r i32) (param $n i32)";

/// Numbers of 16 bits travel, and are summed with 32: a decoder, a fold, a map and an encoder.
const NARROW: [(&str, [usize; 2], &str); 4] = [
    (
        "encode",
        [2, 4],
        "(i32.store16 (local.get $l) (i32.shr_u (i32.load (local.get $r)) (i32.const 1)))",
    ),
    ("map", [4, 0], "(i32.store (local.get $l) (i32.mul (i32.load (local.get $l)) (i32.const 3)))"),
    (
        "fold",
        [4, 4],
        "(i32.store (local.get $l)
        (i32.add (i32.load (local.get $l)) (i32.load (local.get $r))))",
    ),
    ("decode", [4, 2], "(i32.store (local.get $l) (i32.load16_s (local.get $r)))"),
];

fn array() -> Array {
    Array::parse(Array::ACIS).unwrap()
}

fn compiled(functions: &[(&str, [usize; 2], &str)], keeps: bool, array: &Array) -> Vec<Compiled> {
    let of = |(function, sizes, body): &(&str, [usize; 2], &str)| {
        let parameters =
            if *function == "map" { "(param $l i32) (param $n i32)" } else { PARAMETERS };
        let module = format!(
            "(module (memory (export \"memory\") 1) (func (export \"{function}\") {parameters} {body}))"
        );
        let request = Request { function, sizes: *sizes, message: false, keeps };
        let program = extract(&wat::parse_str(module).unwrap(), &request).unwrap();
        compile(program, array, Effort::default()).unwrap()
    };
    functions.iter().map(of).collect()
}

/// Operands of numbers of 16 bits.
fn operands(dice: &mut Pcg64Mcg, ranks: usize, elements: usize) -> Vec<Vec<i16>> {
    (0..ranks).map(|_| (0..elements).map(|_| dice.random()).collect()).collect()
}

fn bytes(operands: &[Vec<i16>]) -> Vec<Vec<u8>> {
    let of = |operand: &Vec<i16>| operand.iter().flat_map(|number| number.to_le_bytes()).collect();
    operands.iter().map(of).collect()
}

/// The sum of the ranks' numbers at a place.
fn sum(operands: &[Vec<i16>], at: usize) -> i32 {
    operands.iter().map(|operand| i32::from(operand[at])).sum()
}

#[test]
fn a_round_is_decoded_folded_mapped_and_encoded() {
    let array = array();
    let chain = Chain::new(&compiled(&NARROW, false, &array), &array).unwrap();
    let mut dice = Pcg64Mcg::seed_from_u64(7);
    for ranks in 1..=5 {
        for elements in [0, 1, 15, 16, 17, 100] {
            let operands = operands(&mut dice, ranks, elements);
            let (result, run) = chain.run(&array, &bytes(&operands), 0);
            let expected = (0..elements).map(|at| ((3 * sum(&operands, at)) as u32 >> 1) as u16);
            let expected: Vec<u8> = expected.flat_map(u16::to_le_bytes).collect();
            assert_eq!(result, expected, "{ranks} ranks, {elements} elements");
            assert!(!run.trapped);
        }
    }
}

/// The look-aside memory is one for all passes: the decoder adds up what it has seen there, and the
/// encoder takes that away.
#[test]
fn passes_share_the_look_aside_memory() {
    let functions = [
        NARROW[2],
        (
            "decode",
            [4, 2],
            "(i32.store (local.get $l) (i32.load16_s (local.get $r)))
            (i32.store (i32.const 1024)
                (i32.add (i32.load (i32.const 1024)) (i32.load16_s (local.get $r))))",
        ),
        (
            "encode",
            [2, 4],
            "(i32.store16 (local.get $l)
            (i32.sub (i32.load (local.get $r)) (i32.load (i32.const 1024))))",
        ),
    ];
    let array = array();
    let chain = Chain::new(&compiled(&functions, true, &array), &array).unwrap();
    let mut dice = Pcg64Mcg::seed_from_u64(8);
    for ranks in 1..=3 {
        let operands = operands(&mut dice, ranks, 5);
        let (result, _) = chain.run(&array, &bytes(&operands), 2048);
        let all: i32 = (0..5).map(|at| sum(&operands, at)).sum();
        let expected: Vec<u8> =
            (0..5).flat_map(|at| ((sum(&operands, at) - all) as u16).to_le_bytes()).collect();
        assert_eq!(result, expected, "{ranks} ranks");
    }
}

/// Without a codec or a map there is one pass, and a trap of any pass is told.
#[test]
fn a_trap_in_any_pass_is_told() {
    let array = array();
    let map = (
        "map",
        [4, 0],
        "(if (i32.eq (i32.load (local.get $l)) (i32.const 9)) (then unreachable))
        (i32.store (local.get $l) (i32.const 1))",
    );
    let functions = compiled(&[NARROW[2], map], false, &array);
    let operands = |first: i32| [first, 4].map(|number| number.to_le_bytes().to_vec());
    for (first, trapped) in [(4, false), (5, true)] {
        let plain = Chain::new(&functions[..1], &array).unwrap();
        let (result, run) = plain.run(&array, &operands(first), 0);
        assert_eq!((result, run.trapped), ((first + 4).to_le_bytes().to_vec(), false));
        let mapped = Chain::new(&functions, &array).unwrap();
        assert_eq!(mapped.run(&array, &operands(first), 0).1.trapped, trapped);
        assert_eq!((plain.passes().count(), mapped.passes().count()), (1, 2));
    }
}

#[test]
fn intervals_latencies_and_energies_add_up() {
    let array = array();
    let functions = compiled(&NARROW, false, &array);
    let chain = Chain::new(&functions, &array).unwrap();
    assert_eq!((chain.passes().count(), chain.travelling()), (4, 2));
    let figures = chain.figures(&array);
    // Four passes of 16 lanes, an interval of one cycle each, at 250 MHz: 16 bits x 16 lanes x
    // 250 MHz / 4.
    assert!((figures.cycles_per_element - 4.0 / 16.0).abs() < 1e-12, "{figures:?}");
    assert!((figures.gbit_per_second - 16.0).abs() < 1e-9, "{figures:?}");
    let alone: Vec<_> = functions.iter().map(|function| function.figures(&array)).collect();
    assert_eq!(figures.latency, alone.iter().map(|one| one.latency).sum());

    // Three operands: three are decoded, two folded, one result is mapped and encoded.
    let elements = 40;
    let zero = bytes(&vec![vec![0; elements]; 3]);
    let (_, whole) = chain.run(&array, &zero, 0);
    let runs = functions.iter().zip([1.0, 1.0, 2.0, 3.0]).map(|(function, times)| {
        let [first, second] = function.program.sizes.map(|size| vec![0; size * elements]);
        let mut memories = Memories::new(&function.program, first, second, 0);
        let run = function.run(&array, &mut memories, elements);
        (times * run.cycles as f64, times * run.picojoules)
    });
    let (cycles, picojoules) = runs.fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    assert_eq!(whole.cycles as f64, cycles);
    assert!((whole.picojoules - picojoules).abs() < 1e-6 * picojoules);
}

/// The loops of all passes are in the instruction memories at once.
#[test]
fn loops_that_an_instruction_memory_does_not_hold_together_are_refused() {
    let with = |instructions: u32| {
        let text =
            Array::ACIS.replace("instructions = 64", &format!("instructions = {instructions}"));
        Array::parse(&text).unwrap()
    };
    // Each of the four has an interval of one cycle.
    let functions = compiled(&NARROW, false, &with(3));
    let found = Chain::new(&functions, &with(3)).unwrap_err();
    assert!(matches!(found, Refusal::Loops { words: 4, depth: 3, .. }), "{found}");
    Chain::new(&functions, &with(4)).unwrap();
    // Two parts of an element that share nothing are two loops of one function.
    let parts =
        "(i32.store (local.get $l) (i32.add (i32.load (local.get $l)) (i32.load (local.get $r))))
        (i32.store offset=4 (local.get $l)
            (i32.xor (i32.load offset=4 (local.get $l)) (i32.load offset=4 (local.get $r))))";
    let program = crate::extraction::fold(parts, [8, 8]).unwrap();
    assert_eq!(program.kernels.len(), 2);
    let found = compile(program.clone(), &with(1), Effort::default()).unwrap_err();
    assert!(matches!(found, Refusal::Loops { words: 2, depth: 1, .. }), "{found}");
    compile(program, &with(2), Effort::default()).unwrap();
}

#[test]
fn a_chain_has_a_fold() {
    let array = array();
    let found = Chain::new(&compiled(&NARROW[..2], false, &array), &array).unwrap_err();
    assert_eq!(found, Refusal::NoFunction("fold".into()));
}
