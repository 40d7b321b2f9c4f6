//! Times of a user's sum of 256 `i32`, in WebAssembly, beside the built-in kernel's:
//! `cargo run --release --package netfold-ops --example users_sum`.

use std::error::Error;
use std::hint::black_box;

use netfold_num::{ByteOrder, ElementType, Operation as BuiltIn};
use netfold_ops::{Limits, Operation, Runtime, side_by_side};

const ROUNDS: usize = 401;

/// A sum with four vectors in each turn of its loop, as compilers write it.
fn module() -> Result<Vec<u8>, wat::Error> {
    let adds: String = [0, 16, 32, 48]
        .map(|at| {
            format!(
                "(v128.store offset={at} (local.get $left) (i32x4.add
                    (v128.load offset={at} (local.get $left))
                    (v128.load offset={at} (local.get $right))))"
            )
        })
        .concat();
    wat::parse_str(format!(
        r#"(module
            (@custom "netfold.operation" "abi 1\nname sum\nelement i32x16\n")
            (memory (export "memory") 1)
            (func (export "fold") (param $left i32) (param $right i32) (param $count i32)
                (loop $next {adds}
                    (local.set $left (i32.add (local.get $left) (i32.const 64)))
                    (local.set $right (i32.add (local.get $right) (i32.const 64)))
                    (br_if $next
                        (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))"#
    ))
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = Runtime::new()?;
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => module()?,
    };
    let operation = Operation::load(&runtime, &bytes, &Limits::default())?;
    for elements in [16, 64, 256, 1024, 4096, 16384] {
        let bytes = 4 * elements;
        let mut own = operation.instance()?;
        let mut several = operation.instance()?;
        let operand = vec![1; bytes];
        let (mut one, mut two, mut three) = (vec![0; bytes], vec![0; bytes], vec![0; bytes]);
        let (mut trapped, mut stopped) = (false, false);
        let figures = side_by_side(
            ROUNDS,
            &mut [
                &mut || {
                    netfold_kernels::fold(
                        ElementType::I32,
                        BuiltIn::Sum,
                        ByteOrder::Little,
                        black_box(&mut one),
                        black_box(&operand),
                    );
                },
                &mut || trapped |= own.fold(black_box(&mut two), black_box(&operand)).is_err(),
                &mut || {
                    let operands = [operand.as_slice(); 7];
                    stopped |=
                        several.round(black_box(&mut three), black_box(operands), false).is_err();
                },
            ],
        );
        assert!(!trapped && !stopped, "the sum does not trap");
        let [kernel, fold, seven] = figures[..] else { unreachable!("three were timed") };
        println!(
            "{elements} i32: built-in {:.1} ns ({:.1} to {:.1}); fold {:.1} ns ({:.1} to {:.1}), \
             {:.2} times; of 7 operands, each {:.1} ns, {:.2} times",
            kernel.median_ns,
            kernel.lower_ns,
            kernel.upper_ns,
            fold.median_ns,
            fold.lower_ns,
            fold.upper_ns,
            fold.median_ns / kernel.median_ns,
            seven.median_ns / 7.0,
            seven.median_ns / 7.0 / kernel.median_ns,
        );
    }
    Ok(())
}
