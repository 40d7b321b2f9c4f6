//! A switch of a model.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netfold_switch::slot::{SLOT_WORDS, Slot};
use netfold_switch::{JobSpec, Recipients, Shard};
use netfold_wire::{Ecn, Epoch};

use crate::job::JOB;
use crate::network::digest;

/// A datagram of a switch, and its recipients.
pub type Sent = (Recipients, Arc<[u8]>);

/// A machine that can stand for a switch in a model. [`Shard`] is the real one.
pub trait Switch: Clone + Send + Sync + 'static {
    /// Handles a datagram. Gives all that is sent in consequence.
    fn handle(&mut self, spec: &JobSpec, datagram: &[u8]) -> Vec<Sent>;

    /// The slots of the job, and the memory of their copies: with what `handle` depends on besides,
    /// all that tells one switch from another.
    fn memory(&self) -> (&[Slot], &[u8]);

    /// Returns whether it has found something wrong with the job (R-CTRL-6, R-CTRL-13).
    fn has_reported(&mut self) -> bool;
}

impl Switch for Shard {
    fn handle(&mut self, _: &JobSpec, datagram: &[u8]) -> Vec<Sent> {
        self.handle(datagram, Ecn::Clear);
        let mut buffer = vec![0; self.max_datagram_bytes()];
        let mut sent = Vec::new();
        while let Some(transmit) = self.poll_transmit(&mut buffer, 1) {
            sent.push((transmit.to, Arc::from(&buffer[..transmit.len])));
        }
        sent
    }

    fn memory(&self) -> (&[Slot], &[u8]) {
        self.memory(JOB).expect("a switch of a model has the job")
    }

    fn has_reported(&mut self) -> bool {
        self.poll_event().is_some()
    }
}

/// A switch at its place.
#[derive(Clone)]
pub(crate) struct Node<S> {
    spec: JobSpec,
    switch: S,
    /// Digest of its memory.
    digest: u64,
}

impl<S: Switch> Node<S> {
    pub(crate) fn new(spec: JobSpec, make: fn(&JobSpec) -> S) -> Self {
        let switch = make(&spec);
        Self { digest: digest_of(&switch), switch, spec }
    }

    /// Handles a datagram. Returns the datagrams to send, or `None` if it has reported something.
    pub(crate) fn handle(&mut self, datagram: &[u8]) -> Option<Vec<Sent>> {
        let sent = self.switch.handle(&self.spec, datagram);
        self.digest = digest_of(&self.switch);
        (!self.switch.has_reported()).then_some(sent)
    }

    /// The epoch of the job that it has.
    pub(crate) fn epoch(&self) -> Epoch {
        self.spec.epoch
    }

    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        self.switch.memory().0
    }
}

/// The digest of all registers and lanes.
fn digest_of(switch: &impl Switch) -> u64 {
    let (slots, lanes) = switch.memory();
    let registers: Vec<[u32; SLOT_WORDS]> = slots.iter().map(Slot::to_words).collect();
    digest(&(registers, lanes))
}

impl<S: Switch> PartialEq for Node<S> {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest && self.switch.memory() == other.switch.memory()
    }
}

impl<S: Switch> Eq for Node<S> {}

impl<S: Switch> Hash for Node<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl<S: Switch> fmt::Debug for Node<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.slots().fmt(f)
    }
}
