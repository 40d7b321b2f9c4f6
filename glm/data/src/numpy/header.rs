//! The header of an `.npy` file: NumPy's format, versions 1 to 3 (NEP 1, and `numpy.lib.format`).

use py_literal::Value;

use super::extent::Extent;
use crate::Error;

/// The longest header, as in NumPy itself.
const MAX_HEADER_BYTES: u64 = 10_000;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The header of an array.
#[derive(Clone, Debug)]
pub struct Header {
    /// Its own length, magic and all: the first value stands there.
    pub bytes: u64,
    pub element: Element,
    pub shape: Vec<u64>,
    /// True if the first index runs fastest.
    pub fortran: bool,
}

/// The form of a value in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    pub kind: Kind,
    pub bytes: usize,
    pub big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// A string of bytes or of letters.
    Text,
}

impl Header {
    /// Reads the header; `name` is for messages.
    pub fn read(extent: &Extent, name: &str) -> Result<Self, Error> {
        let what = format!("the header of {name}");
        let damaged = |reason: &str| {
            let reason = format!("{what}: {reason}");
            Error::Damaged { path: extent.path.clone(), format: "NumPy array (.npy)", reason }
        };
        let mut reader = extent.open()?;
        let mut start = [0; 12];
        reader.read(0, &mut start[..10], &what)?;
        if !start.starts_with(MAGIC) {
            return Err(damaged("does not begin with the magic bytes"));
        }
        let (text_start, length) = match start[6] {
            1 => (10, u64::from(u16::from_le_bytes([start[8], start[9]]))),
            2 | 3 => {
                reader.read(10, &mut start[10..], &what)?;
                (12, u64::from(u32::from_le_bytes([start[8], start[9], start[10], start[11]])))
            }
            _ => return Err(damaged("of a version that is not 1, 2 or 3")),
        };
        if length > MAX_HEADER_BYTES {
            return Err(damaged("longer than 10,000 bytes"));
        }
        let mut text = vec![0; length as usize];
        reader.read(text_start, &mut text, &what)?;
        // Before version 3 letters are Latin-1, but only names of records have any beyond ASCII.
        let text = String::from_utf8_lossy(&text);
        let value: Value = text.trim().parse().map_err(|_| damaged("not a literal of Python"))?;
        let entries = value.as_dict().ok_or_else(|| damaged("not a dictionary"))?;
        let entry = |key: &str| {
            let found =
                entries.iter().find(|(name, _)| name.as_string().is_some_and(|name| name == key));
            found.map(|(_, value)| value).ok_or_else(|| damaged(&format!("without `{key}`")))
        };
        let fortran = entry("fortran_order")?
            .as_boolean()
            .ok_or_else(|| damaged("`fortran_order` is no truth value"))?;
        let shape = entry("shape")?
            .as_tuple()
            .map(|extents| extents.iter().map(extent_of).collect::<Option<Vec<u64>>>());
        let shape =
            shape.flatten().ok_or_else(|| damaged("`shape` is not a tuple of whole numbers"))?;
        let Some(descr) = entry("descr")?.as_string() else {
            let what = format!("{name} is of records; save its columns as one array of numbers");
            return Err(Error::layout(&extent.path, what));
        };
        let Some(element) = element_of(descr) else {
            let what = format!(
                "{name} is of `{descr}`, no real number of up to 64 bits; save it with `.astype(\"f4\")`"
            );
            return Err(Error::layout(&extent.path, what));
        };
        Ok(Self { bytes: text_start + length, element, shape, fortran })
    }
}

fn extent_of(value: &Value) -> Option<u64> {
    value.as_integer()?.to_string().parse().ok()
}

/// Parses a type such as `<f4`: the order of the bytes, the kind, and their number.
fn element_of(descr: &str) -> Option<Element> {
    let mut letters = descr.chars();
    let big_endian = match letters.next()? {
        '<' | '|' | '=' => false,
        '>' => true,
        _ => return None,
    };
    let (kind, size) = (letters.next()?, letters.as_str().parse::<usize>().ok()?);
    let (kind, bytes) = match (kind, size) {
        ('b', 1) => (Kind::Bool, size),
        ('i', 1 | 2 | 4 | 8) => (Kind::Signed, size),
        ('u', 1 | 2 | 4 | 8) => (Kind::Unsigned, size),
        ('f', 2 | 4 | 8) => (Kind::Float, size),
        ('S', _) => (Kind::Text, size),
        // Four bytes for each letter.
        ('U', _) => (Kind::Text, size.checked_mul(4)?),
        _ => return None,
    };
    Some(Element { kind, bytes, big_endian })
}
