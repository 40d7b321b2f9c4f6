//! The sums that move an intercept to features as they are. They are exact, so that they do not
//! depend on the split (R-GLM-24).

use crate::agree;
use crate::error::Error;
use crate::exchange::Exchange;

/// 2^32: so many bits are right of the point.
const UNIT: f64 = 4_294_967_296.0;

/// A term of such a sum is below this: 2^32 features have terms that add up to less than 2^127.
const MOST_TERM: f64 = UNIT * UNIT * UNIT / 4.0;

/// Sums, for each output, of coefficients times the lower ends of their features: integers with 32
/// bits right of the point.
pub(super) struct Offsets {
    sums: Vec<i128>,
    too_large: bool,
}

impl Offsets {
    pub(super) fn none(outputs: usize) -> Self {
        Self { sums: vec![0; outputs], too_large: false }
    }

    /// Adds an output's coefficients times where 0 of their features lies: nothing where that is
    /// empty, since all are at 0.
    pub(super) fn add(&mut self, output: usize, coefficients: &[f32], low: &[f32]) {
        // Without an early end, so that many are looked at together.
        self.too_large |=
            !coefficients.iter().fold(true, |all, coefficient| all & coefficient.is_finite());
        for (&coefficient, &low) in coefficients.iter().zip(low) {
            self.add_term(output, f64::from(coefficient) * f64::from(low) * UNIT);
        }
    }

    fn add_term(&mut self, output: usize, term: f64) {
        if term.abs() < MOST_TERM {
            self.sums[output] += term.round_ties_even() as i128;
        } else {
            self.too_large = true;
        }
    }

    /// The sums over all workers, or an error for all of them.
    pub(super) fn total(
        mut self,
        exchange: &mut impl Exchange,
        steps: u64,
    ) -> Result<Vec<f64>, Error> {
        self.sums.push(self.too_large.into());
        let mut sums = agree::sum_wide(exchange, &self.sums)?;
        match sums.pop() {
            Some(0) => Ok(sums.iter().map(|&sum| sum as f64 / UNIT).collect()),
            _ => Err(Error::Diverged { steps }),
        }
    }
}
