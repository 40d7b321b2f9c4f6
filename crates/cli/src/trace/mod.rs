//! `netfold trace`: what workers and switches did when, of one run in one file; and the
//! collectives that an MPI program called.

pub(crate) mod file;
mod mpi;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use netfold_glm::FoldTime;

use crate::error::Error;
use crate::{SUCCESS, terminal};
use file::{Event, TraceFile};

#[derive(Args, Debug)]
pub(crate) struct TraceFlags {
    /// Files written on one machine by `glm train --trace` and `switch --trace`; or those that one
    /// MPI program has written with `NETFOLD_MPI_TRACE`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write the merged trace to
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Reads the files of one run, and says what they have in common.
pub(crate) fn run(flags: &TraceFlags) -> Result<i32, Error> {
    let (mut of_mpi, mut others) = (Vec::new(), Vec::new());
    for path in &flags.files {
        if mpi::is_one(path)? { &mut of_mpi } else { &mut others }.push(path);
    }
    match (&of_mpi[..], &others[..]) {
        ([], _) => merge(flags),
        ([first, ..], [other, ..]) => Err(Error::Usage(format!(
            "{} is a trace of an MPI program, and {} is not; name files of one kind",
            first.display(),
            other.display()
        ))),
        (files, []) => count(files, flags.save.is_some()),
    }
}

/// Counts the calls of an MPI program.
fn count(files: &[&PathBuf], saves: bool) -> Result<i32, Error> {
    if saves {
        let why = "--save puts together what workers and switches have written; traces of MPI \
                   programs are read as they are";
        return Err(Error::Usage(why.into()));
    }
    let mut calls = mpi::Calls::default();
    for path in files {
        calls.read(path)?;
    }
    terminal::say(&calls.text())?;
    Ok(SUCCESS)
}

/// Puts the files together, and says of each worker what share of its folds' time was hidden behind
/// computation.
fn merge(flags: &TraceFlags) -> Result<i32, Error> {
    let (mut all, mut seen) = (TraceFile::default(), BTreeMap::new());
    for path in &flags.files {
        let file = TraceFile::read(path)?;
        for who in file.writers() {
            if let Some(other) = seen.insert(who.clone(), path) {
                let (path, other) = (path.display(), other.display());
                return Err(Error::Usage(format!(
                    "{path} and {other} both have {who}; name each file of one run once"
                )));
            }
        }
        all.append(file);
    }
    let mut text = format!("{} rounds of switches\n", all.rounds());
    for (rank, events) in all.workers() {
        let spans = |wanted: fn(&Event) -> bool| {
            events.iter().filter(move |event| wanted(event)).map(|event| event.span())
        };
        let folds = FoldTime::of(spans(Event::is_fold), spans(Event::is_computation));
        match folds.hidden_share() {
            Some(share) => {
                let share = share * 100.0;
                let _ = writeln!(
                    text,
                    "worker {rank}: {share:.1} % of the time of folds was hidden behind computation"
                );
            }
            None => {
                let _ = writeln!(text, "worker {rank}: no folds");
            }
        }
    }
    terminal::say(&text)?;
    if let Some(path) = &flags.save {
        all.write(path)?;
    }
    Ok(SUCCESS)
}
