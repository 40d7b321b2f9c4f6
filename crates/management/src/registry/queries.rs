//! Queries of other programs, each held by a connection (R-CTRL-24).

use core::net::SocketAddr;

use netfold_wire::{Epoch, JobId};
use tracing::info;

use super::connection::{Connection, Role};
use super::{ConnectionId, Registry};
use crate::failure::Refusal;
use crate::message::Message;
use crate::plane::{AdmissionError, DataPlane};
use crate::query::{AdmitQuery, QueryAdmitted};

impl Registry {
    /// A client asks for a query.
    pub(super) fn admit_query(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        asked: &AdmitQuery,
        plane: &mut dyn DataPlane,
        entropy: u32,
    ) {
        match self.place_query(conn, asked, plane, entropy) {
            Ok(admitted) => {
                let QueryAdmitted { job, epoch, .. } = admitted;
                self.queries.insert(job, (epoch, true));
                let timeout_us = asked.timeout_ms.saturating_mul(1000);
                if let Some(connection) = self.connections.get_mut(&conn) {
                    connection.role = Role::Client { job, epoch, timeout_us };
                    connection.last_sent_us = now_us;
                    let program = asked.terms.program.name();
                    info!(peer = %connection.peer_ip, number = job, program, "query runs");
                }
                self.send(conn, Message::QueryAdmitted(admitted));
                self.plan(conn);
            }
            Err(refusal) => self.refuse(conn, refusal),
        }
    }

    fn place_query(
        &mut self,
        conn: ConnectionId,
        asked: &AdmitQuery,
        plane: &mut dyn DataPlane,
        entropy: u32,
    ) -> Result<QueryAdmitted, Refusal> {
        let Some(Connection { peer_ip, challenge, .. }) = self.connections.get(&conn) else {
            return Err(Refusal::Query { reason: "its client has gone".into() });
        };
        let token = asked.checked(&self.limits, challenge, &self.tokens)?;
        let limit = self.limits.jobs;
        let is_free = |number: &u16| !self.queries.get(number).is_some_and(|(_, here)| *here);
        let job = (0..limit).find(is_free).ok_or(Refusal::TooManyQueries { limit })?;
        let last = self.queries.get(&job).map(|(epoch, _)| *epoch);
        let epoch = if last == Some(entropy) { entropy.wrapping_add(1) } else { entropy };
        let spec = asked.terms.spec(JobId(job), Epoch(epoch), token);
        spec.checked().map_err(|error| Refusal::Query { reason: error.to_string() })?;
        let master = asked.master_port.map(|port| SocketAddr::new(*peer_ip, port));
        plane.admit_query(&spec, master).map_err(|error| match error {
            AdmissionError::Memory { needed, free } => Refusal::QueryMemory { needed, free },
            other => Refusal::Query { reason: other.to_string() },
        })?;
        Ok(QueryAdmitted { job, epoch, shard: self.shards[0] })
    }

    /// Ends the query of a connection, if it has one.
    pub(super) fn end_query(&mut self, conn: ConnectionId, plane: &mut dyn DataPlane) {
        let role = self.connections.get(&conn).map(|connection| connection.role);
        if let Some(Role::Client { job, epoch, .. }) = role {
            self.queries.insert(job, (epoch, false));
            plane.release_query(job, epoch);
        }
    }
}
