//! Samples that the tests train on.

use netfold_glm::{Csr, Dense, Samples};

/// Numbers that look random, the same in every run: SplitMix64.
pub struct Numbers(pub u64);

impl Numbers {
    /// Returns a number from 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.uniform() * bound as f64) as usize
    }
}

/// A problem, dense and sparse.
pub struct Problem {
    pub features: usize,
    pub dense: Vec<f32>,
    indptr: Vec<u64>,
    indices: Vec<u32>,
    values: Vec<f32>,
    pub labels: Vec<u32>,
}

impl Problem {
    /// Rows of norm 1 with a share of non-zeros from `low` to 1, labelled by a hidden model with
    /// some noise.
    pub fn new(
        rows: usize,
        features: usize,
        share: f64,
        low: f64,
        classes: u32,
        seed: u64,
    ) -> Self {
        let mut numbers = Numbers(seed);
        let hidden: Vec<f64> =
            (0..features * classes as usize).map(|_| numbers.uniform() - 0.5).collect();
        let mut problem = Self {
            features,
            dense: Vec::new(),
            indptr: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
            labels: Vec::new(),
        };
        for _ in 0..rows {
            let mut row: Vec<f64> = (0..features)
                .map(|_| {
                    if numbers.uniform() < share {
                        low + (1.0 - low) * numbers.uniform()
                    } else {
                        0.0
                    }
                })
                .collect();
            row[numbers.below(features)] = 0.7;
            let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            row.iter_mut().for_each(|x| *x /= norm);
            let score = |class: usize| -> f64 {
                let own: f64 =
                    row.iter().zip(&hidden[class * features..]).map(|(x, w)| x * w).sum();
                own
            };
            let noise: Vec<f64> = (0..classes).map(|_| 0.05 * numbers.uniform()).collect();
            let best = (0..classes as usize)
                .max_by(|&a, &b| (score(a) + noise[a]).total_cmp(&(score(b) + noise[b])));
            problem.labels.push(best.unwrap() as u32);
            for (index, &x) in row.iter().enumerate() {
                problem.dense.push(x as f32);
                if x as f32 != 0.0 {
                    problem.indices.push(index as u32);
                    problem.values.push(x as f32);
                }
            }
            problem.indptr.push(problem.indices.len() as u64);
        }
        problem
    }

    pub fn rows(&self) -> usize {
        self.labels.len()
    }

    pub fn row(&self, row: usize) -> &[f32] {
        &self.dense[row * self.features..][..self.features]
    }

    pub fn samples(&self, sparse: bool) -> Samples<'_> {
        if sparse {
            Samples::Csr(
                Csr::new(self.features, &self.indptr, &self.indices, &self.values).unwrap(),
            )
        } else {
            Samples::Dense(Dense::new(&self.dense, self.features).unwrap())
        }
    }
}
