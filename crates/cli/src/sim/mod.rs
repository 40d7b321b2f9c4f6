//! `netfold sim`: clusters in virtual time, from scenarios in files, and the papers' figures.

mod calibrate;
mod chart;
#[cfg(feature = "ops")]
mod operations;
mod plan;
mod plot;
mod replay;
mod results;

use std::fs;
use std::path::Path;
use std::time::Instant;

use indicatif::ProgressBar;
use netfold_sim::{Calibration, Report, Scenario, sweep};

use crate::cli::{Simulate, SimulateFlags};
use crate::error::Error;
use crate::{FAILURE, SUCCESS, terminal};
use results::{Figures, Results};

/// Runs a scenario or plans, or calibrates.
pub(crate) fn run(flags: &SimulateFlags) -> Result<i32, Error> {
    match (&flags.what, &flags.scenario) {
        (Some(Simulate::Calibrate { out }), _) => calibrate::run(out.as_deref()),
        (Some(Simulate::Plan(plans)), _) => plan::run(plans),
        (Some(Simulate::Replay(replay)), _) => replay::run(replay),
        (None, Some(scenario)) => simulate(flags, scenario),
        (None, None) => {
            Err(Error::Usage("give a scenario, such as crates/sim/scenarios/rack.toml".into()))
        }
    }
}

fn simulate(flags: &SimulateFlags, path: &Path) -> Result<i32, Error> {
    let scenario = Scenario::parse(&read("the scenario", path)?).map_err(refused(path))?;
    #[cfg(feature = "ops")]
    let scenario = operations::read(scenario, path)?;
    let calibration = calibration(flags.calibration.as_deref())?;
    let start = Instant::now();
    let bar = (scenario.runs.len() > 1 && terminal::stderr_is_terminal())
        .then(|| ProgressBar::new(scenario.runs.len() as u64));
    let reports = sweep::run(&scenario, &calibration, flags.seed, flags.threads, |_| {
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let reports = reports.map_err(refused(path))?;
    let figures = flags.figures.then(|| Figures::of(&reports, start.elapsed()));
    let results = Results::new(&scenario, flags.seed, reports, figures);
    terminal::say(&results.to_string())?;
    if let Some(path) = &flags.json {
        write(path, &(results.json() + "\n"))?;
    }
    if let Some(path) = &flags.plot {
        write(path, &plot::svg(&results)?)?;
    }
    let unwell = results.runs.iter().position(|run| !run.report.is_well());
    match unwell {
        None => Ok(SUCCESS),
        Some(place) => {
            let report = &results.runs[place].report;
            terminal::complain(&Error::Unwell {
                run: place + 1,
                seed: flags.seed,
                why: why(report),
            });
            Ok(FAILURE)
        }
    }
}

/// Returns the costs of datagrams: those of the file, or those that come with netfold.
fn calibration(path: Option<&Path>) -> Result<Calibration, Error> {
    match path {
        None => Ok(Calibration::built_in()),
        Some(path) => Calibration::parse(&read("the calibration", path)?).map_err(refused(path)),
    }
}

/// Returns a function that names the fault of the file at `path`.
fn refused(path: &Path) -> impl FnOnce(netfold_sim::Error) -> Error {
    let path = path.to_owned();
    |error| Error::Scenario { path, error }
}

/// The first thing that is not well in a run: wrong results before what may have been asked for.
fn why(report: &Report) -> String {
    let calls = || report.jobs.iter().flat_map(|job| job.calls.iter().map(move |call| (job, call)));
    let wrong = calls().find(|(_, call)| call.wrong_lanes > 0).map(|(job, call)| {
        let first = call.wrong.as_ref().map_or(String::new(), |first| format!("; {first}"));
        format!("{} of job {} has {} wrong elements{first}", call.call, job.name, call.wrong_lanes)
    });
    let mut ends = report
        .jobs
        .iter()
        .flat_map(|job| (0..).zip(&job.ends).map(move |(rank, end)| (job, rank, end)));
    let ended = ends.find(|(_, _, end)| !end.is_well);
    let ended = ended.map(|(job, rank, end): (_, u16, _)| {
        format!("rank {rank} of job {}: {}", job.name, end.end)
    });
    let open = calls().find(|(_, call)| call.took_ms.is_none());
    let open = open.map(|(job, call)| format!("{} of job {} has not ended", call.call, job.name));
    wrong.or(ended).or(open).or(report.switch_events.first().cloned()).unwrap_or_default()
}

fn read(what: &'static str, path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::File { what, path: path.to_owned(), source })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::Results { path: path.to_owned(), source })
}
