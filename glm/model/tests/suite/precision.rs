//! Features of few bits (R-GLM-19 to R-GLM-24).

use crate::problems::Problem;
use crate::textbook::constant;
use crate::workers::together;
use netfold_glm::{
    Alone, Config, Csr, Data, Dense, Layout, Loss, Partition, Penalty, Precision, Quantisation,
    Rounding, Samples, Scaling, Targets, Trainer,
};
use proptest::prelude::*;

/// The values that a trainer sees of a dense column: the slope of a decision along one weight.
fn seen(values: &[f32], how: Quantisation, read: Option<u8>) -> Vec<f64> {
    let mut data =
        Data::new(Samples::Dense(Dense::new(values, 1).unwrap()), Precision::Bits(how), 1).unwrap();
    if let Some(read) = read {
        data.read_bits(read).unwrap();
    }
    column(&data)
}

fn seen_sparse(values: &[f32], how: Quantisation) -> Vec<f64> {
    let indptr: Vec<u64> = (0..=values.len() as u64).collect();
    let indices = vec![0; values.len()];
    let samples = Samples::Csr(Csr::new(1, &indptr, &indices, values).unwrap());
    column(&Data::new(samples, Precision::Bits(how), 1).unwrap())
}

fn column(data: &Data<'_>) -> Vec<f64> {
    let targets = vec![0.0; data.rows()];
    let targets = Targets::values(&targets).unwrap();
    let config = Config { loss: Loss::Squared, ..Config::default() };
    let mut trainer = Trainer::new(config, data, &targets, Alone).unwrap();
    trainer.warm_start(&[1.0], &[0.0]).unwrap();
    trainer.decision(data).unwrap().values
}

/// A value on the grid, as R-GLM-19 and R-GLM-20 say, in f64.
fn on_grid(value: f64, low: f64, span: f64, how: Quantisation) -> f64 {
    let (point, least, most) = match how.scaling {
        Scaling::Unit => (i32::from(how.bits), 0.0, 2f64.powi(how.bits.into()) - 1.0),
        Scaling::Symmetric => {
            let half = 2f64.powi(i32::from(how.bits) - 1);
            (i32::from(how.bits) - 1, -half, half - 1.0)
        }
    };
    let x = (value - low) / span * 2f64.powi(point);
    let q = if how.rounding == Rounding::Nearest { (x + 0.5).floor() } else { x.floor() };
    low + span * q.clamp(least, most) / 2f64.powi(point)
}

proptest! {
    #[test]
    fn values_are_on_the_grid(
        values in prop::collection::vec(-4f32..4.0, 2..40),
        bits in 1u8..=32,
        symmetric: bool,
        truncate: bool,
    ) {
        let scaling = if symmetric { Scaling::Symmetric } else { Scaling::Unit };
        let rounding = if truncate { Rounding::Truncate } else { Rounding::Nearest };
        let how = Quantisation { scaling, rounding, ..Quantisation::bits(bits) };
        let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x.into()), b.max(x.into())));
        prop_assume!(most - least > 1e-3);
        // The span reaches both ends from where the middle is as an f32.
        let low = f64::from(if symmetric { least + (most - least) / 2.0 } else { least } as f32);
        let span = f64::from((most - low).max(if symmetric { low - least } else { 0.0 }) as f32);
        for (value, found) in values.iter().zip(seen(&values, how, None)) {
            let expected = on_grid(f64::from(*value), low, span, how);
            // Weights and activations are f32, of numbers below 16.
            prop_assert!((found - expected).abs() < 16.0 * f64::from(f32::EPSILON), "{value}: {found} for {expected}");
        }
        if bits < 32 {
            let values: Vec<f32> = if symmetric { values } else { values.iter().map(|x| x.abs()).collect() };
            let span = values.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            for (value, found) in values.iter().zip(seen_sparse(&values, how)) {
                // Of sparse values of few bits x is rounded to f32 (R-GLM-20).
                let expected = if bits <= 8 {
                    f64::from(span) * on_grid(f64::from(*value / span), 0.0, 1.0, how)
                } else {
                    on_grid(f64::from(*value), 0.0, span.into(), how)
                };
                prop_assert!((found - expected).abs() < 16.0 * f64::from(f32::EPSILON), "{value}: {found} for {expected}");
            }
        }
    }

    /// R-GLM-21: the first planes are what fewer bits would have stored.
    #[test]
    fn fewer_planes_are_fewer_bits(values in prop::collection::vec(-4f32..4.0, 2..40), depth in 2u8..=32, symmetric: bool) {
        let scaling = if symmetric { Scaling::Symmetric } else { Scaling::Unit };
        let how =
            |bits| Quantisation { scaling, rounding: Rounding::Truncate, layout: Layout::Planes, ..Quantisation::bits(bits) };
        for read in 1..=depth {
            prop_assert_eq!(seen(&values, how(depth), Some(read)), seen(&values, how(read), None));
        }
    }
}

/// R-GLM-19: also where rows have more features than become integers at a time.
#[test]
fn each_feature_of_a_wide_row_has_its_own_grid() {
    let (rows, features) = (3, 2500);
    let value = |row: usize, feature: usize| {
        ((feature * 7919 + row * 4049) % 1000 * (1 + feature * 31 % 101)) as f32
    };
    let values: Vec<f32> =
        (0..rows * features).map(|place| value(place / features, place % features)).collect();
    // By thirteen weights, so that a feature with another one's grid does not go unnoticed.
    let weight = |feature: usize| (feature % 13) as f32 - 6.0;
    let weights: Vec<f32> = (0..features).map(weight).collect();
    let targets = vec![0.0; rows];
    let targets = Targets::values(&targets).unwrap();
    for (bits, layout) in [(3, Layout::Planes), (4, Layout::Packed), (8, Layout::Packed)] {
        let how = Quantisation { layout, ..Quantisation::bits(bits) };
        let samples = Samples::Dense(Dense::new(&values, features).unwrap());
        let data = Data::new(samples, Precision::Bits(how), 1).unwrap();
        let config = Config { loss: Loss::Squared, ..Config::default() };
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        trainer.warm_start(&weights, &[0.0]).unwrap();
        for (row, found) in trainer.decision(&data).unwrap().values.into_iter().enumerate() {
            let (mut expected, mut size) = (0.0, 0.0);
            for feature in 0..features {
                let of_rows = (0..rows).map(|row| f64::from(value(row, feature)));
                let (low, most) =
                    of_rows.fold((f64::MAX, f64::MIN), |(low, most), x| (low.min(x), most.max(x)));
                let x =
                    on_grid(value(row, feature).into(), low, f64::from((most - low) as f32), how);
                expected += x * f64::from(weight(feature));
                size += most * f64::from(weight(feature).abs());
            }
            // 64 sums of 40 terms, added up in six steps (R-GLM-28), of products that are rounded
            // three times.
            let bound = 49.0 * f64::from(f32::EPSILON) * size;
            assert!(
                (found - expected).abs() < bound,
                "{bits} bits, row {row}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn stochastic_rounding_has_the_right_mean() {
    // 4000 times 0.3 between 0 and 1, in 2 bits: 0.25 or 0.5. The mean's deviation is 0.25 *
    // sqrt(0.2 * 0.8 / 4000) = 0.0016; five of them.
    let mut values = vec![0.3f32; 4002];
    (values[0], values[1]) = (0.0, 1.0);
    let how = Quantisation { rounding: Rounding::Stochastic { seed: 9 }, ..Quantisation::bits(2) };
    let other = Quantisation { rounding: Rounding::Stochastic { seed: 10 }, ..how };
    let dense = |values: &[f32], how| seen(values, how, None);
    for seen in [dense, seen_sparse] {
        let found = seen(&values, how);
        assert!(found[2..].iter().all(|&x| x == 0.25 || x == 0.5));
        let mean = found[2..].iter().sum::<f64>() / 4000.0;
        assert!((mean - 0.3).abs() < 0.008, "{mean}");
        assert_ne!(seen(&values, other), found);
    }
}

/// R-GLM-20, R-GLM-24: a worker's view of a feature does not depend on the features of the others.
#[test]
fn quantised_workers_are_one_to_rounding() {
    let problem = Problem::new(60, 70, 0.4, 0.1, 2, 41);
    let (rate, _) = constant(0.4);
    let config = Config { rate, penalty: Penalty::l2(0.01), batch: 8, ..Config::default() };
    let stochastic = Rounding::Stochastic { seed: 5 };
    for (bits, layout, sparse) in [
        (4, Layout::Packed, false),
        (3, Layout::Planes, false),
        (4, Layout::Auto, true),
        (8, Layout::Auto, true),
        (3, Layout::Auto, true),
        (13, Layout::Auto, true),
        (27, Layout::Auto, true),
    ] {
        let how = Precision::Bits(Quantisation {
            scaling: Scaling::Symmetric,
            rounding: stochastic,
            layout,
            ..Quantisation::bits(bits)
        });
        let (one, _) = together(&problem, config, how, sparse, (1, 1), 2).unwrap();
        for (workers, engines) in [(3, 1), (2, 2), (1, 5)] {
            let (model, _) =
                together(&problem, config, how, sparse, (workers, engines), 2).unwrap();
            for (a, b) in model.coefficients.iter().zip(&one.coefficients) {
                // Some 10^3 roundings of weights below 8.
                assert!(
                    (a - b).abs() < 8e3 / (1u64 << 24) as f32,
                    "{bits} bits, {workers} x {engines}: {a} for {b}"
                );
            }
            assert!((model.intercepts[0] - one.intercepts[0]).abs() < 1e-3);
        }
    }
}

/// R-GLM-24: at 32 bits the model of scaled features says the same of features as they are.
#[test]
fn models_are_of_features_as_they_are() {
    let mut problem = Problem::new(80, 20, 0.5, 0.1, 2, 42);
    problem
        .dense
        .iter_mut()
        .enumerate()
        .for_each(|(place, x)| *x = *x * (1 + place % 20) as f32 - 3.0);
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    for scaling in [Scaling::Unit, Scaling::Symmetric] {
        let how = Quantisation { scaling, ..Quantisation::bits(32) };
        let data = Data::new(problem.samples(false), Precision::Bits(how), 2).unwrap();
        let mut trainer = Trainer::new(Config::default(), &data, &targets, Alone).unwrap();
        for _ in 0..3 {
            trainer.epoch(&data, &targets).unwrap();
        }
        let decision = trainer.decision(&data).unwrap().values;
        let model = trainer.model().unwrap();
        let size =
            20.0 * model.coefficients.iter().fold(0.0f32, |most, x| most.max(x.abs())) * 20.0;
        for (a, b) in model.decision(problem.samples(false)).unwrap().values.iter().zip(&decision) {
            assert!((a - b).abs() < f64::from(size * 20.0 * f32::EPSILON), "{a} for {b}");
        }
        // And back.
        trainer.warm_start(&model.coefficients, &model.intercepts).unwrap();
        let again = trainer.model().unwrap();
        for (a, b) in again.coefficients.iter().zip(&model.coefficients) {
            assert!((a - b).abs() <= 2.0 * f32::EPSILON * b.abs());
        }
        assert_eq!(again.scaling.unwrap().features.len(), 20);
    }
}

/// R-GLM-19: the grid of a model is that of its samples, whatever the split.
#[test]
fn a_grid_is_rebuilt_from_a_model() {
    let mut problem = Problem::new(80, 20, 0.5, 0.1, 2, 46);
    problem
        .dense
        .iter_mut()
        .enumerate()
        .for_each(|(place, x)| *x = *x * (1 + place % 20) as f32 - 3.0);
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    for (sparse, bits) in [(false, 5), (true, 4)] {
        for (scaling, engines) in [(Scaling::Unit, 1), (Scaling::Symmetric, 3)] {
            let precision = Precision::Bits(Quantisation { scaling, ..Quantisation::bits(bits) });
            let samples = problem.samples(sparse);
            let data = Data::new(samples, precision, engines).unwrap();
            let mut trainer = Trainer::new(Config::default(), &data, &targets, Alone).unwrap();
            trainer.epoch(&data, &targets).unwrap();
            let grid = trainer.model().unwrap().scaling.unwrap().features;
            let whole = Partition::dealt(20, 1).unwrap();
            let known = Data::on_scaling(&grid, sparse, precision, engines, &whole, 0).unwrap();
            let again = known.like(samples).unwrap();
            assert_eq!(trainer.decision(&again).unwrap(), trainer.decision(&data).unwrap());
            for wrong in [(0.0, 0.0), (0.0, -1.0), (f32::NAN, 1.0), (0.0, f32::INFINITY)] {
                let grid = [&grid[1..], &[wrong]].concat();
                assert!(Data::on_scaling(&grid, sparse, precision, engines, &whole, 0).is_err());
            }
            assert!(Data::on_scaling(&grid[1..], sparse, precision, engines, &whole, 0).is_err());
        }
    }
    let whole = Partition::dealt(1, 1).unwrap();
    let precision = Precision::Bits(Quantisation::bits(4));
    assert!(Data::on_scaling(&[(0.5, 1.0)], true, precision, 1, &whole, 0).is_err());
}

/// R-GLM-24: sparse samples are trained on as they are, but rounded; dense ones as if they had been
/// scaled beforehand. Spans that differ by a factor of 30 tell a span from its square.
#[test]
fn training_is_that_of_rounded_samples() {
    for bits in 1..=31 {
        for scaling in [Scaling::Unit, Scaling::Symmetric] {
            if (bits, scaling) != (1, Scaling::Symmetric) {
                training_of_rounded_samples(Quantisation { scaling, ..Quantisation::bits(bits) });
            }
        }
    }
}

fn training_of_rounded_samples(how: Quantisation) {
    let (rows, features) = (60usize, 12usize);
    let mut problem = Problem::new(rows, features, 0.6, 0.1, 2, 45);
    problem
        .dense
        .iter_mut()
        .enumerate()
        .for_each(|(place, x)| *x *= 0.1 + 0.25 * (place % features) as f32);
    let (mut indptr, mut indices, mut values) = (vec![0u64], Vec::new(), Vec::new());
    for row in 0..rows {
        for (feature, &x) in problem.row(row).iter().enumerate().filter(|(_, x)| **x != 0.0) {
            indices.push(feature as u32);
            values.push(x);
        }
        indptr.push(indices.len() as u64);
    }
    let span =
        |feature: usize| (0..rows).map(|row| problem.row(row)[feature]).fold(0.0f32, f32::max);
    let spans: Vec<f64> = (0..features).map(|feature| span(feature).into()).collect();
    let rounded: Vec<f32> = indices
        .iter()
        .zip(&values)
        .map(|(&feature, &x)| on_grid(x.into(), 0.0, spans[feature as usize], how) as f32)
        .collect();
    let scaled: Vec<f32> = problem
        .dense
        .iter()
        .enumerate()
        .map(|(place, &x)| {
            (on_grid(x.into(), 0.0, spans[place % features], how) / spans[place % features]) as f32
        })
        .collect();
    let csr = |values| Samples::Csr(Csr::new(features, &indptr, &indices, values).unwrap());
    let dense = |values| Samples::Dense(Dense::new(values, features).unwrap());
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let train = |samples, precision, arithmetic, penalty, average_after| {
        let rate = netfold_glm::Rate::Constant { eta0: 0.2 };
        let config =
            Config { rate, penalty, arithmetic, average_after, batch: 4, ..Config::default() };
        let data = Data::new(samples, precision, 1).unwrap();
        let mut trainer = Trainer::new(config, &data, &targets, Alone).unwrap();
        for _ in 0..4 {
            trainer.epoch(&data, &targets).unwrap();
        }
        trainer.model().unwrap().coefficients
    };
    let near = |a: &[f32], b: &[f32], tolerance: f32| {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < tolerance, "{a} for {b}");
        }
    };
    let few = Precision::Bits(how);
    // Some 10^3 roundings of weights below 4, held times or divided by a span of 0.1 at least.
    let tolerance = 4e4 / (1u64 << 24) as f32;
    let float = netfold_glm::Arithmetic::Float;
    for (penalty, average) in
        [(Penalty::l2(0.05), None), (Penalty::elastic_net(0.02, 0.5), Some(10))]
    {
        let expected = train(csr(&rounded), Precision::Full, float, penalty, average);
        near(&train(csr(&values), few, float, penalty, average), &expected, tolerance);
        if how != Quantisation::bits(8) {
            continue;
        }
        let of_scaled = train(dense(&scaled), Precision::Full, float, penalty, average);
        let expected: Vec<f32> =
            of_scaled.iter().zip(&spans).map(|(w, span)| w / *span as f32).collect();
        near(&train(dense(&problem.dense), few, float, penalty, average), &expected, tolerance);
    }
    // Fixed point: 60 steps round weights times spans to 2^-21 each, and derivatives to 2^-17; by
    // the span of 0.1 that is below 10^-3.
    if !matches!(how.bits, 7 | 8) {
        // Activations of more bits do not fit, and those of fewer are rounded more.
        return;
    }
    let exact = netfold_glm::Arithmetic::Fixed { fraction_bits: 20 };
    let expected = train(csr(&rounded), Precision::Full, float, Penalty::l2(0.05), None);
    near(&train(csr(&values), few, exact, Penalty::l2(0.05), None), &expected, 1e-3);
}

#[test]
fn bytes_are_what_is_held() {
    let problem = Problem::new(64, 128, 0.3, 0.1, 2, 43);
    let bytes =
        |sparse, precision| Data::new(problem.samples(sparse), precision, 1).unwrap().bytes();
    let few = |bits, layout| Precision::Bits(Quantisation { layout, ..Quantisation::bits(bits) });
    assert_eq!(bytes(false, Precision::Full).values, 64 * 128 * 4);
    for (bits, layout) in [
        (1, Layout::Planes),
        (4, Layout::Planes),
        (4, Layout::Packed),
        (8, Layout::Auto),
        (32, Layout::Auto),
    ] {
        assert_eq!(bytes(false, few(bits, layout)).values, 64 * 128 * u64::from(bits) / 8);
    }
    let full = bytes(true, Precision::Full);
    let four = bytes(true, few(4, Layout::Auto));
    assert_eq!(four.values, full.values.div_ceil(8));
    assert_eq!((four.indices, four.bounds), (full.indices, full.bounds));
}

#[test]
fn later_samples_are_on_the_same_grid() {
    let first = [0.0f32, 1.0, 0.5];
    let data = Data::new(
        Samples::Dense(Dense::new(&first, 1).unwrap()),
        Precision::Bits(Quantisation::bits(8)),
        1,
    )
    .unwrap();
    let more = [-1.0f32, 0.25, 3.0];
    let like = data.like(Samples::Dense(Dense::new(&more, 1).unwrap())).unwrap();
    assert_eq!(column(&like), [0.0, 0.25, 255.0 / 256.0]);
}

#[test]
fn what_cannot_be_held_is_refused() {
    let problem = Problem::new(10, 8, 0.5, 0.1, 2, 44);
    let refusal = |sparse, how| {
        Data::new(problem.samples(sparse), Precision::Bits(how), 1).unwrap_err().to_string()
    };
    assert!(refusal(false, Quantisation::bits(0)).contains("1 to 32"));
    assert!(refusal(false, Quantisation::bits(33)).contains("1 to 32"));
    assert!(
        refusal(false, Quantisation { layout: Layout::Packed, ..Quantisation::bits(5) })
            .contains("4 or 8")
    );
    assert!(refusal(true, Quantisation::bits(32)).contains("1 to 31"));
    let indptr = [0, 1];
    let negative = Samples::Csr(Csr::new(1, &indptr, &[0], &[-1.0]).unwrap());
    let error = Data::new(negative, Precision::Bits(Quantisation::bits(4)), 1).unwrap_err();
    assert!(error.to_string().contains("symmetric"));
    let mut packed =
        Data::new(problem.samples(false), Precision::Bits(Quantisation::bits(4)), 1).unwrap();
    assert!(packed.read_bits(2).unwrap_err().to_string().contains("only bit planes"));
    let partition = Partition::dealt(20, 2).unwrap();
    assert!(Data::part(problem.samples(true), Precision::Full, 1, &partition, 0).is_err());
    assert!(
        Data::new(problem.samples(false), Precision::Full, 9).is_err(),
        "more engines than features"
    );
}

proptest! {
    /// R-GLM-24, R-GLM-28: wherever a row's values begin among the bytes, non-zero i goes to sum i
    /// modulo 8.
    #[test]
    fn sums_of_sparse_integers_are_in_order(
        lengths in prop::collection::vec(0usize..30, 1..8),
        numbers in prop::collection::vec((-128i32..128, -4f32..4.0), 30),
        bits in prop_oneof![Just(1u8), Just(2), Just(4), Just(8)],
    ) {
        let least = -(1i32 << (bits - 1));
        let levels: Vec<i32> = numbers.iter().map(|&(number, _)| number >> (8 - bits)).collect();
        // The largest size is 1 for each feature, in a row of its own.
        let mut indices: Vec<u32> = (0..30).collect();
        let mut values = vec![-1.0f32; 30];
        let mut indptr = vec![0u64, 30];
        for &length in &lengths {
            indices.extend(0..length as u32);
            values.extend(levels[..length].iter().map(|&level| level as f32 / -least as f32));
            indptr.push(values.len() as u64);
        }
        let how = Quantisation { scaling: Scaling::Symmetric, ..Quantisation::bits(bits) };
        let samples = Samples::Csr(Csr::new(30, &indptr, &indices, &values).unwrap());
        let data = Data::new(samples, Precision::Bits(how), 1).unwrap();
        let targets = vec![0.0; data.rows()];
        let targets = Targets::values(&targets).unwrap();
        let mut trainer =
            Trainer::new(Config { loss: Loss::Squared, ..Config::default() }, &data, &targets, Alone).unwrap();
        let weights: Vec<f32> = numbers.iter().map(|&(_, weight)| weight).collect();
        trainer.warm_start(&weights, &[0.0]).unwrap();
        let activations = trainer.decision(&data).unwrap().values;
        for (&length, activation) in lengths.iter().zip(&activations[1..]) {
            let mut sums = vec![0.0f32; 8];
            for (place, (level, weight)) in levels[..length].iter().zip(&weights).enumerate() {
                sums[place % 8] += *level as f32 * weight;
            }
            while sums.len() > 1 {
                let upper = sums.split_off(sums.len() / 2);
                sums.iter_mut().zip(upper).for_each(|(sum, upper)| *sum += upper);
            }
            prop_assert_eq!(*activation, f64::from(sums[0] / -least as f32));
        }
    }
}
