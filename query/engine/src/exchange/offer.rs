//! The part of a plan that the switch takes over, as data: what rows are offered as, and to which
//! program.

use std::fmt;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int64Type, UInt64Type};
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_expr::PhysicalSortExpr;
use netfold_num::{ExactFormat, Sum};
use netfold_wire::{Replacement, RowProgram, Sums, Ties};
use serde::{Deserialize, Serialize};

use crate::Options;
use crate::encode::{Keys, Precision, codes, precision};

/// The columns of a partial aggregate that a sum adds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Addend {
    /// A count.
    Count(usize),
    /// Integers or decimals; NULL if nothing was added.
    Integer(usize),
    /// An exact sum of floats: its first of three columns.
    Exact(usize),
}

/// Way in which rows of a fragment meet the switch.
#[derive(Clone, Debug)]
pub enum Offer {
    /// All rows pass. If there is a reason, the switch could not take part because of it.
    Pass {
        /// Reason why the switch cannot do it.
        reason: Option<String>,
    },
    /// The first rows in an order are needed (R-QRY-8).
    Top {
        /// The order's first column.
        first: PhysicalSortExpr,
        /// Rows that are needed.
        fetch: usize,
        /// Ties: dropped, if there is no other column and codes are exact.
        ties: Ties,
    },
    /// Different groups are needed (R-QRY-11): the first columns.
    Distinct {
        /// Columns of the group.
        groups: usize,
    },
    /// The extreme of each group is needed (R-QRY-12).
    Extreme {
        /// Columns of the group: the first.
        groups: usize,
        /// The column of the extreme.
        column: usize,
        /// A maximum, or a minimum.
        largest: bool,
        /// Ties: dropped if codes are exact.
        ties: Ties,
    },
    /// Sums of each group are needed (R-QRY-18).
    Sum {
        /// Columns of the group: the first.
        groups: usize,
        /// The columns of the sums.
        addends: Vec<Addend>,
    },
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass { reason: None } => write!(f, "none"),
            Self::Pass { reason: Some(reason) } => write!(f, "none (done by the engine: {reason})"),
            Self::Top { first, fetch, .. } => write!(f, "top-n, n={fetch}, by=[{first}]"),
            Self::Distinct { groups } => write!(f, "distinct, keys={groups}"),
            Self::Extreme { groups, largest, .. } => {
                write!(f, "group-{}, keys={groups}", if *largest { "max" } else { "min" })
            }
            Self::Sum { groups, addends } => {
                write!(f, "group-sum, keys={groups}, sums={}", addends.len())
            }
        }
    }
}

/// An [`Offer`] on its way to a worker; the plan has the order of a Top-N.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Wired {
    Pass,
    Top { fetch: usize, keeps_ties: bool },
    Distinct { groups: usize },
    Extreme { groups: usize, column: usize, largest: bool, keeps_ties: bool },
    Sum { groups: usize, addends: Vec<Addend> },
}

impl From<&Offer> for Wired {
    fn from(offer: &Offer) -> Self {
        match offer {
            Offer::Pass { .. } => Self::Pass,
            Offer::Top { fetch, ties, .. } => {
                Self::Top { fetch: *fetch, keeps_ties: *ties == Ties::Keep }
            }
            Offer::Distinct { groups } => Self::Distinct { groups: *groups },
            Offer::Extreme { groups, column, largest, ties } => Self::Extreme {
                groups: *groups,
                column: *column,
                largest: *largest,
                keeps_ties: *ties == Ties::Keep,
            },
            Offer::Sum { groups, addends } => {
                Self::Sum { groups: *groups, addends: addends.clone() }
            }
        }
    }
}

impl Wired {
    /// Returns the offer; a Top-N's order is given.
    pub fn offer(self, first: Option<PhysicalSortExpr>) -> Result<Offer> {
        let ties = |keeps| if keeps { Ties::Keep } else { Ties::Drop };
        Ok(match self {
            Self::Pass => Offer::Pass { reason: None },
            Self::Top { fetch, keeps_ties } => {
                let first = first.ok_or_else(|| {
                    DataFusionError::Execution("a Top-N came without its order".into())
                })?;
                Offer::Top { first, fetch, ties: ties(keeps_ties) }
            }
            Self::Distinct { groups } => Offer::Distinct { groups },
            Self::Extreme { groups, column, largest, keeps_ties } => {
                Offer::Extreme { groups, column, largest, ties: ties(keeps_ties) }
            }
            Self::Sum { groups, addends } => Offer::Sum { groups, addends },
        })
    }
}

/// Rows as the switch is offered them.
#[derive(Debug, Default)]
pub struct Offered {
    /// A key for each.
    pub keys: Vec<u64>,
    /// Columns, each with a value for each.
    pub columns: Vec<Vec<i64>>,
    /// The row of the batch that each stands for, if they are not all rows in order.
    pub rows: Option<Vec<usize>>,
    /// Rows of the batch that are forwarded without being offered.
    pub past: Vec<usize>,
}

impl Offer {
    /// Returns the program of the switch; nothing if all rows pass.
    pub fn program(&self, options: &Options) -> Option<RowProgram> {
        let Options { rows, seed, .. } = *options;
        let width = options.width.min(u8::MAX.into()) as u8;
        Some(match self {
            Self::Pass { .. } => return None,
            Self::Top { fetch, ties, .. } => {
                // Three cells for each row of the answer: Cheetah's 64 x 12 for 250.
                let width = 12;
                let rows = (*fetch as u64 / 4).clamp(1, 1 << 24).next_power_of_two() as u32;
                RowProgram::TopMatrix { rows, width, seed, ties: *ties }
            }
            Self::Distinct { .. } => {
                RowProgram::Distinct { rows, width, seed, replacement: Replacement::Lru }
            }
            Self::Extreme { ties, .. } => {
                RowProgram::GroupExtreme { rows, width, seed, ties: *ties }
            }
            Self::Sum { addends, .. } => {
                let sums = addends.iter().map(Addend::sum).collect::<Vec<_>>();
                let sums = Sums::new(&sums).expect("the rule counts columns");
                RowProgram::GroupSum { rows, width, seed, sums }
            }
        })
    }

    /// Returns how the columns of the group become keys; nothing if there is no group.
    pub fn keys(&self, types: &[DataType], seed: u64) -> Option<Keys> {
        match self {
            Self::Distinct { groups } | Self::Extreme { groups, .. } | Self::Sum { groups, .. } => {
                (*groups > 0).then(|| Keys::new(&types[..*groups], seed))
            }
            Self::Pass { .. } | Self::Top { .. } => None,
        }
    }

    /// Returns the first column of a Top-N's order.
    pub fn first(&self) -> Option<&PhysicalSortExpr> {
        match self {
            Self::Top { first, .. } => Some(first),
            _ => None,
        }
    }

    /// Returns whether rows are summed.
    pub fn is_sum(&self) -> bool {
        matches!(self, Self::Sum { .. })
    }

    /// Returns the number of columns of the group.
    pub fn groups(&self) -> usize {
        match self {
            Self::Distinct { groups } | Self::Extreme { groups, .. } | Self::Sum { groups, .. } => {
                *groups
            }
            Self::Pass { .. } | Self::Top { .. } => 0,
        }
    }

    /// Returns the codes of a batch's rows in a Top-N.
    ///
    /// # Errors
    /// If the order's first column cannot be encoded.
    ///
    /// # Panics
    /// If this is another program.
    pub fn codes(&self, batch: &RecordBatch) -> Result<Vec<i64>> {
        let Self::Top { first, .. } = self else { panic!("a Top-N has codes") };
        let column = first.expr.evaluate(batch)?.into_array(batch.num_rows())?;
        Ok(codes(&column, first.options)?.codes)
    }

    /// Returns the rows of a batch as they are offered. Rows whose keys are hashes go past the
    /// switch if they are asked to.
    ///
    /// # Errors
    /// If a column cannot be encoded; the rule does not let such plans through.
    pub fn rows(
        &self,
        keys: Option<&Keys>,
        batch: &RecordBatch,
        hashes_pass: bool,
    ) -> Result<Offered> {
        let count = batch.num_rows();
        let mut offered = Offered { keys: vec![0; count], ..Offered::default() };
        let mut without_key = None;
        if let Some(keys) = keys {
            (offered.keys, without_key) = keys.keys(&batch.columns()[..self.groups()], count)?;
        }
        match self {
            Self::Pass { .. } | Self::Distinct { .. } => {}
            Self::Top { first, .. } => {
                let column = first.expr.evaluate(batch)?.into_array(count)?;
                offered.code(&column, first.options)?;
            }
            Self::Extreme { column, largest, .. } => {
                let options = SortOptions { descending: *largest, nulls_first: false };
                offered.code(batch.column(*column), options)?;
            }
            Self::Sum { addends, .. } => offered.add(addends, batch)?,
        }
        if let Some(nulls) = without_key {
            offered.past.extend((0..count).filter(|row| nulls.is_null(*row)));
        }
        if let Some(keys) = keys.filter(|_| hashes_pass) {
            let hashed = (0..count).filter(|row| keys.is_hash(offered.keys[*row]));
            let hashed: Vec<usize> = hashed.collect();
            offered.past.extend(hashed);
        }
        offered.leave_out();
        Ok(offered)
    }
}

impl Offered {
    fn code(&mut self, column: &ArrayRef, options: SortOptions) -> Result<()> {
        let codes = codes(column, options)?;
        self.columns.push(codes.codes);
        self.past = codes.past;
        Ok(())
    }

    /// Takes the columns of sums. A second row has the errors of exact sums that have one. Rows
    /// with NULL go past the switch (R-QRY-19).
    fn add(&mut self, addends: &[Addend], batch: &RecordBatch) -> Result<()> {
        let count = batch.num_rows();
        let (mut second, mut lows) = (vec![false; count], Vec::new());
        let mut past = vec![false; count];
        for addend in addends {
            let (Addend::Count(at) | Addend::Integer(at) | Addend::Exact(at)) = addend;
            let column = batch.column(*at);
            if column.null_count() > 0 {
                past.iter_mut().enumerate().for_each(|(row, past)| *past |= column.is_null(row));
            }
            if let Addend::Exact(_) = addend {
                self.columns.push(bits(column));
                let low = bits(batch.column(at + 1));
                let rest = batch.column(at + 2);
                for (row, low) in low.iter().enumerate() {
                    second[row] |= low << 1 != 0;
                    past[row] |= rest.is_valid(row);
                }
                lows.push(Some(low));
            } else {
                self.columns.push(integers(column, &mut past)?);
                lows.push(None);
            }
        }
        self.past = (0..count).filter(|row| past[*row]).collect();
        let again: Vec<usize> = (0..count).filter(|row| second[*row] && !past[*row]).collect();
        if !again.is_empty() {
            for (column, low) in self.columns.iter_mut().zip(&lows) {
                let value = |row: &usize| low.as_ref().map_or(0, |low| low[*row]);
                column.extend(again.iter().map(value));
            }
            let keys: Vec<u64> = again.iter().map(|row| self.keys[*row]).collect();
            self.keys.extend(keys);
            self.rows = Some((0..count).chain(again).collect());
        }
        Ok(())
    }

    /// Takes the rows that go past the switch out of those that are offered.
    fn leave_out(&mut self) {
        if self.past.is_empty() {
            return;
        }
        self.past.sort_unstable();
        self.past.dedup();
        let rows = self.rows.take().unwrap_or_else(|| (0..self.keys.len()).collect());
        let stays: Vec<bool> =
            rows.iter().map(|row| self.past.binary_search(row).is_err()).collect();
        fn keep<T>(values: &mut Vec<T>, stays: &[bool]) {
            let mut at = stays.iter();
            values.retain(|_| *at.next().expect("a flag for each"));
        }
        keep(&mut self.keys, &stays);
        self.columns.iter_mut().for_each(|column| keep(column, &stays));
        let mut rows = rows;
        keep(&mut rows, &stays);
        self.rows = Some(rows);
    }
}

impl Addend {
    /// Returns the sum of the column that it takes.
    pub fn sum(&self) -> Sum {
        match self {
            Self::Count(_) | Self::Integer(_) => Sum::Integer,
            Self::Exact(_) => Sum::Exact(ExactFormat::F64),
        }
    }
}

/// The patterns of floats, those of zeros for NULL.
fn bits(column: &ArrayRef) -> Vec<i64> {
    let values = column.as_primitive::<Float64Type>();
    values.iter().map(|value| value.unwrap_or(0.0).to_bits() as i64).collect()
}

/// The values of a column, zeros for NULL; marks those that do not fit.
fn integers(column: &ArrayRef, past: &mut [bool]) -> Result<Vec<i64>> {
    match column.data_type() {
        DataType::Int64 => {
            let values = column.as_primitive::<Int64Type>();
            Ok(values.iter().map(Option::unwrap_or_default).collect())
        }
        DataType::UInt64 => {
            let values = column.as_primitive::<UInt64Type>();
            Ok(values.iter().map(|value| value.unwrap_or_default() as i64).collect())
        }
        DataType::Decimal128(..) => {
            let values = column.as_primitive::<Decimal128Type>().iter();
            let fit = values.zip(past).map(|(value, past)| {
                i64::try_from(value.unwrap_or_default()).unwrap_or_else(|_| {
                    *past = true;
                    0
                })
            });
            Ok(fit.collect())
        }
        other => Err(DataFusionError::Internal(format!("the switch does not add {other}"))),
    }
}

/// Returns how ties of codes of a type are treated where nothing else decides.
pub fn ties(data_type: &DataType) -> Option<Ties> {
    Some(match precision(data_type)? {
        Precision::Exact => Ties::Drop,
        Precision::Monotone => Ties::Keep,
    })
}
