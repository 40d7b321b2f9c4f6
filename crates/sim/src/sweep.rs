//! All runs of a scenario, on all cores of this machine.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::calibration::Calibration;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::report::Report;
use crate::scenario::Scenario;

/// Runs a scenario on up to `threads` threads, by default one for each core. The reports are in the order of the runs, and do not depend on the threads. `done` hears
/// of each run that has ended, by its place.
///
/// # Errors
/// The first run, by its place, that cannot be simulated.
pub fn run(
    scenario: &Scenario,
    calibration: &Calibration,
    seed: u64,
    threads: Option<NonZero<usize>>,
    done: impl Fn(usize) + Sync,
) -> Result<Vec<Report>, Error> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let (runs, next) = (&scenario.runs, AtomicUsize::new(0));
    let reports: Vec<Mutex<Option<Result<Report, Error>>>> = runs.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..threads.min(runs.len()) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(run), Some(entry)) = (runs.get(place), reports.get(place)) else { break };
                    let report = Cluster::new(&run.setup, calibration, seed).map(|mut cluster| {
                        cluster.run();
                        cluster.report()
                    });
                    if let Ok(mut entry) = entry.lock() {
                        *entry = Some(report);
                    }
                    done(place);
                }
            });
        }
    });
    // A thread that panics takes the scope with it, so that every place is filled.
    reports.into_iter().filter_map(|entry| entry.into_inner().ok().flatten()).collect()
}
