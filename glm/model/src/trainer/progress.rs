//! The progress of a trainer, from which another one can go on.

use super::{Slices, Trainer};
use crate::error::Error;
use crate::exchange::Exchange;

/// Most steps that are told apart: those of 2^53 are exact in f64.
const MOST_STEPS: u64 = 1 << 53;

/// The counts of a trainer. With them and its [`Model`](crate::Model) another one goes on. Only the
/// penalty's charges (R-GLM-9) and the averages (R-GLM-10) begin anew.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Steps taken (R-GLM-8).
    pub steps: u64,
    /// Epochs ended.
    pub epochs: u64,
    /// Orders of samples drawn (R-GLM-12).
    pub orders: u64,
    /// Values of an adaptive rate: eta0, and the step length that is left of it.
    pub adaptive: Option<(f64, f64)>,
}

impl<X: Exchange> Trainer<X> {
    /// Returns the trainer's progress.
    pub fn progress(&self) -> Progress {
        let schedule = &self.head.schedule;
        Progress {
            steps: schedule.steps,
            epochs: self.epochs,
            orders: self.passes,
            adaptive: schedule.adaptive(),
        }
    }

    /// Goes on from there; all workers call it with the same. An adaptive rate does so if it has
    /// the same eta0.
    pub fn resume(&mut self, progress: Progress) -> Result<(), Error> {
        let Progress { steps, epochs, orders, adaptive } = progress;
        for (what, number) in [("steps", steps), ("epochs", epochs), ("orders", orders)] {
            if number > MOST_STEPS {
                return Err(Error::setting(what, number, format!("at most {MOST_STEPS}")));
            }
        }
        self.head.schedule.resume(steps, adaptive)?;
        if let Slices::Float(slices) = &mut self.slices {
            slices.iter_mut().for_each(|slice| slice.skip(steps));
        }
        (self.epochs, self.passes) = (epochs, orders);
        Ok(())
    }
}
