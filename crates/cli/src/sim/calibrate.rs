//! `netfold sim calibrate`: the cost of datagrams to a core of this machine.
//!
//! A worker and a switch in this process fold a vector over UDP on loopback, in batches, as always.
//! The thread that waits for a call drives its flow itself: so its processor time is the worker's,
//! and the rest of the process's is the switch's. In each round either of them takes a datagram and
//! sends one. Two lengths of packets tell what a packet costs from what a byte does; half of each
//! goes to either way.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use netfold_net::{Communicator, ElementType, JoinRequest, SwitchOptions, Transport};
use netfold_sim::{Calibration, Costs};
use netfold_wire::HEADER_BYTES;
use rustix::time::{ClockId, clock_gettime};

use crate::bench::all_reduce;
use crate::error::Error;
use crate::{SUCCESS, switch, terminal};

/// Lanes of the two kinds of packets.
const LANES: [u16; 2] = [64, 1024];

/// Elements of a call, each of 4 bytes.
const ELEMENTS: u64 = 1 << 20;

/// Calls that are measured, after one that is not.
const CALLS: u32 = 20;

/// Bytes of a lane, and of an element.
const LANE_BYTES: u64 = 4;

/// Nanoseconds of processor time for each round.
#[derive(Clone, Copy)]
struct Round {
    bytes: f64,
    worker_ns: f64,
    switch_ns: f64,
}

/// Measures, shows the calibration, and writes it to `out` if there is one.
pub(super) fn run(out: Option<&Path>) -> Result<i32, Error> {
    let [short, long] = LANES;
    let (short, long) = (measure(short)?, measure(long)?);
    let costs = |of: fn(&Round) -> f64| {
        let byte_ns = ((of(&long) - of(&short)) / (long.bytes - short.bytes)).max(0.0);
        let packet_ns = (of(&short) - byte_ns * short.bytes).max(0.0);
        // Tenths of nanoseconds, and picoseconds for bytes, are more than the measurement tells.
        let (packet_ns, byte_ns) =
            ((packet_ns * 5.0).round() / 10.0, (byte_ns * 500.0).round() / 1000.0);
        Costs {
            receive_packet_ns: packet_ns,
            receive_byte_ns: byte_ns,
            send_packet_ns: packet_ns,
            send_byte_ns: byte_ns,
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let calibration = Calibration {
        measured: format!(
            "by netfold {} over UDP on loopback, on a machine with {cores} cores ({})",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::ARCH
        ),
        host: costs(|round| round.worker_ns),
        switch: costs(|round| round.switch_ns),
    };
    let text = calibration.text().map_err(|error| Error::Usage(error.to_string()))?;
    terminal::say(&text)?;
    if let Some(path) = out {
        fs::write(path, text).map_err(|source| Error::Results { path: path.to_owned(), source })?;
    }
    Ok(SUCCESS)
}

fn measure(lanes: u16) -> Result<Round, Error> {
    let failed = |why: String| Error::Worker { rank: 0, why };
    let options = SwitchOptions { listen: "127.0.0.1:0".into(), ..SwitchOptions::default() };
    let switch = switch::start(&options)?;
    let request = JoinRequest {
        packet_elements: Some(lanes),
        transport: Some(Transport::Udp),
        ..JoinRequest::new("calibration", 0, 1)
    };
    let address = switch.address().to_string();
    let comm = Communicator::connect(&address, request, |_| ControlFlow::Continue(()))
        .map_err(|error| failed(error.to_string()))?;
    let input = vec![0; (ELEMENTS * LANE_BYTES) as usize];
    let mut output = input.clone();
    let mut call = || {
        let call = all_reduce(ElementType::F32, ELEMENTS);
        comm.run(call, &input, &mut output, None).map_err(|error| failed(error.to_string()))
    };
    // Memory is touched for the first time, and the stream starts with exponents.
    call()?;
    let before = (cpu_ns(ClockId::ThreadCPUTime), cpu_ns(ClockId::ProcessCPUTime));
    for _ in 0..CALLS {
        call()?;
    }
    let worker_ns = cpu_ns(ClockId::ThreadCPUTime) - before.0;
    let process_ns = cpu_ns(ClockId::ProcessCPUTime) - before.1;
    let rounds = (u64::from(CALLS) * ELEMENTS).div_ceil(lanes.into()) as f64;
    Ok(Round {
        bytes: HEADER_BYTES as f64 + f64::from(lanes) * LANE_BYTES as f64,
        worker_ns: worker_ns / rounds,
        switch_ns: (process_ns - worker_ns).max(0.0) / rounds,
    })
}

fn cpu_ns(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
