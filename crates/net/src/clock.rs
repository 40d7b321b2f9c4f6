//! Time for the state machines.

use std::time::Instant;

/// Microseconds since the clock was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.0.elapsed().as_micros() as u64
    }
}
