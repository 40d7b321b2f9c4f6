//! The cores that the members of a job have between them.
//!
//! The cores that a process may run on tell little about the others: one that is bound to a core of
//! its own, as `mpirun` binds them, sees a machine with one core. So each member says where it may
//! run, and all see the cores of all.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use rustix::thread::{CpuSet, sched_getaffinity};

/// Words of one bit for each core.
pub(crate) const CORE_WORDS: usize = CpuSet::MAX_CPU / 64;

/// Cores that some member may run on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cores<'a>(&'a [AtomicU64]);

impl<'a> Cores<'a> {
    /// Returns the cores that stand in `words`, of which there are [`CORE_WORDS`].
    pub(crate) fn of(words: &'a [AtomicU64]) -> Self {
        Self(words)
    }

    /// Adds those that this thread may run on, if the system tells.
    pub(crate) fn join(self) {
        let Ok(allowed) = sched_getaffinity(None) else { return };
        for (index, word) in self.0.iter().enumerate() {
            let cores = (0..64)
                .filter(|bit| allowed.is_set(64 * index + bit))
                .fold(0, |cores, bit| cores | 1 << bit);
            word.fetch_or(cores, Ordering::Relaxed);
        }
    }

    /// Returns the number of cores. If nobody has told theirs, it is the number that this process
    /// may use.
    pub(crate) fn count(self) -> usize {
        let known: u32 = self.0.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum();
        if known > 0 { known as usize } else { available_parallelism().map_or(1, usize::from) }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::thread::sched_setaffinity;

    use super::*;

    fn words() -> [AtomicU64; CORE_WORDS] {
        std::array::from_fn(|_| AtomicU64::new(0))
    }

    #[test]
    fn members_that_are_bound_have_the_cores_of_all() {
        let words = words();
        let cores = Cores::of(&words);
        let allowed = sched_getaffinity(None).unwrap();
        let mut joined = 0;
        for core in (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)) {
            thread::scope(|scope| {
                scope.spawn(|| {
                    let mut one = CpuSet::new();
                    one.set(core);
                    sched_setaffinity(None, &one).unwrap();
                    // Joining twice is joining once.
                    cores.join();
                    cores.join();
                });
            });
            joined += 1;
            assert_eq!(cores.count(), joined);
        }
        assert_eq!(joined, available_parallelism().unwrap().get());
    }

    #[test]
    fn where_nobody_has_said_it_is_what_this_process_may_use() {
        assert_eq!(Cores::of(&words()).count(), available_parallelism().unwrap().get());
    }
}
