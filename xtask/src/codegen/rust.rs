//! The specification as Rust: `no_std`, without dependencies. rustfmt gives the text its final
//! form.

use std::fmt::{self, Write};

use super::model::{Constant, Enumeration, Field, Spec};

/// The code of the header that the specification at `path` describes, before rustfmt.
pub fn emit(spec: &Spec, path: &str) -> String {
    let mut code = String::new();
    emit_into(&mut code, spec, path).expect("a String takes every write");
    code
}

fn emit_into(out: &mut String, spec: &Spec, path: &str) -> fmt::Result {
    writeln!(out, "// Generated from {path} by `cargo xtask codegen`; do not edit.\n")?;
    writeln!(
        out,
        "/// Protocol version that this code speaks.\npub const VERSION: u8 = {};\n",
        spec.version
    )?;
    writeln!(
        out,
        "/// Length of the header in bytes.\npub const HEADER_BYTES: usize = {};\n",
        spec.header_bytes()
    )?;
    for constant in &spec.constants {
        emit_constant(out, constant)?;
    }
    emit_ranges(out, spec)?;
    for enumeration in &spec.enums {
        let bits = spec.field(&enumeration.field).map_or(8, |field| field.bits);
        emit_enum(out, enumeration, bits)?;
    }
    emit_flags(out, spec)?;
    emit_header(out, spec)
}

fn emit_constant(out: &mut String, constant: &Constant) -> fmt::Result {
    let Constant { name, bits, value, doc } = constant;
    let digits = *bits as usize / 4 + 2;
    writeln!(out, "/// {doc}\npub const {name}: u{bits} = {value:#0digits$X};\n")
}

fn emit_ranges(out: &mut String, spec: &Spec) -> fmt::Result {
    writeln!(
        out,
        "/// Places of the fields, as bytes from the start of the header.\npub mod field {{"
    )?;
    writeln!(out, "use core::ops::Range;\n")?;
    for (at, field) in spec.fields_at() {
        let name = field.name.to_uppercase();
        writeln!(
            out,
            "/// {}\npub const {name}: Range<usize> = {at}..{};",
            field.doc,
            at + field.bytes()
        )?;
    }
    writeln!(out, "}}\n")
}

fn emit_enum(out: &mut String, enumeration: &Enumeration, bits: u32) -> fmt::Result {
    let Enumeration { name, field, doc, values } = enumeration;
    writeln!(
        out,
        "/// {doc}\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n#[repr(u{bits})]\npub enum {name} {{"
    )?;
    for value in values {
        writeln!(out, "/// {}\n{} = {},", value.doc, value.name, value.value)?;
    }
    writeln!(out, "}}\n\nimpl {name} {{")?;
    writeln!(
        out,
        "/// The meaning of the header's `{field}`; `None` if this version does not know it."
    )?;
    writeln!(out, "pub const fn from_wire({field}: u{bits}) -> Option<Self> {{ match {field} {{")?;
    for value in values {
        writeln!(out, "{} => Some(Self::{}),", value.value, value.name)?;
    }
    writeln!(out, "_ => None,\n}} }}\n")?;
    writeln!(out, "/// Returns the value in the header's `{field}`.")?;
    writeln!(out, "pub const fn to_wire(self) -> u{bits} {{ self as u{bits} }}\n}}\n")
}

fn emit_flags(out: &mut String, spec: &Spec) -> fmt::Result {
    let Some(field) = spec.field("flags").filter(|_| !spec.flags.is_empty()) else {
        return Ok(());
    };
    let bits = field.bits;
    writeln!(out, "/// A set of flags, one bit each.")?;
    writeln!(
        out,
        "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]\npub struct Flags(pub u{bits});\n\nimpl Flags {{"
    )?;
    writeln!(out, "/// No flag.\npub const NONE: Self = Self(0);")?;
    for flag in &spec.flags {
        writeln!(
            out,
            "/// {}\npub const {}: Self = Self(1 << {});",
            flag.doc, flag.name, flag.bit
        )?;
    }
    let all: Vec<_> = spec.flags.iter().map(|flag| format!("Self::{}.0", flag.name)).collect();
    writeln!(
        out,
        "/// Every flag of this version.\npub const ALL_KNOWN: Self = Self({});\n",
        all.join(" | ")
    )?;
    writeln!(
        out,
        "/// Returns whether every flag of `other` is set.\n\
         pub const fn contains(self, other: Self) -> bool {{ self.0 & other.0 == other.0 }}\n\n\
         /// The flags of both.\n#[must_use]\n\
         pub const fn union(self, other: Self) -> Self {{ Self(self.0 | other.0) }}\n}}\n"
    )
}

fn emit_header(out: &mut String, spec: &Spec) -> fmt::Result {
    writeln!(out, "/// All fields as they stand in the header, decoded from network order.")?;
    writeln!(out, "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]\npub struct Header {{")?;
    for field in &spec.fields {
        writeln!(out, "/// {}\npub {}: {},", field.doc, field.name, integer(field))?;
    }
    writeln!(out, "}}\n\nimpl Header {{")?;
    writeln!(
        out,
        "/// Decodes a header. Nothing is checked: every bit pattern is a `Header`.\n#[must_use]"
    )?;
    writeln!(out, "pub fn read(bytes: &[u8; HEADER_BYTES]) -> Self {{ Self {{")?;
    for (at, field) in spec.fields_at() {
        writeln!(out, "{}: {},", field.name, read(at, field))?;
    }
    writeln!(
        out,
        "}} }}\n\n/// Encodes the header.\npub fn write(&self, bytes: &mut [u8; HEADER_BYTES]) {{"
    )?;
    for field in &spec.fields {
        let name = &field.name;
        writeln!(
            out,
            "bytes[field::{}].copy_from_slice(&self.{name}.to_be_bytes());",
            name.to_uppercase()
        )?;
    }
    writeln!(out, "}}\n}}")
}

fn integer(field: &Field) -> String {
    format!("{}{}", if field.signed { 'i' } else { 'u' }, field.bits)
}

fn read(at: usize, field: &Field) -> String {
    let bytes: Vec<_> = (at..at + field.bytes()).map(|index| format!("bytes[{index}]")).collect();
    match (field.bits, field.signed) {
        (8, false) => bytes.concat(),
        _ => format!("{}::from_be_bytes([{}])", integer(field), bytes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(bits: u32, signed: bool) -> Field {
        Field { name: "x".into(), bits, signed, doc: ".".into() }
    }

    #[test]
    fn integers_are_read_in_network_order_at_their_offset() {
        assert_eq!(read(3, &field(8, false)), "bytes[3]");
        assert_eq!(read(3, &field(8, true)), "i8::from_be_bytes([bytes[3]])");
        assert_eq!(read(6, &field(16, true)), "i16::from_be_bytes([bytes[6], bytes[7]])");
    }

    #[test]
    fn constants_show_their_width() {
        let mut out = String::new();
        let constant = Constant { name: "NOBODY".into(), bits: 16, value: 0xFE, doc: ".".into() };
        emit_constant(&mut out, &constant).unwrap();
        assert!(out.contains("pub const NOBODY: u16 = 0x00FE;"), "{out}");
    }
}
