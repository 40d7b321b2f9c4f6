//! A worker's part of an exchange: it offers the rows of a partition, and keeps of those that were
//! not forwarded what a verification needs (R-QRY-15).

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, RecordBatch, UInt64Array};
use datafusion::arrow::compute::{SortOptions, filter_record_batch, take_arrays};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::row::{OwnedRow, Row, RowConverter, SortField};
use datafusion::error::Result;
use netfold_switch::query::for_set;
use netfold_wire::row_identity;

use super::offer::{Offer, Offered};
use super::path::Path;
use crate::encode::Keys;

/// Fewest rows of a batch that tell whether the switch is of use (R-QRY-40).
const TELLING: usize = 4096;

/// The part of a fragment's plan that a worker needs to know.
#[derive(Clone, Debug)]
pub struct Task {
    /// Way in which rows meet the switch.
    pub offer: Arc<Offer>,
    /// The schema of the rows.
    pub schema: SchemaRef,
    /// The number of the partition.
    pub partition: u32,
    /// The seed of keys that are hashes.
    pub seed: u64,
    /// Rows are the worker's own partial results.
    pub combined: bool,
    /// Most bytes of a partition that is not worth the way to the switch.
    pub small: usize,
    /// Columns of the keys of each filter that rows are pruned by.
    pub probes: Vec<Vec<usize>>,
    /// Columns of the keys of each filter that rows fill.
    pub builds: Vec<Vec<usize>>,
}

/// A worker of one partition.
#[derive(Debug)]
pub struct Worker {
    task: Task,
    keys: Option<Keys>,
    /// Rows offered so far.
    offered: u64,
    /// The filters that prune rows: all at first.
    of_use: Vec<bool>,
    /// The way to the program is not worth what it saves (R-QRY-40, 42).
    past: bool,
    /// Rows whose keys are hashes go past the program.
    hashes_pass: bool,
    /// The largest code of a row that was dropped, of a Top-N.
    best_dropped: Option<i64>,
    values: Option<Values>,
}

/// Values behind keys that are hashes.
#[derive(Debug)]
struct Values {
    keys: Keys,
    groups: RowConverter,
    extremes: Option<RowConverter>,
    /// Groups of rows that were dropped or absorbed, by key; mostly one has it.
    kept: HashMap<u64, Vec<Group>>,
}

/// A group, with the best value of its rows that were dropped.
#[derive(Debug)]
struct Group {
    group: OwnedRow,
    best: Option<OwnedRow>,
}

impl Worker {
    /// Returns the worker of a task.
    ///
    /// # Errors
    /// If a group cannot be told apart by bytes; the rule does not let such plans through.
    pub fn new(task: Task) -> Result<Self> {
        let types = types(&task.schema);
        let keys = task.offer.keys(&types, task.seed);
        // Their values would have to follow, and each row has another.
        let hashes_pass = task.combined && !task.offer.is_sum();
        let values = match &keys {
            Some(keys) if !keys.are_values() && !hashes_pass => {
                Some(Values::new(&task.offer, &types, keys)?)
            }
            _ => None,
        };
        let past = hashes_pass && matches!(keys, Some(Keys::Hashed(_)));
        let of_use = vec![true; task.probes.len()];
        let (offered, best_dropped) = (0, None);
        Ok(Self { task, keys, offered, of_use, past, hashes_pass, best_dropped, values })
    }

    /// Waits until the filters are complete that rows are pruned by.
    ///
    /// # Errors
    /// If the master cannot be reached.
    pub async fn wait(&mut self, path: &dyn Path) -> Result<()> {
        if !self.task.probes.is_empty() {
            self.of_use = path.wait().await?;
        }
        Ok(())
    }

    /// Learns that a batch, which is to be stepped, has all rows of the partition: if they are few,
    /// they go past the program (R-QRY-42).
    pub fn has_all(&mut self, batch: &RecordBatch) {
        let bytes = |column: &ArrayRef| column.to_data().get_slice_memory_size();
        let bytes: Result<Vec<usize>, _> = batch.columns().iter().map(bytes).collect();
        self.past |= bytes.is_ok_and(|bytes| bytes.iter().sum::<usize>() <= self.task.small);
    }

    /// Takes a batch past the filters and the program, and returns the rows that are forwarded.
    ///
    /// # Errors
    /// If a column cannot be encoded, or the switch cannot be reached.
    pub async fn step(&mut self, batch: RecordBatch, path: &dyn Path) -> Result<RecordBatch> {
        let mut batch = batch;
        let probes = self.task.probes.iter().enumerate();
        let of_use = |filter: &usize| self.of_use.get(*filter).is_some_and(|of_use| *of_use);
        for (filter, columns) in probes.filter(|(filter, _)| of_use(filter)) {
            let survivors = path.probe(filter, self.hashes(&batch, columns)?).await?;
            batch = filter_record_batch(&batch, &marked(&survivors, batch.num_rows()))?;
        }
        for (filter, columns) in self.task.builds.iter().enumerate() {
            path.fill(filter, self.hashes(&batch, columns)?).await?;
        }
        let passes = self.past || matches!(&*self.task.offer, Offer::Pass { .. });
        if batch.num_rows() == 0 || passes {
            return Ok(batch);
        }
        let offered = self.task.offer.rows(self.keys.as_ref(), &batch, self.hashes_pass)?;
        if offered.keys.is_empty() {
            return Ok(batch);
        }
        let identity = row_identity(self.task.partition, self.offered);
        self.offered += offered.keys.len() as u64;
        let survivors = path.offer(identity, &offered).await?;
        if matches!(&*self.task.offer, Offer::Top { .. }) {
            let codes = offered.columns[0].iter().enumerate();
            let dropped = codes.filter(|(at, _)| survivors[at / 64] >> (at % 64) & 1 == 0);
            self.best_dropped = dropped.map(|(_, code)| *code).max().max(self.best_dropped);
        }
        let count = offered.keys.len();
        let survived: usize = survivors.iter().map(|word| word.count_ones() as usize).sum();
        self.past = count >= TELLING && survived >= count - count / 8;
        let forwarded = forwarded(&batch, &offered, &survivors);
        if let Some(values) = &mut self.values {
            values.keep(&self.task.offer, &batch, &offered, &forwarded)?;
        }
        Ok(filter_record_batch(&batch, &forwarded)?)
    }

    fn hashes(&self, batch: &RecordBatch, columns: &[usize]) -> Result<Vec<u64>> {
        let columns: Vec<ArrayRef> =
            columns.iter().map(|column| Arc::clone(batch.column(*column))).collect();
        Ok(Keys::hashed(self.task.seed).keys(&columns, batch.num_rows())?.0)
    }

    /// Returns a row for each value that was dropped with a key that is a hash; an equality of
    /// hashes may have kept it from the master (R-QRY-15).
    ///
    /// # Errors
    /// If columns cannot be made from bytes.
    pub fn dropped(&self) -> Result<Option<RecordBatch>> {
        let Some(values) = self.values.as_ref().filter(|_| !self.task.offer.is_sum()) else {
            return Ok(None);
        };
        let kept: Vec<&Group> = values.kept.values().flatten().collect();
        if kept.is_empty() {
            return Ok(None);
        }
        let mut columns = values.groups.convert_rows(kept.iter().map(|kept| kept.group.row()))?;
        if let Some(converter) = &values.extremes {
            let extremes = kept
                .iter()
                .map(|kept| row(&kept.best).expect("an extreme has a value, which may be NULL"));
            columns.extend(converter.convert_rows(extremes)?);
        }
        Ok(Some(RecordBatch::try_new(Arc::clone(&self.task.schema), columns)?))
    }

    /// Returns the largest code of a row that was dropped, of a Top-N.
    pub fn best_dropped(&self) -> Option<i64> {
        self.best_dropped
    }

    /// Returns the groups of the rows that were absorbed with keys that are hashes.
    pub fn absorbed(&self) -> impl Iterator<Item = (u64, &OwnedRow)> {
        let values = self.values.iter().filter(|_| self.task.offer.is_sum());
        let kept = values.flat_map(|values| &values.kept);
        kept.flat_map(|(key, groups)| groups.iter().map(|kept| (*key, &kept.group)))
    }
}

fn types(schema: &SchemaRef) -> Vec<DataType> {
    schema.fields().iter().map(|field| field.data_type().clone()).collect()
}

/// Bits as a column.
fn marked(bits: &[u64], rows: usize) -> BooleanArray {
    let mut marked = vec![false; rows];
    for_set(bits, |row| marked[row] = true);
    BooleanArray::from(marked)
}

/// The rows of the batch that are forwarded. Of a sum, both rows of a group are absorbed, or
/// neither, since that depends on the key alone (R-QRY-18).
fn forwarded(batch: &RecordBatch, offered: &Offered, survivors: &[u64]) -> BooleanArray {
    let mut forwarded = vec![false; batch.num_rows()];
    for row in &offered.past {
        forwarded[*row] = true;
    }
    for_set(survivors, |at| {
        forwarded[offered.rows.as_ref().map_or(at, |rows| rows[at])] = true;
    });
    BooleanArray::from(forwarded)
}

impl Values {
    fn new(offer: &Offer, types: &[DataType], keys: &Keys) -> Result<Self> {
        let (groups, extremes) = converters(offer, types)?;
        Ok(Self { keys: keys.clone(), groups, extremes, kept: HashMap::new() })
    }

    /// Keeps what the verification needs of rows that were not forwarded.
    fn keep(
        &mut self,
        offer: &Offer,
        batch: &RecordBatch,
        offered: &Offered,
        forwarded: &BooleanArray,
    ) -> Result<()> {
        let of = |at: usize| offered.rows.as_ref().map_or(at, |rows| rows[at]);
        let keys = offered.keys.iter().enumerate().map(|(at, key)| (of(at), *key));
        let hashed = |(row, key): &(usize, u64)| self.keys.is_hash(*key) && !forwarded.value(*row);
        let (rows, keys): (Vec<usize>, Vec<u64>) = keys.filter(hashed).unzip();
        if rows.is_empty() {
            return Ok(());
        }
        let rows = UInt64Array::from_iter_values(rows.into_iter().map(|row| row as u64));
        let those = |columns: &[ArrayRef]| take_arrays(columns, &rows, None);
        let groups = self.groups.convert_columns(&those(&batch.columns()[..offer.groups()])?)?;
        let extremes = match (&self.extremes, offer) {
            (Some(converter), Offer::Extreme { column, .. }) => {
                Some(converter.convert_columns(&those(&batch.columns()[*column..=*column])?)?)
            }
            _ => None,
        };
        for (at, key) in keys.iter().enumerate() {
            let (group, value) = (groups.row(at), extremes.as_ref().map(|rows| rows.row(at)));
            let same = self.kept.entry(*key).or_default();
            match same.iter_mut().find(|kept| kept.group.row() == group) {
                None => {
                    same.push(Group { group: group.owned(), best: value.map(|row| row.owned()) })
                }
                Some(kept) if offer.improves(value, row(&kept.best)) => {
                    kept.best = value.map(|row| row.owned());
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

impl Offer {
    /// Returns whether a value of a group is needed beside another.
    fn improves(&self, value: Option<Row<'_>>, best: Option<Row<'_>>) -> bool {
        match (self, value, best) {
            (Self::Extreme { largest: true, .. }, Some(value), Some(best)) => value > best,
            (Self::Extreme { .. }, Some(value), Some(best)) => value < best,
            _ => false,
        }
    }
}

fn row(value: &Option<OwnedRow>) -> Option<Row<'_>> {
    value.as_ref().map(OwnedRow::row)
}

/// Converters of groups, and of extremes: a NULL comes after every value.
fn converters(offer: &Offer, types: &[DataType]) -> Result<(RowConverter, Option<RowConverter>)> {
    let fields = types[..offer.groups()].iter().map(|one| SortField::new(one.clone())).collect();
    let groups = RowConverter::new(fields)?;
    let extremes = match offer {
        Offer::Extreme { column, largest, .. } => {
            let options = SortOptions { descending: false, nulls_first: *largest };
            let field = SortField::new_with_options(types[*column].clone(), options);
            Some(RowConverter::new(vec![field])?)
        }
        _ => None,
    };
    Ok((groups, extremes))
}

/// Groups as bytes, which come from workers.
#[derive(Debug)]
pub struct Groups(RowConverter);

impl Groups {
    /// Returns the groups of an exchange.
    ///
    /// # Errors
    /// If a group cannot be told apart by bytes.
    pub fn new(offer: &Offer, schema: &SchemaRef) -> Result<Self> {
        Ok(Self(converters(offer, &types(schema))?.0))
    }

    /// Returns columns of groups as bytes.
    ///
    /// # Errors
    /// If they are not those of the schema.
    pub fn owned(&self, groups: &[ArrayRef]) -> Result<Vec<OwnedRow>> {
        let rows = self.0.convert_columns(groups)?;
        Ok(rows.iter().map(|row| row.owned()).collect())
    }

    /// Returns the columns of groups that are given as bytes.
    ///
    /// # Errors
    /// If they are of another schema.
    pub fn columns<'a>(&self, groups: impl Iterator<Item = &'a OwnedRow>) -> Result<Vec<ArrayRef>> {
        // They come from other converters, of the same types.
        let parser = self.0.parser();
        Ok(self.0.convert_rows(groups.map(|group| parser.parse(group.row().data())))?)
    }
}
