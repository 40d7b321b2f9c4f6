//! Results of a scenario, as a table and as JSON.

use std::fmt;
use std::time::Duration;

use comfy_table::{Cell, CellAlignment};
use netfold_sim::{CallReport, JobReport, Report, Scenario};
use serde::Serialize;

use crate::terminal;
use netfold_settings::Size;

/// All runs of a scenario.
#[derive(Serialize)]
pub(super) struct Results {
    /// Version of this program.
    netfold: &'static str,
    /// The scenario's title.
    pub(super) title: String,
    /// Seed from which everything random was drawn.
    seed: u64,
    /// Paths of the parameters that are varied.
    pub(super) parameters: Vec<String>,
    /// Each run.
    pub(super) runs: Vec<Run>,
    /// Speed of the simulator.
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Figures>,
}

/// A run.
#[derive(Serialize)]
pub(super) struct Run {
    /// The parameters' values, as they stand in the scenario.
    pub(super) values: Vec<serde_json::Value>,
    /// Report of the run.
    #[serde(flatten)]
    pub(super) report: Report,
}

/// Speed of the simulator, over all runs.
#[derive(Serialize)]
pub(super) struct Figures {
    events: u64,
    seconds: f64,
    events_per_second: f64,
    /// The most memory that this process has had, in bytes, if the system tells.
    peak_memory_bytes: Option<u64>,
}

impl Figures {
    pub(super) fn of(reports: &[Report], elapsed: Duration) -> Self {
        let (events, seconds) =
            (reports.iter().map(|report| report.events).sum(), elapsed.as_secs_f64());
        Self {
            events,
            seconds,
            events_per_second: events as f64 / seconds,
            peak_memory_bytes: peak_memory_bytes(),
        }
    }
}

/// From Linux's account of this process, in KiB there.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?;
    Some(kib.parse::<u64>().ok()? * 1024)
}

impl Results {
    pub(super) fn new(
        scenario: &Scenario,
        seed: u64,
        reports: Vec<Report>,
        figures: Option<Figures>,
    ) -> Self {
        let values = scenario.runs.iter().map(|run| {
            // Whatever TOML can say, JSON can, but for dates, which no parameter is.
            run.values.iter().map(|value| serde_json::to_value(value).unwrap_or_default()).collect()
        });
        Self {
            netfold: env!("CARGO_PKG_VERSION"),
            title: scenario.title.clone(),
            seed,
            parameters: scenario.parameters.clone(),
            runs: values.zip(reports).map(|(values, report)| Run { values, report }).collect(),
            figures,
        }
    }

    pub(super) fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Rows of the table: each call of each job of each run.
    fn rows(&self) -> impl Iterator<Item = (&Run, &JobReport, &CallReport)> {
        let jobs =
            self.runs.iter().flat_map(|run| run.report.jobs.iter().map(move |job| (run, job)));
        jobs.flat_map(|(run, job)| job.calls.iter().map(move |call| (run, job, call)))
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = if self.title.is_empty() { "simulated" } else { &self.title };
        writeln!(f, "{title}; seed {}; all figures are simulated, in virtual time", self.seed)?;
        let figures = [
            "job",
            "system",
            "workers",
            "vector",
            "ms",
            "Gbit/s",
            "share of line rate",
            "sent again",
            "queries",
        ];
        let mut table = terminal::table(
            self.parameters.iter().map(String::as_str).chain(figures).collect::<Vec<_>>(),
        );
        let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
        let number = |number: Option<f64>, digits| {
            number.map_or("-".into(), |number| format!("{number:.digits$}"))
        };
        for (run, job, call) in self.rows() {
            let values = run.values.iter().map(shown);
            let cells = [
                job.name.clone(),
                shown(&serde_json::to_value(job.system).unwrap_or_default()),
                job.workers.to_string(),
                Size(call.bytes).to_string(),
                number(call.took_ms, 4),
                number(call.goodput_gbps, 2),
                number(call.line_rate_share, 3),
                job.retransmissions.to_string(),
                job.queries.to_string(),
            ];
            table.add_row(values.chain(cells).map(right));
        }
        for (run, flow) in
            self.runs.iter().flat_map(|run| run.report.traffic.iter().map(move |flow| (run, flow)))
        {
            let none = || "-".to_owned();
            let (bytes, gbps) = (Size(flow.bytes).to_string(), number(Some(flow.goodput_gbps), 2));
            let cells = [flow.name.clone(), none(), bytes, none(), gbps, none(), none(), none()];
            table.add_row(run.values.iter().map(shown).chain(cells).map(right));
        }
        writeln!(f, "{table}")?;
        for run in &self.runs {
            let Some(fairness) = run.report.fairness else { continue };
            let busiest = run.report.layers.iter().map(|layer| layer.busiest).fold(0.0, f64::max);
            let values: Vec<_> = self
                .parameters
                .iter()
                .zip(&run.values)
                .map(|(name, value)| format!("{name} = {}: ", shown(value)))
                .collect();
            writeln!(
                f,
                "{}fairness by weight (Jain) {fairness:.3}, busiest link {busiest:.3}",
                values.concat()
            )?;
        }
        if let Some(Figures { events, seconds, events_per_second, peak_memory_bytes }) =
            &self.figures
        {
            let memory = peak_memory_bytes
                .map_or("an unknown amount".into(), |bytes| Size(bytes).to_string());
            writeln!(
                f,
                "{events} events in {seconds:.2} s: {:.2} million per second; {memory} of memory at most",
                events_per_second / 1e6
            )?;
        }
        Ok(())
    }
}

/// A value as the scenario has it, texts without their quotes.
pub(super) fn shown(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
