//! Jobs whose workers follow the protocol, and the network between them and the switch.

use netfold_num::{ByteOrder, ElementType, Exponent, Operation, Protocol};
use netfold_wire::{
    CallDigest, Delivery, Direction, HEADER_BYTES, JobId, Kind, Packet, Pool, Position, Repr,
    SlotIndex, WorkerId,
};

use super::JobShape;
use crate::dice::Dice;

/// The type of lanes, and what makes them.
pub type LaneMaker = (ElementType, fn(&mut Dice) -> u32);

/// A job whose workers follow the protocol (R-WORK-1 to 3), over a network that does not.
pub struct Traffic {
    pub shape: JobShape,
    /// The protocol: in a job with acknowledgements each round is followed by its own (R-ACK-1).
    pub protocol: Protocol,
    pub byte_order: ByteOrder,
    elements: u16,
    lanes: LaneMaker,
    seed: u64,
    /// The number of the slot's round that a worker waits for, by slot and worker.
    pub under_way: Vec<Vec<usize>>,
}

impl Traffic {
    pub fn new(shape: JobShape, elements: u16, lanes: LaneMaker, seed: u64) -> Self {
        let idle = vec![0; shape.workers.into()];
        let under_way = vec![idle; shape.slots.into()];
        let (protocol, byte_order) = (Protocol::Shadow, ByteOrder::Network);
        Self { shape, protocol, byte_order, elements, lanes, seed, under_way }
    }

    /// The contribution of a worker to a slot's round: the same whenever it is asked for.
    pub fn contribution(&self, slot: u16, round: usize, worker: u16) -> (Repr, Vec<u32>) {
        if self.protocol == Protocol::Shadow {
            return self.data(slot, round, worker);
        }
        let (repr, lanes) = self.data(slot, round / 2, worker);
        let repr =
            Repr { pool: if round.is_multiple_of(2) { Pool::Even } else { Pool::Odd }, ..repr };
        if round.is_multiple_of(2) {
            return (repr, lanes);
        }
        (
            Repr { empty: true, delivery: Delivery::All, next_exponent: Exponent::ZERO, ..repr },
            Vec::new(),
        )
    }

    fn data(&self, slot: u16, round: usize, worker: u16) -> (Repr, Vec<u32>) {
        // Blocks of one to three rounds: their kinds in order (R-WORK-4). A table of ten rounds,
        // six blocks, comes again.
        const KINDS: [(u32, Kind); 10] = [
            (0, Kind::Exponents),
            (0, Kind::Values),
            (1, Kind::Values),
            (2, Kind::Exponents),
            (2, Kind::Classes),
            (2, Kind::Values),
            (3, Kind::Classes),
            (3, Kind::Values),
            (4, Kind::Values),
            (5, Kind::Values),
        ];
        let (block, kind) = KINDS[round % KINDS.len()];
        let block = 6 * (round / KINDS.len()) as u32 + block;
        // The values on which all agree, in all rounds of a block (R-STREAM-6).
        let mut dice = Dice(self.seed ^ (u64::from(slot) << 32 | u64::from(block)));
        let elements = match dice.below(4) {
            0 => dice.below(usize::from(self.elements) + 1) as u16,
            1 => 0,
            _ => self.elements,
        };
        let delivery = match dice.below(3) {
            0 => Delivery::One(WorkerId(dice.below(self.shape.workers.into()) as u16)),
            _ => Delivery::All,
        };
        let contributors = dice.roll();
        let call = CallDigest(dice.roll() as u32);
        // The values that each has of its own.
        let mut dice = Dice(dice.roll() ^ (u64::from(worker) << 32 | round as u64));
        let empty = kind == Kind::Exponents || contributors >> (worker % 64) & 3 == 0;
        let repr = Repr {
            direction: Direction::Contribution(WorkerId(worker)),
            kind,
            empty,
            marked: false,
            overflowed: false,
            pool: if round.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
            job: JobId(self.shape.job),
            epoch: self.shape.epoch(),
            position: Position(u32::from(slot) + u32::from(self.shape.slots) * block),
            slot: SlotIndex(slot),
            elements,
            element_type: self.lanes.0,
            operation: Operation::Sum,
            exponent: Exponent::of_magnitude_bits(1 << 23),
            next_exponent: Exponent::of_magnitude_bits(dice.roll() as u32),
            delivery,
            call,
        };
        let lanes =
            (0..if empty { 0 } else { elements }).map(|_| self.lanes.1(&mut dice)).collect();
        (repr, lanes)
    }

    pub fn datagram(&self, slot: u16, worker: u16, query: bool) -> Vec<u8> {
        let round = self.under_way[usize::from(slot)][usize::from(worker)];
        let (repr, lanes) = self.contribution(slot, round, worker);
        if query {
            return datagram(&repr.query(WorkerId(worker)), &[]);
        }
        datagram_in(self.byte_order, &repr, &lanes)
    }

    /// Returns whether a worker waits for what the switch has sent it (R-WORK-2).
    pub fn waits_for(&self, worker: WorkerId, bytes: &[u8]) -> bool {
        let repr = Repr::parse(&Packet::new_checked(bytes).unwrap());
        let (slot, worker) = (repr.slot.0, worker.0);
        let round = self.under_way[usize::from(slot)][usize::from(worker)];
        let (wanted, _) = self.contribution(slot, round, worker);
        let outstanding =
            (repr.position, repr.kind, repr.pool) == (wanted.position, wanted.kind, wanted.pool);
        outstanding && matches!(repr.direction, Direction::Result(_))
    }

    /// A worker takes what it waits for.
    pub fn take(&mut self, worker: WorkerId, bytes: &[u8]) -> bool {
        let takes = self.waits_for(worker, bytes);
        if takes {
            let slot = Repr::parse(&Packet::new_checked(bytes).unwrap()).slot.0;
            self.under_way[usize::from(slot)][usize::from(worker.0)] += 1;
        }
        takes
    }
}

/// A datagram of a header and lanes, in network order.
pub fn datagram(repr: &Repr, lanes: &[u32]) -> Vec<u8> {
    datagram_in(ByteOrder::Network, repr, lanes)
}

/// The same with lanes in this order.
pub fn datagram_in(order: ByteOrder, repr: &Repr, lanes: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    repr.emit(bytes.first_chunk_mut().unwrap());
    bytes.extend(lanes.iter().flat_map(|lane| lane_bytes(order, *lane)));
    bytes
}

/// A lane as it travels.
pub fn lane_bytes(order: ByteOrder, lane: u32) -> [u8; 4] {
    match order {
        ByteOrder::Little => lane.to_le_bytes(),
        ByteOrder::Network => lane.to_be_bytes(),
    }
}

/// Loses, delays, repeats and reorders what workers send.
#[derive(Default)]
pub struct Network {
    /// Datagrams that it has not let go of: copies may come at any time.
    held: Vec<(u16, Vec<u8>)>,
}

impl Network {
    /// The next datagram that reaches the switch, with the worker that sent it: of one that any
    /// worker of any job may send now, or an older one; or none.
    pub fn next(&mut self, dice: &mut Dice, jobs: &[Traffic]) -> Option<(u16, Vec<u8>)> {
        let job = &jobs[dice.below(jobs.len())];
        let (slot, worker) = (
            dice.below(job.shape.slots.into()) as u16,
            dice.below(job.shape.workers.into()) as u16,
        );
        let query = dice.below(100) < 15;
        let fresh = (worker, job.datagram(slot, worker, query));
        let held = &mut self.held;
        // Lost, delayed, or at once; and whatever comes may be an old copy instead.
        match dice.below(10) {
            0 => return None,
            1 | 2 => {
                held.push(fresh);
                return None;
            }
            3 => {
                held.push(fresh.clone());
                held.push(fresh);
            }
            _ => held.push(fresh),
        }
        let pick = if dice.below(100) < 60 { held.len() - 1 } else { dice.below(held.len()) };
        Some(if dice.below(100) < 20 { held[pick].clone() } else { held.swap_remove(pick) })
    }
}
