//! gzip, one member or several.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// The text of all members, one after the other. Zeros after a member mean nothing: tapes and block
/// devices fill up with them.
pub struct Members<R> {
    /// The one that is being read. It is taken out only to begin the next.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    pub fn new(input: R) -> Self {
        Self { member: Some(GzDecoder::new(input)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let read = member.read(room)?;
            if read > 0 || room.is_empty() || !skip_zeros(member.get_mut())? {
                return Ok(read);
            }
            self.member = self.member.take().map(|member| GzDecoder::new(member.into_inner()));
        }
    }
}

/// Skips zeros. Returns whether anything follows them.
fn skip_zeros(input: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        let (all, zeros) = (bytes.len(), bytes.iter().take_while(|byte| **byte == 0).count());
        input.consume(zeros);
        if all == 0 || zeros < all {
            return Ok(all > 0);
        }
    }
}
