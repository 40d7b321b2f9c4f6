//! The stream's interface to a call's memory.

use netfold_kernels::Lanes;
use netfold_num::Exponent;

use crate::plan::Block;

/// The memory of a call, as the stream sees it: where blocks come from and go to. Lanes are in the
/// job's byte order, as on the wire (R-NUM-19).
///
/// A block may be packed more than once, but never after its result was unpacked. Input and output
/// may be the same memory.
pub trait Tensor {
    /// Copies what its worker keeps ([`Plan::kept`](crate::Plan::kept)) from input to output. One
    /// flow of the call does so before the call is done.
    fn keep(&mut self) {}
    /// Returns the exponent of the block's largest magnitude, SPECIAL if the block holds a NaN or
    /// an infinity (R-WORK-5).
    fn exponent(&self, block: &Block) -> Exponent;
    /// Returns the same over the block's finite elements.
    fn finite_exponent(&self, block: &Block) -> Exponent;
    /// Writes the block's lanes, quantised with `exponent` where the coding asks for it.
    fn pack(&self, block: &Block, exponent: Exponent, lanes: &mut [u8]);
    /// Returns the same lanes for a switch that has this memory at hand; `None` if they have to be
    /// packed.
    fn lanes(&self, _block: &Block, _exponent: Exponent) -> Option<Lanes<'_>> {
        None
    }
    /// Writes the lanes that tell which elements are NaN or infinite.
    fn pack_classes(&self, block: &Block, lanes: &mut [u8]);
    /// Takes the folded lanes. After [`Tensor::unpack_classes`] for the same block (`special`),
    /// elements that are NaN or infinite stay.
    fn unpack(&mut self, block: &Block, exponent: Exponent, special: bool, lanes: &[u8]);
    /// Takes the folded classes: writes NaN and infinity where they belong.
    fn unpack_classes(&mut self, block: &Block, lanes: &[u8]);
    /// Returns the memory's description of a call that is carried out elsewhere (R-STREAM-11);
    /// `None` for any other call.
    fn description(&self) -> Option<String> {
        None
    }
}

/// The memory of a call whose elements can be read where they lie.
pub trait Contiguous: Tensor {
    /// Returns this worker's elements of a block, in the host's byte order; none if it contributes
    /// nothing.
    fn elements(&self, block: &Block) -> &[u8];
    /// Takes the sum of blocks of f32, one of each worker that contributes one: what their rounds
    /// make of them. `blocks` gives them, each time from the first one on. Returns the exponent
    /// agreed on; if that is SPECIAL, nothing is taken.
    fn take_sum<'b, B: Iterator<Item = &'b [u8]>>(
        &mut self,
        block: &Block,
        blocks: &impl Fn() -> B,
    ) -> Exponent;
}
