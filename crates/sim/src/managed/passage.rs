//! The way of a worker's streams from one epoch of its job to the next (R-RES).

use netfold_management::{Attempt, FlowRounds, Participant, Replay};
use netfold_worker::ResumeError;

use super::{Managed, ManagementEvent, Who};
use crate::cluster::Cluster;
use crate::core::Work;
use crate::events::Event;
use crate::time::Time;

impl Managed {
    /// R-RES-2: streams neither send nor take anything from now on. Gives the last rounds of each
    /// flow.
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
        // Calls that are done are known to be done: the worker goes by those in progress (R-RES-9).
        self.settle_hosts(cluster);
        flows
    }

    /// R-RES-6: suspended streams go on, with the rounds to replay.
    pub(super) fn resume(
        &mut self,
        process: u32,
        cluster: &mut Cluster,
    ) -> Result<(), ResumeError> {
        let worker = &self.processes[process as usize];
        let Some(part) = &worker.part else { return Ok(()) };
        let (request, welcome) = (part.request(), part.welcome());
        let (flows, leg) = (welcome.shards.len() as u16, worker.leg(&cluster.topology));
        for flow in 0..flows {
            let job = &cluster.jobs[usize::from(worker.job)];
            let number = job.endpoint(worker.rank, flow);
            let config = request.stream(welcome, flow, flows, job.setup.timing);
            let endpoint = &mut cluster.hosts.endpoints[number as usize];
            endpoint.leg = leg;
            endpoint.resume(config, &Replay::on_flow(&welcome.replays, flow))?;
            let core = endpoint.core;
            cluster.give(core, Work::Look { endpoint: number });
        }
        Ok(())
    }

    /// A worker tries the switch that comes next.
    pub(super) fn attempt(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        let looks = worker.part.as_ref().is_none_or(Participant::is_away);
        if worker.record.outcome.is_none() && looks {
            let (name, at) = (self.name_of(Who::Process(process)), worker.at);
            self.log(cluster.now, || format!("{name} tries switch {at} of its list"));
            self.connect(process, cluster);
        }
    }

    /// A worker is to try a switch of its list.
    pub(super) fn schedule_attempt(&mut self, process: u32, next: Attempt, cluster: &mut Cluster) {
        self.processes[process as usize].at = next.switch;
        let at = Time::from_us(next.at_us).max(cluster.now);
        cluster.network.events.schedule(at, Event::Managed(ManagementEvent::Attempt { process }));
    }
}
