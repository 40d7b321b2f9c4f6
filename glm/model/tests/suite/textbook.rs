//! SGD as a textbook writes it, in f64 and over dense vectors, without anything lazy.

use crate::problems::Problem;
use netfold_glm::{Config, Loss, Rate};

/// The results of the textbook.
pub struct Trained {
    /// `outputs x features`.
    pub weights: Vec<Vec<f64>>,
    pub intercepts: Vec<f64>,
    pub average: Vec<Vec<f64>>,
    /// Mean loss of each epoch, before the steps.
    pub losses: Vec<f64>,
    /// Distance at which f32 may be (2-norm over all weights), if every step contracts; see
    /// `workers.rs`.
    pub bound: f64,
}

/// Loss and derivatives, written out from the definitions.
pub fn derive(loss: Loss, activations: &[f64], label: u32) -> (f64, Vec<f64>) {
    if loss == Loss::Multinomial {
        let sum: f64 = activations.iter().map(|a| a.exp()).sum();
        let slopes = activations
            .iter()
            .enumerate()
            .map(|(c, a)| a.exp() / sum - f64::from(c as u32 == label));
        return (sum.ln() - activations[label as usize], slopes.collect());
    }
    let single = activations.len() == 1;
    let each = activations.iter().enumerate().map(|(class, &a)| {
        let y =
            if (single && label == 1) || (!single && class as u32 == label) { 1.0 } else { -1.0 };
        match loss {
            Loss::Squared => (0.5 * (a - y) * (a - y), a - y),
            Loss::Logistic => ((1.0 + (-a * y).exp()).ln(), -y / (1.0 + (a * y).exp())),
            Loss::Hinge => ((1.0 - a * y).max(0.0), if a * y < 1.0 { -y } else { 0.0 }),
            _ => (
                (1.0 - a * y).max(0.0).powi(2),
                if a * y < 1.0 { -2.0 * y * (1.0 - a * y) } else { 0.0 },
            ),
        }
    });
    let (losses, slopes): (Vec<f64>, Vec<f64>) = each.unzip();
    (losses.iter().sum(), slopes)
}

/// Epochs over the rows in their order. The length of a step is given for t from 1.
pub fn train(
    problem: &Problem,
    config: &Config,
    outputs: usize,
    epochs: usize,
    eta: impl Fn(u64) -> f64,
) -> Trained {
    const U: f64 = f32::EPSILON as f64 / 2.0;
    let features = problem.features;
    let mut weights = vec![vec![0.0f64; features]; outputs];
    let mut average = weights.clone();
    let mut intercepts = vec![0.0; outputs];
    let (mut taken, mut had) = (0.0, vec![vec![0.0f64; features]; outputs]);
    let (mut losses, mut steps, mut averaged, mut bound) = (Vec::new(), 0u64, 0.0, 0.0f64);
    let rows: Vec<usize> = (0..problem.rows()).collect();
    for _ in 0..epochs {
        let mut total = 0.0;
        for batch in rows.chunks(config.batch) {
            steps += 1;
            let step = eta(steps);
            let (before, mut slopes_sum) = (weights.clone(), vec![0.0; outputs]);
            let mut local = 0.0;
            for weights in &mut weights {
                weights.iter_mut().for_each(|w| *w *= 1.0 - step * config.penalty.l2);
            }
            for &row in batch {
                let x = problem.row(row);
                let dot =
                    |w: &[f64]| -> f64 { w.iter().zip(x).map(|(w, &x)| w * f64::from(x)).sum() };
                let activations: Vec<f64> =
                    before.iter().zip(&intercepts).map(|(w, b)| dot(w) + b).collect();
                let (loss, slopes) = derive(config.loss, &activations, problem.labels[row]);
                total += loss;
                let norm = x.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
                for (output, slope) in slopes.iter().enumerate() {
                    slopes_sum[output] += slope;
                    let change = -step / batch.len() as f64 * slope;
                    weights[output]
                        .iter_mut()
                        .zip(x)
                        .for_each(|(w, &x)| *w += change * f64::from(x));
                    // A dot product of n terms, each rounded, in any order: n u sum |x w|; then the
                    // scale and the exchange (at most 8 more roundings).
                    let sizes: f64 =
                        before[output].iter().zip(x).map(|(w, &x)| (w * f64::from(x)).abs()).sum();
                    let activation = (features as f64 + 8.0) * U * sizes;
                    // Slopes move by at most the activation's error (all of these losses have
                    // curvature 1 at most, but the squared hinge with 2), and are rounded, with the
                    // factor, 4 times.
                    local += step / batch.len() as f64
                        * norm
                        * (2.0 * activation + 6.0 * U * slope.abs());
                    // Adding rounds each weight once.
                    local += U * weights[output].iter().map(|w| w * w).sum::<f64>().sqrt();
                }
            }
            if config.penalty.l1 > 0.0 {
                taken += step * config.penalty.l1;
                for output in 0..outputs {
                    let touched = |j: &usize| batch.iter().any(|&row| problem.row(row)[*j] != 0.0);
                    for j in (0..features).filter(touched) {
                        charge(&mut weights[output][j], &mut had[output][j], taken);
                    }
                }
            }
            if config.intercept {
                for (intercept, slope) in intercepts.iter_mut().zip(&slopes_sum) {
                    *intercept -= config.intercept_step * step / batch.len() as f64 * slope;
                }
            }
            bound += local;
            if config.average_after.is_some_and(|wait| steps > wait) {
                averaged += 1.0;
                for (average, weights) in average.iter_mut().zip(&weights) {
                    average.iter_mut().zip(weights).for_each(|(a, w)| *a += w);
                }
            }
        }
        for output in 0..outputs {
            for j in 0..features {
                charge(&mut weights[output][j], &mut had[output][j], taken);
            }
        }
        losses.push(total / problem.rows() as f64);
    }
    if averaged > 0.0 {
        average.iter_mut().flatten().for_each(|a| *a /= averaged);
    }
    Trained { weights, intercepts, average, losses, bound }
}

/// Tsuruoka, Tsujii and Ananiadou, figure 2.
fn charge(weight: &mut f64, had: &mut f64, taken: f64) {
    let before = *weight;
    if before > 0.0 {
        *weight = (before - (taken + *had)).max(0.0);
    } else if before < 0.0 {
        *weight = (before + (taken - *had)).min(0.0);
    }
    *had += *weight - before;
}

/// A rate that the textbook's steps can be given for.
pub fn constant(eta0: f64) -> (Rate, impl Fn(u64) -> f64) {
    (Rate::Constant { eta0 }, move |_| eta0)
}
