//! Workers of a job, each in a thread.

use std::thread;
use std::time::Duration;

use netfold::{Arithmetic, CallOptions, Communicator, Connect, Switch, SwitchOptions};

/// Longer than anything takes here, so that what hangs fails.
pub const WAIT_LIMIT: Duration = Duration::from_secs(20);

/// Runs `work` as each of `size` workers of a job of native arithmetic, with settings that `set`
/// adds. Returns what came of it, by rank.
pub fn workers<R: Send>(
    size: u16,
    set: impl Fn(Connect) -> Connect + Sync,
    work: impl Fn(Communicator) -> R + Sync,
) -> Vec<R> {
    workers_at(&Switch::start(&SwitchOptions::default()).expect("a switch"), size, set, work)
}

/// The same at a switch.
pub fn workers_at<R: Send>(
    switch: &Switch,
    size: u16,
    set: impl Fn(Connect) -> Connect + Sync,
    work: impl Fn(Communicator) -> R + Sync,
) -> Vec<R> {
    let address = switch.address().to_string();
    let worker = |rank| {
        let settings =
            netfold::connect(&address, "test", rank, size).arithmetic(Arithmetic::Native);
        let comm = set(settings).join().expect("all workers come");
        work(comm.with(CallOptions::new().timeout(WAIT_LIMIT)))
    };
    thread::scope(|scope| {
        let worker = &worker;
        let threads: Vec<_> = (0..size).map(|rank| scope.spawn(move || worker(rank))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a worker")).collect()
    })
}
