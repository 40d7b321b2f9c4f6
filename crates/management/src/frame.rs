//! Framing: a message is its length in bytes, as a big-endian `u32`, and that many bytes of JSON.

use thiserror::Error;

use crate::message::Message;

/// The longest JSON text of a message, in bytes: a welcome to a job that resumes an epoch with the
/// most slots.
pub const MAX_FRAME_BYTES: usize = 1024 * 1024;

const LENGTH_BYTES: usize = size_of::<u32>();

/// Bytes that are no message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The length says more than a message can have. Another protocol's first bytes usually look
    /// like this.
    #[error(
        "a message of {length} bytes, over the limit of {MAX_FRAME_BYTES} (is this another protocol?)"
    )]
    TooLong {
        /// The length, in bytes.
        length: usize,
    },
    /// The bytes are not a message. They are not repeated, for they come from a stranger and the
    /// error goes into logs.
    #[error("a JSON text that is no message ({0:?} error)")]
    NotAMessage(serde_json::error::Category),
}

/// `message` as it goes over the connection.
///
/// # Errors
/// [`FrameError::TooLong`] if the message is over [`MAX_FRAME_BYTES`], which none is that this
/// crate makes.
pub fn encode(message: &Message) -> Result<Vec<u8>, FrameError> {
    let mut frame = vec![0; LENGTH_BYTES];
    serde_json::to_writer(&mut frame, message).map_err(not_a_message)?;
    let length = frame.len() - LENGTH_BYTES;
    match u32::try_from(length) {
        Ok(header) if length <= MAX_FRAME_BYTES => {
            frame[..LENGTH_BYTES].copy_from_slice(&header.to_be_bytes())
        }
        _ => return Err(FrameError::TooLong { length }),
    }
    Ok(frame)
}

/// Takes the bytes of a connection as they come and gives the messages. Never holds more than one
/// frame and what the caller pushed last.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
}

impl Decoder {
    /// Takes bytes that have arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message, if it has arrived. Call it until it gives `None` before pushing
    /// more.
    ///
    /// # Errors
    /// [`FrameError`]: the peer does not speak the protocol. The connection is of no more use.
    pub fn next_message(&mut self) -> Result<Option<Message>, FrameError> {
        let Some((header, rest)) = self.bytes.split_first_chunk::<LENGTH_BYTES>() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*header) as usize;
        if length > MAX_FRAME_BYTES {
            return Err(FrameError::TooLong { length });
        }
        let Some(json) = rest.get(..length) else { return Ok(None) };
        let message = serde_json::from_slice(json).map_err(not_a_message)?;
        self.bytes.drain(..LENGTH_BYTES + length);
        Ok(Some(message))
    }
}

fn not_a_message(error: serde_json::Error) -> FrameError {
    FrameError::NotAMessage(error.classify())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn other_protocols_are_told_from_their_first_bytes() {
        let mut decoder = Decoder::default();
        decoder.push(b"GET / HTTP/1.1\r\n\r\n");
        let error = decoder.next_message().unwrap_err();
        assert!(error.to_string().contains("is this another protocol?"), "{error}");
    }

    #[test]
    fn a_message_over_the_limit_is_not_sent() {
        let text = "x".repeat(MAX_FRAME_BYTES);
        let error =
            encode(&Message::Description { shard: 0, slot: 0, position: 0, text }).unwrap_err();
        assert!(matches!(error, FrameError::TooLong { length } if length > MAX_FRAME_BYTES));
    }

    proptest! {
        #[test]
        fn messages_survive_any_cut(texts in prop::collection::vec(".{0,40}", 1..5), cuts in prop::collection::vec(1..50usize, 1..40)) {
            let sent: Vec<Message> =
                texts.into_iter().map(|text| Message::Description { shard: 1, slot: 0, position: 2, text }).collect();
            let bytes: Vec<u8> = sent.iter().flat_map(|m| encode(m).unwrap()).collect();
            let (mut decoder, mut got, mut rest) = (Decoder::default(), Vec::new(), &bytes[..]);
            for &cut in cuts.iter().cycle() {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                decoder.push(now);
                rest = later;
                while let Some(message) = decoder.next_message().unwrap() {
                    got.push(message);
                }
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(got, sent);
        }

        #[test]
        fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..64), short in any::<bool>()) {
            let mut decoder = Decoder::default();
            if short {
                decoder.push(&(bytes.len() as u32).to_be_bytes());
            }
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.next_message() {}
        }
    }
}
