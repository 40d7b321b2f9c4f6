//! The header as a table of names and widths, for programs of a switch that parse it field by
//! field.

use std::fmt::{self, Write};

use super::model::Spec;

/// The contents of `crates/pisa/src/layout.rs`, before rustfmt.
pub fn emit(spec: &Spec) -> String {
    let mut code = String::new();
    emit_into(&mut code, spec).expect("a String takes every write");
    code
}

fn emit_into(out: &mut String, spec: &Spec) -> fmt::Result {
    writeln!(out, "//! The netfold header's fields, in the order in which they travel.\n//!")?;
    writeln!(out, "//! Generated from spec/wire.toml by `cargo xtask codegen`; do not edit.\n")?;
    writeln!(
        out,
        "/// Name, width in bits and meaning of each field.\npub const HEADER: &[(&str, u32, &str)] = &["
    )?;
    for (_, field) in spec.fields_at() {
        writeln!(out, "({:?}, {}, {:?}),", field.name, field.bits, field.doc)?;
    }
    writeln!(out, "];")
}
