//! The element type of an operation.

use std::fmt;

use crate::limits::MAX_ELEMENT_BYTES;

/// Most fields of an element.
const MAX_FIELDS: usize = 16;

/// Most repetitions of a field's type.
const MAX_REPETITIONS: usize = 256;

/// Type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scalar {
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 64 bits.
    U64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

/// The names of types in a declaration, with the scalars that each consists of.
const TYPES: [(&str, Scalar, usize); 12] = [
    ("i8", Scalar::I8, 1),
    ("u8", Scalar::U8, 1),
    ("i16", Scalar::I16, 1),
    ("u16", Scalar::U16, 1),
    ("i32", Scalar::I32, 1),
    ("u32", Scalar::U32, 1),
    ("i64", Scalar::I64, 1),
    ("u64", Scalar::U64, 1),
    ("f32", Scalar::F32, 1),
    ("f64", Scalar::F64, 1),
    ("c64", Scalar::F32, 2),
    ("c128", Scalar::F64, 2),
];

impl Scalar {
    /// Size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Returns whether this is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    #[cfg(any(test, feature = "run"))]
    /// The least and the largest integer of the type; of a float, those of R-OP-6.
    pub(crate) const fn integers(self) -> (i128, i128) {
        match self {
            Self::I8 => (i8::MIN as i128, i8::MAX as i128),
            Self::U8 => (0, u8::MAX as i128),
            Self::I16 => (i16::MIN as i128, i16::MAX as i128),
            Self::U16 => (0, u16::MAX as i128),
            Self::I32 => (i32::MIN as i128, i32::MAX as i128),
            Self::U32 => (0, u32::MAX as i128),
            Self::I64 => (i64::MIN as i128, i64::MAX as i128),
            Self::U64 => (0, u64::MAX as i128),
            Self::F32 | Self::F64 => (-(1 << 20), 1 << 20),
        }
    }

    /// Reads a scalar.
    ///
    /// # Panics
    /// If there are not as many bytes as the type has.
    pub(crate) fn read(self, bytes: &[u8]) -> Value {
        let mut wide = [0; 8];
        wide[..self.bytes()].copy_from_slice(&bytes[..self.bytes()]);
        let bits = u64::from_le_bytes(wide);
        let unused = 64 - 8 * self.bytes() as u32;
        let signed = || i128::from((bits << unused).cast_signed() >> unused);
        match self {
            Self::I8 | Self::I16 | Self::I32 | Self::I64 => Value::Integer(signed()),
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => Value::Integer(i128::from(bits)),
            Self::F32 => Value::Float(f64::from(f32::from_bits(bits as u32))),
            Self::F64 => Value::Float(f64::from_bits(bits)),
        }
    }

    #[cfg(any(test, feature = "run"))]
    /// Writes a scalar, rounded to the type; an integer keeps its low bits.
    pub(crate) fn write(self, value: Value, bytes: &mut [u8]) {
        let bits = match (self, value) {
            (Self::F32, value) => u64::from((value.to_f64() as f32).to_bits()),
            (Self::F64, value) => value.to_f64().to_bits(),
            (_, Value::Integer(integer)) => integer as u64,
            (_, Value::Float(float)) => float as i128 as u64,
        };
        bytes[..self.bytes()].copy_from_slice(&bits.to_le_bytes()[..self.bytes()]);
    }
}

/// Value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// Of a type of integers.
    Integer(i128),
    /// Of a floating-point type.
    Float(f64),
}

impl Value {
    #[cfg(any(test, feature = "run"))]
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Float(float) => write!(f, "{float:?}"),
        }
    }
}

/// A field of an element: scalars of one type, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Type of the scalars.
    pub scalar: Scalar,
    /// Number of scalars; two for each complex number.
    pub scalars: usize,
    /// First byte of the field in the element.
    pub offset: usize,
}

impl Field {
    /// The places of its scalars in the element.
    pub(crate) fn offsets(self) -> impl Iterator<Item = usize> {
        (0..self.scalars).map(move |index| self.offset + index * self.scalar.bytes())
    }
}

/// An element type: fields, laid out as a struct in C (R-OP-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    spelling: String,
    fields: Vec<Field>,
    bytes: usize,
}

impl Element {
    /// Reads what a declaration says.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut fields, mut end, mut alignment) = (Vec::new(), 0_usize, 1);
        for part in text.split(',') {
            let (scalar, scalars) = parse_field(part)?;
            let offset = end.next_multiple_of(scalar.bytes());
            end = offset + scalars * scalar.bytes();
            alignment = alignment.max(scalar.bytes());
            fields.push(Field { scalar, scalars, offset });
            if fields.len() > MAX_FIELDS {
                return Err(format!("an element has at most {MAX_FIELDS} fields"));
            }
        }
        let bytes = end.next_multiple_of(alignment);
        if bytes > MAX_ELEMENT_BYTES {
            return Err(format!("an element has at most {MAX_ELEMENT_BYTES} bytes, not {bytes}"));
        }
        Ok(Self { spelling: text.into(), fields, bytes })
    }

    /// Size of an element.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its fields in their order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Writes an element for people to read.
    ///
    /// # Panics
    /// If the bytes are not those of an element.
    pub fn describe(&self, bytes: &[u8]) -> String {
        assert_eq!(bytes.len(), self.bytes, "an element has its bytes");
        let fields = self.fields.iter().map(|field| {
            let scalars: Vec<_> = field
                .offsets()
                .map(|offset| field.scalar.read(&bytes[offset..]).to_string())
                .collect();
            if field.scalars == 1 { scalars.concat() } else { format!("[{}]", scalars.join(", ")) }
        });
        let fields: Vec<_> = fields.collect();
        if fields.len() == 1 { fields.concat() } else { format!("({})", fields.join(", ")) }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelling)
    }
}

/// Reads one field: its scalar type, and the number of scalars.
fn parse_field(text: &str) -> Result<(Scalar, usize), String> {
    let (name, repetitions) = match text.split_once('x') {
        Some((name, count)) => (name, decimal(count).filter(|count| *count <= MAX_REPETITIONS)),
        None => (text, Some(1)),
    };
    let known = TYPES.iter().find(|(known, ..)| *known == name);
    match (known, repetitions) {
        (Some((_, scalar, each)), Some(count)) if count > 0 => Ok((*scalar, each * count)),
        (None, _) => Err(format!("`{text}` is no type; use i8 to u64, f32, f64, c64 or c128")),
        _ => Err(format!("`{text}`: a count is 1 to {MAX_REPETITIONS}")),
    }
}

/// Reads a number of digits alone.
pub(crate) fn decimal(text: &str) -> Option<usize> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets and sizes are those that a C compiler for wasm32 gives these structs.
    #[test]
    fn fields_lie_as_in_c() {
        let layout = |text: &str| {
            let element = Element::parse(text).unwrap();
            (element.fields.iter().map(|field| field.offset).collect::<Vec<_>>(), element.bytes)
        };
        assert_eq!(layout("i32"), (vec![0], 4));
        assert_eq!(layout("f32,u64"), (vec![0, 8], 16));
        assert_eq!(layout("u64,f32"), (vec![0, 8], 16));
        assert_eq!(layout("u8,i16x3,u8"), (vec![0, 2, 8], 10));
        assert_eq!(layout("u8,c64,u8"), (vec![0, 4, 12], 16));
        assert_eq!(layout("c128x2,u8"), (vec![0, 32], 40));
    }

    #[test]
    fn what_is_no_element_is_refused() {
        for text in
            ["", "f16", "i32,", "i32x0", "i32x257", "i32x+1", "i32x", " i32", "f64x256,f64x256,u8"]
        {
            assert!(Element::parse(text).is_err(), "{text}");
        }
        let fields = |count| vec!["u8"; count].join(",");
        assert!(Element::parse(&fields(16)).is_ok());
        assert!(Element::parse(&fields(17)).is_err());
    }

    #[test]
    fn scalars_keep_their_values() {
        let through = |scalar: Scalar, value| {
            let mut bytes = [0xAA; 8];
            scalar.write(value, &mut bytes);
            assert!(bytes[scalar.bytes()..].iter().all(|byte| *byte == 0xAA));
            scalar.read(&bytes)
        };
        for (_, scalar, _) in TYPES {
            let (least, most) = scalar.integers();
            for integer in [least, most, 0, 1] {
                let value = match scalar.is_float() {
                    true => Value::Float(integer as f64),
                    false => Value::Integer(integer),
                };
                assert_eq!(through(scalar, value), value, "{scalar:?}");
            }
        }
        assert_eq!(through(Scalar::F64, Value::Float(0.1)), Value::Float(0.1));
    }

    #[test]
    fn elements_are_described() {
        let element = Element::parse("f32,i16x2").unwrap();
        let bytes = [0, 0, 0xC0, 0x3F, 0xFF, 0xFF, 2, 0];
        assert_eq!(element.describe(&bytes), "(1.5, [-1, 2])");
    }
}
