//! Threads that stay on a core.

use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use rustix::thread::{CpuSet, sched_setaffinity};
use thiserror::Error;

/// Cores for threads that are pinned: the i-th thread gets the i-th core, and after the last the
/// first again. Memory that such a thread is the first to touch lies at the core's own NUMA node,
/// as a shard's slots do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreList(Vec<usize>);

/// A text that is no list of cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a list of cores is made of numbers and ranges, such as 0,2-5, up to {}", CpuSet::MAX_CPU - 1)]
pub struct NotCores;

impl FromStr for CoreList {
    type Err = NotCores;

    fn from_str(text: &str) -> Result<Self, NotCores> {
        let number = |text: &str| {
            text.trim().parse::<usize>().ok().filter(|core| *core < CpuSet::MAX_CPU).ok_or(NotCores)
        };
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(NotCores);
            }
            cores.extend(first..=last);
        }
        Ok(Self(cores))
    }
}

/// The cores one by one, in a form that reads back.
impl fmt::Display for CoreList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&cores.join(","))
    }
}

impl CoreList {
    /// The core of thread `index`.
    pub(crate) fn of(&self, index: usize) -> usize {
        self.0[index % self.0.len()]
    }
}

/// Starts a thread, on `core` if one is given, and returns when it is there.
///
/// # Errors
/// There can be no other thread, or no such core.
pub(crate) fn spawn(
    name: String,
    core: Option<usize>,
    body: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let (pinned, is_pinned) = mpsc::sync_channel(1);
    let thread = thread::Builder::new().name(name).spawn(move || {
        let placed = core.map_or(Ok(()), pin_to);
        let placed_well = placed.is_ok();
        // The thread that starts this one waits for this.
        let _ = pinned.send(placed);
        if placed_well {
            body();
        }
    })?;
    is_pinned.recv().map_err(io::Error::other)??;
    Ok(thread)
}

/// Keeps the calling thread on `core`.
///
/// # Errors
/// The system has no such core, or this process may not use it.
fn pin_to(core: usize) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set).map_err(|error| {
        io::Error::new(io::Error::from(error).kind(), format!("core {core} cannot be had: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use rustix::thread::sched_getaffinity;

    use super::*;

    #[test]
    fn lists_and_ranges_are_cores_in_their_order() {
        for (text, cores) in
            [("0", &[0][..]), ("3,1", &[3, 1]), ("2-4, 0", &[2, 3, 4, 0]), ("7-7", &[7])]
        {
            assert_eq!(text.parse(), Ok(CoreList(cores.to_vec())), "{text}");
        }
        for text in ["", "a", "1,", "3-1", "-1", "0-", "99999999"] {
            assert_eq!(text.parse::<CoreList>(), Err(NotCores), "{text}");
        }
    }

    #[test]
    fn threads_take_turns_with_the_cores() {
        let cores = CoreList(vec![5, 9]);
        assert_eq!([0, 1, 2].map(|index| cores.of(index)), [5, 9, 5]);
    }

    #[test]
    fn a_pinned_thread_is_on_its_core_and_no_other() {
        std::thread::spawn(|| {
            let allowed = sched_getaffinity(None).unwrap();
            let core = (0..CpuSet::MAX_CPU).rfind(|core| allowed.is_set(*core)).unwrap();
            pin_to(core).unwrap();
            let pinned = sched_getaffinity(None).unwrap();
            assert!(pinned.is_set(core) && pinned.count() == 1);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_core_that_is_not_there_is_named() {
        let error = spawn("lost".into(), Some(CpuSet::MAX_CPU - 1), || panic!("it must not run"))
            .unwrap_err()
            .to_string();
        assert!(error.contains(&format!("core {}", CpuSet::MAX_CPU - 1)), "{error}");
    }
}
