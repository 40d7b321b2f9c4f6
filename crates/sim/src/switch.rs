//! Switches: each pipeline is a shard, with a link for each port.

use std::collections::BTreeMap;

use netfold_switch::{AdmissionError, Event, Recipients, Shard};
use netfold_wire::WorkerId;

use crate::array::{ArrayOfSwitch, Stay};
use crate::core::{Core, LOOK_AHEAD, Work};
use crate::datagram::{DatagramId, Label, Party};
use crate::defect::Defect;
use crate::hardware::Charge;
use crate::keyed::TableWays;
use crate::network::Network;
use crate::time::Time;

/// The ports of a job at a switch.
#[derive(Clone, Debug)]
pub(crate) struct Ports {
    pub(crate) members: Vec<Port>,
    /// The link to the switch above.
    pub(crate) parent: Option<u32>,
    /// Number of bytes for which each byte of its lanes stands.
    pub(crate) inflation: u32,
}

/// The way to a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Port {
    pub(crate) name: WorkerId,
    pub(crate) link: u32,
    /// Job of a worker, by its place in the setup.
    pub(crate) job: u16,
}

/// All switches.
pub(crate) struct Switches {
    /// Each pipeline of each switch.
    pub(crate) shards: Vec<Shard>,
    /// Errors of each of them.
    pub(crate) defects: Vec<Option<Defect>>,
    /// Bytes that each of them has left, for packets as long as they really are.
    pub(crate) memory_free: Vec<u64>,
    /// The most bytes that a pipeline has held for jobs that its management plane has admitted.
    pub(crate) peak_memory: u64,
    /// Ports by switch, then the job's number.
    pub(crate) ports: Vec<Vec<Option<Ports>>>,
    pub(crate) pipelines: u16,
    pub(crate) latency: Time,
    /// Cost of a packet's passes, if the switches are hardware.
    pub(crate) charge: Option<Charge>,
    /// The array that carries out folds, if they take time.
    pub(crate) array: Option<ArrayOfSwitch>,
    /// Passes of packets beyond the first.
    pub(crate) recirculations: u64,
    /// Tables, by the place of their job in the setup.
    pub(crate) tables: BTreeMap<u16, TableWays>,
    /// Events for the shards' management plane, each with its shard's place.
    pub(crate) told: Vec<(usize, Event)>,
    pub(crate) buffer: Vec<u8>,
}

impl Switches {
    /// Takes memory of a pipeline for a job.
    pub(crate) fn reserve(&mut self, pipeline: usize, needed: u64) -> Result<(), AdmissionError> {
        let free = &mut self.memory_free[pipeline];
        *free = free.checked_sub(needed).ok_or(AdmissionError::Memory { needed, free: *free })?;
        Ok(())
    }

    /// Opens the ports of a job at a switch.
    pub(crate) fn connect(&mut self, switch: usize, number: u16, ports: Ports) {
        let of_switch = &mut self.ports[switch];
        if of_switch.len() <= usize::from(number) {
            of_switch.resize(usize::from(number) + 1, None);
        }
        of_switch[usize::from(number)] = Some(ports);
    }

    /// Runs a turn of pipeline number `index`, which begins now. Returns whether it is to have
    /// another as soon as it is free.
    pub(crate) fn turn(
        &mut self,
        (core, index): (&mut Core, usize),
        network: &mut Network,
        now: Time,
    ) -> bool {
        let mut clock = now;
        while let Some(work) = core.inbox.pop_front() {
            let Work::Take { datagram, .. } = work else { continue };
            let Label { bytes, job, flow, marked, from, .. } = network.pool.label(datagram);
            core.inbox_bytes -= u64::from(bytes);
            clock += core.costs.receive(bytes);
            if let Some(from) = from {
                self.take_of_table((core, index), (datagram, from), network, &mut clock);
                if clock.since(now) > LOOK_AHEAD {
                    break;
                }
                continue;
            }
            let stay = self.take((network.pool.bytes(datagram), bytes), index, (job, marked));
            network.pool.release(datagram);
            self.recirculations += stay.passes.saturating_sub(1);
            if let Some(Charge { passes, pass }) = self.charge {
                self.recirculations += u64::from(passes.fold) - 1;
                clock += pass.times(passes.fold.into());
            }
            clock += stay.busy;
            self.send((core, index), (flow, stay.rest), network, &mut clock);
            if clock.since(now) > LOOK_AHEAD {
                break;
            }
        }
        core.free_at = clock;
        !core.inbox.is_empty()
    }

    /// Has a pipeline take a packet, and returns its stay in the array; `bytes` are those of header
    /// and lanes that it stands for.
    fn take(
        &mut self,
        (came, bytes): (&[u8], u32),
        index: usize,
        (job, marked): (u16, bool),
    ) -> Stay {
        let Self { shards, defects, array, ports, pipelines, .. } = self;
        let shard = &mut shards[index];
        let altered = defects[index].as_mut().and_then(|defect| defect.alter(came, shard));
        let ends = |shard: &Shard| shard.counters().rounds_completed;
        let before = array.as_ref().filter(|array| array.has_results(job)).map(|_| ends(shard));
        shard.handle(altered.as_deref().unwrap_or(came), marked.into());
        let Some(array) = array else { return Stay::default() };
        let completes = before.is_some_and(|before| before < ends(shard));
        array.stay(job, (came, bytes), completes, |number| {
            let of_switch = &ports[index / usize::from(*pipelines)];
            let ports = of_switch.get(usize::from(number.0)).and_then(Option::as_ref);
            ports.is_none_or(|ports| ports.parent.is_none())
        })
    }

    /// Takes a packet of a table, and sends the answer, and what the table asks the switches below.
    fn take_of_table(
        &mut self,
        (core, index): (&Core, usize),
        (datagram, from): (DatagramId, Party),
        network: &mut Network,
        clock: &mut Time,
    ) {
        let Label { job, flow, marked, .. } = network.pool.label(datagram);
        let Self { shards, defects, tables, pipelines, latency, buffer, .. } = self;
        let (shard, switch) = (&mut shards[index], index as u32 / u32::from(*pipelines));
        let came = network.pool.bytes(datagram);
        let Some(ways) = tables.get(&job) else { return network.pool.release(datagram) };
        let altered =
            defects[index].as_mut().and_then(|defect| defect.alter_push(came, &ways.integrity));
        let len = shard.handle_table(altered.as_deref().unwrap_or(came), marked.into(), buffer);
        network.pool.release(datagram);
        let mut send = |bytes: &[u8], to: Party| {
            let Some(link) = ways.link(switch, to).filter(|_| !bytes.is_empty()) else { return };
            let label = Label::new(job, flow, bytes.len(), 1);
            let label = match to {
                Party::Endpoint(endpoint) => Label { to: Some(endpoint), ..label },
                Party::Switch(other) => {
                    Label { switch: Some(other), from: Some(Party::Switch(switch)), ..label }
                }
            };
            let datagram = network.pool.insert(bytes, label);
            *clock += core.costs.send(label.bytes);
            network.send(link, *clock + *latency, datagram);
        };
        send(&buffer[..len], from);
        while let Some(request) = shard.poll_leaf_request() {
            if let Some(leaf) = ways.leaf(switch, request.leaf) {
                send(request.datagram(), Party::Switch(leaf));
            }
        }
    }

    /// Sends what a datagram has brought, `rest` after the pipeline is free again.
    fn send(
        &mut self,
        (core, index): (&Core, usize),
        (flow, rest): (u16, Time),
        network: &mut Network,
        clock: &mut Time,
    ) {
        // The result of a round goes around with the packet that has completed it, once for all
        // that get it.
        let mut goes_around =
            self.charge.map(|Charge { passes, pass }| (passes.result - passes.fold, pass));
        let Self { shards, ports, pipelines, latency, recirculations, told, buffer, .. } = self;
        let shard = &mut shards[index];
        while let Some(transmit) = shard.poll_transmit(buffer, 1) {
            if let Some((passes, pass)) =
                goes_around.take_if(|_| !matches!(transmit.to, Recipients::One(_)))
            {
                *recirculations += u64::from(passes);
                *clock += pass.times(passes.into());
            }
            let of_switch = &ports[index / usize::from(*pipelines)];
            let Some(Some(Ports { members, parent, inflation })) =
                of_switch.get(usize::from(transmit.job.0))
            else {
                continue;
            };
            let first = members.first().map_or(0, |member| member.job);
            let mut label = Label::new(first, flow, transmit.len, *inflation);
            let mut datagram = network.pool.insert(&buffer[..transmit.len], label);
            let above =
                parent.filter(|_| transmit.to == Recipients::Parent).map(|link| (link, label.job));
            let below = members.iter().filter(|member| transmit.to.include(member.name));
            for (link, job) in
                above.into_iter().chain(below.map(|member| (member.link, member.job)))
            {
                if label.job != job {
                    network.pool.release(datagram);
                    label.job = job;
                    datagram = network.pool.insert(&buffer[..transmit.len], label);
                }
                *clock += core.costs.send(label.bytes);
                network.pool.retain(datagram);
                network.send(link, *clock + *latency + rest, datagram);
            }
            network.pool.release(datagram);
        }
        told.extend(std::iter::from_fn(|| shard.poll_event()).map(|event| (index, event)));
    }
}
