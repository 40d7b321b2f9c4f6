//! The master of a sum, which adds up what the switch did not.

use std::sync::Weak;
use std::time::Duration;

use netfold_worker::rows::MasterEvent;

use super::{QueryMaster, RemoteQuery, Totals};

/// Longest time that a master takes to notice that its query has ended, or is lost.
pub(super) const INTERVAL: Duration = Duration::from_millis(50);

impl QueryMaster {
    /// Adds what the switch forwards to `totals`, and acknowledges what comes until the query is
    /// dropped. `done` gets the totals when all partitions are committed. It gets a reason instead
    /// if they take more than `memory_bytes`, or if the switch is lost, and with it a part of them,
    /// or owes an answer for `timeout` (R-QRY-39).
    pub fn add(
        mut self,
        query: &Weak<RemoteQuery>,
        mut totals: Totals,
        memory_bytes: u64,
        timeout: Duration,
        mut done: impl FnMut(Result<Totals, String>),
    ) {
        let mib = memory_bytes >> 20;
        let full = || Err(format!("its groups take more than {mib} MiB at the master"));
        let mut waits = true;
        loop {
            match self.next_event(INTERVAL) {
                Ok(Some(MasterEvent::Committed {
                    partition, attempt, survivors, slots, ..
                })) => {
                    totals.commit(partition, attempt, survivors, &slots);
                    if totals.bytes() > memory_bytes {
                        return done(full());
                    }
                }
                Ok(Some(MasterEvent::Done { slots })) => {
                    totals.merge(&slots);
                    done(Ok(std::mem::take(&mut totals)));
                    waits = false;
                }
                Ok(Some(MasterEvent::Full)) => return done(full()),
                Ok(Some(MasterEvent::Sealed)) => {}
                Ok(None) => match query.upgrade() {
                    None => return,
                    Some(query) if waits && query.is_lost() => {
                        return done(Err(query.lost()));
                    }
                    Some(query) if waits && self.silence() >= timeout => {
                        let (shard, timeout) = (query.shard(), timeout.as_secs_f64());
                        let reason = format!("the switch at {shard} is silent for {timeout} s");
                        return done(Err(reason));
                    }
                    Some(_) => {}
                },
                Err(_) if !waits => return,
                Err(error) => return done(Err(error.to_string())),
            }
        }
    }
}
