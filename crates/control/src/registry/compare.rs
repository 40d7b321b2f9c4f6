//! What workers say of calls that do not end (R-CTRL-12).

use super::said::Heard;
use super::{JobKey, Registry};
use crate::failure::{Failure, clip};
use crate::message::Message;
use crate::plane::DataPlane;

impl Registry {
    /// R-CTRL-12: a worker waits for a call. Another that calls something else there has made a different call; what the others call is asked for.
    pub(super) fn in_progress(&mut self, key: JobKey, rank: u16, call: u64, text: String, plane: &mut dyn DataPlane) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(life) = job.running() else { return };
        let text = clip(&text);
        match job.said.hear(rank, call, &text) {
            Heard::Alike => {}
            Heard::Unlike { rank: rank_a, text: call_a } => {
                let cause = Failure::Mismatch { rank_a, call_a, rank_b: rank, call_b: text };
                plane.release(life.number);
                self.fail(key, &cause);
            }
            Heard::First => {
                for (_, conn) in job.present().into_iter().filter(|(other, _)| *other != rank) {
                    self.send(conn, Message::AskInProgress { call });
                }
            }
        }
    }
}
