//! A worker's wait for the others of its job: it says who is missing, and gives up in the end.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use netfold_management::{Reminder, SILENCE, Waiting};

/// A worker that has asked to join.
pub(crate) struct Wait<'a> {
    job: &'a str,
    rank: u16,
    start: Instant,
    patience: Duration,
    reminder: Reminder,
    /// Workers that had joined when it gave up.
    missed: Option<Waiting>,
}

impl<'a> Wait<'a> {
    /// A worker that waits for the others as long as `patience`.
    pub(crate) fn new(job: &'a str, rank: u16, patience: Duration) -> Self {
        let reminder = Reminder::every(SILENCE.min(patience / 2));
        Self { job, rank, start: Instant::now(), patience, reminder, missed: None }
    }

    /// Takes in the workers that have joined, and tells the user when that is due.
    pub(crate) fn see(&mut self, now: &Waiting) -> ControlFlow<()> {
        let waited = self.start.elapsed();
        if waited >= self.patience {
            self.missed = Some(now.clone());
            return ControlFlow::Break(());
        }
        if self.reminder.is_due(waited, now) {
            eprintln!("rank {} of the job {:?}: {now}", self.rank, self.job);
        }
        ControlFlow::Continue(())
    }

    /// Returns the reason why it has given up, if it has.
    pub(crate) fn given_up(&self) -> Option<String> {
        let (missed, seconds, job) = (self.missed.as_ref()?, self.patience.as_secs(), self.job);
        Some(format!(
            "the job {job:?} did not form within {seconds} s: {missed}; start the others with the \
             same switch and --job, see what they say, or give them longer by --wait"
        ))
    }
}
