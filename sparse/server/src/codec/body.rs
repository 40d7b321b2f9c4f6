//! Parts of frames: words that are copied as they are, and what is left of a frame that is read.

use netfold_num::ElementType;

use super::{CodecError, kind};
use crate::each_type;
use crate::message::Pushed;
use crate::numbers::Numbers;

pub(crate) fn put_pairs(out: &mut Vec<u8>, keys: &[u32], rows: &Numbers) {
    out.extend((keys.len() as u32).to_le_bytes());
    put_words(out, keys);
    put_numbers(out, rows);
}

/// Appends the type of numbers, and then the numbers.
pub(crate) fn put_numbers(out: &mut Vec<u8>, numbers: &Numbers) {
    out.push(numbers.element_type().to_wire());
    each_type!(Numbers, numbers, words => put_words(out, words));
}

/// Numbers that are copied as they are.
pub trait Word: bytemuck::Pod {
    /// Turns a number of this machine into a little-endian one, or back.
    fn little(self) -> Self;
}

macro_rules! words {
    ($($type:ty),*) => {
        $(
            impl Word for $type {
                fn little(self) -> Self {
                    Self::from_ne_bytes(self.to_le_bytes())
                }
            }
        )*
    };
}

words! { u32, u64, i32, i64, f32, f64 }

/// Appends `words` to `out`.
pub(crate) fn put_words<W: Word>(out: &mut Vec<u8>, words: &[W]) {
    if cfg!(target_endian = "little") {
        out.extend_from_slice(bytemuck::cast_slice(words));
    } else {
        words.iter().for_each(|word| out.extend_from_slice(bytemuck::bytes_of(&word.little())));
    }
}

/// Reads as many words as `bytes` has, if it has nothing else.
pub(crate) fn get_words<W: Word>(bytes: &[u8]) -> Option<Vec<W>> {
    if !bytes.len().is_multiple_of(size_of::<W>()) {
        return None;
    }
    let mut words = vec![W::zeroed(); bytes.len() / size_of::<W>()];
    bytemuck::cast_slice_mut::<W, u8>(&mut words).copy_from_slice(bytes);
    if cfg!(target_endian = "big") {
        words.iter_mut().for_each(|word| *word = word.little());
    }
    Some(words)
}

/// The rest of a frame.
pub(crate) struct Body<'a> {
    pub kind: u8,
    pub rest: &'a [u8],
}

impl<'a> Body<'a> {
    pub(crate) fn new(frame: &'a [u8]) -> Result<Self, CodecError> {
        let (&kind, rest) = frame.split_first().ok_or(CodecError::Empty)?;
        Ok(Self { kind, rest })
    }

    /// Returns the body if its kind is that of a change.
    pub(super) fn known(&mut self) -> Result<&mut Self, CodecError> {
        match self.kind {
            kind::PUSH..=kind::SET | kind::OPEN | kind::LEAVE | kind::RATE => Ok(self),
            kind::MOVE | kind::PUT | kind::ARRIVED => Ok(self),
            other => Err(CodecError::Kind(other)),
        }
    }

    fn unreadable(&self, why: impl core::fmt::Display) -> CodecError {
        CodecError::Text { kind: self.kind, why: why.to_string() }
    }

    /// Reads all that remains as JSON.
    pub(super) fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, CodecError> {
        serde_json::from_slice(self.rest).map_err(|why| self.unreadable(why))
    }

    /// Reads all that remains as text.
    pub(super) fn text(&self) -> Result<String, CodecError> {
        let text = core::str::from_utf8(self.rest).map_err(|why| self.unreadable(why))?;
        Ok(text.to_owned())
    }

    pub fn short(&self) -> CodecError {
        CodecError::Length { kind: self.kind }
    }

    pub fn take(&mut self, bytes: usize) -> Result<&'a [u8], CodecError> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or_else(|| self.short())?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, CodecError> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub(crate) fn u32(&mut self) -> Result<u32, CodecError> {
        self.take(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes")))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, CodecError> {
        self.take(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("8 bytes")))
    }

    pub(crate) fn pushed(&mut self) -> Result<Pushed, CodecError> {
        Ok(Pushed { epoch: self.u32()?, count: self.u32()? })
    }

    /// Reads `count` words.
    pub(crate) fn some_words<W: Word>(&mut self, count: u32) -> Result<Vec<W>, CodecError> {
        let bytes =
            usize::try_from(u64::from(count) * size_of::<W>() as u64).map_err(|_| self.short())?;
        let bytes = self.take(bytes)?;
        get_words(bytes).ok_or_else(|| self.short())
    }

    /// Reads all that remains.
    pub(crate) fn words<W: Word>(&mut self) -> Result<Vec<W>, CodecError> {
        let words = get_words(self.rest).ok_or_else(|| self.short())?;
        self.rest = &[];
        Ok(words)
    }

    pub fn pairs(&mut self) -> Result<(Vec<u32>, Numbers), CodecError> {
        let count = self.u32()?;
        Ok((self.some_words(count)?, self.numbers()?))
    }

    /// Reads numbers, which are all that remains.
    pub(crate) fn numbers(&mut self) -> Result<Numbers, CodecError> {
        let mut numbers = self.no_numbers()?;
        each_type!(Numbers, &mut numbers, words => *words = self.words()?);
        Ok(numbers)
    }

    /// Reads `count` numbers.
    pub(crate) fn some_numbers(&mut self, count: u32) -> Result<Numbers, CodecError> {
        let mut numbers = self.no_numbers()?;
        each_type!(Numbers, &mut numbers, words => *words = self.some_words(count)?);
        Ok(numbers)
    }

    /// Reads the type of numbers.
    fn no_numbers(&mut self) -> Result<Numbers, CodecError> {
        let named = self.u8()?;
        let found = ElementType::from_wire(named).and_then(Numbers::none);
        found.ok_or_else(|| self.unreadable(format_args!("rows have no type {named}")))
    }

    /// Reads with `read` what must be all that remains.
    pub(crate) fn last<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, CodecError>,
    ) -> Result<T, CodecError> {
        let value = read(self)?;
        if self.rest.is_empty() { Ok(value) } else { Err(self.short()) }
    }
}
