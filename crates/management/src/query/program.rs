//! A program in a message: serde's functions for [`RowProgram`].

use netfold_num::{Comparison, ExactFormat, Sum};
use netfold_wire::{Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The names of sums.
const SUMS: [(&str, Sum); 8] = [
    ("integer", Sum::Integer),
    ("exact_f32", Sum::Exact(ExactFormat::F32)),
    ("exact_f64", Sum::Exact(ExactFormat::F64)),
    ("native_f32", Sum::NativeF32),
    ("native_f64", Sum::NativeF64),
    ("fpisa", Sum::Fpisa),
    ("fpisa_a", Sum::FpisaA),
    ("logtable", Sum::LogTable),
];

/// The names of comparisons.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("<", Comparison::Less),
    ("<=", Comparison::AtMost),
    ("=", Comparison::Equal),
    ("<>", Comparison::Unequal),
    (">=", Comparison::AtLeast),
    (">", Comparison::Greater),
];

/// A program by names.
#[derive(Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
enum Named {
    Filter { predicates: Vec<(u8, String, i64)>, truth: u64 },
    TopThresholds { n: u32, width: u8, mantissa_bits: Option<u8> },
    TopMatrix { rows: u32, width: u16, seed: u64, keeps_ties: bool },
    Distinct { rows: u32, width: u8, seed: u64, lru: bool },
    GroupExtreme { rows: u32, width: u8, seed: u64, keeps_ties: bool },
    BloomJoin { words: u32, bits: u8, seed: u64, forwards_build: bool },
    GroupSum { rows: u32, width: u8, seed: u64, sums: Vec<String> },
}

pub fn serialize<S: Serializer>(program: &RowProgram, output: S) -> Result<S::Ok, S::Error> {
    Named::from(*program).serialize(output)
}

pub fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<RowProgram, D::Error> {
    Named::deserialize(input)?.program().map_err(D::Error::custom)
}

impl From<RowProgram> for Named {
    fn from(program: RowProgram) -> Self {
        let keeps = |ties| ties == Ties::Keep;
        match program {
            RowProgram::Filter { predicates, truth } => {
                let named =
                    |one: Predicate| (one.column, name(&COMPARISONS, one.comparison), one.constant);
                Self::Filter { predicates: predicates.iter().map(named).collect(), truth }
            }
            RowProgram::TopThresholds { n, width, steps } => {
                let mantissa_bits = match steps {
                    Steps::Integer => None,
                    Steps::Float { mantissa_bits } => Some(mantissa_bits),
                };
                Self::TopThresholds { n, width, mantissa_bits }
            }
            RowProgram::TopMatrix { rows, width, seed, ties } => {
                Self::TopMatrix { rows, width, seed, keeps_ties: keeps(ties) }
            }
            RowProgram::Distinct { rows, width, seed, replacement } => {
                Self::Distinct { rows, width, seed, lru: replacement == Replacement::Lru }
            }
            RowProgram::GroupExtreme { rows, width, seed, ties } => {
                Self::GroupExtreme { rows, width, seed, keeps_ties: keeps(ties) }
            }
            RowProgram::BloomJoin { words, bits, seed, forwards_build } => {
                Self::BloomJoin { words, bits, seed, forwards_build }
            }
            RowProgram::GroupSum { rows, width, seed, sums } => {
                let sums = sums.iter().map(|sum| name(&SUMS, sum)).collect();
                Self::GroupSum { rows, width, seed, sums }
            }
        }
    }
}

impl Named {
    fn program(self) -> Result<RowProgram, &'static str> {
        let ties = |keeps| if keeps { Ties::Keep } else { Ties::Drop };
        Ok(match self {
            Self::Filter { predicates, truth } => {
                let all: Option<Vec<Predicate>> = predicates
                    .iter()
                    .map(|(column, text, constant)| {
                        let comparison = named(&COMPARISONS, text)?;
                        Some(Predicate { column: *column, comparison, constant: *constant })
                    })
                    .collect();
                let all = all.ok_or("an unknown comparison")?;
                let predicates = Predicates::new(&all).ok_or("too many comparisons")?;
                RowProgram::Filter { predicates, truth }
            }
            Self::TopThresholds { n, width, mantissa_bits } => {
                let steps = match mantissa_bits {
                    None => Steps::Integer,
                    Some(mantissa_bits @ (23 | 52)) => Steps::Float { mantissa_bits },
                    Some(_) => return Err("floats without a mantissa of 23 or 52 bits"),
                };
                RowProgram::TopThresholds { n, width, steps }
            }
            Self::TopMatrix { rows, width, seed, keeps_ties } => {
                RowProgram::TopMatrix { rows, width, seed, ties: ties(keeps_ties) }
            }
            Self::Distinct { rows, width, seed, lru } => {
                let replacement = if lru { Replacement::Lru } else { Replacement::Fifo };
                RowProgram::Distinct { rows, width, seed, replacement }
            }
            Self::GroupExtreme { rows, width, seed, keeps_ties } => {
                RowProgram::GroupExtreme { rows, width, seed, ties: ties(keeps_ties) }
            }
            Self::BloomJoin { words, bits, seed, forwards_build } => {
                RowProgram::BloomJoin { words, bits, seed, forwards_build }
            }
            Self::GroupSum { rows, width, seed, sums } => {
                let all: Option<Vec<Sum>> = sums.iter().map(|text| named(&SUMS, text)).collect();
                let all = all.ok_or("an unknown sum")?;
                let sums = Sums::new(&all).ok_or("too many sums")?;
                RowProgram::GroupSum { rows, width, seed, sums }
            }
        })
    }
}

fn name<T: Copy + PartialEq>(names: &[(&str, T)], value: T) -> String {
    let named = names.iter().find(|(_, one)| *one == value);
    named.map_or_else(String::new, |(name, _)| (*name).to_owned())
}

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::QueryTerms;

    fn terms(program: RowProgram) -> QueryTerms {
        QueryTerms { program, workers: 2, partitions: 3, attempts: 4, datagram_bytes: 1400 }
    }

    #[test]
    fn every_program_is_itself_again() {
        let compare = COMPARISONS.map(|(_, comparison)| Predicate {
            column: 7,
            comparison,
            constant: i64::MIN,
        });
        let (rows, width, seed, ties) = (2, 255, u64::MAX, Ties::Keep);
        let sums = Sums::new(&SUMS.map(|(_, sum)| sum)).unwrap();
        let programs = [
            RowProgram::Filter { predicates: Predicates::new(&compare).unwrap(), truth: u64::MAX },
            RowProgram::TopThresholds { n: 9, width: 3, steps: Steps::Integer },
            RowProgram::TopThresholds { n: 9, width: 3, steps: Steps::Float { mantissa_bits: 23 } },
            RowProgram::TopMatrix { rows, width: 65535, seed, ties },
            RowProgram::TopMatrix { rows, width: 1, seed: 0, ties: Ties::Drop },
            RowProgram::Distinct { rows, width, seed, replacement: Replacement::Fifo },
            RowProgram::Distinct { rows, width, seed, replacement: Replacement::Lru },
            RowProgram::GroupExtreme { rows, width, seed, ties },
            RowProgram::BloomJoin { words: 8, bits: 4, seed, forwards_build: true },
            RowProgram::GroupSum { rows, width, seed, sums },
        ];
        for program in programs {
            let text = serde_json::to_string(&terms(program)).unwrap();
            assert_eq!(
                serde_json::from_str::<QueryTerms>(&text).unwrap(),
                terms(program),
                "{text}"
            );
        }
        // A sum or a comparison without a name would be one of them.
        assert_eq!(SUMS.map(|(_, sum)| sum), Sum::ALL);
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let text = |program: &str| {
            format!(
                r#"{{"program":{program},"workers":1,"partitions":1,"attempts":1,"datagram_bytes":1400}}"#
            )
        };
        let refused = [
            r#"{"name":"sort"}"#,
            r#"{"name":"distinct","rows":2,"width":256,"seed":1,"lru":true}"#,
            r#"{"name":"top-thresholds","n":1,"width":1,"mantissa_bits":200}"#,
            r#"{"name":"group-sum","rows":2,"width":1,"seed":1,"sums":["median"]}"#,
            r#"{"name":"filter","predicates":[[0,"~",1]],"truth":1}"#,
        ];
        for program in refused {
            let parsed = serde_json::from_str::<QueryTerms>(&text(program));
            assert!(parsed.is_err(), "{program}");
        }
        let nine = ["\"integer\""; 9].join(",");
        let sums = format!(r#"{{"name":"group-sum","rows":2,"width":1,"seed":1,"sums":[{nine}]}}"#);
        let error = serde_json::from_str::<QueryTerms>(&text(&sums)).unwrap_err();
        assert!(error.to_string().contains("too many sums"), "{error}");
    }
}
