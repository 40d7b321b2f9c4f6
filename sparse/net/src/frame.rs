//! Frames: how a message travels over TCP. A frame is a length (`u32`, little-endian) and so many
//! bytes, which `netfold_sparse::codec` reads and writes.

use std::io::{self, BufReader, ErrorKind, Read};

use thiserror::Error;

/// Longest message. Pushes and pulls are cut long before; a hello has all hot keys.
pub const MAX_FRAME_BYTES: usize = 256 << 20;

const LENGTH_BYTES: usize = 4;

/// Bytes that are asked of the system at a time, for short frames.
const READ_BYTES: usize = 256 << 10;

/// Most bytes that are set aside for a message before they arrive.
const TRUSTED_BYTES: usize = 2 << 20;

/// Reason for which a connection gives no more frames.
#[derive(Debug, Error)]
pub(crate) enum Gone {
    #[error("it closed the connection")]
    Closed,
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("a message of {length} bytes, over the limit of {most} (is this another protocol?)")]
    TooLong { length: usize, most: usize },
}

/// Reads frames from a connection, many short ones with one call of the system.
pub(crate) struct FrameReader<R>(BufReader<R>);

impl<R: Read> FrameReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self(BufReader::with_capacity(READ_BYTES, source))
    }

    /// Waits for the next message, of at most so many bytes. A long one is allocated as its bytes
    /// arrive, so that a length alone costs little.
    pub(crate) fn next_frame(&mut self, most: usize) -> Result<Vec<u8>, Gone> {
        let mut header = [0; LENGTH_BYTES];
        self.0.read_exact(&mut header).map_err(closed)?;
        let length = u32::from_le_bytes(header) as usize;
        if length > most {
            return Err(Gone::TooLong { length, most });
        }
        let mut frame = Vec::with_capacity(length.min(TRUSTED_BYTES));
        (&mut self.0).take(length as u64).read_to_end(&mut frame)?;
        if frame.len() < length { Err(Gone::Closed) } else { Ok(frame) }
    }
}

fn closed(error: io::Error) -> Gone {
    if error.kind() == ErrorKind::UnexpectedEof { Gone::Closed } else { Gone::Io(error) }
}

/// A frame with the message that `encode` appends. Messages of this crate are cut to fit.
pub(crate) fn framed(room: usize, encode: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut frame = Vec::with_capacity(LENGTH_BYTES + room);
    frame.extend_from_slice(&[0; LENGTH_BYTES]);
    encode(&mut frame);
    let length = u32::try_from(frame.len() - LENGTH_BYTES).expect("a message is below its limit");
    frame[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(message: &[u8]) -> Vec<u8> {
        framed(message.len(), |out| out.extend_from_slice(message))
    }

    #[test]
    fn frames_come_as_they_were_sent() {
        let long = vec![7; TRUSTED_BYTES * 2 + 1];
        let bytes = [frame(b"ab"), frame(b""), frame(&long)].concat();
        assert_eq!(bytes[..6], [2, 0, 0, 0, b'a', b'b']);
        let mut reader = FrameReader::new(&bytes[..]);
        assert_eq!(reader.next_frame(MAX_FRAME_BYTES).unwrap(), b"ab");
        assert_eq!(reader.next_frame(MAX_FRAME_BYTES).unwrap(), b"");
        assert_eq!(reader.next_frame(MAX_FRAME_BYTES).unwrap(), long);
        assert!(matches!(reader.next_frame(MAX_FRAME_BYTES), Err(Gone::Closed)));
    }

    #[test]
    fn a_frame_that_ends_early_or_is_too_long_is_no_frame() {
        let bytes = frame(b"abc");
        for cut in 1..bytes.len() {
            let error = FrameReader::new(&bytes[..cut]).next_frame(MAX_FRAME_BYTES).unwrap_err();
            assert!(matches!(error, Gone::Closed), "{cut}: {error}");
        }
        let error =
            FrameReader::new(&b"GET / HTTP/1.1\r\n"[..]).next_frame(MAX_FRAME_BYTES).unwrap_err();
        assert!(error.to_string().contains("is this another protocol?"), "{error}");
    }
}
