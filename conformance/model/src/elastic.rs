//! Elastic jobs: workers are lost at any moment, and the others go on without them (R-RES-8 to
//! R-RES-12).

mod plane;
mod recovery;
mod worker;

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use netfold_management::{Message, Output, Welcome};
use netfold_switch::{JobSpec, Recipients, Shard};
use netfold_wire::{CallDigest, Epoch, SlotIndex};

use crate::job::Job;
use crate::model::{Property, admitted};
use crate::network::{Address, Datagram, Network};
use crate::search::{self, Counterexample, Explored};
use crate::switch::{Node, Switch};
use plane::{JobEpoch, Known, Plane, RegistryInput};
use worker::{Call, Given, Item, Line, Worker, Wrong};

/// Changes what the workers of an elastic job do, so that a test can break a rule of theirs.
#[derive(Clone, Copy, Debug)]
pub struct Tampering {
    /// Changes a datagram that a worker of this epoch is about to handle, and whose first call in
    /// progress has this digest.
    pub incoming: fn(Epoch, Option<CallDigest>, &mut [u8]),
    /// Changes a welcome that a worker is about to take.
    pub welcome: fn(&mut Welcome),
    /// Calls in progress go on in the next epoch, instead of failing.
    pub keeps_calls: bool,
}

impl Tampering {
    /// Changes nothing.
    pub const NONE: Self = Self { incoming: |_, _, _| {}, welcome: |_| {}, keeps_calls: false };
}

/// An elastic job at one switch, and the machines that carry it out: workers' streams, their parts
/// in the job and their connections, the switch, and its registry.
///
/// A worker is lost when the switch finds its connection closed. It may be there yet, and go on in
/// the epoch that has ended until it hears of that. A dead worker is one that takes no more steps.
/// Connections are orderly. The switch's messages take as long as they like, and a worker's are
/// heard at once: a later arrival is a later step of the worker. No time passes in the management
/// plane: nobody is lost by silence, and no wait ends. Nobody takes leave.
pub struct Elastic<S: Switch = Shard> {
    job: Arc<Job>,
    tampering: Tampering,
    make: fn(&JobSpec) -> S,
    known: Known,
    /// States from which completion was reached, by their hashes.
    recovered: Mutex<HashSet<u64>>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The network delivers a datagram, and keeps it.
    Deliver(Datagram),
    /// A worker makes its next call.
    Call(u16),
    /// A worker takes the outstanding round of a slot for lost.
    Lose(u16, SlotIndex),
    /// The switch finds a worker's connections closed.
    Cut(u16),
    /// A worker hears the next that has come over this connection.
    Hear(u16, u64),
    /// A worker joins again.
    Join(u16),
    /// A worker looks at its timers. A search does without.
    Time(u16),
}

/// A fault of a state. It ends the search there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fault {
    Wrong,
    Misled,
    Reported,
}

/// A state of an elastic job.
#[derive(Clone)]
pub struct ElasticState<S: Switch> {
    workers: Vec<Arc<Worker>>,
    plane: Arc<Plane>,
    node: Option<Arc<Node<S>>>,
    network: Network,
    losses: u32,
    fault: Option<Fault>,
}

impl<S: Switch> ElasticState<S> {
    /// All that tells one state from another, but for the network.
    fn machines(&self) -> (Vec<u64>, u64, Option<u64>, u32, Option<Fault>) {
        let workers = self.workers.iter().map(|worker| worker.digest()).collect();
        let node = self.node.as_ref().map(|node| node.digest());
        (workers, self.plane.digest(), node, self.losses, self.fault)
    }
}

impl<S: Switch> PartialEq for ElasticState<S> {
    fn eq(&self, other: &Self) -> bool {
        self.machines() == other.machines() && self.network == other.network
    }
}

impl<S: Switch> Eq for ElasticState<S> {}

impl<S: Switch> Hash for ElasticState<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.machines().hash(state);
        self.network.hash(state);
    }
}

impl<S: Switch> fmt::Debug for ElasticState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workers, network, fault, .. } = self;
        f.debug_struct("ElasticState")
            .field("workers", workers)
            .field("network", network)
            .field("fault", fault)
            .finish_non_exhaustive()
    }
}

impl Elastic {
    /// An elastic job of these calls, of whose workers as many are lost as the job has losses.
    pub fn new(job: Job) -> Self {
        Self::with(job, admitted)
    }
}

impl<S: Switch> Elastic<S> {
    /// The job with another switch.
    pub fn with(job: Job, make: fn(&JobSpec) -> S) -> Self {
        let job = Arc::new(job.granted_blocks());
        Self {
            job,
            tampering: Tampering::NONE,
            make,
            known: Known::default(),
            recovered: Mutex::default(),
        }
    }

    /// The same with workers that are tampered with.
    #[must_use]
    pub fn tampered(self, tampering: Tampering) -> Self {
        Self { tampering, ..self }
    }

    /// Goes through all states, nearest first, until one is found in which a property does not
    /// hold.
    pub fn explore(self, threads: NonZero<usize>) -> Explored {
        search::explore(self, threads)
    }

    /// Goes through the states until one is found in which this property does not hold.
    pub fn break_property(
        self,
        property: Property,
        threads: NonZero<usize>,
    ) -> Option<Counterexample> {
        search::break_property(self, property, threads)
    }

    /// Takes a step at a time in microseconds. Returns the datagrams to send.
    fn step(&self, state: &mut ElasticState<S>, now_us: u64, step: &Step) -> Vec<Datagram> {
        let (number, given) = match *step {
            Step::Deliver(ref datagram) => match datagram.to {
                Address::Switch(_) => return self.step_node(state, &datagram.bytes),
                Address::Worker(number) => {
                    (number, worker(state, number).take(now_us, &datagram.bytes))
                }
            },
            Step::Call(number) => (number, worker(state, number).call(now_us)),
            Step::Lose(number, slot) => (number, worker(state, number).lose(slot)),
            Step::Time(number) => (number, worker(state, number).look(now_us)),
            Step::Hear(number, conn) => (number, worker(state, number).hear(conn)),
            Step::Join(number) => {
                let (conn, outputs) = Arc::make_mut(&mut state.plane).connect(number, &self.known);
                let mut given = worker(state, number).connect(conn);
                self.carry_out(state, outputs);
                let greeted = worker(state, number).hear(conn);
                given.1.extend(greeted.1);
                (number, given)
            }
            Step::Cut(number) => {
                state.losses += 1;
                let lines = |worker: &Worker| {
                    let lines = [&worker.former, &worker.line].into_iter().flatten();
                    lines.map(|line| line.conn).collect::<Vec<_>>()
                };
                let conns = lines(&state.workers[usize::from(number)]);
                for conn in &conns {
                    worker(state, number).send(*conn, Item::Closed);
                }
                (number, (Vec::new(), conns.into_iter().map(RegistryInput::Closed).collect()))
            }
        };
        self.give(state, number, given)
    }

    /// Passes on what a worker gives, and looks at what has become of it.
    fn give(
        &self,
        state: &mut ElasticState<S>,
        number: u16,
        (sent, inputs): Given,
    ) -> Vec<Datagram> {
        for input in inputs {
            let outputs = Arc::make_mut(&mut state.plane).tell(input, &self.known);
            self.carry_out(state, outputs);
        }
        let wrong = state.workers[usize::from(number)].wrong();
        state.fault = state.fault.or(wrong.map(|wrong| match wrong {
            Wrong::Result => Fault::Wrong,
            Wrong::Misled => Fault::Misled,
        }));
        if self.counts_differ(state) {
            state.fault = state.fault.or(Some(Fault::Misled));
        }
        sent.into_iter().map(|bytes| Datagram { to: Address::Switch(0), bytes }).collect()
    }

    /// Returns whether a call was completed in two epochs (R-RES-9).
    fn counts_differ(&self, state: &ElasticState<S>) -> bool {
        (0..self.job.calls().len()).any(|call| {
            let mut epochs =
                state.workers.iter().filter_map(|worker| match worker.calls.get(call) {
                    Some(Call::Done(epoch)) => Some(*epoch),
                    _ => None,
                });
            let first = epochs.next();
            epochs.any(|epoch| Some(epoch) != first)
        })
    }

    /// Carries out the registry's requests.
    fn carry_out(&self, state: &mut ElasticState<S>, outputs: Vec<Output>) {
        let epoch = state.plane.epoch.clone();
        let (had, has) = (
            state.node.as_ref().map(|node| node.epoch()),
            epoch.as_ref().map(|epoch| epoch.spec.epoch),
        );
        if had != has {
            state.node =
                epoch.as_ref().map(|epoch| Arc::new(Node::new(epoch.spec.clone(), self.make)));
        }
        for output in outputs {
            let (conn, item) = match output {
                // What only users are told.
                Output::Send(_, Message::Waiting(_)) => continue,
                Output::Send(conn, Message::Welcome(welcome)) => {
                    let members = epoch
                        .as_ref()
                        .map_or_else(|| [].into(), |epoch: &Arc<JobEpoch>| epoch.members.clone());
                    (conn, Item::Welcome(welcome, members))
                }
                Output::Send(conn, message) => (conn, Item::Message(message.into())),
                Output::Close(conn) => (conn, Item::Closed),
                Output::Dial(_) => unreachable!("the switch has no parent"),
                Output::Load(..) => unreachable!("no worker has operations"),
            };
            let owner = state.plane.owner(conn.0);
            worker(state, owner).send(conn.0, item);
        }
    }

    fn step_node(&self, state: &mut ElasticState<S>, datagram: &[u8]) -> Vec<Datagram> {
        let (Some(node), Some(epoch)) = (&mut state.node, state.plane.epoch.clone()) else {
            return Vec::new();
        };
        let Some(sent) = Arc::make_mut(node).handle(datagram) else {
            state.fault = Some(Fault::Reported);
            return Vec::new();
        };
        let addressed = sent.into_iter().flat_map(|(to, bytes)| {
            let epoch = epoch.clone();
            recipients(&epoch, to)
                .into_iter()
                .map(move |to| Datagram { to: Address::Worker(to), bytes: bytes.clone() })
        });
        addressed.collect()
    }

    /// Returns whether all calls are over at all workers that are in the job yet.
    fn is_complete(&self, state: &ElasticState<S>) -> bool {
        let over = |call: &Call| *call != Call::InProgress;
        let done = |worker: &Worker| {
            worker.calls.len() == self.job.calls().len() && worker.calls.iter().all(over)
        };
        state.workers.iter().all(|worker| worker.is_over() || done(worker) && worker.is_running())
    }
}

/// A worker, to be changed.
fn worker<S: Switch>(state: &mut ElasticState<S>, number: u16) -> &mut Worker {
    Arc::make_mut(&mut state.workers[usize::from(number)])
}

/// Workers to which a datagram of the switch goes.
fn recipients(epoch: &JobEpoch, to: Recipients) -> Vec<u16> {
    let ranks = (0..).map(netfold_wire::WorkerId).zip(epoch.members.iter());
    ranks.filter_map(|(rank, member)| to.include(rank).then_some(*member)).collect()
}

impl<S: Switch> stateright::Model for Elastic<S> {
    type State = ElasticState<S>;
    type Action = Step;

    /// All have joined.
    fn init_states(&self) -> Vec<ElasticState<S>> {
        let workers = 0..self.job.workers();
        let mut state = ElasticState {
            workers: workers
                .clone()
                .map(|number| Arc::new(Worker::new(&self.job, number, self.tampering)))
                .collect(),
            plane: Arc::default(),
            node: None,
            network: Network::default(),
            losses: 0,
            fault: None,
        };
        for number in workers.clone() {
            let _ = self.step(&mut state, 0, &Step::Join(number));
        }
        for number in workers {
            let _ = self.step(&mut state, 0, &Step::Hear(number, number.into()));
        }
        vec![state]
    }

    fn actions(&self, state: &ElasticState<S>, steps: &mut Vec<Step>) {
        if state.fault.is_some() {
            return;
        }
        steps.extend(state.network.iter().cloned().map(Step::Deliver));
        for (number, worker) in (0..).zip(&state.workers) {
            let waits = |line: &&Arc<Line>| !line.inbox.is_empty();
            let waiting = [&worker.line, &worker.former].into_iter().flatten().filter(waits);
            steps.extend(waiting.map(|line| Step::Hear(number, line.conn)));
            if worker.may_call() {
                steps.push(Step::Call(number));
            }
            if worker.may_join() {
                steps.push(Step::Join(number));
            }
            if state.losses < self.job.most_losses() && worker.line.is_some() && !worker.is_over() {
                steps.push(Step::Cut(number));
            }
            if worker.is_running() {
                steps.extend((0..self.job.slots()).map(|slot| Step::Lose(number, SlotIndex(slot))));
            }
        }
    }

    fn next_state(&self, last: &ElasticState<S>, step: Step) -> Option<ElasticState<S>> {
        let mut state = last.clone();
        let sent = self.step(&mut state, 0, &step);
        state.network.extend(&sent);
        (state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        let always = stateright::Property::<Self>::always;
        let complete = |model: &Self, state: &ElasticState<S>| {
            let last = |worker: &&Arc<Worker>| matches!(worker.calls.last(), Some(Call::Done(_)));
            let all_lost = state.losses == model.job.most_losses();
            all_lost && model.is_complete(state) && state.workers.iter().filter(last).count() > 0
        };
        vec![
            always(Property::Exact.name(), |_, state| state.fault != Some(Fault::Wrong)),
            always(Property::Agreed.name(), |_, state| state.fault != Some(Fault::Reported)),
            always(Property::Told.name(), |_, state| state.fault != Some(Fault::Misled)),
            always(Property::Recovers.name(), |model, state| model.recovers(state)),
            stateright::Property::sometimes(Property::Completes.name(), complete),
        ]
    }
}
