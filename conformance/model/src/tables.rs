//! Jobs with a table (R-KEY): workers push, servers read, and each push is counted once, whatever
//! is lost.

mod job;
mod known;
mod recovery;
mod server;
mod state;
mod switch;
mod worker;

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use netfold_switch::{LeafRequest, Shard, TableSpec};

use crate::model::Property;
use crate::network::Network;
use crate::search::{self, Counterexample, Explored};
pub use job::TableJob;
use known::Known;
use server::Server;
use state::Fault;
pub use state::{Peer, TableDatagram, TableState};
pub use switch::TableSwitch;
use switch::{Node, admitted};
use worker::{View, Worker};

/// A rule of workers or servers that is broken, so that a test can see the search find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableRule {
    /// R-KEY-3: a worker sends number q only when number q - W has been acknowledged.
    Window,
    /// R-KEY-5: a server that was lost numbers its requests as none before.
    Numbers,
    /// R-KEY-10: it keeps a push until the servers have stored it, not until it is acknowledged.
    Keep,
    /// R-KEY-10: a server that has sealed the epoch reads nothing more of it.
    Seal,
    /// R-KEY-10: a server that was lost knows that it has sealed the epoch.
    StoredSeal,
    /// R-KEY-10: a server takes of a replay what is newer than its windows.
    Replay,
    /// R-KEY-13: a server reads a plane when all workers have opened it.
    Opened,
    /// R-KEY-13: a worker opens a plane when it has replayed what it keeps.
    Replayed,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TableStep {
    /// The network delivers a datagram, and keeps it.
    Deliver(TableDatagram),
    /// A server asks for the next generation, and closes it if that is possible.
    Ask(u16),
    /// A worker hears from a server that it has stored the pushes before this one.
    Tell(u16, u16, u32),
    /// A server seals the epoch.
    Seal(u16),
    /// A worker replays what it keeps to a server, and pushes no more.
    Replay(u16, u16),
    /// A worker opens the next plane, and pushes to it (R-KEY-13).
    Open(u16),
    /// A server hears that a worker has opened it.
    Opened(u16, u16),
    /// A server is lost, and comes back with what it has stored.
    LoseServer(u16),
    /// The job is over at a switch: at the root before it is at the others.
    End(usize),
    /// A peer looks at its timers. A search does without.
    Time(Peer),
}

/// A job with a table, and the machines that carry it out: `netfold_worker::keyed::Client` and
/// `Reader`, and the table of `netfold_switch::Shard`. Of R-KEY this crate has what a server
/// stores, and what it takes of a replay.
///
/// All pushes are made at the start: a push that is made later is one whose datagram takes longer.
/// Servers and workers talk over connections, on which nothing is lost. A switch or a worker that
/// is lost takes no more steps, as in any run in which the network delivers nothing more to it;
/// what then becomes of the others is a matter of [`Property::Recovers`]. Datagrams that are sent
/// again are in the network already (R-KEY-4).
///
/// W is 256 at the switch, as always. A worker of a model uses few of its registers, and numbers
/// its pushes accordingly: with one register 0, 256, 512. So registers are used again after few
/// pushes.
pub struct TableModel<S: TableSwitch = Shard> {
    job: Arc<TableJob>,
    broken: Option<TableRule>,
    make: fn(&TableSpec) -> S,
    known: Known<S>,
    /// Each step is taken anew.
    rechecks: bool,
    /// States of machines from which completion was reached, by their hashes.
    recovered: Mutex<HashSet<u64>>,
}

impl TableModel {
    /// The job with the real switch.
    pub fn new(job: TableJob) -> Self {
        Self::with(job, admitted)
    }
}

impl<S: TableSwitch> TableModel<S> {
    /// The job with another switch.
    pub fn with(job: TableJob, make: fn(&TableSpec) -> S) -> Self {
        Self {
            job: Arc::new(job),
            broken: None,
            make,
            known: Known::default(),
            rechecks: false,
            recovered: Mutex::default(),
        }
    }

    /// The same with workers and servers that break a rule.
    #[must_use]
    pub fn without(self, rule: TableRule) -> Self {
        Self { broken: Some(rule), ..self }
    }

    /// Takes each step anew, and compares it with the same step of a machine in the same state that
    /// came there in another way ([`Model::rechecked`](crate::Model::rechecked)).
    ///
    /// # Panics
    /// The search does, if two machines in the same state go on in different ways.
    #[must_use]
    pub fn rechecked(self) -> Self {
        Self { rechecks: true, ..self }
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

    /// Returns how often a push is in the sum of a rank that a server has stored.
    fn count(&self, state: &TableState<S>, worker: u16, number: u32, rank: u32) -> u32 {
        self.job.count(worker, number, state.sum(self.job.server_of(rank), rank))
    }

    /// Takes a step at a time in microseconds. Returns the datagrams to send.
    fn step(&self, state: &mut TableState<S>, now_us: u64, step: &TableStep) -> Vec<TableDatagram> {
        let job = &*self.job;
        match *step {
            TableStep::Deliver(ref datagram)
                if !datagram.answer || matches!(datagram.peer, Peer::Parent(_)) =>
            {
                let node = job.node_of(datagram);
                let machine = Arc::make_mut(&mut state.nodes[node]);
                let (answer, requests) = machine.handle(&datagram.bytes);
                let peer = datagram.peer;
                let answer = answer.map(|bytes| TableDatagram { peer, answer: true, bytes });
                answer.into_iter().chain(below(job, node, &requests)).collect()
            }
            TableStep::Deliver(TableDatagram { peer, ref bytes, .. }) => match peer {
                Peer::Worker(rank) => {
                    requests(peer, worker(state, rank).handle(job, now_us, bytes, self.broken))
                }
                Peer::Server(index) => {
                    let sent = server(state, index).handle(index, job, now_us, bytes);
                    found(state, peer, sent)
                }
                Peer::Parent(_) => Vec::new(),
            },
            TableStep::Time(Peer::Parent(_)) => Vec::new(),
            TableStep::Time(peer @ Peer::Worker(rank)) => {
                requests(peer, worker(state, rank).look(job, now_us))
            }
            TableStep::Time(peer @ Peer::Server(index)) => {
                let sent = server(state, index).look(index, job, now_us);
                found(state, peer, sent)
            }
            TableStep::Ask(index) => {
                let sent = server(state, index).ask(index, job, now_us);
                found(state, Peer::Server(index), sent)
            }
            TableStep::Tell(rank, index, before) => {
                worker(state, rank).tell(job.parts(index), before);
                Vec::new()
            }
            TableStep::Seal(index) => {
                server(state, index).seal(self.broken);
                Vec::new()
            }
            TableStep::Replay(rank, index) => {
                let kept = worker(state, rank).replay(job, index);
                let taken = server(state, index).take_replay(index, job, rank, &kept, self.broken);
                found(state, Peer::Server(index), taken.map(|()| Vec::new()))
            }
            TableStep::Open(rank) => {
                let mut opened = Worker::new(job, rank, 1, self.broken);
                let sent = opened.drain(job, now_us);
                *worker(state, rank) = opened;
                requests(Peer::Worker(rank), sent)
            }
            TableStep::Opened(rank, index) => {
                server(state, index).open(index, job, rank, self.broken);
                Vec::new()
            }
            TableStep::LoseServer(index) => {
                state.losses += 1;
                server(state, index).lose(index, job, self.broken);
                Vec::new()
            }
            TableStep::End(node) => {
                state.ended |= 1 << node;
                let requests = Arc::make_mut(&mut state.nodes[node]).end();
                (0..job.workers()).for_each(|rank| worker(state, rank).stop());
                below(job, node, &requests).collect()
            }
        }
    }

    /// Returns whether all that may befall the job has, and every push is stored and forgotten.
    fn is_complete(&self, state: &TableState<S>) -> bool {
        let last = usize::from(self.job.moves());
        let whole = |(worker, machine): (u16, &Arc<Worker>)| {
            let View { progress, plane, .. } = machine.view();
            *plane == last && progress.first as usize == self.job.pushes(worker, last).len()
        };
        state.losses == self.job.most_lost_servers()
            && (!self.job.may_end() || state.nodes[0].is_gone())
            && (0..).zip(&state.workers).all(whole)
    }

    /// Returns whether all that workers have forgotten is stored (R-KEY-10).
    fn is_kept(&self, state: &TableState<S>) -> bool {
        (0..).zip(&state.workers).all(|(worker, machine)| {
            let View { progress, plane, .. } = machine.view();
            let before = (0..*plane).flat_map(|plane| self.job.pushes(worker, plane));
            let forgotten = self.job.pushes(worker, *plane).take(progress.first as usize);
            before.chain(forgotten).all(|(number, ranks)| {
                ranks.iter().all(|rank| self.count(state, worker, number, *rank) == 1)
            })
        })
    }
}

/// Returns the requests of a switch to those below it.
fn below(
    job: &TableJob,
    node: usize,
    requests: &[LeafRequest],
) -> impl Iterator<Item = TableDatagram> {
    let leaves = job.leaves(node);
    requests.iter().filter_map(move |request| {
        let (below, _) = leaves.iter().find(|(_, leaf)| leaf.name == request.leaf)?;
        let bytes = request.datagram().into();
        Some(TableDatagram { peer: Peer::Parent(*below), answer: false, bytes })
    })
}

fn requests(peer: Peer, sent: Vec<Arc<[u8]>>) -> Vec<TableDatagram> {
    sent.into_iter().map(|bytes| TableDatagram { peer, answer: false, bytes }).collect()
}

/// Returns the requests of a server, unless it has come to a fault.
fn found<S: TableSwitch>(
    state: &mut TableState<S>,
    peer: Peer,
    sent: Result<Vec<Arc<[u8]>>, Fault>,
) -> Vec<TableDatagram> {
    state.fault = state.fault.or(sent.as_ref().err().copied());
    requests(peer, sent.unwrap_or_default())
}

/// A worker, to be changed.
fn worker<S: TableSwitch>(state: &mut TableState<S>, rank: u16) -> &mut Worker {
    Arc::make_mut(&mut state.workers[usize::from(rank)])
}

/// A server, to be changed.
fn server<S: TableSwitch>(state: &mut TableState<S>, index: u16) -> &mut Server {
    Arc::make_mut(&mut state.servers[usize::from(index)])
}

impl<S: TableSwitch> stateright::Model for TableModel<S> {
    type State = TableState<S>;
    type Action = TableStep;

    /// All pushes are made, and those that may be under way are.
    fn init_states(&self) -> Vec<TableState<S>> {
        let (mut workers, mut network) = (Vec::new(), Network::default());
        for rank in 0..self.job.workers() {
            let mut worker = Worker::new(&self.job, rank, 0, self.broken);
            network.extend(&requests(Peer::Worker(rank), worker.drain(&self.job, 0)));
            workers.push(Arc::new(worker));
        }
        let servers = 0..self.job.servers();
        vec![TableState {
            workers,
            servers: servers.map(|server| Arc::new(Server::new(&self.job, server))).collect(),
            nodes: (0..self.job.switches())
                .map(|node| Arc::new(Node::new((self.make)(&self.job.spec(node)))))
                .collect(),
            network,
            ended: 0,
            losses: 0,
            fault: None,
        }]
    }

    fn actions(&self, state: &TableState<S>, steps: &mut Vec<TableStep>) {
        if state.fault.is_some() {
            return;
        }
        let job = &self.job;
        steps.extend(state.network.iter().cloned().map(TableStep::Deliver));
        for (index, server) in (0..).zip(&state.servers) {
            let view = server.view();
            let reads = !view.store.sealed || self.broken == Some(TableRule::Seal);
            if reads && view.asks < job.asks() && !server.is_busy() {
                steps.push(TableStep::Ask(index));
            }
            for (rank, worker) in (0..job.workers()).zip(&state.workers) {
                let (worker, store) = (worker.view(), &view.store);
                if worker.plane > store.plane && store.opened >> rank & 1 == 0 {
                    steps.push(TableStep::Opened(rank, index));
                }
                // What a server tells of pushes names the epoch, and so does a replay.
                if worker.plane != store.plane {
                    continue;
                }
                let stored = 1..=job.pushes_in(&store.windows[usize::from(rank)]);
                steps.extend(stored.map(|before| TableStep::Tell(rank, index, before)));
                if store.sealed && worker.replayed >> index & 1 == 0 {
                    steps.push(TableStep::Replay(rank, index));
                }
            }
            if job.may_seal() && !view.store.sealed && (view.store.plane == 0 || !job.moves()) {
                steps.push(TableStep::Seal(index));
            }
            if state.losses < job.most_lost_servers() {
                steps.push(TableStep::LoseServer(index));
            }
        }
        let all = (1 << job.servers()) - 1;
        steps.extend((0..job.workers()).zip(&state.workers).filter_map(|(rank, worker)| {
            let View { replayed, plane, .. } = worker.view();
            let sealed = *replayed != 0 && self.broken == Some(TableRule::Replayed);
            (job.moves() && *plane == 0 && (*replayed == all || sealed))
                .then_some(TableStep::Open(rank))
        }));
        let over = |node: &usize| state.ended >> node & 1 == 1;
        let may_end = |node: &usize| job.may_end() && !over(node) && (*node == 0 || over(&0));
        steps.extend((0..job.switches()).filter(may_end).map(TableStep::End));
    }

    fn next_state(&self, last: &TableState<S>, step: TableStep) -> Option<TableState<S>> {
        let mut state = last.clone();
        let sent = self.step_as_known(&mut state, &step);
        state.network.extend(&sent);
        state.forget_answers(&self.job, self.job.most_lost_servers());
        let bounded = state.nodes.iter().all(|node| node.requests() <= self.job.requests());
        (bounded && state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        let always = stateright::Property::<Self>::always;
        vec![
            always(Property::Exact.name(), |_, state| {
                !matches!(state.fault, Some(Fault::WrongSum { .. }))
            }),
            always(Property::Kept.name(), |model, state| {
                !matches!(state.fault, Some(Fault::Overwritten { .. })) && model.is_kept(state)
            }),
            always(Property::Recovers.name(), |model, state| model.recovers(state)),
            stateright::Property::sometimes(Property::Completes.name(), |model, state| {
                model.is_complete(state)
            }),
        ]
    }
}
