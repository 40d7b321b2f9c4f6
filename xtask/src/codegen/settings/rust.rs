//! The settings as Rust, for `crates/settings`. rustfmt gives the text its final form.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::{Kind, Setting, Spec, text};

/// The contents of `crates/settings/src/generated.rs`, before rustfmt.
pub fn emit(spec: &Spec) -> String {
    let mut code = String::new();
    emit_into(&mut code, spec).expect("a String takes every write");
    code
}

fn emit_into(out: &mut String, spec: &Spec) -> fmt::Result {
    writeln!(out, "// Generated from spec/settings.toml by `cargo xtask codegen`; do not edit.\n")?;
    let types: BTreeSet<&str> =
        spec.settings.iter().filter_map(|setting| setting.rust.as_deref()).collect();
    let types: Vec<&str> = types.into_iter().chain(["CoreList"]).collect();
    writeln!(
        out,
        "use std::fmt;\nuse std::path::PathBuf;\n\nuse netfold_net::{{{}}};",
        types.join(", ")
    )?;
    writeln!(out, "use serde::Deserialize;\n\nuse crate::{{Secret, Seconds, Size}};")?;
    writeln!(out, "use crate::resolve::{{given, value}};")?;
    writeln!(
        out,
        "use crate::setting::{{Kind, Setting, Shape}};\nuse crate::value::{{Shown, Value}};\n"
    )?;
    writeln!(out, "/// A program that reads settings.")?;
    writeln!(out, "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum Program {{")?;
    for (name, doc) in &spec.programs {
        writeln!(out, "/// {}.\n{},", capitalised(doc), capitalised(name))?;
    }
    writeln!(out, "}}\n\nimpl fmt::Display for Program {{")?;
    writeln!(out, "fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{")?;
    writeln!(out, "f.write_str(match self {{")?;
    for name in spec.programs.keys() {
        writeln!(out, "Self::{} => {name:?},", capitalised(name))?;
    }
    writeln!(out, "}}) }} }}")?;
    writeln!(out, "\n/// Every setting, in the order of `spec/settings.toml`.")?;
    writeln!(out, "pub static SETTINGS: [Setting; {}] = [", spec.settings.len())?;
    spec.settings.iter().try_for_each(|setting| emit_setting(out, setting))?;
    writeln!(out, "];\n\n/// The value of every setting: what was given, else its default.")?;
    writeln!(out, "#[derive(Clone, Debug, Deserialize)]\n#[serde(deny_unknown_fields)]")?;
    writeln!(out, "pub struct Settings {{")?;
    let fields = || spec.settings.iter().enumerate().filter(|(_, setting)| setting.in_file);
    for (at, setting) in fields() {
        emit_field(out, at, setting)?;
    }
    writeln!(out, "}}\n\nimpl Settings {{\n/// Returns the value of each setting, by its key.")?;
    writeln!(out, "pub fn values(&self) -> [(&'static str, Value); {}] {{ [", fields().count())?;
    for (_, Setting { key, .. }) in fields() {
        writeln!(out, "({key:?}, self.{key}.shown()),")?;
    }
    writeln!(out, "] }} }}")
}

fn emit_setting(out: &mut String, setting: &Setting) -> fmt::Result {
    let programs = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|name| format!("Program::{}", capitalised(name))).collect::<Vec<_>>().join(", ")
    };
    let defaults: Vec<String> = (setting.default_of.iter())
        .map(|(name, value)| format!("(Program::{}, {:?})", capitalised(name), text(value)))
        .collect();
    writeln!(
        out,
        "Setting {{ key: {:?}, variable: {:?}, option: {:?}, field: {:?}, kind: {}, allowed: {:?}, placeholder: {:?}, read_by: &[{}], \
         options: &[{}], default: {:?}, default_of: &[{}], unset: {:?}, in_file: {}, doc: {:?} }},",
        setting.key,
        setting.variable(),
        setting.option(),
        setting.field(),
        kind(setting),
        setting.allowed(),
        setting.value.as_deref().unwrap_or_default(),
        programs(&mut setting.read_by.iter()),
        programs(&mut setting.options()),
        setting.default.as_ref().map(text),
        defaults.join(", "),
        setting.unset.as_deref().unwrap_or_default(),
        setting.in_file,
        setting.doc,
    )
}

fn kind(setting: &Setting) -> String {
    let (least, most) = (setting.least.unwrap_or_default(), setting.most.unwrap_or_default());
    match setting.kind {
        Kind::Duration => format!("Kind::Duration {{ least: {least:?}, most: {most:?} }}"),
        Kind::Choice => format!("Kind::Choice(&{:?})", setting.values),
        Kind::Whole => {
            let shape = match setting.step {
                _ if setting.power_of_two => "PowerOfTwo".into(),
                1 => "Any".into(),
                step => format!("MultipleOf({step})"),
            };
            format!("Kind::Whole {{ least: {least}, most: {most}, shape: Shape::{shape} }}")
        }
        other => format!("Kind::{other:?}"),
    }
}

fn emit_field(out: &mut String, at: usize, setting: &Setting) -> fmt::Result {
    let of = match setting.kind {
        Kind::Bool => "bool",
        Kind::Duration => "Seconds",
        Kind::Bytes => "Size",
        Kind::Whole => "u16",
        Kind::Choice => setting.rust.as_deref().unwrap_or_default(),
        Kind::Cores => "CoreList",
        Kind::Path => "PathBuf",
        Kind::Secret => "Secret",
        Kind::Address | Kind::Addresses | Kind::Text => "String",
    };
    let (attribute, of) = match setting.default {
        Some(_) => (format!("deserialize_with = \"value::<_, _, {at}>\""), of.to_owned()),
        None => (
            format!("default, deserialize_with = \"given::<_, _, {at}>\""),
            format!("Option<{of}>"),
        ),
    };
    writeln!(out, "/// {}.\n#[serde({attribute})]\npub {}: {of},", setting.doc, setting.key)
}

/// Returns `name` with its first letter as a capital.
fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
