//! A guard against panics while memory of calls is in use.

/// Ends the process if it is dropped. As long as flows have pointers to memory of calls, no panic
/// may unwind: the owner of the memory would free it, and a flow would still write to it.
#[must_use]
pub(crate) struct AbortOnUnwind(());

impl AbortOnUnwind {
    /// Arms the guard. [`AbortOnUnwind::disarm`] must follow on every way that is not a panic.
    #[inline]
    pub(crate) fn arm() -> Self {
        Self(())
    }

    /// Lets the process go on.
    #[inline]
    pub(crate) fn disarm(self) {
        std::mem::forget(self);
    }
}

impl Drop for AbortOnUnwind {
    #[cold]
    fn drop(&mut self) {
        // The panic has said on standard error where it comes from.
        std::process::abort();
    }
}
