//! Inputs that are refused before anything is done, and their messages.

use crate::problems::Problem;
use netfold_glm::{
    Alone, Config, Csr, Data, Dense, Loss, Penalty, Precision, Rate, Spread, Stopping, Targets,
    Trainer,
};
use proptest::prelude::*;

fn says<T>(result: Result<T, netfold_glm::Error>, part: &str) {
    let error = result.err().expect("refused").to_string();
    assert!(error.contains(part), "`{error}` does not say `{part}`");
}

#[test]
fn samples_that_are_none() {
    says(Dense::new(&[1.0; 5], 2), "5 where 4 are needed");
    says(Dense::new(&[], 0), "features = 0");
    says(Dense::new(&[0.0, 1.0, 2.0, f32::NAN], 2), "row 1 has NaN");
    says(Csr::new(4, &[0, 1], &[0], &[1.0, 2.0]), "2 where 1 are needed");
    says(Csr::new(4, &[1, 1], &[0], &[1.0]), "begin with 0");
    says(Csr::new(4, &[], &[], &[]), "begin with 0");
    says(Csr::new(4, &[0, 2, 1, 2], &[0, 1], &[1.0; 2]), "must not fall");
    says(Csr::new(4, &[0, 9, 2], &[0, 1], &[1.0; 2]), "must not fall");
    says(Csr::new(4, &[0, 2], &[1, 1], &[1.0; 2]), "must ascend");
    says(Csr::new(4, &[0, 2], &[1, 4], &[1.0; 2]), "beyond the features");
    says(Csr::new(4, &[0, 1], &[1], &[f32::INFINITY]), "row 0 has inf");
}

proptest! {
    /// Indices may fall from a row to the next one, and nowhere else.
    #[test]
    fn rows_ascend(
        rows in prop::collection::vec(prop::collection::btree_set(0u32..9, 0..6), 1..12),
        disturbed in prop::option::of((any::<prop::sample::Index>(), 0u32..10)),
    ) {
        let mut rows: Vec<Vec<u32>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        if let Some((place, index)) = disturbed {
            let row = place.index(rows.len());
            rows[row].push(index);
        }
        let indptr: Vec<u64> = std::iter::once(0)
            .chain(rows.iter().scan(0, |end, row| {
                *end += row.len() as u64;
                Some(*end)
            }))
            .collect();
        let valid = |row: &Vec<u32>| row.is_sorted_by(|before, after| before < after) && row.iter().all(|&index| index < 9);
        let indices = rows.concat();
        let values = vec![1.0; indices.len()];
        let samples = Csr::new(9, &indptr, &indices, &values);
        match rows.iter().position(|row| !valid(row)) {
            None => prop_assert!(samples.is_ok()),
            Some(row) => {
                let said = samples.unwrap_err().to_string();
                prop_assert!(said.contains(&format!("row {row}")), "{}", said);
            }
        }
    }
}

#[test]
fn targets_that_are_none() {
    says(Targets::values(&[0.0, f32::NAN]), "target 1");
    says(Targets::classes(&[0, 3], 3), "classes are 0 to 2");
    says(Targets::classes(&[0], 1), "classes = 1");
    let classes = Targets::classes(&[0, 1], 2).unwrap();
    says(classes.weighted(&[1.0]), "1 where 2 are needed");
    says(classes.weighted(&[1.0, -1.0]), "0 or more");
    says(classes.class_weighted(&[1.0, f32::NAN]), "0 or more");
    says(classes.class_weighted(&[0.0, 0.0]), "class weights are 0");
    says(Targets::values(&[0.0]).unwrap().class_weighted(&[1.0]), "for classes");
    says(Targets::values(&[0.0]).unwrap().outputs(Loss::Hinge), "squared loss");
}

#[test]
fn settings_that_cannot_be() {
    let problem = Problem::new(10, 5, 0.5, 0.1, 2, 61);
    let targets = Targets::classes(&problem.labels, 2).unwrap();
    let data = Data::new(problem.samples(true), Precision::Full, 1).unwrap();
    let two = Data::new(problem.samples(true), Precision::Full, 2).unwrap();
    let with = |config| Trainer::new(config, &data, &targets, Alone);
    says(
        Data::new(problem.samples(true), Precision::Full, 6),
        "engines = 6 cannot be; give 1 to 5",
    );
    let config = Config::default();
    says(with(Config { batch: 0, ..config }), "batch = 0");
    says(with(Config { micro_batch: 0, ..config }), "micro_batch = 0");
    says(with(Config { penalty: Penalty::l2(-1.0), ..config }), "l2 = -1");
    says(with(Config { penalty: Penalty::l1(f64::NAN), ..config }), "l1 = NaN");
    says(with(Config { rate: Rate::Constant { eta0: 0.0 }, ..config }), "eta0 = 0");
    says(with(Config { rate: Rate::Optimal { alpha: 0.0 }, ..config }), "alpha = 0");
    says(
        with(Config { rate: Rate::InverseScaling { eta0: 1.0, power: f64::NAN }, ..config }),
        "power = NaN",
    );
    says(
        with(Config { stopping: Stopping { validation: 1.0, ..config.stopping }, ..config }),
        "validation = 1",
    );
    says(
        with(Config { stopping: Stopping { patience: 0, ..config.stopping }, ..config }),
        "patience = 0",
    );
    says(
        Trainer::new(Config { spread: Spread::Data, ..config }, &two, &targets, Alone),
        "one engine",
    );
    let mut trainer = with(config).unwrap();
    says(trainer.epoch(&two, &targets), "other features or engines");
    says(trainer.epoch(&data, &Targets::classes(&[0, 1], 2).unwrap()), "2 where 10 are needed");
    says(trainer.epoch(&data, &Targets::classes(&problem.labels, 3).unwrap()), "other classes");
}
