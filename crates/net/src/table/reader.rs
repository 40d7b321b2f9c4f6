//! A server's side of a table: calls that wait, of one thread.

use std::io;
use std::time::{Duration, Instant};

use netfold_num::Number;
use netfold_worker::Timing;
use netfold_worker::keyed::{Generation, Reader, ReaderConfig, ReaderEvent};
use rustix::event::{PollFd, PollFlags};

use super::TableAddress;
use crate::clock::Clock;
use crate::endpoint::{Endpoint, MAX_BURST_BYTES, wait};
use crate::error::Error;

/// A generation, as far as it belongs to a server's parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadGeneration<T> {
    /// Its number.
    pub number: u32,
    /// Ranks of its rows, each once.
    pub ranks: Vec<u32>,
    /// The sums, one row after the other.
    pub rows: Vec<T>,
    /// The windows of all workers when it was closed (R-KEY-9).
    pub windows: Vec<[u32; 256]>,
}

/// A switch's answer to a read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableRead<T> {
    /// The number of the open generation.
    pub open: u32,
    /// Nothing had been pushed in it when the switch answered; in a tree of switches, when it was
    /// asked before (R-KEY-18).
    pub empty: bool,
    /// The switch is to stop (R-KEY-16).
    pub going: bool,
    /// The last closed generation, unless that was stored.
    pub generation: Option<ReadGeneration<T>>,
}

/// A server's side of a table. Its calls wait for the switch.
pub struct TableReader {
    address: TableAddress,
    reader: Reader,
    endpoint: Endpoint,
    clock: Clock,
    buffer: Box<[u8]>,
}

impl TableReader {
    /// Returns the reader of the server of `parts`, a bit for each, that has stored generations up
    /// to `stored`.
    ///
    /// # Errors
    /// [`Error::Io`] if there can be no socket.
    pub fn open(address: &TableAddress, parts: u64, stored: u32) -> Result<Self, Error> {
        let TableAddress { job, epoch, workers, terms, table, datagram_bytes, .. } = *address;
        let timing = Timing::default();
        let config = ReaderConfig {
            job,
            epoch,
            workers,
            terms,
            table,
            datagram_bytes,
            parts,
            stored,
            first_request: rand::random(),
            timing,
        };
        Ok(Self {
            reader: Reader::new(config),
            endpoint: address.endpoint().map_err(Error::io("the table cannot be reached"))?,
            clock: Clock::start(),
            buffer: vec![0; MAX_BURST_BYTES].into(),
            address: address.clone(),
        })
    }

    /// Asks for the generation after the last one that is stored; with `close` it is closed, if it
    /// is open and not empty. Returns what the switch has answered; `None` if it has not answered
    /// within `limit`. A later call goes on waiting for that answer.
    ///
    /// # Errors
    /// [`Error::Io`] if the socket fails; [`Error::SwitchLost`] if the switch is beyond what this
    /// server knows.
    ///
    /// # Panics
    /// If the table has rows of another type.
    pub fn read<T: Number>(
        &mut self,
        close: bool,
        limit: Duration,
    ) -> Result<Option<TableRead<T>>, Error> {
        self.reader.ask(close);
        let event = self.wait(limit).map_err(Error::io("the table cannot be read"))?;
        match event {
            None | Some(ReaderEvent::Loaded) => Ok(None),
            Some(ReaderEvent::Open { generation: open, empty }) => {
                let going = self.reader.is_going();
                Ok(Some(TableRead { open, empty, going, generation: None }))
            }
            Some(ReaderEvent::Read(read)) => {
                // It stays open until this server has stored the one that was read.
                let open = read.number + 1;
                let generation = Some(self.generation(read));
                let going = self.reader.is_going();
                Ok(Some(TableRead { open, empty: false, going, generation }))
            }
            Some(ReaderEvent::Ahead { open }) => {
                let why = format!(
                    "it has closed generations before {open} that this server has not stored"
                );
                Err(Error::SwitchLost { address: self.address.shard.to_string(), why })
            }
        }
    }

    fn generation<T: Number>(&self, read: Generation) -> ReadGeneration<T> {
        let Generation { number, ranks, rows: lanes, windows } = read;
        ReadGeneration { number, ranks, rows: self.address.lanes().numbers(&lanes), windows }
    }

    /// Notes that a generation is stored. The switch learns it with the next read.
    pub fn note_stored(&mut self, generation: u32) {
        self.reader.note_stored(generation);
    }

    /// Loads the values of resident rows, one after the other (R-KEY-12). Returns whether the
    /// switch has them within `limit`.
    ///
    /// # Errors
    /// [`Error::Io`] if the socket fails.
    ///
    /// # Panics
    /// If there are not as many rows as ranks, or the table has rows of another type.
    pub fn load<T: Number>(
        &mut self,
        ranks: &[u32],
        rows: &[T],
        limit: Duration,
    ) -> Result<bool, Error> {
        if ranks.is_empty() {
            return Ok(true);
        }
        let mut lanes = Vec::new();
        self.address.lanes().encode(rows, &mut lanes);
        self.reader.load(ranks, &lanes);
        let end = Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.wait(left).map_err(Error::io("the table cannot be loaded"))? {
                Some(ReaderEvent::Loaded) => return Ok(true),
                Some(_) => {}
                None => return Ok(false),
            }
        }
    }

    /// Waits for an event, at most `limit`.
    fn wait(&mut self, limit: Duration) -> io::Result<Option<ReaderEvent>> {
        let end = self.clock.now_us() + limit.as_micros() as u64;
        loop {
            if let Some(event) = self.reader.poll_event() {
                return Ok(Some(event));
            }
            let now_us = self.clock.now_us();
            if self.reader.poll_timeout().is_some_and(|due| due <= now_us) {
                self.reader.handle_timeout(now_us);
            }
            while let Some(len) = self.reader.poll_transmit(now_us, &mut self.buffer) {
                self.endpoint.send(self.address.shard, &self.buffer[..len], len)?;
            }
            if now_us >= end {
                return Ok(None);
            }
            let due = self.reader.poll_timeout().map_or(end, |due| due.min(end));
            let mut fds = [PollFd::new(&self.endpoint, PollFlags::IN)];
            wait(&mut fds, Some(Duration::from_micros(due.saturating_sub(now_us))))?;
            let now_us = self.clock.now_us();
            let reader = &mut self.reader;
            self.endpoint.receive(|datagram, _| reader.handle(now_us, datagram))?;
        }
    }
}
