//! A file that a command writes: an earlier one stays whole until the new one is.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Most links from a name to a file, as Linux follows them.
const MOST_LINKS: usize = 40;

/// Destination of a file to write.
#[derive(Debug)]
pub(crate) struct Output {
    /// Path as it was named.
    path: PathBuf,
    way: Way,
}

#[derive(Debug)]
enum Way {
    /// Under a name beside the file, whose place it takes when it is whole.
    Beside { target: PathBuf, part: PathBuf },
    /// Into what is there: a device, a pipe, or a file in a folder where none can be made.
    Into,
}

impl Output {
    /// Finds out how `path` can be written, and leaves the file there as it is.
    pub(crate) fn at(path: &Path) -> Result<Self, Error> {
        let way =
            Way::to(path).map_err(|source| Error::Results { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), way })
    }

    /// Writes the file.
    pub(crate) fn write(
        &self,
        content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let written = match &self.way {
            Way::Into => File::create(&self.path).and_then(|file| fill(&file, content)),
            Way::Beside { target, part } => {
                let written = File::create_new(part).and_then(|file| {
                    if let Ok(before) = fs::metadata(target) {
                        file.set_permissions(before.permissions())?;
                    }
                    fill(&file, content)?;
                    file.sync_all()?;
                    fs::rename(part, target)
                });
                if written.is_err() {
                    // What has failed is told; a part that cannot be removed, either, is no news.
                    let _ = fs::remove_file(part);
                }
                written
            }
        };
        written.map_err(|source| Error::Results { path: self.path.clone(), source })
    }
}

impl Way {
    fn to(path: &Path) -> io::Result<Self> {
        let there = match fs::metadata(path) {
            Ok(there) => Some(there),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if there.as_ref().is_some_and(Metadata::is_dir) {
            return Err(ErrorKind::IsADirectory.into());
        }
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Ok(Self::Into);
        }
        if there.is_some() {
            // One that may not be written is not replaced, either.
            File::options().write(true).open(path)?;
        }
        let target = followed(path);
        let mut part = target.clone().into_os_string();
        part.push(format!(".{:08x}.part", rand::random::<u32>()));
        let part = PathBuf::from(part);
        match File::create_new(&part).and_then(|_| fs::remove_file(&part)) {
            Ok(()) => Ok(Self::Beside { target, part }),
            Err(_) if there.is_some() => Ok(Self::Into),
            Err(error) => Err(error),
        }
    }
}

/// The file that a name stands for, which need not be there.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    path
}

fn fill(
    file: &File,
    content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    content(&mut writer)?;
    io::Write::flush(&mut writer)
}
