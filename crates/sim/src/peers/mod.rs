//! The systems with which netfold is compared: a ring and a parameter server, on the same links,
//! queues and cores, from the same seed.
//!
//! They are protocols of the simulator's own, so that the papers' comparisons can be made; none of
//! netfold's rules is in them. The vector U of |U| bytes is on n workers. What each of a worker's
//! links must carry, without headers, is a lower bound on the time of an all-reduce:
//!
//! | system | each way on a worker's link | more machines |
//! | --- | --- | --- |
//! | in-network aggregation | \|U\| | none |
//! | ring ([`ring`]) | 2 \|U\| (n - 1) / n | none |
//! | parameter server, dedicated ([`server`]) | \|U\|, as on a server's where there are n | n |
//! | parameter server, colocated | 2 \|U\| (n - 1) / n: each host is worker and server, and keeps the shard that it serves | none |
//! | compressed all-gather ([`ring`]) | c \|U\| (n - 1) for vectors compressed to the share c | none |
//!
//! All send over [`connection`]s, which recover from losses as TCP does. Switches do nothing but
//! forward. Each segment carries one number that stands for its elements, so that results are
//! checked: that of rank r at a place is (r + 1) times the place's weight.
//!
//! Workers and servers of a table ([`keyed`]) are driven here, too, since most of what they send
//! goes over such connections. Only they send anything to the switch.

pub(crate) mod connection;
mod estimator;
mod header;
mod ring;
mod server;

use std::collections::VecDeque;

use netfold_wire::TablePacket;
use netfold_worker::Counters;

use crate::keyed;
use crate::setup::{JobSetup, SystemName};
use crate::time::Time;
use connection::{Connection, Limits, Segment, Sending};
use header::Header;
use ring::Ring;
use server::{Client, Server};

pub(crate) use header::{BYTES as HEADER_BYTES, ENCODED_BYTES};

/// One side of the connections of a flow.
pub(crate) struct Peer {
    role: Role,
    /// The connections, each with the rank of the endpoint on its other side, and its number there.
    connections: Vec<(Connection, u16, u16)>,
    /// The connection whose turn it is to send.
    turn: usize,
    done: VecDeque<Done>,
    counters: Counters,
}

enum Role {
    Ring(Ring),
    Client(Client),
    Server(Server),
    /// A worker of a table.
    Pusher(Box<keyed::Worker>),
    /// A server of a table.
    Keeper(Box<keyed::Server>),
}

/// A call of which a worker has the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) call: u32,
    /// Segments whose number was not the sum.
    pub(crate) wrong: u64,
}

/// A datagram to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transmit {
    /// Bytes in the buffer.
    pub(crate) len: usize,
    /// Bytes that cores and links are charged for, without what is around a datagram.
    pub(crate) bytes: u32,
    /// The rank that it is for, on the same flow; `None` for the switch.
    pub(crate) to: Option<u16>,
}

/// Segments of a flow's share of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces {
    segments: u64,
    /// Bytes of each but the last.
    full_bytes: u32,
    last_bytes: u32,
}

impl Pieces {
    /// Those of `bytes`.
    fn of(bytes: u64, payload_bytes: u32) -> Self {
        let segments = bytes.div_ceil(u64::from(payload_bytes));
        let before = segments.saturating_sub(1) * u64::from(payload_bytes);
        Self { segments, full_bytes: payload_bytes, last_bytes: (bytes - before) as u32 }
    }

    fn bytes(&self, segment: u64) -> u32 {
        if segment + 1 == self.segments { self.last_bytes } else { self.full_bytes }
    }
}

/// Weight of a place: 1 to 16.
pub(crate) fn weight(place: u64) -> u64 {
    1 + (place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 60)
}

/// The sum of (r + 1) over all ranks.
pub(crate) fn sum_of_ranks(workers: u16) -> u64 {
    u64::from(workers) * (u64::from(workers) + 1) / 2
}

impl Peer {
    /// The endpoint of a rank in a job that is not netfold's, or that has a table: workers come
    /// first, then servers.
    pub(crate) fn new(job: &JobSetup, rank: u16, table: Option<keyed::Part>) -> Self {
        let (workers, servers) = (job.workers, job.servers());
        let limits = |peers: u16| Limits {
            window: (f64::from(job.slots) / f64::from(peers.max(1))).max(connection::LEAST_WINDOW),
            timing: job.timing,
        };
        let connect = |limits, to, number| (Connection::new(limits), to, number);
        let (role, connections) = if job.system == SystemName::Ring {
            let (right, left) = ((rank + 1) % workers, (rank + workers - 1) % workers);
            let connections =
                vec![connect(limits(1), right, ring::LEFT), connect(limits(1), left, ring::RIGHT)];
            (Role::Ring(Ring::new(job, rank)), connections)
        } else if rank < workers {
            let connections =
                (0..servers).map(|server| connect(limits(servers), workers + server, rank));
            let role = match table {
                Some(part) => Role::Pusher(Box::new(keyed::Worker::new(part))),
                None => Role::Client(Client::new(job, rank)),
            };
            (role, connections.collect())
        } else {
            let connections =
                (0..workers).map(|worker| connect(limits(servers), worker, rank - workers));
            let role = match table {
                Some(part) => Role::Keeper(Box::new(keyed::Server::new(part))),
                None => Role::Server(Server::new(workers)),
            };
            (role, connections.collect())
        };
        Self { role, connections, turn: 0, done: VecDeque::new(), counters: Counters::default() }
    }

    /// Makes this worker's part of an all-reduce of `bytes` on this flow; a server has nothing to
    /// do.
    pub(crate) fn submit(&mut self, call: u32, bytes: u64) {
        match &mut self.role {
            Role::Ring(ring) => ring.submit(call, bytes),
            Role::Client(client) => client.submit(call, bytes),
            Role::Server(_) | Role::Pusher(_) | Role::Keeper(_) => {}
        }
        self.advance();
    }

    /// Makes this worker's part of a call of a table; a server begins.
    pub(crate) fn push(&mut self, call: u32, batch: impl FnOnce() -> keyed::Batch) {
        match &mut self.role {
            Role::Pusher(worker) => worker.submit(call, batch()),
            Role::Keeper(server) => server.begin(),
            Role::Ring(_) | Role::Client(_) | Role::Server(_) => {}
        }
        self.advance();
    }

    /// Takes a datagram, which a link has marked or not: only a worker of a table reacts to that.
    pub(crate) fn handle(&mut self, now: Time, datagram: &[u8], marked: bool) {
        if TablePacket::is_one(datagram) {
            self.counters.packets_received += 1;
            self.counters.bytes_received += datagram.len() as u64;
            match &mut self.role {
                Role::Pusher(worker) => worker.handle(now, datagram, marked),
                Role::Keeper(server) => server.handle(now, datagram),
                Role::Ring(_) | Role::Client(_) | Role::Server(_) => {}
            }
            return self.advance();
        }
        let Some(header) = Header::parse(datagram) else { return };
        let Some((connection, ..)) = self.connections.get_mut(usize::from(header.connection))
        else {
            return;
        };
        self.counters.packets_received += 1;
        self.counters.bytes_received +=
            u64::from(HEADER_BYTES + header.segment.map_or(0, |(_, of)| of.bytes));
        if let Some((number, segment)) = connection.receive(now, &header) {
            match &mut self.role {
                Role::Ring(ring) => ring.take(number, segment.value),
                Role::Client(client) => client.take(header.connection, number, segment.value),
                Role::Server(server) => server.take(number, segment),
                Role::Pusher(worker) => worker.take(header.connection, segment),
                Role::Keeper(server) => server.take(now, header.connection, number, segment),
            }
        }
        self.advance();
    }

    /// Looks at the clock.
    pub(crate) fn handle_timeout(&mut self, now: Time) {
        for (connection, ..) in &mut self.connections {
            connection.handle_timeout(now);
        }
        match &mut self.role {
            Role::Pusher(worker) => worker.handle_timeout(now),
            Role::Keeper(server) => server.handle_timeout(now),
            Role::Ring(_) | Role::Client(_) | Role::Server(_) => {}
        }
    }

    /// Returns the time at which to look at the clock next.
    pub(crate) fn poll_timeout(&mut self) -> Option<Time> {
        let of_role = match &mut self.role {
            Role::Pusher(worker) => worker.poll_timeout(),
            Role::Keeper(server) => server.poll_timeout(),
            Role::Ring(_) | Role::Client(_) | Role::Server(_) => None,
        };
        let of_connections =
            self.connections.iter().filter_map(|(connection, ..)| connection.timeout());
        of_connections.chain(of_role).min()
    }

    /// The next datagram for the switch.
    fn poll_request(&mut self, now: Time, buffer: &mut [u8]) -> Option<usize> {
        match &mut self.role {
            Role::Pusher(worker) => worker.poll_transmit(now, buffer),
            Role::Keeper(server) => server.poll_transmit(now, buffer),
            Role::Ring(_) | Role::Client(_) | Role::Server(_) => None,
        }
    }

    /// The next datagram: for the switch first, then connections take turns.
    pub(crate) fn poll_transmit(&mut self, now: Time, buffer: &mut [u8]) -> Option<Transmit> {
        if let Some(len) = self.poll_request(now, buffer) {
            self.counters.packets_sent += 1;
            self.counters.bytes_sent += len as u64;
            return Some(Transmit { len, bytes: len as u32, to: None });
        }
        for _ in 0..self.connections.len() {
            let number = self.turn;
            self.turn = (self.turn + 1) % self.connections.len();
            let (connection, to, there) = &mut self.connections[number];
            let role = &mut self.role;
            let source = |segment| match role {
                Role::Ring(ring) => ring.segment(segment),
                Role::Client(client) => client.segment(number, segment),
                Role::Server(server) => server.segment(segment),
                Role::Pusher(worker) => worker.outgoing(number).next(),
                Role::Keeper(server) => server.outgoing(number).next(),
            };
            let Some(Sending { mut header, again }) = connection.poll_transmit(now, source) else {
                continue;
            };
            header.connection = *there;
            let bytes = HEADER_BYTES + header.segment.map_or(0, |(_, Segment { bytes, .. })| bytes);
            self.counters.packets_sent += 1;
            self.counters.bytes_sent += u64::from(bytes);
            self.counters.retransmissions += u64::from(again);
            return Some(Transmit { len: header.emit(buffer), bytes, to: Some(*to) });
        }
        None
    }

    /// The next call that has ended.
    pub(crate) fn poll_done(&mut self) -> Option<Done> {
        self.done.pop_front()
    }

    pub(crate) fn counters(&self) -> Counters {
        let Role::Pusher(worker) = &self.role else { return self.counters };
        let retransmissions = self.counters.retransmissions + worker.counters().retransmissions;
        Counters { retransmissions, ..self.counters }
    }

    /// A worker of a table.
    pub(crate) fn worker(&self) -> Option<&keyed::Worker> {
        if let Role::Pusher(worker) = &self.role { Some(worker) } else { None }
    }

    /// A server of a table.
    pub(crate) fn server(&self) -> Option<&keyed::Server> {
        if let Role::Keeper(server) = &self.role { Some(server) } else { None }
    }

    /// Offers connections the segments that can be sent by now, and notes calls that have ended.
    fn advance(&mut self) {
        let Self { role, connections, done, .. } = self;
        match role {
            Role::Ring(ring) => {
                let received = connections[usize::from(ring::LEFT)].0.received();
                connections[usize::from(ring::RIGHT)].0.offer(ring.advance(received, done));
            }
            Role::Client(client) => loop {
                let received =
                    connections.iter().map(|(connection, ..)| connection.received()).min();
                let Some(offered) = client.advance(received.unwrap_or(u64::MAX), done) else {
                    break;
                };
                connections.iter_mut().for_each(|(connection, ..)| connection.offer(offered));
            },
            Role::Server(server) => {
                let complete = server.complete();
                connections.iter_mut().for_each(|(connection, ..)| connection.offer(complete));
            }
            Role::Pusher(worker) => {
                worker.advance(done);
                for (number, (connection, ..)) in connections.iter_mut().enumerate() {
                    connection.offer(worker.outgoing(number).all());
                }
            }
            Role::Keeper(server) => {
                for (number, (connection, ..)) in connections.iter_mut().enumerate() {
                    connection.offer(server.outgoing(number).all());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole() {
        for bytes in [0, 1, 999, 1000, 1001, 12_345] {
            let pieces = Pieces::of(bytes, 1000);
            let sum: u64 =
                (0..pieces.segments).map(|segment| u64::from(pieces.bytes(segment))).sum();
            assert_eq!((sum, pieces.segments), (bytes, bytes.div_ceil(1000)));
        }
    }
}
