//! The tables that a search goes through.

use netfold_num::{Arithmetic, ElementType};
use netfold_switch::{Leaf, TableSpec, TableTree, Tree};
use netfold_wire::{
    Epoch, Integrity, PARTS, RANK_BYTES, TABLE_HEADER_BYTES, TablePacket, TableTerms, Terms,
    WINDOW, Window, WorkerId, part, pushes_in,
};
use netfold_worker::keyed::{ClientConfig, ReaderConfig};
use netfold_worker::{StreamConfig, Timing};

use super::state::{Peer, TableDatagram};
use crate::job::JOB;

/// The epochs of the table's planes (R-KEY-13).
pub(crate) const EPOCHS: [Epoch; 2] = [Epoch(1), Epoch(2)];

/// Bits of a sum that count how often a push is in it.
const COUNT_BITS: u32 = 3;

/// More requests than a server makes.
const NUMBERS: u32 = 1 << 16;

/// Most pushes of all workers: 32 bits have to count each.
const MOST_PUSHES: usize = 10;

/// A small job with a table: what its workers push, its servers, and what may befall them.
#[derive(Clone, Debug)]
pub struct TableJob {
    /// For each worker the ranks of each of its pushes.
    pushes: Vec<Vec<Vec<u32>>>,
    /// For each worker the number of those that it makes to the first plane.
    first: Vec<usize>,
    /// There is a second plane, at a switch of its own.
    moves: bool,
    servers: u16,
    registers: u32,
    asks: u32,
    pairs: u16,
    seals: bool,
    lost_servers: u32,
    ends: bool,
    /// Requests that a switch makes to one below it.
    requests: u32,
    /// For each switch the one above.
    parents: Vec<Option<usize>>,
    /// For each worker its switch.
    homes: Vec<usize>,
}

impl TableJob {
    /// A job without workers, whose servers ask so often each. A worker's window has one register,
    /// and a packet of a read holds all pairs.
    ///
    /// # Panics
    /// If there are not one to four servers.
    pub fn new(servers: u16, asks: u32) -> Self {
        assert!((1..=4).contains(&servers), "one to four servers");
        Self {
            pushes: Vec::new(),
            first: Vec::new(),
            moves: false,
            servers,
            registers: 1,
            asks,
            pairs: MOST_PUSHES as u16,
            seals: false,
            lost_servers: 0,
            ends: false,
            requests: 0,
            parents: vec![None],
            homes: Vec::new(),
        }
    }

    /// Adds a worker at the last switch that makes these pushes, each of pairs of these ranks.
    ///
    /// # Panics
    /// If there are more than ten pushes in all: they could not be told apart in a sum.
    #[must_use]
    pub fn worker(mut self, pushes: &[&[u32]]) -> Self {
        self.homes.push(self.parents.len() - 1);
        self.pushes.push(pushes.iter().map(|ranks| ranks.to_vec()).collect());
        self.first.push(pushes.len());
        assert!(self.names().count() <= MOST_PUSHES, "at most {MOST_PUSHES} pushes");
        self
    }

    /// The table goes on in a second plane (R-KEY-13), to which the last worker makes these pushes.
    /// Servers seal the first one whenever they like, and the workers open the second one then.
    ///
    /// # Panics
    /// If there are more than ten pushes in all.
    #[must_use]
    pub fn next_plane(mut self, pushes: &[&[u32]]) -> Self {
        let own = self.pushes.last_mut().into_iter();
        own.for_each(|own| own.extend(pushes.iter().map(|ranks| ranks.to_vec())));
        assert!(self.names().count() <= MOST_PUSHES, "at most {MOST_PUSHES} pushes");
        Self { moves: true, ..self }.seals()
    }

    /// Adds a switch below another, of which 0 is the root (R-KEY-17), to which that makes so many
    /// requests: each read of a server that comes again may begin to gather again.
    #[must_use]
    pub fn switch_below(mut self, parent: usize, requests: u32) -> Self {
        self.parents.push(Some(parent));
        Self { requests, ..self }
    }

    /// A worker's window has so many registers (R-KEY-3).
    #[must_use]
    pub fn registers(self, registers: u32) -> Self {
        Self { registers, ..self }
    }

    /// A packet of a read holds one pair, so that a read goes on (R-KEY-7).
    #[must_use]
    pub fn one_pair_at_a_time(self) -> Self {
        Self { pairs: 1, ..self }
    }

    /// Servers seal the epoch whenever they like, and workers replay (R-KEY-10).
    #[must_use]
    pub fn seals(self) -> Self {
        Self { seals: true, ..self }
    }

    /// Servers are lost so many times in all, and come back with what they have stored.
    #[must_use]
    pub fn loses_servers(self, lost_servers: u32) -> Self {
        Self { lost_servers, ..self }
    }

    /// The job ends at any time (R-KEY-11).
    #[must_use]
    pub fn ends(self) -> Self {
        Self { ends: true, ..self }
    }

    pub(crate) fn workers(&self) -> u16 {
        self.pushes.len() as u16
    }

    pub(crate) fn servers(&self) -> u16 {
        self.servers
    }

    pub(crate) fn asks(&self) -> u32 {
        self.asks
    }

    pub(crate) fn may_seal(&self) -> bool {
        self.seals
    }

    pub(crate) fn most_lost_servers(&self) -> u32 {
        self.lost_servers
    }

    pub(crate) fn requests(&self) -> u32 {
        self.requests
    }

    /// Switches: those of the first plane, and then that of the second.
    pub(crate) fn switches(&self) -> usize {
        self.parents.len() + usize::from(self.moves)
    }

    /// Returns whether there is a second plane.
    pub(crate) fn moves(&self) -> bool {
        self.moves
    }

    /// The plane of a switch.
    fn plane_of(&self, node: usize) -> usize {
        usize::from(node >= self.parents.len())
    }

    /// The plane that a datagram is of.
    pub(super) fn plane_of_datagram(&self, datagram: &TableDatagram) -> usize {
        let packet = || TablePacket::new_checked(&datagram.bytes);
        usize::from(self.moves && packet().is_ok_and(|packet| packet.repr.epoch == EPOCHS[1]))
    }

    /// Switches below each other, but for the root, at most.
    pub(crate) fn levels(&self) -> usize {
        let above = |node| std::iter::successors(self.parents[node], |node| self.parents[*node]);
        (0..self.parents.len()).map(|node| above(node).count()).max().unwrap_or(0)
    }

    /// The switch that a datagram goes to.
    pub(super) fn node_of(&self, datagram: &TableDatagram) -> usize {
        match datagram.peer {
            _ if self.plane_of_datagram(datagram) == 1 => self.parents.len(),
            Peer::Worker(rank) => self.homes[usize::from(rank)],
            Peer::Server(_) => 0,
            Peer::Parent(node) if datagram.answer => self.parents[node].unwrap_or(0),
            Peer::Parent(node) => node,
        }
    }

    /// The switches below another, by their names.
    pub(super) fn leaves(&self, node: usize) -> Vec<(usize, Leaf)> {
        if self.plane_of(node) == 1 {
            return Vec::new();
        }
        let tree = Tree::new(&self.parents, &self.homes);
        let below = (0..self.parents.len()).filter(|below| self.parents[*below] == Some(node));
        let leaf =
            |below| Some((below, Leaf { name: tree.name(below)?, workers: self.ranks(below) }));
        below.filter_map(leaf).collect()
    }

    /// The workers of a switch and of those below it.
    fn ranks(&self, node: usize) -> Vec<WorkerId> {
        let is_below = |home: &usize| {
            std::iter::successors(Some(*home), |home| self.parents[*home]).any(|home| home == node)
        };
        let ranks = (0..).map(WorkerId).zip(&self.homes);
        ranks.filter(|(_, home)| is_below(home)).map(|(rank, _)| rank).collect()
    }

    pub(crate) fn may_end(&self) -> bool {
        self.ends
    }

    /// The pushes of a worker to a plane: for each its place among all of the worker's, and its
    /// ranks.
    pub(crate) fn pushes(
        &self,
        worker: u16,
        plane: usize,
    ) -> impl ExactSizeIterator<Item = (u32, &Vec<u32>)> {
        let (all, first) = (&self.pushes[usize::from(worker)], self.first[usize::from(worker)]);
        let (from, own) = if plane == 0 { (0, &all[..first]) } else { (first, &all[first..]) };
        own.iter().enumerate().map(move |(at, ranks)| ((from + at) as u32, ranks))
    }

    /// Worker and number of each push.
    fn names(&self) -> impl Iterator<Item = (u16, u32)> {
        let numbers = |(worker, pushes): (u16, &Vec<Vec<u32>>)| {
            (0..pushes.len() as u32).map(move |number| (worker, number))
        };
        (0..).zip(&self.pushes).flat_map(numbers)
    }

    /// The place of a push among the counts of a sum.
    fn shift(&self, worker: u16, number: u32) -> u32 {
        let place = self.names().position(|name| name == (worker, number));
        place.map_or(0, |place| place as u32 * COUNT_BITS)
    }

    /// The row of each pair of a push: a sum of rows counts each push by itself.
    pub(crate) fn row(&self, worker: u16, number: u32) -> u32 {
        1 << self.shift(worker, number)
    }

    /// Returns how often a push is in a sum.
    pub(crate) fn count(&self, worker: u16, number: u32, sum: u32) -> u32 {
        sum >> self.shift(worker, number) & ((1 << COUNT_BITS) - 1)
    }

    /// Returns whether a sum of a row has each push of it once at most, and nothing else.
    pub(crate) fn is_possible(&self, rank: u32, sum: u32) -> bool {
        let own = self.names().filter(|(worker, number)| {
            self.pushes[usize::from(*worker)][*number as usize].contains(&rank)
        });
        sum & !own.fold(0, |rows, (worker, number)| rows | self.row(worker, number)) == 0
    }

    /// The server of a rank.
    pub(crate) fn server_of(&self, rank: u32) -> u16 {
        part(rank) as u16 % self.servers
    }

    /// The parts of a server, a bit for each.
    pub(crate) fn parts(&self, server: u16) -> u64 {
        let own = (0..PARTS).filter(|part| *part as u16 % self.servers == server);
        own.fold(0, |parts, part| parts | 1 << part)
    }

    /// The number on the wire of a worker's push: a worker that has a window of w registers
    /// uses the first w of the W that the switch has.
    pub(crate) fn on_the_wire(&self, number: u32) -> u32 {
        number / self.registers * WINDOW + number % self.registers
    }

    /// The inverse of [`TableJob::on_the_wire`].
    pub(crate) fn own_number(&self, number: u32) -> u32 {
        number / WINDOW * self.registers + number % WINDOW
    }

    /// Returns how many pushes of a worker its window has without a gap.
    pub(crate) fn pushes_in(&self, window: &Window) -> u32 {
        self.own_number(pushes_in(&window[..self.registers as usize]))
    }

    pub(crate) fn most_outstanding(&self) -> u32 {
        self.registers
    }

    fn table(&self) -> TableTerms {
        let ranks = self.pushes.iter().flatten().flatten();
        let rows = ranks.max().map_or(1, |last| last + 1);
        TableTerms { rows, width: 1, element_type: ElementType::I32, resident: false }
    }

    fn terms() -> Terms {
        let mut terms = Terms::new(Integrity::Transport);
        terms.arithmetic = Arithmetic::Native;
        terms
    }

    fn datagram_bytes(&self, pairs: u16) -> u32 {
        let pair_bytes = RANK_BYTES + self.table().row_bytes();
        (TABLE_HEADER_BYTES + usize::from(pairs) * pair_bytes) as u32
    }

    /// The table as a switch has it.
    pub(crate) fn spec(&self, node: usize) -> TableSpec {
        TableSpec {
            job: JOB,
            epoch: EPOCHS[self.plane_of(node)],
            workers: self.workers(),
            datagram_bytes: self.datagram_bytes(self.pairs),
            table: self.table(),
            terms: Self::terms(),
            tree: TableTree {
                leaves: self.leaves(node).into_iter().map(|(_, leaf)| leaf).collect(),
                has_parent: self.parents.get(node).is_some_and(Option::is_some),
            },
        }
    }

    pub(crate) fn client_config(&self, worker: u16, plane: usize) -> ClientConfig {
        let stream = StreamConfig {
            job: JOB,
            epoch: EPOCHS[plane],
            rank: WorkerId(worker),
            first_slot: 0,
            slots: 1,
            flow: 0,
            flows: 1,
            terms: Self::terms(),
            timing: Timing::default(),
        };
        let datagram_bytes = self.datagram_bytes(MOST_PUSHES as u16);
        ClientConfig { stream, table: self.table(), datagram_bytes }
    }

    /// Returns the configuration of a server's reader after so many losses. Numbers of requests do
    /// not come again.
    pub(crate) fn reader_config(
        &self,
        server: u16,
        plane: usize,
        stored: u32,
        losses: u32,
    ) -> ReaderConfig {
        ReaderConfig {
            job: JOB,
            epoch: EPOCHS[plane],
            workers: self.workers(),
            terms: Self::terms(),
            table: self.table(),
            datagram_bytes: self.datagram_bytes(self.pairs),
            parts: self.parts(server),
            stored,
            first_request: losses * NUMBERS,
            timing: Timing::default(),
        }
    }
}
