//! The parts of a cluster, from its setup.

use std::collections::BTreeMap;
use std::ops::Range;

use netfold_switch::{Shard, TypedOperation};
use netfold_wire::IntegrityKind;

use crate::array::ArrayOfSwitch;
use crate::calibration::Calibration;
use crate::core::{Core, Costs};
use crate::defect::Defect;
use crate::error::Error;
use crate::link::{Link, LinkSpec};
use crate::setup::{
    Behaviour, Compression, Content, CostsOf, Crash, Cut, JobSetup, Layer, Setup, Stall, Stop,
    SwitchCrash, SwitchStall, SystemName, check_table,
};
use crate::switch::Switches;
use crate::time::Time;
use crate::topology::{Topology, down, up};

/// Memory of a shard as it is simulated. What a pipeline really has is checked where a job is
/// admitted, for packets as long as they really are.
const SIMULATED_MEMORY_BYTES: u64 = u64::MAX;

/// The highest rate of a link, in 10^9 bits per second: a byte takes 8 picoseconds there.
const MOST_GBPS: f64 = 1_000.0;

/// Both directions of every link, in the order of legs.
pub(crate) fn links(setup: &Setup, topology: &Topology, seed: u64) -> Result<Vec<Link>, Error> {
    let specs = setup.all_layers().iter().map(spec).collect::<Result<Vec<_>, _>>()?;
    let mut links = Vec::new();
    for leg in 1..topology.legs() {
        let spec = &specs[topology.parent(leg).map_or(0, |_| topology.layer(leg))];
        links.extend([up(leg), down(leg)].map(|number| Link::new(spec, seed, number)));
    }
    links.extend(topology.crosses().map(|number| Link::new(&specs[0], seed, number)));
    for &Cut { layer, child, from_us, until_us } in &setup.cuts {
        let leg = topology.child(layer, child)?;
        let (from, until) =
            period(from_us, until_us, || format!("the cut of child {child} of layer {layer}"))?;
        for number in [up(leg), down(leg)] {
            links[number as usize].cut(from, until);
        }
    }
    Ok(links)
}

/// Returns the times at which something begins and ends.
pub(crate) fn period(
    from_us: u64,
    until_us: u64,
    what: impl FnOnce() -> String,
) -> Result<(Time, Time), Error> {
    if until_us < from_us {
        return Err(Error::Period { what: what(), from_us, until_us });
    }
    Ok((Time::from_us(from_us), Time::from_us(until_us)))
}

fn spec(layer: &Layer) -> Result<LinkSpec, Error> {
    let &Layer { rate_gbps, delay_ns, queue_bytes, mark_bytes, faults, fan_out: _ } = layer;
    faults.checked()?;
    let rate_bps = (rate_gbps * 1e9).round();
    if !(rate_bps >= 1.0 && rate_gbps <= MOST_GBPS) {
        let (what, value) = ("layers.rate_gbps", rate_gbps.to_string());
        return Err(Error::Number { what, value, instead: "a rate above 0 and up to 1000" });
    }
    Ok(LinkSpec {
        rate_bps: rate_bps as u64,
        delay: Time::from_ns(delay_ns),
        queue_bytes,
        mark_bytes,
        faults,
    })
}

/// All cores: those of switches, then those of hosts.
pub(crate) fn cores(
    setup: &Setup,
    calibration: &Calibration,
    topology: &Topology,
) -> Result<Vec<Core>, Error> {
    let Setup { switches, hosts, .. } = setup;
    for (what, number) in [("switches.pipelines", switches.pipelines), ("hosts.cores", hosts.cores)]
    {
        at_least_one(what, number)?;
    }
    let of_switches = costs(switches.costs, calibration.switch)?;
    let of_hosts = costs(hosts.costs, calibration.host)?;
    let pipelines = topology.switches() as usize * usize::from(switches.pipelines);
    let host_cores = topology.hosts() as usize * usize::from(hosts.cores);
    let mut cores: Vec<_> =
        (0..pipelines).map(|_| Core::new(of_switches, switches.inbox_bytes)).collect();
    cores.extend((0..host_cores).map(|_| Core::new(of_hosts, hosts.inbox_bytes)));
    let of_host = |host: u32| {
        let first = pipelines + host as usize * usize::from(hosts.cores);
        let missing =
            Error::Missing { what: "host", index: host.into(), count: topology.hosts().into() };
        if host < topology.hosts() {
            Ok(first..first + usize::from(hosts.cores))
        } else {
            Err(missing)
        }
    };
    for &Stall { host, from_us, until_us } in &setup.stalls {
        let (from, until) = period(from_us, until_us, || format!("the stall of host {host}"))?;
        for core in &mut cores[of_host(host)?] {
            core.stall(from, until);
        }
    }
    for &Crash { host, at_us } in &setup.crashes {
        for core in &mut cores[of_host(host)?] {
            core.stop(Time::from_us(at_us), None);
        }
    }
    for &SwitchStall { switch, from_us, until_us } in &setup.switch_stalls {
        let (from, until) = period(from_us, until_us, || format!("the stall of switch {switch}"))?;
        for core in &mut cores[pipelines_of(setup, topology, switch)?] {
            core.stall(from, until);
        }
    }
    for &SwitchCrash { switch, at_us, how, restarts_us } in &setup.switch_crashes {
        if let Some(restarts_us) =
            restarts_us.filter(|restarts_us| *restarts_us <= at_us || how == Stop::Silent)
        {
            let (what, value) = ("switch_crashes.restarts_us", restarts_us.to_string());
            let instead = "a time after at_us, of a switch that is \"killed\" or \"stopped\"";
            return Err(Error::Number { what, value, instead });
        }
        for core in &mut cores[pipelines_of(setup, topology, switch)?] {
            core.stop(Time::from_us(at_us), restarts_us.map(Time::from_us));
        }
    }
    Ok(cores)
}

fn costs(of: CostsOf, measured: Costs) -> Result<Costs, Error> {
    let costs = match of {
        CostsOf::Nothing => Costs::NONE,
        CostsOf::Measured => measured,
        CostsOf::Given(costs) => costs,
    };
    costs.checked()?;
    Ok(costs)
}

/// All switches, without jobs.
pub(crate) fn switches(setup: &Setup, topology: &Topology, seed: u64) -> Result<Switches, Error> {
    let pipelines = topology.switches() as usize * usize::from(setup.switches.pipelines);
    let mut defects: Vec<_> = (0..pipelines).map(|_| None).collect();
    for error in &setup.switch_errors {
        if !(0.0..=1.0).contains(&error.share) {
            return Err(Error::Share { what: "switch_errors.share", share: error.share });
        }
        for index in pipelines_of(setup, topology, error.switch)? {
            defects[index] = Some(Defect::new(*error, seed, index));
        }
    }
    Ok(Switches {
        shards: (0..pipelines).map(|_| shard(setup)).collect(),
        defects,
        memory_free: vec![setup.switches.memory_bytes; pipelines],
        peak_memory: 0,
        ports: vec![Vec::new(); topology.switches() as usize],
        pipelines: setup.switches.pipelines,
        latency: Time::from_ns(setup.switches.latency_ns),
        charge: None,
        array: array(setup)?,
        recirculations: 0,
        tables: BTreeMap::new(),
        told: Vec::new(),
        buffer: Vec::new(),
    })
}

/// Reads the array that carries out folds, if the setup names one.
fn array(setup: &Setup) -> Result<Option<ArrayOfSwitch>, Error> {
    let Some(name) = &setup.switches.array else {
        let needs = |job: &&JobSetup| job.operation.is_some() || job.chain.is_some();
        return setup.jobs.iter().find(needs).map_or(Ok(None), |job| {
            let why = "its operation is for an array; give switches.array, such as \"acis\"";
            Err(Error::Hardware { job: job.name.clone(), why: why.into() })
        });
    };
    if setup.switches.hardware.is_some() {
        let (what, value) = ("switches.array", format!("{name:?} beside switches.hardware"));
        return Err(Error::Number { what, value, instead: "one of the two" });
    }
    ArrayOfSwitch::named(name, &setup.jobs).map(Some)
}

/// The places of a switch's pipelines among all of them.
fn pipelines_of(setup: &Setup, topology: &Topology, switch: u32) -> Result<Range<usize>, Error> {
    let pipelines = usize::from(setup.switches.pipelines);
    let first = switch as usize * pipelines;
    let missing =
        Error::Missing { what: "switch", index: switch.into(), count: topology.switches().into() };
    if switch < topology.switches() { Ok(first..first + pipelines) } else { Err(missing) }
}

/// A pipeline's memory, without jobs.
pub(crate) fn shard(setup: &Setup) -> Shard {
    // With a management plane packets are as long as they are.
    let memory_bytes = if setup.management.is_some() {
        setup.switches.memory_bytes
    } else {
        SIMULATED_MEMORY_BYTES
    };
    Shard::new(memory_bytes)
}

/// Checks that a job can be on this cluster.
pub(crate) fn check_job(setup: &Setup, job: &JobSetup, topology: &Topology) -> Result<(), Error> {
    let JobSetup { workers, first_host: first, flows, slots, payload_bytes, .. } = *job;
    for (what, number) in [("jobs.workers", workers), ("jobs.flows", flows), ("jobs.slots", slots)]
    {
        at_least_one(what, number)?;
    }
    let others = u32::from(job.urgent_slots()) + u32::from(job.exchange_slots());
    if u32::from(slots) + others > u32::from(u16::MAX) || job.urgent_slots() == 0 {
        let (what, value) =
            ("jobs.slots, jobs.urgent_slots", format!("{slots}, {}", job.urgent_slots()));
        return Err(Error::Number {
            what,
            value,
            instead: "at least 1 of each, and at most 65535 together",
        });
    }
    let last = u64::from(first) + u64::from(job.hosts()) - 1;
    if last >= topology.hosts().into() {
        return Err(Error::Hosts { job: job.name.clone(), first, last, hosts: topology.hosts() });
    }
    let damaging = setup.layers.iter().any(|layer| layer.faults.corruption > 0.0);
    if job.system != SystemName::Netfold {
        if setup.management.is_some() {
            let (what, instead) =
                ("peers of netfold's have no management plane", "leave out [management]");
            return Err(Error::Peer { job: job.name.clone(), what, instead });
        }
        at_least_one("jobs.payload_bytes", payload_bytes.min(u16::MAX.into()) as u16)?;
        check_messages(setup, job)?;
        return check_peer(job, damaging);
    }
    check_table(job)?;
    if job.mpi.is_some() {
        let (what, instead) = ("netfold has no algorithms of MPI's", "give system = \"mpi\"");
        return Err(Error::Peer { job: job.name.clone(), what, instead });
    }
    if job.compression.is_some() {
        let (what, instead) =
            ("netfold does not compress", "give system = \"ring\", or no compression");
        return Err(Error::Peer { job: job.name.clone(), what, instead });
    }
    let pipelines = setup.switches.pipelines;
    if flows > pipelines {
        return Err(Error::Flows { job: job.name.clone(), flows, pipelines });
    }
    if damaging && !setup.traffic.is_empty() {
        let (what, value) = ("layers.faults.corruption", "with traffic".to_owned());
        return Err(Error::Number {
            what,
            value,
            instead: "0, since TCP's checksum is not simulated",
        });
    }
    if damaging && job.terms.integrity == IntegrityKind::Transport {
        return Err(Error::Unproven { job: job.name.clone() });
    }
    match &setup.management {
        Some(management) => check_managed(job, pipelines, management.trees),
        None => check_unmanaged(job),
    }
}

/// Refuses what workers cannot ask of a switch.
fn check_managed(job: &JobSetup, pipelines: u16, trees: u32) -> Result<(), Error> {
    let wrong = |what| Err(Error::Managed { job: job.name.clone(), what });
    if job.content != Content::Real {
        return wrong(
            "probes stand for packets that a management plane would have to know of; give content = \"real\"",
        );
    }
    // R-OP-34: state is at one.
    let keeps_state = job.operations.iter().any(|operation| operation.state_bytes().is_some());
    if job.flows != if keeps_state { 1 } else { pipelines } {
        return wrong(
            "a job has as many flows as switches have pipelines, or one if an operation of its \
             own keeps state; give flows = switches.pipelines, or 1",
        );
    }
    if job.urgent_slots.is_some() || job.exchange_slots.is_some() {
        return wrong(
            "the switch decides on the slots of the other streams; leave out urgent_slots and exchange_slots",
        );
    }
    let others = job.exceptions.iter().filter_map(|exception| match &exception.does {
        Behaviour::Trees(trees) => Some(trees),
        _ => None,
    });
    let are_there = |list: &Vec<u32>| !list.is_empty() && list.iter().all(|tree| *tree < trees);
    if !others.chain([&job.trees]).all(are_there) {
        return wrong(
            "it is to be in a tree that is not there, or in none; give trees below management.trees",
        );
    }
    if job.exceptions.iter().any(|exception| exception.rank >= job.workers) {
        return wrong("an exception is made for a rank that it does not have");
    }
    Ok(())
}

fn check_unmanaged(job: &JobSetup) -> Result<(), Error> {
    if job.lent_slots
        || job.start_us > 0
        || job.terms.resumable
        || job.terms.elastic
        || job.trees != [0]
        || !job.exceptions.is_empty()
    {
        let what = "start_us, lent_slots, trees, resumable, elastic and exceptions are for workers that join; add the table [management]";
        return Err(Error::Managed { job: job.name.clone(), what });
    }
    Ok(())
}

/// Refuses networks on which messages, which are not sent again, may be lost, or that change their
/// rate on the way.
fn check_messages(setup: &Setup, job: &JobSetup) -> Result<(), Error> {
    /// Bytes that no call has under way.
    const NO_LIMIT_BYTES: u64 = 1 << 40;
    let layers = setup.all_layers();
    let is_lossless = |layer: &Layer| {
        layer.faults.are_none()
            && layer.queue_bytes >= NO_LIMIT_BYTES
            && layer.rate_gbps.to_bits() == layers[0].rate_gbps.to_bits()
    };
    if job.system != SystemName::Mpi || (job.flows == 1 && layers.iter().all(is_lossless)) {
        return Ok(());
    }
    let (what, instead) = (
        "messages of MPI are not sent again, and go on before they are whole",
        "give one flow, links of one rate without faults, and queue_bytes of 2^40 or more",
    );
    Err(Error::Peer { job: job.name.clone(), what, instead })
}

fn check_peer(job: &JobSetup, damaging: bool) -> Result<(), Error> {
    check_table(job)?;
    let refused = |what, instead| Err(Error::Peer { job: job.name.clone(), what, instead });
    if (job.system == SystemName::Mpi) != job.mpi.is_some() {
        return refused(
            "MPI's processes, and they alone, have an algorithm",
            "give system = \"mpi\" and mpi = { algorithm = .. }, or neither",
        );
    }
    if damaging {
        return refused("peers of netfold's find no corruption", "give faults without it");
    }
    if u32::from(job.workers) + u32::from(job.servers()) > u32::from(u16::MAX) {
        return refused("ranks of workers and servers are 16 bits", "give at most 32767 workers");
    }
    match job.compression {
        Some(_) if job.system != SystemName::Ring => {
            refused("servers take no compressed vectors", "give system = \"ring\"")
        }
        Some(Compression { ratio, element_ns })
            if !(ratio > 0.0 && ratio <= 1.0 && element_ns >= 0.0 && element_ns.is_finite()) =>
        {
            refused(
                "such a compression cannot be",
                "give a ratio above 0 and up to 1, and nanoseconds of 0 or more",
            )
        }
        _ => Ok(()),
    }
}

fn at_least_one(what: &'static str, number: u16) -> Result<(), Error> {
    let value = number.to_string();
    if number == 0 { Err(Error::Number { what, value, instead: "1 or more" }) } else { Ok(()) }
}
