//! Actions of a communicator on a notice of the management plane.

use std::sync::Arc;

use netfold_management::{Action, Notice, Participant};
use netfold_wire::{Position, SlotIndex};
use netfold_worker::calls_at_return;

use super::inner::Inner;
use super::lock;
use crate::error::Error;
use crate::flow::Command;

impl Inner {
    pub(super) fn heed(self: &Arc<Self>, notice: Notice) {
        self.act(|part, _| part.handle(notice, |from| self.call_table.first_from(from)));
    }

    /// Tells the worker's machine something at a time in microseconds, and carries out its actions.
    pub(super) fn act(self: &Arc<Self>, act: impl FnOnce(&mut Participant<Error>, u64)) {
        let mut part = lock(&self.part);
        let was_away = part.is_away();
        act(&mut part, self.start.elapsed().as_micros() as u64);
        let actions: Vec<_> = std::iter::from_fn(|| part.poll_action()).collect();
        let departs = part.is_away() && !was_away;
        drop(part);
        self.changed.notify_all();
        // What begins to be told here ends no call that could be made since: the machine has let no
        // such call be made.
        for action in actions {
            self.perform(action);
        }
        if departs {
            self.depart();
        }
    }

    fn perform(&self, action: Action<Error>) {
        match action {
            // R-CTRL-6
            Action::Describe { shard, slot, position, lane } => {
                let flow = self.flows.get(usize::from(shard));
                let (at, block) = (SlotIndex(slot), Position(position));
                let call = flow.and_then(|flow| {
                    flow.ask(|reply| Command::Describe { slot: at, position: block, lane, reply })?
                });
                if let Some(session) = self.epoch().session() {
                    session.describe(
                        shard,
                        slot,
                        position,
                        call.unwrap_or_else(|| "nothing".into()),
                    );
                }
            }
            Action::Tell(calls) => self.tell_in_progress(&calls),
            Action::Slots { call, lent } => {
                for flow in &self.flows {
                    flow.tell(Command::Slots { call, lent });
                }
            }
            Action::ReturnSlots => self.return_slots(),
            Action::Fail { first, error } => {
                for flow in &self.flows {
                    flow.tell(Command::Fail { first, error: error.clone() });
                }
            }
            Action::End(error) => self.end(&error),
        }
    }

    /// R-CTRL-25: returns lent slots, if no flow needs them.
    fn return_slots(&self) {
        let counts = self.flows.iter().map(|flow| flow.ask(Command::ReturnSlots).flatten());
        if let (Some(calls), Some(session)) = (calls_at_return(counts), self.epoch().session()) {
            session.return_slots(calls);
        }
    }
}
