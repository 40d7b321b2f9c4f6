//! Lines and rows of libsvm text, from a file that may be compressed.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::gzip::Members;
use super::line::{Fault, Rules, parse_line};
use crate::Error;
use crate::chunk::{Chunk, Position, Reader};
use crate::format::Compression;

/// The longest line, in bytes. It must stand in memory as a whole.
pub const MAX_LINE_BYTES: usize = 1 << 30;

/// Number of bytes that are read at once, and the room for a line at first.
const BLOCK_BYTES: usize = 256 << 10;

/// Number of bytes of a line that an error shows.
const SHOWN_BYTES: usize = 24;

/// Rows of a file in their order.
pub struct LibsvmReader {
    lines: Lines,
    rules: Rules,
    labels: bool,
    row: u64,
    indices: Vec<u32>,
    values: Vec<f32>,
}

/// One row, until the next is read. The indices count from 0.
pub struct Row<'a> {
    pub label: f64,
    pub indices: &'a [u32],
    pub values: &'a [f32],
}

impl LibsvmReader {
    /// Rows from the beginning of the file; `labels`: whether the chunks have them.
    pub fn open(
        path: &Path,
        compression: Compression,
        rules: Rules,
        labels: bool,
    ) -> Result<Self, Error> {
        let lines = Lines::open(path, compression)?;
        Ok(Self { lines, rules, labels, row: 0, indices: Vec::new(), values: Vec::new() })
    }

    /// The next row, if there is one.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, Error> {
        while let Some(line) = self.lines.next()? {
            match parse_line(line, &self.rules, &mut self.indices, &mut self.values) {
                Ok(None) => {}
                Ok(Some(label)) => {
                    self.row += 1;
                    return Ok(Some(Row { label, indices: &self.indices, values: &self.values }));
                }
                Err(fault) => {
                    let found = found(line, fault);
                    return Err(Error::Line {
                        path: self.lines.path.clone(),
                        line: self.lines.number,
                        column: fault.at + 1,
                        expected: fault.expected,
                        found,
                    });
                }
            }
        }
        Ok(None)
    }
}

impl Reader for LibsvmReader {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let labels = self.labels;
        while !chunk.is_full() {
            let Some(Row { label, indices, values }) = self.next_row()? else {
                break;
            };
            chunk.sparse_row(indices, values);
            if labels {
                chunk.labels().push(label);
            }
        }
        Ok(())
    }

    fn position(&self) -> Position {
        Position { row: self.row, at: self.lines.byte, within: self.lines.number }
    }

    fn seek(&mut self, to: Position) -> Result<(), Error> {
        self.row = to.row;
        self.lines.seek(to.at, to.within)
    }
}

/// Returns the text at a fault in a line, shortened.
fn found(line: &[u8], fault: Fault) -> String {
    let rest = &line[fault.at.min(line.len())..];
    let token = rest.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    if rest.is_empty() {
        "the end of the line".into()
    } else if token.is_empty() {
        "a space".into()
    } else if token.len() > SHOWN_BYTES {
        format!("`{}…`", token[..SHOWN_BYTES].escape_ascii())
    } else {
        format!("`{}`", String::from_utf8_lossy(token).escape_debug())
    }
}

/// The lines of a file, one at a time out of one buffer.
struct Lines {
    path: PathBuf,
    input: Input,
    buffer: Vec<u8>,
    /// The part that is read and not yet given: `buffer[start..end]`.
    start: usize,
    end: usize,
    ended: bool,
    /// The line given last, from 1.
    number: u64,
    /// The byte of the unpacked file at which the next line begins.
    byte: u64,
}

enum Input {
    Plain(File),
    Packed(Box<dyn Read + Send>),
}

impl Lines {
    fn open(path: &Path, compression: Compression) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io(path))?;
        let input = match compression {
            Compression::Plain => Input::Plain(file),
            Compression::Gzip => Input::Packed(Box::new(Members::new(BufReader::new(file)))),
            Compression::Zstd => Input::Packed(Box::new(
                zstd::stream::read::Decoder::new(file).map_err(Error::io(path))?,
            )),
        };
        let buffer = vec![0; BLOCK_BYTES];
        Ok(Self {
            path: path.into(),
            input,
            buffer,
            start: 0,
            end: 0,
            ended: false,
            number: 0,
            byte: 0,
        })
    }

    /// The next line without its end.
    fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        // How much of what is here has been found to hold no end of a line.
        let mut searched = 0;
        loop {
            let here = &self.buffer[self.start..self.end];
            let found = memchr::memchr(b'\n', &here[searched..]).map(|at| at + searched);
            let (length, taken) = match found {
                Some(at) => (at, at + 1),
                None if self.ended && here.is_empty() => return Ok(None),
                None if self.ended => (here.len(), here.len()),
                None => {
                    searched = here.len();
                    self.read_more()?;
                    continue;
                }
            };
            let line = self.start..self.start + length;
            self.start += taken;
            self.byte += taken as u64;
            self.number += 1;
            return Ok(Some(&self.buffer[line]));
        }
    }

    fn read_more(&mut self) -> Result<(), Error> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            if self.end >= MAX_LINE_BYTES {
                return Err(Error::Line {
                    path: self.path.clone(),
                    line: self.number + 1,
                    column: self.end,
                    expected: "the end of the line before 1 GiB",
                    found: "no end".into(),
                });
            }
            self.buffer.resize(self.end * 2, 0);
        }
        let room = &mut self.buffer[self.end..];
        let read = match &mut self.input {
            Input::Plain(file) => read_some(file, room).map_err(Error::io(&self.path)),
            Input::Packed(input) => read_some(input, room).map_err(Error::read(
                &self.path,
                "gzip or zstd",
                format_args!("the compressed text after line {}", self.number),
            )),
        }?;
        self.end += read;
        self.ended = read == 0;
        Ok(())
    }

    /// Goes to the line that begins at `byte`; `before` lines stand before it.
    fn seek(&mut self, byte: u64, before: u64) -> Result<(), Error> {
        let Input::Plain(file) = &mut self.input else {
            unreachable!("compressed text is only read in its order");
        };
        file.seek(SeekFrom::Start(byte)).map_err(Error::io(&self.path))?;
        (self.start, self.end, self.ended, self.number, self.byte) = (0, 0, false, before, byte);
        Ok(())
    }
}

/// Reads what there is; nothing at the end of the input only.
fn read_some(input: &mut (impl Read + ?Sized), room: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match input.read(room) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
