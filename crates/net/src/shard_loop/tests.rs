//! In what order a shard reads, folds and sends.

use super::*;
use crate::endpoint::{RECEIVE_BUFFERS, wait};
use netfold_num::{Arithmetic, ElementType, Exponent, Operation};
use netfold_switch::{Operations, Place};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, Integrity, Kind, Packet, Pool, Position, Repr,
    SlotIndex, Terms,
};
use std::net::{Ipv4Addr, UdpSocket};
use std::time::Duration;

const LOOPBACK: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
const JOB: JobId = JobId(3);
const EPOCH: Epoch = Epoch(7);

/// The contribution of a job's only worker to the first round of a slot, without lanes.
fn contribution(slot: u16) -> Vec<u8> {
    let header = Repr {
        direction: Direction::Contribution(WorkerId(0)),
        kind: Kind::Values,
        empty: true,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: JOB,
        epoch: EPOCH,
        position: Position(slot.into()),
        slot: SlotIndex(slot),
        elements: 8,
        element_type: ElementType::I32,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(1),
    };
    let mut datagram = vec![0; header.datagram_bytes()];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    Integrity::Checksum.seal(&mut datagram);
    datagram
}

/// R-ECN-6: packets of one read are answered, all of them and in their order, before anything else
/// is read.
#[test]
fn results_of_a_read_are_sent_before_the_next_one() {
    let slots = 3 * RECEIVE_BUFFERS as u16;
    let worker = UdpSocket::bind(LOOPBACK).unwrap();
    worker.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let endpoint = Endpoint::bind(LOOPBACK).unwrap();
    let switch = endpoint.local_addr().unwrap();
    let (mut shard_loop, _) = ShardLoop::new(endpoint, 1 << 20, Box::new(|_| {}), None).unwrap();
    let spec = JobSpec {
        job: JOB,
        epoch: EPOCH,
        workers: 1,
        slots,
        exchange_slots: 0,
        lent_slots: 0,
        payload_bytes: 32,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(Integrity::Checksum) },
        place: Place::only(1),
        operations: Operations::default(),
    };
    shard_loop.shard.admit(spec).unwrap();
    let members = Members {
        each: vec![(WorkerId(0), worker.local_addr().unwrap())],
        all: None,
        parent: None,
    };
    shard_loop.members.insert(JOB, members);
    let order: Vec<u16> = (0..slots).map(|number| number * 5 % slots).collect();
    for &slot in &order {
        worker.send_to(&contribution(slot), switch).unwrap();
    }
    let (mut answered, mut reads) = (Vec::new(), 0);
    while answered.len() < order.len() {
        let mut fds = [PollFd::new(&shard_loop.endpoint, PollFlags::IN)];
        assert!(
            wait(&mut fds, Some(Duration::from_secs(5))).unwrap() > 0,
            "only {answered:?} came"
        );
        shard_loop.serve().unwrap();
        reads += 1;
        assert_eq!(shard_loop.endpoint.system_calls().1, reads, "a read each time");
        let handled = shard_loop.shard.counters().datagrams_received as usize;
        assert!((answered.len() + 1..=answered.len() + RECEIVE_BUFFERS).contains(&handled));
        answered.extend(
            (answered.len()..handled).map(|_| slot_of(&worker).expect("each has a result")),
        );
        assert_eq!(answered, order[..handled]);
    }
}

/// The slot of the next result, if there is one.
fn slot_of(worker: &UdpSocket) -> Option<u16> {
    let mut buffer = [0; 2048];
    let len = worker.recv(&mut buffer).ok()?;
    let packet = Packet::new_checked(&buffer[..len]).expect("a result is a packet");
    Some(Repr::parse(&packet).slot.0)
}
