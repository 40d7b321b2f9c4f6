//! An attempt of a task: rows are offered to the switch, and those that it drops are marked.

use std::time::Duration;

use netfold_net::{QueryPlace, QuerySender, SenderConfig, WorkerId, mark_all};

use crate::driver::WORKERS;
use crate::error::Error;
use crate::values::Values;

/// The use of an attempt's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// They are pruned, by a column if there is one.
    Pruned(Option<Values>),
    /// They fill the filter of a join.
    Fills,
    /// They are added by key, so many columns of them.
    Added(u8),
}

/// The description of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptSpec {
    /// The query.
    pub place: QueryPlace,
    /// Partition among those of the query.
    pub partition: u32,
    /// Number of the task's attempt, of all that Spark makes.
    pub attempt: u64,
    /// The use of the rows.
    pub role: Role,
    /// Rows have keys.
    pub keys: bool,
    /// Longest silence of the switch.
    pub timeout: Duration,
}

/// Rows that are offered together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batch<'a> {
    /// A key for each, or nothing.
    pub keys: &'a [u64],
    /// The words of each row's values, one row after the other, or nothing.
    pub words: &'a [i64],
    /// For each row a set of [`NULL`](Self::NULL) and [`PAST`](Self::PAST).
    pub flags: &'a [u8],
}

impl Batch<'_> {
    /// A value is NULL. Of rows that are added, such a one is not offered.
    pub const NULL: u8 = 1;
    /// The row is not offered: it has no key of 64 bits (R-QRY-37).
    pub const PAST: u8 = 2;
}

/// An attempt that is open.
pub struct Attempt {
    sender: QuerySender,
    role: Role,
    keyed: bool,
    /// The rows of a batch that are offered, and what they are offered as.
    offered: Vec<usize>,
    keys: Vec<u64>,
    /// The columns.
    codes: Vec<Vec<i64>>,
}

impl Attempt {
    /// Opens an attempt. Nothing is sent before rows are.
    ///
    /// # Errors
    /// [`Error::Address`], [`Error::Net`].
    pub fn open(spec: &AttemptSpec) -> Result<Self, Error> {
        let (place, role) = (&spec.place, spec.role);
        let switch = place.address().map_err(|_| Error::Address(place.shard.clone()))?;
        let columns = match role {
            Role::Pruned(values) => u8::from(values.is_some()),
            Role::Fills => 0,
            Role::Added(columns) => columns,
        };
        let config = SenderConfig {
            worker: WorkerId((spec.attempt % u64::from(WORKERS)) as u16),
            build: role == Role::Fills,
            verdicts: matches!(role, Role::Pruned(_)),
            keys: spec.keys,
            columns,
            ..place.attempt(spec.partition, Self::number(spec.attempt))
        };
        let sender = QuerySender::open(switch, config, spec.timeout)?;
        let (offered, keys) = (Vec::new(), Vec::new());
        let codes = vec![Vec::new(); columns.into()];
        Ok(Self { sender, role, keyed: spec.keys, offered, keys, codes })
    }

    /// Returns the number of an attempt among those of its query, from 1 to 2^32 - 2, for the one
    /// that Spark gives it.
    pub fn number(attempt: u64) -> u32 {
        (attempt % (u64::from(u32::MAX) - 1)) as u32 + 1
    }

    /// Offers rows that are pruned, and sets the bits of those that survive, the first row's
    /// lowest.
    ///
    /// # Errors
    /// [`Error::Net`]: the switch is silent. The bits are right all the same; offer no more.
    ///
    /// # Panics
    /// If something is missing of a row, or if there is no bit for each.
    pub fn offer(&mut self, batch: &Batch<'_>, survivors: &mut [u64]) -> Result<(), Error> {
        self.encode(batch);
        let mut bits = vec![0; self.offered.len().div_ceil(64)];
        let columns: Vec<&[i64]> = self.codes.iter().map(Vec::as_slice).collect();
        let answered = self.sender.offer(&self.keys, &columns, &mut bits);
        mark_all(batch.flags.len(), survivors);
        for (at, row) in self.offered.iter().enumerate() {
            if bits[at / 64] >> (at % 64) & 1 == 0 {
                survivors[row / 64] &= !(1 << (row % 64));
            }
        }
        Ok(answered?)
    }

    /// Puts the keys of rows into the filter of a join, or has rows added.
    ///
    /// # Errors
    /// [`Error::Net`]: the switch is silent. The filter will not be sealed, and there will be no
    /// totals.
    pub fn send(&mut self, batch: &Batch<'_>) -> Result<(), Error> {
        self.encode(batch);
        let columns: Vec<&[i64]> = self.codes.iter().map(Vec::as_slice).collect();
        Ok(self.sender.send(&self.keys, &columns)?)
    }

    /// Ends an attempt that fills a filter, or whose rows are added: all of them are sent.
    ///
    /// # Errors
    /// [`Error::Net`]: the switch is silent, or the master.
    pub fn finish(self) -> Result<(), Error> {
        self.sender.finish()?;
        Ok(())
    }

    /// Takes the rows that can be offered.
    fn encode(&mut self, batch: &Batch<'_>) {
        let Self { role, offered, keys, codes, .. } = self;
        offered.clear();
        keys.clear();
        codes.iter_mut().for_each(Vec::clear);
        let width = codes.len();
        for (row, flags) in batch.flags.iter().enumerate() {
            if flags & Batch::PAST != 0 {
                continue;
            }
            match role {
                Role::Pruned(Some(values)) => {
                    let word = (flags & Batch::NULL == 0).then(|| batch.words[row]);
                    let Some(code) = values.code(word) else { continue };
                    codes[0].push(code);
                }
                Role::Added(_) if flags & Batch::NULL != 0 => continue,
                Role::Added(_) => {
                    let words = &batch.words[row * width..];
                    codes.iter_mut().zip(words).for_each(|(column, word)| column.push(*word));
                }
                Role::Pruned(None) | Role::Fills => {}
            }
            offered.push(row);
            if self.keyed {
                keys.push(batch.keys[row]);
            }
        }
    }
}
