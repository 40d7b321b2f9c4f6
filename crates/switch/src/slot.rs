//! The registers of one slot: SwitchML's algorithm 3 (section 4.5) with rounds that carry a key.
//!
//! A slot decides the arrival of a contribution; it holds no lanes. [`Turn::arrive`] is the whole
//! algorithm.

use netfold_num::{ElementType, Exponent, Operation};
use netfold_wire::{
    CallDigest, Delivery, Direction, Kind, Pool, Position, Repr, SlotIndex, WorkerId,
};

use crate::answer::Settled;
use crate::job::JobSpec;
use crate::members::Members;
use crate::place::Place;
pub use crate::registers::{COPY_WORDS, HOLDER_WORDS, SLOT_WORDS};
use crate::shard::Recipients;

/// The terms that the contributions of one round agree on (R-SLOT-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The block.
    pub position: Position,
    /// The kind of exchange.
    pub kind: Kind,
    /// Digest of the block's call.
    pub call: CallDigest,
    /// Lanes in the block.
    pub elements: u16,
    /// Type of a lane.
    pub element_type: ElementType,
    /// Operation with which lanes fold.
    pub operation: Operation,
    /// Exponent of the lanes.
    pub exponent: Exponent,
    /// Receivers of the lanes.
    pub delivery: Delivery,
}

impl Round {
    /// Returns the round that a contribution belongs to.
    pub fn of(packet: &Repr) -> Self {
        Self {
            position: packet.position,
            kind: packet.kind,
            call: packet.call,
            elements: packet.elements,
            element_type: packet.element_type,
            operation: packet.operation,
            exponent: packet.exponent,
            delivery: packet.delivery,
        }
    }

    /// R-SLOT-8: compares rounds by position, then by kind.
    fn is_newer_than(&self, other: &Self) -> bool {
        match self.position.since(other.position) {
            0 => self.kind.order() > other.kind.order(),
            distance => distance > 0,
        }
    }
}

/// One copy of a slot, with bitmaps of `W` registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy<const W: usize = 1> {
    /// Members that have contributed and have not gone on to the other copy.
    pub(crate) seen: Members<W>,
    /// Contributions of the round, modulo n: 0 when no round is open.
    pub(crate) count: u16,
    /// Lanes have been written in this round.
    pub(crate) filled: bool,
    /// The network has marked a contribution of the round, or the parent's result (R-ECN-2).
    pub(crate) marked: bool,
    /// A sum of the round has overflowed a register, here or below (R-SLOT-11).
    pub(crate) overflowed: bool,
    /// At a leaf: the round is complete here, and its result has not come from the parent
    /// (R-TREE-2).
    pub(crate) raised: bool,
    /// Largest `next_exponent` of the round.
    pub(crate) next_exponent: Exponent,
    /// The number of the member that started the round.
    pub(crate) first: u16,
    /// The round that the copy holds, or held last.
    pub(crate) round: Option<Round>,
}

impl<const W: usize> Copy<W> {
    pub(crate) const FRESH: Self = Self {
        seen: Members::NONE,
        count: 0,
        filled: false,
        marked: false,
        overflowed: false,
        raised: false,
        next_exponent: Exponent::ZERO,
        first: 0,
        round: None,
    };

    /// Returns whether lanes have been written in the round that the copy holds, or held last.
    pub fn is_filled(&self) -> bool {
        self.filled
    }

    /// Returns the round that the copy holds, or held last, whatever has become of it; `None`
    /// before the first.
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// Returns the round whose result the copy holds; `None` while a round is open or waits for the
    /// parent, and before the first.
    pub fn result(&self) -> Option<&Round> {
        self.round.as_ref().filter(|_| self.count == 0 && !self.raised)
    }

    /// Returns, at a leaf, the round that is complete here and waits for the parent's result
    /// (R-TREE-2).
    pub fn raised(&self) -> Option<&Round> {
        self.round.as_ref().filter(|_| self.raised)
    }

    /// Returns the header of the fold that goes up (R-TREE-2); `None` if the copy has none that
    /// waits for the parent. The copy is that of `pool` of `slot` in the job of `spec`.
    pub fn raised_header(&self, spec: &JobSpec, slot: SlotIndex, pool: Pool) -> Option<Repr> {
        let (round, name) = (self.raised()?, spec.place.parent()?);
        Some(self.header(spec, round, Direction::Contribution(name), true, slot, pool))
    }

    /// Returns the header of the result that the copy holds, for `to` (R-SLOT-3): without lanes for
    /// members that the round's delivery does not address. `None` while a round is open, and before
    /// the first. The copy is that of `pool` of `slot` in the job of `spec`.
    pub fn result_header(
        &self,
        spec: &JobSpec,
        slot: SlotIndex,
        pool: Pool,
        to: Recipients,
    ) -> Option<Repr> {
        let round = self.result()?;
        let (to, addressed) = match to {
            Recipients::One(member) => (Some(member), spec.place.addresses(round.delivery, member)),
            Recipients::All => (None, true),
            Recipients::AllBut(_) => (None, false),
            Recipients::Parent => return None,
        };
        Some(self.header(spec, round, Direction::Result(to), addressed, slot, pool))
    }

    /// Returns the header of the packet that the copy holds.
    fn header(
        &self,
        spec: &JobSpec,
        round: &Round,
        direction: Direction,
        lanes: bool,
        slot: SlotIndex,
        pool: Pool,
    ) -> Repr {
        Repr {
            direction,
            kind: round.kind,
            empty: !lanes || !self.filled || self.overflowed || round.kind == Kind::Exponents,
            marked: self.marked,
            overflowed: self.overflowed,
            pool,
            job: spec.job,
            epoch: spec.epoch,
            position: round.position,
            slot,
            elements: round.elements,
            element_type: round.element_type,
            operation: round.operation,
            exponent: round.exponent,
            next_exponent: self.next_exponent,
            delivery: round.delivery,
            call: round.call,
        }
    }

    /// Takes the parent's answer about a round, if the copy waits for it (R-TREE-3, R-TREE-4). The
    /// lanes of a result must then replace those of the fold.
    pub(crate) fn settle(&mut self, answer: &Repr) -> Settled {
        if self.raised() != Some(&Round::of(answer)) {
            return Settled::Nothing;
        }
        if let Direction::Recall(_) = answer.direction {
            return Settled::Recall;
        }
        self.raised = false;
        self.filled = !answer.empty;
        self.next_exponent = answer.next_exponent;
        self.marked = answer.marked;
        self.overflowed = answer.overflowed;
        Settled::Result
    }

    /// Members that have contributed to the copy's latest round and have not gone on to the other
    /// copy. A round that follows the shadow-copy rule (R-SLOT-6) starts when there are none.
    pub fn holders(&self) -> Members<W> {
        self.seen
    }

    /// Returns the round that is open, and the members that have contributed to it; `None` when no
    /// round is open.
    pub fn open_round(&self) -> Option<(Round, Members<W>)> {
        self.round.filter(|_| self.count != 0).map(|round| (round, self.seen))
    }
}

/// The kind of a contribution, which decides what becomes of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// New: write the lanes, or fold them into what is there; send the result if the round is
    /// complete.
    Accepted {
        /// The first contribution of the round (R-SLOT-2).
        opens: bool,
        /// The first lanes of the round: they overwrite the copy (R-SLOT-2).
        overwrite: bool,
        /// All workers have contributed (R-SLOT-3).
        complete: bool,
        /// A sum of the round has overflowed, and must be folded again (R-SLOT-11).
        overflowed: bool,
    },
    /// A retransmission to an incomplete round: nothing to do (R-SLOT-4).
    Ignored,
    /// A retransmission to a complete round: its worker gets the result again (R-SLOT-4).
    Answered,
    /// A retransmission to a round that waits for the parent: the fold goes up again (R-TREE-4).
    Raised,
    /// A query about a round that waits for the parent: the parent is asked (R-TREE-4).
    Asked,
    /// A query about a contribution that has not come, or whose result has not: its worker gets a
    /// recall (R-SLOT-10).
    Recalled,
    /// A duplicate from an earlier round (R-SLOT-8).
    Stale,
    /// Not the call that the worker that started the round has made (R-SLOT-7).
    Mismatch {
        /// The worker that started the round.
        first: WorkerId,
    },
}

/// A slot for up to 64 `W` members: two copies, of which one is the shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<const W: usize = 1> {
    pub(crate) copies: [Copy<W>; 2],
}

impl<const W: usize> Slot<W> {
    /// A slot that no round has used.
    pub const FRESH: Self = Self { copies: [Copy::FRESH; 2] };

    /// Returns one of the two copies.
    pub fn copy(&self, pool: Pool) -> &Copy<W> {
        &self.copies[pool.index()]
    }

    /// Returns the part of the slot that a packet for the copy of `pool` can change.
    pub fn turn(&mut self, pool: Pool) -> Turn<'_, W> {
        let [even, odd] = &mut self.copies;
        let (copy, other) = match pool {
            Pool::Even => (even, odd),
            Pool::Odd => (odd, even),
        };
        Turn { copy, holders: &mut other.seen }
    }
}

/// The part of a slot that a packet can change: the copy that it names, and the holders of the
/// result of the other one.
#[derive(Debug)]
pub struct Turn<'a, const W: usize = 1> {
    /// The copy.
    pub copy: &'a mut Copy<W>,
    /// The other one's [holders](Copy::holders).
    pub holders: &'a mut Members<W>,
}

impl<const W: usize> Turn<'_, W> {
    /// Takes a contribution of the member with this `number` at the switch at `place`, or a query
    /// about it: SwitchML's algorithm 3.
    pub fn arrive(&mut self, packet: &Repr, number: u16, place: &Place) -> Arrival {
        let round = Round::of(packet);
        let query = matches!(packet.direction, Direction::Query(_));
        let copy = &mut *self.copy;
        let open = copy.count != 0;

        if copy.seen.has(number) {
            // R-SLOT-4: line 18 of the algorithm.
            return match copy.round {
                Some(held) if held.position == round.position && held.kind == round.kind => {
                    if open {
                        Arrival::Ignored
                    } else if copy.raised {
                        if query { Arrival::Asked } else { Arrival::Raised }
                    } else if query {
                        Arrival::Recalled
                    } else {
                        Arrival::Answered
                    }
                }
                _ => Arrival::Stale,
            };
        }
        match copy.round {
            Some(held) if open && held != round => {
                // An earlier round of the same block belongs to the same call; another call at this
                // position is no duplicate.
                let earlier = held.is_newer_than(&round)
                    && (held.position != round.position || held.call == round.call);
                return if earlier {
                    Arrival::Stale
                } else if query {
                    // Lanes may disagree; a query does not.
                    Arrival::Recalled
                } else {
                    Arrival::Mismatch { first: place.name(copy.first) }
                };
            }
            Some(held) if !open && !round.is_newer_than(&held) => return Arrival::Stale,
            // R-SLOT-10
            _ if query => return Arrival::Recalled,
            _ => {}
        }

        if !open {
            // R-SLOT-2: the first contribution starts the round.
            *copy = Copy { seen: copy.seen, round: Some(round), first: number, ..Copy::FRESH };
        }
        copy.seen.insert(number);
        copy.count = (copy.count + 1) % place.count();
        copy.next_exponent = copy.next_exponent.max(packet.next_exponent);
        copy.marked |= packet.marked;
        copy.overflowed |= packet.overflowed;
        let overwrite = !packet.empty && !copy.filled;
        copy.filled |= !packet.empty;
        let complete = copy.count == 0;
        copy.raised = complete && place.parent().is_some();
        // R-SLOT-1: this member has moved on from the other copy.
        self.holders.remove(number);
        Arrival::Accepted { opens: !open, overwrite, complete, overflowed: copy.overflowed }
    }
}
