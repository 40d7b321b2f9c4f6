//! `netfold ctl`: questions to a switch and to servers, and its one order (`drain`).

mod drain;
mod ops;
mod servers;

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::{Cell, CellAlignment, Color};
use netfold_management::{
    ClientError, Finding, JobPhase, JobReport, Query, QueryReport, Report, ShardReport, StatsReport,
};
use netfold_net::query;

use crate::cli::What;
use crate::error::Error;
use crate::{FAILURE, SUCCESS, terminal};
use netfold_settings::{Settings, Size};
use servers::Asked;

/// The switch that is asked if none is named.
const DEFAULT_SWITCH: &str = "127.0.0.1:5555";

/// Time that the switch may take for each step of an answer.
const WAIT_LIMIT: Duration = Duration::from_secs(5);

/// Asks the switch, and servers of tables if any are named, and shows the answers. The status tells
/// whether the doctor has found anything.
pub(crate) fn run(what: What, json: bool, settings: &Settings) -> Result<i32, Error> {
    let what = match what {
        What::Jobs => Query::Jobs,
        What::Stats => Query::Stats,
        What::Doctor => Query::Doctor,
        What::Ops => return show_switch(Query::Operations, json, settings),
        What::Drain => return drain::run(json, settings),
    };
    let servers = settings.servers.as_deref().unwrap_or_default();
    if servers.trim().is_empty() {
        return show_switch(what, json, settings);
    }
    let token = settings.token()?;
    let asked = servers::ask(servers, token.as_ref());
    let switch = beside_servers(settings, what)?;
    match what {
        Query::Doctor => show_findings(json, switch, &asked),
        _ => show_servers(what, json, switch, &asked),
    }
}

fn show_switch(what: Query, json: bool, settings: &Settings) -> Result<i32, Error> {
    let switches = settings.switch.as_deref().unwrap_or_default();
    let (address, report) = ask(switches, what)?;
    let status = match &report {
        Report::Doctor { findings, .. } if !findings.is_empty() => FAILURE,
        _ => SUCCESS,
    };
    let text = if json { as_json(address, &report)? } else { text_of(address, &report)? };
    terminal::say(&text)?;
    Ok(status)
}

/// Returns the answer of the switch beside those of servers. A switch that nobody has named need
/// not be there: tables without hot rows have none.
fn beside_servers(settings: &Settings, what: Query) -> Result<Option<Report>, Error> {
    let switches = settings.switch.as_deref().unwrap_or_default();
    match ask(switches, what) {
        Ok((_, report)) => Ok(Some(report)),
        Err(Error::Client(ClientError::NoSwitch { .. })) if switches == DEFAULT_SWITCH => Ok(None),
        Err(error) => Err(error),
    }
}

fn show_servers(
    what: Query,
    json: bool,
    switch: Option<Report>,
    asked: &[Asked],
) -> Result<i32, Error> {
    let answers = asked
        .iter()
        .map(|asked| match &asked.answer {
            Ok(report) => Ok((&*asked.address, report)),
            Err(error) => Err(Error::Table(error.clone())),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let text = if json {
        let servers: Vec<_> = answers
            .iter()
            .map(|(address, report)| serde_json::json!({ "address": address, "report": report }))
            .collect();
        as_json("", &serde_json::json!({ "switch": switch, "servers": servers }))?
    } else {
        let of_switch = switch.map_or_else(|| Ok(String::new()), |report| text_of("", &report))?;
        match what {
            Query::Jobs => of_switch + &servers::jobs(&answers),
            _ => of_switch + &servers::stats(&answers),
        }
    };
    terminal::say(&text)?;
    Ok(SUCCESS)
}

fn show_findings(json: bool, switch: Option<Report>, asked: &[Asked]) -> Result<i32, Error> {
    let found = servers::doctor(asked);
    let of_switch = match &switch {
        Some(Report::Doctor { findings, .. }) => findings.len(),
        _ => 0,
    };
    let count = of_switch + found.iter().map(|(_, findings)| findings.len()).sum::<usize>();
    let text = if json {
        let servers: Vec<_> = found
            .iter()
            .map(|(address, found)| serde_json::json!({ "address": address, "findings": found }))
            .collect();
        as_json("", &serde_json::json!({ "switch": switch, "servers": servers }))?
    } else if count == 0 {
        "nothing to report\n".into()
    } else {
        let of_switch = match switch {
            Some(report) if of_switch > 0 => text_of("", &report)?,
            _ => String::new(),
        };
        let lines = found.iter().flat_map(|(address, findings)| {
            findings.iter().map(move |finding| format!("- server {address}: {finding}\n"))
        });
        of_switch + &lines.collect::<String>()
    };
    terminal::say(&text)?;
    Ok(if count == 0 { SUCCESS } else { FAILURE })
}

fn as_json(address: &str, report: &impl serde::Serialize) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(report);
    Ok(text.map_err(|_| Error::Answer(address.to_owned()))? + "\n")
}

fn text_of(address: &str, report: &Report) -> Result<String, Error> {
    Ok(match report {
        Report::Jobs { jobs, omitted } => {
            jobs_table(jobs) + &tables_table(jobs) + &omission(*omitted, "jobs")
        }
        Report::Stats(stats) => stats_tables(stats),
        Report::Doctor { findings, omitted } => {
            findings_list(findings) + &omission(*omitted, "findings")
        }
        Report::Operations { operations, omitted } => {
            ops::table(operations) + &omission(*omitted, "operations")
        }
        _ => return Err(Error::Answer(address.to_owned())),
    })
}

/// Asks the first switch of a list that answers: with standbys, that is the one that has the jobs,
/// unless it has only just come back. Gives its address, too.
fn ask(switches: &str, what: Query) -> Result<(&str, Report), Error> {
    let mut silent = None;
    for address in switches.split(',').map(str::trim) {
        match query(address, what, WAIT_LIMIT) {
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

/// The tables of the jobs that have one.
fn tables_table(jobs: &[JobReport]) -> String {
    let mut table = terminal::table([
        "table of job",
        "hot rows",
        "width",
        "type",
        "kept",
        "memory",
        "generation",
        "stored",
        "last read",
    ]);
    for (job, of_job) in jobs.iter().filter_map(|job| Some((job, job.table.as_ref()?))) {
        table.add_row([
            Cell::new(&job.name),
            right(of_job.rows),
            right(of_job.width),
            Cell::new(&of_job.element_type),
            Cell::new(if of_job.resident { "resident" } else { "drained" }),
            right(Size(of_job.bytes)),
            right(of_job.open),
            right(of_job.stored),
            Cell::new(
                of_job.asked_ms.map_or_else(
                    || "never".to_owned(),
                    |ms| format!("{:.1} s ago", ms as f64 / 1e3),
                ),
            ),
        ]);
    }
    if table.is_empty() { String::new() } else { format!("{table}\n") }
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
    let StatsReport { jobs_forming, jobs_running, workers, connections, shards, jobs, .. } = stats;
    let StatsReport { operations, queries, .. } = stats;
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
    if !operations.is_empty() {
        text += &ops::table(operations);
    }
    if !queries.is_empty() {
        text += &queries_table(queries);
    }
    text
}

fn queries_table(queries: &[QueryReport]) -> String {
    let mut table =
        terminal::table(["query", "program", "memory used", "rows offered", "forwarded", "passed"]);
    for query in queries {
        let count = |name: &str| query.counters.get(name).copied().unwrap_or(0).to_string();
        let numbers = [Size(query.bytes).to_string()]
            .into_iter()
            .chain(["offered", "forwarded", "passed"].map(count));
        let name = [query.job.to_string(), query.program.clone()].map(Cell::new);
        table.add_row(name.into_iter().chain(numbers.map(right)));
    }
    format!("{table}\n")
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
