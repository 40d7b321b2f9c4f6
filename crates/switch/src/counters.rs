//! What a shard counts. Counters only grow.

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident),+ $(,)?) => {
        /// Totals of a shard since it was made.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl Counters {
            /// Every counter with its name, for metrics and reports.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }
        }
    };
}

counters! {
    /// Datagrams handled, whatever became of them.
    datagrams_received,
    /// Bytes of these datagrams.
    bytes_received,
    /// Contributions that were counted in a round.
    contributions,
    /// Rounds completed.
    rounds_completed,
    /// Results sent again to one worker (R-SLOT-4).
    results_repeated,
    /// Retransmissions to an incomplete round, ignored (R-SLOT-4).
    retransmissions_ignored,
    /// Stale duplicates dropped (R-SLOT-8).
    stale_dropped,
    /// Contributions that did not agree with their round (R-SLOT-7).
    mismatches,
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
