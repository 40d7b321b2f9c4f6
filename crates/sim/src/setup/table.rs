//! Tables of sparse models.

use netfold_num::ElementType;
use netfold_wire::{PARTS, RANK_BYTES, TableTerms};
use serde::Deserialize;

use super::{JobSetup, SystemName};
use crate::error::Error;

/// The table of a job: how often its keys are updated, and where they are.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TableSetup {
    /// Keys.
    pub keys: u64,
    /// Exponent of Zipf's law, after which keys are drawn: the integral of x^-s from r + 1 to r + 2
    /// is the weight of rank r.
    pub exponent: f64,
    /// Hot keys, whose rows the switch has; 0: servers have them all.
    pub hot: u32,
    /// Lanes of a row, of 4 bytes each.
    pub width: u16,
    /// Servers, on hosts of their own behind the workers'.
    pub servers: u16,
    /// Pairs of the whole mini-batch of which a call is an even part; `None`: a call is all of it.
    pub mini_batch: Option<u64>,
    /// Switches between the workers and the lowest one above them fold, too (R-KEY-17).
    pub tree: bool,
    /// Age at which servers close a generation (R-SERVE-6), in microseconds.
    pub max_age_us: u64,
}

impl Default for TableSetup {
    /// A table of a million keys on one server, none of them hot.
    fn default() -> Self {
        Self {
            keys: 1_000_000,
            exponent: 1.0,
            hot: 0,
            width: 1,
            servers: 1,
            mini_batch: None,
            tree: false,
            max_age_us: 20_000,
        }
    }
}

impl TableSetup {
    /// The table at the switch, which workers pull from; `None` if no key is hot.
    pub(crate) fn terms(&self) -> Option<TableTerms> {
        let (width, element_type) = (self.width, ElementType::I32);
        (self.hot > 0).then_some(TableTerms { rows: self.hot, width, element_type, resident: true })
    }

    /// Bytes of a key with its row.
    pub(crate) fn pair_bytes(&self) -> u32 {
        RANK_BYTES as u32 + self.row_bytes()
    }

    /// Bytes of a row.
    pub(crate) fn row_bytes(&self) -> u32 {
        u32::from(self.width) * ElementType::I32.bytes() as u32
    }
}

/// Refuses a table that cannot be.
pub(crate) fn check_table(job: &JobSetup) -> Result<(), Error> {
    let refused = |what, instead| Err(Error::Peer { job: job.name.clone(), what, instead });
    let Some(TableSetup { keys, exponent, hot, width, servers, mini_batch, .. }) = job.table else {
        return match job.system {
            SystemName::Tables => refused("its table is missing", "give table = { .. }"),
            _ => Ok(()),
        };
    };
    let Some(first) = job.calls.first() else {
        return refused("the load of a table follows from its calls", "give them with the job");
    };
    if job.system != SystemName::Tables {
        return refused("its system has no tables", "give system = \"tables\", or no table");
    }
    if job.flows != 1 {
        return refused("a table has one flow", "leave out flows");
    }
    if width == 0 || servers == 0 || u32::from(servers) > PARTS {
        return refused("such a table cannot be", "give a width of 1 or more and 1 to 64 servers");
    }
    if !(0.0..=10.0).contains(&exponent) || keys < u64::from(hot) {
        return refused(
            "such a law of keys cannot be",
            "give an exponent from 0 to 10, and as many keys as are hot, or more",
        );
    }
    if job.calls.iter().any(|call| call.elements != first.elements) {
        return refused("mini-batches of a table are alike", "give each call as many elements");
    }
    // All keys of a mini-batch are different, so they take more draws the fewer keys are left.
    if mini_batch.unwrap_or(0).max(first.elements) > keys / 2 {
        return refused("a mini-batch has few of the keys", "give fewer elements, or more keys");
    }
    Ok(())
}
