//! The exchange between workers of a linear model: all-reduces of a netfold job.
//!
//! It refuses to join a job: a communicator is given to it. Open [`Network`].
#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use netfold_glm::{Collected, Exchange, Lane, SubmissionId};
use netfold_net::{
    Call, Collective, Communicator, ElementType, Error, InFlight, Operation, Priority, Reduction,
};

const LANE_BYTES: usize = 4;

/// A worker's place in the job, as the engine wants it. Partial activations are short, and go
/// before all else (R-STREAM-10), in shared memory by the eager path (R-EAGER-1).
pub struct Network {
    communicator: Arc<Communicator>,
    priority: Priority,
    patience: Duration,
    submitted: u64,
    pending: VecDeque<InFlight>,
    /// Memory of calls that are done.
    spare: Vec<Vec<u8>>,
}

impl Network {
    /// Micro-batches that may be under way: as many as the fewest urgent slots take at once
    /// (R-STREAM-9), and once more, so that something waits when one comes back.
    pub const WINDOW: usize = 16;

    /// Through this communicator; no worker waits longer than `patience` for a sum.
    pub fn new(communicator: Arc<Communicator>, patience: Duration) -> Self {
        let (priority, pending) = (Priority::Urgent, VecDeque::with_capacity(Self::WINDOW));
        Self { communicator, priority, patience, submitted: 0, pending, spare: Vec::new() }
    }

    /// The same through slots in shared memory, too, as they are what protocols differ in.
    #[must_use]
    pub fn through_slots(self) -> Self {
        Self { priority: Priority::Bulk, ..self }
    }
}

impl Exchange for Network {
    type Error = Error;

    fn workers(&self) -> usize {
        self.communicator.size().into()
    }

    fn rank(&self) -> usize {
        self.communicator.rank().into()
    }

    fn window(&self) -> usize {
        Self::WINDOW
    }

    fn submit<L: Lane>(&mut self, partial: &[L]) -> Result<SubmissionId, Error> {
        let mut memory = self.spare.pop().unwrap_or_default();
        memory.clear();
        memory.extend(partial.iter().flat_map(|lane| lane.to_bits().to_ne_bytes()));
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: if L::FLOAT { ElementType::F32 } else { ElementType::I32 },
            elements: partial.len() as u64,
            priority: Some(self.priority),
        };
        self.pending.push_back(self.communicator.begin_owned(call, memory)?);
        self.submitted += 1;
        Ok(SubmissionId(self.submitted - 1))
    }

    fn collect<L: Lane>(
        &mut self,
        _ticket: SubmissionId,
        full: &mut [L],
    ) -> Result<Collected, Error> {
        let call = self.pending.pop_front().expect("what is collected was submitted");
        let (memory, at) = call.wait(Some(self.patience))?;
        for (lane, bytes) in full.iter_mut().zip(memory.as_chunks::<LANE_BYTES>().0) {
            *lane = L::from_bits(u32::from_ne_bytes(*bytes));
        }
        self.spare.push(memory);
        Ok(Collected { at })
    }
}
