//! Questions to a server on connections of their own, such as that of an operator.

use std::io::Write;
use std::time::Duration;

use netfold_management::Token;
use netfold_sparse::{Reply, Request, ServerReport};

use crate::connect::connect;
use crate::error::Error;
use crate::frame::{FrameReader, MAX_FRAME_BYTES, framed};

/// Asks a server what it has to tell, waiting at most `limit` for each step of the answer.
///
/// # Errors
/// No server is there, it does not know the token, or it answers something else.
pub fn report(
    address: &str,
    token: Option<&Token>,
    limit: Duration,
) -> Result<ServerReport, Error> {
    let refused = |why: String| Error::Refused { address: address.to_owned(), why };
    match ask(address, token, limit, &Request::Report)? {
        Reply::Report(report) => Ok(*report),
        _ => Err(refused("it answers another question; install the same netfold".into())),
    }
}

/// Asks a server a question on a connection of its own.
pub(crate) fn ask(
    address: &str,
    token: Option<&Token>,
    limit: Duration,
    question: &Request,
) -> Result<Reply, Error> {
    let absent = |why: String| Error::NoServer { address: address.to_owned(), why };
    let refused = |why: String| Error::Refused { address: address.to_owned(), why };
    let mut stream = connect(address, token, limit).map_err(|failed| match failed.is_final {
        true => refused(failed.why),
        false => absent(failed.why),
    })?;
    stream.set_read_timeout(Some(limit)).map_err(|error| absent(error.to_string()))?;
    let question = framed(1, |out| question.encode(out));
    stream.write_all(&question).map_err(|error| absent(error.to_string()))?;
    let frame = FrameReader::new(stream).next_frame(MAX_FRAME_BYTES);
    let frame = frame.map_err(|gone| absent(gone.to_string()))?;
    match Reply::decode(&frame) {
        Ok(Reply::Refused { why }) => Err(refused(why)),
        Ok(reply) => Ok(reply),
        Err(error) => Err(refused(error.to_string())),
    }
}
