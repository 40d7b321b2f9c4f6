//! The specification of the header as data: parsed, then checked, so that emitters need no checks
//! of their own.

use std::collections::BTreeSet;

use serde::Deserialize;

/// The reason why a specification was refused. Every message names the item at fault.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum SpecError {
    /// Not TOML, or a key that the generator does not know.
    #[error("{0}")]
    Syntax(String),
    /// A name that is not an identifier of the expected form in every target language.
    #[error("{what} `{name}`: write it as {form}, and not as a keyword")]
    Name {
        /// The sort of item that bears the name.
        what: &'static str,
        /// The name.
        name: String,
        /// The form of such names.
        form: &'static str,
    },
    /// Two items of one sort with the same name.
    #[error("{what} `{name}` stands there twice")]
    DuplicateName {
        /// The sort of item that bears the name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A width that is not that of an integer.
    #[error("{what} `{name}`: {bits} bits; a width is 8, 16, 32 or 64")]
    Width {
        /// The sort of item that has the width.
        what: &'static str,
        /// Its name.
        name: String,
        /// The width given.
        bits: u32,
    },
    /// A header that would leave the lanes unaligned.
    #[error(
        "the fields take {bytes} bytes up to `{last}`; a header is a multiple of 8 bytes, so that lanes are aligned"
    )]
    Length {
        /// Sum of the fields' widths in bytes.
        bytes: usize,
        /// The last field.
        last: String,
    },
    /// No field at all, or one that the generator needs is missing.
    #[error("`{needed_by}` needs a field `{field}`, unsigned; add it or correct the name")]
    MissingField {
        /// The item that refers to the field.
        needed_by: String,
        /// The name that was looked for.
        field: String,
    },
    /// A value that its field cannot hold.
    #[error("`{name}`: {value} does not fit {bits} bits")]
    Value {
        /// The value's name.
        name: String,
        /// The value.
        value: u64,
        /// Bits that there are.
        bits: u32,
    },
    /// Two values of an enumeration, or two flags, that look the same on the wire.
    #[error("`{first}` and `{second}` are both {value}")]
    DuplicateValue {
        /// The earlier item.
        first: String,
        /// The later item.
        second: String,
        /// The value that both stand for.
        value: u64,
    },
    /// An enumeration without values.
    #[error("enum `{0}` has no values")]
    EmptyEnum(String),
}

/// A checked specification. Field offsets follow from the order of the fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Protocol version.
    pub version: u8,
    /// Header fields in wire order.
    #[serde(rename = "field")]
    pub fields: Vec<Field>,
    /// Enumerations, each the meaning of one field.
    #[serde(rename = "enum", default)]
    pub enums: Vec<Enumeration>,
    /// Bits of the field `flags`.
    #[serde(rename = "flag", default)]
    pub flags: Vec<Flag>,
    /// Named values with a meaning of their own.
    #[serde(rename = "constant", default)]
    pub constants: Vec<Constant>,
}

/// An integer in the header, in network order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// `snake_case`.
    pub name: String,
    /// 8, 16, 32 or 64.
    pub bits: u32,
    /// Two's complement.
    #[serde(default)]
    pub signed: bool,
    /// One sentence.
    pub doc: String,
}

/// The known values of a field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enumeration {
    /// `CamelCase`.
    pub name: String,
    /// The field that holds it.
    pub field: String,
    /// One sentence.
    pub doc: String,
    /// Its values, in order of appearance.
    pub values: Vec<Variant>,
}

/// One value of an enumeration.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// `CamelCase`.
    pub name: String,
    /// Its value in the header.
    pub value: u64,
    /// One sentence.
    pub doc: String,
}

/// One bit of the field `flags`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// `UPPER_CASE`.
    pub name: String,
    /// The bit's number, from 0, the least significant.
    pub bit: u32,
    /// One sentence.
    pub doc: String,
}

/// A named value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// `UPPER_CASE`.
    pub name: String,
    /// 8, 16, 32 or 64.
    pub bits: u32,
    /// The value.
    pub value: u64,
    /// One sentence.
    pub doc: String,
}

impl Field {
    /// Width in bytes.
    pub fn bytes(&self) -> usize {
        self.bits as usize / 8
    }
}

impl Spec {
    /// Parses and checks the text of a specification.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Self =
            toml::from_str(text).map_err(|error| SpecError::Syntax(error.to_string()))?;
        spec.check()?;
        Ok(spec)
    }

    /// Length of the header in bytes.
    pub fn header_bytes(&self) -> usize {
        self.fields.iter().map(Field::bytes).sum()
    }

    /// Each field with the offset of its first byte.
    pub fn fields_at(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.fields.iter().scan(0, |next, field| {
            let offset = *next;
            *next += field.bytes();
            Some((offset, field))
        })
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn check(&self) -> Result<(), SpecError> {
        self.check_fields()?;
        self.check_enums()?;
        self.check_flags()?;
        self.check_constants()
    }

    fn check_fields(&self) -> Result<(), SpecError> {
        check_names("field", Form::Snake, self.fields.iter().map(|field| &field.name))?;
        for field in &self.fields {
            check_width("field", &field.name, field.bits)?;
        }
        let bytes = self.header_bytes();
        match self.fields.last() {
            Some(last) if !bytes.is_multiple_of(8) => {
                Err(SpecError::Length { bytes, last: last.name.clone() })
            }
            Some(_) => self.unsigned_field("version", "version").map(drop),
            None => Err(missing("version", "version")),
        }
    }

    fn check_enums(&self) -> Result<(), SpecError> {
        check_names("enum", Form::Camel, self.enums.iter().map(|item| &item.name))?;
        for item in &self.enums {
            let bits = self.unsigned_field(&item.field, &item.name)?.bits;
            check_names("value", Form::Camel, item.values.iter().map(|value| &value.name))?;
            if item.values.is_empty() {
                return Err(SpecError::EmptyEnum(item.name.clone()));
            }
            for value in &item.values {
                check_fits(&value.name, value.value, bits)?;
            }
            check_distinct(item.values.iter().map(|value| (&value.name, value.value)))?;
        }
        Ok(())
    }

    fn check_flags(&self) -> Result<(), SpecError> {
        let Some(first) = self.flags.first() else {
            return Ok(());
        };
        let bits = self.unsigned_field("flags", &first.name)?.bits;
        check_names("flag", Form::Upper, self.flags.iter().map(|flag| &flag.name))?;
        for flag in &self.flags {
            if flag.bit >= bits {
                return Err(SpecError::Value {
                    name: flag.name.clone(),
                    value: flag.bit.into(),
                    bits,
                });
            }
            // The emitters use these two for the empty and the full set.
            if ["NONE", "ALL_KNOWN"].contains(&flag.name.as_str()) {
                return Err(SpecError::DuplicateName { what: "flag", name: flag.name.clone() });
            }
        }
        check_distinct(self.flags.iter().map(|flag| (&flag.name, flag.bit.into())))
    }

    fn check_constants(&self) -> Result<(), SpecError> {
        check_names("constant", Form::Upper, self.constants.iter().map(|constant| &constant.name))?;
        for constant in &self.constants {
            if ["VERSION", "HEADER_BYTES"].contains(&constant.name.as_str()) {
                return Err(SpecError::DuplicateName {
                    what: "constant",
                    name: constant.name.clone(),
                });
            }
            check_width("constant", &constant.name, constant.bits)?;
            check_fits(&constant.name, constant.value, constant.bits)?;
        }
        Ok(())
    }

    fn unsigned_field(&self, name: &str, needed_by: &str) -> Result<&Field, SpecError> {
        self.field(name).filter(|field| !field.signed).ok_or_else(|| missing(name, needed_by))
    }
}

fn missing(field: &str, needed_by: &str) -> SpecError {
    SpecError::MissingField { needed_by: needed_by.into(), field: field.into() }
}

/// The form of the names of one sort of item.
#[derive(Clone, Copy)]
enum Form {
    Snake,
    Camel,
    Upper,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Snake => "snake_case",
            Self::Camel => "CamelCase",
            Self::Upper => "UPPER_CASE",
        }
    }

    fn admits(self, name: &str) -> bool {
        let first = |letter: char| match self {
            Self::Snake => letter.is_ascii_lowercase(),
            Self::Camel | Self::Upper => letter.is_ascii_uppercase(),
        };
        let later = |letter: char| match self {
            Self::Snake => letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_',
            Self::Camel => letter.is_ascii_alphanumeric(),
            Self::Upper => letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_',
        };
        name.starts_with(first) && name.chars().all(later) && !KEYWORDS.contains(&name)
    }
}

/// Words that would pass as names of one of the forms but are taken in Rust, C or P4.
const KEYWORDS: [&str; 42] = [
    "Self", "action", "apply", "as", "bit", "bool", "break", "char", "const", "continue",
    "control", "default", "double", "else", "enum", "error", "extern", "false", "float", "fn",
    "for", "header", "if", "in", "int", "key", "long", "loop", "match", "mod", "package", "parser",
    "return", "self", "state", "static", "struct", "table", "true", "type", "void", "while",
];

fn check_names<'a>(
    what: &'static str,
    form: Form,
    names: impl Iterator<Item = &'a String>,
) -> Result<(), SpecError> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !form.admits(name) {
            return Err(SpecError::Name { what, name: name.clone(), form: form.name() });
        }
        if !seen.insert(name) {
            return Err(SpecError::DuplicateName { what, name: name.clone() });
        }
    }
    Ok(())
}

fn check_width(what: &'static str, name: &str, bits: u32) -> Result<(), SpecError> {
    match bits {
        8 | 16 | 32 | 64 => Ok(()),
        _ => Err(SpecError::Width { what, name: name.into(), bits }),
    }
}

fn check_fits(name: &str, value: u64, bits: u32) -> Result<(), SpecError> {
    match value.checked_shr(bits) {
        None | Some(0) => Ok(()),
        Some(_) => Err(SpecError::Value { name: name.into(), value, bits }),
    }
}

fn check_distinct<'a>(items: impl Iterator<Item = (&'a String, u64)>) -> Result<(), SpecError> {
    let mut seen: Vec<(&String, u64)> = Vec::new();
    for (second, value) in items {
        if let Some((first, _)) = seen.iter().find(|(_, earlier)| *earlier == value) {
            return Err(SpecError::DuplicateValue {
                first: (*first).clone(),
                second: second.clone(),
                value,
            });
        }
        seen.push((second, value));
    }
    Ok(())
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
