//! Workers that join, from the message to their place in a job.

use netfold_switch::Operations;
use tracing::{debug, info};

use super::connection::{Connection, Newcomer, Role};
use super::job::{Job, Member};
use super::{ConnectionId, JobKey, Output, Registry, admit};
use crate::failure::Refusal;
use crate::limits::micros;
use crate::message::Join;
use crate::operations::{Brought, Loaded, Loading};
use crate::plane::DataPlane;

impl Registry {
    pub(super) fn join(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        join: Join,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) {
        let (job, rank) = (join.job.clone(), join.rank);
        let taken = match self.checked(conn, join) {
            Ok((newcomer, brought)) if brought.is_empty() => {
                self.enter_job(now_us, conn, newcomer, plane, entropy)
            }
            Ok((newcomer, brought)) => Loading::new(brought, self.loader.as_ref())
                .map(|loading| self.load(now_us, conn, newcomer, loading)),
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = taken {
            self.turn_away(now_us, conn, (&job, rank), refusal);
        }
    }

    fn turn_away(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        (job, rank): (&str, u16),
        refusal: Refusal,
    ) {
        if self.lines.allows(now_us) {
            info!(job, rank, "worker refused: {refusal}");
        }
        self.refuse(conn, refusal);
    }

    /// Checks a join by itself. Returns the worker, and the operations that it brings along.
    fn checked(
        &self,
        conn: ConnectionId,
        mut join: Join,
    ) -> Result<(Newcomer, Vec<Brought>), Refusal> {
        let Connection { challenge, path, .. } = &self.connections[&conn];
        // R-CTRL-15: a worker knows the smallest number of shards on its way, and shares no memory
        // over one.
        let shards = path.iter().map(|hop| hop.udp_ports.len()).fold(self.shards.len(), usize::min);
        join.shares_memory &= path.is_empty();
        admit::check(&join, &self.limits, shards)?;
        let token = admit::token(&join, challenge, &self.tokens)?;
        self.may_go_on(&join)?;
        let brought = std::mem::take(&mut join.operations);
        Ok((Newcomer { join, token, operations: Operations::default() }, brought))
    }

    /// R-OP-41: a worker waits until its operations are admitted.
    fn load(&mut self, now_us: u64, conn: ConnectionId, newcomer: Newcomer, loading: Loading) {
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.role = Role::Loading;
            connection.loading = Some(newcomer.into());
            connection.last_sent_us = now_us;
            self.output.push_back(Output::Load(conn, loading));
        }
        self.plan(conn);
    }

    /// Takes in a worker whose operations have been admitted, or refuses it with them
    /// ([`Output::Load`]). `entropy` is as in [`handle`](Self::handle).
    pub fn loaded(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        loaded: Loaded,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) {
        // It may have gone meanwhile.
        let connection = self.connections.get_mut(&conn);
        let Some(newcomer) = connection.and_then(|connection| connection.loading.take()) else {
            return;
        };
        let (job, rank) = (newcomer.join.job.clone(), newcomer.join.rank);
        let taken = loaded.and_then(|operations| {
            // The job may have gone on without it meanwhile.
            self.may_go_on(&newcomer.join)?;
            if operations.keep_state() {
                admit::state(&newcomer.join)?;
            }
            let newcomer = Newcomer { operations, ..*newcomer };
            self.enter_job(now_us, conn, newcomer, plane, entropy)
        });
        if let Err(refusal) = taken {
            self.turn_away(now_us, conn, (&job, rank), refusal);
        }
    }

    fn enter_job(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        newcomer: Newcomer,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) -> Result<(), Refusal> {
        let (job, rank) = (newcomer.join.job.clone(), newcomer.join.rank);
        let key = self.take(now_us, conn, newcomer)?;
        debug!(job, rank, "worker joined");
        self.formed_or_waiting(key, conn, plane, entropy);
        Ok(())
    }

    /// Puts a worker into its job, which the first one founds (R-CTRL-1).
    fn take(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        newcomer: Newcomer,
    ) -> Result<JobKey, Refusal> {
        let Connection { peer_ip: ip, path, .. } = &self.connections[&conn];
        let Newcomer { join, token, operations } = newcomer;
        let (rank, name) = (join.rank, join.job.clone());
        let connection = Some(conn);
        let member = Member { connection, ip: *ip, path: path.clone(), join, token, operations };
        let key = match self.names.get(&name) {
            Some(&key) => key,
            None if self.names.len() >= usize::from(self.limits.jobs) => {
                return Err(Refusal::TooManyJobs { limit: self.limits.jobs });
            }
            None => {
                let forming_us = match &member.join.resume {
                    None => micros(self.limits.forming),
                    // R-RES-3: each has noticed the loss within the time-out.
                    Some(_) => member
                        .join
                        .timeout_ms
                        .saturating_mul(2_000)
                        .min(micros(self.limits.forming)),
                };
                let mut job = Job::new(name.clone(), now_us, now_us.saturating_add(forming_us));
                job.add(rank, member)?;
                return Ok(self.found(name, job, conn, rank, now_us));
            }
        };
        if let Some(job) = self.jobs.get_mut(&key) {
            job.add(rank, member)?;
        }
        self.enter(conn, key, rank, now_us);
        Ok(key)
    }

    fn found(
        &mut self,
        name: String,
        job: Job,
        conn: ConnectionId,
        rank: u16,
        now_us: u64,
    ) -> JobKey {
        let key = JobKey(self.next_job);
        self.next_job += 1;
        self.jobs.insert(key, job);
        self.names.insert(name, key);
        self.enter(conn, key, rank, now_us);
        key
    }

    fn enter(&mut self, conn: ConnectionId, job: JobKey, rank: u16, now_us: u64) {
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.role = Role::Worker { job, rank };
            connection.last_sent_us = now_us;
        }
        self.plan(conn);
    }
}
