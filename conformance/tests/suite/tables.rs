//! Tables (R-KEY): workers, servers and a switch over a network that loses, repeats and delays, and
//! a switch that is lost. Every contribution is counted once.

use std::collections::{BTreeMap, BinaryHeap};

use netfold_num::{Arithmetic, ElementType};
use netfold_switch::{MAX_ANSWER_BYTES, Shard, TableSpec};
use netfold_wire::{
    Ecn, Epoch, FRESH_WINDOW, Integrity, JobId, TableTerms, Terms, Window, WorkerId, has_push,
    in_parts, pushes_in,
};
use netfold_worker::keyed::{
    Client, ClientConfig, ClientEvent, Generation, Reader, ReaderConfig, ReaderEvent,
};
use netfold_worker::{StreamConfig, Timing};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const TABLE: TableTerms =
    TableTerms { rows: 300, width: 1, element_type: ElementType::I32, resident: true };
const DATAGRAM: u32 = 40 + 8 * 6;
const TOKEN: Integrity = Integrity::Token([7; 16]);

fn terms() -> Terms {
    let mut terms = Terms::new(TOKEN);
    terms.arithmetic = Arithmetic::Native;
    terms
}

/// Faults and work, drawn from a seed.
struct Dice(Pcg64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0.random_range(0..below)
    }
}

/// Receiver of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Host {
    Switch(Peer),
    Peer(Peer),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Peer {
    Worker(usize),
    Server(usize),
}

/// A datagram under way, the next to arrive first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Flight(std::cmp::Reverse<(u64, u64)>, Host, Vec<u8>);

/// A worker, and the sums of all that it has pushed.
struct Worker {
    client: Client,
    pushed: BTreeMap<u32, i64>,
}

/// A server, and the sums of the generations that it has stored.
struct Server {
    reader: Reader,
    parts: u64,
    stored: u32,
    windows: Vec<Window>,
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

struct Network {
    dice: Dice,
    now_us: u64,
    sent: u64,
    flights: BinaryHeap<Flight>,
    /// Datagrams of a thousand that are lost, and that are repeated.
    lost: u64,
    repeated: u64,
}

impl Network {
    fn send(&mut self, to: Host, datagram: &[u8]) {
        let copies = 1 + u64::from(self.dice.roll(1000) < self.repeated);
        for _ in 0..copies {
            if self.dice.roll(1000) < self.lost {
                continue;
            }
            // One in fifty is very late.
            let late = if self.dice.roll(50) == 0 { 40_000 } else { 60 };
            let at = self.now_us + 20 + self.dice.roll(late);
            self.sent += 1;
            self.flights.push(Flight(std::cmp::Reverse((at, self.sent)), to, datagram.to_vec()));
        }
    }
}

struct World {
    network: Network,
    shard: Shard,
    workers: Vec<Worker>,
    servers: Vec<Server>,
    answer: Vec<u8>,
    buffer: Vec<u8>,
}

impl World {
    fn new(seed: u64, workers: u16, servers: usize, lost: u64, repeated: u64) -> Self {
        let (job, epoch) = (JobId(2), Epoch(seed as u32));
        let mut shard = Shard::new(1 << 22);
        let (table, datagram_bytes, terms) = (TABLE, DATAGRAM, terms());
        shard.admit_table(TableSpec { job, epoch, workers, datagram_bytes, table, terms }).unwrap();
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
            shard,
            workers: (0..workers).map(client).collect(),
            servers: (0..servers).map(server).collect(),
            answer: vec![0; MAX_ANSWER_BYTES],
            buffer: vec![0; 8 * DATAGRAM as usize],
        }
    }

    fn push(&mut self, index: usize) {
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
    fn drain(&mut self) {
        let now_us = self.network.now_us;
        for (index, worker) in self.workers.iter_mut().enumerate() {
            let to = Host::Switch(Peer::Worker(index));
            while let Some((len, segment)) =
                worker.client.poll_transmit(now_us, &mut self.buffer, 8)
            {
                let datagrams = self.buffer[..len].chunks(segment);
                datagrams.for_each(|datagram| self.network.send(to, datagram));
            }
        }
        for (index, server) in self.servers.iter_mut().enumerate() {
            let to = Host::Switch(Peer::Server(index));
            while let Some(len) = server.reader.poll_transmit(now_us, &mut self.buffer) {
                self.network.send(to, &self.buffer[..len]);
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
    fn advance(&mut self) -> bool {
        self.drain();
        let arrival = self.network.flights.peek().map(|Flight(at, ..)| at.0.0);
        let workers = self.workers.iter_mut().filter_map(|worker| worker.client.poll_timeout());
        let servers = self.servers.iter_mut().filter_map(|server| server.reader.poll_timeout());
        let timeout = workers.chain(servers).min();
        let Some(next) = arrival.into_iter().chain(timeout).min() else { return false };
        self.network.now_us = next.max(self.network.now_us);
        if arrival == Some(next) {
            let Flight(_, to, datagram) = self.network.flights.pop().unwrap();
            self.arrive(to, &datagram);
        } else {
            let now_us = self.network.now_us;
            self.workers.iter_mut().for_each(|worker| worker.client.handle_timeout(now_us));
            self.servers.iter_mut().for_each(|server| server.reader.handle_timeout(now_us));
        }
        true
    }

    fn arrive(&mut self, to: Host, datagram: &[u8]) {
        match to {
            Host::Switch(from) => {
                let len = self.shard.handle_table(datagram, Ecn::Clear, &mut self.answer);
                if len > 0 {
                    self.network.send(Host::Peer(from), &self.answer[..len]);
                }
            }
            Host::Peer(Peer::Worker(index)) => {
                self.workers[index].client.handle(self.network.now_us, datagram, Ecn::Clear);
            }
            Host::Peer(Peer::Server(index)) => {
                self.servers[index].reader.handle(self.network.now_us, datagram);
            }
        }
    }

    /// Pushes, reads and moves on at random, so many times.
    fn work(&mut self, steps: usize) {
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
    fn advance_until(&mut self, done: impl Fn(&Self) -> bool) {
        for _ in 0..3_000_000 {
            if done(self) {
                return;
            }
            self.advance();
        }
        panic!("it does not come to an end");
    }

    /// Goes on until all is acknowledged and stored.
    fn finish(&mut self) {
        self.advance_until(|world| {
            world.workers.iter().all(|worker| worker.client.unacknowledged() == 0)
        });
        // What a server has asked before may have been answered before the last push came.
        let idle = |world: &Self| world.servers.iter().all(|server| !server.reader.is_busy());
        self.advance_until(idle);
        self.drain();
        self.servers.iter_mut().for_each(|server| server.empty = false);
        while !self.servers.iter().all(|server| server.empty) {
            self.servers.iter_mut().for_each(|server| server.reader.ask(true));
            self.advance_until(idle);
            self.drain();
        }
    }

    fn expected(&self) -> BTreeMap<u32, i64> {
        let mut sums = BTreeMap::new();
        for (rank, row) in self.workers.iter().flat_map(|worker| &worker.pushed) {
            *sums.entry(*rank).or_default() += row;
        }
        sums
    }

    fn stored(&self) -> BTreeMap<u32, i64> {
        self.servers.iter().flat_map(|server| server.sums.clone()).collect()
    }
}

fn without_zeros(sums: BTreeMap<u32, i64>) -> BTreeMap<u32, i64> {
    sums.into_iter().filter(|(_, sum)| *sum != 0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    /// R-KEY-3 to R-KEY-9.
    #[test]
    fn servers_get_every_push_once(
        seed: u64, workers in 1..6u16, servers in 1..4usize, lost in 0..200u64, repeated in 0..200u64,
    ) {
        let mut world = World::new(seed, workers, servers, lost, repeated);
        world.work(2_000);
        world.finish();
        prop_assert_eq!(without_zeros(world.stored()), without_zeros(world.expected()));
        // Workers keep nothing then.
        for (worker, index) in world.workers.iter_mut().zip(0..) {
            world.servers.iter().for_each(|server| {
                worker.client.note_stored(server.parts, pushes_in(&server.windows[index]));
            });
            prop_assert_eq!(worker.client.kept_bytes(), 0);
        }
    }

    /// R-KEY-10: the switch is lost at any moment, with what is under way.
    #[test]
    fn nothing_is_lost_with_the_switch(
        seed: u64, workers in 1..6u16, servers in 1..4usize, lost in 0..200u64, steps in 0..3_000usize,
    ) {
        let mut world = World::new(seed, workers, servers, lost, 100);
        world.work(steps);
        let expected = world.expected();
        for server in &mut world.servers {
            server.reader.seal();
            for (index, worker) in world.workers.iter().enumerate() {
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
        prop_assert_eq!(without_zeros(world.stored()), without_zeros(expected));
    }

    /// R-KEY-12: values are what was loaded and all that was pushed.
    #[test]
    fn workers_pull_what_was_pushed(seed: u64, lost in 0..200u64) {
        let mut world = World::new(seed, 2, 2, lost, 100);
        for server in &mut world.servers {
            let ranks: Vec<u32> =
                (0..TABLE.rows).filter(|rank| in_parts(server.parts, *rank)).collect();
            let rows: Vec<u8> =
                ranks.iter().flat_map(|rank| (*rank as i32 * 3).to_le_bytes()).collect();
            server.reader.load(&ranks, &rows);
        }
        world.work(800);
        world.finish();
        let ranks: Vec<u32> = (0..TABLE.rows).rev().collect();
        world.workers[1].client.pull(&ranks);
        while !world.workers[1].client.has_pulled() {
            prop_assert!(world.advance());
        }
        let expected = world.expected();
        let mut pulled = BTreeMap::new();
        while let Some(ClientEvent::Pulled { asked, ranks, rows }) =
            world.workers[1].client.poll_event()
        {
            prop_assert_eq!(asked, ranks.len(), "every row is loaded");
            for (rank, row) in ranks.into_iter().zip(rows.chunks_exact(4)) {
                pulled.insert(rank, i64::from(i32::from_le_bytes(row.try_into().unwrap())));
            }
        }
        let value = |rank| i64::from(rank) * 3 + expected.get(&rank).copied().unwrap_or(0);
        prop_assert_eq!(pulled, (0..TABLE.rows).map(|rank| (rank, value(rank))).collect());
    }
}
