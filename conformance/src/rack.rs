//! A rack on which a single large call is timed: one switch, and for each worker a link with a
//! rate, a length and random loss, from one seed.
//!
//! Unlike the [`Fabric`](crate::Fabric), which looks for wrong results, it tells how long a call
//! takes, by the simulator.

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_sim::{
    Calibration, Cluster, Faults, HostSetup, Input, JobSetup, Layer, OVERHEAD_BYTES, Setup,
    Stall as HostStall, SwitchSetup, Time,
};
use netfold_wire::{HEADER_BYTES, IntegrityKind, Terms};
use netfold_worker::{Call, Collective, Counters, Priority, Reduction, Timing};

/// Bytes of lanes in a packet, and how many lanes they are.
const PAYLOAD_BYTES: u32 = 1024;
const LANES: u64 = PAYLOAD_BYTES as u64 / 4;

/// Memory of the switch and room in queues, for any number of slots that a test asks for.
const MEMORY_BYTES: u64 = 1 << 30;

/// Most events of one run; a run that needs more makes no progress.
const MAX_EVENTS: u64 = 100_000_000;

/// Events after which it is looked up whether half of the results have been taken.
const GLANCE: u64 = 64;

/// A worker that does nothing for a while: its thread waits for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// Rank of the worker.
    pub worker: u16,
    /// Start of the stall, in nanoseconds.
    pub from_ns: u64,
    /// End of the stall, in nanoseconds.
    pub until_ns: u64,
}

/// A call that all workers make while the large one is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
    /// The time of the call, in nanoseconds.
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
    /// Rate of each link and direction, in bits per second.
    pub rate_bps: u64,
    /// Delay of a link, in nanoseconds.
    pub link_ns: u64,
    /// Share of datagrams that each link loses, in each direction.
    pub loss: f64,
    /// A worker that stalls.
    pub stall: Option<Stall>,
    /// Bounds of the workers' timeouts.
    pub timing: Timing,
}

/// Outcome of a call.
#[derive(Clone, Debug)]
pub struct Run {
    /// The time at which the last worker had its last result, in nanoseconds.
    pub took_ns: u64,
    /// Duration of the small call, until the last worker had its last result, in nanoseconds.
    pub small_ns: Option<u64>,
    /// The time at which half of all results had been taken, in nanoseconds.
    pub half_ns: u64,
    /// The longest that a datagram has waited for its link after that, in nanoseconds.
    pub longest_wait_ns: u64,
    /// Each worker's counters.
    pub counters: Vec<Counters>,
}

impl Rack {
    /// A lossless rack of this size, with blocks of 1 KiB on Ethernet and the timeouts that workers
    /// have by default.
    pub fn new(workers: u16, slots: u16, blocks: u64, rate_bps: u64, link_ns: u64) -> Self {
        Self {
            workers,
            slots,
            blocks,
            small: None,
            rate_bps,
            link_ns,
            loss: 0.0,
            stall: None,
            timing: Timing::default(),
        }
    }

    /// Nanoseconds that a datagram with lanes occupies a link.
    pub fn datagram_ns(&self) -> f64 {
        self.short_ns() + f64::from(PAYLOAD_BYTES) * 8e9 / self.rate_bps as f64
    }

    /// Nanoseconds that one without lanes does.
    pub fn short_ns(&self) -> f64 {
        (HEADER_BYTES as f64 + f64::from(OVERHEAD_BYTES)) * 8e9 / self.rate_bps as f64
    }

    /// Nanoseconds that the call takes if every link carries every block once, without a gap, and
    /// the last one travels there and back.
    pub fn ideal_ns(&self) -> f64 {
        (self.blocks + 1) as f64 * self.datagram_ns() + 2.0 * self.link_ns as f64
    }

    /// Makes the call.
    ///
    /// # Panics
    /// If the call does not come to its end.
    pub fn run(&self, seed: u64) -> Run {
        let mut cluster = Cluster::new(&self.setup(), &Calibration::built_in(), seed)
            .expect("a rack can be simulated");
        let mut submit = |blocks, priority, at| {
            let call = Call {
                collective: Collective::AllReduce,
                reduction: Reduction::Fold(Operation::Sum),
                element_type: ElementType::I32,
                elements: blocks * LANES,
                priority: Some(priority),
            };
            cluster.submit(0, call, at, Input::Sample).expect("a sum of integers")
        };
        let large = submit(self.blocks, Priority::Bulk, Time::ZERO);
        let small = self.small.map(|Small { at_ns, blocks, priority }| {
            let at = Time::from_ns(at_ns);
            (submit(blocks, priority, at), at)
        });
        let mut half_ns = None;
        for event in 0..MAX_EVENTS {
            if half_ns.is_none() && event % GLANCE == 0 && 2 * self.taken(&cluster) >= self.rounds()
            {
                half_ns = Some(cluster.now().ns());
                cluster.forget_queues();
            }
            if !cluster.step() {
                break;
            }
        }
        let took = cluster.completed(0, large).expect("the call ends");
        let report = cluster.report();
        assert!(report.is_well(), "{report:?}");
        Run {
            took_ns: took.ns(),
            small_ns: small.map(|(call, at)| {
                cluster.completed(0, call).expect("the small call ends").since(at).ns()
            }),
            half_ns: half_ns.expect("what ends has had a middle"),
            longest_wait_ns: cluster.link_counters().longest_wait_ns,
            counters: (0..self.workers).map(|rank| cluster.counters(0, rank)).collect(),
        }
    }

    /// Results that the large call brings to all workers.
    fn rounds(&self) -> u64 {
        u64::from(self.workers) * self.blocks
    }

    fn taken(&self, cluster: &Cluster) -> u64 {
        (0..self.workers).map(|rank| cluster.counters(0, rank).rounds).sum()
    }

    fn setup(&self) -> Setup {
        let stall = |&Stall { worker, from_ns, until_ns }: &Stall| HostStall {
            host: worker.into(),
            from_us: from_ns / 1000,
            until_us: until_ns / 1000,
        };
        Setup {
            layers: vec![Layer {
                fan_out: self.workers.into(),
                rate_gbps: self.rate_bps as f64 / 1e9,
                delay_ns: self.link_ns,
                queue_bytes: MEMORY_BYTES,
                mark_bytes: None,
                faults: Faults { loss: self.loss, ..Faults::default() },
            }],
            switches: SwitchSetup { memory_bytes: MEMORY_BYTES, ..SwitchSetup::default() },
            hosts: HostSetup { inbox_bytes: MEMORY_BYTES, ..HostSetup::default() },
            jobs: vec![JobSetup {
                slots: self.slots,
                terms: Terms {
                    arithmetic: Arithmetic::Native,
                    ..Terms::new(IntegrityKind::default())
                },
                timing: self.timing,
                ..JobSetup::new(self.workers)
            }],
            stalls: self.stall.iter().map(stall).collect(),
            until_ms: u64::MAX,
            ..Setup::new(Vec::new(), Vec::new())
        }
    }
}
