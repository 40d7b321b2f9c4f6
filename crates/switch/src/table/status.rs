//! Reports of a shard on its tables.

use super::{Table, TableSpec};
use crate::counters::Counters;

/// A table as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStatus {
    /// The description that it was admitted with.
    pub spec: TableSpec,
    /// The generation that is open.
    pub open: u32,
    /// The last generation that the servers of all parts have stored.
    pub stored: u32,
    /// The servers have stored all that was pushed (R-KEY-16).
    pub drained: bool,
    /// The job is over (R-KEY-11).
    pub ended: bool,
    /// The time at which a server has read last, on the clock of
    /// [`Shard::set_time`](crate::Shard::set_time).
    pub asked_us: Option<u64>,
    /// Totals of the datagrams that were taken for the table's.
    pub counters: Counters,
}

impl Table {
    pub(crate) fn status(&self) -> TableStatus {
        TableStatus {
            spec: self.spec.clone(),
            open: self.open,
            stored: self.stored.iter().copied().min().unwrap_or(0),
            drained: self.is_drained(),
            ended: self.ended,
            asked_us: self.asked_us,
            counters: self.counters,
        }
    }
}
