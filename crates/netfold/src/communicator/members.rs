//! Communicators of some of the workers, and messages between two.

use std::time::Instant;

use bytemuck::{cast_slice, cast_slice_mut};
use netfold_net::{Call, Collective, Operations, Reminder, Waiting};
use std::ops::ControlFlow;
use tracing::warn;

use super::Communicator;
use crate::element::Element;
use crate::error::Error;
use crate::options::Op;

impl Communicator {
    /// Joins a job of some of the workers, on the same terms, and waits until all of them have
    /// called this, at most for the timeout of calls. Worker `ranks[i]` of this job has rank i
    /// there.
    ///
    /// ```
    /// # use netfold::{Communicator, Error, Op};
    /// # fn step(comm: &Communicator, vector: &mut [f32]) -> Result<(), Error> {
    /// let halves: Vec<Vec<u16>> = vec![(0..comm.size() / 2).collect(), (comm.size() / 2..comm.size()).collect()];
    /// let mine = halves.into_iter().find(|half| half.contains(&comm.rank())).unwrap_or_default();
    /// comm.subgroup(&mine)?.all_reduce(vector, Op::Sum)
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Job`], also for a list that lacks this worker, names a rank twice, or names one
    /// that the job does not have.
    pub fn subgroup(&self, ranks: &[u16]) -> Result<Self, Error> {
        let raw = self.raw.subgroup(ranks, "", self.options.timeout, self.heed())?;
        Ok(Self::new(raw).with(self.options))
    }

    /// Joins a job of the same workers that may fold by these operations, and waits until all have
    /// called this.
    ///
    /// # Errors
    /// [`Error::Job`], also if the switch refuses an operation.
    pub fn with_operations(&self, operations: Operations) -> Result<Self, Error> {
        let raw = self.raw.with_operations(operations, self.options.timeout, self.heed())?;
        Ok(Self::new(raw).with(self.options))
    }

    /// Returns the operation of this name that the job's workers have brought along, for calls; the
    /// first one, if several have it, and `None` if no operation has it.
    ///
    /// # Errors
    /// [`JobError::Forked`](crate::JobError)
    pub fn operation(&self, name: &str) -> Result<Option<Op>, Error> {
        let folds = self.raw.folds()?;
        Ok(folds.iter().find(|fold| fold.name() == name).map(|fold| Op::User(*fold)))
    }

    /// Sends `message`, n elements, to the worker `target`, and returns when it has arrived there.
    /// Messages with one tag arrive in the order in which they were sent.
    ///
    /// # Errors
    /// [`Error::Job`], also if the receiver takes another number of bytes.
    pub fn send<T: Element>(&self, message: &[T], target: u16, tag: u32) -> Result<(), Error> {
        self.pass((self.rank(), target), tag, None, cast_slice(message), &mut [])
    }

    /// Sends a message that an operation of the job transforms at the switch ([`Op::User`],
    /// R-OP-24): by its map, or its codec, whose wire elements `message` has. The receiver takes it
    /// by [`Communicator::recv_by`] and the same operation.
    ///
    /// # Errors
    /// As [`Communicator::send`], also if the receiver takes it without the operation.
    pub fn send_by<T: Element>(
        &self,
        message: &[T],
        target: u16,
        tag: u32,
        op: Op,
    ) -> Result<(), Error> {
        self.pass((self.rank(), target), tag, Some(op), cast_slice(message), &mut [])
    }

    /// Takes the next message with this tag from the worker `source` into `message`, n elements.
    ///
    /// # Errors
    /// [`Error::Job`], also if the message has another number of bytes.
    pub fn recv<T: Element>(&self, message: &mut [T], source: u16, tag: u32) -> Result<(), Error> {
        self.pass((source, self.rank()), tag, None, &[], cast_slice_mut(message))
    }

    /// Takes a message that an operation has transformed; see [`Communicator::send_by`].
    ///
    /// # Errors
    /// As [`Communicator::recv`], also if the message was sent without the operation.
    pub fn recv_by<T: Element>(
        &self,
        message: &mut [T],
        source: u16,
        tag: u32,
        op: Op,
    ) -> Result<(), Error> {
        self.pass((source, self.rank()), tag, Some(op), &[], cast_slice_mut(message))
    }

    /// Takes this worker's part in a message between the two `ends`.
    fn pass(
        &self,
        ends: (u16, u16),
        tag: u32,
        op: Option<Op>,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        let timeout = self.options.timeout;
        let channel = self.raw.channel(ends.0, ends.1, tag, timeout, self.heed())?;
        let call = self.movement(Collective::Message, input.len().max(output.len()));
        let call = op.map_or(call, |op| Call { reduction: op.into(), ..call });
        Ok(channel.run(call, input, output, timeout)?)
    }

    /// Returns what says at intervals who is missing, while a job is joined.
    fn heed(&self) -> impl FnMut(&Waiting) -> ControlFlow<()> + use<> {
        let (rank, start, mut reminder) = (self.rank(), Instant::now(), Reminder::default());
        move |now| {
            if reminder.is_due(start.elapsed(), now) {
                warn!("rank {rank}: {now}");
            }
            ControlFlow::Continue(())
        }
    }
}
