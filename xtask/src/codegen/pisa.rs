//! Headers as tables of names and widths, for programs of a switch that parse them field by field.

use std::fmt::{self, Write};

use super::model::Spec;

/// The contents of `crates/pisa/src/layout.rs`, before rustfmt.
pub fn emit(wire: &Spec, table: &Spec) -> String {
    let mut code = String::new();
    emit_into(&mut code, wire, table).expect("a String takes every write");
    code
}

fn emit_into(out: &mut String, wire: &Spec, table: &Spec) -> fmt::Result {
    writeln!(out, "//! The fields of netfold's headers, in the order in which they travel.\n//!")?;
    writeln!(
        out,
        "//! Generated from spec/wire.toml and spec/table.toml by `cargo xtask codegen`; do not edit.\n"
    )?;
    header_into(out, "HEADER", "each field of a packet's header", wire)?;
    header_into(out, "TABLE_HEADER", "each field of the header of a table's packets", table)
}

fn header_into(out: &mut String, name: &str, what: &str, spec: &Spec) -> fmt::Result {
    writeln!(
        out,
        "/// Name, width in bits and meaning of {what}.\npub const {name}: &[(&str, u32, &str)] = &["
    )?;
    for (_, field) in spec.fields_at() {
        writeln!(out, "({:?}, {}, {:?}),", field.name, field.bits, field.doc)?;
    }
    writeln!(out, "];")
}
