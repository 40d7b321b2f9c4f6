//! The reasons why a cluster cannot be simulated.

use netfold_switch::AdmissionError;
use netfold_worker::PlanError;
use thiserror::Error;

/// An error in a setup or a scenario, and the remedy.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that is no scenario.
    #[error("{0}")]
    Toml(String),
    /// A file that is no trace of an MPI program.
    #[error("{file}, line {number}, is not of a trace of MPI calls: {why}")]
    Trace {
        /// The file.
        file: String,
        /// The line, from 1.
        number: usize,
        /// The reason.
        why: String,
    },
    /// A trace without calls.
    #[error(
        "there is no call of a collective in the trace; run the program with netfold mpirun and NETFOLD_MPI_TRACE"
    )]
    EmptyTrace,
    /// A number that is no share.
    #[error("{what} = {share} is no share; give a number from 0 to 1")]
    Share {
        /// The key.
        what: &'static str,
        /// Its value.
        share: f64,
    },
    /// A number that is no cost.
    #[error("{what} = {cost} is no cost; give nanoseconds, 0 or more")]
    Cost {
        /// The key.
        what: &'static str,
        /// Its value.
        cost: f64,
    },
    /// A number that cannot be.
    #[error("{what} = {value} cannot be; give {instead}")]
    Number {
        /// The key.
        what: &'static str,
        /// Its value.
        value: String,
        /// The possible values.
        instead: &'static str,
    },
    /// A time that is over before it begins.
    #[error(
        "{what} ends at {until_us} us, before it begins at {from_us} us; give a later until_us"
    )]
    Period {
        /// The fault or flow with this period.
        what: String,
        /// Its beginning, in microseconds.
        from_us: u64,
        /// Its end, in microseconds.
        until_us: u64,
    },
    /// More nodes than the simulator takes.
    #[error(
        "the cluster has no hosts, or more than {most} nodes; give other fan_outs or dimensions"
    )]
    Nodes {
        /// Most nodes.
        most: u32,
    },
    /// Something that is not there.
    #[error("{what} {index} is not there: there are {count}, counted from 0")]
    Missing {
        /// Its kind.
        what: &'static str,
        /// The one asked for.
        index: u64,
        /// Number of those that are there.
        count: u64,
    },
    /// A job on hosts that are not there.
    #[error(
        "job {job}: hosts {first} to {last} are not all there, there are {hosts}; give fewer workers or a larger fan_out"
    )]
    Hosts {
        /// The job.
        job: String,
        /// Its first host.
        first: u32,
        /// Its last.
        last: u64,
        /// Hosts of the cluster.
        hosts: u32,
    },
    /// More flows than pipelines.
    #[error(
        "job {job} has {flows} flows and its switches have {pipelines} pipelines, one for each; give switches.pipelines = {flows}"
    )]
    Flows {
        /// The job.
        job: String,
        /// Its flows.
        flows: u16,
        /// Pipelines of a switch.
        pipelines: u16,
    },
    /// Lanes simulated that do not stand for a packet's.
    #[error(
        "job {job}: {lanes} simulated lanes do not stand for packets of {payload_bytes} bytes; give an even number that divides their lanes of 4 bytes"
    )]
    Lanes {
        /// The job.
        job: String,
        /// Lanes simulated.
        lanes: u16,
        /// Bytes of a packet's lanes.
        payload_bytes: u32,
    },
    /// A call that a probe cannot make.
    #[error(
        "job {job}: {call} cannot be made of probes, which are sums in lanes of i32; give content = \"real\""
    )]
    Probe {
        /// The job.
        job: String,
        /// The call.
        call: String,
    },
    /// A call that cannot be made.
    #[error("job {job}: {source}")]
    Plan {
        /// The job.
        job: String,
        /// The reason.
        source: PlanError,
    },
    /// A job that a switch does not take.
    #[error("job {job}: {source}")]
    Admission {
        /// The job.
        job: String,
        /// The reason.
        source: AdmissionError,
    },
    /// Inputs of a wrong length.
    #[error("job {job}: rank {rank} has {given} bytes of input for {call}, which takes {needed}")]
    Input {
        /// The job.
        job: String,
        /// The rank.
        rank: u16,
        /// The call.
        call: String,
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: u64,
    },
    /// Something that a peer of netfold's does not do.
    #[error("job {job}: {what}; {instead}")]
    Peer {
        /// The job.
        job: String,
        /// The feature that it lacks.
        what: &'static str,
        /// The remedy.
        instead: &'static str,
    },
    /// Jobs that the switches' hardware does not take.
    #[error("job {job}: the switches' hardware does not run it: {why}")]
    Hardware {
        /// The job, or all that share a switch.
        job: String,
        /// The reason.
        why: String,
    },
    /// Damage that nothing would find.
    #[error(
        "job {job}: corruption needs packets that prove themselves; give integrity = \"checksum\" or \"token\""
    )]
    Unproven {
        /// The job.
        job: String,
    },
    /// A job that does not go with, or without, a management plane.
    #[error("job {job}: {what}")]
    Managed {
        /// The job.
        job: String,
        /// The conflict, and the remedy.
        what: &'static str,
    },
    /// A claim of a plan about something that the plan does not find out.
    #[error("claim {what:?}: nothing is called {name:?}; the plan finds out {known}")]
    Claim {
        /// The claim.
        what: String,
        /// The name that it gives.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A run of a plan that has gone wrong.
    #[error(
        "run {run} of the plan, from seed {seed}, has not ended well; allow it more time (until_ms), or report this as a fault of netfold"
    )]
    Unwell {
        /// Number of the run, counted from 1.
        run: usize,
        /// Its seed.
        seed: u64,
    },
    /// A sweep that cannot be made.
    #[error("sweep over {path:?}: {why}")]
    Sweep {
        /// The path of the parameter.
        path: String,
        /// The reason.
        why: String,
    },
}
