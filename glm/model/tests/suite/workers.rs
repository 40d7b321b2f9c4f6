//! Several workers and engines against one (R-GLM-13 to R-GLM-18).

use crate::problems::Problem;
use crate::textbook::{constant, train};
use netfold_glm::{
    Alone, Config, Data, Epoch, Error, Exchange, InProcess, Loss, Model, Partition, Penalty,
    Precision, Rate, Spread, Stage, Stopping, Targets, Trace, Trainer, Why,
};
use std::ops::ControlFlow;
use std::time::Duration;

/// Far more than any of these takes.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// The results of a worker.
pub struct Part {
    pub model: Model,
    pub epochs: Vec<Epoch>,
    pub trace: Option<Trace>,
}

/// Trains with workers in threads, each with its part of the features, and puts their models
/// together.
pub fn together(
    problem: &Problem,
    config: Config,
    precision: Precision,
    sparse: bool,
    (workers, engines): (usize, usize),
    epochs: usize,
) -> Result<(Model, Vec<Part>), Error> {
    let partition = Partition::dealt(problem.features, workers).unwrap();
    let work = |exchange, data: &Data<'_>, targets: &Targets<'_>| {
        let mut trainer = Trainer::new(config, data, targets, exchange)?;
        trainer.record(true);
        let epochs: Vec<Epoch> =
            (0..epochs).map(|_| trainer.epoch(data, targets)).collect::<Result<_, _>>()?;
        let model = trainer.model()?;
        Ok(Part { model, epochs, trace: trainer.record(false) })
    };
    let parts = each_worker(problem, precision, sparse, (workers, engines), work);
    let parts: Vec<Part> = parts.into_iter().collect::<Result<_, _>>()?;
    let mut whole = parts[0].model.clone();
    let outputs = whole.outputs();
    (whole.features, whole.coefficients) =
        (problem.features, vec![0.0; outputs * problem.features]);
    for (part, trained) in parts.iter().enumerate() {
        assert_eq!(
            trained.model.intercepts, whole.intercepts,
            "R-GLM-11: the same on every worker"
        );
        let locals = trained.model.coefficients.chunks(partition.len(part));
        for (all, local) in whole.coefficients.chunks_mut(problem.features).zip(locals) {
            partition.scatter(part, local, all);
        }
    }
    whole.scaling = None;
    Ok((whole, parts))
}

/// Does something as each of some workers, in threads, with the samples' features dealt to them.
fn each_worker<T: Send>(
    problem: &Problem,
    precision: Precision,
    sparse: bool,
    (workers, engines): (usize, usize),
    work: impl Fn(InProcess, &Data<'_>, &Targets<'_>) -> Result<T, Error> + Sync,
) -> Vec<Result<T, Error>> {
    let partition = Partition::dealt(problem.features, workers).unwrap();
    let classes = problem.labels.iter().max().unwrap() + 1;
    let one = |exchange: InProcess| {
        let rank = exchange.rank();
        let cut = partition.cut(problem.samples(sparse), rank).unwrap();
        let data = Data::part(cut.view(), precision, engines, &partition, rank)?;
        work(exchange, &data, &Targets::classes(&problem.labels, classes).unwrap())
    };
    std::thread::scope(|scope| {
        let meeting = InProcess::new(workers, engines, WAIT_LIMIT).into_iter();
        let threads: Vec<_> = meeting.map(|exchange| scope.spawn(|| one(exchange))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn distance(model: &Model, weights: &[Vec<f64>]) -> f64 {
    let pairs = model.coefficients.iter().zip(weights.iter().flatten());
    pairs.map(|(&found, expected)| (f64::from(found) - expected).powi(2)).sum::<f64>().sqrt()
}

/// R-GLM-15. With a step of at most 2 / (curvature * |x|^2) a step on exact numbers brings two
/// models no further apart, so what f32 loses adds up, step by step: the textbook adds it up.
#[test]
fn any_number_of_workers_is_one_to_rounding() {
    let problem = Problem::new(96, 50, 0.3, 0.1, 2, 21);
    for loss in [Loss::Squared, Loss::Logistic] {
        let (rate, eta) = constant(0.5);
        // Without an intercept, which the bound does not count.
        let config = Config {
            loss,
            rate,
            penalty: Penalty::NONE,
            batch: 20,
            micro_batch: 8,
            intercept: false,
            shuffle: false,
            ..Config::default()
        };
        let expected = train(&problem, &config, 1, 4, eta);
        for sparse in [false, true] {
            for (workers, engines) in [(1, 1), (2, 1), (4, 1), (1, 3), (3, 2), (4, 4)] {
                let (model, parts) =
                    together(&problem, config, Precision::Full, sparse, (workers, engines), 4)
                        .unwrap();
                let found = distance(&model, &expected.weights);
                assert!(
                    found <= expected.bound,
                    "{workers} x {engines}: {found} beyond {}",
                    expected.bound
                );
                // One lane of 4 bytes a sample, however many features there are.
                let bytes = if workers == 1 { 0 } else { 4 * problem.rows() as u64 };
                assert!(
                    parts.iter().all(|part| part.epochs.iter().all(|epoch| epoch.bytes == bytes))
                );
            }
        }
        assert!(expected.bound < 1e-3, "a bound that says something: {}", expected.bound);
    }
}

#[test]
fn all_of_the_configuration_is_one_to_rounding() {
    // f32 loses at most some 10^3 roundings of weights below 4 here, as in `steps.rs`.
    let tolerance = 4e3 / (1u64 << 24) as f64;
    let problem = Problem::new(90, 60, 0.3, 0.1, 3, 22);
    for loss in [Loss::Multinomial, Loss::Logistic, Loss::Hinge] {
        let (rate, eta) = constant(0.4);
        let config = Config {
            loss,
            rate,
            penalty: Penalty::elastic_net(0.005, 0.4),
            batch: 16,
            micro_batch: 3,
            shuffle: false,
            average_after: Some(4),
            ..Config::default()
        };
        let expected = train(&problem, &config, 3, 3, eta);
        for (workers, engines) in [(2, 2), (5, 1), (1, 4)] {
            let (model, _) =
                together(&problem, config, Precision::Full, true, (workers, engines), 3).unwrap();
            for (found, expected) in
                model.coefficients.iter().zip(expected.average.iter().flatten())
            {
                assert!(
                    (f64::from(*found) - expected).abs() < tolerance,
                    "{loss:?}: {found} for {expected}"
                );
            }
        }
    }
}

#[test]
fn the_order_of_samples_is_the_seeds() {
    let problem = Problem::new(64, 30, 0.4, 0.1, 2, 23);
    let config =
        |seed| Config { batch: 4, seed, rate: Rate::Constant { eta0: 1.0 }, ..Config::default() };
    let run = |seed, workers| {
        together(&problem, config(seed), Precision::Full, true, (workers, 1), 2).unwrap().0
    };
    assert_eq!(run(1, 1), run(1, 1));
    assert_ne!(run(1, 1).coefficients, run(2, 1).coefficients);
    // Another order would be as far away as another seed.
    let far = |a: &Model, b: &Model| {
        a.coefficients.iter().zip(&b.coefficients).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    assert!(far(&run(1, 1), &run(1, 3)) < 1e-3 * far(&run(1, 1), &run(2, 1)));
}

/// R-GLM-18: data parallel is the same SGD where the shares make up the same mini-batches.
#[test]
fn gradients_come_to_the_same() {
    let problem = Problem::new(60, 40, 0.3, 0.1, 2, 24);
    let (rate, eta) = constant(0.5);
    let config = Config {
        rate,
        penalty: Penalty::l2(0.01),
        batch: 60,
        shuffle: false,
        spread: Spread::Data,
        ..Config::default()
    };
    // Mini-batches of everything, so that it does not matter which worker has which rows.
    let expected = train(&problem, &config, 1, 5, eta);
    for workers in [1usize, 2, 3] {
        let models: Vec<Model> = std::thread::scope(|scope| {
            let threads: Vec<_> = InProcess::new(workers, 1, WAIT_LIMIT)
                .into_iter()
                .map(|exchange| {
                    let problem = &problem;
                    scope.spawn(move || {
                        // Shares of different sizes.
                        let bounds = |rank: usize| if rank == workers { 60 } else { rank * 17 };
                        let (first, last) = (bounds(exchange.rank()), bounds(exchange.rank() + 1));
                        let values = &problem.dense[first * 40..last * 40];
                        let samples = netfold_glm::Samples::Dense(
                            netfold_glm::Dense::new(values, 40).unwrap(),
                        );
                        let data = Data::new(samples, Precision::Full, 1).unwrap();
                        let targets = Targets::classes(&problem.labels[first..last], 2).unwrap();
                        let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
                        for expected in &expected_losses(problem, &config) {
                            let epoch = trainer.epoch(&data, &targets).unwrap();
                            assert!(
                                (epoch.loss - expected).abs() < 1e-4,
                                "{} for {expected}",
                                epoch.loss
                            );
                            // The gradient, the intercept's, and four numbers; the count of samples
                            // in five.
                            assert_eq!(
                                epoch.bytes,
                                if workers == 1 { 0 } else { 4 * (40 + 1 + 4) }
                            );
                        }
                        trainer.model().unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for model in &models {
            assert_eq!(model, &models[0], "every worker has the whole model");
            assert!(distance(model, &expected.weights) < 1e-4);
        }
    }
}

fn expected_losses(problem: &Problem, config: &Config) -> Vec<f64> {
    let (_, eta) = constant(0.5);
    train(problem, config, 1, 5, eta).losses
}

#[test]
fn one_callback_stops_all() {
    let problem = Problem::new(40, 20, 0.4, 0.1, 2, 25);
    let stopping = Stopping { epochs: 50, tolerance: None, ..Stopping::default() };
    let config = Config { stopping, ..Config::default() };
    let outcomes =
        each_worker(&problem, Precision::Full, true, (3, 1), |exchange, data, targets| {
            let rank = exchange.rank();
            let mut trainer = Trainer::new(config, data, targets, exchange)?;
            trainer.fit(data, targets, |epoch: &Epoch| {
                if rank == 1 && epoch.number == 3 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        });
    for outcome in outcomes {
        let outcome = outcome.unwrap();
        assert_eq!((outcome.epochs, outcome.why), (3, Why::Callback));
    }
}

#[test]
fn workers_that_differ_are_told() {
    let problem = Problem::new(40, 20, 0.4, 0.1, 2, 26);
    let trainers =
        each_worker(&problem, Precision::Full, true, (2, 1), |exchange, data, targets| {
            let config = Config { batch: 1 + exchange.rank(), ..Config::default() };
            Trainer::new(config, data, targets, exchange).map(drop)
        });
    for refused in trainers {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("disagree about the configuration"), "{error}");
    }
}

#[test]
fn workers_of_different_bits_are_told() {
    let problem = Problem::new(40, 20, 0.4, 0.1, 2, 26);
    let partition = Partition::dealt(20, 2).unwrap();
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let refused = |exchange: InProcess| {
        let rank = exchange.rank();
        let cut = partition.cut(problem.samples(true), rank).unwrap();
        let few = Precision::Bits(netfold_glm::Quantisation::bits(4 << rank));
        let data = Data::part(cut.view(), few, 1, &partition, rank).unwrap();
        Trainer::new(Config::default(), &data, &targets, exchange).unwrap_err().to_string()
    };
    std::thread::scope(|scope| {
        let start = |exchange| scope.spawn(|| refused(exchange));
        let workers: Vec<_> = InProcess::new(2, 1, WAIT_LIMIT).into_iter().map(start).collect();
        for worker in workers {
            let error = worker.join().unwrap();
            assert!(error.contains("disagree about the configuration"), "{error}");
        }
    });
}

/// R-GLM-18: five mini-batches of two of the ten samples. If both workers took theirs in the same
/// steps, there would be as many.
#[test]
fn spread_samples_take_as_many_steps_as_samples_together() {
    let problem = Problem::new(10, 5, 0.5, 0.1, 2, 29);
    let config = Config { spread: Spread::Data, batch: 1, ..Config::default() };
    let steps = |exchange: InProcess| {
        let first = 5 * exchange.rank();
        let samples = netfold_glm::Dense::new(&problem.dense[first * 5..][..25], 5).unwrap();
        let data = Data::new(netfold_glm::Samples::Dense(samples), Precision::Full, 1).unwrap();
        let targets = Targets::classes(&problem.labels[first..][..5], 2).unwrap();
        Trainer::new(config, &data, &targets, exchange)
            .unwrap()
            .epoch(&data, &targets)
            .unwrap()
            .steps
    };
    std::thread::scope(|scope| {
        let start = |exchange| scope.spawn(|| steps(exchange));
        let workers: Vec<_> = InProcess::new(2, 1, WAIT_LIMIT).into_iter().map(start).collect();
        workers.into_iter().for_each(|worker| assert_eq!(worker.join().unwrap(), 10));
    });
}

/// R-GLM-19: gradients of differently scaled weights are not added.
#[test]
fn workers_with_samples_each_have_one_grid() {
    let values = [[1.0, 2.0, -3.0, 0.5], [4.0, 1.0, 2.0, -8.0]];
    let few = Precision::Bits(netfold_glm::Quantisation::bits(8));
    let samples = |rank: usize| {
        netfold_glm::Samples::Dense(netfold_glm::Dense::new(&values[rank], 2).unwrap())
    };
    let all = Partition::contiguous(2, 1).unwrap();
    let mut extent = netfold_glm::Extent::of(samples(0));
    extent.see(samples(1)).unwrap();
    let config = Config { spread: netfold_glm::Spread::Data, batch: 2, ..Config::default() };
    for common in [true, false] {
        let trained = |exchange: InProcess| {
            let own = samples(exchange.rank());
            let data = match common {
                true => Data::over(&extent, few, 1, &all, 0)?.like(own)?,
                false => Data::new(own, few, 1)?,
            };
            let targets = Targets::classes(&[0, 1], 2)?;
            let mut trainer = Trainer::new(config, &data, &targets, exchange)?;
            trainer.epoch(&data, &targets)?;
            trainer.model()
        };
        let models: Vec<_> = std::thread::scope(|scope| {
            let start = |exchange| scope.spawn(|| trained(exchange));
            let workers: Vec<_> = InProcess::new(2, 1, WAIT_LIMIT).into_iter().map(start).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        if common {
            let [first, second] = &models[..] else { panic!("there are two workers") };
            assert_eq!(first.as_ref().unwrap().coefficients, second.as_ref().unwrap().coefficients);
        } else {
            for refused in models {
                let error = refused.unwrap_err().to_string();
                assert!(error.contains("disagree about how far features reach"), "{error}");
            }
        }
    }
}

#[test]
fn a_worker_that_leaves_is_an_error_for_the_others() {
    let mut workers = InProcess::new(3, 1, WAIT_LIMIT);
    let gone = workers.remove(1);
    let submission = workers[0].submit(&[1.0f32]).unwrap();
    drop(gone);
    let error = workers[0].collect(submission, &mut [0.0f32]).unwrap_err();
    assert_eq!(error.to_string(), "worker 1 has left");
    assert_eq!(workers[1].submit(&[1.0f32]).unwrap_err(), error);
    let mut late = InProcess::new(2, 1, Duration::from_millis(1));
    let submission = late[0].submit(&[1i32]).unwrap();
    assert!(
        late[0].collect(submission, &mut [0i32]).unwrap_err().to_string().contains("within 1ms")
    );
    let mut different = InProcess::new(2, 1, WAIT_LIMIT);
    different[0].submit(&[1i32]).unwrap();
    assert!(different[1].submit(&[1.0f32]).is_err());
}

#[test]
fn workers_out_of_step_say_so() {
    // One worker's weight does not fit its lane; the other one waits for it in vain.
    let values = [0.0, 0.0, 1.0, 1.0];
    let partition = Partition::dealt(2, 2).unwrap();
    let config = Config {
        arithmetic: netfold_glm::Arithmetic::Fixed { fraction_bits: 22 },
        batch: 2,
        ..Config::default()
    };
    std::thread::scope(|scope| {
        for exchange in InProcess::new(2, 1, WAIT_LIMIT) {
            let values = &values;
            scope.spawn(move || {
                let rank = exchange.rank();
                let samples =
                    netfold_glm::Samples::Dense(netfold_glm::Dense::new(values, 2).unwrap());
                let cut = partition.cut(samples, rank).unwrap();
                let few = Precision::Bits(netfold_glm::Quantisation::bits(8));
                let data = Data::part(cut.view(), few, 1, &partition, rank).unwrap();
                let targets = Targets::classes(&[0, 1], 2).unwrap();
                let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
                trainer.warm_start(&[1.5 * rank as f32], &[0.0]).unwrap();
                let error = trainer.epoch(&data, &targets).unwrap_err().to_string();
                assert!(
                    error.contains(if rank == 1 { "does not fit" } else { "worker 1 has left" }),
                    "{error}"
                );
                let error = trainer.epoch(&data, &targets).unwrap_err().to_string();
                assert!(error.contains("not in step"), "{error}");
                assert!(trainer.decision(&data).is_err() && trainer.model().is_err());
            });
        }
    });
}

#[test]
fn folds_are_traced() {
    let problem = Problem::new(64, 30, 0.4, 0.1, 2, 27);
    let config = Config { batch: 32, micro_batch: 8, ..Config::default() };
    let (_, parts) = together(&problem, config, Precision::Full, true, (2, 1), 1).unwrap();
    for part in &parts {
        let trace = part.trace.as_ref().unwrap();
        let count = |stage| trace.events().iter().filter(|event| event.stage == stage).count();
        // Two mini-batches of four micro-batches.
        for (stage, expected) in [
            (Stage::Forward, 8),
            (Stage::Fold, 8),
            (Stage::Wait, 8),
            (Stage::Backward, 8),
            (Stage::Step, 2),
        ] {
            assert_eq!(count(stage), expected, "{stage:?}");
        }
        let share = trace.fold_time().hidden_share().unwrap();
        assert!((0.0..=1.0).contains(&share), "{share}");
        // R-GLM-14: within a step all go forward before one goes backward, in order.
        let of_step =
            |step, stage| trace.events().iter().filter(move |e| e.step == step && e.stage == stage);
        for step in [1, 2] {
            let last = of_step(step, Stage::Forward).map(|event| event.end).max().unwrap();
            assert!(of_step(step, Stage::Backward).all(|event| event.start >= last));
            let order: Vec<u32> =
                of_step(step, Stage::Backward).map(|event| event.micro_batch).collect();
            assert_eq!(order, [0, 1, 2, 3]);
        }
    }
    let (_, alone) = together(&problem, config, Precision::Full, true, (1, 1), 1).unwrap();
    assert_eq!(alone[0].trace.as_ref().unwrap().fold_time().hidden_share(), None);
}

#[test]
fn a_lone_worker_exchanges_nothing() {
    let problem = Problem::new(64, 30, 0.4, 0.1, 2, 28);
    let data = Data::new(problem.samples(true), Precision::Full, 1).unwrap();
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let mut trainer = Trainer::new(Config::default(), &data, &targets, Alone).unwrap();
    let outcome = trainer.fit(&data, &targets, |epoch| {
        assert_eq!(epoch.bytes, 0);
        ControlFlow::Continue(())
    });
    assert!(outcome.unwrap().epochs > 0);
    assert_eq!(trainer.decision(&data).unwrap().values.len(), 64);
}
