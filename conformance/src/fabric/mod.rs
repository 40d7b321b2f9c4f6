//! A network in virtual time: workers, a target for each flow, and faulty links between them, all
//! driven by one seed.
//!
//! It knows when a datagram arrives and how it looks then, and no rule of the protocol: what to
//! send, and when to send it again, is said by `netfold-worker` and by the target.

mod link;
mod restart;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netfold_wire::{Ecn, IntegrityKind, JobId, Terms, WorkerId};
use netfold_worker::{
    Call, CallId, Counters, Dense, Event, OtherSlots, Plan, StreamConfig, Streams, Timing,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use restart::Restart;

use crate::target::{Admitted, JobShape, Target};

pub use link::{Faults, Partition};
pub use netfold_sim::CallBytes;

/// Most events of one run; a run that needs more makes no progress.
const MAX_EVENTS: u64 = 20_000_000;

/// A job on a network.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Workers, 1 to 64.
    pub workers: u16,
    /// Flows, each to a target of its own.
    pub flows: u16,
    /// Slots of each flow's bulk stream.
    pub slots: u16,
    /// Slots of its urgent stream.
    pub urgent_slots: u16,
    /// Slots of its stream of exchanges, at a target that has such slots.
    pub exchange_slots: u16,
    /// Bytes of lanes in a full packet; a multiple of 8.
    pub payload_bytes: u32,
    /// Terms of the job.
    pub terms: Terms<IntegrityKind>,
    /// Bounds of the workers' timeouts.
    pub timing: Timing,
    /// The faults of the links.
    pub faults: Faults,
}

impl Setup {
    fn shape(&self) -> JobShape {
        JobShape {
            workers: self.workers,
            slots: self.slots + self.urgent_slots + self.exchange_slots,
            exchange_slots: self.exchange_slots,
            payload_bytes: self.payload_bytes,
            terms: self.terms,
        }
    }

    fn stream_config(&self, admitted: Admitted, rank: u16, flow: u16) -> StreamConfig {
        StreamConfig {
            job: admitted.job,
            epoch: admitted.epoch,
            rank: WorkerId(rank),
            first_slot: 0,
            slots: self.slots,
            flow,
            flows: self.flows,
            terms: self.terms.with_integrity(admitted.integrity),
            timing: self.timing,
        }
    }
}

/// One flow: its target, and the streams of all workers.
struct Flow<T> {
    target: T,
    job: JobId,
    streams: Vec<Streams<Dense<CallBytes>>>,
    /// The time at which each stream's timer is set to go off.
    armed: Vec<Option<u64>>,
}

/// A call of one worker.
struct Submission {
    plan: Plan,
    before: CallBytes,
    merged: CallBytes,
    /// Flows that have completed it.
    done: Vec<bool>,
    /// The time at which the last of them so far has completed it.
    completed_us: u64,
}

/// The next event, and the worker or switch that it is for. Events of the same time keep the order
/// in which they were scheduled.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scheduled {
    Submit { worker: u16, call: usize },
    ToSwitch { flow: u16, from: u16, bytes: Vec<u8> },
    ToWorker { flow: u16, to: u16, bytes: Vec<u8> },
    Timer { flow: u16, worker: u16 },
    SwitchLost,
    Suspend { worker: u16 },
    Resume { worker: u16 },
}

/// Workers and targets, and the network between them.
pub struct Fabric<T> {
    setup: Setup,
    rng: Pcg64Mcg,
    now_us: u64,
    scheduled: u64,
    queue: BinaryHeap<Reverse<(u64, u64, Scheduled)>>,
    flows: Vec<Flow<T>>,
    submissions: Vec<Vec<Submission>>,
    unfinished: usize,
    buffer: Vec<u8>,
    restart: Restart,
}

impl<T: Target> Fabric<T> {
    /// A network whose faults follow from `seed`, with a target for each flow.
    ///
    /// # Panics
    /// If a target refuses the job.
    pub fn new(setup: Setup, seed: u64, mut target: impl FnMut() -> T) -> Self {
        let mut targets: Vec<T> = (0..setup.flows).map(|_| target()).collect();
        let keeps_apart = targets.iter().all(Target::keeps_apart);
        let exchange_slots = if keeps_apart { setup.exchange_slots } else { 0 };
        let setup = Setup { exchange_slots, ..setup };
        let shape = setup.shape();
        let flow = |(flow, mut target): (u16, T)| {
            let admitted = target.admit(&shape).expect("the fabric's job fits its target");
            let stream = |rank| {
                let bulk = setup.stream_config(admitted, rank, flow);
                let others = OtherSlots {
                    urgent: setup.urgent_slots,
                    long: 0,
                    exchange: setup.exchange_slots,
                };
                Streams::new(bulk, others)
            };
            Flow {
                target,
                job: admitted.job,
                streams: (0..setup.workers).map(stream).collect(),
                armed: vec![None; setup.workers.into()],
            }
        };
        Self {
            flows: (0..).zip(targets.drain(..)).map(flow).collect(),
            submissions: (0..setup.workers).map(|_| Vec::new()).collect(),
            rng: Pcg64Mcg::seed_from_u64(seed),
            now_us: 0,
            scheduled: 0,
            queue: BinaryHeap::new(),
            unfinished: 0,
            restart: Restart::new(setup.workers),
            // Room for several datagrams, so that batches form.
            buffer: vec![0; 4 * (netfold_wire::HEADER_BYTES + setup.payload_bytes as usize)],
            setup,
        }
    }

    /// Lets a worker make its next call at `at_us`, not before the call that it made last.
    ///
    /// # Panics
    /// If the job cannot make the call.
    pub fn submit_at(
        &mut self,
        at_us: u64,
        worker: u16,
        call: Call,
        input: Vec<u8>,
        in_place: bool,
    ) {
        let Setup {
            terms: Terms { arithmetic, byte_order, .. },
            workers,
            payload_bytes,
            flows,
            exchange_slots,
            ..
        } = self.setup;
        let plan = Plan::new(call, arithmetic, workers, WorkerId(worker), payload_bytes)
            .expect("a call of the job")
            .with_byte_order(byte_order);
        let plan = if exchange_slots > 0 { plan.in_exchange_slots() } else { plan };
        let before = CallBytes::new(&plan, input, in_place);
        let list = &mut self.submissions[usize::from(worker)];
        let number = list.len();
        list.push(Submission {
            plan,
            merged: before.clone(),
            before,
            done: vec![false; flows.into()],
            completed_us: 0,
        });
        self.unfinished += usize::from(flows);
        self.schedule(at_us, Scheduled::Submit { worker, call: number });
    }

    /// Runs until nothing is under way any more, neither calls nor late datagrams.
    ///
    /// # Errors
    /// Describes what has not come to an end by `limit_us` of virtual time.
    ///
    /// # Panics
    /// If a call completes twice, or a flow writes outside its blocks.
    pub fn run(&mut self, limit_us: u64) -> Result<(), String> {
        for _ in 0..MAX_EVENTS {
            let Some(Reverse((at_us, _, scheduled))) = self.queue.pop() else {
                return self.assert_at_rest();
            };
            self.now_us = at_us;
            if at_us > limit_us {
                break;
            }
            self.happen(scheduled);
        }
        Err(format!("{} calls on flows are not complete after {} us", self.unfinished, self.now_us))
    }

    /// The output of a worker's call.
    pub fn result(&self, worker: u16, call: usize) -> &[u8] {
        self.submissions[usize::from(worker)][call].merged.result()
    }

    /// The outputs of all calls, worker by worker.
    pub fn results(&self) -> impl Iterator<Item = &[u8]> {
        self.submissions.iter().flatten().map(|submission| submission.merged.result())
    }

    /// Returns the time at which a worker's call was complete, in microseconds.
    pub fn completed_us(&self, worker: u16, call: usize) -> u64 {
        self.submissions[usize::from(worker)][call].completed_us
    }

    /// Returns the counters of a worker's streams on a flow.
    pub fn counters(&self, worker: u16, flow: u16) -> Counters {
        self.flows[usize::from(flow)].streams[usize::from(worker)].counters()
    }

    /// Checks that the network was perfect for every worker and flow: each round was sent once and
    /// answered once. `rounds` derives the number of rounds from the counters, and gives what else
    /// it is sure of in them.
    ///
    /// # Errors
    /// The first worker and flow for which it was not, and what they have counted.
    pub fn check_sent_once(
        &self,
        rounds: impl Fn(u16, Counters) -> Counters,
    ) -> Result<(), String> {
        let Setup { workers, flows, .. } = self.setup;
        for (worker, flow) in
            (0..workers).flat_map(|worker| (0..flows).map(move |flow| (worker, flow)))
        {
            let counted = self.counters(worker, flow);
            let sure = rounds(flow, counted);
            let expected = Counters {
                packets_sent: sure.rounds,
                packets_received: sure.rounds,
                retransmissions: 0,
                duplicates: 0,
                dropped: 0,
                ..sure
            };
            if counted != expected {
                return Err(format!(
                    "worker {worker}, flow {flow}: {counted:?} instead of {expected:?}"
                ));
            }
        }
        Ok(())
    }

    /// The targets, one for each flow.
    pub fn targets(&mut self) -> impl Iterator<Item = &mut T> {
        self.flows.iter_mut().map(|flow| &mut flow.target)
    }

    /// Virtual time since the beginning.
    pub fn now_us(&self) -> u64 {
        self.now_us
    }

    fn assert_at_rest(&mut self) -> Result<(), String> {
        let waiting = self
            .flows
            .iter_mut()
            .flat_map(|flow| &mut flow.streams)
            .any(|stream| stream.poll_timeout().is_some());
        if self.unfinished > 0 || waiting {
            return Err(format!(
                "{} calls on flows are not complete and nothing happens any more",
                self.unfinished
            ));
        }
        Ok(())
    }

    fn schedule(&mut self, at_us: u64, scheduled: Scheduled) {
        self.scheduled += 1;
        self.queue.push(Reverse((at_us, self.scheduled, scheduled)));
    }

    fn happen(&mut self, scheduled: Scheduled) {
        let now_us = self.now_us;
        match scheduled {
            Scheduled::Submit { worker, call } => {
                let Submission { plan, before, .. } = &self.submissions[usize::from(worker)][call];
                for flow in &mut self.flows {
                    let tensor = Dense::new(plan.clone(), before.clone());
                    flow.streams[usize::from(worker)].submit(
                        CallId(call as u64),
                        plan.clone(),
                        tensor,
                    );
                }
                (0..self.setup.flows).for_each(|flow| self.drive(flow, worker));
            }
            Scheduled::ToSwitch { .. } if self.restart.switch_is_lost() => {}
            Scheduled::ToSwitch { flow, from, bytes } => {
                let Flow { target, job, .. } = &mut self.flows[usize::from(flow)];
                for sent in target.exchange(*job, WorkerId(from), &bytes) {
                    self.send(sent.to.0, &sent.bytes, |bytes| Scheduled::ToWorker {
                        flow,
                        to: sent.to.0,
                        bytes,
                    });
                }
            }
            Scheduled::ToWorker { to, .. } if self.restart.is_suspended(to) => {}
            Scheduled::ToWorker { flow, to, bytes } => {
                self.stream(flow, to).handle(now_us, &bytes, Ecn::Clear);
                self.drive(flow, to);
            }
            Scheduled::Timer { flow, worker } => {
                let armed = &mut self.flows[usize::from(flow)].armed[usize::from(worker)];
                if armed.is_none_or(|at_us| at_us > now_us) {
                    // It was set to an earlier time since, and has gone off.
                    return;
                }
                *armed = None;
                if self.restart.is_suspended(worker) {
                    return;
                }
                let stream = self.stream(flow, worker);
                if stream.poll_timeout().is_some_and(|due_us| due_us <= now_us) {
                    stream.handle_timeout(now_us);
                }
                self.drive(flow, worker);
            }
            Scheduled::SwitchLost => self.lose_switch(),
            Scheduled::Suspend { worker } => self.suspend(worker),
            Scheduled::Resume { worker } => self.resume(worker),
        }
    }

    /// The driver's law: after every mutation, drain the packets to send and the events, then wait
    /// for the timeout.
    fn drive(&mut self, flow: u16, worker: u16) {
        let now_us = self.now_us;
        self.take_events(flow, worker);
        if self.restart.is_suspended(worker) {
            return;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        loop {
            let segments = self.rng.random_range(1..=4);
            let Some(transmit) =
                self.stream(flow, worker).poll_transmit(now_us, &mut buffer, segments)
            else {
                break;
            };
            for datagram in buffer[..transmit.len].chunks(transmit.segment) {
                self.send(worker, datagram, |bytes| Scheduled::ToSwitch {
                    flow,
                    from: worker,
                    bytes,
                });
            }
        }
        self.buffer = buffer;
        self.take_events(flow, worker);
        if let Some(due_us) = self.stream(flow, worker).poll_timeout() {
            let armed = &mut self.flows[usize::from(flow)].armed[usize::from(worker)];
            if armed.is_none_or(|at_us| due_us < at_us) {
                *armed = Some(due_us);
                self.schedule(due_us.max(now_us), Scheduled::Timer { flow, worker });
            }
        }
    }

    fn take_events(&mut self, flow: u16, worker: u16) {
        while let Some(Event::Completed(id, tensor)) = self.stream(flow, worker).poll_event() {
            let Submission { plan, before, merged, done, completed_us } =
                &mut self.submissions[usize::from(worker)][id.0 as usize];
            let done = &mut done[usize::from(flow)];
            assert!(!*done, "call {} of worker {worker} completes twice on flow {flow}", id.0);
            *done = true;
            *completed_us = self.now_us;
            merged.merge(plan, flow, self.setup.flows, tensor.into_memory(), before);
            self.unfinished -= 1;
        }
    }

    fn send(&mut self, worker: u16, datagram: &[u8], scheduled: impl Fn(Vec<u8>) -> Scheduled) {
        let Setup { faults, terms, .. } = &self.setup;
        for (at_us, bytes) in
            faults.carry(&mut self.rng, self.now_us, worker, terms.integrity, datagram)
        {
            self.schedule(at_us, scheduled(bytes));
        }
    }

    fn stream(&mut self, flow: u16, worker: u16) -> &mut Streams<Dense<CallBytes>> {
        &mut self.flows[usize::from(flow)].streams[usize::from(worker)]
    }
}
