//! The header of the peers' datagrams.

use super::connection::Segment;

/// Bytes that it would take on a wire: a connection and flags (4), the numbers of the segment and
/// of what is acknowledged (8), a block of what came out of order (8), and a checksum (4). With the
/// 8 bytes of UDP that is what TCP takes with timestamps.
pub(crate) const BYTES: u32 = 24;

/// Bytes that it takes in the simulator, where numbers do not wrap.
pub(crate) const ENCODED_BYTES: usize = 48;

/// A datagram: a segment, an acknowledgement, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The receiver's connection to which it belongs.
    pub(crate) connection: u16,
    /// The segment and its number.
    pub(crate) segment: Option<(u64, Segment)>,
    /// All segments below this have come.
    pub(crate) received: u64,
    /// And those in this range, which the newest is in; empty if it is among the others.
    pub(crate) block: (u64, u64),
}

impl Header {
    /// Writes it to the beginning of `buffer`, which has [`ENCODED_BYTES`] at least. Returns how
    /// many it has written.
    pub(crate) fn emit(&self, buffer: &mut [u8]) -> usize {
        let (number, Segment { value, bytes }) =
            self.segment.unwrap_or((0, Segment { value: 0, bytes: 0 }));
        let flags = u64::from(self.segment.is_some());
        let words = [
            u64::from(bytes) << 32 | u64::from(self.connection) << 16 | flags,
            number,
            value,
            self.received,
            self.block.0,
            self.block.1,
        ];
        for (place, word) in buffer.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        ENCODED_BYTES
    }

    /// Reads one; `None` if it is not whole.
    pub(crate) fn parse(datagram: &[u8]) -> Option<Self> {
        let word = |index: usize| {
            let bytes = datagram.get(8 * index..8 * index + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let first = word(0)?;
        let segment = Segment { value: word(2)?, bytes: (first >> 32) as u32 };
        Some(Self {
            connection: (first >> 16) as u16,
            segment: (first & 1 == 1).then_some((word(1)?, segment)),
            received: word(3)?,
            block: (word(4)?, word(5)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let segment = Some((1 << 40, Segment { value: u64::MAX, bytes: 1460 }));
        for segment in [segment, None] {
            let header = Header { connection: 513, segment, received: 7, block: (9, 12) };
            let mut buffer = [0; ENCODED_BYTES];
            assert_eq!(header.emit(&mut buffer), ENCODED_BYTES);
            assert_eq!(Header::parse(&buffer), Some(header));
            assert_eq!(Header::parse(&buffer[1..]), None);
        }
    }
}
