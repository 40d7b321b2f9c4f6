//! The workers of a benchmark, as processes or threads.

use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use rustix::process::{Signal, set_parent_process_death_signal};

use super::commanded;
use super::worker::{self, Event, Orders};
use crate::error::Error;
use crate::{FAILURE, SUCCESS};

/// Name of the program that can be started as a worker.
const PROGRAM: &str = "netfold";

/// Running workers. Dropping it ends those that still run.
pub(crate) struct Crew {
    /// Events of the workers, each with the rank of its sender. Each worker ends with `Done` or
    /// `Failed`.
    pub events: Receiver<(u16, Event)>,
    processes: Vec<Child>,
    threads: Vec<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Crew {
    /// Starts a worker for each rank with these orders.
    pub(crate) fn start(orders: &Orders, log: &str) -> Result<Self, Error> {
        let (sender, events) = mpsc::channel();
        let mut crew =
            Self { events, processes: Vec::new(), threads: Vec::new(), stop: Arc::default() };
        let program = own_program();
        for rank in 0..orders.workers {
            let orders = Orders { rank, ..orders.clone() };
            match &program {
                Some(program) => crew.start_process(program, &orders, log, sender.clone())?,
                None => crew.start_thread(orders, sender.clone())?,
            }
        }
        Ok(crew)
    }

    /// `processes` or `threads`.
    pub(crate) fn workers_are(&self) -> &'static str {
        if self.processes.is_empty() { "threads" } else { "processes" }
    }

    /// Waits until all have ended by themselves, after their last events: they still take leave of
    /// the switch.
    pub(crate) fn finish(mut self) {
        for mut child in self.processes.drain(..) {
            // What it has measured is known, and the rest is its own affair.
            let _ = child.wait();
        }
    }

    fn start_process(
        &mut self,
        program: &PathBuf,
        orders: &Orders,
        log: &str,
        sender: Sender<(u16, Event)>,
    ) -> Result<(), Error> {
        let mut child = Command::new(program)
            .args(["bench-worker", "--log", log])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(Error::system("a worker could not be started"))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        self.processes.push(child);
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else { return Ok(()) };
        // The orders may hold a token: the list of processes would show arguments to everyone.
        serde_json::to_writer(&mut stdin, orders)
            .map_err(io::Error::from)
            .and_then(|()| stdin.write_all(b"\n"))
            .map_err(Error::system("a worker did not take its orders"))?;
        let rank = orders.rank;
        self.spawn(rank, move || {
            let events = BufReader::new(stdout).lines().map_while(Result::ok);
            let mut ended = false;
            for event in events.filter_map(|line| serde_json::from_str::<Event>(&line).ok()) {
                ended |= event.is_last();
                // The receiver may have seen enough.
                let _ = sender.send((rank, event));
            }
            if !ended {
                let _ = sender.send((
                    rank,
                    Event::Failed("its process ended too early; see its messages".into()),
                ));
            }
        })
    }

    fn start_thread(&mut self, orders: Orders, sender: Sender<(u16, Event)>) -> Result<(), Error> {
        let (rank, stop) = (orders.rank, self.stop.clone());
        self.spawn(rank, move || {
            let go_on = || {
                if stop.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            worker::work(&orders, go_on, |event| {
                // The receiver may have seen enough.
                let _ = sender.send((rank, event));
            });
        })
    }

    fn spawn(&mut self, rank: u16, body: impl FnOnce() + Send + 'static) -> Result<(), Error> {
        let thread = thread::Builder::new()
            .name(format!("netfold-bench-{rank}"))
            .spawn(body)
            .map_err(Error::system("a thread could not be started"))?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for child in &mut self.processes {
            // One that has ended already cannot be killed.
            let _ = child.kill();
            let _ = child.wait();
        }
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

/// This program, if it is one that can be started as a worker: inside a Python interpreter it is
/// not.
fn own_program() -> Option<PathBuf> {
    std::env::current_exe().ok().filter(|path| path.file_stem().is_some_and(|name| name == PROGRAM))
}

/// The worker's process: orders come as a line on standard input, events go as lines to standard
/// output. With a controller, it is told what to do there.
pub(crate) fn run_worker_process() -> Result<i32, Error> {
    // A benchmark that is killed takes its workers with it.
    set_parent_process_death_signal(Some(Signal::TERM))
        .map_err(|error| Error::system("the worker cannot be bound to its parent")(error.into()))?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(Error::system("no orders on standard input"))?;
    let orders: Orders = serde_json::from_str(&line)
        .map_err(|_| Error::Usage("bench-worker is for `netfold bench` itself; run that".into()))?;
    if let Some(controller) = &orders.controller {
        return match commanded::serve(&orders, controller) {
            Ok(()) => Ok(SUCCESS),
            Err(why) => Err(Error::Worker { rank: orders.rank, why }),
        };
    }
    let go_on = || ControlFlow::Continue(());
    let good = worker::work(&orders, go_on, |event| {
        if let Ok(text) = serde_json::to_string(&event) {
            // The parent notices by itself when it cannot be told.
            let _ = writeln!(io::stdout(), "{text}");
        }
    });
    Ok(if good { SUCCESS } else { FAILURE })
}
