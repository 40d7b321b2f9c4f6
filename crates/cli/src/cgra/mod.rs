//! `netfold cgra`: operations of users on an array in the switch.

mod drawing;
pub(crate) mod flags;
mod report;
mod simulate;

use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use netfold_cgra::{Array, Chain, Compiled, Effort, Refusal, Request, compile, extract};
use netfold_ops::{Operation, Scope, TypedOperation};

use self::flags::{ArrayFlags, Cgra, MapFlags};
use crate::error::Error;
use crate::op::{load, wrong};
use crate::output::Output;
use crate::{FAILURE, SUCCESS, terminal};

pub(crate) use self::report::{COLUMNS, rows};

/// Runs the command.
///
/// # Errors
/// [`Error::File`] for a file that cannot be read, [`Error::Operation`] for an operation that a
/// switch refuses, [`Error::Usage`] for an array or a function that is not there.
pub(crate) fn run(what: &Cgra) -> Result<i32, Error> {
    match what {
        Cgra::Graph { module, function, kernel } => graph(module, function, *kernel),
        Cgra::Map { map: flags, svg } => map(flags, svg.as_deref()),
        Cgra::Simulate { map, elements } => simulate::run(map, *elements as usize),
        Cgra::Report { modules, array } => report::run(modules, array),
    }
}

/// Reads an array: one of those that come along, or a file.
pub(crate) fn array(flags: &ArrayFlags) -> Result<Array, Error> {
    let read = |path: &str| {
        let wrong = |source| Error::File { what: "the array", path: path.into(), source };
        fs::read_to_string(path).map_err(wrong)
    };
    let text = match Array::built_in(&flags.array) {
        Some(text) => text.to_owned(),
        None => read(&flags.array)?,
    };
    Array::parse(&text).map_err(|error| Error::Usage(format!("{}: {error}", flags.array)))
}

/// Functions of an operation, each with the bytes of an element behind its pointers.
pub(crate) fn functions(operation: &Operation) -> Vec<(&'static str, [usize; 2])> {
    let declaration = operation.declaration();
    let element = declaration.element.bytes();
    let mut all = Vec::new();
    if let Some(wire) = &declaration.wire {
        all.push(("decode", [element, wire.bytes()]));
        all.push(("encode", [wire.bytes(), element]));
    }
    if operation.folds() {
        all.push(("fold", [element, element]));
    }
    if operation.has_map() {
        all.push(("map", [element, 0]));
    }
    if operation.answers() {
        all.push(("answer", [element, 0]));
    }
    all
}

/// Returns the bytes of a module's own memory, which has its state and what it needs beside that.
fn own_bytes(operation: &Operation) -> usize {
    const BESIDE: usize = 1 << 20;
    BESIDE + operation.declaration().state.unwrap_or(0) as usize
}

/// Request about a function.
pub(crate) fn request<'r>(
    operation: &Operation,
    (function, sizes): (&'r str, [usize; 2]),
) -> Request<'r> {
    let declaration = operation.declaration();
    Request {
        function,
        sizes,
        message: matches!(declaration.scope, Scope::Message { .. }),
        keeps: declaration.state.is_some(),
    }
}

/// An operation on an array.
pub(crate) struct Mapped {
    /// Each function, with the bytes of an element behind its pointers.
    functions: Vec<(&'static str, [usize; 2], Result<Compiled, Refusal>)>,
    /// Set if it has a codec or a map.
    goes_around: bool,
}

impl Mapped {
    /// Maps all functions of an operation.
    pub(crate) fn new(operation: &Operation, array: &Array, seed: u64) -> Self {
        let mapped = |(name, sizes)| {
            let program = extract(operation.module(), &request(operation, (name, sizes)));
            let effort = Effort { seed, ..Effort::default() };
            (name, sizes, program.and_then(|program| compile(program, array, effort)))
        };
        Self {
            functions: functions(operation).into_iter().map(mapped).collect(),
            goes_around: operation.declaration().wire.is_some() || operation.has_map(),
        }
    }

    /// Returns the functions that a round goes through (R-CGRA-29).
    ///
    /// # Errors
    /// The reason why the array has no such chain.
    pub(crate) fn chain(&self, array: &Array) -> Result<Chain, String> {
        let of_round = self.functions.iter().filter(|(name, ..)| *name != "answer");
        let all: Result<Vec<_>, _> = of_round
            .map(|(name, _, mapped)| {
                mapped.clone().map_err(|refusal| format!("its {name} is refused: {refusal}"))
            })
            .collect();
        Chain::new(&all?, array).map_err(|refusal| refusal.to_string())
    }

    /// Returns the chain of a round that takes several passes; see [`chain`](Self::chain).
    fn passes(&self, array: &Array) -> Option<Result<Chain, String>> {
        self.goes_around.then(|| self.chain(array))
    }
}

fn graph(module: &Path, function: &str, kernel: usize) -> Result<i32, Error> {
    let operation = load(module)?;
    let all = functions(&operation);
    let found = all.iter().find(|(name, _)| *name == function);
    let found = found.ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
        Error::Usage(format!("no function `{function}`; the operation has {}", names.join(", ")))
    })?;
    let program =
        extract(operation.module(), &request(&operation, *found)).map_err(wrong(module))?;
    let count = program.kernels.len();
    let kernel = program
        .kernels
        .get(kernel)
        .ok_or_else(|| Error::Usage(format!("no loop {kernel}; there are {count}, from 0")))?;
    terminal::say(&kernel.graph.dot(&format!("{} {function}", operation.name())))?;
    Ok(SUCCESS)
}

fn map(flags: &MapFlags, svg: Option<&Path>) -> Result<i32, Error> {
    let (operation, array) = (load(&flags.module)?, array(&flags.array)?);
    let svg = svg.map(Output::at).transpose()?;
    let (mut status, mut all) = (SUCCESS, Vec::new());
    for (name, _, mapped) in Mapped::new(&operation, &array, flags.array.seed).functions {
        let text = match mapped {
            Ok(compiled) => {
                let text = places(name, &compiled, &array);
                all.push(compiled);
                text
            }
            Err(refusal) => {
                status = FAILURE;
                format!("{name}: {refusal}\n")
            }
        };
        terminal::say(&text)?;
    }
    if let Some(file) = svg.filter(|_| !all.is_empty()) {
        let svg = drawing::svg(&all, &array)?;
        file.write(|file| file.write_all(svg.as_bytes()))?;
    }
    Ok(status)
}

/// The places of a function's loops, cycle by cycle.
fn places(function: &str, compiled: &Compiled, array: &Array) -> String {
    let mut text = String::new();
    for (number, mapping) in compiled.mappings.iter().enumerate() {
        let kernel = &compiled.program.kernels[number];
        let graph = netfold_cgra::expand(kernel, array);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{function}, loop {number}: {} operations, {} times an element; interval {}, {}",
            graph.nodes.len(),
            kernel.instances,
            mapping.interval,
            mapping.bounds
        );
        let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
        order.sort_by_key(|node| (mapping.places[*node].time, mapping.places[*node].element));
        for node in order {
            let place = mapping.places[node];
            let (row, column) = (place.element / array.columns, place.element % array.columns);
            let _ = writeln!(
                text,
                "  cycle {:3}  SPU {} row {row:2} column {column:2}  {}.{:?}",
                place.time,
                array.spu(place.element),
                graph.nodes[node].op.name(),
                graph.nodes[node].ty
            );
        }
    }
    text
}
