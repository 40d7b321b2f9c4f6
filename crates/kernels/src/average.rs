//! The division that makes a plain sum an average (R-NUM-17).

use crate::dispatch::Kernel;
use crate::float::{Float, elements_mut, for_float};
use netfold_num::ElementType;

pub(crate) struct Divide<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) tensor: &'a mut [u8],
    pub(crate) divisor: u32,
}

impl Kernel for Divide<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        assert!(self.divisor != 0, "the divisor of an average is 0");
        match self.element_type {
            ElementType::F64 => divide_f64(self.tensor, f64::from(self.divisor)),
            narrow => for_float!(narrow, divide(self.tensor, self.divisor as f32)),
        }
    }
}

#[inline(always)]
fn divide<T: Float<N>, const N: usize>(tensor: &mut [u8], divisor: f32) {
    for element in elements_mut::<N>(tensor) {
        *element = T::narrow(T::from_ne(*element).widen() / divisor).to_ne();
    }
}

#[inline(always)]
fn divide_f64(tensor: &mut [u8], divisor: f64) {
    for element in elements_mut::<8>(tensor) {
        let quotient = f64::from_ne_bytes(*element) / divisor;
        *element = if quotient.is_nan() { f64::NAN } else { quotient }.to_ne_bytes();
    }
}
