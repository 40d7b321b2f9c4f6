//! The request of a worker for a job, and the worker's means.

use core::time::Duration;

use netfold_switch::Operations;
use netfold_wire::{Integrity, IntegrityKind, Terms, VERSION};

use crate::limits::{DEFAULT_TIMEOUT, millis};
use crate::message::{HostOffer, Join, Transport, Welcome};
use crate::operations::Brought;
use crate::resume::Resume;
use crate::token::{Challenge, Token, integrity};

const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Request of a worker for a job. The switch decides on whatever is `None`.
#[derive(Clone, Debug)]
pub struct JoinRequest {
    /// Name of the job: 1 to 128 bytes, no control characters.
    pub job: String,
    /// This worker's rank, 0 to `size` - 1.
    pub rank: u16,
    /// Workers of the job.
    pub size: u16,
    /// Terms of the job. Without an integrity it is that by token if there is one, else that of the
    /// transport (R-PKT-3).
    pub terms: Terms<Option<IntegrityKind>>,
    /// Lanes of a packet, in lanes of 4 bytes: a multiple of 8 up to 8192.
    pub packet_elements: Option<u16>,
    /// Slots of each flow's bulk stream, a power of two.
    pub slots: Option<u16>,
    /// Transport to the slots. `None`: by shared memory where all workers run on the switch's host,
    /// else by UDP (R-CTRL-10).
    pub transport: Option<Transport>,
    /// The longest that a lost worker or switch may go unnoticed.
    pub timeout: Duration,
    /// Longest time that the switch may take to answer the connection.
    pub connect_timeout: Duration,
    /// The job's token (R-CTRL-8).
    pub token: Option<Token>,
    /// State that this worker brings from an epoch of the job that has ended (R-RES-2).
    pub resume: Option<Resume>,
    /// Operations of users that the job may fold by, the same at every worker (R-OP-23).
    pub operations: Operations,
}

impl JoinRequest {
    /// A request with every choice at its default: block arithmetic, little-endian lanes, shadow
    /// copies, a time-out of [`DEFAULT_TIMEOUT`].
    pub fn new(job: impl Into<String>, rank: u16, size: u16) -> Self {
        Self {
            job: job.into(),
            rank,
            size,
            terms: Terms::new(None),
            packet_elements: None,
            slots: None,
            transport: None,
            timeout: DEFAULT_TIMEOUT,
            connect_timeout: DEFAULT_CONNECT_TIMEOUT,
            token: None,
            resume: None,
            operations: Operations::default(),
        }
    }

    /// The same worker's request for the next epoch of its job (R-RES-2): `welcome` began the one
    /// that has ended, and fixes what streams go on with.
    #[must_use]
    pub fn again(&self, welcome: &Welcome, resume: Resume) -> Self {
        Self {
            packet_elements: Some((welcome.block_bytes() / 4) as u16),
            slots: Some(welcome.slots),
            resume: Some(resume),
            ..self.clone()
        }
    }

    /// Returns the integrity check of the packets of a job that this worker has joined by this
    /// request, with the key if it needs one.
    pub fn integrity(&self, welcome: &Welcome) -> Integrity {
        // Integrity by token is what the worker has asked for, and that takes a token (R-CTRL-8).
        integrity(welcome.integrity, self.token.as_ref(), welcome.epoch)
    }

    pub(crate) fn message(&self, sockets: LocalSockets, challenge: &Challenge) -> Join {
        let default =
            if self.token.is_some() { IntegrityKind::Token } else { IntegrityKind::Transport };
        let integrity = self.terms.integrity.unwrap_or(default);
        Join {
            version: VERSION,
            job: self.job.clone(),
            rank: self.rank,
            size: self.size,
            terms: self.terms.with_integrity(integrity).into(),
            packet_elements: self.packet_elements,
            slots: self.slots,
            asks_for_slots: true,
            memory: None,
            max_datagram: sockets.max_datagram,
            receive_buffer: sockets.receive_buffer,
            udp_ports: sockets.udp_ports,
            transport: self.transport,
            shares_memory: sockets.shares_memory,
            host: sockets.host,
            timeout_ms: millis(self.timeout),
            resume: self.resume.clone(),
            operations: Brought::all(&self.operations),
            proof: self.token.as_ref().map(|token| token.prove(challenge)),
        }
    }
}

/// The worker's UDP sockets, one for each shard of the switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSockets {
    /// Their ports, in the order of the shards.
    pub udp_ports: Vec<u16>,
    /// Bytes of UDP payload that fit the path to the switch.
    pub max_datagram: u32,
    /// Bytes of the receive buffer of one of them.
    pub receive_buffer: u64,
    /// The switch's Unix socket was reached.
    pub shares_memory: bool,
    /// Offer of the worker to others on its host (R-CTRL-11).
    pub host: Option<HostOffer>,
}
