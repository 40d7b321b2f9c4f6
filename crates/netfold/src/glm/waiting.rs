//! What a worker does until the others of its job are there: it says that it waits, and gives up in the end.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long it waits without a word.
const SILENCE: Duration = Duration::from_secs(5);

/// A worker that has asked to join.
pub(crate) struct Waiting<'a> {
    job: &'a str,
    rank: u16,
    start: Instant,
    patience: Duration,
    /// How many have joined, as was said last.
    told: Option<u16>,
    /// Of how many have joined how many, when it gave up.
    missed: Option<(u16, u16)>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(job: &'a str, rank: u16, patience: Duration) -> Self {
        Self { job, rank, start: Instant::now(), patience, told: None, missed: None }
    }

    /// So many of so many have joined.
    pub(crate) fn see(&mut self, joined: u16, size: u16) -> ControlFlow<()> {
        let (waited, job) = (self.start.elapsed(), self.job);
        if waited >= self.patience {
            self.missed = Some((joined, size));
            return ControlFlow::Break(());
        }
        if waited >= SILENCE.min(self.patience / 2) && self.told.replace(joined) != Some(joined) {
            eprintln!(
                "rank {}: {joined} of {size} workers of the job {job:?} have joined; waiting for the others",
                self.rank
            );
        }
        ControlFlow::Continue(())
    }

    /// Why it has given up, if it has.
    pub(crate) fn given_up(&self) -> Option<String> {
        let (joined, size) = self.missed?;
        let (seconds, job) = (self.patience.as_secs(), self.job);
        Some(format!(
            "only {joined} of {size} workers of the job {job:?} have joined within {seconds} s; start the others with the same switch and --job, see what they say, or give them longer by --wait"
        ))
    }
}
