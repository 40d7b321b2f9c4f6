//! The other end of a cable: the headers that a worker's host puts around a datagram, and takes
//! from around a result.

use crate::packet::internet_checksum;
use crate::programs::frame::Address;

/// Bytes in front of a datagram: Ethernet, IPv4, UDP.
pub const FRAME_BYTES: usize = 14 + 20 + 8;

impl Address {
    /// The frame with a datagram from here to there. Without a checksum in UDP, which may be 0 over
    /// IPv4 (RFC 768).
    pub fn frame(&self, to: &Self, datagram: &[u8]) -> Vec<u8> {
        let mut ipv4 = [0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0].to_vec();
        ipv4[2..4].copy_from_slice(&((28 + datagram.len()) as u16).to_be_bytes());
        ipv4.extend([self.ip, to.ip].iter().flat_map(|ip| ip.to_be_bytes()));
        let checksum = internet_checksum(&ipv4);
        ipv4[10..12].copy_from_slice(&checksum.to_be_bytes());
        let mut bytes =
            [&to.mac.to_be_bytes()[2..], &self.mac.to_be_bytes()[2..], &[0x08, 0x00]].concat();
        bytes.extend_from_slice(&ipv4);
        let udp = [self.port, to.port, (8 + datagram.len()) as u16, 0];
        bytes.extend(udp.iter().flat_map(|field| field.to_be_bytes()));
        bytes.extend_from_slice(datagram);
        bytes
    }

    /// The datagram in a frame that came here.
    ///
    /// # Errors
    /// The fault of the frame, of all those that a host looks for.
    pub fn unframe<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], String> {
        let (head, datagram) = bytes.split_at_checked(FRAME_BYTES).ok_or("it is too short")?;
        let number = |at: usize| usize::from(u16::from_be_bytes([head[at], head[at + 1]]));
        let (ip_length, udp_length) = (28 + datagram.len(), 8 + datagram.len());
        let checks = [
            ("another Ethernet address", head[..6] == self.mac.to_be_bytes()[2..]),
            ("not IPv4", head[12..15] == [0x08, 0x00, 0x45]),
            ("a wrong length in IPv4", number(16) == ip_length),
            ("another IPv4 address", head[30..34] == self.ip.to_be_bytes()),
            // A header with its checksum adds up to all ones.
            ("a wrong checksum in IPv4", internet_checksum(&head[14..34]) == 0),
            ("another UDP port", number(36) == usize::from(self.port)),
            ("a wrong length in UDP", number(38) == udp_length),
            ("a checksum in UDP", number(40) == 0),
        ];
        match checks.iter().find(|(_, holds)| !holds) {
            Some((wrong, _)) => Err(format!("{wrong}: {head:02x?}")),
            None => Ok(datagram),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Address = Address { mac: 0x0200_0000_0001, ip: 0x0A00_0001, port: 6001 };
    const THERE: Address = Address { mac: 0x0200_0000_0002, ip: 0x0A00_0002, port: 5555 };

    /// A frame is read by the host that it is for, and by nobody else. It is refused if a byte is
    /// changed that is looked at.
    #[test]
    fn a_frame_reaches_whom_it_is_for() {
        let frame = HERE.frame(&THERE, b"netfold");
        assert_eq!(frame.len(), FRAME_BYTES + 7);
        assert_eq!(THERE.unframe(&frame), Ok(&b"netfold"[..]));
        assert!(HERE.unframe(&frame).unwrap_err().contains("another Ethernet address"));
        for at in (0..6).chain(12..34).chain(36..42) {
            let mut changed = frame.clone();
            changed[at] ^= 1;
            assert!(THERE.unframe(&changed).is_err(), "byte {at}");
        }
        assert!(THERE.unframe(&frame[..frame.len() - 1]).unwrap_err().contains("length in IPv4"));
        assert_eq!(THERE.unframe(&[]), Err("it is too short".into()));
    }
}
