//! Packets that are drawn near the values of a query.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use netfold_wire::{
    Epoch, JobId, QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, RowProgram, WorkerId,
    write_words,
};

use super::{EPOCH, INTEGRITY, JOB, PARTITIONS};

const KINDS: [QueryKind; 11] = [
    QueryKind::Rows,
    QueryKind::Rows,
    QueryKind::Rows,
    QueryKind::Rows,
    QueryKind::Open,
    QueryKind::Open,
    QueryKind::Fin,
    QueryKind::Seal,
    QueryKind::Merge,
    QueryKind::Discard,
    QueryKind::Read,
];

/// Returns a number up to `last`, now and then any.
fn near(input: &mut Unstructured<'_>, last: u16) -> Result<u32> {
    if input.ratio(15u8, 16u8)? {
        Ok(input.int_in_range(0..=last)?.into())
    } else {
        input.arbitrary()
    }
}

/// Draws what is now and then the case.
pub fn seldom(input: &mut Unstructured<'_>) -> Result<bool> {
    input.ratio(1u8, 16u8)
}

/// Draws a header near the values of a query, whose partitions expect these numbers.
pub fn repr(
    input: &mut Unstructured<'_>,
    program: &RowProgram,
    expected: impl Fn(u32) -> u32,
) -> Result<QueryRepr> {
    let kind = *input.choose(&KINDS)?;
    let partition = near(input, PARTITIONS as u16 - 1)?;
    let expected = expected(partition);
    let sequence = *input.choose(&[
        expected,
        expected,
        expected.wrapping_sub(1),
        expected.wrapping_add(1),
        0,
        u32::MAX - 1,
        u32::MAX,
    ])?;
    let has_rows = kind == QueryKind::Rows || seldom(input)?;
    let columns = if seldom(input)? { input.arbitrary()? } else { program.columns().max(1) as u8 };
    Ok(QueryRepr {
        kind,
        answer: seldom(input)?,
        forwarded: seldom(input)?,
        build: input.ratio(1u8, 4u8)?,
        keys: !seldom(input)?,
        counted: input.ratio(7u8, 8u8)?,
        ahead: seldom(input)?,
        last: seldom(input)?,
        verdicts: input.ratio(1u8, 4u8)?,
        columns,
        job: JOB,
        worker: WorkerId(near(input, 2)? as u16),
        epoch: EPOCH,
        partition,
        attempt: *input.choose(&[1, 1, 2, 3, 0, u32::MAX])?,
        sequence,
        place: near(input, 8)?,
        rows: if has_rows { input.int_in_range(0..=6)? } else { 0 },
        first: if seldom(input)? { input.arbitrary()? } else { near(input, 40)?.into() },
    })
}

/// Returns a datagram with this header, and words behind it that are mostly small.
pub fn datagram(input: &mut Unstructured<'_>, repr: &QueryRepr) -> Result<Vec<u8>> {
    // Few more words of slots, and no more bits, than a packet can have.
    let has_slots = repr.answer && matches!(repr.kind, QueryKind::Merge | QueryKind::Read);
    let most = if has_slots { u64::from(repr.columns) + 1 } else { u64::MAX };
    let repr = QueryRepr { first: repr.first.min(most), ..*repr };
    let with_bits = QueryRepr { place: repr.place & u32::from(u16::MAX), ..repr };
    let repr = if repr.datagram_bytes() > 1 << 16 { with_bits } else { repr };
    let mut datagram = vec![0; repr.datagram_bytes()];
    let (_, words) = datagram.split_at_mut(QUERY_HEADER_BYTES);
    let drawn: Vec<u64> = (0..words.len() / 8)
        .map(|_| -> Result<u64> {
            let any = seldom(input)?;
            if any { input.arbitrary() } else { Ok(input.int_in_range(0..=11u8)?.into()) }
        })
        .collect::<Result<_>>()?;
    write_words(drawn, words);
    repr.seal(&INTEGRITY, &mut datagram);
    Ok(datagram)
}

/// Returns a datagram as one of this query: with its version and names, and the proof that goes
/// with them. The second column of rows becomes ones, which are what a count adds up.
pub fn whole(bytes: &[u8], job: JobId, epoch: Epoch) -> Option<Vec<u8>> {
    let mut version = [0; QUERY_HEADER_BYTES];
    let known = QueryRepr::request(QueryKind::Open, job, epoch, WorkerId(0));
    known.seal(&INTEGRITY, &mut version);
    let mut datagram = bytes.to_vec();
    *datagram.first_mut()? = version[0];
    let packet = QueryPacket::new_checked(&datagram).ok()?;
    let repr = QueryRepr { job, epoch, ..packet.repr };
    if repr.kind == QueryKind::Rows && !repr.answer && repr.columns > 1 {
        let column = usize::from(repr.rows) * 8;
        let at = datagram.len() - packet.rest.len() + column;
        write_words(std::iter::repeat(1), &mut datagram[at..][..column]);
    }
    repr.seal(&INTEGRITY, &mut datagram);
    let packet = QueryPacket::new_checked(&datagram).expect("it was one before");
    assert_eq!(packet.repr, repr, "nothing of the header is lost or made up");
    assert!(packet.is_whole(&INTEGRITY));
    Some(datagram)
}

/// Returns a piece of the input.
pub fn piece<'a>(input: &mut Unstructured<'a>) -> Result<&'a [u8]> {
    let len = input.int_in_range(0..=DRAWN_BYTES)?;
    input.bytes(len.min(input.len()))
}

/// Most bytes of a piece: a header and some words.
const DRAWN_BYTES: usize = 160;
