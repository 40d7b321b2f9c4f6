//! Elements that travel as they are: only the order of their bytes may differ between memory and wire.

use crate::dispatch::Kernel;
use crate::float::pair;
use crate::simd::Simd;
use netfold_num::ElementType;

/// Copies a tensor's elements into lanes of the same type.
///
/// # Panics
/// If the lengths differ.
pub fn to_wire(element_type: ElementType, tensor: &[u8], lanes: &mut [u8]) {
    crate::Kernels::best().copy(element_type, LITTLE_ENDIAN_HOST, tensor, lanes);
}

/// Copies lanes into a tensor's elements of the same type.
///
/// # Panics
/// If the lengths differ.
pub fn from_wire(element_type: ElementType, lanes: &[u8], tensor: &mut [u8]) {
    crate::Kernels::best().copy(element_type, LITTLE_ENDIAN_HOST, lanes, tensor);
}

pub(crate) const LITTLE_ENDIAN_HOST: bool = cfg!(target_endian = "little");

/// Copies elements, in the same order of bytes or in the other one.
pub(crate) struct Copy<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) same_order: bool,
    pub(crate) from: &'a [u8],
    pub(crate) to: &'a mut [u8],
}

impl Kernel for Copy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) {
        let Self { element_type, same_order, from, to } = self;
        match element_type.bytes() {
            _ if same_order => to.copy_from_slice(from),
            2 => swap(from, to, |lane| u16::from_ne_bytes(lane).swap_bytes().to_ne_bytes()),
            4 => swap(from, to, |lane| u32::from_ne_bytes(lane).swap_bytes().to_ne_bytes()),
            8 => swap(from, to, |lane| u64::from_ne_bytes(lane).swap_bytes().to_ne_bytes()),
            _ => to.copy_from_slice(from),
        }
    }
}

/// By integers of a lane's size: that swapping their bytes is a shuffle is what the compiler knows.
#[inline(always)]
fn swap<const N: usize>(from: &[u8], to: &mut [u8], swapped: impl Fn([u8; N]) -> [u8; N]) {
    let (from, to) = pair::<N, N>(from, to);
    for (&from, to) in from.iter().zip(to) {
        *to = swapped(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_little_endian() {
        let mut lanes = [0; 8];
        to_wire(ElementType::I32, &[1i32.to_ne_bytes(), (-2i32).to_ne_bytes()].concat(), &mut lanes);
        assert_eq!(lanes, [1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]);
        let mut tensor = [0; 8];
        from_wire(ElementType::I64, &1i64.to_le_bytes(), &mut tensor);
        assert_eq!(i64::from_ne_bytes(tensor), 1);
    }
}
