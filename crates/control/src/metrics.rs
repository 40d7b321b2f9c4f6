//! The switch's counters for Prometheus, over HTTP.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use netfold_management::{OperationReport, StatsReport};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use tiny_http::{Header, Method, Request, Response, Server};
use tracing::{debug, info};

const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;

/// Serves `/metrics` until it is dropped.
pub struct Metrics {
    address: SocketAddr,
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
}

impl Metrics {
    /// Listens at `address` and answers each request with what `source` gives then; `None` means
    /// that the switch is stopping.
    /// [`ServerHandle::stats_source`](crate::ServerHandle::stats_source) is such a source.
    ///
    /// # Errors
    /// The system's, if it does not let us listen there or start a thread.
    pub fn serve(
        address: impl ToSocketAddrs,
        source: impl Fn() -> Option<StatsReport> + Send + 'static,
    ) -> io::Result<Self> {
        let server = Arc::new(Server::http(address).map_err(io::Error::other)?);
        let address = server.server_addr().to_ip().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let thread = thread::Builder::new().name("netfold-metrics".into()).spawn({
            let server = server.clone();
            move || server.incoming_requests().for_each(|request| answer(request, &source))
        })?;
        info!(%address, "metrics at http://{address}/metrics");
        Ok(Self { address, server, thread: Some(thread) })
    }

    /// Returns the address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Metrics {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            debug!("the metrics thread has panicked");
        }
    }
}

fn answer(request: Request, source: &impl Fn() -> Option<StatsReport>) {
    let plain = |text: &str, status: u16| Response::from_string(text).with_status_code(status);
    let response = match (request.method(), request.url()) {
        (Method::Get, "/metrics") => match source().map(|stats| render(&stats)) {
            Some(Ok(text)) => Response::from_string(text).with_header(content_type()),
            Some(Err(error)) => plain(&format!("the metrics could not be written: {error}\n"), 500),
            None => plain("the switch is stopping\n", 503),
        },
        _ => plain("metrics are at /metrics\n", 404),
    };
    if let Err(error) = request.respond(response) {
        debug!("answering a request for metrics: {error}");
    }
}

fn content_type() -> Header {
    Header::from_bytes("Content-Type", CONTENT_TYPE).expect("the content type is plain ASCII")
}

/// The report in the text form of OpenMetrics. Counters of a shard have its index as the label
/// `shard`, those of a job its name as the label `job`.
fn render(stats: &StatsReport) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix("netfold");
    let jobs = [("forming", stats.jobs_forming), ("running", stats.jobs_running)];
    let by_phase = jobs.map(|(phase, count)| (vec![("phase", phase.to_owned())], count as u64));
    gauges(&mut registry, "jobs", "Jobs", by_phase.into_iter());
    gauge(&mut registry, "workers", "Workers in jobs", stats.workers as u64);
    gauge(&mut registry, "connections", "Control connections", stats.connections as u64);

    let shards = || {
        stats
            .shards
            .iter()
            .enumerate()
            .map(|(index, shard)| (vec![("shard", index.to_string())], shard))
    };
    gauges(&mut registry, "slots", "Slots that jobs hold", shards().map(|(l, s)| (l, s.slots)));
    gauges(
        &mut registry,
        "memory_used_bytes",
        "Memory that jobs hold",
        shards().map(|(l, s)| (l, s.memory_used)),
    );
    gauges(
        &mut registry,
        "memory_total_bytes",
        "Memory that jobs may hold",
        shards().map(|(l, s)| (l, s.memory_total)),
    );

    counters(&mut registry, "shard", shards().map(|(labels, shard)| (labels, &shard.counters)));
    counters(
        &mut registry,
        "job",
        stats.jobs.iter().map(|(job, counters)| (vec![("job", job.clone())], counters)),
    );
    operations(&mut registry, &stats.operations);
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

/// Registers the work of users' operations, with the labels `job` and `operation`, and the
/// operation's number in its job, `number`.
fn operations(registry: &mut Registry, operations: &[OperationReport]) {
    type Total = fn(&OperationReport) -> u64;
    let totals: [(&str, &str, Total); 4] = [
        ("calls", "Calls of an operation of a user", |of| of.calls),
        ("bytes", "Bytes of operands that an operation of a user has folded", |of| of.bytes),
        ("traps", "Calls of an operation of a user that have trapped", |of| of.traps),
        ("time_us", "Microseconds of the calls of an operation of a user, as sampled", |of| {
            of.time_us
        }),
    ];
    for (name, help, total) in totals {
        let family = Family::<Labels, Counter>::default();
        for of in operations {
            let labels = [
                ("job", of.job.clone()),
                ("operation", of.name.clone()),
                ("number", of.number.to_string()),
            ];
            family.get_or_create(&labels.into()).inc_by(total(of));
        }
        registry.register(format!("operation_{name}"), help, family);
    }
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let gauge = Gauge::<i64>::default();
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
    registry.register(name, help, gauge);
}

fn gauges(
    registry: &mut Registry,
    name: &str,
    help: &str,
    values: impl Iterator<Item = (Labels, u64)>,
) {
    let family = Family::<Labels, Gauge>::default();
    for (labels, value) in values {
        family.get_or_create(&labels).set(i64::try_from(value).unwrap_or(i64::MAX));
    }
    registry.register(name, help, family);
}

/// Registers a family for each counter name, `SCOPE_NAME`, with one member for each set of labels.
fn counters<'a>(
    registry: &mut Registry,
    scope: &str,
    members: impl Iterator<Item = (Labels, &'a BTreeMap<String, u64>)>,
) {
    let mut families = BTreeMap::<&str, Family<Labels, Counter>>::new();
    for (labels, counters) in members {
        for (name, &value) in counters {
            families.entry(name).or_default().get_or_create(&labels).inc_by(value);
        }
    }
    for (name, family) in families {
        registry.register(
            format!("{scope}_{name}"),
            format!("Total of {} of a {scope}", name.replace('_', " ")),
            family,
        );
    }
}
