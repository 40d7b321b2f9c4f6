//! The results of a plan: tables, plots, and a paper's claims beside what was found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::error::Error;

/// Values that a plan finds out, by name.
pub(super) type Values = BTreeMap<String, f64>;

/// All of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Its subject.
    pub title: String,
    /// The paper, and the place in it.
    pub paper: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Tables.
    pub sheets: Vec<Sheet>,
    /// Claims of the paper.
    pub claims: Vec<Compared>,
    /// Plots.
    pub plots: Vec<Plot>,
    /// Everything that was found out, by name; claims are about these.
    pub values: BTreeMap<String, f64>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// Its subject.
    pub title: String,
    /// Columns.
    pub header: Vec<String>,
    /// Rows, as long as the header.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table. It is serialised as its text, its number, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number, which is shown with so many digits after the point.
    Number(f64, usize),
    /// Nothing: the paper does not state it.
    Missing,
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => to.serialize_str(text),
            Self::Number(number, _) => to.serialize_f64(*number),
            Self::Missing => to.serialize_none(),
        }
    }
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The paper's number, if it states one.
    pub(super) fn stated(number: Option<f64>, digits: usize) -> Self {
        number.map_or(Self::Missing, |number| Self::Number(number, digits))
    }

    /// Ours by the paper's.
    pub(super) fn ratio(ours: f64, paper: Option<f64>) -> Self {
        Self::stated(paper.map(|paper| ours / paper), 2)
    }
}

impl Sheet {
    pub(crate) fn new<'a>(
        title: impl Into<String>,
        header: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self {
            title: title.into(),
            header: header.into_iter().map(str::to_owned).collect(),
            rows: Vec::new(),
        }
    }
}

/// Division of a plot's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal distances are equal differences.
    Linear,
    /// Equal distances are equal ratios.
    Logarithmic,
}

/// A plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plot {
    /// Part of the name of its file.
    pub name: String,
    /// Its subject.
    pub title: String,
    /// Quantity on the x axis.
    pub x: String,
    /// Quantity on the y axis.
    pub y: String,
    /// Division of the x axis.
    pub x_scale: Scale,
    /// Lines.
    pub curves: Vec<Curve>,
}

/// A line of a plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// Its subject.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// A claim of a paper, as a plan's file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    what: String,
    section: String,
    /// Name of the value that it is about.
    value: String,
    /// Name of the value by which that one is divided.
    over: Option<String>,
    /// The paper's number.
    paper: Option<f64>,
    /// The paper's words, where they are no number.
    says: Option<String>,
    /// Reason why ours is another.
    reason: String,
    /// The choice by which the paper's number comes out, if there is one: the claim is then no
    /// test, and the plan varies the choice.
    chosen: Option<String>,
}

/// A claim of a paper, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The claim.
    pub what: String,
    /// Section of the paper.
    pub section: String,
    /// The paper's number; `None` where it states none.
    pub paper: Option<f64>,
    /// The paper's words, if it does not state a number alone.
    pub says: Option<String>,
    /// The number that was found.
    pub ours: f64,
    /// Ours by the paper's.
    pub ratio: Option<f64>,
    /// Reason why they differ.
    pub reason: String,
    /// The choice by which the paper's number comes out, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
}

/// The value of this name, which `what` is about.
pub(super) fn named(values: &Values, name: &str, what: &str) -> Result<f64, Error> {
    let missing = || {
        let known = values.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        Error::Claim { what: what.to_owned(), name: name.to_owned(), known }
    };
    values.get(name).copied().ok_or_else(missing)
}

impl Claim {
    pub(super) fn compare(&self, values: &Values) -> Result<Compared, Error> {
        let value = |name: &String| named(values, name, &self.what);
        let ours = value(&self.value)? / self.over.as_ref().map_or(Ok(1.0), value)?;
        let Self { what, section, paper, says, reason, chosen, .. } = self.clone();
        Ok(Compared {
            what,
            section,
            paper,
            says,
            ours,
            ratio: paper.map(|paper| ours / paper),
            reason,
            chosen,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> Claim {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn claims_are_about_values_or_their_ratios() {
        let values = Values::from([("one".into(), 6.0), ("other".into(), 4.0)]);
        let plain = "what = \"w\"\nsection = \"3\"\nreason = \"r\"\nvalue = \"one\"";
        let compared = claim(plain).compare(&values).unwrap();
        assert_eq!((compared.ours, compared.paper, compared.ratio), (6.0, None, None));
        let compared =
            claim(&format!("{plain}\nover = \"other\"\npaper = 3.0")).compare(&values).unwrap();
        assert_eq!((compared.ours, compared.ratio), (1.5, Some(0.5)));
        let error =
            claim(&format!("{plain}\nover = \"none\"")).compare(&values).unwrap_err().to_string();
        assert!(error.contains("\"none\"") && error.contains("one, other"), "{error}");
    }
}
