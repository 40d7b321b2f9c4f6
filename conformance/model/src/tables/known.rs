//! Steps that machines have taken.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::server::Server;
use super::state::{Fault, Peer, TableDatagram, TableState};
use super::switch::{Node, TableSwitch};
use super::worker::Worker;
use super::{TableModel, TableStep};
use crate::network::digest;

/// A machine that is known by a digest.
trait Machine {
    fn digest(&self) -> u64;
}

impl Machine for Worker {
    fn digest(&self) -> u64 {
        self.digest()
    }
}

impl Machine for Server {
    fn digest(&self) -> u64 {
        self.digest()
    }
}

impl<S: TableSwitch> Machine for Node<S> {
    fn digest(&self) -> u64 {
        self.digest()
    }
}

/// A machine after a step, the datagrams that it has sent, and the fault.
type Taken<M> = (Arc<M>, Vec<TableDatagram>, Option<Fault>);

/// Steps of machines, by digests of what a machine was and of what was delivered to it.
type Steps<M> = Mutex<HashMap<(u64, u64), Taken<M>>>;

/// The steps that have been taken. States differ by far more than machines do: most steps of a
/// search are those of a machine that has been seen before.
pub(super) struct Known<S> {
    workers: Steps<Worker>,
    servers: Steps<Server>,
    nodes: Steps<Node<S>>,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Self { workers: Mutex::default(), servers: Mutex::default(), nodes: Mutex::default() }
    }
}

impl<S: TableSwitch> TableModel<S> {
    /// Takes a step at time 0; a delivery from memory if a machine like this one has taken it
    /// before.
    pub(super) fn step_as_known(
        &self,
        state: &mut TableState<S>,
        step: &TableStep,
    ) -> Vec<TableDatagram> {
        let TableStep::Deliver(datagram) = step else { return self.step(state, 0, step) };
        let known = &self.known;
        match datagram.peer {
            peer if !datagram.answer || matches!(peer, Peer::Parent(_)) => {
                let node = self.job.node_of(datagram);
                let was = state.nodes[node].digest();
                self.recall(&known.nodes, was, state, step, |state| &mut state.nodes[node])
            }
            Peer::Worker(rank) => {
                let was = state.workers[usize::from(rank)].digest();
                self.recall(&known.workers, was, state, step, |state| {
                    &mut state.workers[usize::from(rank)]
                })
            }
            Peer::Server(_) | Peer::Parent(_) => {
                let Peer::Server(index) = datagram.peer else { unreachable!("taken above") };
                let was = state.servers[usize::from(index)].digest();
                self.recall(&known.servers, was, state, step, |state| {
                    &mut state.servers[usize::from(index)]
                })
            }
        }
    }

    /// Takes a step of a machine that has this digest.
    fn recall<M: Machine>(
        &self,
        known: &Steps<M>,
        was: u64,
        state: &mut TableState<S>,
        step: &TableStep,
        machine: impl Fn(&mut TableState<S>) -> &mut Arc<M>,
    ) -> Vec<TableDatagram> {
        let key = (was, digest(step));
        let before = known.lock().expect("no thread of a search panics").get(&key).cloned();
        if let (Some((after, sent, fault)), false) = (&before, self.rechecks) {
            *machine(state) = after.clone();
            state.fault = *fault;
            return sent.clone();
        }
        let sent = self.step(state, 0, step);
        let (machine, fault) = (machine(state).clone(), state.fault);
        match before {
            Some((after, sent_before, fault_before)) => assert!(
                after.digest() == machine.digest()
                    && (&sent, fault) == (&sent_before, fault_before),
                "machines in the same state take different steps: a part of the state is missing"
            ),
            None => {
                let mut known = known.lock().expect("no thread of a search panics");
                known.insert(key, (machine, sent.clone(), fault));
            }
        }
        sent
    }
}
