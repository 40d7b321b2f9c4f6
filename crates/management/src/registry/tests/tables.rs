//! Reports of the tables of jobs.

use super::*;
use crate::plane::TableStatus;
use crate::{Finding, TableReport};

fn table(welcome: &Welcome, asked_ms: Option<u64>) -> TableStatus {
    TableStatus {
        job: welcome.job,
        epoch: welcome.epoch,
        rows: 30_000,
        width: 4,
        element_type: "f32".into(),
        resident: false,
        bytes: 77,
        open: 9,
        stored: 8,
        drained: false,
        ended: false,
        asked_ms,
        counters: vec![("pushes", 5)],
    }
}

fn shard(tables: Vec<TableStatus>) -> ShardStatus {
    ShardStatus { memory_total: 100, tables, ..ShardStatus::default() }
}

fn findings(rig: &mut Rig) -> Vec<Finding> {
    let Report::Doctor { findings, omitted: 0 } = rig.ask(Query::Doctor) else {
        panic!("another report")
    };
    findings.into_iter().filter(|finding| !matches!(finding, Finding::QuietWorker { .. })).collect()
}

#[test]
fn a_job_is_told_with_its_table_and_the_pushes_to_it() {
    let mut rig = Rig::new();
    let (_, welcome) = rig.running("a", 2);
    rig.running("b", 1);
    let other = TableStatus { epoch: welcome.epoch + 1, rows: 1, ..table(&welcome, None) };
    rig.plane.shards = vec![shard(vec![other, table(&welcome, Some(20))]), shard(Vec::new())];
    let jobs = rig.jobs();
    let expected = TableReport {
        rows: 30_000,
        width: 4,
        element_type: "f32".into(),
        resident: false,
        bytes: 77,
        open: 9,
        stored: 8,
        asked_ms: Some(20),
    };
    assert_eq!(jobs[0].table, Some(expected));
    assert_eq!(jobs[1].table, None);
    let Report::Stats(stats) = rig.ask(Query::Stats) else { panic!("another report") };
    assert_eq!(stats.jobs["b"].get("pushes"), None);
}

/// R-KEY-7: servers read every age of a generation, so ten seconds are long.
#[test]
fn a_table_that_holds_something_and_that_nobody_reads_is_a_finding() {
    let mut rig = Rig::new();
    let (_, welcome) = rig.running("a", 1);
    let mut told = |table: TableStatus| {
        rig.plane.shards = vec![shard(vec![table])];
        findings(&mut rig)
    };
    assert_eq!(told(table(&welcome, Some(10_000))), []);
    let unread = Finding::TableUnread { job: "a".into(), open: 9, stored: 8, for_ms: 10_001 };
    assert_eq!(told(table(&welcome, Some(10_001))), [unread]);
    // Nobody has ever read it, and the job is young.
    assert_eq!(told(table(&welcome, None)), []);
    assert_eq!(told(TableStatus { drained: true, ..table(&welcome, Some(60_000)) }), []);
}

/// R-KEY-11
#[test]
fn a_table_that_outlives_its_job_is_a_finding_unless_it_is_read() {
    let mut rig = Rig::new();
    let (_, welcome) = rig.running("a", 1);
    let ended =
        |asked_ms| TableStatus { job: welcome.job + 1, ended: true, ..table(&welcome, asked_ms) };
    rig.plane.shards = vec![shard(vec![ended(None), ended(Some(3))])];
    let (number, epoch) = (welcome.job + 1, welcome.epoch);
    let kept = Finding::TableKept { number, epoch, bytes: 77, asked_ms: None };
    assert_eq!(findings(&mut rig), [kept]);
}
