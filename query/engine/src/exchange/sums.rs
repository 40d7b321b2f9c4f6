//! Sums of the switch as partial aggregates, which the engine's last stage takes.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Decimal128Array, Float64Array, Int64Array, RecordBatch, UInt64Array, new_null_array,
};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::row::OwnedRow;
use datafusion::error::Result;
use netfold_net::Survivors;

use super::offer::{Addend, Offer};
use super::worker::Groups;
use crate::encode::Keys;
use crate::functions::{Exact, sum_columns};

/// Rows of a batch.
const BATCH: usize = 8192;

/// A group's key, and the words of its accumulators.
type Slot<'a> = (u64, &'a [u64]);

/// Makes batches of sums.
pub(super) struct Sums<'a> {
    keys: Option<Keys>,
    /// The groups behind keys that are hashes.
    hashed: HashMap<u64, &'a OwnedRow>,
    groups: Groups,
    addends: &'a [Addend],
    schema: SchemaRef,
}

impl<'a> Sums<'a> {
    /// Takes what the rows of an exchange are made of.
    ///
    /// # Errors
    /// If a group cannot be told apart by bytes.
    pub fn new(
        keys: Option<Keys>,
        hashed: HashMap<u64, &'a OwnedRow>,
        addends: &'a [Addend],
        offer: &Offer,
        schema: SchemaRef,
    ) -> Result<Self> {
        let groups = Groups::new(offer, &schema)?;
        Ok(Self { keys, hashed, groups, addends, schema })
    }

    /// Returns batches of slots, which have all words of a group's accumulators.
    ///
    /// # Errors
    /// If columns cannot be made.
    pub fn of_slots<'b>(&self, slots: impl Iterator<Item = Slot<'b>>) -> Result<Vec<RecordBatch>> {
        let (hashed, values): (Vec<_>, Vec<_>) = slots.partition(|slot| self.is_hash(slot.0));
        let batches = hashed.chunks(BATCH).chain(values.chunks(BATCH)).map(|slots| {
            let keys: Vec<u64> = slots.iter().map(|(key, _)| *key).collect();
            self.batch(&keys, self.slot_columns(slots))
        });
        batches.collect()
    }

    /// Returns batches of rows that the switch has not added.
    ///
    /// # Errors
    /// If columns cannot be made.
    pub fn of_rows(&self, survivors: &[Survivors]) -> Result<Vec<RecordBatch>> {
        let mut batches = Vec::new();
        for is_hash in [true, false] {
            let mut keys = Vec::new();
            let mut columns = vec![Vec::new(); self.addends.len()];
            for (at, packet) in survivors.iter().enumerate() {
                let mine = |(_, key): &(usize, &u64)| self.is_hash(**key) == is_hash;
                for (row, key) in packet.keys.iter().enumerate().filter(mine) {
                    keys.push(*key);
                    for (to, from) in columns.iter_mut().zip(&packet.columns) {
                        to.push(from[row]);
                    }
                }
                if keys.len() >= BATCH || at + 1 == survivors.len() && !keys.is_empty() {
                    batches.push(self.batch(&keys, self.row_columns(&columns))?);
                    keys.clear();
                    columns.iter_mut().for_each(Vec::clear);
                }
            }
        }
        Ok(batches)
    }

    fn is_hash(&self, key: u64) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.is_hash(key))
    }

    /// A batch of groups whose keys are all hashes, or all values.
    fn batch(&self, keys: &[u64], sums: Vec<ArrayRef>) -> Result<RecordBatch> {
        let mut columns = match &self.keys {
            None => Vec::new(),
            Some(_) if keys.first().is_some_and(|key| self.is_hash(*key)) => {
                self.groups.columns(keys.iter().map(|key| self.hashed[key]))?
            }
            Some(own) => vec![own.values(keys)],
        };
        columns.extend(sums);
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }

    fn slot_columns(&self, slots: &[Slot<'_>]) -> Vec<ArrayRef> {
        let (mut columns, mut word): (Vec<ArrayRef>, usize) = (Vec::new(), 0);
        for addend in self.addends {
            let words = addend.sum().words();
            let all = slots.iter().map(|(_, accumulators)| &accumulators[word..word + words]);
            match addend {
                Addend::Count(at) | Addend::Integer(at) => {
                    let wide = |w: &[u64]| (u128::from(w[0]) | u128::from(w[1]) << 64) as i128;
                    columns.push(integers(&self.schema, *at, all.map(wide)));
                }
                Addend::Exact(_) => {
                    columns.extend(sum_columns(all.map(|words| Some(Exact::from_words(words)))));
                }
            }
            word += words;
        }
        columns
    }

    fn row_columns(&self, values: &[Vec<i64>]) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = Vec::new();
        for (addend, values) in self.addends.iter().zip(values) {
            match addend {
                Addend::Count(at) | Addend::Integer(at) => {
                    let wide = values.iter().map(|value| i128::from(*value));
                    columns.push(integers(&self.schema, *at, wide));
                }
                Addend::Exact(at) => {
                    let value = |bits: &i64| f64::from_bits(*bits as u64);
                    let sums = Float64Array::from_iter_values(values.iter().map(value));
                    let errors = Float64Array::from(vec![0.0; values.len()]);
                    let rest = self.schema.field(at + 2).data_type();
                    let rest = new_null_array(rest, values.len());
                    columns.extend([Arc::new(sums) as ArrayRef, Arc::new(errors), rest]);
                }
            }
        }
        columns
    }
}

/// A column of integers or decimals of the type that the schema has; sums wrap as the engine's do.
fn integers(schema: &SchemaRef, column: usize, values: impl Iterator<Item = i128>) -> ArrayRef {
    let data_type = schema.field(column).data_type();
    match data_type {
        DataType::Int64 => Arc::new(Int64Array::from_iter_values(values.map(|value| value as i64))),
        DataType::UInt64 => {
            Arc::new(UInt64Array::from_iter_values(values.map(|value| value as u64)))
        }
        _ => {
            let values = Decimal128Array::from_iter_values(values);
            Arc::new(values.with_data_type(data_type.clone()))
        }
    }
}
