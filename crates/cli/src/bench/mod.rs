//! `netfold bench allreduce`: how long all-reduces take, with workers on this machine, and whether
//! their results are right.
//!
//! Each worker is a process of its own, as in training; the switch, unless another is named, runs
//! in this one. Where the program cannot start itself, because it runs inside a Python interpreter,
//! the workers are threads instead, and the output says so.

mod commanded;
mod crew;
mod figures;
mod vector;
mod worker;

use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use netfold_net::Operation;

use crate::cli::AllreduceFlags;
use crate::error::Error;
use crate::{SUCCESS, switch, terminal};
use crew::Crew;
use figures::{Figures, Results};
use netfold_settings::{Settings, Size};
use worker::{Agreed, Event, Measured, Orders};

pub(crate) use crew::run_worker_process;
pub(crate) use worker::all_reduce;
#[cfg(test)]
pub(crate) use worker::joining;

/// Time after which a run gets a progress bar.
const QUICK: Duration = Duration::from_secs(2);

/// Interval at which the progress is looked at.
const TICK: Duration = Duration::from_millis(100);

/// Measures, and shows the figures. There are none if a result was wrong.
pub(crate) fn run(flags: &AllreduceFlags, settings: &Settings) -> Result<i32, Error> {
    check(flags, settings)?;
    let (own_switch, address) = match &settings.switch {
        Some(address) => (None, address.clone()),
        None => {
            let switch = switch::start(&switch::embedded(settings)?)?;
            let address = switch.address().to_string();
            (Some(switch), address)
        }
    };
    let orders = orders(flags, settings, address.clone());
    let crew = Crew::start(&orders, &settings.log)?;
    let workers_are = crew.workers_are();
    let (agreed, measured) = attend(&crew, &orders)?;
    crew.finish();
    let figures = orders.sizes.iter().enumerate().map(|(index, size)| {
        let of_size: Vec<&Measured> = measured.iter().map(|worker| &worker[index]).collect();
        Figures::of(*size, &of_size)
    });
    let results = Results {
        netfold: env!("CARGO_PKG_VERSION"),
        switch: if own_switch.is_some() { "embedded".into() } else { address },
        workers: flags.workers,
        workers_are,
        arithmetic: settings.arithmetic.to_string(),
        overflow: settings.overflow.to_string(),
        byte_order: settings.byte_order.to_string(),
        protocol: settings.protocol.to_string(),
        element_type: orders.element_type,
        iterations: orders.iterations,
        agreed,
        sizes: figures.collect(),
    };
    terminal::say(&results.to_string())?;
    if let Some(path) = &flags.json {
        write(path, &results)?;
    }
    Ok(SUCCESS)
}

/// Returns the orders of the worker of rank 0 at this switch.
pub(crate) fn orders(flags: &AllreduceFlags, settings: &Settings, switch: String) -> Orders {
    let settings = Settings { switch: Some(switch), ..settings.clone() };
    Orders {
        job: format!("bench-{:08x}", rand::random::<u32>()),
        rank: 0,
        workers: flags.workers,
        element_type: flags.element_type.to_string(),
        priority: None,
        sizes: flags.size.iter().map(|size| size.0).collect(),
        iterations: flags.iterations,
        controller: None,
        settings: settings.values().map(|(key, value)| (key.to_owned(), value)).into(),
    }
}

/// Refuses what cannot work before anything is started.
fn check(flags: &AllreduceFlags, settings: &Settings) -> Result<(), Error> {
    let of_switch = ["cores", "memory"].iter().any(|key| flags.settings.has(key));
    if settings.switch.is_some() && of_switch {
        return Err(Error::Usage(
            "--cores and --memory are for a switch that the benchmark starts, and another is named; leave them out, or unset --switch and NETFOLD_SWITCH".into(),
        ));
    }
    let bytes = flags.element_type.bytes() as u64;
    if let Some(size) = flags.size.iter().find(|size| size.0 == 0 || !size.0.is_multiple_of(bytes))
    {
        return Err(Error::Usage(format!(
            "a vector of {size} is not one or more elements of type {}; give a multiple of {}",
            flags.element_type,
            Size(bytes)
        )));
    }
    settings
        .arithmetic
        .coding(flags.element_type, Operation::Sum)
        .map(drop)
        .map_err(|unsupported| Error::Usage(format!("{unsupported} (--arithmetic, --type)")))
}

/// Follows the workers until all are done. Returns the parameters that they have agreed on, and the
/// measurements of each, by rank.
fn attend(crew: &Crew, orders: &Orders) -> Result<(Agreed, Vec<Vec<Measured>>), Error> {
    let start = Instant::now();
    let total = orders.sizes.len() as u64 * u64::from(orders.iterations);
    let mut bar = None;
    let mut iterations = 0;
    let mut agreed = Agreed::default();
    let mut measured = vec![None; usize::from(orders.workers)];
    while measured.iter().any(Option::is_none) {
        match crew.events.recv_timeout(TICK) {
            Ok((_, Event::Joined(all))) => agreed = all,
            Ok((_, Event::Progress(done))) => iterations = done,
            Ok((rank, Event::Done(of_sizes))) => measured[usize::from(rank)] = Some(of_sizes),
            Ok((rank, Event::Failed(why))) => return Err(Error::Worker { rank, why }),
            Err(RecvTimeoutError::Timeout) => {}
            // Every worker ends with `Done` or `Failed`.
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Worker {
                    rank: 0,
                    why: "the workers are gone without a result".into(),
                });
            }
        }
        if start.elapsed() > QUICK && terminal::stderr_is_terminal() {
            bar.get_or_insert_with(|| progress_bar(total)).set_position(iterations);
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok((agreed, measured.into_iter().flatten().collect()))
}

fn progress_bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} all-reduces, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn write(path: &Path, results: &Results) -> Result<(), Error> {
    let failed = |source| Error::Results { path: path.to_owned(), source };
    let text = serde_json::to_string_pretty(results).map_err(|error| failed(error.into()))?;
    std::fs::write(path, text + "\n").map_err(failed)
}
