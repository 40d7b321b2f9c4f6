//! The first bytes on a connection, before any frame: that both ends speak this protocol, and that
//! the worker knows the server's token (as in R-CTRL-8: a keyed hash over a challenge; the token
//! itself is never sent).

use std::io::{self, Read, Write};

use netfold_management::Token;
use thiserror::Error;

/// Name and version of the protocol between workers and servers.
const MAGIC: &[u8; 8] = b"nftable4";

const CHALLENGE_BYTES: usize = 16;
const PROOF_BYTES: usize = 32;

/// Reason for which a greeting fails.
#[derive(Debug, Error)]
pub(crate) enum GreetingError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it does not speak the protocol of netfold's servers in this version")]
    OtherProtocol,
    #[error("it has a token, and this worker has none; give it the server's token (NETFOLD_TOKEN)")]
    TokenMissing,
    #[error("it has no token, and this worker has one; start the server with it (NETFOLD_TOKEN)")]
    TokenUnknown,
    #[error("its token is another one than this worker's")]
    TokenDiffers,
}

/// Greets a worker: the server's side.
pub(crate) fn welcome(
    stream: &mut (impl Read + Write),
    token: Option<&Token>,
) -> Result<(), GreetingError> {
    let challenge: [u8; CHALLENGE_BYTES] = rand::random();
    let mut greeting = MAGIC.to_vec();
    greeting.push(token.is_some().into());
    greeting.extend_from_slice(&challenge);
    stream.write_all(&greeting)?;
    let mut answer = [0; MAGIC.len() + 1 + PROOF_BYTES];
    stream.read_exact(&mut answer)?;
    let (magic, rest) = answer.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(GreetingError::OtherProtocol);
    }
    let proof: &[u8; PROOF_BYTES] = rest[1..].try_into().expect("its length is fixed");
    let accepted = token.is_none_or(|token| token.accepts(&challenge, proof));
    stream.write_all(&[accepted.into()])?;
    if accepted { Ok(()) } else { Err(GreetingError::TokenDiffers) }
}

/// Greets a server: the worker's side.
pub(crate) fn introduce(
    stream: &mut (impl Read + Write),
    token: Option<&Token>,
) -> Result<(), GreetingError> {
    let mut greeting = [0; MAGIC.len() + 1 + CHALLENGE_BYTES];
    stream.read_exact(&mut greeting)?;
    let (magic, rest) = greeting.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(GreetingError::OtherProtocol);
    }
    let proof = match (token, rest[0] != 0) {
        (Some(_), false) => return Err(GreetingError::TokenUnknown),
        (None, true) => return Err(GreetingError::TokenMissing),
        (None, false) => [0; PROOF_BYTES],
        (Some(token), true) => {
            token.prove(rest[1..].try_into().expect("the length of a challenge is fixed"))
        }
    };
    let mut answer = MAGIC.to_vec();
    answer.push(token.is_some().into());
    answer.extend_from_slice(&proof);
    stream.write_all(&answer)?;
    let mut accepted = [0];
    stream.read_exact(&mut accepted)?;
    if accepted[0] != 0 { Ok(()) } else { Err(GreetingError::TokenDiffers) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;
    use std::thread;

    use super::*;

    /// Returns the outcome for a worker with one token at a server with another.
    fn meet(
        server: Option<&str>,
        worker: Option<&str>,
    ) -> (Result<(), GreetingError>, Result<(), GreetingError>) {
        let token = |text: Option<&str>| text.map(|text| Token::new(text).unwrap());
        let (mut one, mut other) = UnixStream::pair().unwrap();
        let (server, worker) = (token(server), token(worker));
        let welcomed = thread::spawn(move || welcome(&mut one, server.as_ref()));
        let introduced = introduce(&mut other, worker.as_ref());
        drop(other);
        (welcomed.join().unwrap(), introduced)
    }

    #[test]
    fn the_same_token_or_none_is_accepted() {
        for token in [None, Some("a")] {
            let (server, worker) = meet(token, token);
            server.unwrap();
            worker.unwrap();
        }
    }

    #[test]
    fn another_token_is_refused_on_both_sides_by_name() {
        let (server, worker) = meet(Some("a"), Some("b"));
        assert!(matches!(server, Err(GreetingError::TokenDiffers)), "{server:?}");
        assert!(matches!(worker, Err(GreetingError::TokenDiffers)), "{worker:?}");
        let (server, worker) = meet(Some("a"), None);
        assert!(server.is_err());
        assert!(matches!(worker, Err(GreetingError::TokenMissing)), "{worker:?}");
        let (server, worker) = meet(None, Some("a"));
        assert!(server.is_err());
        assert!(matches!(worker, Err(GreetingError::TokenUnknown)), "{worker:?}");
    }

    #[test]
    fn another_protocol_is_told_apart() {
        let (mut one, mut other) = UnixStream::pair().unwrap();
        other.write_all(&[b'x'; 64]).unwrap();
        let error = introduce(&mut one, None).unwrap_err();
        assert!(matches!(error, GreetingError::OtherProtocol), "{error}");
    }
}
