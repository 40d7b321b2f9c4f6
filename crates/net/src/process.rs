//! Values that belong to the process that made them.
#![expect(
    unsafe_code,
    reason = "the C library is to tell of a fork, after which a value is not dropped"
)]

use std::io;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::error::Error;

/// Forks between the process in which this was 0 and the present one.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Threads, sockets and memory shared with other processes, which a fork copies only in part: it
/// has no threads, and locks that they held stay taken. A copy in another process refuses its use,
/// and is never dropped, since its sockets and its memory are those of the first process, too.
pub struct ProcessLocal<T> {
    value: ManuallyDrop<T>,
    /// [`FORKS`] when it was made.
    forks: u32,
    process: u32,
}

impl<T> ProcessLocal<T> {
    /// A value of this process.
    ///
    /// # Errors
    /// The C library has no memory to note who is to hear of a fork.
    pub fn new(value: T) -> io::Result<Self> {
        count_forks()?;
        let value = ManuallyDrop::new(value);
        Ok(Self { value, forks: FORKS.load(Ordering::Relaxed), process: std::process::id() })
    }

    /// The value, in its own process.
    ///
    /// # Errors
    /// [`Error::Forked`] in another one.
    #[inline]
    pub fn get(&self) -> Result<&T, Error> {
        if self.is_here() { Ok(&self.value) } else { Err(self.refusal()) }
    }

    /// The value in any process. Only what takes no lock may be asked of it.
    #[inline]
    pub fn peek(&self) -> &T {
        &self.value
    }

    #[inline]
    fn is_here(&self) -> bool {
        self.forks == FORKS.load(Ordering::Relaxed)
    }

    #[cold]
    fn refusal(&self) -> Error {
        Error::Forked { process: self.process, here: std::process::id() }
    }
}

impl<T> Drop for ProcessLocal<T> {
    fn drop(&mut self) {
        if self.is_here() {
            // SAFETY: the value is not used after this, since its owner is being dropped.
            unsafe { ManuallyDrop::drop(&mut self.value) }
        }
    }
}

/// Counts forks from now on. A child that shares its parent's memory until it executes another
/// program (vfork, posix_spawn) does not count.
fn count_forks() -> io::Result<()> {
    static COUNTED: AtomicBool = AtomicBool::new(false);
    extern "C" fn count() {
        FORKS.fetch_add(1, Ordering::Relaxed);
    }
    // Threads that come here at once have a fork counted twice, which does no harm.
    if !COUNTED.load(Ordering::Acquire) {
        // SAFETY: the handler adds to a number, which is allowed between fork and exec.
        let refused = unsafe { libc::pthread_atfork(None, None, Some(count)) };
        if refused != 0 {
            return Err(io::Error::from_raw_os_error(refused));
        }
        COUNTED.store(true, Ordering::Release);
    }
    Ok(())
}
