//! The part in Spark's driver: a switch, the queries at it, and the masters of joins.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use netfold_net::{
    Epoch, Integrity, JobId, QueryCounters, QuerySpec, Switch, SwitchOptions, Token, Transport,
};
use netfold_wire::{Replacement, RowProgram, Steps, Sums, Ties};

use crate::error::Error;
use crate::master::{Master, Outcome, Work};
use crate::totals::TotalsOutcome;
use crate::values::Kind;

/// The epoch of all queries: a query that loses its switch goes on without one.
pub(crate) const EPOCH: Epoch = Epoch(1);

/// Workers that answers are told apart by. Tasks share them: the verdict on a packet goes to the
/// address that it came from.
pub(crate) const WORKERS: u16 = 1024;

/// Most bytes of a datagram: what UDP takes. A path may take fewer.
pub(crate) const DATAGRAM_BYTES: u32 = 65_507;

/// The partitions of a join: the first half fills the filter.
const JOIN_PARTITIONS: u32 = 1 << 14;

/// Most rows of an answer for which a matrix of one row has a cell each.
const MATRIX_ROWS: u32 = 4096;

/// Thresholds of larger answers.
const THRESHOLDS: u8 = 32;

/// Bits of a key in a Bloom filter.
const BLOOM_BITS: u8 = 4;

/// Most tables of a sum's attempts that are open at a time. The rows of further ones pass.
const TABLES: u32 = 8;

/// The share of the switch's memory that the tables of one sum may take.
const TABLES_SHARE: u64 = 4;

/// A program of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The first rows in an order; none of them is ever dropped (R-QRY-7, R-QRY-9).
    Top {
        /// Rows of the answer.
        n: u32,
        /// The words of the column.
        kind: Kind,
    },
    /// Different keys, in a cache of rows of this width (R-QRY-11).
    Distinct {
        /// Rows of the cache.
        rows: u32,
        /// Keys of a row.
        width: u8,
    },
    /// The largest code of each key (R-QRY-12).
    Extreme {
        /// Rows of the cache.
        rows: u32,
        /// Keys of a row.
        width: u8,
        /// Rows with the same code replace one another.
        exact: bool,
    },
    /// Keys of a join's one side (R-QRY-13).
    Join {
        /// Words of the filter.
        words: u32,
    },
    /// Sums of columns by key (R-QRY-18).
    Sum {
        /// Rows of each table, or fewer where memory is short.
        rows: u32,
        /// Groups of a row.
        width: u8,
        /// The sums.
        sums: Sums,
    },
}

impl Program {
    fn of_switch(self, seed: u64) -> RowProgram {
        match self {
            Self::Top { n, .. } if n <= MATRIX_ROWS => {
                RowProgram::TopMatrix { rows: 1, width: n as u16, seed, ties: Ties::Keep }
            }
            Self::Top { n, kind } => {
                let steps = match kind {
                    Kind::Single => Steps::Float { mantissa_bits: 23 },
                    Kind::Double => Steps::Float { mantissa_bits: 52 },
                    Kind::Integer | Kind::Bytes => Steps::Integer,
                };
                RowProgram::TopThresholds { n, width: THRESHOLDS, steps }
            }
            Self::Distinct { rows, width } => {
                RowProgram::Distinct { rows, width, seed, replacement: Replacement::Lru }
            }
            Self::Extreme { rows, width, exact } => {
                let ties = if exact { Ties::Drop } else { Ties::Keep };
                RowProgram::GroupExtreme { rows, width, seed, ties }
            }
            Self::Join { words } => {
                let (bits, forwards_build) = (BLOOM_BITS, false);
                RowProgram::BloomJoin { words, bits, seed, forwards_build }
            }
            Self::Sum { rows, width, sums } => RowProgram::GroupSum { rows, width, seed, sums },
        }
    }

    /// Returns the work of its master, if it has one.
    fn work(self) -> Option<Work> {
        match self {
            Self::Join { .. } => Some(Work::Seal),
            Self::Sum { sums, .. } => Some(Work::Sum(sums)),
            _ => None,
        }
    }
}

/// A switch in this process, and the queries at it.
pub struct DriverSwitch {
    switch: Switch,
    memory_bytes: u64,
    next: u16,
    /// Queries by index, some with a master.
    queries: HashMap<u16, Option<Master>>,
}

impl DriverSwitch {
    /// Starts a switch at `HOST:PORT` with memory for its programs.
    ///
    /// # Errors
    /// [`Error::Net`], with the reason.
    pub fn start(listen: &str, memory_bytes: u64) -> Result<Self, Error> {
        let secret = format!("{:032x}", rand::random::<u128>());
        let options = SwitchOptions {
            listen: listen.into(),
            memory_bytes,
            transport: Some(Transport::Udp),
            // Jobs of others are not admitted: nobody knows the token.
            tokens: vec![Token::new(&secret).expect("it has 32 digits")],
            ..SwitchOptions::default()
        };
        let switch = Switch::start(&options)?;
        Ok(Self { switch, memory_bytes, next: 0, queries: HashMap::new() })
    }

    /// Returns the port at which tasks find it.
    pub fn port(&self) -> u16 {
        self.shard().port()
    }

    fn shard(&self) -> SocketAddr {
        self.switch.shard_addresses()[0]
    }

    /// Takes in a query of so many partitions, whose packets have the token's tag; a join has a
    /// number of its own. Returns its index.
    ///
    /// # Errors
    /// [`Error::Queries`], and [`Error::Net`] if there is no memory left for its program.
    pub fn admit(
        &mut self,
        program: Program,
        partitions: u32,
        token: [u8; 16],
    ) -> Result<u16, Error> {
        if self.queries.len() > usize::from(u16::MAX) {
            return Err(Error::Queries(self.queries.len()));
        }
        while self.queries.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let index = self.next;
        let (job, integrity) = (JobId(index), Integrity::Token(token));
        let joins = matches!(program, Program::Join { .. });
        let partitions = if joins { JOIN_PARTITIONS } else { partitions };
        let attempts = match program {
            Program::Sum { .. } => partitions.min(TABLES) as u16,
            _ => 0,
        };
        let spec = QuerySpec {
            job,
            epoch: EPOCH,
            workers: WORKERS,
            partitions,
            attempts,
            datagram_bytes: DATAGRAM_BYTES,
            program: self.fitting(program.of_switch(rand::random()), attempts),
            integrity,
        };
        let start = |work| Master::start(self.shard(), job, partitions, integrity, work);
        let master = program.work().map(start).transpose()?;
        let address = master.as_ref().map(|master| master.address);
        self.switch.admit_query(spec, address)?;
        self.queries.insert(index, master);
        self.next = self.next.wrapping_add(1);
        Ok(index)
    }

    /// Returns the program, with smaller tables if it is a sum that would take too much.
    fn fitting(&self, mut program: RowProgram, attempts: u16) -> RowProgram {
        let most = self.memory_bytes / TABLES_SHARE;
        while program.memory_bytes(attempts) > most {
            match &mut program {
                RowProgram::GroupSum { rows, .. } if *rows > 2 => *rows /= 2,
                _ => break,
            }
        }
        program
    }

    /// Returns the number of the first partition of a join that is pruned; those before it fill the
    /// filter.
    pub fn first_probe() -> u32 {
        JOIN_PARTITIONS / 2
    }

    fn master(&self, index: u16) -> Option<&Master> {
        self.queries.get(&index)?.as_ref()
    }

    /// Says how many partitions fill a join's filter, which is sealed when all of them have.
    pub fn fills(&self, index: u16, partitions: u32) {
        if let Some(master) = self.master(index) {
            master.fills.store(partitions, Ordering::Relaxed);
        }
    }

    /// Returns the seal of a join's filter, to wait for. From then on probes are pruned.
    pub fn seal(&self, index: u16) -> Option<Arc<Outcome<()>>> {
        Some(Arc::clone(&self.master(index)?.sealed))
    }

    /// Returns the totals of a sum, to wait for. They are there when all partitions are committed,
    /// or when the master cannot go on, with the reason.
    pub fn totals(&self, index: u16) -> Option<Arc<TotalsOutcome>> {
        Some(Arc::clone(&self.master(index)?.totals))
    }

    /// Returns the counters of a query, if it is here.
    pub fn counters(&self, index: u16) -> Option<QueryCounters> {
        self.switch.query_counters(JobId(index), EPOCH)
    }

    /// Ends a query.
    pub fn release(&mut self, index: u16) {
        if self.queries.remove(&index).is_some() {
            self.switch.release_query(JobId(index), EPOCH);
        }
    }
}
