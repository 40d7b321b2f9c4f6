//! A query of a folder's tables, from SQL to its answer.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::display::DisplayableExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};

use crate::cluster::Cluster;
use crate::exchange::{Elsewhere, Offer, SwitchExchangeExec};
use crate::{Error, Tables, plain_state, state};

/// Context in which a query is planned.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Workers: threads of this process.
    pub workers: usize,
    /// Addresses of workers that are processes of their own; then there are no others.
    pub cluster: Vec<String>,
    /// A switch that runs already, in the place of programs in the master's process.
    pub switch: Option<Elsewhere>,
    /// Without the switch.
    pub plain: bool,
    /// Settings of DataFusion and of [`Options`](crate::Options), as `KEY=VALUE`.
    pub set: Vec<String>,
}

/// A query that is planned.
#[derive(Debug)]
pub struct Query {
    context: Arc<TaskContext>,
    plan: Arc<dyn ExecutionPlan>,
}

/// The rows of an exchange.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Its program.
    pub program: String,
    /// Rows that workers offered.
    pub offered: usize,
    /// Rows that reached the master.
    pub forwarded: usize,
    /// Bytes between the master and workers of other processes, both ways.
    pub bytes: usize,
    /// Packets that workers have sent again to a switch elsewhere.
    pub repeated: usize,
}

/// The exchanges of a query, for a look at them while it runs.
#[derive(Clone, Debug)]
pub struct Watch(Arc<dyn ExecutionPlan>);

impl Settings {
    /// Returns DataFusion's configuration: each worker has a partition of a scan.
    fn config(&self) -> Result<SessionConfig, Error> {
        let remote = !self.cluster.is_empty();
        let workers = if remote { self.cluster.len() } else { self.workers };
        let mut config = SessionConfig::new().with_target_partitions(workers);
        let options = config.options_mut();
        options.optimizer.enable_round_robin_repartition = false;
        options.optimizer.repartition_file_min_size = 0;
        // A partition is a worker's.
        options.optimizer.repartition_file_scans = !remote;
        // A scan prunes by such filters and by Parquet's statistics, which leave NaN out: it loses
        // rows of the answer.
        options.set("datafusion.optimizer.enable_dynamic_filter_pushdown", "false")?;
        Ok(config)
    }

    /// Returns a session with these settings.
    ///
    /// # Errors
    /// [`Error::Engine`] if a setting is unknown or has a value that cannot be.
    pub fn session(&self) -> Result<SessionContext, Error> {
        let config = self.config()?;
        let remote = !self.cluster.is_empty();
        let builder = if self.plain && !remote { plain_state(config) } else { state(config) };
        let mut state = builder.build();
        if remote {
            let options = state.config_mut().options_mut();
            options.set("netfold.remote", "true")?;
            options.set("netfold.enabled", if self.plain { "false" } else { "true" })?;
        }
        if let Some(elsewhere) = &self.switch {
            state.config_mut().set_extension(Arc::new(elsewhere.clone()));
        }
        for setting in &self.set {
            let (key, value) = setting.split_once('=').ok_or_else(|| {
                DataFusionError::Configuration(format!("{setting}: a setting is KEY=VALUE"))
            })?;
            state.config_mut().options_mut().set(key, value)?;
        }
        Ok(SessionContext::new_with_state(state))
    }
}

impl Query {
    /// Plans a query over the tables of a folder. It reads and does not write: statements that
    /// change tables are refused.
    ///
    /// # Errors
    /// [`Error::File`] if the folder has no tables, [`Error::Engine`] if the query cannot be
    /// planned.
    pub async fn plan(sql: &str, folder: &Path, settings: &Settings) -> Result<Self, Error> {
        let session = settings.session()?;
        Tables::find(folder)?.register(&session).await?;
        Self::over(session, sql).await
    }

    /// Plans a query over the tables that the workers of a cluster have.
    ///
    /// # Errors
    /// [`Error::Engine`] if a worker cannot be reached, or if the query cannot be planned.
    pub async fn plan_on_cluster(sql: &str, settings: &Settings) -> Result<Self, Error> {
        let session = settings.session()?;
        let cluster = Cluster::join(settings.cluster.clone(), &session).await?;
        let mut state = session.state();
        state.config_mut().set_extension(Arc::new(cluster));
        Self::over(SessionContext::new_with_state(state), sql).await
    }

    async fn over(session: SessionContext, sql: &str) -> Result<Self, Error> {
        let reads = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false);
        let frame = session.sql_with_options(sql, reads).await?;
        let plan = frame.create_physical_plan().await?;
        Ok(Self { context: session.task_ctx(), plan })
    }

    /// Returns the plan as text, a line for each node.
    pub fn explain(&self) -> String {
        DisplayableExecutionPlan::new(self.plan.as_ref()).indent(false).to_string()
    }

    /// Returns the reasons why the switch takes no part in exchanges that it was meant for.
    pub fn refusals(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        each(&self.plan, |exchange| {
            if let Offer::Pass { reason: Some(reason) } = &*exchange.exchange().offer {
                reasons.push(reason.clone());
            }
        });
        reasons
    }

    /// Returns the reasons why exchanges that have run did without the switch elsewhere.
    pub fn done_without(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        each(&self.plan, |exchange| reasons.extend(exchange.exchange().without()));
        reasons.dedup();
        reasons
    }

    /// Returns the workers of other processes that it has gone on without, with the reasons.
    pub fn lost_workers(&self) -> Vec<String> {
        let cluster = self.context.session_config().get_extension::<Cluster>();
        cluster.map(|cluster| cluster.lost()).unwrap_or_default()
    }

    /// Runs the query.
    ///
    /// # Errors
    /// [`Error::Engine`] if it fails.
    pub async fn run(&self) -> Result<Vec<RecordBatch>, Error> {
        let mut batches = collect(Arc::clone(&self.plan), Arc::clone(&self.context)).await?;
        if batches.is_empty() {
            batches.push(RecordBatch::new_empty(self.plan.schema()));
        }
        Ok(batches)
    }

    /// Returns the rows of each exchange so far.
    pub fn stats(&self) -> Vec<Stats> {
        self.watch().stats()
    }

    /// Returns a look at the query while it runs.
    pub fn watch(&self) -> Watch {
        Watch(Arc::clone(&self.plan))
    }
}

impl Watch {
    /// Returns the rows of each exchange so far.
    pub fn stats(&self) -> Vec<Stats> {
        let mut all = Vec::new();
        each(&self.0, |exchange| {
            let metrics = exchange.metrics().unwrap_or_default();
            let count = |name: &str| {
                MetricsSet::sum_by_name(&metrics, name).map_or(0, |one| one.as_usize())
            };
            all.push(Stats {
                program: exchange.exchange().offer.to_string(),
                offered: count("rows_offered"),
                forwarded: count("rows_forwarded"),
                bytes: count("bytes_of_links"),
                repeated: count("packets_repeated"),
            });
        });
        all
    }
}

fn each(plan: &Arc<dyn ExecutionPlan>, mut f: impl FnMut(&SwitchExchangeExec)) {
    let visited = plan.apply(|node| {
        if let Some(exchange) = node.downcast_ref::<SwitchExchangeExec>() {
            f(exchange);
        }
        Ok(TreeNodeRecursion::Continue)
    });
    visited.expect("a look at a plan has no errors");
}
