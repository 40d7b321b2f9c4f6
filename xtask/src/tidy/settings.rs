//! Variables of the environment: those that code and documents name are in `spec/settings.toml`,
//! and only `netfold-settings` gets to read them.

use toml::{Table, Value};

use super::{Source, Violation};

const SPEC: &str = "spec/settings.toml";

const PREFIX: &str = "NETFOLD_";

/// Variables of tests, which documents tell of.
const OF_TESTS: [&str; 2] = ["NETFOLD_SEED", "NETFOLD_SEEDS"];

/// Ways to read a variable, in Rust and Python.
const READERS: [&str; 3] = ["env::var", "os.environ", "getenv"];

/// Checks every file that users get: code without its tests, and documents.
pub fn check(sources: &[Source]) -> Vec<Violation> {
    let Some(spec) = sources.iter().find(|source| source.path == SPEC) else {
        return vec![Violation::in_file(SPEC, "missing: it has the names of all settings")];
    };
    let known = match variables(&spec.text) {
        Ok(known) => known,
        Err(error) => return vec![Violation::in_file(SPEC, error)],
    };
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| is_for_users(&source.path)) {
        for (number, line) in (1..).zip(source.text.lines()) {
            let mut refuse = |what: String| {
                violations.push(Violation::at_line(&source.path, number, what));
            };
            for name in names(line) {
                if !known.iter().any(|known| known == name) && !OF_TESTS.contains(&name) {
                    refuse(format!("`{name}` is no setting; add it to {SPEC}"));
                } else if READERS.iter().any(|reader| line.contains(reader)) {
                    refuse(format!("`{name}` is read here; leave that to `netfold-settings`"));
                }
            }
        }
    }
    violations
}

fn is_for_users(path: &str) -> bool {
    let code = (path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs"))
        || path.starts_with("python/netfold/");
    let of_tests = path.contains("/tests/") || path.contains("tests.rs");
    (code && !of_tests) || path.ends_with(".md")
}

/// The variables of all settings.
fn variables(spec: &str) -> Result<Vec<String>, String> {
    let all: Table = spec.parse().map_err(|error| format!("not TOML: {error}"))?;
    let settings = all.get("setting").and_then(Value::as_array).into_iter().flatten();
    let keys = settings.filter_map(|setting| setting.get("key").and_then(Value::as_str));
    Ok(keys.map(|key| format!("{PREFIX}{}", key.to_uppercase())).collect())
}

/// The variables that a line names. The prefix alone, as in `NETFOLD_*`, is none.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let joins = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    line.split(move |letter| !joins(letter))
        .filter(|word| word.strip_prefix(PREFIX).is_some_and(|rest| !rest.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<Violation> {
        let spec = Source::new(SPEC, "[[setting]]\nkey = 'token_file'\n");
        check(&[spec, Source::new(path, text)])
    }

    #[test]
    fn a_variable_that_is_no_setting_is_found() {
        for path in ["crates/net/src/flow.rs", "python/netfold/config.py", "docs/cli.md"] {
            let bad = found(path, "x\nset NETFOLD_TOKENS=1");
            assert_eq!(bad.len(), 1, "{path}");
            assert_eq!(bad[0].line, Some(2));
            assert!(bad[0].what.contains(SPEC), "{}", bad[0]);
        }
    }

    #[test]
    fn a_setting_is_read_in_one_place() {
        let rust = found("crates/net/src/flow.rs", "env::var_os(\"NETFOLD_TOKEN_FILE\")");
        let python = found("python/netfold/x.py", "os.environ[\"NETFOLD_TOKEN_FILE\"]");
        for found in [rust, python] {
            assert!(found[0].what.contains("netfold-settings"));
        }
    }

    #[test]
    fn settings_the_prefix_and_tests_are_fine() {
        assert_eq!(found("docs/a.md", "`NETFOLD_TOKEN_FILE`, `NETFOLD_*`, NETFOLD_SEED=1"), []);
        assert_eq!(found("crates/net/src/flow/tests/panics.rs", "NETFOLD_TEST"), []);
        assert_eq!(found("crates/net/tests/suite/pairs.rs", "NETFOLD_PAIRS"), []);
        assert_eq!(found("crates/settings/src/variables_tests.rs", "NETFOLD_SLOT"), []);
    }

    #[test]
    fn without_the_specification_nothing_is_known() {
        assert_eq!(check(&[]).len(), 1);
    }
}
