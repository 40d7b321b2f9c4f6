//! Hot rows at a switch over UDP: the traits of [`hot`](crate::hot) by the drivers of `netfold-net`.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use netfold_net::{
    Arithmetic, Communicator, ElementType, TableAddress, TableClient, TableRead, TableReader,
    TableTerms,
};
use netfold_sparse::{Answer, Generation, SwitchTable};
use netfold_wire::{Epoch, Integrity, JobId, Terms};

use crate::error::Error;
use crate::hot::{HotReads, HotRows, HotStats, Kept, Lost, Switches};

/// Returns the type of lanes that a switch adds in this arithmetic (R-KEY-1).
pub(crate) fn element_type(arithmetic: Arithmetic) -> ElementType {
    if arithmetic == Arithmetic::Block { ElementType::I32 } else { ElementType::F32 }
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
    /// Opens the table of a job. In `block` arithmetic a lane is a number times 2^scale.
    pub(crate) fn open(communicator: Arc<Communicator>, scale: i32) -> Result<Self, Error> {
        let client = TableClient::open(&communicator, scale)?;
        let table = written(client.address());
        Ok(Self { client, table, communicator })
    }
}

impl HotRows for UdpRows {
    fn table(&self) -> SwitchTable {
        self.table.clone()
    }

    fn push(&self, ranks: &[u32], rows: &[f32]) -> Result<(), Lost> {
        // Only the job's connection tells that a switch has gone which answers nothing any more.
        while !self.client.try_push(ranks, rows, LOOK_INTERVAL).map_err(lost)? {
            if let Some(lost) = self.lost() {
                return Err(lost);
            }
        }
        Ok(())
    }

    fn pull(&self, ranks: &[u32], rows: &mut [f32]) -> Result<Vec<usize>, Lost> {
        self.client.pull(ranks, rows).map_err(lost)
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
        let kept = self.client.kept(parts).into_iter();
        kept.map(|(push, ranks, rows)| Kept { push, ranks, rows }).collect()
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
        HotStats { bytes: stats.bytes_sent, retransmissions: stats.retransmissions }
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
        Ok(Box::new(UdpReads { reader }))
    }
}

struct UdpReads {
    reader: TableReader,
}

impl HotReads for UdpReads {
    fn read(&mut self, close: bool, timeout: Duration) -> Result<Option<Answer>, Lost> {
        let read = self.reader.read(close, timeout).map_err(lost)?;
        Ok(read.map(|TableRead { open, empty, going, generation }| {
            let generation = generation.map(|read| Generation {
                number: read.number,
                ranks: read.ranks,
                rows: read.rows,
                windows: read.windows,
            });
            Answer { open, empty, going, generation }
        }))
    }

    fn stored(&mut self, generation: u32) {
        self.reader.note_stored(generation);
    }

    fn load(&mut self, ranks: &[u32], rows: &[f32], timeout: Duration) -> Result<(), Lost> {
        match self.reader.load(ranks, rows, timeout).map_err(lost)? {
            true => Ok(()),
            false => Err(Lost(format!("it has not answered for {} s", timeout.as_secs()))),
        }
    }
}

fn lost(error: netfold_net::Error) -> Lost {
    Lost(error.to_string())
}

/// A table as workers tell servers of it.
fn written(address: &TableAddress) -> SwitchTable {
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
        element_type: element_type(arithmetic),
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
            assert_eq!(read(&written(&address)).unwrap(), address);
        }
    }
}
