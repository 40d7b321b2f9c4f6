//! Loads and stores of a function in symbolic execution.

use super::bytes::{Byte, Written, lane};
use super::execute::{Effect, Executor};
use super::pool::{Address, Id, Region};
use super::state::State;
use super::vector::word;
use crate::op::{Op, Ty};
use crate::refusal::Refusal;

/// Most bytes of a copy or a filling.
const MOST_COPIED: u64 = 1 << 16;

impl Executor<'_, '_> {
    /// Returns the sum of an address on the stack and an offset.
    fn place(&mut self, base: Id, offset: u64) -> Address {
        let mut address = self.terms.pool.address(base);
        address.offset += offset as i64;
        address
    }

    /// Loads bytes; the address is on the stack.
    pub(super) fn read(
        &mut self,
        state: &mut State,
        offset: u64,
        bytes: usize,
    ) -> Result<Vec<Byte>, Refusal> {
        let base = word(state)?;
        let address = self.place(base, offset);
        Ok(self.bytes_at(state, address, bytes))
    }

    pub(crate) fn bytes_at(
        &mut self,
        state: &mut State,
        address: Address,
        bytes: usize,
    ) -> Vec<Byte> {
        self.settle(state, address);
        let version = self.terms.version;
        (0..bytes as i64)
            .map(|k| {
                let at = Address { offset: address.offset + k, ..address };
                state.written.get(at, version)
            })
            .collect()
    }

    /// Stores bytes; the address is on the stack.
    pub(super) fn write(
        &mut self,
        state: &mut State,
        offset: u64,
        bytes: &[Byte],
    ) -> Result<(), Refusal> {
        let base = word(state)?;
        let address = self.place(base, offset);
        self.bytes_to(state, address, bytes);
        Ok(())
    }

    pub(crate) fn bytes_to(&mut self, state: &mut State, address: Address, bytes: &[Byte]) {
        self.settle(state, address);
        for (k, byte) in bytes.iter().enumerate() {
            let at = Address { offset: address.offset + k as i64, ..address };
            state.written.put(at, *byte);
        }
    }

    /// Stores what may lie at the same place under another base, so that an access behind it comes
    /// in the right order.
    fn settle(&mut self, state: &mut State, address: Address) {
        let region = self.region(address);
        let near: Vec<_> = state
            .written
            .places()
            .filter(|place| place.base != address.base && self.region(*place) == region)
            .collect();
        if near.is_empty() {
            return;
        }
        let settled = state.written.take(|place| near.binary_search(&place).is_ok());
        let condition = self.terms.word(state.condition);
        self.store(&settled, condition);
        self.terms.version = self.effects.len() as u32;
    }

    /// Makes stores of bytes.
    pub(crate) fn store(&mut self, written: &Written, condition: Id) {
        for (address, bytes) in written.stores() {
            let same = |(k, byte): (usize, &Byte)| {
                let at = Address { offset: address.offset + k as i64, ..address };
                matches!(byte, Byte::Memory { address, .. } if *address == at)
            };
            if bytes.iter().enumerate().all(same) {
                continue;
            }
            let value = lane(&mut self.terms.pool, &bytes);
            let version = self.effects.len() as u32;
            let bytes = bytes.len() as u8;
            self.effects.push(Effect { op: Op::Store, address, bytes, value, condition, version });
        }
    }

    /// Makes the stores of what a function has written at its end: to its operands, and, if it
    /// keeps
    /// a state, to its memory without the stack.
    pub(crate) fn finish(&mut self, mut written: Written, keeps: bool) {
        let (low, high) = (self.stack as i64, self.top as i64);
        written.take(|place| {
            let own = self.region(place) == Region::Own;
            own && (!keeps || place.base.is_none() && (low..high).contains(&place.offset))
        });
        let always = self.constant(1);
        self.store(&written, always);
    }

    fn known(&self, id: Id) -> Result<u64, Refusal> {
        let length = self.terms.pool.value(id).filter(|length| *length <= MOST_COPIED);
        length.ok_or_else(|| Refusal::Instruction("a copy whose length is not known".into()))
    }

    pub(super) fn copy(&mut self, state: &mut State) -> Result<(), Refusal> {
        let (length, from, to) = (word(state)?, word(state)?, word(state)?);
        let length = self.known(length)?;
        let (from, to) = (self.place(from, 0), self.place(to, 0));
        let bytes = self.bytes_at(state, from, length as usize);
        self.bytes_to(state, to, &bytes);
        Ok(())
    }

    pub(super) fn fill(&mut self, state: &mut State) -> Result<(), Refusal> {
        let (length, value, to) = (word(state)?, word(state)?, word(state)?);
        let length = self.known(length)?;
        let mask = self.constant(255);
        let byte = self.terms.pool.binary(Op::And, Ty::I32, value, mask);
        let to = self.place(to, 0);
        self.bytes_to(state, to, &vec![Byte::Of(byte, 0); length as usize]);
        Ok(())
    }
}
