//! The settings that the Python package reads, as a frozen data class in the form that ruff gives
//! it.

use std::fmt::{self, Write};

use bytesize::ByteSize;

use super::{Kind, Setting, Spec, text};

/// Columns of a line, without the indentation of a class.
const COLUMNS: usize = 96;

/// The contents of `python/netfold/_settings.py`.
pub fn emit(spec: &Spec) -> Result<String, String> {
    let mut code = String::new();
    emit_into(&mut code, spec).expect("a String takes every write")?;
    Ok(code)
}

fn emit_into(out: &mut String, spec: &Spec) -> Result<Result<(), String>, fmt::Error> {
    writeln!(out, "# Generated from spec/settings.toml by `cargo xtask codegen`; do not edit.")?;
    writeln!(out, "\"\"\"The settings that the package reads, with their defaults.\"\"\"\n")?;
    writeln!(
        out,
        "from __future__ import annotations\n\nfrom dataclasses import dataclass, field"
    )?;
    writeln!(out, "\n\n@dataclass(frozen=True)\nclass Values:")?;
    writeln!(out, "    \"\"\"The value of every setting: what was given, else its default.\"\"\"")?;
    for setting in spec.settings.iter().filter(|setting| setting.in_python()) {
        let default = match default(setting) {
            Ok(default) => default,
            Err(fault) => return Ok(Err(fault)),
        };
        let of = match setting.kind {
            Kind::Bool => "bool",
            Kind::Duration => "float",
            Kind::Bytes | Kind::Whole => "int",
            _ => "str",
        };
        let of = if setting.default.is_some() { of.into() } else { format!("{of} | None") };
        writeln!(out, "\n    {}: {of} = {default}", setting.field())?;
        let doc = format!("{} ({}).", setting.doc, setting.variable());
        for line in quoted(&doc) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(Ok(()))
}

fn default(setting: &Setting) -> Result<String, String> {
    let fault = |why: String| format!("setting `{}`: {why}", setting.key);
    let Some(default) = setting.default.as_ref().map(text) else {
        let secret = setting.kind == Kind::Secret;
        return Ok(if secret { "field(default=None, repr=False)" } else { "None" }.into());
    };
    Ok(match setting.kind {
        Kind::Bool => if default == "1" { "True" } else { "False" }.into(),
        Kind::Duration => {
            format!("{:?}", default.parse::<f64>().map_err(|e| fault(e.to_string()))?)
        }
        Kind::Bytes => default.parse::<ByteSize>().map_err(fault)?.as_u64().to_string(),
        Kind::Whole => default,
        _ => format!("{default:?}"),
    })
}

/// Returns the lines of a documentation string.
fn quoted(text: &str) -> Vec<String> {
    let mut lines = vec![String::from("\"\"\"")];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        let gap = usize::from(!line.ends_with("\"\"\""));
        if line.len() + gap + word.len() > COLUMNS - 3 {
            lines.push(word.to_owned());
        } else {
            line.push_str(&" "[..gap]);
            line.push_str(word);
        }
    }
    match &mut lines[..] {
        [only] => only.push_str("\"\"\""),
        _ => lines.push("\"\"\"".into()),
    }
    lines
}
