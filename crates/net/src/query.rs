//! Queries over UDP: [`QuerySender`] streams an attempt of a partition, [`QueryMaster`] takes what
//! the switch forwards (R-QRY).
//!
//! The master opens its socket, [`Switch::admit_query`](crate::Switch::admit_query) admits the
//! query with the master's address, and workers stream to the switch. At a switch that runs
//! elsewhere [`RemoteQuery`] has it admitted. Both ends wait in their calls; a thread drives each.

mod join;
mod place;
mod sum;
mod totals;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use netfold_control::QuerySession;
use netfold_management::{ClientError, QueryAdmitted, QueryTerms, Token, query_integrity};
use netfold_wire::{Epoch, Integrity, JobId, QueryPacket, RowProgram};
use netfold_worker::rows::{
    Master, MasterConfig, MasterEvent, Sender, SenderConfig, SenderCounters,
};
use rustix::event::{PollFd, PollFlags};

use crate::clock::Clock;
use crate::endpoint::{Endpoint, MAX_BURST_BYTES, MAX_BURST_SEGMENTS, path_to, wait};
use crate::error::Error;

pub use place::{NotAPlace, QueryPlace};
pub use totals::Totals;

/// Most bytes of a datagram to a master on another host than the switch, unless its path takes more
/// at once. IP sends few fragments of it; where one is lost, the host keeps the others for half a
/// minute, in memory that all datagrams share.
const FAR_BYTES: usize = 8192;

/// Longest wait for a datagram without a look at the clock.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Time until a packet is sent again first, or a request of a master.
const RTO: Duration = Duration::from_millis(20);

/// A socket that reaches a shard, and datagrams of one length that leave together.
struct Line {
    shard: SocketAddr,
    endpoint: Endpoint,
    clock: Clock,
    burst: Vec<u8>,
    /// Bytes of each datagram of the burst.
    segment: usize,
}

impl Line {
    fn open(shard: SocketAddr) -> Result<Self, Error> {
        let any: IpAddr = match shard {
            SocketAddr::V4(_) if shard.ip().is_loopback() => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        let endpoint = bind(any).map_err(Error::io("the switch of the query cannot be reached"))?;
        Ok(Self::over(endpoint, shard))
    }

    fn over(endpoint: Endpoint, shard: SocketAddr) -> Self {
        let burst = Vec::with_capacity(MAX_BURST_BYTES);
        Self { shard, endpoint, clock: Clock::start(), burst, segment: 0 }
    }

    /// Puts a datagram behind those that wait, and sends these before if it does not fit.
    fn put(&mut self, datagram: &[u8]) -> Result<(), Error> {
        let full = self.burst.len() + datagram.len() > MAX_BURST_BYTES
            || self.burst.len() == self.segment * MAX_BURST_SEGMENTS;
        if datagram.len() != self.segment || full {
            self.flush()?;
        }
        self.segment = datagram.len();
        self.burst.extend_from_slice(datagram);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        if !self.burst.is_empty() {
            let sent = self.endpoint.send(self.shard, &self.burst, self.segment);
            self.burst.clear();
            sent.map_err(Error::io("a packet of the query could not be sent"))?;
        }
        Ok(())
    }

    /// Hands over what has come. Returns whether there was anything.
    fn receive(&mut self, mut take: impl FnMut(&QueryPacket<'_>, u64)) -> Result<bool, Error> {
        let clock = self.clock;
        let received = self.endpoint.receive(|datagram, _| {
            // Others are not for this query.
            if let Ok(packet) = QueryPacket::new_checked(datagram) {
                take(&packet, clock.now_us());
            }
        });
        received.map_err(Error::io("packets of the query cannot be received"))
    }

    /// Waits for a datagram, until a time at most.
    fn wait(&self, due_us: Option<u64>) -> Result<(), Error> {
        let now_us = self.clock.now_us();
        let until = due_us.map(|due| Duration::from_micros(due.saturating_sub(now_us)));
        let until = until.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
        let mut fds = [PollFd::new(&self.endpoint, PollFlags::IN)];
        wait(&mut fds, Some(until)).map_err(Error::io("packets of the query cannot be awaited"))?;
        Ok(())
    }
}

/// Sets a bit for each of so many rows, the first row's lowest.
pub fn mark_all(rows: usize, bits: &mut [u64]) {
    for (at, word) in bits.iter_mut().enumerate() {
        *word = u64::MAX >> (64 - (rows - at * 64).min(64));
    }
}

/// A socket at any port of an address.
fn bind(at: IpAddr) -> io::Result<Endpoint> {
    Endpoint::bind(SocketAddr::new(at, 0))
}

/// An attempt of a partition over UDP. Its calls wait for room and for acknowledgements.
pub struct QuerySender {
    line: Line,
    sender: Sender,
    timeout: Duration,
    /// The time at which something has come last.
    heard_us: u64,
}

impl QuerySender {
    /// Opens an attempt at the shard that has the query. A call fails when nothing has been heard
    /// of the switch or of the master for `timeout`. Datagrams are no longer than the path takes.
    ///
    /// # Errors
    /// [`Error::Io`] if there can be no socket.
    pub fn open(
        shard: SocketAddr,
        mut config: SenderConfig,
        timeout: Duration,
    ) -> Result<Self, Error> {
        let path = path_to(shard).map_err(Error::io("the switch of the query has no route"))?;
        config.datagram_bytes = config.datagram_bytes.min(path as u32);
        Ok(Self { line: Line::open(shard)?, sender: Sender::new(config), timeout, heard_us: 0 })
    }

    /// Streams rows: a key for each, if the attempt has keys, and columns. Returns when all are
    /// taken, which is before they are acknowledged.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Io`].
    ///
    /// # Panics
    /// If keys or columns are missing, or of different lengths.
    pub fn send(&mut self, keys: &[u64], columns: &[&[i64]]) -> Result<(), Error> {
        self.begin_call();
        let rows = columns.first().map_or(keys.len(), |column| column.len());
        let mut taken = 0;
        loop {
            let keys = keys.get(taken..).unwrap_or_default();
            let mut rest = [&[][..]; netfold_wire::MOST_COLUMNS];
            for (rest, column) in rest.iter_mut().zip(columns) {
                *rest = &column[taken..];
            }
            taken += self.sender.push(keys, &rest[..columns.len()]);
            self.turn(taken < rows)?;
            if taken == rows {
                return Ok(());
            }
        }
    }

    /// Offers rows that stay here, of an attempt that asks for verdicts, and sets the bits of those
    /// that survive, the first row's lowest (R-QRY-36). Rows without an answer do.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Io`]. The bits are right all the same; offer no further rows.
    ///
    /// # Panics
    /// If keys or columns are missing, or of different lengths, or bits are not as many as rows.
    pub fn offer(
        &mut self,
        keys: &[u64],
        columns: &[&[i64]],
        survivors: &mut [u64],
    ) -> Result<(), Error> {
        let rows = columns.first().map_or(keys.len(), |column| column.len());
        assert_eq!(survivors.len(), rows.div_ceil(64), "a bit for each row");
        mark_all(rows, survivors);
        let answered = self.send(keys, columns).and_then(|()| self.settle());
        self.sender.take_verdicts(survivors);
        answered
    }

    /// Waits until all rows are acknowledged.
    fn settle(&mut self) -> Result<(), Error> {
        self.sender.flush();
        while !self.sender.is_settled() {
            self.turn(true)?;
        }
        Ok(())
    }

    /// A call waits for answers from now on; nothing was to come before.
    fn begin_call(&mut self) {
        self.heard_us = self.line.clock.now_us();
    }

    /// Ends the attempt: returns when the master has all of its rows, and knows it.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Io`].
    pub fn finish(mut self) -> Result<SenderCounters, Error> {
        self.begin_call();
        self.sender.finish();
        while !self.sender.is_done() {
            self.turn(true)?;
        }
        Ok(self.sender.counters())
    }

    /// Returns what the attempt has sent so far.
    pub fn counters(&self) -> SenderCounters {
        self.sender.counters()
    }

    /// Sends what is due, takes what has come, and waits for something if it is asked to.
    fn turn(&mut self, waits: bool) -> Result<(), Error> {
        let Self { line, sender, .. } = self;
        sender.handle_timeout(line.clock.now_us());
        while let Some(datagram) = sender.poll_transmit(line.clock.now_us()) {
            line.put(datagram)?;
        }
        line.flush()?;
        if line.receive(|packet, now_us| sender.handle(packet, now_us))? {
            self.heard_us = line.clock.now_us();
            return Ok(());
        }
        let silent = Duration::from_micros(line.clock.now_us() - self.heard_us);
        if waits && silent > self.timeout {
            return Err(Error::timeout("an attempt of a query".into(), self.timeout, &[]));
        }
        if waits { line.wait(sender.poll_timeout()) } else { Ok(()) }
    }
}

/// A query at a switch that runs elsewhere (R-CTRL-24). The switch forgets it when this is dropped,
/// which waits until it has, or for a quarter of the time-out.
pub struct RemoteQuery {
    session: QuerySession,
    admitted: QueryAdmitted,
    integrity: Integrity,
    datagram_bytes: u32,
}

/// Returns the most bytes of a datagram from a switch to a master on this host.
fn longest_to_master(switch: &str) -> u32 {
    let address = switch.to_socket_addrs().ok().and_then(|mut found| found.next());
    let path = address.and_then(|address| path_to(address).ok()).unwrap_or_default();
    path.max(FAR_BYTES) as u32
}

impl RemoteQuery {
    /// Has the switch at `HOST:PORT` take in a query without a master: all attempts ask for
    /// verdicts ([`SenderConfig::verdicts`]). Standbys may follow the address after commas: the
    /// first switch that answers is asked (R-QRY-39). `timeout` bounds each step, and the time for
    /// which a switch that is lost, or this process, goes unnoticed.
    ///
    /// # Errors
    /// [`Error::Join`], which says what to do next.
    pub fn admit(
        switch: &str,
        token: Option<&Token>,
        terms: &QueryTerms,
        timeout: Duration,
    ) -> Result<Self, Error> {
        Self::session(switch, token, timeout, |_| terms.clone(), |_| Ok(None))
    }

    /// Has it take in a query whose survivors go to a master, which holds at most `memory_bytes` of
    /// rows.
    ///
    /// # Errors
    /// [`Error::Join`].
    pub fn admit_with_master(
        switch: &str,
        token: Option<&Token>,
        terms: &QueryTerms,
        timeout: Duration,
        memory_bytes: u64,
    ) -> Result<(Self, QueryMaster), Error> {
        let mut opened = None;
        let fitting = |switch: &str| {
            let datagram_bytes = terms.datagram_bytes.min(longest_to_master(switch));
            QueryTerms { datagram_bytes, ..terms.clone() }
        };
        let query = Self::session(switch, token, timeout, fitting, |local| {
            let endpoint = bind(local)?;
            let port = endpoint.local_addr()?.port();
            opened = Some(endpoint);
            Ok(Some(port))
        })?;
        let endpoint = opened.expect("a session opens it before the query is admitted");
        let master = Master::new(MasterConfig {
            job: query.job(),
            epoch: query.epoch(),
            partitions: terms.partitions,
            sum_words: match terms.program {
                RowProgram::GroupSum { sums, .. } => sums.words(),
                _ => 0,
            },
            rto_us: RTO.as_micros() as u64,
            memory_bytes,
            integrity: query.integrity,
        });
        let line = Line::over(endpoint, query.shard());
        Ok((query, QueryMaster { line, master, heard_us: 0 }))
    }

    fn session(
        switch: &str,
        token: Option<&Token>,
        timeout: Duration,
        terms_at: impl Fn(&str) -> QueryTerms,
        mut open_master: impl FnMut(IpAddr) -> io::Result<Option<u16>>,
    ) -> Result<Self, Error> {
        let mut first = None;
        for address in switch.split(',').map(str::trim) {
            let terms = terms_at(address);
            match QuerySession::admit(address, token, &terms, timeout, &mut open_master) {
                Ok((session, admitted)) => {
                    let integrity = query_integrity(token, Epoch(admitted.epoch));
                    let datagram_bytes = terms.datagram_bytes;
                    return Ok(Self { session, admitted, integrity, datagram_bytes });
                }
                Err(
                    error @ (ClientError::NoSwitch { .. }
                    | ClientError::NotASwitch { .. }
                    | ClientError::Lost { .. }),
                ) => first = first.or(Some(error)),
                // A switch that refuses has answered.
                Err(error) => return Err(Error::Join(error.into())),
            }
        }
        let first = first.expect("a list of addresses has one");
        Err(Error::Join(first.into()))
    }

    /// Returns its number at the switch.
    pub fn job(&self) -> JobId {
        JobId(self.admitted.job)
    }

    /// Returns its epoch there.
    pub fn epoch(&self) -> Epoch {
        Epoch(self.admitted.epoch)
    }

    /// Returns the protection of its packets.
    pub fn integrity(&self) -> Integrity {
        self.integrity
    }

    /// Returns the address at which workers find the shard that has it.
    pub fn shard(&self) -> SocketAddr {
        self.admitted.shard
    }

    /// Returns its place, for tasks that are told it as a text.
    pub fn place(&self) -> QueryPlace {
        let Integrity::Token(key) = self.integrity else {
            unreachable!("packets of a query at a switch elsewhere have a key")
        };
        let (shard, datagram_bytes) = (self.shard().to_string(), self.datagram_bytes);
        QueryPlace { shard, job: self.job(), epoch: self.epoch(), key, datagram_bytes }
    }

    /// Returns whether the switch is lost, and the query with it.
    pub fn is_lost(&self) -> bool {
        self.session.is_lost()
    }

    /// Returns the reason why its master goes on without it, once it is lost.
    fn lost(&self) -> String {
        format!("the switch at {} is lost", self.shard())
    }
}

/// The master of a query over UDP.
pub struct QueryMaster {
    line: Line,
    master: Master,
    /// Time at which the last packet came, or none was owed.
    heard_us: u64,
}

impl QueryMaster {
    /// Opens the master's socket, which reaches the shard that will have the query.
    ///
    /// # Errors
    /// [`Error::Io`] if there can be no socket.
    pub fn open(shard: SocketAddr, config: MasterConfig) -> Result<Self, Error> {
        Ok(Self { line: Line::open(shard)?, master: Master::new(config), heard_us: 0 })
    }

    /// Returns the address at which the switch reaches it, as far as the system knows it: one that
    /// listens at every address names none.
    ///
    /// # Errors
    /// The system's error.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.line.endpoint.local_addr()
    }

    /// Returns the next event, or nothing if none comes within `timeout`. Packets are taken only
    /// while a call waits here: call it again until the last event.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn next_event(&mut self, timeout: Duration) -> Result<Option<MasterEvent>, Error> {
        let Self { line, master, heard_us } = self;
        let begin_us = line.clock.now_us();
        loop {
            master.handle_timeout(line.clock.now_us());
            if !master.is_asking() {
                *heard_us = line.clock.now_us();
            }
            let mut received = line.receive(|packet, now_us| {
                *heard_us = now_us;
                master.handle(packet);
            })?;
            while let Some(datagram) = master.poll_transmit(line.clock.now_us()) {
                line.put(&datagram)?;
                received = true;
            }
            line.flush()?;
            if let Some(event) = master.poll_event() {
                return Ok(Some(event));
            }
            let end_us = begin_us + timeout.as_micros() as u64;
            if line.clock.now_us() >= end_us {
                return Ok(None);
            }
            if !received {
                line.wait(Some(master.poll_timeout().map_or(end_us, |due| due.min(end_us))))?;
            }
        }
    }

    /// Returns for how long the switch has owed an answer, and has sent nothing.
    fn silence(&self) -> Duration {
        Duration::from_micros(self.line.clock.now_us().saturating_sub(self.heard_us))
    }

    /// Gives an attempt up whose task has failed (R-QRY-33).
    pub fn give_up(&mut self, partition: u32, attempt: u32) {
        self.master.give_up(partition, attempt);
    }

    /// Seals the filter of a join: call it when its build side is committed.
    pub fn seal(&mut self) {
        self.master.seal();
    }
}
