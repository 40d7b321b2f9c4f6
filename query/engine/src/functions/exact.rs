//! An exact sum that takes two words as long as these hold it.

use netfold_num::ExactFormat;

const FORMAT: ExactFormat = ExactFormat::F64;

/// An exact sum of `f64`: the unevaluated sum of two, and a superaccumulator (R-QRY-20) for what
/// does not fit these.
#[derive(Clone, Debug, Default)]
pub struct Exact {
    high: f64,
    low: f64,
    rest: Option<Box<[u64]>>,
}

/// Returns the rounded sum of two values and its error (Knuth, "The Art of Computer Programming",
/// volume 2, 4.2.2, theorem B), which is exact unless the sum overflows.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

impl Exact {
    /// Returns the sum that [`Exact::parts`] has taken apart.
    pub fn from_parts(high: f64, low: f64, rest: Option<&[u8]>) -> Self {
        let mut sum = Self::default();
        sum.add(high);
        sum.add(low);
        if let Some(bytes) = rest {
            let (words, _) = bytes.as_chunks::<8>();
            let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
            FORMAT.merge(sum.rest(), &words);
        }
        sum
    }

    /// Returns a sum that a superaccumulator of `f64` has: in two words, if these hold it.
    pub fn from_words(words: &[u64]) -> Self {
        let (mut rest, mut parts) = (words.to_vec(), [0.0; 2]);
        for part in &mut parts {
            *part = FORMAT.to_f64(&rest);
            if !part.is_finite() {
                return Self { rest: Some(words.into()), ..Self::default() };
            }
            FORMAT.add(&mut rest, -*part);
        }
        let [high, low] = parts;
        let rest = rest.iter().any(|word| *word != 0).then(|| rest.into());
        Self { high, low, rest }
    }

    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        let (high, error) = two_sum(self.high, value);
        let (low, lost) = two_sum(self.low, error);
        if high.is_finite() && lost == 0.0 {
            (self.high, self.low) = (high, low);
        } else {
            FORMAT.add(self.rest(), value);
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        self.add(other.high);
        self.add(other.low);
        if let Some(words) = &other.rest {
            FORMAT.merge(self.rest(), words);
        }
    }

    /// Returns the sum, rounded to the nearest, ties to even.
    pub fn value(&self) -> f64 {
        match &self.rest {
            None => self.high + self.low,
            Some(words) => {
                let mut words = words.clone();
                FORMAT.add(&mut words, self.high);
                FORMAT.add(&mut words, self.low);
                FORMAT.to_f64(&words)
            }
        }
    }

    /// Returns two values whose sum is the sum, and the bytes of an accumulator to add to it.
    pub fn parts(&self) -> (f64, f64, Option<Vec<u8>>) {
        let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        (self.high, self.low, self.rest.as_deref().map(bytes))
    }

    fn rest(&mut self) -> &mut [u64] {
        self.rest.get_or_insert_with(|| vec![0; FORMAT.words()].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (-300_000..300_000_i32).prop_map(|x| f64::from(x) / 128.0),
            any::<f32>().prop_map(f64::from),
            prop::sample::select(vec![0.0, -0.0, f64::MAX, -f64::MAX, 5e-324, f64::INFINITY]),
        ]
    }

    proptest! {
        /// The superaccumulator alone is the oracle; it has one of its own in `netfold-num`.
        #[test]
        fn two_words_and_the_rest_are_the_sum(
            values in prop::collection::vec(value(), 0..30),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut oracle = vec![0; FORMAT.words()];
            values.iter().for_each(|x| FORMAT.add(&mut oracle, *x));
            let oracle = FORMAT.to_f64(&oracle);
            let cut = cut.index(values.len() + 1);
            let sum = |values: &[f64]| {
                let mut sum = Exact::default();
                values.iter().for_each(|x| sum.add(*x));
                let (high, low, rest) = sum.parts();
                Exact::from_parts(high, low, rest.as_deref())
            };
            let mut all = sum(&values[..cut]);
            all.merge(&sum(&values[cut..]));
            let same = all.value().to_bits() == oracle.to_bits();
            prop_assert!(same || all.value().is_nan() && oracle.is_nan());
        }

        #[test]
        fn words_of_an_accumulator_are_the_sum(values in prop::collection::vec(value(), 0..6)) {
            let mut words = vec![0; FORMAT.words()];
            values.iter().for_each(|x| FORMAT.add(&mut words, *x));
            let sum = Exact::from_words(&words);
            let mut back = vec![0; FORMAT.words()];
            FORMAT.add(&mut back, sum.high);
            FORMAT.add(&mut back, sum.low);
            if let Some(rest) = &sum.rest {
                FORMAT.merge(&mut back, rest);
            }
            prop_assert_eq!(back, words);
        }
    }

    #[test]
    fn a_sum_of_few_digits_takes_two_words() {
        let mut words = vec![0; FORMAT.words()];
        [1e10, 1e-10].iter().for_each(|x| FORMAT.add(&mut words, *x));
        assert!(Exact::from_words(&words).rest.is_none());
    }

    #[test]
    fn sums_of_a_few_singles_take_two_words() {
        let mut sum = Exact::default();
        (0..1_000_000_u32).for_each(|i| sum.add(f64::from(i as f32 * 0.001)));
        assert!(sum.rest.is_none());
    }
}
