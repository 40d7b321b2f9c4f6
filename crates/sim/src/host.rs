//! Hosts: each core drives the streams of its flows as the real event loop does. It takes what has come, looks at the clock, sends until there is nothing to send, and
//! waits for a datagram or the next timeout.

use std::collections::VecDeque;

use netfold_worker::{CallId, Event as Done, Streams};

use crate::content::Elements;
use crate::core::{Core, LOOK_AHEAD, Work};
use crate::datagram::Label;
use crate::events::Event;
use crate::job::Job;
use crate::network::Network;
use crate::time::Time;

/// One worker's side of one flow.
pub(crate) struct Endpoint {
    /// `None` while no process has it open.
    pub(crate) streams: Option<Streams<Elements>>,
    pub(crate) job: u16,
    pub(crate) rank: u16,
    pub(crate) flow: u16,
    /// The core that drives it.
    pub(crate) core: u32,
    /// The link on which it sends.
    pub(crate) link: u32,
    /// When its timer is set to go off.
    pub(crate) armed: Option<Time>,
}

/// All workers.
pub(crate) struct Hosts {
    pub(crate) endpoints: Vec<Endpoint>,
    /// For each core, by its place among the cores of hosts, endpoints that have not sent all that they have.
    pub(crate) sending: Vec<Vec<u32>>,
    pub(crate) buffer: Vec<u8>,
    /// Endpoints that have completed their part of a call, and which, for whoever wants to know.
    pub(crate) finished: VecDeque<(u32, CallId)>,
}

impl Endpoint {
    /// Nobody has it open any more.
    pub(crate) fn close(&mut self) {
        self.streams = None;
    }
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
                if let Some(streams) = &mut self.endpoints[*endpoint as usize].streams {
                    streams.handle_timeout(clock.us());
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

    fn take(&mut self, core: &mut Core, work: Work, jobs: &[Job], network: &mut Network, clock: &mut Time) -> u32 {
        match work {
            Work::Take { endpoint, datagram } => {
                let Label { bytes, marked, .. } = network.pool.label(datagram);
                core.inbox_bytes -= u64::from(bytes);
                *clock += core.costs.receive(bytes);
                if let Some(streams) = &mut self.endpoints[endpoint as usize].streams {
                    if marked {
                        streams.handle_marked(clock.us(), network.pool.bytes(datagram));
                    } else {
                        streams.handle(clock.us(), network.pool.bytes(datagram));
                    }
                }
                network.pool.release(datagram);
                endpoint
            }
            Work::Look { endpoint } => endpoint,
            Work::Submit { endpoint, call } => {
                self.submit(endpoint, call, jobs);
                endpoint
            }
        }
    }

    /// Makes an endpoint's part of a call.
    pub(crate) fn submit(&mut self, endpoint: u32, call: u32, jobs: &[Job]) {
        let Endpoint { streams, job, rank, .. } = &mut self.endpoints[endpoint as usize];
        // The plan was made once when the call was added, of which only the rank is another.
        if let (Some(streams), Ok((plan, elements))) = (streams, jobs[usize::from(*job)].part(call, *rank)) {
            streams.submit(CallId(call.into()), plan, elements);
        }
    }

    /// Takes what an endpoint has completed.
    pub(crate) fn collect(&mut self, number: u32, jobs: &mut [Job], now: Time) {
        let Endpoint { streams, job, rank, flow, .. } = &mut self.endpoints[number as usize];
        let Some(streams) = streams else { return };
        while let Some(Done::Completed(id, elements)) = streams.poll_event() {
            jobs[usize::from(*job)].completed(id.0 as u32, *rank, *flow, elements, now);
            self.finished.push_back((number, id));
        }
    }

    /// The job of an endpoint, by its place in the setup, and the rank.
    pub(crate) fn owner(&self, endpoint: u32) -> (u16, u16) {
        let Endpoint { job, rank, .. } = &self.endpoints[endpoint as usize];
        (*job, *rank)
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
        self.collect(number, jobs, *clock);
        let Self { endpoints, buffer, .. } = self;
        let Endpoint { streams: Some(streams), job, flow, link, armed, .. } = &mut endpoints[number as usize] else {
            return true;
        };
        let inflation = jobs[usize::from(*job)].inflation;
        loop {
            if clock.since(now) > LOOK_AHEAD {
                return false;
            }
            let Some(transmit) = streams.poll_transmit(clock.us(), buffer, 1) else { break };
            let label = Label::new(*job, *flow, transmit.len, inflation);
            *clock += core.costs.send(label.bytes);
            let datagram = network.pool.insert(&buffer[..transmit.len], label);
            network.send(*link, *clock, datagram);
        }
        if let Some(due_us) = streams.poll_timeout() {
            let due = Time::from_us(due_us).max(*clock);
            if armed.is_none_or(|armed| due < armed) {
                *armed = Some(due);
                network.events.schedule(due, Event::Timer { endpoint: number });
            }
        }
        true
    }
}
