//! Samples that are held back: which they are (R-GLM-12), and how a run is judged by them
//! (R-GLM-27).

use crate::problems::Problem;
use netfold_glm::{
    Alone, Config, Data, Dense, Epoch, Exchange, InProcess, Loss, Model, Precision, Rate, Samples,
    Spread, Stopping, Targets, Trainer, Why,
};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

const FEATURES: usize = 20;
const ROWS: usize = 90;

/// Samples with classes and with numbers, weights, and every third of them held back.
struct Given {
    problem: Problem,
    numbers: Vec<f32>,
    weights: Vec<f32>,
    held: Vec<bool>,
}

impl Given {
    fn new(classes: u32) -> Self {
        let problem = Problem::new(ROWS, FEATURES, 0.4, 0.1, classes, 71);
        // Far from 0 beside how far they are from each other.
        let number = |row| 50.0 + problem.row(row).iter().sum::<f32>() + (row % 4) as f32;
        let numbers = (0..ROWS).map(number).collect();
        let weights = (0..ROWS).map(|row| (row % 4) as f32 / 2.0).collect();
        Self { problem, numbers, weights, held: (0..ROWS).map(|row| row % 3 == 1).collect() }
    }

    fn samples(&self, rows: Range<usize>) -> Samples<'_> {
        let values = &self.problem.dense[rows.start * FEATURES..rows.end * FEATURES];
        Samples::Dense(Dense::new(values, FEATURES).unwrap())
    }

    fn targets(&self, loss: Loss, rows: Range<usize>) -> Targets<'_> {
        let classes = self.problem.labels.iter().max().unwrap() + 1;
        let targets = match loss {
            Loss::Squared => Targets::values(&self.numbers[rows.clone()]),
            _ => Targets::classes(&self.problem.labels[rows.clone()], classes),
        };
        let weighted = targets.unwrap().weighted(&self.weights[rows.clone()]).unwrap();
        weighted.holding_back(&self.held[rows]).unwrap()
    }

    /// The score of a model by its definition, in two passes.
    fn score(&self, model: &Model, loss: Loss) -> f64 {
        let decision = model.decision(self.samples(0..ROWS)).unwrap();
        let rows = || (0..ROWS).filter(|&row| self.held[row]);
        let weight = |row: usize| f64::from(self.weights[row]);
        let mean_of = |value: &dyn Fn(usize) -> f64| {
            let sum: f64 = rows().map(|row| weight(row) * value(row)).sum();
            sum / rows().map(weight).sum::<f64>()
        };
        if loss != Loss::Squared {
            let said = model.labels(&decision);
            return mean_of(&|row| f64::from(u8::from(said[row] == self.problem.labels[row])));
        }
        let number = |row: usize| f64::from(self.numbers[row]);
        let mean = mean_of(&number);
        let spread = mean_of(&|row| (number(row) - mean).powi(2));
        1.0 - mean_of(&|row| (number(row) - decision.values[row]).powi(2)) / spread
    }
}

fn config(loss: Loss) -> Config {
    let stopping = Stopping { epochs: 3, tolerance: None, validation: 0.5, ..Stopping::default() };
    let rate = Rate::Constant { eta0: 0.05 };
    Config { loss, rate, shuffle: false, stopping, ..Config::default() }
}

/// Runs a worker over rows, and tells what its epochs have come to.
fn run<X: Exchange>(
    given: &Given,
    config: Config,
    rows: Range<usize>,
    exchange: X,
) -> (Vec<Epoch>, Model, Why) {
    let data = Data::new(given.samples(rows.clone()), Precision::Full, 1).unwrap();
    let targets = given.targets(config.loss, rows);
    let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
    let mut epochs = Vec::new();
    let outcome = trainer.fit(&data, &targets, |epoch| {
        epochs.push(*epoch);
        ControlFlow::Continue(())
    });
    let why = outcome.unwrap().why;
    (epochs, trainer.model().unwrap(), why)
}

fn scores(epochs: &[Epoch]) -> Vec<f64> {
    epochs.iter().map(|epoch| epoch.validation_score.unwrap()).collect()
}

#[test]
fn the_score_is_that_of_the_samples_that_the_caller_holds_back() {
    for (classes, loss) in
        [(2, Loss::Hinge), (3, Loss::Hinge), (3, Loss::Multinomial), (2, Loss::Squared)]
    {
        let given = Given::new(classes);
        let (epochs, model, _) = run(&given, config(loss), 0..ROWS, Alone);
        // 60 are left, whatever the share says.
        assert_eq!(epochs.last().unwrap().steps, 3 * 60);
        let (found, expected) = (*scores(&epochs).last().unwrap(), given.score(&model, loss));
        // Numbers near 50 are said to 50 * 20 * 2^-24 by f32 sums; errors and spreads are near 1.
        assert!(
            (found - expected).abs() < 1e-3 && (loss == Loss::Squared || found == expected),
            "{found} {expected}"
        );
        // No one of them is trained on: other numbers and classes leave the model as it is.
        let mut other = Given::new(classes);
        for row in (0..ROWS).filter(|&row| given.held[row]) {
            other.problem.labels[row] = (given.problem.labels[row] + 1) % classes;
            other.numbers[row] += 1.0;
        }
        let (epochs, same, _) = run(&other, config(loss), 0..ROWS, Alone);
        assert_eq!(same, model);
        assert_ne!(*scores(&epochs).last().unwrap(), found);
    }
}

#[test]
fn a_run_ends_when_the_score_stands_still() {
    for loss in [Loss::Logistic, Loss::Squared] {
        let (given, (tolerance, patience)) = (Given::new(2), (1e-2, 3));
        let stopping =
            Stopping { epochs: 500, tolerance: Some(tolerance), patience, validation: 0.5 };
        let (epochs, model, why) = run(&given, Config { stopping, ..config(loss) }, 0..ROWS, Alone);
        let scores = scores(&epochs);
        let best =
            |before: usize| scores[..before].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let poor: Vec<bool> =
            (0..scores.len()).map(|epoch| scores[epoch] < best(epoch) + tolerance).collect();
        assert_eq!(why, Why::Converged);
        let ends: Vec<usize> = (patience..=poor.len())
            .filter(|&end| poor[end - patience..end].iter().all(|&poor| poor))
            .collect();
        assert_eq!(ends, [poor.len()], "{scores:?}");
        // The last model, not the best.
        assert!((given.score(&model, loss) - scores[scores.len() - 1]).abs() < 1e-3);
    }
}

/// Chunks, and workers with samples each, add up the same sums.
#[test]
fn scores_do_not_depend_on_who_holds_what() {
    for loss in [Loss::Hinge, Loss::Squared] {
        let given = Given::new(2);
        // Mini-batches of everything: an order of samples is no other step.
        let whole = Config { batch: ROWS, ..config(loss) };
        let (one, ..) = run(&given, whole, 0..ROWS, Alone);
        let each = Config { spread: Spread::Data, ..whole };
        let patience = Duration::from_secs(60);
        let all: Vec<Vec<f64>> = std::thread::scope(|scope| {
            let start = |exchange: InProcess| {
                let rows = [0..36, 36..ROWS][usize::from(exchange.rank() == 1)].clone();
                scores(&run(&given, each, rows, exchange).0)
            };
            let threads: Vec<_> = InProcess::new(2, 1, patience)
                .into_iter()
                .map(|exchange| scope.spawn(move || start(exchange)))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(all[0], all[1]);
        for (found, expected) in all[0].iter().zip(scores(&one)) {
            assert!((found - expected).abs() < 1e-3, "{found} for {expected}");
        }
        // Chunks of one model that stays as it is.
        let still = Config { rate: Rate::Constant { eta0: 1e-30 }, ..config(loss) };
        let (one, ..) = run(&given, still, 0..ROWS, Alone);
        let parts = [0..36, 36..ROWS].map(|rows| {
            let data = Data::new(given.samples(rows.clone()), Precision::Full, 1).unwrap();
            (data, given.targets(loss, rows))
        });
        let mut trainer = Trainer::new(still, &parts[0].0, &parts[0].1, Alone).unwrap();
        let mut found = Vec::new();
        let chunks = |_: u64, each: &mut netfold_glm::OfChunk<'_>| {
            parts.iter().try_for_each(|(data, targets)| each(data, targets))
        };
        trainer
            .fit_chunks(chunks, |epoch| {
                found.push(epoch.validation_score.unwrap());
                ControlFlow::Continue(())
            })
            .unwrap();
        for (found, expected) in found.iter().zip(scores(&one)) {
            assert!(
                (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
                "{found} for {expected}"
            );
        }
    }
}

#[test]
fn a_choice_is_for_every_sample() {
    let targets = Targets::classes(&[0, 1, 0], 2).unwrap();
    assert!(targets.holding_back(&[true, false]).unwrap_err().to_string().contains("held back"));
}
