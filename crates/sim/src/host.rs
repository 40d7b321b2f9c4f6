//! Hosts: each core drives the streams of its flows as the real event loop does. It takes what has come, looks at the clock, sends until there is nothing to send, and
//! waits for a datagram or the next timeout.

use netfold_worker::{CallId, Event as Done};

use crate::core::{Core, LOOK_AHEAD, Work};
use crate::datagram::Label;
use crate::events::Event;
use crate::job::Job;
use crate::machine::{Machine, Sent};
use crate::network::Network;
use crate::time::Time;
use crate::topology::up;

/// One worker's side of one flow, or a server's.
pub(crate) struct Endpoint {
    pub(crate) machine: Machine,
    pub(crate) job: u16,
    pub(crate) rank: u16,
    pub(crate) flow: u16,
    /// The core that drives it.
    pub(crate) core: u32,
    /// Its host.
    pub(crate) node: u32,
    /// When its timer is set to go off.
    pub(crate) armed: Option<Time>,
}

/// All workers.
pub(crate) struct Hosts {
    pub(crate) endpoints: Vec<Endpoint>,
    /// For each core, by its place among the cores of hosts, endpoints that have not sent all that they have.
    pub(crate) sending: Vec<Vec<u32>>,
    pub(crate) buffer: Vec<u8>,
}

impl Hosts {
    /// A turn of a core, which begins now. Returns whether it is to have another as soon as it is free.
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
                // What others of this core have to send waits no longer than that.
                if clock.since(now) > LOOK_AHEAD {
                    break;
                }
            }
            for endpoint in &driven {
                self.endpoints[*endpoint as usize].machine.handle_timeout(clock);
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

    fn take(&mut self, core: &mut Core, work: Work, jobs: &[Job], network: &mut Network, clock: &mut Time) -> u32 {
        match work {
            Work::Take { endpoint, datagram } => {
                let bytes = network.pool.label(datagram).bytes;
                core.inbox_bytes -= u64::from(bytes);
                *clock += core.costs.receive(bytes);
                self.endpoints[endpoint as usize].machine.handle(*clock, network.pool.bytes(datagram));
                network.pool.release(datagram);
                endpoint
            }
            Work::Look { endpoint } => endpoint,
            Work::Submit { endpoint, call } => {
                let Endpoint { machine, job, rank, .. } = &mut self.endpoints[endpoint as usize];
                let job = &jobs[usize::from(*job)];
                match machine {
                    Machine::Netfold(streams) => {
                        // The plan was made once when the call was added, of which only the rank is another.
                        if let Ok((plan, elements)) = job.part(call, *rank) {
                            streams.submit(CallId(call.into()), plan, elements);
                        }
                    }
                    Machine::Peer(peer) => {
                        let (bytes, cost) = job.share(call);
                        *clock += cost;
                        peer.submit(call, bytes);
                    }
                }
                endpoint
            }
        }
    }

    /// The law of the state machine: sends what is to be sent, takes what has happened, sets the timer. `false` if the core has worked ahead for as long as it may.
    fn drain(
        &mut self,
        number: u32,
        core: &Core,
        jobs: &mut [Job],
        network: &mut Network,
        now: Time,
        clock: &mut Time,
    ) -> bool {
        let Self { endpoints, buffer, .. } = self;
        let Endpoint { machine, job, rank, flow, node, armed, .. } = &mut endpoints[number as usize];
        let state = &mut jobs[usize::from(*job)];
        match machine {
            Machine::Netfold(streams) => {
                while let Some(Done::Completed(CallId(call), elements)) = streams.poll_event() {
                    state.completed(call as u32, *rank, *flow, elements, *clock);
                }
            }
            Machine::Peer(peer) => {
                while let Some(done) = peer.poll_done() {
                    state.completed_by_peer(done, *clock);
                }
            }
        }
        loop {
            if clock.since(now) > LOOK_AHEAD {
                return false;
            }
            let Some(sent) = machine.poll_transmit(*clock, buffer) else { break };
            let (len, label) = match sent {
                Sent::ToSwitch { len } => (len, Label::new(*job, *flow, len, state.inflation)),
                Sent::ToRank { len, bytes, rank } => {
                    (len, Label { job: *job, flow: *flow, bytes, to: Some(state.endpoint(rank, *flow)) })
                }
            };
            *clock += core.costs.send(label.bytes);
            let datagram = network.pool.insert(&buffer[..len], label);
            match sent {
                Sent::ToRank { rank: to, .. } if state.setup.host(to) == state.setup.host(*rank) => {
                    network.events.schedule(*clock, Event::Local { datagram });
                }
                _ => network.send(up(*node), *clock, datagram),
            }
        }
        if let Some(due) = machine.poll_timeout() {
            let due = due.max(*clock);
            if armed.is_none_or(|armed| due < armed) {
                *armed = Some(due);
                network.events.schedule(due, Event::Timer { endpoint: number });
            }
        }
        true
    }
}
