//! Work that is done on all cores.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::simulate::HdlError;

/// Does `job` for each number below `count`, on all cores, until one fails.
///
/// # Errors
/// The error of a job.
///
/// # Panics
/// If a job does.
pub fn each(
    count: usize,
    job: impl Fn(usize) -> Result<(), HdlError> + Sync,
) -> Result<(), HdlError> {
    let next = AtomicUsize::new(0);
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return Ok(());
        }
        job(number).inspect_err(|_| next.store(count, Ordering::Relaxed))?;
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores.min(count)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
