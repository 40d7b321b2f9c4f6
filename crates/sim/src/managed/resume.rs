//! The way of a worker to the next life of its job when its switch is lost (R-RES-2 to 7).

use std::time::Duration;

use netfold_control::{
    Attempt, ClientError, Ending, Failover, FlowRounds, JoinRequest, Onward, Rejection, Replay, Resume, Welcome,
};
use netfold_worker::CallId;

use super::plane::address;
use super::{Happening, Managed, Who};
use crate::cluster::Cluster;
use crate::core::Work;
use crate::events::Event;
use crate::time::Time;

/// Where a worker is between the lives of its job. It has one switch, the one above its host, which may start again.
pub(super) struct Passage {
    failover: Failover,
    /// What began its present life, or the one that has ended.
    life: Option<Welcome>,
    /// Why that has ended, as long as the next one has not begun.
    ending: Option<Ending>,
}

impl Passage {
    /// Of a worker whose job has this time-out.
    pub(super) fn new(timeout: Duration) -> Self {
        Self { failover: Failover::new(1, 0, timeout), life: None, ending: None }
    }

    /// A life of its job has begun.
    pub(super) fn begin(&mut self, life: Welcome) {
        self.failover.joined();
        (self.life, self.ending) = (Some(life), None);
    }

    /// Whether the worker is between two lives.
    pub(super) fn is_under_way(&self) -> bool {
        self.ending.is_some()
    }

    /// Takes note that a life has come to this, and whether another one can follow. No job here is elastic.
    pub(super) fn leads_on(&mut self, request: &JoinRequest, ending: &Ending) -> bool {
        self.failover.onward(request, ending) == Some(Onward::Switch)
    }
}

impl Managed {
    /// R-RES-2: a worker suspends its streams, and is on its way.
    pub(super) fn depart(&mut self, process: u32, ending: Ending, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let Some(before) = &worker.passage.life else { return };
        let (job, now) = (usize::from(worker.job), cluster.now);
        let mut flows = Vec::new();
        for flow in 0..cluster.jobs[job].setup.flows {
            let number = cluster.jobs[job].endpoint(worker.rank, flow);
            cluster.hosts.collect(number, &mut cluster.jobs, now);
            let endpoint = &mut cluster.hosts.endpoints[number as usize];
            endpoint.suspend();
            let rounds = endpoint.streams().into_iter().flat_map(|streams| streams.last_rounds());
            flows.push(FlowRounds::new(rounds.map(|round| round.0)));
        }
        worker.request = worker.request.again(before, Resume { epoch: before.epoch, flows, regroup: None });
        let first = worker.passage.failover.lost(now.us(), &ending);
        worker.passage.ending = Some(ending);
        schedule(process, first, cluster);
    }

    /// A worker on its way tries its switch.
    pub(super) fn attempt(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        if worker.record.outcome.is_none() {
            let name = self.name_of(Who::Process(process));
            self.log(cluster.now, || format!("{name} tries its switch"));
            self.connect(process, cluster);
        }
    }

    /// The switch does not take a worker again, now or at all.
    pub(super) fn turned_away(&mut self, process: u32, why: Rejection, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let switch = address(cluster.topology.parent(worker.node).unwrap_or(0)).to_string();
        match worker.passage.failover.turned_away(cluster.now.us(), &ClientError::rejected(&switch, why)) {
            Some(next) => schedule(process, next, cluster),
            None => self.give_up(process, cluster),
        }
    }

    /// The next life has begun, and a worker is in it.
    pub(super) fn arrive(&mut self, process: u32, welcome: Welcome, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        for flow in 0..welcome.shards.len() as u16 {
            let job = &cluster.jobs[usize::from(worker.job)];
            let number = job.endpoint(worker.rank, flow);
            let config = worker.request.stream(&welcome, flow, welcome.shards.len() as u16, job.setup.timing);
            let replays = Replay::on_flow(&welcome.replays, flow);
            let endpoint = &mut cluster.hosts.endpoints[number as usize];
            if endpoint.resume(config, &replays).is_err() {
                if let Some(member) = &mut worker.member {
                    member.abandon();
                }
                return self.give_up(process, cluster);
            }
            let core = endpoint.core;
            cluster.give(core, Work::Look { endpoint: number });
        }
        worker.passage.begin(welcome);
        worker.record.resumed += 1;
        self.make_calls(process, cluster);
    }

    /// R-RES-7: no switch has the job, and its calls fail for what has ended its last life.
    fn give_up(&mut self, process: u32, cluster: &mut Cluster) {
        if let Some(ending) = self.processes[process as usize].passage.ending.take() {
            self.end_calls(process, CallId(0), &ending, cluster);
        }
    }
}

fn schedule(process: u32, next: Attempt, cluster: &mut Cluster) {
    let at = Time::from_us(next.at_us).max(cluster.now);
    cluster.network.events.schedule(at, Event::Managed(Happening::Attempt { process }));
}
