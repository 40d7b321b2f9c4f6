//! What workers say of calls that do not end (R-CTRL-12).

use super::job::Member;
use super::{JobKey, Registry};
use crate::failure::{Failure, clip};
use crate::message::Message;
use crate::plane::DataPlane;

impl Registry {
    /// R-CTRL-12: a worker waits for a call. Another that calls something else there has made a different call; what the others call is asked for.
    pub(super) fn in_progress(&mut self, key: JobKey, rank: u16, call: u64, text: String, plane: &mut dyn DataPlane) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(life) = job.running() else { return };
        let said = |member: &Member| member.in_progress.clone().filter(|(said, _)| *said == call).map(|(_, text)| text);
        let text = clip(&text);
        let known: Vec<(u16, String)> = job.members.iter().filter_map(|(&rank, m)| Some((rank, said(m)?))).collect();
        if let Some((rank_a, call_a)) = known.iter().find(|(other, said)| *other != rank && *said != text) {
            let cause = Failure::Mismatch { rank_a: *rank_a, call_a: call_a.clone(), rank_b: rank, call_b: text };
            plane.release(life.number);
            return self.fail(key, &cause);
        }
        if let Some(member) = job.members.get_mut(&rank) {
            member.in_progress = Some((call, text));
        }
        let others = job.present().into_iter().filter(|(other, _)| known.is_empty() && *other != rank);
        for (_, conn) in others {
            self.send(conn, Message::AskInProgress { call });
        }
    }
}
