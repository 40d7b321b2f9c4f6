//! The state that a server stores: rows, sessions, steps, and its part of the switch. It changes by
//! entries of the log alone, so that a log that is read again gives the same table.

use super::agreement::{Agreement, check, check_switch};
use super::entry::Entry;
use super::fault::Fault;
use super::plane::Epoch;
use super::rates::Rates;
use super::worker::{Gradients, Pending, Worker, bytes};
use crate::message::{Change, Generation, Hello, Plane};
use crate::numbers::Numbers;
use crate::optimizer::Rule;
use crate::rows::{Rows, Slot};
use crate::store::Store;

/// A table at one server.
#[derive(Debug)]
pub(super) struct Table<S> {
    pub terms: Hello,
    pub rows: Rows<S>,
    pub rates: Rates,
    /// The hot keys of the first run, whose rows are side by side.
    pub placed: Vec<u32>,
    pub workers: Vec<Worker>,
    /// The planes that some worker has not left.
    pub planes: Vec<Epoch>,
    /// The last step that all workers have ended, and of which everything is applied.
    pub applied: Option<u32>,
    /// The number of such steps, in all sessions.
    pub steps: u32,
    /// Synchronous: sums of the switch that await the end of the step.
    pub hot: Vec<Gradients>,
    /// The rows of every rank have come from the former servers, if there are any (R-SERVE-21).
    pub whole: bool,
    /// The list is over: nothing changes its rows any more (R-SERVE-20).
    pub over: bool,
    /// The next servers, once a rank has named them.
    pub next: Vec<String>,
    /// The rows are at the next servers, and not here any more.
    pub dropped: bool,
    limit: usize,
    /// Bytes of gradients that await the end of a step.
    pub waiting: usize,
    slots: Vec<Slot>,
}

/// The step that gradients belong to, when steps are applied whole.
enum Step {
    /// The next step to be applied: sums of the switch.
    Switch,
    /// A rank's first step that is not applied: what it has lost at the switch. It does not begin
    /// another step at the switch before this one is applied.
    First(u16),
    /// The step that a rank is in.
    Last(u16),
}

impl<S: Store> Table<S> {
    pub fn new(terms: Hello, store: Option<S>, limit: usize) -> Result<Self, Fault> {
        check_switch(&terms).map_err(Fault::Refused)?;
        let placed = terms.hot_keys.clone();
        let mut table = Self::placed(terms, placed, store, limit)?;
        table.begin_run();
        Ok(table)
    }

    /// Begins with rows that are where hot keys of an earlier run have put them, and with no plane.
    pub fn placed(
        terms: Hello,
        placed: Vec<u32>,
        store: Option<S>,
        limit: usize,
    ) -> Result<Self, Fault> {
        check(&terms).map_err(Fault::Refused)?;
        let rows = Rows::new(&terms.table, &placed, (terms.server, terms.servers), store, limit);
        let (hot, slots) = (Vec::new(), Vec::new());
        Ok(Self {
            rates: Rates::new(&terms.table.optimizer),
            whole: terms.former.is_empty(),
            over: false,
            next: Vec::new(),
            dropped: false,
            terms,
            rows,
            placed,
            workers: Vec::new(),
            planes: Vec::new(),
            applied: None,
            steps: 0,
            hot,
            limit,
            waiting: 0,
            slots,
        })
    }

    pub fn synchronous(&self) -> bool {
        self.terms.table.staleness == Some(0)
    }

    /// Begins the run that the terms are of.
    fn begin_run(&mut self) {
        let Hello { workers, switch, hot_keys, .. } = &self.terms;
        let plane = switch.as_ref().map(|switch| switch.epoch);
        self.workers = (0..*workers).map(|_| Worker { plane, ..Worker::default() }).collect();
        if plane.is_none() || self.planes.iter().all(|own| Some(own.number()) != plane) {
            let hot_keys = hot_keys.clone();
            let plane = switch.clone().map(|switch| Plane { switch, hot_keys });
            self.planes = plane.map(|plane| self.epoch(plane)).into_iter().collect();
        }
    }

    /// Returns the last step that all workers have ended.
    pub fn complete(&self) -> Option<u32> {
        let here = self.workers.iter().filter(|worker| !worker.left);
        // When all have left, whatever any of them has ended (R-SERVE-15).
        let last = || self.workers.iter().map(|worker| worker.ended).max();
        here.map(|worker| worker.ended).min().or_else(last).flatten()
    }

    /// Returns the step to apply next, if all workers have ended it.
    pub fn next_step(&self) -> Option<u32> {
        let complete = self.complete()?;
        let fronts = self.workers.iter().filter_map(|worker| worker.pending.front()?.ended);
        let next = fronts.min().map_or(complete, |front| front.min(complete));
        let stepped = self.terms.table.staleness.is_some() && self.whole;
        (stepped && self.applied.is_none_or(|applied| applied < next)).then_some(next)
    }

    /// Returns whether the rows have all that was pushed to the switch up to the last ends of steps
    /// (R-SERVE-5). Nobody waits for a worker that has left.
    pub fn has_steps(&self) -> bool {
        (0..).zip(&self.workers).all(|(rank, worker)| self.has_pushed(rank, &worker.pushed))
    }

    /// Carries out an entry, whole or not at all.
    pub fn apply(&mut self, entry: &Entry<'_>) -> Result<(), Fault> {
        match entry {
            Entry::Terms(terms) => self.renew(terms),
            Entry::Run => {
                self.rates = Rates::new(&self.terms.table.optimizer);
                Ok(())
            }
            Entry::Session { rank, session } => self.begin_session(*rank, *session),
            Entry::Change { rank, number, change } => {
                self.change(*rank, change)?;
                self.worker(*rank)?.number = *number;
                Ok(())
            }
            Entry::Generation(generation) => self.add_generation(generation),
            Entry::Seal { epoch } => {
                self.plane_mut(*epoch)?.sealed = true;
                Ok(())
            }
            Entry::Loaded { epoch } => {
                self.plane_mut(*epoch)?.loaded = true;
                Ok(())
            }
            Entry::Step { step } => self.end_step(*step),
            Entry::Dropped => {
                self.drop_rows();
                Ok(())
            }
            Entry::Over => {
                self.over = true;
                Ok(())
            }
            Entry::Whole => {
                self.become_whole();
                Ok(())
            }
        }
    }

    pub(super) fn worker(&mut self, rank: u16) -> Result<&mut Worker, Fault> {
        let why = || Fault::Refused(format!("rank {rank} is not one of the table's"));
        self.workers.get_mut(usize::from(rank)).ok_or_else(why)
    }

    /// Takes the terms of another run.
    fn renew(&mut self, terms: &Hello) -> Result<(), Fault> {
        check(terms).map_err(Fault::Refused)?;
        check_switch(terms).map_err(Fault::Refused)?;
        if self.whole {
            Agreement::Stored.compare(&self.terms, terms).map_err(Fault::Refused)?;
            self.rows.renew(&terms.table);
        } else {
            // R-SERVE-19
            self.rows = self.rows.replaced(terms);
            self.placed.clone_from(&terms.hot_keys);
        }
        (self.applied, self.waiting) = (None, 0);
        self.hot.clear();
        self.rates = Rates::new(&terms.table.optimizer);
        self.terms = terms.clone();
        self.begin_run();
        Ok(())
    }

    fn begin_session(&mut self, rank: u16, session: u64) -> Result<(), Fault> {
        let named = self.terms.switch.is_some();
        let worker = self.worker(rank)?;
        let mut pending = core::mem::take(&mut worker.pending);
        // The step that the process before has not ended is done again.
        pending.retain(|step| step.ended.is_some());
        pending.push_back(Pending::default());
        let plane = worker.plane;
        // It has pushed nothing to a plane that its hello did not name.
        let replayed = if named { None } else { plane };
        *worker = Worker { session: Some(session), plane, replayed, pending, ..Worker::default() };
        self.applied = None;
        self.rates.begin();
        self.count_waiting();
        Ok(())
    }

    pub fn count_waiting(&mut self) {
        let steps = self.workers.iter().flat_map(|worker| &worker.pending);
        let pending = steps.flat_map(|step| &step.gradients);
        self.waiting = pending.chain(&self.hot).map(bytes).sum();
    }

    fn change(&mut self, rank: u16, change: &Change) -> Result<(), Fault> {
        if self.worker(rank)?.left {
            let why = "it has left, and sends changes; all must run one version";
            return Err(Fault::Refused(format!("rank {rank}: {why}")));
        }
        self.check_list(rank, change)?;
        match change {
            Change::Leave => self.leave(rank),
            Change::Move { to } => self.move_rank(rank, to),
            Change::Put { keys, lanes } => self.put(keys, lanes),
            Change::Arrived { ended, steps } => self.arrived(rank, *ended, *steps),
            Change::Rate { step, lr } => {
                let synchronous = self.synchronous();
                self.rates.change(*step, *lr, synchronous)
            }
            Change::Push { keys, rows } => {
                self.find(keys, rows)?;
                match self.synchronous() {
                    true => self.keep(Step::Last(rank), rows),
                    false => Ok(self.rows.change(self.rates.rule(), &self.slots, rows)?),
                }
            }
            Change::Set { keys, rows } => {
                self.find(keys, rows)?;
                let rule = Rule::Set(&self.terms.table.optimizer);
                Ok(self.rows.change(rule, &self.slots, rows)?)
            }
            Change::EndStep { step, pushed } => {
                let worker = self.worker(rank)?;
                if let Some(last) = worker.ended.filter(|last| last.checked_add(1) != Some(*step)) {
                    let why = format!("rank {rank} has ended step {step} after step {last}");
                    return Err(Fault::Refused(why));
                }
                (worker.ended, worker.pushed) = (Some(*step), *pushed);
                if self.synchronous() {
                    let pending = &mut self.worker(rank)?.pending;
                    pending.back_mut().expect("a session has a step").ended = Some(*step);
                    pending.push_back(Pending::default());
                }
                Ok(())
            }
            Change::Replay { epoch, push, ranks, rows } => {
                self.rows.check(ranks.len(), rows)?;
                let has = self.leaving(rank, *epoch)?.has(rank, *push);
                self.find_ranks(*epoch, ranks)?;
                match self.synchronous() {
                    _ if has => {}
                    true => self.keep(Step::First(rank), rows)?,
                    false => self.rows.change(
                        self.rates.hot_rule(self.terms.table.resident),
                        &self.slots,
                        rows,
                    )?,
                }
                self.plane_mut(*epoch)?.sealed = true;
                Ok(())
            }
            Change::EndReplay { epoch } => {
                self.leaving(rank, *epoch)?;
                self.plane_mut(*epoch)?.sealed = true;
                self.worker(rank)?.replayed = Some(*epoch);
                Ok(())
            }
            Change::Open { plane } => self.open(rank, plane),
        }
    }

    /// Finds the slots of `keys` and checks the rows.
    fn find(&mut self, keys: &[u32], rows: &Numbers) -> Result<(), Fault> {
        self.rows.check(keys.len(), rows)?;
        self.rows.find(keys, &mut self.slots)?;
        let resident = self.live().filter(|_| self.terms.table.resident);
        match resident.and_then(|plane| plane.slots.first_hot(keys)) {
            None => Ok(()),
            Some(rank) => Err(Fault::Refused(format!(
                "the hot key of rank {rank} is resident at the switch: what is to be added to it \
                 is pushed there (R-KEY-12)"
            ))),
        }
    }

    /// Finds the slots of ranks of a plane.
    fn find_ranks(&mut self, epoch: u32, ranks: &[u32]) -> Result<(), Fault> {
        let mut slots = core::mem::take(&mut self.slots);
        let found = self.plane_mut(epoch)?.slots.find(ranks, &mut slots);
        self.slots = slots;
        Ok(found?)
    }

    /// Keeps the rows of the slots that were found until the step has ended.
    fn keep(&mut self, step: Step, rows: &Numbers) -> Result<(), Fault> {
        let gradients = (self.slots.clone(), rows.clone());
        let waiting = self.waiting + bytes(&gradients);
        if waiting > self.limit {
            return Err(Fault::Refused(format!(
                "gradients of steps that some worker has not ended need more than {} bytes; give \
                 the server more memory",
                self.limit
            )));
        }
        self.waiting = waiting;
        let pending = match step {
            Step::Switch => {
                self.hot.push(gradients);
                return Ok(());
            }
            Step::First(rank) => self.worker(rank)?.pending.front_mut(),
            Step::Last(rank) => self.worker(rank)?.pending.back_mut(),
        };
        pending.expect("a session has a step").gradients.push(gradients);
        Ok(())
    }

    fn add_generation(&mut self, generation: &Generation) -> Result<(), Fault> {
        let workers = self.workers.len();
        if generation.windows.len() != workers {
            let found = generation.windows.len();
            return Err(Fault::Refused(format!("windows of {found} workers, not of {workers}")));
        }
        self.rows.check(generation.ranks.len(), &generation.rows)?;
        let live = self.live().ok_or_else(|| Fault::Refused("the table is at no switch".into()))?;
        let epoch = live.number();
        self.find_ranks(epoch, &generation.ranks)?;
        match self.synchronous() {
            true => self.keep(Step::Switch, &generation.rows)?,
            false => self.rows.change(
                self.rates.hot_rule(self.terms.table.resident),
                &self.slots,
                &generation.rows,
            )?,
        }
        self.plane_mut(epoch)?.note(generation.number, generation.windows.clone());
        Ok(())
    }

    fn end_step(&mut self, step: u32) -> Result<(), Fault> {
        self.applied = Some(step);
        self.steps = self.steps.saturating_add(1);
        if self.synchronous() {
            let mut sources = Vec::new();
            for worker in &mut self.workers {
                while worker.pending.front().is_some_and(|own| own.ended.is_some_and(|e| e <= step))
                {
                    let own = worker.pending.pop_front().expect("it was looked at");
                    sources.extend(own.gradients);
                }
            }
            sources.append(&mut self.hot);
            self.rates.reached(step);
            let rule = Rule::Optimize(&self.rates.optimizer, Some(self.steps));
            self.rows.change_by_sums(rule, &sources)?;
            self.count_waiting();
        }
        Ok(())
    }

    /// Returns the rows of `keys`.
    pub fn pull(&mut self, keys: &[u32]) -> Result<Numbers, Fault> {
        self.rows.find(keys, &mut self.slots)?;
        Ok(self.rows.read(&self.slots)?)
    }

    /// Returns the hot ranks of this server, and their rows.
    pub fn hot_rows(&mut self) -> Result<(Vec<u32>, Numbers), Fault> {
        let Some(live) = self.live() else { return Ok(Default::default()) };
        let (epoch, ranks) = (live.number(), live.slots.own_ranks());
        self.find_ranks(epoch, &ranks)?;
        Ok((ranks, self.rows.read(&self.slots)?))
    }
}
