//! An epoch of the job, as a worker takes part in it: from its welcome until the switch is lost.

use std::sync::{Arc, Mutex, OnceLock, Weak};

use netfold_control::Session;
use netfold_management::{JoinRequest, Transport, Welcome};
use netfold_worker::Timing;

use super::inner::Inner;
use super::lock;
use crate::flow::{OnBroken, OnSignal, Signal};
use crate::host::Host;
use crate::link::OnEvent;
use crate::sockets::SwitchMemory;

/// In shared memory only a worker that waits for a core makes a round late.
const NOTHING_IS_LOST: Timing =
    Timing { rto_initial_us: 1_000_000, rto_min_us: 1_000_000, rto_max_us: 10_000_000 };

/// A worker's part in one epoch of its job.
pub(super) struct JobEpoch {
    /// The switch's address.
    pub(super) address: String,
    /// The request with which this worker has joined, its rank included.
    pub(super) request: JoinRequest,
    pub(super) welcome: Welcome,
    /// The leaf of this worker's host, if the job has one (R-CTRL-11).
    pub(super) host: Mutex<Option<Host>>,
    /// The switch's memory, if the slots are there (R-CTRL-10).
    pub(super) memory: OnceLock<SwitchMemory>,
    session: Mutex<Option<Arc<Session>>>,
}

/// A worker's place in an epoch of its job, and how long a block is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) rank: u16,
    pub(super) workers: u16,
    pub(super) block_bytes: u32,
}

impl Place {
    pub(super) fn of(epoch: &JobEpoch) -> Self {
        let Welcome { workers, .. } = epoch.welcome;
        Self { rank: epoch.request.rank, workers, block_bytes: epoch.welcome.block_bytes() }
    }
}

impl From<Place> for u64 {
    fn from(Place { rank, workers, block_bytes }: Place) -> Self {
        Self::from(block_bytes) << 32 | Self::from(rank) << 16 | Self::from(workers)
    }
}

impl From<u64> for Place {
    fn from(place: u64) -> Self {
        Self {
            rank: (place >> 16) as u16,
            workers: place as u16,
            block_bytes: (place >> 32) as u32,
        }
    }
}

impl JobEpoch {
    pub(super) fn new(address: String, request: JoinRequest, welcome: Welcome) -> Self {
        Self {
            address,
            request,
            welcome,
            host: Mutex::default(),
            memory: OnceLock::new(),
            session: Mutex::default(),
        }
    }

    /// Sets the leaf of this worker's host, and the memory of the slots, as far as they exist.
    /// Called once.
    pub(super) fn settle(&self, host: Option<Host>, memory: Option<SwitchMemory>) {
        *lock(&self.host) = host;
        if let Some(memory) = memory {
            let _ = self.memory.set(memory);
        }
    }

    /// The connection to the switch, until this worker has let go of it.
    pub(super) fn session(&self) -> Option<Arc<Session>> {
        lock(&self.session).clone()
    }

    pub(super) fn set_session(&self, session: Session) {
        *lock(&self.session) = Some(Arc::new(session));
    }

    /// Lets go of the connection. It is not dropped under its lock: that waits for a thread which
    /// may want the lock for an answer to the switch.
    pub(super) fn take_session(&self) -> Option<Arc<Session>> {
        lock(&self.session).take()
    }

    /// R-CTRL-11: nobody waits for memory that is of no use any more, or for a slot in it that a
    /// process has died with. The switch's memory is the switch's to fail, and it may be gone:
    /// there this process alone turns away.
    pub(super) fn fail_memory(&self) {
        if let Some(host) = &*lock(&self.host) {
            host.fail();
        }
        if let Some(memory) = self.memory.get() {
            memory.segment.abandon();
        }
    }
}

/// Place where the threads that serve a communicator find it. They outlive no epoch of its job,
/// and it does not wait for them.
#[derive(Clone, Default)]
pub(super) struct Listener(Arc<OnceLock<Weak<Inner>>>);

impl Listener {
    /// Called once, when the communicator is there.
    pub(super) fn hear(&self, inner: &Arc<Inner>) {
        let _ = self.0.set(Arc::downgrade(inner));
    }

    pub(super) fn get(&self) -> Option<Arc<Inner>> {
        self.0.get().and_then(Weak::upgrade)
    }

    /// Tells the switch what this worker sees in shared memory.
    pub(super) fn on_event(&self, flow: u16) -> OnEvent {
        let listener = self.clone();
        Box::new(move |event| {
            let (_, _, slot, position) = event.place();
            if let Some(session) = listener.get().and_then(|inner| inner.epoch().session()) {
                session.report(flow, slot.0, position.0, event.into());
            }
        })
    }

    /// Ends the job when a flow cannot go on, and asks the switch for the slots that one needs
    /// (R-CTRL-25).
    pub(super) fn on_signal(&self) -> OnSignal {
        let (listener, on_broken) = (self.clone(), self.on_broken());
        Arc::new(move |signal| match signal {
            Signal::Broken(error) => on_broken(error),
            Signal::NeedsSlots(call) => {
                if let Some(session) = listener.get().and_then(|inner| inner.epoch().session()) {
                    session.need_slots(call);
                }
            }
        })
    }

    /// Ends the job when this worker cannot take part any more.
    pub(super) fn on_broken(&self) -> OnBroken {
        let listener = self.clone();
        Arc::new(move |error| {
            if let Some(inner) = listener.get() {
                inner.abort(error);
            }
        })
    }
}

/// Returns the number of workers of lower rank that are known to be on this host.
pub(super) fn place_on_host(welcome: &Welcome, rank: u16) -> u16 {
    match (&welcome.host, welcome.transport()) {
        (Some(group), _) => group.ranks.iter().filter(|other| **other < rank).count() as u16,
        (None, Transport::Shm) => rank,
        (None, Transport::Udp) => 0,
    }
}

/// Bounds of the timeouts of a worker's streams.
pub(super) fn timing(welcome: &Welcome) -> Timing {
    match welcome.transport() {
        Transport::Shm => NOTHING_IS_LOST,
        Transport::Udp => Timing::default(),
    }
}
