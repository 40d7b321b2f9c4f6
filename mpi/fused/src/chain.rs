//! Chains as text: groups of stages, separated by semicolons, the stages by commas.
//!
//! A stage is a name, `+` if its result is kept though another follows, and what it needs: the
//! operation of a fold, the type of elements, `root R`. The type stands once in each group:
//! `all_reduce max f64; all_reduce sum f64`, `scan+ sum i32, broadcast`,
//! `all_gather i32, scan sum i32, all_gather`, `reduce sum f64 root 3, broadcast`, `all_to_all_v
//! i32`. An operation that netfold does not have is one that the job has brought along.

use netfold::{Communicator, Op, Stage};

use crate::error::Error;

/// A chain, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The text.
    pub text: String,
    /// Its groups, each with an input of its own.
    pub groups: Vec<Group>,
}

/// A group of stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The stages.
    pub stages: Vec<Step>,
    /// The type of elements, by its name in spec/mpi-trace.md.
    pub element: String,
}

/// A stage as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name, as `netfold::Stage::named` knows it.
    pub name: String,
    /// Its result is delivered though another one follows.
    pub keep: bool,
    /// The name of the operation that it folds by.
    pub operation: Option<String>,
    /// Its root.
    pub root: Option<u16>,
}

/// Types of elements and their sizes.
const TYPES: [(&str, usize); 12] = [
    ("i8", 1),
    ("u8", 1),
    ("i16", 2),
    ("u16", 2),
    ("i32", 4),
    ("u32", 4),
    ("i64", 8),
    ("u64", 8),
    ("f32", 4),
    ("f64", 8),
    ("c64", 8),
    ("c128", 16),
];

impl Chain {
    /// Parses a chain.
    ///
    /// # Errors
    /// [`Error::Stage`] names the stage, and [`Error::Types`] is for groups of two types.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let groups = text.split(';').map(|group| Group::parse(text, group));
        let groups = groups.collect::<Result<Vec<_>, _>>()?;
        if groups.iter().any(|group| group.element != groups[0].element) {
            return Err(Error::Types(text.to_owned()));
        }
        Ok(Self { text: text.to_owned(), groups })
    }

    /// Returns whether it is an exchange of rows of different numbers.
    pub fn is_rows(&self) -> bool {
        matches!(&self.groups[..], [group] if matches!(&group.stages[..], [step] if step.name == "all_to_all_v"))
    }

    /// Returns the name of the type of its elements.
    pub fn element(&self) -> &str {
        &self.groups[0].element
    }

    /// Returns the size of an element in bytes.
    pub fn element_bytes(&self) -> usize {
        TYPES.iter().find(|(name, _)| *name == self.element()).map_or(1, |(_, bytes)| *bytes)
    }

    /// Returns whether a stage of it folds, so that elements are more than bytes.
    pub fn folds(&self) -> bool {
        self.steps().any(|step| step.operation.is_some())
    }

    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.groups.iter().flat_map(|group| &group.stages)
    }

    /// Returns the stages as netfold plans them.
    ///
    /// # Errors
    /// [`Error::Stage`] if the job has no such operation.
    pub fn stages(&self, communicator: &Communicator) -> Result<Vec<Stage>, Error> {
        // A map is that of the operation before it.
        let mut last = Op::Sum;
        let mut stages = Vec::new();
        for step in self.steps() {
            if let Some(name) = &step.operation {
                last = operation(communicator, name)?.ok_or_else(|| {
                    self.refuse(&step.name, format!("the job has no operation {name}"))
                })?;
            }
            let stage = Stage::named(&step.name, last, step.root)
                .ok_or_else(|| self.refuse(&step.name, "no collective has the name".into()))?;
            stages.push(if step.keep { stage.kept() } else { stage });
        }
        Ok(stages)
    }

    fn refuse(&self, stage: &str, why: String) -> Error {
        Error::Stage { chain: self.text.clone(), stage: stage.to_owned(), why }
    }
}

impl Group {
    fn parse(chain: &str, text: &str) -> Result<Self, Error> {
        let mut element = None;
        let mut stages = Vec::new();
        for stage in text.split(',') {
            let refuse = |why: String| Error::Stage {
                chain: chain.to_owned(),
                stage: stage.trim().to_owned(),
                why,
            };
            let mut words = stage.split_whitespace();
            let name = words.next().ok_or_else(|| refuse("it is empty".into()))?;
            let mut step = Step {
                name: name.trim_end_matches('+').to_owned(),
                keep: name.ends_with('+'),
                operation: None,
                root: None,
            };
            while let Some(word) = words.next() {
                if word == "root" {
                    let root = words.next().and_then(|root| root.parse().ok());
                    step.root = Some(root.ok_or_else(|| refuse("no rank follows `root`".into()))?);
                } else if TYPES.iter().any(|(name, _)| *name == word) {
                    if element.replace(word).is_some_and(|other| other != word) {
                        return Err(refuse("another stage of its group has another type".into()));
                    }
                } else if step.operation.replace(word.to_owned()).is_some() {
                    return Err(refuse(format!("{word} is one word too many")));
                }
            }
            stages.push(step);
        }
        let element = element.ok_or_else(|| Error::Stage {
            chain: chain.to_owned(),
            stage: text.trim().to_owned(),
            why: "it names no type of elements".into(),
        })?;
        Ok(Self { stages, element: element.to_owned() })
    }
}

fn operation(communicator: &Communicator, name: &str) -> Result<Option<Op>, Error> {
    Ok(match name {
        "sum" => Some(Op::Sum),
        "min" => Some(Op::Min),
        "max" => Some(Op::Max),
        "product" => Some(Op::Product),
        _ => communicator.operation(name)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_parsed() {
        let chain = Chain::parse("all_reduce max f64; reduce+ mine f64 root 3, broadcast").unwrap();
        assert_eq!(chain.element(), "f64");
        assert_eq!(chain.element_bytes(), 8);
        let step = |name: &str, keep, operation: Option<&str>, root| Step {
            name: name.into(),
            keep,
            operation: operation.map(Into::into),
            root,
        };
        assert_eq!(chain.groups[0].stages, [step("all_reduce", false, Some("max"), None)]);
        let second =
            [step("reduce", true, Some("mine"), Some(3)), step("broadcast", false, None, None)];
        assert_eq!(chain.groups[1].stages, second);
        assert!(chain.folds());
        assert!(Chain::parse("all_to_all_v i32").unwrap().is_rows());
    }

    #[test]
    fn what_is_no_chain_is_refused_by_name() {
        for (text, message) in [
            ("", "in the chain \"\", \"\" is not a stage: it is empty"),
            (
                "all_reduce sum",
                "in the chain \"all_reduce sum\", \"all_reduce sum\" is not a stage: it names no type of elements",
            ),
            (
                "scan sum i32 f64, broadcast",
                "in the chain \"scan sum i32 f64, broadcast\", \"scan sum i32 f64\" is not a stage: another stage of its group has another type",
            ),
            (
                "reduce sum i32 root",
                "in the chain \"reduce sum i32 root\", \"reduce sum i32 root\" is not a stage: no rank follows `root`",
            ),
            (
                "scan sum more i32",
                "in the chain \"scan sum more i32\", \"scan sum more i32\" is not a stage: more is one word too many",
            ),
            (
                "all_reduce sum i32; all_reduce sum f64",
                "the chain \"all_reduce sum i32; all_reduce sum f64\" has groups of two types; its groups have one",
            ),
        ] {
            assert_eq!(Chain::parse(text).unwrap_err().to_string(), message);
        }
    }
}
