//! Errors of calls.

use thiserror::Error;

/// Error of a call that failed or could not be made.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A slice of the wrong length. Nothing was sent, and the job goes on.
    #[error(
        "{call} of {size} workers needs {needed}, and got an input of {input} elements and an output of {output}"
    )]
    Length {
        /// The collective.
        call: &'static str,
        /// Workers of the job.
        size: u16,
        /// The rule that the lengths break.
        needed: &'static str,
        /// Elements of the input.
        input: usize,
        /// Elements of the output.
        output: usize,
    },
    /// Inputs of a chain that are not as many as its groups of stages. Nothing was sent.
    #[error("the chain takes {needed} inputs, one for each group of stages, not {given}")]
    Inputs {
        /// The number that it takes.
        needed: usize,
        /// The number given.
        given: usize,
    },
    /// The job could not be joined, cannot make the call, or has failed.
    #[error(transparent)]
    Job(#[from] netfold_net::Error),
}

impl Error {
    /// Returns whether the job goes on, so that the next call can be made: nothing was sent of this
    /// one, or an elastic job goes on without the workers that are lost.
    pub fn goes_on(&self) -> bool {
        use netfold_net::Error as Job;
        match self {
            Self::Length { .. } | Self::Inputs { .. } => true,
            Self::Job(error) => {
                matches!(
                    error,
                    Job::Unsupported(_)
                        | Job::Memory { .. }
                        | Job::Regrouped { .. }
                        | Job::Subgroup { .. }
                        | Job::NotMet { .. }
                )
            }
        }
    }
}
