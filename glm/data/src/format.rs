//! The format of a file: told by its first bytes, and by its name where that says more.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::Error;

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text in the format of libsvm and SVMlight: a label and `index:value` pairs on each line;
    /// plain, gzip or zstd.
    Libsvm,
    /// One NumPy array, `.npy`.
    Npy,
    /// NumPy arrays by name, `.npz`: one of them is the matrix.
    Npz,
    /// A sparse matrix of SciPy, `.npz` as `scipy.sparse.save_npz` writes it.
    SciPy,
    /// Parquet.
    Parquet,
    /// Arrow's file format, which is Feather version 2.
    ArrowFile,
    /// Arrow's stream format.
    ArrowStream,
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Libsvm => "libsvm text",
            Self::Npy => "NumPy array (.npy)",
            Self::Npz => "NumPy arrays (.npz)",
            Self::SciPy => "SciPy sparse matrix (.npz)",
            Self::Parquet => "Parquet",
            Self::ArrowFile => "Arrow file",
            Self::ArrowStream => "Arrow stream",
        })
    }
}

/// Compression of text. It is always told by the first bytes, never by the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// No compression.
    Plain,
    /// gzip, one member or several.
    Gzip,
    /// zstd, one frame or several.
    Zstd,
}

impl fmt::Display for Compression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

/// Returns the format and the compression of the file at `path`; `said` is the format that the
/// caller gives.
///
/// # Errors
/// [`Error::Format`] for a format that is not read, and where the first bytes are not those of the
/// format that the caller or the extension says.
pub fn detect(path: &Path, said: Option<Format>) -> Result<(Format, Compression), Error> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    File::open(path)
        .and_then(|file| file.take(HEAD_BYTES as u64).read_to_end(&mut head))
        .map_err(Error::io(path))?;
    let refuse = |found: String, advice| Err(Error::Format { path: path.into(), found, advice });
    for (magic, name, advice) in FOREIGN {
        if head.starts_with(magic) {
            return refuse(format!("this is {name}"), advice);
        }
    }
    let compression = compression(&head);
    let extension = extension(path);
    if compression == Compression::Plain
        && matches!(extension.as_str(), "csv" | "tsv")
        && said.is_none()
    {
        return refuse(
            format!("{extension} is not read, types and missing values would be guesses"),
            FROM_CSV,
        );
    }
    let seen = if compression == Compression::Plain { by_content(path, &head)? } else { None };
    let expected = match said {
        Some(format) => Some(format),
        None if compression == Compression::Plain => by_extension(&extension),
        None => None,
    };
    match (expected, seen) {
        // Both are zip archives; only what is in them tells.
        (Some(Format::Npz), Some(Format::SciPy)) if said.is_none() => {
            Ok((Format::SciPy, compression))
        }
        (Some(expected), Some(seen)) if expected == seen => Ok((seen, compression)),
        // Nothing marks text: a name or the caller may say so.
        (None | Some(Format::Libsvm), None) => {
            if compression == Compression::Plain {
                looks_like_text(path, &head)?;
            }
            Ok((Format::Libsvm, compression))
        }
        // Feather and Arrow have the same extensions for both formats.
        (Some(Format::ArrowFile), Some(Format::ArrowStream)) if said.is_none() => {
            Ok((Format::ArrowStream, compression))
        }
        (None, Some(seen)) => Ok((seen, compression)),
        (Some(expected), Some(seen)) => refuse(
            format!("taken for {expected}, but what it holds is {seen}"),
            "give the right format, or leave it to be found out",
        ),
        (Some(expected), None) if head.is_empty() => {
            refuse(format!("taken for {expected}, but it is empty"), "make the file again")
        }
        (Some(expected), None) => refuse(
            format!("taken for {expected}, but it does not begin like one"),
            "check that the file is whole and not compressed as a whole; compression inside the format is read",
        ),
    }
}

/// Number of bytes that are looked at.
const HEAD_BYTES: usize = 4096;

const FROM_CSV: &str = "convert it, for example with `pyarrow.csv.read_csv` and `pyarrow.parquet.write_table`, or to libsvm text";

/// Formats that are often tried and not read: first bytes, name, advice.
const FOREIGN: [(&[u8], &str, &str); 7] = [
    (b"\x89HDF\r\n\x1a\n", "HDF5", "save the array with `numpy.save`"),
    (
        b"FEA1",
        "Feather version 1",
        "write it again with `pyarrow.feather.write_feather`, which writes version 2",
    ),
    (b"BZh", "bzip2", "unpack it, or compress it with gzip or zstd"),
    (b"\xfd7zXZ\x00", "xz", "unpack it, or compress it with gzip or zstd"),
    (b"\x80\x04", "a pickle", "save the array with `numpy.save` or `scipy.sparse.save_npz`"),
    (b"\x80\x05", "a pickle", "save the array with `numpy.save` or `scipy.sparse.save_npz`"),
    (b"ORC", "ORC", "write it as Parquet"),
];

fn compression(head: &[u8]) -> Compression {
    if head.starts_with(&[0x1f, 0x8b]) {
        Compression::Gzip
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Compression::Zstd
    } else {
        Compression::Plain
    }
}

fn by_content(path: &Path, head: &[u8]) -> Result<Option<Format>, Error> {
    Ok(if head.starts_with(b"\x93NUMPY") {
        Some(Format::Npy)
    } else if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        let sparse = crate::numpy::Archive::open(path)?.has("format");
        Some(if sparse { Format::SciPy } else { Format::Npz })
    } else if head.starts_with(b"PAR1") {
        Some(Format::Parquet)
    } else if head.starts_with(b"ARROW1") {
        Some(Format::ArrowFile)
    } else if head.starts_with(&[0xff, 0xff, 0xff, 0xff]) {
        Some(Format::ArrowStream)
    } else {
        None
    })
}

fn extension(path: &Path) -> String {
    path.extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default()
}

fn by_extension(extension: &str) -> Option<Format> {
    match extension {
        "svm" | "libsvm" | "svmlight" => Some(Format::Libsvm),
        "npy" => Some(Format::Npy),
        "npz" => Some(Format::Npz),
        "parquet" | "pq" => Some(Format::Parquet),
        "arrow" | "feather" | "ipc" => Some(Format::ArrowFile),
        "arrows" => Some(Format::ArrowStream),
        _ => None,
    }
}

/// Refuses bytes that are not text, and text that is separated by commas.
fn looks_like_text(path: &Path, head: &[u8]) -> Result<(), Error> {
    let refuse =
        |found: &str, advice| Err(Error::Format { path: path.into(), found: found.into(), advice });
    if head.contains(&0) {
        return refuse(
            "this is no text and begins like no format that is read",
            "give libsvm text, .npy, .npz, Parquet or Arrow",
        );
    }
    let lines = head.split(|byte| *byte == b'\n').map(|line| line.trim_ascii());
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"#"));
    if first.is_some_and(|line| line.contains(&b',') && !line.contains(&b':')) {
        return refuse("this looks like CSV, which is not read", FROM_CSV);
    }
    Ok(())
}
