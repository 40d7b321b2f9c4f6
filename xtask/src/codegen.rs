//! Code from `spec/wire.toml`, `spec/table.toml`, `spec/query.toml` and `spec/settings.toml`, so
//! that the headers' layouts and the settings stand in one place.
//!
//! [`model`] and [`settings`] read and check the specifications; each language has an emitter of
//! its own that turns a checked one into text. A new language is a new emitter and a new entry in
//! [`outputs`].

mod model;
mod pisa;
mod rust;
mod settings;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use model::Spec;

const WIRE: &str = "spec/wire.toml";
const TABLE: &str = "spec/table.toml";
const QUERY: &str = "spec/query.toml";
const SETTINGS: &str = "spec/settings.toml";
const SETTINGS_PAGE: &str = "docs/settings.md";

/// The reason why code could not be made, or how it differs from the specification.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodegenError {
    /// The specification itself is wrong.
    #[error("{path}: {why}")]
    Spec {
        /// The specification, relative to the checkout.
        path: &'static str,
        /// The item at fault.
        why: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}", path = .path.display())]
    File {
        /// The file, relative to the checkout.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// rustfmt is missing, or did not take the generated code.
    #[error("rustfmt: {0}; install it with `rustup component add rustfmt`")]
    Format(String),
    /// A generated file differs from the specification.
    #[error(
        "{path} is not what the specification says:\n{difference}run `cargo xtask codegen` and commit the result"
    )]
    Stale {
        /// The file, relative to the checkout.
        path: &'static str,
        /// The first lines that differ.
        difference: String,
    },
}

/// One generated file.
struct Output {
    path: &'static str,
    text: String,
}

/// Writes every generated file and says which ones.
pub fn write(root: &Path) -> Result<String, CodegenError> {
    let mut written = Vec::new();
    for output in outputs(root)? {
        fs::write(root.join(output.path), output.text)
            .map_err(|source| CodegenError::File { path: output.path.into(), source })?;
        written.push(output.path);
    }
    Ok(format!("codegen: wrote {}", written.join(", ")))
}

/// Compares every generated file with the text that the generator would write.
pub fn check(root: &Path) -> Result<String, CodegenError> {
    let outputs = outputs(root)?;
    for output in &outputs {
        let present = fs::read_to_string(root.join(output.path))
            .map_err(|source| CodegenError::File { path: output.path.into(), source })?;
        if present != output.text {
            let difference = first_difference(&present, &output.text);
            return Err(CodegenError::Stale { path: output.path, difference });
        }
    }
    Ok(format!("codegen: {} generated file(s) up to date", outputs.len()))
}

fn outputs(root: &Path) -> Result<Vec<Output>, CodegenError> {
    let read = |path: &'static str| {
        fs::read_to_string(root.join(path))
            .map_err(|source| CodegenError::File { path: path.into(), source })
    };
    let fault = |path: &'static str| move |why: String| CodegenError::Spec { path, why };
    let wire = Spec::parse(&read(WIRE)?).map_err(|error| fault(WIRE)(error.to_string()))?;
    let table = Spec::parse(&read(TABLE)?).map_err(|error| fault(TABLE)(error.to_string()))?;
    let query = Spec::parse(&read(QUERY)?).map_err(|error| fault(QUERY)(error.to_string()))?;
    let known = settings::Spec::parse(&read(SETTINGS)?).map_err(fault(SETTINGS))?;
    let page = settings::document::emit(&known, &read(SETTINGS_PAGE)?).map_err(fault(SETTINGS))?;
    let python = settings::python::emit(&known).map_err(fault(SETTINGS))?;
    let rust = |code: &str| rustfmt(root, code);
    Ok(vec![
        Output { path: "crates/wire/src/generated.rs", text: rust(&rust::emit(&wire, WIRE))? },
        Output {
            path: "crates/wire/src/table/generated.rs",
            text: rust(&rust::emit(&table, TABLE))?,
        },
        Output {
            path: "crates/wire/src/query/generated.rs",
            text: rust(&rust::emit(&query, QUERY))?,
        },
        Output { path: "crates/pisa/src/layout.rs", text: rust(&pisa::emit(&wire, &table))? },
        Output {
            path: "crates/settings/src/generated.rs",
            text: rust(&settings::rust::emit(&known))?,
        },
        Output { path: "python/netfold/_settings.py", text: python },
        Output { path: SETTINGS_PAGE, text: page },
    ])
}

/// The first lines that differ, as `-` present and `+` wanted, under the number of the line.
fn first_difference(present: &str, wanted: &str) -> String {
    let (present, wanted): (Vec<_>, Vec<_>) = (present.lines().collect(), wanted.lines().collect());
    let at = present.iter().zip(&wanted).take_while(|(left, right)| left == right).count();
    let mut text = format!("@@ line {} @@\n", at + 1);
    for (sign, lines) in [('-', &present), ('+', &wanted)] {
        for line in lines.iter().skip(at).take(3) {
            text.push_str(&format!("{sign}{line}\n"));
        }
    }
    text
}

/// Formats Rust code as `cargo fmt` would, so that a generated file is no exception to the format
/// check.
fn rustfmt(root: &Path, code: &str) -> Result<String, CodegenError> {
    let failed = |error: io::Error| CodegenError::Format(error.to_string());
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // rustfmt answers after it has read everything, so that writing first cannot block on a full
    // pipe.
    if let Some(mut input) = child.stdin.take() {
        input.write_all(code.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(CodegenError::Format(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    String::from_utf8(output.stdout).map_err(|error| CodegenError::Format(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn a_difference_names_the_line_and_both_sides() {
        assert_eq!(first_difference("a\nb\nc\n", "a\nx\nc\n"), "@@ line 2 @@\n-b\n-c\n+x\n+c\n");
    }

    #[test]
    fn a_missing_tail_is_a_difference() {
        assert_eq!(first_difference("a\n", "a\nb\n"), "@@ line 2 @@\n+b\n");
    }
}
