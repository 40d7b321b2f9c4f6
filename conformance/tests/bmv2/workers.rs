//! Real workers through bmv2: each in a network namespace of its own, with a cable to the switch.
//! The switch's management plane is on a port like any other, at the switch's own address.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use libtest_mimic::Failed;
use netfold_conformance::hardware::bmv2::{Namespace, Process};
use netfold_control::{Server, ServerHandle};
use netfold_management::{
    Admission, AdmissionError, DataPlane, JobStatus, JoinRequest, Limits, Registry, ShardStatus,
    Spare, Transport,
};
use netfold_net::{Communicator, Error};
use netfold_num::{Arithmetic, ByteOrder, ElementType, Operation, Protocol};
use netfold_pisa::catalog::example_address;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::switchml::SwitchMl;
use netfold_pisa::programs::{self, Address, FrameConfig, Plane};
use netfold_pisa::{Control, program::Pattern};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::{Call, Collective, Reduction};

const WORKERS: u16 = 3;
const TIMEOUT: Duration = Duration::from_secs(60);

/// Share of datagrams that a cable loses.
const LOSS_PERCENT: u32 = 2;

/// The port that leads to the management plane.
const MANAGER: u16 = 200;
const MANAGER_PORT: u16 = 4800;

/// In one pipeline, with the ports of bmv2.
fn config(arithmetic: programs::Arithmetic, elements: u16) -> SwitchMl {
    let (pipelines, frame, slots) = (1, FrameConfig::bmv2(), 64);
    let spread = SwitchMl::with(arithmetic, elements);
    SwitchMl { pipelines, frame, slots, workers: WORKERS.into(), ..spread }
}

fn block() -> SwitchMl {
    config(programs::Arithmetic::Block, 64)
}

/// Returns the address of the worker or the manager behind a port, with this UDP port.
fn address(port: u16, udp: u16) -> Address {
    Address { port: udp, ..example_address(port) }
}

fn ip(port: u16) -> Ipv4Addr {
    Ipv4Addr::from(address(port, 0).ip)
}

fn mac(port: u16) -> String {
    let bytes = address(port, 0).mac.to_be_bytes();
    bytes[2..].iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":")
}

/// A switch with a management plane, and a namespace for each worker.
struct Rack {
    config: SwitchMl,
    // The manager goes first, then the switch that it has, then what both are in.
    _manager: ServerHandle,
    workers: Vec<Namespace>,
    _others: [Namespace; 2],
}

impl Rack {
    fn start(config: SwitchMl) -> Result<Self, String> {
        let (switch, manager) = (Namespace::new("switch")?, Namespace::new("manager")?);
        let workers =
            (0..WORKERS).map(|_| Namespace::new("worker")).collect::<Result<Vec<_>, _>>()?;
        let hosts: Vec<_> = (1..).zip(&workers).chain([(MANAGER, &manager)]).collect();
        let mut ports = Vec::new();
        for (port, host) in &hosts {
            let near = format!("near{port}");
            connect(&switch, host, *port, &near)?;
            ports.push((*port, near));
            for (other, _) in hosts.iter().filter(|(other, _)| other != port) {
                let (ip, mac) = (ip(*other).to_string(), mac(*other));
                host.ip(&["neigh", "add", &ip, "lladdr", &mac, "dev", "far", "nud", "permanent"])?;
            }
        }
        let mut process = Process::start(&config.program(), &switch, &ports)?;
        let forward = |(port, _): &(u16, String)| Control::Insert {
            table: "forward",
            patterns: vec![Pattern::Is(address(*port, 0).mac)],
            action: "send",
            values: vec![(*port).into()],
        };
        process.control(&ports.iter().map(forward).collect::<Vec<_>>())?;
        let udp_port = config.frame.udp_port;
        let plane = Plane::new(config.clone(), address(MANAGER, udp_port));
        let data_plane = Hardware { config: config.clone(), process, plane, jobs: BTreeMap::new() };
        let shards = vec![SocketAddr::from((ip(MANAGER), udp_port))];
        let registry = Registry::new(Limits::default(), shards, Vec::new());
        let manager_handle = manager.enter(|| {
            let listener = TcpListener::bind((ip(MANAGER), MANAGER_PORT))?;
            Server::start(listener, registry, Box::new(data_plane))
        })?;
        let manager_handle = manager_handle.map_err(|error| format!("the manager: {error}"))?;
        Ok(Self { config, _manager: manager_handle, workers, _others: [switch, manager] })
    }

    /// Has each worker's cable lose some of the datagrams that it carries, either way.
    fn lose(&self) -> Result<(), String> {
        let chain = |hook: &str| {
            format!(
                "chain {hook} {{ type filter hook {hook} device far priority 0; policy accept; \
                 ip protocol udp numgen random mod 100 < {LOSS_PERCENT} drop; }}"
            )
        };
        let table = format!("table netdev lossy {{\n{}\n{}\n}}", chain("ingress"), chain("egress"));
        self.workers.iter().try_for_each(|worker| {
            let output = worker.command("nft").arg(&table).output();
            let output = output.map_err(|error| format!("nft: {error}"))?;
            let said = String::from_utf8_lossy(&output.stderr);
            if output.status.success() { Ok(()) } else { Err(format!("nft: {said}")) }
        })
    }

    /// Has each worker do something in its namespace.
    fn workers<R: Send>(&self, act: impl Fn(u16) -> R + Sync) -> Result<Vec<R>, String> {
        let act = &act;
        thread::scope(|scope| {
            let start =
                |(rank, namespace)| scope.spawn(move || Namespace::enter(namespace, || act(rank)));
            let threads: Vec<_> = (0..).zip(&self.workers).map(start).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().map_err(|_| "a worker panicked")?)
                .collect()
        })
    }
}

/// A cable from the switch to a host, which has an address there.
fn connect(switch: &Namespace, host: &Namespace, port: u16, near: &str) -> Result<(), String> {
    switch.ip(&[
        "link",
        "add",
        near,
        "type",
        "veth",
        "peer",
        "name",
        "far",
        "netns",
        host.name(),
    ])?;
    switch.no_offloads(near)?;
    switch.ip(&["link", "set", near, "up"])?;
    host.no_offloads("far")?;
    host.ip(&["link", "set", "far", "address", &mac(port), "up"])?;
    host.ip(&["address", "add", &format!("{}/24", ip(port)), "dev", "far"])
}

/// The switch as the management plane's data plane.
struct Hardware {
    config: SwitchMl,
    process: Process,
    plane: Plane,
    jobs: BTreeMap<u16, u16>,
}

impl Hardware {
    fn take(&mut self, job: &Admission) -> Result<(), String> {
        let terms = job.terms.with_integrity(job.terms.integrity.kind());
        self.config.agrees(&terms, job.payload_bytes).map_err(|error| error.to_string())?;
        let worker = |member: &netfold_management::Member| match member.addresses[..] {
            [SocketAddr::V4(at)] => {
                let port = u16::from(at.ip().octets()[3]);
                (port, address(port, at.port()))
            }
            _ => panic!("one flow, over IPv4"),
        };
        let workers = job.members.iter().map(worker).collect();
        let admission =
            programs::Admission { job: job.job, epoch: job.epoch, slots: job.slots, workers };
        let controls = self.plane.admit(admission).map_err(|error| error.to_string())?;
        self.process.control(&controls)?;
        self.jobs.insert(job.job, job.slots);
        Ok(())
    }
}

impl DataPlane for Hardware {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        self.take(job).map_err(AdmissionError::Other)
    }

    fn release(&mut self, job: u16) {
        self.jobs.remove(&job);
        self.process.control(&self.plane.release(job)).unwrap_or_else(|said| panic!("{said}"));
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        let jobs = self.jobs.iter().map(|(job, slots)| JobStatus {
            job: *job,
            slots: *slots,
            ..JobStatus::default()
        });
        vec![ShardStatus {
            counters: Vec::new(),
            memory_used: 0,
            memory_total: 0,
            jobs: jobs.collect(),
            tables: Vec::new(),
            queries: Vec::new(),
        }]
    }

    fn spare(&self) -> Spare {
        // The slots are in the program, and the jobs here ask for theirs.
        Spare::PLENTY
    }
}

/// Asks for a job that the program folds.
fn request(config: &SwitchMl, rank: u16) -> JoinRequest {
    let arithmetic = match config.arithmetic {
        programs::Arithmetic::Block => Arithmetic::Block,
        programs::Arithmetic::Fpisa(Variant::Approximate) => Arithmetic::FpisaA,
        programs::Arithmetic::Fpisa(Variant::Full) => Arithmetic::Fpisa,
    };
    let SwitchMl { byte_order, protocol, elements, .. } = *config;
    JoinRequest {
        terms: Terms {
            arithmetic,
            byte_order,
            protocol,
            ..Terms::new(Some(IntegrityKind::Transport))
        },
        packet_elements: Some(elements),
        slots: Some(16),
        transport: Some(Transport::Udp),
        timeout: TIMEOUT,
        ..JoinRequest::new("hardware", rank, WORKERS)
    }
}

fn join(request: JoinRequest) -> Result<Communicator, Error> {
    let address = format!("{}:{MANAGER_PORT}", ip(MANAGER));
    Communicator::connect(&address, request, |_| ControlFlow::Continue(()))
}

/// Element i of a worker's vector in a call: exact in FP32, as sums of these are.
fn value(rank: u16, call: u64, element: u64) -> f32 {
    (f64::from(rank + 1) * ((element * 37 + call * 101) % 1009) as f64 / 64.0) as f32
}

fn sum(comm: &Communicator, number: u64, elements: u64) -> Result<Vec<u8>, Error> {
    let mut tensor: Vec<u8> =
        (0..elements).flat_map(|i| value(comm.rank(), number, i).to_ne_bytes()).collect();
    let call = Call {
        collective: Collective::AllReduce,
        reduction: Reduction::Fold(Operation::Sum),
        element_type: ElementType::F32,
        elements,
        priority: None,
    };
    comm.run_in_place(call, &mut tensor, Some(TIMEOUT))?;
    Ok(tensor)
}

/// Sums of integers, in `block`.
pub fn sums_through_bmv2() -> Result<(), Failed> {
    // Values are below 2^6. Each of n loses at most half of n 2^6 / (2^31 - 1) (R-NUM-8, R-NUM-9),
    // and rounding to FP32, which holds the exact sum, at most doubles what all of them lose.
    let bound = f64::from(WORKERS).powi(2) * 2f64.powi(6) / (2f64.powi(31) - 1.0);
    sums(&Rack::start(block())?, bound)
}

/// The same with results that are acknowledged, packets whose lanes are no power of two, and a
/// network that loses some.
pub fn acknowledged_sums_through_bmv2() -> Result<(), Failed> {
    let bound = f64::from(WORKERS).powi(2) * 2f64.powi(6) / (2f64.powi(31) - 1.0);
    let config = config(programs::Arithmetic::Block, 40);
    let rack = Rack::start(SwitchMl { protocol: Protocol::Acked, ..config })?;
    rack.lose()?;
    sums(&rack, bound)
}

/// Sums of floats by FPISA, in packets of eight lanes: exact, since all bits of these values fit a
/// mantissa wherever they move.
pub fn floats_through_bmv2() -> Result<(), Failed> {
    let rack = Rack::start(config(programs::Arithmetic::Fpisa(Variant::Full), 8))?;
    rack.lose()?;
    sums(&rack, 0.0)
}

/// The same by FPISA-A, with little-endian lanes.
pub fn little_endian_floats_through_bmv2() -> Result<(), Failed> {
    let config = config(programs::Arithmetic::Fpisa(Variant::Approximate), 8);
    sums(&Rack::start(SwitchMl { byte_order: ByteOrder::Little, ..config })?, 0.0)
}

/// Calls of all lengths, in two jobs one after the other: the same bits at every worker, and near
/// the exact sum.
fn sums(rack: &Rack, bound: f64) -> Result<(), Failed> {
    for run in 0..2 {
        let results = rack.workers(|rank| -> Result<Vec<Vec<u8>>, Error> {
            let comm = join(request(&rack.config, rank))?;
            [1, 63, 64, 700, 4_000]
                .iter()
                .zip(10 * run..)
                .map(|(elements, call)| sum(&comm, call, *elements))
                .collect()
        })?;
        let outputs = results.into_iter().collect::<Result<Vec<_>, _>>()?;
        for (call, output) in (10 * run..).zip(&outputs[0]) {
            for (i, bytes) in (0..).zip(output.chunks_exact(4)) {
                let exact: f64 = (0..WORKERS).map(|rank| f64::from(value(rank, call, i))).sum();
                let got = f64::from(f32::from_ne_bytes(bytes.try_into()?));
                assert!(
                    (got - exact).abs() <= bound,
                    "element {i} of call {call}: {got}, not {exact}"
                );
            }
        }
        assert!(outputs.iter().all(|output| *output == outputs[0]), "workers have different bits");
    }
    Ok(())
}

/// A job that a pipeline cannot fold is refused. The refusal says what to do.
pub fn what_a_pipeline_cannot_fold_is_refused() -> Result<(), Failed> {
    let rack = Rack::start(block())?;
    let results = rack.workers(|rank| {
        let asks = request(&rack.config, rank);
        let refused = join(JoinRequest {
            terms: Terms { byte_order: ByteOrder::Little, ..asks.terms },
            ..asks
        });
        refused.err().map(|error| error.to_string())
    })?;
    for said in results {
        let said = said.ok_or("a pipeline has taken a job with lanes that it cannot add")?;
        assert!(said.contains("byte_order = \"network\""), "{said}");
    }
    Ok(())
}
