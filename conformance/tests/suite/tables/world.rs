//! Workers, servers and a tree of switches over a network that loses, repeats and delays.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use netfold_num::{Arithmetic, ElementType};
use netfold_switch::{MAX_ANSWER_BYTES, Shard, TableSpec, TableTree};
use netfold_wire::{
    Ecn, Epoch, FRESH_WINDOW, Integrity, JobId, TableKind, TablePacket, TableTerms, Terms, Window,
    WorkerId, has_push, in_parts, pushes_in,
};
use netfold_worker::keyed::{Client, ClientConfig, Generation, Reader, ReaderConfig, ReaderEvent};
use netfold_worker::{StreamConfig, Timing};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::shape::Shape;

pub const TABLE: TableTerms =
    TableTerms { rows: 300, width: 1, element_type: ElementType::I32, resident: true };
const DATAGRAM: u32 = 40 + 8 * 6;
const TOKEN: Integrity = Integrity::Token([7; 16]);

fn terms() -> Terms {
    let mut terms = Terms::new(TOKEN);
    terms.arithmetic = Arithmetic::Native;
    terms
}

/// Faults and work, drawn from a seed.
pub struct Dice(Pcg64);

impl Dice {
    pub fn roll(&mut self, below: u64) -> u64 {
        self.0.random_range(0..below)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Host {
    /// 0 is the root.
    Switch(usize),
    Worker(usize),
    Server(usize),
}

/// A datagram under way, the next to arrive first: from where and to where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Flight(Reverse<(u64, u64)>, Host, Host, Vec<u8>);

/// A worker, and the sums of all that it has pushed.
pub struct Worker {
    pub client: Client,
    pushed: BTreeMap<u32, i64>,
}

/// A server, and the sums of the generations that it has stored.
pub struct Server {
    pub reader: Reader,
    pub parts: u64,
    stored: u32,
    pub windows: Vec<Window>,
    sums: BTreeMap<u32, i64>,
    /// Everything that was there when it asked last is stored.
    empty: bool,
}

impl Server {
    /// R-KEY-10: stores a generation, whole.
    fn store(&mut self, generation: Generation) {
        assert_eq!(generation.number, self.stored + 1);
        self.stored = generation.number;
        self.windows = generation.windows;
        let rows = generation.rows.chunks_exact(4);
        for (rank, row) in generation.ranks.iter().zip(rows) {
            assert!(in_parts(self.parts, *rank), "rank {rank} belongs to another server");
            let row = i32::from_le_bytes(row.try_into().unwrap());
            *self.sums.entry(*rank).or_default() += i64::from(row);
        }
        self.reader.note_stored(self.stored);
    }
}

pub struct Network {
    pub dice: Dice,
    now_us: u64,
    sent: u64,
    flights: BinaryHeap<Flight>,
    /// Datagrams of a thousand that are lost, and that are repeated.
    lost: u64,
    repeated: u64,
}

impl Network {
    fn send(&mut self, from: Host, to: Host, datagram: &[u8]) {
        let copies = 1 + u64::from(self.dice.roll(1000) < self.repeated);
        for _ in 0..copies {
            if self.dice.roll(1000) < self.lost {
                continue;
            }
            // One in fifty is very late.
            let late = if self.dice.roll(50) == 0 { 40_000 } else { 60 };
            let at = self.now_us + 20 + self.dice.roll(late);
            self.sent += 1;
            self.flights.push(Flight(Reverse((at, self.sent)), from, to, datagram.to_vec()));
        }
    }
}

pub struct World {
    pub network: Network,
    shape: Shape,
    pub switches: Vec<Shard>,
    /// A switch that is lost.
    pub lost: Option<usize>,
    pub workers: Vec<Worker>,
    pub servers: Vec<Server>,
    /// Bytes that came to the root but for those of servers, and that it has sent them.
    pub root_bytes: usize,
    answer: Vec<u8>,
    buffer: Vec<u8>,
}

impl World {
    pub fn new(seed: u64, shape: Shape, servers: usize, lost: u64, repeated: u64) -> Self {
        let (job, epoch) = (JobId(2), Epoch(seed as u32));
        let (table, datagram_bytes, terms) = (TABLE, DATAGRAM, terms());
        let workers = shape.homes.len() as u16;
        let switch = |index: usize| {
            let leaves = shape.leaves(index).into_iter().map(|(_, leaf)| leaf).collect();
            let tree = TableTree { leaves, has_parent: shape.parents[index].is_some() };
            let spec = TableSpec { job, epoch, workers, datagram_bytes, table, terms, tree };
            let mut shard = Shard::new(spec.memory_bytes());
            shard.admit_table(spec).unwrap();
            shard
        };
        let switches = (0..shape.parents.len()).map(switch).collect();
        let timing = Timing::default();
        let client = |rank| {
            let rank = WorkerId(rank);
            let (flow, flows, first_slot, slots) = (0, 1, 0, 1);
            let stream =
                StreamConfig { job, epoch, rank, first_slot, slots, flow, flows, terms, timing };
            let client = Client::new(ClientConfig { stream, table, datagram_bytes });
            Worker { client, pushed: BTreeMap::new() }
        };
        let server = |index: usize| {
            let own = (0..64).filter(|part| part % servers == index);
            let (parts, stored) = (own.fold(0, |parts, part| parts | 1 << part), 0);
            let config = ReaderConfig {
                job,
                epoch,
                workers,
                terms,
                table,
                datagram_bytes,
                parts,
                stored,
                first_request: seed as u32,
                timing,
            };
            Server {
                reader: Reader::new(config),
                parts,
                stored,
                windows: vec![FRESH_WINDOW; workers.into()],
                sums: BTreeMap::new(),
                empty: false,
            }
        };
        Self {
            network: Network {
                dice: Dice(Pcg64::seed_from_u64(seed)),
                now_us: 0,
                sent: 0,
                flights: BinaryHeap::new(),
                lost,
                repeated,
            },
            shape,
            switches,
            lost: None,
            root_bytes: 0,
            workers: (0..workers).map(client).collect(),
            servers: (0..servers).map(server).collect(),
            answer: vec![0; MAX_ANSWER_BYTES],
            buffer: vec![0; 8 * DATAGRAM as usize],
        }
    }

    pub fn push(&mut self, index: usize) {
        let pairs = 1 + self.network.dice.roll(40);
        let dice = &mut self.network.dice;
        let ranks: Vec<u32> = (0..pairs).map(|_| dice.roll(TABLE.rows.into()) as u32).collect();
        let rows: Vec<i32> = (0..pairs).map(|_| dice.roll(2001) as i32 - 1000).collect();
        let worker = &mut self.workers[index];
        for (rank, row) in ranks.iter().zip(&rows) {
            *worker.pushed.entry(*rank).or_default() += i64::from(*row);
        }
        let rows: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
        worker.client.push(&ranks, &rows);
    }

    /// Sends all that is due.
    pub fn drain(&mut self) {
        let now_us = self.network.now_us;
        for (index, worker) in self.workers.iter_mut().enumerate() {
            while let Some((len, segment)) =
                worker.client.poll_transmit(now_us, &mut self.buffer, 8)
            {
                for datagram in self.buffer[..len].chunks(segment) {
                    // R-KEY-17
                    let pulls = TablePacket::is_of(datagram, TableKind::Pull);
                    let to = if pulls { 0 } else { self.shape.homes[index] };
                    self.network.send(Host::Worker(index), Host::Switch(to), datagram);
                }
            }
        }
        for (index, server) in self.servers.iter_mut().enumerate() {
            while let Some(len) = server.reader.poll_transmit(now_us, &mut self.buffer) {
                let datagram = &self.buffer[..len];
                self.network.send(Host::Server(index), Host::Switch(0), datagram);
            }
            while let Some(event) = server.reader.poll_event() {
                match event {
                    ReaderEvent::Open { empty, .. } => server.empty = empty,
                    ReaderEvent::Read(generation) => server.store(generation),
                    ReaderEvent::Ahead { open } => panic!("generation {open} is open"),
                    ReaderEvent::Loaded => {}
                }
            }
        }
    }

    /// Goes on to what happens next. Returns whether anything does.
    pub fn advance(&mut self) -> bool {
        self.drain();
        let arrival = self.network.flights.peek().map(|Flight(at, ..)| at.0.0);
        let workers = self.workers.iter_mut().filter_map(|worker| worker.client.poll_timeout());
        let servers = self.servers.iter_mut().filter_map(|server| server.reader.poll_timeout());
        let timeout = workers.chain(servers).min();
        let Some(next) = arrival.into_iter().chain(timeout).min() else { return false };
        self.network.now_us = next.max(self.network.now_us);
        if arrival == Some(next) {
            let Flight(_, from, to, datagram) = self.network.flights.pop().unwrap();
            self.arrive(from, to, &datagram);
        } else {
            let now_us = self.network.now_us;
            self.workers.iter_mut().for_each(|worker| worker.client.handle_timeout(now_us));
            self.servers.iter_mut().for_each(|server| server.reader.handle_timeout(now_us));
        }
        true
    }

    fn arrive(&mut self, from: Host, to: Host, datagram: &[u8]) {
        match to {
            Host::Switch(index) if self.lost == Some(index) => {}
            Host::Switch(index) => self.arrive_at_switch(from, index, datagram),
            Host::Worker(index) => {
                self.workers[index].client.handle(self.network.now_us, datagram, Ecn::Clear);
            }
            Host::Server(index) => {
                self.servers[index].reader.handle(self.network.now_us, datagram);
            }
        }
    }

    fn arrive_at_switch(&mut self, from: Host, index: usize, datagram: &[u8]) {
        let switch = &mut self.switches[index];
        let len = switch.handle_table(datagram, Ecn::Clear, &mut self.answer);
        if index == 0 && !matches!(from, Host::Server(_)) {
            self.root_bytes += datagram.len() + len;
        }
        if len > 0 {
            self.network.send(Host::Switch(index), from, &self.answer[..len]);
        }
        while let Some(request) = switch.poll_leaf_request() {
            let leaves = self.shape.leaves(index);
            let (below, _) = leaves.iter().find(|(_, leaf)| leaf.name == request.leaf).unwrap();
            self.root_bytes += if index == 0 { request.datagram().len() } else { 0 };
            self.network.send(Host::Switch(index), Host::Switch(*below), request.datagram());
        }
    }

    /// Pushes, reads and moves on at random, so many times.
    pub fn work(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.network.dice.roll(12) {
                0 | 1 => {
                    let index = self.network.dice.roll(self.workers.len() as u64);
                    self.push(index as usize);
                }
                2 => {
                    let index = self.network.dice.roll(self.servers.len() as u64) as usize;
                    self.servers[index].reader.ask(true);
                }
                3 => {
                    // R-KEY-10: a server tells workers what it has stored.
                    let from = self.network.dice.roll(self.servers.len() as u64) as usize;
                    let Server { parts, ref windows, .. } = self.servers[from];
                    let told = self.network.dice.roll(self.workers.len() as u64) as usize;
                    let before = pushes_in(&windows[told]);
                    self.workers[told].client.note_stored(parts, before);
                }
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Goes on until this holds.
    pub fn advance_until(&mut self, done: impl Fn(&Self) -> bool) {
        for _ in 0..3_000_000 {
            if done(self) {
                return;
            }
            self.advance();
        }
        panic!("it does not come to an end");
    }

    pub fn is_acknowledged(&self) -> bool {
        self.workers.iter().all(|worker| worker.client.unacknowledged() == 0)
    }

    /// Goes on until all is acknowledged and stored.
    pub fn finish(&mut self) {
        self.advance_until(Self::is_acknowledged);
        // What a server has asked before may have been answered before the last push came.
        let idle = |world: &Self| world.servers.iter().all(|server| !server.reader.is_busy());
        self.advance_until(idle);
        self.drain();
        // In a tree a server may be told what was found before the last push came (R-KEY-18).
        for _ in 0..2 {
            self.servers.iter_mut().for_each(|server| server.empty = false);
            while !self.servers.iter().all(|server| server.empty) {
                self.servers.iter_mut().for_each(|server| server.reader.ask(true));
                self.advance_until(idle);
                self.drain();
            }
        }
    }

    /// R-KEY-10: a switch is lost, and the epoch sealed.
    pub fn replay(&mut self) {
        for server in &mut self.servers {
            server.reader.seal();
            for (index, worker) in self.workers.iter().enumerate() {
                for kept in worker.client.kept(server.parts) {
                    if !has_push(&server.windows[index], kept.number) {
                        for (rank, row) in kept.ranks.iter().zip(kept.rows.chunks_exact(4)) {
                            let row = i32::from_le_bytes(row.try_into().unwrap());
                            *server.sums.entry(*rank).or_default() += i64::from(row);
                        }
                    }
                }
            }
        }
    }

    pub fn expected(&self) -> BTreeMap<u32, i64> {
        let mut sums = BTreeMap::new();
        for (rank, row) in self.workers.iter().flat_map(|worker| &worker.pushed) {
            *sums.entry(*rank).or_default() += row;
        }
        sums
    }

    pub fn stored(&self) -> BTreeMap<u32, i64> {
        self.servers.iter().flat_map(|server| server.sums.clone()).collect()
    }
}

pub fn without_zeros(sums: BTreeMap<u32, i64>) -> BTreeMap<u32, i64> {
    sums.into_iter().filter(|(_, sum)| *sum != 0).collect()
}
