//! Collectives in which workers give and get parts of their own.

use bytemuck::{cast_slice, cast_slice_mut};
use netfold_net::{Call, Collective, Lengths, WorkerId};

use super::Communicator;
use crate::element::Element;
use crate::error::Error;
use crate::options::Op;

impl Communicator {
    /// Gathers `input`, n elements, of every worker at the worker `root`, in the order of ranks.
    /// Its `output` has n elements for each worker; that of the others is not used, and may be
    /// empty.
    ///
    /// # Errors
    /// [`Error::Length`] if the root's output is not as long as all workers' inputs, and
    /// [`Error::Job`], also if `root` is no rank of the job.
    pub fn gather<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        root: u16,
    ) -> Result<(), Error> {
        let call = self.movement(Collective::Gather { root: WorkerId(root) }, size_of_val(input));
        let fits = self.rank() != root || self.is_whole(input.len(), output.len());
        let needed = "an output at the root as long as all workers' inputs";
        self.check(call, fits, needed, input.len(), output.len())?;
        self.run(call, input, output)
    }

    /// Gives worker r part r of the root's `input`, which has n elements for each worker, in its
    /// `output`, n elements. The input of the others is not used, and may be empty.
    ///
    /// # Errors
    /// [`Error::Length`] if the root's input is not as long as all workers' outputs, and
    /// [`Error::Job`], also if `root` is no rank of the job.
    pub fn scatter<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        root: u16,
    ) -> Result<(), Error> {
        let call = self.movement(Collective::Scatter { root: WorkerId(root) }, size_of_val(output));
        let fits = self.rank() != root || self.is_whole(output.len(), input.len());
        let needed = "an input at the root as long as all workers' outputs";
        self.check(call, fits, needed, input.len(), output.len())?;
        self.run(call, input, output)
    }

    /// Gives worker r part r of every worker's `input`, n elements for each worker. `output` gets
    /// as many, in the order of the ranks that they come from.
    ///
    /// # Errors
    /// [`Error::Length`] if input and output differ in length or cannot be divided among the
    /// workers, and [`Error::Job`].
    pub fn all_to_all<T: Element>(&self, input: &[T], output: &mut [T]) -> Result<(), Error> {
        let part = input.len() / usize::from(self.size());
        let call = self.movement(Collective::AllToAll, part * size_of::<T>());
        let fits = input.len() == output.len() && self.is_whole(part, input.len());
        let needed = "an input of as many elements for each worker, and an output as long";
        self.check(call, fits, needed, input.len(), output.len())?;
        self.run(call, input, output)
    }

    /// Folds `input`, n elements, of the workers of ranks 0 to this one's into `output`, n elements
    /// (MPI_Scan).
    ///
    /// # Errors
    /// [`Error::Length`] if the lengths differ, and [`Error::Job`], also for an average.
    pub fn scan<T: Element>(&self, input: &[T], output: &mut [T], op: Op) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::Scan, op, input.len());
        let fits = input.len() == output.len();
        self.check(call, fits, "an output as long as the input", input.len(), output.len())?;
        self.run(call, input, output)
    }

    /// Folds `input`, n elements, of the workers of lower ranks than this one's into `output`, n
    /// elements (MPI_Exscan). The output of rank 0 is not used.
    ///
    /// # Errors
    /// As [`Communicator::scan`].
    pub fn exscan<T: Element>(&self, input: &[T], output: &mut [T], op: Op) -> Result<(), Error> {
        let call = self.fold::<T>(Collective::ExScan, op, input.len());
        let fits = input.len() == output.len() || self.rank() == 0;
        self.check(call, fits, "an output as long as the input", input.len(), output.len())?;
        self.run(call, input, output)
    }

    /// Does what [`Communicator::all_gather`] does with inputs that differ in length:
    /// `lengths[r]` elements of worker r (MPI_Allgatherv). All workers give the same lengths.
    ///
    /// # Errors
    /// [`Error::Length`] if input or output have other lengths than these say, and [`Error::Job`],
    /// also if there is not one length for each worker. So it is with the calls below.
    pub fn all_gather_v<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        lengths: &[usize],
    ) -> Result<(), Error> {
        self.run_v(self.movement(Collective::AllGather, 0), input, output, lengths)
    }

    /// Does what [`Communicator::reduce_scatter`] does with parts that differ in length: worker r
    /// gets `lengths[r]` elements of the fold (MPI_Reduce_scatter).
    ///
    /// # Errors
    /// As [`Communicator::all_gather_v`].
    pub fn reduce_scatter_v<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        lengths: &[usize],
        op: Op,
    ) -> Result<(), Error> {
        self.run_v(self.fold::<T>(Collective::ReduceScatter, op, 0), input, output, lengths)
    }

    /// Does what [`Communicator::gather`] does with inputs that differ in length: `lengths[r]`
    /// elements of worker r (MPI_Gatherv).
    ///
    /// # Errors
    /// As [`Communicator::all_gather_v`].
    pub fn gather_v<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        lengths: &[usize],
        root: u16,
    ) -> Result<(), Error> {
        let collective = Collective::Gather { root: WorkerId(root) };
        self.run_v(self.movement(collective, 0), input, output, lengths)
    }

    /// Does what [`Communicator::scatter`] does with parts that differ in length: worker r gets
    /// `lengths[r]` elements (MPI_Scatterv).
    ///
    /// # Errors
    /// As [`Communicator::all_gather_v`].
    pub fn scatter_v<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        lengths: &[usize],
        root: u16,
    ) -> Result<(), Error> {
        let collective = Collective::Scatter { root: WorkerId(root) };
        self.run_v(self.movement(collective, 0), input, output, lengths)
    }

    /// Does what [`Communicator::all_to_all`] does with parts that differ in length
    /// (MPI_Alltoallv). Of n workers, worker r gives worker s `lengths[r * n + s]` elements: all
    /// workers give the same n * n lengths.
    ///
    /// # Errors
    /// As [`Communicator::all_gather_v`].
    pub fn all_to_all_v<T: Element>(
        &self,
        input: &[T],
        output: &mut [T],
        lengths: &[usize],
    ) -> Result<(), Error> {
        self.run_v(self.movement(Collective::AllToAll, 0), input, output, lengths)
    }

    /// Makes a call with parts of these lengths in elements.
    fn run_v<T: Element>(
        &self,
        call: Call,
        input: &[T],
        output: &mut [T],
        lengths: &[usize],
    ) -> Result<(), Error> {
        // Calls that move bytes, or fold them, have lengths in bytes.
        let unit = (size_of::<T>() / call.element_type.bytes()) as u64;
        let lengths = lengths.iter().map(|length| unit.saturating_mul(*length as u64));
        let lengths = Lengths::from(lengths.collect::<Vec<_>>());
        let (needed_in, needed_out) =
            self.raw.plan(call, Some(lengths.clone()))?.input_output_elements();
        let rooted = call.collective.root().is_some();
        // What a worker other than the root gives where only the root's counts is not used.
        let fits =
            |needed: u64, given: usize| given as u64 * unit == needed || (needed == 0 && rooted);
        let all_fit = fits(needed_in, input.len()) && fits(needed_out, output.len());
        let needed = "an input and an output as long as the lengths say";
        self.check(call, all_fit, needed, input.len(), output.len())?;
        let (input, output) = (cast_slice(input), cast_slice_mut(output));
        Ok(self.raw.run_parts(call, lengths, input, output, self.options.timeout)?)
    }

    /// Returns whether `all` is as long as `part` of every worker.
    fn is_whole(&self, part: usize, all: usize) -> bool {
        part.checked_mul(self.size().into()) == Some(all)
    }
}
