//! The state machine that [`Server`](crate::Server) runs: of a switch without a parent, or of one
//! below another.

use core::net::{IpAddr, SocketAddr};

use crate::failure::Loss;
use crate::limits::Limits;
use crate::message::Message;
use crate::operations::Loaded;
use crate::plane::{DataPlane, Incident};
use crate::registry::{ConnectionId, Output, Registry};
use crate::report::StatsReport;
use crate::token::Challenge;

/// Settings for connections to the parent (R-CTRL-14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uplink {
    /// Address at which the parent listens, as `HOST:PORT`. A name is looked up for each
    /// connection, so that a parent may move.
    pub parent: String,
    /// The address from which to connect: the parent sends to the shards there. Unspecified: the
    /// system chooses.
    pub local: IpAddr,
}

/// A management plane without I/O: a [`Registry`], or a [`Relay`](crate::Relay) on the way to one.
/// The caller owns the sockets and the clock, and takes the outputs after each of these calls until
/// there are none.
pub trait Management: Send {
    /// The limits that it was made with.
    fn limits(&self) -> &Limits;

    /// Returns the settings for [`Output::Dial`]; `None` if it never asks for that.
    fn uplink(&self) -> Option<Uplink>;

    /// Takes the parent's address as of the last look-up of its name.
    fn found_parent(&mut self, parent: SocketAddr);

    /// A connection from `peer_ip` has been accepted. `challenge` must be random and used for
    /// nothing else.
    fn connected(&mut self, now_us: u64, conn: ConnectionId, peer_ip: IpAddr, challenge: Challenge);

    /// A message has come. `entropy` must be random: a job that starts takes its epoch and its
    /// ticket from it.
    fn handle(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        message: Message,
        plane: &mut dyn DataPlane,
        entropy: u128,
    );

    /// A connection has closed, or must be: its peer has sent bytes that are no message, or does
    /// not read.
    fn disconnected(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        why: Loss,
        plane: &mut dyn DataPlane,
    );

    /// The operations that a worker has brought along were admitted or refused, as
    /// [`Output::Load`] has asked for. `entropy` is as in [`handle`](Self::handle).
    fn loaded(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        loaded: Loaded,
        plane: &mut dyn DataPlane,
        entropy: u128,
    );

    /// The data plane has found something wrong in a round.
    fn incident(&mut self, now_us: u64, incident: Incident, plane: &mut dyn DataPlane);

    /// Does what is due at `now_us`: heartbeats, and whatever has run out of time.
    fn handle_timeout(&mut self, now_us: u64, plane: &mut dyn DataPlane);

    /// Returns the time at which [`handle_timeout`](Self::handle_timeout) has something to do next,
    /// in microseconds of the caller's clock.
    fn poll_timeout(&self) -> Option<u64>;

    /// Returns the next output to carry out.
    fn poll_output(&mut self) -> Option<Output>;

    /// Counters and memory.
    fn stats(&self, plane: &mut dyn DataPlane) -> StatsReport;

    /// The switch is going down: everyone is told, every connection closes, all memory is released.
    fn stop(&mut self, plane: &mut dyn DataPlane);
}

impl Management for Registry {
    fn limits(&self) -> &Limits {
        self.limits()
    }

    fn uplink(&self) -> Option<Uplink> {
        None
    }

    fn found_parent(&mut self, _parent: SocketAddr) {}

    fn connected(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        peer_ip: IpAddr,
        challenge: Challenge,
    ) {
        self.connected(now_us, conn, peer_ip, challenge);
    }

    fn handle(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        message: Message,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) {
        self.handle(now_us, conn, message, plane, entropy);
    }

    fn disconnected(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        why: Loss,
        plane: &mut dyn DataPlane,
    ) {
        self.disconnected(now_us, conn, why, plane);
    }

    fn loaded(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        loaded: Loaded,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) {
        self.loaded(now_us, conn, loaded, plane, entropy);
    }

    fn incident(&mut self, now_us: u64, incident: Incident, plane: &mut dyn DataPlane) {
        self.incident(now_us, incident, plane);
    }

    fn handle_timeout(&mut self, now_us: u64, plane: &mut dyn DataPlane) {
        self.handle_timeout(now_us, plane);
    }

    fn poll_timeout(&self) -> Option<u64> {
        self.poll_timeout()
    }

    fn poll_output(&mut self) -> Option<Output> {
        self.poll_output()
    }

    fn stats(&self, plane: &mut dyn DataPlane) -> StatsReport {
        self.stats(plane)
    }

    fn stop(&mut self, plane: &mut dyn DataPlane) {
        self.stop(plane);
    }
}
