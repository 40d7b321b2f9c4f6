//! Slots that the switch lends, as one flow of a worker asks for them and returns them
//! (R-STREAM-21, R-CTRL-25).

use core::mem;
use std::collections::VecDeque;

use crate::call::Priority;
use crate::calls::CallId;
use crate::plan::Plan;
use crate::tensor::Tensor;

/// Slots that a call needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Those of its priority.
    Usual,
    /// Those of the stream of long calls.
    Long,
    /// Exchange slots.
    Exchange,
}

/// A call that waits for lent slots, or behind one of its priority that does.
pub(crate) struct Waiting<T> {
    pub(crate) id: CallId,
    /// Its plan without exchange slots.
    pub(crate) plan: Plan,
    pub(crate) tensor: T,
    pub(crate) needs: Needs,
}

impl<T> Waiting<T> {
    fn needs_lent(&self) -> bool {
        self.needs != Needs::Usual
    }
}

impl<T: Tensor> Waiting<T> {
    /// Returns the call as errors show it.
    pub(crate) fn in_words(&self) -> String {
        self.plan.in_words(Some(&self.tensor))
    }
}

/// Returns the number of calls that have needed lent slots, if all flows of a worker have returned
/// them ([`Streams::return_slots`](crate::Streams::return_slots)) after as many. Flows learn of a
/// call one after the other, so that one of them may know of a call that another does not.
pub fn calls_at_return(flows: impl IntoIterator<Item = Option<u64>>) -> Option<u64> {
    let same = |one: Option<u64>, other| one.filter(|_| one == other);
    flows.into_iter().reduce(same).flatten()
}

/// The lent slots of a flow: whether the worker has them, and the calls that wait for them.
pub(crate) struct Lent<T> {
    /// Slots of the bulk streams of all flows: a call of more blocks is long.
    short_blocks: u64,
    /// Calls that have needed lent slots, those that wait among them.
    calls: u64,
    held: bool,
    /// The switch has been asked for the first call that waits.
    asked: bool,
    /// The last bulk call with elements was long.
    after_long: bool,
    /// The first one needs lent slots.
    waiting: VecDeque<Waiting<T>>,
}

impl<T> Lent<T> {
    /// Returns the state of a worker that has no lent slots, with so many bulk slots on all flows
    /// together.
    pub(crate) fn new(bulk_slots: u64) -> Self {
        Self {
            short_blocks: bulk_slots,
            calls: 0,
            held: false,
            asked: false,
            after_long: false,
            waiting: VecDeque::new(),
        }
    }

    /// Returns the slots that the next call needs, by its plan.
    pub(crate) fn needs(&mut self, plan: &Plan) -> Needs {
        if plan.is_exchange() {
            return Needs::Exchange;
        }
        if plan.priority() == Priority::Urgent {
            return Needs::Usual;
        }
        if plan.travelling() > 0 {
            self.after_long = plan.blocks() > self.short_blocks;
        }
        if self.after_long { Needs::Long } else { Needs::Usual }
    }

    /// Takes the next call. Returns it if it need not wait.
    pub(crate) fn take(&mut self, call: Waiting<T>) -> Option<Waiting<T>> {
        self.calls += u64::from(call.needs_lent());
        if (self.held || !call.needs_lent()) && !self.is_behind(&call) {
            return Some(call);
        }
        self.waiting.push_back(call);
        None
    }

    /// Returns whether a call of this priority waits. Another one stays behind it, so that all
    /// workers have the same order in the stream of that priority if the switch refuses.
    fn is_behind(&self, call: &Waiting<T>) -> bool {
        self.waiting.iter().any(|before| before.plan.priority() == call.plan.priority())
    }

    /// Returns the number of the call for which the switch is to be asked now, once.
    pub(crate) fn poll_request(&mut self) -> Option<u64> {
        let first = self.first_waiting().filter(|_| !self.asked)?;
        self.asked = true;
        Some(first)
    }

    /// Returns the number of the first call that waits, among those that need lent slots.
    fn first_waiting(&self) -> Option<u64> {
        let needing = self.waiting.iter().filter(|call| call.needs_lent()).count();
        (needing > 0).then(|| self.calls - needing as u64)
    }

    /// Takes the switch's answer about a call. Returns the calls that need not wait any longer:
    /// all, if the worker has the slots now, or else the one that was asked for and those that were
    /// behind no other.
    pub(crate) fn answered(&mut self, number: u64, lent: bool) -> Vec<Waiting<T>> {
        if !self.asked || self.first_waiting() != Some(number) {
            return Vec::new();
        }
        self.asked = false;
        self.held = lent;
        let mut waiting = mem::take(&mut self.waiting).into_iter();
        let mut ready: Vec<_> = waiting.by_ref().take(1).collect();
        for call in waiting {
            match !lent && (call.needs_lent() || self.is_behind(&call)) {
                true => self.waiting.push_back(call),
                false => ready.push(call),
            }
        }
        ready
    }

    /// Returns the slots, if no call waits for them. Returns the number of calls that have needed
    /// them.
    pub(crate) fn give_back(&mut self) -> Option<u64> {
        self.held &= !self.waiting.is_empty();
        self.waiting.is_empty().then_some(self.calls)
    }

    /// Returns the calls that wait.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Waiting<T>> {
        self.waiting.iter()
    }

    /// Gives up the calls that wait, from `first` on. Nothing may be submitted afterwards.
    pub(crate) fn abandon(&mut self, first: CallId) -> VecDeque<Waiting<T>> {
        let kept = self.waiting.iter().take_while(|call| call.id < first).count();
        self.waiting.split_off(kept)
    }
}
