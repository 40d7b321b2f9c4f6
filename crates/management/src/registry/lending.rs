//! Slots that a job has only while it uses them (R-CTRL-25).

use core::ops::Range;
use std::collections::BTreeMap;

use tracing::debug;

use super::{ConnectionId, JobKey, Registry};
use crate::message::Message;
use crate::plane::DataPlane;

/// The lent slots of a job: whether it has them, and what its workers were told.
#[derive(Default)]
pub(super) struct Lending {
    /// Memory that they take on each flow, in bytes.
    bytes: u64,
    lent: bool,
    /// The last calls for which they were not lent. Others come only after the slots were lent and
    /// returned, and by then every worker has made these.
    without: Range<u64>,
    /// The last call for which each worker has asked.
    asked: BTreeMap<u16, u64>,
    /// Workers that have returned them, and the number of their calls that needed them.
    returned: BTreeMap<u16, u64>,
}

impl Lending {
    /// Returns the state of a job that begins, whose lent slots will take so many bytes on each
    /// flow.
    pub(super) fn new(bytes: u64) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// Returns whether a worker has the slots for a call. `lend` lends them to the job, if it has
    /// none and they take at most half of the `free` bytes of a flow.
    fn ask(&mut self, rank: u16, call: u64, free: u64, lend: impl FnOnce() -> bool) -> bool {
        self.returned.remove(&rank);
        self.asked.insert(rank, call);
        if self.without.contains(&call) {
            return false;
        }
        self.lent = self.lent || (self.bytes <= free / 2 && lend());
        if !self.lent {
            self.refuse(call);
        }
        self.lent
    }

    /// Remembers that the slots were not lent for a call.
    fn refuse(&mut self, call: u64) {
        let first = if self.without.end == call { self.without.start } else { call };
        self.without = first..call.saturating_add(1);
    }

    /// A worker has returned the slots after so many calls. If it has asked for a later one since,
    /// it has them: one of its threads returns them while another one asks.
    fn give_back(&mut self, rank: u16, calls: u64) {
        if self.asked.get(&rank).is_none_or(|call| *call < calls) {
            self.returned.insert(rank, calls);
        }
    }

    /// Takes the slots back if all these workers have returned them. Returns whether they have.
    fn take_back(&mut self, mut workers: impl Iterator<Item = u16>) -> bool {
        let calls = self.returned.values().next().copied();
        let all = workers.all(|rank| calls.is_some() && self.returned.get(&rank).copied() == calls);
        let taken = self.lent && all;
        self.lent &= !all;
        taken
    }
}

impl Registry {
    /// A worker needs lent slots for a call.
    pub(super) fn need_slots(
        &mut self,
        conn: ConnectionId,
        key: JobKey,
        rank: u16,
        call: u64,
        plane: &mut dyn DataPlane,
    ) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(epoch) = job.running() else { return };
        let had = job.lending.lent;
        let free = plane.spare().flow_bytes;
        let lent = job.lending.ask(rank, call, free, || plane.lend(epoch.job));
        if lent && !had {
            debug!(job = ?job.name, "slots are lent");
        }
        self.send(conn, Message::Slots { epoch: epoch.id, call, lent });
    }

    /// A worker has returned them after so many calls.
    pub(super) fn return_slots(
        &mut self,
        key: JobKey,
        rank: u16,
        calls: u64,
        plane: &mut dyn DataPlane,
    ) {
        let Some(job) = self.jobs.get_mut(&key).filter(|job| job.running().is_some()) else {
            return;
        };
        job.lending.give_back(rank, calls);
        self.take_back_slots(key, plane);
    }

    /// Takes a job's lent slots back if no worker that is left has them.
    pub(super) fn take_back_slots(&mut self, key: JobKey, plane: &mut dyn DataPlane) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(epoch) = job.running() else { return };
        let left = job.present();
        if job.lending.take_back(left.into_iter().map(|(rank, _)| rank)) {
            debug!(job = ?job.name, "slots are returned");
            plane.take_back(epoch.job);
        }
    }
}
