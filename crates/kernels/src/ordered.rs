//! Floats as integers that compare alike (R-NUM-15).

use crate::dispatch::Kernel;
use crate::float::{Float, for_float, pack, unpack};
use netfold_num::{ElementType, Operation};

pub(crate) struct ToOrdered<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) operation: Operation,
    pub(crate) tensor: &'a [u8],
    pub(crate) lanes: &'a mut [u8],
}

impl Kernel for ToOrdered<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let nan = netfold_num::to_ordered(self.operation, f32::NAN);
        for_float!(self.element_type, to_ordered(self.tensor, nan, self.lanes));
    }
}

#[inline(always)]
fn to_ordered<T: Float<N>, const N: usize>(tensor: &[u8], nan: i32, lanes: &mut [u8]) {
    for (&element, lane) in pack::<N>(tensor, lanes) {
        let element = T::from_ne(element);
        let key = invert_negative(element.widen().to_bits() as i32);
        *lane = if element.magnitude() > T::INFINITY { nan } else { key }.to_le_bytes();
    }
}

pub(crate) struct FromOrdered<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) lanes: &'a [u8],
    pub(crate) tensor: &'a mut [u8],
}

impl Kernel for FromOrdered<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for_float!(self.element_type, from_ordered(self.lanes, self.tensor));
    }
}

#[inline(always)]
fn from_ordered<T: Float<N>, const N: usize>(lanes: &[u8], tensor: &mut [u8]) {
    for (&lane, element) in unpack::<N>(lanes, tensor) {
        // Keys beyond the infinities are bits of NaN, which narrowing makes the canonical one.
        let bits = invert_negative(i32::from_le_bytes(lane));
        *element = T::narrow(f32::from_bits(bits as u32)).to_ne();
    }
}

/// Inverts the lower 31 bits of a negative number; its own inverse.
#[inline(always)]
fn invert_negative(bits: i32) -> i32 {
    bits ^ ((bits >> 31) & i32::MAX)
}
