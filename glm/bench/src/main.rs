//! One worker of `bench/p4sgd`: the engine of linear models, with workers that meet through netfold
//! or through Open MPI.
//!
//! All ways to meet are in each process, on the same samples, with the same code around them: what
//! differs between two contenders is the exchange alone. A controller at the other end of a Unix
//! socket has them take turns; between orders a worker waits in a read, and keeps no core busy.
//!
//! `netfold-bench-sgd SOCKET [RANK SIZE]`; with the feature `openmpi` mpirun starts it, and says
//! rank and size.
#![deny(unsafe_code)] // but for `mpi`

mod exchange;
#[cfg(feature = "openmpi")]
mod mpi;
mod orders;
mod samples;

use std::env;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use netfold_glm::{
    Config, Data, FoldTime, Loss, Penalty, Rate, Spread, Stopping, Targets, Trainer,
};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use exchange::Jobs;
use orders::{Answer, By, Fit, Fitted, Folds, Hello, Holding, Order, Told};
use samples::Held;

const USAGE: &str = "usage: netfold-bench-sgd SOCKET [RANK SIZE]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("netfold-bench-sgd: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let socket = arguments.next().ok_or(USAGE)?;
    #[cfg(feature = "openmpi")]
    let world = mpi::World::start();
    #[cfg(feature = "openmpi")]
    let hello = Hello { rank: world.rank, size: world.size, mpi: Some(world.version.clone()) };
    #[cfg(not(feature = "openmpi"))]
    let hello = {
        let mut number = || arguments.next().ok_or(USAGE)?.parse::<usize>().map_err(|_| USAGE);
        Hello { rank: number()?, size: number()?, mpi: None }
    };
    let mut worker =
        Worker { controller: Controller::connect(&socket)?, rank: hello.rank, size: hello.size };
    worker.pin()?;
    worker.controller.say(&hello)?;
    worker.serve()
}

/// The other end of the socket.
struct Controller {
    orders: BufReader<UnixStream>,
    answers: UnixStream,
}

impl Controller {
    fn connect(socket: &str) -> Result<Self, Box<dyn Error>> {
        let answers = UnixStream::connect(socket)?;
        Ok(Self { orders: BufReader::new(answers.try_clone()?), answers })
    }

    fn say(&mut self, what: &impl serde::Serialize) -> Result<(), Box<dyn Error>> {
        let mut line = serde_json::to_string(what)?;
        line.push('\n');
        Ok(self.answers.write_all(line.as_bytes())?)
    }

    /// Returns the next order; `None` when there will be no more.
    fn order(&mut self) -> Result<Option<Order>, Box<dyn Error>> {
        let mut line = String::new();
        if self.orders.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(serde_json::from_str(&line)?))
    }
}

struct Worker {
    controller: Controller,
    rank: usize,
    size: usize,
}

impl Worker {
    /// Takes a core of those that it may use, by turns; one that is alone has all of them. Threads
    /// that are started later stay there, too.
    fn pin(&self) -> Result<(), Box<dyn Error>> {
        if self.size > 1 {
            let allowed = sched_getaffinity(None)?;
            let cores: Vec<_> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
            let mut set = CpuSet::new();
            set.set(cores[self.rank % cores.len()]);
            sched_setaffinity(None, &set)?;
        }
        Ok(())
    }

    fn serve(&mut self) -> Result<(), Box<dyn Error>> {
        let mut jobs = Jobs::none(self.rank, self.size);
        let mut order = self.controller.order()?;
        loop {
            order = match order {
                None => return Ok(()),
                Some(Order::Join { switch, job, transport }) => {
                    jobs = jobs.join(&switch, &job, &transport)?;
                    self.controller.say(&Answer::Done)?;
                    self.controller.order()?
                }
                Some(Order::Hold(holding)) => self.hold(&holding, &jobs)?,
                Some(Order::Fit(_)) => return Err("there are no samples; hold some first".into()),
            };
        }
    }

    /// Trains on samples until there is another order, which is given back.
    fn hold(&mut self, holding: &Holding, jobs: &Jobs) -> Result<Option<Order>, Box<dyn Error>> {
        let features = Held::features(holding, self.rank, self.size)?;
        let split = |&engines: &usize| Ok((engines, features.data(holding.bits, engines)?));
        let by_features: Vec<_> =
            holding.engines.iter().map(split).collect::<Result<_, Box<dyn Error>>>()?;
        let rows =
            holding.rows_too.then(|| Held::rows(holding, self.rank, self.size)).transpose()?;
        let by_rows = rows.as_ref().map(|rows| rows.data(holding.bits, 1)).transpose()?;
        self.controller.say(&Answer::Done)?;
        loop {
            let fit = match self.controller.order()? {
                Some(Order::Fit(fit)) => fit,
                other => return Ok(other),
            };
            let answer = match (fit.spread, &rows, &by_rows) {
                (By::Model, ..) => {
                    match by_features.iter().find(|(engines, _)| *engines == fit.engines) {
                        Some((_, data)) => train(fit, data, &features.labels, jobs),
                        None => Err("samples are not held for so many engines".into()),
                    }
                }
                (By::Data, Some(rows), Some(data)) => train(fit, data, &rows.labels, jobs),
                (By::Data, ..) => Err("samples are not held by rows".into()),
            };
            let answer =
                answer.map_or_else(|error| Answer::Failed(error.to_string()), Answer::Fitted);
            self.controller.say(&answer)?;
        }
    }
}

fn train(fit: Fit, data: &Data<'_>, labels: &[u32], jobs: &Jobs) -> Result<Fitted, Box<dyn Error>> {
    let config = Config {
        loss: Loss::Logistic,
        // Algorithm 1 has none.
        penalty: Penalty::NONE,
        rate: Rate::Constant { eta0: fit.eta },
        batch: fit.batch,
        micro_batch: fit.micro_batch,
        // Steps have the same rows, whatever is split.
        shuffle: false,
        stopping: Stopping { epochs: fit.epochs, tolerance: None, ..Stopping::default() },
        spread: match fit.spread {
            By::Model => Spread::Model,
            By::Data => Spread::Data,
        },
        ..Config::default()
    };
    let targets = Targets::classes(labels, 2)?;
    let exchange = jobs.exchange(fit.through, fit.traced)?;
    let mut trainer = Trainer::new(config, data, &targets, exchange)?;
    trainer.record(fit.traced);
    let mut told = Vec::with_capacity(fit.epochs);
    trainer.fit(data, &targets, |epoch| {
        told.push(Told { loss: epoch.loss, seconds: epoch.time.as_secs_f64(), bytes: epoch.bytes });
        ControlFlow::Continue(())
    })?;
    let folds = trainer.record(false).map(|trace| {
        let FoldTime { total, hidden } = trace.fold_time();
        Folds { total, hidden }
    });
    Ok(Fitted { epochs: told, folds })
}
