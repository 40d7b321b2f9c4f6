//! The survivors of a program and its failures, by analysis (R-QRY-9, R-QRY-13).

/// Returns the expected survivors of `m` rows in random order, of different codes, behind a matrix
/// of d `rows` with w cells (R-QRY-9; Cheetah, section 5).
pub fn matrix_survivors(m: u64, rows: u32, width: u8) -> f64 {
    let (rows, width) = (f64::from(rows), f64::from(width));
    let each = m as f64 / rows;
    if each <= width {
        return m as f64;
    }
    rows * width * (1.0 + harmonic(each) - harmonic(width))
}

/// The harmonic number of x, continued to numbers between integers.
fn harmonic(x: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if x < 16.0 {
        // H(x) = H(x + 1) - 1 / (x + 1)
        return harmonic(x + 1.0) - 1.0 / (x + 1.0);
    }
    x.ln() + EULER + 1.0 / (2.0 * x) - 1.0 / (12.0 * x * x)
}

/// Returns a bound of the probability that a matrix drops a row of an answer of `n` rows (R-QRY-9).
pub fn matrix_loss(n: u32, rows: u32, width: u8) -> f64 {
    if rows == 1 {
        return if n > width.into() { 1.0 } else { 0.0 };
    }
    let p = 1.0 / f64::from(rows);
    let upper: f64 = (u32::from(width) + 1..=n).map(|k| binomial(n, k, p)).sum();
    (f64::from(rows) * upper).min(1.0)
}

/// Returns the probability of exactly `k` successes of `n`.
fn binomial(n: u32, k: u32, p: f64) -> f64 {
    let choose: f64 = (0..k).map(|i| (f64::from(n - i) / f64::from(k - i)).ln()).sum();
    (choose + f64::from(k) * p.ln() + f64::from(n - k) * (-p).ln_1p()).exp()
}

/// Returns the probability that a probe without a match passes a Bloom filter of `words` words with
/// `keys` different keys of `bits` bits each (R-QRY-13).
pub fn bloom_passes(keys: u64, words: u32, bits: u8) -> f64 {
    let mean = keys as f64 / f64::from(words);
    let bits = f64::from(bits);
    // Keys of a word are Poisson; beyond mean + 12 deviations there is nothing left.
    let most = (mean + 12.0 * mean.sqrt() + 40.0) as u32;
    let mut log_probability = -mean;
    let mut sum = 0.0;
    for i in 0..=most {
        if i > 0 {
            log_probability += (mean / f64::from(i)).ln();
        }
        let set = 1.0 - (63.0_f64 / 64.0).powf(bits * f64::from(i));
        sum += log_probability.exp() * set.powf(bits);
    }
    sum.min(1.0)
}

/// Returns a bound of the probability that two of `values` different values have the same hash
/// (R-QRY-15).
pub fn hash_collision(values: u64) -> f64 {
    let values = values as f64;
    (values * values / 2.0_f64.powi(65)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 29: 0.24 % of 3 million rows. The sum is computed term by term here.
    #[test]
    fn survivors_of_the_papers_matrix() {
        let (m, rows, width) = (3_000_000_u64, 64_u32, 12_u8);
        let each = m / u64::from(rows);
        let sum: f64 = (1..=each).map(|i| (12.0 / i as f64).min(1.0)).sum();
        let expected = matrix_survivors(m, rows, width);
        assert!((expected / (sum * 64.0) - 1.0).abs() < 1e-3, "{expected}");
        let share = expected / m as f64;
        assert!((share - 0.0024).abs() < 0.00005, "{share}");
        let cheetah = 768.0 * (1.0 + (3e6_f64 / 768.0).ln());
        assert!((expected / cheetah - 1.0).abs() < 0.01);
    }

    /// Exact, by enumerating all ways to throw n balls into two bins.
    #[test]
    fn loss_of_two_rows() {
        for (n, width) in [(6_u32, 4_u8), (9, 5), (3, 3)] {
            let lost = (0..1_u32 << n)
                .filter(|throw| throw.count_ones().max(n - throw.count_ones()) > width.into())
                .count();
            let exact = lost as f64 / f64::from(1_u32 << n);
            let bound = matrix_loss(n, 2, width);
            // Both bins cannot have more than half: here the union bound is exact.
            assert!((bound - exact).abs() < 1e-12, "{bound} {exact}");
        }
        assert_eq!(matrix_loss(5, 1, 5), 0.0);
    }
}
