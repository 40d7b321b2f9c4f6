//! Messages as the bytes of a frame: a byte for the kind, and a body, all little-endian.
//!
//! Whoever frames them puts the length before. Decoding hostile bytes never panics, and allocates
//! no more than the frame has.

use thiserror::Error;

use crate::message::{Change, Pushed, Reply, Request};

/// Bytes that are no message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CodecError {
    /// A frame that is too short, or has bytes left over.
    #[error(
        "a frame of kind {kind} has a length that does not fit; both ends must run one version"
    )]
    Length {
        /// The frame's first byte.
        kind: u8,
    },
    /// A kind that there is not.
    #[error("no message is of kind {0}; both ends must run one version")]
    Kind(u8),
    /// A frame of no bytes.
    #[error("an empty frame; both ends must run one version")]
    Empty,
    /// Text that is not what the kind needs.
    #[error("text of kind {kind}: {why}; both ends must run one version")]
    Text {
        /// The frame's first byte.
        kind: u8,
        /// The fault, in words.
        why: String,
    },
}

mod kind {
    pub const HELLO: u8 = 1;
    pub const PUSH: u8 = 2;
    pub const END_STEP: u8 = 3;
    pub const REPLAY: u8 = 4;
    pub const END_REPLAY: u8 = 5;
    pub const SET: u8 = 6;
    pub const PULL: u8 = 7;
    pub const FLUSH: u8 = 8;
    pub const SEAL: u8 = 9;
    pub const OPEN: u8 = 10;
    pub const LEAVE: u8 = 32;
    pub const REPORT: u8 = 33;
    pub const RATE: u8 = 34;
    pub const WELCOME: u8 = 65;
    pub const ROWS: u8 = 66;
    pub const STORED: u8 = 67;
    pub const STEPPED: u8 = 68;
    pub const FLUSHED: u8 = 69;
    pub const SEALED: u8 = 70;
    pub const REFUSED: u8 = 71;
    pub const REPORTED: u8 = 97;
}

impl Request {
    /// Appends the bytes of the frame to `out`, without its length.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello(hello) => {
                out.push(kind::HELLO);
                serde_json::to_writer(out, hello).expect("a hello is numbers and text");
            }
            Self::Change { number, change } => {
                out.push(change.kind());
                out.extend(number.to_le_bytes());
                change.encode_body(out);
            }
            Self::Pull { id, step, keys } => {
                out.push(kind::PULL);
                out.extend(id.to_le_bytes());
                out.push(u8::from(step.is_some()));
                out.extend(step.unwrap_or(0).to_le_bytes());
                put_words(out, keys);
            }
            Self::Flush { id, pushed } => {
                put_u32(out, kind::FLUSH, *id);
                pushed.encode(out);
            }
            Self::Seal { epoch } => put_u32(out, kind::SEAL, *epoch),
            Self::Report => out.push(kind::REPORT),
        }
    }

    /// Reads a frame.
    pub fn decode(frame: &[u8]) -> Result<Self, CodecError> {
        let mut body = Body::new(frame)?;
        let request = match body.kind {
            kind::HELLO => Self::Hello(
                serde_json::from_slice(body.rest)
                    .map_err(|why| CodecError::Text { kind: body.kind, why: why.to_string() })?,
            ),
            kind::PULL => {
                let (id, stepped, step) = (body.u32()?, body.u8()?, body.u32()?);
                let keys = body.words()?;
                return Ok(Self::Pull { id, step: (stepped != 0).then_some(step), keys });
            }
            kind::FLUSH => {
                body.last(|body| Ok(Self::Flush { id: body.u32()?, pushed: body.pushed()? }))?
            }
            kind::SEAL => body.last(|body| Ok(Self::Seal { epoch: body.u32()? }))?,
            kind::REPORT => body.last(|_| Ok(Self::Report))?,
            _ => {
                let number = body.known()?.u64()?;
                Self::Change { number, change: Change::decode_body(body)? }
            }
        };
        Ok(request)
    }
}

impl Pushed {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.epoch.to_le_bytes());
        out.extend(self.count.to_le_bytes());
    }
}

impl Change {
    pub(crate) const fn kind(&self) -> u8 {
        match self {
            Self::Push { .. } => kind::PUSH,
            Self::EndStep { .. } => kind::END_STEP,
            Self::Replay { .. } => kind::REPLAY,
            Self::EndReplay { .. } => kind::END_REPLAY,
            Self::Set { .. } => kind::SET,
            Self::Open { .. } => kind::OPEN,
            Self::Leave => kind::LEAVE,
            Self::Rate { .. } => kind::RATE,
        }
    }

    pub(crate) fn encode_body(&self, out: &mut Vec<u8>) {
        match self {
            Self::Push { keys, rows } | Self::Set { keys, rows } => put_pairs(out, keys, rows),
            Self::EndStep { step, pushed } => {
                out.extend(step.to_le_bytes());
                pushed.encode(out);
            }
            Self::EndReplay { epoch } => out.extend(epoch.to_le_bytes()),
            Self::Leave => {}
            Self::Rate { step, lr } => {
                out.extend(step.to_le_bytes());
                out.extend(lr.to_le_bytes());
            }
            Self::Replay { epoch, push, ranks, rows } => {
                out.extend(epoch.to_le_bytes());
                out.extend(push.to_le_bytes());
                put_pairs(out, ranks, rows);
            }
            Self::Open { plane } => {
                serde_json::to_writer(out, plane).expect("a plane is numbers and text");
            }
        }
    }

    pub(crate) fn decode_body(mut body: Body<'_>) -> Result<Self, CodecError> {
        match body.kind {
            kind::PUSH => body.pairs().map(|(keys, rows)| Self::Push { keys, rows }),
            kind::SET => body.pairs().map(|(keys, rows)| Self::Set { keys, rows }),
            kind::END_STEP => {
                body.last(|body| Ok(Self::EndStep { step: body.u32()?, pushed: body.pushed()? }))
            }
            kind::END_REPLAY => body.last(|body| Ok(Self::EndReplay { epoch: body.u32()? })),
            kind::LEAVE => body.last(|_| Ok(Self::Leave)),
            kind::RATE => body
                .last(|body| Ok(Self::Rate { step: body.u32()?, lr: f64::from_bits(body.u64()?) })),
            kind::REPLAY => {
                let (epoch, push) = (body.u32()?, body.u32()?);
                body.pairs().map(|(ranks, rows)| Self::Replay { epoch, push, ranks, rows })
            }
            kind::OPEN => {
                let plane = serde_json::from_slice(body.rest);
                let text = |why: serde_json::Error| CodecError::Text {
                    kind: body.kind,
                    why: why.to_string(),
                };
                Ok(Self::Open { plane: Box::new(plane.map_err(text)?) })
            }
            other => Err(CodecError::Kind(other)),
        }
    }
}

impl Reply {
    /// Appends the bytes of the frame to `out`, without its length.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Welcome { stored, pushed, parts } => {
                put_u64(out, kind::WELCOME, *stored);
                pushed.encode(out);
                out.extend(parts.to_le_bytes());
            }
            Self::Rows { id, rows } => {
                put_u32(out, kind::ROWS, *id);
                put_words(out, rows);
            }
            Self::Stored { number, pushed } => {
                put_u64(out, kind::STORED, *number);
                pushed.encode(out);
            }
            Self::Stepped { step } => put_u32(out, kind::STEPPED, *step),
            Self::Flushed { id } => put_u32(out, kind::FLUSHED, *id),
            Self::Sealed { epoch } => put_u32(out, kind::SEALED, *epoch),
            Self::Report(report) => {
                out.push(kind::REPORTED);
                serde_json::to_writer(out, report).expect("a report is numbers and text");
            }
            Self::Refused { why } => {
                out.push(kind::REFUSED);
                out.extend(why.as_bytes());
            }
        }
    }

    /// Reads a frame.
    pub fn decode(frame: &[u8]) -> Result<Self, CodecError> {
        let mut body = Body::new(frame)?;
        match body.kind {
            kind::WELCOME => body.last(|body| {
                let (stored, pushed, parts) = (body.u64()?, body.pushed()?, body.u64()?);
                Ok(Self::Welcome { stored, pushed, parts })
            }),
            kind::ROWS => Ok(Self::Rows { id: body.u32()?, rows: body.words()? }),
            kind::STORED => {
                body.last(|body| Ok(Self::Stored { number: body.u64()?, pushed: body.pushed()? }))
            }
            kind::STEPPED => body.last(|body| Ok(Self::Stepped { step: body.u32()? })),
            kind::FLUSHED => body.last(|body| Ok(Self::Flushed { id: body.u32()? })),
            kind::SEALED => body.last(|body| Ok(Self::Sealed { epoch: body.u32()? })),
            kind::REPORTED => serde_json::from_slice(body.rest)
                .map(Self::Report)
                .map_err(|why| CodecError::Text { kind: body.kind, why: why.to_string() }),
            kind::REFUSED => match core::str::from_utf8(body.rest) {
                Ok(why) => Ok(Self::Refused { why: why.to_owned() }),
                Err(why) => Err(CodecError::Text { kind: body.kind, why: why.to_string() }),
            },
            other => Err(CodecError::Kind(other)),
        }
    }
}

fn put_u32(out: &mut Vec<u8>, kind: u8, number: u32) {
    out.push(kind);
    out.extend(number.to_le_bytes());
}

fn put_u64(out: &mut Vec<u8>, kind: u8, number: u64) {
    out.push(kind);
    out.extend(number.to_le_bytes());
}

pub(crate) fn put_pairs(out: &mut Vec<u8>, keys: &[u32], rows: &[f32]) {
    out.extend((keys.len() as u32).to_le_bytes());
    put_words(out, keys);
    put_words(out, rows);
}

/// Numbers that are copied as they are.
pub(crate) trait Word: bytemuck::Pod {
    /// Turns a number of this machine into a little-endian one, or back.
    fn little(self) -> Self;
}

impl Word for u32 {
    fn little(self) -> Self {
        self.to_le()
    }
}

impl Word for u64 {
    fn little(self) -> Self {
        self.to_le()
    }
}

impl Word for f32 {
    fn little(self) -> Self {
        Self::from_bits(self.to_bits().to_le())
    }
}

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
    fn known(&mut self) -> Result<&mut Self, CodecError> {
        match self.kind {
            kind::PUSH..=kind::SET | kind::OPEN | kind::LEAVE | kind::RATE => Ok(self),
            other => Err(CodecError::Kind(other)),
        }
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

    pub fn pairs(&mut self) -> Result<(Vec<u32>, Vec<f32>), CodecError> {
        let count = self.u32()?;
        Ok((self.some_words(count)?, self.words()?))
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

#[cfg(test)]
mod tests;
