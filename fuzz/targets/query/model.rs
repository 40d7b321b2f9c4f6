//! A plain model of attempts in order (R-QRY-24 to 27) and of sums once (R-QRY-31 to 35). It knows
//! no slots: what tables hold is told by the rows that were not forwarded.

use std::collections::BTreeMap;

use netfold_switch::query::Receiver;
use netfold_wire::{QueryKind, QueryPacket, QueryRepr};

use super::{ATTEMPTS, PARTITIONS, SUMS};

/// The counted attempt of a partition that is committed.
const COMMITTED: u32 = u32::MAX;

/// The sum and the count of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    sum: i128,
    count: i128,
}

impl Total {
    fn plus(self, other: Self) -> Self {
        let sum = self.sum.wrapping_add(other.sum);
        Self { sum, count: self.count.wrapping_add(other.count) }
    }

    fn minus(self, other: Self) -> Self {
        let sum = self.sum.wrapping_sub(other.sum);
        Self { sum, count: self.count.wrapping_sub(other.count) }
    }

    /// Returns the slots of an answer.
    pub fn of_slots(packet: &QueryPacket<'_>) -> BTreeMap<u64, Self> {
        let slots = packet.slots().map(|(key, words)| {
            let accumulators: Vec<u64> = words.collect();
            let (sum, count) = accumulators.split_at(SUMS[0].words());
            let value = |at: usize, words| SUMS[at].to_i128(words).expect("an integer");
            (key, Self { sum: value(0, sum), count: value(1, count) })
        });
        slots.collect()
    }
}

#[derive(Clone, Debug, Default)]
struct Partition {
    /// The counted attempt, or 0.
    counted: u32,
    expected: u32,
    ended: bool,
    has_table: bool,
    /// Rows that the table has absorbed and holds.
    taken: BTreeMap<u64, Total>,
}

/// The treatment of a packet of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Ahead,
    Ended,
    Offered,
    Again,
    Passes,
}

/// The state of a query, as the rules have it.
pub struct Model {
    sums: bool,
    partitions: Vec<Partition>,
    shared: BTreeMap<u64, Total>,
}

impl Model {
    pub fn new(sums: bool) -> Self {
        let partitions = vec![Partition::default(); PARTITIONS as usize];
        Self { sums, partitions, shared: BTreeMap::new() }
    }

    pub fn sums(&self) -> bool {
        self.sums
    }

    /// Returns the number that a partition expects.
    pub fn expected(&self, partition: u32) -> u32 {
        self.partitions.get(partition as usize).map_or(0, |known| known.expected)
    }

    /// Returns the attempt whose table is open, and the number expected from it.
    pub fn open_attempt(&self, partition: u32) -> Option<(u32, u32)> {
        let known = &self.partitions[partition as usize];
        known.has_table.then_some((known.counted, known.expected))
    }

    /// Returns what the table of a partition's attempt holds.
    pub fn taken(&self, partition: u32) -> &BTreeMap<u64, Total> {
        &self.partitions[partition as usize].taken
    }

    /// Returns what the shared table holds.
    pub fn shared(&self) -> &BTreeMap<u64, Total> {
        &self.shared
    }

    /// Follows a packet that was not dropped, and checks what the switch sends.
    pub fn step(&mut self, sent: &QueryPacket<'_>, to: Receiver, got: &QueryPacket<'_>) {
        let repr = sent.repr;
        let worker = Receiver::Worker(repr.worker);
        if repr.answer {
            assert_eq!((to, got.datagram()), (worker, sent.datagram()));
            return;
        }
        match repr.kind {
            QueryKind::Open => {
                assert_eq!((to, got.repr), (worker, self.open(&repr)));
            }
            QueryKind::Rows => self.rows(sent, to, got),
            QueryKind::Fin => assert_eq!((to, got.repr), self.fin(&repr)),
            QueryKind::Seal => assert_eq!((to, got.repr), (Receiver::Master, repr.answered())),
            QueryKind::Discard => {
                assert_eq!((to, got.repr), (Receiver::Master, repr.answered()));
                self.discard(&repr);
            }
            QueryKind::Merge | QueryKind::Read => {
                assert_eq!(to, Receiver::Master);
                assert!(got.repr.answer && got.repr.kind == repr.kind);
                let slots = Total::of_slots(got);
                assert!(slots.iter().all(|(key, total)| self.shared.get(key) == Some(total)));
            }
        }
    }

    fn open(&mut self, repr: &QueryRepr) -> QueryRepr {
        let tables = self.partitions.iter().filter(|known| known.has_table).count();
        let has_table = self.sums && tables < usize::from(ATTEMPTS);
        let known = &mut self.partitions[repr.partition as usize];
        if known.counted == 0 && (has_table || !self.sums) {
            let (counted, expected) = (repr.attempt, repr.sequence);
            *known = Partition { counted, expected, has_table, ..Partition::default() };
        }
        let counted = known.counted == repr.attempt;
        QueryRepr { counted, place: known.expected, ..repr.answered() }
    }

    fn turn(&self, repr: &QueryRepr) -> Turn {
        let known = &self.partitions[repr.partition as usize];
        if !repr.counted || known.counted != repr.attempt {
            Turn::Passes
        } else if repr.sequence > known.expected {
            Turn::Ahead
        } else if known.ended && !repr.verdicts {
            Turn::Ended
        } else if repr.sequence == known.expected {
            Turn::Offered
        } else {
            Turn::Again
        }
    }

    fn rows(&mut self, sent: &QueryPacket<'_>, to: Receiver, got: &QueryPacket<'_>) {
        let (repr, turn) = (sent.repr, self.turn(&sent.repr));
        let known = &mut self.partitions[repr.partition as usize];
        if matches!(turn, Turn::Ahead | Turn::Ended) {
            let ahead = QueryRepr { ahead: true, place: known.expected, ..repr.answered() };
            let answer = if turn == Turn::Ahead { ahead } else { repr.answered() };
            assert_eq!((to, got.repr), (Receiver::Worker(repr.worker), answer));
            return;
        }
        let survives = survivors(sent, to, got);
        match turn {
            Turn::Passes => assert!(survives.iter().all(|survives| *survives)),
            Turn::Offered => known.expected += 1,
            _ => {}
        }
        if !self.sums {
            assert!(turn == Turn::Offered || survives.iter().all(|survives| *survives));
            return;
        }
        for (at, (key, survives)) in sent.keys().zip(survives).enumerate() {
            let value = |column| i128::from(sent.column(column).nth(at).expect("a value"));
            let row = Total { sum: value(0), count: value(1) };
            match turn {
                Turn::Offered if survives => {
                    assert!(!known.taken.contains_key(&key), "a slot keeps its key");
                }
                Turn::Offered => {
                    let total = known.taken.entry(key).or_default();
                    *total = total.plus(row);
                }
                Turn::Again => assert_eq!(survives, !known.taken.contains_key(&key)),
                _ => {}
            }
        }
    }

    fn fin(&mut self, repr: &QueryRepr) -> (Receiver, QueryRepr) {
        let known = &mut self.partitions[repr.partition as usize];
        if repr.counted && known.counted == repr.attempt {
            if repr.sequence != known.expected {
                let answer = QueryRepr { ahead: true, place: known.expected, ..repr.answered() };
                return (Receiver::Worker(repr.worker), answer);
            }
            known.ended = true;
        }
        (Receiver::Master, QueryRepr { forwarded: true, place: 0, ..*repr })
    }

    /// R-QRY-33. Of a pruning program, rows of a counted attempt are in the state of the program.
    fn discard(&mut self, repr: &QueryRepr) {
        let known = &mut self.partitions[repr.partition as usize];
        let is_its = repr.attempt == 0 || known.counted == repr.attempt;
        if self.sums && known.counted != COMMITTED && is_its {
            let counted = if repr.counted { COMMITTED } else { 0 };
            *known = Partition { counted, ended: repr.counted, ..Partition::default() };
        }
    }

    /// Follows a merge, after which the shared table is this one: each slot that it absorbed had
    /// the rows of its key, and so has each that is in the answer.
    pub fn merge(
        &mut self,
        sent: &QueryPacket<'_>,
        got: &QueryPacket<'_>,
        shared: BTreeMap<u64, Total>,
    ) {
        let repr = sent.repr;
        assert!(got.repr.answer && got.repr.kind == QueryKind::Merge);
        let known = &mut self.partitions[repr.partition as usize];
        let refused = Total::of_slots(got);
        if !known.has_table || !known.ended || known.counted != repr.attempt {
            assert!(refused.is_empty() && got.repr.last, "nothing is left of the attempt");
        }
        for (key, total) in &refused {
            assert_eq!(known.taken.get(key), Some(total));
            assert_eq!(self.shared.get(key), None, "the shared table has no slot for it");
        }
        for (key, total) in &shared {
            let before = self.shared.get(key).copied().unwrap_or_default();
            if *total != before {
                assert!(known.ended && known.counted == repr.attempt);
                assert_eq!(known.taken.remove(key), Some(total.minus(before)));
            }
        }
        let kept = |key| shared.contains_key(key);
        assert!(self.shared.keys().all(kept), "no slot is lost");
        self.shared = shared;
    }
}

/// Returns for each row that was sent whether it survives: it was forwarded as it is, or has its
/// bit set.
fn survivors(sent: &QueryPacket<'_>, to: Receiver, got: &QueryPacket<'_>) -> Vec<bool> {
    let (repr, rows) = (sent.repr, usize::from(sent.repr.rows));
    let bit = |at: usize| got.survivors().nth(at / 64).expect("its word") >> (at % 64) & 1 == 1;
    if repr.verdicts {
        assert_eq!((to, got.repr), (Receiver::Worker(repr.worker), repr.judged()));
        return (0..rows).map(bit).collect();
    }
    if to != Receiver::Master {
        assert_eq!((to, got.repr), (Receiver::Worker(repr.worker), repr.answered()));
        assert!(rows > 0, "a packet without rows goes to the master");
        return vec![false; rows];
    }
    let survive: Vec<bool> = (0..rows).map(bit).collect();
    let places: Vec<usize> = (0..rows).filter(|at| survive[*at]).collect();
    let (place, count) = (repr.rows.into(), places.len() as u16);
    assert_eq!(got.repr, QueryRepr { forwarded: true, place, rows: count, ..repr });
    if repr.keys {
        let keys: Vec<u64> = sent.keys().collect();
        assert!(got.keys().eq(places.iter().map(|at| keys[*at])));
    }
    for column in 0..usize::from(repr.columns) {
        let values: Vec<i64> = sent.column(column).collect();
        assert!(got.column(column).eq(places.iter().map(|at| values[*at])));
    }
    survive
}
