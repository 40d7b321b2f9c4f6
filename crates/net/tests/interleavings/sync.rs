//! Locks and atomics of loom in the place of the crate's. Time does not pass: nothing times out.

use std::ops::{Deref, DerefMut};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
use std::time::Duration;

use loom::sync::atomic::{AtomicBool, Ordering};

pub use loom::sync::atomic::AtomicUsize;

/// A mutex. That of loom has a thread wait which tries to lock it, so that a flag stands before it
/// here. A mutex is either locked or tried, never both.
#[derive(Default)]
pub struct Mutex<T> {
    tried: AtomicBool,
    value: loom::sync::Mutex<T>,
}

pub struct MutexGuard<'a, T> {
    tried: Option<&'a AtomicBool>,
    value: Option<loom::sync::MutexGuard<'a, T>>,
}

impl<T> Mutex<T> {
    pub fn new(value: T) -> Self {
        Self { tried: AtomicBool::new(false), value: loom::sync::Mutex::new(value) }
    }

    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let value = self.value.lock().expect("loom poisons nothing");
        Ok(MutexGuard { tried: None, value: Some(value) })
    }

    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        if self.tried.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return Err(TryLockError::WouldBlock);
        }
        let value = self.value.lock().expect("loom poisons nothing");
        Ok(MutexGuard { tried: Some(&self.tried), value: Some(value) })
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.as_ref().expect("it is locked")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_mut().expect("it is locked")
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        drop(self.value.take());
        if let Some(tried) = self.tried {
            tried.store(false, Ordering::Release);
        }
    }
}

/// A condition variable with what that of loom lacks.
#[derive(Default)]
pub struct Condvar(loom::sync::Condvar);

impl Condvar {
    pub fn wait_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut *guard) {
            let value = guard.value.take().expect("it is locked");
            guard.value = Some(self.0.wait(value).expect("loom poisons nothing"));
        }
        Ok(guard)
    }

    pub fn wait_timeout_while<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        _limit: Duration,
        condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let guard = self.wait_while(guard, condition).unwrap_or_else(PoisonError::into_inner);
        Ok((guard, false))
    }

    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
