//! The effect of a step on a state.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use netfold_management::{FlowRounds, Replay, Resume, replays};
use netfold_switch::slot::{Round, Slot};
use netfold_wire::{Kind, Pool};
use netfold_worker::Progress;

use crate::host::{Host, Input};
use crate::model::{Action, Fault, Model};
use crate::network::{Address, Datagram, Network, digest};
use crate::state::State;
use crate::switch::{Node, Switch};

/// A machine after a step, and the datagrams that it has sent; or the fault.
type Taken<M> = Result<(Arc<M>, Arc<[Datagram]>), Fault>;

/// Steps that machines have taken, by digests of what a machine was and of the action.
type Steps<M> = Mutex<HashMap<(u64, u64), Taken<M>>>;

/// The steps that have been taken. States differ by far more than machines do: most steps of a
/// search are those of a machine that has been seen before.
pub(crate) struct Known<S> {
    hosts: Steps<Host>,
    nodes: Steps<Node<S>>,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Self { hosts: Mutex::default(), nodes: Mutex::default() }
    }
}

impl<S: Switch> Model<S> {
    /// Takes a step at a time in microseconds. Returns the datagrams to send.
    pub(crate) fn step(
        &self,
        state: &mut State<S>,
        now_us: u64,
        action: &Action,
    ) -> Arc<[Datagram]> {
        match action.machine() {
            Address::Worker(worker) => {
                self.put_host(state, worker, self.step_host(state, worker, now_us, action))
            }
            Address::Switch(switch) => {
                self.put_node(state, switch, self.step_node(state, switch, action))
            }
        }
    }

    /// The same at time 0, from memory if a machine like this one has taken the step before.
    pub(crate) fn step_as_known(&self, state: &mut State<S>, action: &Action) -> Arc<[Datagram]> {
        match action.machine() {
            Address::Worker(worker) => {
                let host = &state.hosts[usize::from(worker)];
                let key = (host.digest(), digest(&(worker, action, state.losses)));
                let taken = self
                    .recall(&self.known.hosts, key, || self.step_host(state, worker, 0, action));
                self.put_host(state, worker, taken)
            }
            Address::Switch(switch) => {
                let node = &state.nodes[switch];
                let key = (node.digest(), digest(&(switch, action, state.losses)));
                let taken =
                    self.recall(&self.known.nodes, key, || self.step_node(state, switch, action));
                self.put_node(state, switch, taken)
            }
        }
    }

    /// The step of this key, from memory or taken now.
    fn recall<M: PartialEq>(
        &self,
        known: &Steps<M>,
        key: (u64, u64),
        take: impl FnOnce() -> Taken<M>,
    ) -> Taken<M> {
        let before = known.lock().expect("no thread of a search panics").get(&key).cloned();
        match before {
            Some(before) if !self.rechecks => before,
            Some(before) => {
                let taken = take();
                assert!(
                    before == taken,
                    "machines in the same state take different steps: a part of the state is missing"
                );
                taken
            }
            None => {
                let taken = take();
                known.lock().expect("no thread of a search panics").insert(key, taken.clone());
                taken
            }
        }
    }

    fn step_host(
        &self,
        state: &State<S>,
        worker: u16,
        now_us: u64,
        action: &Action,
    ) -> Taken<Host> {
        let mut host = Host::clone(&state.hosts[usize::from(worker)]);
        let input = match action {
            Action::Deliver(datagram) => Input::Datagram(&datagram.bytes),
            Action::Call(_) => Input::Call,
            Action::Lose(_, slot) => Input::Lost(*slot),
            Action::Time(_) => Input::Time,
            Action::LoseSwitches => return Ok((Arc::new(host), [].into())),
        };
        let sent = host
            .step(&self.job, worker, &self.tamper, now_us, input)
            .ok_or(Fault::WrongResult { worker })?;
        let to = self.job.home(worker);
        Ok((Arc::new(host), sent.into_iter().map(|bytes| Datagram { to, bytes }).collect()))
    }

    fn step_node(&self, state: &State<S>, switch: usize, action: &Action) -> Taken<Node<S>> {
        let mut node = Node::clone(&state.nodes[switch]);
        let Action::Deliver(datagram) = action else { return Ok((Arc::new(node), [].into())) };
        let sent = node.handle(&datagram.bytes).ok_or(Fault::Reported { switch })?;
        let addressed = sent.into_iter().flat_map(|(to, bytes)| {
            let addresses = self.job.recipients(switch, to).into_iter();
            addresses.map(move |to| Datagram { to, bytes: bytes.clone() })
        });
        Ok((Arc::new(node), addressed.collect()))
    }

    /// R-RES: all switches are lost at once, and all workers go on together. Nothing is left out by
    /// that: what a worker takes between the loss and its own departure it might have taken before,
    /// and what it sends goes nowhere. Nor do datagrams of the previous epoch count any more
    /// (R-PKT-4).
    pub(crate) fn lose_switches(&self, state: &mut State<S>) -> Arc<[Datagram]> {
        state.losses += 1;
        state.nodes = self.nodes(state.losses);
        state.network = Network::default();
        let brought: Vec<Resume> = state.hosts.iter().map(|host| brought(host)).collect();
        let replays = Replay::on_flow(&replays(&(0..).zip(&brought).collect::<Vec<_>>()), 0);
        let mut all = Vec::new();
        for worker in 0..self.job.workers() {
            let mut host = Host::clone(&state.hosts[usize::from(worker)]);
            let config = self.job.stream_config(worker, state.losses);
            let input = Input::Resumed(&config, &replays);
            let sent = host
                .step(&self.job, worker, &self.tamper, 0, input)
                .ok_or(Fault::WrongResult { worker });
            let to = self.job.home(worker);
            let taken = sent.map(|sent| {
                let sent = sent.into_iter().map(|bytes| Datagram { to, bytes }).collect();
                (Arc::new(host), sent)
            });
            all.extend(self.put_host(state, worker, taken).iter().cloned());
        }
        all.into()
    }

    fn put_host(&self, state: &mut State<S>, worker: u16, taken: Taken<Host>) -> Arc<[Datagram]> {
        match taken {
            Ok((host, sent)) => {
                state.hosts[usize::from(worker)] = host;
                sent
            }
            Err(fault) => {
                state.fault = Some(fault);
                [].into()
            }
        }
    }

    fn put_node(
        &self,
        state: &mut State<S>,
        switch: usize,
        taken: Taken<Node<S>>,
    ) -> Arc<[Datagram]> {
        match taken {
            Ok((node, sent)) => {
                let before = std::mem::replace(&mut state.nodes[switch], node);
                let slots = (0..).zip(before.slots().iter().zip(state.nodes[switch].slots()));
                let mut lost = slots.filter(|(slot, (before, after))| {
                    is_overwritten(&state.hosts, *slot, before, after)
                });
                state.fault = lost.next().map(|(slot, _)| Fault::Overwritten { switch, slot });
                sent
            }
            Err(fault) => {
                state.fault = Some(fault);
                [].into()
            }
        }
    }
}

impl Action {
    /// The machine that takes the step.
    fn machine(&self) -> Address {
        match *self {
            Self::Deliver(ref datagram) => datagram.to,
            Self::Call(worker) | Self::Lose(worker, _) | Self::Time(worker) => {
                Address::Worker(worker)
            }
            // It is everyone's, and taken elsewhere.
            Self::LoseSwitches => Address::Switch(0),
        }
    }
}

/// Returns what a worker brings (R-RES-2).
fn brought(host: &Host) -> Resume {
    let flows = vec![FlowRounds::new(host.last_rounds().map(|round| round.0))];
    Resume { epoch: 0, flows, regroup: None }
}

/// Returns whether a copy of a slot has been given to another round before every worker of the job
/// has the result of the round that it held.
fn is_overwritten(hosts: &[Arc<Host>], slot: u16, before: &Slot, after: &Slot) -> bool {
    let name = |round: &Round| (round.position, round.kind);
    [Pool::Even, Pool::Odd].into_iter().any(|pool| {
        let (before, after) = (before.copy(pool).round(), after.copy(pool).round());
        let Some(held) = before.filter(|held| after.map(name) != Some(name(held))) else {
            return false;
        };
        hosts.iter().any(|host| !has_result(&host.view().progress, slot, pool, held))
    })
}

/// Returns whether a worker's slot has gone on from a round of this pool (R-SLOT-8), also to the
/// acknowledgement of its result (R-ACK-1). Positions of a model do not wrap.
fn has_result(progress: &Progress, slot: u16, pool: Pool, round: &Round) -> bool {
    let slot = &progress.slots[usize::from(slot)];
    let order = |kind| match kind {
        Kind::Exponents => 0,
        Kind::Classes => 1,
        Kind::Values => 2,
        Kind::Refold => 3,
    };
    match slot.position.cmp(&u64::from(round.position.0)) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => slot.round.is_some_and(|now| {
            let acknowledged = slot.acknowledging && pool != slot.pool && now.kind == round.kind;
            acknowledged || order(now.kind) > order(round.kind)
        }),
    }
}
