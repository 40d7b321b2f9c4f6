//! A switch with a table.

use std::sync::Arc;

use netfold_switch::{LeafRequest, LeafState, MAX_ANSWER_BYTES, Shard, TableMemory, TableSpec};
use netfold_wire::Ecn;

use super::job::EPOCHS;
use crate::job::JOB;
use crate::network::digest;

/// A machine that can stand for a switch with a table in a model. [`Shard`] is the real one.
pub trait TableSwitch: Clone + Send + Sync + 'static {
    /// Handles a request. Gives the answer.
    fn handle(&mut self, datagram: &[u8]) -> Option<Vec<u8>>;

    /// Gives the requests to switches below (R-KEY-18).
    fn requests(&mut self) -> Vec<LeafRequest> {
        Vec::new()
    }

    /// The job is over (R-KEY-11).
    fn end(&mut self);

    /// The registers of the table: all that tells one switch from another. `None` if the table is
    /// gone.
    fn memory(&self) -> Option<TableMemory<'_>>;
}

impl TableSwitch for Shard {
    fn handle(&mut self, datagram: &[u8]) -> Option<Vec<u8>> {
        let mut answer = vec![0; MAX_ANSWER_BYTES];
        let len = self.handle_table(datagram, Ecn::Clear, &mut answer);
        answer.truncate(len);
        (len > 0).then_some(answer)
    }

    fn requests(&mut self) -> Vec<LeafRequest> {
        std::iter::from_fn(|| self.poll_leaf_request()).collect()
    }

    fn end(&mut self) {
        self.release(JOB);
    }

    fn memory(&self) -> Option<TableMemory<'_>> {
        EPOCHS.into_iter().find_map(|epoch| self.table_memory(JOB, epoch))
    }
}

/// A real switch with this table.
pub(super) fn admitted(spec: &TableSpec) -> Shard {
    let mut shard = Shard::new(spec.memory_bytes());
    shard.admit_table(spec.clone()).expect("there is memory for the only table");
    shard
}

/// A switch, and a digest of its memory.
#[derive(Clone)]
pub(super) struct Node<S> {
    switch: S,
    digest: u64,
}

impl<S: TableSwitch> Node<S> {
    pub(super) fn new(switch: S) -> Self {
        Self { digest: digest(&switch.memory()), switch }
    }

    /// Handles a request, or an answer of a switch below. Gives its own answer, and requests.
    pub(super) fn handle(&mut self, datagram: &[u8]) -> (Option<Arc<[u8]>>, Vec<LeafRequest>) {
        let answer = self.switch.handle(datagram);
        self.digest = digest(&self.switch.memory());
        (answer.map(Arc::from), self.switch.requests())
    }

    pub(super) fn end(&mut self) -> Vec<LeafRequest> {
        self.switch.end();
        self.digest = digest(&self.switch.memory());
        self.switch.requests()
    }

    /// Returns whether the job is over, and all that was pushed is stored.
    pub(super) fn is_gone(&self) -> bool {
        self.switch.memory().is_none()
    }

    /// Returns how many requests it has made to one below it, at most.
    pub(super) fn requests(&self) -> u32 {
        let memory = self.switch.memory();
        let leaves = memory.iter().flat_map(|memory| memory.tree.leaves);
        leaves.map(LeafState::requests).max().unwrap_or(0)
    }

    pub(super) fn digest(&self) -> u64 {
        self.digest
    }
}
