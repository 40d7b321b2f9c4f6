//! Packets that a query sends: forwarded rows, answers with slots and with verdicts (R-QRY-23).

use netfold_wire::{Integrity, QUERY_HEADER_BYTES, QueryPacket, QueryRepr, write_words};

use super::rows::{Rows, for_set};
use super::spec::QuerySpec;
use super::sum::SumTable;

/// An answer with slots.
pub(super) struct Slots<'a> {
    repr: QueryRepr,
    integrity: Integrity,
    room: u16,
    out: &'a mut [u8],
}

impl<'a> Slots<'a> {
    /// Begins the answer to a request.
    pub fn new(request: &QueryRepr, table: &SumTable, spec: &QuerySpec, out: &'a mut [u8]) -> Self {
        let columns = table.words() as u8;
        let repr = QueryRepr { columns, ..request.answered() };
        let room = repr.rows_in(spec.datagram_bytes as usize);
        Self { repr, integrity: spec.integrity, room, out }
    }

    /// Returns whether another slot fits.
    pub fn has_room(&self) -> bool {
        self.repr.rows < self.room
    }

    /// Adds a slot.
    pub fn put(&mut self, key: u64, accumulators: &[u64]) {
        let at = self.repr.datagram_bytes();
        let words = std::iter::once(key).chain(accumulators.iter().copied());
        write_words(words, &mut self.out[at..][..self.repr.row_bytes()]);
        self.repr.rows += 1;
    }

    /// Ends the answer, which goes on from a place unless it is the last. Returns its length.
    pub fn finish(self, place: usize, last: bool) -> usize {
        let repr = QueryRepr { place: place as u32, last, ..self.repr };
        seal(&repr, &self.integrity, self.out)
    }
}

/// Writes forwarded rows: bits, keys and columns of the survivors.
pub(super) fn forward(
    repr: &QueryRepr,
    rows: &Rows<'_>,
    packet: &QueryPacket<'_>,
    bits: &[u64],
    integrity: &Integrity,
    out: &mut [u8],
) -> usize {
    let len = repr.datagram_bytes();
    let (bit_places, mut rest) = out[QUERY_HEADER_BYTES..len].split_at_mut(repr.bits_bytes());
    write_words(bits.iter().copied(), bit_places);
    let whole = usize::from(repr.rows) == rows.len();
    if whole {
        let (keys, columns) = rest.split_at_mut(packet.keys.len());
        keys.copy_from_slice(packet.keys);
        columns.copy_from_slice(packet.rest);
        return seal(repr, integrity, out);
    }
    let keys = repr.keys.then_some(rows.keys);
    let columns = rows.columns.iter();
    let mut put = |word: &dyn Fn(usize) -> u64| {
        for_set(bits, |at| {
            let (place, others) = std::mem::take(&mut rest).split_at_mut(8);
            place.copy_from_slice(&word(at).to_le_bytes());
            rest = others;
        });
    };
    if let Some(keys) = keys {
        put(&|at| keys[at]);
    }
    columns.for_each(|column| put(&|at| column[at] as u64));
    seal(repr, integrity, out)
}

/// Writes an answer with a bit for each row (R-QRY-36).
pub(super) fn judge(
    repr: &QueryRepr,
    bits: &[u64],
    integrity: &Integrity,
    out: &mut [u8],
) -> usize {
    write_words(bits.iter().copied(), &mut out[QUERY_HEADER_BYTES..][..repr.bits_bytes()]);
    seal(repr, integrity, out)
}

/// Writes the header of a packet whose other bytes are there.
pub(super) fn seal(repr: &QueryRepr, integrity: &Integrity, out: &mut [u8]) -> usize {
    let len = repr.datagram_bytes();
    repr.seal(integrity, &mut out[..len]);
    len
}

/// Copies a datagram; returns its length.
pub(super) fn copy(datagram: &[u8], out: &mut [u8]) -> usize {
    out[..datagram.len()].copy_from_slice(datagram);
    datagram.len()
}

/// Returns the number of bits that are set.
pub(super) fn ones(bits: &[u64]) -> u64 {
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}
