//! `sum`, `max` and `min` over floats whose answers do not depend on the order of the rows.
//!
//! DataFusion's do: its sum rounds after each addition, and the extreme of a group that has NaN, or
//! zeros of both signs, depends on which comes last. A switch sees rows in the order of their
//! arrival, so a plan that it takes part in needs functions that have one answer: the exact sum,
//! rounded once (R-QRY-20), and the extreme in IEEE 754's total order, which is also that of
//! `ORDER BY`. For other types, and for `DISTINCT`, they are DataFusion's own.

mod exact;
mod sum;

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, FieldRef, Float32Type, Float64Type};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::functions_aggregate::min_max::{max_udaf, min_udaf};
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF,
    SetMonotonicity, Signature,
};
use datafusion_functions_aggregate_common::aggregate::groups_accumulator as groups;

pub use exact::Exact;
pub(crate) use sum::state_columns as sum_columns;
use sum::{ExactSum, ExactSums};

/// A function that has an answer of its own over floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Sum,
    Max,
    Min,
}

/// `sum`, `max` or `min`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FloatAggregate {
    inner: AggregateUDF,
    kind: Kind,
}

/// Returns the three functions, under the names of DataFusion's, which they replace.
pub fn float_aggregates() -> [AggregateUDF; 3] {
    [(sum_udaf(), Kind::Sum), (max_udaf(), Kind::Max), (min_udaf(), Kind::Min)].map(
        |(inner, kind)| {
            AggregateUDF::from(FloatAggregate { inner: AggregateUDF::clone(&inner), kind })
        },
    )
}

/// Returns whether a function is `sum` of this module.
pub fn is_exact_sum(function: &AggregateUDF) -> bool {
    let ours = function.inner().downcast_ref::<FloatAggregate>();
    ours.is_some_and(|function| function.kind == Kind::Sum)
}

/// Returns whether a function is of this module.
pub fn is_float_aggregate(function: &AggregateUDF) -> bool {
    function.inner().downcast_ref::<FloatAggregate>().is_some()
}

impl FloatAggregate {
    /// Returns whether the function over values of `data_type` is this module's.
    fn replaces(&self, data_type: &DataType, distinct: bool) -> bool {
        match self.kind {
            Kind::Sum => *data_type == DataType::Float64 && !distinct,
            Kind::Max | Kind::Min => matches!(data_type, DataType::Float32 | DataType::Float64),
        }
    }
}

impl AggregateUDFImpl for FloatAggregate {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(types)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(types)
    }

    fn accumulator(&self, args: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        if self.kind == Kind::Sum && self.replaces(args.return_type(), args.is_distinct) {
            return Ok(Box::<ExactSum>::default());
        }
        // Extremes without groups are in the total order already.
        self.inner.accumulator(args)
    }

    fn state_fields(&self, args: StateFieldsArgs<'_>) -> Result<Vec<FieldRef>> {
        if self.kind == Kind::Sum && self.replaces(args.return_type(), args.is_distinct) {
            return Ok(sum::state_fields(args.name));
        }
        self.inner.state_fields(args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs<'_>) -> bool {
        self.replaces(args.return_type(), args.is_distinct)
            || self.inner.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        let data_type = args.return_type();
        if !self.replaces(data_type, args.is_distinct) {
            return self.inner.create_groups_accumulator(args);
        }
        macro_rules! extreme {
            ($type:ty, $wins:ident, $start:expr) => {
                Ok(Box::new(
                    groups::prim_op::PrimitiveGroupsAccumulator::<$type, _>::new(
                        data_type,
                        |known, new| {
                            if new.total_cmp(known).$wins() {
                                *known = new;
                            }
                        },
                    )
                    .with_starting_value($start),
                ))
            };
        }
        // They begin with the other end of the order: NaN with and without its sign.
        match (self.kind, data_type) {
            (Kind::Sum, _) => Ok(Box::<ExactSums>::default()),
            (Kind::Max, DataType::Float32) => {
                extreme!(Float32Type, is_gt, f32::from_bits(u32::MAX))
            }
            (Kind::Max, _) => extreme!(Float64Type, is_gt, f64::from_bits(u64::MAX)),
            (Kind::Min, DataType::Float32) => {
                extreme!(Float32Type, is_lt, f32::from_bits(u32::MAX >> 1))
            }
            (Kind::Min, _) => extreme!(Float64Type, is_lt, f64::from_bits(u64::MAX >> 1)),
        }
    }

    fn create_sliding_accumulator(
        &self,
        args: AccumulatorArgs<'_>,
    ) -> Result<Box<dyn Accumulator>> {
        // A window's rows have an order: DataFusion's own answer.
        self.inner.create_sliding_accumulator(args)
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.inner.order_sensitivity()
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.inner.reverse_udf()
    }

    fn is_descending(&self) -> Option<bool> {
        self.inner.is_descending()
    }

    fn default_value(&self, data_type: &DataType) -> Result<ScalarValue> {
        self.inner.default_value(data_type)
    }

    fn set_monotonicity(&self, data_type: &DataType) -> SetMonotonicity {
        self.inner.inner().set_monotonicity(data_type)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }
}

/// Registers the functions in a session.
pub fn register(
    registry: &mut dyn datafusion::logical_expr::registry::FunctionRegistry,
) -> Result<()> {
    for function in float_aggregates() {
        registry.register_udaf(Arc::new(function))?;
    }
    Ok(())
}
