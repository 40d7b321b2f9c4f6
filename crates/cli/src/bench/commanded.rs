//! A worker of which each round is commanded, so that it can take turns with others: what
//! `python -m bench` measures where no Python is to be in the way.
//!
//! Commands come as lines over a Unix socket, and each gets one line as its answer; `bench/team.py`
//! describes them. Between its rounds the worker blocks in a read, and so takes no time from whose
//! turn it is.

use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use netfold_net::{Call, Communicator, ElementType, Priority, Transport};
use serde::Serialize;

use super::vector::Vectors;
use super::worker::{self, CALL_TIMEOUT, Orders};

/// Elements that are written at once when a vector is filled.
const FILL_ELEMENTS: usize = 1024;

/// Greeting of a worker whose job is complete.
#[derive(Serialize)]
struct Hello {
    version: &'static str,
    arithmetic: String,
    element_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<String>,
    transport: Transport,
    payload_bytes: u32,
    slots: u16,
    flows: u16,
    segmentation: bool,
}

/// Command to the worker.
#[derive(Debug, PartialEq)]
enum Command {
    /// All-reduce vectors of so many bytes, whose sum is known, and compare.
    Check { bytes: u64 },
    /// Fill the vector, of so many bytes, with ones.
    Fill { bytes: u64 },
    /// After a barrier, all-reduce it so often, in place. After every `refill` of these it is
    /// filled again, outside of what is timed, so that the sums of sums do not overflow.
    Run { calls: u64, refill: u64 },
    /// So many times: fill the vector, and after a barrier time an all-reduce in place.
    Apart { calls: u64 },
    /// Leave the job.
    End,
}

impl Command {
    /// `None` if it is no command.
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let command = match words[..] {
            ["check", bytes] => Self::Check { bytes: bytes.parse().ok()? },
            ["fill", bytes] => Self::Fill { bytes: bytes.parse().ok()? },
            ["run", calls, refill] => Self::Run {
                calls: calls.parse().ok()?,
                refill: refill.parse().ok().filter(|&refill| refill > 0)?,
            },
            ["apart", calls] => Self::Apart { calls: calls.parse().ok()? },
            ["end"] => Self::End,
            _ => return None,
        };
        Some(command)
    }
}

/// Joins the job of the orders, says so at this socket, and obeys until told to end or the
/// controller is gone.
///
/// # Errors
/// The job cannot be joined, or the controller not be reached.
pub(crate) fn serve(orders: &Orders, controller: &Path) -> Result<(), String> {
    let element_type: ElementType = worker::parse(&orders.element_type)?;
    let priority = orders.priority.as_deref().map(worker::parse).transpose()?;
    let comm = worker::connect(orders, || ControlFlow::Continue(()))?;
    let stats = comm.stats().map_err(|error| error.to_string())?;
    let hello = Hello {
        version: env!("CARGO_PKG_VERSION"),
        arithmetic: comm.arithmetic().to_string(),
        element_type: element_type.to_string(),
        priority: orders.priority.clone(),
        transport: stats.transport,
        payload_bytes: stats.payload_bytes,
        slots: stats.slots.max(stats.long_slots),
        flows: stats.flows,
        segmentation: stats.segmentation,
    };
    let vectors = Vectors { element_type, workers: orders.workers, arithmetic: comm.arithmetic() };
    let worker = Worker { comm, vectors, priority, rank: orders.rank, tensor: Vec::new() };
    worker
        .obey(controller, &hello)
        .map_err(|error| format!("the controller at {}: {error}", controller.display()))
}

struct Worker {
    comm: Communicator,
    vectors: Vectors,
    priority: Option<Priority>,
    rank: u16,
    tensor: Vec<u8>,
}

impl Worker {
    fn obey(mut self, controller: &Path, hello: &Hello) -> io::Result<()> {
        let socket = UnixStream::connect(controller)?;
        let mut answers = &socket;
        let mut tell = |answer: String| answers.write_all((answer + "\n").as_bytes());
        tell(format!("hello {} {}", self.rank, serde_json::to_string(hello)?))?;
        for line in BufReader::new(&socket).lines() {
            let answer = match Command::parse(&line?) {
                Some(Command::Check { bytes }) => self.check(bytes).map(|()| "ok".into()),
                Some(Command::Fill { bytes }) => {
                    self.tensor.resize(bytes as usize, 0);
                    self.fill();
                    Ok("ok".into())
                }
                Some(Command::Run { calls, refill }) => {
                    self.run(calls, refill).map(|time| format!("done {:.9}", time.as_secs_f64()))
                }
                Some(Command::Apart { calls }) => self.run_apart(calls).map(|times| {
                    let seconds = times.iter().map(|time| format!(" {:.9}", time.as_secs_f64()));
                    format!("times{}", seconds.collect::<String>())
                }),
                Some(Command::End) => break,
                None => Err("unknown command".into()),
            };
            tell(answer.unwrap_or_else(|why| format!("failed {why}")))?;
        }
        Ok(())
    }

    fn check(&mut self, bytes: u64) -> Result<(), String> {
        self.tensor =
            self.vectors.input(self.rank, bytes / self.vectors.element_type.bytes() as u64);
        self.all_reduce()?;
        self.vectors.check(&self.tensor)
    }

    fn fill(&mut self) {
        // By large pieces: a run fills several times, and is to spend its processor time on calls.
        let elements = self.tensor.len() / self.vectors.element_type.bytes();
        let ones = self.vectors.one().repeat(elements.clamp(1, FILL_ELEMENTS));
        for piece in self.tensor.chunks_mut(ones.len()) {
            piece.copy_from_slice(&ones[..piece.len()]);
        }
    }

    fn run(&mut self, calls: u64, refill: u64) -> Result<Duration, String> {
        self.barrier()?;
        let (mut left, mut time) = (calls, Duration::ZERO);
        while left > 0 {
            let burst = left.min(refill);
            let start = Instant::now();
            for _ in 0..burst {
                self.all_reduce()?;
            }
            time += start.elapsed();
            left -= burst;
            if left > 0 {
                self.fill();
            }
        }
        Ok(time)
    }

    fn run_apart(&mut self, calls: u64) -> Result<Vec<Duration>, String> {
        let mut times = Vec::new();
        for _ in 0..calls {
            self.fill();
            self.barrier()?;
            let start = Instant::now();
            self.all_reduce()?;
            times.push(start.elapsed());
        }
        Ok(times)
    }

    fn barrier(&self) -> Result<(), String> {
        self.comm.run(Call::BARRIER, &[], &mut [], CALL_TIMEOUT).map_err(|error| error.to_string())
    }

    fn all_reduce(&mut self) -> Result<(), String> {
        let element_type = self.vectors.element_type;
        let elements = (self.tensor.len() / element_type.bytes()) as u64;
        let call = Call { priority: self.priority, ..worker::all_reduce(element_type, elements) };
        self.comm
            .run_in_place(call, &mut self.tensor, CALL_TIMEOUT)
            .map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_anything_else_is_none() {
        assert_eq!(Command::parse("check 8"), Some(Command::Check { bytes: 8 }));
        assert_eq!(Command::parse("fill 1024"), Some(Command::Fill { bytes: 1024 }));
        assert_eq!(Command::parse("run 10 3"), Some(Command::Run { calls: 10, refill: 3 }));
        assert_eq!(Command::parse("apart 20"), Some(Command::Apart { calls: 20 }));
        assert_eq!(Command::parse("end"), Some(Command::End));
        for line in [
            "",
            "ends",
            "check",
            "check -8",
            "fill 8 8",
            "run 10",
            "run 10 0",
            "run 10 3 1",
            "apart",
            "apart x",
        ] {
            assert_eq!(Command::parse(line), None, "{line:?}");
        }
    }
}
