//! Marks with which networks tell of long queues.

/// Mark of the network on a datagram (RFC 3168, section 5): the congestion that it has experienced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ecn {
    /// No mark.
    #[default]
    Clear,
    /// "Congestion experienced" (CE): a queue on the way is long (R-ECN-1).
    Ce,
}

impl Ecn {
    /// Returns whether the datagram is marked.
    pub const fn is_marked(self) -> bool {
        matches!(self, Self::Ce)
    }
}

impl From<bool> for Ecn {
    fn from(marked: bool) -> Self {
        if marked { Self::Ce } else { Self::Clear }
    }
}
