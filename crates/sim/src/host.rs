//! Hosts: each core drives the streams of its flows as the real event loop does. It takes what has
//! come, looks at the clock, sends until there is nothing to send, and waits for a datagram or the
//! next timeout.

use std::collections::VecDeque;

use netfold_worker::{CallId, Counters, Event as Done, Replay, ResumeError, StreamConfig, Streams};

use crate::content::Elements;
use crate::core::{Core, LOOK_AHEAD, Work};
use crate::datagram::{Label, Party};
use crate::events::Event;
use crate::job::Job;
use crate::machine::{Machine, Sent};
use crate::mpi::Message;
use crate::network::Network;
use crate::time::Time;
use crate::topology::up;

/// One worker's side of one flow, or a server's.
pub(crate) struct Endpoint {
    /// `None` while no process has it open.
    pub(crate) machine: Option<Machine>,
    /// Counters of the machines that are gone.
    pub(crate) counted: Counters,
    pub(crate) job: u16,
    /// The rank as the job begins.
    pub(crate) rank: u16,
    /// The rank and the number of workers with which calls are made.
    pub(crate) numbering: (u16, u16),
    pub(crate) flow: u16,
    /// The core that drives it.
    pub(crate) core: u32,
    /// Its host.
    pub(crate) node: u32,
    /// The host's place in the tree through which it goes.
    pub(crate) leg: u32,
    /// Time at which its timer is set to go off.
    pub(crate) armed: Option<Time>,
    /// It had rounds to replay when it was last looked at.
    pub(crate) replaying: bool,
}

/// All workers.
pub(crate) struct Hosts {
    pub(crate) endpoints: Vec<Endpoint>,
    /// Endpoints that have not sent all that they have, for each core by its place among the cores
    /// of hosts.
    pub(crate) sending: Vec<Vec<u32>>,
    pub(crate) buffer: Vec<u8>,
    /// Endpoints that have completed their part of a call, and which, for whoever wants to know.
    pub(crate) finished: VecDeque<(u32, CallId)>,
    /// Endpoints that have no round to replay any more, for whoever wants to know.
    pub(crate) replayed: VecDeque<u32>,
}

impl Endpoint {
    /// A worker begins these streams, as this rank of so many workers.
    pub(crate) fn open(&mut self, streams: Streams<Elements>, numbering: (u16, u16)) {
        self.close();
        self.machine = Some(Machine::Netfold(Box::new(streams)));
        (self.numbering, self.replaying) = (numbering, false);
    }

    /// Closes it: nobody has it open any more.
    pub(crate) fn close(&mut self) {
        self.counted = self.counters();
        self.machine = None;
    }

    /// Returns the totals of all machines that it has had.
    pub(crate) fn counters(&self) -> Counters {
        self.machine.as_ref().map_or(self.counted, |machine| self.counted.plus(&machine.counters()))
    }

    /// Suspends its streams: they neither send nor take anything until they are resumed (R-RES-2).
    pub(crate) fn suspend(&mut self) {
        self.machine = match self.machine.take() {
            Some(Machine::Netfold(streams)) => Some(Machine::Suspended(streams)),
            other => other,
        };
    }

    /// Suspended streams go on, with the configuration of the bulk stream (R-RES-6).
    pub(crate) fn resume(
        &mut self,
        bulk: StreamConfig,
        replays: &[Replay],
    ) -> Result<(), ResumeError> {
        if let Some(Machine::Suspended(mut streams)) =
            self.machine.take_if(|machine| matches!(machine, Machine::Suspended(_)))
        {
            let resumed = streams.resume(bulk, replays);
            self.replaying = streams.is_replaying();
            self.machine = Some(Machine::Netfold(streams));
            resumed?;
        }
        Ok(())
    }

    /// A worker's streams; `None` while no process has it open.
    pub(crate) fn streams(&self) -> Option<&Streams<Elements>> {
        match &self.machine {
            Some(Machine::Netfold(streams) | Machine::Suspended(streams)) => Some(streams),
            Some(Machine::Peer(_) | Machine::Mpi(_)) | None => None,
        }
    }

    pub(crate) fn streams_mut(&mut self) -> Option<&mut Streams<Elements>> {
        match &mut self.machine {
            Some(Machine::Netfold(streams) | Machine::Suspended(streams)) => Some(streams),
            Some(Machine::Peer(_) | Machine::Mpi(_)) | None => None,
        }
    }
}

impl Hosts {
    /// Runs a turn of a core, which begins now. Returns whether it is to have another as soon as it
    /// is free.
    pub(crate) fn turn(
        &mut self,
        (core, index): (&mut Core, usize),
        jobs: &mut [Job],
        network: &mut Network,
        now: Time,
    ) -> bool {
        let mut clock = now;
        let mut driven = std::mem::take(&mut self.sending[index]);
        if driven.is_empty() {
            while let Some(work) = core.inbox.pop_front() {
                let endpoint = self.take(core, work, jobs, network, &mut clock);
                if !driven.contains(&endpoint) {
                    driven.push(endpoint);
                }
                // Datagrams that others of this core have to send wait no longer than that.
                if clock.since(now) > LOOK_AHEAD {
                    break;
                }
            }
            for endpoint in &driven {
                if let Some(machine) = &mut self.endpoints[*endpoint as usize].machine {
                    machine.handle_timeout(clock);
                }
            }
        }
        let mut dry = 0;
        for endpoint in &driven {
            if !self.drain(*endpoint, core, jobs, network, now, &mut clock) {
                break;
            }
            dry += 1;
        }
        driven.drain(..dry);
        let again = !driven.is_empty() || !core.inbox.is_empty();
        self.sending[index] = driven;
        core.free_at = clock;
        again
    }

    fn take(
        &mut self,
        core: &mut Core,
        work: Work,
        jobs: &[Job],
        network: &mut Network,
        clock: &mut Time,
    ) -> u32 {
        match work {
            Work::Take { endpoint, datagram } => {
                let Label { bytes, marked, .. } = network.pool.label(datagram);
                core.inbox_bytes -= u64::from(bytes);
                *clock += core.costs.receive(bytes);
                if let Some(machine) = &mut self.endpoints[endpoint as usize].machine {
                    machine.handle(*clock, network.pool.bytes(datagram), marked);
                }
                network.pool.release(datagram);
                endpoint
            }
            Work::Look { endpoint } => endpoint,
            Work::Submit { endpoint, call } => {
                *clock += self.submit(endpoint, call, jobs);
                endpoint
            }
        }
    }

    /// Makes an endpoint's part of a call, and gives what that costs the core.
    pub(crate) fn submit(&mut self, endpoint: u32, call: u32, jobs: &[Job]) -> Time {
        let Endpoint { machine, job, rank, numbering, .. } = &mut self.endpoints[endpoint as usize];
        let job = &jobs[usize::from(*job)];
        match machine {
            Some(Machine::Netfold(streams) | Machine::Suspended(streams)) => {
                // The plan was made once when the call was added, of which only the numbering is
                // another.
                if let Ok((plan, elements)) = job.part(call, *rank, *numbering) {
                    streams.submit(CallId(call.into()), plan, elements);
                }
                Time::ZERO
            }
            Some(Machine::Peer(peer)) if job.setup.table.is_some() => {
                peer.push(call, || job.batch(*rank, call));
                Time::ZERO
            }
            Some(Machine::Peer(peer)) => {
                let (bytes, cost) = job.share(call);
                peer.submit(call, bytes);
                cost
            }
            Some(Machine::Mpi(process)) => {
                if let Some(program) = job.program(call) {
                    process.submit(call, program);
                }
                Time::ZERO
            }
            None => Time::ZERO,
        }
    }

    /// Takes what an endpoint has completed.
    pub(crate) fn collect(&mut self, number: u32, jobs: &mut [Job], now: Time) {
        let Endpoint { machine, job, rank, flow, replaying, .. } =
            &mut self.endpoints[number as usize];
        let job = &mut jobs[usize::from(*job)];
        match machine {
            Some(Machine::Netfold(streams) | Machine::Suspended(streams)) => {
                if *replaying && !streams.is_replaying() {
                    *replaying = false;
                    self.replayed.push_back(number);
                }
                while let Some(Done::Completed(id, elements)) = streams.poll_event() {
                    job.completed(id.0 as u32, *rank, *flow, elements, now);
                    self.finished.push_back((number, id));
                }
            }
            Some(Machine::Peer(peer)) => {
                while let Some(done) = peer.poll_done() {
                    job.completed_by_peer(done, now);
                }
            }
            Some(Machine::Mpi(process)) => {
                while let Some(done) = process.poll_done() {
                    job.completed_by_peer(done, now);
                }
            }
            None => {}
        }
    }

    /// The job of an endpoint, by its place in the setup, and the rank.
    pub(crate) fn owner(&self, endpoint: u32) -> (u16, u16) {
        let Endpoint { job, rank, .. } = &self.endpoints[endpoint as usize];
        (*job, *rank)
    }

    /// Follows the law of the state machine: sends its packets, takes what has happened, sets the
    /// timer. Returns `false` if the core has worked ahead for as long as it may.
    fn drain(
        &mut self,
        number: u32,
        core: &Core,
        jobs: &mut [Job],
        network: &mut Network,
        now: Time,
        clock: &mut Time,
    ) -> bool {
        self.collect(number, jobs, *clock);
        let Self { endpoints, buffer, .. } = self;
        let Endpoint { machine: Some(machine), job, rank, flow, leg, armed, .. } =
            &mut endpoints[number as usize]
        else {
            return true;
        };
        let state = &mut jobs[usize::from(*job)];
        loop {
            if clock.since(now) > LOOK_AHEAD {
                return false;
            }
            let Some(sent) = machine.poll_transmit(*clock, buffer) else { break };
            let (len, label) = match sent {
                Sent::ToSwitch { len } => (len, Label::new(*job, *flow, len, state.inflation)),
                Sent::Request { len } => {
                    let switch = Some(state.table.of_request(*rank, &buffer[..len]));
                    let from = Some(Party::Endpoint(number));
                    (len, Label { switch, from, ..Label::new(*job, *flow, len, 1) })
                }
                Sent::Message(Message { len, to, bytes, lead }) => {
                    let to = Some(state.endpoint(to, *flow));
                    (len, Label { bytes, to, lead, ..Label::new(*job, *flow, len, 1) })
                }
                Sent::ToRank { len, bytes, rank } => (
                    len,
                    Label {
                        bytes,
                        to: Some(state.endpoint(rank, *flow)),
                        ..Label::new(*job, *flow, len, 1)
                    },
                ),
            };
            *clock += core.costs.send(label.bytes);
            let datagram = network.pool.insert(&buffer[..len], label);
            match sent {
                Sent::ToRank { rank: to, .. }
                    if state.setup.host(to) == state.setup.host(*rank) =>
                {
                    network.events.schedule(*clock, Event::Local { datagram });
                }
                _ => network.send(up(*leg), *clock, datagram),
            }
        }
        let ends_by_sending = matches!(machine, Machine::Mpi(_));
        if let Some(due) = machine.poll_timeout() {
            let due = due.max(*clock);
            if armed.is_none_or(|armed| due < armed) {
                *armed = Some(due);
                network.events.schedule(due, Event::Timer { endpoint: number });
            }
        }
        if ends_by_sending {
            self.collect(number, jobs, *clock);
        }
        true
    }
}
