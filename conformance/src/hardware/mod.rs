//! The switch as hardware behind the cases: SwitchML's program, its control plane, and the cables
//! to its workers, whatever runs the program.

pub mod bmv2;
mod interpreter;

use netfold_num::Protocol;
use netfold_pisa::catalog::{example_address, example_switch};
use netfold_pisa::programs::switchml::SwitchMl;
use netfold_pisa::programs::{Address, Admission, FrameConfig, MISMATCH, Plane};
use netfold_pisa::{Control, Report, Sent};
use netfold_wire::{Epoch, Integrity, JobId, Terms, WorkerId};

use crate::target::{Admitted, Datagram, JobShape, Mismatch, Packets, Target};

pub use interpreter::Interpreter;

/// Most workers of a job.
pub const WORKERS: u16 = 64;

/// Whatever runs the program.
pub trait Hardware {
    /// Carries out steps of the control plane.
    fn control(&mut self, controls: &[Control]);

    /// Sends a frame in by a port, and gives all that leaves the switch in consequence, in order
    /// for each port.
    fn exchange(&mut self, port: u16, frame: &[u8]) -> Vec<Sent>;

    /// Returns the reports to the control plane since the last call. There are never any where
    /// nobody passes them on.
    fn reports(&mut self) -> Vec<Report>;
}

/// The program of these targets, in one pipeline with the ports of bmv2, for jobs whose full
/// packets have so many lanes, 1 to 64.
pub fn config(elements: u16) -> SwitchMl {
    SwitchMl {
        workers: WORKERS.into(),
        slots: 256,
        frame: FrameConfig::bmv2(),
        ..SwitchMl::new(elements)
    }
}

/// The port that leads to a worker: the same for each job (R-PISA-6).
pub fn port(worker: u16) -> u16 {
    FrameConfig::bmv2().worker_ports().nth(worker.into()).expect("a port for each worker")
}

/// The worker that a port leads to.
fn worker_at(port: u16) -> u16 {
    FrameConfig::bmv2().worker_ports().take_while(|before| *before < port).count() as u16
}

/// Returns the address of a worker of a job. Jobs share hosts, and have a UDP port each.
pub fn address(job: u16, worker: u16) -> Address {
    Address { port: 10_000 + job, ..example_address(1 + worker) }
}

/// Returns the address of the switch.
pub fn switch_address() -> Address {
    Address { port: FrameConfig::bmv2().udp_port, ..example_switch() }
}

/// A switch that runs the program, as a form of the switch.
pub struct HardwareTarget<H> {
    hardware: H,
    plane: Plane,
    config: SwitchMl,
    jobs: Vec<JobId>,
    admissions: u32,
}

impl<H: Hardware> HardwareTarget<H> {
    /// A switch that has just started, with this program.
    pub fn new(config: SwitchMl, hardware: H) -> Self {
        let plane = Plane::new(config.clone(), switch_address());
        Self { hardware, plane, config, jobs: Vec::new(), admissions: 0 }
    }

    /// Ends all jobs.
    pub fn release_all(&mut self) {
        std::mem::take(&mut self.jobs).into_iter().for_each(|job| self.release(job));
    }
}

impl HardwareTarget<Interpreter> {
    /// A checked pipeline of a Tofino-like switch, for jobs with so many lanes.
    pub fn checked(elements: u16) -> Self {
        Self::checked_for(elements, Protocol::Shadow)
    }

    /// The same for jobs of this protocol.
    pub fn checked_for(elements: u16, protocol: Protocol) -> Self {
        let config = SwitchMl { protocol, ..config(elements) };
        let interpreter = Interpreter::new(&config, netfold_pisa::Target::tofino());
        Self::new(config, interpreter)
    }
}

impl<H: Hardware> Target for HardwareTarget<H> {
    fn packets(&self) -> Packets {
        let Terms { byte_order, integrity, .. } = self.config.terms();
        Packets { byte_order, integrity, payload_bytes: self.config.payload_bytes() }
    }

    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String> {
        let &JobShape { workers, slots, payload_bytes, ref terms, .. } = shape;
        self.config.agrees(terms, payload_bytes).map_err(|error| error.to_string())?;
        if workers > WORKERS {
            return Err(format!("the program is for {WORKERS} workers"));
        }
        let job = (0..)
            .find(|number| !self.jobs.contains(&JobId(*number)))
            .expect("a table of jobs has an end");
        self.admissions += 1;
        let epoch = Epoch(0x5EED + self.admissions);
        let workers = (0..workers).map(|worker| (port(worker), address(job, worker))).collect();
        let admission = Admission { job, epoch: epoch.0, slots, workers };
        let controls = self.plane.admit(admission).map_err(|error| error.to_string())?;
        self.hardware.control(&controls);
        self.jobs.push(JobId(job));
        Ok(Admitted { job: JobId(job), epoch, integrity: Integrity::Transport })
    }

    fn release(&mut self, job: JobId) {
        self.hardware.control(&self.plane.release(job.0));
        self.jobs.retain(|other| *other != job);
    }

    fn exchange(&mut self, job: JobId, from: WorkerId, datagram: &[u8]) -> Vec<Datagram> {
        let frame = address(job.0, from.0).frame(&switch_address(), datagram);
        let sent = self.hardware.exchange(port(from.0), &frame);
        let received = |Sent { port, bytes }: Sent| {
            let to = worker_at(port);
            let reached = |job: &JobId| {
                address(job.0, to).unframe(&bytes).ok().map(|datagram| (*job, datagram))
            };
            let (job, datagram) =
                self.jobs.iter().find_map(reached).expect("a switch sends to a worker of a job");
            Datagram { job, to: WorkerId(to), bytes: datagram.to_vec() }
        };
        sent.into_iter().map(received).collect()
    }

    fn mismatches(&mut self) -> Vec<Mismatch> {
        let reports =
            self.hardware.reports().into_iter().filter(|report| report.reason == MISMATCH);
        let read = |report: Report| {
            let [job, .., worker, first] = report.fields[..] else {
                panic!("a report of the program: {report:?}")
            };
            let worker_of = |field: u64| WorkerId(field as u16);
            Mismatch { job: JobId(job as u16), first: worker_of(first), second: worker_of(worker) }
        };
        reports.map(read).collect()
    }
}
