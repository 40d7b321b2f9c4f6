//! The place of an array's bytes: a file, or a member of a zip archive, which may be compressed.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use flate2::Crc;
use zip::{CompressionMethod, ZipArchive};

use super::array::Array;
use crate::Error;

/// Number of bytes, at most, into which deflate can unpack one: an archive that states more lies.
const MOST_DEFLATED: u64 = 1032;

/// The arrays of an `.npz` file.
pub struct Archive {
    path: PathBuf,
    members: Vec<(String, Extent)>,
}

impl Archive {
    /// Reads the directory at the end of the file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let damaged =
            |reason: String| Error::Damaged { path: path.into(), format: "zip (.npz)", reason };
        let file = File::open(path).map_err(Error::io(path))?;
        let mut archive =
            ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(error.to_string()))?;
        let mut members = Vec::with_capacity(archive.len());
        for index in 0..archive.len() {
            let member = archive.by_index_raw(index).map_err(|error| damaged(error.to_string()))?;
            let file_name = member.name().map_err(|error| damaged(error.to_string()))?;
            let Some(name) = file_name.strip_suffix(".npy").map(str::to_owned) else {
                continue;
            };
            let deflated = match member.compression() {
                CompressionMethod::Stored => false,
                CompressionMethod::Deflated => true,
                other => {
                    return Err(damaged(format!(
                        "array `{name}` is compressed by {other}, which NumPy never does"
                    )));
                }
            };
            let start =
                member.data_start().ok_or_else(|| damaged(format!("array `{name}` is nowhere")))?;
            let (packed, bytes) = (member.compressed_size(), member.size());
            if member.encrypted()
                || (!deflated && packed != bytes)
                || bytes > packed.saturating_mul(MOST_DEFLATED)
            {
                return Err(damaged(format!(
                    "array `{name}` cannot be {bytes} bytes out of {packed}"
                )));
            }
            let crc = Some(member.crc32());
            members.push((name, Extent { path: path.into(), start, packed, bytes, deflated, crc }));
        }
        Ok(Self { path: path.into(), members })
    }

    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the arrays' names for messages.
    pub fn list(&self) -> String {
        format!(
            "has the arrays {}",
            self.names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        )
    }

    /// An array by name.
    pub fn array(&self, name: &str) -> Result<Array, Error> {
        match self.members.iter().find(|(known, _)| known == name) {
            Some((_, extent)) => Array::open(extent.clone(), format!("array `{name}`")),
            None => Err(Error::layout(
                &self.path,
                format!("{} and no `{name}`; make the file again", self.list()),
            )),
        }
    }
}

/// Bytes of a file.
#[derive(Clone, Debug)]
pub struct Extent {
    pub path: PathBuf,
    start: u64,
    /// Number of bytes in the file.
    packed: u64,
    /// Number of bytes when unpacked.
    pub bytes: u64,
    pub deflated: bool,
    crc: Option<u32>,
}

impl Extent {
    /// All of a file.
    pub fn whole(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::metadata(path).map_err(Error::io(path))?.len();
        Ok(Self { path: path.into(), start: 0, packed: bytes, bytes, deflated: false, crc: None })
    }

    pub fn open(&self) -> Result<ExtentReader, Error> {
        let file = File::open(&self.path).map_err(Error::io(&self.path))?;
        let crc = self.crc.map(|_| Crc::new());
        let mut reader = ExtentReader { extent: self.clone(), file, inflater: None, at: 0, crc };
        reader.rewind()?;
        Ok(reader)
    }
}

/// Reads an extent, forwards and checked by its sum, or at any place.
pub struct ExtentReader {
    extent: Extent,
    file: File,
    inflater: Option<Box<dyn Read + Send>>,
    /// Byte up to which it has been read.
    at: u64,
    /// The checksum of the bytes read, as long as no byte has been left out.
    crc: Option<Crc>,
}

impl ExtentReader {
    /// Reads the bytes from `start` on; `what` is for messages. Going back in compressed bytes
    /// unpacks them again from the beginning.
    pub fn read(&mut self, start: u64, bytes: &mut [u8], what: &str) -> Result<(), Error> {
        if start.checked_add(bytes.len() as u64).is_none_or(|end| end > self.extent.bytes) {
            return Err(Error::Truncated { path: self.extent.path.clone(), what: what.into() });
        }
        if start < self.at && self.extent.deflated {
            self.rewind()?;
        }
        if start != self.at {
            self.crc = None;
        }
        let path = self.extent.path.clone();
        let failed =
            |result: io::Result<()>| result.map_err(Error::read(&path, "zip (.npz)", what));
        match &mut self.inflater {
            None => failed(self.file.read_exact_at(bytes, self.extent.start + start))?,
            Some(inflater) => {
                let skipped = io::copy(&mut inflater.take(start - self.at), &mut io::sink());
                failed(skipped.and_then(|skipped| {
                    if skipped < start - self.at {
                        Err(io::ErrorKind::UnexpectedEof.into())
                    } else {
                        Ok(())
                    }
                }))?;
                failed(inflater.read_exact(bytes))?;
            }
        }
        self.at = start + bytes.len() as u64;
        let Some(crc) = &mut self.crc else {
            return Ok(());
        };
        crc.update(bytes);
        if self.at == self.extent.bytes && Some(crc.sum()) != self.extent.crc {
            let reason = format!("{what}: the checksum is wrong");
            return Err(Error::Damaged { path, format: "zip (.npz)", reason });
        }
        Ok(())
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        if self.extent.deflated {
            let mut file = self.file.try_clone().map_err(Error::io(&self.extent.path))?;
            file.seek(SeekFrom::Start(self.extent.start)).map_err(Error::io(&self.extent.path))?;
            let packed = BufReader::new(file.take(self.extent.packed));
            self.inflater = Some(Box::new(flate2::bufread::DeflateDecoder::new(packed)));
        }
        Ok(())
    }
}
