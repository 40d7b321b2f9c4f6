//! Lanes of f16 that stand for integers of a block (R-NUM-20 to R-NUM-22): the way of a group there
//! and back, and the slot's sum of them.

use crate::byte_order::{differs, swapped};
use crate::dispatch::Kernel;
use crate::float::{elements, pair};
use crate::simd::{Simd, Step, for_groups};
use netfold_num::{ByteOrder, HALF_UNIT};

/// The integers that a group of lanes stands for (R-NUM-21), in the processor's order or in the
/// other one.
#[inline(always)]
pub(crate) fn widen<const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    lanes: &[[u8; 2]; G],
) -> S::Integers {
    let lanes = if SWAP { simd.load_f16(&swapped(lanes)) } else { simd.load_f16(lanes) };
    // Exact, and below 2^31: the largest f16 is 65504.
    simd.to_integers(simd.product(lanes, simd.splat_f32((1.0 / HALF_UNIT) as f32)))
}

/// The lanes that stand for a group of integers (R-NUM-20).
#[inline(always)]
pub(crate) fn narrow<const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    integers: S::Integers,
    lanes: &mut [[u8; 2]; G],
) {
    // The conversion rounds, and the product with a power of two does not.
    simd.store_f16(simd.product(simd.to_floats(integers), simd.splat_f32(HALF_UNIT as f32)), lanes);
    if SWAP {
        *lanes = swapped(lanes);
    }
}

/// Adds lanes to a slot's integers.
pub(crate) struct AddHalves<'a> {
    pub(crate) order: ByteOrder,
    /// The integers are those of the lanes, whatever they were.
    pub(crate) first: bool,
    pub(crate) sums: &'a mut [u8],
    pub(crate) input: &'a [u8],
}

impl Kernel for AddHalves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let Self { order, first, sums, input } = self;
        let (input, sums) = pair::<2, 4>(input, sums);
        match (differs(order), first) {
            (false, false) => for_groups(simd, input, sums, &Add::<false, false>),
            (false, true) => for_groups(simd, input, sums, &Add::<false, true>),
            (true, false) => for_groups(simd, input, sums, &Add::<true, false>),
            (true, true) => for_groups(simd, input, sums, &Add::<true, true>),
        }
    }
}

struct Add<const SWAP: bool, const FIRST: bool>;

impl<S: Simd<G>, const G: usize, const SWAP: bool, const FIRST: bool> Step<S, G, 2, 4>
    for Add<SWAP, FIRST>
{
    #[inline(always)]
    fn apply(&self, simd: S, input: &[[u8; 2]; G], sums: &mut [[u8; 4]; G]) {
        let integers = widen::<SWAP, S, G>(simd, input);
        let integers = if FIRST { integers } else { simd.plus(simd.load_i32(sums), integers) };
        simd.store_i32(integers, sums);
    }
}

/// Makes the lanes of a slot's integers, in the first half of their memory.
pub(crate) struct ReadHalves<'a> {
    pub(crate) order: ByteOrder,
    pub(crate) sums: &'a mut [u8],
}

impl Kernel for ReadHalves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        let Self { order, sums } = self;
        if differs(order) {
            read::<true, _, G>(simd, sums)
        } else {
            read::<false, _, G>(simd, sums)
        }
    }
}

#[inline(always)]
fn read<const SWAP: bool, S: Simd<G>, const G: usize>(simd: S, sums: &mut [u8]) {
    let count = elements::<4>(sums).len();
    for start in (0..count).step_by(G) {
        let held = G.min(count - start);
        let (mut integers, mut lanes) = ([[0; 4]; G], [[0; 2]; G]);
        integers[..held].copy_from_slice(elements(&sums[start * 4..(start + held) * 4]));
        // No group is written before it is read: lanes are half as long as integers.
        narrow::<SWAP, S, G>(simd, simd.load_i32(&integers), &mut lanes);
        sums[start * 2..(start + held) * 2].copy_from_slice(lanes[..held].as_flattened());
    }
}
