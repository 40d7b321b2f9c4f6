//! Counters of a stream.

netfold_wire::counters! {
    /// Totals of a stream since it was made.
    pub struct Counters {
        /// Datagrams sent.
        packets_sent,
        /// Bytes of these datagrams, headers of the layers below not counted.
        bytes_sent,
        /// Bytes of contributions sent again among these, and of queries in their place.
        bytes_resent,
        /// Datagrams handled.
        packets_received,
        /// Bytes of these datagrams.
        bytes_received,
        /// Rounds whose result was taken.
        rounds,
        /// Rounds that only agreed on an exponent, because a stream started (R-WORK-4).
        exponent_rounds,
        /// Rounds that carried NaN and infinity (R-WORK-4).
        class_rounds,
        /// Blocks that were folded again, since a sum had overflowed its register (R-WORK-4).
        blocks_refolded,
        /// Rounds among these that acknowledged results (R-ACK-1).
        acknowledgements,
        /// Contributions sent again (R-TIME-1).
        retransmissions,
        /// Queries sent (R-TIME-6).
        queries,
        /// Rounds sent again or asked for without waiting for a timeout (R-TIME-5).
        fast_retransmissions,
        /// Rounds that were replayed at another switch (R-RES-5).
        replayed,
        /// Results that were not waited for (R-WORK-2).
        duplicates,
        /// Results that told of a mark of the network, or bore one (R-ECN-3).
        results_marked,
        /// Reductions of the window for such marks.
        reductions,
        /// Datagrams that were not a result for this worker, or not whole.
        dropped,
    }
}
