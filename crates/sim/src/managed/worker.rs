//! What workers do: join, make their calls, heed what they are told, and go.

use std::net::SocketAddr;

use netfold_control::{ConnectionId, Ending, LocalSockets, Membership, Notice, Outgoing, Progress, Welcome};
use netfold_wire::{Position, SlotIndex};
use netfold_worker::{CallId, Streams};

use super::pipe::{Item, LOWER};
use super::plane::{SWITCH_PORT, address, worker_ports};
use super::process::{Outcome, Process};
use super::{BUFFER_BYTES, MAX_DATAGRAM, Managed, Who};
use crate::cluster::Cluster;
use crate::machine::Machine;

impl Managed {
    /// A process starts.
    pub(super) fn start(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        if worker.record.outcome.is_none() {
            self.connect(process, cluster);
        }
    }

    /// A worker connects to the switch above its host, for what it asks for.
    pub(super) fn connect(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let switch = cluster.topology.parent(worker.node).unwrap_or(0);
        let at = SocketAddr::new(address(switch), SWITCH_PORT);
        worker.member = Some(Membership::new(cluster.now.us(), at, worker.request.clone()));
        // A worker has one connection, and needs no name for it.
        let lower = (Who::Process(process), worker.node, ConnectionId(0));
        worker.pipe = Some(self.pipes.connect(lower, switch, (&mut cluster.network.events, cluster.now)));
        self.at_worker(process, cluster, |_| ());
    }

    /// Has a worker's machine do something, and does what comes of it.
    pub(super) fn at_worker(&mut self, process: u32, cluster: &mut Cluster, act: impl FnOnce(&mut Membership)) {
        let number = process as usize;
        let Some(member) = &mut self.processes[number].member else { return };
        act(member);
        while let Process { member: Some(member), pipe: Some(pipe), .. } = &mut self.processes[number] {
            let pipe = *pipe;
            match (member.poll_output(), member) {
                (Some(Outgoing::Send(message)), _) => {
                    self.pipes.send(pipe, LOWER, Item::Message(message), (&mut cluster.network.events, cluster.now));
                }
                (Some(Outgoing::Close), _) => self.hang_up(pipe, LOWER, cluster),
                (None, member) => match member.poll_progress() {
                    Some(progress) => self.proceed(process, progress, cluster),
                    None => break,
                },
            }
        }
        let due_us = self.processes[number].member.as_ref().and_then(Membership::poll_timeout);
        self.arm(Who::Process(process), due_us, cluster);
    }

    fn proceed(&mut self, process: u32, progress: Progress, cluster: &mut Cluster) {
        let now = cluster.now;
        let worker = &mut self.processes[process as usize];
        match progress {
            Progress::Greeted(greeting) => {
                let sockets = LocalSockets {
                    udp_ports: worker_ports(worker.job, greeting.shards),
                    max_datagram: MAX_DATAGRAM,
                    receive_buffer: BUFFER_BYTES,
                    shares_memory: false,
                    host: None,
                };
                if let Some(member) = &mut worker.member {
                    member.join(now.us(), sockets);
                }
            }
            Progress::Welcome(welcome) if worker.passage.is_under_way() => self.arrive(process, welcome, cluster),
            Progress::Welcome(welcome) => {
                worker.record.joined = Some(now);
                self.open(process, welcome, cluster);
                self.make_calls(process, cluster);
            }
            Progress::Notice(notice) => self.heed(process, &notice, cluster),
            Progress::Rejected(why) if worker.passage.is_under_way() => self.turned_away(process, why, cluster),
            Progress::Rejected(why) => worker.conclude(now, Outcome::Rejected(why)),
            Progress::Left => worker.conclude(now, Outcome::Left),
            _ => {}
        }
    }

    /// Opens a worker's streams.
    fn open(&mut self, process: u32, welcome: Welcome, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        for flow in 0..welcome.shards.len() as u16 {
            let job = &cluster.jobs[usize::from(worker.job)];
            let bulk = worker.request.stream(&welcome, flow, welcome.shards.len() as u16, job.setup.timing);
            let streams = Streams::new(bulk, welcome.urgent_slots);
            let endpoint = &mut cluster.hosts.endpoints[job.endpoint(worker.rank, flow) as usize];
            endpoint.machine = Some(Machine::Netfold(Box::new(streams)));
        }
        worker.passage.begin(welcome);
    }

    /// A worker makes the calls whose time has come, in their order.
    pub(super) fn make_calls(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let (job, rank) = (usize::from(worker.job), worker.rank);
        while worker.is_working() && worker.stopped.is_none() {
            let next = worker.order.made();
            let due = cluster.jobs[job].calls.get(next as usize).is_some_and(|call| call.start <= cluster.now);
            if !due || worker.leaves_after.is_some_and(|calls| next >= calls) {
                break;
            }
            match worker.order.make() {
                Err(ending) => worker.stopped = Some(ending),
                Ok(id) => {
                    worker.hold(id, cluster.jobs[job].setup.flows);
                    for flow in 0..cluster.jobs[job].setup.flows {
                        cluster.begin_call(job, rank, flow, id);
                    }
                }
            }
        }
        self.leave_if_done(process, cluster);
    }

    /// A flow has completed its part of a call.
    pub(super) fn finished(&mut self, process: u32, call: CallId, cluster: &mut Cluster) {
        self.processes[process as usize].let_go(cluster.now, call, None);
        self.leave_if_done(process, cluster);
    }

    /// R-CTRL-5: a worker that has nothing more to do takes its leave.
    pub(super) fn leave_if_done(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let made = worker.order.made();
        let all_made = made as usize == cluster.jobs[usize::from(worker.job)].calls.len();
        let done = all_made || worker.stopped.is_some() || worker.leaves_after.is_some_and(|calls| made >= calls);
        // R-RES-7: nor may it be needed in the next life of its job.
        let needed = worker.passage.is_under_way() || cluster.is_replaying(usize::from(worker.job), worker.rank);
        if !worker.is_working() || !done || needed || worker.oldest().is_some() {
            return;
        }
        worker.leaving = true;
        if let Some(ending) = worker.stopped.clone() {
            worker.conclude(cluster.now, Outcome::Ended(ending));
        }
        let pipe = worker.pipe;
        self.close_streams(process, cluster);
        let now_us = cluster.now.us();
        self.at_worker(process, cluster, |member| member.leave(now_us, made));
        // It sends nothing more, and listens until the switch has taken note.
        if let Some(pipe) = pipe.filter(|pipe| self.pipes.end(*pipe, LOWER).open) {
            self.pipes.send(pipe, LOWER, Item::Close, (&mut cluster.network.events, cluster.now));
        }
    }

    /// What a worker does on a notice of the management plane.
    fn heed(&mut self, process: u32, notice: &Notice, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        if let Some((first, ending)) = notice.ending() {
            if worker.is_working() && worker.passage.leads_on(&worker.request, &ending) {
                return self.depart(process, ending, cluster);
            }
            return self.end_calls(process, CallId(first), &ending, cluster);
        }
        let tell = match *notice {
            Notice::Describe { shard, slot, position, lane } => {
                let endpoint = cluster.jobs[usize::from(worker.job)].endpoint(worker.rank, shard);
                let streams = cluster.hosts.endpoints[endpoint as usize].streams();
                let at = (SlotIndex(slot), Position(position));
                let call = streams.and_then(|streams| streams.describe(at.0, at.1, lane));
                if let Some(member) = &mut worker.member {
                    member.describe(shard, slot, position, call.unwrap_or_else(|| "nothing".into()));
                }
                None
            }
            Notice::AskInProgress { call } => Some(CallId(call)),
            Notice::Pulse => {
                let oldest = worker.oldest();
                worker.order.pulse(oldest)
            }
            _ => None,
        };
        // R-CTRL-12
        if let Some(id) = tell
            && let Some(text) = cluster.call_in_progress(usize::from(worker.job), worker.rank, id)
            && let Some(member) = &mut worker.member
        {
            member.in_progress(id.0, text);
        }
    }

    /// No call from `first` on can be done.
    pub(super) fn end_calls(&mut self, process: u32, first: CallId, ending: &Ending, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let (job, now) = (usize::from(worker.job), cluster.now);
        worker.order.end(first, ending.clone());
        for flow in 0..cluster.jobs[job].setup.flows {
            let endpoint = cluster.jobs[job].endpoint(worker.rank, flow);
            cluster.hosts.collect(endpoint, &mut cluster.jobs, now);
            let Some(streams) = cluster.hosts.endpoints[endpoint as usize].streams_mut() else { continue };
            let given_up: Vec<_> = streams.abandon(first).map(|(id, _)| id).collect();
            for id in given_up {
                worker.let_go(now, id, Some(ending));
                worker.stopped.get_or_insert_with(|| ending.clone());
            }
        }
        if ending.ends_the_job() {
            worker.conclude(now, Outcome::Ended(ending.clone()));
            self.close_streams(process, cluster);
        } else {
            self.leave_if_done(process, cluster);
        }
    }

    fn close_streams(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        let job = &cluster.jobs[usize::from(worker.job)];
        for flow in 0..job.setup.flows {
            cluster.hosts.endpoints[job.endpoint(worker.rank, flow) as usize].close();
        }
    }

    /// A process is no more.
    pub(super) fn stop_process(&mut self, process: u32, cluster: &mut Cluster) {
        self.close_streams(process, cluster);
        let worker = &mut self.processes[process as usize];
        worker.conclude(cluster.now, Outcome::Crashed);
        worker.member = None;
    }

    /// A process ends, and its system closes its connection.
    pub(super) fn kill(&mut self, process: u32, cluster: &mut Cluster) {
        let name = self.name_of(Who::Process(process));
        self.log(cluster.now, || format!("the process of {name} ends"));
        self.stop_process(process, cluster);
        if let Some(pipe) = self.processes[process as usize].pipe {
            self.hang_up(pipe, LOWER, cluster);
        }
    }
}
