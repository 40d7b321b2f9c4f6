//! bmv2 as hardware: p4c compiles the program, `simple_switch` runs it between virtual cables in a
//! network namespace of its own, and `simple_switch_CLI` carries out what the control plane says.
//!
//! Reports do not come through: bmv2 passes digests on by a library that its builds may leave out.

mod cables;
mod command_line;
mod tools;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netfold_pisa::p4::{self, Commands};
use netfold_pisa::program::{Pattern, Program};
use netfold_pisa::programs::Admission;
use netfold_pisa::{Control, Replica, Report, Sent};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, HEADER_BYTES, JobId, Kind, Pool, Position,
};
use netfold_wire::{Repr, SlotIndex, WorkerId};

use super::{Hardware, HardwareTarget, WORKERS, address, config, port, switch_address};
use command_line::CommandLine;

pub use cables::{Cable, Namespace};
pub use tools::{is_there, missing};

/// The longest wait for something that must come.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// Port at which the command line finds the switch, in the switch's namespace.
const THRIFT_PORT: u16 = 9090;

/// The Ethernet address, and the multicast group, of frames that go out by all ports.
const FENCE_MAC: u64 = 0x0200_0000_FFFD;
const FENCE_GROUP: u16 = 0xFFFE;

/// The job, and its only worker's number, whose contribution is always answered: behind it, all is
/// done that was asked before.
const FENCE_JOB: u16 = 999;
const FENCE_WORKER: u16 = WORKERS;

/// Times that a packet goes around at most, in one pipeline (R-PISA-14, R-PISA-17).
const MOST_ROUNDS: usize = 2;

/// A switch that runs. Dropping it ends it, and removes everything that was made for it.
pub struct Process {
    switch: Child,
    command_line: CommandLine,
    commands: Commands,
    directory: PathBuf,
}

impl Process {
    /// Compiles a program and runs it in a namespace, with these interfaces there by number of
    /// port.
    ///
    /// # Errors
    /// The output of the tool that failed.
    pub fn start(
        program: &Program,
        namespace: &Namespace,
        ports: &[(u16, String)],
    ) -> Result<Self, String> {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let directory =
            std::env::temp_dir().join(format!("netfold-bmv2-{}-{number}", std::process::id()));
        fs::create_dir_all(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        let (source, json) = (directory.join("program.p4"), directory.join("program.json"));
        let text = p4::v1model(program).map_err(|error| error.to_string())?;
        fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        tools::run(
            Command::new("p4c-bm2-ss").args(["--arch", "v1model", "-o"]).arg(&json).arg(&source),
        )?;
        let log = || {
            File::create(directory.join("switch.log")).map_or_else(|_| Stdio::null(), Stdio::from)
        };
        let mut command = namespace.command("simple_switch");
        for (port, interface) in ports {
            command.args(["-i", &format!("{port}@{interface}")]);
        }
        // It says what happens at an address in the file system, which namespaces do not keep
        // apart.
        let notifications = format!("ipc://{}", directory.join("notifications.ipc").display());
        command.args(["--notifications-addr", &notifications]);
        command.args(["--thrift-port", &THRIFT_PORT.to_string()]).arg(&json);
        command.stdout(log()).stderr(log()).stdin(Stdio::null());
        let switch = command.spawn().map_err(|error| format!("simple_switch: {error}"))?;
        let command_line = CommandLine::default();
        let mut process =
            Self { switch, command_line, commands: Commands::new(program.clone()), directory };
        process.wait(namespace)?;
        process.command_line.start(namespace.command("simple_switch_CLI"), THRIFT_PORT)?;
        Ok(process)
    }

    /// Waits until it listens.
    fn wait(&mut self, namespace: &Namespace) -> Result<(), String> {
        let deadline = Instant::now() + WAIT_LIMIT;
        while namespace.enter(|| TcpStream::connect(("127.0.0.1", THRIFT_PORT)).is_err())? {
            let ended = self.switch.try_wait().map_err(|error| error.to_string())?;
            if ended.is_some() || Instant::now() > deadline {
                let log = fs::read_to_string(self.directory.join("switch.log")).unwrap_or_default();
                return Err(format!("simple_switch does not run: {log}"));
            }
            thread::yield_now();
        }
        Ok(())
    }

    /// Carries out steps of the control plane.
    ///
    /// # Errors
    /// The output of the command line.
    pub fn control(&mut self, controls: &[Control]) -> Result<(), String> {
        let text = self.commands.text(controls);
        self.command_line.run(&text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.command_line.end();
        // `ip netns exec` becomes the switch, so that this is its own number.
        let _ = self.switch.kill();
        let _ = self.switch.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// A switch with a cable for each worker that the cases have, and one for the fence.
pub struct Bmv2 {
    process: Process,
    cables: BTreeMap<u16, Cable>,
    fence: Vec<u8>,
    // Last: cables end with it.
    _namespace: Namespace,
}

impl HardwareTarget<Bmv2> {
    /// A switch that has just started, for jobs with so many lanes.
    ///
    /// # Errors
    /// The output of the tool that failed.
    pub fn start(elements: u16) -> Result<Self, String> {
        let namespace = Namespace::new("switch")?;
        let mut ports = Vec::new();
        let mut cables = BTreeMap::new();
        for number in (0..=FENCE_WORKER).map(port) {
            let (cable, interface) = Cable::new(&namespace, number)?;
            cables.insert(number, cable);
            ports.push((number, interface));
        }
        let config = config(elements);
        let process = Process::start(&config.program(), &namespace, &ports)?;
        let fence =
            address(FENCE_JOB, FENCE_WORKER).frame(&switch_address(), &fence_packet(elements));
        let mut target = Self::new(config, Bmv2 { process, cables, fence, _namespace: namespace });
        target.set_fences()?;
        Ok(target)
    }

    fn set_fences(&mut self) -> Result<(), String> {
        let replicas =
            (0..=FENCE_WORKER).map(|number| Replica { port: port(number), number }).collect();
        let flood = [
            Control::Group { group: FENCE_GROUP, replicas },
            Control::Insert {
                table: "forward",
                patterns: vec![Pattern::Is(FENCE_MAC)],
                action: "flood",
                values: vec![FENCE_GROUP.into()],
            },
        ];
        self.hardware.process.control(&flood)?;
        let workers = vec![(port(FENCE_WORKER), address(FENCE_JOB, FENCE_WORKER))];
        let job = Admission { job: FENCE_JOB, epoch: 1, slots: 1, workers };
        let controls = self.plane.admit(job).map_err(|error| error.to_string())?;
        self.hardware.process.control(&controls)
    }
}

/// A contribution to a round of one worker: complete with it, and answered however often it comes,
/// with lanes for which the answer goes around.
fn fence_packet(elements: u16) -> Vec<u8> {
    use netfold_num::{ElementType, Exponent, Operation};

    let repr = Repr {
        direction: Direction::Contribution(WorkerId(0)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: JobId(FENCE_JOB),
        epoch: Epoch(1),
        position: Position(0),
        slot: SlotIndex(0),
        elements,
        element_type: ElementType::I32,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(0),
    };
    let mut datagram = vec![0; HEADER_BYTES];
    repr.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    datagram.resize(HEADER_BYTES + 4 * usize::from(elements), 0);
    datagram
}

impl Hardware for Bmv2 {
    fn control(&mut self, controls: &[Control]) {
        self.process.control(controls).unwrap_or_else(|said| panic!("{said}"));
    }

    fn exchange(&mut self, port: u16, frame: &[u8]) -> Vec<Sent> {
        self.cable(port).send(frame);
        let fence_port = super::port(FENCE_WORKER);
        // Queues are first in, first out, those of packets that go around as well. An answer that
        // comes after a fence was sent after the packet.
        for _ in 0..MOST_ROUNDS {
            let fence = self.fence.clone();
            self.cable(fence_port).send(&fence);
            self.cable(fence_port).receive(WAIT_LIMIT).expect("a fence is answered");
        }
        // Last, every port is emptied: this leaves by each of them behind all others.
        let flood = [&FENCE_MAC.to_be_bytes()[2..], &[0; 6], &[0x88, 0xB7], &[0; 46]].concat();
        self.cable(fence_port).send(&flood);
        let mut sent = Vec::new();
        for (port, cable) in &mut self.cables {
            loop {
                let bytes = cable.receive(WAIT_LIMIT).expect("a fence goes out by every port");
                if bytes == flood {
                    break;
                }
                sent.push(Sent { port: *port, bytes });
            }
        }
        sent
    }

    fn reports(&mut self) -> Vec<Report> {
        Vec::new()
    }
}

impl Bmv2 {
    fn cable(&mut self, port: u16) -> &mut Cable {
        self.cables.get_mut(&port).expect("a cable for each worker")
    }
}
