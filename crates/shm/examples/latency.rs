//! Latency of an all-reduce between processes that share memory. Every process is one worker:
//!
//! ```sh
//! cargo run --release -p netfold-shm --example latency -- --workers 4 --bytes 8 --calls 10000 \
//!     --slots 64 --payload 16384
//! ```
//!
//! Prints the median, the 5th and the 95th percentile of a call over all calls of all workers, and
//! the processor time of a call at a worker.

#[path = "../tests/suite/driver/mod.rs"]
mod driver;
#[path = "../tests/suite/meeting/mod.rs"]
mod meeting;

use std::env;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Instant;

use driver::{Driver, spec};
use meeting::{attach, rendezvous};
use netfold_num::{Arithmetic, ElementType};
use netfold_shm::{Segment, send_descriptor};
use rustix::time::{ClockId, clock_gettime};

/// The measurement.
#[derive(Clone, Copy)]
struct Plan {
    workers: u16,
    bytes: usize,
    calls: usize,
    slots: u16,
    payload: u32,
    arithmetic: Arithmetic,
}

/// Returns the value behind `--name`, or `otherwise` without it.
fn argument<T: FromStr>(name: &str, otherwise: T) -> T {
    let value = env::args().skip_while(|argument| argument != name).nth(1);
    value.map_or(otherwise, |value| {
        value.parse().unwrap_or_else(|_| panic!("{name} {value} makes no sense"))
    })
}

fn main() {
    let bytes = argument("--bytes", 8);
    let plan = Plan {
        workers: argument("--workers", 2),
        bytes,
        calls: argument("--calls", if bytes > 1 << 16 { 40 } else { 20_000 }),
        slots: argument("--slots", 64),
        payload: argument("--payload", 16_384),
        arithmetic: if env::args().any(|argument| argument == "--block") {
            Arithmetic::Block
        } else {
            Arithmetic::Native
        },
    };
    let rank = argument("--rank", u16::MAX);
    if rank == u16::MAX {
        measure(plan)
    } else {
        work(plan, rank, &argument("--at", String::new()))
    }
}

/// Starts the workers, gives each the segment, and prints what they have measured.
fn measure(plan: Plan) {
    let spec = spec(plan.workers, plan.slots, plan.payload);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let name = format!("netfold-latency-{}", std::process::id());
    let listener = rendezvous(&name);
    let program = env::current_exe().expect("this program");
    let start = |rank: u16| {
        let mut command = Command::new(&program);
        command.args(env::args().skip(1)).args(["--at", &name, "--rank", &rank.to_string()]);
        command.stdout(Stdio::piped()).spawn().expect("a worker starts")
    };
    let workers: Vec<_> = (0..plan.workers).map(start).collect();
    let sockets: Vec<_> = workers
        .iter()
        .map(|_| {
            let (socket, _) = listener.accept().expect("a worker connects");
            send_descriptor(&socket, segment.descriptor()).expect("the worker takes the memory");
            socket
        })
        .collect();
    let mut nanoseconds: Vec<u64> = Vec::new();
    let mut processor = 0;
    for mut worker in workers {
        let mut text = String::new();
        worker.stdout.take().expect("it is piped").read_to_string(&mut text).expect("text");
        assert!(worker.wait().expect("it ends").success(), "a worker has failed");
        let mut numbers =
            text.split_whitespace().map(|number| number.parse::<u64>().expect("a number"));
        processor += numbers.next().expect("processor time");
        nanoseconds.extend(numbers);
    }
    drop(sockets);
    nanoseconds.sort_unstable();
    let at =
        |share: f64| nanoseconds[((nanoseconds.len() - 1) as f64 * share) as usize] as f64 / 1e3;
    let calls = f64::from(plan.workers) * plan.calls as f64;
    println!(
        "{} workers, {} bytes: median {:.2} us, 5% {:.2}, 95% {:.2}; {:.2} GB/s at a worker; {:.2} us of processor time",
        plan.workers,
        plan.bytes,
        at(0.5),
        at(0.05),
        at(0.95),
        plan.bytes as f64 / at(0.5) / 1e3,
        processor as f64 / calls / 1e3,
    );
}

/// One worker: prints its processor time and how long each call took, in nanoseconds.
fn work(plan: Plan, rank: u16, name: &str) {
    let spec = spec(plan.workers, plan.slots, plan.payload);
    let (segment, _socket) = attach(name, &spec);
    let mut driver = Driver::new(&segment, &spec, rank, plan.arithmetic);
    let zeros = vec![0; plan.bytes];
    let mut tensor = zeros;
    for _ in 0..plan.calls / 10 + 3 {
        tensor = driver.all_reduce(ElementType::F32, tensor).expect("nobody fails");
    }
    assert_eq!(driver.reports, []);
    let used = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    };
    let before = used();
    let mut took = Vec::with_capacity(plan.calls);
    let mut last = Instant::now();
    for _ in 0..plan.calls {
        tensor = driver.all_reduce(ElementType::F32, tensor).expect("nobody fails");
        let now = Instant::now();
        took.push((now - last).as_nanos());
        last = now;
    }
    let mut text = (used() - before).to_string();
    took.iter().for_each(|nanoseconds| text += &format!(" {nanoseconds}"));
    std::io::stdout().write_all(text.as_bytes()).expect("the parent reads");
}
