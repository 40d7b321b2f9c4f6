//! The calls that a front end makes.

use core::fmt;
use core::str::FromStr;

use netfold_num::{ElementType, Operation, UserOperation};
use netfold_wire::WorkerId;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// A collective, as a fold with contributors and a delivery (R-STREAM-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collective {
    /// Everyone contributes a vector, everyone gets the fold.
    AllReduce,
    /// Everyone contributes a vector, the root gets the fold.
    Reduce {
        /// The worker that receives it.
        root: WorkerId,
    },
    /// The root's vector, to everyone.
    Broadcast {
        /// The worker that has the vector.
        root: WorkerId,
    },
    /// Every worker's vector, to everyone, in the order of ranks.
    AllGather,
    /// Everyone contributes n vectors; worker r gets the fold of the r-th ones.
    ReduceScatter,
    /// Every worker's vector, to the root, in the order of ranks.
    Gather {
        /// The worker that receives them.
        root: WorkerId,
    },
    /// The root's n vectors; worker r gets the r-th one.
    Scatter {
        /// The worker that has the vectors.
        root: WorkerId,
    },
    /// Everyone has n vectors; worker r gets the r-th one of each, in the order of ranks.
    AllToAll,
    /// Everyone contributes a vector; worker r gets the fold of those of ranks 0 to r.
    Scan,
    /// Everyone contributes a vector; worker r gets the fold of those of ranks 0 to r - 1, and
    /// worker 0 gets nothing.
    ExScan,
    /// Everyone contributes a request, and gets the reply to it that an operation with state makes
    /// at the switch (R-OP-32).
    LookAside,
    /// Everyone contributes a vector, everyone gets the fold of those of ranks 0 to r for each rank
    /// r, in the order of ranks (R-STREAM-19).
    Prefixes,
    /// Everyone contributes a vector; worker r gets the fold of all, and behind it that of those of
    /// ranks 0 to r. For the last worker these are one (R-STREAM-20).
    ScanTotal,
    /// Worker 0's vector, to worker 1: a message in a job of two (R-STREAM-15).
    Message,
    /// No vector: done when everyone has come.
    Barrier,
    /// A call of which nothing but its place among the others is here (R-STREAM-11); see
    /// [`Call::elsewhere`].
    Elsewhere {
        /// Its description's part of digests.
        mark: Mark,
    },
}

/// A hash of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark(pub(crate) [u8; 3]);

impl Collective {
    /// Returns the name that users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::Reduce { .. } => "reduce",
            Self::Broadcast { .. } => "broadcast",
            Self::AllGather => "all_gather",
            Self::ReduceScatter => "reduce_scatter",
            Self::Gather { .. } => "gather",
            Self::Scatter { .. } => "scatter",
            Self::AllToAll => "all_to_all",
            Self::Scan => "scan",
            Self::ExScan => "exscan",
            Self::LookAside => "look_aside",
            Self::Prefixes => "prefixes",
            Self::ScanTotal => "scan_total",
            Self::Message => "message",
            Self::Barrier => "barrier",
            Self::Elsewhere { .. } => "elsewhere",
        }
    }

    /// Returns the collective with this name and, where it has one, this root; `None` if there is
    /// no such collective, or if the name is that of a call carried out elsewhere
    /// ([`Call::elsewhere`]).
    pub fn named(name: &str, root: WorkerId) -> Option<Self> {
        let all = [
            Self::AllReduce,
            Self::Reduce { root },
            Self::Broadcast { root },
            Self::AllGather,
            Self::ReduceScatter,
            Self::Barrier,
            Self::Gather { root },
            Self::Scatter { root },
            Self::AllToAll,
            Self::Scan,
            Self::ExScan,
            Self::LookAside,
            Self::Prefixes,
            Self::ScanTotal,
            Self::Message,
        ];
        all.into_iter().find(|collective| collective.name() == name)
    }

    /// Returns its code in digests of calls (R-STREAM-6).
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::AllReduce => 0,
            Self::Reduce { .. } => 1,
            Self::Broadcast { .. } => 2,
            Self::AllGather => 3,
            Self::ReduceScatter => 4,
            Self::Barrier => 5,
            Self::Elsewhere { .. } => 6,
            Self::Gather { .. } => 7,
            Self::Scatter { .. } => 8,
            Self::AllToAll => 9,
            Self::Scan => 10,
            Self::ExScan => 11,
            Self::Message => 12,
            Self::Prefixes => 13,
            Self::ScanTotal => 14,
            Self::LookAside => 15,
        }
    }

    /// Returns the root, where there is one.
    pub const fn root(self) -> Option<WorkerId> {
        match self {
            Self::Reduce { root }
            | Self::Broadcast { root }
            | Self::Gather { root }
            | Self::Scatter { root } => Some(root),
            _ => None,
        }
    }

    /// Returns whether input and output may be the same memory. In the other collectives a worker
    /// still has to send elements when a result comes that would take their place.
    pub const fn can_be_in_place(self) -> bool {
        matches!(
            self,
            Self::AllReduce
                | Self::Reduce { .. }
                | Self::Broadcast { .. }
                | Self::LookAside
                | Self::Message
                | Self::Barrier
                | Self::Elsewhere { .. }
        )
    }

    /// Returns whether elements are only moved, as bytes.
    pub const fn only_moves(self) -> bool {
        matches!(
            self,
            Self::Broadcast { .. }
                | Self::AllGather
                | Self::Gather { .. }
                | Self::Scatter { .. }
                | Self::AllToAll
                | Self::Message
                | Self::Barrier
                | Self::Elsewhere { .. }
        )
    }
}

/// The combination of elements that a user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The fold as it is.
    Fold(Operation),
    /// The sum, divided by the number of workers where it is unpacked. Floating point only.
    Average,
    /// The fold by an operation that a user has brought along. Elements are bytes (R-OP-24).
    User(UserFold),
}

/// A fold by an operation of the job that a user has brought along (R-OP-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UserFold {
    operation: UserOperation,
    element_bytes: u16,
    message_elements: Option<u32>,
    traits: FoldTraits,
    name: [u8; MAX_OPERATION_NAME],
}

/// The properties of an operation on which its calls depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FoldTraits {
    /// Results are mapped before they are sent (R-OP-28).
    pub has_map: bool,
    /// Elements are encoded before they travel (R-OP-30).
    pub has_codec: bool,
    /// It keeps data from one call to the next (R-OP-31).
    pub keeps_state: bool,
    /// It folds operands (R-OP-8).
    pub folds: bool,
    /// It answers requests (R-OP-32).
    pub answers: bool,
    /// Most bytes of an operand as it travels, if a packet may hold more (R-OP-30).
    pub batch_bytes: Option<u32>,
}

/// Most bytes of an operation's name (R-OP-11).
const MAX_OPERATION_NAME: usize = 32;

impl FoldTraits {
    /// Returns whether results are transformed when all operands are folded.
    pub const fn finishes(&self) -> bool {
        self.has_map || self.has_codec
    }
}

impl UserFold {
    /// Returns the fold by the operation with this number, name, and bytes of an element as it
    /// travels; whole messages have at most so many elements. Of a longer name the beginning is
    /// kept.
    pub fn new(
        operation: UserOperation,
        name: &str,
        element_bytes: u16,
        message_elements: Option<u32>,
    ) -> Self {
        let mut kept = [0; MAX_OPERATION_NAME];
        let len = name.floor_char_boundary(MAX_OPERATION_NAME);
        kept[..len].copy_from_slice(&name.as_bytes()[..len]);
        let traits = FoldTraits { folds: true, ..FoldTraits::default() };
        Self { operation, element_bytes, message_elements, traits, name: kept }
    }

    /// Returns the fold by an operation with these properties.
    #[must_use]
    pub const fn with(self, traits: FoldTraits) -> Self {
        Self { traits, ..self }
    }

    /// Returns the properties of the operation.
    pub const fn traits(&self) -> &FoldTraits {
        &self.traits
    }

    /// Bytes of an element as it travels.
    pub const fn element_bytes(&self) -> u16 {
        self.element_bytes
    }

    /// Most elements of a message; `None` if elements are folded one by one.
    pub const fn message_elements(&self) -> Option<u32> {
        self.message_elements
    }

    /// Returns the operation's name.
    pub fn name(&self) -> &str {
        let len = self.name.iter().position(|byte| *byte == 0).unwrap_or(MAX_OPERATION_NAME);
        str::from_utf8(&self.name[..len]).unwrap_or_default()
    }
}

impl Reduction {
    /// Returns the operation that the switch carries out.
    pub const fn operation(self) -> Operation {
        match self {
            Self::Fold(operation) => operation,
            Self::Average => Operation::Sum,
            Self::User(fold) => Operation::User(fold.operation),
        }
    }

    /// Returns the name that users know it by.
    pub fn name(&self) -> &str {
        match self {
            Self::Fold(operation) => operation.name(),
            Self::Average => "avg",
            Self::User(fold) => fold.name(),
        }
    }

    /// Returns whether it is by an operation that keeps data from one call to the next (R-OP-31).
    pub const fn keeps_state(&self) -> bool {
        matches!(self, Self::User(fold) if fold.traits.keeps_state)
    }
}

/// The stream of its flows that a call goes through (R-STREAM-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Before everything that is bulk.
    Urgent,
    /// In the order of calls, with the bandwidth that urgent calls leave.
    Bulk,
}

impl Priority {
    /// Returns the name that users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Urgent => "urgent",
            Self::Bulk => "bulk",
        }
    }
}

impl FromStr for Priority {
    type Err = UnknownPriority;

    fn from_str(name: &str) -> Result<Self, UnknownPriority> {
        [Self::Urgent, Self::Bulk]
            .into_iter()
            .find(|priority| priority.name() == name)
            .ok_or(UnknownPriority)
    }
}

/// A name that stands for no [`Priority`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "unknown priority; choose urgent or bulk, or leave it out: the length of the call decides then"
)]
pub struct UnknownPriority;

/// One collective call. All workers of a job make the same calls in the same order (R-STREAM-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The collective.
    pub collective: Collective,
    /// Combination of the elements. Collectives that only move ignore it
    /// ([`Collective::only_moves`]).
    pub reduction: Reduction,
    /// Type of an element; collectives that only move take [`ElementType::U8`], with lengths in
    /// bytes.
    pub element_type: ElementType,
    /// Elements of one vector: of one worker's part, where a collective has parts. If those differ
    /// ([`Lengths`](crate::Lengths)), the elements of all of them. Of a call that is carried out
    /// elsewhere, the bytes of its description.
    pub elements: u64,
    /// The caller's choice, the same at every worker. `None` leaves it to the length
    /// ([`Plan::priority`](crate::Plan::priority)).
    pub priority: Option<Priority>,
}

impl Call {
    /// Returns how lanes of the call combine: as asked for, or a copy where elements are only
    /// moved. An operation of a user may transform a broadcast and a message (R-OP-24).
    pub(crate) const fn carried_out(&self) -> Reduction {
        match (self.collective, self.reduction) {
            (Collective::Broadcast { .. } | Collective::Message, Reduction::User(_)) => {
                self.reduction
            }
            (collective, _) if collective.only_moves() => Reduction::Fold(Operation::Copy),
            _ => self.reduction,
        }
    }

    /// Returns a call that is carried out elsewhere, by its description, which is its input in
    /// memory (R-STREAM-11).
    pub fn elsewhere(description: &str) -> Self {
        let [.., a, b, c] = xxh3_64(description.as_bytes()).to_be_bytes();
        let (collective, elements) =
            (Collective::Elsewhere { mark: Mark([a, b, c]) }, description.len() as u64);
        Self { collective, elements, ..Self::BARRIER }
    }

    /// Returns whether it is carried out as a barrier whatever its elements (R-STREAM-11).
    pub(crate) const fn moves_no_elements(&self) -> bool {
        matches!(self.collective, Collective::Barrier | Collective::Elsewhere { .. })
    }

    /// The calls that move no elements.
    pub const BARRIER: Self = Self {
        collective: Collective::Barrier,
        reduction: Reduction::Fold(Operation::Copy),
        element_type: ElementType::U8,
        elements: 0,
        priority: None,
    };
}

impl fmt::Display for Call {
    /// Writes it as errors show it, for example `all_reduce(sum, f32, 1000 elements)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { collective, reduction, element_type, elements, .. } = self;
        write!(f, "{}(", collective.name())?;
        match collective {
            Collective::Barrier => {}
            _ if let Reduction::User(fold) = self.carried_out() => {
                write!(f, "{}, {elements} bytes", fold.name())?;
            }
            collective if collective.only_moves() => write!(f, "{elements} bytes")?,
            _ => write!(f, "{}, {}, {elements} elements", reduction.name(), element_type.name())?,
        }
        match collective.root() {
            Some(root) => write!(f, ", root {})", root.0),
            None => write!(f, ")"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_shown_as_users_know_them() {
        let call = Call {
            collective: Collective::Reduce { root: WorkerId(2) },
            reduction: Reduction::Average,
            element_type: ElementType::F32,
            elements: 10,
            priority: None,
        };
        assert_eq!(call.to_string(), "reduce(avg, f32, 10 elements, root 2)");
        assert_eq!(Call::BARRIER.to_string(), "barrier()");
        let moved =
            Call { collective: Collective::AllGather, element_type: ElementType::U8, ..call };
        assert_eq!(moved.to_string(), "all_gather(10 bytes)");
        assert_eq!(Call::elsewhere("gather()").to_string(), "elsewhere(8 bytes)");
    }

    #[test]
    fn collectives_are_found_by_name() {
        let root = WorkerId(3);
        for name in ["all_reduce", "reduce", "gather", "scatter", "all_to_all", "scan", "exscan"] {
            let collective = Collective::named(name, root).unwrap();
            assert_eq!(collective.name(), name);
            assert!(collective.root().is_none_or(|of| of == root));
        }
        assert_eq!(Collective::named("elsewhere", root), None);
        assert_eq!(Collective::named("all-reduce", root), None);
    }

    #[test]
    fn priorities_are_parsed_by_name() {
        for priority in [Priority::Urgent, Priority::Bulk] {
            assert_eq!(priority.name().parse(), Ok(priority));
        }
        assert_eq!("soon".parse::<Priority>(), Err(UnknownPriority));
    }
}
