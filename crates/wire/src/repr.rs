//! The content of a packet, in the types of the protocol.

use netfold_num::{ElementType, Exponent, Operation};

use crate::generated::{EVERYONE, Flags, HEADER_BYTES, Header, Kind, VERSION};
use crate::ids::{CallDigest, Delivery, Epoch, JobId, Pool, Position, SlotIndex, WorkerId};
use crate::packet::Packet;

/// The direction of a packet, its role, and its worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// A contribution of this worker, to the switch.
    Contribution(WorkerId),
    /// A result from the switch: to everyone, or in answer to one worker.
    Result(Option<WorkerId>),
    /// A query: a worker asks the switch what became of its contribution (R-PKT-6). The packet is
    /// `empty`.
    Query(WorkerId),
    /// A recall: the switch asks a worker for its contribution again (R-PKT-6). The packet is
    /// `empty`.
    Recall(WorkerId),
}

/// The meaning of a packet's header. The lanes stay in the datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repr {
    /// Direction, and the worker.
    pub direction: Direction,
    /// The kind of exchange.
    pub kind: Kind,
    /// No lanes follow (R-PKT-2).
    pub empty: bool,
    /// The network has marked a packet that this one was made of (R-ECN-2).
    pub marked: bool,
    /// The sum of the round has overflowed a register (R-SLOT-11).
    pub overflowed: bool,
    /// The copy of the slot.
    pub pool: Pool,
    /// The job.
    pub job: JobId,
    /// The epoch of the job.
    pub epoch: Epoch,
    /// The block's position in the stream.
    pub position: Position,
    /// The slot.
    pub slot: SlotIndex,
    /// Lanes in the block.
    pub elements: u16,
    /// Type of a lane.
    pub element_type: ElementType,
    /// Operation with which lanes fold.
    pub operation: Operation,
    /// Exponent with which this block was quantised.
    pub exponent: Exponent,
    /// Exponent of what the slot carries next (R-WORK-5, R-SLOT-5).
    pub next_exponent: Exponent,
    /// Receivers of the lanes of the result.
    pub delivery: Delivery,
    /// The call that the block belongs to.
    pub call: CallDigest,
}

impl Repr {
    /// Returns the meaning of a checked packet.
    pub fn parse(packet: &Packet<'_>) -> Self {
        *packet.repr()
    }

    /// Returns the meaning of a header's fields; `None` if one of them has a value that does not
    /// exist, or they contradict each other (R-PKT-1).
    pub(crate) fn read(header: &Header) -> Option<Self> {
        let flags = Flags(header.flags);
        let empty = flags.contains(Flags::EMPTY);
        let direction =
            match (flags.contains(Flags::RESULT), flags.contains(Flags::QUERY), header.worker) {
                (_, true, _) if !empty => return None,
                (false, false, worker) => Direction::Contribution(WorkerId(worker)),
                (true, false, EVERYONE) => Direction::Result(None),
                (true, false, worker) => Direction::Result(Some(WorkerId(worker))),
                (false, true, worker) => Direction::Query(WorkerId(worker)),
                (true, true, worker) => Direction::Recall(WorkerId(worker)),
            };
        let pool = match header.pool {
            0 => Pool::Even,
            1 => Pool::Odd,
            _ => return None,
        };
        let (kind, overflowed) = (Kind::from_wire(header.kind)?, flags.contains(Flags::OVERFLOWED));
        if overflowed && !(empty && kind == Kind::Values) {
            return None;
        }
        Flags::ALL_KNOWN.contains(flags).then_some(Self {
            direction,
            kind,
            empty,
            marked: flags.contains(Flags::MARKED),
            overflowed,
            pool,
            job: JobId(header.job),
            epoch: Epoch(header.epoch),
            position: Position(header.position),
            slot: SlotIndex(header.slot),
            elements: header.elements,
            element_type: ElementType::from_wire(header.element_type)?,
            operation: Operation::from_wire(header.operation)?,
            exponent: Exponent::from_wire(header.exponent)?,
            next_exponent: Exponent::from_wire(header.next_exponent)?,
            delivery: Delivery::from_wire(header.delivery),
            call: CallDigest(header.call),
        })
    }

    /// Returns the query of `worker` about this contribution of its own (R-PKT-6).
    #[must_use]
    pub fn query(self, worker: WorkerId) -> Self {
        let direction = Direction::Query(worker);
        Self {
            direction,
            empty: true,
            marked: false,
            overflowed: false,
            next_exponent: Exponent::UNKNOWN,
            ..self
        }
    }

    /// Returns the switch's answer to this query of `worker` (R-SLOT-10).
    #[must_use]
    pub fn recall(self, worker: WorkerId) -> Self {
        Self { direction: Direction::Recall(worker), marked: false, ..self }
    }

    /// Returns the number of bytes of the lanes that follow the header (R-PKT-2).
    pub fn lane_bytes(&self) -> usize {
        if self.empty { 0 } else { usize::from(self.elements) * self.element_type.bytes() }
    }

    /// Returns the number of bytes of the whole datagram.
    pub fn datagram_bytes(&self) -> usize {
        HEADER_BYTES + self.lane_bytes()
    }

    /// Writes the header, with `integrity` zero: seal the datagram when its lanes are in place.
    pub fn emit(&self, header: &mut [u8; HEADER_BYTES]) {
        let (mut flags, worker) = match self.direction {
            Direction::Contribution(worker) => (Flags::NONE, worker.0),
            Direction::Result(to) => (Flags::RESULT, to.map_or(EVERYONE, |worker| worker.0)),
            Direction::Query(worker) => (Flags::QUERY, worker.0),
            Direction::Recall(worker) => (Flags::RESULT.union(Flags::QUERY), worker.0),
        };
        if self.empty {
            flags = flags.union(Flags::EMPTY);
        }
        if self.marked {
            flags = flags.union(Flags::MARKED);
        }
        if self.overflowed {
            flags = flags.union(Flags::OVERFLOWED);
        }
        Header {
            version: VERSION,
            kind: self.kind.to_wire(),
            flags: flags.0,
            pool: self.pool.index() as u8,
            job: self.job.0,
            worker,
            epoch: self.epoch.0,
            position: self.position.0,
            slot: self.slot.0,
            elements: self.elements,
            element_type: self.element_type.to_wire(),
            operation: self.operation.to_wire(),
            exponent: self.exponent.to_wire(),
            next_exponent: self.next_exponent.to_wire(),
            delivery: self.delivery.to_wire(),
            call: self.call.0,
            integrity: 0,
        }
        .write(header);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_repr() -> impl Strategy<Value = Repr> {
        let direction = prop_oneof![
            (0..1024u16).prop_map(|w| Direction::Contribution(WorkerId(w))),
            prop::option::of(0..1024u16).prop_map(|w| Direction::Result(w.map(WorkerId))),
            (0..1024u16).prop_map(|w| Direction::Query(WorkerId(w))),
            (0..1024u16).prop_map(|w| Direction::Recall(WorkerId(w))),
        ];
        let kind = prop_oneof![
            Just(Kind::Values),
            Just(Kind::Exponents),
            Just(Kind::Classes),
            Just(Kind::Refold)
        ];
        let pool = prop_oneof![Just(Pool::Even), Just(Pool::Odd)];
        let delivery = prop_oneof![
            Just(Delivery::All),
            (0..1024u16).prop_map(|w| Delivery::One(WorkerId(w))),
            (0..1024u16).prop_map(Delivery::Shift),
            any::<bool>().prop_map(|own| Delivery::Prefix { own }),
            Just(Delivery::Prefixes),
            Just(Delivery::PrefixAndTotal),
        ];
        let types = (
            prop::sample::select(&ElementType::ALL[..]),
            prop::sample::select(&Operation::ALL[..]),
        );
        let exponent = || {
            prop_oneof![
                Just(Exponent::UNKNOWN),
                Just(Exponent::SPECIAL),
                any::<u32>().prop_map(Exponent::of_magnitude_bits)
            ]
        };
        let numbers = (any::<(u16, u32, u32, u16, u16)>(), exponent(), exponent(), any::<u32>());
        (direction, kind, any::<[bool; 3]>(), pool, delivery, types, numbers).prop_map(
            |(
                direction,
                kind,
                [empty, marked, overflowed],
                pool,
                delivery,
                (element_type, operation),
                (n, exponent, next_exponent, call),
            )| Repr {
                direction,
                kind,
                empty: empty || matches!(direction, Direction::Query(_) | Direction::Recall(_)),
                marked,
                overflowed: overflowed && empty && kind == Kind::Values,
                pool,
                job: JobId(n.0),
                epoch: Epoch(n.1),
                position: Position(n.2),
                slot: SlotIndex(n.3),
                elements: n.4 % 64,
                element_type,
                operation,
                exponent,
                next_exponent,
                delivery,
                call: CallDigest(call),
            },
        )
    }

    proptest! {
        #[test]
        fn a_repr_survives_the_wire(repr in any_repr()) {
            let mut datagram = [0xEE; HEADER_BYTES + 64 * 8];
            let datagram = &mut datagram[..repr.datagram_bytes()];
            repr.emit(datagram.first_chunk_mut().unwrap());
            let packet = Packet::new_checked(datagram).unwrap();
            prop_assert_eq!(Repr::parse(&packet), repr);
            prop_assert_eq!(packet.lanes().len(), repr.lane_bytes());
        }
    }
}
