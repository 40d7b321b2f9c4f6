//! A slot's registers as plain words, for memory that others can write to: every pattern of bits is
//! read without harm, and one that no slot can have is refused.

use netfold_num::{ElementType, Exponent, Operation};
use netfold_wire::{CallDigest, Delivery, Kind, Position};

use crate::members::Members;
use crate::slot::{Copy, Round, Slot};

/// Words of a copy's registers.
pub const COPY_WORDS: usize = 7;

/// Words of a copy's [holders](Copy::holders), at the beginning of its registers.
pub const HOLDER_WORDS: usize = 2;

/// Words of a slot's registers, those of the even copy first: with a word for a lock, they fit one
/// cache line.
pub const SLOT_WORDS: usize = 2 * COPY_WORDS;

/// In the word of small registers: lanes have been written. Beside the number of the round's first
/// member, which is below 64.
const FILLED: u8 = 0x80;

/// Beside it: the round waits for the parent.
const RAISED: u8 = 0x40;
const _: () = assert!(Members::<1>::MOST <= RAISED as u16);

/// In the word of small registers: the network has marked a contribution. Beside the number of
/// contributions, which is below 64.
const MARKED: u8 = 0x80;

/// Beside it: a sum has overflowed a register.
const OVERFLOWED: u8 = 0x40;
const _: () = assert!(Members::<1>::MOST <= OVERFLOWED as u16);

/// Bits of an operation's number, in a byte that has the number of an element type, too.
const OPERATION_BITS: u32 = 5;

impl Slot {
    /// Returns the registers as words. Those of [`Slot::FRESH`] are zero, and so is memory that
    /// nobody has written to.
    pub fn to_words(&self) -> [u32; SLOT_WORDS] {
        let mut words = [0; SLOT_WORDS];
        let (even, odd) = words.split_at_mut(COPY_WORDS);
        even.copy_from_slice(&self.copies[0].to_words());
        odd.copy_from_slice(&self.copies[1].to_words());
        words
    }

    /// Returns the slot with these registers; `None` if no slot can have them. Never panics.
    pub fn from_words(words: &[u32; SLOT_WORDS]) -> Option<Self> {
        let (even, odd) = words.split_at(COPY_WORDS);
        let copy = |words: &[u32]| Copy::from_words(words.try_into().ok()?);
        Some(Self { copies: [copy(even)?, copy(odd)?] })
    }
}

impl Copy {
    /// Returns the registers as words.
    pub fn to_words(self) -> [u32; COPY_WORDS] {
        let Self { seen, count, filled, marked, overflowed, raised, next_exponent, first, round } =
            self;
        let Some(round) = round else { return [0; COPY_WORDS] };
        let Round { position, kind, call, elements, element_type, operation, exponent, delivery } =
            round;
        let types = element_type.to_wire() << OPERATION_BITS | operation.to_wire();
        let ([seen_low, seen_high], first) = (seen.to_words(), first as u8);
        let first = first | if filled { FILLED } else { 0 } | if raised { RAISED } else { 0 };
        let count =
            count as u8 | if marked { MARKED } else { 0 } | if overflowed { OVERFLOWED } else { 0 };
        [
            seen_low,
            seen_high,
            position.0,
            call.0,
            pair(elements, exponent.to_wire() as u16),
            pair(delivery.to_wire(), next_exponent.to_wire() as u16),
            u32::from_le_bytes([kind.to_wire(), types, count, first]),
        ]
    }

    /// Returns the copy with these registers; `None` if no copy can have them. Never panics.
    pub fn from_words(words: &[u32; COPY_WORDS]) -> Option<Self> {
        let &[seen_low, seen_high, position, call, lanes, ends, small] = words;
        if small == 0 {
            return (*words == [0; COPY_WORDS]).then_some(Self::FRESH);
        }
        let [kind, types, count, first] = small.to_le_bytes();
        let ((elements, exponent), (delivery, next_exponent)) = (halves(lanes), halves(ends));
        let (number, marked, overflowed) =
            (u16::from(first & !(FILLED | RAISED)), count & MARKED != 0, count & OVERFLOWED != 0);
        let count = u16::from(count & !(MARKED | OVERFLOWED));
        let raised = first & RAISED != 0;
        let possible =
            count < Members::<1>::MOST && number < Members::<1>::MOST && !(raised && count != 0);
        let round = Round {
            position: Position(position),
            kind: Kind::from_wire(kind)?,
            call: CallDigest(call),
            elements,
            element_type: ElementType::from_wire(types >> OPERATION_BITS)?,
            operation: Operation::from_wire(types & ((1 << OPERATION_BITS) - 1))?,
            exponent: Exponent::from_wire(exponent as i16)?,
            delivery: Delivery::from_wire(delivery),
        };
        possible.then_some(Self {
            seen: Members::from_words([seen_low, seen_high]),
            count,
            marked,
            overflowed,
            filled: first & FILLED != 0,
            raised,
            next_exponent: Exponent::from_wire(next_exponent as i16)?,
            first: number,
            round: Some(round),
        })
    }
}

fn pair(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

fn halves(word: u32) -> (u16, u16) {
    (word as u16, (word >> 16) as u16)
}

#[cfg(test)]
mod tests {
    use netfold_num::UserOperation;
    use netfold_wire::{Direction, Epoch, JobId, Pool, Repr, SlotIndex, WorkerId};
    use proptest::prelude::*;

    use super::*;
    use crate::place::Place;

    fn any_contribution() -> impl Strategy<Value = Repr> {
        let delivery = prop_oneof![
            Just(Delivery::All),
            (0..64u16).prop_map(|worker| Delivery::One(WorkerId(worker))),
            (0..64u16).prop_map(Delivery::Shift),
            any::<bool>().prop_map(|own| Delivery::Prefix { own }),
            Just(Delivery::Prefixes),
            Just(Delivery::PrefixAndTotal),
        ];
        let kind =
            prop::sample::select(vec![Kind::Values, Kind::Exponents, Kind::Classes, Kind::Refold]);
        let operation = prop_oneof![
            prop::sample::select(&Operation::ALL[..]),
            (0..UserOperation::MOST)
                .prop_map(|number| Operation::User(UserOperation::new(number).unwrap())),
        ];
        let types = (prop::sample::select(&ElementType::ALL[..]), operation);
        let numbers = (0..64u16, 0..6u32, any::<([bool; 3], u16, u32, u32, u32, bool)>());
        (delivery, kind, types, numbers).prop_map(
            |(delivery, kind, (element_type, operation), numbers)| {
                let (
                    worker,
                    position,
                    ([empty, marked, overflowed], elements, call, exponent, next_exponent, odd),
                ) = numbers;
                Repr {
                    direction: Direction::Contribution(WorkerId(worker)),
                    kind,
                    empty,
                    marked,
                    overflowed,
                    pool: if odd { Pool::Odd } else { Pool::Even },
                    job: JobId(0),
                    epoch: Epoch(0),
                    position: Position(position),
                    slot: SlotIndex(0),
                    elements,
                    element_type,
                    operation,
                    exponent: Exponent::of_magnitude_bits(exponent),
                    next_exponent: Exponent::of_magnitude_bits(next_exponent),
                    delivery,
                    call: CallDigest(call),
                }
            },
        )
    }

    proptest! {
        /// Whatever contributions have made of a slot, its words hold it whole.
        #[test]
        fn a_slot_survives_its_words(
            workers in 1..=64u16,
            leaf in any::<bool>(),
            contributions in prop::collection::vec(any_contribution(), 0..40),
        ) {
            let mut slot = Slot::FRESH;
            let only = Place::only(workers);
            let place = if leaf { only.below(WorkerId(0)) } else { only };
            for contribution in contributions {
                if let Direction::Contribution(worker) = contribution.direction
                    && worker.0 < workers
                {
                    slot.turn(contribution.pool).arrive(&contribution, worker.0, &place);
                }
                prop_assert_eq!(Slot::from_words(&slot.to_words()), Some(slot));
            }
        }

        /// Words that are anything are refused, or are those of a slot that takes any contribution
        /// without a panic.
        #[test]
        fn any_words_do_no_harm(
            mut words in any::<[u32; SLOT_WORDS]>(),
            plausible in any::<[bool; 2]>(),
            contributions in prop::collection::vec(any_contribution(), 0..8),
        ) {
            for (copy, plausible) in words.chunks_exact_mut(COPY_WORDS).zip(plausible) {
                if plausible {
                    copy[4] &= 0xFFFF;
                    copy[5] &= 0xFFFF;
                    copy[6] = copy[6] & 0x3F3F_0000 | 0x1101;
                }
            }
            if let Some(mut slot) = Slot::from_words(&words) {
                prop_assert_eq!(slot.to_words(), words);
                for contribution in contributions {
                    if let Direction::Contribution(worker) = contribution.direction {
                        slot.turn(contribution.pool).arrive(&contribution, worker.0, &Place::only(64));
                    }
                }
            }
        }
    }

    #[test]
    fn memory_that_nobody_has_written_to_is_a_fresh_slot() {
        assert_eq!(Slot::from_words(&[0; SLOT_WORDS]), Some(Slot::FRESH));
        assert_eq!(Slot::FRESH.to_words(), [0; SLOT_WORDS]);
    }
}
