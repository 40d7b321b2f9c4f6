//! Messages of workers, of those that ask, and of the root, as a relay passes them on.

use core::net::SocketAddr;

use netfold_switch::Operations;
use netfold_wire::VERSION;
use tracing::info;

use super::Relay;
use super::pair::{MAX_HELD, Worker};
use crate::drain;
use crate::failure::{Loss, Refusal, clip};
use crate::message::{Join, Message, Query, reach};
use crate::operations::Loading;
use crate::plane::DataPlane;
use crate::registry::{ConnectionId, Output};
use crate::report::Report;
use crate::token::Proof;
use crate::tree::{Hop, checked_path};

impl Relay {
    /// Passes up a worker's messages, but for what is between it and this switch.
    pub(super) fn hear_below(
        &mut self,
        now_us: u64,
        down: ConnectionId,
        message: Message,
        plane: &mut dyn DataPlane,
    ) {
        let Some(pair) = self.pairs.get_mut(&down) else { return };
        match (&pair.worker, message) {
            (None, Message::Greet { path }) if pair.up.is_none() => {
                self.greeted(now_us, down, path)
            }
            (None, Message::Join(mut join))
                if pair.challenge.is_some() && pair.loading.is_none() =>
            {
                // R-CTRL-15, R-CTRL-20
                join.max_datagram = join.max_datagram.min(self.switch.max_datagram);
                let memory = plane.spare().share();
                join.memory = Some(join.memory.map_or(memory, |below| below.min(memory)));
                self.admit(now_us, down, *join);
            }
            (None, Message::Heartbeat) if pair.loading.is_some() => {}
            // Another switch on the way admits what the worker has brought along (R-OP-40).
            (None, Message::Heartbeat) if !pair.path.is_empty() => {
                self.pass_up(down, Message::Heartbeat);
            }
            (None, Message::Query { what: Query::Stats }) => {
                let report = Report::Stats(self.own_stats(plane));
                self.send(down, Message::Report { report });
                self.close(down, plane);
            }
            (None, Message::Query { what }) => {
                pair.asked = Some(what);
                self.pass_up(down, Message::Query { what });
            }
            (None, Message::Drain { proof }) if pair.path.is_empty() => {
                self.drain(now_us, down, proof.as_ref(), plane);
            }
            (None, Message::AdmitQuery(_)) if pair.path.is_empty() => {
                self.refuse(down, Refusal::QueryAtRackSwitch { switch: self.switch.at });
            }
            (Some(_), Message::Heartbeat) => {}
            (Some(_), Message::Leave { calls }) => {
                // The root closes its connection when it has taken note, and then this switch the
                // worker's.
                pair.leaves = true;
                self.pass_up(down, Message::Leave { calls });
            }
            (
                Some(_),
                message @ (Message::Description { .. }
                | Message::Incident { .. }
                | Message::InProgress { .. }),
            ) => self.pass_up(down, message),
            (Some(_), message @ Message::Examined { .. }) if !pair.path.is_empty() => {
                self.pass_up(down, message)
            }
            (Some(_), Message::Lost { why }) if !pair.path.is_empty() => {
                self.lost(down, why.clipped(), plane);
            }
            (Some(_), Message::Unable { mut switch, reason }) if !pair.path.is_empty() => {
                reach([&mut switch], pair.peer_ip);
                self.pass_up(down, Message::Unable { switch, reason });
            }
            (_, unexpected) => {
                let what =
                    format!("it sent a message that has no place here ({})", unexpected.kind());
                self.lose_below(down, Loss::Misbehaved { what }, plane);
            }
        }
    }

    /// R-OP-40: has what a worker brings along admitted, before its join is passed up.
    fn admit(&mut self, now_us: u64, down: ConnectionId, join: Join) {
        if join.operations.is_empty() {
            return self.pass_join(now_us, down, join, Operations::default());
        }
        match Loading::new(join.operations.clone(), self.loader.as_ref()) {
            Ok(loading) => {
                if let Some(pair) = self.pairs.get_mut(&down) {
                    pair.below.sent_us = now_us;
                    pair.loading = Some(join.into());
                    self.output.push_back(Output::Load(down, loading));
                }
                self.plan(down);
            }
            Err(refusal) => self.refuse(down, self.own_refusal(&refusal)),
        }
    }

    pub(super) fn own_refusal(&self, refusal: &Refusal) -> Refusal {
        Refusal::OperationAt { switch: self.switch.at, reason: clip(&refusal.to_string()) }
    }

    pub(super) fn pass_join(
        &mut self,
        now_us: u64,
        down: ConnectionId,
        mut join: Join,
        operations: Operations,
    ) {
        let Some(pair) = self.pairs.get_mut(&down) else { return };
        let brought = std::mem::take(&mut join.operations);
        pair.enter(now_us, Worker::new(join.clone(), operations));
        self.plan(down);
        self.pass_up(down, Message::Join(Join { operations: brought, ..join }.into()));
    }

    /// R-CTRL-21: a client would have this switch stop.
    pub(super) fn drain(
        &mut self,
        now_us: u64,
        down: ConnectionId,
        proof: Option<&Proof>,
        plane: &mut dyn DataPlane,
    ) {
        // The root says hello before a client knows over what to prove anything.
        let Some((pair, challenge)) =
            self.pairs.get(&down).and_then(|pair| Some((pair, pair.challenge?)))
        else {
            return;
        };
        info!(peer = %pair.peer_ip, "asked to hand the tables over, and to stop");
        let refusal = drain::refusal(pair.peer_ip, &challenge, proof, &self.switch.tokens);
        let taken = refusal.map_or_else(|| self.drain.ask(now_us, down, plane), Err);
        if let Err(refusal) = taken {
            self.refuse(down, refusal);
        }
    }

    /// R-CTRL-14: passes on a peer from below, with this switch at the end of its path.
    fn greeted(&mut self, now_us: u64, down: ConnectionId, path: Vec<Hop>) {
        let Some(pair) = self.pairs.get_mut(&down) else { return };
        let switch = &self.switch;
        if path.iter().any(|hop| hop.id == switch.id) {
            return self.refuse(down, Refusal::Circle { switch: switch.at });
        }
        let mut path = match checked_path(path, pair.peer_ip) {
            Ok(path) => path,
            Err(refusal) => return self.refuse(down, refusal),
        };
        let up = ConnectionId::dialed(self.dialed);
        self.dialed += 1;
        pair.path = path.clone();
        pair.dial(now_us, up);
        self.below.insert(up, down);
        path.push(Hop {
            id: switch.id,
            at: switch.at,
            udp_ports: switch.shards.iter().map(SocketAddr::port).collect(),
            receive_buffer: self.limits.receive_buffer,
        });
        self.output.push_back(Output::Dial(up));
        self.send(up, Message::Greet { path });
        self.plan(down);
    }

    /// Passes down the parent's messages, but for what this switch has a part in.
    pub(super) fn hear_parent(
        &mut self,
        now_us: u64,
        down: ConnectionId,
        message: Message,
        plane: &mut dyn DataPlane,
    ) {
        let Some(pair) = self.pairs.get_mut(&down) else { return };
        match (&mut pair.worker, message) {
            (_, Message::Heartbeat) => {}
            (None, Message::Hello { version: VERSION, challenge, shards, .. })
                if pair.challenge.is_none() =>
            {
                pair.challenge = Some(challenge);
                // R-CTRL-15
                let shards = shards.min(self.switch.shards.len() as u16);
                self.send(
                    down,
                    Message::Hello { version: VERSION, challenge, shards, shared_memory: None },
                );
            }
            (None, Message::Hello { version, .. }) if pair.challenge.is_none() => {
                self.refuse(down, Refusal::Version { switch: version, worker: VERSION });
            }
            (None, Message::Report { report }) => {
                if let Some(what) = pair.asked {
                    let report = self.report(now_us, what, report, plane);
                    self.send(down, Message::Report { report });
                }
                self.close(down, plane);
            }
            (Some(_), Message::Examine { switch }) if switch == self.switch.id => {
                let findings = self.examined(now_us, down, plane);
                self.pass_up(down, Message::Examined { switch, findings });
            }
            (Some(_), message @ Message::Examine { .. }) if !pair.path.is_empty() => {
                self.send(down, message)
            }
            (_, message @ Message::Refused { .. }) => {
                self.send(down, message);
                self.close(down, plane);
            }
            (Some(worker), Message::Failed { cause }) => {
                let survived =
                    cause.survived(worker.join.terms.elastic, worker.join.terms.resumable);
                pair.survives = worker.welcome.is_some() && survived.is_some();
                let survives = pair.survives;
                if survives {
                    self.pass_late_welcome(down);
                }
                self.end_epoch_of(down, plane);
                self.send(down, Message::Failed { cause });
                if !survives {
                    self.close(down, plane);
                }
            }
            (Some(worker), Message::Welcome(welcome)) if worker.welcome.is_none() => {
                worker.welcome = Some(*welcome);
                self.welcomed(down, plane);
            }
            (
                Some(worker),
                message @ (Message::Waiting(_)
                | Message::Left { .. }
                | Message::Describe { .. }
                | Message::AskInProgress { .. }),
            ) if !worker.is_held() => self.send(down, message),
            (
                Some(worker),
                message @ (Message::Left { .. }
                | Message::Describe { .. }
                | Message::AskInProgress { .. }),
            ) if worker.held.len() < MAX_HELD => {
                worker.held.push(message);
            }
            (_, unexpected) => {
                let what =
                    format!("it sent a message that has no place here ({})", unexpected.kind());
                self.lose_parent(down, Loss::Misbehaved { what }, plane);
            }
        }
    }
}
