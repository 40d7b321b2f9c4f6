//! Steps of every kind against the textbook (R-GLM-6 to R-GLM-11).

use crate::problems::Problem;
use crate::textbook::{constant, train};
use netfold_glm::{
    Alone, Config, Data, Loss, Penalty, Precision, Rate, Stopping, Targets, Trainer,
};

/// Error that f32 may have in these runs: some 10^3 roundings of weights below 4, each at most
/// 2^-24 of them, and more where steps divide by a scale.
const TOLERANCE: f64 = 1e3 * 4.0 / (1u64 << 24) as f64;

fn check(problem: &Problem, config: Config, epochs: usize, eta: impl Fn(u64) -> f64) {
    let targets =
        Targets::classes(&problem.labels, problem.labels.iter().max().unwrap() + 1).unwrap();
    let outputs = targets.outputs(config.loss).unwrap();
    let expected = train(problem, &config, outputs, epochs, eta);
    for sparse in [false, true] {
        // The textbook charges L1 where a sample has the feature, which is what sparse samples do;
        // dense ones charge all.
        if !sparse && config.penalty.l1 > 0.0 {
            continue;
        }
        let data = Data::new(problem.samples(sparse), Precision::Full, 1).unwrap();
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        for number in 0..epochs {
            let epoch = trainer.epoch(&data, &targets).unwrap();
            assert!(
                (epoch.loss - expected.losses[number]).abs() < TOLERANCE,
                "{config:?} loss {}",
                epoch.loss
            );
            assert_eq!((epoch.number, epoch.bytes), (number as u64 + 1, 0));
        }
        let model = trainer.model().unwrap();
        let weights =
            if config.average_after.is_some() { &expected.average } else { &expected.weights };
        for (place, weight) in weights.iter().flatten().enumerate() {
            let found = f64::from(model.coefficients[place]);
            assert!(
                (found - weight).abs() < TOLERANCE,
                "{config:?} sparse {sparse} weight {place}: {found} for {weight}"
            );
            // A weight that a penalty has made zero is exactly that.
            assert!(
                config.average_after.is_some() || *weight != 0.0 || found == 0.0,
                "weight {place}: {found}"
            );
        }
        if config.average_after.is_none() {
            for (found, expected) in model.intercepts.iter().zip(&expected.intercepts) {
                assert!(
                    (found - expected).abs() < TOLERANCE,
                    "{config:?} intercept {found} for {expected}"
                );
            }
        }
    }
}

fn config(loss: Loss, rate: Rate) -> Config {
    Config { loss, rate, penalty: Penalty::NONE, shuffle: false, ..Config::default() }
}

#[test]
fn every_loss_at_every_batch() {
    let problem = Problem::new(60, 70, 0.2, 0.1, 2, 1);
    for loss in Loss::ALL {
        for (batch, micro_batch) in [(1, 8), (7, 3), (16, 8), (100, 8)] {
            let (rate, eta) = constant(0.4);
            check(&problem, Config { batch, micro_batch, ..config(loss, rate) }, 3, eta);
        }
    }
}

#[test]
fn every_loss_with_four_classes() {
    let problem = Problem::new(60, 70, 0.2, 0.1, 4, 2);
    for loss in Loss::ALL {
        let (rate, eta) = constant(0.3);
        check(&problem, Config { batch: 5, micro_batch: 2, ..config(loss, rate) }, 3, eta);
    }
}

#[test]
fn l2_is_lazy_and_exact() {
    let problem = Problem::new(80, 40, 0.1, 0.1, 2, 3);
    let (rate, eta) = constant(0.5);
    check(
        &problem,
        Config { penalty: Penalty::l2(0.1), batch: 3, ..config(Loss::Logistic, rate) },
        4,
        eta,
    );
    // 1 - 1.5 * 0.6 = 0.1: the scale falls below its least value many times.
    let (rate, eta) = constant(1.5);
    check(&problem, Config { penalty: Penalty::l2(0.6), ..config(Loss::Hinge, rate) }, 4, eta);
}

#[test]
fn l1_makes_zeros() {
    let problem = Problem::new(80, 40, 0.1, 0.1, 2, 4);
    for penalty in [Penalty::l1(0.004), Penalty::elastic_net(0.008, 0.5)] {
        for batch in [1, 4] {
            let (rate, eta) = constant(0.5);
            check(&problem, Config { penalty, batch, ..config(Loss::Logistic, rate) }, 3, eta);
            let (rate, eta) = constant(0.5);
            let run = train(
                &problem,
                &Config { penalty, batch, ..config(Loss::Logistic, rate) },
                1,
                3,
                eta,
            );
            let zeros = run.weights[0].iter().filter(|&&w| w == 0.0).count();
            assert!(zeros >= 4, "the penalty is meant to bite: {zeros} zeros");
        }
    }
}

#[test]
fn averages_are_lazy_and_exact() {
    let problem = Problem::new(80, 40, 0.1, 0.1, 3, 5);
    for (batch, average_after) in [(1, 0), (1, 100), (4, 7)] {
        for penalty in [Penalty::NONE, Penalty::l2(0.1), Penalty::elastic_net(0.01, 0.3)] {
            let (rate, eta) = constant(0.5);
            let average = Config {
                batch,
                average_after: Some(average_after),
                penalty,
                ..config(Loss::Logistic, rate)
            };
            check(&problem, average, 3, eta);
        }
    }
    let problem = Problem::new(80, 40, 0.1, 0.1, 2, 6);
    let (rate, eta) = constant(1.5);
    let folded = Config {
        average_after: Some(3),
        penalty: Penalty::l2(0.6),
        ..config(Loss::Logistic, rate)
    };
    check(&problem, folded, 4, eta);
}

#[test]
fn step_rules() {
    let problem = Problem::new(50, 30, 0.3, 0.1, 2, 7);
    let inverse = Rate::InverseScaling { eta0: 0.7, power: 0.3 };
    check(&problem, config(Loss::Logistic, inverse), 2, |t| 0.7 / (t as f64).powf(0.3));
    // scikit-learn, _sgd_fast.pyx: typw = sqrt(1 / sqrt(alpha)), eta0 = typw / max(1, dloss(1,
    // -typw)), t0 = 1 / (eta0 alpha).
    let alpha = 1e-2f64;
    let typical = (1.0 / alpha.sqrt()).sqrt();
    // dloss of the logistic loss at margin -typw is below 1.
    let optimal = move |t: u64| 1.0 / (alpha * (1.0 / (typical * alpha) + t as f64 - 1.0));
    let penalised =
        Config { penalty: Penalty::l2(alpha), ..config(Loss::Logistic, Rate::Optimal { alpha }) };
    check(&problem, penalised, 2, optimal);
    let squared = typical / (2.0 * (1.0 + typical));
    let optimal = move |t: u64| 1.0 / (alpha * (1.0 / (squared * alpha) + t as f64 - 1.0));
    let penalised = Config {
        penalty: Penalty::l2(alpha),
        ..config(Loss::SquaredHinge, Rate::Optimal { alpha })
    };
    check(&problem, penalised, 2, optimal);
}

#[test]
fn least_squares_comes_to_the_normal_equations() {
    // Two orthogonal columns and an intercept that is orthogonal to both: the solution is each
    // column's correlation.
    let (n, mut values, mut y) = (64usize, Vec::new(), Vec::new());
    for row in 0..n {
        let (a, b) =
            (if row % 2 == 0 { 1.0 } else { -1.0 }, if row / 2 % 2 == 0 { 1.0 } else { -1.0 });
        values.extend([a, b]);
        y.push(0.75 * a - 1.25 * b + 0.5 + if row % 8 < 4 { 0.25 } else { -0.25 });
    }
    let dense = netfold_glm::Dense::new(&values, 2).unwrap();
    let data = Data::new(netfold_glm::Samples::Dense(dense), Precision::Full, 1).unwrap();
    let targets = Targets::values(&y).unwrap();
    let stopping = Stopping { epochs: 200, tolerance: None, ..Stopping::default() };
    let whole =
        Config { batch: n, stopping, ..config(Loss::Squared, Rate::Constant { eta0: 0.5 }) };
    let mut trainer = Trainer::new(whole, &data, &targets, Alone).unwrap();
    trainer.fit(&data, &targets, |_| std::ops::ControlFlow::Continue(())).unwrap();
    let model = trainer.model().unwrap();
    // Gradient descent with a step of 1/2 on an identity Hessian halves the error each time, so
    // only rounding is left: n additions to a weight of at most 1.25, over all steps n (1 + 1/2 +
    // 1/4 ...) of them.
    let tolerance = 2.0 * n as f32 * 1.25 * f32::EPSILON / 2.0;
    for (found, expected) in model.coefficients.iter().zip([0.75, -1.25]) {
        assert!((found - expected).abs() <= tolerance, "{found}");
    }
    assert!((model.intercepts[0] - 0.5).abs() <= f64::from(tolerance));
}
