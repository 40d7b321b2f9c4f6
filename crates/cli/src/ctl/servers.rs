//! Reports of servers of sparse tables.

use comfy_table::Cell;
use netfold_management::Token;
use netfold_settings::Size;
use netfold_sparse::report::{ServerReport, TableReport, WorkerReport};
use netfold_sparse_net::Error;

use super::{WAIT_LIMIT, dash, right};
use crate::terminal;

/// Most workers of a table that are shown, those first that are most behind.
const SHOWN: usize = 64;

/// A server that was asked, and its answer.
pub(super) struct Asked {
    pub(super) address: String,
    pub(super) answer: Result<ServerReport, Error>,
}

/// Asks each server of a list.
pub(super) fn ask(servers: &str, token: Option<&Token>) -> Vec<Asked> {
    let addresses = servers.split(',').map(str::trim).filter(|address| !address.is_empty());
    addresses
        .map(|address| Asked {
            address: address.to_owned(),
            answer: netfold_sparse_net::report(address, token, WAIT_LIMIT),
        })
        .collect()
}

/// The tables of the servers, and their workers.
pub(super) fn jobs(answers: &[(&str, &ServerReport)]) -> String {
    let mut tables = terminal::table([
        "server",
        "table",
        "part",
        "rows",
        "width",
        "type",
        "optimizer",
        "consistency",
        "hot rows",
        "switch",
        "generation",
        "stored",
        "step",
        "workers",
    ]);
    let mut workers =
        terminal::table(["server", "table", "rank", "connection", "changes", "step", "behind"]);
    let mut omitted = 0;
    for (address, table) in of_all(answers) {
        tables.add_row([
            Cell::new(address),
            Cell::new(&table.name),
            Cell::new(format!("{} of {}", table.server, table.servers)),
            right(table.rows),
            right(table.width),
            Cell::new(table.element_type),
            Cell::new(table.optimizer.name()),
            Cell::new(consistency(table)),
            Cell::new(match (table.hot_rows, table.resident) {
                (rows, true) => format!("{rows} resident"),
                (rows, false) => rows.to_string(),
            }),
            Cell::new(table.switch.as_ref().map_or_else(dash, |switch| match switch.sealed {
                true => format!("{} (lost)", switch.address),
                false => switch.address.to_string(),
            })),
            or_dash(table.switch.as_ref().map(|switch| switch.generation)),
            or_dash(table.switch.as_ref().map(|switch| switch.stored)),
            or_dash(table.applied),
            Cell::new(format!(
                "{} of {}",
                table.workers.iter().filter(|worker| worker.connected).count(),
                table.workers.len()
            )),
        ]);
        let mut by_lag: Vec<&WorkerReport> = table.workers.iter().collect();
        by_lag.sort_by_key(|worker| std::cmp::Reverse(worker.behind));
        omitted += by_lag.len().saturating_sub(SHOWN);
        for worker in by_lag.into_iter().take(SHOWN) {
            workers.add_row([
                Cell::new(address),
                Cell::new(&table.name),
                right(worker.rank),
                Cell::new(connection(worker)),
                right(worker.changes),
                or_dash(worker.ended),
                right(worker.behind),
            ]);
        }
    }
    match tables.is_empty() {
        true => "no tables were used since the servers started\n".into(),
        false => format!("{tables}\n{workers}\n{}", super::omission(omitted, "workers")),
    }
}

fn connection(worker: &WorkerReport) -> &'static str {
    match (worker.connected, worker.left, worker.known) {
        (true, ..) => "connected",
        (false, true, _) => "left",
        (false, false, true) => "gone",
        (false, false, false) => "never seen",
    }
}

fn consistency(table: &TableReport) -> String {
    match table.staleness {
        None => "async".into(),
        Some(0) => "sync".into(),
        Some(steps) => format!("async, {steps} steps"),
    }
}

/// Memory, and totals.
pub(super) fn stats(answers: &[(&str, &ServerReport)]) -> String {
    let mut text = String::new();
    for (address, report) in answers {
        let place = report
            .data
            .as_ref()
            .map_or_else(|| "in memory only".to_owned(), |folder| format!("kept in {folder}"));
        text += &format!(
            "server {address}: tables: {}; connections: {}; rows {place}\n",
            report.tables.len(),
            report.connections
        );
    }
    let mut memory = terminal::table([
        "server",
        "table",
        "rows in memory",
        "bytes",
        "unsaved",
        "gradients that wait",
        "limit",
        "file",
    ]);
    for (address, table) in of_all(answers) {
        memory.add_row([
            Cell::new(address),
            Cell::new(&table.name),
            right(table.rows_in_memory),
            right(Size(table.row_bytes)),
            right(Size(table.unsaved_bytes)),
            right(Size(table.waiting_bytes)),
            right(Size(table.limit_bytes)),
            or_dash(table.stored_bytes.map(Size)),
        ]);
    }
    if memory.is_empty() {
        return text;
    }
    text += &format!("{memory}\n");
    for (address, table) in of_all(answers) {
        text += &super::counters(
            [(format!("{address} {}", table.name), &table.counters)],
            &table.counters,
        );
    }
    text
}

/// Returns the findings at each server.
pub(super) fn doctor(asked: &[Asked]) -> Vec<(String, Vec<String>)> {
    let findings = |asked: &Asked| match &asked.answer {
        Ok(report) => report.findings().iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
    };
    asked.iter().map(|asked| (asked.address.clone(), findings(asked))).collect()
}

fn of_all<'a>(
    answers: &'a [(&'a str, &'a ServerReport)],
) -> impl Iterator<Item = (&'a str, &'a TableReport)> {
    answers
        .iter()
        .flat_map(|(address, report)| report.tables.iter().map(move |table| (*address, table)))
}

fn or_dash(value: Option<impl ToString>) -> Cell {
    value.map_or_else(|| Cell::new(dash()), right)
}
