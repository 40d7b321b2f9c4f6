//! Joining of a worker to a job.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use netfold_net::{
    Arithmetic, ByteOrder, CoreList, IntegrityKind, JoinRequest, Operations, Overflow, Protocol,
    Reminder, Token, Transport, Waiting,
};
use tracing::warn;

use crate::communicator::Communicator;
use crate::error::Error;

/// Begins to join the job of this name at the switch at `switch` (`HOST:PORT`), as worker `rank` of
/// `size`. [`Connect::join`] must follow.
///
/// `switch` may be a list, as in `HOST:PORT,HOST:PORT`, the same at every worker: if the first
/// switch is lost, the job goes on at the next of them, and no call fails (R-RES).
///
/// ```no_run
/// use std::time::Duration;
///
/// # fn main() -> Result<(), netfold::Error> {
/// let comm = netfold::connect("10.0.0.1:5555", "example", 0, 4).timeout(Duration::from_secs(5)).join()?;
/// # Ok(())
/// # }
/// ```
pub fn connect(switch: impl Into<String>, job: impl Into<String>, rank: u16, size: u16) -> Connect {
    Connect {
        switch: switch.into(),
        request: JoinRequest::new(job, rank, size),
        cores: None,
        on_waiting: None,
    }
}

/// The settings with which a worker joins a job, made by [`connect`]. Those of the job itself, such
/// as [`Connect::arithmetic`], must be the same at every worker.
#[must_use = "`join` joins the job"]
pub struct Connect {
    switch: String,
    request: JoinRequest,
    cores: Option<CoreList>,
    on_waiting: Option<OnWaiting>,
}

/// A function that is told who has joined.
type OnWaiting = Box<dyn FnMut(&Waiting) -> ControlFlow<()>>;

impl Connect {
    /// Sets what is added: [`Arithmetic::Block`] (SwitchML's block fixed point, the default),
    /// [`Arithmetic::Native`] (IEEE 754), or one of the papers' others.
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.request.terms.arithmetic = arithmetic;
        self
    }

    /// Sets the policy for sums that overflow their registers in FPISA's arithmetic (R-SLOT-11);
    /// [`Overflow::Error`] by default.
    pub fn overflow(mut self, overflow: Overflow) -> Self {
        self.request.terms.overflow = overflow;
        self
    }

    /// Sets the order of a lane's bytes in packets (R-NUM-19), little-endian by default. Results do
    /// not depend on it.
    pub fn byte_order(mut self, byte_order: ByteOrder) -> Self {
        self.request.terms.byte_order = byte_order;
        self
    }

    /// Sets when a slot of the switch is used again: [`Protocol::Shadow`] (SwitchML, the default)
    /// or [`Protocol::Acked`] (P4SGD).
    pub fn protocol(mut self, protocol: Protocol) -> Self {
        self.request.terms.protocol = protocol;
        self
    }

    /// Sets how packets prove themselves (R-PKT-3). By default they do so by the token if there is
    /// one, and else by the transport's checksum.
    pub fn integrity(mut self, integrity: IntegrityKind) -> Self {
        self.request.terms.integrity = Some(integrity);
        self
    }

    /// Sets the secret that all workers of the job share (R-CTRL-8). It never travels.
    pub fn token(mut self, token: Token) -> Self {
        self.request.token = Some(token);
        self
    }

    /// Sets the way to the slots. By default it is shared memory where all workers run on the
    /// switch's host, and else UDP (R-CTRL-10).
    pub fn transport(mut self, transport: Transport) -> Self {
        self.request.transport = Some(transport);
        self
    }

    /// Sets the longest that a lost worker or switch may go unnoticed.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.request.timeout = timeout;
        self
    }

    /// Sets the lanes of a packet, in lanes of 4 bytes: a multiple of 8 up to 8192. By default the
    /// path's MTU decides.
    pub fn packet_elements(mut self, lanes: u16) -> Self {
        self.request.packet_elements = Some(lanes);
        self
    }

    /// Sets the slots of each flow for bulk calls, a power of two. By default the switch decides.
    pub fn slots(mut self, slots: u16) -> Self {
        self.request.slots = Some(slots);
        self
    }

    /// Sets the job's part of a queue that it shares with others, 1 to 100 (R-ECN-4); 1 by default.
    pub fn weight(mut self, weight: u16) -> Self {
        self.request.terms.weight = weight;
        self
    }

    /// Has the job wait for its only switch to start again when that is lost (R-RES-1). With
    /// several switches it does so anyway.
    pub fn resumable(mut self) -> Self {
        self.request.terms.resumable = true;
        self
    }

    /// Has the job go on without workers that are lost (R-RES-8). Calls in progress fail with
    /// [`JobError::Regrouped`](crate::JobError) then, and ranks change.
    pub fn elastic(mut self) -> Self {
        self.request.terms.elastic = true;
        self
    }

    /// Brings operations along by which calls may fold ([`Communicator::operation`]), the same at
    /// every worker (R-OP-23).
    pub fn operations(mut self, operations: Operations) -> Self {
        self.request.operations = operations;
        self
    }

    /// Keeps netfold's own threads on these cores. The workers of one host take turns with them.
    pub fn cores(mut self, cores: CoreList) -> Self {
        self.cores = Some(cores);
        self
    }

    /// Has `heed` told who has joined, at least ten times a second, until all have. It ends the
    /// wait by `Break`. By default a line in the log says at intervals who is missing.
    pub fn on_waiting(mut self, heed: impl FnMut(&Waiting) -> ControlFlow<()> + 'static) -> Self {
        self.on_waiting = Some(Box::new(heed));
        self
    }

    /// Joins the job, and waits until all its workers have.
    ///
    /// # Errors
    /// [`Error::Job`], which says what to do next: no switch answers, the switch refuses a setting,
    /// the workers' settings differ, or the job has failed before this worker was connected.
    pub fn join(self) -> Result<Communicator, Error> {
        let Self { switch, request, cores, on_waiting } = self;
        let (start, mut reminder) = (Instant::now(), Reminder::default());
        let (job, rank) = (request.job.clone(), request.rank);
        let mut heed = on_waiting.unwrap_or_else(|| {
            Box::new(move |now| {
                if reminder.is_due(start.elapsed(), now) {
                    warn!("rank {rank} of the job {job:?}: {now}");
                }
                ControlFlow::Continue(())
            })
        });
        Ok(Communicator::new(netfold_net::Communicator::connect_on(
            cores.as_ref(),
            &switch,
            request,
            &mut heed,
        )?))
    }
}
