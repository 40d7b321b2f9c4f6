//! Rounds whose operands are kept apart (R-SLOT-13): a copy has a place for the lanes of each
//! member, and what becomes of them is settled when the round is complete.
//!
//! [`JobSpec::keeps_apart`](crate::JobSpec::keeps_apart) says which slots do that. The lanes come
//! through [`Operands::put`]; [`Held`] gives them back, in the order of ranks, and [`Held::result`]
//! says which of them are a member's result.

use netfold_wire::{Delivery, Repr};

use crate::contribution::Lanes;
use crate::fold::fold_lanes;
use crate::job::JobSpec;

/// The places of a copy's operands, one for each member by its number, which is in the order of
/// ranks.
#[derive(Debug)]
pub struct Operands<'a> {
    /// As many bytes for each member.
    lanes: &'a mut [u8],
    /// For each member whether it has contributed lanes.
    filled: &'a mut [u8],
}

impl<'a> Operands<'a> {
    /// Returns the number of bytes that the operands of so many members take: a multiple of 8.
    pub(crate) fn bytes(members: u16, payload_bytes: u32) -> usize {
        usize::from(members) * payload_bytes as usize + usize::from(members).next_multiple_of(8)
    }

    /// Returns those in `memory`, which has [`Operands::bytes`].
    pub(crate) fn of(memory: &'a mut [u8], members: u16, payload_bytes: u32) -> Self {
        let (lanes, rest) = memory.split_at_mut(usize::from(members) * payload_bytes as usize);
        Self { lanes, filled: &mut rest[..members.into()] }
    }

    /// Writes the operand of a member; `None` if it is EMPTY. Every member does so in every round,
    /// so that nothing is left of the round before.
    pub(crate) fn put(&mut self, member: u16, lanes: Option<Lanes<'_>>) {
        let each = self.lanes.len() / self.filled.len();
        let member = usize::from(member);
        self.filled[member] = lanes.is_some().into();
        let place = &mut self.lanes[member * each..][..each];
        match lanes {
            Some(Lanes::Read(lanes)) => place[..lanes.len()].copy_from_slice(lanes),
            Some(Lanes::Written(write)) => write(place),
            None => {}
        }
    }

    /// Replaces each operand by the fold of those up to it, in the order of ranks (R-STREAM-18); an
    /// EMPTY one by the fold of those before it. The lanes are those of a round with this `header`.
    pub(crate) fn fold_prefixes(&mut self, spec: &JobSpec, header: &Repr) {
        let (lane, operation) = (header.element_type, header.operation);
        let (each, bytes) =
            (self.lanes.len() / self.filled.len(), usize::from(header.elements) * lane.bytes());
        for member in 1..self.filled.len() {
            let (before, from) = self.lanes.split_at_mut(member * each);
            let (before, own) = (&before[(member - 1) * each..][..bytes], &mut from[..bytes]);
            if self.filled[member - 1] != 0 {
                fold_lanes(spec, lane, operation, self.filled[member] == 0, own, before);
                self.filled[member] = 1;
            }
        }
    }

    /// Returns the operands of so many bytes each, with the numbers of their members, in the order
    /// of ranks; without those that are EMPTY.
    pub(crate) fn each(&mut self, bytes: usize) -> impl Iterator<Item = (u16, &mut [u8])> {
        let each = self.lanes.len() / self.filled.len();
        let places = (0..).zip(self.lanes.chunks_exact_mut(each)).zip(&*self.filled);
        let filled = places.filter(|(_, filled)| **filled != 0);
        filled.map(move |((member, lanes), _)| (member, &mut lanes[..bytes]))
    }

    /// Returns the first operand of so many bytes each, and those after it, in the order of ranks:
    /// the accumulator and the operands of a fold in this order, which leaves its result in the
    /// first one's place. `None` if all are EMPTY.
    pub fn in_rank_order(
        &mut self,
        bytes: usize,
    ) -> Option<(&mut [u8], impl Iterator<Item = &[u8]>)> {
        let each = self.lanes.len() / self.filled.len();
        let first = self.filled.iter().position(|filled| *filled != 0)?;
        let (head, tail) = self.lanes.split_at_mut((first + 1) * each);
        let rest = tail.chunks_exact(each).zip(&self.filled[first + 1..]);
        let rest = rest.filter(|(_, filled)| **filled != 0).map(move |(lanes, _)| &lanes[..bytes]);
        Some((&mut head[first * each..][..bytes], rest))
    }
}

/// The operands of a round that is complete.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    lanes: &'a [u8],
    filled: &'a [u8],
}

impl<'a> Held<'a> {
    /// Returns those in `memory`, which has [`Operands::bytes`].
    pub(crate) fn of(memory: &'a [u8], members: u16, payload_bytes: u32) -> Self {
        let (lanes, rest) = memory.split_at(usize::from(members) * payload_bytes as usize);
        Self { lanes, filled: &rest[..members.into()] }
    }

    /// Returns the operand of a member, of so many bytes; `None` if it is EMPTY.
    pub fn operand(self, member: u16, bytes: usize) -> Option<&'a [u8]> {
        let each = self.lanes.len() / self.filled.len();
        let member = usize::from(member);
        (*self.filled.get(member)? != 0).then(|| &self.lanes[member * each..][..bytes])
    }

    /// Returns the lanes that a member gets, of so many bytes; `None` if it gets an EMPTY result
    /// (R-SLOT-13).
    pub fn result(self, delivery: Delivery, member: u16, bytes: usize) -> Option<&'a [u8]> {
        let members = self.filled.len() as u16;
        match delivery {
            Delivery::Shift(distance) => {
                self.operand((member + members - distance % members) % members, bytes)
            }
            // The operands are the folds up to them. A scan of rank 0 is what it has sent.
            Delivery::Prefix { own } => self
                .operand(if own { member } else { member.checked_sub(1)? }, bytes)
                .filter(|_| member > 0),
            Delivery::All | Delivery::One(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 16;

    /// The memory of a round of 3, in which these have contributed so many bytes of their number.
    fn round(contributions: &[Option<usize>; 3]) -> Vec<u8> {
        // What is left of another round.
        let mut memory = vec![0xEE; Operands::bytes(3, BYTES as u32)];
        let mut operands = Operands::of(&mut memory, 3, BYTES as u32);
        for (member, bytes) in [2, 0, 1].map(|member| (member, contributions[member])) {
            let lanes = bytes.map(|bytes| vec![member as u8; bytes]);
            operands.put(member as u16, lanes.as_deref().map(Lanes::Read));
        }
        memory
    }

    /// R-SLOT-13
    #[test]
    fn each_member_gets_the_operand_of_the_one_that_far_before_it() {
        let memory = round(&[Some(8), Some(8), None]);
        let held = Held::of(&memory, 3, BYTES as u32);
        let results =
            |distance| [0, 1, 2].map(|member| held.result(Delivery::Shift(distance), member, 8));
        assert_eq!(results(1), [None, Some(&[0; 8][..]), Some(&[1; 8][..])]);
        assert_eq!(results(2), [Some(&[1; 8][..]), None, Some(&[0; 8][..])]);
        assert_eq!(held.result(Delivery::All, 0, 8), None);
    }

    #[test]
    fn operands_are_in_the_order_of_ranks_whenever_they_came() {
        let mut memory = round(&[None, Some(8), Some(8)]);
        let mut operands = Operands::of(&mut memory, 3, BYTES as u32);
        let (first, rest) = operands.in_rank_order(8).expect("two have contributed");
        assert_eq!(first, [1; 8]);
        assert_eq!(rest.collect::<Vec<_>>(), [[2; 8]]);
        let mut memory = round(&[None; 3]);
        let mut operands = Operands::of(&mut memory, 3, BYTES as u32);
        assert!(operands.in_rank_order(8).is_none());
    }
}
