//! Operations of users in scenarios: the modules that jobs name, on the switches' array.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use netfold_cgra::{Array, Chain};
use netfold_sim::Scenario;

use crate::cgra::Mapped;
use crate::cgra::flags::SEED;
use crate::error::Error;
use crate::op::{load, wrong};

/// Reads the operations of a scenario's jobs, and returns the scenario with them. A path begins at
/// the scenario's folder.
///
/// # Errors
/// [`Error::File`] for a module that cannot be read, [`Error::Operation`] for one that a switch
/// refuses, folds nothing, or has no place on the array.
pub(super) fn read(mut scenario: Scenario, path: &Path) -> Result<Scenario, Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut known: BTreeMap<(PathBuf, String), Arc<Chain>> = BTreeMap::new();
    for run in &mut scenario.runs {
        // The simulator refuses operations without an array, and arrays that it does not know.
        let Some(name) = &run.setup.switches.array else { continue };
        let Some(text) = Array::built_in(name) else { continue };
        for job in &mut run.setup.jobs {
            let Some(module) = job.operation.as_ref().map(|path| folder.join(path)) else {
                continue;
            };
            let chain = match known.entry((module, name.clone())) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let chain = chain(&new.key().0, text)?;
                    new.insert(Arc::new(chain))
                }
            };
            job.chain = Some(chain.clone());
        }
    }
    Ok(scenario)
}

fn chain(module: &Path, array: &str) -> Result<Chain, Error> {
    let array = Array::parse(array).map_err(wrong(module))?;
    Mapped::new(&load(module)?, &array, SEED).chain(&array).map_err(wrong(module))
}
