//! What the state of the shards says about a switch and its jobs.

use std::collections::BTreeMap;

use crate::plane::ShardStatus;
use crate::report::{Finding, MAX_FINDINGS, Report, ShardReport};
use crate::tree::Member;

/// Counters with this prefix count datagrams that were dropped.
const DROPPED: &str = "dropped_";

/// As many findings as a report takes.
pub(crate) fn doctor(mut findings: Vec<Finding>) -> Report {
    let omitted = findings.len().saturating_sub(MAX_FINDINGS);
    findings.truncate(MAX_FINDINGS);
    Report::Doctor { findings, omitted }
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

/// A job's counters, each summed over the shards.
pub(crate) fn job_counters(number: u16, shards: &[ShardStatus]) -> BTreeMap<String, u64> {
    let mut totals = BTreeMap::new();
    for job in shards.iter().flat_map(|shard| &shard.jobs).filter(|job| job.job == number) {
        for &(name, value) in &job.counters {
            *totals.entry(name.to_owned()).or_default() += value;
        }
    }
    totals
}

/// For each member that slots of a job wait for: how many slots, and one of them as an example. `members` are the job's at the switch.
pub(crate) fn waiting(number: u16, name: &str, members: &[Member], shards: &[ShardStatus]) -> Vec<Finding> {
    let mut behind: BTreeMap<u16, (u64, u16, u16, u32)> = BTreeMap::new();
    for (shard, status) in (0u16..).zip(shards) {
        for slot in status.jobs.iter().filter(|status| status.job == number).flat_map(|status| &status.waiting) {
            for &rank in &slot.missing {
                behind.entry(rank).or_insert((0, shard, slot.slot, slot.position)).0 += 1;
            }
        }
    }
    let stands_for: BTreeMap<u16, &[u16]> = members.iter().map(|member| (member.rank, &*member.ranks)).collect();
    let finding = |(rank, (slots, shard, slot, position))| {
        let others = stands_for.get(&rank).into_iter().copied().flatten().filter(|other| **other != rank);
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
        (used > 0 && used >= total - total / 10).then_some(Finding::MemoryShort { shard, used, total })
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
    totals.into_iter().map(|(counter, datagrams)| Finding::Dropped { counter: counter.to_owned(), datagrams })
}
