//! The part in Spark's driver: the switch, its own or one that runs elsewhere, the queries at it,
//! and the masters of joins and sums.

use std::collections::{HashMap, VecDeque};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use netfold_net::{
    Limits, QueryCounters, QueryPlace, QueryTerms, RemoteQuery, Switch, SwitchOptions, Token,
    Transport,
};
use netfold_wire::{Replacement, RowProgram, Steps, Sums, Ties};

use crate::error::Error;
use crate::master::{MEMORY_BYTES, Master, Outcome, Work};
use crate::totals::TotalsOutcome;
use crate::values::Kind;

/// Workers that answers are told apart by. Tasks share them: the verdict on a packet goes to the
/// address that it came from.
pub(crate) const WORKERS: u16 = 1024;

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

/// Most queries that stay when their executions have ended.
const MOST_RETIRED: usize = 16;

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

/// A switch, and the queries at it. It is asked for them as any switch that runs is (R-CTRL-24),
/// and a query that loses it goes on without one.
pub struct DriverSwitch {
    /// `HOST:PORT` at which queries are asked for.
    address: String,
    token: Option<Token>,
    /// The longest that a lost switch goes unnoticed.
    timeout: Duration,
    memory_bytes: u64,
    own: Option<Own>,
    next: u16,
    queries: HashMap<u16, Admitted>,
    /// Those that make room for others, the oldest first.
    retired: VecDeque<u16>,
}

/// A switch in this process.
struct Own {
    switch: Switch,
    /// `HOST:PORT` at which tasks reach it.
    place: String,
}

/// A query that the switch has. It is dropped first, as its master waits for that.
struct Admitted {
    query: Arc<RemoteQuery>,
    master: Option<Master>,
}

impl DriverSwitch {
    /// Starts a switch in this process at `HOST:PORT`, with memory for its programs. Tasks reach it
    /// at `host`.
    ///
    /// # Errors
    /// [`Error::Net`], with the reason.
    pub fn start(
        listen: &str,
        host: &str,
        memory_bytes: u64,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let secret = format!("{:032x}", rand::random::<u128>());
        // Jobs and queries of others are not admitted: nobody knows the token.
        let token = Token::new(&secret).expect("it has 32 digits");
        let options = SwitchOptions {
            listen: listen.into(),
            memory_bytes,
            transport: Some(Transport::Udp),
            tokens: vec![token.clone()],
            ..SwitchOptions::default()
        };
        let switch = Switch::start(&options)?;
        let mut address = switch.address();
        // One that listens at all addresses is reached from this host at that of loopback.
        if address.ip().is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        let own = Own { place: format!("{host}:{}", switch.shard_addresses()[0].port()), switch };
        let at = Self::at(&address.to_string(), Some(token), memory_bytes, timeout);
        Ok(Self { own: Some(own), ..at })
    }

    /// Takes the switch that runs at `HOST:PORT`, of whose memory a sum takes no more than its
    /// share of `memory_bytes` (R-QRY-39). Nothing is asked of it yet.
    pub fn at(address: &str, token: Option<Token>, memory_bytes: u64, timeout: Duration) -> Self {
        let timeout = timeout.max(Limits::default().min_timeout);
        Self {
            address: address.to_owned(),
            token,
            timeout,
            memory_bytes,
            own: None,
            next: 0,
            queries: HashMap::new(),
            retired: VecDeque::new(),
        }
    }

    /// Returns `HOST:PORT` at which it is found.
    pub fn address(&self) -> &str {
        self.own.as_ref().map_or(&self.address, |own| &own.place)
    }

    /// Takes in a query of so many partitions; a join has a number of its own. Queries that are
    /// retired make room for it. Returns its index.
    ///
    /// # Errors
    /// [`Error::Queries`], and [`Error::Net`] if the switch refuses it.
    pub fn admit(&mut self, program: Program, partitions: u32) -> Result<u16, Error> {
        if self.queries.len() > usize::from(u16::MAX) {
            return Err(Error::Queries(self.queries.len()));
        }
        while self.queries.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let joins = matches!(program, Program::Join { .. });
        let partitions = if joins { JOIN_PARTITIONS } else { partitions };
        let attempts = match program {
            Program::Sum { .. } => partitions.min(TABLES) as u16,
            _ => 0,
        };
        let terms = QueryTerms {
            program: self.fitting(program.of_switch(rand::random()), attempts),
            workers: WORKERS,
            partitions,
            attempts,
            datagram_bytes: QueryPlace::DATAGRAM_BYTES,
        };
        let admitted = loop {
            match (self.asked(&terms, program.work()), self.retired.front()) {
                (Err(error), Some(oldest)) if error.wants_room() => self.release(*oldest),
                (asked, _) => break asked?,
            }
        };
        let index = self.next;
        self.queries.insert(index, admitted);
        self.next = self.next.wrapping_add(1);
        Ok(index)
    }

    fn asked(&self, terms: &QueryTerms, work: Option<Work>) -> Result<Admitted, Error> {
        let (address, token, timeout) = (&self.address, self.token.as_ref(), self.timeout);
        let Some(work) = work else {
            let query = Arc::new(RemoteQuery::admit(address, token, terms, timeout)?);
            return Ok(Admitted { master: None, query });
        };
        let (query, master) =
            RemoteQuery::admit_with_master(address, token, terms, timeout, MEMORY_BYTES)?;
        let query = Arc::new(query);
        let its = Arc::downgrade(&query);
        let master = Master::start(its, master, terms.partitions, work, timeout);
        Ok(Admitted { master: Some(master), query })
    }

    /// Returns the place of a query, for its tasks.
    pub fn place(&self, index: u16) -> Option<QueryPlace> {
        let place = self.queries.get(&index)?.query.place();
        Some(match &self.own {
            None => place,
            Some(own) => QueryPlace { shard: own.place.clone(), ..place },
        })
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
        self.queries.get(&index)?.master.as_ref()
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

    /// Returns the counters of a query, if it is here, at a switch of this process.
    pub fn counters(&self, index: u16) -> Option<QueryCounters> {
        let query = &self.queries.get(&index)?.query;
        self.own.as_ref()?.switch.query_counters(query.job(), query.epoch())
    }

    /// Keeps a query, as its rows may be read once more, until another one needs its room, or
    /// there are many.
    pub fn retire(&mut self, index: u16) {
        self.retired.push_back(index);
        if let Some(oldest) = self.retired.front().filter(|_| self.retired.len() > MOST_RETIRED) {
            self.release(*oldest);
        }
    }

    /// Ends a query.
    pub fn release(&mut self, index: u16) {
        self.retired.retain(|retired| *retired != index);
        self.queries.remove(&index);
    }
}
