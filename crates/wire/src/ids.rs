//! The indices of the protocol, each a type of its own so that none is taken for another.

use core::fmt;

use crate::generated::{EVERYONE, Kind, PREFIX, PREFIX_AND_TOTAL, PREFIX_BEFORE, PREFIXES, SHIFT};

/// The value after those of shifts.
const SHIFT_END: u16 = 0xC000;

/// Index of a job at a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u16);

/// The number of one run of a job: another run under the same name or number has another
/// (R-PKT-4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Epoch(pub u32);

/// A worker of a job: its rank, 0 to n - 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u16);

/// A slot (aggregator) of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotIndex(pub u16);

/// Digest of a call, the same at every worker that makes the same call (R-STREAM-6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallDigest(pub u32);

/// The copy of a slot that a round uses, of its two (SwitchML, section 4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pool {
    /// The copy that a stream starts with.
    #[default]
    Even,
    /// The other copy.
    Odd,
}

impl Pool {
    /// Returns the other copy.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Even => Self::Odd,
            Self::Odd => Self::Even,
        }
    }

    /// Returns 0 or 1, as on the wire and as an index.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Position of a block in the stream of a flow, in blocks, modulo 2^32 (R-STREAM-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position(pub u32);

impl Position {
    /// Returns the position `blocks` later.
    #[must_use]
    pub const fn after(self, blocks: u32) -> Self {
        Self(self.0.wrapping_add(blocks))
    }

    /// Blocks from `earlier` to `self`, negative when `self` is the earlier one. Serial-number
    /// order: right as long as the two are less than 2^31 apart.
    pub const fn since(self, earlier: Self) -> i32 {
        self.0.wrapping_sub(earlier.0) as i32
    }
}

/// The receivers of the lanes of a result (the delivery axis).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// Every worker.
    All,
    /// One worker; the others get an EMPTY result.
    One(WorkerId),
    /// Each worker r gets the lanes of worker (r - k) mod n (R-STREAM-16).
    Shift(u16),
    /// Each worker gets the fold of the operands of lower ranks (R-STREAM-18).
    Prefix {
        /// And of its own.
        own: bool,
    },
    /// Each worker gets the folds up to every rank, one after the other (R-STREAM-19).
    Prefixes,
    /// Each worker gets the fold up to the last rank, and the fold up to its own (R-STREAM-20).
    PrefixAndTotal,
}

impl Delivery {
    /// Returns whether `worker` receives lanes, if there are some for it.
    pub fn addresses(self, worker: WorkerId) -> bool {
        match self {
            Self::One(only) => only == worker,
            _ => true,
        }
    }

    /// Returns whether operands are kept apart until their round is complete, and each worker gets
    /// a result of its own (R-SLOT-13).
    pub const fn is_apart(self) -> bool {
        !matches!(self, Self::All | Self::One(_))
    }

    /// Returns whether operands are folded in the order of ranks when their round is complete.
    pub const fn folds_prefixes(self) -> bool {
        matches!(self, Self::Prefix { .. } | Self::Prefixes | Self::PrefixAndTotal)
    }

    /// Returns how many folds, each with the lanes of a contribution, the result has that goes to
    /// the worker of a rank, of so many workers (R-STREAM-19, R-STREAM-20). Those of an operation
    /// of a user (`by_user`) include the worker's own. At least 1.
    pub const fn folds(self, workers: u16, rank: u16, by_user: bool) -> u16 {
        match self {
            Self::Prefixes if by_user || workers < 2 => workers,
            Self::Prefixes => workers - 1,
            Self::PrefixAndTotal if rank > 0 && rank + 1 < workers => 2,
            _ => 1,
        }
    }

    /// Returns the most folds that a result of so many workers has.
    pub const fn most_folds(self, workers: u16, by_user: bool) -> u16 {
        self.folds(workers, 1, by_user)
    }

    /// Returns the meaning of the header's `delivery`.
    pub const fn from_wire(value: u16) -> Self {
        match value {
            EVERYONE => Self::All,
            PREFIX => Self::Prefix { own: true },
            PREFIX_BEFORE => Self::Prefix { own: false },
            PREFIXES => Self::Prefixes,
            PREFIX_AND_TOTAL => Self::PrefixAndTotal,
            SHIFT..SHIFT_END => Self::Shift(value - SHIFT),
            // Any other value is taken for the number of a worker, which may not exist.
            _ => Self::One(WorkerId(value)),
        }
    }

    /// Returns its value in a header.
    pub const fn to_wire(self) -> u16 {
        match self {
            Self::All => EVERYONE,
            Self::One(worker) => worker.0,
            Self::Shift(distance) => SHIFT | distance,
            Self::Prefix { own: true } => PREFIX,
            Self::Prefix { own: false } => PREFIX_BEFORE,
            Self::Prefixes => PREFIXES,
            Self::PrefixAndTotal => PREFIX_AND_TOTAL,
        }
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}", self.0)
    }
}

impl Kind {
    /// Returns its place among the rounds of a block, from 0: they follow each other so (R-WORK-4,
    /// R-SLOT-8).
    pub const fn order(self) -> u8 {
        match self {
            Self::Exponents => 0,
            Self::Classes => 1,
            Self::Values => 2,
            Self::Refold => 3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_ordered_across_the_wrap() {
        let last = Position(u32::MAX);
        assert_eq!(last.after(3), Position(2));
        assert_eq!(last.after(3).since(last), 3);
        assert_eq!(last.since(last.after(3)), -3);
    }

    #[test]
    fn a_delivery_survives_the_wire() {
        let one = [0, 63, 32_766].map(|rank| Delivery::One(WorkerId(rank)));
        let shift = [1, 63, 0x3FFF].map(Delivery::Shift);
        let prefix = [false, true].map(|own| Delivery::Prefix { own });
        let rest = [Delivery::All, Delivery::Prefixes, Delivery::PrefixAndTotal];
        for delivery in [&one[..], &shift, &prefix, &rest].concat() {
            assert_eq!(Delivery::from_wire(delivery.to_wire()), delivery);
        }
        assert!(Delivery::All.addresses(WorkerId(7)));
        assert!(!Delivery::One(WorkerId(3)).addresses(WorkerId(7)));
    }

    /// R-STREAM-19, R-STREAM-20
    #[test]
    fn results_have_the_folds_that_their_worker_does_not_have() {
        let of_four =
            |delivery: Delivery, by_user| [0, 1, 2, 3].map(|rank| delivery.folds(4, rank, by_user));
        assert_eq!(of_four(Delivery::Prefixes, false), [3; 4]);
        assert_eq!(of_four(Delivery::Prefixes, true), [4; 4]);
        assert_eq!(of_four(Delivery::PrefixAndTotal, false), [1, 2, 2, 1]);
        assert_eq!(of_four(Delivery::Prefix { own: true }, true), [1; 4]);
        assert_eq!([0, 1].map(|rank| Delivery::PrefixAndTotal.folds(2, rank, true)), [1, 1]);
        for (delivery, by_user) in [
            (Delivery::Prefixes, false),
            (Delivery::Prefixes, true),
            (Delivery::PrefixAndTotal, false),
        ] {
            for workers in 1..6 {
                let most = (0..workers).map(|rank| delivery.folds(workers, rank, by_user)).max();
                assert_eq!(most, Some(delivery.most_folds(workers, by_user)));
            }
        }
    }
}
