//! Calls in progress, as their submitters wait for them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use netfold_worker::CallId;

use crate::error::Error;

/// How a call ended.
pub type Outcome = Result<(), Error>;

/// A call and the flows that still hold its memory.
struct Ticket {
    flows: u16,
    outcome: Option<Outcome>,
    /// When the last flow had its results, as far as that is timed.
    at: Option<Instant>,
    /// Report it to [`Tickets::next_completion`] when it is done.
    notify: bool,
    /// Its caller comes back to drive it, so that nobody else need.
    attended: bool,
    /// Nobody will ask for it: it goes as soon as it is done.
    forgotten: bool,
}

#[derive(Default)]
struct Table {
    /// In the order of calls. Few are in progress at a time, and mostly it is the first that ends.
    tickets: VecDeque<(CallId, Ticket)>,
    completions: VecDeque<(CallId, Outcome)>,
    /// Threads in [`Tickets::wait`]. Waking nobody costs a system call too.
    waiting: u32,
    closed: bool,
}

impl Table {
    fn index(&self, id: CallId) -> Option<usize> {
        if self.tickets.front().is_some_and(|(first, _)| *first == id) {
            return Some(0);
        }
        self.tickets.binary_search_by_key(&id, |(id, _)| *id).ok()
    }

    fn ticket(&self, id: CallId) -> Option<&Ticket> {
        self.index(id).map(|index| &self.tickets[index].1)
    }

    fn ticket_mut(&mut self, id: CallId) -> Option<&mut Ticket> {
        self.index(id).map(|index| &mut self.tickets[index].1)
    }

    fn remove(&mut self, id: CallId) {
        if let Some(index) = self.index(id) {
            self.tickets.remove(index);
        }
    }

    /// How a call ended; `None` while it is in progress.
    fn outcome(&self, id: CallId) -> Option<Outcome> {
        match self.ticket(id) {
            // Forgotten, so done.
            None => Some(Ok(())),
            Some(Ticket { flows: 0, outcome, .. }) => outcome.clone(),
            Some(_) => None,
        }
    }
}

/// The calls of a communicator that are in progress, or done and not forgotten.
#[derive(Default)]
pub(crate) struct Tickets {
    table: Mutex<Table>,
    changed: Condvar,
    completed: Condvar,
}

impl Tickets {
    fn table(&self) -> MutexGuard<'_, Table> {
        // The table is whole between any two statements that can panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a ticket for a call that `flows` flows carry; its number is greater than those before. `attended`: its caller comes back to drive it.
    pub(crate) fn open(&self, id: CallId, flows: u16, notify: bool, attended: bool) {
        let ticket = Ticket { flows, outcome: None, at: None, notify, attended, forgotten: false };
        let tickets = &mut self.table().tickets;
        debug_assert!(tickets.back().is_none_or(|(last, _)| *last < id), "calls are made in their order");
        tickets.push_back((id, ticket));
    }

    /// Whether any call is in progress that nobody comes back to drive.
    pub(crate) fn any_unattended(&self) -> bool {
        self.table().tickets.iter().any(|(_, ticket)| ticket.flows > 0 && !ticket.attended)
    }

    /// Nobody comes back to drive a call. Returns whether somebody else must, who was not to before.
    pub(crate) fn unattend(&self, id: CallId) -> bool {
        let mut table = self.table();
        table.ticket_mut(id).is_some_and(|ticket| std::mem::take(&mut ticket.attended) && ticket.flows > 0)
    }

    /// One flow has let go of the call's memory. The call is done when all have; the first error is its outcome. `at` tells since when the flow's results had been
    /// there.
    pub(crate) fn flow_done(&self, id: CallId, outcome: Outcome, at: Option<Instant>) {
        let mut table = self.table();
        let Some(ticket) = table.ticket_mut(id) else { return };
        ticket.flows -= 1;
        ticket.at = ticket.at.max(at);
        if ticket.outcome.as_ref().is_none_or(Result::is_ok) {
            ticket.outcome = Some(outcome);
        }
        if ticket.flows > 0 {
            return;
        }
        if ticket.forgotten {
            table.remove(id);
        } else if ticket.notify {
            let outcome = ticket.outcome.clone().expect("set above");
            table.completions.push_back((id, outcome));
            self.completed.notify_all();
        }
        if table.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits until the call is done, at most for `limit`. `None` when it is not.
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
            None => self.changed.wait_while(table, unfinished).unwrap_or_else(PoisonError::into_inner),
            Some(limit) => {
                let waited = self.changed.wait_timeout_while(table, limit, unfinished);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        table.waiting -= 1;
        table.outcome(id)
    }

    /// Threads in [`Tickets::wait`].
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> u32 {
        self.table().waiting
    }

    /// How the call ended; `None` while it is in progress.
    pub(crate) fn outcome(&self, id: CallId) -> Option<Outcome> {
        self.table().outcome(id)
    }

    /// Drops the ticket of a call that is done, with a result. Returns whether it is.
    pub(crate) fn take_result(&self, id: CallId) -> bool {
        let mut table = self.table();
        let done = matches!(table.ticket(id), Some(Ticket { flows: 0, outcome: Some(Ok(())), .. }));
        if done {
            table.remove(id);
        }
        done
    }

    /// When the results of a call that is done, and not forgotten, had come; `None` if that was not timed.
    pub(crate) fn done_at(&self, id: CallId) -> Option<Instant> {
        self.table().ticket(id).filter(|ticket| ticket.flows == 0)?.at
    }

    /// Reports a call to [`Tickets::next_completion`] although it was not opened so: when it is done, or now if it is.
    pub(crate) fn watch(&self, id: CallId) {
        let mut table = self.table();
        let Some(ticket) = table.ticket_mut(id).filter(|ticket| !ticket.notify) else { return };
        ticket.notify = true;
        let done = ticket.outcome.clone().filter(|_| ticket.flows == 0);
        if let Some(outcome) = done {
            table.completions.push_back((id, outcome));
            self.completed.notify_all();
        }
    }

    /// Drops a ticket that nobody will ask for any more, now or as soon as it is done. It is not reported to [`Tickets::next_completion`] either.
    pub(crate) fn forget(&self, id: CallId) {
        let mut table = self.table();
        let Some(ticket) = table.ticket_mut(id) else { return };
        if ticket.flows > 0 {
            ticket.forgotten = true;
        } else {
            table.remove(id);
            table.completions.retain(|(done, _)| *done != id);
        }
    }

    /// The next call that is done, of those opened with `notify`, waiting at most `timeout`. `None` when the time is over or no more will come.
    pub(crate) fn next_completion(&self, timeout: Duration) -> Option<(CallId, Outcome)> {
        let mut table = self.table();
        if table.completions.is_empty() && !table.closed {
            let unfinished = |table: &mut Table| table.completions.is_empty() && !table.closed;
            let waited = self.completed.wait_timeout_while(table, timeout, unfinished);
            table = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        table.completions.pop_front()
    }

    /// Whether no call is in progress.
    pub(crate) fn all_done(&self) -> bool {
        self.table().tickets.iter().all(|(_, ticket)| ticket.flows == 0)
    }

    /// The call in progress that was made first.
    pub(crate) fn oldest(&self) -> Option<CallId> {
        self.first_from(CallId(0))
    }

    /// Returns the first call in progress from a number on.
    pub(crate) fn first_from(&self, from: CallId) -> Option<CallId> {
        let table = self.table();
        let start = table.tickets.partition_point(|(id, _)| *id < from);
        table.tickets.range(start..).find(|(_, ticket)| ticket.flows > 0).map(|(id, _)| *id)
    }

    /// Ends [`Tickets::next_completion`] for good.
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
        let tickets = Tickets::default();
        tickets.open(ID, 2, true, false);
        let now = Some(Duration::ZERO);
        assert!(tickets.wait(ID, now).is_none() && tickets.outcome(ID).is_none());
        tickets.flow_done(ID, Err(Error::Closed), None);
        assert!(tickets.wait(ID, now).is_none() && tickets.outcome(ID).is_none(), "a flow still holds the memory");
        tickets.flow_done(ID, Ok(()), None);
        assert!(tickets.outcome(ID).is_some());
        assert!(matches!(tickets.wait(ID, None), Some(Err(Error::Closed))));
        assert!(matches!(tickets.next_completion(Duration::ZERO), Some((ID, Err(Error::Closed)))));
        assert!(tickets.next_completion(Duration::ZERO).is_none());
    }

    #[test]
    fn a_result_is_taken_once_and_an_error_stays() {
        let tickets = Tickets::default();
        let later = CallId(4);
        for id in [ID, later] {
            tickets.open(id, 1, false, true);
            assert!(!tickets.take_result(id));
        }
        assert!(!tickets.all_done());
        tickets.flow_done(ID, Err(Error::Closed), None);
        tickets.flow_done(later, Ok(()), None);
        assert!(!tickets.take_result(ID) && matches!(tickets.outcome(ID), Some(Err(Error::Closed))));
        assert!(tickets.take_result(later) && !tickets.take_result(later));
        assert_eq!(tickets.table().tickets.len(), 1);
    }

    #[test]
    fn what_is_forgotten_is_not_reported() {
        let tickets = Tickets::default();
        let later = CallId(4);
        for id in [ID, later] {
            tickets.open(id, 1, true, false);
        }
        tickets.flow_done(ID, Ok(()), None);
        tickets.forget(ID);
        tickets.forget(later);
        assert!(!tickets.all_done());
        tickets.flow_done(later, Ok(()), None);
        assert!(tickets.all_done());
        assert!(tickets.next_completion(Duration::ZERO).is_none());
    }

    #[test]
    fn what_is_watched_is_reported_once_whenever_it_ends() {
        let tickets = Tickets::default();
        let later = CallId(4);
        tickets.open(ID, 1, false, false);
        tickets.open(later, 1, false, false);
        tickets.flow_done(ID, Ok(()), None);
        assert!(tickets.next_completion(Duration::ZERO).is_none());
        for _ in 0..2 {
            tickets.watch(ID);
            tickets.watch(later);
        }
        tickets.flow_done(later, Err(Error::Closed), None);
        assert!(matches!(tickets.next_completion(Duration::ZERO), Some((ID, Ok(())))));
        assert!(matches!(tickets.next_completion(Duration::ZERO), Some((id, Err(Error::Closed))) if id == later));
        assert!(tickets.next_completion(Duration::ZERO).is_none());
    }

    #[test]
    fn closing_wakes_who_waits_for_completions() {
        let tickets = Tickets::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| tickets.next_completion(Duration::from_secs(60)));
            tickets.close();
            assert!(waiting.join().unwrap().is_none());
        });
    }
}
