//! The samples' targets and weights (R-GLM-3, R-GLM-6).

use crate::error::{Error, expect_len};
use crate::loss::{Cost, Loss, Losses};

/// Most classes: each has an activation a sample.
const MOST_CLASSES: u32 = 1 << 16;

/// A target for each sample. All workers that share a mini-batch need the same.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    kind: Kind<'a>,
    weights: Option<&'a [f32]>,
    class_weights: Option<&'a [f32]>,
    held: Option<&'a [bool]>,
}

/// A sample's target.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Class(u32),
    Value(f64),
}

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    Values(&'a [f32]),
    Classes { labels: &'a [u32], classes: u32 },
}

impl<'a> Targets<'a> {
    /// Numbers, for [`Loss::Squared`].
    pub fn values(values: &'a [f32]) -> Result<Self, Error> {
        match values.iter().position(|value| !value.is_finite()) {
            Some(row) => Err(Error::Target {
                row,
                found: values[row].to_string(),
                needed: "finite targets are needed".into(),
            }),
            None => Ok(Self::of(Kind::Values(values))),
        }
    }

    /// Classes from 0 to `classes` - 1.
    pub fn classes(labels: &'a [u32], classes: u32) -> Result<Self, Error> {
        if !(2..=MOST_CLASSES).contains(&classes) {
            return Err(Error::setting("classes", classes, format!("2 to {MOST_CLASSES}")));
        }
        match labels.iter().position(|&label| label >= classes) {
            Some(row) => Err(Error::Target {
                row,
                found: labels[row].to_string(),
                needed: format!("classes are 0 to {}", classes - 1),
            }),
            None => Ok(Self::of(Kind::Classes { labels, classes })),
        }
    }

    fn of(kind: Kind<'a>) -> Self {
        Self { kind, weights: None, class_weights: None, held: None }
    }

    /// The same, each sample counting as much as its weight says.
    pub fn weighted(self, weights: &'a [f32]) -> Result<Self, Error> {
        expect_len("sample weights", weights.len(), self.len())?;
        check_weights("a sample weight", weights)?;
        Ok(Self { weights: Some(weights), ..self })
    }

    /// The same, the samples of each class also counting as much as the weight of the class says.
    /// With each class against the rest, they do so for their own class alone (R-GLM-6).
    pub fn class_weighted(self, weights: &'a [f32]) -> Result<Self, Error> {
        let Kind::Classes { classes, .. } = self.kind else {
            return Err(Error::Together(
                "class weights are for classes; these targets are numbers",
            ));
        };
        expect_len("class weights", weights.len(), classes as usize)?;
        check_weights("a class weight", weights)?;
        if weights.iter().all(|&weight| weight == 0.0) {
            return Err(Error::Together(
                "all class weights are 0, so no sample would count; give a class more weight",
            ));
        }
        Ok(Self { class_weights: Some(weights), ..self })
    }

    /// The same, with the samples that a run holds back if it holds any back
    /// ([`Stopping::validation`](crate::Stopping::validation)): the caller's choice, not the
    /// seed's.
    pub fn holding_back(self, held: &'a [bool]) -> Result<Self, Error> {
        expect_len("samples that are held back or not", held.len(), self.len())?;
        Ok(Self { held: Some(held), ..self })
    }

    /// Returns the number of targets.
    pub fn len(&self) -> usize {
        match self.kind {
            Kind::Values(values) => values.len(),
            Kind::Classes { labels, .. } => labels.len(),
        }
    }

    /// Returns whether there are no targets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Classes, or `None` for numbers.
    pub fn class_count(&self) -> Option<u32> {
        match self.kind {
            Kind::Values(_) => None,
            Kind::Classes { classes, .. } => Some(classes),
        }
    }

    /// Activations of a sample under a loss (R-GLM-3).
    pub fn outputs(&self, loss: Loss) -> Result<usize, Error> {
        match (self.class_count(), loss) {
            (None, Loss::Squared) => Ok(1),
            (None, _) => {
                Err(Error::Together("this loss is for classes; use the squared loss for numbers"))
            }
            (Some(classes), Loss::Multinomial) => Ok(classes as usize),
            (Some(2), _) => Ok(1),
            (Some(classes), _) => Ok(classes as usize),
        }
    }

    /// The caller's choice of samples to be held back, if there is one.
    pub(crate) fn held(&self) -> Option<&'a [bool]> {
        self.held
    }

    /// A sample's target.
    pub(crate) fn target(&self, row: usize) -> Target {
        match self.kind {
            Kind::Values(values) => Target::Value(f64::from(values[row])),
            Kind::Classes { labels, .. } => Target::Class(labels[row]),
        }
    }

    /// The weight of a sample, without that of its class.
    pub(crate) fn sample_weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| f64::from(weights[row]))
    }

    /// The weight of a sample times that of its class.
    fn weight(&self, row: usize) -> f64 {
        let own = self.sample_weight(row);
        match (self.kind, self.class_weights) {
            (Kind::Classes { labels, .. }, Some(weights)) => {
                own * f64::from(weights[labels[row] as usize])
            }
            _ => own,
        }
    }

    /// Counts the rows that count for one of so many activations at least (R-GLM-6).
    pub(crate) fn counting(&self, loss: Loss, outputs: usize, rows: &[u32]) -> i64 {
        let each = outputs > 1 && loss != Loss::Multinomial;
        let weight = |row| {
            if each { self.sample_weight(row).max(self.weight(row)) } else { self.weight(row) }
        };
        rows.iter().filter(|&&row| weight(row as usize) > 0.0).count() as i64
    }

    /// Adds the loss of a sample's activations to others, times its weight; each activation becomes
    /// the derivative by it, times the weight. Returns the weight, the mean of those of several.
    pub(crate) fn derive(
        &self,
        loss: Loss,
        row: u32,
        activations: &mut [f64],
        losses: &mut Losses,
    ) -> f64 {
        let row = row as usize;
        let (weight, others) = (self.weight(row), self.sample_weight(row));
        let mut one = |activation: &mut f64, target: f64, weight: f64| {
            let (cost, derivative) = loss.cost(*activation, target);
            losses.add(cost, weight);
            *activation = derivative * weight;
        };
        let label = match self.kind {
            Kind::Values(values) => {
                one(&mut activations[0], f64::from(values[row]), weight);
                return weight;
            }
            Kind::Classes { labels, .. } => labels[row] as usize,
        };
        if loss == Loss::Multinomial {
            losses.add(Cost::plain(Loss::multinomial(activations, label)), weight);
            activations.iter_mut().for_each(|derivative| *derivative *= weight);
            return weight;
        }
        let several = activations.len();
        if let [single] = activations {
            // It stands for the second class, as in scikit-learn.
            one(single, if label == 1 { 1.0 } else { -1.0 }, weight);
            return weight;
        }
        for (class, activation) in activations.iter_mut().enumerate() {
            let (target, weight) = if label == class { (1.0, weight) } else { (-1.0, others) };
            one(activation, target, weight);
        }
        if weight == others { weight } else { others + (weight - others) / several as f64 }
    }
}

fn check_weights(what: &'static str, weights: &[f32]) -> Result<(), Error> {
    match weights.iter().find(|weight| !(weight.is_finite() && **weight >= 0.0)) {
        Some(weight) => Err(Error::setting(what, weight, "0 or more")),
        None => Ok(()),
    }
}
