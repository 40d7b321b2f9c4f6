//! The variables of the environment that netfold reads, in the command and in Python.

use crate::SETTINGS;

/// Prefix of the names of all variables.
pub const PREFIX: &str = "NETFOLD_";

/// Most single-letter mistakes in a name that is taken for a misspelling.
const MISTAKES: usize = 3;

/// Returns a warning for each of these names that begins like netfold's variables and is not one.
pub fn unknown_variables(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let known = SETTINGS.each_ref().map(|setting| setting.variable);
    let unknown = names
        .into_iter()
        .filter(|name| name.starts_with(PREFIX) && !known.contains(&name.as_str()));
    let warning = |name: String| {
        let distance = |other: &&&str| strsim::osa_distance(&name, other);
        let nearest = known.iter().min_by_key(distance).filter(|other| distance(other) <= MISTAKES);
        let hint = nearest.map_or_else(String::new, |other| format!("; did you mean {other}?"));
        format!("the environment has {name}, which netfold does not read{hint}")
    };
    unknown.map(warning).collect()
}

#[cfg(test)]
#[path = "variables_tests.rs"]
mod tests;
