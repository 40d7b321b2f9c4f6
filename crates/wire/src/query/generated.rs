// Generated from spec/query.toml by `cargo xtask codegen`; do not edit.

/// Protocol version that this code speaks.
pub const VERSION: u8 = 1;

/// Length of the header in bytes.
pub const HEADER_BYTES: usize = 48;

/// Places of the fields, as bytes from the start of the header.
pub mod field {
    use core::ops::Range;

    /// Protocol version, `VERSION`.
    pub const VERSION: Range<usize> = 0..1;
    /// Request that this is, or that it answers: a `QueryKind`.
    pub const KIND: Range<usize> = 1..2;
    /// A set of `Flags`.
    pub const FLAGS: Range<usize> = 2..3;
    /// Rows: columns of a row. Answers with slots: words of a slot's accumulators.
    pub const COLUMNS: Range<usize> = 3..4;
    /// Index of the query at this switch.
    pub const JOB: Range<usize> = 4..6;
    /// The worker that asks, or whose request is answered.
    pub const WORKER: Range<usize> = 6..8;
    /// The epoch of the query: another one at each switch that it runs at (R-QRY-30).
    pub const EPOCH: Range<usize> = 8..12;
    /// The partition.
    pub const PARTITION: Range<usize> = 12..16;
    /// The attempt, from 1 on; 0 in requests that are about none.
    pub const ATTEMPT: Range<usize> = 16..20;
    /// Number of the packet in its attempt (R-QRY-24). Otherwise a number of the asker's, which the answer repeats.
    pub const SEQUENCE: Range<usize> = 20..24;
    /// Forwarded rows, and answers with VERDICTS: rows of the packet as it was sent. Answers with AHEAD, and to Open: the number that is expected. Merge, Read: the slot to go on from; in the answer, the one after its last.
    pub const PLACE: Range<usize> = 24..28;
    /// Rows, or slots, that follow.
    pub const ROWS: Range<usize> = 28..30;
    /// 0.
    pub const RESERVED: Range<usize> = 30..32;
    /// Rows: the number in the attempt of the packet's first row. Answers with slots: the words of a slot's accumulators that are in the packet.
    pub const FIRST: Range<usize> = 32..40;
    /// Zero, a checksum, or an authentication tag over the header before this field and the rest (R-PKT-3).
    pub const INTEGRITY: Range<usize> = 40..48;
}

/// Request or answer in a packet of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum QueryKind {
    /// An attempt begins, or goes on at this switch, with the packet of this number.
    Open = 24,
    /// Rows of an attempt.
    Rows = 25,
    /// All packets of an attempt are acknowledged; the number is that after the last.
    Fin = 26,
    /// The build side of a join is complete.
    Seal = 27,
    /// The master commits an attempt: its slots go to the shared table. The answer has those that do not.
    Merge = 28,
    /// The master gives an attempt up, or with COUNTED has committed the partition; attempt 0 is any.
    Discard = 29,
    /// The master reads the shared table. The answer has slots.
    Read = 30,
}

impl QueryKind {
    /// The meaning of the header's `kind`; `None` if this version does not know it.
    pub const fn from_wire(kind: u8) -> Option<Self> {
        match kind {
            24 => Some(Self::Open),
            25 => Some(Self::Rows),
            26 => Some(Self::Fin),
            27 => Some(Self::Seal),
            28 => Some(Self::Merge),
            29 => Some(Self::Discard),
            30 => Some(Self::Read),
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
    /// An answer or an acknowledgement.
    pub const ANSWER: Self = Self(1 << 0);
    /// Set from switch to master. Rows have bits of the survivors before them.
    pub const FORWARDED: Self = Self(1 << 1);
    /// Rows of the build side of a join.
    pub const BUILD: Self = Self(1 << 2);
    /// Rows have keys.
    pub const KEYS: Self = Self(1 << 3);
    /// An answer to Open: the attempt is counted. Rows, Fin: of an attempt that was told so. Discard: the partition is committed.
    pub const COUNTED: Self = Self(1 << 4);
    /// An answer to a packet that came before its turn: it was dropped.
    pub const AHEAD: Self = Self(1 << 5);
    /// An answer with slots after which there are no more.
    pub const LAST: Self = Self(1 << 6);
    /// Rows that stay at the worker (R-QRY-36). The answer has bits of the survivors.
    pub const VERDICTS: Self = Self(1 << 7);
    /// Every flag of this version.
    pub const ALL_KNOWN: Self = Self(
        Self::ANSWER.0
            | Self::FORWARDED.0
            | Self::BUILD.0
            | Self::KEYS.0
            | Self::COUNTED.0
            | Self::AHEAD.0
            | Self::LAST.0
            | Self::VERDICTS.0,
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
    /// Request that this is, or that it answers: a `QueryKind`.
    pub kind: u8,
    /// A set of `Flags`.
    pub flags: u8,
    /// Rows: columns of a row. Answers with slots: words of a slot's accumulators.
    pub columns: u8,
    /// Index of the query at this switch.
    pub job: u16,
    /// The worker that asks, or whose request is answered.
    pub worker: u16,
    /// The epoch of the query: another one at each switch that it runs at (R-QRY-30).
    pub epoch: u32,
    /// The partition.
    pub partition: u32,
    /// The attempt, from 1 on; 0 in requests that are about none.
    pub attempt: u32,
    /// Number of the packet in its attempt (R-QRY-24). Otherwise a number of the asker's, which the answer repeats.
    pub sequence: u32,
    /// Forwarded rows, and answers with VERDICTS: rows of the packet as it was sent. Answers with AHEAD, and to Open: the number that is expected. Merge, Read: the slot to go on from; in the answer, the one after its last.
    pub place: u32,
    /// Rows, or slots, that follow.
    pub rows: u16,
    /// 0.
    pub reserved: u16,
    /// Rows: the number in the attempt of the packet's first row. Answers with slots: the words of a slot's accumulators that are in the packet.
    pub first: u64,
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
            columns: bytes[3],
            job: u16::from_be_bytes([bytes[4], bytes[5]]),
            worker: u16::from_be_bytes([bytes[6], bytes[7]]),
            epoch: u32::from_be_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]),
            partition: u32::from_be_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]),
            attempt: u32::from_be_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]),
            sequence: u32::from_be_bytes([bytes[20], bytes[21], bytes[22], bytes[23]]),
            place: u32::from_be_bytes([bytes[24], bytes[25], bytes[26], bytes[27]]),
            rows: u16::from_be_bytes([bytes[28], bytes[29]]),
            reserved: u16::from_be_bytes([bytes[30], bytes[31]]),
            first: u64::from_be_bytes([
                bytes[32], bytes[33], bytes[34], bytes[35], bytes[36], bytes[37], bytes[38],
                bytes[39],
            ]),
            integrity: u64::from_be_bytes([
                bytes[40], bytes[41], bytes[42], bytes[43], bytes[44], bytes[45], bytes[46],
                bytes[47],
            ]),
        }
    }

    /// Encodes the header.
    pub fn write(&self, bytes: &mut [u8; HEADER_BYTES]) {
        bytes[field::VERSION].copy_from_slice(&self.version.to_be_bytes());
        bytes[field::KIND].copy_from_slice(&self.kind.to_be_bytes());
        bytes[field::FLAGS].copy_from_slice(&self.flags.to_be_bytes());
        bytes[field::COLUMNS].copy_from_slice(&self.columns.to_be_bytes());
        bytes[field::JOB].copy_from_slice(&self.job.to_be_bytes());
        bytes[field::WORKER].copy_from_slice(&self.worker.to_be_bytes());
        bytes[field::EPOCH].copy_from_slice(&self.epoch.to_be_bytes());
        bytes[field::PARTITION].copy_from_slice(&self.partition.to_be_bytes());
        bytes[field::ATTEMPT].copy_from_slice(&self.attempt.to_be_bytes());
        bytes[field::SEQUENCE].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[field::PLACE].copy_from_slice(&self.place.to_be_bytes());
        bytes[field::ROWS].copy_from_slice(&self.rows.to_be_bytes());
        bytes[field::RESERVED].copy_from_slice(&self.reserved.to_be_bytes());
        bytes[field::FIRST].copy_from_slice(&self.first.to_be_bytes());
        bytes[field::INTEGRITY].copy_from_slice(&self.integrity.to_be_bytes());
    }
}
