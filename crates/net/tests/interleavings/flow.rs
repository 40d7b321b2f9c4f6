//! The crate's driver lock, inbox and background, with a simulated driver.

#[path = "../../src/flow/background.rs"]
mod background;
#[path = "driver.rs"]
pub mod driver;
#[path = "../../src/flow/driver_lock.rs"]
mod driver_lock;
#[path = "../../src/flow/inbox.rs"]
mod inbox;
#[path = "rig.rs"]
pub mod rig;

use std::sync::PoisonError;

use crate::sync::{Mutex, MutexGuard};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
