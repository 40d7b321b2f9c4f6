//! A pipeline beside a software shard, a model of UC between RoCE and netfold packets, and NICs
//! that receive.

pub mod frame;
pub mod nic;
pub mod read;

use frame::{Ends, FIRST, LAST, Reth, Write};
use netfold_num::{ByteOrder, ElementType, Exponent, Operation};
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::roce::{Job, Roce, Worker};
use netfold_pisa::{Outcome, Pipeline, Target};
use netfold_switch::{Event, JobSpec, Operations, Place, Shard};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Packet,
    Pool, Position, Repr, SlotIndex, Terms, WorkerId,
};
pub use nic::Nic;
use nic::next;
use read::UDP_AT;

pub const SWITCH: (u64, u32) = (0x02AA_0000_0001, 0x0A00_00C8);
pub const FIRST_QP: u32 = 0x12_3400;
pub const QUEUE_PAIRS: u32 = 4;
const JOB: JobId = JobId(3);
const EPOCH: Epoch = Epoch(7);

/// Ethernet and IPv4 address of a worker.
pub fn address(worker: u16) -> (u64, u32) {
    (0x0200_0000_0000 | u64::from(worker), 0x0A00_0000 | u32::from(worker))
}

pub fn worker(rank: u16) -> Worker {
    let number = u32::from(rank);
    Worker {
        port: 1 + rank,
        mac: address(rank).0,
        ip: address(rank).1,
        queue_pairs: (0..QUEUE_PAIRS).map(|pair| 0xA0_0000 | number << 8 | pair).collect(),
        rkey: 0xBEEF_0000 | number,
        base: 0x7F00_0000_0000 | u64::from(number) << 32 | 0x10_0000,
    }
}

/// The state of a message at the switch: the properties that its next packet must have.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    psn: u32,
    slot: u16,
    round: u16,
    left: u32,
}

/// The properties of a contribution, apart from its lanes.
#[derive(Clone, Copy, Debug)]
pub struct Accepted {
    pub slot: u16,
    pub round: u16,
    /// Packets behind it in its message.
    pub behind: u32,
}

/// UC's reception at the switch (R-PISA-53), by the words of the rule.
#[derive(Clone, Debug)]
pub struct Reception {
    slots: u16,
    packets: u32,
    payload: u32,
    /// Messages under way, by worker and queue pair.
    under_way: Vec<[Option<UnderWay>; QUEUE_PAIRS as usize]>,
}

impl Reception {
    fn new(config: &Roce, workers: u16, slots: u16) -> Self {
        let payload = 4 * u32::from(config.elements);
        let under_way = vec![[None; QUEUE_PAIRS as usize]; workers.into()];
        Self { slots, packets: config.packets.into(), payload, under_way }
    }

    pub fn accept(&mut self, worker: u16, write: &Write) -> Option<Accepted> {
        let state = &mut self.under_way[usize::from(worker)][(write.dest_qp - FIRST_QP) as usize];
        if let Some(reth) = write.reth {
            let (round, slot) = ((reth.rkey >> 16) as u16, reth.rkey as u16);
            let packets = if reth.length == 0 { 1 } else { reth.length / self.payload };
            let fits =
                u32::from(slot) + packets <= u32::from(self.slots) && packets <= self.packets;
            *state = None;
            if !fits
                || (write.opcode == FIRST
                    && (packets < 2 || !reth.length.is_multiple_of(self.payload)))
            {
                return None;
            }
            let left = packets - 1;
            if left > 0 {
                *state = Some(UnderWay { psn: next(write.psn), slot, round, left });
            }
            return Some(Accepted { slot, round, behind: left });
        }
        let message = state.take()?;
        let fits = if write.opcode == LAST { message.left == 1 } else { message.left > 1 };
        if message.psn != write.psn || !fits {
            return None;
        }
        let (slot, left) = (message.slot + 1, message.left - 1);
        if left > 0 {
            *state = Some(UnderWay { psn: next(message.psn), slot, left, ..message });
        }
        Some(Accepted { slot, round: message.round, behind: left })
    }
}

/// Packets, each with the worker that it is for.
pub type Answers = Vec<(u16, Write)>;

/// Both forms of the switch.
pub struct Fabric {
    pub pipeline: Pipeline,
    shard: Shard,
    element_type: ElementType,
    pub reception: Reception,
    pub workers: u16,
}

impl Fabric {
    pub fn new(config: &Roce, target: Target, workers: u16, slots: u16) -> Self {
        let program = config.program();
        let mut pipeline =
            Pipeline::load(program.clone(), target).unwrap_or_else(|refusal| panic!("{refusal}"));
        let job = Job {
            first_qp: FIRST_QP,
            queue_pairs: QUEUE_PAIRS,
            slots,
            first_slot: 3,
            first_word: 5,
            first_message: 2,
            workers: (0..workers).map(worker).collect(),
            switch: SWITCH,
            group: 1,
        };
        job.controls(config, &program)
            .iter()
            .for_each(|control| control.apply(&mut pipeline).unwrap());
        let mut shard = Shard::new(1 << 24);
        let (arithmetic, element_type) = match config.arithmetic {
            Arithmetic::Block => (netfold_num::Arithmetic::Block, ElementType::I32),
            Arithmetic::Fpisa(Variant::Approximate) => {
                (netfold_num::Arithmetic::FpisaA, ElementType::F32)
            }
            Arithmetic::Fpisa(Variant::Full) => (netfold_num::Arithmetic::Fpisa, ElementType::F32),
        };
        let spec = JobSpec {
            job: JOB,
            epoch: EPOCH,
            workers,
            slots,
            exchange_slots: 0,
            lent_slots: 0,
            payload_bytes: 4 * u32::from(config.elements).next_multiple_of(2),
            terms: Terms {
                arithmetic,
                byte_order: ByteOrder::Network,
                ..Terms::new(Integrity::Transport)
            },
            place: Place::only(workers),
            operations: Operations::default(),
        };
        shard.admit(spec).unwrap();
        let reception = Reception::new(config, workers, slots);
        Self { pipeline, shard, element_type, reception, workers }
    }

    /// Returns the frame that a worker sends, as it is on the wire.
    pub fn framed(worker: u16, write: &Write) -> Vec<u8> {
        frame::frame(Ends { from: address(worker), to: SWITCH }, 77, 0xC000 + worker, write)
    }

    /// Sends a packet through the pipeline, and holds its answers to those of the shard: frames for
    /// each worker, byte by byte. Returns the answers and the outcome.
    pub fn compare(&mut self, worker: u16, write: &Write) -> (Answers, Outcome) {
        let (wanted, mismatches) = self.by_shard(worker, write);
        let outcome = self
            .pipeline
            .process(1 + worker, &Self::framed(worker, write))
            .unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut sent: Vec<_> =
            outcome.sent.iter().map(|sent| (sent.port - 1, sent.bytes.clone())).collect();
        sent.sort_by_key(|(worker, _)| *worker);
        assert_eq!(sent.len(), wanted.len(), "answers to worker {worker}'s {write:x?}");
        for ((to, bytes), (wanted_to, wanted)) in sent.iter().zip(&wanted) {
            assert_eq!(to, wanted_to);
            let (identification, port) = free_bits(bytes);
            let wanted =
                frame::frame(Ends { from: SWITCH, to: address(*to) }, identification, port, wanted);
            assert!(*bytes == wanted, "to worker {to}:\n{bytes:02x?}, and not\n{wanted:02x?}");
        }
        let reported: Vec<_> = outcome
            .reports
            .iter()
            .map(|report| (report.fields[4] as u16, report.fields[3] as u16))
            .collect();
        assert_eq!(reported, mismatches, "mismatches");
        (wanted, outcome)
    }

    /// Returns the shard's answers to a packet, as RoCE packets; and mismatches, first worker and
    /// second.
    pub fn by_shard(&mut self, worker: u16, write: &Write) -> (Answers, Vec<(u16, u16)>) {
        let Some(accepted) = self.reception.accept(worker, write) else {
            return Default::default();
        };
        self.shard.handle(&contribution(worker, write, accepted, self.element_type), Ecn::Clear);
        let mut buffer = vec![0; self.shard.max_datagram_bytes().max(HEADER_BYTES)];
        let mut received = Vec::new();
        while let Some(transmit) = self.shard.poll_transmit(&mut buffer, 1) {
            let bytes = &buffer[..transmit.len];
            for to in (0..self.workers).filter(|worker| transmit.to.include(WorkerId(*worker))) {
                received.push((to, result(to, write, accepted, bytes)));
            }
        }
        received.sort_by_key(|(worker, _)| *worker);
        let mut mismatches = Vec::new();
        while let Some(event) = self.shard.poll_event() {
            if let Event::Mismatch { first, second, .. } = event {
                mismatches.push((first.0, second.0));
            }
        }
        (received, mismatches)
    }
}

/// A packet that is accepted as a contribution of netfold.
fn contribution(
    worker: u16,
    write: &Write,
    accepted: Accepted,
    element_type: ElementType,
) -> Vec<u8> {
    let Accepted { slot, round, .. } = accepted;
    let exponent = |bits: u32| Exponent::from_wire(bits as u16 as i16).unwrap();
    let immediate =
        write.immediate.map(|immediate| [exponent(immediate >> 16), exponent(immediate)]);
    let [exponent, next_exponent] = immediate.unwrap_or([Exponent::ZERO; 2]);
    // Offset and length, queue pair and opcode are what a call is.
    let reth = write.reth.map_or((0, 0), |reth| (reth.address as u32, reth.length));
    let call = [write.dest_qp, write.opcode.into(), reth.0, reth.1];
    let call = call
        .into_iter()
        .fold(0u32, |digest, word| (digest ^ word).wrapping_mul(0x9E37_79B1).rotate_left(13));
    let empty = write.lanes.is_empty();
    let repr = Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty,
        marked: false,
        overflowed: false,
        pool: if round.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
        job: JOB,
        epoch: EPOCH,
        position: Position(u32::from(round) << 16),
        slot: SlotIndex(slot),
        elements: write.lanes.len() as u16,
        element_type,
        operation: Operation::Sum,
        exponent,
        next_exponent,
        delivery: Delivery::All,
        call: CallDigest(call),
    };
    let mut bytes = vec![0; HEADER_BYTES];
    repr.emit(bytes.first_chunk_mut().unwrap());
    bytes.extend(write.lanes.iter().flat_map(|lane| lane.to_be_bytes()));
    bytes
}

/// A result of netfold as the packet that a worker gets (R-PISA-51, R-PISA-55).
fn result(to: u16, write: &Write, accepted: Accepted, bytes: &[u8]) -> Write {
    let repr = Repr::parse(&Packet::new_checked(bytes).unwrap());
    assert!(matches!(repr.direction, Direction::Result(_)));
    let Worker { queue_pairs, rkey, base, .. } = worker(to);
    let largest = u32::from(repr.next_exponent.to_wire() as u16);
    Write {
        opcode: write.opcode,
        dest_qp: queue_pairs[(write.dest_qp - FIRST_QP) as usize],
        psn: u32::from(accepted.round) << 8 | (255 - accepted.behind),
        reth: write.reth.map(|reth| Reth {
            address: base + u64::from(reth.address as u32),
            rkey,
            length: reth.length,
        }),
        immediate: write.immediate.map(|_| u32::from(accepted.round) << 16 | largest),
        lanes: bytes[HEADER_BYTES..]
            .chunks(4)
            .map(|lane| u32::from_be_bytes(lane.try_into().unwrap()))
            .collect(),
    }
}

/// The bits of a frame that the switch may choose (R-PISA-58).
fn free_bits(bytes: &[u8]) -> (u16, u16) {
    let at = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    (at(frame::IPV4_AT + 4), at(UDP_AT))
}
