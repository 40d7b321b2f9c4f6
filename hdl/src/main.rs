//! Holds the units in `hdl/` to the arithmetic, and sizes them: what `make hdl` and `make test-hdl`
//! run.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Instant;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use netfold_hdl::cores::each;
use netfold_hdl::simulate::{Bench, Form, HdlError, Places, Runtime};
use netfold_hdl::{mutants, size, table, units};

/// Units in gates: simulated against the arithmetic, and sized.
#[derive(Parser)]
#[command(name = "netfold-hdl")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run random operations through every unit, and through units with a fault, which has to be
    /// found.
    Simulate {
        /// Number of operations for each unit.
        #[arg(long, default_value_t = 1_000_000)]
        operations: u64,
        /// The most operations for each unit with a fault; most are found by the first hundreds.
        #[arg(long, default_value_t = 200_000)]
        fault_operations: u64,
        /// The most faults for each unit, the first in the list; all, if it is left out.
        #[arg(long)]
        faults: Option<usize>,
        /// Seed that the operations are drawn from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Name of the only unit that is simulated, as messages have it.
        #[arg(long, value_name = "NAME", value_parser = unit_names())]
        unit: Option<String>,
    },
    /// Count the gates of every unit, run random operations through these gates, and hold the table
    /// in hdl/README.md to the counts.
    Size {
        /// Write the table instead.
        #[arg(long)]
        write: bool,
        /// Count only FPISA's units; ACiS's, which take longer, keep their rows.
        #[arg(long, conflicts_with = "write")]
        short: bool,
        /// Number of operations for the gates of each unit.
        #[arg(long, default_value_t = 20_000)]
        operations: u64,
        /// Seed that the operations are drawn from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

fn main() -> ExitCode {
    let places = Places::here();
    let outcome = match Arguments::parse().command {
        Chore::Simulate { operations, fault_operations, faults, seed, unit } => {
            simulate(&places, operations, (fault_operations, faults), seed, unit.as_deref())
        }
        Chore::Size { write, short, operations, seed } => {
            size(&places, (write, short), operations, seed)
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the parser of an option that is the name of a unit.
fn unit_names() -> PossibleValuesParser {
    PossibleValuesParser::new(units::ALL.iter().map(|unit| unit.name))
}

fn simulate(
    places: &Places,
    operations: u64,
    (fault_operations, most_faults): (u64, Option<usize>),
    seed: u64,
    only: Option<&str>,
) -> Result<(), HdlError> {
    let runtime = Runtime::new(&places.build)?;
    let is_simulated = |name: &str| only.is_none_or(|only| only == name);
    let found: Vec<_> = units::ALL.iter().filter(|unit| is_simulated(unit.name)).collect();
    each(found.len(), |number| {
        let (unit, begin) = (found[number], Instant::now());
        Bench::build(places, &runtime, unit, Form::Written)?.run(operations, seed)?;
        println!(
            "hdl: {}: {operations} operations agree ({:.1} s)",
            unit.name,
            begin.elapsed().as_secs_f64()
        );
        Ok(())
    })?;
    let mut faults = mutants::first(most_faults.unwrap_or(usize::MAX));
    faults.retain(|fault| is_simulated(mutants::ALL[*fault].unit));
    println!("hdl: {} units with a fault each, which has to be found", faults.len());
    let begin = Instant::now();
    each(faults.len(), |place| {
        mutants::check(places, &runtime, faults[place], fault_operations, seed)
    })?;
    println!(
        "hdl: all of {} faults are found ({:.1} s)",
        faults.len(),
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}

fn size(
    places: &Places,
    (write, short): (bool, bool),
    operations: u64,
    seed: u64,
) -> Result<(), HdlError> {
    let version = size::version()?;
    if !write && !table::is_of_version(places, &version)? {
        println!(
            "hdl: hdl/README.md was not made with {version}, which may count other gates; not compared"
        );
        return Ok(());
    }
    let sizes = size::all(places, short, |unit, size| {
        println!(
            "hdl: {}: {:.0} NAND2, at least {} gates deep",
            unit.name, size.small.area, size.fast.depth
        );
    })?;
    let runtime = Runtime::new(&places.build)?;
    each(sizes.len(), |number| {
        Bench::build(places, &runtime, sizes[number].0, Form::Gates)?.run(operations, seed)
    })?;
    println!("hdl: their gates agree with the arithmetic, in {operations} operations each");
    let table = table::markdown(&sizes, &version);
    if write {
        table::write(places, &table)?;
        println!("\n{table}");
    } else {
        table::check(places, &table, short)?;
        println!("hdl: the table in hdl/README.md is that of these units");
    }
    Ok(())
}
