//! The tables of a shard's jobs, by job and epoch.

use std::collections::VecDeque;

use netfold_wire::{Ecn, Epoch, JobId, TableKind, TablePacket};

use crate::contribution::Refusal;
use crate::counters::Counters;
use crate::job::AdmissionError;
use crate::table::{LeafRequest, Table, TableMemory, TableSpec, TableStatus};

/// The tables of a shard.
#[derive(Clone, Default)]
pub(crate) struct Tables {
    /// In the order in which they came.
    tables: Vec<Table>,
    /// Totals of tables that are gone.
    counters: Counters,
    /// The time, for what is told of tables.
    pub(crate) now_us: u64,
    /// The switch is to stop (R-KEY-16).
    going: bool,
    /// Requests to the switches below, oldest first (R-KEY-18). A leaf has at most as many under
    /// way as it is read in sequences.
    requests: VecDeque<LeafRequest>,
}

impl Tables {
    /// Takes a table in, for which there are `free` bytes. Tables of jobs that are over give way to
    /// it, the oldest first (R-KEY-11).
    pub(crate) fn admit(&mut self, spec: TableSpec, free: u64) -> Result<(), AdmissionError> {
        spec.checked().map_err(AdmissionError::Table)?;
        let here = |table: &Table| (table.spec.job, table.spec.epoch) == (spec.job, spec.epoch);
        if self.tables.iter().any(here) {
            return Err(AdmissionError::Taken { job: spec.job });
        }
        let needed = spec.memory_bytes();
        let free = self.give_way(needed, free);
        if needed > free {
            return Err(AdmissionError::Memory { needed, free });
        }
        self.tables.push(Table::new(spec));
        Ok(())
    }

    /// Gives up tables of jobs that are over until `needed` bytes are free, if that is possible.
    /// Returns how many are free then; `free` were before.
    pub(crate) fn give_way(&mut self, needed: u64, mut free: u64) -> u64 {
        while needed > free
            && let Some(ended) = self.tables.iter().position(|table| table.ended)
        {
            free += self.remove(ended);
        }
        free
    }

    /// Ends the table of a job, which is dropped as soon as its servers have stored it all.
    pub(crate) fn release(&mut self, job: JobId) {
        for table in self.tables.iter_mut().filter(|table| table.spec.job == job) {
            table.end();
            self.requests.append(table.requests());
        }
        while let Some(over) = self.tables.iter().position(Table::is_over) {
            self.remove(over);
        }
    }

    /// Tells those who ask from now on that the switch is to stop. Returns whether all tables are
    /// drained (R-KEY-16).
    pub(crate) fn drain(&mut self) -> bool {
        if !std::mem::replace(&mut self.going, true) {
            self.tables.iter_mut().for_each(Table::doubt_leaves);
        }
        self.tables.iter().all(Table::is_drained)
    }

    fn remove(&mut self, index: usize) -> u64 {
        let mut table = self.tables.remove(index);
        table.dismiss_leaves();
        self.requests.append(table.requests());
        self.counters = self.counters.plus(&table.counters);
        table.spec.memory_bytes()
    }

    /// Carries out the request that a datagram is, and writes the answer. Returns its length.
    pub(crate) fn handle(
        &mut self,
        datagram: &[u8],
        ecn: Ecn,
        answer: &mut [u8],
    ) -> Result<usize, Refusal> {
        let packet = TablePacket::new_checked(datagram).map_err(Refusal::Malformed)?;
        let names = (packet.repr.job, packet.repr.epoch);
        let index =
            self.tables.iter().position(|table| (table.spec.job, table.spec.epoch) == names);
        let index = index.ok_or(Refusal::UnknownJob)?;
        let table = &mut self.tables[index];
        let answered = table.handle(&packet, ecn, self.going, answer)?;
        table.counters.received(datagram.len(), ecn);
        if packet.repr.kind == TableKind::Read && !packet.repr.answer {
            table.asked_us = Some(self.now_us);
        }
        self.requests.append(table.requests());
        // A server that has asked is told that nothing is left before it goes.
        if table.is_over() && !(packet.repr.answer && table.is_awaited()) {
            self.remove(index);
        }
        Ok(answered)
    }

    /// Returns the next request to a switch below, oldest first.
    pub(crate) fn poll_leaf_request(&mut self) -> Option<LeafRequest> {
        self.requests.pop_front()
    }

    /// Returns the registers of a job's table; `None` if it is not here.
    pub(crate) fn memory(&self, job: JobId, epoch: Epoch) -> Option<TableMemory<'_>> {
        let here = |table: &&Table| (table.spec.job, table.spec.epoch) == (job, epoch);
        self.tables.iter().find(here).map(Table::memory)
    }

    /// Returns every table, in the order in which they came.
    pub(crate) fn status(&self) -> Vec<TableStatus> {
        self.tables.iter().map(Table::status).collect()
    }

    /// Bytes that the tables take.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.spec.memory_bytes()).sum()
    }

    /// Totals of all tables.
    pub(crate) fn counters(&self) -> Counters {
        self.tables.iter().fold(self.counters, |sum, table| sum.plus(&table.counters))
    }
}
