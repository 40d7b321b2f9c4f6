//! The events of runs.

netfold_wire::counters! {
    /// The events of a run, by which a test can tell whether it has tested anything.
    pub struct Tally {
        /// Jobs of which all workers have left with all calls done.
        completed,
        /// Those among them that have gone on after a switch of theirs had stopped.
        resumed,
        /// Those of them that have done so at a switch of another tree.
        elsewhere,
        /// Others.
        ended,
        /// Results that were checked.
        results,
        /// Jobs of which workers have gone on without others, and completed.
        regrouped,
        /// Those among them that have lost several.
        without_several,
        /// Those of more than 12 workers of which results were checked.
        large,
        /// Results of 1000 elements or more.
        long,
        /// Runs in which links have marked datagrams.
        marked,
        /// Runs with TCP flows that have carried something.
        shared,
        /// Jobs with a worker whose host has stopped while they ran.
        bereft,
        /// Jobs that have completed with blocks that were folded again (R-SLOT-12).
        refolded,
        /// Those among them that have gone on after a switch of theirs had stopped, or without
        /// workers.
        refolded_and_on,
        /// Results of calls by operations of users.
        typed,
        /// Those among them that were encoded on their way.
        coded,
        /// Those among them that are replies from the state at a switch.
        answered,
        /// Those among them that are prefixes, and were folded in exchange slots.
        prefixes,
        /// Results of all-to-alls in exchange slots, with another's elements.
        exchanged,
        /// Those among them of jobs that have gone on after a switch of theirs had stopped.
        exchanged_and_on,
        /// Jobs with calls whose results are mapped that have gone on after a switch of theirs had
        /// stopped, or without workers, and completed.
        mapped_and_on,
        /// Jobs that have ended with a trap, of which every worker was told.
        trapped,
        /// Jobs that have completed beside one of these.
        beside_traps,
    }
}
