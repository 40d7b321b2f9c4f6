//! A cluster's answers about its management plane, and that plane's effects on the cluster.

use netfold_worker::{CallId, Streams, calls_at_return};

use super::{Leaks, WorkerRecord};
use crate::build;
use crate::cluster::Cluster;
use crate::content::Elements;
use crate::core::Work;
use crate::time::Time;

impl Cluster {
    /// Returns the record of a worker, if there is a management plane.
    pub fn worker(&self, job: usize, rank: u16) -> Option<&WorkerRecord> {
        self.managed.as_ref()?.record(job, rank)
    }

    /// Counts the resources that the management plane still holds at switches that run. Without a
    /// management plane, all counts are zero.
    pub fn leaks(&mut self) -> Leaks {
        let Some(managed) = self.managed.take() else { return Leaks::default() };
        let left = managed.leaks(self);
        self.managed = Some(managed);
        left
    }

    /// The most bytes that a pipeline has held, if there is a management plane to admit jobs.
    pub fn peak_memory(&self) -> u64 {
        self.switches.peak_memory
    }

    /// Notes from now on what the management plane hears and does, for [`Cluster::log`].
    pub fn keep_log(&mut self) {
        if let Some(managed) = &mut self.managed {
            managed.keep_log();
        }
    }

    /// Returns the log of what the management plane has heard and done since [`Cluster::keep_log`].
    pub fn log(&self) -> &[String] {
        self.managed.as_ref().map_or(&[], |managed| managed.notes())
    }

    /// Returns the first time, now or later, at which a node does not stall.
    pub(crate) fn awake_at(&self, node: u32) -> Time {
        let core = match node.checked_sub(self.topology.switches()) {
            None => node as usize * usize::from(self.setup.switches.pipelines),
            Some(host) => {
                self.switches.shards.len() + host as usize * usize::from(self.setup.hosts.cores)
            }
        };
        self.cores[core].awake_at(self.now)
    }

    /// The pipelines of a switch start anew, unless it is stopped for longer. Returns whether they
    /// do.
    pub(crate) fn start_pipelines(&mut self, switch: u32) -> bool {
        let pipelines = usize::from(self.switches.pipelines);
        let first = switch as usize * pipelines;
        if self.cores[first].has_stopped(self.now) {
            return false;
        }
        for index in first..first + pipelines {
            // Work that waited for the process has gone with it.
            self.drops.stopped += self.cores[index].discard(&mut self.network.pool);
            self.switches.shards[index] = build::shard(&self.setup);
        }
        self.switches.ports[switch as usize].clear();
        true
    }

    /// A worker makes its part of a call on a flow.
    pub(crate) fn begin_call(&mut self, job: usize, rank: u16, flow: u16, call: CallId) {
        let endpoint = self.jobs[job].endpoint(rank, flow);
        self.hosts.submit(endpoint, call.0 as u32, &self.jobs);
        self.give(self.hosts.endpoints[endpoint as usize].core, Work::Look { endpoint });
    }

    /// Returns whether a worker has rounds to replay (R-RES-5).
    pub(crate) fn is_replaying(&self, job: usize, rank: u16) -> bool {
        let flows = 0..self.jobs[job].setup.flows;
        let mut endpoints =
            flows.map(|flow| &self.hosts.endpoints[self.jobs[job].endpoint(rank, flow) as usize]);
        endpoints.any(|endpoint| endpoint.streams().is_some_and(Streams::is_replaying))
    }

    /// Returns the calls for which a worker is to ask for lent slots now (R-CTRL-25).
    pub(crate) fn slot_requests(&mut self, job: usize, rank: u16) -> Vec<u64> {
        self.each_flow(job, rank, Streams::poll_slot_request).flatten().collect()
    }

    /// Takes a worker's lent slots from it. Returns the number of calls that have needed them, or
    /// `None` if a flow does.
    pub(crate) fn return_slots(&mut self, job: usize, rank: u16) -> Option<u64> {
        calls_at_return(self.each_flow(job, rank, Streams::return_slots).collect::<Vec<_>>())
    }

    /// A flow of a job's worker is told the switch's answer about a call that needs lent slots.
    pub(crate) fn take_slot_answer(
        &mut self,
        (job, rank, flow): (usize, u16, u16),
        call: u64,
        lent: bool,
    ) {
        let endpoint = self.jobs[job].endpoint(rank, flow);
        if let Some(streams) = self.hosts.endpoints[endpoint as usize].streams_mut() {
            streams.take_slot_answer(call, lent);
        }
        self.give(self.hosts.endpoints[endpoint as usize].core, Work::Look { endpoint });
    }

    /// Has each flow of a worker do something.
    fn each_flow<R>(
        &mut self,
        job: usize,
        rank: u16,
        act: impl Fn(&mut Streams<Elements>) -> R,
    ) -> impl Iterator<Item = R> {
        let flows = 0..self.jobs[job].setup.flows;
        flows.filter_map(move |flow| {
            let endpoint = self.jobs[job].endpoint(rank, flow);
            self.hosts.endpoints[endpoint as usize].streams_mut().map(&act)
        })
    }

    /// A call in words, the same at every worker that makes it; `None` if this worker does not have
    /// it in progress.
    pub(crate) fn call_in_progress(&self, job: usize, rank: u16, call: CallId) -> Option<String> {
        let flows = 0..self.jobs[job].setup.flows;
        let endpoint = |flow| &self.hosts.endpoints[self.jobs[job].endpoint(rank, flow) as usize];
        flows.map(endpoint).find_map(|endpoint| endpoint.streams()?.call(call))
    }
}
