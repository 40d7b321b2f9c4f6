//! A cluster in progress.

use std::collections::VecDeque;

use netfold_switch as switch;
use netfold_worker::{Call, Counters};

use crate::build;
use crate::calibration::Calibration;
use crate::core::{Core, Work};
use crate::datagram::DatagramId;
use crate::error::Error;
use crate::events::Event;
use crate::host::{Endpoint, Hosts};
use crate::job::{Input, Job, call_of};
use crate::link::LinkCounters;
use crate::machine::Machine;
use crate::managed::Managed;
use crate::network::Network;
use crate::report::Report;
use crate::setup::{Setup, SystemName};
use crate::switch::Switches;
use crate::tcp::{Flow, Segment};
use crate::time::Time;
use crate::topology::{Topology, down, up};

/// Datagrams that a node did not take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeDrops {
    /// No room in the inbox of a core.
    pub no_room: u64,
    /// The host had stopped.
    pub stopped: u64,
}

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// A switch: its number, or its place in a torus.
    Switch(u32),
    /// A host.
    Host(u32),
}

/// Hosts, switches and links, at one moment of virtual time.
pub struct Cluster {
    pub(crate) setup: Setup,
    pub(crate) seed: u64,
    pub(crate) topology: Topology,
    pub(crate) now: Time,
    pub(crate) network: Network,
    /// Cores of switches, then those of hosts.
    pub(crate) cores: Vec<Core>,
    pub(crate) switches: Switches,
    pub(crate) hosts: Hosts,
    pub(crate) jobs: Vec<Job>,
    /// `None` while something happens to it.
    pub(crate) managed: Option<Box<Managed>>,
    /// Events of switches that have found something wrong.
    pub(crate) switch_events: Vec<switch::Event>,
    pub(crate) traffic: Vec<Flow>,
    pub(crate) drops: NodeDrops,
    pub(crate) events_done: u64,
    pub(crate) digest: u64,
}

impl Cluster {
    /// A cluster at its beginning, with the calls of the setup ahead. All that is random follows
    /// from `seed`.
    ///
    /// # Errors
    /// The part of the setup that cannot be simulated, and the remedy.
    pub fn new(setup: &Setup, calibration: &Calibration, seed: u64) -> Result<Self, Error> {
        let trees = setup.management.as_ref().map_or(1, |management| management.trees);
        setup.check_torus()?;
        let topology = match (&setup.torus, setup.layers.first()) {
            (Some(torus), Some(hosts)) => Topology::of_torus(torus.dimensions, hosts)?,
            _ => Topology::new(&setup.layers, trees)?,
        };
        let network = Network::new(build::links(setup, &topology, seed)?);
        let mut cluster = Self {
            cores: build::cores(setup, calibration, &topology)?,
            switches: build::switches(setup, &topology, seed)?,
            hosts: Hosts {
                endpoints: Vec::new(),
                sending: vec![
                    Vec::new();
                    topology.hosts() as usize * usize::from(setup.hosts.cores)
                ],
                buffer: Vec::new(),
                finished: VecDeque::new(),
                replayed: VecDeque::new(),
            },
            managed: None,
            switch_events: Vec::new(),
            topology,
            network,
            now: Time::ZERO,
            jobs: Vec::new(),
            traffic: Vec::new(),
            drops: NodeDrops::default(),
            events_done: 0,
            digest: seed,
            setup: setup.clone(),
            seed,
        };
        for (number, job) in setup.jobs.iter().enumerate() {
            cluster.admit(number, job)?;
        }
        if let Some(hardware) = setup.switches.hardware {
            cluster.switches.charge = Some(hardware.load(setup, &cluster.topology)?);
        }
        if let Some(management) = &setup.management {
            let mut managed = Managed::new(setup, management, &cluster.topology, seed);
            managed.schedule(setup, &cluster.topology, &mut cluster.network.events);
            cluster.managed = Some(Box::new(managed));
        }
        for (number, job) in setup.jobs.iter().enumerate() {
            for call in &job.calls {
                cluster.submit(
                    number,
                    call_of(call),
                    Time::from_us(call.start_us),
                    Input::Sample,
                )?;
            }
        }
        for (number, traffic) in (0..).zip(&setup.traffic) {
            let flow = Flow::new(number, traffic, &cluster.topology)?;
            cluster.network.events.schedule(flow.start(), Event::Tcp { flow: number });
            cluster.traffic.push(flow);
        }
        Ok(cluster)
    }

    /// Has all workers of a job make a call at `at`, which is not before their last call. Returns
    /// its number in the job. With a management plane, workers make their calls when they have
    /// joined, and leave after the last, so that all of them are submitted before the run.
    ///
    /// # Errors
    /// The reason why the call cannot be made or simulated.
    pub fn submit(
        &mut self,
        job: usize,
        call: Call,
        at: Time,
        input: Input,
    ) -> Result<usize, Error> {
        let count = self.jobs.len() as u64;
        let Some(state) = self.jobs.get_mut(job) else {
            return Err(Error::Missing { what: "job", index: job as u64, count });
        };
        if let Some(array) = &mut self.switches.array
            && state.setup.system == SystemName::Netfold
        {
            array.load(job, &state.setup.name, &call)?;
        }
        let number = state.add(call, at, input)?;
        let at = at.max(self.now);
        match &self.managed {
            Some(managed) => managed.schedule_call(job, at, &mut self.network.events),
            None => {
                for endpoint in state.first_endpoint..state.first_endpoint + state.endpoints() {
                    self.network.events.schedule(at, Event::Submit { endpoint, call: number });
                }
            }
        }
        Ok(number as usize)
    }

    /// Runs until `at`. Returns whether anything is left to happen.
    pub fn run_until(&mut self, at: Time) -> bool {
        while self.network.events.next_at().is_some_and(|next| next <= at) {
            self.step();
        }
        self.network.events.next_at().is_some()
    }

    /// Runs until nothing is left to happen, or until the setup's last moment.
    pub fn run(&mut self) {
        self.run_at_most(u64::MAX);
    }

    /// The same for so many events at most. Returns whether they were enough.
    pub fn run_at_most(&mut self, events: u64) -> bool {
        let until = Time::from_us(self.setup.until_ms.saturating_mul(1_000));
        let over = |cluster: &Self| cluster.network.events.next_at().is_none_or(|at| at > until);
        for _ in 0..events {
            if over(self) {
                return true;
            }
            self.step();
        }
        over(self)
    }

    /// Lets the next thing happen. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        let Some((place, event)) = self.network.events.pop() else { return false };
        self.now = place.at;
        self.events_done += 1;
        match event {
            Event::Arrival { link } => {
                self.note(link.into());
                if let Some(datagram) = self.network.arrived(link) {
                    self.deliver(link, datagram);
                }
            }
            Event::Straggler { link, datagram } => {
                self.note(1 << 32 | u64::from(link));
                self.deliver(link, datagram);
            }
            Event::Local { datagram } => {
                self.note(5 << 32);
                self.take(datagram);
            }
            Event::Turn { core } => {
                self.note(2 << 32 | u64::from(core));
                self.cores[core as usize].scheduled = false;
                self.attend(core);
            }
            Event::Timer { endpoint } => {
                self.note(3 << 32 | u64::from(endpoint));
                let Endpoint { armed, core, .. } = &mut self.hosts.endpoints[endpoint as usize];
                // Otherwise it was set to an earlier time since.
                if *armed == Some(self.now) {
                    *armed = None;
                    let core = *core;
                    self.give(core, Work::Look { endpoint });
                }
            }
            Event::Submit { endpoint, call } => {
                self.note(4 << 32 | u64::from(endpoint));
                let core = self.hosts.endpoints[endpoint as usize].core;
                self.give(core, Work::Submit { endpoint, call });
            }
            Event::Managed(event) => {
                self.note(5 << 32);
                if let Some(mut managed) = self.managed.take() {
                    managed.happen(event, self);
                    self.managed = Some(managed);
                }
            }
            Event::Tcp { flow } => {
                self.note(6 << 32 | u64::from(flow));
                self.traffic[usize::from(flow)].look(&mut self.network, self.now);
            }
        }
        self.settle();
        true
    }

    /// Has the management plane take what workers and switches have come to.
    fn settle(&mut self) {
        if self.hosts.finished.is_empty()
            && self.hosts.replayed.is_empty()
            && self.switches.told.is_empty()
        {
            return;
        }
        match self.managed.take() {
            Some(mut managed) => {
                managed.settle(self);
                self.managed = Some(managed);
            }
            None => {
                self.hosts.finished.clear();
                self.switch_events.extend(self.switches.told.drain(..).map(|(_, event)| event));
            }
        }
    }

    /// The present moment.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Returns one number for all that has happened so far: runs that differ in an event or its
    /// time differ in it.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns the time at which the last worker had its last result of a call; `None` before that.
    pub fn completed(&self, job: usize, call: usize) -> Option<Time> {
        let calling = self.jobs.get(job)?.calls.get(call)?;
        (calling.left == 0).then_some(calling.done_at)
    }

    /// Returns the mean time, in microseconds from the beginning of a call, at which a worker had
    /// its last result of it; `None` before all have.
    pub fn mean_us(&self, job: usize, call: usize) -> Option<f64> {
        let job = self.jobs.get(job)?;
        let calling = job.calls.get(call)?;
        let mean_ps = calling.done_sum.ps() as f64 / f64::from(job.streams());
        (calling.left == 0).then_some(mean_ps / 1e6)
    }

    /// A rank's output of a call, where elements are real.
    pub fn result(&self, job: usize, call: usize, rank: u16) -> Option<&[u8]> {
        self.jobs.get(job)?.result(call as u32, rank)
    }

    /// Returns the counters of a worker, added over its flows and all epochs of its job.
    ///
    /// # Panics
    /// If there is no such worker.
    pub fn counters(&self, job: usize, rank: u16) -> Counters {
        let job = &self.jobs[job];
        let flows = (0..job.setup.flows)
            .map(|flow| &self.hosts.endpoints[job.endpoint(rank, flow) as usize]);
        flows.fold(Counters::default(), |sum, endpoint| sum.plus(&endpoint.counters()))
    }

    /// Bytes that a TCP flow of the setup has brought to its receiver.
    ///
    /// # Panics
    /// If there is no such flow.
    pub fn traffic_bytes(&self, flow: usize) -> u64 {
        self.traffic[flow].delivered_bytes()
    }

    /// The smoothed round trip that a worker has measured on its first flow, in microseconds; 0
    /// where it has none, or is not netfold's.
    ///
    /// # Panics
    /// If there is no such worker.
    pub fn round_trip_us(&self, job: usize, rank: u16) -> u64 {
        let endpoint = self.jobs[job].endpoint(rank, 0);
        self.hosts.endpoints[endpoint as usize].machine.as_ref().map_or(0, Machine::round_trip_us)
    }

    /// The totals of all links together.
    pub fn link_counters(&self) -> LinkCounters {
        self.network
            .links
            .iter()
            .fold(LinkCounters::default(), |sum, link| sum.plus(&link.counters))
    }

    /// The totals of each direction of each link, with its ends.
    pub fn links(&self) -> impl Iterator<Item = (End, End, LinkCounters)> {
        let end = |node: u32| match node.checked_sub(self.topology.switches()) {
            None => End::Switch(self.topology.place(node)),
            Some(host) => End::Host(host),
        };
        let of_legs = self.topology.children().flat_map(|leg| [up(leg), down(leg)]);
        of_legs.chain(self.topology.crosses()).map(move |link| {
            let (from, to) = self.topology.ends(link);
            (end(from), end(to), self.network.links[link as usize].counters)
        })
    }

    /// Forgets how long queues have been, and how long datagrams have waited in them.
    pub fn forget_queues(&mut self) {
        for link in &mut self.network.links {
            (link.counters.longest_wait_ns, link.counters.longest_queue_bytes) = (0, 0);
        }
    }

    /// The shards of all pipelines of all switches.
    pub fn shards(&self) -> impl Iterator<Item = &netfold_switch::Shard> {
        self.switches.shards.iter()
    }

    /// Datagrams that nodes did not take.
    pub fn drops(&self) -> NodeDrops {
        self.drops
    }

    /// Datagrams that are on links or wait for cores.
    pub fn datagrams_held(&self) -> usize {
        self.network.pool.held()
    }

    /// Returns the report of the run so far.
    pub fn report(&self) -> Report {
        Report::of(self)
    }

    /// Takes what has happened into the digest.
    fn note(&mut self, what: u64) {
        // FNV-1a over words, with a rotation so that high bits count, too.
        for word in [self.now.ps(), what] {
            self.digest = (self.digest ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
        }
    }

    /// A datagram comes out of a link, at the node on its other end.
    fn deliver(&mut self, link: u32, datagram: DatagramId) {
        self.network.links[link as usize].counters.delivered += 1;
        let label = self.network.pool.label(datagram);
        if let Some(segment) = label.segment {
            return self.pass(link, datagram, segment, label.marked);
        }
        let (_, node) = self.topology.ends(link);
        if node < self.topology.switches() {
            match (label.to, label.switch.filter(|switch| *switch != node)) {
                (None, Some(switch)) => {
                    let next = self.topology.next_link(node, switch);
                    self.network.send(next, self.now + self.switches.latency, datagram);
                }
                (None, None) => {
                    let core =
                        node * u32::from(self.setup.switches.pipelines) + u32::from(label.flow);
                    self.queue(core, 0, datagram);
                }
                // Datagrams that are only forwarded pass by the pipelines, at the rate of the
                // links.
                (Some(endpoint), _) => {
                    let to = self.hosts.endpoints[endpoint as usize].node;
                    let next = self.topology.next_link(node, to);
                    self.network.send(next, self.now + self.switches.latency, datagram);
                }
            }
        } else if label.to.is_some() {
            match self.network.links[link as usize].span(label.rest_bytes()) {
                Time::ZERO => self.take(datagram),
                rest => {
                    let whole = self.now + rest;
                    self.network.events.schedule(whole, Event::Local { datagram });
                }
            }
        } else {
            let job = &self.jobs[usize::from(label.job)];
            let rank = node - self.topology.host(job.setup.first_host);
            let endpoint = job.endpoint(rank as u16, label.flow);
            self.queue(self.hosts.endpoints[endpoint as usize].core, endpoint, datagram);
        }
    }

    /// A datagram has come to the endpoint that its label names.
    fn take(&mut self, datagram: DatagramId) {
        if let Some(endpoint) = self.network.pool.label(datagram).to {
            self.queue(self.hosts.endpoints[endpoint as usize].core, endpoint, datagram);
        }
    }

    /// A datagram waits for a core, if it finds room.
    fn queue(&mut self, core: u32, endpoint: u32, datagram: DatagramId) {
        let label = self.network.pool.label(datagram);
        let taker = &mut self.cores[core as usize];
        let stopped = taker.has_stopped(self.now);
        // A message goes to the memory that its receiver has for it.
        if stopped || (label.lead == 0 && !taker.has_room(label.bytes)) {
            let counter = if stopped { &mut self.drops.stopped } else { &mut self.drops.no_room };
            *counter += 1;
            return self.network.pool.release(datagram);
        }
        taker.inbox_bytes += u64::from(label.bytes);
        self.give(core, Work::Take { endpoint, datagram });
    }

    /// A segment of other traffic comes out of a link. Switches pass it on beside their pipelines,
    /// and hosts have cores of their own for it.
    fn pass(&mut self, link: u32, datagram: DatagramId, segment: Segment, marked: bool) {
        let flow = &mut self.traffic[usize::from(segment.flow)];
        match flow.next_link(segment, link) {
            Some(next) => self.network.send(next, self.now + self.switches.latency, datagram),
            None => {
                self.network.pool.release(datagram);
                flow.take(segment, marked, &mut self.network, self.now);
            }
        }
    }

    pub(crate) fn give(&mut self, core: u32, work: Work) {
        let state = &mut self.cores[core as usize];
        state.inbox.push_back(work);
        if !state.scheduled {
            self.attend(core);
        }
    }

    /// A core goes to work, if it can; otherwise, a turn of it is scheduled.
    fn attend(&mut self, core: u32) {
        let state = &mut self.cores[core as usize];
        if state.has_stopped(self.now) {
            self.drops.stopped += state.discard(&mut self.network.pool);
            return;
        }
        let ready_at = state.ready_at(self.now);
        if ready_at > self.now {
            state.scheduled = true;
            return self.network.events.schedule(ready_at, Event::Turn { core });
        }
        let (index, pipelines) = (core as usize, self.switches.shards.len());
        let again = match index.checked_sub(pipelines) {
            None => self.switches.turn((state, index), &mut self.network, self.now),
            Some(index) => {
                self.hosts.turn((state, index), &mut self.jobs, &mut self.network, self.now)
            }
        };
        if again {
            state.scheduled = true;
            self.network.events.schedule(state.free_at, Event::Turn { core });
        }
    }
}
