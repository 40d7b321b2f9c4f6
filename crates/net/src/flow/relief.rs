//! The thread that drives a flow when nobody else does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct State {
    /// How often it was called.
    calls: u64,
    /// How many of these calls it has come for.
    heeded: u64,
    dismissed: bool,
}

/// How the thread is called to the seat, and sent home.
#[derive(Default)]
pub(super) struct Relief {
    state: Mutex<State>,
    changed: Condvar,
}

impl Relief {
    fn state(&self) -> MutexGuard<'_, State> {
        // A number is whole at any time.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the thread drive. Calling it twice before it comes is calling it once.
    pub(super) fn call(&self) {
        let mut state = self.state();
        if state.calls == state.heeded {
            self.changed.notify_one();
        }
        state.calls += 1;
    }

    /// How often the thread was called.
    #[cfg(test)]
    pub(super) fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Ends the thread.
    pub(super) fn dismiss(&self) {
        self.state().dismissed = true;
        self.changed.notify_one();
    }

    /// Waits for a call. `false` when the thread is to end.
    pub(super) fn wait(&self) -> bool {
        let idle = |state: &mut State| state.calls == state.heeded && !state.dismissed;
        let mut state = self.changed.wait_while(self.state(), idle).unwrap_or_else(PoisonError::into_inner);
        state.heeded = state.calls;
        !state.dismissed
    }
}
