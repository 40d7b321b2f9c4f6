//! The reports of the registry on itself and the data plane.

use std::collections::BTreeMap;

use super::Registry;
use super::job::{Job, Phase};
use crate::drain::TablesLeft;
use crate::operations::OperationReport;
use crate::plane::{DataPlane, ShardStatus};
use crate::report::{JobReport, MAX_REPORTED_JOBS, MAX_REPORTED_OPERATIONS, Report, StatsReport};
use crate::status::{
    MAX_RANKS, fitting_operations, job_counters, operation_reports, query_reports, shard_report,
    table, table_report,
};

impl Registry {
    /// Returns the list for `netfold ctl jobs`: as many jobs as fit a message.
    pub(super) fn job_reports(&self, now_us: u64, plane: &mut dyn DataPlane) -> Report {
        let shards = plane.status();
        let mut ranks = 0;
        let mut fits = |job: &JobReport| {
            ranks += job.missing.len() + job.left.len();
            ranks <= MAX_RANKS
        };
        let reports = self
            .jobs
            .values()
            .take(MAX_REPORTED_JOBS)
            .filter_map(|job| Some((job, job.report(now_us)?)))
            .map(|(job, report)| {
                let epoch = job.running();
                let table = epoch.and_then(|epoch| table(epoch.job, epoch.id, &shards));
                JobReport { table: table.map(table_report), ..report }
            });
        let jobs: Vec<_> = reports.take_while(&mut fits).collect();
        let omitted = self.jobs.len() - jobs.len();
        Report::Jobs { jobs, omitted }
    }

    /// Returns the list for `netfold ctl ops`: as many operations as fit a message.
    pub(super) fn operation_reports(&self, plane: &mut dyn DataPlane) -> Report {
        let mut operations = self.operations_at(&plane.status());
        let omitted = operations.len().saturating_sub(MAX_REPORTED_OPERATIONS);
        operations.truncate(MAX_REPORTED_OPERATIONS);
        Report::Operations { operations, omitted }
    }

    /// The operations of running jobs, with their work at these shards, and those that have ended
    /// their jobs (R-OP-45).
    fn operations_at(&self, shards: &[ShardStatus]) -> Vec<OperationReport> {
        let of_job = |(number, job): (u16, &Job)| {
            operation_reports((number, &job.name), job.operations(), shards)
        };
        self.running_jobs().flat_map(of_job).chain(self.trapped.reports()).collect()
    }

    /// Counters and memory of the switch.
    pub fn stats(&self, plane: &mut dyn DataPlane) -> StatsReport {
        let shards = plane.status();
        let forming =
            self.jobs.values().filter(|job| matches!(job.phase, Phase::Forming { .. })).count();
        StatsReport {
            jobs_forming: forming,
            jobs_running: self.jobs.values().filter(|job| job.running().is_some()).count(),
            workers: self.jobs.values().map(|job| job.present().len()).sum(),
            connections: self.connections.len(),
            jobs: self
                .running_jobs()
                .map(|(number, job)| (job.name.clone(), job_counters(number, &shards)))
                .collect(),
            operations: fitting_operations(self.operations_at(&shards)),
            queries: query_reports(&shards),
            shards: shards.iter().map(shard_report).collect(),
        }
    }

    /// Tables of which servers have not read all.
    pub(super) fn tables_left(&self, plane: &mut dyn DataPlane) -> TablesLeft {
        let names: BTreeMap<_, _> = self
            .jobs
            .values()
            .filter_map(|job| job.running().map(|epoch| ((epoch.job, epoch.id), &job.name)))
            .collect();
        TablesLeft::of(&plane.status(), |job, epoch| names.get(&(job, epoch)).copied().cloned())
    }

    pub(super) fn running_jobs(&self) -> impl Iterator<Item = (u16, &Job)> {
        self.jobs.values().filter_map(|job| Some((job.running()?.job, job))).take(MAX_REPORTED_JOBS)
    }
}
