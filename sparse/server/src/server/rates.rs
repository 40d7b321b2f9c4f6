//! Learning rates that change within a run (R-SERVE-16).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use crate::optimizer::{Optimizer, Rule};

/// Most steps whose rates wait for them. Workers are seldom more than one step ahead of others.
const MOST_WAITING: usize = 4096;

/// The learning rate of a table.
#[derive(Debug)]
pub(super) struct Rates {
    /// The optimizer with the rate that counts now.
    pub optimizer: Optimizer,
    waiting: Waiting,
}

/// Its part of a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Waiting {
    /// The rate that counts now, if it was changed.
    lr: Option<f64>,
    /// Not synchronous: the step of the change that it has come with.
    since: u32,
    /// Synchronous: rates of steps that are not applied.
    of_steps: BTreeMap<u32, f64>,
}

impl Rates {
    pub fn new(optimizer: &Optimizer) -> Self {
        Self { optimizer: optimizer.clone(), waiting: Waiting::default() }
    }

    /// Goes on with what a checkpoint has.
    pub fn recovered(optimizer: &Optimizer, waiting: Waiting) -> Self {
        let mut rates = Self { optimizer: optimizer.clone(), waiting };
        if let Some(lr) = rates.waiting.lr {
            rates.set(lr);
        }
        rates
    }

    /// The rule by which gradients change rows.
    pub const fn rule(&self) -> Rule<'_> {
        Rule::Optimize(&self.optimizer, None)
    }

    /// The rule by which sums of hot rows change them.
    pub const fn hot_rule(&self, resident: bool) -> Rule<'_> {
        if resident { Rule::Add } else { self.rule() }
    }

    pub const fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    /// Learns that a session begins, whose steps begin anew.
    pub const fn begin(&mut self) {
        self.waiting.since = 0;
    }

    /// Takes a change for a step and those after it.
    pub fn change(&mut self, step: u32, lr: f64, synchronous: bool) -> Result<(), Fault> {
        self.optimizer.with_lr(lr).map_err(Fault::Refused)?;
        if !synchronous {
            if step >= self.waiting.since {
                self.waiting.since = step;
                self.set(lr);
            }
            return Ok(());
        }
        let of_steps = &mut self.waiting.of_steps;
        if of_steps.len() == MOST_WAITING && !of_steps.contains_key(&step) {
            let why = format!("learning rates of more than {MOST_WAITING} steps wait for them");
            return Err(Fault::Refused(why));
        }
        of_steps.insert(step, lr);
        Ok(())
    }

    /// Takes the rate of a step that is about to be applied.
    pub fn reached(&mut self, step: u32) {
        while let Some(first) = self.waiting.of_steps.first_entry()
            && *first.key() <= step
        {
            let lr = first.remove();
            self.set(lr);
        }
    }

    fn set(&mut self, lr: f64) {
        // It was checked when it came.
        if let Ok(changed) = self.optimizer.with_lr(lr) {
            self.optimizer = changed;
            self.waiting.lr = Some(lr);
        }
    }
}
