//! `netfold cgra simulate`: an array beside WebAssembly, on random operands.

use netfold_cgra::{Array, Chain, Compiled, Memories, Run};
use netfold_ops::{Instance, Operation};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::flags::MapFlags;
use super::{Mapped, array, own_bytes};
use crate::error::Error;
use crate::op::{load, wrong};
use crate::{FAILURE, SUCCESS, terminal};

/// Operands of a round that goes through a chain.
const OPERANDS: usize = 3;

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
    let elements = elements.min(operation.declaration().batch_elements());
    let beside = Beside { flags, operation: &operation, array: &array, elements };
    let mapped = Mapped::new(&operation, &array, flags.array.seed);
    let chain = mapped.passes(&array);
    let mut status = SUCCESS;
    for (name, sizes, mapped) in mapped.functions {
        let text = match mapped {
            Err(refusal) => {
                status = FAILURE;
                format!("{name}: {refusal}\n")
            }
            Ok(compiled) => beside.function(name, sizes, &compiled, &mut status)?,
        };
        terminal::say(&text)?;
    }
    // If one of its functions is refused, that has been told.
    if let Some(Ok(chain)) = chain {
        terminal::say(&beside.chain(&chain, &mut status)?)?;
    }
    Ok(status)
}

/// An operation on an array and as WebAssembly.
struct Beside<'b> {
    flags: &'b MapFlags,
    operation: &'b Operation,
    array: &'b Array,
    elements: usize,
}

impl Beside<'_> {
    fn instance(&self) -> Result<Instance, Error> {
        self.operation.instance().map_err(wrong(&self.flags.module))
    }

    fn function(
        &self,
        name: &str,
        sizes: [usize; 2],
        compiled: &Compiled,
        status: &mut i32,
    ) -> Result<String, Error> {
        let mut dice = StdRng::seed_from_u64(self.flags.array.seed);
        let [first, second] = sizes.map(|size| draw(&mut dice, size * self.elements));
        let expected = of_module(&mut self.instance()?, name, &first, &second);
        let mut memories =
            Memories::new(&compiled.program, first, second, own_bytes(self.operation));
        let run = compiled.run(self.array, &mut memories, self.elements);
        Ok(self.line(name, &run, expected, &memories.first, status))
    }

    /// Runs a round of [`OPERANDS`] operands.
    fn chain(&self, chain: &Chain, status: &mut i32) -> Result<String, Error> {
        let mut dice = StdRng::seed_from_u64(self.flags.array.seed);
        let bytes = chain.travelling() * self.elements;
        let operands: Vec<_> = (0..OPERANDS).map(|_| draw(&mut dice, bytes)).collect();
        let mut expected = operands[0].clone();
        let others = operands[1..].iter().map(Vec::as_slice);
        let done = self.instance()?.round(&mut expected, others, true);
        let (result, run) = chain.run(self.array, &operands, own_bytes(self.operation));
        let name = format!("chain of {OPERANDS} operands");
        Ok(self.line(&name, &run, done.ok().map(|()| expected), &result, status))
    }

    /// A line about a run; `expected` is the result of WebAssembly, `None` if it traps.
    fn line(
        &self,
        name: &str,
        run: &Run,
        expected: Option<Vec<u8>>,
        result: &[u8],
        status: &mut i32,
    ) -> String {
        let same = match expected {
            Some(expected) => !run.trapped && expected == result,
            None => run.trapped,
        };
        if !same {
            *status = FAILURE;
        }
        let agrees = if same { "as WebAssembly" } else { "NOT as WebAssembly" };
        let trapped = if run.trapped { ", traps" } else { "" };
        format!(
            "{} {name}: {} elements in {} cycles ({:.2} us at {} MHz), {} operations, {} hops, \
             {:.1} nJ; {agrees}{trapped}\n",
            self.operation.name(),
            self.elements,
            run.cycles,
            run.cycles as f64 / self.array.megahertz,
            self.array.megahertz,
            run.operations,
            run.hops,
            run.picojoules / 1e3,
        )
    }
}
