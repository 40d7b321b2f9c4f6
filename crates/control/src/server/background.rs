//! Threads that work while the data plane has nothing to do.
#![expect(unsafe_code, reason = "a system call that no library has for threads of this kind")]

use std::io;
use std::time::Duration;

/// Niceness of a thread in the background: a busy machine still leaves it a tenth of a core.
const NICENESS: i32 = 10;

/// Time for which a thread in the background may run at once. The scheduler lets a thread that
/// wakes go before one with a longer slice (Linux 6.12 and later), and the data plane's threads
/// wake for each packet.
const SLICE: Duration = Duration::from_millis(100);

/// Puts the calling thread into the background: it goes on after each thread of normal priority
/// that wakes.
///
/// # Errors
/// Those of the system call.
pub(super) fn run_in_background() -> io::Result<()> {
    let attributes = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: libc::SCHED_OTHER as u32,
        sched_flags: 0,
        sched_nice: NICENESS,
        sched_priority: 0,
        sched_runtime: SLICE.as_nanos() as u64,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the kernel reads as many bytes of the attributes as they say that they have.
    match unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, thread};

    use super::*;

    /// Two independent sources of the kernel: `nice` in `stat`, and the scheduler's own view of the
    /// thread where the kernel shows it, in nanoseconds.
    #[test]
    fn a_thread_in_the_background_is_nice_and_has_a_long_slice() {
        let (stat, sched) = thread::spawn(|| {
            run_in_background().unwrap();
            let stat = fs::read_to_string("/proc/thread-self/stat").unwrap();
            (stat, fs::read_to_string("/proc/thread-self/sched"))
        })
        .join()
        .unwrap();
        let after_name = stat.rsplit_once(')').unwrap().1;
        assert_eq!(after_name.split_whitespace().nth(16), Some("10"), "{stat}");
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
        let number: Vec<u32> =
            release.split(['.', '-']).map_while(|part| part.parse().ok()).collect();
        let Some(sched) = sched.ok().filter(|_| number.as_slice() >= [6, 12].as_slice()) else {
            eprintln!("skipped: Linux {release} does not tell the slice of a thread");
            return;
        };
        let slice = sched.lines().find_map(|line| line.strip_prefix("se.slice")).unwrap();
        assert!(slice.ends_with(" 100000000"), "{slice}");
    }
}
