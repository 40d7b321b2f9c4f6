//! What a stream counts.

/// Totals of a stream since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Datagrams sent.
    pub packets_sent: u64,
    /// Bytes of these datagrams, headers of the layers below not counted.
    pub bytes_sent: u64,
    /// Of these the bytes of contributions sent again, and of queries in their place.
    pub bytes_resent: u64,
    /// Datagrams handled.
    pub packets_received: u64,
    /// Bytes of these datagrams.
    pub bytes_received: u64,
    /// Rounds whose result was taken.
    pub rounds: u64,
    /// Rounds that only agreed on an exponent, because a stream started (R-WORK-4).
    pub exponent_rounds: u64,
    /// Rounds that carried NaN and infinity (R-WORK-4).
    pub class_rounds: u64,
    /// Blocks that were folded again, since a sum had overflowed its register (R-WORK-4).
    pub blocks_refolded: u64,
    /// Of the rounds those that acknowledged results (R-ACK-1).
    pub acknowledgements: u64,
    /// Contributions sent again (R-TIME-1).
    pub retransmissions: u64,
    /// Queries sent (R-TIME-6).
    pub queries: u64,
    /// Rounds sent again or asked for without waiting for a timeout (R-TIME-5).
    pub fast_retransmissions: u64,
    /// Rounds that were replayed at another switch (R-RES-5).
    pub replayed: u64,
    /// Results that were not waited for (R-WORK-2).
    pub duplicates: u64,
    /// Results that told of a mark of the network, or bore one (R-ECN-3).
    pub results_marked: u64,
    /// Reductions of the window for such marks.
    pub reductions: u64,
    /// Datagrams that were not a result for this worker, or not whole.
    pub dropped: u64,
}

impl Counters {
    /// The totals of two streams together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            packets_sent: self.packets_sent + other.packets_sent,
            bytes_sent: self.bytes_sent + other.bytes_sent,
            bytes_resent: self.bytes_resent + other.bytes_resent,
            packets_received: self.packets_received + other.packets_received,
            bytes_received: self.bytes_received + other.bytes_received,
            rounds: self.rounds + other.rounds,
            exponent_rounds: self.exponent_rounds + other.exponent_rounds,
            class_rounds: self.class_rounds + other.class_rounds,
            blocks_refolded: self.blocks_refolded + other.blocks_refolded,
            acknowledgements: self.acknowledgements + other.acknowledgements,
            retransmissions: self.retransmissions + other.retransmissions,
            queries: self.queries + other.queries,
            fast_retransmissions: self.fast_retransmissions + other.fast_retransmissions,
            replayed: self.replayed + other.replayed,
            duplicates: self.duplicates + other.duplicates,
            results_marked: self.results_marked + other.results_marked,
            reductions: self.reductions + other.reductions,
            dropped: self.dropped + other.dropped,
        }
    }
}
