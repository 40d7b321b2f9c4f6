//! Partial aggregates of fragments.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::row::{RowConverter, SortField};
use datafusion::error::Result;
use datafusion::physical_expr::aggregate::AggregateFunctionExpr;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateMode};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use netfold_wire::MOST_COLUMNS;

use super::{Plan, RowStatesExec, exchange as exchange_above, is_fragment};
use crate::Options;
use crate::exchange::{Addend, Offer, ties};
use crate::functions::{is_exact_sum, is_float_aggregate};

/// Rewrites the aggregate of a fragment: a partial one gets an exchange above it, and one in a
/// single stage becomes two with an exchange between them.
pub(super) fn exchange(plan: &Plan, options: &Options) -> Result<Option<Plan>> {
    let Some(aggregate) = plan.downcast_ref::<AggregateExec>() else { return Ok(None) };
    if !is_fragment(aggregate.input()) {
        return Ok(None);
    }
    match aggregate.mode() {
        AggregateMode::Partial => Ok(Some(above(aggregate, options)?)),
        AggregateMode::Single if aggregate.input().output_partitioning().partition_count() == 1 => {
            let partial = AggregateExec::try_new(
                AggregateMode::Partial,
                aggregate.group_expr().clone(),
                aggregate.aggr_expr().to_vec(),
                aggregate.filter_expr().to_vec(),
                Arc::clone(aggregate.input()),
                aggregate.input_schema(),
            )?;
            let last = AggregateExec::try_new(
                AggregateMode::Final,
                aggregate.group_expr().as_final(),
                aggregate.aggr_expr().to_vec(),
                vec![None; aggregate.aggr_expr().len()],
                above(&partial, options)?,
                aggregate.input_schema(),
            )?;
            Ok(Some(Arc::new(last.with_limit_options(aggregate.limit_options()))))
        }
        _ => Ok(None),
    }
}

/// Returns the exchange of a partial aggregate.
fn above(partial: &AggregateExec, options: &Options) -> Result<Plan> {
    let offer = offer(partial).unwrap_or_else(|reason| Offer::Pass { reason: Some(reason) });
    let plan: Plan = Arc::new(partial.clone());
    let refused = matches!(offer, Offer::Pass { .. });
    let has_states = partial.aggr_expr().iter().all(|one| one.groups_accumulator_supported());
    let fragment = if options.combine || refused || !has_states {
        plan
    } else {
        Arc::new(RowStatesExec::new(partial.clone()))
    };
    exchange_above(fragment, offer, options)
}

/// Returns how partial aggregates are offered, or the reason why they are not.
fn offer(partial: &AggregateExec) -> Result<Offer, String> {
    let groups = partial.group_expr().num_group_exprs();
    if !partial.group_expr().is_single() {
        return Err("the switch has no grouping sets".into());
    }
    if partial.limit_options().is_some() {
        return Err("workers stop at a limit of groups".into());
    }
    if partial.properties().output_ordering().is_some() {
        return Err("rows are in the order of the groups already".into());
    }
    let schema = partial.schema();
    let types: Vec<&DataType> =
        schema.fields()[..groups].iter().map(|field| field.data_type()).collect();
    let fields: Vec<SortField> = types.iter().map(|one| SortField::new((*one).clone())).collect();
    let nested = types.iter().any(|one| one.is_nested() || matches!(one, DataType::Dictionary(..)));
    if nested || !RowConverter::supports_fields(&fields) {
        return Err("a group has columns of a type that has no keys".into());
    }
    let functions = partial.aggr_expr();
    if let Some(one) = functions.iter().find(|one| one.is_distinct() || !one.order_bys().is_empty())
    {
        return Err(format!("{} needs all rows of a group", one.name()));
    }
    match functions {
        [] if groups > 0 => Ok(Offer::Distinct { groups }),
        [] => Err("there is nothing to aggregate".into()),
        [one] if matches!(one.fun().name(), "max" | "min") => extreme(one, groups),
        all => {
            let mut column = groups;
            let mut addends = Vec::new();
            for one in all {
                addends.push(addend(one, &mut column)?);
            }
            if addends.len() > MOST_COLUMNS {
                let sums = addends.len();
                return Err(format!(
                    "{sums} sums and counts need as many columns, and a row has {MOST_COLUMNS}"
                ));
            }
            Ok(Offer::Sum { groups, addends })
        }
    }
}

fn extreme(function: &AggregateFunctionExpr, groups: usize) -> Result<Offer, String> {
    let data_type = function.field().data_type().clone();
    if data_type.is_floating() && !is_float_aggregate(function.fun()) {
        return Err(format!(
            "{} over floats depends on the order of rows in DataFusion; register \
             netfold_query::functions",
            function.name()
        ));
    }
    let ties = ties(&data_type)
        .ok_or_else(|| format!("{}: the switch has no order for {data_type}", function.name()))?;
    let largest = function.fun().name() == "max";
    Ok(Offer::Extreme { groups, column: groups, largest, ties })
}

fn addend(function: &AggregateFunctionExpr, column: &mut usize) -> Result<Addend, String> {
    let at = *column;
    let data_type = function.field().data_type().clone();
    let (addend, columns) = match (function.fun().name(), &data_type) {
        ("count", DataType::Int64) => (Addend::Count(at), 1),
        ("sum", DataType::Int64 | DataType::UInt64 | DataType::Decimal128(..)) => {
            (Addend::Integer(at), 1)
        }
        ("sum", DataType::Float64) if is_exact_sum(function.fun()) => (Addend::Exact(at), 3),
        ("sum", DataType::Float64) => {
            return Err(format!(
                "{} over floats depends on the order of rows in DataFusion; register \
                 netfold_query::functions",
                function.name()
            ));
        }
        ("max" | "min", _) => {
            return Err(format!("{} beside another aggregate", function.name()));
        }
        _ => return Err(format!("the switch does not compute {} of {data_type}", function.name())),
    };
    *column += columns;
    Ok(addend)
}
