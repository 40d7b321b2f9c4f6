//! Communicators of some of a job's workers.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use netfold_management::{JoinRequest, MAX_NAME_BYTES, Waiting};
use netfold_switch::Operations;
use netfold_worker::UserFold;
use xxhash_rust::xxh3::xxh3_64;

use super::{Communicator, lock};
use crate::error::Error;

impl Communicator {
    /// Joins a job of some of this job's workers, at the same switch and on the same terms, and
    /// waits until all of them have called this (R-CTRL-22). Worker `ranks[i]` of this job has rank
    /// i there.
    ///
    /// Workers that call it several times with the same `ranks` and `label` do so equally often:
    /// each call makes another job. `waiting` is as in [`Communicator::connect`]. `timeout` limits
    /// the wait for the others.
    ///
    /// # Errors
    /// [`Error::Subgroup`] for a list that lacks this worker, names a rank twice, or names one that
    /// this job does not have; [`Error::Join`]; [`Error::NotMet`]; or why this job has ended, or
    /// which of the workers has left it.
    pub fn subgroup(
        &self,
        ranks: &[u16],
        label: &str,
        timeout: Option<Duration>,
        waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let operations = self.inner()?.epoch().request.operations.clone();
        self.join_subgroup(ranks, label, operations, timeout, waiting)
    }

    /// Joins a job of the same workers that may fold by these operations of users, and no others
    /// (R-OP-23). All of them call this. `timeout` and `waiting` are as in
    /// [`Communicator::subgroup`].
    ///
    /// # Errors
    /// As [`Communicator::subgroup`]. The switch refuses an operation by [`Error::Join`].
    pub fn with_operations(
        &self,
        operations: Operations,
        timeout: Option<Duration>,
        waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let ranks: Vec<u16> = (0..self.size()).collect();
        self.join_subgroup(&ranks, " operations", operations, timeout, waiting)
    }

    /// Returns the folds by the job's operations of users, in the order of their numbers, for
    /// [`Reduction::User`](crate::Reduction::User).
    ///
    /// # Errors
    /// In a fork of its process.
    pub fn folds(&self) -> Result<&[UserFold], Error> {
        Ok(&self.inner()?.folds)
    }

    fn join_subgroup(
        &self,
        ranks: &[u16],
        label: &str,
        operations: Operations,
        timeout: Option<Duration>,
        mut waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        if let Some(why) = self.hindrance(ranks)? {
            return Err(why);
        }
        let inner = self.inner()?;
        let (own, size) = (self.rank(), self.size());
        let twice = (1..ranks.len()).any(|at| ranks[..at].contains(&ranks[at]));
        let unknown = twice || ranks.iter().any(|rank| *rank >= size);
        let Some(rank) = ranks.iter().position(|rank| *rank == own).filter(|_| !unknown) else {
            return Err(Error::Subgroup { ranks: ranks.to_vec(), rank: own, size });
        };
        let members = members(ranks, label);
        let made = inner.count_subgroup(&members);
        let request = inner.epoch().request.clone();
        let request = JoinRequest {
            job: name(&request.job, &members, made),
            rank: rank as u16,
            size: ranks.len() as u16,
            resume: None,
            operations,
            ..request
        };
        let switches = inner.switches.join(",");
        let (start, mut hindrance) = (Instant::now(), None);
        let watch = |now: &Waiting| {
            let late = timeout.filter(|timeout| start.elapsed() >= *timeout);
            hindrance = match (self.hindrance(ranks), late) {
                (Err(why) | Ok(Some(why)), _) => Some(why),
                (Ok(None), late) => late.map(|timeout| not_met(ranks, timeout, now)),
            };
            if hindrance.is_some() { ControlFlow::Break(()) } else { waiting(now) }
        };
        Self::connect_on(inner.cores.as_ref(), &switches, request, watch)
            // What nobody has joined is not counted, so that this worker may try again.
            .inspect_err(|_| inner.discount_subgroup(&members))
            .map_err(|error| hindrance.unwrap_or(error))
    }

    /// Returns why the workers with these ranks cannot all join: this job has ended, or one of them
    /// has left it. Others that have left in order are no obstacle.
    fn hindrance(&self, ranks: &[u16]) -> Result<Option<Error>, Error> {
        let others =
            |why: &Error| matches!(why, Error::PeerLeft { rank, .. } if !ranks.contains(rank));
        Ok(self.ended()?.filter(|why| !others(why)))
    }

    /// Returns the communicator for messages with a `tag` from worker `source` to worker `target`
    /// (R-STREAM-15), one of which this worker is. The first call joins its job, and waits until
    /// the other worker has; `timeout` and `waiting` are as in [`Communicator::subgroup`]. It is
    /// closed with this communicator.
    ///
    /// # Errors
    /// As [`Communicator::subgroup`].
    pub fn channel(
        &self,
        source: u16,
        target: u16,
        tag: u32,
        timeout: Option<Duration>,
        waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Arc<Self>, Error> {
        let inner = self.inner()?;
        // In an elastic job ranks are others when there are fewer.
        let key = (source, target, tag, self.size());
        let channel = lock(&inner.channels).entry(key).or_default().clone();
        // Held while the other worker is waited for: other channels have locks of their own.
        let mut channel = lock(&channel);
        if let Some(channel) = &*channel {
            return Ok(channel.clone());
        }
        let label = format!(" tag {tag} of {}", self.size());
        let joined = Arc::new(self.subgroup(&[source, target], &label, timeout, waiting)?);
        Ok(channel.insert(joined).clone())
    }
}

/// A communicator for messages, once it has joined.
pub(super) type Channel = Arc<Mutex<Option<Arc<Communicator>>>>;

/// Returns the error of workers that did not all join within their time.
fn not_met(ranks: &[u16], timeout: Duration, now: &Waiting) -> Error {
    let rank = |place: &u16| ranks.get(usize::from(*place)).copied();
    Error::NotMet {
        ranks: ranks.to_vec(),
        seconds: timeout.as_secs_f64(),
        missing: now.missing.iter().filter_map(rank).collect(),
    }
}

/// Returns the name of the first job of `ranks` of `job` with this label (R-CTRL-22), for a front
/// end that joins subgroups by itself.
pub fn subgroup_job(job: &str, ranks: &[u16], label: &str) -> String {
    name(job, &members(ranks, label), 0)
}

/// Returns the part of a job's name that says which workers it has and what it is for.
fn members(ranks: &[u16], label: &str) -> String {
    let ranks: Vec<String> = ranks.iter().map(u16::to_string).collect();
    format!("{}{label}", ranks.join(","))
}

/// Returns the name of the job of a subgroup that was made so many times before.
fn name(job: &str, members: &str, made: u64) -> String {
    let whole = format!("{job}/{members}#{made}");
    if whole.len() <= MAX_NAME_BYTES {
        return whole;
    }
    // The hash stands for what is left out.
    let hash = format!("/{:016x}", xxh3_64(whole.as_bytes()));
    let end = job.floor_char_boundary(MAX_NAME_BYTES - hash.len());
    format!("{}{hash}", &job[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jobs_are_short_and_differ() {
        assert_eq!(subgroup_job("training", &[0, 2], " x"), "training/0,2 x#0");
        let long = "日".repeat(42);
        let names = [name(&long, "0,2", 3), name(&long, "0,3", 3), name(&long, "0,2", 4)];
        assert!(names.iter().all(|name| name.len() <= MAX_NAME_BYTES));
        assert!(names[0] != names[1] && names[0] != names[2] && names[1] != names[2]);
    }
}
