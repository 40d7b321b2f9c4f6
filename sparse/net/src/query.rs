//! A question about a server, as an operator asks it.

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
    let absent = |why: String| Error::NoServer { address: address.to_owned(), why };
    let refused = |why: String| Error::Refused { address: address.to_owned(), why };
    let mut stream = connect(address, token, limit).map_err(|failed| match failed.is_final {
        true => refused(failed.why),
        false => absent(failed.why),
    })?;
    stream.set_read_timeout(Some(limit)).map_err(|error| absent(error.to_string()))?;
    let question = framed(1, |out| Request::Report.encode(out));
    stream.write_all(&question).map_err(|error| absent(error.to_string()))?;
    let frame = FrameReader::new(stream).next_frame(MAX_FRAME_BYTES);
    let frame = frame.map_err(|gone| absent(gone.to_string()))?;
    match Reply::decode(&frame) {
        Ok(Reply::Report(report)) => Ok(*report),
        Ok(Reply::Refused { why }) => Err(refused(why)),
        Ok(_) => Err(refused("it answers another question; install the same netfold".into())),
        Err(error) => Err(refused(error.to_string())),
    }
}
