//! Switches that compose (R-TREE): a target made of several shards, with faulty links between them.

use std::collections::{BTreeMap, VecDeque};

use netfold_switch::{Event, JobSpec, Recipients, Shard, Tree};
use netfold_wire::{Ecn, Epoch, JobId, WorkerId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::target::{Admitted, Datagram, JobShape, Mismatch, Target};

/// The faults of the links between switches.
#[derive(Clone, Copy, Debug)]
pub struct InnerFaults {
    /// Share of datagrams that are lost.
    pub loss: f64,
    /// Share of datagrams that come twice.
    pub duplication: f64,
    /// Share of datagrams that come only after others that were sent later.
    pub delay: f64,
}

impl InnerFaults {
    /// Links that deliver everything, once and in order.
    pub const NONE: Self = Self { loss: 0.0, duplication: 0.0, delay: 0.0 };
}

/// One switch. The first of a tree is its root, and the parent of each other comes before it.
struct Node {
    shard: Shard,
    parent: Option<usize>,
}

/// Whom a switch knows by a rank in a job.
#[derive(Clone, Copy)]
enum Member {
    Worker,
    Node(usize),
}

/// A job on the tree.
struct Job {
    /// The switch that each worker sends to.
    homes: Vec<usize>,
    /// Members of each switch.
    members: Vec<BTreeMap<u16, Member>>,
}

/// A tree of switches, drawn from a seed, and links between them that lose, repeat and delay.
pub struct TreeTarget {
    nodes: Vec<Node>,
    faults: InnerFaults,
    jobs: BTreeMap<u16, Job>,
    admissions: u32,
    rng: Pcg64Mcg,
    /// Datagrams between switches: destination and bytes.
    under_way: VecDeque<(usize, Vec<u8>)>,
    buffer: Vec<u8>,
}

impl TreeTarget {
    /// Most switches of a tree.
    pub const MOST_SWITCHES: usize = 6;

    /// A tree of one to six switches with `memory_bytes` each, at most three below each other.
    pub fn new(seed: u64, faults: InnerFaults, memory_bytes: u64) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut nodes = vec![Node { shard: Shard::new(memory_bytes), parent: None }];
        for index in 1..rng.random_range(1..=Self::MOST_SWITCHES) {
            let parents: Vec<usize> = (0..index)
                .filter(|&node| {
                    nodes[node].parent.is_none_or(|parent| nodes[parent].parent.is_none())
                })
                .collect();
            let parent = parents[rng.random_range(0..parents.len())];
            nodes.push(Node { shard: Shard::new(memory_bytes), parent: Some(parent) });
        }
        let (jobs, under_way) = (BTreeMap::new(), VecDeque::new());
        Self { nodes, faults, jobs, admissions: 0, rng, under_way, buffer: Vec::new() }
    }

    /// The switches, the root first.
    pub fn shards(&self) -> impl Iterator<Item = &Shard> {
        self.nodes.iter().map(|node| &node.shard)
    }

    /// Sends out all that a switch has to send: to workers by `sent`, to other switches over the
    /// links.
    fn drain(&mut self, node: usize, sent: &mut Vec<Datagram>) {
        let Self { nodes, faults, jobs, rng, under_way, buffer, .. } = self;
        let Node { shard, parent } = &mut nodes[node];
        buffer.resize(2 * shard.max_datagram_bytes(), 0);
        while let Some(transmit) = shard.poll_transmit(buffer, 2) {
            let members = &jobs[&transmit.job.0].members[node];
            let addressed = |(rank, member): (&u16, &Member)| {
                transmit.to.include(WorkerId(*rank)).then_some((WorkerId(*rank), *member))
            };
            let to: Vec<_> = members.iter().filter_map(addressed).collect();
            for bytes in buffer[..transmit.len].chunks(transmit.segment) {
                let mut over_a_link = |to: usize| {
                    let copies = usize::from(!rng.random_bool(faults.loss))
                        + usize::from(rng.random_bool(faults.duplication));
                    for _ in 0..copies {
                        let ahead = if rng.random_bool(faults.delay) {
                            rng.random_range(0..=under_way.len())
                        } else {
                            0
                        };
                        under_way.insert(under_way.len() - ahead, (to, bytes.to_vec()));
                    }
                };
                if transmit.to == Recipients::Parent {
                    over_a_link(parent.expect("a switch that sends up has a parent"));
                }
                for (rank, member) in &to {
                    match *member {
                        Member::Worker => sent.push(Datagram {
                            job: transmit.job,
                            to: *rank,
                            bytes: bytes.to_vec(),
                        }),
                        Member::Node(child) => over_a_link(child),
                    }
                }
            }
        }
    }
}

impl Target for TreeTarget {
    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String> {
        let number =
            (0..).find(|number| !self.jobs.contains_key(number)).expect("fewer than 65536 jobs");
        let (job, epoch) = (JobId(number), Epoch(0x7_4EE + self.admissions));
        let nodes = self.nodes.len();
        let homes: Vec<_> = (0..shape.workers).map(|_| self.rng.random_range(0..nodes)).collect();
        let mut admitted = Job { homes, members: vec![BTreeMap::new(); nodes] };
        let spec = shape.spec(job, epoch);
        let parents: Vec<_> = self.nodes.iter().map(|node| node.parent).collect();
        for node in 0..nodes {
            let Some(place) = Tree::new(&parents, &admitted.homes).place(node) else { continue };
            let name = place.parent();
            if let Err(error) = self.nodes[node].shard.admit(JobSpec { place, ..spec.clone() }) {
                self.release(job);
                return Err(error.to_string());
            }
            if let (Some(parent), Some(name)) = (self.nodes[node].parent, name) {
                admitted.members[parent].insert(name.0, Member::Node(node));
            }
        }
        for (rank, home) in (0..).zip(&admitted.homes) {
            admitted.members[*home].insert(rank, Member::Worker);
        }
        self.jobs.insert(number, admitted);
        self.admissions += 1;
        Ok(Admitted { job, epoch, integrity: spec.terms.integrity })
    }

    fn release(&mut self, job: JobId) {
        for node in &mut self.nodes {
            node.shard.release(job);
        }
        self.jobs.remove(&job.0);
    }

    fn exchange(&mut self, job: JobId, from: WorkerId, datagram: &[u8]) -> Vec<Datagram> {
        let mut sent = Vec::new();
        // A datagram of a stranger comes to the root.
        let home = self
            .jobs
            .get(&job.0)
            .and_then(|job| job.homes.get(usize::from(from.0)))
            .copied()
            .unwrap_or(0);
        self.nodes[home].shard.handle(datagram, Ecn::Clear);
        self.drain(home, &mut sent);
        while let Some((node, bytes)) = self.under_way.pop_front() {
            self.nodes[node].shard.handle(&bytes, Ecn::Clear);
            self.drain(node, &mut sent);
        }
        sent
    }

    fn mismatches(&mut self) -> Vec<Mismatch> {
        let mut found = Vec::new();
        for node in &mut self.nodes {
            while let Some(event) = node.shard.poll_event() {
                if let Event::Mismatch { job, first, second, .. } = event {
                    found.push(Mismatch { job, first, second });
                }
            }
        }
        found
    }
}
