//! The memory of a call, shared by the flows that carry its blocks.

use std::ops::Range;

use netfold_worker::{Lengths, Memory, Plan};

/// Input and output of a call as addresses, so that several flows can work on disjoint blocks of
/// one tensor at the same time.
///
/// One call consumes it, so that no two calls have the same memory:
///
/// ```compile_fail,E0382
/// # use netfold_net::{Call, CallMemory, Communicator, Error};
/// fn twice(comm: &Communicator, call: Call, memory: CallMemory) -> Result<(), Error> {
///     comm.submit(call, memory, false)?;
///     comm.begin(call, memory)?; // use of moved value
///     Ok(())
/// }
/// ```
///
/// ```compile_fail,E0599
/// # use netfold_net::CallMemory;
/// fn copied(memory: &CallMemory) -> CallMemory {
///     memory.clone() // no method named `clone`
/// }
/// ```
#[derive(Debug)]
pub struct CallMemory {
    input: *const u8,
    input_bytes: usize,
    output: *mut u8,
    output_bytes: usize,
    /// Lengths of parts, until the call is planned.
    lengths: Option<Lengths>,
}

// SAFETY: by the contract of `from_raw` the memory is the call's alone until it is done, and flows
// touch disjoint blocks of it (R-STREAM-2).
unsafe impl Send for CallMemory {}
// SAFETY: through a shared reference it can only be read, which `from_raw` allows everybody to do
// with the input.
unsafe impl Sync for CallMemory {}

impl CallMemory {
    /// Memory of the caller.
    ///
    /// # Safety
    /// Until the call is reported done (with a result or an error), `input` must be valid for reads
    /// of `input_bytes` and `output` for writes of `output_bytes`, nobody else may write either,
    /// and nobody may read the output. The two may be the same address, but must not overlap
    /// otherwise. A pointer whose length is 0 is not used and may be null.
    pub unsafe fn from_raw(
        input: *const u8,
        input_bytes: usize,
        output: *mut u8,
        output_bytes: usize,
    ) -> Self {
        Self { input, input_bytes, output, output_bytes, lengths: None }
    }

    /// Returns the same memory for a call with parts of these lengths.
    #[must_use]
    pub fn with_lengths(self, lengths: Lengths) -> Self {
        Self { lengths: Some(lengths), ..self }
    }

    /// Takes the lengths of the call's parts, if they differ.
    pub(crate) fn take_lengths(&mut self) -> Option<Lengths> {
        self.lengths.take()
    }

    /// Takes the memory, and leaves none.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let none = Self {
            input: std::ptr::null(),
            input_bytes: 0,
            output: std::ptr::null_mut(),
            output_bytes: 0,
            lengths: None,
        };
        std::mem::replace(self, none)
    }

    /// Returns the same memory for another flow of the call.
    ///
    /// # Safety
    /// It must go to a flow of the same call that has none of it yet: flows work on disjoint blocks
    /// (R-STREAM-2), and the call is done when all of them have let go (R-WORK-6).
    pub(crate) unsafe fn for_another_flow(&self) -> Self {
        Self { lengths: None, ..*self }
    }

    /// Bytes that `plan` needs of an input and of an output.
    pub fn bytes_of(plan: &Plan) -> (u64, u64) {
        let (input, output) = plan.input_output_elements();
        let bytes = plan.call().element_type.bytes() as u64;
        (input * bytes, output * bytes)
    }

    /// Returns whether elements of the input would be overwritten by those of the output.
    pub(crate) fn is_shared(&self) -> bool {
        self.in_place() && self.input_bytes > 0 && self.output_bytes > 0
    }

    /// Returns whether the memory is as large as `plan` needs.
    pub(crate) fn fits(&self, plan: &Plan) -> bool {
        let (input, output) = Self::bytes_of(plan);
        input <= self.input_bytes as u64 && output <= self.output_bytes as u64
    }
}

impl Memory for CallMemory {
    fn input(&self, range: Range<usize>) -> &[u8] {
        if range.is_empty() {
            return &[];
        }
        assert!(range.end <= self.input_bytes, "{range:?} of {} bytes of input", self.input_bytes);
        // SAFETY: the range lies within memory that is readable (`from_raw`); no result is written
        // to it while the slice lives, since the flow that owns the block either packs or unpacks
        // it.
        unsafe { std::slice::from_raw_parts(self.input.add(range.start), range.len()) }
    }

    fn output(&mut self, range: Range<usize>) -> &mut [u8] {
        if range.is_empty() {
            return &mut [];
        }
        assert!(
            range.end <= self.output_bytes,
            "{range:?} of {} bytes of output",
            self.output_bytes
        );
        // SAFETY: the range lies within memory that is writable (`from_raw`), and its block belongs
        // to this flow alone.
        unsafe { std::slice::from_raw_parts_mut(self.output.add(range.start), range.len()) }
    }

    fn keep(&mut self, range: Range<usize>, to: usize) {
        let len = range.len();
        assert!(
            range.end <= self.input_bytes && to + len <= self.output_bytes,
            "{range:?} of {} bytes of input, to {to} of {} bytes of output",
            self.input_bytes,
            self.output_bytes
        );
        // SAFETY: both lie within memory of the call (`from_raw`), and no block of any flow has
        // these elements of the output (R-STREAM-13).
        unsafe { std::ptr::copy(self.input.add(range.start), self.output.add(to), len) }
    }

    fn in_place(&self) -> bool {
        std::ptr::eq(self.input, self.output)
    }
}
