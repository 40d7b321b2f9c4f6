//! A shard: the jobs of one core, and the packets that go through them.

use std::collections::VecDeque;

use netfold_wire::{
    Delivery, Ecn, Epoch, HEADER_BYTES, JobId, Pool, Position, Repr, SlotIndex, WorkerId,
};

use crate::answer::Answer;
use crate::contribution::{Contribution, Refusal};
use crate::counters::Counters;
use crate::effect::{Effect, Event};
use crate::emission::{Emission, Exchanges, Queue, fill};
use crate::job::{AdmissionError, Job, JobSpec};
use crate::milestone::Milestone;
use crate::place::Place;
use crate::query::{Queries, Query, QueryCounters, QueryHandled, QuerySpec};
use crate::slot::{Arrival, Slot};
use crate::table::{LeafRequest, TableMemory, TableSpec, TableStatus};
use crate::tables::Tables;
use crate::typed::Usage;

/// Whom a transmission is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipients {
    /// Every worker of the job.
    All,
    /// One worker.
    One(WorkerId),
    /// Every worker but one.
    AllBut(WorkerId),
    /// The switch above this one (R-TREE-2).
    Parent,
}

impl Recipients {
    /// Returns whether `worker` is among them.
    pub fn include(self, worker: WorkerId) -> bool {
        match self {
            Self::All => true,
            Self::One(only) => only == worker,
            Self::AllBut(other) => other != worker,
            Self::Parent => false,
        }
    }
}

/// Datagrams to send, which [`Shard::poll_transmit`] has written to the caller's buffer: `len`
/// bytes, to be cut every `segment` bytes (the last may be shorter), all for the same recipients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// The job whose workers are meant.
    pub job: JobId,
    /// Those of them that receive it.
    pub to: Recipients,
    /// Bytes in the buffer.
    pub len: usize,
    /// Bytes of each datagram but the last.
    pub segment: usize,
}

/// A slot whose round is open, and the workers that it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingSlot {
    /// The slot.
    pub slot: SlotIndex,
    /// The block.
    pub position: Position,
    /// Workers that have contributed.
    pub seen: Vec<WorkerId>,
    /// Workers that have not.
    pub missing: Vec<WorkerId>,
}

impl WaitingSlot {
    /// Returns the open rounds of a slot of a job. An acknowledgement is not one of them: workers
    /// may hold theirs as long as nobody waits for it (R-ACK-6).
    pub fn of<const W: usize>(
        index: SlotIndex,
        slot: &Slot<W>,
        spec: &JobSpec,
    ) -> impl Iterator<Item = Self> {
        let pools = [Pool::Even, Pool::Odd].into_iter().filter(|pool| spec.has_lanes(*pool));
        pools.filter_map(move |pool| {
            let (round, holders) = slot.copy(pool).open_round()?;
            let (mut seen, mut missing) = (Vec::new(), Vec::new());
            for (number, member) in (0..).zip(spec.place.members()) {
                if holders.has(number) { seen.push(*member) } else { missing.push(*member) }
            }
            Some(Self { slot: index, position: round.position, seen, missing })
        })
    }
}

/// A job as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStatus {
    /// Specification that it was admitted with.
    pub spec: JobSpec,
    /// Slots that it has now, those that are lent among them (R-CTRL-25).
    pub slots: u16,
    /// Totals of the datagrams that were taken for the job's.
    pub counters: Counters,
    /// Its open rounds.
    pub waiting: Vec<WaitingSlot>,
    /// Work of its operations, by their numbers.
    pub usage: Vec<Usage>,
}

/// The part of a switch that one core runs.
#[derive(Clone)]
pub struct Shard {
    jobs: Vec<Option<Job>>,
    tables: Tables,
    queries: Queries,
    memory_total: u64,
    /// Bytes that slots have taken.
    slot_memory: u64,
    results: VecDeque<Emission>,
    /// Results that differ from member to member (R-SLOT-13).
    exchanges: Exchanges,
    /// Packets without lanes: results for workers that are not addressed, and answers to queries.
    /// They have a queue of their own, so that either kind forms batches for the same recipients.
    notices: VecDeque<Emission>,
    events: VecDeque<Event>,
    /// `None` if nobody asks for them.
    milestones: Option<VecDeque<Milestone>>,
    /// Totals of the datagrams that were dropped, and of jobs that have ended.
    counters: Counters,
}

impl Shard {
    /// Returns a shard without jobs that has `memory_bytes` for them.
    pub fn new(memory_bytes: u64) -> Self {
        Self {
            jobs: Vec::new(),
            tables: Tables::default(),
            queries: Queries::default(),
            memory_total: memory_bytes,
            slot_memory: 0,
            results: VecDeque::new(),
            exchanges: Exchanges::default(),
            notices: VecDeque::new(),
            events: VecDeque::new(),
            milestones: None,
            counters: Counters::default(),
        }
    }

    /// Takes a job in. All its memory is allocated here.
    ///
    /// # Errors
    /// The fault of the job, or [`AdmissionError::Memory`] when the budget is spent.
    pub fn admit(&mut self, spec: JobSpec) -> Result<(), AdmissionError> {
        spec.checked()?;
        let needed = spec.memory_bytes();
        let free = self.tables.give_way(needed, self.memory_total - self.memory_used());
        if needed > free {
            return Err(AdmissionError::Memory { needed, free });
        }
        let index = usize::from(spec.job.0);
        if self.jobs.len() <= index {
            self.jobs.resize_with(index + 1, || None);
        }
        let entry = &mut self.jobs[index];
        if entry.is_some() {
            return Err(AdmissionError::Taken { job: spec.job });
        }
        *entry = Some(Job::new(spec));
        self.slot_memory += needed;
        Ok(())
    }

    /// Lends a job its lent slots (R-CTRL-25). To a job that has them, or is not here, nothing is
    /// lent.
    ///
    /// # Errors
    /// [`AdmissionError::Memory`] when the budget is spent.
    pub fn lend(&mut self, job: JobId) -> Result<(), AdmissionError> {
        let free = self.memory_total - self.memory_used();
        let Some(job) = self.jobs.get_mut(usize::from(job.0)).and_then(Option::as_mut) else {
            return Ok(());
        };
        let needed = job.spec.lent_bytes() - job.lent_bytes();
        if needed > free {
            return Err(AdmissionError::Memory { needed, free });
        }
        job.lend();
        self.slot_memory += needed;
        Ok(())
    }

    /// Takes them back, when every worker of the job has every result, and frees their memory.
    pub fn take_back(&mut self, job: JobId) {
        if let Some(job) = self.jobs.get_mut(usize::from(job.0)).and_then(Option::as_mut) {
            self.slot_memory -= job.lent_bytes();
            job.take_back();
        }
    }

    /// Takes the table of a job in (R-KEY-1). All its memory is allocated here.
    ///
    /// # Errors
    /// The fault of the table, or [`AdmissionError::Memory`] when the budget is spent.
    pub fn admit_table(&mut self, spec: TableSpec) -> Result<(), AdmissionError> {
        let free = self.memory_total - self.memory_used();
        self.tables.admit(spec, free)
    }

    /// Has tables answer that the switch is to stop, from now on. Returns whether all are drained
    /// (R-KEY-16).
    pub fn drain_tables(&mut self) -> bool {
        self.tables.drain()
    }

    /// Ends a job and frees its memory; that of a table, when its servers have stored it
    /// (R-KEY-11). Its packets are dropped from now on. A job that is not here is no error.
    pub fn release(&mut self, job: JobId) {
        self.tables.release(job);
        if let Some(job) = self.jobs.get_mut(usize::from(job.0)).and_then(Option::take) {
            self.slot_memory -= job.spec.memory_bytes() + job.lent_bytes();
            self.counters = self.counters.plus(&job.counters);
            self.results.retain(|emission| emission.job != job.spec.job);
            self.exchanges.forget(job.spec.job);
            self.notices.retain(|emission| emission.job != job.spec.job);
        }
    }

    /// Handles one datagram, which may be anything, with its mark of the network (R-ECN-2). Never
    /// panics.
    pub fn handle(&mut self, datagram: &[u8], ecn: Ecn) {
        self.take(datagram, ecn).received(datagram.len(), ecn);
    }

    /// Handles a datagram that is one of a table ([`TablePacket::is_one`]), and writes the answer
    /// to the front of `answer`, which holds [`MAX_ANSWER_BYTES`](crate::MAX_ANSWER_BYTES). Returns
    /// the answer's length; 0 if there is no answer. Never panics on what the datagram holds.
    ///
    /// [`TablePacket::is_one`]: netfold_wire::TablePacket::is_one
    pub fn handle_table(&mut self, datagram: &[u8], ecn: Ecn, answer: &mut [u8]) -> usize {
        self.tables.handle(datagram, ecn, answer).unwrap_or_else(|refusal| {
            self.counters.refused(refusal);
            self.counters.received(datagram.len(), ecn);
            0
        })
    }

    /// Takes a query in (R-QRY).
    ///
    /// # Errors
    /// There cannot be such a query, its index and epoch are taken, or there is too little memory.
    pub fn admit_query(&mut self, spec: QuerySpec) -> Result<(), AdmissionError> {
        let free = self.memory_total - self.memory_used();
        self.queries.admit(spec, free)
    }

    /// Ends a query and frees its memory. One that is not here is no error.
    pub fn release_query(&mut self, job: JobId, epoch: Epoch) {
        self.queries.release(job, epoch);
    }

    /// Returns the queries.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        self.queries.iter()
    }

    /// Carries out the packet of a query that a datagram is, and writes the packet that follows to
    /// `out`. Returns nothing for one that is dropped.
    ///
    /// # Panics
    /// If `out` has fewer than [`MAX_ANSWER_BYTES`](crate::MAX_ANSWER_BYTES).
    pub fn handle_query(&mut self, datagram: &[u8], out: &mut [u8]) -> Option<QueryHandled> {
        let handled = self.queries.handle(datagram, out);
        handled.inspect_err(|refusal| self.counters.refused(*refusal)).ok()
    }

    /// Returns the totals of a query; `None` if it is not here.
    pub fn query_counters(&self, job: JobId, epoch: Epoch) -> Option<QueryCounters> {
        self.queries.counters(job, epoch)
    }

    /// Returns the next request of a table to a switch below it, which the driver sends to that one
    /// (R-KEY-18). Call it until `None` after every datagram of a table.
    pub fn poll_leaf_request(&mut self) -> Option<LeafRequest> {
        self.tables.poll_leaf_request()
    }

    /// Writes results to `buffer`: as many datagrams of one length, for the same recipients, as are
    /// ready and fit, at most `max_segments` (at least 1). `None` when there is nothing to send.
    /// Call it until then after every datagram or batch of datagrams: a copy may be used again as
    /// soon as its result is out, and a result whose copy has been used again is not sent any more.
    ///
    /// # Panics
    /// If `buffer` does not hold a full datagram of the job ([`Shard::max_datagram_bytes`]).
    pub fn poll_transmit(&mut self, buffer: &mut [u8], max_segments: usize) -> Option<Transmit> {
        let Self { jobs, results, exchanges, notices, .. } = self;
        let queues: [&mut dyn Queue; 3] = [results, exchanges, notices];
        queues.into_iter().find_map(|queue| fill(jobs, queue, buffer, max_segments))
    }

    /// Returns the next event that the management plane must hear of, oldest first.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Tells of rounds from now on ([`Shard::poll_milestone`]).
    pub fn watch_rounds(&mut self) {
        self.milestones.get_or_insert_default();
    }

    /// Returns the next milestone of a round, oldest first; nothing before [`Shard::watch_rounds`].
    /// Call it until `None` after every datagram, and the times are those of the datagrams.
    pub fn poll_milestone(&mut self) -> Option<Milestone> {
        self.milestones.as_mut()?.pop_front()
    }

    /// Totals since the shard was made.
    pub fn counters(&self) -> Counters {
        let own = self.counters.plus(&self.tables.counters());
        self.jobs.iter().flatten().fold(own, |sum, job| sum.plus(&job.counters))
    }

    /// Returns the number of jobs.
    pub fn jobs(&self) -> usize {
        self.jobs.iter().flatten().count()
    }

    /// Returns the number of bytes of the budget that jobs have taken.
    pub fn memory_used(&self) -> u64 {
        self.slot_memory + self.tables.memory_bytes() + self.queries.memory_bytes()
    }

    /// Returns the number of bytes of the budget.
    pub fn memory_total(&self) -> u64 {
        self.memory_total
    }

    /// Returns the number of bytes of the largest datagram that any of its jobs sends; a buffer for
    /// [`Shard::poll_transmit`] must hold it.
    pub fn max_datagram_bytes(&self) -> usize {
        self.jobs.iter().flatten().map(Job::datagram_bytes).max().unwrap_or(HEADER_BYTES)
    }

    /// Returns a job's slots, and the memory of all copies of those that are not lent. First come
    /// those of the even pool in the order of slots, then those of the odd one, each its lanes and
    /// then its registers ([`JobSpec::register_bytes`]). In the same order follow those of slots
    /// that keep operands apart, each the operands and then a byte of each member that says whether
    /// it has one. `None` if there is no such job, or if it has more than 64 members.
    pub fn memory(&self, job: JobId) -> Option<(&[Slot], &[u8])> {
        let job = self.job(job)?;
        Some((job.slots.narrow()?, &job.kept))
    }

    /// Returns the registers of a job's table; `None` if it is not here.
    pub fn table_memory(&self, job: JobId, epoch: Epoch) -> Option<TableMemory<'_>> {
        self.tables.memory(job, epoch)
    }

    /// Returns every job with its open rounds, in the order of their numbers.
    pub fn status(&self) -> Vec<JobStatus> {
        self.jobs
            .iter()
            .flatten()
            .map(|job| JobStatus {
                spec: job.spec.clone(),
                slots: job.slots_now(),
                counters: job.counters,
                waiting: job.slots.waiting(&job.spec),
                usage: job.instances.usage().collect(),
            })
            .collect()
    }

    /// Returns every table, in the order in which they came; those of jobs that are over stay until
    /// their servers have stored them (R-KEY-11).
    pub fn tables(&self) -> Vec<TableStatus> {
        self.tables.status()
    }

    /// Learns the time, which only what is told of tables depends on.
    pub fn set_time(&mut self, now_us: u64) {
        self.tables.now_us = now_us;
    }

    /// Takes a contribution, or else an answer. Returns the totals in which its datagram counts.
    fn take(&mut self, datagram: &[u8], ecn: Ecn) -> &mut Counters {
        let handled = match Contribution::parse(datagram, ecn) {
            Ok(contribution) => self.fold(&contribution),
            Err(Refusal::Direction) => {
                Answer::parse(datagram, ecn).and_then(|answer| self.settle(&answer))
            }
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = handled {
            self.counters.refused(refusal);
        }
        let job = handled.ok().and_then(|job| self.jobs[usize::from(job.0)].as_mut());
        job.map_or(&mut self.counters, |job| &mut job.counters)
    }

    /// Returns the job that the contribution was taken for.
    fn fold(&mut self, contribution: &Contribution<'_>) -> Result<JobId, Refusal> {
        let header = contribution.header();
        let job = running(&mut self.jobs, header.job)?;
        contribution.check(&job.spec)?;
        let (spec, slots, instances, memory) = job.parts(header.slot, header.pool)?;
        let (arrival, effect) = slots.fold(contribution, spec, instances, memory);
        job.counters.arrived(arrival);
        let fails = matches!(effect, Effect::Fail(_));
        if let (Some(milestones), Arrival::Accepted { opens: true, .. }, false) =
            (&mut self.milestones, arrival, fails)
        {
            milestones.push_back(Milestone::of(header, !job.spec.has_lanes(header.pool), false));
        }
        self.apply(effect, header);
        Ok(header.job)
    }

    /// R-TREE-3, R-TREE-4. Returns the job that the answer was taken for.
    fn settle(&mut self, answer: &Answer<'_>) -> Result<JobId, Refusal> {
        let header = answer.header();
        let job = running(&mut self.jobs, header.job)?;
        answer.check(&job.spec)?;
        let (_, slots, _, memory) = job.parts(header.slot, header.pool)?;
        let settled = slots.settle(answer, memory);
        job.counters.settled(settled);
        self.apply(settled.into(), header);
        Ok(header.job)
    }

    /// Carries out the effect of a packet, which is one of a job that is here.
    fn apply(&mut self, effect: Effect, packet: &Repr) {
        match effect {
            Effect::Nothing => {}
            Effect::Deliver => self.deliver(packet),
            Effect::Raise => self.results.push_back(Emission::of(packet, Recipients::Parent)),
            Effect::Query => {
                let parent = self.job(packet.job).and_then(|job| job.spec.place.parent());
                let short = parent.map(|name| packet.query(name));
                self.notices
                    .push_back(Emission { short, ..Emission::of(packet, Recipients::Parent) });
            }
            Effect::Repeat(worker) => {
                self.results.push_back(Emission::of(packet, Recipients::One(worker)))
            }
            Effect::Recall(worker) => {
                let short = Some(packet.recall(worker));
                self.notices
                    .push_back(Emission { short, ..Emission::of(packet, Recipients::One(worker)) });
            }
            Effect::Fail(event) => {
                if let Some(job) = self.jobs[usize::from(packet.job.0)].as_mut() {
                    job.poisoned = true;
                }
                self.events.push_back(event);
            }
        }
    }

    fn job(&self, job: JobId) -> Option<&Job> {
        self.jobs.get(usize::from(job.0))?.as_ref()
    }

    /// R-SLOT-3: sends the result of a complete round to every member, without lanes to those that
    /// are not addressed: all but its owner, if it has one. R-SLOT-13: or each its own.
    fn deliver(&mut self, repr: &Repr) {
        let Some(job) = self.jobs[usize::from(repr.job.0)].as_ref() else { return };
        if let Some(milestones) = &mut self.milestones {
            milestones.push_back(Milestone::of(repr, !job.spec.has_lanes(repr.pool), true));
        }
        if repr.delivery.is_apart() {
            return self.exchanges.push(Emission::of(repr, Recipients::All));
        }
        match owner(repr, &job.spec.place) {
            None => self.results.push_back(Emission::of(repr, Recipients::All)),
            Some(owner) => {
                self.results.push_back(Emission::of(repr, Recipients::One(owner)));
                self.notices.push_back(Emission::of(repr, Recipients::AllBut(owner)));
            }
        }
    }
}

/// R-TREE-5: returns the member to which a result's lanes go, if they do not go to all.
fn owner(repr: &Repr, place: &Place) -> Option<WorkerId> {
    match repr.delivery {
        Delivery::One(owner) => place.member_for(owner),
        _ => None,
    }
}

/// Returns the job with this number, if packets are folded for it.
fn running(jobs: &mut [Option<Job>], job: JobId) -> Result<&mut Job, Refusal> {
    let job = jobs.get_mut(usize::from(job.0)).and_then(Option::as_mut);
    job.filter(|job| !job.poisoned).ok_or(Refusal::UnknownJob)
}
