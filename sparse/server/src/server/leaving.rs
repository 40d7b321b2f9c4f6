//! The end of a session in good order (R-SERVE-15).

use super::fault::Fault;
use super::table::Table;
use super::worker::Pending;
use crate::store::Store;

impl<S: Store> Table<S> {
    /// Lets nobody wait for a rank any more.
    pub(super) fn leave(&mut self, rank: u16) -> Result<(), Fault> {
        let applied = self.applied;
        let worker = self.worker(rank)?;
        worker.left = true;
        let Some(open) = worker.pending.pop_back_if(|step| step.ended.is_none()) else {
            return Ok(());
        };
        if !open.gradients.is_empty() {
            let next = worker.ended.max(applied).map_or(0, |step| step.saturating_add(1));
            worker.ended = Some(next);
            worker.pending.push_back(Pending { ended: Some(next), ..open });
        }
        Ok(())
    }
}
