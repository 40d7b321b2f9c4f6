//! Makes and frees subgroups of a job, one at a time and many at once, and tells how fast.
//!
//! `cargo run --release --package netfold --example subgroups [COUNT]`

use std::error::Error;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use netfold::{Communicator, Op, Switch, SwitchOptions, Transport};

/// Subgroups in a second.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Made, used once and freed, one after the other.
    pub in_turn: f64,
    /// Made, all of them before the first is freed.
    pub made: f64,
    /// Freed.
    pub freed: f64,
}

/// Measures at one of two workers.
fn worker(comm: &Communicator, count: u32, both: &Barrier) -> Result<Rates, netfold::Error> {
    let per_second = |since: Instant| f64::from(count) / since.elapsed().as_secs_f64();
    let used = |subgroup: &Communicator| -> Result<(), netfold::Error> {
        let mut sum = [1];
        subgroup.all_reduce(&mut sum, Op::Sum)?;
        assert_eq!(sum, [2], "the sum of both workers");
        Ok(())
    };
    both.wait();
    let start = Instant::now();
    for _ in 0..count {
        used(&comm.subgroup(&[1, 0])?)?;
    }
    let in_turn = per_second(start);
    both.wait();
    let start = Instant::now();
    let subgroups = (0..count).map(|_| comm.subgroup(&[1, 0])).collect::<Result<Vec<_>, _>>()?;
    let made = per_second(start);
    subgroups.iter().try_for_each(used)?;
    both.wait();
    let start = Instant::now();
    drop(subgroups);
    Ok(Rates { in_turn, made, freed: per_second(start) })
}

/// Measures `count` subgroups of a job of two workers, which are threads.
///
/// # Errors
/// A worker's.
pub fn measure(transport: Transport, count: u32) -> Result<Rates, Box<dyn Error>> {
    let switch =
        Switch::start(&SwitchOptions { memory_bytes: 4 << 30, ..SwitchOptions::default() })?;
    let (address, both) = (switch.address().to_string(), Barrier::new(2));
    let measured = thread::scope(|scope| {
        let workers = [0, 1].map(|rank| {
            let (address, both) = (&address, &both);
            scope.spawn(move || {
                let connect = netfold::connect(address, "subgroups", rank, 2);
                worker(&connect.transport(transport).join()?, count, both)
            })
        });
        workers.map(|worker| worker.join().expect("a worker"))
    });
    let [first, _] = measured;
    Ok(first?)
}

/// Prints a table.
///
/// # Errors
/// As [`measure`].
pub fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(200);
    println!("subgroups a second, of two workers; {count} in turn, then as many at once");
    for transport in [Transport::Udp, Transport::Shm] {
        let Rates { in_turn, made, freed } = measure(transport, count)?;
        let name = transport.name();
        println!("{name}: in turn {in_turn:.0}, made {made:.0}, freed {freed:.0}");
    }
    Ok(())
}
