//! The management plane of a cluster: the machines that run in earnest, of switches
//! ([`netfold_management::Registry`], [`netfold_management::Relay`]) and of workers
//! ([`netfold_management::Membership`], [`netfold_management::Participant`]), joined by pipes.

mod make;
mod passage;
mod pipe;
mod plane;
mod process;
mod restart;
mod view;
mod worker;

use std::collections::BTreeMap;

use netfold_management::{ConnectionId, DataPlane, Incident, Loss, Management, Output};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use self::make::{has_tokens, machine, request, token, trees};
use self::pipe::{Item, LOWER, Pipes, UPPER};
use self::plane::{Pipelines, address};
use self::process::Process;
use crate::cluster::Cluster;
use crate::events::{Event, Events};
use crate::setup::{Behaviour, Exception, Management as ManagementSetup, Setup, Stop};
use crate::time::Time;
use crate::topology::Topology;

pub use self::process::{Outcome, WorkerRecord};

/// The least that time goes on.
const TICK: Time = Time::from_ps(1);

/// Bytes of a switch's receive buffer, and of a worker's: jobs ask for their slots.
const BUFFER_BYTES: u64 = 1 << 30;

/// The longest datagram.
const MAX_DATAGRAM: u32 = 65_507;

/// Owner of a machine: a switch by its node, or a worker by the number of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Switch(u32),
    Process(u32),
}

/// Something that happens to the management plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ManagementEvent {
    /// A worker's process starts.
    Start { process: u32 },
    /// It is time for the next call of a worker.
    Call { process: u32 },
    /// A worker's process ends, and its system closes what it has open.
    Dies { process: u32 },
    /// A machine's timer goes off.
    Alarm { who: Who },
    /// Something comes out of a pipe at an end.
    Delivery { pipe: u32, end: u8 },
    /// Something sent from an end was not acknowledged for too long.
    Broken { pipe: u32, end: u8 },
    /// A node stops.
    Crash { node: u32, how: Stop },
    /// A switch's process starts anew.
    Restart { switch: u32 },
    /// A worker tries another switch, or the same one again.
    Attempt { process: u32 },
}

/// The management plane of a switch.
struct ManagementPlane {
    /// `None` while it has stopped.
    machine: Option<Box<dyn Management>>,
    /// Its connections, and which end of which pipe they are.
    connections: BTreeMap<ConnectionId, (u32, usize)>,
    armed: Option<Time>,
}

impl ManagementPlane {
    /// Returns the plane of a switch that has just started.
    fn new(machine: Box<dyn Management>) -> Self {
        Self { machine: Some(machine), connections: BTreeMap::new(), armed: None }
    }
}

/// Resources that are left at switches that run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaks {
    /// Control connections that are open.
    pub connections: usize,
    /// Jobs that form, run or fail.
    pub jobs: usize,
    /// Bytes of slots.
    pub memory_bytes: u64,
}

/// The management plane of a cluster.
pub(crate) struct Managed {
    rng: Pcg64Mcg,
    /// Planes of switches, by node.
    switches: Vec<ManagementPlane>,
    /// Processes of workers: those of a job stand together, in the order of ranks.
    processes: Vec<Process>,
    /// The first process of each job.
    firsts: Vec<u32>,
    pipes: Pipes,
    log: Option<Vec<String>>,
}

impl Managed {
    /// The switches of a cluster, which run, and the processes of its workers, which will.
    pub(crate) fn new(
        setup: &Setup,
        management: &ManagementSetup,
        topology: &Topology,
        seed: u64,
    ) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed ^ 0x6D61_6E61_6765_6421);
        let plane =
            |node| ManagementPlane::new(machine(setup, management, topology, node, rng.random()));
        let switches = (0..topology.switches()).map(plane).collect();
        let (mut processes, mut firsts) = (Vec::new(), Vec::new());
        for (number, job) in (0..).zip(&setup.jobs) {
            firsts.push(processes.len() as u32);
            for rank in 0..job.workers {
                let node = topology.host(job.first_host + u32::from(rank));
                let request = request(job, rank, has_tokens(setup));
                processes.push(Process::new(number, rank, node, trees(job, rank), request));
            }
        }
        Self {
            rng,
            switches,
            processes,
            firsts,
            pipes: Pipes::new(setup, topology, management),
            log: None,
        }
    }

    /// Schedules what the setup says will happen.
    pub(crate) fn schedule(&mut self, setup: &Setup, topology: &Topology, events: &mut Events) {
        for (job, &first) in setup.jobs.iter().zip(&self.firsts) {
            for rank in 0..job.workers {
                let process = first + u32::from(rank);
                let mut start_us = Some(job.start_us);
                for Exception { does, .. } in
                    job.exceptions.iter().filter(|exception| exception.rank == rank)
                {
                    let worker = &mut self.processes[process as usize];
                    match does {
                        Behaviour::Absent => start_us = None,
                        Behaviour::Late(by_us) => {
                            start_us = start_us.map(|at_us| at_us.saturating_add(*by_us))
                        }
                        Behaviour::Leaves(calls) => worker.leaves_after = Some(*calls),
                        &Behaviour::Dies(at_us) => {
                            events.schedule(
                                Time::from_us(at_us),
                                Event::Managed(ManagementEvent::Dies { process }),
                            );
                        }
                        Behaviour::Calls { .. } | Behaviour::Trees(_) => {}
                        Behaviour::Arithmetic(arithmetic) => {
                            worker.request.terms.arithmetic = *arithmetic
                        }
                        Behaviour::ByteOrder(order) => worker.request.terms.byte_order = *order,
                        Behaviour::WrongToken => worker.request.token = token("of another cluster"),
                    }
                }
                if let Some(at_us) = start_us {
                    events.schedule(
                        Time::from_us(at_us),
                        Event::Managed(ManagementEvent::Start { process }),
                    );
                }
            }
        }
        let hosts = setup
            .crashes
            .iter()
            .map(|crash| (topology.host(crash.host), crash.at_us, Stop::Silent));
        let switches =
            setup.switch_crashes.iter().map(|crash| (crash.switch, crash.at_us, crash.how));
        for (node, at_us, how) in hosts.chain(switches) {
            events.schedule(
                Time::from_us(at_us),
                Event::Managed(ManagementEvent::Crash { node, how }),
            );
        }
        for crash in &setup.switch_crashes {
            if let Some(at_us) = crash.restarts_us {
                let restart = ManagementEvent::Restart { switch: crash.switch };
                events.schedule(Time::from_us(at_us), Event::Managed(restart));
            }
        }
    }

    /// Workers of a job are to make a call at `at`.
    pub(crate) fn schedule_call(&self, job: usize, at: Time, events: &mut Events) {
        let end = self.firsts.get(job + 1).copied().unwrap_or(self.processes.len() as u32);
        for process in self.firsts[job]..end {
            events.schedule(at, Event::Managed(ManagementEvent::Call { process }));
        }
    }

    /// Lets something happen.
    pub(crate) fn happen(&mut self, event: ManagementEvent, cluster: &mut Cluster) {
        let node = match event {
            ManagementEvent::Start { process }
            | ManagementEvent::Call { process }
            | ManagementEvent::Dies { process }
            | ManagementEvent::Attempt { process } => self.processes[process as usize].node,
            ManagementEvent::Alarm { who } => self.node_of(who),
            ManagementEvent::Delivery { pipe, end } | ManagementEvent::Broken { pipe, end } => {
                self.pipes.end(pipe, end.into()).node
            }
            ManagementEvent::Crash { node, .. } | ManagementEvent::Restart { switch: node } => node,
        };
        if self.pipes.silent[node as usize] {
            return;
        }
        let (now, awake) = (cluster.now, cluster.awake_at(node));
        if let ManagementEvent::Delivery { pipe, end } = event
            && self.switches.get(node as usize).is_some_and(|plane| plane.machine.is_some())
        {
            self.pipes.accept(pipe, end.into(), (&mut cluster.network.events, now));
        }
        let from_outside = matches!(
            event,
            ManagementEvent::Crash { .. }
                | ManagementEvent::Restart { .. }
                | ManagementEvent::Dies { .. }
        );
        if awake > now && !from_outside {
            // Deliveries are taken first, whatever the clock says by then.
            let at =
                if let ManagementEvent::Delivery { .. } = event { awake } else { awake + TICK };
            if let ManagementEvent::Alarm { who } = event
                && *self.armed(who) == Some(now)
            {
                *self.armed(who) = Some(at);
            }
            return cluster.network.events.schedule(at, Event::Managed(event));
        }
        match event {
            ManagementEvent::Start { process } => self.start(process, cluster),
            ManagementEvent::Call { process } => self.make_calls(process, cluster),
            ManagementEvent::Dies { process } => self.kill(process, cluster),
            ManagementEvent::Alarm { who } => {
                if *self.armed(who) == Some(now) {
                    *self.armed(who) = None;
                    self.alarm(who, cluster);
                }
            }
            ManagementEvent::Delivery { pipe, end } => self.deliver(pipe, end.into(), cluster),
            ManagementEvent::Broken { pipe, end } => self.broken(pipe, end.into(), cluster),
            ManagementEvent::Crash { node, how } => self.crash(node, how, cluster),
            ManagementEvent::Restart { switch } => self.restart(switch, cluster),
            ManagementEvent::Attempt { process } => self.attempt(process, cluster),
        }
    }

    /// Takes what workers and pipelines have come to since.
    pub(crate) fn settle(&mut self, cluster: &mut Cluster) {
        self.settle_hosts(cluster);
        while let Some(endpoint) = cluster.hosts.replayed.pop_front() {
            let (job, rank) = cluster.hosts.owner(endpoint);
            self.leave_if_done(self.firsts[usize::from(job)] + u32::from(rank), cluster);
        }
        let pipelines = usize::from(cluster.switches.pipelines);
        for (index, event) in std::mem::take(&mut cluster.switches.told) {
            cluster.switch_events.push(event);
            let (switch, shard) = ((index / pipelines) as u32, (index % pipelines) as u16);
            self.log(cluster.now, || format!("switch {switch}: {event:?}"));
            let now_us = cluster.now.us();
            self.at_switch(switch, cluster, |machine, plane| {
                machine.incident(now_us, Incident::at_shard(event, shard), plane)
            });
        }
    }

    /// Takes the calls that workers have completed.
    fn settle_hosts(&mut self, cluster: &mut Cluster) {
        while let Some((endpoint, call)) = cluster.hosts.finished.pop_front() {
            let (job, rank) = cluster.hosts.owner(endpoint);
            self.finished(self.firsts[usize::from(job)] + u32::from(rank), call, cluster);
        }
    }

    /// Returns the record of a worker.
    pub(crate) fn record(&self, job: usize, rank: u16) -> Option<&WorkerRecord> {
        let first = *self.firsts.get(job)?;
        let process = self.processes.get(first as usize + usize::from(rank))?;
        (usize::from(process.job) == job).then_some(&process.record)
    }

    /// Counts the resources that are left at switches that run.
    pub(crate) fn leaks(&self, cluster: &mut Cluster) -> Leaks {
        let mut left = Leaks { connections: self.pipes.open(), ..Leaks::default() };
        for (switch, plane) in (0..).zip(&self.switches) {
            let Some(machine) = &plane.machine else { continue };
            let mut plane =
                Pipelines { switches: &mut cluster.switches, topology: &cluster.topology, switch };
            let stats = machine.stats(&mut plane);
            left.connections += stats.connections;
            left.jobs += stats.jobs_forming + stats.jobs_running;
            left.memory_bytes += plane.status().iter().map(|shard| shard.memory_used).sum::<u64>();
        }
        left
    }

    /// Notes all events from now on.
    pub(crate) fn keep_log(&mut self) {
        self.log.get_or_insert_default();
    }

    /// Returns the log since [`Managed::keep_log`].
    pub(crate) fn notes(&self) -> &[String] {
        self.log.as_deref().unwrap_or_default()
    }

    fn log(&mut self, now: Time, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{now}: {}", what()));
        }
    }

    /// Returns its name in the log.
    fn name_of(&self, who: Who) -> String {
        match who {
            Who::Switch(node) => format!("switch {node}"),
            Who::Process(process) => {
                let Process { job, rank, .. } = &self.processes[process as usize];
                format!("rank {rank} of job {job}")
            }
        }
    }

    fn node_of(&self, who: Who) -> u32 {
        match who {
            Who::Switch(node) => node,
            Who::Process(process) => self.processes[process as usize].node,
        }
    }

    fn armed(&mut self, who: Who) -> &mut Option<Time> {
        match who {
            Who::Switch(node) => &mut self.switches[node as usize].armed,
            Who::Process(process) => &mut self.processes[process as usize].armed,
        }
    }

    /// Sets the timer of a machine that has something to do at `due_us`.
    fn arm(&mut self, who: Who, due_us: Option<u64>, cluster: &mut Cluster) {
        let Some(due) = due_us.map(|due_us| Time::from_us(due_us).max(cluster.now)) else { return };
        let armed = self.armed(who);
        if armed.is_none_or(|armed| due < armed) {
            *armed = Some(due);
            cluster.network.events.schedule(due, Event::Managed(ManagementEvent::Alarm { who }));
        }
    }

    fn alarm(&mut self, who: Who, cluster: &mut Cluster) {
        let now_us = cluster.now.us();
        match who {
            Who::Switch(switch) => {
                self.at_switch(switch, cluster, |machine, plane| {
                    machine.handle_timeout(now_us, plane)
                });
            }
            Who::Process(process) => {
                for pipe in self.processes[process as usize].pipes() {
                    self.at_line(process, pipe, cluster, |member| member.handle_timeout(now_us));
                }
            }
        }
    }

    /// Handles an item that comes out of a pipe.
    fn deliver(&mut self, pipe: u32, end: usize, cluster: &mut Cluster) {
        let Some(item) = self.pipes.receive(pipe, end) else { return };
        let (who, conn, open) = {
            let end = self.pipes.end(pipe, end);
            (end.who, end.conn, end.open)
        };
        let now_us = cluster.now.us();
        if self.log.is_some() {
            let (to, from) = (self.name_of(who), self.name_of(self.pipes.end(pipe, 1 - end).who));
            self.log(cluster.now, || {
                format!("{to} hears from {from} (connection {pipe}): {item:?}")
            });
        }
        match (who, item) {
            (Who::Switch(switch), Item::Open) => {
                if self.switches[switch as usize].machine.is_none() {
                    return self.pipes.send(
                        pipe,
                        UPPER,
                        Item::Refused,
                        (&mut cluster.network.events, cluster.now),
                    );
                }
                self.pipes.set_open(pipe, UPPER, true);
                self.switches[switch as usize].connections.insert(conn, (pipe, UPPER));
                let (peer, challenge) =
                    (address(self.pipes.end(pipe, LOWER).node), self.rng.random());
                self.at_switch(switch, cluster, |machine, _| {
                    machine.connected(now_us, conn, peer, challenge)
                });
            }
            (_, _) if !open => {}
            (Who::Switch(switch), Item::Message(message)) => {
                let entropy = self.rng.random();
                self.at_switch(switch, cluster, |machine, plane| {
                    machine.handle(now_us, conn, message, plane, entropy);
                });
            }
            (Who::Process(process), Item::Message(message)) => {
                self.at_line(process, pipe, cluster, |member| member.handle(now_us, message));
            }
            (_, Item::Close) => self.disconnect(pipe, end, Loss::Closed, cluster),
            (_, Item::Refused) => {
                self.disconnect(
                    pipe,
                    end,
                    Loss::Unreachable { error: "connection refused".into() },
                    cluster,
                );
            }
            (Who::Process(process), Item::Accepted) => {
                self.at_line(process, pipe, cluster, |member| member.connected(now_us));
            }
            (Who::Process(_), Item::Open) | (Who::Switch(_), Item::Accepted) => {}
        }
    }

    /// The other end of a pipe says nothing to what was sent.
    fn broken(&mut self, pipe: u32, end: usize, cluster: &mut Cluster) {
        if self.pipes.end(pipe, end).open {
            let silence = Loss::Unreachable { error: "connection timed out".into() };
            self.disconnect(pipe, end, silence, cluster);
            self.pipes.set_open(pipe, end, false);
        }
    }

    /// Whoever is at an end of a pipe hears that nothing more comes.
    fn disconnect(&mut self, pipe: u32, end: usize, why: Loss, cluster: &mut Cluster) {
        let (who, conn) = (self.pipes.end(pipe, end).who, self.pipes.end(pipe, end).conn);
        let now_us = cluster.now.us();
        match who {
            Who::Switch(switch) => {
                self.at_switch(switch, cluster, |machine, plane| {
                    machine.disconnected(now_us, conn, why, plane)
                });
            }
            Who::Process(process) => {
                self.at_line(process, pipe, cluster, |member| member.disconnected(why.to_string()));
            }
        }
    }

    /// Has the machine of a switch do something, and does what it wants done.
    fn at_switch(
        &mut self,
        switch: u32,
        cluster: &mut Cluster,
        act: impl FnOnce(&mut dyn Management, &mut dyn DataPlane),
    ) {
        let Some(machine) = &mut self.switches[switch as usize].machine else { return };
        act(
            &mut **machine,
            &mut Pipelines { switches: &mut cluster.switches, topology: &cluster.topology, switch },
        );
        while let Some(output) = self.switches[switch as usize]
            .machine
            .as_mut()
            .and_then(|machine| machine.poll_output())
        {
            let connections = &mut self.switches[switch as usize].connections;
            match output {
                Output::Send(conn, message) => {
                    if let Some(&(pipe, end)) = connections.get(&conn) {
                        self.pipes.send(
                            pipe,
                            end,
                            Item::Message(message),
                            (&mut cluster.network.events, cluster.now),
                        );
                    }
                }
                Output::Close(conn) => {
                    if let Some((pipe, end)) = connections.remove(&conn) {
                        self.hang_up(pipe, end, cluster);
                    }
                }
                Output::Load(conn, loading) => {
                    let (switches, topology) = (&mut cluster.switches, &cluster.topology);
                    let plane = &mut Pipelines { switches, topology, switch };
                    if let Some(machine) = &mut self.switches[switch as usize].machine {
                        let (now_us, entropy) = (cluster.now.us(), self.rng.random());
                        machine.loaded(now_us, conn, loading.run(), plane, entropy);
                    }
                }
                Output::Dial(conn) => {
                    let parent = cluster.topology.parent(switch).unwrap_or(0);
                    let lower = (Who::Switch(switch), switch, conn);
                    let pipe = self.pipes.connect(
                        lower,
                        (switch, parent),
                        (&mut cluster.network.events, cluster.now),
                    );
                    connections.insert(conn, (pipe, LOWER));
                }
            }
        }
        let due_us = self.switches[switch as usize]
            .machine
            .as_ref()
            .and_then(|machine| machine.poll_timeout());
        self.arm(Who::Switch(switch), due_us, cluster);
    }

    /// Closes a pipe from one end.
    fn hang_up(&mut self, pipe: u32, end: usize, cluster: &mut Cluster) {
        if self.pipes.end(pipe, end).open {
            self.pipes.set_open(pipe, end, false);
            self.pipes.send(pipe, end, Item::Close, (&mut cluster.network.events, cluster.now));
        }
    }
}
