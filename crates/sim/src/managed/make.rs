//! The machines of switches and the requests of workers, from the setup.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use netfold_management::{
    JoinRequest, Limits, Management, RackSwitch, Registry, Relay, Token, Transport,
};
use netfold_wire::IntegrityKind;

use super::plane::{SWITCH_PORT, address};
use super::{BUFFER_BYTES, MAX_DATAGRAM};
use crate::operations::{SampleLoader, operations};
use crate::setup::{Behaviour, JobSetup, Management as ManagementSetup, Setup};
use crate::topology::Topology;

pub(super) fn has_tokens(setup: &Setup) -> bool {
    setup.jobs.iter().any(|job| job.terms.integrity == IntegrityKind::Token)
}

pub(super) fn token(text: &str) -> Option<Token> {
    Token::new(text).ok()
}

/// The trees that a worker tries.
pub(super) fn trees(job: &JobSetup, rank: u16) -> &[u32] {
    let own = job.exceptions.iter().rev().find_map(|exception| match &exception.does {
        Behaviour::Trees(trees) if exception.rank == rank => Some(trees),
        _ => None,
    });
    own.unwrap_or(&job.trees)
}

/// Returns a worker's request to join.
pub(super) fn request(job: &JobSetup, rank: u16, has_tokens: bool) -> JoinRequest {
    JoinRequest {
        terms: job.terms.with_integrity(Some(job.terms.integrity)),
        packet_elements: Some((job.payload_bytes / 4) as u16),
        slots: (!job.lent_slots).then_some(job.slots),
        transport: Some(Transport::Udp),
        operations: operations(&job.operations),
        timeout: Duration::from_millis(job.timeout_ms),
        token: token("in virtual time").filter(|_| has_tokens),
        ..JoinRequest::new(job.name.clone(), rank, job.workers)
    }
}

/// The machine of a switch: the root's decides, the others pass on what is said (R-CTRL-14).
pub(super) fn machine(
    setup: &Setup,
    management: &ManagementSetup,
    topology: &Topology,
    node: u32,
    id: u64,
) -> Box<dyn Management> {
    let limits = Limits {
        forming: Duration::from_millis(management.forming_ms),
        describe: Duration::from_millis(management.describe_ms),
        receive_buffer: BUFFER_BYTES,
        ..Limits::default()
    };
    let pipelines = (0..setup.switches.pipelines)
        .map(|flow| SocketAddr::new(address(node), SWITCH_PORT + flow));
    let shards = pipelines.collect();
    let tokens: Vec<_> =
        token("in virtual time").into_iter().filter(|_| has_tokens(setup)).collect();
    match topology.parent(node) {
        None => {
            let registry = Registry::new(limits, shards, tokens);
            Box::new(registry.run_operations(Arc::new(SampleLoader)))
        }
        Some(parent) => {
            let at = |node| SocketAddr::new(address(node), SWITCH_PORT);
            let (at, parent) = (at(node), at(parent));
            let parent_name = parent.to_string();
            let switch = RackSwitch {
                id,
                at,
                parent_name,
                parent,
                shards,
                max_datagram: MAX_DATAGRAM,
                tokens,
            };
            Box::new(Relay::new(limits, switch).run_operations(Arc::new(SampleLoader)))
        }
    }
}
