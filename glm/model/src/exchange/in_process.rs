//! Workers that are threads of one process.

use super::{Collected, Exchange, Lane, SubmissionId};
use crate::spin::SpinPolicy;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Submissions of a worker that may be under way.
const WINDOW: usize = 64;

/// The reason that threads have not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PeerError {
    /// A worker has been dropped.
    #[error("worker {0} has left")]
    Gone(usize),
    /// Nobody has come in time.
    #[error("the others have not come within {0:?}")]
    Late(Duration),
    /// Workers have submitted different numbers of lanes, or different types.
    #[error("worker {0} has submitted something else than the others")]
    Different(usize),
}

/// One worker of several in a process.
#[derive(Debug)]
pub struct InProcess {
    meeting: Arc<Meeting>,
    rank: usize,
    patience: Duration,
    submitted: u64,
    collected: u64,
    spin: SpinPolicy,
}

#[derive(Debug)]
struct Meeting {
    workers: usize,
    /// Twice a window: a worker that submits number s has collected s - W, so all have submitted
    /// that, and so collected s - 2 W, whose slot s takes.
    slots: Vec<Slot>,
    failed: Mutex<Option<PeerError>>,
}

#[derive(Debug, Default)]
struct Slot {
    state: Mutex<Round>,
    /// The number of the last submission that is summed, plus 1: to be looked at without the lock.
    summed: AtomicU64,
    complete: Condvar,
}

#[derive(Debug, Default)]
struct Round {
    /// Number of the submission plus 1; 0 before the first.
    number: u64,
    float: bool,
    arrived: usize,
    /// The workers' lanes, one worker after the other.
    lanes: Vec<u32>,
    sums: Vec<u32>,
    at: Option<Instant>,
}

impl InProcess {
    /// Creates so many workers, one for each thread, and of so many engines each. No worker waits
    /// longer than `patience` for the others.
    pub fn new(workers: usize, engines: usize, patience: Duration) -> Vec<Self> {
        let slots = (0..2 * WINDOW).map(|_| Slot::default()).collect();
        let meeting = Arc::new(Meeting { workers, slots, failed: Mutex::new(None) });
        let spin = SpinPolicy::among(workers, engines);
        (0..workers)
            .map(|rank| Self {
                meeting: meeting.clone(),
                rank,
                patience,
                submitted: 0,
                collected: 0,
                spin,
            })
            .collect()
    }
}

impl Exchange for InProcess {
    type Error = PeerError;

    fn workers(&self) -> usize {
        self.meeting.workers
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn workers_here(&self) -> usize {
        self.meeting.workers
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn submit<L: Lane>(&mut self, partial: &[L]) -> Result<SubmissionId, PeerError> {
        self.meeting.check()?;
        assert!(
            self.submitted - self.collected < WINDOW as u64,
            "collect before submitting more than the window"
        );
        let submission = SubmissionId(self.submitted);
        self.submitted += 1;
        let slot = self.meeting.slot(submission);
        let mut round = lock(&slot.state);
        let len = partial.len() * self.meeting.workers;
        if round.number != submission.0 + 1 {
            round.number = submission.0 + 1;
            (round.float, round.arrived, round.at) = (L::FLOAT, 0, None);
            round.lanes.resize(len, 0);
        }
        if round.lanes.len() != len || round.float != L::FLOAT {
            drop(round);
            return Err(self.meeting.fail(PeerError::Different(self.rank)));
        }
        for (lane, value) in round.lanes[self.rank * partial.len()..].iter_mut().zip(partial) {
            *lane = value.to_bits();
        }
        round.arrived += 1;
        if round.arrived == self.meeting.workers {
            let Round { lanes, sums, at, .. } = &mut *round;
            sums.clear();
            // In the order of the workers, whichever came first: the same bits in every run.
            sums.extend((0..partial.len()).map(|index| {
                let parts =
                    lanes[index..].iter().step_by(partial.len()).map(|&bits| L::from_bits(bits));
                parts.reduce(L::plus).unwrap_or_default().to_bits()
            }));
            *at = Some(Instant::now());
            slot.summed.store(submission.0 + 1, Ordering::Release);
            slot.complete.notify_all();
        }
        Ok(submission)
    }

    fn collect<L: Lane>(
        &mut self,
        submission: SubmissionId,
        full: &mut [L],
    ) -> Result<Collected, PeerError> {
        assert_eq!(submission.0, self.collected, "submissions are collected in order");
        self.collected += 1;
        let slot = self.meeting.slot(submission);
        let deadline = Instant::now() + self.patience;
        self.spin.find(|| slot.summed.load(Ordering::Acquire) > submission.0);
        let mut round = lock(&slot.state);
        while round.at.is_none() {
            self.meeting.check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(round);
                return Err(self.meeting.fail(PeerError::Late(self.patience)));
            }
            round =
                slot.complete.wait_timeout(round, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        assert_eq!(round.sums.len(), full.len(), "as many lanes as were submitted");
        for (full, &bits) in full.iter_mut().zip(&round.sums) {
            *full = L::from_bits(bits);
        }
        Ok(Collected { at: round.at })
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        self.meeting.fail(PeerError::Gone(self.rank));
    }
}

impl Meeting {
    fn slot(&self, submission: SubmissionId) -> &Slot {
        &self.slots[(submission.0 % (2 * WINDOW as u64)) as usize]
    }

    fn check(&self) -> Result<(), PeerError> {
        match *lock(&self.failed) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Ends the meeting for all; the first reason stays.
    fn fail(&self, error: PeerError) -> PeerError {
        let first = *lock(&self.failed).get_or_insert(error);
        for slot in &self.slots {
            // With the lock, so that nobody is between looking and sleeping.
            let _round = lock(&slot.state);
            slot.complete.notify_all();
        }
        first
    }
}

/// Locks it, also after a panic. A thread that panicked leaves the state whole: every change of a
/// round is one assignment, or ends with the count.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
