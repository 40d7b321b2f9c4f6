//! The master of a join, which has the filter sealed.

use std::sync::Weak;
use std::sync::atomic::{AtomicU32, Ordering};

use netfold_worker::rows::MasterEvent;

use super::sum::INTERVAL;
use super::{QueryMaster, RemoteQuery};

impl QueryMaster {
    /// Seals the filter when `fills` partitions are committed (R-QRY-13), and acknowledges what
    /// comes until the query is dropped. `fills` is 0 while the number is not known. `done` is told
    /// when the filter is sealed, or why it will not be (R-QRY-39).
    pub fn fill(
        mut self,
        query: &Weak<RemoteQuery>,
        fills: &AtomicU32,
        mut done: impl FnMut(Result<(), String>),
    ) {
        let (mut committed, mut asked) = (0, false);
        loop {
            match self.next_event(INTERVAL) {
                Ok(Some(MasterEvent::Committed { .. })) => committed += 1,
                Ok(Some(MasterEvent::Sealed)) => done(Ok(())),
                Ok(Some(_)) => {}
                Ok(None) => match query.upgrade() {
                    None => return,
                    Some(query) if query.is_lost() => return done(Err(query.lost())),
                    Some(_) => {}
                },
                Err(error) => return done(Err(error.to_string())),
            }
            if !asked && committed > 0 && committed == fills.load(Ordering::Relaxed) {
                asked = true;
                self.seal();
            }
        }
    }
}
