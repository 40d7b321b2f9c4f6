//! The shards of a switch, as its management plane sees them.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;
use std::time::Duration;

use netfold_control::{Admission, AdmissionError, DataPlane, JobStatus, ShardStatus, SlotStatus};
use netfold_switch::{self as switch, JobSpec};
use netfold_wire::{Epoch, JobId};

use crate::endpoint::Endpoint;
use crate::mailbox::MailboxSender;
use crate::shard_loop::{self, Command, Members, OnEvent, Snapshot};

/// How long a shard may take to answer. It answers between two batches of packets, which takes microseconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The threads of a switch's shards.
pub(crate) struct Shards {
    senders: Vec<MailboxSender<Command>>,
    threads: Vec<JoinHandle<()>>,
    addresses: Vec<SocketAddr>,
    receive_buffer_bytes: usize,
}

impl Shards {
    /// Opens `cores` sockets, at `address` with the ports from its own on (port 0: any), and starts a shard on each. The shards divide `memory_bytes`
    /// between them. `on_event` makes the handler of a shard's events.
    pub(crate) fn start(
        address: SocketAddr,
        cores: u16,
        memory_bytes: u64,
        on_event: impl Fn(u16) -> OnEvent,
    ) -> io::Result<Self> {
        let mut shards = Self { senders: vec![], threads: vec![], addresses: vec![], receive_buffer_bytes: usize::MAX };
        for index in 0..cores {
            let port = if address.port() == 0 {
                0
            } else {
                address.port().checked_add(index).ok_or(io::ErrorKind::AddrNotAvailable)?
            };
            let endpoint = Endpoint::bind(SocketAddr::new(address.ip(), port))?;
            shards.addresses.push(endpoint.local_addr()?);
            shards.receive_buffer_bytes = shards.receive_buffer_bytes.min(endpoint.receive_buffer_bytes());
            let name = format!("netfold-shard-{index}");
            let (sender, thread) = shard_loop::start(name, endpoint, memory_bytes / u64::from(cores), on_event(index))?;
            shards.senders.push(sender);
            shards.threads.push(thread);
        }
        Ok(shards)
    }

    /// UDP addresses of the shards.
    pub(crate) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Bytes of the smallest receive buffer among the shards' sockets.
    pub(crate) fn receive_buffer_bytes(&self) -> usize {
        self.receive_buffer_bytes
    }

    fn ask<R>(&self, shard: usize, command: impl FnOnce(SyncSender<R>) -> Command) -> Option<R> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.senders[shard].send(command(reply));
        answer.recv_timeout(ANSWER_TIMEOUT).ok()
    }
}

impl Drop for Shards {
    fn drop(&mut self) {
        for sender in &self.senders {
            sender.send(Command::Stop);
        }
        for thread in self.threads.drain(..) {
            // A shard that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

impl DataPlane for Shards {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        let spec = JobSpec {
            job: JobId(job.job),
            epoch: Epoch(job.epoch),
            workers: job.workers,
            slots: job.slots,
            payload_bytes: job.payload_bytes,
            integrity: job.integrity,
        };
        for (shard, members) in job.members.iter().enumerate() {
            let members = Members { each: members.clone(), all: job.groups.get(shard).copied() };
            let answer = self.ask(shard, |reply| Command::Admit { spec, members, reply });
            let admitted = match answer {
                Some(Ok(())) => continue,
                Some(Err(switch::AdmissionError::Memory { needed, free })) => {
                    // As the user counts it: over all shards.
                    let shards = self.senders.len() as u64;
                    AdmissionError::Memory { needed: needed * shards, free: free * shards }
                }
                Some(Err(error)) => AdmissionError::Other(error.to_string()),
                None => AdmissionError::Other(format!("shard {shard} does not answer")),
            };
            self.release(job.job);
            return Err(admitted);
        }
        Ok(())
    }

    fn release(&mut self, job: u16) {
        for sender in &self.senders {
            sender.send(Command::Release(JobId(job)));
        }
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        (0..self.senders.len()).filter_map(|shard| self.ask(shard, Command::Status)).map(shard_status).collect()
    }
}

fn shard_status(snapshot: Snapshot) -> ShardStatus {
    let system_calls = [("send_calls", snapshot.send_calls), ("receive_calls", snapshot.receive_calls)];
    ShardStatus {
        counters: snapshot.counters.iter().chain(system_calls).collect(),
        memory_used: snapshot.memory_used,
        memory_total: snapshot.memory_total,
        jobs: snapshot.jobs.into_iter().map(job_status).collect(),
    }
}

fn job_status(job: switch::JobStatus) -> JobStatus {
    let slot = |waiting: switch::WaitingSlot| SlotStatus {
        slot: waiting.slot.0,
        position: waiting.position.0,
        seen: waiting.seen.iter().map(|worker| worker.0).collect(),
        missing: waiting.missing.iter().map(|worker| worker.0).collect(),
    };
    JobStatus {
        job: job.spec.job.0,
        slots: job.spec.slots,
        counters: Vec::new(),
        waiting: job.waiting.into_iter().map(slot).collect(),
    }
}
