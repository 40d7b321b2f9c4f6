//! Fixed point: the same bits however features are split, and the value of a step, in exact
//! integers (R-GLM-25, R-GLM-26).

use crate::problems::Problem;
use crate::workers::together;
use netfold_glm::{
    Alone, Arithmetic, Config, Data, Dense, Error, Layout, Loss, Model, Penalty, Precision,
    Quantisation, Rate, Rounding, Samples, Scaling, Targets, Trainer,
};

fn fixed(fraction_bits: u8) -> Config {
    Config {
        arithmetic: Arithmetic::Fixed { fraction_bits },
        rate: Rate::Constant { eta0: 0.5 },
        penalty: Penalty::l2(0.05),
        batch: 12,
        micro_batch: 5,
        ..Config::default()
    }
}

/// Everything that a model has, as bits.
fn bits(model: &Model) -> (Vec<u32>, Vec<u64>) {
    (
        model.coefficients.iter().map(|x| x.to_bits()).collect(),
        model.intercepts.iter().map(|x| x.to_bits()).collect(),
    )
}

#[test]
fn any_number_of_workers_and_engines_is_one_to_the_bit() {
    let problem = Problem::new(70, 90, 0.3, 0.1, 3, 31);
    let precisions = [
        (4, Scaling::Unit, Rounding::Nearest, Layout::Packed),
        (8, Scaling::Symmetric, Rounding::Truncate, Layout::Packed),
        (7, Scaling::Symmetric, Rounding::Stochastic { seed: 3 }, Layout::Planes),
        (4, Scaling::Unit, Rounding::Stochastic { seed: 4 }, Layout::Planes),
    ];
    for sparse in [false, true] {
        for (bits_each, scaling, rounding, layout) in precisions {
            if sparse && bits_each == 7 {
                continue;
            }
            let precision = Precision::Bits(Quantisation {
                scaling,
                rounding,
                layout,
                ..Quantisation::bits(bits_each)
            });
            for loss in [Loss::Logistic, Loss::Hinge, Loss::Multinomial] {
                let config = Config { loss, ..fixed(14) };
                let (one, parts) =
                    together(&problem, config, precision, sparse, (1, 1), 3).unwrap();
                assert!(
                    one.coefficients.iter().filter(|x| **x != 0.0).count() > 100,
                    "it has learned something"
                );
                for (workers, engines) in [(2, 1), (4, 1), (1, 4), (3, 2)] {
                    let (model, others) =
                        together(&problem, config, precision, sparse, (workers, engines), 3)
                            .unwrap();
                    assert_eq!(
                        bits(&model),
                        bits(&one),
                        "{loss:?} {precision:?} {workers} x {engines}"
                    );
                    for (a, b) in parts[0].epochs.iter().zip(&others[0].epochs) {
                        assert_eq!(a.loss.to_bits(), b.loss.to_bits());
                    }
                }
                let micro = Config { micro_batch: 12, ..config };
                let (model, _) = together(&problem, micro, precision, sparse, (2, 1), 3).unwrap();
                assert_eq!(bits(&model), bits(&one), "micro-batches are no matter");
            }
        }
    }
}

/// The rule by hand: i128 sums, one rounding for each weight and step.
#[test]
fn a_step_is_the_rules() {
    let (rows, features, k) = (24usize, 9usize, 12i32);
    let problem = Problem::new(rows, features, 0.8, 0.1, 2, 32);
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    // Every column gets a 0 and a 1, so that the grid is known: q = floor(16 x), at most 15.
    let mut values = problem.dense.clone();
    values[..features].fill(0.0);
    values[features..2 * features].fill(1.0);
    let samples = Samples::Dense(Dense::new(&values, features).unwrap());
    let how = Quantisation { rounding: Rounding::Truncate, ..Quantisation::bits(4) };
    let data = Data::new(samples, Precision::Bits(how), 1).unwrap();
    let config = Config { shuffle: false, penalty: Penalty::NONE, ..fixed(k as u8) };
    let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
    let q: Vec<i128> = values.iter().map(|x| ((16.0 * x) as i128).min(15)).collect();
    let (mut v, mut b) = (vec![0i128; features], 0.0f64);
    for _ in 0..4 {
        trainer.epoch(&data, &targets).unwrap();
        for batch in (0..rows).collect::<Vec<_>>().chunks(config.batch) {
            let (mut sums, mut slopes) = (vec![0i128; features], 0.0);
            for &row in batch {
                let q = &q[row * features..][..features];
                let sum: i128 = q.iter().zip(&v).map(|(q, v)| q * v).sum();
                let activation = sum as f64 * 2f64.powi(-k - 4) + b;
                let target = if problem.labels[row] == 1 { 1.0 } else { -1.0 };
                let slope = config.loss.of(activation, target).1;
                slopes += slope;
                let integer = (slope * 65536.0).round_ties_even() as i128;
                sums.iter_mut().zip(q).for_each(|(sum, q)| *sum += integer * q);
            }
            let factor = -0.5 / batch.len() as f64 * 2f64.powi(k - 16 - 4);
            for (v, sum) in v.iter_mut().zip(sums) {
                *v = (*v as f64 + sum as f64 * factor).round_ties_even() as i128;
            }
            b -= 0.5 / batch.len() as f64 * slopes;
        }
    }
    let model = trainer.model().unwrap();
    let expected: Vec<f32> = v.iter().map(|&v| (v as f64 * 2f64.powi(-k)) as f32).collect();
    assert_eq!(model.coefficients, expected);
    assert_eq!(model.intercepts, [b]);
}

#[test]
fn it_learns_what_floats_learn() {
    let problem = Problem::new(300, 40, 0.4, 0.1, 2, 33);
    let precision = Precision::Bits(Quantisation::bits(8));
    let exact = together(&problem, fixed(16), precision, true, (1, 1), 10).unwrap().1;
    let floats = Config { arithmetic: Arithmetic::Float, ..fixed(16) };
    let floats = together(&problem, floats, precision, true, (1, 1), 10).unwrap().1;
    // Weights are rounded to 2^-17 at most in each of 250 steps, so an activation of 40 features
    // below 1 moves by 40 * 250 * 2^-17 at most, and the loss by no more.
    let difference = exact[0].epochs[9].loss - floats[0].epochs[9].loss;
    assert!(difference.abs() < 0.08, "{difference}");
    assert!(exact[0].epochs[9].loss < exact[0].epochs[0].loss);
}

#[test]
fn an_overflow_is_an_error_and_loses_nothing() {
    // One feature, 255 / 256, with a weight of up to 2^30: 255 * 2^22 * 2 fits 31 bits, 255 *
    // 2^23 * 2 does not.
    let values = [0.0, 1.0];
    let samples = Samples::Dense(Dense::new(&values, 1).unwrap());
    let data = Data::new(samples, Precision::Bits(Quantisation::bits(8)), 1).unwrap();
    let labels = [0, 1];
    let targets = Targets::classes(&labels, 2).unwrap();
    let mut trainer = Trainer::new(fixed(22), &data, &targets, Alone).unwrap();
    trainer.warm_start(&[1.5], &[0.0]).unwrap();
    trainer.epoch(&data, &targets).unwrap();
    trainer.warm_start(&[2.5], &[0.25]).unwrap();
    let error = trainer.epoch(&data, &targets).unwrap_err();
    assert!(matches!(error, Error::Overflow { .. }), "{error}");
    assert!(error.to_string().contains("fewer fraction bits"));
    let model = trainer.model().unwrap();
    assert_eq!((model.coefficients[0], model.intercepts[0]), (2.5, 0.25));
    assert!(matches!(trainer.warm_start(&[1e9], &[0.0]).unwrap_err(), Error::Diverged { .. }));
}

#[test]
fn what_has_no_fixed_form_is_refused() {
    let problem = Problem::new(10, 5, 0.5, 0.1, 2, 34);
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let try_with = |config, precision| {
        let data = Data::new(problem.samples(false), precision, 1).unwrap();
        Trainer::new(config, &data, &targets, Alone)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let few = Precision::Bits(Quantisation::bits(4));
    assert!(try_with(fixed(8), Precision::Full).contains("quantise"));
    assert!(try_with(Config { penalty: Penalty::l1(0.1), ..fixed(8) }, few).contains("no L1"));
    assert!(try_with(Config { average_after: Some(0), ..fixed(8) }, few).contains("no averages"));
    assert!(try_with(fixed(31), few).contains("1 to 30"));
    assert_eq!(try_with(fixed(8), few), "");
}
