//! Choices of a job that do not change what is added: byte order, protocol, policy for overflows.

/// The order of a lane's bytes in a packet, a term of the job (R-NUM-19). The header does not
/// depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The least significant byte first, as nearly every host holds its numbers.
    Little,
    /// The most significant byte first, as switches read integers (FPISA, section 4.1).
    Network,
}

impl ByteOrder {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Little, Self::Network];

    /// Returns the short name, `little`, as [`Display`](core::fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Network => "network",
        }
    }
}

/// The condition under which a slot may be used again, a term of the job (R-ACK).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// All workers have contributed to the next round, in the slot's other copy (SwitchML, section
    /// 4.5).
    Shadow,
    /// All workers have acknowledged the result, of which there is one copy (P4SGD, section III-C).
    Acked,
}

impl Protocol {
    /// Both protocols.
    pub const ALL: [Self; 2] = [Self::Shadow, Self::Acked];

    /// Returns the short name, `shadow`, as [`Display`](core::fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shadow => "shadow",
            Self::Acked => "acked",
        }
    }
}

/// Policy for sums that overflow their registers, a term of the job (R-SLOT-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// The job fails, and says where (R-CTRL-13).
    Error,
    /// The block is folded again by [`Arithmetic::Native`](super::Arithmetic::Native).
    Native,
}

impl Overflow {
    /// Both policies.
    pub const ALL: [Self; 2] = [Self::Error, Self::Native];

    /// Returns the short name, `error`, as [`Display`](core::fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Native => "native",
        }
    }
}
