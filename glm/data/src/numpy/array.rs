//! One array: its header, and its values as the numbers that are asked for.

use half::f16;

use super::extent::{Extent, ExtentReader};
use super::header::{Element, Header, Kind};
use crate::Error;
use crate::number::Number;

/// Number of bytes that are converted at once.
const BLOCK_BYTES: usize = 256 << 10;

/// The longest string that is read.
const MAX_TEXT_BYTES: u64 = 1024;

/// An array of numbers.
#[derive(Clone, Debug)]
pub struct Array {
    extent: Extent,
    /// Its name in messages.
    name: String,
    header: Header,
}

impl Array {
    /// Reads the header, and checks that all values it announces are there.
    pub fn open(extent: Extent, name: impl Into<String>) -> Result<Self, Error> {
        let name = name.into();
        let header = Header::read(&extent, &name)?;
        let elements =
            header.shape.iter().try_fold(1_u64, |product, extent| product.checked_mul(*extent));
        let all = elements.and_then(|elements| elements.checked_mul(header.element.bytes as u64));
        if all.is_none_or(|all| all > extent.bytes - header.bytes) {
            let what = format!("{name}, which should have the shape {:?}", header.shape);
            return Err(Error::Truncated { path: extent.path, what });
        }
        Ok(Self { extent, name, header })
    }

    pub fn path(&self) -> &std::path::Path {
        &self.extent.path
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn shape(&self) -> &[u64] {
        &self.header.shape
    }

    pub fn elements(&self) -> u64 {
        self.header.shape.iter().product()
    }

    /// Returns whether values of a column stand together.
    pub fn is_fortran(&self) -> bool {
        self.header.fortran && self.header.shape.len() > 1
    }

    /// Returns whether it can only be read forwards.
    pub fn is_compressed(&self) -> bool {
        self.extent.deflated
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.header.element.kind, Kind::Signed | Kind::Unsigned)
    }

    pub fn is_number(&self) -> bool {
        self.header.element.kind != Kind::Text
    }

    /// The values, to be read in any order.
    pub fn values(&self) -> Result<Values, Error> {
        if !self.is_number() {
            let what = format!("{} is of strings; save it as numbers", self.name);
            return Err(Error::layout(self.path(), what));
        }
        // The header is read again, so that the checksum can be seen to agree.
        let mut reader = self.extent.open()?;
        let mut header = vec![0; self.header.bytes as usize];
        reader.read(0, &mut header, &self.name)?;
        Ok(Values { array: self.clone(), reader, scratch: Vec::new() })
    }

    /// A single string.
    pub fn text(&self) -> Result<String, Error> {
        let bytes =
            (self.elements() * self.header.element.bytes as u64).min(MAX_TEXT_BYTES) as usize;
        let mut text = vec![0; bytes];
        self.extent.open()?.read(self.header.bytes, &mut text, &self.name)?;
        text.retain(|byte| *byte != 0);
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Reads values by their place in the file.
pub struct Values {
    array: Array,
    reader: ExtentReader,
    scratch: Vec<u8>,
}

impl Values {
    /// Reads as many values as `out` takes, from the one at `first` in the order of the file.
    pub fn read<T: Number>(&mut self, first: u64, out: &mut [T]) -> Result<(), Error> {
        let element = &self.array.header.element;
        let mut start = self.array.header.bytes + first * element.bytes as u64;
        for piece in out.chunks_mut(BLOCK_BYTES / element.bytes) {
            self.scratch.resize(piece.len() * element.bytes, 0);
            self.reader.read(start, &mut self.scratch, &self.array.name)?;
            convert(element, &self.scratch, piece);
            start += self.scratch.len() as u64;
        }
        Ok(())
    }
}

fn convert<T: Number>(element: &Element, bytes: &[u8], out: &mut [T]) {
    macro_rules! as_type {
        ($type:ty, $of:expr) => {{
            let (raws, _) = bytes.as_chunks::<{ size_of::<$type>() }>();
            let values = raws.iter().zip(out);
            if element.big_endian {
                values.for_each(|(raw, out)| *out = $of(<$type>::from_be_bytes(*raw)));
            } else {
                values.for_each(|(raw, out)| *out = $of(<$type>::from_le_bytes(*raw)));
            }
        }};
    }
    match (element.kind, element.bytes) {
        (Kind::Signed, 1) => as_type!(i8, |value| T::of_signed(i64::from(value))),
        (Kind::Signed, 2) => as_type!(i16, |value| T::of_signed(i64::from(value))),
        (Kind::Signed, 4) => as_type!(i32, |value| T::of_signed(i64::from(value))),
        (Kind::Signed, _) => as_type!(i64, T::of_signed),
        (Kind::Unsigned, 2) => as_type!(u16, |value| T::of_unsigned(u64::from(value))),
        (Kind::Unsigned, 4) => as_type!(u32, |value| T::of_unsigned(u64::from(value))),
        (Kind::Unsigned, 8) => as_type!(u64, T::of_unsigned),
        (Kind::Float, 2) => as_type!(f16, |value: f16| T::of_float(value.to_f64())),
        (Kind::Float, 4) => as_type!(f32, |value| T::of_float(f64::from(value))),
        (Kind::Float, _) => as_type!(f64, T::of_float),
        // Truth values are bytes of 0 and 1.
        _ => as_type!(u8, |value| T::of_unsigned(u64::from(value))),
    }
}
