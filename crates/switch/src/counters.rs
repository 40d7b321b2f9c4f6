//! Counters of the datagrams that a shard, or a worker's end of shared memory, handles. They only
//! grow.

use netfold_wire::{Ecn, ParseError};

use crate::answer::Settled;
use crate::contribution::Refusal;
use crate::slot::Arrival;

netfold_wire::counters! {
    /// Totals since the shard, or whatever stands in its place, was made.
    pub struct Counters {
        /// Datagrams handled, whatever became of them.
        datagrams_received,
        /// Bytes of these datagrams.
        bytes_received,
        /// Datagrams among them that the network has marked (R-ECN-2).
        datagrams_marked,
        /// Contributions that were counted in a round.
        contributions,
        /// Rounds completed.
        rounds_completed,
        /// Rounds completed in which a sum has overflowed, here or below, so that the block is
        /// folded again (R-SLOT-11).
        blocks_refolded,
        /// Results sent again to one worker (R-SLOT-4).
        results_repeated,
        /// Retransmissions to an incomplete round, ignored (R-SLOT-4).
        retransmissions_ignored,
        /// Folds sent up again to the parent (R-TREE-4).
        folds_repeated,
        /// Queries about folds sent up (R-TREE-4).
        queries_raised,
        /// Results taken from the parent (R-TREE-3).
        results_taken,
        /// Results and recalls from the parent that no round waits for (R-TREE-3).
        results_dropped,
        /// Queries answered with a recall (R-SLOT-10).
        contributions_recalled,
        /// Stale duplicates dropped (R-SLOT-8).
        stale_dropped,
        /// Contributions that did not agree with their round (R-SLOT-7).
        mismatches,
        /// Pushes folded into tables (R-KEY-3).
        pushes,
        /// Pushes that were repeated, and not folded again (R-KEY-4).
        pushes_repeated,
        /// Pairs of rank and row in the pushes that were folded.
        pairs_pushed,
        /// Pairs that were read from the switches below (R-KEY-18).
        pairs_gathered,
        /// Pairs that servers, or the switch above, have read (R-KEY-7).
        pairs_read,
        /// Pairs of resident rows that workers have pulled (R-KEY-12).
        pairs_pulled,
        /// Values of resident rows that servers have loaded, repetitions included.
        rows_loaded,
        /// Generations closed (R-KEY-8).
        generations_closed,
        /// Datagrams shorter than a header (R-PKT-1).
        dropped_short,
        /// Datagrams of another protocol version (R-PKT-1).
        dropped_version,
        /// Datagrams with an unknown field value (R-PKT-1).
        dropped_field,
        /// Datagrams of a wrong length (R-PKT-1).
        dropped_length,
        /// Datagrams for a job or an epoch that is not here (R-PKT-4).
        dropped_unknown_job,
        /// Datagrams whose integrity field is wrong (R-PKT-3).
        dropped_integrity,
        /// Results that came to the switch (R-PKT-5).
        dropped_direction,
        /// Contributions outside the job's slots, workers or lanes (R-SLOT-9).
        dropped_range,
    }
}

impl Counters {
    /// Counts a datagram of so many bytes.
    pub fn received(&mut self, bytes: usize, ecn: Ecn) {
        self.datagrams_received += 1;
        self.bytes_received += bytes as u64;
        self.datagrams_marked += u64::from(ecn.is_marked());
    }

    /// Counts a datagram that was dropped before it reached a slot.
    pub fn refused(&mut self, refusal: Refusal) {
        *match refusal {
            Refusal::Malformed(ParseError::Short) => &mut self.dropped_short,
            Refusal::Malformed(ParseError::Version) => &mut self.dropped_version,
            Refusal::Malformed(ParseError::Length) => &mut self.dropped_length,
            Refusal::Malformed(_) => &mut self.dropped_field,
            Refusal::Direction => &mut self.dropped_direction,
            Refusal::UnknownJob => &mut self.dropped_unknown_job,
            Refusal::Integrity => &mut self.dropped_integrity,
            Refusal::Range => &mut self.dropped_range,
        } += 1;
    }

    /// Counts the outcome of a packet from the parent.
    pub fn settled(&mut self, settled: Settled) {
        *match settled {
            Settled::Result => &mut self.results_taken,
            Settled::Recall => &mut self.folds_repeated,
            Settled::Nothing => &mut self.results_dropped,
        } += 1;
    }

    /// Counts a packet by its arrival at its slot.
    pub fn arrived(&mut self, arrival: Arrival) {
        *match arrival {
            Arrival::Accepted { complete, overflowed, .. } => {
                self.rounds_completed += u64::from(complete);
                self.blocks_refolded += u64::from(complete && overflowed);
                &mut self.contributions
            }
            Arrival::Answered => &mut self.results_repeated,
            Arrival::Raised => &mut self.folds_repeated,
            Arrival::Asked => &mut self.queries_raised,
            Arrival::Recalled => &mut self.contributions_recalled,
            Arrival::Ignored => &mut self.retransmissions_ignored,
            Arrival::Stale => &mut self.stale_dropped,
            Arrival::Mismatch { .. } => &mut self.mismatches,
        } += 1;
    }
}
