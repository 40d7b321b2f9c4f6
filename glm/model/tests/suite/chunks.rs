//! Samples that come in chunks, and are not in memory at once (R-GLM-31); held-back samples of
//! workers that have samples each (R-GLM-27).

use crate::problems::Problem;
use netfold_glm::{
    Alone, Arithmetic, Config, Data, Dense, Epoch, Error, Exchange, Extent, InProcess, Loss, Model,
    OfChunk, Partition, Penalty, Precision, Quantisation, Rate, Rounding, RowNumbers, Samples,
    Scaling, Spread, Stopping, Targets, Trainer,
};
use std::ops::{ControlFlow, Range};
use std::time::Duration;

/// Far more than any of these takes.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

const FEATURES: usize = 24;

fn problem() -> Problem {
    Problem::new(90, FEATURES, 0.4, 0.1, 2, 61)
}

/// Rows of the samples.
fn rows(problem: &Problem, rows: Range<usize>) -> Samples<'_> {
    Samples::Dense(
        Dense::new(&problem.dense[rows.start * FEATURES..rows.end * FEATURES], FEATURES).unwrap(),
    )
}

/// Trains with chunks that end where `ends` says, as worker `rank` of `partition`.
fn in_chunks<X: Exchange>(
    problem: &Problem,
    ends: &[usize],
    config: Config,
    precision: Precision,
    (partition, exchange): (Partition, X),
    rank: usize,
) -> (Model, Vec<Epoch>) {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let chunks: Vec<Range<usize>> = starts.zip(ends).map(|(start, &end)| start..end).collect();
    let cut = |chunk: &Range<usize>| partition.cut(rows(problem, chunk.clone()), rank).unwrap();
    let mut extent = Extent::of(cut(&chunks[0]).view());
    chunks[1..].iter().for_each(|chunk| extent.see(cut(chunk).view()).unwrap());
    let none = Data::over(&extent, precision, 1, &partition, rank).unwrap();
    let mut trainer =
        Trainer::new(config, &none, &Targets::classes(&[], 2).unwrap(), exchange).unwrap();
    let mut epochs = Vec::new();
    let go = |_: u64, each: &mut OfChunk<'_>| -> Result<(), Error> {
        for chunk in &chunks {
            let cut = cut(chunk);
            let numbers = RowNumbers::from(chunk.start as u64);
            each(
                &none.like_rows(cut.view(), numbers)?,
                &Targets::classes(&problem.labels[chunk.clone()], 2)?,
            )?;
        }
        Ok(())
    };
    let told = |epoch: &Epoch| {
        epochs.push(*epoch);
        ControlFlow::Continue(())
    };
    trainer.fit_chunks(go, told).unwrap();
    (trainer.model().unwrap(), epochs)
}

fn alone() -> (Partition, Alone) {
    (Partition::dealt(FEATURES, 1).unwrap(), Alone)
}

fn config() -> Config {
    let stopping = Stopping { epochs: 3, tolerance: None, ..Stopping::default() };
    Config {
        rate: Rate::Constant { eta0: 0.3 },
        penalty: Penalty::l2(0.01),
        batch: 8,
        stopping,
        ..Config::default()
    }
}

fn few_bits(rounding: Rounding) -> Precision {
    Precision::Bits(Quantisation { scaling: Scaling::Symmetric, rounding, ..Quantisation::bits(4) })
}

fn at_random() -> Precision {
    few_bits(Rounding::Stochastic { seed: 17 })
}

#[test]
fn chunks_are_the_whole_where_mini_batches_end_with_them() {
    let problem = problem();
    for (precision, average_after) in
        [(Precision::Full, None), (few_bits(Rounding::Nearest), Some(5)), (at_random(), None)]
    {
        let config = Config { shuffle: false, average_after, ..config() };
        let data = Data::new(rows(&problem, 0..90), precision, 1).unwrap();
        let targets = Targets::classes(&problem.labels, 2).unwrap();
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        let mut losses = Vec::new();
        trainer
            .fit(&data, &targets, |epoch| {
                losses.push(epoch.loss);
                ControlFlow::Continue(())
            })
            .unwrap();
        // 8 divides all ends but the last: the same mini-batches, on the grid of all chunks.
        let (model, epochs) = in_chunks(&problem, &[40, 48, 90], config, precision, alone(), 0);
        assert_eq!(model, trainer.model().unwrap());
        assert_eq!(epochs.len(), 3);
        for (epoch, (number, loss)) in epochs.iter().zip((1..).zip(losses)) {
            assert_eq!(epoch.number, number);
            assert!((epoch.loss - loss).abs() < 1e-12, "{} for {loss}", epoch.loss);
        }
    }
}

/// R-GLM-15, R-GLM-25: to the bit in fixed point.
#[test]
fn several_workers_come_to_the_model_of_one() {
    let problem = problem();
    let config = Config { arithmetic: Arithmetic::Fixed { fraction_bits: 16 }, ..config() };
    let ends = [37, 60, 90];
    let (one, _) = in_chunks(&problem, &ends, config, at_random(), alone(), 0);
    let partition = Partition::dealt(FEATURES, 3).unwrap();
    let parts: Vec<(Model, Vec<Epoch>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = InProcess::new(3, 1, WAIT_LIMIT)
            .into_iter()
            .map(|exchange| {
                let problem = &problem;
                scope.spawn(move || {
                    let rank = exchange.rank();
                    in_chunks(problem, &ends, config, at_random(), (partition, exchange), rank)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (rank, (part, _)) in parts.iter().enumerate() {
        assert_eq!(part.coefficients, partition.gather(rank, &one.coefficients));
        assert_eq!(part.intercepts, one.intercepts);
    }
}

#[test]
fn samples_of_chunks_are_held_back() {
    let problem = problem();
    let stopping = Stopping { epochs: 2, tolerance: None, validation: 0.2, ..Stopping::default() };
    let config = Config { stopping, ..config() };
    let (_, epochs) = in_chunks(&problem, &[50, 90], config, Precision::Full, alone(), 0);
    // 40 and 32 of them are trained on, in mini-batches of 8.
    assert_eq!(epochs.iter().map(|epoch| epoch.steps).collect::<Vec<_>>(), [9, 18]);
    assert!(
        epochs.iter().all(|epoch| epoch
            .validation_loss
            .is_some_and(|loss| loss > 0.0 && loss != epoch.loss))
    );
}

#[test]
fn an_epoch_that_fails_leaves_the_model_of_the_one_before() {
    let problem = problem();
    let data = Data::new(rows(&problem, 0..90), Precision::Full, 1).unwrap();
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let mut trainer = Trainer::new(config(), &data, &targets, Alone).unwrap();
    let mut before = None;
    let outcome = trainer.fit_chunks(
        |epoch, each| {
            each(&data, &targets)?;
            if epoch == 2 { Err(Error::Samples("the disk is gone".into())) } else { Ok(()) }
        },
        |epoch| {
            before = Some(epoch.steps);
            ControlFlow::Continue(())
        },
    );
    assert_eq!(outcome.unwrap_err().to_string(), "samples: the disk is gone");
    assert_eq!(before, Some(12));
    let mut same = Trainer::new(config(), &data, &targets, Alone).unwrap();
    same.epoch(&data, &targets).unwrap();
    assert_eq!(trainer.model().unwrap(), same.model().unwrap());
    let empty = trainer.fit_chunks(|_, _| Ok(()), |_| ControlFlow::Continue(()));
    assert!(empty.unwrap_err().to_string().contains("samples to train on"));
}

/// Half a sample counts as one, and less as zero. The other workers judge the samples that one
/// holds back.
#[test]
fn a_worker_may_hold_nothing_back() {
    let problem = problem();
    let stopping = Stopping { epochs: 2, tolerance: None, validation: 0.1, ..Stopping::default() };
    let config = Config { spread: Spread::Data, stopping, ..config() };
    let losses: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let start = |exchange: InProcess| {
            let own = if exchange.rank() == 0 { 0..5 } else { 5..9 };
            let data = Data::new(rows(&problem, own.clone()), Precision::Full, 1).unwrap();
            let targets = Targets::classes(&problem.labels[own], 2).unwrap();
            let mut losses = Vec::new();
            let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
            let told = |epoch: &netfold_glm::Epoch| {
                losses.extend(epoch.validation_loss);
                ControlFlow::Continue(())
            };
            trainer.fit(&data, &targets, told).unwrap();
            losses
        };
        let threads: Vec<_> = InProcess::new(2, 1, WAIT_LIMIT)
            .into_iter()
            .map(|exchange| scope.spawn(move || start(exchange)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(losses[0].len(), 2);
    assert_eq!(losses[0], losses[1]);
}

/// A chunk with fewer rows than there are workers leaves some worker without a row: training goes
/// on with the others' rows.
#[test]
fn a_worker_may_have_no_row_of_any_chunk() {
    let problem = problem();
    let config = Config { spread: Spread::Data, ..config() };
    let models: Vec<Model> = std::thread::scope(|scope| {
        let start = |exchange: InProcess| {
            let own = if exchange.rank() == 0 { 0..90 } else { 0..0 };
            let data = Data::new(rows(&problem, own.clone()), Precision::Full, 1).unwrap();
            let targets = Targets::classes(&problem.labels[own], 2).unwrap();
            let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
            trainer
                .fit_chunks(|_, each| each(&data, &targets), |_| ControlFlow::Continue(()))
                .unwrap();
            trainer.model().unwrap()
        };
        let threads: Vec<_> = InProcess::new(2, 1, WAIT_LIMIT)
            .into_iter()
            .map(|exchange| scope.spawn(move || start(exchange)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(models[0], models[1]);
    assert!(models[0].coefficients.iter().any(|&coefficient| coefficient != 0.0));
}

/// Every worker judges by the loss of the samples that all of them hold back.
#[test]
fn workers_with_samples_each_hold_some_back() {
    let problem = problem();
    let stopping = Stopping { epochs: 2, tolerance: None, validation: 0.5, ..Stopping::default() };
    let config =
        Config { loss: Loss::Squared, spread: Spread::Data, batch: 90, stopping, ..config() };
    let epochs: Vec<Vec<(f64, u64)>> = std::thread::scope(|scope| {
        let threads: Vec<_> = InProcess::new(2, 1, WAIT_LIMIT)
            .into_iter()
            .map(|exchange| {
                let problem = &problem;
                scope.spawn(move || {
                    // The same samples for both, so that all of them lose what each does.
                    let data = Data::new(rows(problem, 0..90), Precision::Full, 1).unwrap();
                    let targets = Targets::classes(&problem.labels, 2).unwrap();
                    let mut trainer = Trainer::new(config, &data, &targets, exchange).unwrap();
                    let mut told = Vec::new();
                    trainer
                        .fit(&data, &targets, |epoch| {
                            told.push((epoch.validation_loss.unwrap(), epoch.steps));
                            ControlFlow::Continue(())
                        })
                        .unwrap();
                    told
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(epochs[0], epochs[1]);
    // 45 of 90 are held back by either: the 90 that are left make one mini-batch, which is that of
    // one worker with these 45 alone.
    let single = Config { spread: Spread::Model, ..config };
    let data = Data::new(rows(&problem, 0..90), Precision::Full, 1).unwrap();
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let mut trainer = Trainer::new(single, &data, &targets, Alone).unwrap();
    let mut expected = Vec::new();
    trainer
        .fit(&data, &targets, |epoch| {
            expected.push((epoch.validation_loss.unwrap(), epoch.steps));
            ControlFlow::Continue(())
        })
        .unwrap();
    for ((found, steps), (loss, expected_steps)) in epochs[0].iter().zip(expected) {
        assert_eq!(*steps, expected_steps);
        assert!((found - loss).abs() < 1e-5, "{found} for {loss}");
    }
}
