//! Entries of the log: everything that changes what is stored, in the order in which it did.

use std::borrow::Cow;

use netfold_wire::{WINDOW, Window};

use crate::codec::{Body, CodecError, put_pairs, put_words};
use crate::message::{Change, Generation, Hello};

mod kind {
    pub const TERMS: u8 = 1;
    pub const SESSION: u8 = 2;
    pub const CHANGE: u8 = 3;
    pub const GENERATION: u8 = 4;
    pub const SEAL: u8 = 5;
    pub const LOADED: u8 = 6;
    pub const STEP: u8 = 7;
    pub const DROPPED: u8 = 8;
    pub const OVER: u8 = 9;
    pub const WHOLE: u8 = 10;
    pub const RUN: u8 = 11;
}

/// A change of what is stored.
#[derive(Debug, PartialEq)]
pub(super) enum Entry<'a> {
    /// The terms that the workers have agreed on.
    Terms(Box<Cow<'a, Hello>>),
    /// A run begins, maybe with the terms of the run before (R-SERVE-16).
    Run,
    /// A new session of a rank.
    Session { rank: u16, session: u64 },
    /// A change of the session of a rank.
    Change { rank: u16, number: u64, change: Cow<'a, Change> },
    /// The sums of a generation.
    Generation(Cow<'a, Generation>),
    /// The end of an epoch (R-KEY-10).
    Seal { epoch: u32 },
    /// The switch has the values of all resident rows (R-KEY-12).
    Loaded { epoch: u32 },
    /// All workers have ended a step, and what they pushed in it is there (R-SERVE-5).
    Step { step: u32 },
    /// The rows are at the next servers (R-SERVE-23).
    Dropped,
    /// Every rank has moved (R-SERVE-20).
    Over,
    /// The rows of every rank have arrived (R-SERVE-21).
    Whole,
}

impl Entry<'_> {
    /// Appends the entry to a batch.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        out.extend([0; 4]);
        match self {
            Self::Terms(terms) => put_text(out, kind::TERMS, terms.as_ref().as_ref()),
            Self::Session { rank, session } => {
                out.push(kind::SESSION);
                out.extend(u32::from(*rank).to_le_bytes());
                out.extend(session.to_le_bytes());
            }
            Self::Change { rank, number, change } => {
                out.push(kind::CHANGE);
                out.extend(u32::from(*rank).to_le_bytes());
                out.extend(number.to_le_bytes());
                out.push(change.kind());
                change.encode_body(out);
            }
            Self::Generation(generation) => {
                out.push(kind::GENERATION);
                out.extend(generation.number.to_le_bytes());
                out.extend((generation.windows.len() as u32).to_le_bytes());
                generation.windows.iter().for_each(|window| put_words(out, window.as_slice()));
                put_pairs(out, &generation.ranks, &generation.rows);
            }
            Self::Seal { epoch } => put_number(out, kind::SEAL, *epoch),
            Self::Loaded { epoch } => put_number(out, kind::LOADED, *epoch),
            Self::Step { step } => put_number(out, kind::STEP, *step),
            Self::Dropped => out.push(kind::DROPPED),
            Self::Over => out.push(kind::OVER),
            Self::Whole => out.push(kind::WHOLE),
            Self::Run => out.push(kind::RUN),
        }
        let length = (out.len() - begin - 4) as u32;
        out[begin..begin + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// Takes the first entry from a batch.
    pub fn take(batch: &mut &[u8]) -> Result<Entry<'static>, CodecError> {
        let mut rest = Body { kind: 0, rest: batch };
        let length = rest.u32()? as usize;
        let frame = rest.take(length)?;
        *batch = rest.rest;
        let mut body = Body::new(frame)?;
        match body.kind {
            kind::TERMS => text(&body).map(|terms| Entry::Terms(Box::new(Cow::Owned(terms)))),
            kind::SESSION => body
                .last(|body| Ok(Entry::Session { rank: body.u32()? as u16, session: body.u64()? })),
            kind::CHANGE => {
                let (rank, number) = (body.u32()? as u16, body.u64()?);
                let change = Cow::Owned(Change::decode_body(Body::new(body.rest)?)?);
                Ok(Entry::Change { rank, number, change })
            }
            kind::GENERATION => {
                let (number, count) = (body.u32()?, body.u32()?);
                let windows = windows(&mut body, count)?;
                let (ranks, rows) = body.pairs()?;
                Ok(Entry::Generation(Cow::Owned(Generation { number, ranks, rows, windows })))
            }
            kind::SEAL => body.last(|body| Ok(Entry::Seal { epoch: body.u32()? })),
            kind::LOADED => body.last(|body| Ok(Entry::Loaded { epoch: body.u32()? })),
            kind::STEP => body.last(|body| Ok(Entry::Step { step: body.u32()? })),
            kind::DROPPED => body.last(|_| Ok(Entry::Dropped)),
            kind::OVER => body.last(|_| Ok(Entry::Over)),
            kind::WHOLE => body.last(|_| Ok(Entry::Whole)),
            kind::RUN => body.last(|_| Ok(Entry::Run)),
            other => Err(CodecError::Kind(other)),
        }
    }
}

/// Reads the windows of `count` workers.
pub(super) fn windows(body: &mut Body<'_>, count: u32) -> Result<Vec<Window>, CodecError> {
    let window = |body: &mut Body<'_>| {
        let words = body.some_words(WINDOW)?;
        words.try_into().map_err(|_| body.short())
    };
    (0..count).map(|_| window(body)).collect()
}

fn put_number(out: &mut Vec<u8>, kind: u8, number: u32) {
    out.push(kind);
    out.extend(number.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, kind: u8, value: &impl serde::Serialize) {
    out.push(kind);
    serde_json::to_writer(out, value).expect("numbers and text");
}

fn text<T: serde::de::DeserializeOwned>(body: &Body<'_>) -> Result<T, CodecError> {
    serde_json::from_slice(body.rest)
        .map_err(|why| CodecError::Text { kind: body.kind, why: why.to_string() })
}
