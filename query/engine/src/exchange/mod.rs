//! The exchange of a plan: a node whose rows go from workers to the master, past the switch.

mod attempt;
mod elsewhere;
mod gather;
mod join;
mod offer;
mod path;
mod sums;
mod worker;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{AcrossPartitions, ConstExpr, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::{
    ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{
    Count, ExecutionPlanMetricsSet, MetricBuilder, MetricsSet,
};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning,
    PlanProperties,
};
use netfold_net::Survivors;
use netfold_switch::query::Rows;

use crate::Options;
use crate::encode::Keys;
pub(crate) use attempt::{Attempts, Far, Ways};
pub use elsewhere::Elsewhere;
pub(crate) use elsewhere::FarQuery;
use elsewhere::PlacedFilter;
pub(crate) use gather::unread;
use gather::{Gather, work};
pub(crate) use join::Filling;
pub use join::{FilterUse, JoinFilter};
pub(crate) use offer::Wired;
pub use offer::{Addend, Offer, Offered, ties};
pub(crate) use path::Local;
pub use path::Path;
use path::Switch;
pub use worker::{Groups, Task, Worker};

/// An exchange's program and filters, which all its workers share.
#[derive(Debug)]
pub struct Exchange {
    /// Way in which rows meet the switch.
    pub offer: Arc<Offer>,
    /// Filters that rows are pruned by.
    pub probes: Vec<FilterUse>,
    /// Filters that rows fill.
    pub builds: Vec<FilterUse>,
    options: Options,
    switch: Option<Switch>,
    /// The reason why a switch elsewhere was done without.
    without: Mutex<Option<String>>,
    /// Rows of a sum that workers elsewhere have offered and that the program has not added.
    rows: Mutex<Vec<Survivors>>,
    /// Rows that workers offered.
    pub(crate) offered: Count,
    /// Rows that reached the master.
    pub(crate) forwarded: Count,
    /// Bytes between the master and workers of other processes, both ways.
    pub(crate) bytes: Count,
    /// Packets that workers have sent again to a switch elsewhere.
    pub(crate) repeated: Count,
}

impl Exchange {
    /// Returns the columns of rows that are offered.
    pub(crate) fn columns(&self) -> usize {
        self.offer.program(&self.options).map_or(0, |program| program.columns())
    }

    /// Returns the task of a partition's worker in a fragment.
    pub(crate) fn task(&self, input: &Arc<dyn ExecutionPlan>, partition: usize) -> Task {
        let columns = |uses: &[FilterUse]| uses.iter().map(|one| one.columns.clone()).collect();
        Task {
            offer: Arc::clone(&self.offer),
            schema: input.schema(),
            partition: partition as u32,
            seed: self.options.seed,
            combined: input.is::<AggregateExec>(),
            small: self.options.small / input.output_partitioning().partition_count().max(1),
            probes: columns(&self.probes),
            builds: columns(&self.builds),
        }
    }

    /// Returns the ways of a worker's rows, with the filters at a switch elsewhere if the session
    /// has one that takes them in. The worker `asks` for the program's.
    pub(crate) async fn ways(&self, asks: bool, context: &TaskContext) -> Result<Ways> {
        let mut ways = Ways { asks, ..Ways::default() };
        for one in &self.probes {
            let placed = self.placed(one, context).await?;
            ways.probes.push(placed.map(|placed| placed.probes.clone()));
        }
        for one in &self.builds {
            let placed = self.placed(one, context).await?;
            ways.builds.push(placed.map(|placed| placed.fills.clone()));
        }
        Ok(ways)
    }

    async fn placed(
        &self,
        one: &FilterUse,
        context: &TaskContext,
    ) -> Result<Option<Arc<PlacedFilter>>> {
        Ok(match one.filter.place(context).await? {
            None => None,
            Some(Ok(placed)) => Some(placed),
            Some(Err(reason)) => {
                self.do_without(reason);
                None
            }
        })
    }

    /// Notes the first reason why a switch elsewhere was done without.
    pub(crate) fn do_without(&self, reason: String) {
        self.without.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }

    /// Returns the reason why a switch elsewhere was done without, if it was.
    pub fn without(&self) -> Option<String> {
        self.without.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes survivors of a sum whose keys are values from the rows that were offered, so that they
    /// need not come again (R-QRY-40); the others stay marked.
    pub(crate) fn take(&self, offered: &Offered, keys: &Keys, bits: &mut [u64]) {
        let columns = vec![Vec::new(); offered.columns.len()];
        let mut taken = Survivors { first: 0, bits: Vec::new(), keys: Vec::new(), columns };
        for (at, key) in offered.keys.iter().enumerate() {
            if bits[at / 64] >> (at % 64) & 1 == 1 && !keys.is_hash(*key) {
                bits[at / 64] &= !(1 << (at % 64));
                taken.keys.push(*key);
                for (to, from) in taken.columns.iter_mut().zip(&offered.columns) {
                    to.push(from[at]);
                }
            }
        }
        self.forwarded.add(taken.keys.len());
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).push(taken);
    }

    /// Returns how groups of a sum become keys; nothing if all rows are one group.
    pub(crate) fn keys(&self, schema: &SchemaRef) -> Option<Keys> {
        let types: Vec<DataType> =
            schema.fields().iter().map(|field| field.data_type().clone()).collect();
        self.offer.keys(&types, self.options.seed)
    }

    /// Offers rows to the program, and marks those that are forwarded.
    fn offer(&self, identity: u64, rows: &Offered) -> Result<Vec<u64>> {
        let columns: Vec<&[i64]> = rows.columns.iter().map(Vec::as_slice).collect();
        let rows = Rows { identity, keys: &rows.keys, columns: &columns, build: false };
        self.switch.as_ref().expect("rows are offered to a program").offer(&rows)
    }
}

/// A node that offers the rows of its input, a fragment that workers run, to the switch.
///
/// Its output is the input's without rows that the rest of the plan does not need, or with partial
/// sums in the place of rows.
#[derive(Debug)]
pub struct SwitchExchangeExec {
    input: Arc<dyn ExecutionPlan>,
    exchange: Arc<Exchange>,
    metrics: ExecutionPlanMetricsSet,
    properties: Arc<PlanProperties>,
}

impl SwitchExchangeExec {
    /// Returns the node for a fragment.
    ///
    /// # Errors
    /// If a setting of [`Options`] makes a program that cannot be.
    pub fn new(input: Arc<dyn ExecutionPlan>, offer: Offer, options: &Options) -> Result<Self> {
        Self::with_filters(input, Arc::new(offer), options, Vec::new(), Vec::new())
    }

    /// Returns the node for a fragment whose rows are pruned by filters, and fill others.
    ///
    /// # Errors
    /// If a setting of [`Options`] makes a program that cannot be.
    pub fn with_filters(
        input: Arc<dyn ExecutionPlan>,
        offer: Arc<Offer>,
        options: &Options,
        probes: Vec<FilterUse>,
        builds: Vec<FilterUse>,
    ) -> Result<Self> {
        let switch = match offer.program(options) {
            None => None,
            Some(program) => Some(Switch::new(&program).map_err(|error| {
                DataFusionError::Configuration(format!("netfold's settings: {error}"))
            })?),
        };
        let properties = if switch.is_none() {
            Arc::clone(input.properties())
        } else {
            Arc::new(PlanProperties::new(
                constants(&input)?,
                Partitioning::UnknownPartitioning(1),
                EmissionType::Both,
                input.properties().boundedness,
            ))
        };
        let metrics = ExecutionPlanMetricsSet::new();
        let exchange = Exchange {
            offer,
            probes,
            builds,
            options: options.clone(),
            switch,
            without: Mutex::default(),
            rows: Mutex::default(),
            offered: MetricBuilder::new(&metrics).global_counter("rows_offered"),
            forwarded: MetricBuilder::new(&metrics).global_counter("rows_forwarded"),
            bytes: MetricBuilder::new(&metrics).global_counter("bytes_of_links"),
            repeated: MetricBuilder::new(&metrics).global_counter("packets_repeated"),
        };
        Ok(Self { input, exchange: Arc::new(exchange), metrics, properties })
    }

    /// Returns the fragment.
    pub fn input(&self) -> &Arc<dyn ExecutionPlan> {
        &self.input
    }

    /// Returns the program and the filters.
    pub fn exchange(&self) -> &Arc<Exchange> {
        &self.exchange
    }

    /// Returns whether a column has the same values after the exchange, and rows with another value
    /// of it do not matter to those that have one.
    pub fn keeps(&self, column: usize) -> bool {
        match &*self.exchange.offer {
            Offer::Pass { .. } => match self.input.downcast_ref::<AggregateExec>() {
                Some(partial) => column < partial.group_expr().num_group_exprs(),
                None => !self.input.is::<SortExec>(),
            },
            Offer::Top { .. } => false,
            offer => column < offer.groups(),
        }
    }

    fn with_input(&self, input: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let Exchange { offer, probes, builds, options, .. } = &*self.exchange;
        let (offer, probes, builds) = (Arc::clone(offer), probes.clone(), builds.clone());
        Ok(Arc::new(Self::with_filters(input, offer, options, probes, builds)?))
    }
}

/// Returns what survives of the order of a plan's rows: columns that have one value.
pub(crate) fn constants(plan: &Arc<dyn ExecutionPlan>) -> Result<EquivalenceProperties> {
    let all = plan.equivalence_properties().constants().into_iter();
    let uniform = |one: &ConstExpr| matches!(one.across_partitions, AcrossPartitions::Uniform(_));
    let mut kept = EquivalenceProperties::new(plan.schema());
    kept.add_constants(all.filter(uniform))?;
    Ok(kept)
}

impl DisplayAs for SwitchExchangeExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SwitchExchangeExec: program={}", self.exchange.offer)?;
        let mut filters = |name: &str, uses: &[FilterUse]| {
            uses.iter().try_for_each(|one| {
                let schema = self.input.schema();
                let columns: Vec<_> = one
                    .columns
                    .iter()
                    .map(|column| schema.field(*column).name().as_str())
                    .collect();
                write!(f, ", {name}=bloom {} of [{}]", one.filter.number, columns.join(", "))
            })
        };
        filters("pruned by", &self.exchange.probes)?;
        filters("fills", &self.exchange.builds)
    }
}

impl ExecutionPlan for SwitchExchangeExec {
    fn name(&self) -> &str {
        "SwitchExchangeExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.with_input(children.swap_remove(0))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        self.replace_children(children, options)
    }

    fn reset_state(self: Arc<Self>) -> Result<Arc<dyn ExecutionPlan>> {
        self.exchange.builds.iter().try_for_each(|one| one.filter.reset())?;
        self.with_input(Arc::clone(&self.input))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut builder = RecordBatchReceiverStreamBuilder::new(self.schema(), 2);
        let (exchange, input) = (Arc::clone(&self.exchange), Arc::clone(&self.input));
        let out = builder.tx();
        if self.exchange.switch.is_some() {
            builder.spawn(Gather { exchange, input, context, out }.run());
        } else {
            builder.spawn(async move {
                work(exchange, input, partition, context, out, None).await.map(|_| ())
            });
        }
        Ok(builder.build())
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}
