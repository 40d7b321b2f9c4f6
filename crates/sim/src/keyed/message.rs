//! Messages between workers and servers, each a segment of their connection: one number tells which
//! it is and stands for its content.

use crate::peers::connection::Segment;

/// Bits of a number that are content; those above tell the kind.
const CONTENT_BITS: u32 = 61;

/// Bytes of a message without pairs: length, kind and a number.
const SHORT_BYTES: u32 = 4 + 1 + 4;

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// Pairs for the server; the number stands for all of them.
    Push(u64),
    /// Keys of which the worker wants the rows.
    Pull(u32),
    /// The switch has acknowledged all hot pushes of the worker so far, which are so many
    /// (R-SERVE-5).
    EndStep(u32),
    /// Rows of so many keys.
    Rows(u32),
    /// The server has stored the worker's pushes before this one (R-KEY-10).
    Stored(u32),
}

impl Message {
    /// A segment that carries it in so many bytes.
    pub(super) fn segment(self, bytes: u32) -> Segment {
        let (kind, content) = match self {
            Self::Push(content) => (0_u64, content),
            Self::Pull(keys) => (1, keys.into()),
            Self::EndStep(pushes) => (2, pushes.into()),
            Self::Rows(keys) => (3, keys.into()),
            Self::Stored(before) => (4, before.into()),
        };
        Segment { value: kind << CONTENT_BITS | content & ((1 << CONTENT_BITS) - 1), bytes }
    }

    /// A segment of a message that has no pairs.
    pub(super) fn short(self) -> Segment {
        self.segment(SHORT_BYTES)
    }

    /// The message of a segment.
    pub(super) fn of(segment: Segment) -> Self {
        let content = segment.value & ((1 << CONTENT_BITS) - 1);
        match segment.value >> CONTENT_BITS {
            0 => Self::Push(content),
            1 => Self::Pull(content as u32),
            2 => Self::EndStep(content as u32),
            3 => Self::Rows(content as u32),
            _ => Self::Stored(content as u32),
        }
    }
}

/// Number that stands for the pairs of a push: each worker, server and segment has another.
pub(super) fn print_of(rank: u16, server: usize, segment: u64) -> u64 {
    let place = u64::from(rank) << 48 | (server as u64) << 32 | segment;
    super::load::mix(place) >> (u64::BITS - CONTENT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_taken() {
        let print = print_of(7, 1, 12);
        for message in [
            Message::Push(print),
            Message::Pull(358),
            Message::EndStep(70),
            Message::Rows(u32::MAX),
            Message::Stored(9),
        ] {
            assert_eq!(Message::of(message.segment(1432)), message);
        }
        assert_ne!(print, print_of(7, 1, 13));
    }
}
