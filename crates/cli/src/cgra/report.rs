//! `netfold cgra report`: what operations take of an array.

use std::path::PathBuf;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
use netfold_cgra::{Array, Memories};
use netfold_ops::Operation;

use super::flags::ArrayFlags;
use super::{array, functions, mapped};
use crate::error::Error;
use crate::op::load;
use crate::{SUCCESS, terminal};

/// Elements for which energy is counted.
const ELEMENTS: usize = 64;

/// A line for each function: its name, and figures, or the reason of the refusal.
pub(crate) fn rows(operation: &Operation, array: &Array, seed: u64) -> Vec<[String; 9]> {
    let row = |function: (&'static str, [usize; 2])| {
        let name = format!("{} {}", operation.name(), function.0);
        match mapped(operation, function, array, seed) {
            Err(refusal) => {
                let mut cells: [String; 9] = Default::default();
                (cells[0], cells[8]) = (name, refusal.to_string());
                cells
            }
            Ok(compiled) => {
                let figures = compiled.figures(array);
                let intervals: Vec<_> = compiled
                    .images
                    .iter()
                    .zip(&compiled.mappings)
                    .map(|(image, mapping)| {
                        format!(
                            "{}/{}x{}",
                            mapping.interval,
                            mapping.bounds.interval(),
                            image.instances
                        )
                    })
                    .collect();
                let [first, second] = function.1.map(|size| vec![0; size * ELEMENTS]);
                let state = operation.declaration().state.unwrap_or(0) as usize;
                let mut memories =
                    Memories::new(&compiled.program, first, second, (1 << 20) + state);
                let run = compiled.run(array, &mut memories, ELEMENTS);
                let lanes: Vec<_> =
                    compiled.images.iter().map(|image| image.lanes.to_string()).collect();
                [
                    name,
                    compiled.program.instructions.to_string(),
                    intervals.join(" "),
                    lanes.join(" "),
                    figures.latency.to_string(),
                    format!("{:.1}", figures.gbit_per_second),
                    format!("{} ({:.0} %)", figures.elements, 100.0 * figures.used),
                    format!("{:.0}", run.picojoules / ELEMENTS as f64),
                    String::new(),
                ]
            }
        }
    };
    functions(operation).into_iter().map(row).collect()
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
