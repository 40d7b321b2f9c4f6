//! The thread that drives a flow when nobody else does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct State {
    called: bool,
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
        // A boolean is whole at any time.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the thread drive. Calling it twice is calling it once.
    pub(super) fn call(&self) {
        let mut state = self.state();
        if !state.called {
            state.called = true;
            self.changed.notify_one();
        }
    }

    /// Ends the thread.
    pub(super) fn dismiss(&self) {
        self.state().dismissed = true;
        self.changed.notify_one();
    }

    /// Waits for a call. `false` when the thread is to end.
    pub(super) fn wait(&self) -> bool {
        let idle = |state: &mut State| !state.called && !state.dismissed;
        let mut state = self.changed.wait_while(self.state(), idle).unwrap_or_else(PoisonError::into_inner);
        state.called = false;
        !state.dismissed
    }
}
