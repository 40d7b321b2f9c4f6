//! The state of a job that forms, as its workers know it, and the times at which users are told.

use core::time::Duration;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::failure::Ranks;

/// The usual pause: the longest wait for other workers without a word.
pub const SILENCE: Duration = Duration::from_secs(5);

/// Most missing ranks that are named, so that what a worker is told does not grow with its job.
pub(crate) const NAMED: usize = 16;

/// A job that is forming (R-CTRL-2). Shown, it tells how many have joined and which ranks are
/// missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Workers that have joined, the one that is told among them.
    pub joined: u16,
    /// Workers of the job.
    pub size: u16,
    /// The lowest ranks that have not joined, as far as they are known.
    #[serde(default)]
    pub missing: Vec<u16>,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} workers have joined", self.joined, self.size)?;
        if self.missing.is_empty() {
            return Ok(());
        }
        let more =
            usize::from(self.size - self.joined.min(self.size)).saturating_sub(self.missing.len());
        write!(f, "; waiting for rank {}", Ranks(&self.missing, more))
    }
}

/// Tells when a user should hear that a worker waits: after a short while, and then when others
/// have come or gone, with as long a pause in between.
#[derive(Debug)]
pub struct Reminder {
    pause: Duration,
    last: Option<(Duration, Waiting)>,
}

impl Default for Reminder {
    fn default() -> Self {
        Self::every(SILENCE)
    }
}

impl Reminder {
    /// A reminder with this pause instead of the usual one.
    pub fn every(pause: Duration) -> Self {
        Self { pause, last: None }
    }

    /// Returns whether to tell the user now, after a wait of `waited`.
    pub fn is_due(&mut self, waited: Duration, waiting: &Waiting) -> bool {
        let due = match &self.last {
            None => waited >= self.pause,
            Some((at, told)) => waited >= *at + self.pause && told != waiting,
        };
        if due {
            self.last = Some((waited, waiting.clone()));
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(joined: u16, size: u16, missing: &[u16]) -> Waiting {
        Waiting { joined, size, missing: missing.to_vec() }
    }

    #[test]
    fn who_is_missing_is_named() {
        let shown = waiting(2, 4, &[1, 3]).to_string();
        assert_eq!(shown, "2 of 4 workers have joined; waiting for rank 1, 3");
        let many: Vec<u16> = (1..17).collect();
        let shown = waiting(1, 20, &many).to_string();
        assert!(shown.ends_with("15, 16 and 3 more"), "{shown}");
        assert_eq!(waiting(1, 2, &[]).to_string(), "1 of 2 workers have joined");
    }

    #[test]
    fn a_user_is_told_after_a_while_and_then_of_changes() {
        let mut reminder = Reminder::default();
        let mut due = |seconds, joined| {
            reminder.is_due(Duration::from_secs(seconds), &waiting(joined, 4, &[]))
        };
        assert!(!due(0, 1) && !due(4, 2));
        assert!(due(5, 2) && !due(6, 2) && !due(60, 2), "nothing is new");
        assert!(due(61, 3) && !due(65, 2) && due(66, 2), "told of changes, at intervals");
    }
}
