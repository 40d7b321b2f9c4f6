//! Rules of this repository that no stock linter knows, checked on every file that git would
//! commit.
//!
//! [`text`] looks at single files (length, columns, banned words), [`words`] at their terms,
//! [`layers`] at the edges between crates, [`purity`] at what a crate promises in its attributes
//! and lint configuration, [`settings`] at the names of variables, [`features`] at the libraries
//! that are built. Each rule takes text and gives [`Violation`]s; only [`run`] reads files, and
//! only [`features`] asks cargo.

mod features;
mod layers;
mod purity;
mod settings;
mod text;
mod words;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The reason why the rules could not be checked, or the violations that they found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TidyError {
    /// git did not list the files.
    #[error("tidy: cannot list the files of {root}: {reason}; run it in a git checkout", root = .root.display())]
    Listing {
        /// The checkout.
        root: PathBuf,
        /// The error of git or the system.
        reason: String,
    },
    /// A listed file could not be read.
    #[error("tidy: {path}: {source}", path = .path.display())]
    File {
        /// The file, relative to the checkout.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// cargo did not list the libraries.
    #[error("tidy: `cargo tree` does not list the libraries: {0}")]
    Features(io::Error),
    /// At least one rule is broken.
    #[error("{}tidy: {} violation(s)", .0.iter().map(|item| format!("{item}\n")).collect::<String>(), .0.len())]
    Violations(Vec<Violation>),
}

/// A broken rule: the place, and the remedy.
#[derive(Debug, PartialEq)]
pub struct Violation {
    path: String,
    line: Option<usize>,
    what: String,
}

impl Violation {
    fn in_file(path: &str, what: impl Into<String>) -> Self {
        Self { path: path.into(), line: None, what: what.into() }
    }

    /// `line` counts from 1.
    fn at_line(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.into(), line: Some(line), what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}:{line}: {}", self.path, self.what),
            None => write!(formatter, "{}: {}", self.path, self.what),
        }
    }
}

/// A text file of the repository.
pub struct Source {
    /// Relative to the checkout, with `/`.
    path: String,
    text: String,
}

/// Checks every rule and says how many files were looked at.
pub fn run(root: &Path) -> Result<String, TidyError> {
    let sources = read_sources(root)?;
    let mut violations = Vec::new();
    for source in &sources {
        violations.extend(text::check(source));
        violations.extend(words::check(source));
        violations.extend(purity::check_source(source));
    }
    violations.extend(layers::check(&sources));
    violations.extend(settings::check(&sources));
    violations.extend(purity::check_crates(&sources));
    violations.extend(features::check(root).map_err(TidyError::Features)?);
    if violations.is_empty() {
        Ok(format!("tidy: {} files in order", sources.len()))
    } else {
        Err(TidyError::Violations(violations))
    }
}

/// Every file that git tracks or would add, except those that are not text.
fn read_sources(root: &Path) -> Result<Vec<Source>, TidyError> {
    let failed = |reason: String| TidyError::Listing { root: root.into(), reason };
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !listing.status.success() {
        return Err(failed(String::from_utf8_lossy(&listing.stderr).trim().into()));
    }
    let names = String::from_utf8(listing.stdout).map_err(|error| failed(error.to_string()))?;
    let mut sources = Vec::new();
    for path in names.split_terminator('\0') {
        match fs::read_to_string(root.join(path)) {
            Ok(text) => sources.push(Source { path: path.into(), text }),
            // A picture or a vector file; or a file that is deleted but not yet staged.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::NotFound) => {
            }
            Err(source) => {
                return Err(TidyError::File { path: path.into(), source });
            }
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::{Source, run};
    use std::path::Path;

    impl Source {
        /// A file that exists only in a test.
        pub fn new(path: &str, text: &str) -> Self {
            Self { path: path.into(), text: text.into() }
        }
    }

    #[test]
    fn a_folder_without_git_is_an_error_that_says_so() {
        let message = run(Path::new("/nonexistent")).unwrap_err().to_string();
        assert!(message.contains("git checkout"), "{message}");
    }
}
