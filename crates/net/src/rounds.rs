//! Times at which rounds began and ended at the slots, for traces.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use netfold_shm::RoundTimes;
use netfold_switch::{Milestone, Shard};
use netfold_wire::{JobId, Pool, SlotIndex};

/// Rounds that are kept, the latest: some 60 MB.
const MOST_ROUNDS: usize = 1 << 20;

/// The rounds that have ended lately.
#[derive(Debug, Default)]
pub(crate) struct RoundLog(Mutex<VecDeque<RoundTimes>>);

impl RoundLog {
    /// Everything that is kept, in the order in which it ended here. It is kept no more.
    pub(crate) fn take(&self) -> Vec<RoundTimes> {
        std::mem::take(&mut *self.rounds()).into()
    }

    pub(crate) fn extend(&self, ended: impl IntoIterator<Item = RoundTimes>) {
        let mut rounds = self.rounds();
        for round in ended {
            if rounds.len() == MOST_ROUNDS {
                rounds.pop_front();
            }
            rounds.push_back(round);
        }
    }

    fn rounds(&self) -> MutexGuard<'_, VecDeque<RoundTimes>> {
        // Whole between any two statements that can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Times the rounds of a shard: from the datagram that began them until their results have been
/// sent.
pub(crate) struct Stopwatch {
    flow: u16,
    began: HashMap<(JobId, SlotIndex, Pool), Instant>,
    /// Rounds whose results are on their way.
    ended: Vec<RoundTimes>,
}

impl Stopwatch {
    /// For the shard that serves this flow.
    pub(crate) fn of(shard: &mut Shard, flow: u16) -> Self {
        shard.watch_rounds();
        Self { flow, began: HashMap::new(), ended: Vec::new() }
    }

    /// After every datagram.
    pub(crate) fn look(&mut self, shard: &mut Shard) {
        while let Some(milestone) = shard.poll_milestone() {
            let Milestone { job, slot, pool, position, kind, acknowledges, ended } = milestone;
            let (now, flow) = (Instant::now(), self.flow);
            if !ended {
                self.began.insert((job, slot, pool), now);
            } else if let Some(start) = self.began.remove(&(job, slot, pool)) {
                self.ended.push(RoundTimes {
                    job,
                    flow,
                    slot,
                    pool,
                    position,
                    kind,
                    acknowledges,
                    start,
                    end: now,
                });
            }
        }
    }

    /// After the results have been sent.
    pub(crate) fn sent(&mut self, log: &RoundLog) {
        let end = Instant::now();
        log.extend(self.ended.drain(..).map(|round| RoundTimes { end, ..round }));
    }

    /// The job has ended.
    pub(crate) fn forget(&mut self, job: JobId) {
        self.began.retain(|(of, ..), _| *of != job);
    }
}
