//! The network of a model: a set of datagrams.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use netfold_wire::{Packet, Repr};

/// Destination of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// A worker, by its rank.
    Worker(u16),
    /// A switch: 0 is the root.
    Switch(usize),
}

/// A datagram in the network.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Datagram {
    /// Its destination.
    pub to: Address,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for Datagram {
    /// Writes the fields that matter in a counterexample.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(packet) = Packet::new_checked(&self.bytes) else {
            return write!(f, "{} bytes to {:?}", self.bytes.len(), self.to);
        };
        let Repr { direction, kind, pool, position, slot, next_exponent, .. } =
            Repr::parse(&packet);
        write!(
            f,
            "{direction:?} to {:?}: slot {} {pool:?}, block {} {kind:?}",
            self.to, slot.0, position.0
        )?;
        write!(
            f,
            ", next {next_exponent}, lanes {:02x?}",
            &packet.lanes()[..packet.lanes().len().min(12)]
        )
    }
}

/// Everything that was ever sent, by a digest: states are compared very often, and most of their
/// datagrams are the same. A network shares what it holds with those that it was made from.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Network<D = Datagram> {
    datagrams: Arc<BTreeMap<u64, D>>,
}

impl<D> Default for Network<D> {
    fn default() -> Self {
        Self { datagrams: Arc::default() }
    }
}

impl<D: Clone + Hash> Network<D> {
    /// Adds datagrams.
    pub(crate) fn extend(&mut self, datagrams: &[D]) {
        for datagram in datagrams {
            let digest = digest(datagram);
            if !self.datagrams.contains_key(&digest) {
                Arc::make_mut(&mut self.datagrams).insert(digest, datagram.clone());
            }
        }
    }

    /// Forgets all other datagrams.
    pub(crate) fn retain(&mut self, keep: impl Fn(&D) -> bool) {
        if !self.datagrams.values().all(&keep) {
            Arc::make_mut(&mut self.datagrams).retain(|_, datagram| keep(datagram));
        }
    }

    /// The datagrams, always in the same order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &D> {
        self.datagrams.values()
    }
}

impl<D> Hash for Network<D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.datagrams.keys().for_each(|digest| digest.hash(state));
    }
}

impl<D: fmt::Debug> fmt::Debug for Network<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.datagrams.values()).finish()
    }
}

/// A number that stands for a value, the same in every run. A search stores no more of a state than
/// that.
pub(crate) fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
