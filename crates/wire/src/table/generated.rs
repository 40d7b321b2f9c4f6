// Generated from spec/table.toml by `cargo xtask codegen`; do not edit.

/// Protocol version that this code speaks.
pub const VERSION: u8 = 1;

/// Length of the header in bytes.
pub const HEADER_BYTES: usize = 40;

/// Registers of a worker's window: the most pushes of a worker that are not acknowledged (R-KEY-3).
pub const WINDOW: u32 = 0x00000100;

/// Parts that a table is divided into (R-KEY-7).
pub const PARTS: u32 = 0x00000040;

/// Places of the fields, as bytes from the start of the header.
pub mod field {
    use core::ops::Range;

    /// Protocol version, `VERSION`.
    pub const VERSION: Range<usize> = 0..1;
    /// Request that this is, or that it answers: a `TableKind`.
    pub const KIND: Range<usize> = 1..2;
    /// A set of `Flags`.
    pub const FLAGS: Range<usize> = 2..3;
    /// Type of a lane, an element type of `num`.
    pub const ELEMENT_TYPE: Range<usize> = 3..4;
    /// Index of the job at this switch.
    pub const JOB: Range<usize> = 4..6;
    /// Push, pull: the worker that asks. Windows: the worker whose window is asked for. A switch's read: the leaf. Otherwise 0.
    pub const WORKER: Range<usize> = 6..8;
    /// The epoch of the job. A packet of another epoch is dropped.
    pub const EPOCH: Range<usize> = 8..12;
    /// Push: its number (R-KEY-3). Otherwise a number of the asker's, which the answer repeats.
    pub const SEQUENCE: Range<usize> = 12..16;
    /// Request: the generation that it is about. Answer: the generation that is open.
    pub const GENERATION: Range<usize> = 16..20;
    /// Pairs of rank and row that follow; of an answer to a push, those of the push.
    pub const PAIRS: Range<usize> = 20..22;
    /// Lanes of a row.
    pub const WIDTH: Range<usize> = 22..24;
    /// Read: the place in the generation to go on from; its answer: the place after its pairs.
    pub const PLACE: Range<usize> = 24..28;
    /// Read: the last generation that the server has stored.
    pub const STORED: Range<usize> = 28..32;
    /// Zero, a checksum, or an authentication tag over the header before this field and the rest (R-PKT-3).
    pub const INTEGRITY: Range<usize> = 32..40;
}

/// The request or the answer of a table's packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TableKind {
    /// Pairs to fold. The answer is an acknowledgement, without pairs.
    Push = 16,
    /// The parts of a server, 64 bits, in network order. The answer has pairs.
    Read = 17,
    /// Nothing. The answer has the registers of a worker's window, 32 bits each, in network order.
    Windows = 18,
    /// Ranks. The answer has pairs.
    Pull = 19,
    /// Pairs of rank and value. The answer has no pairs.
    Load = 20,
}

impl TableKind {
    /// The meaning of the header's `kind`; `None` if this version does not know it.
    pub const fn from_wire(kind: u8) -> Option<Self> {
        match kind {
            16 => Some(Self::Push),
            17 => Some(Self::Read),
            18 => Some(Self::Windows),
            19 => Some(Self::Pull),
            20 => Some(Self::Load),
            _ => None,
        }
    }

    /// Returns the value in the header's `kind`.
    pub const fn to_wire(self) -> u8 {
        self as u8
    }
}

/// A set of flags, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// Set from switch to worker or server, clear the other way.
    pub const ANSWER: Self = Self(1 << 0);
    /// A push that was sent before (Libra, section 3.6).
    pub const REPEATED: Self = Self(1 << 1);
    /// A read that closes the generation that it names, if that is open (R-KEY-8).
    pub const CLOSE: Self = Self(1 << 2);
    /// An answer to a read after which the generation has no more pairs of these parts. A read of a switch whose job is over (R-KEY-19).
    pub const LAST: Self = Self(1 << 3);
    /// An acknowledgement of a push that the network has marked (R-ECN-2).
    pub const MARKED: Self = Self(1 << 4);
    /// An answer, or a read, of a switch that is to stop (R-KEY-16, R-KEY-19).
    pub const GOING: Self = Self(1 << 5);
    /// Every flag of this version.
    pub const ALL_KNOWN: Self = Self(
        Self::ANSWER.0
            | Self::REPEATED.0
            | Self::CLOSE.0
            | Self::LAST.0
            | Self::MARKED.0
            | Self::GOING.0,
    );

    /// Returns whether every flag of `other` is set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// All fields as they stand in the header, decoded from network order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Protocol version, `VERSION`.
    pub version: u8,
    /// Request that this is, or that it answers: a `TableKind`.
    pub kind: u8,
    /// A set of `Flags`.
    pub flags: u8,
    /// Type of a lane, an element type of `num`.
    pub element_type: u8,
    /// Index of the job at this switch.
    pub job: u16,
    /// Push, pull: the worker that asks. Windows: the worker whose window is asked for. A switch's read: the leaf. Otherwise 0.
    pub worker: u16,
    /// The epoch of the job. A packet of another epoch is dropped.
    pub epoch: u32,
    /// Push: its number (R-KEY-3). Otherwise a number of the asker's, which the answer repeats.
    pub sequence: u32,
    /// Request: the generation that it is about. Answer: the generation that is open.
    pub generation: u32,
    /// Pairs of rank and row that follow; of an answer to a push, those of the push.
    pub pairs: u16,
    /// Lanes of a row.
    pub width: u16,
    /// Read: the place in the generation to go on from; its answer: the place after its pairs.
    pub place: u32,
    /// Read: the last generation that the server has stored.
    pub stored: u32,
    /// Zero, a checksum, or an authentication tag over the header before this field and the rest (R-PKT-3).
    pub integrity: u64,
}

impl Header {
    /// Decodes a header. Nothing is checked: every bit pattern is a `Header`.
    #[must_use]
    pub fn read(bytes: &[u8; HEADER_BYTES]) -> Self {
        Self {
            version: bytes[0],
            kind: bytes[1],
            flags: bytes[2],
            element_type: bytes[3],
            job: u16::from_be_bytes([bytes[4], bytes[5]]),
            worker: u16::from_be_bytes([bytes[6], bytes[7]]),
            epoch: u32::from_be_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]),
            sequence: u32::from_be_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]),
            generation: u32::from_be_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]),
            pairs: u16::from_be_bytes([bytes[20], bytes[21]]),
            width: u16::from_be_bytes([bytes[22], bytes[23]]),
            place: u32::from_be_bytes([bytes[24], bytes[25], bytes[26], bytes[27]]),
            stored: u32::from_be_bytes([bytes[28], bytes[29], bytes[30], bytes[31]]),
            integrity: u64::from_be_bytes([
                bytes[32], bytes[33], bytes[34], bytes[35], bytes[36], bytes[37], bytes[38],
                bytes[39],
            ]),
        }
    }

    /// Encodes the header.
    pub fn write(&self, bytes: &mut [u8; HEADER_BYTES]) {
        bytes[field::VERSION].copy_from_slice(&self.version.to_be_bytes());
        bytes[field::KIND].copy_from_slice(&self.kind.to_be_bytes());
        bytes[field::FLAGS].copy_from_slice(&self.flags.to_be_bytes());
        bytes[field::ELEMENT_TYPE].copy_from_slice(&self.element_type.to_be_bytes());
        bytes[field::JOB].copy_from_slice(&self.job.to_be_bytes());
        bytes[field::WORKER].copy_from_slice(&self.worker.to_be_bytes());
        bytes[field::EPOCH].copy_from_slice(&self.epoch.to_be_bytes());
        bytes[field::SEQUENCE].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[field::GENERATION].copy_from_slice(&self.generation.to_be_bytes());
        bytes[field::PAIRS].copy_from_slice(&self.pairs.to_be_bytes());
        bytes[field::WIDTH].copy_from_slice(&self.width.to_be_bytes());
        bytes[field::PLACE].copy_from_slice(&self.place.to_be_bytes());
        bytes[field::STORED].copy_from_slice(&self.stored.to_be_bytes());
        bytes[field::INTEGRITY].copy_from_slice(&self.integrity.to_be_bytes());
    }
}
