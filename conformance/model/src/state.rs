//! A state of the whole job.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netfold_switch::Shard;

use crate::host::Host;
use crate::model::Fault;
use crate::network::Network;
use crate::switch::{Node, Switch};

/// A state of the whole job: its machines, and the network. Machines that a step does not touch are
/// shared with the state before.
#[derive(Clone)]
pub struct State<S: Switch = Shard> {
    pub(crate) hosts: Vec<Arc<Host>>,
    pub(crate) nodes: Vec<Arc<Node<S>>>,
    pub(crate) network: Network,
    pub(crate) fault: Option<Fault>,
    /// The number of times that all switches were lost.
    pub(crate) losses: u32,
}

impl<S: Switch> State<S> {
    /// The same with nothing in the network.
    pub(crate) fn without_network(&self) -> Self {
        Self { network: Network::default(), ..self.clone() }
    }
}

impl<S: Switch> PartialEq for State<S> {
    fn eq(&self, other: &Self) -> bool {
        self.fault == other.fault
            && self.losses == other.losses
            && self.hosts == other.hosts
            && self.nodes == other.nodes
            && self.network == other.network
    }
}

impl<S: Switch> Eq for State<S> {}

impl<S: Switch> Hash for State<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.hosts, &self.nodes, &self.network, self.fault, self.losses).hash(state);
    }
}

impl<S: Switch> fmt::Debug for State<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hosts, nodes, network, fault, losses } = self;
        f.debug_struct("State")
            .field("hosts", hosts)
            .field("nodes", nodes)
            .field("network", network)
            .field("fault", fault)
            .field("losses", losses)
            .finish()
    }
}
