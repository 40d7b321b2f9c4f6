//! A job whose packets are written by hand, one by one.

use netfold_num::{ByteOrder, ElementType, Exponent, Operation};
use netfold_wire::{
    CallDigest, Delivery, Direction, HEADER_BYTES, IntegrityKind, Kind, Packet, Pool, Position,
    Repr, SlotIndex, WorkerId,
};

use crate::target::{Admitted, Datagram, JobShape, Packets, Target};

/// Lanes of a scripted packet.
pub const LANES: u16 = 8;

/// Place of a scripted round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The slot.
    pub slot: u16,
    /// The copy.
    pub pool: Pool,
    /// The block.
    pub position: u32,
}

impl At {
    /// A round.
    pub const fn new(slot: u16, pool: Pool, position: u32) -> Self {
        Self { slot, pool, position }
    }
}

/// A result, read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The worker that received it.
    pub to: WorkerId,
    /// Its header.
    pub result: Repr,
    /// Its lanes; empty if it is EMPTY.
    pub lanes: Vec<i32>,
}

/// A job at a target, with workers that do what the script says. Every contribution is a sum of
/// [`LANES`] i32, different for each worker and position, unless the script changes it.
pub struct Script<'t> {
    target: &'t mut dyn Target,
    shape: JobShape,
    admitted: Admitted,
}

impl<'t> Script<'t> {
    /// A job of `workers` and `slots`, on the target's own terms.
    ///
    /// # Panics
    /// If the target refuses it.
    pub fn new(target: &'t mut dyn Target, workers: u16, slots: u16) -> Self {
        let packets = target.packets();
        Self::with_packets(target, workers, slots, packets)
    }

    /// The same with packets that prove themselves in another way.
    ///
    /// # Panics
    /// If the target refuses it.
    pub fn with_integrity(
        target: &'t mut dyn Target,
        workers: u16,
        slots: u16,
        integrity: IntegrityKind,
    ) -> Self {
        let packets = Packets { integrity, ..target.packets() };
        Self::with_packets(target, workers, slots, packets)
    }

    /// The same with lanes in network order (R-NUM-19).
    ///
    /// # Panics
    /// If the target refuses it.
    pub fn in_network_order(target: &'t mut dyn Target, workers: u16, slots: u16) -> Self {
        let packets = Packets { byte_order: ByteOrder::Network, ..target.packets() };
        Self::with_packets(target, workers, slots, packets)
    }

    fn with_packets(
        target: &'t mut dyn Target,
        workers: u16,
        slots: u16,
        packets: Packets,
    ) -> Self {
        let shape = JobShape::on(packets, workers, slots, u32::from(LANES) * 4);
        let admitted = target.admit(&shape).expect("a small job fits");
        Self { target, shape, admitted }
    }

    /// The job as the target has named it.
    pub fn admitted(&self) -> Admitted {
        self.admitted
    }

    /// The target.
    pub fn target(&mut self) -> &mut dyn Target {
        self.target
    }

    /// The header of a worker's contribution to a round.
    pub fn contribution(&self, worker: u16, at: At) -> Repr {
        Repr {
            direction: Direction::Contribution(WorkerId(worker)),
            kind: Kind::Values,
            empty: false,
            marked: false,
            overflowed: false,
            pool: at.pool,
            job: self.admitted.job,
            epoch: self.admitted.epoch,
            position: Position(at.position),
            slot: SlotIndex(at.slot),
            elements: LANES,
            element_type: ElementType::I32,
            operation: Operation::Sum,
            exponent: Exponent::ZERO,
            next_exponent: Exponent::ZERO,
            delivery: Delivery::All,
            call: CallDigest(0xCA11),
        }
    }

    /// The lanes of a worker's contribution.
    pub fn lanes(&self, worker: u16, at: At) -> Vec<i32> {
        (0..i32::from(LANES))
            .map(|lane| 1000 * (i32::from(worker) + 1) + 10 * (at.position % 97) as i32 + lane)
            .collect()
    }

    /// Returns the sum of all workers' lanes: the sum of an arithmetic series.
    pub fn sum(&self, at: At) -> Vec<i32> {
        let n = i32::from(self.shape.workers);
        (0..i32::from(LANES))
            .map(|lane| 1000 * n * (n + 1) / 2 + n * (10 * (at.position % 97) as i32 + lane))
            .collect()
    }

    /// The bytes of a packet.
    pub fn datagram(&self, header: &Repr, lanes: &[i32]) -> Vec<u8> {
        let mut datagram = vec![0; HEADER_BYTES];
        header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        if !header.empty {
            datagram.extend(lanes.iter().flat_map(|lane| self.shape.lane_bytes(*lane)));
        }
        self.admitted.integrity.seal(&mut datagram);
        datagram
    }

    /// Sends bytes as `from`.
    pub fn send_bytes(&mut self, from: u16, datagram: &[u8]) -> Vec<Reply> {
        let sent = self.target.exchange(self.admitted.job, WorkerId(from), datagram);
        sent.iter().map(|datagram| self.read(datagram)).collect()
    }

    /// Sends a packet.
    pub fn send(&mut self, from: u16, header: &Repr, lanes: &[i32]) -> Vec<Reply> {
        self.send_bytes(from, &self.datagram(header, lanes))
    }

    /// Sends a worker's contribution to a round, for the first time or again.
    pub fn contribute(&mut self, worker: u16, at: At) -> Vec<Reply> {
        self.send(worker, &self.contribution(worker, at), &self.lanes(worker, at))
    }

    /// Sends a contribution to which nothing must be answered.
    ///
    /// # Panics
    /// If something is.
    pub fn silent(&mut self, worker: u16, at: At) {
        let replies = self.contribute(worker, at);
        assert_eq!(replies, [], "worker {worker} at {at:?} must get no answer");
    }

    /// Sends the contribution that completes a round: every worker must get the sum of all, once
    /// (R-SLOT-3).
    ///
    /// # Panics
    /// If that is not what happens.
    pub fn completes(&mut self, worker: u16, at: At) {
        let replies = self.contribute(worker, at);
        self.assert_multicast(&replies, at);
    }

    /// Sends again what belongs to a completed round: the sender alone must get the result again
    /// (R-SLOT-4).
    ///
    /// # Panics
    /// If that is not what happens.
    pub fn answered(&mut self, worker: u16, at: At) {
        let replies = self.contribute(worker, at);
        let [Reply { to, result, lanes }] = &replies[..] else {
            panic!("worker {worker} at {at:?} must get one answer: {replies:?}");
        };
        assert_eq!(
            (*to, result.direction),
            (WorkerId(worker), Direction::Result(Some(WorkerId(worker))))
        );
        assert_eq!((place(result), lanes), (at, &self.sum(at)));
    }

    /// Asserts that every worker has received the sum of a round, once.
    ///
    /// # Panics
    /// If not.
    pub fn assert_multicast(&self, replies: &[Reply], at: At) {
        let mut receivers: Vec<u16> = replies.iter().map(|reply| reply.to.0).collect();
        receivers.sort_unstable();
        assert!(
            receivers.iter().copied().eq(0..self.shape.workers),
            "everyone gets the result once: {receivers:?}"
        );
        for Reply { result, lanes, .. } in replies {
            assert_eq!(result.direction, Direction::Result(None));
            assert_eq!((place(result), lanes), (at, &self.sum(at)));
        }
    }

    fn read(&self, datagram: &Datagram) -> Reply {
        assert_eq!(datagram.job, self.admitted.job, "a result goes to a worker of its job");
        let packet = Packet::new_checked(&datagram.bytes).expect("a switch sends packets");
        assert!(
            packet.is_whole(&self.admitted.integrity),
            "a switch seals what it sends (R-PKT-3)"
        );
        let result = Repr::parse(&packet);
        assert_eq!((result.job, result.epoch), (self.admitted.job, self.admitted.epoch));
        let (lanes, rest) = packet.lanes().as_chunks();
        assert!(rest.is_empty());
        let lane = match self.shape.terms.byte_order {
            ByteOrder::Little => i32::from_le_bytes,
            ByteOrder::Network => i32::from_be_bytes,
        };
        Reply { to: datagram.to, result, lanes: lanes.iter().map(|bytes| lane(*bytes)).collect() }
    }
}

fn place(result: &Repr) -> At {
    At { slot: result.slot.0, pool: result.pool, position: result.position.0 }
}
