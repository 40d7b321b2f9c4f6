//! Rows as partial aggregates of one row each: what workers offer that do not combine rows first.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray, RecordBatch};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::{
    ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use futures::StreamExt;

/// A node that has the schema of a partial aggregate, and a row for each row of its input.
#[derive(Debug)]
pub struct RowStatesExec {
    partial: AggregateExec,
    properties: Arc<PlanProperties>,
}

impl RowStatesExec {
    /// Returns the node that takes the place of a partial aggregate.
    pub fn new(partial: AggregateExec) -> Self {
        let input = partial.input();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(partial.schema()),
            input.output_partitioning().clone(),
            EmissionType::Incremental,
            input.boundedness(),
        );
        Self { partial, properties: Arc::new(properties) }
    }

    /// Returns the partial aggregate.
    pub fn partial(&self) -> &AggregateExec {
        &self.partial
    }
}

/// Returns the states of a batch's rows.
fn states(partial: &AggregateExec, batch: &RecordBatch) -> Result<RecordBatch> {
    let count = batch.num_rows();
    let array = |expression: &Arc<dyn PhysicalExpr>| -> Result<ArrayRef> {
        expression.evaluate(batch)?.into_array(count)
    };
    let mut columns: Vec<ArrayRef> =
        partial.group_expr().input_exprs().iter().map(array).collect::<Result<_>>()?;
    for (function, filter) in partial.aggr_expr().iter().zip(partial.filter_expr()) {
        let values: Vec<ArrayRef> =
            function.expressions().iter().map(array).collect::<Result<_>>()?;
        let filter: Option<BooleanArray> = match filter {
            None => None,
            Some(filter) => Some(array(filter)?.as_boolean().clone()),
        };
        let accumulator = function.create_groups_accumulator()?;
        columns.extend(accumulator.convert_to_state(&values, filter.as_ref())?);
    }
    Ok(RecordBatch::try_new(partial.schema(), columns)?)
}

impl DisplayAs for RowStatesExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.partial.aggr_expr().iter().map(|one| one.name()).collect();
        write!(f, "RowStatesExec: aggr=[{}]", names.join(", "))
    }
}

impl ExecutionPlan for RowStatesExec {
    fn name(&self) -> &str {
        "RowStatesExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![self.partial.input()]
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.partial.apply_expressions(f)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let partial = Arc::new(self.partial.clone()).replace_children(children, options)?;
        let partial = partial.downcast_ref::<AggregateExec>().expect("it was one").clone();
        Ok(Arc::new(Self::new(partial)))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        self.replace_children(children, options)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let rows = self.partial.input().execute(partition, context)?;
        let partial = self.partial.clone();
        let stream = rows.map(move |batch| states(&partial, &batch?));
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), stream)))
    }
}
