//! The waiting of engines for one another: they look for a moment, and then sleep.

use crate::spin::SpinPolicy;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// A number that only rises, on a cache line of its own, so that who counts does not disturb who
/// looks elsewhere.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Counter(AtomicUsize);

/// The engines have stopped.
pub(super) struct Aborted;

/// The place where engines sleep until something is counted.
#[derive(Default)]
pub(super) struct Bell {
    abort: AtomicBool,
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    rung: Condvar,
}

impl Bell {
    /// Sets a counter, and wakes the engines that sleep here.
    pub(super) fn count(&self, counter: &Counter, count: usize) {
        // Both are `SeqCst`, as are those of a sleeper in the other order: one of the two sees what
        // the other has written.
        counter.0.store(count, Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            self.ring();
        }
    }

    /// Ends all waiting here.
    pub(super) fn abort(&self) {
        self.abort.store(true, Ordering::SeqCst);
        self.ring();
    }

    /// Waits until a counter is there.
    pub(super) fn wait_for(
        &self,
        counter: &Counter,
        count: usize,
        spin: &mut SpinPolicy,
    ) -> Result<(), Aborted> {
        if spin.find(|| counter.0.load(Ordering::Acquire) >= count) {
            return Ok(());
        }
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let result = loop {
            if counter.0.load(Ordering::SeqCst) >= count {
                break Ok(());
            }
            if self.abort.load(Ordering::SeqCst) {
                break Err(Aborted);
            }
            guard = self.rung.wait(guard).unwrap_or_else(PoisonError::into_inner);
        };
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        result
    }

    fn ring(&self) {
        // With the lock, so that nobody is between looking and sleeping.
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.rung.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeper_is_woken_by_the_count_and_by_the_end() {
        let (bell, counter) = (Bell::default(), Counter::default());
        let asleep = || {
            while bell.sleepers.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
        };
        std::thread::scope(|scope| {
            let sleeper =
                scope.spawn(|| bell.wait_for(&counter, 1, &mut SpinPolicy::among(1, 1)).is_ok());
            asleep();
            bell.count(&counter, 1);
            assert!(sleeper.join().unwrap());
            let sleeper =
                scope.spawn(|| bell.wait_for(&counter, 2, &mut SpinPolicy::among(1, 1)).is_err());
            asleep();
            bell.abort();
            assert!(sleeper.join().unwrap());
        });
    }
}
