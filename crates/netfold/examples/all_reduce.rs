//! Workers of a job average their vectors.
//!
//! A switch and four workers run in this process. Elsewhere each worker is a process of its own,
//! and the switch is the command `netfold switch` on a machine that all of them reach.

use std::thread;

use netfold::{Communicator, Error, Op, Switch, SwitchOptions};

/// Shows what each of four workers has got.
pub fn main() -> Result<(), Error> {
    let means = in_threads(4)?;
    println!("the mean of all ranks, as each worker has it: {means:?}");
    Ok(())
}

/// Averages a million elements over all workers. Returns the first of the result.
fn work(comm: Communicator) -> Result<f32, Error> {
    let mut vector = vec![f32::from(comm.rank()); 1_000_000];
    comm.all_reduce(&mut vector, Op::Average)?;
    Ok(vector[0])
}

/// Runs a switch, and each of `size` workers in a thread.
pub fn in_threads(size: u16) -> Result<Vec<f32>, Error> {
    let switch = Switch::start(&SwitchOptions::default())?;
    let address = &switch.address().to_string();
    thread::scope(|scope| {
        let worker = |rank| {
            scope.spawn(move || work(netfold::connect(address, "example", rank, size).join()?))
        };
        let workers: Vec<_> = (0..size).map(worker).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    })
}
