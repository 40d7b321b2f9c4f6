//! What the registry tells about itself and the data plane.

use super::connection::Role;
use super::job::{Job, Phase};
use super::layout::Layout;
use super::{JobKey, Registry};
use crate::message::Query;
use crate::plane::{DataPlane, ShardStatus};
use crate::report::{Finding, MAX_REPORTED_JOBS, Report, StatsReport};
use crate::status::{doctor, drops, job_counters, memory, shard_report, waiting};

impl Registry {
    /// The answer to a question.
    pub(super) fn report(&self, now_us: u64, what: Query, plane: &mut dyn DataPlane) -> Report {
        match what {
            Query::Jobs => Report::Jobs {
                jobs: self.jobs.values().take(MAX_REPORTED_JOBS).filter_map(|job| job.report(now_us)).collect(),
                omitted: self.jobs.len().saturating_sub(MAX_REPORTED_JOBS),
            },
            Query::Stats => Report::Stats(self.stats(plane)),
            Query::Doctor => doctor(self.diagnose(now_us, &plane.status())),
        }
    }

    /// Counters and memory of the switch.
    pub fn stats(&self, plane: &mut dyn DataPlane) -> StatsReport {
        let shards = plane.status();
        let forming = self.jobs.values().filter(|job| matches!(job.phase, Phase::Forming { .. })).count();
        StatsReport {
            jobs_forming: forming,
            jobs_running: self.jobs.values().filter(|job| job.running().is_some()).count(),
            workers: self.jobs.values().map(|job| job.present().len()).sum(),
            connections: self.connections.len(),
            jobs: self.running_jobs().map(|(number, job)| (job.name.clone(), job_counters(number, &shards))).collect(),
            shards: shards.iter().map(shard_report).collect(),
        }
    }

    fn running_jobs(&self) -> impl Iterator<Item = (u16, &Job)> {
        self.jobs.values().filter_map(|job| Some((job.running()?.number, job))).take(MAX_REPORTED_JOBS)
    }

    fn diagnose(&self, now_us: u64, shards: &[ShardStatus]) -> Vec<Finding> {
        let forming = self.jobs.values().filter_map(|job| {
            let report = job.report(now_us)?;
            let Phase::Forming { .. } = job.phase else { return None };
            let (size, missing, for_ms) = (report.size, report.missing, report.age_ms);
            Some(Finding::MissingWorkers { job: report.name, size, missing, for_ms })
        });
        let mut findings: Vec<_> = forming.collect();
        for (number, job) in self.running_jobs() {
            findings.extend(waiting(number, &job.name, &Layout::of(&job.members).members, shards));
        }
        findings.extend(self.quiet_workers(now_us));
        findings.extend(memory(shards));
        findings.extend(drops(shards));
        findings
    }

    fn quiet_workers(&self, now_us: u64) -> impl Iterator<Item = Finding> {
        self.connections.values().filter_map(move |connection| {
            let Role::Worker { job, rank } = connection.role else { return None };
            let timeout_ms = self.timeout_us(connection)? / 1000;
            let for_ms = connection.silent_ms(now_us);
            let quiet = for_ms > timeout_ms / 2;
            quiet.then(|| Finding::QuietWorker { job: self.name_of(job), rank, for_ms, timeout_ms })
        })
    }

    fn name_of(&self, key: JobKey) -> String {
        self.jobs.get(&key).map_or_else(String::new, |job| job.name.clone())
    }
}
