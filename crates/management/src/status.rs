//! The findings on a switch and its jobs from the state of the shards.

use std::collections::{BTreeMap, BTreeSet};

use netfold_switch::{TypedOperation, Usage};

use crate::operations::OperationReport;
use crate::plane::{ShardStatus, TableStatus};
use crate::report::{
    Finding, MAX_FINDINGS, MAX_REPORTED_JOBS, MAX_REPORTED_OPERATIONS, QueryReport, Report,
    ShardReport, TableReport,
};
use crate::tree::Member;

/// Most ranks in the findings of a report, so that it fits a message.
pub(crate) const MAX_RANKS: usize = 33_000;

/// Milliseconds after which a table that nobody reads is worth a finding. Servers read every age of
/// a generation, and count a switch as lost after so long a silence.
const READ_LIMIT_MS: u64 = 10_000;

/// Counters with this prefix count datagrams that were dropped.
const DROPPED: &str = "dropped_";

/// As many findings as a report takes.
pub(crate) fn doctor(findings: Vec<Finding>) -> Report {
    let (findings, omitted) = fitting(findings);
    Report::Doctor { findings, omitted }
}

/// The first of these findings, as many as fit a message, and how many do not.
pub(crate) fn fitting(mut findings: Vec<Finding>) -> (Vec<Finding>, usize) {
    let mut ranks = 0;
    let mut fits = |finding: &&Finding| {
        ranks += match finding {
            Finding::WaitingFor { with, .. } => with.len(),
            Finding::MissingWorkers { missing, .. } => missing.len(),
            _ => 0,
        };
        ranks <= MAX_RANKS
    };
    let taken = findings.iter().take(MAX_FINDINGS).take_while(&mut fits).count();
    let omitted = findings.len() - taken;
    findings.truncate(taken);
    (findings, omitted)
}

/// Keeps, of the findings about workers that are waited for, those that tell it most closely
/// (R-CTRL-19): one that names several workers is left out if another names fewer of them, and of
/// two that name the same the first is kept.
pub(crate) fn closest(findings: Vec<Finding>) -> Vec<Finding> {
    let others = |finding: &Finding| match finding {
        Finding::WaitingFor { with, .. } => with.len(),
        _ => 0,
    };
    let named = |finding: &Finding| match finding {
        Finding::WaitingFor { job, rank, .. } => Some((job.clone(), *rank)),
        _ => None,
    };
    let mut fewest: BTreeMap<(String, u16), usize> = BTreeMap::new();
    for finding in &findings {
        if let Some(key) = named(finding) {
            let others = others(finding);
            fewest.entry(key).and_modify(|fewest| *fewest = others.min(*fewest)).or_insert(others);
        }
    }
    let mut told = BTreeSet::new();
    let mut is_closest = |finding: &Finding| match finding {
        Finding::WaitingFor { job, rank, with, .. } => {
            let mut ranks = with.iter().chain([rank]).map(|rank| fewest.get(&(job.clone(), *rank)));
            let closer = ranks.any(|others| others.is_some_and(|others| *others < with.len()));
            !closer && told.insert((false, job.clone(), *rank))
        }
        Finding::QuietWorker { job, rank, .. } => told.insert((true, job.clone(), *rank)),
        _ => true,
    };
    findings.into_iter().filter(|finding| is_closest(finding)).collect()
}

/// The operations of a job, which has this number and name, with their work at these shards.
pub(crate) fn operation_reports<'a>(
    (job, name): (u16, &str),
    operations: impl Iterator<Item = (u8, &'a dyn TypedOperation)>,
    shards: &[ShardStatus],
) -> Vec<OperationReport> {
    let at_shards = || {
        let jobs = shards.iter().flat_map(|shard| &shard.jobs);
        jobs.filter(|at| at.job == job).flat_map(|at| &at.operations)
    };
    let reports = operations.map(|(place, operation)| {
        let mut report = OperationReport::of(place, operation, Usage::default());
        at_shards().filter(|at| at.number == place).for_each(|at| report.add(at));
        OperationReport { job: name.to_owned(), ..report }
    });
    reports.collect()
}

/// As many operations as a report has.
pub(crate) fn fitting_operations(mut operations: Vec<OperationReport>) -> Vec<OperationReport> {
    operations.truncate(MAX_REPORTED_OPERATIONS);
    operations
}

/// A shard's memory and counters.
pub(crate) fn shard_report(shard: &ShardStatus) -> ShardReport {
    ShardReport {
        slots: shard.jobs.iter().map(|job| u64::from(job.slots)).sum(),
        memory_used: shard.memory_used,
        memory_total: shard.memory_total,
        counters: shard.counters.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// The queries of shards, as many as are reported.
pub(crate) fn query_reports(shards: &[ShardStatus]) -> Vec<QueryReport> {
    shards.iter().flat_map(|shard| &shard.queries).take(MAX_REPORTED_JOBS).cloned().collect()
}

/// The table of a job.
pub(crate) fn table(number: u16, epoch: u32, shards: &[ShardStatus]) -> Option<&TableStatus> {
    let mut tables = shards.iter().flat_map(|shard| &shard.tables);
    tables.find(|table| (table.job, table.epoch) == (number, epoch))
}

/// Returns the report of a table.
pub(crate) fn table_report(table: &TableStatus) -> TableReport {
    TableReport {
        rows: table.rows,
        width: table.width,
        element_type: table.element_type.clone(),
        resident: table.resident,
        bytes: table.bytes,
        open: table.open,
        stored: table.stored,
        asked_ms: table.asked_ms,
    }
}

/// The finding that nobody reads the table of a job of this age (R-KEY-7).
pub(crate) fn unread(name: &str, age_ms: u64, table: &TableStatus) -> Option<Finding> {
    let for_ms = table.asked_ms.unwrap_or(age_ms);
    (!table.drained && for_ms > READ_LIMIT_MS).then(|| Finding::TableUnread {
        job: name.to_owned(),
        open: table.open,
        stored: table.stored,
        for_ms,
    })
}

/// Tables of jobs that are over, which no server has read of late.
pub(crate) fn kept(shards: &[ShardStatus]) -> impl Iterator<Item = Finding> {
    let tables = shards.iter().flat_map(|shard| &shard.tables);
    let quiet = |table: &&TableStatus| table.asked_ms.is_none_or(|ms| ms > READ_LIMIT_MS);
    tables.filter(|table| table.ended).filter(quiet).map(|table| Finding::TableKept {
        number: table.job,
        epoch: table.epoch,
        bytes: table.bytes,
        asked_ms: table.asked_ms,
    })
}

/// A job's counters, each summed over the shards.
pub(crate) fn job_counters(number: u16, shards: &[ShardStatus]) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    for job in shards.iter().flat_map(|shard| &shard.jobs).filter(|job| job.job == number) {
        for &(name, value) in &job.counters {
            *totals.entry(name.to_owned()).or_default() += value;
        }
    }
    let tables = shards.iter().flat_map(|shard| &shard.tables);
    for table in tables.filter(|table| table.job == number && !table.ended) {
        for &(name, value) in &table.counters {
            *totals.entry(name.to_owned()).or_default() += value;
        }
    }
    totals
}

/// For each member that slots of a job wait for: how many slots, and one of them as an example.
/// `members` are the job's at the switch.
pub(crate) fn waiting(
    number: u16,
    name: &str,
    members: &[Member],
    shards: &[ShardStatus],
) -> Vec<Finding> {
    let mut behind: BTreeMap<u16, (u64, u16, u16, u32)> = BTreeMap::new();
    for (shard, status) in (0u16..).zip(shards) {
        for slot in status
            .jobs
            .iter()
            .filter(|status| status.job == number)
            .flat_map(|status| &status.waiting)
        {
            for &rank in &slot.missing {
                behind.entry(rank).or_insert((0, shard, slot.slot, slot.position)).0 += 1;
            }
        }
    }
    let stands_for: BTreeMap<u16, &[u16]> =
        members.iter().map(|member| (member.rank, &*member.ranks)).collect();
    let finding = |(rank, (slots, shard, slot, position))| {
        let others =
            stands_for.get(&rank).into_iter().copied().flatten().filter(|other| **other != rank);
        Finding::WaitingFor {
            job: name.to_owned(),
            rank,
            with: others.copied().collect(),
            slots,
            shard,
            slot,
            position,
        }
    };
    behind.into_iter().map(finding).collect()
}

/// Shards that are short of memory.
pub(crate) fn memory(shards: &[ShardStatus]) -> impl Iterator<Item = Finding> {
    (0u16..).zip(shards).filter_map(|(shard, status)| {
        let (used, total) = (status.memory_used, status.memory_total);
        (used > 0 && used >= total - total / 10).then_some(Finding::MemoryShort {
            shard,
            used,
            total,
        })
    })
}

/// Datagrams that were dropped, by reason.
pub(crate) fn drops(shards: &[ShardStatus]) -> impl Iterator<Item = Finding> {
    let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
    for &(name, value) in shards.iter().flat_map(|shard| &shard.counters) {
        if name.starts_with(DROPPED) && value > 0 {
            *totals.entry(name).or_default() += value;
        }
    }
    totals
        .into_iter()
        .map(|(counter, datagrams)| Finding::Dropped { counter: counter.to_owned(), datagrams })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(job: &str, rank: u16, with: &[u16]) -> Finding {
        let (job, with) = (job.to_owned(), with.to_vec());
        Finding::WaitingFor { job, rank, with, slots: 1, shard: 0, slot: 0, position: 0 }
    }

    /// R-CTRL-19
    #[test]
    fn who_is_waited_for_is_told_as_closely_as_it_is_known() {
        let quiet =
            |rank, for_ms| Finding::QuietWorker { job: "a".into(), rank, for_ms, timeout_ms: 1000 };
        let found = vec![
            // The root: of two racks, one of which is below another switch.
            waits("a", 0, &[2, 4, 6]),
            waits("a", 1, &[3, 5]),
            quiet(4, 900),
            // The switch above the first rack, and that.
            waits("a", 0, &[2]),
            waits("a", 2, &[]),
            waits("a", 4, &[]),
            // Another job waits for its own; a rack tells again what is known.
            waits("b", 3, &[4]),
            waits("a", 1, &[3, 5]),
            quiet(4, 901),
        ];
        let expected = [
            waits("a", 1, &[3, 5]),
            quiet(4, 900),
            waits("a", 2, &[]),
            waits("a", 4, &[]),
            waits("b", 3, &[4]),
        ];
        assert_eq!(closest(found), expected);
    }

    #[test]
    fn a_report_fits_a_message() {
        let long = |job: &str| waits(job, 0, &vec![u16::MAX; 11_000]);
        let report = doctor(["a", "b", "c", "d"].map(long).to_vec());
        assert!(matches!(&report, Report::Doctor { findings, omitted: 1 } if findings.len() == 3));
        assert!(crate::encode(&crate::Message::Report { report }).is_ok());
        let report = doctor(vec![waits("a", 0, &[]); MAX_FINDINGS + 7]);
        assert!(
            matches!(&report, Report::Doctor { findings, omitted: 7 } if findings.len() == MAX_FINDINGS)
        );
    }
}
