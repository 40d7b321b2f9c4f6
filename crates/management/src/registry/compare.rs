//! The reports of workers on calls that do not end (R-CTRL-12).

use netfold_worker::MOST_TOLD;

use super::pending_calls::Comparison;
use super::{JobKey, Registry};
use crate::failure::{Failure, clip};
use crate::message::Message;
use crate::plane::DataPlane;

impl Registry {
    /// R-CTRL-12: a worker waits for calls. Another that calls something else in the place of one
    /// has made a different call. The others are asked for their calls where they have not told
    /// them.
    pub(super) fn in_progress(
        &mut self,
        key: JobKey,
        rank: u16,
        calls: Vec<(u64, String)>,
        plane: &mut dyn DataPlane,
    ) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(epoch) = job.running() else { return };
        let mut first = Vec::new();
        for (call, text) in calls.into_iter().take(MOST_TOLD) {
            let text = clip(&text);
            match job.pending.compare(rank, call, &text) {
                Comparison::Same => {}
                Comparison::First => first.push(call),
                Comparison::Differs { rank: rank_a, text: call_a } => {
                    let cause = Failure::Mismatch { rank_a, call_a, rank_b: rank, call_b: text };
                    plane.release(epoch.job);
                    return self.fail(key, &cause);
                }
            }
        }
        if first.is_empty() {
            return;
        }
        for (_, conn) in job.present().into_iter().filter(|(other, _)| *other != rank) {
            self.send(conn, Message::AskInProgress { calls: first.clone() });
        }
    }
}
