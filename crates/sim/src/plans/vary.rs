//! Companions of claims that are no test: a choice is varied, and the values that depend on it are
//! found again.

use serde::Deserialize;
use toml::{Table, Value};

use super::Found;
use super::figures::{Cell, Sheet, Values, named};
use crate::error::Error;
use crate::scenario;

/// A parameter of a plan, and values that it takes instead of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vary {
    /// Its name in values.
    id: String,
    /// Its subject and its unit.
    what: String,
    /// Paths of the keys that take each value, as those of a scenario's sweep.
    keys: Vec<String>,
    values: Vec<Value>,
    /// Names of the values that are shown.
    shows: Vec<String>,
    /// Keys that these runs have instead of the plan's, so that they take less time.
    #[serde(default)]
    only: Table,
}

impl Vary {
    /// The plan's table with each value in turn.
    pub(super) fn tables(&self, plan: &Table) -> Result<Vec<Table>, Error> {
        let mut of = plan.clone();
        of.extend(self.only.clone());
        let varied = |value: &Value| {
            let mut table = of.clone();
            self.keys.iter().try_for_each(|key| scenario::set(&mut table, key, value.clone()))?;
            Ok(table)
        };
        self.values.iter().map(varied).collect()
    }

    /// Adds what runs with each value have found.
    pub(super) fn add(&self, runs: &[Values], found: &mut Found) -> Result<(), Error> {
        let header =
            std::iter::once(self.what.as_str()).chain(self.shows.iter().map(String::as_str));
        let mut sheet = Sheet::new(format!("What was chosen, varied: {}", self.what), header);
        for (value, values) in self.values.iter().zip(runs) {
            let mut row = vec![Cell::text(value.to_string())];
            for show in &self.shows {
                let shown = named(values, show, &self.what)?;
                found.values.insert(format!("vary.{}.{value}.{show}", self.id), shown);
                row.push(Cell::Number(shown, 3));
            }
            sheet.rows.push(row);
        }
        found.sheets.push(sheet);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vary(more: &str) -> Vary {
        toml::from_str(&format!(
            "id = \"cost\"\nwhat = \"Cost, ns\"\nvalues = [1, 2]\nshows = [\"gain\"]\n{more}"
        ))
        .unwrap()
    }

    #[test]
    fn each_value_stands_at_all_keys() {
        let plan: Table =
            "sizes = [4, 8]\n[[lines]]\ncost = 5\n[[lines]]\ncost = 6".parse().unwrap();
        let vary = vary("keys = [\"lines.0.cost\", \"lines.1.cost\"]\nonly = { sizes = [4] }");
        let expected = |cost: i64| -> Table {
            format!("sizes = [4]\n[[lines]]\ncost = {cost}\n[[lines]]\ncost = {cost}")
                .parse()
                .unwrap()
        };
        assert_eq!(vary.tables(&plan).unwrap(), [expected(1), expected(2)]);
        let absent = self::vary("keys = [\"lines.2.cost\"]");
        assert!(absent.tables(&plan).unwrap_err().to_string().contains("lines.2.cost"));
    }

    #[test]
    fn what_is_found_with_each_value_is_shown() {
        let runs = [2.5, 1.5].map(|gain| Values::from([("gain".to_owned(), gain)]));
        let mut found = Found::default();
        vary("keys = []").add(&runs, &mut found).unwrap();
        assert_eq!(found.values["vary.cost.2.gain"], 1.5);
        assert_eq!(found.sheets[0].rows[0], [Cell::text("1"), Cell::Number(2.5, 3)]);
        let other = [Values::new(), Values::new()];
        let error = vary("keys = []").add(&other, &mut found).unwrap_err().to_string();
        assert!(error.contains("\"gain\""), "{error}");
    }
}
