//! Operands drawn at random from a seed, within the declared ranges.

use std::ops::RangeInclusive;

use crate::declaration::Declaration;
use crate::element::{Scalar, Value};

/// A source of random numbers: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Debug)]
pub(crate) struct Draw {
    state: u64,
}

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// A number from 0 to 1.
    fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / ((1_u64 << 53) - 1) as f64
    }

    /// A sequence of elements; bytes between fields are 0.
    pub(crate) fn elements(&mut self, declaration: &Declaration, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count * declaration.element.bytes()];
        for element in bytes.chunks_exact_mut(declaration.element.bytes()) {
            for (field, range) in declaration.element.fields().iter().zip(&declaration.ranges) {
                for offset in field.offsets() {
                    let value = self.scalar(field.scalar, range.as_ref());
                    field.scalar.write(value, &mut element[offset..]);
                }
            }
        }
        bytes
    }

    fn scalar(&mut self, scalar: Scalar, range: Option<&RangeInclusive<f64>>) -> Value {
        if scalar.is_float() {
            Value::Float(self.float(range))
        } else {
            Value::Integer(self.integer(bounds(scalar, range)))
        }
    }

    /// Often a small number or a bound, so that operands are equal now and then.
    fn integer(&mut self, (low, high): (i128, i128)) -> i128 {
        match self.below(8) {
            0 => low,
            1 => high,
            2..=4 => (i128::from(self.below(7)) - 3).clamp(low, high),
            _ => low + (i128::from(self.bits()) % (high - low + 1)),
        }
    }

    /// Without a range, of all magnitudes from 2^-20 to 2^20.
    fn float(&mut self, range: Option<&RangeInclusive<f64>>) -> f64 {
        let kind = self.below(8);
        let small = self.below(7) as f64 - 3.0;
        match (kind, range) {
            (0, None) => 0.0,
            (0, Some(range)) => *range.start(),
            (1, Some(range)) => *range.end(),
            (2 | 3, range) => {
                range.map_or(small, |range| small.clamp(*range.start(), *range.end()))
            }
            (_, Some(range)) => {
                let value = range.start() + self.share() * (range.end() - range.start());
                value.clamp(*range.start(), *range.end())
            }
            (_, None) => {
                let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
                sign * (self.share() * 40.0 - 20.0).exp2()
            }
        }
    }
}

/// The integers of a field.
pub(crate) fn bounds(scalar: Scalar, range: Option<&RangeInclusive<f64>>) -> (i128, i128) {
    let (least, most) = scalar.integers();
    let Some(range) = range else { return (least, most) };
    let low = (range.start().ceil() as i128).clamp(least, most);
    (low, (range.end().floor() as i128).clamp(low, most))
}
