//! The state machine of a switch below another: it passes on what workers and root say, and takes
//! in the jobs that the root starts (R-CTRL-14 to 19).

mod heard;
mod jobs;
mod pair;
mod report;
#[cfg(test)]
mod tests;

use core::net::{IpAddr, SocketAddr};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use netfold_switch::OperationLoader;
use tracing::{debug, info};

use self::jobs::JobEpoch;
use self::pair::{Pair, Side};
use crate::agenda::Agenda;
use crate::drain::Drain;
use crate::failure::{Failure, Loss, Refusal};
use crate::limits::Limits;
use crate::management::{Management, Uplink};
use crate::message::Message;
use crate::operations::Loaded;
use crate::plane::{Cause, DataPlane, Incident};
use crate::registry::{ConnectionId, Output};
use crate::report::StatsReport;
use crate::status::operation_reports;
use crate::token::{Challenge, Token};
use crate::trapped::Trapped;

/// Settings of a switch below another, and its knowledge of its way up.
#[derive(Clone, Debug)]
pub struct RackSwitch {
    /// Its identity in greetings: random, and another at each start.
    pub id: u64,
    /// Address at which it listens for connections.
    pub at: SocketAddr,
    /// Name by which it looks for its parent: `HOST:PORT`.
    pub parent_name: String,
    /// Address at which the parent listens, as far as is known.
    pub parent: SocketAddr,
    /// UDP addresses of its shards.
    pub shards: Vec<SocketAddr>,
    /// Bytes of UDP payload that fit its path to the parent.
    pub max_datagram: u32,
    /// The tokens that jobs may carry: with integrity by token it needs the job's key (R-PKT-3).
    pub tokens: Vec<Token>,
}

/// Connections of workers and of those that ask, each with one of its own to the parent
/// (R-CTRL-14), without I/O.
///
/// It is driven as [`Registry`](crate::Registry) is ([`Management`]); besides, it asks with
/// [`Output::Dial`] for connections to the parent.
pub struct Relay {
    limits: Limits,
    switch: RackSwitch,
    /// Admits operations of users; `None` if the switch runs none.
    loader: Option<Arc<dyn OperationLoader>>,
    /// By the connection from below.
    pairs: BTreeMap<ConnectionId, Pair>,
    /// For each connection to the parent the one from below.
    below: BTreeMap<ConnectionId, ConnectionId>,
    /// Times at which there is something to do for a connection from below or its way up.
    agenda: Agenda<ConnectionId>,
    /// By number and epoch the workers that are welcome in a job which waits for others of this
    /// switch (R-CTRL-17).
    held: BTreeMap<(u16, u32), BTreeSet<ConnectionId>>,
    /// The jobs that the data plane runs, by number.
    epochs: BTreeMap<u16, JobEpoch>,
    /// Operations that have ended their jobs here.
    trapped: Trapped,
    dialed: u64,
    /// A drain that was asked for.
    drain: Drain,
    output: VecDeque<Output>,
}

impl Relay {
    /// A relay without connections.
    ///
    /// # Panics
    /// If the switch has no shards.
    pub fn new(limits: Limits, switch: RackSwitch) -> Self {
        assert!(!switch.shards.is_empty(), "a switch has shards");
        Self {
            limits,
            switch,
            loader: None,
            pairs: BTreeMap::new(),
            below: BTreeMap::new(),
            agenda: Agenda::default(),
            held: BTreeMap::new(),
            epochs: BTreeMap::new(),
            trapped: Trapped::default(),
            dialed: 0,
            drain: Drain::default(),
            output: VecDeque::new(),
        }
    }

    /// Passes on workers with operations of users that a loader admits (R-OP-40).
    pub fn run_operations(mut self, loader: Arc<dyn OperationLoader>) -> Self {
        self.loader = Some(loader);
        self
    }
}

impl Management for Relay {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn uplink(&self) -> Option<Uplink> {
        // From where the shards are, so that the parent finds them at the address of the
        // connection.
        Some(Uplink { parent: self.switch.parent_name.clone(), local: self.switch.shards[0].ip() })
    }

    fn found_parent(&mut self, parent: SocketAddr) {
        self.switch.parent = parent;
    }

    fn connected(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        peer_ip: IpAddr,
        _challenge: Challenge,
    ) {
        // It proves its token over the root's challenge.
        let full = self.pairs.len() >= self.limits.connections;
        self.pairs.insert(conn, Pair::new(now_us, peer_ip));
        self.plan(conn);
        if full {
            self.refuse(conn, Refusal::TooManyConnections { limit: self.limits.connections });
        }
    }

    fn handle(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        message: Message,
        plane: &mut dyn DataPlane,
        _entropy: u128,
    ) {
        if let Some(&down) = self.below.get(&conn) {
            let Some(pair) = self.pairs.get_mut(&down) else { return };
            pair.above.heard_us = now_us;
            self.hear_parent(now_us, down, message, plane);
        } else if let Some(pair) = self.pairs.get_mut(&conn) {
            pair.below.heard_us = now_us;
            self.hear_below(now_us, conn, message, plane);
        }
    }

    fn disconnected(
        &mut self,
        _now_us: u64,
        conn: ConnectionId,
        why: Loss,
        plane: &mut dyn DataPlane,
    ) {
        match self.below.get(&conn) {
            Some(&down) => self.lose_parent(down, why, plane),
            None => {
                // R-CTRL-18: a rack switch says how it has lost a worker, so one that does not has
                // gone itself.
                let hop = self.pairs.get(&conn).and_then(|pair| pair.path.last());
                let why = match (why, hop) {
                    (Loss::Closed, Some(hop)) => Loss::SwitchGone { switch: hop.at },
                    (why, _) => why,
                };
                self.lose_below(conn, why, plane);
            }
        }
    }

    fn loaded(
        &mut self,
        now_us: u64,
        down: ConnectionId,
        loaded: Loaded,
        _plane: &mut dyn DataPlane,
        _entropy: u128,
    ) {
        let pair = self.pairs.get_mut(&down);
        // It may have gone meanwhile.
        let Some(join) = pair.and_then(|pair| pair.loading.take()) else { return };
        match loaded {
            Ok(operations) => self.pass_join(now_us, down, *join, operations),
            Err(refusal) => self.refuse(down, self.own_refusal(&refusal)),
        }
    }

    fn incident(&mut self, _now_us: u64, incident: Incident, plane: &mut dyn DataPlane) {
        // R-CTRL-18
        let Incident { job, epoch, position, slot, shard, cause } = incident;
        let concerned = self.pairs.values().find(|pair| pair.epoch() == Some((job, epoch)));
        if let (Cause::Trap { operation, why, .. }, Some(loader)) = (cause, &self.loader)
            && let Some(worker) = concerned.and_then(|pair| pair.worker.as_ref())
            && let Some(trapped) = worker.operations.get(usize::from(operation))
        {
            loader.trapped(trapped.hash(), why);
            let (of, one) = ((job, &*worker.join.job), [(operation, &**trapped)]);
            for report in operation_reports(of, one.into_iter(), &plane.status()) {
                self.trapped.keep(report);
            }
        }
        match concerned.and_then(|pair| pair.up) {
            Some(up) => self.send(up, Message::Incident { shard, slot, position, cause }),
            None => debug!(?incident, "incident in a job that has ended"),
        }
    }

    fn handle_timeout(&mut self, now_us: u64, plane: &mut dyn DataPlane) {
        let due = self.agenda.take_due(now_us);
        for &down in &due {
            let expired = self.pairs.get(&down).and_then(|pair| pair.expired(now_us, &self.limits));
            let Some((side, for_ms)) = expired else { continue };
            let why = Loss::Silent { for_ms };
            match side {
                Side::Below => self.lose_below(down, why, plane),
                Side::Above => self.lose_parent(down, why, plane),
            }
        }
        for down in due {
            self.send_heartbeats(now_us, down);
            self.plan(down);
        }
        if self.drain.is_due(now_us) {
            self.output.extend(self.drain.news(&self.tables_left(plane)));
        }
    }

    fn poll_timeout(&self) -> Option<u64> {
        self.agenda.next_us().into_iter().chain(self.drain.poll_timeout()).min()
    }

    fn poll_output(&mut self) -> Option<Output> {
        self.output.pop_front()
    }

    fn stats(&self, plane: &mut dyn DataPlane) -> StatsReport {
        self.own_stats(plane)
    }

    fn stop(&mut self, plane: &mut dyn DataPlane) {
        info!(connections = self.pairs.len(), "the switch is stopping");
        let left = self.tables_left(plane);
        self.output.extend(self.drain.end(left));
        let gone = Loss::SwitchGone { switch: self.switch.at };
        for down in self.pairs.keys().copied().collect::<Vec<_>>() {
            if self.pairs[&down].worker.is_some() {
                self.pass_up(down, Message::Lost { why: gone.clone() });
            }
            self.fail(down, Refusal::SwitchStopping, Failure::SwitchStopping, plane);
        }
    }
}

impl Relay {
    /// Plans the time at which there is something to do for a pair, whatever is heard until then.
    fn plan(&mut self, down: ConnectionId) {
        self.agenda.set(down, self.pairs.get(&down).map(|pair| pair.next_due_us(&self.limits)));
    }

    /// Lets either end of a pair hear from this switch, if it is its turn.
    fn send_heartbeats(&mut self, now_us: u64, down: ConnectionId) {
        let Some(pair) = self.pairs.get_mut(&down) else { return };
        let Some(timeout_us) = pair.heartbeats_us(&self.limits) else { return };
        let mut due = Vec::new();
        let up = pair.up;
        for (line, conn) in [(&mut pair.below, Some(down)), (&mut pair.above, up)] {
            if line.heartbeat_due_us(timeout_us) <= now_us {
                line.sent_us = now_us;
                due.extend(conn);
            }
        }
        for conn in due {
            self.send(conn, Message::Heartbeat);
        }
    }

    /// R-CTRL-18: the connection from below is gone. A switch there would have said how it had lost
    /// a worker, so one that has not has gone itself.
    fn lose_below(&mut self, down: ConnectionId, why: Loss, plane: &mut dyn DataPlane) {
        let why = match (why, self.pairs.get(&down).and_then(|pair| pair.path.last())) {
            (Loss::Closed, Some(hop)) => Loss::SwitchGone { switch: hop.at },
            (why, _) => why,
        };
        self.lost(down, why, plane);
    }

    /// Handles the loss of a connection from below that has gone without leave.
    fn lost(&mut self, down: ConnectionId, why: Loss, plane: &mut dyn DataPlane) {
        let Some(pair) = self.pairs.get(&down).filter(|pair| !pair.leaves) else { return };
        let worker = pair.worker.as_ref().map(|worker| (worker.join.job.clone(), worker.join.rank));
        if let Some((job, rank)) = worker {
            info!(?job, rank, "worker lost: {why}");
            self.pass_up(down, Message::Lost { why: why.clone() });
            // A worker that is only slow should know why it is out.
            if let Loss::Silent { for_ms } = why {
                return self.fail(
                    down,
                    Refusal::Silent { for_ms },
                    Failure::Expelled { rank, why },
                    plane,
                );
            }
        }
        self.close(down, plane);
    }

    /// R-CTRL-18: the way to the parent is gone.
    fn lose_parent(&mut self, down: ConnectionId, why: Loss, plane: &mut dyn DataPlane) {
        if self.pairs.get(&down).is_some_and(|pair| pair.leaves || pair.survives) {
            return self.close(down, plane);
        }
        let RackSwitch { at: switch, parent, .. } = self.switch;
        info!(%parent, "the parent is lost: {why}");
        self.end_epoch_of(down, plane);
        let refusal = Refusal::NoParent { switch, parent, why: why.clone() };
        self.fail(down, refusal, Failure::ParentLost { switch, parent, why }, plane);
    }

    /// Ends a connection with a word that its peer understands: a worker in a running job hears of
    /// a failure.
    fn fail(
        &mut self,
        down: ConnectionId,
        refusal: Refusal,
        failure: Failure,
        plane: &mut dyn DataPlane,
    ) {
        let Some(pair) = self.pairs.get(&down) else { return };
        let runs = pair.worker.as_ref().is_some_and(|worker| worker.runs);
        let message = if runs {
            Message::Failed { cause: failure }
        } else {
            Message::Refused { reason: refusal }
        };
        self.send(down, message);
        self.close(down, plane);
    }

    /// Sends away a connection that has no worker.
    fn refuse(&mut self, down: ConnectionId, reason: Refusal) {
        self.send(down, Message::Refused { reason });
        self.forget(down);
    }

    /// Closes a connection and its way up, and releases a job that has no other connection here.
    fn close(&mut self, down: ConnectionId, plane: &mut dyn DataPlane) {
        let Some((number, id)) = self.forget(down).and_then(|pair| pair.epoch()) else { return };
        if let Some(epoch) = self.epochs.get_mut(&number).filter(|epoch| epoch.id == id) {
            epoch.workers -= 1;
            if epoch.workers == 0 {
                self.end_epoch(number, id, plane);
            }
        }
    }

    fn forget(&mut self, down: ConnectionId) -> Option<Pair> {
        self.unhold(down);
        let pair = self.pairs.remove(&down)?;
        self.agenda.set(down, None);
        self.drain.forget(down);
        self.output.push_back(Output::Close(down));
        if let Some(up) = pair.up {
            self.below.remove(&up);
            self.output.push_back(Output::Close(up));
        }
        Some(pair)
    }

    fn pass_up(&mut self, down: ConnectionId, message: Message) {
        if let Some(up) = self.pairs.get(&down).and_then(|pair| pair.up) {
            self.send(up, message);
        }
    }

    fn send(&mut self, conn: ConnectionId, message: Message) {
        self.output.push_back(Output::Send(conn, message));
    }
}
