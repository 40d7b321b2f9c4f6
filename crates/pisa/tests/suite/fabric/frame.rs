//! RoCE v2 packets as bytes, and their ICRC by its definition: nothing here comes from the program.

/// Opcodes of UC: RDMA Write with Immediate.
pub const FIRST: u8 = 0x26;
pub const MIDDLE: u8 = 0x27;
pub const LAST: u8 = 0x29;
pub const ONLY: u8 = 0x2B;

/// The offset of the IPv4 header in a frame.
pub const IPV4_AT: usize = 14;

/// Both ends of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    pub from: (u64, u32),
    pub to: (u64, u32),
}

/// A RETH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reth {
    pub address: u64,
    pub rkey: u32,
    pub length: u32,
}

/// A packet of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub opcode: u8,
    pub dest_qp: u32,
    pub psn: u32,
    pub reth: Option<Reth>,
    pub immediate: Option<u32>,
    pub lanes: Vec<u32>,
}

/// A CRC-32 as Ethernet has it, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = 0xFFFF_FFFFu32;
    for byte in bytes {
        for bit in 0..8 {
            let feedback = (crc ^ u32::from(byte >> bit)) & 1;
            crc >>= 1;
            if feedback == 1 {
                crc ^= 0xEDB8_8320;
            }
        }
    }
    !crc
}

/// The ICRC of a frame, as it stands at its end (InfiniBand, annex 17): `frame` ends with four
/// bytes for it.
pub fn icrc(frame: &[u8]) -> [u8; 4] {
    let mut covered = vec![0xFF; 8];
    covered.extend_from_slice(&frame[IPV4_AT..frame.len() - 4]);
    let packet = &mut covered[8..];
    for changes_on_the_way in [1, 8, 10, 11, 26, 27, 32] {
        packet[changes_on_the_way] = 0xFF;
    }
    crc32(&covered).to_le_bytes()
}

/// The checksum of an IPv4 header, whose field for it is 0.
fn internet_checksum(header: &[u8]) -> [u8; 2] {
    let sum: u32 =
        header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    (!((sum & 0xFFFF) + (sum >> 16)) as u16).to_be_bytes()
}

/// A frame with a right ICRC.
pub fn frame(ends: Ends, identification: u16, src_port: u16, write: &Write) -> Vec<u8> {
    let mut body = vec![write.opcode, 0, 0xFF, 0xFF];
    body.extend_from_slice(&write.dest_qp.to_be_bytes());
    body.extend_from_slice(&write.psn.to_be_bytes());
    if let Some(reth) = write.reth {
        body.extend_from_slice(&reth.address.to_be_bytes());
        body.extend_from_slice(&reth.rkey.to_be_bytes());
        body.extend_from_slice(&reth.length.to_be_bytes());
    }
    body.extend(write.immediate.iter().flat_map(|immediate| immediate.to_be_bytes()));
    body.extend(write.lanes.iter().flat_map(|lane| lane.to_be_bytes()));
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&ends.to.0.to_be_bytes()[2..]);
    bytes.extend_from_slice(&ends.from.0.to_be_bytes()[2..]);
    bytes.extend_from_slice(&[0x08, 0x00, 0x45, 0]);
    bytes.extend_from_slice(&((20 + 8 + body.len() + 4) as u16).to_be_bytes());
    bytes.extend_from_slice(&identification.to_be_bytes());
    bytes.extend_from_slice(&[0x40, 0, 64, 17, 0, 0]);
    bytes.extend_from_slice(&ends.from.1.to_be_bytes());
    bytes.extend_from_slice(&ends.to.1.to_be_bytes());
    let checksum = internet_checksum(&bytes[IPV4_AT..]);
    bytes[IPV4_AT + 10..IPV4_AT + 12].copy_from_slice(&checksum);
    bytes.extend_from_slice(&src_port.to_be_bytes());
    bytes.extend_from_slice(&4791u16.to_be_bytes());
    bytes.extend_from_slice(&((8 + body.len() + 4) as u16).to_be_bytes());
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(&body);
    bytes.extend_from_slice(&[0; 4]);
    let at = bytes.len() - 4;
    let icrc = icrc(&bytes);
    bytes[at..].copy_from_slice(&icrc);
    bytes
}
