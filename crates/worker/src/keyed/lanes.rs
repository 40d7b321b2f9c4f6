//! Rows of floats as they travel (R-KEY-1).

use netfold_num::{ByteOrder, ElementType};

/// The form of a table's rows, for callers that have floats of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Type of a lane, f32 or i32.
    pub element_type: ElementType,
    /// Order of its bytes.
    pub order: ByteOrder,
    /// A lane of i32 is the number times 2^scale, rounded to the nearest integer.
    pub scale: i32,
}

impl Lanes {
    /// Appends numbers as lanes. A number that i32 does not hold becomes the nearest that it holds,
    /// and NaN becomes 0.
    pub fn encode(&self, numbers: &[f32], lanes: &mut Vec<u8>) {
        match self.element_type {
            ElementType::I32 => {
                let factor = f64::from(self.scale).exp2();
                // A conversion to an integer saturates.
                let lane = |number: &f32| (f64::from(*number) * factor).round_ties_even() as i32;
                self.append(lanes, numbers, |number| lane(number).to_le_bytes());
            }
            _ => self.append(lanes, numbers, |number| number.to_le_bytes()),
        }
    }

    fn append(&self, lanes: &mut Vec<u8>, numbers: &[f32], bytes: impl Fn(&f32) -> [u8; 4]) {
        let start = lanes.len();
        lanes.resize(start + 4 * numbers.len(), 0);
        let (places, _) = lanes[start..].as_chunks_mut::<4>();
        let places = places.iter_mut().zip(numbers);
        match self.order {
            ByteOrder::Little => places.for_each(|(place, number)| *place = bytes(number)),
            ByteOrder::Network => places.for_each(|(place, number)| {
                *place = bytes(number);
                place.reverse();
            }),
        }
    }

    /// Writes the numbers that lanes stand for.
    ///
    /// # Panics
    /// If there are not as many lanes as numbers.
    pub fn decode(&self, lanes: &[u8], numbers: &mut [f32]) {
        assert_eq!(lanes.len(), 4 * numbers.len(), "a lane for each number");
        let factor = f64::from(-self.scale).exp2();
        let (lanes, _) = lanes.as_chunks::<4>();
        for (lane, number) in lanes.iter().zip(numbers) {
            let mut bytes = *lane;
            if self.order == ByteOrder::Network {
                bytes.reverse();
            }
            *number = match self.element_type {
                ElementType::I32 => (f64::from(i32::from_le_bytes(bytes)) * factor) as f32,
                _ => f32::from_le_bytes(bytes),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Floats come back as they are; fixed points within half of their resolution.
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(-1e3_f32..1e3, 0..20), network: bool) {
            let order = if network { ByteOrder::Network } else { ByteOrder::Little };
            for (element_type, scale, bound) in
                [(ElementType::F32, 0, 0.0), (ElementType::I32, 20, f32::exp2(-21.0))]
            {
                let form = Lanes { element_type, order, scale };
                let (mut lanes, mut back) = (vec![], vec![0.0; numbers.len()]);
                form.encode(&numbers, &mut lanes);
                form.decode(&lanes, &mut back);
                for (number, back) in numbers.iter().zip(&back) {
                    // The float that is read has 24 bits: half a unit of 2^-14 below 2^10.
                    let rounding = if scale == 0 { 0.0 } else { f32::exp2(-15.0) };
                    prop_assert!((number - back).abs() <= bound + rounding, "{number} {back}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_the_nearest() {
        let form = Lanes { element_type: ElementType::I32, order: ByteOrder::Network, scale: 2 };
        let mut lanes = vec![];
        form.encode(&[1e30, -1e30, f32::NAN, 0.625, -0.375], &mut lanes);
        let expected = [i32::MAX, i32::MIN, 0, 2, -2];
        assert_eq!(lanes, expected.map(i32::to_be_bytes).concat());
    }
}
