//! A rack in virtual time: one switch, and for each worker a link with a rate, a length and random loss, from one seed.
//!
//! Unlike the [`Fabric`](crate::Fabric), which looks for wrong results, it tells how long a call takes: datagrams queue for their link, first come first served. All blocks
//! have the same size on the wire, whatever they hold, so that a call of a few kilobytes stands for one of many megabytes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netfold_num::{Arithmetic, ByteOrder, ElementType, Operation};
use netfold_wire::WorkerId;
use netfold_worker::{
    Call, CallId, Collective, Counters, Dense, Event, Plan, Priority, Reduction, StreamConfig, Streams, Timing,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::fabric::CallBytes;
use crate::target::{JobShape, Proof, ShardTarget, Target};

/// Lanes of a block, and its bytes in memory: enough that a query about it is worth while (R-TIME-6).
const LANES: u64 = 16;
const PAYLOAD_BYTES: u32 = 64;

/// Memory of the switch, for any number of slots that a test asks for.
const MEMORY_BYTES: u64 = 1 << 24;

/// Most events of one run; a run that needs more makes no progress.
const MAX_EVENTS: u64 = 100_000_000;

/// A worker that does nothing for a while: its thread waits for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// Rank of the worker.
    pub worker: u16,
    /// From when, in nanoseconds.
    pub from_ns: u64,
    /// Until when, in nanoseconds.
    pub until_ns: u64,
}

/// A call that all workers make while the large one is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
    /// When, in nanoseconds.
    pub at_ns: u64,
    /// Its blocks.
    pub blocks: u64,
    /// Its stream.
    pub priority: Priority,
}

/// A job, one large call of it, and its links.
#[derive(Clone, Debug)]
pub struct Rack {
    /// Workers, 1 to 64.
    pub workers: u16,
    /// Slots of the only flow's bulk stream; its urgent stream has a quarter of that, or one.
    pub slots: u16,
    /// Blocks of the call, a bulk all-reduce.
    pub blocks: u64,
    /// Another call.
    pub small: Option<Small>,
    /// Bytes that a datagram with lanes takes on a link, with everything around it.
    pub wire_bytes: u64,
    /// Bytes that one without lanes takes.
    pub short_bytes: u64,
    /// Rate of each link and direction, in bits per second.
    pub rate_bps: u64,
    /// How long a link is, in nanoseconds.
    pub link_ns: u64,
    /// Share of datagrams that each link loses, in each direction.
    pub loss: f64,
    /// A worker that stalls.
    pub stall: Option<Stall>,
    /// Bounds of the workers' timeouts.
    pub timing: Timing,
}

/// How a call went.
#[derive(Clone, Debug)]
pub struct Run {
    /// When the last worker had its last result, in nanoseconds.
    pub took_ns: u64,
    /// How long the small call took, until the last worker had its last result, in nanoseconds.
    pub small_ns: Option<u64>,
    /// When half of all results had been taken, in nanoseconds.
    pub half_ns: u64,
    /// The longest that a datagram has waited for its link after that, in nanoseconds.
    pub longest_wait_ns: u64,
    /// What each worker has counted.
    pub counters: Vec<Counters>,
}

impl Rack {
    /// A lossless rack of this size, with blocks of 1 KiB on Ethernet and the timeouts that workers have by default.
    pub fn new(workers: u16, slots: u16, blocks: u64, rate_bps: u64, link_ns: u64) -> Self {
        Self {
            workers,
            slots,
            blocks,
            small: None,
            // Lanes, header, UDP, IPv4, and Ethernet with its preamble and gap.
            wire_bytes: 1024 + 40 + 8 + 20 + 38,
            short_bytes: 40 + 8 + 20 + 38,
            rate_bps,
            link_ns,
            loss: 0.0,
            stall: None,
            timing: Timing::default(),
        }
    }

    /// Nanoseconds that a datagram with lanes occupies a link.
    pub fn datagram_ns(&self) -> f64 {
        self.wire_bytes as f64 * 8e9 / self.rate_bps as f64
    }

    /// Nanoseconds that one without lanes does.
    pub fn short_ns(&self) -> f64 {
        self.short_bytes as f64 * 8e9 / self.rate_bps as f64
    }

    /// Nanoseconds that the call takes if every link carries every block once, without a gap, and the last one travels there and back.
    pub fn ideal_ns(&self) -> f64 {
        (self.blocks + 1) as f64 * self.datagram_ns() + 2.0 * self.link_ns as f64
    }

    /// Makes the call.
    ///
    /// # Panics
    /// If the call does not come to its end.
    pub fn run(&self, seed: u64) -> Run {
        Simulation::new(self, seed).run()
    }
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    free_at_ns: f64,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    ToSwitch { from: u16, bytes: Vec<u8> },
    ToWorker { to: u16, bytes: Vec<u8> },
    Timer { worker: u16 },
    Small { worker: u16 },
    Woken { worker: u16 },
}

struct Simulation<'a> {
    rack: &'a Rack,
    rng: Pcg64Mcg,
    now_ns: u64,
    scheduled: u64,
    queue: BinaryHeap<Reverse<(u64, u64, Happening)>>,
    target: ShardTarget,
    job: netfold_wire::JobId,
    workers: Vec<Worker>,
    up: Vec<Link>,
    down: Vec<Link>,
    half_ns: Option<u64>,
    longest_wait_ns: u64,
}

struct Worker {
    stream: Streams<Dense<CallBytes>>,
    /// When its timer is set to go off, in nanoseconds.
    armed_ns: Option<u64>,
    /// What came while it was stalled.
    inbox: Vec<Vec<u8>>,
    done_ns: Option<u64>,
    small_done_ns: Option<u64>,
}

impl<'a> Simulation<'a> {
    fn new(rack: &'a Rack, seed: u64) -> Self {
        let mut target = ShardTarget::new(MEMORY_BYTES);
        let Rack { workers, slots, .. } = *rack;
        let urgent_slots = (slots / 4).max(1);
        let shape = JobShape {
            workers,
            slots: slots + urgent_slots,
            payload_bytes: PAYLOAD_BYTES,
            arithmetic: Arithmetic::Native,
            byte_order: ByteOrder::Little,
            proof: Proof::Transport,
        };
        let admitted = target.admit(&shape).expect("the rack's job fits its switch");
        let worker = |rank| Worker {
            stream: Streams::new(
                StreamConfig {
                    job: admitted.job,
                    epoch: admitted.epoch,
                    rank: WorkerId(rank),
                    first_slot: 0,
                    slots,
                    flow: 0,
                    flows: 1,
                    integrity: admitted.integrity,
                    timing: rack.timing,
                },
                urgent_slots,
            ),
            armed_ns: None,
            inbox: Vec::new(),
            done_ns: None,
            small_done_ns: None,
        };
        Self {
            rack,
            rng: Pcg64Mcg::seed_from_u64(seed),
            now_ns: 0,
            scheduled: 0,
            queue: BinaryHeap::new(),
            target,
            job: admitted.job,
            workers: (0..workers).map(worker).collect(),
            up: vec![Link::default(); workers.into()],
            down: vec![Link::default(); workers.into()],
            half_ns: None,
            longest_wait_ns: 0,
        }
    }

    fn run(mut self) -> Run {
        for rank in 0..self.rack.workers {
            self.submit(rank, CallId(0), self.rack.blocks, Priority::Bulk);
            if let Some(small) = self.rack.small {
                self.schedule(small.at_ns, Happening::Small { worker: rank });
            }
        }
        if let Some(Stall { worker, until_ns, .. }) = self.rack.stall {
            self.schedule(until_ns, Happening::Woken { worker });
        }
        for _ in 0..MAX_EVENTS {
            let Some(Reverse((at_ns, _, happening))) = self.queue.pop() else { break };
            self.now_ns = at_ns;
            self.happen(happening);
        }
        let small_done: Option<Vec<u64>> = self.workers.iter().map(|worker| worker.small_done_ns).collect();
        let small_done_ns = small_done.and_then(|done| done.into_iter().max());
        let done: Option<Vec<u64>> = self.workers.iter().map(|worker| worker.done_ns).collect();
        Run {
            took_ns: done.expect("the call ends").into_iter().max().unwrap_or(0),
            small_ns: self.rack.small.map(|small| small_done_ns.expect("the small call ends") - small.at_ns),
            half_ns: self.half_ns.expect("what ends has had a middle"),
            longest_wait_ns: self.longest_wait_ns,
            counters: self.workers.iter().map(|worker| worker.stream.counters()).collect(),
        }
    }

    fn submit(&mut self, rank: u16, id: CallId, blocks: u64, priority: Priority) {
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::I32,
            elements: blocks * LANES,
            priority: Some(priority),
        };
        let plan = Plan::new(call, Arithmetic::Native, self.rack.workers, WorkerId(rank), PAYLOAD_BYTES)
            .expect("a sum of integers");
        let input = vec![1; blocks as usize * PAYLOAD_BYTES as usize];
        let tensor = Dense::new(plan, CallBytes::new(&plan, input, true));
        self.workers[usize::from(rank)].stream.submit(id, plan, tensor);
        self.drive(rank);
    }

    fn schedule(&mut self, at_ns: u64, happening: Happening) {
        self.scheduled += 1;
        self.queue.push(Reverse((at_ns, self.scheduled, happening)));
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::ToSwitch { from, bytes } => {
                for sent in self.target.exchange(self.job, WorkerId(from), &bytes) {
                    let to = sent.to.0;
                    if let Some(at_ns) = self.carry(to, &sent.bytes, false) {
                        self.schedule(at_ns, Happening::ToWorker { to, bytes: sent.bytes });
                    }
                }
            }
            Happening::ToWorker { to, bytes } => {
                self.workers[usize::from(to)].inbox.push(bytes);
                self.turn(to);
            }
            Happening::Timer { worker } => {
                let armed_ns = &mut self.workers[usize::from(worker)].armed_ns;
                if *armed_ns == Some(self.now_ns) {
                    *armed_ns = None;
                    self.turn(worker);
                }
            }
            Happening::Small { worker } => {
                let Small { blocks, priority, .. } = self.rack.small.expect("it was scheduled for this");
                self.submit(worker, CallId(1), blocks, priority);
            }
            Happening::Woken { worker } => self.turn(worker),
        }
    }

    /// A turn of a worker's event loop: take what has come, look at the clock, send.
    fn turn(&mut self, rank: u16) {
        let stalled = |stall: &Stall| stall.worker == rank && (stall.from_ns..stall.until_ns).contains(&self.now_ns);
        if self.rack.stall.as_ref().is_some_and(stalled) {
            return;
        }
        let now_us = self.now_ns / 1000;
        let Worker { stream, inbox, .. } = &mut self.workers[usize::from(rank)];
        for bytes in inbox.drain(..) {
            stream.handle(now_us, &bytes);
        }
        stream.handle_timeout(now_us);
        self.drive(rank);
        if self.half_ns.is_none() {
            let taken: u64 = self.workers.iter().map(|worker| worker.stream.counters().rounds).sum();
            if 2 * taken >= u64::from(self.rack.workers) * self.rack.blocks {
                self.half_ns = Some(self.now_ns);
            }
        }
    }

    fn drive(&mut self, rank: u16) {
        let now_us = self.now_ns / 1000;
        let mut buffer = [0; netfold_wire::HEADER_BYTES + PAYLOAD_BYTES as usize];
        while let Some(transmit) = self.workers[usize::from(rank)].stream.poll_transmit(now_us, &mut buffer, 1) {
            let bytes = buffer[..transmit.len].to_vec();
            if let Some(at_ns) = self.carry(rank, &bytes, true) {
                self.schedule(at_ns, Happening::ToSwitch { from: rank, bytes });
            }
        }
        let worker = &mut self.workers[usize::from(rank)];
        while let Some(Event::Completed(id, _)) = worker.stream.poll_event() {
            let done_ns = if id == CallId(0) { &mut worker.done_ns } else { &mut worker.small_done_ns };
            *done_ns = Some(self.now_ns);
        }
        if let Some(due_ns) = worker.stream.poll_timeout().map(|due_us| (due_us * 1000).max(self.now_ns))
            && worker.armed_ns.is_none_or(|armed_ns| due_ns < armed_ns)
        {
            worker.armed_ns = Some(due_ns);
            self.schedule(due_ns, Happening::Timer { worker: rank });
        }
    }

    /// When a datagram that goes on a worker's link now comes out at its other end, if it does.
    fn carry(&mut self, rank: u16, datagram: &[u8], up: bool) -> Option<u64> {
        let short = datagram.len() == netfold_wire::HEADER_BYTES;
        let datagram_ns = if short { self.rack.short_ns() } else { self.rack.datagram_ns() };
        let link = if up { &mut self.up } else { &mut self.down };
        let free_at_ns = &mut link[usize::from(rank)].free_at_ns;
        let wait_ns = (*free_at_ns - self.now_ns as f64).max(0.0);
        *free_at_ns = self.now_ns as f64 + wait_ns + datagram_ns;
        let out_ns = *free_at_ns as u64 + self.rack.link_ns;
        if self.half_ns.is_some() {
            self.longest_wait_ns = self.longest_wait_ns.max(wait_ns as u64);
        }
        (!self.rng.random_bool(self.rack.loss)).then_some(out_ns)
    }
}
