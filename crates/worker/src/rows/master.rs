//! The master's side of a query: survivors by attempt, commits, and the slots of sums (R-QRY-27 to
//! 34).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::hash::Hash;

use netfold_wire::{Epoch, Integrity, JobId, QueryKind, QueryPacket, QueryRepr, WorkerId};

/// The description of a query for its master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MasterConfig {
    /// The query's index at the switch.
    pub job: JobId,
    /// Its epoch there.
    pub epoch: Epoch,
    /// Partitions of all its inputs.
    pub partitions: u32,
    /// Words of the accumulators of a slot; 0 if the program is no sum.
    pub sum_words: usize,
    /// Time until a request is sent again, in microseconds.
    pub rto_us: u64,
    /// Most bytes of rows that are held.
    pub memory_bytes: u64,
    /// The protection of packets.
    pub integrity: Integrity,
}

/// Survivors of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Survivors {
    /// The number in the attempt of the packet's first row.
    pub first: u64,
    /// A bit for each row of the packet; set for those that follow.
    pub bits: Vec<u64>,
    /// Keys of the rows, if they have some.
    pub keys: Vec<u64>,
    /// Columns, each with a value for each row.
    pub columns: Vec<Vec<i64>>,
}

impl Survivors {
    /// Returns the numbers in the attempt of the rows.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let set = |at: &u64| self.bits[(*at / 64) as usize] >> (*at % 64) & 1 == 1;
        (0..self.bits.len() as u64 * 64).filter(set).map(|at| self.first.wrapping_add(at))
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the bytes that they take.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(Vec::len).sum();
        8 * (self.bits.len() + self.keys.len() + columns + 8)
    }

    fn of(packet: &QueryPacket<'_>) -> Self {
        let columns = 0..usize::from(packet.repr.columns);
        Self {
            first: packet.repr.first,
            bits: packet.survivors().collect(),
            keys: packet.keys().collect(),
            columns: columns.map(|column| packet.column(column).collect()).collect(),
        }
    }
}

/// A slot of a sum: its key, and the words of its accumulators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MasterSlot {
    /// The key.
    pub key: u64,
    /// The accumulators of the sums, one after the other.
    pub accumulators: Vec<u64>,
}

/// An event at the master.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MasterEvent {
    /// A partition is committed: its survivors, and for a sum the slots that the shared table has
    /// not taken in. All of them belong to the answer.
    Committed {
        /// The partition.
        partition: u32,
        /// The attempt that was first.
        attempt: u32,
        /// The switch counted it, at least in the end (R-QRY-24).
        counted: bool,
        /// Its survivors.
        survivors: Vec<Survivors>,
        /// Slots of a sum.
        slots: Vec<MasterSlot>,
    },
    /// The filter of a join is sealed; probe rows are pruned from now on.
    Sealed,
    /// All partitions are committed; these are the slots of the shared table, for a sum. It is the
    /// last event.
    Done {
        /// Slots.
        slots: Vec<MasterSlot>,
    },
    /// The survivors take more memory than is allowed. The query cannot go on.
    Full,
}

/// State of a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Partition {
    /// Survivors of each attempt that is open, by number of the packet.
    attempts: BTreeMap<u32, BTreeMap<u32, Survivors>>,
    /// Attempts that were given up.
    given_up: Vec<u32>,
    /// The attempt that was first.
    first: Option<u32>,
    /// It was counted.
    counted: bool,
    /// It is told as committed.
    committed: bool,
}

/// A query's master, as a state machine without I/O.
#[derive(Clone, Debug)]
pub struct Master {
    config: MasterConfig,
    partitions: Vec<Partition>,
    /// Partitions that are not committed.
    open: u32,
    held_bytes: u64,
    /// Acknowledgements to send.
    outbox: VecDeque<Vec<u8>>,
    /// Requests to the switch: the first is under way.
    requests: VecDeque<QueryRepr>,
    sent: bool,
    sequence: u32,
    timeout_us: Option<u64>,
    /// Slots of the merge, or of the read, that is under way.
    slots: Vec<MasterSlot>,
    events: VecDeque<MasterEvent>,
    full: bool,
    /// The query has gone on at another switch.
    moved: bool,
}

impl Master {
    /// Begins.
    pub fn new(config: MasterConfig) -> Self {
        Self {
            partitions: vec![Partition::default(); config.partitions as usize],
            open: config.partitions,
            held_bytes: 0,
            outbox: VecDeque::new(),
            requests: VecDeque::new(),
            sent: false,
            sequence: 0,
            timeout_us: None,
            slots: Vec::new(),
            events: VecDeque::new(),
            full: false,
            moved: false,
            config,
        }
    }

    /// Returns what decides how it goes on, beside the times of its timers: what a search over all
    /// states tells it by.
    pub fn state(&self) -> impl Hash + Eq + '_ {
        let Self { config, partitions, held_bytes, outbox, requests, slots, events, .. } = self;
        let place = (config.epoch, held_bytes, self.sent, self.sequence, self.full, self.moved);
        (place, partitions, outbox, requests, slots, events)
    }

    /// Takes a packet that the switch has sent.
    pub fn handle(&mut self, packet: &QueryPacket<'_>) {
        let (repr, config) = (&packet.repr, &self.config);
        if (repr.job, repr.epoch) != (config.job, config.epoch)
            || repr.partition >= config.partitions
            || !packet.is_whole(&config.integrity)
        {
            return;
        }
        match (repr.forwarded, repr.kind) {
            (true, QueryKind::Rows) => self.rows(packet),
            (true, QueryKind::Fin) => self.fin(repr),
            (false, QueryKind::Merge | QueryKind::Read | QueryKind::Seal | QueryKind::Discard)
                if repr.answer =>
            {
                self.answered(packet);
            }
            _ => {}
        }
    }

    /// Gives an attempt up whose task has failed (R-QRY-33).
    pub fn give_up(&mut self, partition: u32, attempt: u32) {
        let Some(known) = self.partitions.get_mut(partition as usize) else { return };
        if known.first.is_some() || known.given_up.contains(&attempt) {
            return;
        }
        let rows = known.attempts.remove(&attempt).unwrap_or_default();
        self.held_bytes -= held(rows.values());
        known.given_up.push(attempt);
        if self.config.sum_words > 0 {
            self.ask(QueryKind::Discard, |repr| QueryRepr { partition, attempt, ..repr });
        }
    }

    /// Seals the filter of a join: call it when all partitions of its build side are committed. At
    /// a switch that was not there from the beginning the filter stays open, and probes pass.
    pub fn seal(&mut self) {
        if self.moved {
            self.events.push_back(MasterEvent::Sealed);
        } else {
            self.ask(QueryKind::Seal, |repr| repr);
        }
    }

    /// Goes on at another switch (R-QRY-30). A sum begins again: what was committed is void, and
    /// all partitions are to be streamed by further attempts.
    pub fn reopen(&mut self, job: JobId, epoch: Epoch) {
        (self.config.job, self.config.epoch) = (job, epoch);
        self.outbox.clear();
        self.sent = false;
        self.timeout_us = None;
        self.moved = true;
        // Of pruning programs, a seal alone can be there.
        let seals = self.requests.iter().filter(|request| request.kind == QueryKind::Seal);
        self.events.extend(seals.map(|_| MasterEvent::Sealed));
        self.requests.clear();
        if self.config.sum_words > 0 {
            self.slots.clear();
            self.events.clear();
            self.held_bytes = 0;
            self.open = self.config.partitions;
            for known in &mut self.partitions {
                let begun = known.attempts.keys().copied().chain(known.first);
                let given_up = known.given_up.iter().copied().chain(begun).collect();
                *known = Partition { given_up, ..Partition::default() };
            }
        }
    }

    /// Returns the next datagram to send to the switch.
    pub fn poll_transmit(&mut self, now_us: u64) -> Option<Vec<u8>> {
        if let Some(datagram) = self.outbox.pop_front() {
            return Some(datagram);
        }
        let request = self.requests.front().filter(|_| !self.sent)?;
        self.sent = true;
        self.timeout_us = Some(now_us + self.config.rto_us);
        Some(sealed(request, &self.config.integrity))
    }

    /// Returns the next event.
    pub fn poll_event(&mut self) -> Option<MasterEvent> {
        self.events.pop_front()
    }

    /// Returns whether the switch owes an answer to a request.
    pub fn is_asking(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Returns the time at which [`handle_timeout`](Self::handle_timeout) is due.
    pub fn poll_timeout(&self) -> Option<u64> {
        self.timeout_us
    }

    /// Sends a request again that was not answered in time.
    pub fn handle_timeout(&mut self, now_us: u64) {
        if self.timeout_us.is_some_and(|due| due <= now_us) {
            (self.timeout_us, self.sent) = (None, false);
        }
    }

    /// R-QRY-28
    fn rows(&mut self, packet: &QueryPacket<'_>) {
        let repr = &packet.repr;
        let known = &mut self.partitions[repr.partition as usize];
        let dropped = known.first.is_some() || known.given_up.contains(&repr.attempt);
        if !dropped {
            let rows = known.attempts.entry(repr.attempt).or_default();
            if let Entry::Vacant(place) = rows.entry(repr.sequence) {
                let survivors = Survivors::of(packet);
                let more = survivors.bytes() as u64;
                if self.held_bytes + more > self.config.memory_bytes {
                    if !std::mem::replace(&mut self.full, true) {
                        self.events.push_back(MasterEvent::Full);
                    }
                    return;
                }
                self.held_bytes += more;
                place.insert(survivors);
            }
        }
        self.acknowledge(repr);
    }

    /// R-QRY-27, R-QRY-32
    fn fin(&mut self, repr: &QueryRepr) {
        let (partition, attempt) = (repr.partition, repr.attempt);
        let known = &mut self.partitions[partition as usize];
        if known.first.is_none() && !known.given_up.contains(&attempt) {
            (known.first, known.counted) = (Some(attempt), repr.counted);
            for (_, rows) in known.attempts.extract_if(.., |other, _| *other != attempt) {
                self.held_bytes -= held(rows.values());
            }
            if self.config.sum_words == 0 {
                self.commit(partition, Vec::new());
            } else if repr.counted {
                self.ask(QueryKind::Merge, |repr| QueryRepr { partition, attempt, ..repr });
            } else {
                self.ask_to_clear(partition);
            }
        }
        self.acknowledge(repr);
    }

    /// Asks for the table of the partition to be cleared, and its registers to be closed.
    fn ask_to_clear(&mut self, partition: u32) {
        self.ask(QueryKind::Discard, |repr| QueryRepr { partition, counted: true, ..repr });
    }

    fn acknowledge(&mut self, repr: &QueryRepr) {
        self.outbox.push_back(sealed(&repr.answered(), &self.config.integrity));
    }

    fn ask(&mut self, kind: QueryKind, with: impl Fn(QueryRepr) -> QueryRepr) {
        self.sequence += 1;
        let repr = QueryRepr::request(kind, self.config.job, self.config.epoch, WorkerId(0));
        self.requests.push_back(QueryRepr { sequence: self.sequence, ..with(repr) });
    }

    /// Takes the answer to the request that is under way.
    fn answered(&mut self, packet: &QueryPacket<'_>) {
        let repr = &packet.repr;
        let Some(request) = self.requests.front().copied() else { return };
        if (repr.kind, repr.sequence) != (request.kind, request.sequence) {
            return;
        }
        if repr.rows > 0 && usize::from(repr.columns) != self.config.sum_words {
            // Slots of other sums (R-QRY-23).
            return;
        }
        self.requests.pop_front();
        (self.sent, self.timeout_us) = (false, None);
        self.slots.extend(
            packet.slots().map(|(key, words)| MasterSlot { key, accumulators: words.collect() }),
        );
        let partition = request.partition;
        if matches!(request.kind, QueryKind::Merge | QueryKind::Read) && !repr.last {
            self.sequence += 1;
            let (sequence, place) = (self.sequence, repr.place);
            self.requests.push_front(QueryRepr { sequence, place, ..request });
            return;
        }
        match request.kind {
            // The slots stay until the discard behind it is answered, which is the next request.
            QueryKind::Merge => {
                self.ask_to_clear(partition);
                let clear = self.requests.pop_back().expect("it was put there");
                self.requests.push_front(clear);
            }
            QueryKind::Discard if request.counted => {
                let slots = std::mem::take(&mut self.slots);
                self.commit(partition, slots);
            }
            QueryKind::Read => {
                let slots = std::mem::take(&mut self.slots);
                self.events.push_back(MasterEvent::Done { slots });
            }
            QueryKind::Seal => self.events.push_back(MasterEvent::Sealed),
            _ => {}
        }
    }

    fn commit(&mut self, partition: u32, slots: Vec<MasterSlot>) {
        let known = &mut self.partitions[partition as usize];
        let Some(attempt) = known.first.filter(|_| !known.committed) else { return };
        known.committed = true;
        let counted = known.counted;
        let rows =
            std::mem::take(&mut known.attempts).into_values().flat_map(BTreeMap::into_values);
        let survivors: Vec<Survivors> = rows.collect();
        self.held_bytes -= held(&survivors);
        let event = MasterEvent::Committed { partition, attempt, counted, survivors, slots };
        self.events.push_back(event);
        self.open -= 1;
        if self.open == 0 && self.config.sum_words > 0 {
            self.ask(QueryKind::Read, |repr| repr);
        } else if self.open == 0 {
            self.events.push_back(MasterEvent::Done { slots: Vec::new() });
        }
    }
}

/// The bytes that survivors take.
fn held<'a>(survivors: impl IntoIterator<Item = &'a Survivors>) -> u64 {
    survivors.into_iter().map(Survivors::bytes).sum::<usize>() as u64
}

fn sealed(repr: &QueryRepr, integrity: &Integrity) -> Vec<u8> {
    let mut datagram = vec![0; repr.datagram_bytes()];
    repr.seal(integrity, &mut datagram);
    datagram
}
