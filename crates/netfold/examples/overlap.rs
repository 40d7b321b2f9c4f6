//! Data-parallel training whose sums travel while the next gradient is computed.
//!
//! Each worker fits y = 2x + 1 by its own samples; the gradients of the two parameters are two
//! calls that are under way at the same time, and the loss goes before both as an urgent call.

use std::thread;

use netfold::{Arithmetic, CallOptions, Communicator, Error, Op, Priority, Switch, SwitchOptions};

/// Step of gradient descent.
const RATE: f32 = 0.5;

/// Shows the losses of four workers.
pub fn main() -> Result<(), Error> {
    for (rank, (first, last)) in train(4, 50)?.iter().enumerate() {
        println!("worker {rank}: the loss went from {first:.4} to {last:.6}");
    }
    Ok(())
}

/// Trains with `size` workers, each in a thread, for `steps` steps. Returns the first and the last
/// loss that each has seen.
pub fn train(size: u16, steps: usize) -> Result<Vec<(f32, f32)>, Error> {
    let switch = Switch::start(&SwitchOptions::default())?;
    let address = &switch.address().to_string();
    thread::scope(|scope| {
        let worker = |rank| {
            scope.spawn(move || {
                let settings =
                    netfold::connect(address, "overlap", rank, size).arithmetic(Arithmetic::Native);
                fit(&settings.join()?, steps)
            })
        };
        let workers: Vec<_> = (0..size).map(worker).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    })
}

fn fit(comm: &Communicator, steps: usize) -> Result<(f32, f32), Error> {
    let urgent = comm.with(CallOptions::new().priority(Priority::Urgent));
    // Samples of this worker, between -1 and 1.
    let sample = |index: u16| {
        f32::from(index * comm.size() + comm.rank()) / f32::from(50 * comm.size()) - 1.0
    };
    let samples: Vec<f32> = (0..100).map(sample).collect();
    let (mut slope, mut offset, mut losses) = (0.0, 0.0, Vec::new());
    for _ in 0..steps {
        let errors: Vec<f32> =
            samples.iter().map(|x| slope * x + offset - (2.0 * x + 1.0)).collect();
        let mean = |of: &dyn Fn(f32, f32) -> f32| {
            let sum: f32 = samples.iter().zip(&errors).map(|(x, error)| of(*x, *error)).sum();
            sum / samples.len() as f32
        };
        let of_slope = comm.begin_all_reduce(vec![mean(&|x, error| x * error)], Op::Average)?;
        let of_offset = comm.begin_all_reduce(vec![mean(&|_, error| error)], Op::Average)?;
        let mut loss = [mean(&|_, error| error * error)];
        urgent.all_reduce(&mut loss, Op::Average)?;
        losses.push(loss[0]);
        slope -= RATE * of_slope.wait()?[0];
        offset -= RATE * of_offset.wait()?[0];
    }
    Ok((losses[0], losses[losses.len() - 1]))
}
