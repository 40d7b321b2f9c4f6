//! A lock in shared memory, whose holder may have died.

use std::sync::atomic::{AtomicU32, Ordering};

use rustix::thread::futex;
use rustix::time::Timespec;

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and somebody sleeps until it is free.
const AWAITED: u32 = 2;

/// Looks at a lock that is held before its waiter sleeps. They take some 10 µs: about as long as a
/// sleep and its end, and longer than a holder takes to write or fold a whole payload.
const SPINS: u32 = 600;

/// The time after which a waiter that sleeps looks whether the job has failed, so that it outlives
/// a holder that has died. Nothing else wakes it then.
const LOOK_AGAIN: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

/// The lock is held until this is dropped.
#[derive(Debug)]
pub(crate) struct Held<'a>(&'a AtomicU32);

/// Takes the lock. `None` when `failed` says so before it is free. With `spin` it is first looked
/// at for a moment: of use only where its holder runs on another core.
pub(crate) fn acquire(word: &AtomicU32, spin: bool, failed: impl Fn() -> bool) -> Option<Held<'_>> {
    let try_once =
        || word.compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok();
    if try_once() {
        return Some(Held(word));
    }
    for _ in 0..if spin { SPINS } else { 0 } {
        std::hint::spin_loop();
        if word.load(Ordering::Relaxed) == FREE && try_once() {
            return Some(Held(word));
        }
    }
    while word.swap(AWAITED, Ordering::Acquire) != FREE {
        if failed() {
            return None;
        }
        // Whatever it returns (woken, interrupted, timed out, free by now), the word decides.
        let _ = futex::wait(word, futex::Flags::empty(), AWAITED, Some(&LOOK_AGAIN));
    }
    Some(Held(word))
}

/// Returns whether somebody holds the lock, as it looks at the moment.
pub(crate) fn seems_held(word: &AtomicU32) -> bool {
    word.load(Ordering::Relaxed) != FREE
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.0.swap(FREE, Ordering::Release) != HELD {
            let _ = futex::wake(self.0, futex::Flags::empty(), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use super::*;

    #[test]
    fn one_at_a_time() {
        let (lock, inside, total) = (AtomicU32::new(FREE), AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for spin in [true, false, true, false] {
                let (lock, inside, total) = (&lock, &inside, &total);
                scope.spawn(move || {
                    for _ in 0..20_000 {
                        let _held = acquire(lock, spin, || false).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0);
                        total.store(total.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                        inside.fetch_sub(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(total.load(Ordering::Relaxed), 80_000);
        assert_eq!(lock.load(Ordering::Relaxed), FREE);
    }

    /// A holder that is gone, or a word that no lock has written: the waiter gives up when the job
    /// fails.
    #[test]
    fn a_waiter_outlives_the_holder() {
        for left in [HELD, AWAITED, 77] {
            let (lock, failed) = (AtomicU32::new(left), AtomicBool::new(false));
            thread::scope(|scope| {
                let waiter = scope
                    .spawn(|| acquire(&lock, true, || failed.load(Ordering::Relaxed)).is_none());
                failed.store(true, Ordering::Relaxed);
                assert!(waiter.join().unwrap());
            });
        }
    }
}
