//! A shard under any sequence of datagrams, from nobody and from workers that do not keep to the
//! protocol.
//!
//! The input is a script of packets, so that the search works on fields and not on checksums.
//! Whatever it says, the shard sends only well-formed results to workers of the job, takes no
//! memory, and counts each datagram once. Half of the scripts are for a leaf (R-TREE), which sends
//! well-formed contributions and queries to its parent besides, in its own name, and half of them
//! for an acknowledged job (R-ACK). The job has operations of users (R-OP-24), and if it is not for
//! a leaf, slots that keep operands apart (R-SLOT-13).
#![no_main]
#![forbid(unsafe_code)]

#[path = "shard/folds.rs"]
mod folds;

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use netfold_num::{Arithmetic, ByteOrder, Overflow, Protocol};
use netfold_switch::{JobSpec, Place, Recipients, Shard};
use netfold_wire::{
    Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Header, Integrity, JobId, Packet, Repr, Terms,
    VERSION, WorkerId,
};

const JOB: JobId = JobId(1);
const EPOCH: Epoch = Epoch(7);
const WORKERS: u16 = 3;
const INTEGRITY: Integrity = Integrity::Checksum;

/// Rank of the leaf at its parent.
const NAME: WorkerId = WorkerId(0);

/// The number in a header of the first operation of users, and that after the last of the job.
const FIRST_OPERATION: u8 = 16;
const NO_OPERATION: u8 = FIRST_OPERATION + 5;

/// The number in a header of the elements that operations of users fold, which are bytes.
const BYTES: u8 = 7;

/// A delivery, those of slots that keep operands apart among them.
fn delivery(input: &mut Unstructured<'_>, rank: u16) -> Result<u16> {
    let one = Delivery::One(WorkerId(rank));
    let all = [
        Delivery::All,
        Delivery::All,
        Delivery::All,
        one,
        one,
        Delivery::Shift(rank),
        Delivery::Shift(0),
        Delivery::Prefix { own: true },
        Delivery::Prefix { own: false },
        Delivery::Prefixes,
        Delivery::PrefixAndTotal,
    ];
    Ok(input.choose(&all)?.to_wire())
}

/// A header whose fields are mostly those of a job's packets.
fn header(input: &mut Unstructured<'_>) -> Result<Header> {
    let near = |input: &mut Unstructured<'_>, last: u16| -> Result<u16> {
        if input.ratio(15u8, 16u8)? { input.int_in_range(0..=last) } else { input.arbitrary() }
    };
    let by_user = input.arbitrary()?;
    let own = if by_user { FIRST_OPERATION..=NO_OPERATION } else { 1..=5 };
    let rank = near(input, 3)?;
    // Operations of users fold bytes, as values.
    let any = !by_user || input.ratio(1u8, 16u8)?;
    Ok(Header {
        version: VERSION,
        kind: if any { input.int_in_range(1..=4)? } else { 1 },
        flags: input.int_in_range(0..=15)?,
        pool: input.int_in_range(0..=1)?,
        job: near(input, 1)?,
        worker: near(input, 3)?,
        epoch: if input.ratio(15u8, 16u8)? { EPOCH.0 } else { input.arbitrary()? },
        position: if input.ratio(7u8, 8u8)? {
            near(input, 5)?.into()
        } else {
            input.arbitrary()?
        },
        slot: near(input, 4)?,
        elements: near(input, if by_user { 24 } else { 8 })?,
        element_type: if any { input.int_in_range(1..=BYTES)? } else { BYTES },
        operation: if input.ratio(15u8, 16u8)? {
            input.int_in_range(own)?
        } else {
            input.arbitrary()?
        },
        exponent: input.int_in_range(-149..=128)?,
        next_exponent: *input.choose(&[i16::MIN, -149, 0, 128, 0x7FFE, 0x7FFF])?,
        delivery: if input.ratio(15u8, 16u8)? {
            delivery(input, rank)?
        } else {
            input.arbitrary()?
        },
        call: input.int_in_range(0..=1)?,
        integrity: 0,
    })
}

/// Returns a datagram that follows from one that was sent before: the same from another worker, or
/// the parent's answer to the packet that the leaf has sent up.
fn next_in_round(input: &mut Unstructured<'_>, before: &[u8]) -> Result<Option<Vec<u8>>> {
    let Ok(packet) = Packet::new_checked(before) else { return Ok(None) };
    let header = Repr::parse(&packet);
    let direction = match *input.choose(&[0, 1, 2, 3, 4])? {
        0 => Direction::Result(None),
        1 => Direction::Result(Some(NAME)),
        2 if header.empty => Direction::Recall(NAME),
        _ => Direction::Contribution(WorkerId(input.int_in_range(0..=2)?)),
    };
    let mut bytes = before.to_vec();
    Repr { direction, ..header }.emit(bytes.first_chunk_mut().expect("it has a header"));
    INTEGRITY.seal(&mut bytes);
    Ok(Some(bytes))
}

fn datagram(input: &mut Unstructured<'_>, before: &[u8]) -> Result<Vec<u8>> {
    if input.ratio(1u8, 2u8)?
        && let Some(next) = next_in_round(input, before)?
    {
        return Ok(next);
    }
    if input.ratio(1u8, 16u8)? {
        return Vec::arbitrary(input);
    }
    let header = header(input)?;
    let mut bytes = vec![0; HEADER_BYTES];
    header.write(bytes.first_chunk_mut().expect("room for a header"));
    let lanes = match netfold_wire::Flags(header.flags).contains(netfold_wire::Flags::EMPTY) {
        true => 0,
        false => {
            usize::from(header.elements)
                * [4, 2, 2, 8, 4, 8, 1][usize::from(header.element_type) - 1]
        }
    };
    let fill = if input.ratio(1u8, 32u8)? { folds::POISON } else { input.arbitrary()? };
    bytes.resize(HEADER_BYTES + lanes, fill);
    INTEGRITY.seal(&mut bytes);
    Ok(bytes)
}

fuzz_target!(|input: &[u8]| {
    let mut input = Unstructured::new(input);
    let mut shard = Shard::new(1 << 16);
    let leaf = input.arbitrary().unwrap_or(false);
    let refolds = input.arbitrary().unwrap_or(false);
    let acked = input.arbitrary().unwrap_or(false);
    let only = Place::only(WORKERS);
    let spec = JobSpec {
        job: JOB,
        epoch: EPOCH,
        workers: WORKERS,
        slots: 5,
        exchange_slots: if leaf { 0 } else { 2 },
        lent_slots: if leaf { 0 } else { 3 },
        payload_bytes: 48,
        terms: Terms {
            arithmetic: Arithmetic::FpisaA,
            overflow: if refolds { Overflow::Native } else { Overflow::Error },
            protocol: if acked { Protocol::Acked } else { Protocol::Shadow },
            byte_order: ByteOrder::Network,
            ..Terms::new(INTEGRITY)
        },
        place: if leaf { only.below(NAME) } else { only },
        operations: folds::operations(leaf),
    };
    shard.admit(spec).expect("the job fits");
    if input.arbitrary().unwrap_or(true) {
        shard.lend(JOB).expect("its slots fit");
    }
    let memory = shard.memory_used();
    let mut buffer = vec![0; 2 * shard.max_datagram_bytes()];
    let mut before = Vec::new();
    while !input.is_empty() {
        let Ok(datagram) = datagram(&mut input, &before) else { break };
        let marked = input.ratio(1u8, 8u8).unwrap_or(false);
        shard.handle(&datagram, if marked { Ecn::Ce } else { Ecn::Clear });
        before = datagram;
        // Sometimes the caller does not send before it goes on.
        if input.ratio(1u8, 8u8).unwrap_or(false) {
            continue;
        }
        while let Some(transmit) = shard.poll_transmit(&mut buffer, 2) {
            assert_eq!(transmit.job, JOB);
            if let Recipients::One(worker) | Recipients::AllBut(worker) = transmit.to {
                assert!(worker.0 < WORKERS);
            }
            assert!(leaf || transmit.to != Recipients::Parent);
            for result in buffer[..transmit.len].chunks(transmit.segment) {
                let packet = Packet::new_checked(result).expect("a result is a packet");
                assert!(packet.is_whole(&INTEGRITY));
                let upward = match Repr::parse(&packet).direction {
                    Direction::Contribution(sender) | Direction::Query(sender) => Some(sender),
                    Direction::Result(_) | Direction::Recall(_) => None,
                };
                assert_eq!(upward, (transmit.to == Recipients::Parent).then_some(NAME));
            }
        }
    }
    assert_eq!(shard.memory_used(), memory);
    let counters = shard.counters();
    let of_others = [
        "datagrams_received",
        "bytes_received",
        "datagrams_marked",
        "rounds_completed",
        "blocks_refolded",
    ];
    let outcomes =
        counters.iter().filter(|(name, _)| !of_others.contains(name)).map(|(_, count)| count);
    assert_eq!(outcomes.sum::<u64>(), counters.datagrams_received);
});
