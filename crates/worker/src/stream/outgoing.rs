//! What a stream sends.

use netfold_wire::{HEADER_BYTES, Repr, SlotIndex};

use super::Stream;
use crate::tensor::Tensor;

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// All that is ready.
    Everything,
    /// All but acknowledgements that may wait (R-ACK-6).
    Pressing,
}

/// A contribution that goes out now, or a query about one. Its lanes are still in the call's memory.
pub struct Outgoing<'a, T> {
    pub(super) stream: &'a Stream<T>,
    pub(super) slot: SlotIndex,
    pub(super) header: Repr,
}

impl<T: Tensor> Outgoing<'_, T> {
    /// Its header.
    pub fn header(&self) -> &Repr {
        &self.header
    }

    /// Writes its lanes.
    ///
    /// # Panics
    /// If `lanes` are not as long as the header says.
    pub fn pack(&self, lanes: &mut [u8]) {
        if !self.header.empty {
            self.stream.pack(self.slot, &self.header, lanes);
        }
    }

    /// Writes it as a datagram.
    pub(super) fn write(&self, datagram: &mut [u8]) {
        let (header, lanes) = datagram.split_first_chunk_mut::<HEADER_BYTES>().expect("a datagram has a header");
        self.header.emit(header);
        self.pack(lanes);
        self.stream.config.integrity.seal(datagram);
    }
}
