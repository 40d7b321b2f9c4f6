//! Hot rows at a switch over UDP: the traits of [`hot`](crate::hot) by the drivers of `netfold-net`.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use netfold_net::{
    Arithmetic, Communicator, ElementType, TableAddress, TableClient, TableRead, TableReader,
    TableTerms,
};
use netfold_sparse::{Answer, Generation, Numbers, RowNumber, SwitchTable, each_type, with_type};
use netfold_wire::{Epoch, Integrity, JobId, Terms};

use crate::error::Error;
use crate::hot::{HotReads, HotRows, HotStats, Kept, Lost, Switches};
use crate::member::SwitchOptions;

/// Returns the type of lanes that a switch adds in this arithmetic for rows of a type (R-KEY-1).
pub(crate) fn lane_type(arithmetic: Arithmetic, element_type: ElementType) -> ElementType {
    let fixed_point = arithmetic == Arithmetic::Block && element_type.is_float();
    if fixed_point { ElementType::I32 } else { element_type }
}

/// Interval at which a push that waits for room looks whether the job has ended.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// A worker's way to the hot rows of its job's table.
pub(crate) struct UdpRows {
    client: TableClient,
    table: SwitchTable,
    communicator: Arc<Communicator>,
}

impl UdpRows {
    /// Opens the table of a job, which has rows of this type. In `block` arithmetic a lane of
    /// floats is a number times 2^scale.
    pub(crate) fn open(
        communicator: Arc<Communicator>,
        switch: &SwitchOptions,
        element_type: ElementType,
    ) -> Result<Self, Error> {
        let client = TableClient::open_for(&communicator, switch.scale, switch.registers)?;
        let table = written(client.address(), element_type);
        Ok(Self { client, table, communicator })
    }

    fn push_as<T: RowNumber>(&self, ranks: &[u32], rows: &[T]) -> Result<(), Lost> {
        // Only the job's connection tells that a switch has gone which answers nothing any more.
        while !self.client.try_push(ranks, rows, LOOK_INTERVAL).map_err(lost)? {
            if let Some(lost) = self.lost() {
                return Err(lost);
            }
        }
        Ok(())
    }

    fn pull_as<T: RowNumber>(&self, ranks: &[u32]) -> Result<(Numbers, Vec<usize>), Lost> {
        let width = usize::from(self.client.address().table.width);
        let mut rows = vec![T::default(); ranks.len() * width];
        let missing = self.client.pull(ranks, &mut rows).map_err(lost)?;
        Ok((T::wrap(rows), missing))
    }

    fn kept_as<T: RowNumber>(&self, parts: u64) -> Vec<Kept> {
        let kept = self.client.kept::<T>(parts).into_iter();
        kept.map(|(push, ranks, rows)| Kept { push, ranks, rows: T::wrap(rows) }).collect()
    }
}

impl HotRows for UdpRows {
    fn table(&self) -> SwitchTable {
        self.table.clone()
    }

    fn push(&self, ranks: &[u32], rows: &Numbers) -> Result<(), Lost> {
        each_type!(Numbers, rows, rows => self.push_as(ranks, rows))
    }

    fn pull(&self, ranks: &[u32]) -> Result<(Numbers, Vec<usize>), Lost> {
        let element_type = self.table.element_type;
        let pulled = with_type!(element_type, T => self.pull_as::<T>(ranks));
        pulled.unwrap_or_else(|| Err(no_rows(element_type)))
    }

    fn wait_acknowledged(&self, limit: Duration) -> Result<bool, Lost> {
        self.client.wait_acknowledged(limit).map_err(lost)
    }

    fn made(&self) -> u32 {
        self.client.made()
    }

    fn stored(&self, parts: u64, before: u32) {
        self.client.note_stored(parts, before);
    }

    fn seal(&self) {
        self.client.seal();
    }

    fn kept(&self, parts: u64) -> Vec<Kept> {
        with_type!(self.table.element_type, T => self.kept_as::<T>(parts)).unwrap_or_default()
    }

    fn kept_bytes(&self) -> usize {
        self.client.kept_bytes()
    }

    fn lost(&self) -> Option<Lost> {
        // The job hears of a switch that has gone before datagrams tell, and its table takes no
        // pushes once the job has ended (R-KEY-11).
        if let Ok(Some(ended)) = self.communicator.ended() {
            self.client.lose(ended.to_string());
        } else if let Ok(epoch) = self.communicator.job_epoch()
            && epoch != Some(self.table.epoch)
        {
            self.client.lose("its job goes on at another switch");
        }
        self.client.lost().map(Lost)
    }

    fn stats(&self) -> HotStats {
        let stats = self.client.stats();
        HotStats {
            bytes: stats.bytes_sent,
            retransmissions: stats.retransmissions,
            recirculations: stats.recirculations,
        }
    }
}

/// The way of servers to switches, over UDP.
pub struct UdpSwitches;

impl Switches for UdpSwitches {
    fn open(
        &self,
        table: &SwitchTable,
        parts: u64,
        stored: u32,
    ) -> Result<Box<dyn HotReads>, Lost> {
        let reader = TableReader::open(&read(table)?, parts, stored).map_err(lost)?;
        Ok(Box::new(UdpReads { reader, element_type: table.element_type }))
    }
}

struct UdpReads {
    reader: TableReader,
    /// The type of the table's rows.
    element_type: ElementType,
}

impl UdpReads {
    fn read_as<T: RowNumber>(
        &mut self,
        close: bool,
        timeout: Duration,
    ) -> Result<Option<Answer>, Lost> {
        let read = self.reader.read::<T>(close, timeout).map_err(lost)?;
        Ok(read.map(|TableRead { open, empty, going, generation }| {
            let generation = generation.map(|read| Generation {
                number: read.number,
                ranks: read.ranks,
                rows: T::wrap(read.rows),
                windows: read.windows,
            });
            Answer { open, empty, going, generation }
        }))
    }
}

fn no_rows(element_type: ElementType) -> Lost {
    Lost(format!("a table has no rows of {element_type}"))
}

impl HotReads for UdpReads {
    fn read(&mut self, close: bool, timeout: Duration) -> Result<Option<Answer>, Lost> {
        let element_type = self.element_type;
        let read = with_type!(element_type, T => self.read_as::<T>(close, timeout));
        read.unwrap_or_else(|| Err(no_rows(element_type)))
    }

    fn stored(&mut self, generation: u32) {
        self.reader.note_stored(generation);
    }

    fn load(&mut self, ranks: &[u32], rows: &Numbers, timeout: Duration) -> Result<(), Lost> {
        let loaded = each_type!(Numbers, rows, rows => self.reader.load(ranks, rows, timeout));
        match loaded.map_err(lost)? {
            true => Ok(()),
            false => Err(Lost(format!("it has not answered for {} s", timeout.as_secs()))),
        }
    }
}

fn lost(error: netfold_net::Error) -> Lost {
    Lost(error.to_string())
}

/// A table as workers tell servers of it.
fn written(address: &TableAddress, element_type: ElementType) -> SwitchTable {
    let (integrity, key) = match address.terms.integrity {
        Integrity::Transport => ("transport", [0; 16]),
        Integrity::Checksum => ("checksum", [0; 16]),
        Integrity::Token(key) => ("token", key),
    };
    SwitchTable {
        address: address.shard,
        job: address.job.0,
        epoch: address.epoch.0,
        workers: address.workers,
        datagram_bytes: address.datagram_bytes,
        integrity: integrity.to_owned(),
        key,
        rows: address.table.rows,
        width: address.table.width,
        element_type,
        resident: address.table.resident,
        arithmetic: address.terms.arithmetic.to_string(),
        byte_order: address.terms.byte_order.to_string(),
        scale: address.scale,
    }
}

/// The same as the drivers have it.
fn read(table: &SwitchTable) -> Result<TableAddress, Lost> {
    fn named<T: FromStr>(what: &str, name: &str) -> Result<T, Lost> {
        let why = || Lost(format!("{what} {name:?} is not known here; install the same netfold"));
        name.parse().map_err(|_| why())
    }
    let integrity = match table.integrity.as_str() {
        "transport" => Integrity::Transport,
        "checksum" => Integrity::Checksum,
        "token" => Integrity::Token(table.key),
        other => return Err(Lost(format!("integrity {other:?} is not known here"))),
    };
    let arithmetic = named::<Arithmetic>("the arithmetic", &table.arithmetic)?;
    let terms = TableTerms {
        rows: table.rows,
        width: table.width,
        element_type: lane_type(arithmetic, table.element_type),
        resident: table.resident,
    };
    let byte_order = named("the byte order", &table.byte_order)?;
    Ok(TableAddress {
        shard: table.address,
        job: JobId(table.job),
        epoch: Epoch(table.epoch),
        workers: table.workers,
        terms: Terms { arithmetic, byte_order, table: Some(terms), ..Terms::new(integrity) },
        table: terms,
        datagram_bytes: table.datagram_bytes,
        scale: table.scale,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_reads_the_table_that_a_worker_has_written() {
        for integrity in [Integrity::Transport, Integrity::Checksum, Integrity::Token([7; 16])] {
            let table =
                TableTerms { rows: 9, width: 3, element_type: ElementType::I32, resident: true };
            let address = TableAddress {
                shard: ([10, 0, 0, 1], 5555).into(),
                job: JobId(3),
                epoch: Epoch(77),
                workers: 4,
                terms: Terms { table: Some(table), ..Terms::new(integrity) },
                table,
                datagram_bytes: 1472,
                scale: 12,
            };
            let native = address.clone();
            assert_eq!(read(&written(&address, ElementType::I32)).unwrap(), native);
        }
    }
}
