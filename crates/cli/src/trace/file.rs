//! Chrome's trace format, which Perfetto reads: JSON with events in microseconds. All of a
//! machine's processes tell time by its monotonic clock, so that their files can be put together.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Instant;

use netfold_glm::{Stage, Trace};
use netfold_net::{Kind, RoundTimes, clock_zero};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::output::Output;

/// First process of the format that runs slots: those of a switch by its port, at last those in
/// shared memory. Processes below it are workers, by their ranks.
const FIRST_SWITCH: u32 = 1 << 16;
const SHARED_SLOTS: u32 = 2 * FIRST_SWITCH;

/// Slots of a flow have 16-bit numbers.
const SLOTS: u32 = 1 << 16;

/// Contents of a trace file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraceFile {
    trace_events: Vec<Event>,
    #[serde(default = "nanoseconds")]
    display_time_unit: Cow<'static, str>,
}

/// An event with a beginning and an end, or a name of a process.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Event {
    name: Cow<'static, str>,
    ph: Cow<'static, str>,
    pid: u32,
    tid: u32,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    args: Arguments,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
struct Arguments {
    /// Name of a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    stage: Option<StageArguments>,
    #[serde(flatten)]
    round: Option<RoundArguments>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct StageArguments {
    step: u64,
    micro_batch: u32,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct RoundArguments {
    job: u16,
    flow: u16,
    slot: u16,
    position: u32,
}

/// Runner of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slots {
    /// A switch that listens at this port.
    Switch(u16),
    /// Workers, each the rounds that it has completed.
    Shared,
}

impl Default for TraceFile {
    fn default() -> Self {
        Self { trace_events: Vec::new(), display_time_unit: nanoseconds() }
    }
}

impl TraceFile {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let refused = |source| Error::File { what: "the trace", path: path.to_owned(), source };
        let file = File::open(path).map_err(refused)?;
        serde_json::from_reader(BufReader::new(file)).map_err(|error| refused(error.into()))
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        self.write_to(&Output::at(path)?)
    }

    /// Writes a file to a place that has been looked at.
    pub(crate) fn write_to(&self, output: &Output) -> Result<(), Error> {
        output.write(|writer| Ok(serde_json::to_writer(writer, self)?))
    }

    /// Adds what a worker did.
    pub(crate) fn add_worker(&mut self, rank: u16, trace: &Trace) {
        let pid = rank.into();
        self.trace_events.push(Event::process(pid, format!("worker {rank}")));
        self.trace_events.extend(trace.events().iter().map(|event| {
            let &netfold_glm::Event { stage, step, micro_batch, start, end } = event;
            // Folds overlap the rest, and one another.
            let tid = if stage == Stage::Fold { 1 + micro_batch } else { 0 };
            let args = Arguments {
                stage: Some(StageArguments { step, micro_batch }),
                ..Arguments::default()
            };
            Event { tid, args, ..Event::new(pid, stage.name(), [start, end].map(micros)) }
        }));
    }

    /// Adds rounds of slots.
    pub(crate) fn add_rounds(&mut self, slots: Slots, rounds: &[RoundTimes]) {
        let (pid, title) = match slots {
            Slots::Switch(port) => {
                (FIRST_SWITCH + u32::from(port), format!("switch at port {port}"))
            }
            Slots::Shared => (SHARED_SLOTS, "slots in shared memory".to_owned()),
        };
        self.trace_events.push(Event::process(pid, title));
        self.trace_events.extend(rounds.iter().map(|round| {
            let &RoundTimes { job, flow, slot, position, kind, acknowledges, start, end, .. } =
                round;
            let name = match kind {
                _ if acknowledges => "acknowledgement",
                Kind::Exponents => "exponents",
                Kind::Classes => "classes",
                Kind::Values => "round",
                Kind::Refold => "refold",
            };
            let tid = u32::from(flow) * SLOTS + u32::from(slot.0);
            let round = RoundArguments { job: job.0, flow, slot: slot.0, position: position.0 };
            let args = Arguments { round: Some(round), ..Arguments::default() };
            Event { tid, args, ..Event::new(pid, name, [start, end].map(micros)) }
        }));
    }

    /// Adds what is in another file.
    pub(crate) fn append(&mut self, other: Self) {
        let (names, events): (Vec<_>, Vec<_>) =
            other.trace_events.into_iter().partition(|event| !event.is_complete());
        let new: Vec<_> =
            names.into_iter().filter(|name| !self.trace_events.contains(name)).collect();
        self.trace_events.extend(new);
        self.trace_events.extend(events);
    }

    /// The names of all that stand in one file of a run only: workers and switches. Slots in shared
    /// memory stand in those of several workers.
    pub(crate) fn writers(&self) -> impl Iterator<Item = String> {
        let named = self
            .trace_events
            .iter()
            .filter(|event| !event.is_complete() && event.pid != SHARED_SLOTS);
        named.filter_map(|event| event.args.name.clone())
    }

    /// Returns the events of each worker, by its rank.
    pub(crate) fn workers(&self) -> BTreeMap<u32, Vec<&Event>> {
        let mut workers = BTreeMap::<_, Vec<_>>::new();
        for event in
            self.trace_events.iter().filter(|event| event.is_complete() && event.pid < FIRST_SWITCH)
        {
            workers.entry(event.pid).or_default().push(event);
        }
        workers
    }

    /// Rounds of slots.
    pub(crate) fn rounds(&self) -> usize {
        self.trace_events
            .iter()
            .filter(|event| event.is_complete() && event.pid >= FIRST_SWITCH)
            .count()
    }
}

impl Event {
    fn new(pid: u32, name: &'static str, [start, end]: [f64; 2]) -> Self {
        let args = Arguments::default();
        Self { name: name.into(), ph: "X".into(), pid, tid: 0, ts: start, dur: end - start, args }
    }

    fn process(pid: u32, name: String) -> Self {
        let args = Arguments { name: Some(name), ..Arguments::default() };
        Self { name: "process_name".into(), ph: "M".into(), pid, tid: 0, ts: 0.0, dur: 0.0, args }
    }

    fn is_complete(&self) -> bool {
        self.ph == "X"
    }

    /// From when until when, in microseconds.
    pub(crate) fn span(&self) -> (f64, f64) {
        (self.ts, self.ts + self.dur)
    }

    pub(crate) fn is_fold(&self) -> bool {
        self.name == Stage::Fold.name()
    }

    pub(crate) fn is_computation(&self) -> bool {
        Stage::ALL.into_iter().any(|stage| stage.computes() && self.name == stage.name())
    }
}

/// Since the clock of all processes began.
fn micros(at: Instant) -> f64 {
    at.saturating_duration_since(clock_zero()).as_nanos() as f64 / 1e3
}

fn nanoseconds() -> Cow<'static, str> {
    "ns".into()
}
