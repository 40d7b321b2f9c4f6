//! The operands of a round that are kept apart until it is complete (R-OP-25).

/// The operands of one copy of a slot: a flag for each member, and then their places.
#[derive(Debug)]
pub(crate) struct Operands<'a> {
    flags: &'a mut [u8],
    places: &'a mut [u8],
    place_bytes: usize,
}

impl<'a> Operands<'a> {
    /// Returns the number of bytes that so many members need, a multiple of 8.
    pub(crate) fn bytes(members: u16, place_bytes: u32) -> u32 {
        u32::from(members).next_multiple_of(8) + u32::from(members) * place_bytes
    }

    /// Returns the operands that lie in a copy's registers.
    pub(crate) fn new(registers: &'a mut [u8], members: u16, place_bytes: usize) -> Self {
        let (flags, places) = registers.split_at_mut(usize::from(members).next_multiple_of(8));
        Self { flags, places, place_bytes }
    }

    /// Puts the operand of a member to its place. The `first` one of a round ends the one before.
    pub(crate) fn put(&mut self, member: u16, first: bool, operand: &[u8]) {
        if first {
            self.flags.fill(0);
        }
        let member = usize::from(member);
        self.flags[member] = 1;
        self.places[member * self.place_bytes..][..operand.len()].copy_from_slice(operand);
    }

    /// Returns the operands, each so many bytes, in the order of the members.
    pub(crate) fn all(&self, bytes: usize) -> impl Iterator<Item = &[u8]> {
        let places = self.places.chunks_exact(self.place_bytes);
        let there = self.flags.iter().zip(places).filter(|(flag, _)| **flag == 1);
        there.map(move |(_, place)| &place[..bytes])
    }
}
