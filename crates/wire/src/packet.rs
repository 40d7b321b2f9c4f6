//! A checked view of a datagram.

use netfold_num::ElementType;
use thiserror::Error;

use crate::generated::{Flags, HEADER_BYTES, Header, VERSION};
use crate::repr::Repr;

/// Why a datagram is not a netfold packet (R-PKT-1). Each is a reason to count, not a fault to report: anyone can send bytes to a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Fewer bytes than a header has.
    #[error("the datagram is shorter than a header")]
    Short,
    /// Another protocol version, or no netfold packet at all.
    #[error("the datagram has another protocol version")]
    Version,
    /// A kind, flag, pool version, element type, operation or exponent that does not exist.
    #[error("a header field has an unknown value")]
    Field,
    /// Not as many bytes as the header says.
    #[error("the datagram's length is not the one that its header says")]
    Length,
}

impl Header {
    /// Length of the datagram that begins with this header; `None` if it has no such element type.
    pub fn datagram_bytes(&self) -> Option<usize> {
        let empty = Flags(self.flags).contains(Flags::EMPTY);
        let lane = ElementType::from_wire(self.element_type)?;
        Some(HEADER_BYTES + lane_bytes(empty, self.elements, lane))
    }
}

/// R-PKT-2: bytes of the lanes behind a header.
pub(crate) fn lane_bytes(empty: bool, elements: u16, lane: ElementType) -> usize {
    if empty { 0 } else { usize::from(elements) * lane.bytes() }
}

/// A datagram whose header makes sense and whose length is right.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    repr: Repr,
    bytes: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Checks `bytes` (R-PKT-1). Never panics.
    ///
    /// # Errors
    /// The first reason for which this is not a packet.
    pub fn new_checked(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let (head, lanes) = bytes.split_first_chunk::<HEADER_BYTES>().ok_or(ParseError::Short)?;
        let header = Header::read(head);
        if header.version != VERSION {
            return Err(ParseError::Version);
        }
        let repr = Repr::read(&header).ok_or(ParseError::Field)?;
        if lanes.len() != repr.lane_bytes() {
            return Err(ParseError::Length);
        }
        Ok(Self { repr, bytes })
    }

    /// What the header says.
    pub fn repr(&self) -> &Repr {
        &self.repr
    }

    /// The lanes, little-endian; empty when EMPTY is set.
    pub fn lanes(&self) -> &'a [u8] {
        &self.bytes[HEADER_BYTES..]
    }

    /// The whole datagram, for the check of its integrity.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use netfold_num::Operation;
    use proptest::prelude::*;

    use super::*;
    use crate::generated::Kind;

    fn header() -> Header {
        Header {
            version: VERSION,
            kind: Kind::Values.to_wire(),
            elements: 4,
            element_type: ElementType::I32.to_wire(),
            operation: Operation::Sum.to_wire(),
            ..Header::default()
        }
    }

    fn datagram(header: &Header) -> [u8; HEADER_BYTES + 16] {
        let mut bytes = [0; HEADER_BYTES + 16];
        let (head, _) = bytes.split_first_chunk_mut().unwrap();
        header.write(head);
        bytes
    }

    #[test]
    fn a_packet_is_accepted() {
        let bytes = datagram(&header());
        assert_eq!(Packet::new_checked(&bytes).unwrap().lanes().len(), 16);
        assert_eq!(header().datagram_bytes(), Some(bytes.len()));
        assert_eq!(Header { flags: Flags::EMPTY.0, ..header() }.datagram_bytes(), Some(HEADER_BYTES));
        assert_eq!(Header { element_type: 0, ..header() }.datagram_bytes(), None);
    }

    /// R-PKT-1, one case for each reason.
    #[test]
    fn each_fault_has_its_reason() {
        let whole = datagram(&header());
        let fault = |change: fn(&mut Header)| {
            let mut header = header();
            change(&mut header);
            Packet::new_checked(&datagram(&header)).unwrap_err()
        };
        assert_eq!(Packet::new_checked(&whole[..HEADER_BYTES - 1]).unwrap_err(), ParseError::Short);
        assert_eq!(Packet::new_checked(&whole[..HEADER_BYTES + 12]).unwrap_err(), ParseError::Length);
        assert_eq!(fault(|h| h.version = 0), ParseError::Version);
        assert_eq!(fault(|h| h.kind = 0), ParseError::Field);
        assert_eq!(fault(|h| h.flags = 0x80), ParseError::Field);
        // R-PKT-6: a query has no lanes.
        assert_eq!(fault(|h| h.flags = Flags::QUERY.0), ParseError::Field);
        assert_eq!(fault(|h| h.flags = Flags::QUERY.union(Flags::RESULT).0), ParseError::Field);
        assert_eq!(fault(|h| h.pool = 2), ParseError::Field);
        assert_eq!(fault(|h| h.element_type = 0), ParseError::Field);
        assert_eq!(fault(|h| h.operation = 0), ParseError::Field);
        assert_eq!(fault(|h| h.exponent = 0x7000), ParseError::Field);
        assert_eq!(fault(|h| h.next_exponent = -1000), ParseError::Field);
        assert_eq!(fault(|h| h.elements = 5), ParseError::Length);
        // R-PKT-2: EMPTY says that no lanes follow.
        assert_eq!(fault(|h| h.flags = Flags::EMPTY.0), ParseError::Length);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..200), keep_version: bool) {
            if let (true, Some(first)) = (keep_version, bytes.first_mut()) {
                *first = VERSION;
            }
            if let Ok(packet) = Packet::new_checked(&bytes) {
                prop_assert!(packet.lanes().len() + HEADER_BYTES == bytes.len());
            }
        }
    }
}
