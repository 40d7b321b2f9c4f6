//! RoCE v2 packets as a NIC reads them.

use super::frame::{FIRST, IPV4_AT, LAST, ONLY, Reth, Write, icrc};

/// The offsets of the headers in a frame.
pub const UDP_AT: usize = IPV4_AT + 20;
pub const BTH_AT: usize = UDP_AT + 8;

/// Parses a frame with a right ICRC, as a NIC does.
pub fn parse(frame: &[u8]) -> Write {
    let (body, trailer) = frame[BTH_AT..].split_at(frame.len() - BTH_AT - 4);
    assert_eq!(trailer, icrc(frame), "ICRC");
    let number =
        |bytes: &[u8]| bytes.iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    let (bth, mut rest) = body.split_at(12);
    let opcode = bth[0];
    let mut take = |bytes: usize| {
        let (taken, after) = rest.split_at(bytes);
        rest = after;
        number(taken)
    };
    let reth = [FIRST, ONLY].contains(&opcode).then(|| Reth {
        address: take(8),
        rkey: take(4) as u32,
        length: take(4) as u32,
    });
    let immediate = [LAST, ONLY].contains(&opcode).then(|| take(4) as u32);
    let lanes = rest.chunks(4).map(|lane| number(lane) as u32).collect();
    Write {
        opcode,
        dest_qp: number(&bth[5..8]) as u32,
        psn: number(&bth[9..]) as u32,
        reth,
        immediate,
        lanes,
    }
}
