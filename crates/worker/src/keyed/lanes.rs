//! Rows as they travel (R-KEY-1).

use netfold_num::{ByteOrder, ElementType, Number};

/// The form of a table's rows on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Type of a lane: that of the numbers, or i32, which stands for floats in fixed point.
    pub element_type: ElementType,
    /// Order of its bytes.
    pub order: ByteOrder,
    /// In fixed point, a lane is the number times 2^scale, rounded to the nearest integer.
    pub scale: i32,
}

impl Lanes {
    /// Appends numbers as lanes. In fixed point a number that i32 does not hold becomes the nearest
    /// that it holds, and NaN becomes 0.
    ///
    /// # Panics
    /// If lanes are of another type than the numbers, and not in fixed point.
    pub fn encode<T: Number>(&self, numbers: &[T], lanes: &mut Vec<u8>) {
        let (order, lane_bytes) = (self.order, self.element_type.bytes());
        let start = lanes.len();
        lanes.resize(start + lane_bytes * numbers.len(), 0);
        let lanes = &mut lanes[start..];
        if self.element_type == T::TYPE {
            let places = lanes.chunks_exact_mut(size_of::<T>()).zip(numbers);
            places.for_each(|(place, number)| number.write_lane(order, place));
            return;
        }
        assert_eq!(self.element_type, ElementType::I32, "rows of {} in fixed point", T::TYPE);
        let factor = f64::from(self.scale).exp2();
        for (place, number) in lanes.chunks_exact_mut(size_of::<i32>()).zip(numbers) {
            i32::from_f64((number.to_f64() * factor).round_ties_even()).write_lane(order, place);
        }
    }

    /// Writes the numbers that lanes stand for.
    ///
    /// # Panics
    /// If there are not as many lanes as numbers, or as [`encode`](Self::encode).
    pub fn decode<T: Number>(&self, lanes: &[u8], numbers: &mut [T]) {
        let (order, lane_bytes) = (self.order, self.element_type.bytes());
        assert_eq!(lanes.len(), lane_bytes * numbers.len(), "a lane for each number");
        if self.element_type == T::TYPE {
            let lanes = lanes.chunks_exact(size_of::<T>()).zip(numbers);
            lanes.for_each(|(lane, number)| *number = T::read_lane(order, lane));
            return;
        }
        assert_eq!(self.element_type, ElementType::I32, "rows of {} in fixed point", T::TYPE);
        let factor = f64::from(-self.scale).exp2();
        for (lane, number) in lanes.chunks_exact(size_of::<i32>()).zip(numbers) {
            *number = T::from_f64(f64::from(i32::read_lane(order, lane)) * factor);
        }
    }

    /// Returns the numbers that lanes stand for.
    ///
    /// # Panics
    /// If there is a part of a lane, or as [`encode`](Self::encode).
    pub fn numbers<T: Number>(&self, lanes: &[u8]) -> Vec<T> {
        let mut numbers = vec![T::default(); lanes.len() / self.element_type.bytes()];
        self.decode(lanes, &mut numbers);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ORDERS: [ByteOrder; 2] = [ByteOrder::Network, ByteOrder::Little];

    fn there_and_back<T: Number>(form: Lanes, numbers: &[T]) -> Vec<T> {
        let mut lanes = vec![];
        form.encode(numbers, &mut lanes);
        form.numbers(&lanes)
    }

    proptest! {
        /// Fixed points come back within half of their resolution, and the rounding of the type
        /// that they are read as: a float of 32 bits has 24, so half a unit of 2^-14 below 2^10.
        #[test]
        fn fixed_points_come_back(numbers in prop::collection::vec(-1e3_f64..1e3, 0..20)) {
            for order in ORDERS {
                let form = Lanes { element_type: ElementType::I32, order, scale: 20 };
                let floats: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
                for (number, back) in floats.iter().zip(there_and_back(form, &floats)) {
                    prop_assert!((number - back).abs() <= f32::exp2(-21.0) + f32::exp2(-15.0));
                }
                for (number, back) in numbers.iter().zip(there_and_back(form, &numbers)) {
                    prop_assert!((number - back).abs() <= f64::exp2(-21.0));
                }
            }
        }

        /// Lanes of the numbers' own type come back as they are, whatever the scale.
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<i64>(), 0..20)) {
            for order in ORDERS {
                let form = |element_type| Lanes { element_type, order, scale: 3 };
                prop_assert_eq!(&there_and_back(form(ElementType::I64), &numbers), &numbers);
                let short: Vec<i32> = numbers.iter().map(|number| *number as i32).collect();
                prop_assert_eq!(&there_and_back(form(ElementType::I32), &short), &short);
                let doubles: Vec<f64> = numbers.iter().map(|number| *number as f64).collect();
                prop_assert_eq!(&there_and_back(form(ElementType::F64), &doubles), &doubles);
                let floats: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
                prop_assert_eq!(&there_and_back(form(ElementType::F32), &floats), &floats);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_the_nearest() {
        let form = Lanes { element_type: ElementType::I32, order: ByteOrder::Network, scale: 2 };
        let mut lanes = vec![];
        form.encode(&[1e30_f32, -1e30, f32::NAN, 0.625, -0.375], &mut lanes);
        let expected = [i32::MAX, i32::MIN, 0, 2, -2];
        assert_eq!(lanes, expected.map(i32::to_be_bytes).concat());
        let mut lanes = vec![];
        form.encode(&[1e300_f64, 0.625], &mut lanes);
        assert_eq!(lanes, [i32::MAX, 2].map(i32::to_be_bytes).concat());
    }

    #[test]
    fn lanes_are_in_the_order_of_the_job() {
        let form = |order| Lanes { element_type: ElementType::I64, order, scale: 0 };
        let lanes = ORDERS.map(|order| {
            let mut lanes = vec![];
            form(order).encode(&[0x0102_0304_0506_0708_i64], &mut lanes);
            lanes
        });
        assert_eq!(lanes, [vec![1, 2, 3, 4, 5, 6, 7, 8], vec![8, 7, 6, 5, 4, 3, 2, 1]]);
    }
}
