//! Scenarios: a setup in a file, and what is varied of it.

use serde::Deserialize;
use toml::{Table, Value};

use crate::error::Error;
use crate::setup::Setup;

/// Most runs of one scenario.
const MOST_RUNS: usize = 10_000;

/// A scenario: every combination of the values that it gives is a run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its subject.
    pub title: String,
    /// Paths of the parameters that are varied, in the order of their names.
    pub parameters: Vec<String>,
    /// The runs.
    pub runs: Vec<Variant>,
}

/// One run of a scenario.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Values of the parameters that are varied.
    pub values: Vec<Value>,
    /// The setup to simulate.
    pub setup: Setup,
}

impl Scenario {
    /// The scenario in a file's text: the keys of [`Setup`]; `title`; and the table `sweep`, which
    /// has a list of values for each path. A path names keys, and places in lists, with points
    /// between them: `layers.0.rate_gbps`.
    ///
    /// # Errors
    /// [`Error::Toml`] or [`Error::Sweep`]; what else is wrong with a setup turns up when it is
    /// run.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut table: Table =
            text.parse().map_err(|error: toml::de::Error| Error::Toml(error.to_string()))?;
        let title = match table.remove("title") {
            None => String::new(),
            Some(Value::String(title)) => title,
            Some(other) => {
                return Err(Error::Toml(format!("title is a text, not {}", other.type_str())));
            }
        };
        let sweep = match table.remove("sweep") {
            None => Table::new(),
            Some(Value::Table(sweep)) => sweep,
            Some(other) => {
                return Err(Error::Toml(format!("sweep is a table, not {}", other.type_str())));
            }
        };
        let parameters: Vec<String> = sweep.keys().cloned().collect();
        let mut combinations = vec![(table, Vec::new())];
        for (path, values) in &sweep {
            let Some(values) = values.as_array().filter(|values| !values.is_empty()) else {
                return Err(Error::Sweep {
                    path: path.clone(),
                    why: "give a list of values".into(),
                });
            };
            if combinations.len() * values.len() > MOST_RUNS {
                return Err(Error::Sweep {
                    path: path.clone(),
                    why: format!("these are more than {MOST_RUNS} runs"),
                });
            }
            let mut longer = Vec::with_capacity(combinations.len() * values.len());
            for (table, chosen) in &combinations {
                for value in values {
                    let mut table = table.clone();
                    set(&mut table, path, value.clone())?;
                    longer.push((table, [chosen.as_slice(), std::slice::from_ref(value)].concat()));
                }
            }
            combinations = longer;
        }
        let runs = combinations.into_iter().map(|(table, values)| {
            let setup =
                Setup::deserialize(table).map_err(|error| Error::Toml(error.to_string()))?;
            Ok(Variant { values, setup })
        });
        Ok(Self { title, parameters, runs: runs.collect::<Result<_, _>>()? })
    }
}

/// Sets what stands at `path`. All but its last step must be there.
pub(crate) fn set(table: &mut Table, path: &str, value: Value) -> Result<(), Error> {
    let failed = |why: String| Error::Sweep { path: path.to_owned(), why };
    let (above, last) =
        path.rsplit_once('.').map_or((None, path), |(above, last)| (Some(above), last));
    let mut place: Option<&mut Value> = None;
    for step in above.into_iter().flat_map(|above| above.split('.')) {
        let next = match place {
            None => table.get_mut(step),
            Some(Value::Table(table)) => table.get_mut(step),
            Some(Value::Array(list)) => {
                step.parse().ok().and_then(|index: usize| list.get_mut(index))
            }
            Some(_) => None,
        };
        place = Some(next.ok_or_else(|| {
            failed(format!("{step:?} is not there; write its table or list first"))
        })?);
    }
    match place {
        None => drop(table.insert(last.to_owned(), value)),
        Some(Value::Table(table)) => drop(table.insert(last.to_owned(), value)),
        Some(Value::Array(list)) => {
            let entry = last.parse().ok().and_then(|index: usize| list.get_mut(index));
            *entry.ok_or_else(|| failed(format!("the list has no place {last:?}")))? = value;
        }
        Some(other) => return Err(failed(format!("{} has no keys", other.type_str()))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Costs;
    use crate::setup::CostsOf;

    const RACK: &str = r#"
        title = "A rack"
        [[layers]]
        fan_out = 4
        rate_gbps = 10
        delay_ns = 500
        [[jobs]]
        workers = 4
        calls = [{ elements = 1000 }]
    "#;

    #[test]
    fn without_a_sweep_there_is_one_run() {
        let scenario = Scenario::parse(RACK).unwrap();
        assert_eq!((scenario.title.as_str(), scenario.runs.len()), ("A rack", 1));
        let setup = &scenario.runs[0].setup;
        assert_eq!(
            (setup.layers[0].rate_gbps, setup.jobs[0].slots, setup.jobs[0].payload_bytes),
            (10.0, 512, 1024)
        );
    }

    #[test]
    fn a_sweep_is_every_combination() {
        let text = format!(
            "{RACK}\n[sweep]\n\"layers.0.rate_gbps\" = [10, 100]\n\"jobs.0.slots\" = [64, 128, 256]\n\"jobs.0.calls.0.elements\" = [5]\n"
        );
        let scenario = Scenario::parse(&text).unwrap();
        assert_eq!(
            scenario.parameters,
            ["jobs.0.calls.0.elements", "jobs.0.slots", "layers.0.rate_gbps"]
        );
        let runs: Vec<_> = scenario
            .runs
            .iter()
            .map(|run| {
                (
                    run.setup.jobs[0].slots,
                    run.setup.layers[0].rate_gbps,
                    run.setup.jobs[0].calls[0].elements,
                )
            })
            .collect();
        assert_eq!(
            runs,
            [
                (64, 10.0, 5),
                (64, 100.0, 5),
                (128, 10.0, 5),
                (128, 100.0, 5),
                (256, 10.0, 5),
                (256, 100.0, 5)
            ]
        );
        assert_eq!(
            scenario.runs[1].values,
            [Value::Integer(5), Value::Integer(64), Value::Integer(100)]
        );
    }

    #[test]
    fn costs_are_nothing_measured_or_given() {
        let of = |costs: &str| {
            let scenario = Scenario::parse(&format!("{RACK}\n[hosts]\ncosts = {costs}\n"));
            scenario.map(|scenario| scenario.runs[0].setup.hosts.costs)
        };
        assert_eq!(of("\"nothing\""), Ok(CostsOf::Nothing));
        assert_eq!(of("\"measured\""), Ok(CostsOf::Measured));
        let given =
            "{ receive_packet_ns = 1, receive_byte_ns = 2, send_packet_ns = 3, send_byte_ns = 4 }";
        let costs = Costs {
            receive_packet_ns: 1.0,
            receive_byte_ns: 2.0,
            send_packet_ns: 3.0,
            send_byte_ns: 4.0,
        };
        assert_eq!(of(given), Ok(CostsOf::Given(costs)));
        assert!(of("\"some\"").is_err());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let wrong = |addition: &str| {
            Scenario::parse(&format!("{RACK}\n{addition}\n")).unwrap_err().to_string()
        };
        assert!(wrong("[hosts]\nspeed = 3").contains("speed"));
        assert!(wrong("[sweep]\n\"layers.7.rate_gbps\" = [1]").contains("\"7\" is not there"));
        assert!(wrong("[sweep]\n\"layers.0.rate\" = [1]").contains("unknown field `rate`"));
        assert!(wrong("[sweep]\n\"until_ms\" = 3").contains("a list of values"));
        assert!(
            wrong("[[jobs]]\nworkers = 1\narithmetic = \"exact\"\ncalls = []")
                .contains("must be one of block")
        );
        assert!(
            wrong("[[jobs]]\nworkers = 1\nspeed = 3\ncalls = []").contains("unknown field `speed`")
        );
        assert!(Scenario::parse("layers = 3").is_err());
    }
}
