//! The hot rows of a table at its switch, as both ends of this crate need them. `netfold-net`
//! implements this over UDP; tests do so in memory.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use netfold_sparse::{Answer, Numbers, SwitchTable};

use crate::error::Error;

/// The switch is lost, or its epoch is sealed (R-KEY-10): nothing more can be folded there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A push that is kept for a replay (R-KEY-10): its number, and pairs of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Number of the push.
    pub push: u32,
    /// Ranks of its pairs.
    pub ranks: Vec<u32>,
    /// Their rows, one after the other.
    pub rows: Numbers,
}

/// Traffic to the switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HotStats {
    /// Bytes of datagrams sent.
    pub bytes: u64,
    /// Datagrams sent again.
    pub retransmissions: u64,
    /// Recirculations of pushes in a pipeline (R-HOT-8).
    pub recirculations: u64,
}

impl HotStats {
    /// Adds further traffic.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            retransmissions: self.retransmissions + other.retransmissions,
            recirculations: self.recirculations + other.recirculations,
        }
    }
}

/// A function that waits call now and then, so that a front end can be interrupted.
pub type Waiting<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

/// The switches at which a table may have its planes (R-KEY-13).
pub trait Planes: Send + Sync {
    /// Waits until the job of this epoch has resumed at another switch, and opens the table there
    /// (R-KEY-14).
    ///
    /// # Errors
    /// It does not, or the caller says that this is over.
    fn resume(&self, epoch: u32, over: &dyn Fn() -> bool) -> Result<Arc<dyn HotRows>, Lost>;

    /// Joins another job, which has a table of so many ranks, with all other workers, and leaves
    /// the one before (R-KEY-15).
    ///
    /// # Errors
    /// There is no such switch, a worker does not come, or the caller is interrupted.
    fn replace(&self, ranks: u32, waiting: Waiting<'_>) -> Result<Arc<dyn HotRows>, Error>;
}

/// A worker's way to the hot rows (R-KEY-3 to 5, R-KEY-10, R-KEY-12). Every method may be called
/// from any thread.
pub trait HotRows: Send + Sync {
    /// Returns the address at which servers find the table.
    fn table(&self) -> SwitchTable;

    /// Pushes distinct ranks with their rows. May wait for room, but returns when the switch is
    /// lost.
    ///
    /// # Errors
    /// The switch is lost, and nothing of this push was taken; what was taken before is kept.
    fn push(&self, ranks: &[u32], rows: &Numbers) -> Result<(), Lost>;

    /// Pulls resident rows. Returns one for each of `ranks`, and the positions that the switch has
    /// no value for.
    ///
    /// # Errors
    /// The switch is lost.
    fn pull(&self, ranks: &[u32]) -> Result<(Numbers, Vec<usize>), Lost>;

    /// Waits at most `limit` until all pushes are acknowledged, and returns whether they are.
    ///
    /// # Errors
    /// The switch is lost.
    fn wait_acknowledged(&self, limit: Duration) -> Result<bool, Lost>;

    /// Returns how many pushes were made, modulo 2^32.
    fn made(&self) -> u32;

    /// Forgets the pairs of these parts (a bit each) that are in pushes numbered below `before`.
    fn stored(&self, parts: u64, before: u32);

    /// Stops pushing for good. Pushes that wait return.
    fn seal(&self);

    /// The pairs of these parts that are kept. None is added once it is sealed.
    fn kept(&self, parts: u64) -> Vec<Kept>;

    /// Returns the bytes of pairs that are kept.
    fn kept_bytes(&self) -> usize;

    /// The reason why the switch counts as lost, once it does.
    fn lost(&self) -> Option<Lost>;

    /// Returns the traffic to the switch so far.
    fn stats(&self) -> HotStats;
}

/// The way of servers to switches.
pub trait Switches: Send + Sync {
    /// Opens the table at a switch, for the server of these parts (a bit each) that has stored
    /// generations up to `stored`.
    ///
    /// # Errors
    /// The switch cannot be reached.
    fn open(&self, table: &SwitchTable, parts: u64, stored: u32)
    -> Result<Box<dyn HotReads>, Lost>;
}

/// A server's way to the sums of hot rows (R-KEY-7 to 9, R-KEY-12).
pub trait HotReads: Send {
    /// Closes the open generation if that is asked for and possible, and reads the last closed one
    /// unless it is stored. Returns the switch's answer to this question or to an earlier one, or
    /// `None` after the time-out.
    ///
    /// # Errors
    /// The switch does not have the table any more.
    fn read(&mut self, close: bool, timeout: Duration) -> Result<Option<Answer>, Lost>;

    /// Takes note that generations up to this one are stored.
    fn stored(&mut self, generation: u32);

    /// Loads the values of resident rows.
    ///
    /// # Errors
    /// The switch does not have the table any more, or has not answered within the time-out.
    fn load(&mut self, ranks: &[u32], rows: &Numbers, timeout: Duration) -> Result<(), Lost>;
}
