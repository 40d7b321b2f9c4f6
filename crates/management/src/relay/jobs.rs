//! The jobs that the root starts and of which workers are below this switch (R-CTRL-16, R-CTRL-17).

use core::net::SocketAddr;
use std::collections::BTreeMap;

use netfold_switch::Operations;
use netfold_wire::{IntegrityKind, Terms};
use tracing::{info, warn};

use super::Relay;
use super::pair::{Pair, Worker};
use crate::failure::Loss;
use crate::message::{Message, Welcome, reach};
use crate::plane::{Admission, DataPlane, Parent};
use crate::registry::ConnectionId;
use crate::token::{Token, integrity};
use crate::tree::{self, Member, Standing};

/// An epoch of a job, which the data plane runs.
pub(super) struct JobEpoch {
    /// Name of the job.
    pub(super) name: String,
    pub(super) id: u32,
    pub(super) members: Vec<Member>,
    /// The operations of users that it may fold by.
    pub(super) operations: Operations,
    /// Connections of workers that are in it.
    pub(super) workers: usize,
}

impl Relay {
    /// R-CTRL-17: a welcome has come. When as many workers below have theirs as the root says, the
    /// job is taken in.
    pub(super) fn welcomed(&mut self, down: ConnectionId, plane: &mut dyn DataPlane) {
        let Some(worker) = self.pairs.get(&down).and_then(|pair| pair.worker.as_ref()) else {
            return;
        };
        let Some(welcome) = worker.welcome.clone() else { return };
        let (flows, key) = (welcome.shards.len(), (welcome.job, welcome.epoch));
        let runs = self.epochs.get(&welcome.job).is_some_and(|epoch| epoch.id == welcome.epoch);
        let usable = !runs && (1..=self.switch.shards.len()).contains(&flows);
        let Some(&below) = welcome.below.first().filter(|_| usable) else {
            let what =
                "its welcome leaves this switch or the worker out, or has more flows than there are shards".to_owned();
            return self.lose_parent(down, Loss::Misbehaved { what }, plane);
        };
        let held = self.held.entry(key).or_default();
        held.insert(down);
        if held.len() == usize::from(below) {
            let ranked = |conn: &ConnectionId| {
                Some((self.pairs.get(conn)?.worker.as_ref()?.join.rank, *conn))
            };
            let workers = held.iter().filter_map(ranked).collect();
            self.take_in(&welcome, &workers, plane);
        }
    }

    /// Takes a job in, and passes the welcomes on; or tells the root that it cannot, upon which the
    /// job fails.
    fn take_in(
        &mut self,
        welcome: &Welcome,
        workers: &BTreeMap<u16, ConnectionId>,
        plane: &mut dyn DataPlane,
    ) {
        // R-CTRL-17: the root gives a number again only when the epoch that had it is over.
        if let Some(former) = self.epochs.get(&welcome.job).map(|epoch| epoch.id) {
            self.end_epoch(welcome.job, former, plane);
        }
        let flows = welcome.shards.len();
        let pairs = || workers.values().filter_map(|conn| self.pairs.get(conn));
        let members = tree::members(pairs().filter_map(Pair::comer), flows as u16);
        let Some((pair, worker)) = pairs().find_map(|pair| Some((pair, pair.worker.as_ref()?)))
        else {
            return;
        };
        let (name, up) = (worker.join.job.clone(), pair.up);
        let operations = worker.operations.clone();
        let admitted = self.admission(welcome, pair, worker, &members).and_then(|admission| {
            plane.admit(&admission).map_err(|error| error.to_string())?;
            // R-KEY-17: servers read the switch that has no parent in the job.
            let parent = admission.parent.filter(|_| admission.terms.table.is_some());
            Ok(parent.and_then(|parent| welcome.table_top.or(parent.shards.first().copied())))
        });
        let table_top = match admitted {
            Ok(table_top) => table_top,
            Err(reason) => {
                warn!(job = ?name, "a job that the root has started cannot run here: {reason}");
                // One worker's word is enough: the root fails the job for all.
                if let Some(up) = up {
                    self.send(up, Message::Unable { switch: self.switch.at, reason });
                }
                return;
            }
        };
        info!(job = ?name, number = welcome.job, workers = workers.len(), of = welcome.workers, "job runs");
        let groups = tree::groups(&members);
        self.epochs.insert(
            welcome.job,
            JobEpoch { name, id: welcome.epoch, members, operations, workers: workers.len() },
        );
        self.held.remove(&(welcome.job, welcome.epoch));
        for conn in workers.values() {
            self.pass_welcome(*conn, &groups, table_top);
        }
    }

    /// Passes on a worker's welcome, and the root's messages since then.
    fn pass_welcome(
        &mut self,
        down: ConnectionId,
        groups: &[SocketAddr],
        table_top: Option<SocketAddr>,
    ) {
        let Some(worker) = self.pairs.get_mut(&down).and_then(|pair| pair.worker.as_mut()) else {
            return;
        };
        let Some(mut welcome) = worker.welcome.clone() else { return };
        worker.runs = true;
        welcome.below.remove(0);
        welcome.shards = self.switch.shards[..welcome.shards.len()].to_vec();
        welcome.groups = groups.to_vec();
        welcome.table_top = table_top;
        let held = std::mem::take(&mut worker.held);
        self.send(down, Message::Welcome(welcome.into()));
        held.into_iter().for_each(|message| self.send(down, message));
    }

    /// Passes on a welcome that is kept, to an epoch that is over here before it has begun, so that
    /// the worker knows which epoch it goes on from (R-RES-11).
    pub(super) fn pass_late_welcome(&mut self, down: ConnectionId) {
        if self.pairs.get(&down).and_then(|pair| pair.worker.as_ref()).is_some_and(Worker::is_held)
        {
            self.unhold(down);
            self.pass_welcome(down, &[], None);
        }
    }

    /// Lets the welcome of a worker wait for no others any more.
    pub(super) fn unhold(&mut self, down: ConnectionId) {
        if let Some(key) = self.pairs.get(&down).and_then(Pair::held_in)
            && let Some(held) = self.held.get_mut(&key)
        {
            held.remove(&down);
            if held.is_empty() {
                self.held.remove(&key);
            }
        }
    }

    /// Returns the admission of a job for the data plane, or the reason for which it cannot run
    /// here.
    fn admission(
        &self,
        welcome: &Welcome,
        pair: &Pair,
        worker: &Worker,
        members: &[Member],
    ) -> Result<Admission, String> {
        let proven = |token: &&Token| {
            let known = worker.join.proof.as_ref().zip(pair.challenge.as_ref());
            known.is_some_and(|(proof, challenge)| token.accepts(challenge, proof))
        };
        let token = self.switch.tokens.iter().find(proven);
        if welcome.integrity == IntegrityKind::Token && token.is_none() {
            return Err("its packets are fenced with a token that this switch does not have; start it with the NETFOLD_TOKEN of its parent".into());
        }
        let terms = Terms::try_from(&worker.join.terms).map_err(|refusal| refusal.to_string())?;
        if members.iter().any(|member| member.addresses.len() != welcome.shards.len()) {
            return Err("a worker has fewer ports than the job has flows".into());
        }
        let standing = tree::standing(members, welcome.workers);
        let mut shards = welcome.shards.clone();
        reach(&mut shards, self.switch.parent.ip());
        Ok(Admission {
            operations: worker.operations.clone(),
            job: welcome.job,
            epoch: welcome.epoch,
            workers: welcome.workers,
            slots: welcome.all_slots(),
            exchange_slots: welcome.exchange_slots,
            lent_slots: welcome.lent_slots(),
            payload_bytes: welcome.payload_bytes,
            terms: terms.with_integrity(integrity(welcome.integrity, token, welcome.epoch)),
            flows: welcome.shards.len() as u16,
            members: members.to_vec(),
            parent: match standing {
                Standing::Leaf { name } => Some(Parent { name, shards }),
                Standing::Top | Standing::Idle => None,
            },
            groups: tree::groups(members),
            ticket: None,
            elsewhere: standing == Standing::Idle,
        })
    }

    /// The epoch of a connection is over.
    pub(super) fn end_epoch_of(&mut self, down: ConnectionId, plane: &mut dyn DataPlane) {
        if let Some((job, id)) = self.pairs.get(&down).and_then(Pair::epoch) {
            self.end_epoch(job, id, plane);
        }
    }

    /// An epoch is over: its memory is free.
    pub(super) fn end_epoch(&mut self, job: u16, id: u32, plane: &mut dyn DataPlane) {
        if self.epochs.get(&job).is_some_and(|epoch| epoch.id == id)
            && let Some(epoch) = self.epochs.remove(&job)
        {
            info!(job = ?epoch.name, number = job, "job ended");
            plane.release(job);
        }
    }
}
