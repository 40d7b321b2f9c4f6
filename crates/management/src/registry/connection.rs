//! Control connections: the other end, and the time at which something must be heard or sent
//! (R-CTRL-4).

use core::net::IpAddr;

use netfold_switch::Operations;
use tracing::info;

use super::job::{Job, TokenIndex};
use super::{ConnectionId, JobKey, Registry};
use crate::failure::Loss;
use crate::limits::{HEARTBEATS_PER_TIMEOUT, Limits, micros};
use crate::message::{Join, Message};
use crate::plane::DataPlane;
use crate::token::Challenge;
use crate::tree::Hop;

pub(super) struct Connection {
    pub(super) peer_ip: IpAddr,
    /// The switches through which it comes, the nearest last (R-CTRL-14).
    pub(super) path: Vec<Hop>,
    pub(super) challenge: Challenge,
    pub(super) role: Role,
    /// The worker, while its operations are being admitted.
    pub(super) loading: Option<Box<Newcomer>>,
    pub(super) last_heard_us: u64,
    /// Time at which the last heartbeat was sent, or the worker joined.
    pub(super) last_sent_us: u64,
}

#[derive(Clone, Copy)]
pub(super) enum Role {
    /// Has not joined; may ask questions.
    Guest,
    /// A worker whose operations are being admitted (R-OP-41).
    Loading,
    /// A worker of a job.
    Worker { job: JobKey, rank: u16 },
    /// A client that has a query here (R-CTRL-24).
    Client { job: u16, epoch: u32, timeout_us: u64 },
    /// A worker of an epoch that has ended, without which the job does not go on (R-RES-11).
    Survivor { job: JobKey, rank: u16 },
}

/// A worker that may join as far as it is concerned.
pub(super) struct Newcomer {
    pub(super) join: Join,
    pub(super) token: Option<TokenIndex>,
    /// Those that were admitted.
    pub(super) operations: Operations,
}

impl Connection {
    pub(super) fn new(now_us: u64, peer_ip: IpAddr, challenge: Challenge) -> Self {
        Self {
            peer_ip,
            path: Vec::new(),
            challenge,
            role: Role::Guest,
            loading: None,
            last_heard_us: now_us,
            last_sent_us: now_us,
        }
    }

    pub(super) fn guest_deadline_us(&self, limits: &Limits) -> u64 {
        self.last_heard_us.saturating_add(micros(limits.handshake))
    }

    /// Returns the time at which the worker must be sent a heartbeat or is lost, whichever comes
    /// first.
    pub(super) fn next_due_us(&self, timeout_us: u64) -> u64 {
        self.heartbeat_due_us(timeout_us).min(self.lost_at_us(timeout_us))
    }

    fn heartbeat_due_us(&self, timeout_us: u64) -> u64 {
        self.last_sent_us.saturating_add(timeout_us / u64::from(HEARTBEATS_PER_TIMEOUT))
    }

    fn lost_at_us(&self, timeout_us: u64) -> u64 {
        self.last_heard_us.saturating_add(timeout_us)
    }

    pub(super) fn silent_ms(&self, now_us: u64) -> u64 {
        now_us.saturating_sub(self.last_heard_us) / 1000
    }
}

impl Registry {
    /// The time-out of the connection's job, in microseconds; `None` for a guest.
    pub(super) fn timeout_us(&self, connection: &Connection) -> Option<u64> {
        match connection.role {
            Role::Guest => None,
            Role::Loading => {
                Some(connection.loading.as_ref()?.join.timeout_ms.saturating_mul(1000))
            }
            Role::Worker { job, rank } => {
                let member = self.jobs.get(&job)?.members.get(&rank)?;
                Some(member.join.timeout_ms.saturating_mul(1000))
            }
            Role::Client { timeout_us, .. } => Some(timeout_us),
            Role::Survivor { job, .. } => self.ended_timeout_us(job),
        }
    }

    /// Plans the time at which there is something to do for a connection, whatever is heard until
    /// then.
    pub(super) fn plan(&mut self, conn: ConnectionId) {
        let at_us =
            self.connections.get(&conn).map(|connection| match self.timeout_us(connection) {
                Some(timeout_us) => connection.next_due_us(timeout_us),
                None => connection.guest_deadline_us(&self.limits),
            });
        self.agenda.set(conn, at_us);
    }

    /// Closes what of these has been silent for too long: workers are lost, guests are sent away.
    pub(super) fn expire_connections(
        &mut self,
        now_us: u64,
        due: &[ConnectionId],
        plane: &mut dyn DataPlane,
    ) {
        for &conn in due {
            let Some(connection) = self.connections.get(&conn) else { continue };
            let expired_us = match self.timeout_us(connection) {
                Some(timeout_us) => connection.lost_at_us(timeout_us),
                None => connection.guest_deadline_us(&self.limits),
            };
            if expired_us <= now_us {
                let for_ms = connection.silent_ms(now_us);
                self.disconnected(now_us, conn, Loss::Silent { for_ms }, plane);
            }
        }
    }

    /// R-CTRL-4: lets those workers hear from the switch whose turn it is. A worker that waits for
    /// others, and was not told of the last that came or went, hears of them.
    pub(super) fn send_heartbeats(&mut self, now_us: u64, due: &[ConnectionId]) {
        for &conn in due {
            let Some(connection) = self.connections.get(&conn) else { continue };
            let turn = |timeout_us| connection.heartbeat_due_us(timeout_us) <= now_us;
            if self.timeout_us(connection).is_some_and(turn) {
                let job = if let Role::Worker { job, .. } = connection.role {
                    self.jobs.get(&job)
                } else {
                    None
                };
                let message = job.and_then(Job::news).unwrap_or(Message::Heartbeat);
                self.connections
                    .entry(conn)
                    .and_modify(|connection| connection.last_sent_us = now_us);
                self.send(conn, message);
            }
            self.plan(conn);
        }
    }

    /// The switch is going down: everyone is told, every connection closes, all memory is released.
    pub fn stop(&mut self, plane: &mut dyn DataPlane) {
        info!(jobs = self.jobs.len(), "the switch is stopping");
        let left = self.tables_left(plane);
        self.output.extend(self.drain.end(left));
        let keys: Vec<_> = self.jobs.keys().copied().collect();
        for key in keys {
            self.stop_job(key, plane);
        }
        let others: Vec<_> = self.connections.keys().copied().collect();
        for conn in others {
            self.end_query(conn, plane);
            self.close(conn);
        }
    }
}
