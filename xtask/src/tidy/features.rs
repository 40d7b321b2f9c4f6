//! Features of the libraries: each selection of packages that the Makefile builds has those of the
//! tests, so that a library is compiled once (`crates/workspace-hack`).

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::process::Command;

use super::Violation;

const TESTS: &[&str] = &["--edges", "normal,build,dev"];

/// Packages that the Makefile builds beside the tests, with a title for each selection.
const SELECTIONS: &[(&str, &[&str])] = &[
    ("the command", &["--package", "netfold-cli", "--package", "netfold-mpi-fused"]),
    ("the library for MPI programs", &["--package", "netfold-mpi-preload"]),
    ("the Python extension", &["--package", "netfold-py"]),
    ("the units in gates", &["--package", "netfold-hdl"]),
    ("these rules", &["--package", "xtask"]),
];

/// Compares the selections with the tests.
pub fn check(root: &Path) -> io::Result<Vec<Violation>> {
    let tests = libraries(root, TESTS)?;
    let mut violations = Vec::new();
    for (title, packages) in SELECTIONS {
        let arguments = [&["--edges", "normal,build"], *packages].concat();
        violations.extend(compare(title, &libraries(root, &arguments)?, &tests));
    }
    Ok(violations)
}

/// The libraries of a listing that the tests have with other features only.
fn compare(title: &str, selection: &str, tests: &str) -> Vec<Violation> {
    let (selected, tested) = (by_library(selection), by_library(tests));
    let is_other = |(library, features): &(&&str, &BTreeSet<&str>)| {
        tested.get(*library).is_some_and(|of_tests| !features.is_subset(of_tests))
    };
    let said = |(library, _): (&&str, _)| {
        let what = format!(
            "{library} has other features for {title} than for the tests, and is compiled twice; \
             `cargo install cargo-hakari`, then `cargo hakari generate`"
        );
        Violation::in_file("crates/workspace-hack/Cargo.toml", what)
    };
    selected.iter().filter(is_other).map(said).collect()
}

/// The sets of features that a listing has for each library; packages of this repository, which
/// are listed with their folder, left out.
fn by_library(listing: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut libraries: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (library, features) in listing.lines().filter_map(|line| line.split_once('|')) {
        if !library.contains("(/") {
            // cargo marks what it has listed before.
            libraries.entry(library).or_default().insert(features.trim_end_matches(" (*)"));
        }
    }
    libraries
}

/// One line for each package and set of features.
fn libraries(root: &Path, arguments: &[&str]) -> io::Result<String> {
    let listing = Command::new("cargo")
        .args(["tree", "--locked", "--quiet", "--prefix", "none"])
        .args(["--format", "{p}|{f}"])
        .args(arguments)
        .current_dir(root)
        .output()?;
    if listing.status.success() {
        Ok(String::from_utf8_lossy(&listing.stdout).into_owned())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&listing.stderr).trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESTED: &str = "redb v4.6.0|default\nhashbrown v0.16.1|default,serde\n\
        hashbrown v0.17.1|\nobject v0.39.1|read\nobject v0.39.1|read,write\n\
        netfold-cgra v0.1.0 (/netfold/crates/cgra)|drawing";

    #[test]
    fn a_library_with_other_features_is_found_by_name() {
        let violations =
            compare("the command", "hashbrown v0.16.1|\nredb v4.6.0|default (*)", TESTED);
        assert_eq!(violations.len(), 1);
        let said = violations[0].to_string();
        assert!(said.contains("hashbrown v0.16.1") && said.contains("the command"), "{said}");
    }

    #[test]
    fn one_of_two_builds_of_the_tests_is_in_order() {
        assert_eq!(compare("the command", "object v0.39.1|read,write", TESTED), []);
    }

    #[test]
    fn libraries_that_the_tests_do_not_have_and_own_packages_are_left_out() {
        let selection = "pyo3 v0.30.1|abi3\nnetfold-cgra v0.1.0 (/netfold/crates/cgra)|";
        assert_eq!(compare("the command", selection, TESTED), []);
    }
}
