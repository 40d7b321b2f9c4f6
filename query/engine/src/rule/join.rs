//! Hash joins of exchanges: a Bloom filter of the keys of one side prunes the rows of the other.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinSide, JoinType};
use datafusion::error::Result;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::HashJoinExec;
use datafusion::physical_plan::joins::utils::build_join_schema;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::Plan;
use crate::Options;
use crate::exchange::{FilterUse, JoinFilter, SwitchExchangeExec};

/// An exchange of a plan, by its address.
type Place = *const ();

/// The filters of an exchange.
#[derive(Default)]
struct Uses {
    probes: Vec<FilterUse>,
    builds: Vec<FilterUse>,
}

/// Ties the exchanges of a plan together.
pub(super) fn tie(plan: Plan, options: &Options) -> Result<Plan> {
    let mut uses: HashMap<Place, Uses> = HashMap::new();
    let mut number = 0;
    plan.apply(|node| {
        if let Some(join) = node.downcast_ref::<HashJoinExec>()
            && let Some((build, probe)) = sides(join)
        {
            let [builds, probes] = [&build, &probe]
                .map(|side| side.exchange.input().output_partitioning().partition_count());
            let filter = Arc::new(JoinFilter::new(number, builds, probes, options)?);
            number += 1;
            let one = |columns| FilterUse { filter: Arc::clone(&filter), columns };
            uses.entry(build.place).or_default().builds.push(one(build.columns));
            uses.entry(probe.place).or_default().probes.push(one(probe.columns));
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    attach(plan, &mut uses, options)
}

fn place(plan: &Plan) -> Place {
    Arc::as_ptr(plan).cast()
}

fn attach(plan: Plan, uses: &mut HashMap<Place, Uses>, options: &Options) -> Result<Plan> {
    if let Some(exchange) = plan.downcast_ref::<SwitchExchangeExec>() {
        let Some(Uses { probes, builds }) = uses.remove(&place(&plan)) else { return Ok(plan) };
        let (input, offer) = (Arc::clone(exchange.input()), Arc::clone(&exchange.exchange().offer));
        let tied = SwitchExchangeExec::with_filters(input, offer, options, probes, builds)?;
        return Ok(Arc::new(tied));
    }
    if plan.children().is_empty() {
        return Ok(plan);
    }
    let children = |plan: Plan| Ok(Transformed::yes(attach(plan, uses, options)?));
    Ok(plan.map_children(children)?.data)
}

/// Columns of an exchange that are keys of a join.
struct Side<'a> {
    place: Place,
    exchange: &'a SwitchExchangeExec,
    columns: Vec<usize>,
}

/// Returns the exchanges that a join's keys come from, if its right side loses nothing when rows
/// without a match are gone.
fn sides(join: &HashJoinExec) -> Option<(Side<'_>, Side<'_>)> {
    use JoinType as T;
    // An anti or a mark join may ask for a NULL of the right side.
    if !matches!(join.join_type(), T::Inner | T::Left | T::LeftSemi | T::RightSemi) {
        return None;
    }
    let mut found: Option<(Side<'_>, Side<'_>)> = None;
    for (left, right) in join.on() {
        let (Some(left), Some(right)) = (column(left), column(right)) else { continue };
        let build = trace(join.left(), left, Purpose::Build);
        let probe = trace(join.right(), right, Purpose::Probe);
        let (Some((build, from)), Some((probe, to))) = (build, probe) else { continue };
        let (Some(builds), Some(probes)) = (
            build.downcast_ref::<SwitchExchangeExec>(),
            probe.downcast_ref::<SwitchExchangeExec>(),
        ) else {
            continue;
        };
        let same = builds.input().schema().field(from).data_type()
            == probes.input().schema().field(to).data_type();
        if !same {
            continue;
        }
        match &mut found {
            None => {
                let side = |plan, exchange, column| Side {
                    place: place(plan),
                    exchange,
                    columns: vec![column],
                };
                found = Some((side(build, builds, from), side(probe, probes, to)));
            }
            Some((one, other)) if one.place == place(build) && other.place == place(probe) => {
                one.columns.push(from);
                other.columns.push(to);
            }
            Some(_) => {}
        }
    }
    found
}

fn column(expression: &Arc<dyn PhysicalExpr>) -> Option<usize> {
    expression.downcast_ref::<Column>().map(Column::index)
}

/// Purpose for which rows of an exchange are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// All values that the plan's column has are among the exchange's.
    Build,
    /// Moreover, to leave rows of the exchange out leaves out rows of the plan with the same value,
    /// and changes no other.
    Probe,
}

/// Returns the exchange that a column of a plan's rows comes from, and the column there.
fn trace(plan: &Plan, index: usize, purpose: Purpose) -> Option<(&Plan, usize)> {
    if plan.is::<SwitchExchangeExec>() {
        // A group's other columns come from several rows.
        let exchange = plan.downcast_ref::<SwitchExchangeExec>()?;
        return exchange.keeps(index).then_some((plan, index));
    }
    if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
        let index = column(&projection.expr().get(index)?.expr)?;
        return trace(projection.input(), index, purpose);
    }
    if let Some(filter) = plan.downcast_ref::<FilterExec>() {
        let index = match filter.projection() {
            None => index,
            Some(projection) => *projection.get(index)?,
        };
        let whole = filter.fetch().is_none() || purpose == Purpose::Build;
        return whole.then(|| trace(filter.input(), index, purpose)).flatten();
    }
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        let whole = sort.fetch().is_none() || purpose == Purpose::Build;
        return whole.then(|| trace(sort.input(), index, purpose)).flatten();
    }
    if let Some(merge) = plan.downcast_ref::<SortPreservingMergeExec>() {
        let whole = merge.fetch().is_none() || purpose == Purpose::Build;
        return whole.then(|| trace(merge.input(), index, purpose)).flatten();
    }
    if let Some(merge) = plan.downcast_ref::<CoalescePartitionsExec>() {
        let whole = merge.fetch().is_none() || purpose == Purpose::Build;
        return whole.then(|| trace(merge.input(), index, purpose)).flatten();
    }
    if let Some(repartition) = plan.downcast_ref::<RepartitionExec>() {
        return trace(repartition.input(), index, purpose);
    }
    if let Some(aggregate) = plan.downcast_ref::<AggregateExec>() {
        let group = aggregate.group_expr();
        let whole = aggregate.limit_options().is_none() || purpose == Purpose::Build;
        if !group.is_single() || !whole {
            return None;
        }
        let index = column(&group.expr().get(index)?.0)?;
        return trace(aggregate.input(), index, purpose);
    }
    let join = plan.downcast_ref::<HashJoinExec>()?;
    if *join.join_type() != JoinType::Inner && purpose == Purpose::Probe {
        return None;
    }
    let (_, columns) =
        build_join_schema(&join.left().schema(), &join.right().schema(), join.join_type());
    let index = match &join.projection {
        None => index,
        Some(projection) => *projection.get(index)?,
    };
    let origin = columns.get(index)?;
    match origin.side {
        JoinSide::Left => trace(join.left(), origin.index, purpose),
        JoinSide::Right => trace(join.right(), origin.index, purpose),
        JoinSide::None => None,
    }
}
