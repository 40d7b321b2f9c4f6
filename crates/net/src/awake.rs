//! Waits for datagrams that end awake where sleep does not pay.
//!
//! A short call consists of little but waits. To sleep and be woken takes some microseconds at the
//! worker and at the switch, and more where the core has to be woken, too: as long as its packets
//! are on their way. So a thread that waits for few packets first looks for them for a moment, and
//! lends its core between two looks. It does so only while waits have been short lately. Where
//! others want the core, a look comes late, counts as a long wait, and there are no more of them.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use netfold_shm::SpinPolicy;
use rustix::event::PollFd;

use crate::endpoint::wait;

/// Time for which a thread stays awake: several times what a sleep and its end take.
const AWAKE: Duration = Duration::from_micros(100);

/// Lengths of a thread's recent waits.
pub(crate) struct Waiter(SpinPolicy);

impl Waiter {
    pub(crate) fn new() -> Self {
        // Who else waits, and on which cores, is not known over a network.
        Self(SpinPolicy::new(1, 1))
    }

    /// Waits as [`wait`] does. If the packets that are awaited are `few`, it may stay awake for a
    /// moment first.
    ///
    /// # Errors
    /// The system's error.
    pub(crate) fn wait(
        &mut self,
        fds: &mut [PollFd<'_>],
        timeout: Option<Duration>,
        few: bool,
    ) -> io::Result<usize> {
        if !few {
            return wait(fds, timeout);
        }
        let start = Instant::now();
        let limit = timeout.map_or(AWAKE, |timeout| timeout.min(AWAKE));
        let mut ready = 0;
        while self.0.stays_awake() && ready == 0 && start.elapsed() < limit {
            ready = wait(fds, Some(Duration::ZERO))?;
            if ready == 0 {
                thread::yield_now();
            }
        }
        if ready == 0 {
            let left = timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
            ready = wait(fds, left)?;
        }
        let short = start.elapsed() < AWAKE;
        // A wait that ends early because nobody wanted it longer tells nothing.
        if ready > 0 || !short {
            self.0.waited(ready > 0 && short);
        }
        Ok(ready)
    }
}

#[cfg(test)]
mod tests {
    use rustix::event::PollFlags;

    use super::*;
    use crate::notify::EventFd;

    const LONG: Duration = Duration::from_millis(1);

    fn wait_for(waiter: &mut Waiter, event: &EventFd, few: bool) -> usize {
        let mut fds = [PollFd::new(event, PollFlags::IN)];
        waiter.wait(&mut fds, Some(LONG), few).unwrap()
    }

    #[test]
    fn a_thread_stays_awake_while_waits_are_short() {
        let (mut waiter, event) = (Waiter::new(), EventFd::new().unwrap());
        let begin = Instant::now();
        let long = (0..100).take_while(|_| {
            assert_eq!(wait_for(&mut waiter, &event, true), 0);
            waiter.0.stays_awake()
        });
        let long = long.count() as u32 + 1;
        assert!(long < 100 && begin.elapsed() >= long * LONG);
        event.notifier().wake();
        let short = (0..100).take_while(|_| {
            assert_eq!(wait_for(&mut waiter, &event, true), 1);
            !waiter.0.stays_awake()
        });
        // A loaded machine makes some of them long.
        assert!(short.count() < 100);
    }

    #[test]
    fn waits_for_many_packets_and_timers_are_no_reason() {
        let (mut waiter, event) = (Waiter::new(), EventFd::new().unwrap());
        for _ in 0..20 {
            assert_eq!(wait_for(&mut waiter, &event, false), 0);
            let mut fds = [PollFd::new(&event, PollFlags::IN)];
            assert_eq!(waiter.wait(&mut fds, Some(Duration::ZERO), true).unwrap(), 0);
        }
        assert!(waiter.0.stays_awake());
    }
}
