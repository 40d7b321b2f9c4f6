//! The memory of one job.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use netfold_switch::{Counters, JobSpec, Operations, Usage, WaitingSlot};
use netfold_wire::{SlotIndex, WorkerId};
use xxhash_rust::xxh3::xxh3_64;

use crate::cores::{CORE_WORDS, Cores};
use crate::doorbell::Doorbell;
use crate::eager;
use crate::error::Error;
use crate::layout::{CLAIMS_AT, CORES_AT, IDENTITY_WORDS, Layout, STATE_AT};
use crate::mapping::Mapping;
use crate::memory;
use crate::port::Port;
use crate::slot::SharedSlot;
use crate::tally::Tally;

/// First word of a netfold segment.
const MAGIC: u32 = u32::from_be_bytes(*b"nfld");

/// Version of the layout. Another one is refused.
const VERSION: u32 = 7;

/// Names of the identity's words.
const IDENTITY: [&str; IDENTITY_WORDS] = [
    "its first word",
    "its version",
    "its job",
    "its epoch",
    "its workers",
    "its slots",
    "its payload",
    "its flows",
    "the digest of its members' ranks",
];

const RUNNING: u32 = 0;
/// A mismatch has been reported (R-SLOT-7): nothing more is folded.
const POISONED: u32 = 1;
const FAILED: u32 = 2;

/// State of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Poisoned,
    Failed,
}

/// The memory of one job, mapped.
#[derive(Debug)]
pub struct Segment {
    descriptor: OwnedFd,
    mapping: Mapping,
    spec: JobSpec,
    flows: u16,
    layout: Layout,
    /// [`Segment::abandon`] was called, in this process alone.
    abandoned: AtomicBool,
}

impl Segment {
    /// Returns the number of bytes of the segment of a job with `flows` flows. The system provides
    /// them as they are touched.
    ///
    /// # Errors
    /// [`Error::Job`] or [`Error::Size`] if there can be no such segment.
    pub fn memory_bytes(spec: &JobSpec, flows: u16) -> Result<u64, Error> {
        Ok(Layout::new(spec, flows)?.total_bytes as u64)
    }

    /// Makes the memory of a job with `flows` flows.
    ///
    /// # Errors
    /// [`Error::Job`] or [`Error::Size`] if there can be no such segment, [`Error::System`] if the
    /// system refuses.
    pub fn create(spec: &JobSpec, flows: u16) -> Result<Arc<Self>, Error> {
        let layout = Layout::new(spec, flows)?;
        let memory = memory::make(layout.total_bytes as u64)?;
        let segment = Self::map(memory, spec, flows, layout)?;
        for (word, value) in segment.mapping.words(0, IDENTITY_WORDS).iter().zip(segment.identity())
        {
            word.store(value, Ordering::Relaxed);
        }
        Ok(Arc::new(segment))
    }

    /// Maps the memory of a job that another process has made.
    ///
    /// # Errors
    /// [`Error::Foreign`] if it is not that of this job, [`Error::Job`] or [`Error::Size`] if there
    /// can be no such job, [`Error::System`] if the system refuses.
    pub fn attach(descriptor: OwnedFd, spec: &JobSpec, flows: u16) -> Result<Arc<Self>, Error> {
        let layout = Layout::new(spec, flows)?;
        memory::check(&descriptor, layout.total_bytes as u64)?;
        let segment = Self::map(descriptor, spec, flows, layout)?;
        let words = segment.mapping.words(0, IDENTITY_WORDS);
        for ((what, word), expected) in IDENTITY.into_iter().zip(words).zip(segment.identity()) {
            let found = word.load(Ordering::Relaxed);
            if found != expected {
                let (found, expected) = (found.into(), expected.into());
                return Err(Error::Foreign { what, found, expected });
            }
        }
        Ok(Arc::new(segment))
    }

    fn map(descriptor: OwnedFd, spec: &JobSpec, flows: u16, layout: Layout) -> Result<Self, Error> {
        let mapping = Mapping::new(descriptor.as_fd(), layout.total_bytes);
        let mapping = mapping.map_err(Error::system("cannot map shared memory"))?;
        Ok(Self {
            descriptor,
            mapping,
            spec: spec.clone(),
            flows,
            layout,
            abandoned: AtomicBool::new(false),
        })
    }

    /// Returns the identity that the segment should have.
    fn identity(&self) -> [u32; IDENTITY_WORDS] {
        let &JobSpec { job, epoch, workers, slots, payload_bytes, ref place, .. } = &self.spec;
        let names: Vec<u8> =
            place.members().iter().flat_map(|member| member.0.to_le_bytes()).collect();
        let (flows, names) = (self.flows.into(), xxh3_64(&names) as u32);
        [
            MAGIC,
            VERSION,
            job.0.into(),
            epoch.0,
            workers.into(),
            slots.into(),
            payload_bytes,
            flows,
            names,
        ]
    }

    /// Returns the descriptor to pass to a worker of the job, and to nobody else
    /// ([`send_descriptor`](crate::send_descriptor)).
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }

    /// Opens a worker's end of a flow. It can be opened once in an epoch of the job, by whatever
    /// process.
    ///
    /// # Errors
    /// [`Error::Range`] or [`Error::Taken`].
    pub fn port(self: &Arc<Self>, flow: u16, worker: WorkerId) -> Result<Port, Error> {
        let number = self.spec.place.number(worker).filter(|_| flow < self.flows);
        let Some(member) = number else { return Err(Error::Range { flow, worker }) };
        let claims = &self.mapping.wide_words(self.layout.flow(flow) + CLAIMS_AT, 1)[0];
        let bit = 1 << member;
        if claims.fetch_or(bit, Ordering::AcqRel) & bit != 0 {
            return Err(Error::Taken { flow, worker });
        }
        Ok(Port::new(self.clone(), flow, worker, member))
    }

    /// Ends the job for all processes that have the segment: every call of a port, also one that
    /// waits, returns [`PortError::Failed`](crate::PortError::Failed) from now on.
    pub fn fail(&self) {
        self.state_word().store(FAILED, Ordering::SeqCst);
        for flow in 0..self.flows {
            Doorbell::of(&self.mapping, self.layout.members(flow)).ring_all();
            Doorbell::of(&self.mapping, self.layout.upward(flow)).ring_all();
        }
    }

    /// Ends the job for this `Segment` alone, and nobody else: its ports, and its ways up and down,
    /// return [`PortError::Failed`](crate::PortError::Failed) as after [`Segment::fail`], even
    /// while they wait for a slot that a process has died with. Who sleeps needs a
    /// [`Waker`](crate::Waker) besides.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
    }

    /// Takes the locks of all slots of a flow for good, as a process does that dies in its folds.
    /// For tests of the processes that outlive it.
    #[doc(hidden)]
    pub fn seize(&self, flow: u16) {
        for slot in 0..self.spec.slots {
            SharedSlot::of(&self.mapping, &self.layout, flow, SlotIndex(slot)).seize();
        }
    }

    /// Returns whether the job has been ended by [`Segment::fail`], or here by
    /// [`Segment::abandon`].
    #[inline]
    pub fn has_failed(&self) -> bool {
        self.state() == State::Failed
    }

    /// Has every process that has the segment stamp the rounds that begin from now on. It costs a
    /// look at the clock for each of their ends.
    pub(crate) fn time_rounds(&self) {
        self.timed_word().store(1, Ordering::Relaxed);
    }

    /// Returns whether rounds are stamped.
    #[inline]
    pub(crate) fn is_timed(&self) -> bool {
        self.timed_word().load(Ordering::Relaxed) != 0
    }

    /// Returns the cores that its members have between them, as far as they have opened ports.
    pub(crate) fn cores(&self) -> Cores<'_> {
        Cores::of(self.mapping.wide_words(CORES_AT, CORE_WORDS))
    }

    /// Totals of what the members have delivered and flushed, over all flows. What would be a
    /// datagram over a network counts as one, a message among them. At a leaf, nothing counts that
    /// its parent has sent.
    pub fn counters(&self) -> Counters {
        let slots = self.tallies().map(Tally::at_slots);
        let eager =
            (0..self.flows).filter(|_| self.has_eager()).map(|flow| eager::counters(self, flow));
        slots.chain(eager).fold(Counters::default(), |sum, counters| sum.plus(&counters))
    }

    /// Returns the operations of users that the job may fold by.
    pub fn operations(&self) -> &Operations {
        &self.spec.operations
    }

    /// Returns the work of the members by each operation of the job, by their numbers, over all
    /// flows, as far as it is flushed.
    pub fn usage(&self) -> Vec<Usage> {
        let mut sums = vec![Usage::default(); self.spec.operations.len()];
        for tally in self.tallies() {
            for (sum, usage) in sums.iter_mut().zip(tally.usage()) {
                *sum = sum.plus(usage);
            }
        }
        sums
    }

    fn tallies(&self) -> impl Iterator<Item = Tally<'_>> {
        let members = 0..self.spec.place.count();
        let ports =
            (0..self.flows).flat_map(move |flow| members.clone().map(move |member| (flow, member)));
        ports.map(|(flow, member)| Tally::of(self, flow, member))
    }

    /// Returns the open rounds of every flow, as far as they can be told while others go on.
    pub fn waiting(&self) -> Vec<WaitingSlot> {
        let flows = 0..self.flows;
        let slots =
            flows.flat_map(|flow| (0..self.spec.slots).map(move |slot| (flow, SlotIndex(slot))));
        let open = slots.flat_map(|(flow, index)| {
            let slot = SharedSlot::of(&self.mapping, &self.layout, flow, index).registers();
            slot.into_iter()
                .flat_map(move |slot| WaitingSlot::of(index, &slot, &self.spec).collect::<Vec<_>>())
        });
        let eager = (0..self.flows)
            .filter(|_| self.has_eager())
            .flat_map(|flow| eager::waiting(self, flow));
        open.chain(eager).collect()
    }

    #[inline]
    pub(crate) fn state(&self) -> State {
        if self.abandoned.load(Ordering::SeqCst) {
            return State::Failed;
        }
        match self.state_word().load(Ordering::SeqCst) {
            RUNNING => State::Running,
            POISONED => State::Poisoned,
            _ => State::Failed,
        }
    }

    /// Ends folding after a mismatch. Returns whether this call did it.
    pub(crate) fn poison(&self) -> bool {
        self.state_word()
            .compare_exchange(RUNNING, POISONED, Ordering::SeqCst, Ordering::SeqCst)
            .is_ok()
    }

    /// Returns whether the members have cells for messages, as they do everywhere but at a leaf.
    fn has_eager(&self) -> bool {
        self.spec.place.parent().is_none()
    }

    #[inline]
    pub(crate) fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    #[inline]
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    #[inline]
    pub(crate) fn spec(&self) -> &JobSpec {
        &self.spec
    }

    #[inline]
    pub(crate) fn flows(&self) -> u16 {
        self.flows
    }

    fn state_word(&self) -> &AtomicU32 {
        &self.mapping.words(STATE_AT, 1)[0]
    }

    fn timed_word(&self) -> &AtomicU32 {
        &self.mapping.words(STATE_AT, 2)[1]
    }
}
