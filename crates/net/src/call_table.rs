//! The table of calls in progress, on which their submitters wait.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use netfold_worker::CallId;

use crate::error::Error;
use crate::sync::{Condvar, Mutex, MutexGuard};

/// Outcome of a call.
pub type Outcome = Result<(), Error>;

/// A call and the flows that still hold its memory.
struct CallState {
    flows: u16,
    outcome: Option<Outcome>,
    /// Time at which the last flow had its results, as far as that is timed.
    at: Option<Instant>,
    /// Report it to [`CallTable::next_completion`] when it is done.
    notify: bool,
    /// Its caller comes back to drive it: no other thread need.
    caller_drives: bool,
    /// No caller asks for it any more: it is removed as soon as it is done.
    forgotten: bool,
}

#[derive(Default)]
struct Table {
    /// In the order of calls. Few are in progress at a time, and mostly it is the first that ends.
    states: VecDeque<(CallId, CallState)>,
    completions: VecDeque<(CallId, Outcome)>,
    /// Threads in [`CallTable::wait`]. A notification without waiters costs a system call, too.
    waiting: u32,
    closed: bool,
}

impl Table {
    fn index(&self, id: CallId) -> Option<usize> {
        if self.states.front().is_some_and(|(first, _)| *first == id) {
            return Some(0);
        }
        self.states.binary_search_by_key(&id, |(id, _)| *id).ok()
    }

    fn state(&self, id: CallId) -> Option<&CallState> {
        self.index(id).map(|index| &self.states[index].1)
    }

    fn state_mut(&mut self, id: CallId) -> Option<&mut CallState> {
        self.index(id).map(|index| &mut self.states[index].1)
    }

    fn remove(&mut self, id: CallId) {
        if let Some(index) = self.index(id) {
            self.states.remove(index);
        }
    }

    /// Returns the outcome of a call; `None` while it is in progress.
    fn outcome(&self, id: CallId) -> Option<Outcome> {
        match self.state(id) {
            // Forgotten, so done.
            None => Some(Ok(())),
            Some(CallState { flows: 0, outcome, .. }) => outcome.clone(),
            Some(_) => None,
        }
    }
}

/// The calls of a communicator that are in progress, or done and not forgotten.
#[derive(Default)]
pub(crate) struct CallTable {
    table: Mutex<Table>,
    changed: Condvar,
    completed: Condvar,
}

impl CallTable {
    fn table(&self) -> MutexGuard<'_, Table> {
        // The table is whole between any two statements that can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a call that `flows` flows carry. Its number is greater than those before. With
    /// `caller_drives` its caller comes back to drive it.
    pub(crate) fn open(&self, id: CallId, flows: u16, notify: bool, caller_drives: bool) {
        let state =
            CallState { flows, outcome: None, at: None, notify, caller_drives, forgotten: false };
        let states = &mut self.table().states;
        debug_assert!(
            states.back().is_none_or(|(last, _)| *last < id),
            "calls are made in their order"
        );
        states.push_back((id, state));
    }

    /// Returns whether a call is in progress to which no caller comes back.
    pub(crate) fn any_detached(&self) -> bool {
        self.table().states.iter().any(|(_, state)| state.flows > 0 && !state.caller_drives)
    }

    /// Returns whether a call is in progress whose caller comes back to drive it.
    pub(crate) fn is_driven_by_caller(&self, id: CallId) -> bool {
        self.table().state(id).is_some_and(|state| state.flows > 0 && state.caller_drives)
    }

    /// Notes that the caller does not come back to drive a call. Returns whether another thread
    /// must drive it from now on.
    pub(crate) fn detach(&self, id: CallId) -> bool {
        let mut table = self.table();
        table
            .state_mut(id)
            .is_some_and(|state| std::mem::take(&mut state.caller_drives) && state.flows > 0)
    }

    /// One flow has let go of the call's memory. The call is done when all have; the first error is
    /// its outcome. `at` tells since when the flow's results had been there.
    pub(crate) fn flow_done(&self, id: CallId, outcome: Outcome, at: Option<Instant>) {
        let mut table = self.table();
        let Some(state) = table.state_mut(id) else { return };
        state.flows -= 1;
        state.at = state.at.max(at);
        if state.outcome.as_ref().is_none_or(Result::is_ok) {
            state.outcome = Some(outcome);
        }
        if state.flows > 0 {
            return;
        }
        if state.forgotten {
            table.remove(id);
        } else if state.notify {
            let outcome = state.outcome.clone().expect("set above");
            table.completions.push_back((id, outcome));
            self.completed.notify_all();
        }
        if table.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits until a call is done, at most for `limit`. Returns `None` if it is not done then.
    pub(crate) fn wait(&self, id: CallId, limit: Option<Duration>) -> Option<Outcome> {
        let mut table = self.table();
        if let Some(outcome) = table.outcome(id) {
            return Some(outcome);
        }
        if limit == Some(Duration::ZERO) {
            return None;
        }
        let unfinished = |table: &mut Table| table.outcome(id).is_none();
        table.waiting += 1;
        let mut table = match limit {
            None => {
                self.changed.wait_while(table, unfinished).unwrap_or_else(PoisonError::into_inner)
            }
            Some(limit) => {
                let waited = self.changed.wait_timeout_while(table, limit, unfinished);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        table.waiting -= 1;
        table.outcome(id)
    }

    /// Threads in [`CallTable::wait`].
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> u32 {
        self.table().waiting
    }

    /// Returns the outcome of a call; `None` while it is in progress.
    pub(crate) fn outcome(&self, id: CallId) -> Option<Outcome> {
        self.table().outcome(id)
    }

    /// Removes a call that has ended with a result. Returns whether it had.
    pub(crate) fn take_result(&self, id: CallId) -> bool {
        let mut table = self.table();
        let done =
            matches!(table.state(id), Some(CallState { flows: 0, outcome: Some(Ok(())), .. }));
        if done {
            table.remove(id);
        }
        done
    }

    /// Returns the time at which the results of a call that is done were there; `None` if that was
    /// not timed.
    pub(crate) fn done_at(&self, id: CallId) -> Option<Instant> {
        self.table().state(id).filter(|state| state.flows == 0)?.at
    }

    /// Has a call reported to [`CallTable::next_completion`], although it was not opened so: when
    /// it is done, or now if it is done.
    pub(crate) fn watch(&self, id: CallId) {
        let mut table = self.table();
        let Some(state) = table.state_mut(id).filter(|state| !state.notify) else { return };
        state.notify = true;
        let done = state.outcome.clone().filter(|_| state.flows == 0);
        if let Some(outcome) = done {
            table.completions.push_back((id, outcome));
            self.completed.notify_all();
        }
    }

    /// Removes a call for which no caller asks any more, now or as soon as it is done. It is not
    /// reported to [`CallTable::next_completion`] either.
    pub(crate) fn forget(&self, id: CallId) {
        let mut table = self.table();
        let Some(state) = table.state_mut(id) else { return };
        if state.flows > 0 {
            state.forgotten = true;
        } else {
            table.remove(id);
            table.completions.retain(|(done, _)| *done != id);
        }
    }

    /// The next call that is done, of those opened with `notify`, waiting at most `timeout`. `None`
    /// when the time is over or no more will come.
    pub(crate) fn next_completion(&self, timeout: Duration) -> Option<(CallId, Outcome)> {
        let mut table = self.table();
        if table.completions.is_empty() && !table.closed {
            let unfinished = |table: &mut Table| table.completions.is_empty() && !table.closed;
            let waited = self.completed.wait_timeout_while(table, timeout, unfinished);
            table = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        table.completions.pop_front()
    }

    /// Returns whether no call is in progress.
    pub(crate) fn all_done(&self) -> bool {
        self.table().states.iter().all(|(_, state)| state.flows == 0)
    }

    /// The call in progress that was made first.
    pub(crate) fn oldest(&self) -> Option<CallId> {
        self.first_from(CallId(0))
    }

    /// Returns the first call in progress from a number on.
    pub(crate) fn first_from(&self, from: CallId) -> Option<CallId> {
        let table = self.table();
        let start = table.states.partition_point(|(id, _)| *id < from);
        table.states.range(start..).find(|(_, state)| state.flows > 0).map(|(id, _)| *id)
    }

    /// Ends [`CallTable::next_completion`] for good.
    pub(crate) fn close(&self) {
        self.table().closed = true;
        self.completed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: CallId = CallId(3);

    /// R-WORK-6
    #[test]
    fn a_call_is_done_when_every_flow_has_let_go() {
        let states = CallTable::default();
        states.open(ID, 2, true, false);
        let now = Some(Duration::ZERO);
        assert!(states.wait(ID, now).is_none() && states.outcome(ID).is_none());
        states.flow_done(ID, Err(Error::Closed), None);
        assert!(
            states.wait(ID, now).is_none() && states.outcome(ID).is_none(),
            "a flow still holds the memory"
        );
        states.flow_done(ID, Ok(()), None);
        assert!(states.outcome(ID).is_some());
        assert!(matches!(states.wait(ID, None), Some(Err(Error::Closed))));
        assert!(matches!(states.next_completion(Duration::ZERO), Some((ID, Err(Error::Closed)))));
        assert!(states.next_completion(Duration::ZERO).is_none());
    }

    #[test]
    fn a_result_is_taken_once_and_an_error_stays() {
        let states = CallTable::default();
        let later = CallId(4);
        for id in [ID, later] {
            states.open(id, 1, false, true);
            assert!(!states.take_result(id));
        }
        assert!(!states.all_done());
        states.flow_done(ID, Err(Error::Closed), None);
        states.flow_done(later, Ok(()), None);
        assert!(!states.take_result(ID) && matches!(states.outcome(ID), Some(Err(Error::Closed))));
        assert!(states.take_result(later) && !states.take_result(later));
        assert_eq!(states.table().states.len(), 1);
    }

    #[test]
    fn what_is_forgotten_is_not_reported() {
        let states = CallTable::default();
        let later = CallId(4);
        for id in [ID, later] {
            states.open(id, 1, true, false);
        }
        states.flow_done(ID, Ok(()), None);
        states.forget(ID);
        states.forget(later);
        assert!(!states.all_done());
        states.flow_done(later, Ok(()), None);
        assert!(states.all_done());
        assert!(states.next_completion(Duration::ZERO).is_none());
    }

    #[test]
    fn what_is_watched_is_reported_once_whenever_it_ends() {
        let states = CallTable::default();
        let later = CallId(4);
        states.open(ID, 1, false, false);
        states.open(later, 1, false, false);
        states.flow_done(ID, Ok(()), None);
        assert!(states.next_completion(Duration::ZERO).is_none());
        for _ in 0..2 {
            states.watch(ID);
            states.watch(later);
        }
        states.flow_done(later, Err(Error::Closed), None);
        assert!(matches!(states.next_completion(Duration::ZERO), Some((ID, Ok(())))));
        assert!(
            matches!(states.next_completion(Duration::ZERO), Some((id, Err(Error::Closed))) if id == later)
        );
        assert!(states.next_completion(Duration::ZERO).is_none());
    }

    #[test]
    fn closing_wakes_who_waits_for_completions() {
        let states = CallTable::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| states.next_completion(Duration::from_secs(60)));
            states.close();
            assert!(waiting.join().unwrap().is_none());
        });
    }
}
