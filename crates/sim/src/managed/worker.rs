//! Workers: they join, make their calls, do what their machines want done, and go.

use std::net::SocketAddr;

use netfold_management::{
    Action, ClientError, ConnectionId, Ending, LocalSockets, Membership, Outgoing, Participant,
    Progress, Rejection, Step, Welcome,
};
use netfold_wire::{Position, SlotIndex};
use netfold_worker::{CallId, Streams};

use super::pipe::{Item, LOWER};
use super::plane::{SWITCH_PORT, address, worker_ports};
use super::process::{Line, Outcome};
use super::{BUFFER_BYTES, MAX_DATAGRAM, Managed, Who};
use crate::cluster::Cluster;

impl Managed {
    /// A process starts.
    pub(super) fn start(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        if worker.record.outcome.is_none() {
            self.connect(process, cluster);
        }
    }

    /// Connects a worker, with its request, to the switch above its host in a tree.
    pub(super) fn connect(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let leg = worker.leg(&cluster.topology);
        let switch = cluster.topology.parent(leg).unwrap_or(0);
        let at = SocketAddr::new(address(switch), SWITCH_PORT);
        let member = Membership::new(cluster.now.us(), at, at.to_string(), worker.request.clone());
        // A worker tells its connections apart by their pipes.
        let lower = (Who::Process(process), worker.node, ConnectionId(0));
        let pipe =
            self.pipes.connect(lower, (leg, switch), (&mut cluster.network.events, cluster.now));
        let before = worker.line.replace(Line { member, pipe });
        worker.former = before.filter(|line| !line.member.is_over()).or(worker.former.take());
        self.at_line(process, pipe, cluster, |_| ());
    }

    /// Has a worker's end of its connection do something, and does what comes of it.
    fn at_worker(
        &mut self,
        process: u32,
        cluster: &mut Cluster,
        act: impl FnOnce(&mut Membership),
    ) {
        if let Some(pipe) = self.processes[process as usize].line.as_ref().map(|line| line.pipe) {
            self.at_line(process, pipe, cluster, act);
        }
    }

    /// Has a worker's end of one of its connections do something, and does what comes of it.
    pub(super) fn at_line(
        &mut self,
        process: u32,
        pipe: u32,
        cluster: &mut Cluster,
        act: impl FnOnce(&mut Membership),
    ) {
        let number = process as usize;
        let Some(line) = self.processes[number].line(pipe) else { return };
        act(&mut line.member);
        while let Some(line) = self.processes[number].line(pipe) {
            match (line.member.poll_output(), line) {
                (Some(Outgoing::Send(message)), _) => {
                    self.pipes.send(
                        pipe,
                        LOWER,
                        Item::Message(message),
                        (&mut cluster.network.events, cluster.now),
                    );
                }
                (Some(Outgoing::Close), _) => self.hang_up(pipe, LOWER, cluster),
                (None, line) => match line.member.poll_progress() {
                    Some(progress) => self.proceed(process, progress, cluster),
                    None => break,
                },
            }
        }
        let worker = &self.processes[number];
        let lines = [&worker.line, &worker.former].into_iter().flatten();
        let due_us = lines.filter_map(|line| line.member.poll_timeout()).min();
        self.arm(Who::Process(process), due_us, cluster);
    }

    /// Closes the connection of the epoch that has ended (R-RES-11).
    fn close_former(&mut self, process: u32, cluster: &mut Cluster) {
        if let Some(pipe) = self.processes[process as usize].former.as_ref().map(|line| line.pipe) {
            self.at_line(process, pipe, cluster, Membership::abandon);
            self.processes[process as usize].former = None;
        }
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
                if let Some(Line { member, .. }) = &mut worker.line {
                    member.join(now.us(), sockets);
                }
            }
            Progress::Welcome(welcome) => self.welcome(process, welcome, cluster),
            Progress::Notice(notice) => {
                self.act(process, cluster, |part, _, from| part.handle(notice, from))
            }
            Progress::Rejected(why) => self.turned_away(process, why, cluster),
            Progress::Left => worker.conclude(now, Outcome::Left),
            _ => {}
        }
    }

    /// A worker is in an epoch of its job: in its first, or in another one.
    fn welcome(&mut self, process: u32, welcome: Welcome, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        worker.record.tree = worker.trees[worker.at];
        worker.record.exchange_slots = welcome.exchange_slots;
        if let Some(failover) = worker.failover.take() {
            worker.record.joined = Some(cluster.now);
            worker.part = Some(Participant::new(failover, worker.request.clone(), welcome));
            self.open_streams(process, cluster);
        } else {
            self.act(process, cluster, |part, _, _| part.joined(welcome));
        }
        self.make_calls(process, cluster);
    }

    /// A switch does not take a worker, now or at all.
    fn turned_away(&mut self, process: u32, why: Rejection, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let switch = address(cluster.topology.parent(worker.leg(&cluster.topology)).unwrap_or(0))
            .to_string();
        let told = ClientError::rejected(&switch, why.clone());
        if let Some(failover) = &mut worker.failover {
            match failover.turned_away(cluster.now.us(), &told) {
                Some(next) => self.schedule_attempt(process, next, cluster),
                None => worker.conclude(cluster.now, Outcome::Rejected(why)),
            }
        } else {
            self.act(process, cluster, |part, now_us, from| {
                part.turned_away(now_us, &told, from(CallId(0)))
            });
        }
    }

    /// Tells a worker's machine something, at a time in microseconds and with what gives the first
    /// call in progress from a number on, and does what comes of it.
    pub(super) fn act(
        &mut self,
        process: u32,
        cluster: &mut Cluster,
        act: impl FnOnce(&mut Participant<Ending>, u64, &dyn Fn(CallId) -> Option<CallId>),
    ) {
        {
            let Some((part, calls)) = self.processes[process as usize].part_and_calls() else {
                return;
            };
            act(part, cluster.now.us(), &calls);
        }
        while let Some(action) = self.part(process).and_then(Participant::poll_action) {
            self.perform(process, action, cluster);
        }
        if let Some(step) = self.part(process).and_then(Participant::poll_step) {
            self.take_step(process, step, cluster);
        }
    }

    pub(super) fn part(&mut self, process: u32) -> Option<&mut Participant<Ending>> {
        self.processes[process as usize].part.as_mut()
    }

    fn perform(&mut self, process: u32, action: Action<Ending>, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let (job, rank) = (usize::from(worker.job), worker.rank);
        match action {
            Action::Describe { shard, slot, position, lane } => {
                let endpoint = cluster.jobs[job].endpoint(rank, shard);
                let streams = cluster.hosts.endpoints[endpoint as usize].streams();
                let call = streams.and_then(|streams| {
                    streams.describe(SlotIndex(slot), Position(position), lane)
                });
                if let Some(Line { member, .. }) = &mut worker.line {
                    member.describe(
                        shard,
                        slot,
                        position,
                        call.unwrap_or_else(|| "nothing".into()),
                    );
                }
            }
            Action::Tell(calls) => {
                let described = calls
                    .iter()
                    .filter_map(|id| Some((id.0, cluster.call_in_progress(job, rank, *id)?)));
                if let Some(Line { member, .. }) = &mut worker.line {
                    member.in_progress(described.collect());
                }
            }
            Action::Slots { call, lent } => {
                for flow in 0..cluster.jobs[job].setup.flows {
                    cluster.take_slot_answer((job, rank, flow), call, lent);
                }
                self.ask_for_slots(process, cluster);
            }
            Action::ReturnSlots => {
                if let Some(calls) = cluster.return_slots(job, rank) {
                    self.at_worker(process, cluster, |member| member.return_slots(calls));
                }
            }
            Action::Fail { first, error } => {
                self.end_calls(process, first, &error, cluster);
                self.leave_if_done(process, cluster);
            }
            Action::End(error) => {
                self.end_calls(process, CallId(0), &error, cluster);
                self.processes[process as usize].conclude(cluster.now, Outcome::Ended(error));
                self.close_streams(process, cluster);
                self.at_worker(process, cluster, Membership::abandon);
                self.close_former(process, cluster);
            }
        }
    }

    /// Begins streams on all flows.
    fn open_streams(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        let Some(part) = &worker.part else { return };
        let job = &mut cluster.jobs[usize::from(worker.job)];
        let (request, welcome, flows) = (part.request(), part.welcome(), job.setup.flows);
        job.exchange_slots = welcome.exchange_slots;
        let leg = worker.leg(&cluster.topology);
        for flow in 0..flows {
            let bulk = request.stream(welcome, flow, flows, job.setup.timing);
            let streams = Streams::new(bulk, welcome.other_slots());
            let endpoint = &mut cluster.hosts.endpoints[job.endpoint(worker.rank, flow) as usize];
            endpoint.leg = leg;
            endpoint.open(streams, (request.rank, welcome.workers));
        }
    }

    /// Takes a worker a step further to the next epoch of its job (R-RES).
    fn take_step(&mut self, process: u32, step: Step<Ending>, cluster: &mut Cluster) {
        match step {
            Step::Suspend(_) => {
                let flows = self.suspend(process, cluster);
                self.act(process, cluster, |part, now_us, from| {
                    part.suspended(now_us, flows, from(CallId(0)))
                });
            }
            Step::Join(attempt, request) => {
                self.processes[process as usize].request = *request;
                self.schedule_attempt(process, attempt, cluster);
            }
            Step::Resume => {
                self.close_former(process, cluster);
                if let Err(why) = self.resume(process, cluster) {
                    self.at_worker(process, cluster, Membership::abandon);
                    return self.act(process, cluster, |part, _, _| part.strand(why.to_string()));
                }
                self.processes[process as usize].record.resumed += 1;
                self.act(process, cluster, |part, _, _| part.arrived());
            }
            Step::Restart(error) => {
                self.close_former(process, cluster);
                self.end_calls(process, CallId(0), &error, cluster);
                self.open_streams(process, cluster);
                self.processes[process as usize].record.regrouped += 1;
                self.act(process, cluster, |part, _, _| part.arrived());
            }
        }
    }

    /// A worker makes the calls whose time has come, in their order.
    pub(super) fn make_calls(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let (job, rank) = (usize::from(worker.job), worker.rank);
        while worker.is_working() && worker.stopped.is_none() {
            let next = worker.made();
            let due = cluster.jobs[job]
                .calls
                .get(next as usize)
                .is_some_and(|call| call.start <= cluster.now);
            if !due || worker.leaves_after.is_some_and(|calls| next >= calls) {
                break;
            }
            // R-OP-33: the program waits for one call with state before it makes another.
            let calls = &cluster.jobs[job].calls;
            let keeps_state =
                |call: CallId| calls[call.0 as usize].call_of(rank).reduction.keeps_state();
            if keeps_state(CallId(next)) && worker.in_progress().any(keeps_state) {
                break;
            }
            match worker.part.as_mut().filter(|part| part.is_settled()).map(Participant::make) {
                // It goes on when the worker is back.
                None => break,
                Some(Err(ending)) => worker.over(cluster.now, next, Some(ending)),
                Some(Ok(id)) => {
                    worker.hold(id, cluster.jobs[job].setup.flows);
                    for flow in 0..cluster.jobs[job].setup.flows {
                        cluster.begin_call(job, rank, flow, id);
                    }
                }
            }
        }
        self.ask_for_slots(process, cluster);
        self.leave_if_done(process, cluster);
    }

    /// A worker asks the switch for the slots that its calls wait for (R-CTRL-25).
    fn ask_for_slots(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &self.processes[process as usize];
        let (job, rank) = (usize::from(worker.job), worker.rank);
        for call in cluster.slot_requests(job, rank) {
            self.at_worker(process, cluster, |member| member.need_slots(call));
        }
    }

    /// A flow has completed its part of a call.
    pub(super) fn finished(&mut self, process: u32, call: CallId, cluster: &mut Cluster) {
        self.processes[process as usize].let_go(cluster.now, call, None);
        self.make_calls(process, cluster);
    }

    /// Lets a worker whose program has nothing more to do take its leave, as soon as nobody needs
    /// it.
    pub(super) fn leave_if_done(&mut self, process: u32, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let made = worker.made();
        let job = usize::from(worker.job);
        let all_made = made as usize == cluster.jobs[job].calls.len();
        let done = all_made
            || worker.stopped.is_some()
            || worker.leaves_after.is_some_and(|calls| made >= calls);
        let (replaying, oldest) = (cluster.is_replaying(job, worker.rank), worker.oldest());
        if !worker.is_working() || !done {
            return;
        }
        let Some(calls) = worker.part.as_mut().and_then(|part| part.leave(oldest, replaying))
        else {
            return;
        };
        worker.leaving = true;
        if let Some(ending) = worker.stopped.clone() {
            worker.conclude(cluster.now, Outcome::Ended(ending));
        }
        let pipe = worker.line.as_ref().map(|line| line.pipe);
        self.close_streams(process, cluster);
        let now_us = cluster.now.us();
        self.at_worker(process, cluster, |member| member.leave(now_us, calls));
        // It sends nothing more, and listens until the switch has taken note.
        if let Some(pipe) = pipe.filter(|pipe| self.pipes.end(*pipe, LOWER).open) {
            self.pipes.send(pipe, LOWER, Item::Close, (&mut cluster.network.events, cluster.now));
        }
    }

    /// Ends the calls in progress from `first` on.
    fn end_calls(&mut self, process: u32, first: CallId, ending: &Ending, cluster: &mut Cluster) {
        let worker = &mut self.processes[process as usize];
        let (job, now) = (usize::from(worker.job), cluster.now);
        for flow in 0..cluster.jobs[job].setup.flows {
            let endpoint = cluster.jobs[job].endpoint(worker.rank, flow);
            cluster.hosts.collect(endpoint, &mut cluster.jobs, now);
            let Some(streams) = cluster.hosts.endpoints[endpoint as usize].streams_mut() else {
                continue;
            };
            let given_up: Vec<_> = streams.abandon(first).map(|(id, _)| id).collect();
            for id in given_up {
                worker.let_go(now, id, Some(ending));
            }
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
        (worker.line, worker.former) = (None, None);
    }

    /// A process ends, and its system closes its connection.
    pub(super) fn kill(&mut self, process: u32, cluster: &mut Cluster) {
        let name = self.name_of(Who::Process(process));
        self.log(cluster.now, || format!("the process of {name} ends"));
        let pipes = self.processes[process as usize].pipes();
        self.stop_process(process, cluster);
        for pipe in pipes {
            self.hang_up(pipe, LOWER, cluster);
        }
    }
}
