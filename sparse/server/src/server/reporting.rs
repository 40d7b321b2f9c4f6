//! Reports of a server on its table.

use super::Server;
use super::plane::Epoch;
use super::worker::Worker;
use crate::report::{SwitchReport, TableReport, WorkerReport};
use crate::store::Store;

/// Totals since the process started. A change counts when it is carried out.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub pushes: u64,
    pub rows_pushed: u64,
    pub pulls: u64,
    pub rows_pulled: u64,
    pub generations: u64,
    pub rows_summed: u64,
    pub replays: u64,
    pub seals: u64,
    pub steps: u64,
}

impl<S: Store> Server<S> {
    /// Returns what there is to tell of the table, once a worker has said hello, and until it goes
    /// on at other servers.
    pub fn report(&self, now_us: u64) -> Option<TableReport> {
        let table = self.table.as_ref().filter(|table| !table.over)?;
        let (terms, spec) = (&table.terms, &table.terms.table);
        let (row_bytes, unsaved_bytes) = table.rows.bytes();
        let lanes = spec.optimizer.lanes(usize::from(spec.width));
        let kept_bytes = lanes * spec.element_type.bytes();
        let counted = &self.counted;
        let counters = [
            ("pushes", counted.pushes),
            ("rows_pushed", counted.rows_pushed),
            ("pulls", counted.pulls),
            ("rows_pulled", counted.rows_pulled),
            ("generations", counted.generations),
            ("rows_summed", counted.rows_summed),
            ("replays", counted.replays),
            ("seals", counted.seals),
            ("steps", counted.steps),
        ];
        Some(TableReport {
            name: spec.name.clone(),
            rows: spec.rows,
            width: spec.width,
            element_type: spec.element_type,
            optimizer: table.rates.optimizer.clone(),
            staleness: spec.staleness,
            resident: spec.resident,
            hot_rows: table.planes.last().map_or(0, |plane| plane.hot_keys.len()),
            server: terms.server,
            servers: terms.servers,
            rows_in_memory: (row_bytes / kept_bytes) as u64,
            row_bytes: row_bytes as u64,
            unsaved_bytes: unsaved_bytes as u64,
            waiting_bytes: table.waiting as u64,
            limit_bytes: self.limits.memory_bytes as u64,
            stored_bytes: None,
            applied: table.applied,
            waiting: self.waiting.report(now_us),
            switch: table.planes.last().map(|epoch| self.switch_report(epoch, now_us)),
            workers: self.worker_reports(),
            counters: counters.map(|(name, count)| (name.to_owned(), count)).into(),
        })
    }

    fn switch_report(&self, epoch: &Epoch, now_us: u64) -> SwitchReport {
        let workers = self.table.iter().flat_map(|table| (0..).zip(&table.workers));
        let unreplayed = |worker: &Worker| {
            let here = !worker.left && worker.plane == Some(epoch.number());
            epoch.sealed && here && worker.replayed != worker.plane
        };
        SwitchReport {
            address: epoch.switch.address,
            epoch: epoch.number(),
            generation: epoch.generation,
            stored: self.commits.generation(epoch.number()),
            sealed: epoch.sealed,
            unreplayed: workers
                .filter(|(_, worker)| unreplayed(worker))
                .map(|(rank, _)| rank)
                .collect(),
            silent_ms: now_us.saturating_sub(self.reading.heard_us()) / 1000,
        }
    }

    fn worker_reports(&self) -> Vec<WorkerReport> {
        let Some(table) = &self.table else { return Vec::new() };
        let steps = |worker: &Worker| worker.ended.map_or(0, |step| u64::from(step) + 1);
        let first = table.workers.iter().map(steps).max().unwrap_or(0);
        let connected = |rank| self.connections.values().any(|at| at.rank == rank);
        let report = |(rank, worker): (u16, &Worker)| WorkerReport {
            rank,
            connected: connected(rank),
            known: worker.session.is_some(),
            left: worker.left,
            changes: worker.number,
            ended: worker.ended,
            behind: (first - steps(worker)).min(u64::from(u32::MAX)) as u32,
        };
        (0..).zip(&table.workers).map(report).collect()
    }
}
