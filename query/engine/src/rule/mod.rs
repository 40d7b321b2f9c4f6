//! The optimizer rule: finds the parts of a physical plan that the switch can take part in.
//!
//! A *fragment* is what workers run by themselves: a scan with its filters and projections. The
//! rule puts a [`SwitchExchangeExec`] above each, and chooses the program from what follows: the
//! first rows in an order, groups, their extremes or sums. Then it ties exchanges together by the
//! Bloom filters of hash joins.

mod aggregate;
mod join;
mod states;

use std::sync::Arc;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::config::ConfigOptions;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::physical_expr::Partitioning;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::coop::CooperativeExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use netfold_wire::Ties;

use crate::Options;
use crate::exchange::{Offer, SwitchExchangeExec, ties};

pub use states::RowStatesExec;

/// The rule. It comes after the rules that distribute and sort, and before the one that pushes
/// dynamic filters into scans; [`crate::state`] puts it there.
#[derive(Debug, Default)]
pub struct SwitchRule;

impl PhysicalOptimizerRule for SwitchRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = config.extensions.get::<Options>().cloned().unwrap_or_default();
        if !options.enabled && !options.remote {
            return Ok(plan);
        }
        let plan = rewrite(plan, &options)?;
        if options.enabled { join::tie(plan, &options) } else { Ok(plan) }
    }

    fn name(&self) -> &str {
        "SwitchExchange"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

type Plan = Arc<dyn ExecutionPlan>;

/// Returns whether workers can run a plan by themselves, each a partition.
fn is_fragment(plan: &Plan) -> bool {
    if plan.is::<DataSourceExec>() {
        return true;
    }
    let round_robin = plan
        .downcast_ref::<RepartitionExec>()
        .is_some_and(|plan| matches!(plan.partitioning(), Partitioning::RoundRobinBatch(_)));
    let linear = plan.is::<FilterExec>()
        || plan.is::<ProjectionExec>()
        || plan.is::<CooperativeExec>()
        || round_robin;
    linear && plan.children().into_iter().all(is_fragment)
}

/// Returns whether a plan gives the same rows when it is run again.
fn is_repeatable(plan: &Plan) -> Result<bool> {
    let mut repeatable = true;
    plan.apply(|node| {
        node.apply_expressions(&mut |root| {
            root.apply(|expression| {
                repeatable &= !expression.is_volatile_node();
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(repeatable)
}

fn rewrite(plan: Plan, options: &Options) -> Result<Plan> {
    // Without programs there is nothing above a scan that workers run, unless they combine rows.
    if options.enabled || options.combine {
        if let Some(plan) = top(&plan, options)? {
            return Ok(plan);
        }
        if let Some(plan) = aggregate::exchange(&plan, options)? {
            return Ok(plan);
        }
    }
    if is_fragment(&plan) {
        return exchange(plan, Offer::Pass { reason: None }, options);
    }
    let children = |plan: Plan| Ok(Transformed::yes(rewrite(plan, options)?));
    Ok(plan.map_children(children)?.data)
}

fn exchange(fragment: Plan, offer: Offer, options: &Options) -> Result<Plan> {
    let offer = if options.enabled { offer } else { Offer::Pass { reason: None } };
    Ok(Arc::new(SwitchExchangeExec::new(fragment, offer, options)?))
}

/// Rewrites a sort of a fragment that keeps its first rows.
fn top(plan: &Plan, options: &Options) -> Result<Option<Plan>> {
    let Some(sort) = plan.downcast_ref::<SortExec>() else { return Ok(None) };
    let Some(fetch @ 1..) = sort.fetch() else { return Ok(None) };
    let input = sort.input();
    let one = sort.preserve_partitioning() || input.output_partitioning().partition_count() == 1;
    if !is_fragment(input) || !one {
        return Ok(None);
    }
    let first = sort.expr().first().clone();
    let data_type = first.expr.data_type(&input.schema())?;
    let refusal = |reason| Offer::Pass { reason: Some(reason) };
    let offer = match ties(&data_type) {
        None => refusal(format!("the switch has no order for {data_type}")),
        Some(_) if !is_repeatable(plan)? => {
            refusal("its expressions give other values when they are computed again".into())
        }
        // Another column decides among rows that are equal in the first.
        Some(one) => {
            let ties = if sort.expr().len() == 1 { one } else { Ties::Keep };
            Offer::Top { first, fetch, ties }
        }
    };
    let lower = if options.combine { Arc::clone(plan) } else { Arc::clone(input) };
    let exchange = exchange(lower, offer, options)?;
    let upper = SortExec::new(sort.expr().clone(), exchange)
        .with_fetch(Some(fetch))
        .with_preserve_partitioning(sort.preserve_partitioning());
    Ok(Some(Arc::new(upper)))
}
