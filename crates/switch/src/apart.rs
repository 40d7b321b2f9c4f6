//! Rounds whose operands are kept apart (R-SLOT-13): a copy has a place for the lanes of each
//! member, and what becomes of them is settled when the round is complete.
//!
//! [`JobSpec::keeps_apart`](crate::JobSpec::keeps_apart) says which slots do that. The lanes come
//! through [`Operands::put`]; [`Held`] gives them back, in the order of ranks, and [`Held::result`]
//! says which of them are a member's result.

use netfold_kernels::Lanes;
use netfold_num::{ElementType, Operation};
use netfold_wire::{Delivery, Repr};

use crate::fold::{Fault, fold_lanes};
use crate::job::JobSpec;
use crate::typed::Instances;

/// The places of a copy's operands, one for each member by its number, which is in the order of
/// ranks.
#[derive(Debug)]
pub struct Operands<'a> {
    /// As many bytes for each member.
    lanes: &'a mut [u8],
    /// For each member whether it has contributed lanes.
    filled: &'a mut [u8],
    /// Memory in which an operation of a user folds, as long as an operand; none without one.
    room: &'a mut [u8],
}

impl<'a> Operands<'a> {
    /// Returns the number of bytes that the operands of so many members take: a multiple of 8.
    pub(crate) fn bytes(members: u16, payload_bytes: u32) -> usize {
        usize::from(members) * payload_bytes as usize + usize::from(members).next_multiple_of(8)
    }

    /// Returns those in `memory`, which has [`Operands::bytes`].
    pub(crate) fn of(memory: &'a mut [u8], members: u16, payload_bytes: u32) -> Self {
        let (lanes, rest) = memory.split_at_mut(usize::from(members) * payload_bytes as usize);
        Self { lanes, filled: &mut rest[..members.into()], room: &mut [] }
    }

    /// Returns them with memory in which an operation of a user folds prefixes.
    pub(crate) fn with_room(self, room: &'a mut [u8]) -> Self {
        Self { room, ..self }
    }

    /// Writes the operand of a member; `None` if it is EMPTY. Every member does so in every round,
    /// so that nothing is left of the round before.
    pub(crate) fn put(&mut self, member: u16, lanes: Option<Lanes<'_>>) {
        let each = self.lanes.len() / self.filled.len();
        let member = usize::from(member);
        self.filled[member] = lanes.is_some().into();
        let place = &mut self.lanes[member * each..][..each];
        match lanes {
            Some(Lanes::Ready(lanes)) => place[..lanes.len()].copy_from_slice(lanes),
            Some(Lanes::Quantised(lanes)) => {
                lanes.write(&mut place[..lanes.lanes() * ElementType::I32.bytes()]);
            }
            None => {}
        }
    }

    /// Replaces each operand by the fold of those up to it, in the order of ranks, if the delivery
    /// of the round with this `header` says so (R-SLOT-13); an EMPTY one by the fold of those
    /// before it. [`Held::result`] finds them where this has left them. Requests are replaced by
    /// their replies (R-OP-32).
    ///
    /// # Errors
    /// The reason why an operation of a user has trapped.
    pub(crate) fn settle(
        &mut self,
        spec: &JobSpec,
        instances: &mut Instances,
        header: &Repr,
    ) -> Result<(), Fault> {
        if let (Delivery::Shift(0), Operation::User(operation)) =
            (header.delivery, header.operation)
        {
            let answered = instances.answer(operation, self.each(header.elements.into()));
            return answered.map_err(|cause| Fault::Trap(operation, cause));
        }
        if !header.delivery.folds_prefixes() {
            return Ok(());
        }
        let (each, bytes) = (
            self.lanes.len() / self.filled.len(),
            usize::from(header.elements) * header.element_type.bytes(),
        );
        match header.operation {
            Operation::User(_) => self.fold_prefixes_typed(instances, header)?,
            _ => self.fold_prefixes(spec, header, each, bytes),
        }
        if header.delivery == Delivery::Prefixes {
            // Results have them one after the other.
            for member in 1..self.filled.len() {
                self.lanes.copy_within(member * each..member * each + bytes, member * bytes);
            }
        }
        Ok(())
    }

    fn fold_prefixes(&mut self, spec: &JobSpec, header: &Repr, each: usize, bytes: usize) {
        let (lane, operation) = (header.element_type, header.operation);
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

    /// The accumulator of an operation of a user is its left operand, so each prefix is made in the
    /// room that the job has for it, and copied to its place, where it is mapped (R-OP-28).
    fn fold_prefixes_typed(
        &mut self,
        instances: &mut Instances,
        header: &Repr,
    ) -> Result<(), Fault> {
        let Operation::User(operation) = header.operation else { return Ok(()) };
        let each = self.lanes.len() / self.filled.len();
        let bytes = usize::from(header.elements);
        let fault = |cause| Fault::Trap(operation, cause);
        let prefix = &mut self.room[..bytes];
        let mut begun = false;
        // Nobody gets what an exscan folds up to the last rank.
        let members =
            self.filled.len() - usize::from(header.delivery == Delivery::Prefix { own: false });
        let places = self.lanes.chunks_exact_mut(each).zip(&mut *self.filled);
        for (place, filled) in places.take(members) {
            let place = &mut place[..bytes];
            match (*filled != 0, begun) {
                (true, true) => {
                    let mut operand = [&*place].into_iter();
                    instances.fold(operation, prefix, &mut operand, false).map_err(fault)?;
                }
                (true, false) => prefix.copy_from_slice(place),
                (false, _) => {}
            }
            begun |= *filled != 0;
            if begun {
                *filled = 1;
                place.copy_from_slice(prefix);
                instances.finish(operation, place).map_err(fault)?;
            }
        }
        Ok(())
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

    /// Returns the lanes that a member gets, in one part or two, in a round whose contributions
    /// have so many bytes; `None` if it gets an EMPTY result (R-SLOT-13). The round's operation is
    /// one of a user if `by_user`.
    pub fn result(
        self,
        delivery: Delivery,
        by_user: bool,
        member: u16,
        bytes: usize,
    ) -> Option<[&'a [u8]; 2]> {
        let last = self.filled.len() as u16 - 1;
        match delivery {
            Delivery::Prefixes => {
                // Whoever has an operand has all folds from it on.
                let all = &self.lanes[..self.filled.len() * bytes];
                let (before, rest) = all.split_at(usize::from(member) * bytes);
                let own = if by_user { 0 } else { bytes };
                (self.filled[0] != 0).then(|| [before, &rest[own..]])
            }
            Delivery::PrefixAndTotal => {
                let total = self.operand(last, bytes)?;
                let has_prefix = member == 0 || member == last;
                Some([total, if has_prefix { &[] } else { self.operand(member, bytes)? }])
            }
            _ => self.other_result(delivery, member, bytes).map(|lanes| [lanes, &[]]),
        }
    }

    /// Returns the lanes of a delivery whose results have one operand, or one fold.
    fn other_result(self, delivery: Delivery, member: u16, bytes: usize) -> Option<&'a [u8]> {
        let members = self.filled.len() as u16;
        match delivery {
            Delivery::Shift(distance) => {
                self.operand((member + members - distance % members) % members, bytes)
            }
            // The operands are the folds up to them. A scan of rank 0 is what it has sent.
            Delivery::Prefix { own } => self
                .operand(if own { member } else { member.checked_sub(1)? }, bytes)
                .filter(|_| member > 0),
            _ => None,
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
            operands.put(member as u16, lanes.as_deref().map(Lanes::Ready));
        }
        memory
    }

    fn result(held: Held<'_>, delivery: Delivery, member: u16) -> Option<Vec<u8>> {
        held.result(delivery, false, member, 8).map(|parts| parts.concat())
    }

    /// R-SLOT-13
    #[test]
    fn each_member_gets_the_operand_of_the_one_that_far_before_it() {
        let memory = round(&[Some(8), Some(8), None]);
        let held = Held::of(&memory, 3, BYTES as u32);
        let results =
            |distance| [0, 1, 2].map(|member| result(held, Delivery::Shift(distance), member));
        let of = |number| Some(vec![number; 8]);
        assert_eq!(results(1), [None, of(0), of(1)]);
        assert_eq!(results(2), [of(1), None, of(0)]);
        assert_eq!(result(held, Delivery::All, 0), None);
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
