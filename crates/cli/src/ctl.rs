//! `netfold ctl`.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::{Cell, CellAlignment, Color};
use netfold_management::{
    ClientError, Finding, JobPhase, JobReport, Report, ShardReport, StatsReport,
};
use netfold_net::query;

use crate::cli::What;
use crate::error::Error;
use crate::{FAILURE, SUCCESS, terminal};
use netfold_settings::{Settings, Size};

/// Time that the switch may take for each step of an answer.
const WAIT_LIMIT: Duration = Duration::from_secs(5);

/// Asks the switch and shows the answer. The status tells whether the doctor has found anything.
pub(crate) fn run(what: What, json: bool, settings: &Settings) -> Result<i32, Error> {
    let switches = settings.switch.as_deref().unwrap_or_default();
    let (address, report) = ask(switches, what)?;
    let status = match &report {
        Report::Doctor { findings, .. } if !findings.is_empty() => FAILURE,
        _ => SUCCESS,
    };
    let text = if json {
        serde_json::to_string_pretty(&report).map_err(|_| Error::Answer(address.to_owned()))? + "\n"
    } else {
        match &report {
            Report::Jobs { jobs, omitted } => jobs_table(jobs) + &omission(*omitted, "jobs"),
            Report::Stats(stats) => stats_tables(stats),
            Report::Doctor { findings, omitted } => {
                findings_list(findings) + &omission(*omitted, "findings")
            }
            _ => return Err(Error::Answer(address.to_owned())),
        }
    };
    terminal::say(&text)?;
    Ok(status)
}

/// Asks the first switch of a list that answers: with standbys, that is the one that has the jobs,
/// unless it has only just come back. Gives its address, too.
fn ask(switches: &str, what: What) -> Result<(&str, Report), Error> {
    let mut silent = None;
    for address in switches.split(',').map(str::trim) {
        match query(address, what.into(), WAIT_LIMIT) {
            Ok(report) => return Ok((address, report)),
            Err(error @ ClientError::NoSwitch { .. }) => silent = silent.or(Some(error)),
            Err(error) => return Err(error.into()),
        }
    }
    Err(silent.map_or_else(|| Error::Answer(switches.to_owned()), Error::from))
}

fn omission(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("and {count} more {what}\n") }
}

fn jobs_table(jobs: &[JobReport]) -> String {
    if jobs.is_empty() {
        return "no jobs\n".into();
    }
    let mut table = terminal::table([
        "job",
        "phase",
        "workers",
        "missing",
        "left",
        "arithmetic",
        "overflow",
        "byte order",
        "protocol",
        "integrity",
        "slots",
        "packet",
        "age",
    ]);
    for job in jobs {
        let (phase, color) = match job.phase {
            JobPhase::Forming => ("forming", Color::Yellow),
            JobPhase::Running => ("running", Color::Green),
            JobPhase::Failing => ("failing", Color::Red),
            _ => ("unknown", Color::Reset),
        };
        table.add_row([
            Cell::new(&job.name),
            Cell::new(phase).fg(color),
            Cell::new(job.size),
            Cell::new(ranks(&job.missing)),
            Cell::new(ranks(&job.left)),
            Cell::new(&job.arithmetic),
            Cell::new(&job.overflow),
            Cell::new(&job.byte_order),
            Cell::new(&job.protocol),
            Cell::new(job.integrity),
            Cell::new(job.slots.map_or_else(dash, |slots| slots.to_string())),
            Cell::new(job.payload_bytes.map_or_else(dash, |bytes| format!("{bytes} B"))),
            Cell::new(format!("{:.1} s", job.age_ms as f64 / 1e3)),
        ]);
    }
    format!("{table}\n")
}

fn dash() -> String {
    "-".into()
}

fn ranks(ranks: &[u16]) -> String {
    if ranks.is_empty() {
        return dash();
    }
    let ranks: Vec<String> = ranks.iter().map(u16::to_string).collect();
    ranks.join(", ")
}

fn stats_tables(stats: &StatsReport) -> String {
    let StatsReport { jobs_forming, jobs_running, workers, connections, shards, jobs } = stats;
    let mut text = format!(
        "jobs running: {jobs_running}, forming: {jobs_forming}; workers: {workers}; control connections: {connections}\n"
    );
    let mut table = terminal::table(["shard", "slots", "memory used", "memory"]);
    for (index, shard) in shards.iter().enumerate() {
        let cells =
            [index.to_string(), shard.slots.to_string(), Size(shard.memory_used).to_string()];
        table.add_row(cells.into_iter().chain([Size(shard.memory_total).to_string()]).map(right));
    }
    text += &format!("{table}\n");
    let total = total(shards);
    text += &counters(
        shards.iter().enumerate().map(|(index, shard)| (format!("shard {index}"), &shard.counters)),
        &total,
    );
    for (name, of_job) in jobs {
        let counted: Counters = of_job
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(name, count)| (name.clone(), *count))
            .collect();
        if !counted.is_empty() {
            text += &counters([(format!("job {name}"), &counted)], &counted);
        }
    }
    text
}

/// Totals by name.
type Counters = BTreeMap<String, u64>;

fn total(shards: &[ShardReport]) -> Counters {
    let mut total = Counters::new();
    for (name, count) in shards.iter().flat_map(|shard| &shard.counters) {
        *total.entry(name.clone()).or_default() += count;
    }
    total
}

/// A row for each counter, with a column for each of `columns`; and one for the total, where there
/// are several.
fn counters<'a>(
    columns: impl IntoIterator<Item = (String, &'a Counters)>,
    total: &Counters,
) -> String {
    let (mut names, columns): (Vec<String>, Vec<&Counters>) = columns.into_iter().unzip();
    names.insert(0, "counter".into());
    let several = columns.len() > 1;
    if several {
        names.push("total".into());
    }
    let mut table = terminal::table(names);
    for (name, sum) in total {
        let of_columns = columns.iter().map(|counters| counters.get(name).copied().unwrap_or(0));
        let counts = of_columns.chain(several.then_some(*sum)).map(right);
        table.add_row([Cell::new(name.replace('_', " "))].into_iter().chain(counts));
    }
    format!("{table}\n")
}

fn right(content: impl ToString) -> Cell {
    Cell::new(content.to_string()).set_alignment(CellAlignment::Right)
}

fn findings_list(findings: &[Finding]) -> String {
    if findings.is_empty() {
        return "nothing to report\n".into();
    }
    findings.iter().map(|finding| format!("- {finding}\n")).collect()
}
