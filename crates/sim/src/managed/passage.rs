//! The way of a worker's streams from one life of its job to the next (R-RES).

use netfold_control::{Attempt, FlowRounds, Participant, Replay};
use netfold_worker::ResumeError;

use super::{Happening, Managed, Who};
use crate::cluster::Cluster;
use crate::core::Work;
use crate::events::Event;
use crate::time::Time;

impl Managed {
    /// R-RES-2: streams neither send nor take anything from now on. Gives the last rounds of each flow.
    pub(super) fn suspend(&mut self, process: u32, cluster: &mut Cluster) -> Vec<FlowRounds> {
        let worker = &self.processes[process as usize];
        let (job, rank, now) = (usize::from(worker.job), worker.rank, cluster.now);
        let mut flows = Vec::new();
        for flow in 0..cluster.jobs[job].setup.flows {
            let number = cluster.jobs[job].endpoint(rank, flow);
            cluster.hosts.collect(number, &mut cluster.jobs, now);
            let endpoint = &mut cluster.hosts.endpoints[number as usize];
            endpoint.suspend();
            let rounds = endpoint.streams().into_iter().flat_map(|streams| streams.last_rounds());
            flows.push(FlowRounds::new(rounds.map(|round| round.0)));
        }
        // What is done is known to be done: the worker goes by what is in progress (R-RES-9).
        self.settle_hosts(cluster);
        flows
    }

    /// R-RES-6: suspended streams go on, with the rounds to replay.
    pub(super) fn resume(&mut self, process: u32, cluster: &mut Cluster) -> Result<(), ResumeError> {
        let worker = &self.processes[process as usize];
        let Some(part) = &worker.part else { return Ok(()) };
        let (request, welcome) = (part.request(), part.welcome());
        let flows = welcome.shards.len() as u16;
        for flow in 0..flows {
            let job = &cluster.jobs[usize::from(worker.job)];
            let number = job.endpoint(worker.rank, flow);
            let config = request.stream(welcome, flow, flows, job.setup.timing);
            let endpoint = &mut cluster.hosts.endpoints[number as usize];
            endpoint.resume(config, &Replay::on_flow(&welcome.replays, flow))?;
            let core = endpoint.core;
            cluster.give(core, Work::Look { endpoint: number });
        }
        Ok(())
    }

    /// A worker on its way tries a switch.
    pub(super) fn attempt(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        if worker.record.outcome.is_none() && worker.part.as_ref().is_some_and(Participant::is_away) {
            let name = self.name_of(Who::Process(process));
            self.log(cluster.now, || format!("{name} tries its switch"));
            self.connect(process, cluster);
        }
    }
}

pub(super) fn schedule(process: u32, next: Attempt, cluster: &mut Cluster) {
    let at = Time::from_us(next.at_us).max(cluster.now);
    cluster.network.events.schedule(at, Event::Managed(Happening::Attempt { process }));
}
