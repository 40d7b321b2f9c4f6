//! Tests at the ends of numbers: features far off, weights that overflow, integers that fill their
//! words (R-GLM-4, R-GLM-19, R-GLM-24, R-GLM-26, R-GLM-27).

use netfold_glm::{
    Alone, Arithmetic, Config, Data, Dense, Error, Exchange, InProcess, Loss, Partition, Penalty,
    Precision, Quantisation, Rate, Samples, Scaling, Spread, Stopping, Targets, Trainer,
};
use std::ops::ControlFlow;
use std::time::Duration;

/// Far more than any of these takes.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

fn dense(values: &[f32], features: usize) -> Samples<'_> {
    Samples::Dense(Dense::new(values, features).unwrap())
}

fn few(bits: u8) -> Precision {
    Precision::Bits(Quantisation::bits(bits))
}

/// Does something as each of some workers, in threads.
fn each<T: Send>(workers: usize, work: impl Fn(InProcess) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let start = |exchange| scope.spawn(|| work(exchange));
        let threads: Vec<_> =
            InProcess::new(workers, 1, WAIT_LIMIT).into_iter().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The intercept of scaled features is 5 + 6 * 2^13 * 2^20, beyond 2^31: exact, and so the same for
/// any split.
#[test]
fn intercepts_of_features_far_off_are_exact() {
    let low = 1048576.0;
    let values: Vec<f32> = [[low; 6], [low + 1.0; 6]].concat();
    let targets = Targets::values(&[0.0, 1.0]).unwrap();
    let config = Config { loss: Loss::Squared, ..Config::default() };
    for workers in 1..=3 {
        let partition = Partition::dealt(6, workers).unwrap();
        let models = each(workers, |exchange| {
            let rank = exchange.rank();
            let cut = partition.cut(dense(&values, 6), rank).unwrap();
            let data = Data::part(cut.view(), few(8), 1, &partition, rank).unwrap();
            let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
            trainer.warm_start(&vec![8192.0; partition.len(rank)], &[5.0]).unwrap();
            trainer.model().unwrap()
        });
        for model in models {
            assert_eq!(model.intercepts, [5.0], "{workers} workers");
            assert!(model.coefficients.iter().all(|&coefficient| coefficient == 8192.0));
        }
    }
}

/// At the lower end of a feature x is 0, and the trainer says its intercept alone.
#[test]
fn what_coefficients_lose_by_rounding_is_in_the_intercept() {
    let values = [1e6, 1e6 + 3.0];
    let data = Data::new(dense(&values, 1), few(16), 1).unwrap();
    let targets = Targets::values(&[0.0, 1.0]).unwrap();
    let mut trainer =
        Trainer::new(Config { loss: Loss::Squared, ..Config::default() }, &data, &targets, Alone)
            .unwrap();
    trainer.warm_start(&[0.3], &[2.0]).unwrap();
    let (model, decision) = (trainer.model().unwrap(), trainer.decision(&data).unwrap());
    let said = f64::from(model.coefficients[0]) * 1e6 + model.intercepts[0];
    // A term is rounded to 2^-32, and numbers of 3e5 to 2^-34.
    assert!((said - decision.values[0]).abs() < 1e-9, "{said} for {}", decision.values[0]);
}

#[test]
fn coefficients_that_cannot_be_are_an_error_for_all() {
    let values = [1e30, 0.0, 1.1e30, 1.0];
    let targets = Targets::values(&[0.0, 1.0]).unwrap();
    let partition = Partition::dealt(2, 2).unwrap();
    let errors = each(2, |exchange| {
        let rank = exchange.rank();
        let cut = partition.cut(dense(&values, 2), rank).unwrap();
        let data = Data::part(cut.view(), few(8), 1, &partition, rank).unwrap();
        let config = Config { loss: Loss::Squared, ..Config::default() };
        let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
        trainer.warm_start(&[1.0], &[0.0]).unwrap_err()
    });
    assert!(errors.iter().all(|error| matches!(error, Error::Diverged { .. })), "{errors:?}");
}

#[test]
fn no_loss_takes_what_is_no_number_for_a_good_model() {
    let values = [1e20, -1e20, -1e20, 1e20];
    for loss in [Loss::Squared, Loss::Logistic, Loss::Hinge, Loss::SquaredHinge] {
        let config = Config {
            loss,
            rate: Rate::Constant { eta0: 1e19 },
            penalty: Penalty::NONE,
            ..Config::default()
        };
        let data = Data::new(dense(&values, 2), Precision::Full, 1).unwrap();
        let targets = Targets::classes(&[0, 1], 2).unwrap();
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        let error = trainer.fit(&data, &targets, |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, Error::Diverged { .. }), "{loss:?}: {error}");
        assert_eq!(
            trainer.model().unwrap().coefficients,
            [0.0; 2],
            "R-GLM-27: the model of the epoch before"
        );
    }
}

/// The loss of the only sample is that before the step, and one worker alone has the weight.
#[test]
fn weights_that_overflow_in_the_last_step_are_an_error_for_all() {
    let values = [1e30, 1.0];
    let targets = Targets::values(&[1e30]).unwrap();
    let config = Config {
        loss: Loss::Squared,
        rate: Rate::Constant { eta0: 1.0 },
        penalty: Penalty::NONE,
        ..Config::default()
    };
    let partition = Partition::dealt(2, 2).unwrap();
    let errors = each(2, |exchange| {
        let rank = exchange.rank();
        let cut = partition.cut(dense(&values, 2), rank).unwrap();
        let data = Data::part(cut.view(), Precision::Full, 1, &partition, rank).unwrap();
        Trainer::new(config, &data, &targets, exchange).unwrap().epoch(&data, &targets).unwrap_err()
    });
    assert!(errors.iter().all(|error| matches!(error, Error::Diverged { steps: 1 })), "{errors:?}");
    let config = Config { spread: Spread::Data, ..config };
    let data = Data::new(dense(&values, 2), Precision::Full, 1).unwrap();
    let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
    assert!(matches!(trainer.epoch(&data, &targets).unwrap_err(), Error::Diverged { steps: 1 }));
}

#[test]
fn both_ends_of_a_narrow_feature_far_off_are_on_the_grid() {
    // The middle, 2^24 + 1, is no f32.
    let values = [16777216.0, 16777218.0];
    let how = Quantisation { scaling: Scaling::Symmetric, ..Quantisation::bits(8) };
    let data = Data::new(dense(&values, 1), Precision::Bits(how), 1).unwrap();
    let targets = Targets::values(&[0.0; 2]).unwrap();
    let mut trainer =
        Trainer::new(Config { loss: Loss::Squared, ..Config::default() }, &data, &targets, Alone)
            .unwrap();
    trainer.warm_start(&[1.0], &[0.0]).unwrap();
    let seen = trainer.decision(&data).unwrap().values;
    // Of 256 levels from 2 below the lower end to 2 above it, the last is one level short of the
    // upper end.
    for (seen, value) in seen.iter().zip(values) {
        assert!((seen - f64::from(value)).abs() <= 4.0 / 256.0, "{seen} for {value}");
    }
}

#[test]
fn without_an_intercept_zero_stays_zero() {
    let values = [-1.0, 3.0, 0.5, 4.0];
    let config = Config { loss: Loss::Squared, intercept: false, ..Config::default() };
    let targets = Targets::values(&[1.0, 2.0]).unwrap();
    let data = |how| Data::new(dense(&values, 2), Precision::Bits(how), 1);
    let symmetric = Quantisation { scaling: Scaling::Symmetric, ..Quantisation::bits(8) };
    let refused = Trainer::new(config, &data(symmetric).unwrap(), &targets, Alone).unwrap_err();
    assert!(refused.to_string().contains("keeps_zero"), "{refused}");
    let refused = data(Quantisation { keeps_zero: true, ..Quantisation::bits(8) }).unwrap_err();
    assert!(refused.to_string().contains("symmetric"), "{refused}");
    let data = data(Quantisation { keeps_zero: true, ..symmetric }).unwrap();
    let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
    trainer.epoch(&data, &targets).unwrap();
    let model = trainer.model().unwrap();
    assert_eq!(model.intercepts, [0.0]);
    // From -|x| to |x|, whatever the least and the largest value are.
    assert_eq!(model.scaling.unwrap().features, [(0.0, 1.0), (0.0, 4.0)]);
}

#[test]
fn more_samples_are_refused_where_they_have_no_place_on_the_grid() {
    let (positive, negative) = ([1.0, 2.0], [1.0, -2.0]);
    let csr = |values| Samples::Csr(netfold_glm::Csr::new(1, &[0, 1, 2], &[0, 0], values).unwrap());
    let data = Data::new(csr(&positive), few(4), 1).unwrap();
    assert!(data.like(csr(&negative)).unwrap_err().to_string().contains("symmetric"));
    assert!(data.like(dense(&positive, 1)).unwrap_err().to_string().contains("sparse where"));
    let small = Data::new(csr(&[1e-25, 1e-26]), few(4), 1).unwrap_err();
    assert!(small.to_string().contains("scale it"), "{small}");
}

#[test]
fn sums_of_fixed_point_cannot_wrap_around() {
    let values: Vec<f32> = (0..64).map(|value| value as f32).collect();
    let labels: Vec<f32> = values.iter().map(|&value| value * 1e4).collect();
    let targets = Targets::values(&labels).unwrap();
    // A derivative is below 2^31, and a feature below 2^26: 63 products are below 2^63.
    for (batch, fits) in [(63, true), (64, false)] {
        let arithmetic = Arithmetic::Fixed { fraction_bits: 1 };
        let config = Config { loss: Loss::Squared, arithmetic, batch, ..Config::default() };
        let data = Data::new(dense(&values, 1), few(26), 1).unwrap();
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        let refused =
            trainer.epoch(&data, &targets).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(!refused.contains("at most 63"), fits, "{refused}");
    }
    // Eight weights of up to 2^30 times features below 2^30 are.
    let values = [[0.0; 8], [1.0; 8]].concat();
    let targets = Targets::classes(&[0, 1], 2).unwrap();
    let config =
        Config { arithmetic: Arithmetic::Fixed { fraction_bits: 30 }, ..Config::default() };
    let data = Data::new(dense(&values, 8), few(30), 2).unwrap();
    let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
    trainer.warm_start(&[1.0; 8], &[0.0]).unwrap();
    let too_large = trainer.warm_start(&[1.125; 8], &[0.0]).unwrap_err();
    assert!(matches!(too_large, Error::Diverged { .. }), "{too_large}");
}

/// One sample of eight overflows, wherever it is: among those that are trained on, or among those
/// that are held back.
#[test]
fn an_epoch_that_cannot_be_judged_is_taken_back() {
    let stopping = Stopping { validation: 0.25, ..Stopping::default() };
    let arithmetic = Arithmetic::Fixed { fraction_bits: 22 };
    let config = Config { arithmetic, stopping, ..Config::default() };
    for outlier in 1..8 {
        let mut values = [0.1; 8];
        (values[0], values[outlier]) = (0.0, 1.0);
        let data = Data::new(dense(&values, 1), few(8), 1).unwrap();
        let labels: Vec<u32> = (0..8).map(|row| row % 2).collect();
        let targets = Targets::classes(&labels, 2).unwrap();
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        trainer.warm_start(&[12.0], &[0.0]).unwrap();
        let before = trainer.model().unwrap();
        let error = trainer.fit(&data, &targets, |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, Error::Overflow { .. }), "{error}");
        assert_eq!(trainer.model().unwrap(), before, "sample {outlier}");
    }
}
