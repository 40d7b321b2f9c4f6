//! Programs and scripts as files.

use std::fs;
use std::path::Path;

use crate::error::Error;

/// Writes the files, whose names may have folders, under `out`.
///
/// # Errors
/// [`Error::Results`] with the file that could not be written.
pub(super) fn write(out: &Path, files: &[(String, String)]) -> Result<(), Error> {
    for (name, text) in files {
        let path = out.join(name);
        let folder = path.parent().unwrap_or(out);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|source| Error::Results { path: path.clone(), source })?;
    }
    Ok(())
}
