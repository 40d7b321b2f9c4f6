//! `netfold cgra simulate`: an array beside WebAssembly, on random operands.

use netfold_cgra::{Memories, Run};
use netfold_ops::{Instance, Operation};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::flags::MapFlags;
use super::{array, functions, mapped};
use crate::error::Error;
use crate::op::{load, wrong};
use crate::{FAILURE, SUCCESS, terminal};

/// Bytes of the module's own memory beside its state.
const OWN: usize = 1 << 20;

/// Bytes of elements: any, or small numbers of 32 bits, whose sums and quotients are ordinary.
fn draw(dice: &mut StdRng, bytes: usize) -> Vec<u8> {
    let mut drawn = vec![0; bytes];
    dice.fill(&mut drawn[..]);
    if dice.random_bool(0.5) {
        for word in drawn.chunks_exact_mut(4) {
            let number: f32 = dice.random_range(-100.0..100.0);
            let small = dice.random_range(0..4_u32);
            let word_of =
                if dice.random_bool(0.8) { number.to_le_bytes() } else { small.to_le_bytes() };
            word.copy_from_slice(&word_of);
        }
    }
    drawn
}

/// Returns the bytes behind the first pointer after WebAssembly has run; `None` if it traps.
fn of_module(
    instance: &mut Instance,
    function: &str,
    first: &[u8],
    second: &[u8],
) -> Option<Vec<u8>> {
    let mut result = first.to_vec();
    let done = match function {
        "fold" => instance.fold(&mut result, second),
        "map" => instance.map(&mut result),
        "answer" => instance.answer(&mut result, 0),
        "decode" => instance.decode(second).map(|made| result = made),
        _ => instance.encode(second).map(|made| result = made),
    };
    done.ok().map(|()| result)
}

pub(super) fn run(flags: &MapFlags, elements: usize) -> Result<i32, Error> {
    let (operation, array) = (load(&flags.module)?, array(&flags.array)?);
    let mut status = SUCCESS;
    for function in functions(&operation) {
        let (name, sizes) = function;
        let text = match mapped(&operation, function, &array, flags.array.seed) {
            Err(refusal) => {
                status = FAILURE;
                format!("{name}: {refusal}\n")
            }
            Ok(compiled) => {
                let mut dice = StdRng::seed_from_u64(flags.array.seed);
                let elements =
                    elements.min(operation.declaration().batch_bytes() / sizes[0].max(1));
                let operands =
                    [draw(&mut dice, sizes[0] * elements), draw(&mut dice, sizes[1] * elements)];
                let state = operation.declaration().state.unwrap_or(0) as usize;
                let [first, second] = operands.clone();
                let mut memories = Memories::new(&compiled.program, first, second, OWN + state);
                let run = compiled.run(&array, &mut memories, elements);
                let mut instance = operation.instance().map_err(wrong(&flags.module))?;
                let expected = of_module(&mut instance, name, &operands[0], &operands[1]);
                let same = match &expected {
                    Some(expected) => !run.trapped && *expected == memories.first,
                    None => run.trapped,
                };
                if !same {
                    status = FAILURE;
                }
                line(&operation, name, elements, &run, same, array.megahertz)
            }
        };
        terminal::say(&text)?;
    }
    Ok(status)
}

fn line(
    operation: &Operation,
    function: &str,
    elements: usize,
    run: &Run,
    same: bool,
    megahertz: f64,
) -> String {
    let agrees = if same { "as WebAssembly" } else { "NOT as WebAssembly" };
    let trapped = if run.trapped { ", traps" } else { "" };
    format!(
        "{} {function}: {elements} elements in {} cycles ({:.2} us at {megahertz} MHz), {} operations, {} hops, {:.1} nJ; {agrees}{trapped}\n",
        operation.name(),
        run.cycles,
        run.cycles as f64 / megahertz,
        run.operations,
        run.hops,
        run.picojoules / 1e3,
    )
}
