//! The division that makes a plain sum an average (R-NUM-17).

use crate::dispatch::Kernel;
use crate::float::{Float, elements_mut, for_float};
use crate::simd::Simd;
use netfold_num::ElementType;

pub(crate) struct Divide<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a mut [u8],
    pub(crate) divisor: u32,
}

impl Kernel for Divide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        assert!(self.divisor != 0, "the divisor of an average is 0");
        match self.element_type {
            ElementType::F64 => divide_f64(self.tensor, f64::from(self.divisor)),
            narrow => for_float!(narrow, divide::<_, G>(simd, self.tensor, self.divisor as f32)),
        }
    }
}

#[inline(always)]
fn divide<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    tensor: &mut [u8],
    divisor: f32,
) {
    let (groups, rest) = elements_mut::<N>(tensor).as_chunks_mut();
    for group in groups {
        divide_group::<T, N, S, G>(simd, group, divisor);
    }
    if !rest.is_empty() {
        let mut group = [[0; N]; G];
        group[..rest.len()].copy_from_slice(rest);
        divide_group::<T, N, S, G>(simd, &mut group, divisor);
        rest.copy_from_slice(&group[..rest.len()]);
    }
}

#[inline(always)]
fn divide_group<T: Float<N>, const N: usize, S: Simd<G>, const G: usize>(
    simd: S,
    group: &mut [[u8; N]; G],
    divisor: f32,
) {
    T::store(simd, simd.quotient(T::load(simd, group), divisor), group);
}

#[inline(always)]
fn divide_f64(tensor: &mut [u8], divisor: f64) {
    for element in elements_mut::<8>(tensor) {
        let quotient = f64::from_ne_bytes(*element) / divisor;
        *element = if quotient.is_nan() { f64::NAN } else { quotient }.to_ne_bytes();
    }
}
