//! The reports of a switch below another on itself, and its additions to those of the root
//! (R-CTRL-19).

use std::collections::BTreeSet;

use super::{JobEpoch, Pair, Relay};
use crate::drain::TablesLeft;
use crate::message::Query;
use crate::operations::OperationReport;
use crate::plane::{DataPlane, ShardStatus};
use crate::registry::ConnectionId;
use crate::report::{Finding, Report, StatsReport};
use crate::status::{
    closest, drops, fitting, fitting_operations, job_counters, memory, operation_reports,
    shard_report, waiting,
};

impl Relay {
    /// Counters and memory of this switch alone.
    pub(super) fn own_stats(&self, plane: &mut dyn DataPlane) -> StatsReport {
        let shards = plane.status();
        let workers = || self.pairs.values().filter_map(|pair| pair.worker.as_ref());
        let forming: BTreeSet<_> =
            workers().filter(|worker| !worker.runs).map(|worker| &worker.join.job).collect();
        StatsReport {
            jobs_forming: forming.len(),
            jobs_running: self.epochs.len(),
            workers: workers().count(),
            connections: self.pairs.len(),
            jobs: self
                .epochs
                .iter()
                .map(|(&number, epoch)| (epoch.name.clone(), job_counters(number, &shards)))
                .collect(),
            operations: fitting_operations(self.operations_at(&shards)),
            queries: Vec::new(),
            shards: shards.iter().map(shard_report).collect(),
        }
    }

    /// The operations of running jobs, with their work at these shards, and those that have ended
    /// their jobs here (R-OP-45).
    fn operations_at(&self, shards: &[ShardStatus]) -> Vec<OperationReport> {
        let of_epoch = |(&number, epoch): (&u16, &JobEpoch)| {
            let operations = epoch.operations.iter().map(|operation| &**operation);
            operation_reports((number, &epoch.name), (0..).zip(operations), shards)
        };
        self.epochs.iter().flat_map(of_epoch).chain(self.trapped.reports()).collect()
    }

    /// Tables of which servers have not read all.
    pub(super) fn tables_left(&self, plane: &mut dyn DataPlane) -> TablesLeft {
        let name = |number, id| {
            let epoch = self.epochs.get(&number).filter(|epoch| epoch.id == id)?;
            Some(epoch.name.clone())
        };
        TablesLeft::of(&plane.status(), name)
    }

    /// The parent's answer to a question, with what this switch sees itself.
    pub(super) fn report(
        &self,
        now_us: u64,
        what: Query,
        report: Report,
        plane: &mut dyn DataPlane,
    ) -> Report {
        match (what, report) {
            (Query::Doctor, Report::Doctor { findings: above, omitted }) => {
                let mut findings = self.diagnose(now_us, plane);
                let of_jobs = |finding: &Finding| {
                    !matches!(finding, Finding::MemoryShort { .. } | Finding::Dropped { .. })
                };
                findings.extend(above.into_iter().filter(of_jobs));
                let (findings, more) = fitting(closest(findings));
                Report::Doctor { findings, omitted: omitted + more }
            }
            (_, report) => report,
        }
    }

    /// R-CTRL-19: returns the findings of this switch for the root, on the job of one of its
    /// workers.
    pub(super) fn examined(
        &self,
        now_us: u64,
        down: ConnectionId,
        plane: &mut dyn DataPlane,
    ) -> Vec<Finding> {
        let Some((number, id)) = self.pairs.get(&down).and_then(Pair::epoch) else {
            return Vec::new();
        };
        let Some(epoch) = self.epochs.get(&number).filter(|epoch| epoch.id == id) else {
            return Vec::new();
        };
        let mut findings = waiting(number, &epoch.name, &epoch.members, &plane.status());
        let of_job = self.pairs.values().filter(|pair| pair.epoch() == Some((number, id)));
        findings.extend(of_job.filter_map(|pair| self.quiet(now_us, pair)));
        fitting(findings).0
    }

    fn diagnose(&self, now_us: u64, plane: &mut dyn DataPlane) -> Vec<Finding> {
        let shards = plane.status();
        let mut findings = Vec::new();
        for (&number, epoch) in &self.epochs {
            findings.extend(waiting(number, &epoch.name, &epoch.members, &shards));
        }
        findings.extend(self.pairs.values().filter_map(|pair| self.quiet(now_us, pair)));
        findings.extend(memory(&shards));
        findings.extend(drops(&shards));
        findings
    }

    fn quiet(&self, now_us: u64, pair: &Pair) -> Option<Finding> {
        let (worker, timeout_us) = (pair.worker.as_ref()?, pair.timeout_us(&self.limits)?);
        let (for_us, job) = (now_us.saturating_sub(pair.below.heard_us), worker.join.job.clone());
        let finding = Finding::QuietWorker {
            job,
            rank: worker.join.rank,
            for_ms: for_us / 1000,
            timeout_ms: timeout_us / 1000,
        };
        (for_us > timeout_us / 2).then_some(finding)
    }
}
