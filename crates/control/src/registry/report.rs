//! What the registry tells about itself and the data plane.

use std::collections::BTreeMap;

use super::connection::Role;
use super::job::{Job, Phase};
use super::{JobKey, Registry};
use crate::message::Query;
use crate::plane::{DataPlane, ShardStatus};
use crate::report::{Finding, MAX_FINDINGS, MAX_REPORTED_JOBS, Report, ShardReport, StatsReport};

/// Counters with this prefix count datagrams that were dropped.
const DROPPED: &str = "dropped_";

impl Registry {
    /// The answer to a question.
    pub(super) fn report(&self, now_us: u64, what: Query, plane: &mut dyn DataPlane) -> Report {
        match what {
            Query::Jobs => Report::Jobs {
                jobs: self.jobs.values().take(MAX_REPORTED_JOBS).filter_map(|job| job.report(now_us)).collect(),
                omitted: self.jobs.len().saturating_sub(MAX_REPORTED_JOBS),
            },
            Query::Stats => Report::Stats(self.stats(plane)),
            Query::Doctor => {
                let mut findings = self.diagnose(now_us, &plane.status());
                let omitted = findings.len().saturating_sub(MAX_FINDINGS);
                findings.truncate(MAX_FINDINGS);
                Report::Doctor { findings, omitted }
            }
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
        findings.extend(self.running_jobs().flat_map(|(number, job)| waiting(number, job, shards)));
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

fn shard_report(shard: &ShardStatus) -> ShardReport {
    ShardReport {
        slots: shard.jobs.iter().map(|job| u64::from(job.slots)).sum(),
        memory_used: shard.memory_used,
        memory_total: shard.memory_total,
        counters: shard.counters.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// A job's counters, each summed over the shards.
fn job_counters(number: u16, shards: &[ShardStatus]) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    for job in shards.iter().flat_map(|shard| &shard.jobs).filter(|job| job.job == number) {
        for &(name, value) in &job.counters {
            *totals.entry(name.to_owned()).or_default() += value;
        }
    }
    totals
}

/// For each worker that slots of the job wait for: how many slots, and one of them as an example.
fn waiting(number: u16, job: &Job, shards: &[ShardStatus]) -> impl Iterator<Item = Finding> {
    let mut behind: BTreeMap<u16, (u64, u16, u16, u32)> = BTreeMap::new();
    for (shard, status) in (0u16..).zip(shards) {
        for slot in status.jobs.iter().filter(|status| status.job == number).flat_map(|status| &status.waiting) {
            for &rank in &slot.missing {
                behind.entry(rank).or_insert((0, shard, slot.slot, slot.position)).0 += 1;
            }
        }
    }
    behind.into_iter().map(|(rank, (slots, shard, slot, position))| Finding::WaitingFor {
        job: job.name.clone(),
        rank,
        with: job.stands_for(rank).into_iter().filter(|other| *other != rank).collect(),
        slots,
        shard,
        slot,
        position,
    })
}

fn memory(shards: &[ShardStatus]) -> impl Iterator<Item = Finding> {
    (0u16..).zip(shards).filter_map(|(shard, status)| {
        let (used, total) = (status.memory_used, status.memory_total);
        (used > 0 && used >= total - total / 10).then_some(Finding::MemoryShort { shard, used, total })
    })
}

fn drops(shards: &[ShardStatus]) -> impl Iterator<Item = Finding> {
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for &(name, value) in shards.iter().flat_map(|shard| &shard.counters) {
        if name.starts_with(DROPPED) && value > 0 {
            *totals.entry(name).or_default() += value;
        }
    }
    totals.into_iter().map(|(counter, datagrams)| Finding::Dropped { counter: counter.to_owned(), datagrams })
}
