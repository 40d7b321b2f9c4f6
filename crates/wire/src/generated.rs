// Generated from spec/wire.toml by `cargo xtask codegen`; do not edit.

/// Protocol version that this code speaks.
pub const VERSION: u8 = 1;

/// Length of the header in bytes.
pub const HEADER_BYTES: usize = 40;

/// In `worker` and `delivery`: every worker of the job.
pub const EVERYONE: u16 = 0xFFFF;

/// In `delivery`: added to a distance below 0x4000. No rank is as large.
pub const SHIFT: u16 = 0x8000;

/// In `delivery`: each worker gets the fold of its operand and those of lower ranks (R-STREAM-18).
pub const PREFIX: u16 = 0xFFFE;

/// In `delivery`: each worker gets the fold of the operands of lower ranks.
pub const PREFIX_BEFORE: u16 = 0xFFFD;

/// In `delivery`: each worker gets the prefixes of all ranks (R-STREAM-19).
pub const PREFIXES: u16 = 0xFFFC;

/// In `delivery`: each worker gets the prefix of the last rank, and its own (R-STREAM-20).
pub const PREFIX_AND_TOTAL: u16 = 0xFFFB;

/// Places of the fields, as bytes from the start of the header.
pub mod field {
    use core::ops::Range;

    /// Protocol version, `VERSION`.
    pub const VERSION: Range<usize> = 0..1;
    /// Content of this round of the slot, a `Kind`.
    pub const KIND: Range<usize> = 1..2;
    /// A set of `Flags`.
    pub const FLAGS: Range<usize> = 2..3;
    /// Pool version: which of the two copies of the slot this round uses, 0 or 1.
    pub const POOL: Range<usize> = 3..4;
    /// Index of the job at this switch.
    pub const JOB: Range<usize> = 4..6;
    /// Contribution: the worker that sends it. Result: the worker it is for, or `EVERYONE`.
    pub const WORKER: Range<usize> = 6..8;
    /// The epoch of the job. A packet of another epoch is dropped.
    pub const EPOCH: Range<usize> = 8..12;
    /// Position of the block in the flow's stream, in blocks, modulo 2^32.
    pub const POSITION: Range<usize> = 12..16;
    /// Slot (aggregator) in the job's pools.
    pub const SLOT: Range<usize> = 16..18;
    /// Lanes in the block, also when EMPTY is set.
    pub const ELEMENTS: Range<usize> = 18..20;
    /// Type of a lane, an element type of `num`.
    pub const ELEMENT_TYPE: Range<usize> = 20..21;
    /// Fold of the lanes, an operation of `num`.
    pub const OPERATION: Range<usize> = 21..22;
    /// Exponent with which this block was quantised (two's complement).
    pub const EXPONENT: Range<usize> = 22..24;
    /// Contribution: the sender's exponent of the block that this slot's next round carries. Result: the maximum over all workers.
    pub const NEXT_EXPONENT: Range<usize> = 24..26;
    /// Recipient of the lanes of the result: a worker, `EVERYONE`, `SHIFT` and the distance from each contributor to the worker that gets its lanes (R-STREAM-16), or one of the `PREFIX` values.
    pub const DELIVERY: Range<usize> = 26..28;
    /// Digest of the call that the block belongs to: its number, collective, root, types and length.
    pub const CALL: Range<usize> = 28..32;
    /// Zero, a checksum, or an authentication tag over the header before this field and the lanes (R-PKT-3).
    pub const INTEGRITY: Range<usize> = 32..40;
}

/// Content of a round of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Lanes to fold.
    Values = 1,
    /// No lanes: only `next_exponent`, when a stream starts.
    Exponents = 2,
    /// Lanes that count the NaN and the infinities of a block, as 32-bit integers.
    Classes = 3,
    /// Lanes whose sum has overflowed a register, to fold again as `native` does (R-SLOT-12).
    Refold = 4,
}

impl Kind {
    /// The meaning of the header's `kind`; `None` if this version does not know it.
    pub const fn from_wire(kind: u8) -> Option<Self> {
        match kind {
            1 => Some(Self::Values),
            2 => Some(Self::Exponents),
            3 => Some(Self::Classes),
            4 => Some(Self::Refold),
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
    /// Set from switch to worker, clear from worker to switch.
    pub const RESULT: Self = Self(1 << 0);
    /// No lanes follow: the sender adds nothing, or the receiver is not addressed by `delivery`.
    pub const EMPTY: Self = Self(1 << 1);
    /// With EMPTY only. A query: a worker asks what became of its contribution. With RESULT a recall: the switch asks for it again.
    pub const QUERY: Self = Self(1 << 2);
    /// The network has marked a contribution of the round, or the result above this switch: a queue on the way is long (R-ECN-2).
    pub const MARKED: Self = Self(1 << 3);
    /// With EMPTY only, of a Values round: its sum has overflowed a register, and the block is folded again (R-SLOT-11).
    pub const OVERFLOWED: Self = Self(1 << 4);
    /// Every flag of this version.
    pub const ALL_KNOWN: Self =
        Self(Self::RESULT.0 | Self::EMPTY.0 | Self::QUERY.0 | Self::MARKED.0 | Self::OVERFLOWED.0);

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
    /// Content of this round of the slot, a `Kind`.
    pub kind: u8,
    /// A set of `Flags`.
    pub flags: u8,
    /// Pool version: which of the two copies of the slot this round uses, 0 or 1.
    pub pool: u8,
    /// Index of the job at this switch.
    pub job: u16,
    /// Contribution: the worker that sends it. Result: the worker it is for, or `EVERYONE`.
    pub worker: u16,
    /// The epoch of the job. A packet of another epoch is dropped.
    pub epoch: u32,
    /// Position of the block in the flow's stream, in blocks, modulo 2^32.
    pub position: u32,
    /// Slot (aggregator) in the job's pools.
    pub slot: u16,
    /// Lanes in the block, also when EMPTY is set.
    pub elements: u16,
    /// Type of a lane, an element type of `num`.
    pub element_type: u8,
    /// Fold of the lanes, an operation of `num`.
    pub operation: u8,
    /// Exponent with which this block was quantised (two's complement).
    pub exponent: i16,
    /// Contribution: the sender's exponent of the block that this slot's next round carries. Result: the maximum over all workers.
    pub next_exponent: i16,
    /// Recipient of the lanes of the result: a worker, `EVERYONE`, `SHIFT` and the distance from each contributor to the worker that gets its lanes (R-STREAM-16), or one of the `PREFIX` values.
    pub delivery: u16,
    /// Digest of the call that the block belongs to: its number, collective, root, types and length.
    pub call: u32,
    /// Zero, a checksum, or an authentication tag over the header before this field and the lanes (R-PKT-3).
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
            pool: bytes[3],
            job: u16::from_be_bytes([bytes[4], bytes[5]]),
            worker: u16::from_be_bytes([bytes[6], bytes[7]]),
            epoch: u32::from_be_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]),
            position: u32::from_be_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]),
            slot: u16::from_be_bytes([bytes[16], bytes[17]]),
            elements: u16::from_be_bytes([bytes[18], bytes[19]]),
            element_type: bytes[20],
            operation: bytes[21],
            exponent: i16::from_be_bytes([bytes[22], bytes[23]]),
            next_exponent: i16::from_be_bytes([bytes[24], bytes[25]]),
            delivery: u16::from_be_bytes([bytes[26], bytes[27]]),
            call: u32::from_be_bytes([bytes[28], bytes[29], bytes[30], bytes[31]]),
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
        bytes[field::POOL].copy_from_slice(&self.pool.to_be_bytes());
        bytes[field::JOB].copy_from_slice(&self.job.to_be_bytes());
        bytes[field::WORKER].copy_from_slice(&self.worker.to_be_bytes());
        bytes[field::EPOCH].copy_from_slice(&self.epoch.to_be_bytes());
        bytes[field::POSITION].copy_from_slice(&self.position.to_be_bytes());
        bytes[field::SLOT].copy_from_slice(&self.slot.to_be_bytes());
        bytes[field::ELEMENTS].copy_from_slice(&self.elements.to_be_bytes());
        bytes[field::ELEMENT_TYPE].copy_from_slice(&self.element_type.to_be_bytes());
        bytes[field::OPERATION].copy_from_slice(&self.operation.to_be_bytes());
        bytes[field::EXPONENT].copy_from_slice(&self.exponent.to_be_bytes());
        bytes[field::NEXT_EXPONENT].copy_from_slice(&self.next_exponent.to_be_bytes());
        bytes[field::DELIVERY].copy_from_slice(&self.delivery.to_be_bytes());
        bytes[field::CALL].copy_from_slice(&self.call.to_be_bytes());
        bytes[field::INTEGRITY].copy_from_slice(&self.integrity.to_be_bytes());
    }
}
