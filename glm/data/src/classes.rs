//! The classes that labels name.

use crate::Error;

/// The most classes a file may have. More different labels are no classes but numbers to be
/// predicted.
pub const MAX_CLASSES: usize = 1 << 16;

/// The different labels of a file in rising order: class 0 is the lowest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Classes {
    labels: Vec<f64>,
}

impl Classes {
    /// The classes of these labels.
    ///
    /// # Errors
    /// [`Error::Invalid`] for labels that are not finite, and for more than [`MAX_CLASSES`].
    pub fn of(labels: &[f64]) -> Result<Self, Error> {
        let mut classes = Self::default();
        classes.include(labels)?;
        Ok(classes)
    }

    /// Takes in what more labels name. Numbers of classes may change.
    ///
    /// # Errors
    /// The same as [`Classes::of`].
    pub fn include(&mut self, labels: &[f64]) -> Result<(), Error> {
        self.see(labels).map_err(Error::Invalid)
    }

    /// The label of each class.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// The class that `label` names, from 0.
    pub fn index(&self, label: f64) -> Option<usize> {
        self.labels
            .binary_search_by(|known| known.partial_cmp(&label).unwrap_or(std::cmp::Ordering::Less))
            .ok()
    }

    /// The same of a label that has to be a class.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not a class.
    pub fn encode(&self, label: f64) -> Result<u32, Error> {
        let none = || {
            let classes = self.labels.len();
            Error::Invalid(format!("the label {label} is not one of the {classes} classes"))
        };
        self.index(label).map(|class| class as u32).ok_or_else(none)
    }

    /// Takes in what these labels name.
    pub(crate) fn see(&mut self, labels: &[f64]) -> Result<(), String> {
        // Labels come in runs: the one before is looked at first.
        let mut before = None;
        for label in labels {
            if before == Some(*label) {
                continue;
            }
            if !label.is_finite() {
                return Err(format!(
                    "the label {label} names no class; give each row a finite label"
                ));
            }
            let at = self.labels.partition_point(|known| known < label);
            if self.labels.get(at) != Some(label) {
                if self.labels.len() == MAX_CLASSES {
                    return Err(format!(
                        "there are more than {MAX_CLASSES} different labels; if they are numbers and not classes, use a loss for numbers"
                    ));
                }
                // -0 and 0 are one class, and it is called 0.
                self.labels.insert(at, label + 0.0);
            }
            before = Some(*label);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Classes, MAX_CLASSES};

    proptest! {
        #[test]
        fn classes_are_the_sorted_set_of_labels(labels in prop::collection::vec(-9_i32..9, 0..60), cut in 0_usize..60) {
            let floats: Vec<f64> = labels.iter().map(|label| f64::from(*label)).collect();
            let (head, tail) = floats.split_at(cut.min(floats.len()));
            let mut classes = Classes::of(head).unwrap();
            classes.see(tail).unwrap();
            let sorted: Vec<i32> = labels.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(classes.labels(), sorted.iter().map(|label| f64::from(*label)).collect::<Vec<_>>());
            for (label, float) in labels.iter().zip(&floats) {
                prop_assert_eq!(sorted[classes.encode(*float).unwrap() as usize], *label);
            }
        }
    }

    #[test]
    fn what_is_no_class_is_refused() {
        assert!(Classes::of(&[0.0, f64::NAN]).is_err());
        let many: Vec<f64> = (0..=MAX_CLASSES).map(|label| label as f64).collect();
        assert!(Classes::of(&many[1..]).is_ok());
        assert!(Classes::of(&many).unwrap_err().to_string().contains("not classes"));
        let classes = Classes::of(&[1.0, -1.0, -0.0]).unwrap();
        assert_eq!(classes.index(0.0), Some(1));
        assert_eq!(classes.index(f64::NAN), None);
        assert!(
            classes
                .encode(2.0)
                .unwrap_err()
                .to_string()
                .contains("label 2 is not one of the 3 classes")
        );
    }
}
