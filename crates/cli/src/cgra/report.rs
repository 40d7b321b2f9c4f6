//! `netfold cgra report`: what operations take of an array.

use std::path::PathBuf;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use netfold_cgra::{Array, Chain, Compiled, Figures, Image, Mapping, Memories, Refusal};
use netfold_ops::Operation;

use super::flags::ArrayFlags;
use super::{Mapped, array, own_bytes};
use crate::error::Error;
use crate::op::load;
use crate::{SUCCESS, terminal};

/// Elements for which energy is counted.
const ELEMENTS: usize = 64;

/// A line for each function, and one for the chain: its name, and figures, or the reason of the
/// refusal.
pub(crate) fn rows(operation: &Operation, array: &Array, seed: u64) -> Vec<[String; 9]> {
    let mapped = Mapped::new(operation, array, seed);
    let own = own_bytes(operation);
    let picojoules = |compiled: &Compiled| {
        let [first, second] = compiled.program.sizes.map(|size| vec![0; size * ELEMENTS]);
        let mut memories = Memories::new(&compiled.program, first, second, own);
        compiled.run(array, &mut memories, ELEMENTS).picojoules
    };
    let row = |name: &str, found: Result<(Vec<&Compiled>, Figures), String>| {
        let name = format!("{} {name}", operation.name());
        let (cells, refused) = match found {
            Ok((functions, figures)) => {
                let energy = functions.iter().map(|compiled| picojoules(compiled)).sum();
                (cells(&functions, &figures, energy), String::new())
            }
            Err(refused) => (<[String; 7]>::default(), refused),
        };
        let [instructions, intervals, lanes, latency, rate, elements, energy] = cells;
        [name, instructions, intervals, lanes, latency, rate, elements, energy, refused]
    };
    let of_function = |(name, _, mapped): &(&str, _, Result<Compiled, Refusal>)| {
        let found = mapped.as_ref().map(|compiled| (vec![compiled], compiled.figures(array)));
        row(name, found.map_err(Refusal::to_string))
    };
    let of_chain = |chain: &Result<Chain, String>| {
        let found = chain.as_ref().map(|chain| (chain.passes().collect(), chain.figures(array)));
        row("chain", found.map_err(String::clone))
    };
    let functions = mapped.functions.iter().map(of_function);
    functions.chain(mapped.passes(array).as_ref().map(of_chain)).collect()
}

/// The figures of functions that run one behind the other.
fn cells(functions: &[&Compiled], figures: &Figures, picojoules: f64) -> [String; 7] {
    let loops =
        || functions.iter().flat_map(|compiled| compiled.images.iter().zip(&compiled.mappings));
    let interval = |(image, mapping): (&Image, &Mapping)| {
        format!("{}/{}x{}", mapping.interval, mapping.bounds.interval(), image.instances)
    };
    let instructions: u64 = functions.iter().map(|compiled| compiled.program.instructions).sum();
    [
        instructions.to_string(),
        loops().map(interval).collect::<Vec<_>>().join(" "),
        loops().map(|(image, _)| image.lanes.to_string()).collect::<Vec<_>>().join(" "),
        figures.latency.to_string(),
        format!("{:.1}", figures.gbit_per_second),
        format!("{} ({:.0} %)", figures.elements, 100.0 * figures.used),
        format!("{:.0}", picojoules / ELEMENTS as f64),
    ]
}

/// The columns of [`rows`].
pub(crate) const COLUMNS: [&str; 9] = [
    "function",
    "wasm instructions",
    "interval/bound x instances",
    "lanes",
    "latency, cycles",
    "Gbit/s",
    "elements used (slots)",
    "pJ an element",
    "refused",
];

pub(super) fn run(modules: &[PathBuf], flags: &ArrayFlags) -> Result<i32, Error> {
    let array = array(flags)?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(COLUMNS);
    for module in modules {
        table.add_rows(rows(&load(module)?, &array, flags.seed));
    }
    terminal::say(&format!(
        "array {}: {} SPUs, {} processing elements, vectors of {} bits, {} MHz; figures are simulated\n{table}\n",
        array.name,
        array.spus,
        array.elements(),
        array.vector_bits,
        array.megahertz,
    ))?;
    Ok(SUCCESS)
}
