//! Switches and attempts that the Java machine has open, by number.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::sys::jlong;

use crate::error::Error;

/// Open switches or attempts, by number.
pub(crate) struct Table<T> {
    what: &'static str,
    last: AtomicI64,
    open: Mutex<HashMap<jlong, Arc<Mutex<T>>>>,
}

impl<T> Table<T> {
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, last: AtomicI64::new(0), open: Mutex::new(HashMap::new()) }
    }

    pub(crate) fn add(&self, one: T) -> jlong {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        lock(&self.open).insert(number, Arc::new(Mutex::new(one)));
        number
    }

    pub(crate) fn with<R>(
        &self,
        number: jlong,
        f: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let one = lock(&self.open).get(&number).cloned();
        let one = one.ok_or(Error::Closed(self.what))?;
        f(&mut lock(&one))
    }

    /// Takes one out; nothing if it is closed, or if another thread uses it, which closes it.
    pub(crate) fn take(&self, number: jlong) -> Option<T> {
        let one = lock(&self.open).remove(&number)?;
        Some(Arc::into_inner(one)?.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A panic leaves what is open as it was before a call: each call writes its state at its end.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
