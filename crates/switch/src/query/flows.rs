//! A query's packets at the switch: attempts in order, and sums once (R-QRY-24 to 35).

use std::hash::Hash;

use netfold_wire::{MOST_COLUMNS, QueryKind, QueryPacket, QueryRepr, RowProgram, WorkerId};

use super::answer::{Slots, copy, forward, judge, ones, seal};
use super::machine::RowMachine;
use super::rows::{Rows, set_all};
use super::spec::{QueryError, QuerySpec};
use super::sum::SumTable;
use crate::contribution::Refusal;

/// The receiver of a packet of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// A worker.
    Worker(WorkerId),
    /// The master.
    Master,
}

/// The registers of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Partition {
    /// The counted attempt; 0 if there is none.
    counted: u32,
    /// The number that is expected from it.
    expected: u32,
    /// It has ended (R-QRY-27).
    ended: bool,
    /// Its table, of a sum.
    table: Option<u16>,
}

/// The counted attempt of a partition that is committed: none that a worker has.
const COMMITTED: u32 = u32::MAX;

/// Totals of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct QueryCounters {
    /// Rows offered to the program.
    pub offered: u64,
    /// Rows of these that were forwarded.
    pub forwarded: u64,
    /// Rows forwarded without an offer: of packets behind the expected one, and of attempts that
    /// pass.
    pub passed: u64,
    /// Packets that came before their turn.
    pub ahead: u64,
    /// Passes through the pipeline beyond the first of each packet (R-QRY-5).
    pub recirculated: u64,
}

impl QueryCounters {
    /// Returns each total with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let &Self { offered, forwarded, passed, ahead, recirculated } = self;
        [
            ("offered", offered),
            ("forwarded", forwarded),
            ("passed", passed),
            ("ahead", ahead),
            ("recirculated", recirculated),
        ]
        .into_iter()
    }
}

/// A query at the switch. Its memory is taken when it is made.
#[derive(Clone, Debug)]
pub struct Query {
    spec: QuerySpec,
    machine: RowMachine,
    partitions: Box<[Partition]>,
    /// Tables of attempts, for a sum.
    tables: Vec<SumTable>,
    /// Those that no attempt has.
    free: Vec<u16>,
    counters: QueryCounters,
    scratch: Scratch,
}

/// The packet that is looked at.
#[derive(Clone, Debug)]
struct Scratch {
    keys: Vec<u64>,
    columns: Vec<i64>,
    bits: Vec<u64>,
}

impl Query {
    /// Takes memory for a query.
    ///
    /// # Errors
    /// The query cannot be like this.
    pub fn new(spec: QuerySpec) -> Result<Self, QueryError> {
        spec.checked()?;
        let machine = RowMachine::new(&spec.program)?;
        let tables = match machine.table() {
            Some(table) => vec![table.clone(); spec.attempts.into()],
            None => Vec::new(),
        };
        let words = spec.datagram_bytes as usize / 8;
        Ok(Self {
            machine,
            partitions: vec![Partition::default(); spec.partitions as usize].into(),
            free: (0..tables.len() as u16).rev().collect(),
            tables,
            counters: QueryCounters::default(),
            scratch: Scratch {
                keys: Vec::with_capacity(words),
                columns: Vec::with_capacity(words),
                bits: Vec::with_capacity(words.div_ceil(64)),
            },
            spec,
        })
    }

    /// Returns its description.
    pub fn spec(&self) -> &QuerySpec {
        &self.spec
    }

    /// Returns its totals.
    pub fn counters(&self) -> QueryCounters {
        let recirculated = self.counters.recirculated + self.machine.second_passes();
        QueryCounters { recirculated, ..self.counters }
    }

    /// Returns what decides how it goes on: what a search over all states tells it by.
    pub fn state(&self) -> impl Hash + Eq + '_ {
        (self.spec.epoch, &self.machine, &self.partitions, &self.tables, &self.free)
    }

    /// Returns the shared table of a sum.
    pub fn table(&self) -> Option<&SumTable> {
        self.machine.table()
    }

    /// Carries out a packet of the query, and writes the packet that follows from it. Returns the
    /// receiver and the length; nothing if nothing is sent.
    ///
    /// # Errors
    /// The reason for which the packet is dropped.
    ///
    /// # Panics
    /// If `out` has fewer bytes than a datagram of the query.
    pub fn handle(
        &mut self,
        packet: &QueryPacket<'_>,
        out: &mut [u8],
    ) -> Result<Option<(Receiver, usize)>, Refusal> {
        self.check(packet)?;
        let repr = packet.repr;
        let to_worker = Receiver::Worker(repr.worker);
        if repr.answer {
            // The master's acknowledgement.
            return Ok(Some((to_worker, copy(packet.datagram(), out))));
        }
        Ok(match repr.kind {
            QueryKind::Open => {
                let answer = self.open(&repr);
                Some((to_worker, self.send(&answer, out)))
            }
            QueryKind::Rows => self.rows(packet, out),
            QueryKind::Fin => Some(self.fin(&repr, out)),
            QueryKind::Seal => {
                self.machine.seal();
                Some((Receiver::Master, self.send(&repr.answered(), out)))
            }
            QueryKind::Discard => {
                self.discard(&repr);
                Some((Receiver::Master, self.send(&repr.answered(), out)))
            }
            QueryKind::Merge => Some((Receiver::Master, self.merge(&repr, out))),
            QueryKind::Read => Some((Receiver::Master, self.read(&repr, out))),
        })
    }

    /// R-QRY-23
    fn check(&self, packet: &QueryPacket<'_>) -> Result<(), Refusal> {
        let (repr, spec) = (&packet.repr, &self.spec);
        if !packet.is_whole(&spec.integrity) {
            return Err(Refusal::Integrity);
        }
        if (repr.job, repr.epoch) != (spec.job, spec.epoch) {
            return Err(Refusal::UnknownJob);
        }
        if repr.forwarded {
            return Err(Refusal::Direction);
        }
        let has_rows = repr.kind == QueryKind::Rows && !repr.answer;
        let forwarded = QueryRepr { forwarded: true, place: repr.rows.into(), ..*repr };
        let fits = repr.partition < spec.partitions
            && repr.worker.0 < spec.workers
            && makes_sense(repr, &spec.program)
            && forwarded.datagram_bytes() <= spec.datagram_bytes as usize
            && (!has_rows
                || usize::from(repr.columns) >= spec.program.columns()
                    && (repr.keys || !spec.program.reads_keys())
                    && !(repr.verdicts && self.machine.table().is_some()));
        if fits { Ok(()) } else { Err(Refusal::Range) }
    }

    fn partition(&mut self, repr: &QueryRepr) -> &mut Partition {
        &mut self.partitions[repr.partition as usize]
    }

    /// R-QRY-26, R-QRY-31
    fn open(&mut self, repr: &QueryRepr) -> QueryRepr {
        let sums = self.machine.table().is_some();
        let known = self.partitions[repr.partition as usize];
        if known.counted == 0 {
            let table = self.free.last().copied();
            if !sums || table.is_some() {
                self.free.truncate(self.free.len() - usize::from(table.is_some()));
                let counted = repr.attempt;
                let expected = repr.sequence;
                *self.partition(repr) = Partition { counted, expected, ended: false, table };
            }
        }
        let known = self.partition(repr);
        let counted = known.counted == repr.attempt;
        QueryRepr { counted, place: known.expected, ..repr.answered() }
    }

    /// R-QRY-24, R-QRY-25
    fn rows(&mut self, packet: &QueryPacket<'_>, out: &mut [u8]) -> Option<(Receiver, usize)> {
        let repr = packet.repr;
        let Self { spec, machine, partitions, tables, counters, scratch, .. } = self;
        let known = &mut partitions[repr.partition as usize];
        scratch.take(packet);
        let mut columns: [&[i64]; MOST_COLUMNS] = [&[]; MOST_COLUMNS];
        let len = usize::from(repr.rows);
        for (place, column) in columns.iter_mut().zip(scratch.columns.chunks_exact(len.max(1))) {
            *place = column;
        }
        let rows = Rows {
            identity: netfold_wire::row_identity(repr.partition, repr.first),
            keys: &scratch.keys,
            columns: &columns[..usize::from(repr.columns)],
            build: repr.build,
        };
        let bits = &mut scratch.bits;
        let counted = repr.counted && known.counted == repr.attempt;
        let to_worker = Receiver::Worker(repr.worker);
        if counted && repr.sequence > known.expected {
            counters.ahead += 1;
            let place = known.expected;
            let answer = QueryRepr { ahead: true, place, ..repr.answered() };
            return Some((to_worker, seal(&answer, &spec.integrity, out)));
        }
        if counted && known.ended && !repr.verdicts {
            return Some((to_worker, seal(&repr.answered(), &spec.integrity, out)));
        }
        let table = known.table.map(|index| &mut tables[usize::from(index)]);
        if counted && repr.sequence == known.expected {
            known.expected += 1;
            counters.offered += len as u64;
            counters.recirculated += len.saturating_sub(1) as u64;
            match table {
                Some(table) => table.offer(&rows, bits),
                None => machine.offer(&rows, bits),
            }
            counters.forwarded += ones(bits);
        } else {
            if repr.build && !counted {
                // R-QRY-26: to put a key in again changes nothing.
                machine.offer(&rows, bits);
            }
            match table {
                Some(table) if counted => table.judge_again(&rows, bits),
                _ => set_all(bits, len),
            }
            counters.passed += ones(bits);
        }
        if repr.verdicts {
            return Some((to_worker, judge(&repr.judged(), bits, &spec.integrity, out)));
        }
        let survivors = ones(bits) as u16;
        if survivors == 0 && len > 0 {
            return Some((to_worker, seal(&repr.answered(), &spec.integrity, out)));
        }
        let place = repr.rows.into();
        let forwarded = QueryRepr { forwarded: true, place, rows: survivors, ..repr };
        Some((Receiver::Master, forward(&forwarded, &rows, packet, bits, &spec.integrity, out)))
    }

    /// R-QRY-27
    fn fin(&mut self, repr: &QueryRepr, out: &mut [u8]) -> (Receiver, usize) {
        let known = self.partition(repr);
        if repr.counted && known.counted == repr.attempt {
            if repr.sequence != known.expected {
                let answer = QueryRepr { ahead: true, place: known.expected, ..repr.answered() };
                return (Receiver::Worker(repr.worker), self.send(&answer, out));
            }
            known.ended = true;
        }
        let forwarded = QueryRepr { forwarded: true, place: 0, ..*repr };
        (Receiver::Master, self.send(&forwarded, out))
    }

    /// R-QRY-33
    fn discard(&mut self, repr: &QueryRepr) {
        let known = self.partitions[repr.partition as usize];
        if known.counted == COMMITTED || repr.attempt != 0 && known.counted != repr.attempt {
            return;
        }
        if let Some(table) = known.table {
            self.tables[usize::from(table)].clear();
            self.free.push(table);
        } else if self.machine.table().is_none() {
            // Rows of a counted attempt are in the state of the program (R-QRY-29).
            return;
        }
        *self.partition(repr) = match repr.counted {
            true => Partition { counted: COMMITTED, ended: true, ..Partition::default() },
            false => Partition::default(),
        };
    }

    /// R-QRY-32
    fn merge(&mut self, repr: &QueryRepr, out: &mut [u8]) -> usize {
        let known = self.partitions[repr.partition as usize];
        let table = known.table.filter(|_| known.counted == repr.attempt && known.ended);
        let shared = self.machine.table_mut();
        let (Some(index), Some(shared)) = (table, shared) else {
            // Nothing is left of the attempt.
            return self.send(&QueryRepr { last: true, ..repr.answered() }, out);
        };
        let table = &mut self.tables[usize::from(index)];
        let mut slots = Slots::new(repr, table, &self.spec);
        let mut at = repr.place as usize;
        while at < table.len() {
            if let Some(slot) = table.slot(at) {
                if shared.merge(slot) {
                    table.free(at);
                } else if !slots.choose(at, slot) {
                    break;
                }
            }
            at += 1;
        }
        slots.finish(table, at, &self.spec.integrity, out)
    }

    /// R-QRY-34
    fn read(&self, repr: &QueryRepr, out: &mut [u8]) -> usize {
        let Some(table) = self.machine.table() else {
            return self.send(&QueryRepr { last: true, ..repr.answered() }, out);
        };
        let mut slots = Slots::new(repr, table, &self.spec);
        let mut at = repr.place as usize;
        while at < table.len() && table.slot(at).is_none_or(|slot| slots.choose(at, slot)) {
            at += 1;
        }
        slots.finish(table, at, &self.spec.integrity, out)
    }

    fn send(&self, repr: &QueryRepr, out: &mut [u8]) -> usize {
        seal(repr, &self.spec.integrity, out)
    }
}

/// Returns whether kind, flags and numbers make sense (R-QRY-23).
fn makes_sense(repr: &QueryRepr, program: &RowProgram) -> bool {
    let acknowledged = matches!(repr.kind, QueryKind::Rows | QueryKind::Fin);
    if repr.answer {
        return acknowledged && *repr == repr.answered();
    }
    let is_join = matches!(program, RowProgram::BloomJoin { .. });
    let of_attempt = acknowledged || repr.kind == QueryKind::Open;
    let of_none = of_attempt && matches!(repr.attempt, 0 | COMMITTED);
    let is_last = repr.kind == QueryKind::Rows && repr.sequence == u32::MAX;
    (is_join || !repr.build) && !of_none && !is_last
}

impl Scratch {
    /// Takes the keys and columns of a packet; keys are 0 if it has none.
    fn take(&mut self, packet: &QueryPacket<'_>) {
        let rows = usize::from(packet.repr.rows);
        self.keys.clear();
        self.keys.extend(packet.keys());
        self.keys.resize(rows, 0);
        self.columns.clear();
        self.columns.extend(netfold_wire::words(packet.rest).map(|word| word as i64));
        self.bits.clear();
        self.bits.resize(rows.div_ceil(64), 0);
    }
}
