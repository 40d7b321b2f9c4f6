//! Frames between the master and a worker's process, over TCP: a length, a kind, and the bytes of
//! that kind. Numbers are little-endian.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::ipc::reader::StreamReader;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::error::{DataFusionError, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader, BufWriter};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// Most bytes of a frame.
const MOST_BYTES: u32 = 1 << 30;

/// A frame's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The master asks for tables; the worker answers with `Listing`.
    Tables = 1,
    /// The master gives a fragment: a [`Run`](super::Run) in JSON, and the plan.
    Run = 2,
    /// The answer to `Wait`, `Probe`, `Fill` and `Offer`: words of bits.
    Bits = 3,
    /// The answer to `Where`: the way in JSON, or null if the program is the master's.
    Place = 5,
    /// A worker's tables, in JSON.
    Listing = 16,
    /// The worker waits until filters are complete.
    Wait = 17,
    /// Keys that a filter may have.
    Probe = 18,
    /// Keys that go into a filter.
    Fill = 19,
    /// Rows for the program.
    Offer = 20,
    /// Rows for the master, as a stream of Arrow.
    Rows = 21,
    /// The partition's end: an [`End`](super::End) in JSON.
    End = 22,
    /// The fragment has failed: text.
    Failed = 23,
    /// Keys that are hashes with the groups of rows that were absorbed, as a stream of Arrow.
    Absorbed = 24,
    /// The worker asks for the way to the program at a switch elsewhere.
    Where = 25,
}

const KINDS: [Kind; 14] = [
    Kind::Tables,
    Kind::Run,
    Kind::Bits,
    Kind::Place,
    Kind::Listing,
    Kind::Wait,
    Kind::Probe,
    Kind::Fill,
    Kind::Offer,
    Kind::Rows,
    Kind::End,
    Kind::Failed,
    Kind::Absorbed,
    Kind::Where,
];

/// A connection, on which frames are read and written.
#[derive(Debug)]
pub struct Connection {
    reader: BufReader<OwnedReadHalf>,
    writer: BufWriter<OwnedWriteHalf>,
    /// Bytes that were read and written, headers of TCP and below left out.
    pub bytes: (u64, u64),
}

impl Connection {
    /// Takes a stream.
    ///
    /// # Errors
    /// If its options cannot be set.
    pub fn new(stream: TcpStream) -> Result<Self> {
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        Ok(Self {
            reader: BufReader::with_capacity(1 << 18, reader),
            writer: BufWriter::with_capacity(1 << 18, writer),
            bytes: (0, 0),
        })
    }

    /// Writes a frame and sends it off.
    ///
    /// # Errors
    /// If the connection is lost.
    pub async fn write(&mut self, kind: Kind, parts: &[&[u8]]) -> Result<()> {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let len = u32::try_from(len).ok().filter(|len| *len <= MOST_BYTES).ok_or_else(|| {
            DataFusionError::Execution(format!("{len} bytes are too many for a frame"))
        })?;
        self.writer.write_u32_le(len).await?;
        self.writer.write_u8(kind as u8).await?;
        for part in parts {
            self.writer.write_all(part).await?;
        }
        self.writer.flush().await?;
        self.bytes.1 += u64::from(len) + 5;
        Ok(())
    }

    /// Reads a frame; nothing if the other side has ended the connection.
    ///
    /// # Errors
    /// If the connection is lost, or what comes is no frame.
    pub async fn read(&mut self) -> Result<Option<(Kind, Vec<u8>)>> {
        let len = match self.reader.read_u32_le().await {
            Ok(len) => len,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let kind = self.reader.read_u8().await?;
        let known = KINDS.into_iter().find(|known| *known as u8 == kind);
        let Some(kind) = known.filter(|_| len <= MOST_BYTES) else {
            return Err(DataFusionError::Execution(
                "what came is no frame of netfold query: is this its port, and the same version?"
                    .into(),
            ));
        };
        let mut bytes = vec![0; len as usize];
        self.reader.read_exact(&mut bytes).await?;
        self.bytes.0 += u64::from(len) + 5;
        Ok(Some((kind, bytes)))
    }
}

/// Returns rows as a stream of Arrow.
///
/// # Errors
/// If a column has a type that streams do not have.
pub fn rows_to_bytes(batch: &RecordBatch) -> Result<Vec<u8>> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema())?;
    writer.write(batch)?;
    Ok(writer.into_inner()?)
}

/// Returns the rows of a stream of Arrow.
///
/// # Errors
/// If the bytes are none.
pub fn rows_from_bytes(bytes: &[u8]) -> Result<RecordBatch> {
    let mut reader = StreamReader::try_new(bytes, None)?;
    let schema: SchemaRef = reader.schema();
    match reader.next() {
        Some(batch) => Ok(batch?),
        None => Ok(RecordBatch::new_empty(schema)),
    }
}

/// Returns words as bytes.
pub fn words_to_bytes(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// Returns the words in bytes.
pub fn words_from_bytes(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}
