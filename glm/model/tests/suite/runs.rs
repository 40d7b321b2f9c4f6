//! Whole runs: their end, their beginning, a model's decisions and its file (R-GLM-3, R-GLM-12,
//! R-GLM-27, R-GLM-29).

use crate::problems::Problem;
use netfold_glm::{
    Alone, Config, Data, Epoch, Loss, Model, Penalty, Precision, Progress, Quantisation, Rate,
    Scaling, Stopping, Targets, Trainer, Why,
};
use std::ops::ControlFlow;

fn trainer<'a>(problem: &'a Problem, config: Config) -> (Trainer<Alone>, Data<'a>, Targets<'a>) {
    let data = Data::new(problem.samples(true), Precision::Full, 1).unwrap();
    let targets =
        Targets::classes(&problem.labels, problem.labels.iter().max().unwrap() + 1).unwrap();
    (Trainer::new(config, &data, &targets, Alone).unwrap(), data, targets)
}

#[test]
fn a_run_ends_when_the_loss_stands_still() {
    let problem = Problem::new(200, 30, 0.4, 0.1, 2, 51);
    let stopping = Stopping { epochs: 500, tolerance: Some(1e-3), patience: 3, validation: 0.0 };
    let (mut trainer, data, targets) = trainer(&problem, Config { stopping, ..Config::default() });
    let mut losses = Vec::new();
    let outcome = trainer.fit(&data, &targets, |epoch| {
        losses.push(epoch.objective);
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap();
    assert_eq!((outcome.why, outcome.epochs), (Why::Converged, losses.len()));
    // The rule again, over the objectives that were seen: the last three, and no three before, did
    // not beat the best by the tolerance.
    let poor: Vec<bool> = (0..losses.len())
        .map(|i| losses[i] > losses[..i].iter().copied().fold(f64::INFINITY, f64::min) - 1e-3)
        .collect();
    assert!(poor.ends_with(&[true; 3]));
    assert!(!poor[..poor.len() - 1].windows(3).any(|window| window == [true; 3]));
}

/// R-GLM-9: a charge of 10^-6 is far below the last place of 1000, 6 * 10^-5; ten thousand of them
/// are 0.01.
#[test]
fn charges_below_the_last_place_add_up() {
    let values = [1.0f32; 100];
    let labels = [1u32; 100];
    let samples = netfold_glm::Samples::Dense(netfold_glm::Dense::new(&values, 1).unwrap());
    let data = Data::new(samples, Precision::Full, 1).unwrap();
    let targets = Targets::classes(&labels, 2).unwrap();
    // All margins are far beyond 1, so that nothing but the penalty moves the weight.
    let (rate, penalty) = (Rate::Constant { eta0: 1e-3 }, Penalty::l1(1e-3));
    let config = Config { loss: Loss::Hinge, rate, penalty, ..Config::default() };
    let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
    trainer.warm_start(&[1000.0], &[0.0]).unwrap();
    for _ in 0..100 {
        trainer.epoch(&data, &targets).unwrap();
    }
    let weight = trainer.model().unwrap().coefficients[0];
    assert!((weight - 999.99).abs() <= 6.2e-5, "{weight}");
}

#[test]
fn a_model_that_is_given_is_what_averages_begin_with() {
    let problem = Problem::new(50, 20, 0.4, 0.1, 2, 58);
    let config = Config {
        average_after: Some(0),
        penalty: Penalty::elastic_net(1e-2, 0.5),
        ..Config::default()
    };
    let (mut trainer, data, targets) = trainer(&problem, config);
    trainer.epoch(&data, &targets).unwrap();
    trainer.warm_start(&[5.0; 20], &[1.0]).unwrap();
    let model = trainer.model().unwrap();
    assert_eq!((model.coefficients, model.intercepts), (vec![5.0; 20], vec![1.0]));
}

#[test]
fn a_share_that_is_no_sample_is_refused() {
    let problem = Problem::new(12, 20, 0.4, 0.1, 2, 59);
    let stopping = Stopping { validation: 0.02, ..Stopping::default() };
    let (mut trainer, data, targets) = trainer(&problem, Config { stopping, ..Config::default() });
    let whole = trainer.fit(&data, &targets, |_| ControlFlow::Continue(())).unwrap_err();
    let chunks = trainer
        .fit_chunks(|_, each| each(&data, &targets), |_| ControlFlow::Continue(()))
        .unwrap_err();
    for error in [whole, chunks] {
        assert!(error.to_string().contains("hold more back"), "{error}");
    }
}

/// R-GLM-27: a loss of nothing would be 0 in every epoch.
#[test]
fn samples_that_all_weigh_nothing_are_none() {
    let problem = Problem::new(12, 20, 0.4, 0.1, 2, 62);
    let run = |weights: &[f32]| {
        let stopping = Stopping { epochs: 1, validation: 0.25, ..Stopping::default() };
        let (mut trainer, data, targets) =
            trainer(&problem, Config { stopping, ..Config::default() });
        let targets = targets.weighted(weights).unwrap();
        let go_on = |_: &Epoch| ControlFlow::Continue(());
        let whole = trainer.fit(&data, &targets, go_on).map_err(|error| error.to_string());
        let chunks = trainer
            .fit_chunks(|_, each| each(&data, &targets), go_on)
            .map_err(|error| error.to_string());
        [whole, chunks]
    };
    // 9 rows are trained on and 3 held back; which ones is found out by what is refused.
    let of_one =
        |row: usize| run(&std::array::from_fn::<f32, 12, _>(|other| (other == row).into()));
    let (mut held, mut trained) = (Vec::new(), Vec::new());
    for row in 0..12 {
        for ended in of_one(row) {
            match ended.unwrap_err() {
                error if error.contains("samples to train on whose weights are not all 0") => {
                    held.push(row)
                }
                error if error.contains("no sample is held back that counts") => trained.push(row),
                error => panic!("{error}"),
            }
        }
    }
    assert_eq!((held.len(), trained.len()), (2 * 3, 2 * 9));
    let mut weights = [0.0; 12];
    assert!(
        run(&weights)
            .iter()
            .all(|ended| ended.as_ref().is_err_and(|error| error.contains("train on")))
    );
    (weights[held[0]], weights[trained[0]]) = (1.0, 1.0);
    assert!(run(&weights).iter().all(Result::is_ok));
}

#[test]
fn an_adaptive_step_goes_on_smaller() {
    let problem = Problem::new(100, 20, 0.4, 0.1, 2, 52);
    let stopping = Stopping { epochs: 5000, tolerance: Some(1e-2), patience: 2, validation: 0.0 };
    let run = |rate| {
        let (mut trainer, data, targets) =
            trainer(&problem, Config { rate, stopping, ..Config::default() });
        trainer.fit(&data, &targets, |_| ControlFlow::Continue(())).unwrap()
    };
    let constant = run(Rate::Constant { eta0: 0.5 });
    let adaptive = run(Rate::Adaptive { eta0: 0.5 });
    assert_eq!(adaptive.why, Why::Converged);
    // 0.5 / 5^9 is the first below 10^-6: nine divisions, each after two epochs at least, and two
    // epochs more.
    assert!(
        adaptive.epochs >= constant.epochs + 9 * 2,
        "{} after {}",
        adaptive.epochs,
        constant.epochs
    );
}

#[test]
fn samples_held_back_are_not_trained_on() {
    let mut problem = Problem::new(100, 20, 0.4, 0.1, 2, 53);
    let stopping = Stopping { epochs: 4, tolerance: None, patience: 1, validation: 0.25 };
    let config = Config { stopping, ..Config::default() };
    let run = |problem: &Problem| {
        let (mut trainer, data, targets) = trainer(problem, config);
        let mut steps = 0;
        let outcome = trainer.fit(&data, &targets, |epoch| {
            steps = epoch.steps;
            ControlFlow::Continue(())
        });
        (outcome.unwrap(), steps, trainer.model().unwrap())
    };
    let (outcome, steps, model) = run(&problem);
    assert_eq!(steps, 4 * 75);
    // Whose labels do not matter to the model are the 25 that are held back, and their loss is what
    // is judged.
    let mut held = 0;
    for row in 0..100 {
        problem.labels[row] ^= 1;
        let (other, _, changed) = run(&problem);
        let same = changed == model;
        held += usize::from(same);
        assert_eq!(same, other.loss == outcome.loss);
        assert!(!same || other.validation_loss != outcome.validation_loss);
        problem.labels[row] ^= 1;
    }
    assert_eq!(held, 25);
}

#[test]
fn a_warm_start_goes_on() {
    let problem = Problem::new(60, 20, 0.4, 0.1, 3, 54);
    let config = Config {
        loss: Loss::Multinomial,
        rate: Rate::Constant { eta0: 0.3 },
        penalty: Penalty::NONE,
        shuffle: false,
        ..Config::default()
    };
    let (mut whole, data, targets) = trainer(&problem, config);
    for _ in 0..4 {
        whole.epoch(&data, &targets).unwrap();
    }
    let (mut first, ..) = trainer(&problem, config);
    for _ in 0..2 {
        first.epoch(&data, &targets).unwrap();
    }
    let model = first.model().unwrap();
    for engines in [1, 3] {
        let data = Data::new(problem.samples(false), Precision::Full, engines).unwrap();
        let mut second = Trainer::new(config, &data, &targets, Alone).unwrap();
        second.warm_start(&model.coefficients, &model.intercepts).unwrap();
        for _ in 0..2 {
            second.epoch(&data, &targets).unwrap();
        }
        for (a, b) in
            second.model().unwrap().coefficients.iter().zip(&whole.model().unwrap().coefficients)
        {
            assert!((a - b).abs() < 1e-4, "{a} for {b}");
        }
        assert!(second.warm_start(&[0.0], &model.intercepts).is_err());
        assert!(second.warm_start(&[f32::NAN; 60], &model.intercepts).is_err());
    }
}

/// R-GLM-8, R-GLM-12: one that goes on elsewhere has the rates and orders of one that was never
/// interrupted.
#[test]
fn another_trainer_goes_on_where_one_has_ended() {
    let problem = Problem::new(60, 20, 0.4, 0.1, 2, 57);
    for (rate, average_after) in [
        (Rate::Optimal { alpha: 0.01 }, None),
        (Rate::InverseScaling { eta0: 0.5, power: 0.5 }, None),
        // From its second epoch on every one is without progress.
        (Rate::Adaptive { eta0: 0.5 }, None),
        // The average begins in the epoch after the interruption, in the middle of it.
        (Rate::Constant { eta0: 0.5 }, Some(4 * 60 + 30)),
    ] {
        let tolerance = matches!(rate, Rate::Adaptive { .. }).then_some(10.0);
        let stopping = Stopping { epochs: 4, tolerance, patience: 1, validation: 0.0 };
        let config =
            Config { rate, penalty: Penalty::NONE, average_after, stopping, ..Config::default() };
        let (mut whole, data, targets) = trainer(&problem, config);
        whole.fit(&data, &targets, |_| ControlFlow::Continue(())).unwrap();
        let (model, progress) = (whole.model().unwrap(), whole.progress());
        assert_eq!((progress.steps, progress.epochs, progress.orders), (4 * 60, 4, 4));
        let (mut second, ..) = trainer(&problem, config);
        second.warm_start(&model.coefficients, &model.intercepts).unwrap();
        second.resume(progress).unwrap();
        assert_eq!(second.progress(), progress);
        let (ended, expected) =
            (second.epoch(&data, &targets).unwrap(), whole.epoch(&data, &targets).unwrap());
        assert_eq!((ended.number, ended.steps), (expected.number, expected.steps));
        for (a, b) in
            second.model().unwrap().coefficients.iter().zip(&whole.model().unwrap().coefficients)
        {
            assert!((a - b).abs() < 1e-5, "{a} for {b}");
        }
    }
}

#[test]
fn what_is_left_of_an_adaptive_rate_is_that_of_its_eta0() {
    let problem = Problem::new(60, 20, 0.4, 0.1, 2, 58);
    let config = |eta0| Config { rate: Rate::Adaptive { eta0 }, ..Config::default() };
    let (mut same, ..) = trainer(&problem, config(0.5));
    let (mut other, ..) = trainer(&problem, config(0.25));
    let progress = Progress { steps: 7, adaptive: Some((0.5, 0.1)), ..Progress::default() };
    same.resume(progress).unwrap();
    other.resume(progress).unwrap();
    assert_eq!(same.progress().adaptive, Some((0.5, 0.1)));
    assert_eq!(other.progress().adaptive, Some((0.25, 0.25)));
    for left in [0.0, -1.0, f64::NAN] {
        assert!(same.resume(Progress { adaptive: Some((0.5, left)), ..progress }).is_err());
    }
    assert!(same.resume(Progress { steps: u64::MAX, ..progress }).is_err());
}

#[test]
fn weights_of_samples_are_repetitions() {
    let problem = Problem::new(30, 10, 0.5, 0.1, 2, 55);
    let config = Config {
        rate: Rate::Constant { eta0: 0.3 },
        batch: 1000,
        shuffle: false,
        ..Config::default()
    };
    // Mean gradients: one copy with weight 3 of 30 is what 3 copies are, if the others are weighted
    // alike.
    let weights: Vec<f32> = (0..30).map(|row| (row % 3) as f32).collect();
    let train = |targets: Targets<'_>, data: &Data<'_>| {
        let mut trainer = Trainer::new(config, data, &targets, Alone).unwrap();
        let epochs: Vec<f64> =
            (0..5).map(|_| trainer.epoch(data, &targets).unwrap().loss).collect();
        (trainer.model().unwrap(), epochs)
    };
    let data = Data::new(problem.samples(false), Precision::Full, 1).unwrap();
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let (weighted, losses) = train(targets.weighted(&weights).unwrap(), &data);
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for row in 0..30 {
        for _ in 0..row % 3 {
            values.extend_from_slice(problem.row(row));
            labels.push(problem.labels[row]);
        }
    }
    // 10 rows of weight 0, 1 and 2 each: 30 repetitions, so that the mean is over as many.
    assert_eq!(labels.len(), 30);
    let samples = netfold_glm::Samples::Dense(netfold_glm::Dense::new(&values, 10).unwrap());
    let repeated_data = Data::new(samples, Precision::Full, 1).unwrap();
    let (repeated, repeated_losses) = train(Targets::classes(&labels, 2).unwrap(), &repeated_data);
    for (a, b) in weighted.coefficients.iter().zip(&repeated.coefficients) {
        assert!((a - b).abs() < 1e-5, "{a} for {b}");
    }
    for (a, b) in losses.iter().zip(&repeated_losses) {
        assert!((a - b).abs() < 1e-6);
    }
    // A class's weight is a weight of its samples.
    let by_class: Vec<f32> =
        problem.labels.iter().map(|&label| [0.5, 2.0][label as usize]).collect();
    let (a, _) = train(targets.weighted(&by_class).unwrap(), &data);
    let (b, _) = train(targets.class_weighted(&[0.5, 2.0]).unwrap(), &data);
    assert_eq!(a, b);
}

/// R-GLM-6: one against the rest, a class's weight is that of its own samples for its own
/// activation. So each activation is the model of two classes that has the weights 1 and that.
#[test]
fn weights_of_several_classes_are_those_of_each_against_the_rest() {
    let problem = Problem::new(60, 10, 0.5, 0.1, 3, 63);
    let data = Data::new(problem.samples(false), Precision::Full, 1).unwrap();
    let weights = [3.0, 0.25, 0.0];
    for loss in [Loss::Logistic, Loss::Hinge, Loss::SquaredHinge, Loss::Squared] {
        let config = Config {
            loss,
            rate: Rate::Constant { eta0: 0.05 },
            shuffle: false,
            ..Config::default()
        };
        let train = |targets: Targets<'_>| {
            let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
            let loss = (0..3).map(|_| trainer.epoch(&data, &targets).unwrap().loss).next_back();
            (trainer.model().unwrap(), loss.unwrap())
        };
        let targets = Targets::classes(&problem.labels, 3).unwrap();
        let (all, loss) = train(targets.class_weighted(&weights).unwrap());
        // Weights times losses, and weights.
        let (mut sum, mut total) = (0.0, 0.0);
        for (class, weight) in (0..).zip(weights) {
            let own: Vec<u32> =
                problem.labels.iter().map(|&label| u32::from(label == class)).collect();
            let pair = [1.0, weight];
            let (one, mean) =
                train(Targets::classes(&own, 2).unwrap().class_weighted(&pair).unwrap());
            assert_eq!(all.coefficients[10 * class as usize..][..10], one.coefficients);
            assert_eq!(all.intercepts[class as usize], one.intercepts[0]);
            let counted: f64 = own.iter().map(|&own| f64::from(pair[own as usize])).sum();
            (sum, total) = (sum + mean * counted, total + counted);
        }
        // Three activations for each sample: losses of all of them over the mean of their weights.
        assert!(
            (loss - 3.0 * sum / total).abs() < 1e-12 * loss,
            "{loss} for {}",
            3.0 * sum / total
        );
        // Some class counts for the others even where its own weight is 0.
        let last = Targets::classes(&[2; 60], 3).unwrap().class_weighted(&weights).unwrap();
        let once = Config { stopping: Stopping { epochs: 1, ..Stopping::default() }, ..config };
        let run = |config| {
            Trainer::new(config, &data, &last, Alone).unwrap().fit(&data, &last, |_| go_on())
        };
        assert!(run(once).is_ok());
        assert!(run(Config { loss: Loss::Multinomial, ..once }).is_err());
    }
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn models_say_what_their_activations_say() {
    let model = |loss, classes, outputs: usize| Model {
        features: 1,
        coefficients: vec![1.0; outputs],
        intercepts: (0..outputs).map(|output| output as f64).collect(),
        loss,
        classes,
        scaling: None,
    };
    let values = [-2.0f32, 0.5];
    let samples = netfold_glm::Samples::Dense(netfold_glm::Dense::new(&values, 1).unwrap());
    let binary = model(Loss::Logistic, Some(2), 1);
    let decision = binary.decision(samples).unwrap();
    assert_eq!(decision.values, [-2.0, 0.5]);
    assert_eq!(binary.labels(&decision), [0, 1]);
    let probabilities = binary.probabilities(&decision).unwrap();
    for (row, value) in [-2.0f64, 0.5].iter().enumerate() {
        let positive = 1.0 / (1.0 + (-value).exp());
        assert!((probabilities[2 * row + 1] - positive).abs() < 1e-15);
        assert!((probabilities[2 * row] + probabilities[2 * row + 1] - 1.0).abs() < 1e-15);
    }
    let several = model(Loss::Multinomial, Some(3), 3);
    let decision = several.decision(samples).unwrap();
    assert_eq!(several.labels(&decision), [2, 2]);
    let sum = 1.0 + 1f64.exp() + 2f64.exp();
    for (class, probability) in several.probabilities(&decision).unwrap()[..3].iter().enumerate() {
        assert!((probability - (class as f64).exp() / sum).abs() < 1e-15);
    }
    let rest = model(Loss::Logistic, Some(3), 3);
    let against: Vec<f64> = rest.probabilities(&rest.decision(samples).unwrap()).unwrap();
    assert!((against[..3].iter().sum::<f64>() - 1.0).abs() < 1e-15);
    let hinge = model(Loss::Hinge, Some(2), 1);
    assert!(hinge.probabilities(&hinge.decision(samples).unwrap()).is_err());
}

#[test]
fn models_are_kept() {
    let problem = Problem::new(40, 12, 0.5, 0.1, 3, 56);
    let targets = Targets::classes(&problem.labels, 3).unwrap();
    let four = |scaling| Precision::Bits(Quantisation { scaling, ..Quantisation::bits(4) });
    for precision in [Precision::Full, four(Scaling::Unit), four(Scaling::Symmetric)] {
        let data = Data::new(problem.samples(false), precision, 2).unwrap();
        let mut trainer = Trainer::new(Config::default(), &data, &targets, Alone).unwrap();
        trainer.epoch(&data, &targets).unwrap();
        let model = trainer.model().unwrap();
        let kind = match precision {
            Precision::Full => None,
            Precision::Bits(how) => Some(how.scaling),
        };
        assert_eq!(model.scaling.as_ref().map(|scaling| scaling.kind), kind);
        let mut file = Vec::new();
        model.save(&mut file).unwrap();
        assert_eq!(Model::load(&file[..]).unwrap(), model);
        // Labels of classes are beside it, and equal models are equal bytes.
        let labelled = || {
            let mut file = Vec::new();
            model.save_with_labels(&[1.0, 2.0, 4.5], &mut file).unwrap();
            file
        };
        assert_eq!(labelled(), labelled());
        assert_eq!(Model::load(&labelled()[..]).unwrap(), model);
        assert!(model.save_with_labels(&[1.0, 2.0], Vec::new()).is_err());
        // Whatever is cut off or changed is refused, or reads as another model, and never panics.
        for end in 0..file.len() {
            assert!(Model::load(&file[..end]).is_err());
        }
        for place in 0..file.len() {
            let mut wrong = file.clone();
            wrong[place] ^= 0x15;
            assert!(
                Model::load(&wrong[..]).map_or(true, |other| other != model),
                "byte {place} means nothing"
            );
        }
    }
}

#[test]
fn a_diverging_run_keeps_the_last_good_model() {
    let problem = Problem::new(40, 12, 0.5, 0.1, 2, 57);
    let config =
        Config { loss: Loss::Squared, rate: Rate::Constant { eta0: 1e30 }, ..Config::default() };
    let (mut trainer, data, targets) = trainer(&problem, config);
    trainer.warm_start(&[0.5; 12], &[0.25]).unwrap();
    let error = trainer.epoch(&data, &targets).unwrap_err().to_string();
    assert!(error.contains("not finite") && error.contains("smaller step"), "{error}");
    let model = trainer.model().unwrap();
    assert_eq!((model.coefficients, model.intercepts), (vec![0.5; 12], vec![0.25]));
}
