//! One worker of a benchmark.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use netfold_net::{
    Call, Collective, Communicator, ElementType, JoinRequest, Operation, Reduction, Transport,
    Waiting,
};
use netfold_settings::{Program, Settings, Value};
use serde::{Deserialize, Serialize};

use super::vector::Vectors;
use crate::waiting::Wait;

/// Time that one call may take. A worker or switch that is lost is noticed long before.
pub(super) const CALL_TIMEOUT: Option<Duration> = Some(Duration::from_secs(300));

/// Interval at which rank 0 reports its progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Orders for a worker.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The job, its workers, and this one's rank.
    pub job: String,
    /// See `job`.
    pub rank: u16,
    /// See `job`.
    pub workers: u16,
    /// Type of the vector's elements.
    pub element_type: String,
    /// `urgent` or `bulk`; the length decides without it.
    #[serde(default)]
    pub priority: Option<String>,
    /// Bytes of the vectors.
    pub sizes: Vec<u64>,
    /// Timed calls for each size.
    pub iterations: u32,
    /// Socket of who commands the rounds; then `sizes` and `iterations` mean nothing.
    #[serde(default)]
    pub controller: Option<PathBuf>,
    /// Settings of the worker, by their keys; those that are missing have their defaults.
    #[serde(flatten)]
    pub settings: BTreeMap<String, Value>,
}

/// Event that a worker reports.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// All workers are there.
    Joined(Agreed),
    /// So many timed calls are done, over all sizes. Rank 0 only.
    Progress(u64),
    /// The end: everything was right, and took so long, by size.
    Done(Vec<Measured>),
    /// The end: something went wrong.
    Failed(String),
}

/// Parameters that the job has agreed on.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Agreed {
    /// Transport to the slots.
    pub transport: Transport,
    /// Flows of a worker: over UDP one for each core of the switch.
    pub flows: u16,
    /// Slots of each flow.
    pub slots: u16,
    /// Bytes of lanes of a packet.
    pub payload_bytes: u32,
    /// One system call sends several datagrams.
    pub segmentation: bool,
}

/// Measurements of a worker with one size.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// Time of each call.
    pub nanoseconds: Vec<u64>,
    /// Datagrams sent again in these calls.
    pub retransmissions: u64,
    /// Datagrams sent in these calls and the barriers between them.
    pub packets_sent: u64,
    /// System calls that sent them.
    pub send_calls: u64,
}

impl Event {
    /// Returns whether nothing follows.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Failed(_))
    }
}

/// Carries out the orders. `go_on` may end the wait for the other workers. The last event is
/// `Done`, and then this returns `true`, or `Failed`.
pub(crate) fn work(
    orders: &Orders,
    go_on: impl Fn() -> ControlFlow<()>,
    tell: impl Fn(Event),
) -> bool {
    let connected = connect(orders, go_on);
    // The communicator lives until the end is told, so that a failure is told before the others
    // hear that this worker has left.
    let measured =
        connected.as_ref().map_err(String::clone).and_then(|comm| measure(orders, comm, &tell));
    let good = measured.is_ok();
    tell(measured.map_or_else(Event::Failed, Event::Done));
    good
}

/// Joins the job of these orders. While others are missing it says so, and `go_on` may end the
/// wait.
pub(super) fn connect(
    orders: &Orders,
    go_on: impl Fn() -> ControlFlow<()>,
) -> Result<Communicator, String> {
    let mut wait = Wait::new(&orders.job, orders.rank, Duration::MAX);
    let waiting = |now: &Waiting| {
        go_on()?;
        wait.see(now)
    };
    let (settings, request) = joining(orders).map_err(|error| error.to_string())?;
    let switch = settings.switch.as_deref().unwrap_or_default();
    Communicator::connect_on(settings.pin.as_ref(), switch, request, waiting)
        .map_err(|error| error.to_string())
}

/// Returns the settings of these orders, and the request that they make.
pub(crate) fn joining(orders: &Orders) -> Result<(Settings, JoinRequest), netfold_settings::Error> {
    let given = orders.settings.iter().map(|(key, value)| (key.as_str(), value));
    let settings = Settings::of(Program::Bench, given)?;
    let request = settings.request(&orders.job, orders.rank, orders.workers)?;
    Ok((settings, request))
}

/// Parses a name in the orders.
pub(super) fn parse<T: FromStr<Err: ToString>>(name: &str) -> Result<T, String> {
    name.parse().map_err(|error: T::Err| error.to_string())
}

fn measure(
    orders: &Orders,
    comm: &Communicator,
    tell: &impl Fn(Event),
) -> Result<Vec<Measured>, String> {
    let stats = comm.stats().map_err(|error| error.to_string())?;
    tell(Event::Joined(Agreed {
        transport: stats.transport,
        flows: stats.flows,
        slots: stats.slots.max(stats.long_slots),
        payload_bytes: stats.payload_bytes,
        segmentation: stats.segmentation,
    }));
    let mut progress = Progress { done: 0, told: Instant::now() };
    let vectors = Vectors {
        element_type: parse(&orders.element_type)?,
        workers: orders.workers,
        arithmetic: comm.arithmetic(),
    };
    let mut all = Vec::new();
    for &bytes in &orders.sizes {
        let mut count = || {
            if let Some(done) = progress.step()
                && orders.rank == 0
            {
                tell(Event::Progress(done));
            }
        };
        all.push(measure_size(orders, comm, &vectors, bytes, &mut count)?);
    }
    Ok(all)
}

fn measure_size(
    orders: &Orders,
    comm: &Communicator,
    vectors: &Vectors,
    bytes: u64,
    count: &mut impl FnMut(),
) -> Result<Measured, String> {
    let elements = bytes / vectors.element_type.bytes() as u64;
    let call = all_reduce(vectors.element_type, elements);
    let input = vectors.input(orders.rank, elements);
    let mut output = vec![0; input.len()];
    let fold = |output: &mut [u8]| {
        comm.run(call, &input, output, CALL_TIMEOUT).map_err(|error| error.to_string())
    };
    // Not timed: the memory is touched for the first time, and the stream may start with exponents.
    fold(&mut output)?;
    let before = comm.stats().map_err(|error| error.to_string())?;
    let mut measured = Measured::default();
    for iteration in 1..=orders.iterations {
        if iteration == orders.iterations {
            // So that what is checked below is this call's result.
            output.fill(0xff);
        }
        comm.run(Call::BARRIER, &[], &mut [], CALL_TIMEOUT).map_err(|error| error.to_string())?;
        let start = Instant::now();
        fold(&mut output)?;
        measured.nanoseconds.push(start.elapsed().as_nanos() as u64);
        count();
    }
    let after = comm.stats().map_err(|error| error.to_string())?;
    vectors.check(&output)?;
    measured.retransmissions = after.counters.retransmissions - before.counters.retransmissions;
    measured.packets_sent = after.counters.packets_sent - before.counters.packets_sent;
    measured.send_calls = after.send_calls - before.send_calls;
    Ok(measured)
}

/// The call that is measured.
pub(crate) fn all_reduce(element_type: ElementType, elements: u64) -> Call {
    let (collective, reduction) = (Collective::AllReduce, Reduction::Fold(Operation::Sum));
    Call { collective, reduction, element_type, elements, priority: None }
}

/// Timed calls, told now and then.
struct Progress {
    done: u64,
    told: Instant,
}

impl Progress {
    /// Counts one. Returns how many there are if it is time to tell.
    fn step(&mut self) -> Option<u64> {
        self.done += 1;
        (self.told.elapsed() >= PROGRESS_INTERVAL).then(|| {
            self.told = Instant::now();
            self.done
        })
    }
}
