//! Arrays that run, beside Rust (R-CGRA-18).

use netfold_cgra::{Array, Compiled, Effort, Memories, compile, extract};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::kernels::{ALL, BINS, Kernel};

fn arrays() -> [Array; 3] {
    [Array::ACIS, Array::GRID, Array::SMALL].map(|text| Array::parse(text).unwrap())
}

fn compiled(kernel: &Kernel, array: &Array) -> Compiled {
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    compile(program, array, Effort::default()).unwrap()
}

fn bytes(words: &[i32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn loops_do_what_they_say() {
    for array in arrays() {
        for kernel in &ALL {
            let compiled = compiled(kernel, &array);
            for seed in 0..24 {
                let mut dice = Pcg64Mcg::seed_from_u64(seed);
                let count = dice.random_range(1..20);
                let mut draw = |words: usize| -> Vec<i32> {
                    let word = |_| match dice.random_range(0..4) {
                        0 => dice.random(),
                        1 => [0, -1, i32::MIN, i32::MAX][dice.random_range(0..4_usize)],
                        _ => dice.random_range(-4..4),
                    };
                    (0..words).map(word).collect()
                };
                let right = draw(count * kernel.words[1]);
                let mut left = draw(usize::max(BINS, count * kernel.words[0]));
                if kernel.words[0] > 0 {
                    left.truncate(count * kernel.words[0]);
                }
                let mut memories = Memories::new(&compiled.program, bytes(&left), bytes(&right), 0);
                let run = compiled.run(&array, &mut memories, count);
                (kernel.oracle)(&mut left, &right);
                let (name, on) = (kernel.name, &array.name);
                assert_eq!(memories.first, bytes(&left), "{name} on {on}, seed {seed}");
                assert!(!run.trapped);
            }
        }
    }
}

/// R-CGRA-10: lanes without an element store nothing.
#[test]
fn elements_that_do_not_fill_a_vector() {
    let array = Array::parse(Array::ACIS).unwrap();
    let program = crate::extraction::fold(
        "(i32.store (local.get $l) (i32.add (i32.load (local.get $l)) (i32.load (local.get $r))))",
        [4, 4],
    )
    .unwrap();
    let compiled = compile(program, &array, Effort::default()).unwrap();
    assert_eq!(compiled.images[0].lanes, 16);
    for count in [0, 1, 15, 16, 17, 33] {
        let (mut left, right): (Vec<i32>, Vec<i32>) = ((0..40).collect(), (100..140).collect());
        let mut memories = Memories::new(&compiled.program, bytes(&left), bytes(&right), 0);
        compiled.run(&array, &mut memories, count);
        left.iter_mut().zip(right).take(count).for_each(|(left, right)| *left += right);
        assert_eq!(memories.first, bytes(&left), "{count} elements");
    }
}

/// 100 Gbit/s at 250 MHz: 16 lanes of 32 bits, an element in each cycle and lane.
#[test]
fn sums_keep_up_with_a_link_of_100_gigabits() {
    let array = Array::parse(Array::ACIS).unwrap();
    for op in ["i32.add", "i32.xor", "i32.mul"] {
        let program = crate::extraction::fold(
            &format!("(i32.store (local.get $l) ({op} (i32.load (local.get $l)) (i32.load (local.get $r))))"),
            [4, 4],
        )
        .unwrap();
        let compiled = compile(program, &array, Effort::default()).unwrap();
        let count = 64_000;
        let operand = vec![7; 4 * count];
        let mut memories = Memories::new(&compiled.program, operand.clone(), operand, 0);
        let run = compiled.run(&array, &mut memories, count);
        let seconds = run.cycles as f64 / (array.megahertz * 1e6);
        let gigabits = 32.0 * count as f64 / seconds / 1e9;
        assert!(gigabits > 100.0, "{op}: {gigabits} Gbit/s");
    }
}

/// A trap is told, and lanes without an element do not trap.
#[test]
fn traps_are_told() {
    let array = Array::parse(Array::ACIS).unwrap();
    let program = crate::extraction::fold(
        "(i32.store (local.get $l) (i32.div_u (i32.load (local.get $l)) (i32.load (local.get $r))))",
        [4, 4],
    )
    .unwrap();
    let compiled = compile(program, &array, Effort::default()).unwrap();
    for (right, trapped) in [([3, 5], false), ([3, 0], true)] {
        let mut memories = Memories::new(&compiled.program, bytes(&[9, 25]), bytes(&right), 0);
        let run = compiled.run(&array, &mut memories, 2);
        assert_eq!(run.trapped, trapped);
        assert!(trapped || memories.first == bytes(&[3, 5]));
    }
}
