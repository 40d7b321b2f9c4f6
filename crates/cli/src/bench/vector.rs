//! Vectors whose exact sum is known.

use half::{bf16, f16};
use netfold_net::{Arithmetic, ElementType};

/// The vectors of a benchmark. Elements are integers so small that every sum of them is one of
/// every element type: all exact, in any order.
pub(crate) struct Vectors {
    /// Type of an element.
    pub element_type: ElementType,
    /// Vectors that are summed.
    pub workers: u16,
    /// Arithmetic that sums them.
    pub arithmetic: Arithmetic,
}

/// Largest magnitude of a sum: the largest u8, and within the 8 bits of precision of bfloat16.
const LARGEST_SUM: i64 = 255;

/// R-LOG-6
const LOGTABLE_STEP: f64 = 1.2e-4;

impl Vectors {
    /// The vector of `rank`, as bytes in memory.
    pub(crate) fn input(&self, rank: u16, elements: u64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(elements as usize * self.element_type.bytes());
        for index in 0..elements {
            self.write(self.element(rank, index) as f64, &mut bytes);
        }
        bytes
    }

    /// The number one, as bytes in memory.
    pub(crate) fn one(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(1.0, &mut bytes);
        bytes
    }

    /// Compares a result with the exact sum, within what the arithmetic promises.
    ///
    /// # Errors
    /// The first element that is wrong.
    pub(crate) fn check(&self, result: &[u8]) -> Result<(), String> {
        let tolerance = self.tolerance();
        for (index, bytes) in (0..).zip(result.chunks_exact(self.element_type.bytes())) {
            let got = self.read(bytes);
            let exact: i64 = (0..self.workers).map(|rank| self.element(rank, index)).sum();
            // Written so that NaN is wrong.
            let right = (got - exact as f64).abs() <= tolerance;
            if !right {
                return Err(format!(
                    "the result is wrong: element {index} is {got}, the exact sum is {exact}, and {tolerance:e} is the most that they may differ"
                ));
            }
        }
        Ok(())
    }

    /// Largest magnitude of an element.
    fn largest(&self) -> i64 {
        LARGEST_SUM / i64::from(self.workers)
    }

    /// Different for neighbours and for ranks, so that a block in a wrong place or a vector left
    /// out or taken twice is noticed.
    fn element(&self, rank: u16, index: u64) -> i64 {
        let mixed = (index << 6 | u64::from(rank)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let (lowest, values) = if self.element_type == ElementType::U8 {
            (0, self.largest() + 1)
        } else {
            (-self.largest(), 2 * self.largest() + 1)
        };
        lowest + (mixed % values as u64) as i64
    }

    /// In block arithmetic a sum of n is within n/f of the exact one, f = (2^31 - 1) / (n 2^m)
    /// (SwitchML, appendix E), and 2^m is at most twice the largest magnitude. Rounding to the
    /// element type at most doubles that, since the exact sum is of that type and so no further
    /// away than what the rounding chooses. A step by Libra's tables is within 1.2e-4 of its larger
    /// operand (R-LOG-6), which is no larger than the sum of all magnitudes, grown by as much at
    /// each step before. Everything else is exact: in FPISA-A, too, since no exponent is more than
    /// 7 above another.
    fn tolerance(&self) -> f64 {
        if !matches!(self.arithmetic, Arithmetic::Block | Arithmetic::LogTable)
            || !self.element_type.is_float()
        {
            return 0.0;
        }
        let n = f64::from(self.workers);
        if self.arithmetic == Arithmetic::LogTable {
            return n * LOGTABLE_STEP * (LARGEST_SUM as f64) * (1.0 + LOGTABLE_STEP).powf(n);
        }
        let scale = (2_f64.powi(31) - 1.0) / (n * 2.0 * self.largest() as f64);
        2.0 * n / scale
    }

    fn write(&self, value: f64, bytes: &mut Vec<u8>) {
        match self.element_type {
            ElementType::F32 => bytes.extend((value as f32).to_ne_bytes()),
            ElementType::F16 => bytes.extend(f16::from_f64(value).to_ne_bytes()),
            ElementType::Bf16 => bytes.extend(bf16::from_f64(value).to_ne_bytes()),
            ElementType::F64 => bytes.extend(value.to_ne_bytes()),
            ElementType::I32 => bytes.extend((value as i32).to_ne_bytes()),
            ElementType::I64 => bytes.extend((value as i64).to_ne_bytes()),
            ElementType::U8 => bytes.push(value as u8),
        }
    }

    fn read(&self, bytes: &[u8]) -> f64 {
        fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
            std::array::from_fn(|i| bytes[i])
        }
        match self.element_type {
            ElementType::F32 => f64::from(f32::from_ne_bytes(array(bytes))),
            ElementType::F16 => f16::from_ne_bytes(array(bytes)).to_f64(),
            ElementType::Bf16 => bf16::from_ne_bytes(array(bytes)).to_f64(),
            ElementType::F64 => f64::from_ne_bytes(array(bytes)),
            ElementType::I32 => f64::from(i32::from_ne_bytes(array(bytes))),
            ElementType::I64 => i64::from_ne_bytes(array(bytes)) as f64,
            ElementType::U8 => f64::from(bytes[0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEMENTS: u64 = 1000;

    /// The sum that adding in the element type gives, one vector after the other.
    fn sum(vectors: &Vectors, ranks: impl Iterator<Item = u16>) -> Vec<u8> {
        let mut sum = Vec::new();
        (0..ELEMENTS).for_each(|_| vectors.write(0.0, &mut sum));
        for rank in ranks {
            let (before, input) = (std::mem::take(&mut sum), vectors.input(rank, ELEMENTS));
            let bytes = vectors.element_type.bytes();
            for (a, b) in before.chunks_exact(bytes).zip(input.chunks_exact(bytes)) {
                vectors.write(vectors.read(a) + vectors.read(b), &mut sum);
            }
        }
        sum
    }

    #[test]
    fn sums_are_exact_in_every_type_and_anything_else_is_wrong() {
        for element_type in ElementType::ALL {
            for workers in [1, 2, 3, 64] {
                let what = format!("{workers} vectors of {element_type}");
                for arithmetic in Arithmetic::ALL {
                    let vectors = Vectors { element_type, workers, arithmetic };
                    let right = sum(&vectors, 0..workers);
                    assert_eq!(vectors.check(&right), Ok(()), "{what}");
                    let mut moved = right.clone();
                    moved.rotate_left(element_type.bytes());
                    assert!(vectors.check(&moved).is_err(), "{what}, in the wrong place");
                    assert!(
                        vectors.check(&sum(&vectors, 1..workers)).is_err(),
                        "{what}, the first missing"
                    );
                    assert!(
                        vectors.check(&sum(&vectors, (0..workers).chain([0]))).is_err(),
                        "{what}, the first twice"
                    );
                    assert!(
                        vectors.check(&vec![0xff; right.len()]).is_err(),
                        "{what}, not a number"
                    );
                }
            }
        }
    }
}
