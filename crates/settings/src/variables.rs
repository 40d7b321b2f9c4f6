//! The variables of the environment that netfold reads, in the command and in Python.

/// Settings of the command: each is a key of its file, and, spelt by [`spell`], a variable of the
/// environment.
pub const KEYS: [&str; 19] = [
    "listen",
    "cores",
    "pin",
    "memory",
    "metrics",
    "parent",
    "token",
    "token_file",
    "switch",
    "arithmetic",
    "overflow",
    "byte_order",
    "protocol",
    "integrity",
    "transport",
    "packet_elements",
    "slots",
    "weight",
    "log",
];

/// Prefix of the names of all variables.
pub const PREFIX: &str = "NETFOLD_";

/// Returns the variable of a key.
pub fn spell(key: &str) -> String {
    format!("{PREFIX}{}", key.to_uppercase())
}

/// Settings that have a variable and are no key of the command's: `config` names the file of keys,
/// and the rest are the Python package's.
const OTHERS: [&str; 4] = ["config", "resumable", "strict", "timeout"];

/// Most single-letter mistakes in a name that is taken for a misspelling.
const MISTAKES: usize = 3;

/// Returns a warning for each of these names that begins like netfold's variables and is not one.
pub fn unknown_variables(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let known: Vec<String> = KEYS.iter().chain(&OTHERS).map(|key| spell(key)).collect();
    let unknown =
        names.into_iter().filter(|name| name.starts_with(PREFIX) && !known.contains(name));
    let warning = |name: String| {
        let distance = |other: &&String| strsim::osa_distance(&name, other);
        let nearest = known.iter().min_by_key(distance).filter(|other| distance(other) <= MISTAKES);
        let hint = nearest.map_or_else(String::new, |other| format!("; did you mean {other}?"));
        format!("the environment has {name}, which netfold does not read{hint}")
    };
    unknown.map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(names: &[&str]) -> Vec<String> {
        unknown_variables(names.iter().map(|name| (*name).to_owned()))
    }

    #[test]
    fn a_misspelt_variable_is_told_with_the_nearest_one() {
        let misspelt = [
            ("NETFOLD_TRANSPROT", "NETFOLD_TRANSPORT"),
            ("NETFOLD_SLOT", "NETFOLD_SLOTS"),
            ("NETFOLD_TIME_OUT", "NETFOLD_TIMEOUT"),
            ("NETFOLD_TOKENFILE", "NETFOLD_TOKEN_FILE"),
            ("NETFOLD_switch", ""),
        ];
        for (name, nearest) in misspelt {
            let [warning] = &warnings(&[name])[..] else { panic!("{name}") };
            assert!(warning.contains(name), "{warning}");
            let hint = format!("; did you mean {nearest}?");
            assert_eq!(warning.ends_with(&hint), !nearest.is_empty(), "{warning}");
        }
    }

    #[test]
    fn variables_of_netfold_and_of_others_are_none_of_these() {
        let fine = [
            "NETFOLD_SWITCH",
            "NETFOLD_STRICT",
            "NETFOLD_CONFIG",
            "netfold_x",
            "NETFOLDER",
            "PATH",
        ];
        assert_eq!(warnings(&fine), [""; 0]);
    }
}
