//! The faults that befall a job, and the outcomes that its workers may therefore have.

use std::collections::BTreeSet;

use netfold_management::{Ending, Failure, Loss, Refusal, Rejection};
use netfold_sim::Outcome;
use netfold_switch::TrapCause;

/// The faults that a job cannot bear, or may not be able to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    /// Workers that stop, or that are cut off from the root or held up for longer than the job's
    /// time-out.
    pub lost: BTreeSet<u16>,
    /// Those among them that live, and may miss their switch.
    pub cut_off: BTreeSet<u16>,
    /// Those among them that stop.
    pub crashed: BTreeSet<u16>,
    /// A worker that makes another call than the others, and the number of the call.
    pub odd_call: Option<(u16, u64)>,
    /// The number of a call that overflows a register at the switch (R-CTRL-13).
    pub overflow: Option<u64>,
    /// An operation of a user that traps (R-OP-20).
    pub trap: Option<Trap>,
    /// A worker that leaves, and after how many calls.
    pub leaver: Option<(u16, u64)>,
    /// A worker that does not come, or too late.
    pub absent: Option<u16>,
    /// A worker that wants other terms, or proves another token.
    pub stranger: Option<u16>,
    /// It goes on without workers that are lost: others have other ranks then.
    pub elastic: bool,
    /// There may not be memory for it.
    pub tight: bool,
    /// The time at which a switch stops, in microseconds, if that is all of this and the job goes
    /// on, at a standby or when the switch starts again (R-RES).
    pub borne_us: Option<u64>,
    /// The time at which the last of these faults begins, in microseconds.
    pub last_us: u64,
}

/// A trap that befalls a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The name of the job.
    pub job: String,
    /// The name of the operation.
    pub operation: &'static str,
    /// The number of the call.
    pub call: u64,
    /// The first byte of the sum that does not fit, in a worker's vector.
    pub byte: u64,
    /// Most bytes of a block.
    pub block_bytes: u32,
}

impl Trap {
    /// Returns whether a failure tells of this trap: the job, the operation, the cause and the
    /// block, unless the worker that was asked for it did not answer in time.
    fn is_told_by(&self, failure: &Failure) -> bool {
        let Failure::Trapped { job, operation, why: TrapCause::Arithmetic, block, .. } = failure
        else {
            return false;
        };
        (job, operation.as_str()) == (&self.job, self.operation)
            && (self.names_block(block) || block.starts_with("unknown"))
    }

    /// Returns whether a description is that of the block: where it begins, and its call.
    fn names_block(&self, block: &str) -> bool {
        let folded = format!("({}, ", self.operation);
        let begin = block.strip_prefix("byte ").and_then(|rest| rest.split_once(" of "));
        let begin = begin.and_then(|(begin, _)| begin.parse::<u64>().ok());
        begin
            .and_then(|begin| self.byte.checked_sub(begin))
            .is_some_and(|within| within < self.block_bytes.into())
            && block.contains(&folded)
            && block.ends_with(&format!(" as call {}", self.call + 1))
    }
}

impl Blame {
    /// Returns whether the job has trapped, as an outcome of a worker of it tells with the block.
    pub(super) fn trap_is_named_by(&self, outcome: &Outcome) -> bool {
        let (Outcome::Ended(Ending::Failed(failure)), Some(trap)) = (outcome, &self.trap) else {
            return false;
        };
        matches!(failure, Failure::Trapped { block, .. } if trap.names_block(block))
    }

    /// Returns whether the job must complete.
    pub fn is_none(&self) -> bool {
        let Self { lost, odd_call, overflow, trap, leaver, absent, stranger, tight, .. } = self;
        let own = [
            odd_call.is_some(),
            overflow.is_some(),
            trap.is_some(),
            leaver.is_some(),
            absent.is_some(),
            stranger.is_some(),
        ];
        lost.is_empty() && !*tight && own == [false; 6]
    }

    /// Returns whether a worker may have that outcome.
    pub(super) fn allows(&self, rank: u16, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Left => true,
            Outcome::Crashed => self.crashed.contains(&rank),
            // Told to the worker itself, by the rank that it has among those that are left.
            Outcome::Ended(Ending::Failed(Failure::Expelled {
                why: Loss::Silent { .. }, ..
            })) if self.elastic => self.lost.contains(&rank),
            Outcome::Ended(Ending::Failed(failure))
            | Outcome::Rejected(Rejection::Failed(failure)) => self.explains(failure),
            Outcome::Ended(Ending::PeerLeft { rank, calls }) => self
                .leaver
                .is_some_and(|(leaver, made)| made == *calls && (self.elastic || leaver == *rank)),
            // R-RES-7: for what was lost.
            Outcome::Ended(Ending::NotResumed { lost, .. }) => {
                self.allows(rank, &Outcome::Ended((**lost).clone()))
            }
            Outcome::Ended(Ending::SwitchLost { .. })
            | Outcome::Rejected(
                Rejection::Lost { .. } | Rejection::NoSwitch { .. } | Rejection::NotASwitch { .. },
            ) => self.cut_off.contains(&rank),
            Outcome::Rejected(Rejection::Refused(refusal)) => self.explains_refusal(rank, refusal),
            _ => false,
        }
    }

    fn explains(&self, failure: &Failure) -> bool {
        match failure {
            Failure::WorkerLost { .. } if self.elastic => !self.lost.is_empty(),
            // R-CTRL-18: the cause of a loss is told as a neighbour of the worker has seen it. A
            // worker that is cut off may itself close its connection, or find its switch gone.
            Failure::WorkerLost { rank, why: Loss::Silent { .. } | Loss::Unreachable { .. } }
            | Failure::Expelled { rank, why: Loss::Silent { .. } } => self.lost.contains(rank),
            Failure::WorkerLost { rank, why: Loss::Closed } => {
                self.crashed.contains(rank) || self.cut_off.contains(rank)
            }
            Failure::WorkerLost { rank, why: Loss::SwitchGone { .. } } => {
                self.cut_off.contains(rank)
            }
            Failure::Mismatch { rank_a, rank_b, .. } => self
                .odd_call
                .is_some_and(|(odd, _)| self.elastic || odd == *rank_a || odd == *rank_b),
            Failure::Overflow { element, .. } => self.overflow.is_some() && !element.is_empty(),
            Failure::Trapped { .. } => {
                self.trap.as_ref().is_some_and(|trap| trap.is_told_by(failure))
            }
            Failure::SwitchUnable { .. } => self.tight,
            Failure::ParentLost { .. } | Failure::SwitchStopping => !self.cut_off.is_empty(),
            _ => false,
        }
    }

    fn explains_refusal(&self, rank: u16, refusal: &Refusal) -> bool {
        match refusal {
            Refusal::JoinTimeout { missing, .. } => {
                let explained =
                    |missing: &u16| self.lost.contains(missing) || self.absent == Some(*missing);
                // A worker that comes when the others have given up misses them, and a stranger
                // that comes first has them refused.
                self.absent == Some(rank)
                    || self.lost.contains(&rank)
                    || self.stranger.is_some()
                    || missing.iter().all(explained)
            }
            Refusal::Disagreement { rank_a, rank_b, .. } => {
                self.stranger.is_some_and(|stranger| stranger == *rank_a || stranger == *rank_b)
            }
            // R-SLOT-11: a stranger may ask for an arithmetic without registers in a job that folds
            // again.
            Refusal::WrongToken | Refusal::BadValue { .. } => self.stranger == Some(rank),
            Refusal::OutOfMemory { .. } => self.tight,
            Refusal::Silent { .. } => self.lost.contains(&rank),
            Refusal::NoParent { .. } | Refusal::SwitchStopping => self.cut_off.contains(&rank),
            _ => false,
        }
    }
}
