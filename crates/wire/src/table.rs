//! Packets of a job's table (R-KEY): their header, and a checked view of their bytes.

mod generated;
mod numbers;
mod window;

use netfold_num::ElementType;

use generated::{Flags, HEADER_BYTES, Header};
pub use generated::{Flags as TableFlags, PARTS, TableKind, VERSION as TABLE_VERSION, WINDOW};
pub use numbers::{rank_bytes, ranks, registers, write_registers};
pub use window::{FRESH_WINDOW, Window, has_push, is_newer, pushes_in};

use crate::ids::{Epoch, JobId, WorkerId};
use crate::integrity::Integrity;
use crate::packet::ParseError;

/// Length of the header of a table's packets, in bytes.
pub const TABLE_HEADER_BYTES: usize = HEADER_BYTES;

/// Bytes of a rank.
pub const RANK_BYTES: usize = 4;

/// The table of a job: what its workers agree on (R-KEY-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableTerms {
    /// Rows that the switch holds, k: those of the hot keys.
    pub rows: u32,
    /// Lanes of a row, d, at least 1.
    pub width: u16,
    /// Type of a lane.
    pub element_type: ElementType,
    /// The switch has the rows' values too, and workers pull them from it (R-KEY-12).
    pub resident: bool,
}

impl TableTerms {
    /// Returns the number of bytes of a row in a packet.
    pub fn row_bytes(&self) -> usize {
        usize::from(self.width) * self.element_type.bytes()
    }

    /// Returns the number of pairs that fit into a datagram of so many bytes; 0 if none does.
    pub fn pairs_in(&self, datagram_bytes: usize) -> u16 {
        let pairs =
            datagram_bytes.saturating_sub(TABLE_HEADER_BYTES) / (RANK_BYTES + self.row_bytes());
        u16::try_from(pairs).unwrap_or(u16::MAX)
    }
}

/// Returns the part that a rank belongs to (R-KEY-7).
pub const fn part(rank: u32) -> u32 {
    rank % PARTS
}

/// Returns whether a rank belongs to one of `parts`, a bit for each part.
pub const fn in_parts(parts: u64, rank: u32) -> bool {
    parts >> part(rank) & 1 == 1
}

/// The meaning of the header of a table's packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableRepr {
    /// Request that this is, or that it answers.
    pub kind: TableKind,
    /// It is an answer of the switch.
    pub answer: bool,
    /// It was sent before (R-KEY-4).
    pub repeated: bool,
    /// The generation is to be closed (R-KEY-8).
    pub close: bool,
    /// The generation has no more pairs of the parts that were named.
    pub last: bool,
    /// The network has marked the push that this acknowledges (R-ECN-2).
    pub marked: bool,
    /// The switch is to stop (R-KEY-16).
    pub going: bool,
    /// Type of a lane.
    pub element_type: ElementType,
    /// The job.
    pub job: JobId,
    /// The worker that asks, or whose window is asked for.
    pub worker: WorkerId,
    /// The epoch of the job.
    pub epoch: Epoch,
    /// Number of the push, or of the request.
    pub sequence: u32,
    /// Generation that a request is about, or that is open.
    pub generation: u32,
    /// Pairs that follow, or that were in the push that this acknowledges.
    pub pairs: u16,
    /// Lanes of a row.
    pub width: u16,
    /// Place in a generation.
    pub place: u32,
    /// Last generation that the server has stored.
    pub stored: u32,
}

impl TableRepr {
    /// Returns a request without pairs, of generation 0, for a job's table.
    pub fn request(kind: TableKind, job: JobId, epoch: Epoch, table: &TableTerms) -> Self {
        Self {
            kind,
            answer: false,
            repeated: false,
            close: false,
            last: false,
            marked: false,
            going: false,
            element_type: table.element_type,
            job,
            worker: WorkerId(0),
            epoch,
            sequence: 0,
            generation: 0,
            pairs: 0,
            width: table.width,
            place: 0,
            stored: 0,
        }
    }

    /// Returns the answer to this request.
    #[must_use]
    pub fn answered(self) -> Self {
        Self { answer: true, repeated: false, close: false, ..self }
    }

    /// Returns the number of bytes of ranks that follow the header.
    pub fn rank_bytes(&self) -> usize {
        let ranks = match (self.kind, self.answer) {
            (TableKind::Push | TableKind::Load, false)
            | (TableKind::Pull, _)
            | (TableKind::Read, true) => usize::from(self.pairs),
            _ => 0,
        };
        ranks * RANK_BYTES
    }

    /// Returns the number of bytes that follow the ranks: rows, or what else the kind has.
    pub fn rest_bytes(&self) -> usize {
        match (self.kind, self.answer) {
            (TableKind::Push | TableKind::Load, false)
            | (TableKind::Pull | TableKind::Read, true) => {
                usize::from(self.pairs) * usize::from(self.width) * self.element_type.bytes()
            }
            (TableKind::Read, false) => 8,
            (TableKind::Windows, true) => WINDOW as usize * RANK_BYTES,
            _ => 0,
        }
    }

    /// Returns the number of bytes of the whole datagram.
    pub fn datagram_bytes(&self) -> usize {
        HEADER_BYTES + self.rank_bytes() + self.rest_bytes()
    }

    /// Writes the header to the front of `datagram`, and seals it all: what follows must be there.
    ///
    /// # Panics
    /// If `datagram` is not as long as [`TableRepr::datagram_bytes`].
    pub fn seal(&self, integrity: &Integrity, datagram: &mut [u8]) {
        assert_eq!(datagram.len(), self.datagram_bytes(), "a datagram is as long as it says");
        let flags = [
            (self.answer, Flags::ANSWER),
            (self.repeated, Flags::REPEATED),
            (self.close, Flags::CLOSE),
            (self.last, Flags::LAST),
            (self.marked, Flags::MARKED),
            (self.going, Flags::GOING),
        ];
        let set = flags.into_iter().filter(|(set, _)| *set);
        let header = Header {
            version: generated::VERSION,
            kind: self.kind.to_wire(),
            flags: set.fold(Flags::NONE, |all, (_, flag)| all.union(flag)).0,
            element_type: self.element_type.to_wire(),
            job: self.job.0,
            worker: self.worker.0,
            epoch: self.epoch.0,
            sequence: self.sequence,
            generation: self.generation,
            pairs: self.pairs,
            width: self.width,
            place: self.place,
            stored: self.stored,
            integrity: 0,
        };
        header.write(datagram.first_chunk_mut().expect("a datagram has a header"));
        integrity.seal_after::<HEADER_BYTES>(datagram);
    }

    fn read(header: &Header) -> Option<Self> {
        let flags = Flags(header.flags);
        Flags::ALL_KNOWN.contains(flags).then_some(Self {
            kind: TableKind::from_wire(header.kind)?,
            answer: flags.contains(Flags::ANSWER),
            repeated: flags.contains(Flags::REPEATED),
            close: flags.contains(Flags::CLOSE),
            last: flags.contains(Flags::LAST),
            marked: flags.contains(Flags::MARKED),
            going: flags.contains(Flags::GOING),
            element_type: ElementType::from_wire(header.element_type)?,
            job: JobId(header.job),
            worker: WorkerId(header.worker),
            epoch: Epoch(header.epoch),
            sequence: header.sequence,
            generation: header.generation,
            pairs: header.pairs,
            width: header.width,
            place: header.place,
            stored: header.stored,
        })
    }
}

/// A packet of a table whose header makes sense and whose length is what it says (R-KEY-2).
#[derive(Clone, Copy, Debug)]
pub struct TablePacket<'a> {
    /// The meaning of the header.
    pub repr: TableRepr,
    /// The ranks of its pairs, in the job's byte order.
    pub ranks: &'a [u8],
    /// The rows, or what else follows.
    pub rest: &'a [u8],
    datagram: &'a [u8],
}

impl<'a> TablePacket<'a> {
    /// Returns whether a datagram has the kind of a table's packet.
    pub fn is_one(datagram: &[u8]) -> bool {
        datagram.get(1).is_some_and(|kind| TableKind::from_wire(*kind).is_some())
    }

    /// Returns whether a datagram has this kind.
    pub fn is_of(datagram: &[u8], kind: TableKind) -> bool {
        datagram.get(1) == Some(&kind.to_wire())
    }

    /// Checks `datagram` (R-PKT-1). Never panics.
    ///
    /// # Errors
    /// The first reason for which this is not such a packet.
    pub fn new_checked(datagram: &'a [u8]) -> Result<Self, ParseError> {
        let (head, rest) = datagram.split_first_chunk().ok_or(ParseError::Short)?;
        let header = Header::read(head);
        if header.version != generated::VERSION {
            return Err(ParseError::Version);
        }
        let repr = TableRepr::read(&header).ok_or(ParseError::Field)?;
        if datagram.len() != repr.datagram_bytes() {
            return Err(ParseError::Length);
        }
        let (ranks, rest) = rest.split_at(repr.rank_bytes());
        Ok(Self { repr, ranks, rest, datagram })
    }

    /// Returns whether it is as it was sent, and by somebody who knows the job's key (R-PKT-3).
    pub fn is_whole(&self, integrity: &Integrity) -> bool {
        integrity.verify_after::<HEADER_BYTES>(self.datagram)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_repr() -> impl Strategy<Value = TableRepr> {
        const KINDS: [TableKind; 5] = [
            TableKind::Push,
            TableKind::Read,
            TableKind::Windows,
            TableKind::Pull,
            TableKind::Load,
        ];
        let kind = prop::sample::select(&KINDS[..]);
        let element_type = prop::sample::select(&ElementType::ALL[..]);
        let numbers = any::<([bool; 6], u16, u16, u32, u32, u32, u32, u32)>();
        (kind, element_type, numbers, 0..9u16, 0..5u16).prop_map(
            |(kind, element_type, numbers, pairs, width)| {
                let (flags, job, worker, epoch, sequence, generation, place, stored) = numbers;
                let [answer, repeated, close, last, marked, going] = flags;
                TableRepr {
                    kind,
                    answer,
                    repeated,
                    close,
                    last,
                    marked,
                    going,
                    element_type,
                    job: JobId(job),
                    worker: WorkerId(worker),
                    epoch: Epoch(epoch),
                    sequence,
                    generation,
                    pairs,
                    width,
                    place,
                    stored,
                }
            },
        )
    }

    proptest! {
        /// R-KEY-2: a header means the same at both ends, and a changed byte is found.
        #[test]
        fn a_packet_survives_the_wire(
            repr in any_repr(),
            fill: u8,
            key: [u8; 16],
            at in any::<prop::sample::Index>(),
            change in 1..=255u8,
        ) {
            let mut bytes = [fill; 2048];
            let datagram = &mut bytes[..repr.datagram_bytes()];
            for integrity in [Integrity::Transport, Integrity::Checksum, Integrity::Token(key)] {
                repr.seal(&integrity, datagram);
                let packet = TablePacket::new_checked(datagram).unwrap();
                prop_assert_eq!(packet.repr, repr);
                prop_assert!(packet.is_whole(&integrity) && TablePacket::is_one(datagram));
                prop_assert_eq!(
                    TABLE_HEADER_BYTES + packet.ranks.len() + packet.rest.len(),
                    repr.datagram_bytes()
                );
            }
            let at = at.index(datagram.len());
            datagram[at] ^= change;
            let damaged = TablePacket::new_checked(datagram);
            prop_assert!(damaged.is_err() || !damaged.unwrap().is_whole(&Integrity::Token(key)));
        }

        #[test]
        fn arbitrary_bytes_never_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..300),
            kind in 15..22u8,
        ) {
            if let [version, second, ..] = &mut bytes[..] {
                (*version, *second) = (generated::VERSION, kind);
            }
            if let Ok(packet) = TablePacket::new_checked(&bytes) {
                prop_assert_eq!(packet.repr.datagram_bytes(), bytes.len());
            }
        }
    }

    /// A switch tells a table's packets from others by their second byte.
    #[test]
    fn kinds_differ_from_those_of_other_packets() {
        for kind in 0..=255 {
            let both =
                crate::Kind::from_wire(kind).is_some() && TableKind::from_wire(kind).is_some();
            assert!(!both, "kind {kind}");
        }
    }

    /// Libra, section 3.4: 192 bytes, of which Ethernet, IPv4 and UDP take 42.
    #[test]
    fn so_many_pairs_fit() {
        let table =
            TableTerms { rows: 9, width: 1, element_type: ElementType::F32, resident: false };
        assert_eq!(table.pairs_in(192 - 42), 13);
        assert_eq!(table.pairs_in(TABLE_HEADER_BYTES + 7), 0);
        assert_eq!(table.pairs_in(3), 0);
    }
}
