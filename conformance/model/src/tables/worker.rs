//! A worker of a table.

use std::sync::Arc;

use netfold_wire::{Ecn, Integrity, TablePacket, TableRepr};
use netfold_worker::keyed::{Client, ClientProgress, Kept};

use super::TableRule;
use super::job::TableJob;
use crate::network::digest;

/// Longest datagram of a model.
pub(super) const DATAGRAM_BYTES: usize = 4096;

/// All of a worker that tells one state from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub(super) progress: ClientProgress,
    /// It pushes no more: it has replayed, or the job is over.
    pub(super) stopped: bool,
    /// Servers to which it has replayed what it keeps, a bit for each.
    pub(super) replayed: u64,
    /// The plane that it pushes to.
    pub(super) plane: usize,
}

/// A worker.
#[derive(Clone)]
pub(super) struct Worker {
    client: Client,
    view: View,
    digest: u64,
}

impl Worker {
    /// A worker that has made all its pushes to a plane, and sent nothing.
    pub(super) fn new(
        job: &TableJob,
        worker: u16,
        plane: usize,
        broken: Option<TableRule>,
    ) -> Self {
        let ahead = u32::from(broken == Some(TableRule::Window));
        let mut client = Client::new(job.client_config(worker, plane))
            .with_registers(job.most_outstanding() + ahead);
        for (number, ranks) in job.pushes(worker, plane) {
            let row = job.row(worker, number).to_le_bytes();
            client.push(ranks, &row.repeat(ranks.len()));
        }
        let view = View { progress: client.progress(), stopped: false, replayed: 0, plane };
        Self { client, digest: digest(&view), view }
    }

    pub(super) fn view(&self) -> &View {
        &self.view
    }

    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    fn changed(&mut self) {
        self.view.progress = self.client.progress();
        self.digest = digest(&self.view);
    }

    /// Sends what is due.
    pub(super) fn drain(&mut self, job: &TableJob, now_us: u64) -> Vec<Arc<[u8]>> {
        let mut buffer = vec![0; DATAGRAM_BYTES];
        let mut sent = Vec::new();
        while !self.view.stopped
            && let Some((len, _)) = self.client.poll_transmit(now_us, &mut buffer, 1)
        {
            sent.push(renumbered(&buffer[..len], |number| job.on_the_wire(number)).into());
        }
        self.changed();
        sent
    }

    pub(super) fn handle(
        &mut self,
        job: &TableJob,
        now_us: u64,
        datagram: &[u8],
        broken: Option<TableRule>,
    ) -> Vec<Arc<[u8]>> {
        let datagram = renumbered(datagram, |number| job.own_number(number));
        self.client.handle(now_us, &datagram, Ecn::Clear);
        if broken == Some(TableRule::Keep) {
            let made = self.client.made();
            self.client.note_stored(u64::MAX, made);
        }
        self.drain(job, now_us)
    }

    /// Returns whether it may take the acknowledgement of a push, now or later.
    pub(super) fn awaits(&self, job: &TableJob, number: u32) -> bool {
        !self.view.progress.is_acknowledged(job.own_number(number))
    }

    /// Looks at its timers.
    pub(super) fn look(&mut self, job: &TableJob, now_us: u64) -> Vec<Arc<[u8]>> {
        self.client.handle_timeout(now_us);
        self.drain(job, now_us)
    }

    pub(super) fn poll_timeout(&mut self) -> Option<u64> {
        if self.view.stopped { None } else { self.client.poll_timeout() }
    }

    /// Hears from the server of `parts` what it has stored.
    pub(super) fn tell(&mut self, parts: u64, before: u32) {
        self.client.note_stored(parts, before);
        self.changed();
    }

    /// Pushes no more.
    pub(super) fn stop(&mut self) {
        self.view.stopped = true;
        self.changed();
    }

    /// Replays what it keeps for a server (R-KEY-10), with the numbers that the switch has seen.
    pub(super) fn replay(&mut self, job: &TableJob, server: u16) -> Vec<Kept> {
        self.view.replayed |= 1 << server;
        self.stop();
        let kept = self.client.kept(job.parts(server));
        kept.map(|kept| Kept { number: job.on_the_wire(kept.number), ..kept }).collect()
    }
}

/// A push, or its acknowledgement, with another number.
fn renumbered(datagram: &[u8], number: impl FnOnce(u32) -> u32) -> Vec<u8> {
    let packet = TablePacket::new_checked(datagram).expect("machines send packets");
    let repr = TableRepr { sequence: number(packet.repr.sequence), ..packet.repr };
    let mut renumbered = datagram.to_vec();
    repr.seal(&Integrity::Transport, &mut renumbered);
    renumbered
}
