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

/// Runs a scenario on up to `threads` threads, by default one for each core. The reports are in the
/// order of the runs, and do not depend on the threads. `done` hears of each run that has ended, by
/// its place.
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
    each(&scenario.runs, threads, |place, run| {
        let report = Cluster::new(&run.setup, calibration, seed).map(|mut cluster| {
            cluster.run();
            cluster.report()
        });
        done(place);
        report
    })
}

/// Does the same to each item, on up to `threads` threads. Results are in the order of the items.
///
/// # Errors
/// The first, by the place of its item.
pub(crate) fn each<I: Sync, T: Send>(
    items: &[I],
    threads: Option<NonZero<usize>>,
    work: impl Fn(usize, &I) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Result<T, Error>>>> =
        items.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(item), Some(entry)) = (items.get(place), results.get(place)) else {
                        break;
                    };
                    let result = work(place, item);
                    if let Ok(mut entry) = entry.lock() {
                        *entry = Some(result);
                    }
                }
            });
        }
    });
    // A thread that panics takes the scope with it, so that every place is filled.
    results.into_iter().filter_map(|entry| entry.into_inner().ok().flatten()).collect()
}
