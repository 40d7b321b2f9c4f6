//! Elements that travel as they are: only the order of their bytes may differ between memory and
//! wire.

use crate::byte_order::Bytes;
use crate::dispatch::PlainKernel;
use crate::float::pair;
use netfold_num::ElementType;

/// Copies elements, in the same order of bytes or in the other one.
pub(crate) struct Copy<'a> {
    pub(crate) element_type: ElementType,
    /// True if the order is the other one.
    pub(crate) swap: bool,
    pub(crate) from: &'a [u8],
    pub(crate) to: &'a mut [u8],
}

impl PlainKernel for Copy<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { element_type, swap, from, to } = self;
        match element_type.bytes() {
            2 if swap => swapped::<2>(from, to),
            4 if swap => swapped::<4>(from, to),
            8 if swap => swapped::<8>(from, to),
            _ => to.copy_from_slice(from),
        }
    }
}

#[inline(always)]
fn swapped<const N: usize>(from: &[u8], to: &mut [u8])
where
    [u8; N]: Bytes,
{
    let (from, to) = pair::<N, N>(from, to);
    for (from, to) in from.iter().zip(to) {
        *to = from.swapped();
    }
}
