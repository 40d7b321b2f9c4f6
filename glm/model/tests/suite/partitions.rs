//! Cuts of features, and the way back (R-GLM-2).

use crate::problems::Problem;
use netfold_glm::{Data, Partition, Precision, Samples};
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_feature_has_one_place(features in 1usize..300, parts in 1usize..20, dealt: bool) {
        let parts = parts.min(features);
        let partition = if dealt { Partition::dealt(features, parts) } else { Partition::contiguous(features, parts) }.unwrap();
        let mut seen = vec![0; features];
        for part in 0..parts {
            prop_assert!(partition.len(part).abs_diff(features / parts) <= 1);
            for local in 0..partition.len(part) {
                seen[partition.feature(part, local)] += 1;
            }
        }
        prop_assert!(seen.iter().all(|&times| times == 1));
        let all: Vec<usize> = (100..100 + features).collect();
        let mut back = vec![0; features];
        for part in 0..parts {
            partition.scatter(part, &partition.gather(part, &all), &mut back);
        }
        prop_assert_eq!(back, all);
    }

    #[test]
    fn cuts_have_their_features(rows in 1usize..10, features in 3usize..40, parts in 1usize..4, dealt: bool, sparse: bool) {
        let problem = Problem::new(rows, features, 0.3, 0.1, 2, 11);
        let partition = if dealt { Partition::dealt(features, parts) } else { Partition::contiguous(features, parts) }.unwrap();
        for part in 0..parts {
            let cut = partition.cut(problem.samples(sparse), part).unwrap();
            prop_assert_eq!((cut.view().rows(), cut.view().features()), (rows, partition.len(part)));
            prop_assert_eq!(matches!(cut.view(), Samples::Csr(_)), sparse);
            // A model of one unit weight sees exactly that feature.
            for local in 0..partition.len(part) {
                let mut coefficients = vec![0.0; partition.len(part)];
                coefficients[local] = 1.0;
                let model = netfold_glm::Model {
                    features: partition.len(part),
                    coefficients,
                    intercepts: vec![0.0],
                    loss: netfold_glm::Loss::Squared,
                    classes: None,
                    scaling: None,
                };
                let column = model.decision(cut.view()).unwrap().values;
                for (row, value) in column.iter().enumerate() {
                    prop_assert_eq!(*value as f32, problem.row(row)[partition.feature(part, local)]);
                }
            }
        }
    }
}

#[test]
fn sparse_samples_are_never_densified() {
    // As dense f32 these would be 4 TB.
    let (rows, features) = (1000usize, 1_000_000_000);
    let indptr: Vec<u64> = (0..=rows as u64).collect();
    let indices: Vec<u32> = (0..rows as u32).map(|row| row * 999_983).collect();
    let values = vec![1.0; rows];
    let samples =
        Samples::Csr(netfold_glm::Csr::new(features, &indptr, &indices, &values).unwrap());
    let data = Data::new(samples, Precision::Full, 1).unwrap();
    assert_eq!(data.bytes().total(), 8 * 1001 + 4 * 1000 + 4 * 1000);
    let cut = Partition::dealt(features, 64).unwrap().cut(samples, 3).unwrap();
    assert!(Data::new(cut.view(), Precision::Full, 1).unwrap().bytes().total() < 10_000);
}

#[test]
fn parts_without_features_are_refused() {
    assert!(Partition::dealt(3, 4).unwrap_err().to_string().contains("1 to 3"));
    assert!(Partition::contiguous(3, 0).is_err());
}
