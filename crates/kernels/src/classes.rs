//! NaN and infinity of a block, as lanes that count them (R-NUM-13, R-NUM-14).

use crate::dispatch::PlainKernel;
use crate::float::{Float, for_float, pair};
use netfold_num::{ElementType, class_of};

pub(crate) struct Classify<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a [u8],
    pub(crate) lanes: &'a mut [u8],
}

impl PlainKernel for Classify<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for_float!(self.element_type, classify(self.tensor, self.lanes));
    }
}

/// The classes of the reference.
const POSITIVE: i32 = class_of(f32::INFINITY);
const NEGATIVE: i32 = class_of(f32::NEG_INFINITY);
const NAN: i32 = class_of(f32::NAN);

#[inline(always)]
fn classify<T: Float<N>, const N: usize>(tensor: &[u8], lanes: &mut [u8]) {
    let (elements, lanes) = pair::<N, 4>(tensor, lanes);
    for (&element, lane) in elements.iter().zip(lanes) {
        let element = T::from_ne(element);
        let magnitude = element.magnitude();
        let infinite = if element.widen().to_bits() >> 31 == 0 { POSITIVE } else { NEGATIVE };
        let infinite = if magnitude == T::INFINITY { infinite } else { 0 };
        let class = if magnitude > T::INFINITY { NAN } else { infinite };
        *lane = class.to_le_bytes();
    }
}

pub(crate) struct Resolve<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) lanes: &'a [u8],
    pub(crate) tensor: &'a mut [u8],
    pub(crate) in_place: bool,
}

impl PlainKernel for Resolve<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for_float!(self.element_type, resolve(self.lanes, self.tensor, self.in_place));
    }
}

#[inline(always)]
fn resolve<T: Float<N>, const N: usize>(lanes: &[u8], tensor: &mut [u8], in_place: bool) {
    let (lanes, elements) = pair::<4, N>(lanes, tensor);
    for (&lane, element) in lanes.iter().zip(elements) {
        let sum = i32::from_le_bytes(lane) as u32;
        let kept = if in_place {
            T::from_ne(*element)
        } else {
            T::from_magnitude(T::Magnitude::default())
        };
        // An infinity has one counter above 0, a NaN two.
        let other = if sum.is_multiple_of(NEGATIVE as u32) { f32::NEG_INFINITY } else { f32::NAN };
        let special = if sum < NEGATIVE as u32 { f32::INFINITY } else { other };
        *element = if sum == 0 { kept } else { T::narrow(special) }.to_ne();
    }
}
