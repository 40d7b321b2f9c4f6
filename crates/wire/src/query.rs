//! Queries whose rows pass through the switch (R-QRY): their programs and packets.

mod generated;
mod packet;

use netfold_num::{Comparison, Sum, hash_key};

pub use packet::{
    PresentWords, QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, words, write_words,
};

/// Most columns of a row (R-QRY-1).
pub const MOST_COLUMNS: usize = 8;

/// Most comparisons of a filter: their outcomes are the index of one of 64 bits (R-QRY-6).
pub const MOST_PREDICATES: usize = 6;

/// Most bits that a key sets in a Bloom filter (R-QRY-13): they and the word's number fit a hash.
pub const MOST_BLOOM_BITS: u8 = 5;

/// Most rows, words or buckets of a program's arrays.
pub const MOST_ROWS: u32 = 1 << 30;

/// Returns the identity of a row of a partition (R-QRY-16), of which 2^40 are told apart.
pub const fn row_identity(partition: u32, number: u64) -> u64 {
    (partition as u64) << 40 | number & ((1 << 40) - 1)
}

/// Returns the row of a matrix of 2^`row_bits` rows that a row of the query goes to (R-QRY-8).
pub const fn matrix_row(identity: u64, seed: u64, row_bits: u32) -> usize {
    match row_bits {
        0 => 0,
        bits => (hash_key(identity, seed) >> (64 - bits)) as usize,
    }
}

/// The treatment of rows that are as good as those that the switch has forwarded (R-QRY-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ties {
    /// They are forwarded: for codes that are not exact, and where another column decides.
    Keep,
    /// They are dropped.
    Drop,
}

/// The distance of thresholds (R-QRY-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Steps {
    /// Codes of integers.
    Integer,
    /// Codes of floats with so many bits of mantissa: 23 or 52.
    Float {
        /// Bits of the mantissa.
        mantissa_bits: u8,
    },
}

impl Steps {
    /// Returns the i-th threshold after the smallest of the first rows; nothing if it does not fit.
    pub fn threshold(self, smallest: i64, i: u8) -> Option<i64> {
        let distance = match self {
            Self::Integer => {
                let unit = i128::from(smallest).abs().max(1);
                1_i128.checked_shl(i.into()).filter(|power| *power > 0)?.checked_sub(1)? * unit
            }
            Self::Float { mantissa_bits } => i128::from(i) << mantissa_bits,
        };
        (i128::from(smallest) + distance).try_into().ok()
    }
}

/// The key that leaves a full cache (R-QRY-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// The one that came first.
    Fifo,
    /// The one that was not met for longest.
    Lru,
}

/// A comparison of a column with a constant (R-QRY-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// The column's index.
    pub column: u8,
    /// The comparison.
    pub comparison: Comparison,
    /// The constant, as a code of the column.
    pub constant: i64,
}

/// At most N items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpTo<T, const N: usize> {
    items: [Option<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> UpTo<T, N> {
    /// Takes items; nothing if there are more than N.
    pub fn new(items: &[T]) -> Option<Self> {
        let mut all = [None; N];
        let places = all.get_mut(..items.len())?;
        places.iter_mut().zip(items).for_each(|(place, item)| *place = Some(*item));
        Some(Self { items: all, len: items.len() })
    }

    /// Returns the items in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone + '_ {
        self.items[..self.len].iter().map(|item| item.expect("there are so many"))
    }

    /// Returns the number of items.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there is no item.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Comparisons of a filter.
pub type Predicates = UpTo<Predicate, MOST_PREDICATES>;

/// Sums of the first columns.
pub type Sums = UpTo<Sum, MOST_COLUMNS>;

impl Sums {
    /// Returns the words of the accumulators of a slot.
    pub fn words(&self) -> usize {
        self.iter().map(Sum::words).sum()
    }
}

/// The program of a query (R-QRY-6 to 18). Counts of rows, words and buckets are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowProgram {
    /// Rows that satisfy comparisons (R-QRY-6).
    Filter {
        /// Comparisons, at most [`MOST_PREDICATES`].
        predicates: Predicates,
        /// The truth table.
        truth: u64,
    },
    /// The n rows with the largest first column, by thresholds (R-QRY-7).
    TopThresholds {
        /// Rows of the answer.
        n: u32,
        /// Thresholds after the first one.
        width: u8,
        /// Their distance.
        steps: Steps,
    },
    /// The rows with the largest first column, by a matrix (R-QRY-8).
    TopMatrix {
        /// Rows of the matrix, d.
        rows: u32,
        /// Cells of a row, w.
        width: u16,
        /// Seed of the hash of identities.
        seed: u64,
        /// The treatment of ties.
        ties: Ties,
    },
    /// Different keys (R-QRY-11).
    Distinct {
        /// Rows of the cache, d, at least 2.
        rows: u32,
        /// Keys of a row, w.
        width: u8,
        /// Seed of the hash of keys.
        seed: u64,
        /// The key that leaves.
        replacement: Replacement,
    },
    /// The largest first column of each key (R-QRY-12).
    GroupExtreme {
        /// Rows of the cache, d, at least 2.
        rows: u32,
        /// Keys of a row, w.
        width: u8,
        /// Seed of the hash of keys.
        seed: u64,
        /// The treatment of ties.
        ties: Ties,
    },
    /// Rows whose key is among those of the build side (R-QRY-13).
    BloomJoin {
        /// Words of the filter, b.
        words: u32,
        /// Bits of a key, k, at most [`MOST_BLOOM_BITS`].
        bits: u8,
        /// Seed of the hash of keys.
        seed: u64,
        /// Rows of the build side are forwarded.
        forwards_build: bool,
    },
    /// Sums of columns by key (R-QRY-18).
    GroupSum {
        /// Rows of a table, d, at least 2.
        rows: u32,
        /// Slots of a row, w.
        width: u8,
        /// Seed of the hash of keys.
        seed: u64,
        /// Sums of the first columns, in their order.
        sums: Sums,
    },
}

/// The reason why a program cannot be like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowProgramError {
    /// A count of rows or words that is no power of two, or beyond its limits.
    #[error("{what} of a program are a power of two from {least} to {MOST_ROWS}, not {count}")]
    Count {
        /// Rows or words.
        what: &'static str,
        /// The smallest that is allowed.
        least: u32,
        /// The count.
        count: u32,
    },
    /// No cell in a row, or no bit for a key.
    #[error("{what} are from 1 to {most}, not {count}")]
    Width {
        /// Cells, bits or thresholds.
        what: &'static str,
        /// The largest that is allowed.
        most: u16,
        /// The count.
        count: u16,
    },
    /// Rows of an answer without rows.
    #[error("a Top-N query asks for at least one row; with LIMIT 0 there is nothing to send")]
    Empty,
    /// Sums of no columns, or of more than a row has; comparisons of such columns.
    #[error("a row has from 1 to {MOST_COLUMNS} columns; the program names {0}")]
    Columns(usize),
}

impl RowProgram {
    /// Checks that a program can be like this at all.
    ///
    /// # Errors
    /// The first reason for which it cannot.
    pub fn checked(&self) -> Result<(), RowProgramError> {
        let count = |what, least, count: u32| {
            let fits = count.is_power_of_two() && (least..=MOST_ROWS).contains(&count);
            if fits { Ok(()) } else { Err(RowProgramError::Count { what, least, count }) }
        };
        let width = |what, most: u16, count: u16| {
            let fits = (1..=most).contains(&count);
            if fits { Ok(()) } else { Err(RowProgramError::Width { what, most, count }) }
        };
        let columns = |columns: usize| match columns {
            1..=MOST_COLUMNS => Ok(()),
            _ => Err(RowProgramError::Columns(columns)),
        };
        match self {
            Self::Filter { predicates, .. } => {
                let named = predicates.iter().map(|predicate| usize::from(predicate.column) + 1);
                columns(named.max().unwrap_or(1))
            }
            Self::TopThresholds { n: 0, .. } => Err(RowProgramError::Empty),
            Self::TopThresholds { width: thresholds, .. } => {
                width("thresholds", 63, (*thresholds).into())
            }
            Self::TopMatrix { rows, width: cells, .. } => {
                count("rows", 1, *rows)?;
                width("cells of a row", u16::MAX, *cells)
            }
            Self::Distinct { rows, width: cells, .. }
            | Self::GroupExtreme { rows, width: cells, .. } => {
                count("rows", 2, *rows)?;
                width("cells of a row", u8::MAX.into(), (*cells).into())
            }
            Self::BloomJoin { words, bits, .. } => {
                count("words", 1, *words)?;
                width("bits of a key", MOST_BLOOM_BITS.into(), (*bits).into())
            }
            Self::GroupSum { rows, width: slots, sums, .. } => {
                count("rows", 2, *rows)?;
                width("slots of a row", u8::MAX.into(), (*slots).into())?;
                columns(sums.len())
            }
        }
    }

    /// Its name, as it is shown.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Filter { .. } => "filter",
            Self::TopThresholds { .. } => "top-thresholds",
            Self::TopMatrix { .. } => "top-matrix",
            Self::Distinct { .. } => "distinct",
            Self::GroupExtreme { .. } => "group-extreme",
            Self::BloomJoin { .. } => "bloom-join",
            Self::GroupSum { .. } => "group-sum",
        }
    }

    /// Returns the columns that rows must have.
    pub fn columns(&self) -> usize {
        match self {
            Self::Filter { predicates, .. } => {
                let named = predicates.iter().map(|predicate| usize::from(predicate.column) + 1);
                named.max().unwrap_or(0)
            }
            Self::TopThresholds { .. } | Self::TopMatrix { .. } | Self::GroupExtreme { .. } => 1,
            Self::Distinct { .. } | Self::BloomJoin { .. } => 0,
            Self::GroupSum { sums, .. } => sums.len(),
        }
    }

    /// Returns whether rows must have keys.
    pub fn reads_keys(&self) -> bool {
        matches!(
            self,
            Self::Distinct { .. }
                | Self::GroupExtreme { .. }
                | Self::BloomJoin { .. }
                | Self::GroupSum { .. }
        )
    }

    /// Returns the bytes of the program's state with tables for so many open attempts (R-QRY-22).
    pub fn memory_bytes(&self, attempts: u16) -> u64 {
        // A request may name any numbers: what does not fit takes all there is.
        let cells = |rows: u32, width: u16, bytes: u64| {
            (u64::from(rows) * u64::from(width)).saturating_mul(bytes)
        };
        match self {
            Self::Filter { predicates, .. } => 8 + 16 * predicates.len() as u64,
            Self::TopThresholds { width, .. } => 16 * u64::from(*width) + 32,
            Self::TopMatrix { rows, width, .. } => cells(*rows, *width, 8) + 8 * u64::from(*rows),
            Self::Distinct { rows, width, .. } => cells(*rows, (*width).into(), 8),
            Self::GroupExtreme { rows, width, .. } => cells(*rows, (*width).into(), 16),
            Self::BloomJoin { words, .. } => 8 * u64::from(*words),
            Self::GroupSum { rows, width, sums, .. } => {
                let slot = 8 * (1 + sums.words() as u64);
                cells(*rows, (*width).into(), slot).saturating_mul(1 + u64::from(attempts))
            }
        }
    }
}
