//! The queries of a shard, by index and epoch.

use netfold_wire::{Epoch, JobId, QueryKind, QueryPacket};

use super::flows::{Query, QueryCounters, Receiver};
use super::spec::QuerySpec;
use crate::contribution::Refusal;
use crate::job::AdmissionError;

/// The outcome of a query's packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryHandled {
    /// The query.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// The sender of the packet, whose address the driver notes.
    pub from: Receiver,
    /// The receiver of the packet that follows, and its length; nothing if there is none.
    pub to: Option<(Receiver, usize)>,
}

/// The queries of a shard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queries {
    queries: Vec<Query>,
}

impl Queries {
    /// Takes a query in, for which there are `free` bytes.
    pub(crate) fn admit(&mut self, spec: QuerySpec, free: u64) -> Result<(), AdmissionError> {
        spec.checked().map_err(AdmissionError::Query)?;
        let (needed, job) = (spec.memory_bytes(), spec.job);
        if self.find(job, spec.epoch).is_some() {
            return Err(AdmissionError::Taken { job });
        }
        if needed > free {
            return Err(AdmissionError::Memory { needed, free });
        }
        self.queries.push(Query::new(spec).map_err(AdmissionError::Query)?);
        Ok(())
    }

    /// Ends a query and frees its memory.
    pub(crate) fn release(&mut self, job: JobId, epoch: Epoch) {
        self.queries.retain(|query| (query.spec().job, query.spec().epoch) != (job, epoch));
    }

    /// Carries out a packet, and writes the one that follows.
    pub(crate) fn handle(
        &mut self,
        datagram: &[u8],
        out: &mut [u8],
    ) -> Result<QueryHandled, Refusal> {
        let packet = QueryPacket::new_checked(datagram).map_err(Refusal::Malformed)?;
        let (job, epoch) = (packet.repr.job, packet.repr.epoch);
        let index = self.find(job, epoch).ok_or(Refusal::UnknownJob)?;
        let to = self.queries[index].handle(&packet, out)?;
        let of_worker =
            matches!(packet.repr.kind, QueryKind::Open | QueryKind::Rows | QueryKind::Fin);
        let from = if of_worker && !packet.repr.answer {
            Receiver::Worker(packet.repr.worker)
        } else {
            Receiver::Master
        };
        Ok(QueryHandled { job, epoch, from, to })
    }

    /// Bytes that the queries take.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.queries.iter().map(|query| query.spec().memory_bytes()).sum()
    }

    /// Returns the queries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Query> {
        self.queries.iter()
    }

    /// Returns the totals of a query.
    pub(crate) fn counters(&self, job: JobId, epoch: Epoch) -> Option<QueryCounters> {
        self.find(job, epoch).map(|index| self.queries[index].counters())
    }

    fn find(&self, job: JobId, epoch: Epoch) -> Option<usize> {
        let here = |query: &Query| (query.spec().job, query.spec().epoch) == (job, epoch);
        self.queries.iter().position(here)
    }
}
