//! `netfold trace`: what workers and switches did when, of one run in one file.

pub(crate) mod file;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use netfold_glm::hidden_share;

use crate::error::Error;
use crate::{SUCCESS, terminal};
use file::{Event, TraceFile};

#[derive(Args, Debug)]
pub(crate) struct TraceFlags {
    /// Files written on one machine by `glm train --trace` and `switch --trace`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write the merged trace to
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Puts the files together, and says of each worker what share of its folds' time was hidden behind
/// computation.
pub(crate) fn run(flags: &TraceFlags) -> Result<i32, Error> {
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
        match hidden_share(spans(Event::is_fold), spans(Event::is_computation)) {
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
