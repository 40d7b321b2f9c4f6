//! From WebAssembly to loops for an array.

mod bdd;
mod bytes;
mod execute;
mod instruction;
mod lower;
mod memory;
mod module;
mod pool;
mod rounds;
mod scalar;
mod split;
mod state;
mod vector;

use std::collections::BTreeMap;

use self::bytes::{Written, lane, of_value};
use self::execute::Executor;
use self::lower::Lowering;
use self::module::Module;
pub use self::pool::Region;
use self::pool::{Address, Expression, Id};
use self::rounds::Kept;
use self::state::State;
use crate::graph::{Kernel, Program};
use crate::refusal::Refusal;

/// Numbers of elements for which a kept loop is compared with its function.
const COMPARED: std::ops::RangeInclusive<u32> = 1..=20;

/// A function of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'r> {
    /// The function's name: `fold`, `map`, `decode`, `encode` or `answer`.
    pub function: &'r str,
    /// Bytes of an element in the memory of its first pointer, and in that of its second.
    pub sizes: [usize; 2],
    /// Set if it sees whole messages, so that elements depend on each other.
    pub message: bool,
    /// Set if it keeps data from one call to the next.
    pub keeps: bool,
}

impl Request<'_> {
    /// Returns the place of the parameter that has the number of elements.
    fn count_at(&self) -> usize {
        if matches!(self.function, "map" | "answer") { 1 } else { 2 }
    }
}

/// Makes the loops of a function. The module is one that a switch would take.
///
/// # Errors
/// [`Refusal`], if an instruction, a loop or an address has no form on an array.
pub fn extract(module: &[u8], request: &Request<'_>) -> Result<Program, Refusal> {
    let module = Module::parse(module)?;
    let (kernels, instructions) =
        if request.message { of_message(&module, request)? } else { of_element(&module, request)? };
    let memory = module.data.iter().map(|(at, bytes)| (*at, bytes.to_vec())).collect();
    Ok(Program {
        function: request.function.to_owned(),
        kernels,
        instructions,
        sizes: request.sizes,
        memory,
    })
}

/// An element by itself: the function for one element, in each round (R-OP-3).
fn of_element(module: &Module<'_>, request: &Request<'_>) -> Result<(Vec<Kernel>, u64), Refusal> {
    let mut executor = Executor::new(module, false);
    let written = executor.run(request.function, request.count_at(), 1)?;
    executor.finish(written, request.keeps);
    let effects = executor.effects.clone();
    let steps = executor.steps;
    let graph = Lowering::new(&mut executor, Some(request.sizes)).graph(&effects)?;
    let own = graph.nodes.iter().filter_map(|node| node.access);
    let lanes = own.filter(|access| access.region == Region::Own).count() == 0;
    Ok((split::split(&graph, lanes), steps))
}

/// A message: the loop that the function runs for one element, if it is the whole function for any
/// number of them.
fn of_message(module: &Module<'_>, request: &Request<'_>) -> Result<(Vec<Kernel>, u64), Refusal> {
    let mut executor = Executor::new(module, true);
    executor.run(request.function, request.count_at(), 1)?;
    let kept = executor.kept.clone().ok_or_else(|| Refusal::Loop("there is none".into()))?;
    for count in COMPARED {
        compare(module, request, count)?;
    }
    let steps = executor.steps;
    executor.finish(kept.written, request.keeps);
    let effects = executor.effects.clone();
    let graph = Lowering::new(&mut executor, None).graph(&effects)?;
    Ok((vec![Kernel { graph, instances: 1, lanes: false }], steps))
}

/// Compares a function for `count` elements with so many rounds of its kept loop: they must write
/// the same values to the same places, in the same order where that could matter.
fn compare(module: &Module<'_>, request: &Request<'_>, count: u32) -> Result<(), Refusal> {
    let differs = || Refusal::NotTheLoop { count };
    let mut executor = Executor::new(module, true);
    executor.run(request.function, request.count_at(), 1)?;
    let kept = executor.kept.take().ok_or_else(differs)?;
    if !executor.effects.is_empty() {
        return Err(Refusal::Loop("stores of one of them may meet".into()));
    }
    let found = unroll(&mut executor, &kept, count);
    executor.finish(found, request.keeps);
    let found = std::mem::take(&mut executor.effects);
    executor.terms.version = 0;
    let expected = executor.run(request.function, request.count_at(), count)?;
    executor.finish(expected, request.keeps);
    if found == executor.effects { Ok(()) } else { Err(differs()) }
}

/// Runs rounds of a kept loop on the memory that the function has at first.
fn unroll(executor: &mut Executor<'_, '_>, kept: &Kept, count: u32) -> Written {
    let mut state = State::empty();
    let mut values: BTreeMap<Id, Id> =
        kept.carried.iter().map(|(carried, first, _)| (*carried, *first)).collect();
    for _ in 0..count {
        let mut known = values.clone();
        let mut puts = Vec::new();
        for (address, bytes) in kept.written.stores() {
            let id = lane(&mut executor.terms.pool, &bytes);
            let value = substitute(executor, &mut known, &mut state, id);
            let place = place(executor, &mut known, &mut state, address);
            puts.push((place, value, bytes.len()));
        }
        for (carried, _, next) in &kept.carried {
            let next = substitute(executor, &mut known, &mut state, *next);
            values.insert(*carried, next);
        }
        for (place, value, bytes) in puts {
            executor.bytes_to(&mut state, place, &of_value(value, bytes).collect::<Vec<_>>());
        }
    }
    state.written
}

fn place(
    executor: &mut Executor<'_, '_>,
    known: &mut BTreeMap<Id, Id>,
    state: &mut State,
    address: Address,
) -> Address {
    let Some(base) = address.base else { return address };
    let base = substitute(executor, known, state, base);
    let found = executor.terms.pool.address(base);
    Address { offset: found.offset + address.offset, ..found }
}

/// Puts values in the place of what a loop carries.
fn substitute(
    executor: &mut Executor<'_, '_>,
    known: &mut BTreeMap<Id, Id>,
    state: &mut State,
    id: Id,
) -> Id {
    if let Some(done) = known.get(&id) {
        return *done;
    }
    let made = match executor.terms.pool.get(id) {
        Expression::Apply(op, ty, parts) => {
            let parts = parts.map(|part| substitute(executor, known, state, part));
            executor.terms.pool.apply(op, ty, parts)
        }
        Expression::Load { address, bytes, .. } => {
            let address = place(executor, known, state, address);
            let bytes = executor.bytes_at(state, address, bytes.into());
            lane(&mut executor.terms.pool, &bytes)
        }
        _ => id,
    };
    known.insert(id, made);
    made
}
