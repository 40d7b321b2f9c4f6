//! `netfold sim replay`: traces of MPI programs on networks of any size (ACiS, figure 6).

use std::fs;
use std::path::{Path, PathBuf};

use netfold_sim::Calibration;
use netfold_sim::plans::Means;
use netfold_sim::replay::{Replay, Trace};
use serde_json::Value;

use super::plan::{store, text};
use super::{read, refused};
use crate::cli::ReplayFlags;
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Name of the results.
const NAME: &str = "replay";

/// Replays all traces, and shows the tables.
pub(super) fn run(flags: &ReplayFlags) -> Result<i32, Error> {
    let parameters = flags.network.as_deref().map(|path| read("the network", path)).transpose()?;
    let sizes = flags.sizes.clone().unwrap_or_default();
    let replay = Replay::new(parameters.as_deref(), flags.nodes.clone(), flags.one_switch, sizes);
    let place = flags.network.clone().unwrap_or_else(|| "the command line".into());
    let replay = replay.map_err(refused(&place))?;
    let mut traces = Vec::new();
    for path in &flags.traces {
        traces.extend(applications(path)?);
    }
    let (seed, calibration, threads) = (flags.seed, Calibration::built_in(), flags.threads);
    let means = Means { seed, calibration, threads };
    let figures = replay.run(&traces, &means).map_err(refused(&flags.traces[0]))?;
    terminal::say(&text(&figures, terminal::table))?;
    if let Some(folder) = &flags.out {
        store(folder, NAME, &figures)?;
    }
    Ok(SUCCESS)
}

/// Returns the applications of a path, by name: a file, a folder of files that are one run, or a
/// folder of such.
fn applications(path: &Path) -> Result<Vec<(String, Trace)>, Error> {
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !path.is_dir() {
        return Ok(vec![(name(path), trace(path, &[path.to_owned()])?)]);
    }
    let inside = entries(path)?;
    if let Some(parts) = one_run(&inside)? {
        return Ok(vec![(name(path), trace(path, &parts)?)]);
    }
    let mut all = Vec::new();
    for entry in inside {
        let files = if entry.is_dir() { entries(&entry)? } else { vec![entry.clone()] };
        all.push((name(&entry), trace(&entry, &files)?));
    }
    Ok(all)
}

/// Returns the files of a folder, if each has the header of one rank, and no two of the same: those
/// of one run (R-MTR-2, R-MTR-3).
fn one_run(files: &[PathBuf]) -> Result<Option<Vec<PathBuf>>, Error> {
    if files.len() < 2 || files.iter().any(|file| file.is_dir()) {
        return Ok(None);
    }
    let mut ranks = Vec::new();
    for file in files {
        let text = read("the trace", file)?;
        let headers = text.lines().filter(|line| line.contains("\"trace\":"));
        let headers = headers.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        ranks.extend(headers.map(|header| header["rank"].as_u64()));
    }
    ranks.sort_unstable();
    let differ = ranks.len() == files.len() && ranks.windows(2).all(|pair| pair[0] != pair[1]);
    Ok(differ.then(|| files.to_vec()))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::File { what: "the trace", path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn trace(path: &Path, files: &[PathBuf]) -> Result<Trace, Error> {
    let mut texts = Vec::new();
    for file in files {
        texts.push((file.display().to_string(), read("the trace", file)?));
    }
    let texts = texts.iter().map(|(name, text)| (&**name, &**text));
    Trace::parse(texts).map_err(refused(path))
}
