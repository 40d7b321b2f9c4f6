//! `netfold glm train`: a linear model whose features are split over workers (P4SGD).
//!
//! On one machine the workers are threads of this process, and the switch, unless another is named,
//! is in it as well. Under a launcher each process is one worker, of a job that the launcher's
//! environment describes.

mod block;
pub(crate) mod flags;
pub(crate) mod part;
mod precision;
mod score;
mod trial;
mod worker;

use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use netfold_glm::{Alone, Epoch};
use netfold_glm_net::Network;
use netfold_net::{Arithmetic, Communicator, JoinRequest, Overflow, RoundTimes, SwitchOptions};
use netfold_wire::Terms;

use crate::error::Error;
use crate::output::Output;
use crate::trace::file::{Slots, TraceFile};
use crate::waiting::Wait;
use crate::{SUCCESS, switch, terminal};
use flags::{FULL_BITS, Glm, TrainFlags};
use netfold_settings::{Settings, Size};
use part::{Cut, WorkerRank};
use worker::{Learned, Stopped, train};

/// Time for which a worker waits for a sum. A worker or switch that is lost is noticed long before.
const WAIT_LIMIT: Duration = Duration::from_secs(300);

/// Variables in which launchers give a process's rank, the number of processes, and the job.
const LAUNCHERS: [[&str; 3]; 3] = [
    ["RANK", "WORLD_SIZE", "TORCHELASTIC_RUN_ID"],
    ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_MCA_ess_base_jobid"],
    ["PMI_RANK", "PMI_SIZE", "PMI_JOBID"],
];

/// Carries out the command.
pub(crate) fn run(what: &Glm, settings: &Settings) -> Result<i32, Error> {
    let Glm::Train(flags) = what;
    match launched(|name| std::env::var(name).ok()) {
        Some((worker, job)) => {
            let trace = flags.trace.as_deref().map(|path| ranked(path, worker.rank));
            // Of several processes the first one speaks.
            let outputs = Outputs::of(flags, trace.as_deref(), worker.rank == 0)?;
            let learned = as_launched(flags, settings, worker, &flags.job.clone().unwrap_or(job))?;
            finish(
                flags,
                &outputs,
                &traces((worker.rank..).zip([&learned])),
                slice::from_ref(&learned),
            )?;
        }
        None => {
            let outputs = Outputs::of(flags, flags.trace.as_deref(), true)?;
            let (learned, switch) = as_threads(flags, settings)?;
            let mut file = traces((0..).zip(&learned));
            if let Some(OwnSwitch { port, rounds }) =
                switch.filter(|switch| !switch.rounds.is_empty())
            {
                file.add_rounds(Slots::Switch(port), &rounds);
            }
            finish(flags, &outputs, &file, &learned)?;
        }
    }
    Ok(SUCCESS)
}

/// Files that a process writes to. They are looked at before anything is trained.
struct Outputs {
    model: Option<Output>,
    trace: Option<Output>,
    /// This process saves the model, tries it and tells of it.
    speaks: bool,
}

impl Outputs {
    fn of(flags: &TrainFlags, trace: Option<&Path>, speaks: bool) -> Result<Self, Error> {
        let at = |path: Option<&Path>| path.map(Output::at).transpose();
        if speaks {
            trial::check(flags)?;
        }
        Ok(Self { model: at(flags.save.as_deref().filter(|_| speaks))?, trace: at(trace)?, speaks })
    }
}

/// This process's place, if a launcher has started it among others.
fn launched(variable: impl Fn(&str) -> Option<String>) -> Option<(WorkerRank, String)> {
    LAUNCHERS.iter().find_map(|[rank, size, job]| {
        let worker =
            WorkerRank { rank: variable(rank)?.parse().ok()?, size: variable(size)?.parse().ok()? };
        (worker.size > 1).then(|| (worker, variable(job).unwrap_or_else(|| "glm".into())))
    })
}

fn as_launched(
    flags: &TrainFlags,
    settings: &Settings,
    worker: WorkerRank,
    job: &str,
) -> Result<Learned, Error> {
    let address = settings.switch.as_deref().ok_or_else(|| {
        Error::Usage(format!(
            "this is process {} of {}: start a switch (netfold switch) and name it to all of them (NETFOLD_SWITCH)",
            worker.rank, worker.size
        ))
    })?;
    let tell = teller(flags.epochs, worker.rank == 0);
    joined(flags, settings, worker, address, job, tell).map_err(failed(worker.rank))
}

/// For `map_err`: a worker has no model.
fn failed(rank: u16) -> impl Fn(Stopped) -> Error {
    move |why| Error::Learner { rank, why: why.to_string() }
}

/// A switch that was started for the workers of this process.
struct OwnSwitch {
    port: u16,
    /// Those of jobs over UDP, if they are traced.
    rounds: Vec<RoundTimes>,
}

/// Returns the outcomes of the workers, and the switch that was started for them.
fn as_threads(
    flags: &TrainFlags,
    settings: &Settings,
) -> Result<(Vec<Learned>, Option<OwnSwitch>), Error> {
    if flags.workers == 1 {
        let alone =
            train(flags, WorkerRank { rank: 0, size: 1 }, Alone, teller(flags.epochs, true));
        return Ok((vec![alone.map_err(failed(0))?], None));
    }
    let (own, address) = match &settings.switch {
        Some(address) => (None, address.clone()),
        None => {
            let options = SwitchOptions {
                times_rounds: flags.trace.is_some(),
                ..switch::embedded(settings)?
            };
            let switch = switch::start(&options)?;
            let address = switch.address().to_string();
            (Some(switch), address)
        }
    };
    let job = format!("glm-{:08x}", rand::random::<u32>());
    let learned = thread::scope(|scope| {
        let workers: Vec<_> = (0..flags.workers)
            .map(|rank| {
                let worker = WorkerRank { rank, size: flags.workers };
                let (address, job) = (&address, &job);
                scope.spawn(move || {
                    joined(flags, settings, worker, address, job, teller(flags.epochs, rank == 0))
                })
            })
            .collect();
        let panicked = || Stopped::Failed("it panicked".into());
        let ended: Vec<_> = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err(panicked())))
            .collect();
        all(ended)
    })?;
    Ok((
        learned,
        own.map(|switch| OwnSwitch { port: switch.address().port(), rounds: switch.stop() }),
    ))
}

/// Returns the outcomes of all workers, or the error of one that has failed. That the others are
/// gone is told only where nobody gives a reason.
fn all(ended: Vec<Result<Learned, Stopped>>) -> Result<Vec<Learned>, Error> {
    let (mut learned, mut stopped) = (Vec::new(), Vec::new());
    for (ended, rank) in ended.into_iter().zip(0..) {
        match ended {
            Ok(worker) => learned.push(worker),
            Err(why) => stopped.push((rank, why)),
        }
    }
    let cause = stopped.iter().position(|(_, why)| matches!(why, Stopped::Failed(_))).unwrap_or(0);
    if stopped.is_empty() {
        return Ok(learned);
    }
    let (rank, why) = stopped.swap_remove(cause);
    Err(failed(rank)(why))
}

/// The request of a worker. Activations and gradients are floats or integers that are added as they
/// are.
pub(crate) fn request(
    settings: &Settings,
    job: &str,
    worker: WorkerRank,
) -> Result<JoinRequest, netfold_settings::Error> {
    let request = settings.request(job, worker.rank, worker.size)?;
    let (arithmetic, overflow) = (Arithmetic::Native, Overflow::Error);
    Ok(JoinRequest { terms: Terms { arithmetic, overflow, ..request.terms }, ..request })
}

/// Trains as one of several workers.
fn joined(
    flags: &TrainFlags,
    settings: &Settings,
    worker: WorkerRank,
    address: &str,
    job: &str,
    tell: impl FnMut(&Epoch),
) -> Result<Learned, Stopped> {
    let request =
        request(settings, job, worker).map_err(|error| Stopped::Failed(error.to_string()))?;
    let mut wait = Wait::new(job, worker.rank, Duration::from_secs(flags.wait));
    let communicator =
        Communicator::connect_on(settings.pin.as_ref(), address, request, |now| wait.see(now));
    let communicator = communicator.map_err(|error| {
        wait.given_up().map_or_else(|| Stopped::Failed(error.to_string()), Stopped::Alone)
    })?;
    let communicator = Arc::new(communicator);
    if flags.trace.is_some() {
        communicator.time_rounds().map_err(|error| Stopped::Failed(error.to_string()))?;
    }
    let learned = train(flags, worker, Network::new(communicator.clone(), WAIT_LIMIT), tell)?;
    let rounds = communicator.take_rounds().map_err(|error| Stopped::Failed(error.to_string()))?;
    Ok(Learned { rounds, ..learned })
}

/// Returns the traces of workers, by their ranks.
fn traces<'a>(learned: impl Iterator<Item = (u16, &'a Learned)>) -> TraceFile {
    let mut file = TraceFile::default();
    for (rank, worker) in learned {
        if let Some(trace) = &worker.trace {
            file.add_worker(rank, trace);
        }
        if !worker.rounds.is_empty() {
            file.add_rounds(Slots::Shared, &worker.rounds);
        }
    }
    file
}

/// The file of one process of several: `trace.json` becomes `trace.3.json`.
fn ranked(path: &Path, rank: u16) -> PathBuf {
    let extension = path.extension().map(|extension| extension.to_string_lossy());
    path.with_extension(
        extension.map_or_else(|| rank.to_string(), |extension| format!("{rank}.{extension}")),
    )
}

/// Shows epochs as they end: lines, and a bar at a terminal.
fn teller(epochs: usize, shown: bool) -> impl FnMut(&Epoch) {
    let bar = (shown && terminal::stderr_is_terminal()).then(|| {
        let style = ProgressStyle::with_template("{bar:40} epoch {pos}/{len}, {eta} left");
        ProgressBar::new(epochs as u64)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    });
    move |epoch| {
        if !shown {
            return;
        }
        let of_held = epoch.validation_loss.zip(epoch.validation_score);
        let held = of_held.map_or_else(String::new, |(loss, score)| {
            format!(", held back {loss:.5}, score {score:.5}")
        });
        let ms = epoch.time.as_secs_f64() * 1e3;
        let line = format!(
            "epoch {}: loss {:.5}{held}, {ms:.1} ms, {} exchanged",
            epoch.number,
            epoch.loss,
            Size(epoch.bytes)
        );
        match &bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
        if let Some(bar) = &bar {
            bar.set_position(epoch.number);
        }
    }
}

/// Saves the model, and then does the rest, of which nothing may lose it: tries it, writes the
/// trace, and says what has come out.
fn finish(
    flags: &TrainFlags,
    outputs: &Outputs,
    trace: &TraceFile,
    learned: &[Learned],
) -> Result<(), Error> {
    let Some(first) = learned.first() else { return Ok(()) };
    let saved = outputs.model.as_ref().map_or(Ok(()), |output| save(first, output));
    let traced = outputs.trace.as_ref().map_or(Ok(()), |output| trace.write_to(output));
    if !outputs.speaks {
        return traced;
    }
    let score = flags.test.as_ref().map(|test| trial::score(flags, test, first)).transpose();
    let said = terminal::say(&summary(flags, learned, score.as_ref().ok().copied().flatten()));
    saved?;
    score.map_err(|why| Error::Untried { saved: flags.save.clone(), why: why.to_string() })?;
    traced?;
    said
}

/// Returns a summary of the outcome.
fn summary(flags: &TrainFlags, learned: &[Learned], score: Option<f64>) -> String {
    let Some(first) = learned.first() else { return String::new() };
    let values: u64 = learned.iter().map(|worker| worker.value_bytes).sum();
    let zeros = first.model.coefficients.iter().filter(|&&value| value == 0.0).count();
    let bits = match flags.bits {
        FULL_BITS => "floats".to_owned(),
        1 => "1 bit".to_owned(),
        bits => format!("{bits} bits"),
    };
    let mut text = format!(
        "{} samples of {} features as {bits}: {} of values here, read in {:.2} s\n{} coefficients, {zeros} of them 0\n",
        first.rows,
        first.features,
        Size(values),
        first.reading.as_secs_f64(),
        first.model.coefficients.len(),
    );
    if let Some(Cut { chunks, shuffled }) = first.cut {
        let order = if shuffled {
            "in an order drawn for each"
        } else {
            "in the file's order, the only one it can be read in"
        };
        text +=
            &format!("larger than --memory: read again in every epoch, {chunks} chunks {order}\n");
    }
    if let Some(score) = score {
        let what =
            if first.model.classes.is_some() { "accuracy" } else { "coefficient of determination" };
        text += &format!("{what} on the test's samples: {score:.4}\n");
    }
    if let Some(share) = first.trace.as_ref().and_then(|trace| trace.fold_time().hidden_share()) {
        text +=
            &format!("{:.1} % of the time of folds was hidden behind computation\n", share * 100.0);
    }
    text
}

fn save(learned: &Learned, output: &Output) -> Result<(), Error> {
    output.write(|file| {
        let saved = match &learned.classes {
            Some(classes) => learned.model.save_with_labels(classes.labels(), file),
            None => learned.model.save(file),
        };
        saved.map_err(io::Error::other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_its_launcher() {
        let variables = |pairs: &'static [(&str, &str)]| {
            move |name: &str| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            }
        };
        assert_eq!(launched(variables(&[])), None);
        assert_eq!(launched(variables(&[("RANK", "0"), ("WORLD_SIZE", "1")])), None);
        let torch = [("RANK", "2"), ("WORLD_SIZE", "4"), ("TORCHELASTIC_RUN_ID", "a")];
        let torch: &'static [_] = Box::leak(Box::new(torch));
        assert_eq!(launched(variables(torch)), Some((WorkerRank { rank: 2, size: 4 }, "a".into())));
        let mpi: &'static [_] = &[("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")];
        assert_eq!(launched(variables(mpi)), Some((WorkerRank { rank: 1, size: 2 }, "glm".into())));
    }
}
