//! Collectives on slices.

use std::sync::Arc;
use std::time::Duration;

use bytemuck::{cast_slice, cast_slice_mut};
use netfold_net::{Call, Collective, ElementType, Operation, Priority, Reduction, Stats, WorkerId};

use crate::element::Element;
use crate::error::Error;
use crate::options::{CallOptions, Op};
use crate::pending::Pending;
use crate::raw;

mod members;
mod parts;

/// A worker's place in a job, made by [`Connect::join`](crate::Connect::join).
///
/// Calls may be made from any thread. Every worker makes the same calls in the same order, so
/// threads that share a communicator have to agree on an order. A clone is the same worker, and may
/// have other options; the job is left when the last clone is dropped, or by
/// [`Communicator::close`].
///
/// A vector of length 0 is a call like any other: it has to be made by every worker, and is done
/// when all have made it (R-STREAM-7).
#[derive(Clone)]
pub struct Communicator {
    raw: Arc<raw::Communicator>,
    options: CallOptions,
}

impl Communicator {
    pub(crate) fn new(raw: raw::Communicator) -> Self {
        Self { raw: Arc::new(raw), options: CallOptions::default() }
    }

    /// Returns the same worker with other options for its calls.
    ///
    /// ```
    /// # use netfold::{CallOptions, Communicator, Error, Op, Priority};
    /// # fn step(comm: &Communicator, loss: &mut [f32]) -> Result<(), Error> {
    /// comm.with(CallOptions::new().priority(Priority::Urgent)).all_reduce(loss, Op::Average)
    /// # }
    /// ```
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self {
        Self { raw: self.raw.clone(), options }
    }

    /// Returns this worker's rank, from 0. It changes when an elastic job goes on without others.
    pub fn rank(&self) -> u16 {
        self.raw.rank()
    }

    /// Returns the number of workers; see [`Communicator::rank`].
    pub fn size(&self) -> u16 {
        self.raw.size()
    }

    /// Returns what this worker has done so far and agreed on with the switch.
    ///
    /// # Errors
    /// [`JobError::Forked`](crate::JobError)
    pub fn stats(&self) -> Result<Stats, Error> {
        Ok(self.raw.stats()?)
    }

    /// Returns the communicator below, for those who drive calls themselves.
    pub fn raw(&self) -> &Arc<raw::Communicator> {
        &self.raw
    }

    /// Leaves the job, for all clones. Calls that are in progress fail, and then the job fails for
    /// the others too. Closing again does nothing.
    pub fn close(&self) {
        self.raw.close();
    }

    /// Folds `tensor`, n elements, over all workers in place. Every worker gets the same bits.
    ///
    /// # Errors
    /// [`Error::Job`]. Of [`JobError::Unsupported`](crate::JobError) nothing is sent; after any
    /// other the contents of `tensor` are unspecified, and so they are after errors of the calls
    /// below.
    pub fn all_reduce<T: Element>(&self, tensor: &mut [T], op: Op) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::AllReduce, op, tensor.len());
        self.run_in_place(call, tensor)
    }

    /// Folds `input`, n elements, over all workers into `output`, n elements.
    ///
    /// # Errors
    /// [`Error::Length`] if the lengths differ, and [`Error::Job`].
    pub fn all_reduce_into<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        op: Op,
    ) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::AllReduce, op, input.len());
        let fits = input.len() == output.len();
        self.check(call, fits, "an output as long as the input", input.len(), output.len())?;
        self.run(call, input, output)
    }

    /// Folds `tensor`, n elements, over all workers. The worker `root` gets the result in place; at
    /// the others `tensor` stays as it is.
    ///
    /// # Errors
    /// [`Error::Job`], also if `root` is no rank of the job.
    pub fn reduce<T: Element>(&self, tensor: &mut [T], op: Op, root: u16) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::Reduce { root: WorkerId(root) }, op, tensor.len());
        self.run_in_place(call, tensor)
    }

    /// Overwrites `tensor`, n elements, by that of the worker `root`.
    ///
    /// # Errors
    /// [`Error::Job`], also if `root` is no rank of the job.
    pub fn broadcast<T: Element>(&self, tensor: &mut [T], root: u16) -> Result<(), Error> {
        let call =
            self.movement(Collective::Broadcast { root: WorkerId(root) }, size_of_val(tensor));
        self.run_in_place(call, tensor)
    }

    /// Does the same with a vector that an operation of the job transforms at the switch
    /// ([`Op::User`], R-OP-24): by its map, or its codec, whose wire elements `tensor` has. That of
    /// the root stays as it is.
    ///
    /// # Errors
    /// [`Error::Job`], also if `root` is no rank of the job.
    pub fn broadcast_by<T: Element>(
        &self,
        tensor: &mut [T],
        root: u16,
        op: Op,
    ) -> Result<(), Error> {
        let collective = Collective::Broadcast { root: WorkerId(root) };
        let call = Call { reduction: op.into(), ..self.movement(collective, size_of_val(tensor)) };
        self.run_in_place(call, tensor)
    }

    /// Asks an operation with state at the switch: `tensor`, n elements that are the operation's
    /// ([`Op::User`]), becomes its reply (R-OP-32). All workers make the call, each with a request
    /// of its own. Requests of a packet are answered in the order of ranks, and see what those
    /// before them have left.
    ///
    /// # Errors
    /// [`Error::Job`], also if the operation answers no requests, if another call by an operation
    /// with state is in progress (R-OP-33), or if the job has no slots for such calls.
    pub fn look_aside<T: Element>(&self, tensor: &mut [T], op: Op) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::LookAside, op, tensor.len());
        self.run_in_place(call, tensor)
    }

    /// Gathers `input`, n elements, of every worker into `output`, n elements of each worker in the
    /// order of ranks.
    ///
    /// # Errors
    /// [`Error::Length`] if `output` is not as long as all workers' inputs, and [`Error::Job`].
    pub fn all_gather<T: Element>(&self, input: &[T], output: &mut [T]) -> Result<(), Error> {
        let call = self.movement(Collective::AllGather, size_of_val(input));
        let fits = input.len().checked_mul(self.size().into()) == Some(output.len());
        self.check(
            call,
            fits,
            "an output as long as all workers' inputs",
            input.len(),
            output.len(),
        )?;
        self.run(call, input, output)
    }

    /// Folds `input`, n elements for each worker in the order of ranks, over all workers. This
    /// worker gets its own n elements of the result in `output`.
    ///
    /// # Errors
    /// [`Error::Length`] if `input` is not as long as all workers' outputs, and [`Error::Job`].
    pub fn reduce_scatter<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        op: Op,
    ) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::ReduceScatter, op, output.len());
        let fits = output.len().checked_mul(self.size().into()) == Some(input.len());
        self.check(
            call,
            fits,
            "an input as long as all workers' outputs",
            input.len(),
            output.len(),
        )?;
        self.run(call, input, output)
    }

    /// Waits until every worker has called it.
    ///
    /// # Errors
    /// [`Error::Job`]
    pub fn barrier(&self) -> Result<(), Error> {
        let call = Call { priority: self.options.priority, ..Call::BARRIER };
        self.run::<u8>(call, &[], &mut [])
    }

    /// Begins [`Communicator::all_reduce`] on a vector of its own, which comes back with the
    /// result.
    ///
    /// ```
    /// # use netfold::{Communicator, Error, Op};
    /// # fn step(comm: &Communicator, layers: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, Error> {
    /// let pending: Vec<_> =
    ///     layers.into_iter().map(|layer| comm.begin_all_reduce(layer, Op::Average)).collect::<Result<_, _>>()?;
    /// // ... something else meanwhile ...
    /// pending.into_iter().map(|layer| layer.wait()).collect()
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Job`], after which the vector is lost, as after those of the calls below.
    pub fn begin_all_reduce<T: Element>(
        &self,
        tensor: Vec<T>,
        op: Op,
    ) -> Result<Pending<T>, Error> {
        let call = self.fold::<T>(Collective::AllReduce, op, tensor.len());
        self.begin_in_place(call, tensor)
    }

    /// Begins [`Communicator::reduce`] on a vector of its own. At workers other than `root` the
    /// result is the vector as it was.
    ///
    /// # Errors
    /// As [`Communicator::reduce`].
    pub fn begin_reduce<T: Element>(
        &self,
        tensor: Vec<T>,
        op: Op,
        root: u16,
    ) -> Result<Pending<T>, Error> {
        let call = self.fold::<T>(Collective::Reduce { root: WorkerId(root) }, op, tensor.len());
        self.begin_in_place(call, tensor)
    }

    /// Begins [`Communicator::broadcast`] on a vector of its own.
    ///
    /// # Errors
    /// As [`Communicator::broadcast`].
    pub fn begin_broadcast<T: Element>(
        &self,
        tensor: Vec<T>,
        root: u16,
    ) -> Result<Pending<T>, Error> {
        let call =
            self.movement(Collective::Broadcast { root: WorkerId(root) }, size_of_val(&*tensor));
        self.begin_in_place(call, tensor)
    }

    /// Begins [`Communicator::all_gather`] of a vector of its own. The result is a new vector, as
    /// long as all workers' inputs.
    ///
    /// # Errors
    /// [`Error::Job`]
    pub fn begin_all_gather<T: Element>(&self, input: Vec<T>) -> Result<Pending<T>, Error> {
        let call = self.movement(Collective::AllGather, size_of_val(&*input));
        let output = vec![T::zeroed(); input.len() * usize::from(self.size())];
        let call = self.raw.submit_owned_into(call, input, output)?;
        Ok(Pending::new(call, self.options.timeout))
    }

    /// Begins [`Communicator::reduce_scatter`] of a vector of its own, n elements for each worker.
    /// The result is a new vector of n elements.
    ///
    /// # Errors
    /// [`Error::Length`] if the input cannot be divided among the workers, and [`Error::Job`].
    pub fn begin_reduce_scatter<T: Element>(
        &self,
        input: Vec<T>,
        op: Op,
    ) -> Result<Pending<T>, Error> {
        let size = usize::from(self.size());
        let output = vec![T::zeroed(); input.len() / size];
        let call = self.fold::<T>(Collective::ReduceScatter, op, output.len());
        let fits = input.len().is_multiple_of(size);
        self.check(
            call,
            fits,
            "an input of as many elements for each worker",
            input.len(),
            output.len(),
        )?;
        let call = self.raw.submit_owned_into(call, input, output)?;
        Ok(Pending::new(call, self.options.timeout))
    }

    /// The choice of a priority for calls.
    pub(crate) fn priority(&self) -> Option<Priority> {
        self.options.priority
    }

    /// The longest that a call may take.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.options.timeout
    }

    /// Returns a call that folds elements.
    fn fold<T: Element>(&self, collective: Collective, op: Op, elements: usize) -> Call {
        let (element_type, bytes) = match op {
            // R-OP-24
            Op::User(_) => (ElementType::U8, size_of::<T>()),
            _ => (T::TYPE, 1),
        };
        let (elements, priority) = ((bytes * elements) as u64, self.options.priority);
        Call { collective, reduction: op.into(), element_type, elements, priority }
    }

    /// Returns a call that only moves bytes.
    fn movement(&self, collective: Collective, bytes: usize) -> Call {
        let (elements, priority) = (bytes as u64, self.options.priority);
        let reduction = Reduction::Fold(Operation::Copy);
        Call { collective, reduction, element_type: ElementType::U8, elements, priority }
    }

    fn check(
        &self,
        call: Call,
        fits: bool,
        needed: &'static str,
        input: usize,
        output: usize,
    ) -> Result<(), Error> {
        let (call, size) = (call.collective.name(), self.size());
        if fits { Ok(()) } else { Err(Error::Length { call, size, needed, input, output }) }
    }

    fn run<T: Element>(&self, call: Call, input: &[T], output: &mut [T]) -> Result<(), Error> {
        Ok(self.raw.run(call, cast_slice(input), cast_slice_mut(output), self.options.timeout)?)
    }

    fn run_in_place<T: Element>(&self, call: Call, tensor: &mut [T]) -> Result<(), Error> {
        Ok(self.raw.run_in_place(call, cast_slice_mut(tensor), self.options.timeout)?)
    }

    fn begin_in_place<T: Element>(&self, call: Call, tensor: Vec<T>) -> Result<Pending<T>, Error> {
        Ok(Pending::new(self.raw.submit_owned(call, tensor)?, self.options.timeout))
    }
}
