//! `sum` over `f64` as DataFusion's accumulators.

use std::mem::size_of;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryBuilder, BooleanArray, Float64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

use super::exact::Exact;

/// Columns of a partial sum: two values whose sum it is, the first NULL if nothing was added, and
/// an accumulator to add, mostly NULL.
pub(super) fn state_fields(name: &str) -> Vec<FieldRef> {
    [("sum", DataType::Float64), ("error", DataType::Float64), ("rest", DataType::Binary)]
        .into_iter()
        .map(|(part, data_type)| Field::new(format_state_name(name, part), data_type, true).into())
        .collect()
}

/// Partial sums as columns.
pub(crate) fn state_columns(sums: impl Iterator<Item = Option<Exact>>) -> Vec<ArrayRef> {
    let (mut high, mut low, mut rest) = (Vec::new(), Vec::new(), BinaryBuilder::new());
    for sum in sums {
        let parts = sum.map(|sum| sum.parts());
        high.push(parts.as_ref().map(|parts| parts.0));
        low.push(parts.as_ref().map(|parts| parts.1));
        rest.append_option(parts.and_then(|parts| parts.2));
    }
    vec![
        Arc::new(Float64Array::from(high)),
        Arc::new(Float64Array::from(low)),
        Arc::new(rest.finish()),
    ]
}

/// The partial sums in columns.
fn states(columns: &[ArrayRef]) -> impl Iterator<Item = Option<Exact>> {
    let high = columns[0].as_primitive::<Float64Type>();
    let low = columns[1].as_primitive::<Float64Type>();
    let rest: &BinaryArray = columns[2].as_binary();
    (0..high.len()).map(move |at| {
        let rest = rest.is_valid(at).then(|| rest.value(at));
        high.is_valid(at).then(|| Exact::from_parts(high.value(at), low.value(at), rest))
    })
}

/// The sum of all rows.
#[derive(Debug, Default)]
pub(super) struct ExactSum(Option<Exact>);

impl Accumulator for ExactSum {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for value in values[0].as_primitive::<Float64Type>().iter().flatten() {
            self.0.get_or_insert_default().add(value);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64(self.0.as_ref().map(Exact::value)))
    }

    fn size(&self) -> usize {
        size_of::<Self>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let parts = self.0.as_ref().map(Exact::parts);
        Ok(vec![
            ScalarValue::Float64(parts.as_ref().map(|parts| parts.0)),
            ScalarValue::Float64(parts.as_ref().map(|parts| parts.1)),
            ScalarValue::Binary(parts.and_then(|parts| parts.2)),
        ])
    }

    fn merge_batch(&mut self, columns: &[ArrayRef]) -> Result<()> {
        for sum in states(columns).flatten() {
            self.0.get_or_insert_default().merge(&sum);
        }
        Ok(())
    }
}

/// The sums of groups.
#[derive(Debug, Default)]
pub(super) struct ExactSums {
    sums: Vec<Option<Exact>>,
}

impl ExactSums {
    fn grow(&mut self, groups: usize) {
        self.sums.resize_with(groups, || None);
    }
}

impl GroupsAccumulator for ExactSums {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.grow(total);
        let values = values[0].as_primitive::<Float64Type>();
        for (at, group) in groups.iter().enumerate() {
            let taken = filter.is_none_or(|filter| filter.is_valid(at) && filter.value(at));
            if taken && values.is_valid(at) {
                self.sums[*group].get_or_insert_default().add(values.value(at));
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let sums = emit.take_needed(&mut self.sums);
        let values = sums.iter().map(|sum| sum.as_ref().map(Exact::value));
        Ok(Arc::new(values.collect::<Float64Array>()))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(state_columns(emit.take_needed(&mut self.sums).into_iter()))
    }

    fn merge_batch(&mut self, columns: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.grow(total);
        for (group, sum) in groups.iter().zip(states(columns)) {
            if let Some(sum) = sum {
                self.sums[*group].get_or_insert_default().merge(&sum);
            }
        }
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let values = values[0].as_primitive::<Float64Type>();
        let sums = (0..values.len()).map(|at| {
            let taken = filter.is_none_or(|filter| filter.is_valid(at) && filter.value(at));
            let mut sum = Exact::default();
            (taken && values.is_valid(at)).then(|| {
                sum.add(values.value(at));
                sum
            })
        });
        Ok(state_columns(sums))
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<Option<Exact>>()
    }
}
