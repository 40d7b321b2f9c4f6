//! Jobs that go on here after another switch was lost (R-RES-3, R-RES-4).

use super::job::{Job, JobEpoch};
use super::layout::Layout;
use crate::failure::Refusal;
use crate::message::{Join, Transport};
use crate::resume::{FlowRounds, MAX_RESUMABLE_SLOTS, Replay, first_call, replays};

impl Job {
    /// R-RES-4
    pub(super) fn replays(&self) -> Vec<Replay> {
        let brought = self
            .members
            .iter()
            .filter_map(|(&rank, member)| Some((rank, member.join.resume.as_ref()?)));
        replays(&brought.collect::<Vec<_>>())
    }

    /// R-RES-9
    pub(super) fn first_call(&self) -> u64 {
        first_call(self.members.values().filter_map(|member| member.join.resume.as_ref()?.regroup))
    }

    /// R-RES-3: checks that an epoch has the slots with which the workers go on. If it must be
    /// resumable, it may not have too many to go on with.
    pub(super) fn slots_go_on(&self, epoch: &JobEpoch, layout: &Layout) -> Result<(), Refusal> {
        if !self.agreed().is_some_and(|join| join.terms.resumable) {
            return Ok(());
        }
        let slots = epoch.grant.all_slots();
        let flows = if epoch.slots_at.transport() == Transport::Shm { 1 } else { layout.flows };
        let all = u32::from(slots) * u32::from(flows);
        if all > MAX_RESUMABLE_SLOTS {
            let allowed =
                format!("at most {MAX_RESUMABLE_SLOTS}; ask for fewer, or name one switch alone");
            let what = "the number of slots on all flows of a job with standby switches";
            return Err(Refusal::bad_value(what, all, allowed));
        }
        let differs = |join: &Join| {
            // R-RES-8: a worker that goes on without another begins with new slots.
            let brought = join
                .resume
                .iter()
                .filter(|resume| resume.regroup.is_none())
                .flat_map(|resume| &resume.flows);
            brought.map(FlowRounds::slots).find(|brought| *brought != usize::from(slots))
        };
        match self.members.values().find_map(|member| differs(&member.join)) {
            Some(brought) => Err(Refusal::bad_value(
                "the number of slots that a worker resumes",
                brought,
                format!("{slots}"),
            )),
            None => Ok(()),
        }
    }
}
