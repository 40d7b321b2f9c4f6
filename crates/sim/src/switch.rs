//! Switches: each pipeline is a shard, with a link for each port.

use netfold_switch::{AdmissionError, Event, Recipients, Shard};
use netfold_wire::WorkerId;

use crate::core::{Core, LOOK_AHEAD, Work};
use crate::datagram::Label;
use crate::job::Job;
use crate::network::Network;
use crate::time::Time;

/// The ports of a job at a switch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ports {
    /// The link to each member.
    pub(crate) members: Vec<(WorkerId, u32)>,
    /// The link to the switch above.
    pub(crate) parent: Option<u32>,
}

/// All switches.
pub(crate) struct Switches {
    /// Each pipeline of each switch.
    pub(crate) shards: Vec<Shard>,
    /// Bytes that each of them has left, for packets as long as they really are.
    pub(crate) memory_free: Vec<u64>,
    /// Ports by switch, then job.
    pub(crate) ports: Vec<Ports>,
    pub(crate) pipelines: u16,
    pub(crate) latency: Time,
    /// What shards had to tell their management plane.
    pub(crate) told: Vec<Event>,
    pub(crate) buffer: Vec<u8>,
}

impl Switches {
    /// Takes memory of a pipeline for a job.
    pub(crate) fn reserve(&mut self, pipeline: usize, needed: u64) -> Result<(), AdmissionError> {
        let free = &mut self.memory_free[pipeline];
        *free = free.checked_sub(needed).ok_or(AdmissionError::Memory { needed, free: *free })?;
        Ok(())
    }

    /// A turn of pipeline number `index`, which begins now. Returns whether it is to have another as soon as it is free.
    pub(crate) fn turn(
        &mut self,
        (core, index): (&mut Core, usize),
        jobs: &[Job],
        network: &mut Network,
        now: Time,
    ) -> bool {
        let mut clock = now;
        while let Some(work) = core.inbox.pop_front() {
            let Work::Take { datagram, .. } = work else { continue };
            let Label { bytes, flow, marked, .. } = network.pool.label(datagram);
            core.inbox_bytes -= u64::from(bytes);
            clock += core.costs.receive(bytes);
            if marked {
                self.shards[index].handle_marked(network.pool.bytes(datagram));
            } else {
                self.shards[index].handle(network.pool.bytes(datagram));
            }
            network.pool.release(datagram);
            self.send(core, index, flow, jobs, network, &mut clock);
            if clock.since(now) > LOOK_AHEAD {
                break;
            }
        }
        core.free_at = clock;
        !core.inbox.is_empty()
    }

    fn send(&mut self, core: &Core, index: usize, flow: u16, jobs: &[Job], network: &mut Network, clock: &mut Time) {
        let Self { shards, ports, pipelines, latency, told, buffer, .. } = self;
        let shard = &mut shards[index];
        while let Some(transmit) = shard.poll_transmit(buffer, 1) {
            let job = transmit.job.0;
            let Ports { members, parent } = &ports[index / usize::from(*pipelines) * jobs.len() + usize::from(job)];
            let label = Label::new(job, flow, transmit.len, jobs[usize::from(job)].inflation);
            let datagram = network.pool.insert(&buffer[..transmit.len], label);
            let above = parent.filter(|_| transmit.to == Recipients::Parent);
            let below = members.iter().filter(|(member, _)| transmit.to.include(*member)).map(|(_, link)| *link);
            for link in above.into_iter().chain(below) {
                *clock += core.costs.send(label.bytes);
                network.pool.retain(datagram);
                network.send(link, *clock + *latency, datagram);
            }
            network.pool.release(datagram);
        }
        told.extend(std::iter::from_fn(|| shard.poll_event()));
    }
}
