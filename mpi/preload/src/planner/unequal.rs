//! Collectives whose parts differ, so that no rank knows all their lengths (R-MPI-5).

use netfold::JobError;
use netfold::raw::{Call, Collective};
use netfold_mpi::{Kind, Refusal};

use super::Planner;
use crate::memory::{Buffer, Parts};
use crate::task::Task;

impl Planner<'_> {
    /// Has all ranks know the lengths of parts that only some know, and returns the call with them
    /// (R-MPI-5).
    pub(super) fn unequal(&self) -> Result<Result<Task, JobError>, Refusal> {
        let ranks = self.net.size;
        let bytes = |parts: &Parts| -> Vec<u64> {
            parts.0.iter().map(|part| part.bytes() as u64).collect()
        };
        let in_place = self.is_in_place(self.arguments.send);
        let (gives, takes) = match self.kind {
            Kind::Gatherv if self.is_root() => {
                let parts = self.taken()?.parts(ranks)?;
                let own = Parts::one(parts.0[usize::from(self.net.rank)]);
                (if in_place { own } else { Parts::one(self.sent()?.part(0)?) }, parts)
            }
            Kind::Gatherv => (Parts::one(self.sent()?.part(0)?), Parts::default()),
            Kind::Scatterv if self.is_root() => {
                let parts = self.sent()?.parts(ranks)?;
                let stays = self.is_in_place(self.arguments.recv);
                let own = parts.0[usize::from(self.net.rank)];
                let own = if stays { own } else { self.taken()?.part(0)? };
                (parts, Parts::one(own))
            }
            Kind::Scatterv => (Parts::default(), Parts::one(self.taken()?.part(0)?)),
            _ => {
                let parts = self.taken()?.parts(ranks)?;
                (if in_place { parts.clone() } else { self.sent()?.parts(ranks)? }, parts)
            }
        };
        let known = match self.kind {
            Kind::Gatherv => bytes(&gives),
            Kind::Scatterv => bytes(&takes),
            _ => bytes(&gives),
        };
        let lengths = match self.ask(&known) {
            Ok(lengths) => lengths,
            Err(error) => return Ok(Err(error)),
        };
        let mut input = self.read(&gives);
        if in_place {
            input = input.own();
        }
        let stays = self.kind == Kind::Scatterv && self.is_in_place(self.arguments.recv);
        let task = if stays {
            Task::new(self.moves(0), input, Buffer::Own(vec![0; takes.bytes()]))
        } else {
            Task::new(self.moves(0), input, takes.write()).into(takes)
        };
        Ok(Ok(task.with_lengths(lengths)))
    }

    /// Returns the numbers of all ranks, in their order.
    fn ask(&self, own: &[u64]) -> Result<Vec<u64>, JobError> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = vec![0; bytes.len() * usize::from(self.net.size)];
        let call = Call {
            collective: Collective::AllGather,
            elements: bytes.len() as u64,
            ..Call::BARRIER
        };
        let mut task = Task::new(call, Buffer::Own(bytes), Buffer::Own(all));
        task.run(self.host, self.net)?;
        Ok(task
            .output
            .bytes()
            .as_chunks()
            .0
            .iter()
            .map(|number| u64::from_le_bytes(*number))
            .collect())
    }
}
