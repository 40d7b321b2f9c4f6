//! Packets that a test hands to a query one by one.

use netfold_num::Sum;
use netfold_wire::{
    Epoch, Integrity, JobId, QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, RowProgram,
    Sums, WorkerId, write_words,
};

use super::cluster::DATAGRAM_BYTES;
use crate::contribution::Refusal;
use crate::query::{Query, QuerySpec, Receiver};

pub(super) const INTEGRITY: Integrity = Integrity::Checksum;

/// A sum of one column.
pub(super) fn sum() -> RowProgram {
    let sums = Sums::new(&[Sum::Integer]).unwrap();
    RowProgram::GroupSum { rows: 4, width: 2, seed: 1, sums }
}

/// A query of two workers and two partitions.
pub(super) fn query(program: RowProgram) -> Query {
    let (job, epoch) = (JobId(1), Epoch(1));
    let (workers, partitions, attempts, datagram_bytes) = (2, 2, 1, DATAGRAM_BYTES);
    let integrity = INTEGRITY;
    let spec =
        QuerySpec { job, epoch, workers, partitions, attempts, datagram_bytes, program, integrity };
    Query::new(spec).unwrap()
}

/// A request about attempt 1 of partition 1.
pub(super) fn request(kind: QueryKind) -> QueryRepr {
    let repr = QueryRepr::request(kind, JobId(1), Epoch(1), WorkerId(1));
    QueryRepr { partition: 1, attempt: 1, ..repr }
}

/// Three rows of a key and a column, of the attempt that is counted.
pub(super) fn rows(number: u32) -> QueryRepr {
    let request = request(QueryKind::Rows);
    QueryRepr { sequence: number, counted: true, keys: true, columns: 1, rows: 3, ..request }
}

/// Returns a datagram whose words behind the header count from 5 on.
pub(super) fn datagram(repr: &QueryRepr) -> Vec<u8> {
    let mut datagram = vec![0; repr.datagram_bytes()];
    let slots = repr.answer && matches!(repr.kind, QueryKind::Merge | QueryKind::Read);
    let bits_bytes = if slots { repr.bits_bytes() } else { 0 };
    let (bits, rest) = datagram[QUERY_HEADER_BYTES..].split_at_mut(bits_bytes);
    // All words of a slot are present.
    let all = (0..64).map(|at| u8::from(at < repr.columns / 8) * 255);
    bits.iter_mut().zip(all).for_each(|(byte, all)| *byte = all);
    if let Some(last) = bits.get_mut(usize::from(repr.columns / 8)) {
        *last = (1 << (repr.columns % 8)) - 1;
    }
    write_words(5.., rest);
    repr.seal(&INTEGRITY, &mut datagram);
    datagram
}

/// Hands the query a datagram, with as much room for what follows as it asks for.
pub(super) fn hand(query: &mut Query, datagram: &[u8]) -> Result<(Receiver, QueryRepr), Refusal> {
    let mut out = [0; DATAGRAM_BYTES as usize];
    let packet = QueryPacket::new_checked(datagram).unwrap();
    let (receiver, len) = query.handle(&packet, &mut out)?.expect("all packets have one");
    Ok((receiver, QueryPacket::new_checked(&out[..len]).unwrap().repr))
}
