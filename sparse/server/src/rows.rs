//! The rows of a server's parts, of one type for each table.

use netfold_num::ElementType;
use thiserror::Error;

use crate::message::{Hello, Taken};
use crate::numbers::Numbers;
use crate::optimizer::Rule;
use crate::store::{Page, Store, StoreError};
use crate::{TableSpec, each_type};

mod hot;
mod keys;
mod moving;
mod pages;
mod typed;

pub(crate) use hot::HotSlots;
use typed::TypedRows;

/// A reason why rows cannot be had.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum RowsError {
    /// A key beyond the table.
    #[error("key {key} is not below the table's {rows} rows; look for its origin in the data")]
    Key {
        /// The key.
        key: u32,
        /// The number of rows.
        rows: u64,
    },
    /// A key or rank of another server.
    #[error("{what} {number} is not of this server's parts (R-SERVE-1); all must run one version")]
    Elsewhere {
        /// `key` or `rank`.
        what: &'static str,
        /// The key or rank.
        number: u32,
    },
    /// A rank beyond those of the hot keys.
    #[error("rank {rank} is not below the {hot} ranks; all must run one version")]
    Rank {
        /// The rank.
        rank: u32,
        /// The number of ranks.
        hot: u32,
    },
    /// Rows of another width.
    #[error("{found} numbers for {keys} rows of {width}; a row of each key is needed")]
    Width {
        /// The numbers that there are.
        found: usize,
        /// The rows that they are for.
        keys: usize,
        /// The numbers of a row.
        width: usize,
    },
    /// Rows of another type.
    #[error("rows of {found} for a table of {expected} (R-SERVE-24)")]
    Type {
        /// The type of the rows.
        found: ElementType,
        /// The type of the table's rows.
        expected: ElementType,
    },
    /// Rows that do not fit, without a store that they could move to.
    #[error(
        "the rows need more than the memory limit of {limit} bytes; give the server a folder for \
         data, or more memory"
    )]
    Memory {
        /// The limit.
        limit: usize,
    },
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Place of a row: the page, and the row in it.
pub(crate) type Slot = u64;

/// The rows of one server.
#[derive(Debug)]
pub(crate) enum Rows<S> {
    F32(TypedRows<S, f32>),
    F64(TypedRows<S, f64>),
    I32(TypedRows<S, i32>),
    I64(TypedRows<S, i64>),
}

impl<S: Store> Rows<S> {
    /// Begins with no page in memory. Without a store, rows are in memory only.
    pub fn new(
        spec: &TableSpec,
        hot_keys: &[u32],
        place: (u16, u16),
        store: Option<S>,
        limit: usize,
    ) -> Self {
        match spec.element_type {
            ElementType::F64 => Self::F64(TypedRows::new(spec, hot_keys, place, store, limit)),
            ElementType::I32 => Self::I32(TypedRows::new(spec, hot_keys, place, store, limit)),
            ElementType::I64 => Self::I64(TypedRows::new(spec, hot_keys, place, store, limit)),
            // No other type is agreed on.
            _ => Self::F32(TypedRows::new(spec, hot_keys, place, store, limit)),
        }
    }

    /// Begins anew, for other parts, with the same store.
    pub fn replaced(&mut self, terms: &Hello) -> Self {
        let place = (terms.server, terms.servers);
        let (store, limit) = each_type!(Self, self, rows => rows.take_store());
        Self::new(&terms.table, &terms.hot_keys, place, store, limit)
    }

    /// Takes other options of the optimizer, with the same state.
    pub fn renew(&mut self, spec: &TableSpec) {
        each_type!(Self, self, rows => rows.renew(spec));
    }

    /// Finds the slots of `keys`.
    pub fn find(&self, keys: &[u32], slots: &mut Vec<Slot>) -> Result<(), RowsError> {
        each_type!(Self, self, rows => rows.find(keys, slots))
    }

    /// Returns the slots of a plane's hot keys, which are below the number of rows.
    pub fn hot_slots(&self, hottest_first: &[u32]) -> HotSlots {
        each_type!(Self, self, rows => rows.hot_slots(hottest_first))
    }

    /// Checks that `rows` has as many numbers as `keys` rows have, of the table's type.
    pub fn check(&self, keys: usize, rows: &Numbers) -> Result<(), RowsError> {
        each_type!(Self, self, own => own.check(keys, rows))
    }

    /// Returns the weights of `slots`.
    pub fn read(&mut self, slots: &[Slot]) -> Result<Numbers, RowsError> {
        each_type!(Self, self, rows => rows.read(slots))
    }

    /// Changes the rows of `slots`, which are distinct or changed one after the other.
    pub fn change(
        &mut self,
        rule: Rule<'_>,
        slots: &[Slot],
        rows: &Numbers,
    ) -> Result<(), RowsError> {
        each_type!(Self, self, own => own.change(rule, slots, rows))
    }

    /// Changes each row that `sources` name once, by the sum of what they have for it, added up in
    /// their order.
    pub fn change_by_sums(
        &mut self,
        rule: Rule<'_>,
        sources: &[(Vec<Slot>, Numbers)],
    ) -> Result<(), RowsError> {
        each_type!(Self, self, rows => rows.change_by_sums(rule, sources))
    }

    /// Puts rows with their state in place of those that are there: all, or none if one of them is
    /// another server's.
    pub fn put(&mut self, keys: &[u32], lanes: &Numbers) -> Result<(), RowsError> {
        each_type!(Self, self, rows => rows.put(keys, lanes))
    }

    /// Returns rows of every so many pages from one on: whole pages, of at most so many lanes but
    /// at least one. Pages that nobody has touched are left out. Nothing is brought into memory for
    /// it, or dropped.
    pub fn take(&self, from: u64, stride: u32, most_lanes: usize) -> Result<Taken, RowsError> {
        each_type!(Self, self, rows => rows.take(from, stride, most_lanes))
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        each_type!(Self, self, rows => rows.clear());
    }

    /// Returns the bytes of pages in memory, and of those that have changed since the last
    /// checkpoint.
    pub fn bytes(&self) -> (usize, usize) {
        each_type!(Self, self, rows => rows.bytes())
    }

    /// Takes what has changed since the last checkpoint, for the next one.
    pub fn take_changed(&mut self) -> Vec<(u64, Page)> {
        each_type!(Self, self, rows => rows.take_changed())
    }

    /// Learns that the checkpoint is stored.
    pub fn written(&mut self) {
        each_type!(Self, self, rows => rows.written());
    }
}

#[cfg(test)]
mod tests;
