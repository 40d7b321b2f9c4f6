//! Packets of queries (R-QRY-23): their header, and a checked view of their bytes.

use core::ops::Range;

use super::MOST_COLUMNS;
pub use super::generated::QueryKind;
use super::generated::{Flags, HEADER_BYTES, Header, VERSION};
use crate::ids::{Epoch, JobId, WorkerId};
use crate::integrity::Integrity;
use crate::packet::ParseError;

/// Length of the header of a query's packets, in bytes.
pub const QUERY_HEADER_BYTES: usize = HEADER_BYTES;

/// Bytes of a key, of a column's value, and of a word.
const WORD: usize = 8;

/// The meaning of the header of a query's packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryRepr {
    /// Request that this is, or that it answers.
    pub kind: QueryKind,
    /// It is an answer.
    pub answer: bool,
    /// The switch has forwarded it to the master.
    pub forwarded: bool,
    /// Its rows belong to the build side of a join.
    pub build: bool,
    /// Its rows have keys.
    pub keys: bool,
    /// The attempt is counted.
    pub counted: bool,
    /// The packet that this answers came before its turn.
    pub ahead: bool,
    /// There are no slots after these.
    pub last: bool,
    /// Its rows stay at the worker, which asks for verdicts; an answer has them (R-QRY-36).
    pub verdicts: bool,
    /// Columns of a row, or words of a slot's accumulators.
    pub columns: u8,
    /// The query.
    pub job: JobId,
    /// The worker that asks, or whose request is answered.
    pub worker: WorkerId,
    /// The epoch of the query.
    pub epoch: Epoch,
    /// The partition.
    pub partition: u32,
    /// The attempt.
    pub attempt: u32,
    /// Number of the packet.
    pub sequence: u32,
    /// Rows of the packet as it was sent, the number that is expected, or a slot's index.
    pub place: u32,
    /// Rows or slots that follow.
    pub rows: u16,
    /// The number in the attempt of the packet's first row. Answers with slots: the words of a
    /// slot's accumulators that are in the packet.
    pub first: u64,
}

impl QueryRepr {
    /// Returns a request without rows.
    pub fn request(kind: QueryKind, job: JobId, epoch: Epoch, worker: WorkerId) -> Self {
        Self {
            kind,
            answer: false,
            forwarded: false,
            build: false,
            keys: false,
            counted: false,
            ahead: false,
            last: false,
            verdicts: false,
            columns: 0,
            job,
            worker,
            epoch,
            partition: 0,
            attempt: 0,
            sequence: 0,
            place: 0,
            rows: 0,
            first: 0,
        }
    }

    /// Returns the answer to this request, without rows.
    #[must_use]
    pub fn answered(self) -> Self {
        let (partition, attempt, sequence) = (self.partition, self.attempt, self.sequence);
        let request = Self::request(self.kind, self.job, self.epoch, self.worker);
        Self { answer: true, partition, attempt, sequence, place: self.place, ..request }
    }

    /// Returns the bytes of a row, or of a slot.
    pub fn row_bytes(&self) -> usize {
        match self.has_slots() {
            true => (1 + self.first as usize) * WORD,
            false => (usize::from(self.keys) + usize::from(self.columns)) * WORD,
        }
    }

    /// Returns the answer to these rows, with a bit for each (R-QRY-36).
    #[must_use]
    pub fn judged(self) -> Self {
        Self { verdicts: true, place: self.rows.into(), ..self.answered() }
    }

    /// Returns the bytes of the bits before the rows.
    pub fn bits_bytes(&self) -> usize {
        self.bits().div_ceil(64) * WORD
    }

    /// Returns the number of bits before the rows: one for each row of a packet as it was sent, or
    /// for each word of a slot's accumulators.
    fn bits(&self) -> usize {
        match self.kind {
            QueryKind::Rows if self.forwarded || self.answer && self.verdicts => {
                self.place as usize
            }
            _ if self.has_slots() && self.rows > 0 => self.columns.into(),
            _ => 0,
        }
    }

    /// Returns the number of bytes of the whole datagram.
    pub fn datagram_bytes(&self) -> usize {
        HEADER_BYTES + self.bits_bytes() + usize::from(self.rows) * self.row_bytes()
    }

    /// Returns the rows that fit into a datagram of so many bytes, with bits for them.
    pub fn rows_in(&self, datagram_bytes: usize) -> u16 {
        let room = datagram_bytes.saturating_sub(HEADER_BYTES + WORD);
        // A bit for each row, in whole words.
        let rows = room * 8 / (self.row_bytes() * 8 + 1).max(1);
        u16::try_from(rows).unwrap_or(u16::MAX)
    }

    /// Returns whether slots follow, not rows.
    fn has_slots(&self) -> bool {
        self.answer && matches!(self.kind, QueryKind::Merge | QueryKind::Read)
    }

    /// Writes the header to the front of `datagram`, and seals it all: what follows must be there.
    ///
    /// # Panics
    /// If `datagram` is not as long as [`QueryRepr::datagram_bytes`].
    pub fn seal(&self, integrity: &Integrity, datagram: &mut [u8]) {
        assert_eq!(datagram.len(), self.datagram_bytes(), "a datagram is as long as it says");
        let flags = [
            (self.answer, Flags::ANSWER),
            (self.forwarded, Flags::FORWARDED),
            (self.build, Flags::BUILD),
            (self.keys, Flags::KEYS),
            (self.counted, Flags::COUNTED),
            (self.ahead, Flags::AHEAD),
            (self.last, Flags::LAST),
            (self.verdicts, Flags::VERDICTS),
        ];
        let set = flags.into_iter().filter(|(set, _)| *set);
        let header = Header {
            version: VERSION,
            kind: self.kind.to_wire(),
            flags: set.fold(Flags::NONE, |all, (_, flag)| all.union(flag)).0,
            columns: self.columns,
            job: self.job.0,
            worker: self.worker.0,
            epoch: self.epoch.0,
            partition: self.partition,
            attempt: self.attempt,
            sequence: self.sequence,
            place: self.place,
            rows: self.rows,
            reserved: 0,
            first: self.first,
            integrity: 0,
        };
        header.write(datagram.first_chunk_mut().expect("a datagram has a header"));
        integrity.seal_after::<HEADER_BYTES>(datagram);
    }

    fn read(header: &Header) -> Option<Self> {
        let flags = Flags(header.flags);
        let repr = Self {
            kind: QueryKind::from_wire(header.kind)?,
            answer: flags.contains(Flags::ANSWER),
            forwarded: flags.contains(Flags::FORWARDED),
            build: flags.contains(Flags::BUILD),
            keys: flags.contains(Flags::KEYS),
            counted: flags.contains(Flags::COUNTED),
            ahead: flags.contains(Flags::AHEAD),
            last: flags.contains(Flags::LAST),
            verdicts: flags.contains(Flags::VERDICTS),
            columns: header.columns,
            job: JobId(header.job),
            worker: WorkerId(header.worker),
            epoch: Epoch(header.epoch),
            partition: header.partition,
            attempt: header.attempt,
            sequence: header.sequence,
            place: header.place,
            rows: header.rows,
            first: header.first,
        };
        if repr.has_slots() && repr.first > repr.columns.into() {
            return None;
        }
        let has_rows = repr.kind == QueryKind::Rows && !repr.answer;
        let columns = !has_rows || usize::from(repr.columns) <= MOST_COLUMNS;
        // Rows without keys and columns would have no length by which they are known.
        let whole = repr.rows == 0 || repr.row_bytes() > 0 && (has_rows || repr.has_slots());
        let bits = repr.bits() <= u16::MAX.into();
        let known = Flags::ALL_KNOWN.contains(flags) && header.reserved == 0;
        (known && columns && whole && bits).then_some(repr)
    }
}

/// A packet of a query whose header makes sense and whose length is what it says (R-QRY-23).
#[derive(Clone, Copy, Debug)]
pub struct QueryPacket<'a> {
    /// The meaning of the header.
    pub repr: QueryRepr,
    /// The bits of forwarded rows, of an answer with verdicts, or of the words of slots.
    pub bits: &'a [u8],
    /// The keys of the rows, or nothing.
    pub keys: &'a [u8],
    /// The columns one after the other; of an answer with slots, the slots.
    pub rest: &'a [u8],
    datagram: &'a [u8],
}

impl<'a> QueryPacket<'a> {
    /// Returns whether a datagram has the kind of a query's packet.
    pub fn is_one(datagram: &[u8]) -> bool {
        datagram.get(1).is_some_and(|kind| QueryKind::from_wire(*kind).is_some())
    }

    /// Checks `datagram` (R-PKT-1). Never panics.
    ///
    /// # Errors
    /// The first reason for which this is not such a packet.
    pub fn new_checked(datagram: &'a [u8]) -> Result<Self, ParseError> {
        let (head, rest) = datagram.split_first_chunk().ok_or(ParseError::Short)?;
        let header = Header::read(head);
        if header.version != VERSION {
            return Err(ParseError::Version);
        }
        let repr = QueryRepr::read(&header).ok_or(ParseError::Field)?;
        if datagram.len() != repr.datagram_bytes() {
            return Err(ParseError::Length);
        }
        let (bits, rest) = rest.split_at(repr.bits_bytes());
        let keys = usize::from(repr.keys && !repr.has_slots()) * usize::from(repr.rows) * WORD;
        let (keys, rest) = rest.split_at(keys);
        let packet = Self { repr, bits, keys, rest, datagram };
        if repr.bits() > 0 && !packet.has_its_bits() {
            return Err(ParseError::Field);
        }
        Ok(packet)
    }

    /// Returns whether as many bits are set as there are rows, or words of a slot, and none behind
    /// the last.
    fn has_its_bits(&self) -> bool {
        let repr = &self.repr;
        let set: u32 = self.survivors().map(u64::count_ones).sum();
        let past = repr.bits() % 64;
        let none_behind = self.survivors().last().is_none_or(|last| past == 0 || last >> past == 0);
        none_behind
            && match repr.has_slots() {
                true => u64::from(set) == repr.first,
                false => repr.answer || set == u32::from(repr.rows),
            }
    }

    /// Returns whether it is as it was sent, and by somebody who knows the query's key (R-PKT-3).
    pub fn is_whole(&self, integrity: &Integrity) -> bool {
        integrity.verify_after::<HEADER_BYTES>(self.datagram)
    }

    /// Returns the bytes of the datagram.
    pub fn datagram(&self) -> &'a [u8] {
        self.datagram
    }

    /// Returns the bits of the survivors, in words.
    pub fn survivors(&self) -> impl ExactSizeIterator<Item = u64> + Clone + use<'a> {
        words(self.bits)
    }

    /// Returns the keys.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = u64> + Clone + use<'a> {
        words(self.keys)
    }

    /// Returns a column of the rows.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column(&self, index: usize) -> impl ExactSizeIterator<Item = i64> + Clone + use<'a> {
        let bytes = usize::from(self.repr.rows) * WORD;
        words(&self.rest[index * bytes..][..bytes]).map(|word| word as i64)
    }

    /// Returns the slots of an answer: for each its key, and the words of its accumulators.
    pub fn slots(&self) -> impl Iterator<Item = (u64, SlotWords<'a>)> + use<'a> {
        let (bits, columns) = (self.bits, usize::from(self.repr.columns));
        self.rest.chunks_exact(self.repr.row_bytes().max(1)).map(move |slot| {
            let (key, present) = slot.split_first_chunk().expect("a slot has a key");
            (u64::from_le_bytes(*key), SlotWords { bits, present, left: 0..columns, before: 0 })
        })
    }
}

/// The words of a slot's accumulators, those that a packet leaves out among them.
#[derive(Clone, Debug)]
pub struct SlotWords<'a> {
    bits: &'a [u8],
    present: &'a [u8],
    left: Range<usize>,
    before: u64,
}

impl Iterator for SlotWords<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let at = self.left.next()?;
        self.before = implied(self.before);
        if self.bits[at / 8] >> (at % 8) & 1 == 1 {
            let (word, present) = self.present.split_first_chunk().expect("as many as bits");
            (self.before, self.present) = (u64::from_le_bytes(*word), present);
        }
        Some(self.before)
    }
}

/// Words of the accumulators of slots that a packet has; it leaves out those that follow from the
/// word before them in each slot (R-QRY-23).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PresentWords([u64; 4]);

impl PresentWords {
    /// Adds the words of a slot that have to be present.
    #[must_use]
    pub fn with(mut self, accumulators: &[u64]) -> Self {
        let mut before = 0;
        for (at, word) in accumulators.iter().enumerate() {
            self.0[at / 64] |= u64::from(*word != implied(before)) << (at % 64);
            before = *word;
        }
        self
    }

    /// Returns the number of the words.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// Returns the bits of the words, lowest first.
    pub fn bits(&self) -> [u64; 4] {
        self.0
    }

    /// Returns those of a slot's words that are present.
    pub fn of<'a>(&'a self, accumulators: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        let words = accumulators.iter().enumerate();
        words.filter(|(at, _)| self.0[at / 64] >> (at % 64) & 1 == 1).map(|(_, word)| *word)
    }
}

/// Returns the word that goes on with the sign of the one before it.
fn implied(before: u64) -> u64 {
    (before as i64 >> 63) as u64
}

/// Returns the words that bytes are.
pub fn words(bytes: &[u8]) -> impl ExactSizeIterator<Item = u64> + Clone + use<'_> {
    bytes.as_chunks::<WORD>().0.iter().map(|word| u64::from_le_bytes(*word))
}

/// Writes words to bytes, as many as there are of both.
pub fn write_words(words: impl IntoIterator<Item = u64>, bytes: &mut [u8]) {
    for (place, word) in bytes.as_chunks_mut::<WORD>().0.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    const KINDS: [QueryKind; 7] = [
        QueryKind::Open,
        QueryKind::Rows,
        QueryKind::Fin,
        QueryKind::Seal,
        QueryKind::Merge,
        QueryKind::Discard,
        QueryKind::Read,
    ];

    fn any_repr() -> impl Strategy<Value = QueryRepr> {
        let numbers = any::<([bool; 8], u16, u16, u32, u32, u32, u32, u64)>();
        (prop::sample::select(&KINDS[..]), numbers, 0..9_u8, 0..200_u32, 0..9_u16).prop_map(
            |(kind, numbers, columns, place, rows)| {
                let (flags, job, worker, epoch, partition, attempt, sequence, first) = numbers;
                let [answer, forwarded, build, keys, counted, ahead, last, verdicts] = flags;
                let slots = answer && matches!(kind, QueryKind::Merge | QueryKind::Read);
                let some = kind == QueryKind::Rows && !answer && keys || slots;
                let rows = if some { rows } else { 0 };
                let first = if slots { first % (u64::from(columns) + 1) } else { first };
                let place = if forwarded { place.max(rows.into()) } else { place };
                let (job, worker, epoch) = (JobId(job), WorkerId(worker), Epoch(epoch));
                QueryRepr {
                    kind,
                    answer,
                    forwarded,
                    build,
                    keys,
                    counted,
                    ahead,
                    last,
                    verdicts,
                    columns,
                    job,
                    worker,
                    epoch,
                    partition,
                    attempt,
                    sequence,
                    place,
                    rows,
                    first,
                }
            },
        )
    }

    /// Fourteen words that a sum has: a number of both signs in the middle, and the sign above.
    fn accumulator() -> impl Strategy<Value = Vec<u64>> {
        (any::<i64>(), 0..14_usize).prop_map(|(value, at)| {
            let mut words = vec![0; at];
            words.push(value as u64);
            words.resize(14, implied(value as u64));
            words
        })
    }

    proptest! {
        /// R-QRY-23: a header means the same at both ends, and a changed byte is found.
        #[test]
        fn a_packet_survives_the_wire(
            repr in any_repr(),
            fill: u8,
            key: [u8; 16],
            at in any::<prop::sample::Index>(),
            change in 1..=255_u8,
        ) {
            let mut bytes = [fill; 2048];
            let datagram = &mut bytes[..repr.datagram_bytes()];
            let slots = repr.answer && matches!(repr.kind, QueryKind::Merge | QueryKind::Read);
            let bits = (1_u64 << if slots { repr.first } else { repr.rows.into() }) - 1;
            let words = core::iter::once(bits).chain(core::iter::repeat(0));
            write_words(words, &mut datagram[HEADER_BYTES..][..repr.bits_bytes()]);
            for integrity in [Integrity::Transport, Integrity::Checksum, Integrity::Token(key)] {
                repr.seal(&integrity, datagram);
                let packet = QueryPacket::new_checked(datagram).unwrap();
                prop_assert_eq!(packet.repr, repr);
                prop_assert!(packet.is_whole(&integrity) && QueryPacket::is_one(datagram));
                let parts = packet.bits.len() + packet.keys.len() + packet.rest.len();
                prop_assert_eq!(QUERY_HEADER_BYTES + parts, repr.datagram_bytes());
            }
            let at = at.index(datagram.len());
            datagram[at] ^= change;
            let damaged = QueryPacket::new_checked(datagram);
            prop_assert!(damaged.is_err() || !damaged.unwrap().is_whole(&Integrity::Token(key)));
        }

        /// R-QRY-23: words that follow from others are left out, and come back.
        #[test]
        fn slots_survive_the_wire(
            values in prop::collection::vec(prop::collection::vec(accumulator(), 5), 1..6),
            keys: [u64; 6],
        ) {
            let slots: Vec<Vec<u64>> = values.iter().map(|parts| parts.concat()).collect();
            let present =
                slots.iter().fold(PresentWords::default(), |all, slot| all.with(slot));
            let request = QueryRepr::request(QueryKind::Read, JobId(1), Epoch(1), WorkerId(0));
            let (columns, rows) = (slots[0].len() as u8, slots.len() as u16);
            let repr = QueryRepr { columns, rows, first: present.count(), ..request.answered() };
            let mut bytes = vec![0; repr.datagram_bytes()];
            let (bits, rest) = bytes[HEADER_BYTES..].split_at_mut(repr.bits_bytes());
            write_words(present.bits(), bits);
            for ((place, slot), key) in rest.chunks_mut(repr.row_bytes()).zip(&slots).zip(keys) {
                write_words(core::iter::once(key).chain(present.of(slot)), place);
            }
            repr.seal(&Integrity::Checksum, &mut bytes);
            let packet = QueryPacket::new_checked(&bytes).unwrap();
            let came: Vec<_> = packet.slots().map(|(key, words)| (key, words.collect())).collect();
            prop_assert_eq!(came, keys.into_iter().zip(slots.clone()).collect::<Vec<_>>());
            // Five sums have a word for each place of their number, and one for the next sum's
            // first word, where the one before it is negative.
            prop_assert!(present.count() as usize <= 10 * slots.len());
        }

        #[test]
        fn arbitrary_bytes_never_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..300),
            kind in 23..32_u8,
        ) {
            if let [version, second, ..] = &mut bytes[..] {
                (*version, *second) = (VERSION, kind);
            }
            if let Ok(packet) = QueryPacket::new_checked(&bytes) {
                prop_assert_eq!(packet.repr.datagram_bytes(), bytes.len());
            }
        }
    }

    /// A switch tells a query's packets from others by their second byte.
    #[test]
    fn kinds_differ_from_those_of_other_packets() {
        for kind in KINDS {
            let byte = kind.to_wire();
            assert!(crate::Kind::from_wire(byte).is_none());
            assert!(crate::TableKind::from_wire(byte).is_none());
        }
    }
}
