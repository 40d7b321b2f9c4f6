//! What a communicator does on a notice of the management plane.

use std::sync::Arc;

use netfold_control::{Ending, Notice};
use netfold_wire::{Position, SlotIndex};
use netfold_worker::CallId;

use super::inner::Inner;
use crate::error::Error;
use crate::flow::Command;

impl Inner {
    pub(super) fn heed(self: &Arc<Self>, notice: Notice) {
        if let Some((first, ending)) = notice.ending() {
            if self.departs(&ending) {
                return;
            }
            let over = ending.ends_the_job();
            let error = self.error_of(ending);
            return if over { self.end(error) } else { self.fail(CallId(first), error) };
        }
        match notice {
            // R-CTRL-6
            Notice::Describe { shard, slot, position, lane } => {
                let flow = self.flows.get(usize::from(shard));
                let (at, block) = (SlotIndex(slot), Position(position));
                let call = flow
                    .and_then(|flow| flow.ask(|reply| Command::Describe { slot: at, position: block, lane, reply })?);
                if let Some(session) = self.life().session() {
                    session.describe(shard, slot, position, call.unwrap_or_else(|| "nothing".into()));
                }
            }
            Notice::AskInProgress { call } => self.tell_in_progress(CallId(call)),
            Notice::Pulse => self.pulse(),
            _ => tracing::debug!(?notice, "a notice that this version does not know"),
        }
    }

    /// What a user is told of the end of calls.
    pub(super) fn error_of(&self, ending: Ending) -> Error {
        match ending {
            Ending::Failed(failure) => Error::Failed(failure),
            Ending::PeerLeft { rank, calls } => Error::PeerLeft { rank, calls },
            Ending::SwitchLost { why, .. } => Error::SwitchLost { address: self.life().address.clone(), why },
        }
    }
}
