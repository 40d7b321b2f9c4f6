//! A checked view of a datagram.

use thiserror::Error;

use crate::ecn::Ecn;
use crate::generated::{HEADER_BYTES, Header, VERSION};
use crate::integrity::Integrity;
use crate::repr::Repr;

/// The reason why a datagram is not a netfold packet (R-PKT-1). Each is a reason to count, not a
/// fault to report: anyone can send bytes to a port.
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

/// A header that makes sense, with as many lanes as it says: a view of a datagram, or of what need
/// not become one since it does not travel.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    repr: Repr,
    lanes: &'a [u8],
    datagram: Option<&'a [u8]>,
}

impl<'a> Packet<'a> {
    /// Checks `bytes` (R-PKT-1). Never panics.
    ///
    /// # Errors
    /// The first reason for which this is not a packet.
    pub fn new_checked(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let (head, lanes) = bytes.split_first_chunk().ok_or(ParseError::Short)?;
        let repr = header(head)?;
        if lanes.len() != repr.lane_bytes() {
            return Err(ParseError::Length);
        }
        Ok(Self { repr, lanes, datagram: Some(bytes) })
    }

    /// Returns the packet that stands at the beginning of memory which its sender shares: a header
    /// as [`Repr::emit`] writes it, and its lanes. It does not travel, so that nothing proves it
    /// (R-PKT-3). `None` if no packet stands there. Never panics.
    pub fn in_memory(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk()?;
        let repr = header(head).ok()?;
        Self::local(repr, rest.get(..repr.lane_bytes())?)
    }

    /// Returns a packet that never becomes a datagram: its sender and its receiver share memory.
    /// `None` if these are not the lanes that the header speaks of.
    pub fn local(repr: Repr, lanes: &'a [u8]) -> Option<Self> {
        (lanes.len() == repr.lane_bytes()).then_some(Self { repr, lanes, datagram: None })
    }

    /// Returns the same packet with the mark of the network on its datagram (R-ECN-2).
    #[must_use]
    pub fn with_ecn(mut self, ecn: Ecn) -> Self {
        self.repr.marked |= ecn.is_marked();
        self
    }

    /// Returns the content of the header.
    pub fn repr(&self) -> &Repr {
        &self.repr
    }

    /// Returns the lanes, little-endian; empty when EMPTY is set.
    pub fn lanes(&self) -> &'a [u8] {
        self.lanes
    }

    /// Returns its datagram, if it is one.
    pub fn datagram(&self) -> Option<&'a [u8]> {
        self.datagram
    }

    /// Returns whether it is as it was sent, and by a member of the job (R-PKT-3).
    pub fn is_whole(&self, integrity: &Integrity) -> bool {
        self.datagram.is_none_or(|datagram| integrity.verify(datagram))
    }

    /// Returns the number of bytes of its datagram, whether it is one or not.
    pub fn datagram_bytes(&self) -> usize {
        HEADER_BYTES + self.lanes.len()
    }
}

/// Returns the content of a header, if it makes sense.
fn header(bytes: &[u8; HEADER_BYTES]) -> Result<Repr, ParseError> {
    let header = Header::read(bytes);
    if header.version != VERSION {
        return Err(ParseError::Version);
    }
    Repr::read(&header).ok_or(ParseError::Field)
}

#[cfg(test)]
mod tests {
    use netfold_num::{ElementType, Operation};
    use proptest::prelude::*;

    use super::*;
    use crate::generated::{Flags, Kind};

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
    }

    #[test]
    fn a_packet_in_memory_is_as_long_as_it_says() {
        let bytes = datagram(&header());
        let long = [&bytes[..], &[7; 9]].concat();
        let packet = Packet::in_memory(&long).unwrap();
        assert_eq!(
            (packet.repr(), packet.lanes()),
            (Packet::new_checked(&bytes).unwrap().repr(), &bytes[HEADER_BYTES..])
        );
        assert!(Packet::in_memory(&bytes[..bytes.len() - 1]).is_none());
        assert!(Packet::in_memory(&datagram(&Header { kind: 0, ..header() })).is_none());
        assert!(Packet::local(*packet.repr(), &long).is_none());
        // R-PKT-3: only packets that travel are sealed.
        assert!(packet.is_whole(&Integrity::Checksum) && packet.datagram().is_none());
        assert!(!Packet::new_checked(&bytes).unwrap().is_whole(&Integrity::Checksum));
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
        assert_eq!(
            Packet::new_checked(&whole[..HEADER_BYTES + 12]).unwrap_err(),
            ParseError::Length
        );
        assert_eq!(fault(|h| h.version = 0), ParseError::Version);
        assert_eq!(fault(|h| h.kind = 0), ParseError::Field);
        assert_eq!(fault(|h| h.flags = 0x80), ParseError::Field);
        // R-PKT-6: a query has no lanes.
        assert_eq!(fault(|h| h.flags = Flags::QUERY.0), ParseError::Field);
        assert_eq!(fault(|h| h.flags = Flags::QUERY.union(Flags::RESULT).0), ParseError::Field);
        // R-PKT-7: nor has a sum that has overflowed, which is that of a Values round.
        assert_eq!(fault(|h| h.flags = Flags::OVERFLOWED.0), ParseError::Field);
        let other_round = |h: &mut Header| {
            (h.kind, h.flags) = (Kind::Refold.to_wire(), Flags::OVERFLOWED.union(Flags::EMPTY).0);
        };
        assert_eq!(fault(other_round), ParseError::Field);
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
            if let Some(packet) = Packet::in_memory(&bytes) {
                prop_assert!(packet.datagram_bytes() <= bytes.len());
            }
        }
    }
}
