//! Epochs of elastic jobs that have ended with the loss of a worker, and those workers that are to
//! go on (R-RES-11, R-RES-12).

use std::collections::BTreeMap;

use tracing::info;

use super::connection::Role;
use super::job::{Job, Phase};
use super::{ConnectionId, JobKey, Registry};
use crate::failure::{Loss, MAX_NAMED, Refusal};
use crate::message::Join;

/// An epoch that has ended.
pub(super) struct Ended {
    job: String,
    epoch: u32,
    workers: u16,
    timeout_us: u64,
    /// Ranks that are lost, in the order in which they were.
    lost: Vec<u16>,
    /// Connections of the others, until the job goes on.
    present: BTreeMap<u16, ConnectionId>,
    has_gone_on: bool,
}

impl Ended {
    /// R-RES-11, R-RES-12: returns why a worker that comes from this epoch cannot join.
    fn refuses(&self, join: &Join) -> Option<Refusal> {
        let out = Refusal::GoneOn { job: self.job.clone() };
        if self.has_gone_on {
            return Some(out);
        }
        let known = self.workers.checked_sub(join.size).map(usize::from);
        let Some((known, since)) = known.and_then(|known| self.lost.split_at_checked(known)) else {
            let least = usize::from(self.workers) - self.lost.len();
            let allowed = format!("at least {least}: the others of its last epoch are not lost");
            return Some(Refusal::bad_value("the number of workers", join.size, allowed));
        };
        if since.is_empty() {
            return None;
        }
        let mut left_out = known.to_vec();
        left_out.sort_unstable();
        let own =
            left_out.into_iter().fold(join.rank, |rank, other| rank + u16::from(other <= rank));
        if since.contains(&own) {
            return Some(out);
        }
        let lost = since.iter().take(MAX_NAMED).copied().collect();
        Some(Refusal::OthersLost { job: self.job.clone(), lost })
    }

    /// Returns whether a job that forms goes on from this epoch.
    fn is_continued_by(&self, job: &Job) -> bool {
        let from_here = |terms: &Join| terms.regroups_from() == Some(self.epoch);
        job.name == self.job && job.agreed().is_some_and(from_here)
    }
}

impl Registry {
    /// R-RES-11: remembers the epoch of a job that goes on without a worker, and keeps the
    /// connections of the others.
    pub(super) fn keep_others(&mut self, key: JobKey, job: &Job, epoch: u32, lost: u16) {
        let Some(terms) = job.agreed() else { return };
        let present: BTreeMap<_, _> = job.present().into_iter().collect();
        for (&rank, conn) in &present {
            if let Some(connection) = self.connections.get_mut(conn) {
                connection.role = Role::Survivor { job: key, rank };
            }
        }
        let (workers, timeout_us) = (terms.size, terms.timeout_ms.saturating_mul(1000));
        let (job, lost) = (job.name.clone(), vec![lost]);
        self.ended.insert(
            key,
            Ended { job, epoch, workers, timeout_us, lost, present, has_gone_on: false },
        );
        // R-RES-12
        if self.ended.len() > usize::from(self.limits.jobs)
            && let Some((_, oldest)) = self.ended.pop_first()
        {
            oldest.present.into_values().for_each(|conn| self.close(conn));
        }
    }

    /// Returns the time-out of an epoch that has ended, in microseconds.
    pub(super) fn ended_timeout_us(&self, job: JobKey) -> Option<u64> {
        Some(self.ended.get(&job)?.timeout_us)
    }

    /// R-RES-11: a worker that was to go on does not.
    pub(super) fn lost_since(&mut self, conn: ConnectionId, job: JobKey, rank: u16, why: &Loss) {
        self.close(conn);
        let Some(ended) = self.ended.get_mut(&job) else { return };
        ended.present.remove(&rank);
        ended.lost.push(rank);
        info!(job = ?ended.job, rank, "worker lost while the job goes on: {why}");
        let forms =
            |job: &Job| matches!(job.phase, Phase::Forming { .. }) && ended.is_continued_by(job);
        let refused = self.jobs.iter().find(|(_, job)| forms(job)).and_then(|(&key, job)| {
            let refusal = ended.refuses(job.agreed()?)?;
            Some((key, refusal))
        });
        if let Some((key, refusal)) = refused {
            self.refuse_all(key, &refusal);
        }
    }

    /// R-RES-8: those of a job have not come that its members have waited for.
    pub(super) fn lose_absent(&mut self, key: JobKey) {
        let Some(job) = self.jobs.get(&key) else { return };
        let Some(ended) = self.ended.values_mut().find(|ended| ended.is_continued_by(job)) else {
            return;
        };
        let left: Vec<u16> = (0..ended.workers).filter(|rank| !ended.lost.contains(rank)).collect();
        let absent: Vec<u16> =
            job.missing.iter().filter_map(|rank| left.get(usize::from(*rank)).copied()).collect();
        let gone: Vec<_> = absent.iter().filter_map(|rank| ended.present.remove(rank)).collect();
        ended.lost.extend(absent);
        gone.into_iter().for_each(|conn| self.close(conn));
    }

    /// R-RES-11, R-RES-12: returns an error if a worker cannot go on from the epoch that it comes
    /// from.
    pub(super) fn may_go_on(&self, join: &Join) -> Result<(), Refusal> {
        let Some(epoch) = join.regroups_from() else { return Ok(()) };
        let ended =
            self.ended.values().find(|ended| (&ended.job, ended.epoch) == (&join.job, epoch));
        match ended {
            None if join.terms.resumable => Ok(()),
            None => Err(Refusal::GoneOn { job: join.job.clone() }),
            Some(ended) => ended.refuses(join).map_or(Ok(()), Err),
        }
    }

    /// R-RES-12: a job that has formed goes on from the epoch that it comes from, if that is known
    /// here.
    pub(super) fn has_gone_on(&mut self, key: JobKey) {
        let Some(job) = self.jobs.get(&key) else { return };
        let Some(ended) = self.ended.values_mut().find(|ended| ended.is_continued_by(job)) else {
            return;
        };
        ended.has_gone_on = true;
        let former = std::mem::take(&mut ended.present);
        former.into_values().for_each(|conn| self.close(conn));
    }
}
