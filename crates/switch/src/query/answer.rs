//! Packets that a query sends: forwarded rows, answers with slots and with verdicts (R-QRY-23).

use netfold_wire::{
    Integrity, PresentWords, QUERY_HEADER_BYTES, QueryPacket, QueryRepr, write_words,
};

use super::rows::{Rows, for_set};
use super::spec::QuerySpec;
use super::sum::{Slot, SumTable};

/// An answer with slots, which are chosen first and then written.
pub(super) struct Slots {
    repr: QueryRepr,
    present: PresentWords,
    datagram_bytes: usize,
    chosen: Vec<usize>,
}

impl Slots {
    /// Begins the answer to a request.
    pub fn new(request: &QueryRepr, table: &SumTable, spec: &QuerySpec) -> Self {
        let repr = QueryRepr { columns: table.words() as u8, ..request.answered() };
        let (present, chosen) = (PresentWords::default(), Vec::new());
        Self { repr, present, datagram_bytes: spec.datagram_bytes as usize, chosen }
    }

    /// Chooses the slot at an index of the table, or returns that there is no room for it.
    pub fn choose(&mut self, index: usize, slot: Slot<'_>) -> bool {
        let present = self.present.with(slot.accumulators);
        let repr = QueryRepr { rows: self.repr.rows + 1, first: present.count(), ..self.repr };
        let fits = repr.datagram_bytes() <= self.datagram_bytes;
        if fits {
            (self.repr, self.present) = (repr, present);
            self.chosen.push(index);
        }
        fits
    }

    /// Writes the answer, which goes on from a place unless it is the last. Returns its length.
    pub fn finish(
        self,
        table: &SumTable,
        place: usize,
        integrity: &Integrity,
        out: &mut [u8],
    ) -> usize {
        let Self { repr, present, chosen, .. } = self;
        let repr = QueryRepr { place: place as u32, last: place >= table.len(), ..repr };
        let rest = &mut out[QUERY_HEADER_BYTES..repr.datagram_bytes()];
        let (bits, rest) = rest.split_at_mut(repr.bits_bytes());
        write_words(present.bits(), bits);
        for (place, index) in rest.chunks_exact_mut(repr.row_bytes()).zip(chosen) {
            let slot = table.slot(index).expect("it was chosen");
            write_words(std::iter::once(slot.key).chain(present.of(slot.accumulators)), place);
        }
        seal(&repr, integrity, out)
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
