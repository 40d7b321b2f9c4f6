//! Messages as the bytes of a frame: a byte for the kind, and a body, all little-endian.
//!
//! Whoever frames them puts the length before. Decoding hostile bytes never panics, and allocates
//! no more than the frame has.

use thiserror::Error;

mod body;

pub(crate) use body::{Body, Word, get_words, put_numbers, put_pairs, put_words};

use crate::message::{Change, Pushed, Reply, Request, Taken};

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
    pub const TAKE: u8 = 35;
    pub const DROP: u8 = 36;
    pub const LOCATE: u8 = 37;
    pub const MOVE: u8 = 38;
    pub const PUT: u8 = 39;
    pub const ARRIVED: u8 = 40;
    pub const WELCOME: u8 = 65;
    pub const ROWS: u8 = 66;
    pub const STORED: u8 = 67;
    pub const STEPPED: u8 = 68;
    pub const FLUSHED: u8 = 69;
    pub const SEALED: u8 = 70;
    pub const REFUSED: u8 = 71;
    pub const REPORTED: u8 = 97;
    pub const TAKEN: u8 = 98;
    pub const LOCATED: u8 = 99;
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
            Self::Take { id, page, stride } => {
                put_u32(out, kind::TAKE, *id);
                out.extend(page.to_le_bytes());
                out.extend(stride.to_le_bytes());
            }
            Self::Drop { id } => put_u32(out, kind::DROP, *id),
            Self::Locate { name, least } => {
                put_u32(out, kind::LOCATE, *least);
                out.extend(name.as_bytes());
            }
            Self::Report => out.push(kind::REPORT),
        }
    }

    /// Reads a frame.
    pub fn decode(frame: &[u8]) -> Result<Self, CodecError> {
        let mut body = Body::new(frame)?;
        let request = match body.kind {
            kind::HELLO => Self::Hello(body.json()?),
            kind::PULL => {
                let (id, stepped, step) = (body.u32()?, body.u8()?, body.u32()?);
                let keys = body.words()?;
                return Ok(Self::Pull { id, step: (stepped != 0).then_some(step), keys });
            }
            kind::FLUSH => {
                body.last(|body| Ok(Self::Flush { id: body.u32()?, pushed: body.pushed()? }))?
            }
            kind::SEAL => body.last(|body| Ok(Self::Seal { epoch: body.u32()? }))?,
            kind::TAKE => body.last(|body| {
                let (id, page, stride) = (body.u32()?, body.u64()?, body.u32()?);
                Ok(Self::Take { id, page, stride })
            })?,
            kind::DROP => body.last(|body| Ok(Self::Drop { id: body.u32()? }))?,
            kind::LOCATE => {
                let least = body.u32()?;
                Self::Locate { name: body.text()?, least }
            }
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
            Self::Move { .. } => kind::MOVE,
            Self::Put { .. } => kind::PUT,
            Self::Arrived { .. } => kind::ARRIVED,
        }
    }

    pub(crate) fn encode_body(&self, out: &mut Vec<u8>) {
        match self {
            Self::Push { keys, rows: lanes }
            | Self::Set { keys, rows: lanes }
            | Self::Put { keys, lanes } => put_pairs(out, keys, lanes),
            Self::EndStep { step, pushed } => {
                out.extend(step.to_le_bytes());
                pushed.encode(out);
            }
            Self::EndReplay { epoch } => out.extend(epoch.to_le_bytes()),
            Self::Leave => {}
            Self::Move { to } => {
                serde_json::to_writer(out, to).expect("addresses are text");
            }
            Self::Arrived { ended, steps } => {
                out.push(u8::from(ended.is_some()));
                out.extend(ended.unwrap_or(0).to_le_bytes());
                out.extend(steps.to_le_bytes());
            }
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
            kind::PUT => body.pairs().map(|(keys, lanes)| Self::Put { keys, lanes }),
            kind::MOVE => body.json().map(|to| Self::Move { to }),
            kind::ARRIVED => body.last(|body| {
                let (some, ended, steps) = (body.u8()?, body.u32()?, body.u32()?);
                Ok(Self::Arrived { ended: (some != 0).then_some(ended), steps })
            }),
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
            kind::OPEN => body.json().map(|plane| Self::Open { plane: Box::new(plane) }),
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
                put_numbers(out, rows);
            }
            Self::Stored { number, pushed } => {
                put_u64(out, kind::STORED, *number);
                pushed.encode(out);
            }
            Self::Stepped { step } => put_u32(out, kind::STEPPED, *step),
            Self::Flushed { id } => put_u32(out, kind::FLUSHED, *id),
            Self::Sealed { epoch } => put_u32(out, kind::SEALED, *epoch),
            Self::Taken { id, taken: Taken { steps, next, keys, lanes } } => {
                put_u32(out, kind::TAKEN, *id);
                out.extend(steps.to_le_bytes());
                out.push(u8::from(next.is_some()));
                out.extend(next.unwrap_or(0).to_le_bytes());
                put_pairs(out, keys, lanes);
            }
            Self::Located(located) => {
                out.push(kind::LOCATED);
                serde_json::to_writer(out, located).expect("numbers and text");
            }
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
            kind::ROWS => Ok(Self::Rows { id: body.u32()?, rows: body.numbers()? }),
            kind::STORED => {
                body.last(|body| Ok(Self::Stored { number: body.u64()?, pushed: body.pushed()? }))
            }
            kind::STEPPED => body.last(|body| Ok(Self::Stepped { step: body.u32()? })),
            kind::FLUSHED => body.last(|body| Ok(Self::Flushed { id: body.u32()? })),
            kind::SEALED => body.last(|body| Ok(Self::Sealed { epoch: body.u32()? })),
            kind::TAKEN => {
                let (id, steps) = (body.u32()?, body.u32()?);
                let (more, page) = (body.u8()?, body.u64()?);
                let next = (more != 0).then_some(page);
                let (keys, lanes) = body.pairs()?;
                Ok(Self::Taken { id, taken: Taken { steps, next, keys, lanes } })
            }
            kind::LOCATED => body.json().map(Self::Located),
            kind::REPORTED => body.json().map(Self::Report),
            kind::REFUSED => Ok(Self::Refused { why: body.text()? }),
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

#[cfg(test)]
mod tests;
