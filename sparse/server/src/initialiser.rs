//! Initial values of rows (R-SERVE-7).

use netfold_num::{ElementType, Number};
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// A distribution of the numbers of new rows. As JSON it is an object with a `name` and options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case", deny_unknown_fields)]
pub enum Initialiser {
    /// The same number everywhere.
    Constant {
        /// The number.
        value: f64,
    },
    /// The normal distribution.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        std: f64,
    },
    /// The uniform distribution over `low..high`.
    Uniform {
        /// The least number.
        low: f64,
        /// The bound that no number reaches.
        high: f64,
    },
}

impl Initialiser {
    /// Returns what is wrong with the options, for rows of a type.
    pub fn check(&self, element_type: ElementType) -> Result<(), String> {
        let rounded = |value: f64| match element_type {
            ElementType::F64 => value,
            ElementType::I32 => f64::from(value as i32),
            ElementType::I64 => value as i64 as f64,
            _ => f64::from(value as f32),
        };
        let finite = |values: &[f64]| values.iter().all(|value| rounded(*value).is_finite());
        let integers = !element_type.is_float();
        let fault = match self {
            Self::Constant { value } if integers && rounded(*value) != *value => {
                "a constant of integers is an integer of their type"
            }
            Self::Normal { .. } | Self::Uniform { .. } if integers => {
                "rows of integers begin with a constant"
            }
            Self::Constant { value } if !finite(&[*value]) => "a constant is a finite number",
            Self::Normal { mean, std } if !finite(&[*mean, *std]) || *std < 0.0 => {
                "a normal distribution has a finite mean and a finite deviation from 0"
            }
            Self::Uniform { low, high }
                if !finite(&[*low, *high, high - low]) || rounded(*low) >= rounded(*high) =>
            {
                "a uniform distribution has finite bounds, the lower one first"
            }
            _ => return Ok(()),
        };
        Err(format!("{fault}: {self:?}"))
    }

    /// Makes the row of `key`. The numbers depend on nothing but the arguments.
    pub fn fill<E: Number>(&self, seed: u64, key: u32, row: &mut [E]) {
        if let Self::Constant { value } = self {
            return row.fill(E::from_f64(*value));
        }
        let mut numbers = generator(seed, key);
        match self {
            Self::Constant { value } => row.fill(E::from_f64(*value)),
            Self::Normal { mean, std } => {
                for pair in row.chunks_mut(2) {
                    let normal = normals(unit(&mut numbers), unit(&mut numbers));
                    for (number, normal) in pair.iter_mut().zip(normal) {
                        *number = E::from_f64(mean + std * normal);
                    }
                }
            }
            Self::Uniform { low, high } => row.fill_with(|| {
                let mut draw = || E::from_f64(low + (high - low) * unit(&mut numbers));
                let mut number = draw();
                // Rounding may reach the bound.
                while number.to_f64() >= E::from_f64(*high).to_f64() {
                    number = draw();
                }
                number
            }),
        }
    }
}

/// Returns a generator whose numbers are unlike those of other seeds and keys: the state is mixed
/// by the finaliser of SplitMix64, which is a bijection.
fn generator(seed: u64, key: u32) -> Pcg64Mcg {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let high = mix(mix(seed.wrapping_add(GAMMA)).wrapping_add(u64::from(key)));
    Pcg64Mcg::new((u128::from(high) << 64) | u128::from(mix(high.wrapping_add(GAMMA))))
}

/// Returns a number from 0 to below 1, with 53 bits.
fn unit(numbers: &mut Pcg64Mcg) -> f64 {
    (numbers.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Returns two normal numbers from two uniform ones (Box and Muller, "A Note on the Generation of
/// Random Normal Deviates", 1958). `libm` gives the same bits on every platform.
fn normals(one: f64, other: f64) -> [f64; 2] {
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - one));
    let angle = core::f64::consts::TAU * other;
    [radius * libm::cos(angle), radius * libm::sin(angle)]
}

#[cfg(test)]
mod tests {
    use super::{ElementType, Initialiser};

    fn rows(initialiser: &Initialiser, seed: u64, keys: u32, width: usize) -> Vec<f32> {
        let mut rows = vec![0.0; keys as usize * width];
        for (row, key) in rows.chunks_exact_mut(width).zip(0..) {
            initialiser.fill(seed, key, row);
        }
        rows
    }

    /// Mean and variance of the numbers, and the correlation of neighbouring keys' rows, each in
    /// standard errors of what it is for independent numbers.
    fn moments(rows: &[f32], width: usize, mean: f64, variance: f64, kurtosis: f64) -> [f64; 3] {
        let count = rows.len() as f64;
        let about: Vec<f64> = rows.iter().map(|x| f64::from(*x) - mean).collect();
        let average = about.iter().sum::<f64>() / count;
        let squares = about.iter().map(|x| x * x).sum::<f64>() / count;
        let products = about.iter().zip(&about[width..]).map(|(x, y)| x * y).sum::<f64>() / count;
        let of_squares = variance * ((kurtosis - 1.0) / count).sqrt();
        [
            average / (variance / count).sqrt(),
            (squares - variance) / of_squares,
            products / (variance / count.sqrt()),
        ]
    }

    #[test]
    fn normal_numbers_have_the_moments_of_the_distribution() {
        let rows = rows(&Initialiser::Normal { mean: 2.0, std: 0.5 }, 7, 100_000, 3);
        let errors = moments(&rows, 3, 2.0, 0.25, 3.0);
        assert!(errors.iter().all(|error| error.abs() < 4.0), "{errors:?}");
        // 4.55 % of normal numbers are beyond two deviations.
        let beyond = rows.iter().filter(|x| (**x - 2.0).abs() > 1.0).count() as f64;
        let expected = 0.0455 * rows.len() as f64;
        assert!((beyond - expected).abs() < 4.0 * expected.sqrt(), "{beyond}");
    }

    #[test]
    fn uniform_numbers_have_the_moments_of_the_distribution() {
        let rows = rows(&Initialiser::Uniform { low: -1.0, high: 3.0 }, 9, 100_000, 2);
        let errors = moments(&rows, 2, 1.0, 16.0 / 12.0, 1.8);
        assert!(errors.iter().all(|error| error.abs() < 4.0), "{errors:?}");
        assert!(rows.iter().all(|x| (-1.0..3.0).contains(x)));
    }

    #[test]
    fn no_uniform_number_reaches_the_bound() {
        // Three numbers of 32 bits: rounding takes the highest eighth to the bound.
        let high = 1.0 + 3.0 * f64::from(f32::EPSILON);
        let rows = rows(&Initialiser::Uniform { low: 1.0, high }, 1, 1000, 1);
        assert!(rows.iter().all(|x| (1.0..high as f32).contains(x)));
    }

    #[test]
    fn a_row_depends_on_seed_and_key_alone() {
        let normal = Initialiser::Normal { mean: 0.0, std: 1.0 };
        let (mut one, mut other) = ([0.0_f32; 5], [0.0; 5]);
        normal.fill(3, 77, &mut one);
        normal.fill(3, 77, &mut other);
        assert_eq!(one, other);
        normal.fill(4, 77, &mut other);
        assert_ne!(one, other);
        normal.fill(3, 78, &mut other);
        assert_ne!(one, other);
    }

    #[test]
    fn options_without_meaning_are_refused() {
        for wrong in [
            Initialiser::Constant { value: f64::NAN },
            Initialiser::Normal { mean: 0.0, std: -1.0 },
            Initialiser::Uniform { low: 1.0, high: 1.0 },
        ] {
            assert!(wrong.check(ElementType::F32).is_err(), "{wrong:?}");
        }
        let uniform = Initialiser::Uniform { low: 0.0, high: 1.0 };
        assert!(uniform.check(ElementType::F32).is_ok());
        // 64 bits hold what 32 do not.
        let wide = Initialiser::Uniform { low: 1e39, high: 2e39 };
        assert!(wide.check(ElementType::F32).is_err() && wide.check(ElementType::F64).is_ok());
    }

    #[test]
    fn integers_begin_with_integers() {
        let constant = |value| Initialiser::Constant { value };
        for (wrong, element_type) in [
            (Initialiser::Normal { mean: 0.0, std: 1.0 }, ElementType::I32),
            (Initialiser::Uniform { low: 0.0, high: 9.0 }, ElementType::I64),
            (constant(0.5), ElementType::I64),
            (constant(2147483648.0), ElementType::I32),
            (constant(f64::NAN), ElementType::I64),
        ] {
            assert!(wrong.check(element_type).is_err(), "{wrong:?} {element_type}");
        }
        assert!(constant(-2147483648.0).check(ElementType::I32).is_ok());
        let mut row = [0_i64; 3];
        constant(-7.0).fill(1, 2, &mut row);
        assert_eq!(row, [-7; 3]);
    }
}
