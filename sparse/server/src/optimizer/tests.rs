//! Optimizers beside the formulas of `torch.optim` and of the papers in 64 bits, written down one
//! number at a time.

use netfold_num::ElementType;

use super::{
    Adagrad, Adam, Ftrl, Kernel, Optimized, Optimizer, RowwiseAdagrad, Rule, Sgd, WithKernel,
};
use crate::RowNumber;

const WIDTH: usize = 5;

struct Once<'a, E>(&'a mut [E], &'a [E]);

impl<E> WithKernel<E> for Once<'_, E> {
    type Output = ();

    fn with(self, kernel: impl Kernel<E>) {
        kernel.update(self.0, self.1);
    }
}

fn gradient(step: u32, lane: usize) -> f64 {
    // Any numbers will do; these are exact in 32 bits, of both signs, and sometimes 0.
    let number = (step as usize * 7 + lane * 13) % 23;
    (number as f64 - 9.0) / 16.0
}

fn weight(lane: usize) -> f64 {
    (lane as f64 - 2.0) / 8.0
}

/// Weights after `steps` gradients of the row, by the code that is tested. `known` numbers the
/// table's steps, which go on by `known` for each gradient of the row.
fn found<E: RowNumber>(optimizer: &Optimizer, steps: u32, known: Option<u32>) -> Vec<f64> {
    let mut row = vec![E::from_f64(f64::NAN); optimizer.lanes(WIDTH)];
    let start: Vec<E> = (0..WIDTH).map(|lane| E::from_f64(weight(lane))).collect();
    E::dispatch(Rule::Set(optimizer), Once(&mut row, &start));
    for step in 0..steps {
        let gradients: Vec<E> = (0..WIDTH).map(|lane| E::from_f64(gradient(step, lane))).collect();
        let number = known.map(|each| step * each + 1);
        E::dispatch(Rule::Optimize(optimizer, number), Once(&mut row, &gradients));
    }
    row[..WIDTH].iter().map(|weight| weight.to_f64()).collect()
}

/// A step rounds each lane a few times, of numbers below 4; rounding errors add up over the steps.
/// Divisions by small roots do not make them larger here, since the first gradients are not small.
/// Formula and code in 64 bits may each be off by as much.
fn assert_close(optimizer: &Optimizer, known: Option<u32>, expected: &[f64], steps: u32) {
    let close = |found: Vec<f64>, epsilon: f64| {
        let tolerance = f64::from(steps) * 8.0 * 4.0 * epsilon;
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < tolerance, "{optimizer:?}: {found}, not {expected}");
        }
    };
    close(found::<f32>(optimizer, steps, known), f64::from(f32::EPSILON));
    close(found::<f64>(optimizer, steps, known), 2.0 * f64::EPSILON);
}

/// One lane in 64 bits: weight, two numbers of state, the number of the step from 1, the gradient.
type Formula<'a> = &'a dyn Fn(&mut f64, &mut [f64; 2], f64, f64);

fn expected(steps: u32, known: Option<u32>, state: [f64; 2], formula: Formula<'_>) -> Vec<f64> {
    let lane = |lane| {
        let (mut weight, mut state) = (weight(lane), state);
        for step in 0..steps {
            let number = step * known.unwrap_or(1) + 1;
            formula(&mut weight, &mut state, f64::from(number), gradient(step, lane));
        }
        weight
    };
    (0..WIDTH).map(lane).collect()
}

/// The documentation of `torch.optim.SGD`, for one parameter.
fn sgd(o: &Sgd, weight: &mut f64, [velocity, _]: &mut [f64; 2], t: f64, mut g: f64) {
    g += o.weight_decay * *weight;
    if o.momentum != 0.0 {
        *velocity = if t > 1.0 { o.momentum * *velocity + (1.0 - o.dampening) * g } else { g };
        g = if o.nesterov { g + o.momentum * *velocity } else { *velocity };
    }
    *weight -= o.lr * g;
}

#[test]
fn sgd_is_that_of_torch() {
    let plain = Sgd { lr: 0.125, ..Sgd::default() };
    for options in [
        plain.clone(),
        Sgd { weight_decay: 0.25, ..plain.clone() },
        Sgd { momentum: 0.75, ..plain.clone() },
        Sgd { momentum: 0.75, dampening: 0.5, ..plain.clone() },
        Sgd { momentum: 0.75, nesterov: true, ..plain.clone() },
        Sgd { momentum: 0.9, nesterov: true, weight_decay: 0.1, ..plain },
    ] {
        let by_rule = expected(20, None, [0.0; 2], &|w, s, t, g| sgd(&options, w, s, t, g));
        assert_close(&Optimizer::Sgd(options), None, &by_rule, 20);
    }
}

#[test]
fn adagrad_is_that_of_torch() {
    for (initial, lr_decay) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.25)] {
        let o = Adagrad { lr: 0.25, lr_decay, initial_accumulator_value: initial, eps: 1e-3 };
        for known in [None, Some(3)] {
            let by_rule = expected(20, known, [initial, 0.0], &|w, [sum, _], t, g| {
                *sum += g * g;
                *w -= o.lr / (1.0 + (t - 1.0) * o.lr_decay) * g / (sum.sqrt() + o.eps);
            });
            assert_close(&Optimizer::Adagrad(o.clone()), known, &by_rule, 20);
        }
    }
}

#[test]
fn adam_is_the_sparse_one_of_torch() {
    let o = Adam { lr: 0.0625, betas: (0.8, 0.95), eps: 1e-3 };
    for known in [None, Some(4)] {
        let by_rule = expected(20, known, [0.0; 2], &|w, [mean, square], t, g| {
            *mean = o.betas.0 * *mean + (1.0 - o.betas.0) * g;
            *square = o.betas.1 * *square + (1.0 - o.betas.1) * g * g;
            let rate = o.lr * (1.0 - o.betas.1.powf(t)).sqrt() / (1.0 - o.betas.0.powf(t));
            *w -= rate * *mean / (square.sqrt() + o.eps);
        });
        assert_close(&Optimizer::Adam(o.clone()), known, &by_rule, 20);
    }
}

#[test]
fn ftrl_is_algorithm_1() {
    for (l1, l2) in [(0.0, 0.0), (0.5, 0.0), (0.25, 2.0)] {
        let o = Ftrl { lr: 0.5, beta: 1.0, l1, l2 };
        let by_rule = expected(20, None, [0.0; 2], &|w, [z, n], _, g| {
            let sigma = ((*n + g * g).sqrt() - n.sqrt()) / o.lr;
            *z += g - sigma * *w;
            *n += g * g;
            *w = if z.abs() <= o.l1 {
                0.0
            } else {
                -(*z - z.signum() * o.l1) / ((o.beta + n.sqrt()) / o.lr + o.l2)
            };
        });
        assert_close(&Optimizer::Ftrl(o.clone()), None, &by_rule, 20);
    }
}

#[test]
fn rowwise_adagrad_has_one_sum_for_a_row() {
    let o = RowwiseAdagrad { lr: 0.25, initial_accumulator_value: 0.125, eps: 1e-3 };
    let (mut weights, mut sum) = ((0..WIDTH).map(weight).collect::<Vec<_>>(), 0.125);
    for step in 0..20 {
        let squares: f64 = (0..WIDTH).map(|lane| gradient(step, lane).powi(2)).sum();
        sum += squares / WIDTH as f64;
        for (lane, weight) in weights.iter_mut().enumerate() {
            *weight -= o.lr * gradient(step, lane) / (sum.sqrt() + o.eps);
        }
    }
    assert_close(&Optimizer::RowwiseAdagrad(o), None, &weights, 20);
}

#[test]
fn resident_rows_take_what_is_added_and_refuse_what_is_not_linear() {
    let mut row = [1.0_f32, 2.0];
    f32::dispatch(Rule::Add, Once(&mut row, &[0.5, -4.0]));
    assert_eq!(row, [1.5, -2.0]);
    Optimizer::Sgd(Sgd::default()).check_resident().expect("plain");
    Optimizer::Sum.check_resident().expect("linear");
    for (optimizer, named) in [
        (Optimizer::Sgd(Sgd { momentum: 0.5, ..Sgd::default() }), "momentum 0.5"),
        (Optimizer::Sgd(Sgd { weight_decay: 0.25, ..Sgd::default() }), "weight_decay 0.25"),
        (Optimizer::Adagrad(Adagrad::default()), "adagrad"),
        (Optimizer::RowwiseAdagrad(RowwiseAdagrad::default()), "rowwise_adagrad"),
        (Optimizer::Adam(Adam::default()), "adam"),
        (Optimizer::Ftrl(Ftrl::default()), "ftrl"),
    ] {
        let why = optimizer.check_resident().expect_err("refused");
        assert!(why.contains(named) && why.contains("R-KEY-12"), "{why}");
    }
}

/// R-SERVE-24
#[test]
fn integers_are_added_and_nothing_else() {
    let mut row = [i32::MAX, -5];
    i32::dispatch(Rule::Optimize(&Optimizer::Sum, Some(3)), Once(&mut row, &[1, 7]));
    assert_eq!(row, [i32::MIN, 2]);
    i32::dispatch(Rule::Set(&Optimizer::Sum), Once(&mut row, &[8, 9]));
    assert_eq!(row, [8, 9]);
    let sgd = Optimizer::Sgd(Sgd::default());
    for element_type in [ElementType::I32, ElementType::I64] {
        Optimizer::Sum.check_type(element_type).expect("sums");
        let why = sgd.check_type(element_type).expect_err("no gradients");
        assert!(why.contains("sgd") && why.contains(element_type.name()), "{why}");
    }
    sgd.check_type(ElementType::F64).expect("floats");
    let why = Optimizer::Sum.with_lr(0.5).expect_err("no rate");
    assert!(why.contains("no learning rate"), "{why}");
}

#[test]
fn options_are_named_as_in_torch_and_wrong_ones_refused() {
    let read = |text: &str| serde_json::from_str::<Optimizer>(text);
    let adam = read(r#"{"name": "adam", "lr": 0.1, "betas": [0.5, 0.75]}"#).expect("adam");
    assert_eq!(adam, Optimizer::Adam(Adam { lr: 0.1, betas: (0.5, 0.75), eps: 1e-8 }));
    let sgd = read(r#"{"name": "sgd"}"#).expect("sgd");
    assert_eq!(sgd, Optimizer::Sgd(Sgd::default()));
    assert!(read(r#"{"name": "sgd", "rate": 1.0}"#).is_err());
    assert!(read(r#"{"name": "lion"}"#).is_err());
    assert_eq!(read(r#"{"name": "sum"}"#).expect("sum"), Optimizer::Sum);
    for wrong in [
        Optimizer::Sgd(Sgd { nesterov: true, ..Sgd::default() }),
        Optimizer::Sgd(Sgd { lr: f64::NAN, ..Sgd::default() }),
        Optimizer::Adam(Adam { betas: (1.0, 0.9), ..Adam::default() }),
        Optimizer::Adagrad(Adagrad { eps: -1.0, ..Adagrad::default() }),
        Optimizer::Ftrl(Ftrl { lr: 0.0, ..Ftrl::default() }),
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
}
