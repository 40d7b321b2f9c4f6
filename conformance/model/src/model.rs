//! States, and the steps from one to another.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use netfold_switch::{JobSpec, Shard};
use netfold_wire::SlotIndex;

use crate::host::{Host, Tamper};
use crate::job::Job;
use crate::network::{Datagram, Network};
use crate::state::State;
use crate::steps::Known;
use crate::switch::{Node, Switch};

/// A fault of a state. It ends the search there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A worker has taken a result that is not the fold of all contributions to the block, each
    /// once, with the exponent that all have agreed on; or it has taken one twice, or has completed
    /// a call without having all.
    WrongResult {
        /// The worker.
        worker: u16,
    },
    /// A round has taken the place of one whose result not all workers have (R-SLOT-6, R-TREE-6).
    Overwritten {
        /// The switch, 0 for the root.
        switch: usize,
        /// The slot.
        slot: u16,
    },
    /// A switch has reported a mismatch or an overflow, although all workers make the same calls
    /// (R-SLOT-7).
    Reported {
        /// The switch, 0 for the root.
        switch: usize,
    },
}

/// A property that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// In every state: each result that was taken is the fold of all contributions to its block,
    /// each counted once. So all workers have the same. Of a table: the sums that a server has
    /// stored have each push once at most, and nothing else.
    Exact,
    /// In every state: no copy was overwritten while a worker needed it (R-SLOT-6). Of a table: no
    /// generation is gone that a server has not stored (R-KEY-8), and what a worker has forgotten
    /// is stored (R-KEY-10).
    Kept,
    /// In every state: no mismatch was reported (R-SLOT-7).
    Agreed,
    /// In every state of an elastic job: each call is made with the workers that its caller knows,
    /// and was completed in one epoch at most (R-RES-9).
    Told,
    /// From every state, all calls can be completed, even if all that is under way is lost: with
    /// the timers as they are, over a network that loses nothing from now on. Of a table: so is
    /// counting each push once, at all servers, also if the switch is lost now (R-KEY-10) or a
    /// worker. A push that its lost worker knows to be acknowledged is counted as well, and any
    /// other at all servers or at none.
    Recovers,
    /// In some state all calls are complete.
    Completes,
}

impl Property {
    /// Returns its name in a counterexample.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "each result is the fold of all contributions, each counted once",
            Self::Kept => "nothing is overwritten or forgotten while anyone needs it",
            Self::Agreed => "no mismatch is reported when all make the same calls",
            Self::Told => {
                "each call is made with those of whom its caller knows, and counted alike by all"
            }
            Self::Recovers => "completion can be reached even if all that is under way is lost",
            Self::Completes => "all calls are complete",
        }
    }
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The network delivers a datagram, and keeps it.
    Deliver(Datagram),
    /// A worker makes its next call.
    Call(u16),
    /// A worker takes the outstanding round of a slot for lost.
    Lose(u16, SlotIndex),
    /// A worker looks at its timers. A search does without: rounds are lost at any instant.
    Time(u16),
    /// All switches are lost, and the job goes on at others (R-RES).
    LoseSwitches,
}

/// A job, and the machines that carry it out.
pub struct Model<S: Switch = Shard> {
    pub(crate) job: Arc<Job>,
    pub(crate) tamper: Tamper,
    make: fn(&JobSpec) -> S,
    /// Steps that machines have taken, unless each must be taken anew.
    pub(crate) known: Known<S>,
    pub(crate) rechecks: bool,
    /// States of workers and switches from which completion was reached, by their hashes.
    pub(crate) recovered: Mutex<HashSet<u64>>,
}

impl Model {
    /// The job with real workers and real switches.
    pub fn new(job: Job) -> Self {
        Self::with(job, admitted)
    }
}

/// A real switch with this job.
pub(crate) fn admitted(spec: &JobSpec) -> Shard {
    let mut shard = Shard::new(spec.memory_bytes());
    shard.admit(spec.clone()).expect("there is memory for the only job");
    shard
}

impl<S: Switch> Model<S> {
    /// The job with other switches.
    pub fn with(job: Job, make: fn(&JobSpec) -> S) -> Self {
        let tamper = Tamper::NONE;
        Self {
            job: Arc::new(job),
            tamper,
            make,
            known: Known::default(),
            rechecks: false,
            recovered: Mutex::default(),
        }
    }

    /// The same with workers whose datagrams are tampered with.
    #[must_use]
    pub fn tampered(self, tamper: Tamper) -> Self {
        Self { tamper, ..self }
    }

    /// Takes each step anew, and compares it with the same step of a machine in the same state that
    /// came there in another way: a search knows machines only by
    /// [`Progress`](netfold_worker::Progress) and [`Switch::memory`], and so finds out whether that
    /// is enough.
    ///
    /// # Panics
    /// The search does, if two machines in the same state go on in different ways.
    #[must_use]
    pub fn rechecked(self) -> Self {
        Self { rechecks: true, ..self }
    }

    pub(crate) fn calls(&self) -> usize {
        self.job.calls().len()
    }

    /// Returns whether all workers have completed all calls.
    pub(crate) fn is_complete(&self, state: &State<S>) -> bool {
        state.hosts.iter().all(|host| host.view().done == self.calls())
    }

    /// The state in which nothing has been sent.
    fn first(&self) -> State<S> {
        let hosts =
            (0..self.job.workers()).map(|worker| Arc::new(Host::new(&self.job, worker))).collect();
        State { hosts, nodes: self.nodes(0), network: Network::default(), fault: None, losses: 0 }
    }

    /// Switches that have seen nothing yet, after so many losses.
    pub(crate) fn nodes(&self, losses: u32) -> Vec<Arc<Node<S>>> {
        let node = |switch| {
            let spec = self.job.spec(switch, losses).expect("every switch of a model has members");
            Arc::new(Node::new(spec, self.make))
        };
        (0..self.job.switches()).map(node).collect()
    }
}

impl<S: Switch> stateright::Model for Model<S> {
    type State = State<S>;
    type Action = Action;

    fn init_states(&self) -> Vec<State<S>> {
        let mut state = self.first();
        if !self.job.are_calls_at_any_time() {
            for worker in 0..self.job.workers() {
                for _ in 0..self.calls() {
                    let sent = self.step(&mut state, 0, &Action::Call(worker));
                    state.network.extend(&sent);
                }
            }
        }
        vec![state]
    }

    fn actions(&self, state: &State<S>, actions: &mut Vec<Action>) {
        if state.fault.is_some() {
            return;
        }
        actions.extend(state.network.iter().cloned().map(Action::Deliver));
        if state.losses < self.job.most_losses() {
            actions.push(Action::LoseSwitches);
        }
        for (worker, host) in (0..).zip(&state.hosts) {
            if host.view().called < self.calls() {
                actions.push(Action::Call(worker));
            }
            actions.extend((0..self.job.slots()).map(|slot| Action::Lose(worker, SlotIndex(slot))));
        }
    }

    fn next_state(&self, last: &State<S>, action: Action) -> Option<State<S>> {
        let mut state = last.clone();
        let sent = match action {
            Action::LoseSwitches => self.lose_switches(&mut state),
            _ => self.step_as_known(&mut state, &action),
        };
        state.network.extend(&sent);
        (state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        let always = stateright::Property::<Self>::always;
        vec![
            always(Property::Exact.name(), |_, state| {
                !matches!(state.fault, Some(Fault::WrongResult { .. }))
            }),
            always(Property::Kept.name(), |_, state| {
                !matches!(state.fault, Some(Fault::Overwritten { .. }))
            }),
            always(Property::Agreed.name(), |_, state| {
                !matches!(state.fault, Some(Fault::Reported { .. }))
            }),
            always(Property::Recovers.name(), |model, state| model.recovers(state)),
            stateright::Property::sometimes(Property::Completes.name(), |model, state| {
                model.is_complete(state)
            }),
        ]
    }
}
