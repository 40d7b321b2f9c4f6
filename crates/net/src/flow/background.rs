//! Requests to the thread that drives a flow while no caller does.

use std::sync::PoisonError;

use crate::sync::{Condvar, Mutex, MutexGuard};

#[derive(Default)]
struct State {
    /// Requests so far.
    requests: u64,
    /// Requests that it has answered.
    answered: u64,
    stopped: bool,
}

/// The requests to the background thread of a flow.
#[derive(Default)]
pub(super) struct BackgroundDriver {
    state: Mutex<State>,
    changed: Condvar,
}

impl BackgroundDriver {
    fn state(&self) -> MutexGuard<'_, State> {
        // A number is whole at any time.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the thread drive. Two requests before it answers count as one.
    pub(super) fn request(&self) {
        let mut state = self.state();
        if state.requests == state.answered {
            self.changed.notify_one();
        }
        state.requests += 1;
    }

    /// Returns the number of requests so far.
    #[cfg(test)]
    pub(super) fn requests(&self) -> u64 {
        self.state().requests
    }

    /// Ends the thread.
    pub(super) fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_one();
    }

    /// Waits for a request. Returns `false` when the thread must end.
    pub(super) fn wait(&self) -> bool {
        let idle = |state: &mut State| state.requests == state.answered && !state.stopped;
        let mut state =
            self.changed.wait_while(self.state(), idle).unwrap_or_else(PoisonError::into_inner);
        state.answered = state.requests;
        !state.stopped
    }
}
