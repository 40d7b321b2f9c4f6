//! Tables in shared memory, at the switch (R-KEY-20).

use netfold_shm::{ChannelEnd, PortError};
use netfold_switch::{MAX_ANSWER_BYTES, Shard};
use netfold_wire::{Ecn, JobId, TablePacket};

use crate::notify::Notifier;

/// Bytes of requests that a worker may have served before the next one's turn.
const TURN_BYTES: u32 = 64 << 10;

/// The way of a worker to a table.
pub(crate) struct TableChannel {
    pub(crate) job: JobId,
    /// The switch's end.
    pub(crate) end: ChannelEnd,
    pub(crate) worker: Notifier,
}

/// The ways of all workers to the tables of a shard.
#[derive(Default)]
pub(super) struct Channels {
    channels: Vec<TableChannel>,
    answer: Vec<u8>,
}

impl Channels {
    pub(super) fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    pub(super) fn add(&mut self, channels: Vec<TableChannel>) {
        self.channels.extend(channels);
    }

    pub(super) fn remove(&mut self, job: JobId) {
        self.channels.retain(|channel| channel.job != job);
    }

    /// Has the workers wake the shard from now on. Returns whether nothing is there by now.
    pub(super) fn sleep(&self) -> bool {
        // All of them are told, also if something is there.
        self.channels.iter().filter(|channel| !channel.end.receiver.sleep()).count() == 0
    }

    /// Answers what is there.
    pub(super) fn serve(&mut self, shard: &mut Shard) {
        self.answer.resize(MAX_ANSWER_BYTES, 0);
        let answer = &mut self.answer;
        self.channels.retain_mut(|channel| {
            let served = channel.serve(shard, answer);
            if served.is_err() {
                let job = channel.job.0;
                tracing::warn!(job, "a worker's memory for the table holds what netfold never writes there; its requests are answered no more");
            }
            served.is_ok()
        });
    }
}

impl TableChannel {
    fn serve(&mut self, shard: &mut Shard, answer: &mut [u8]) -> Result<(), PortError> {
        let ChannelEnd { sender, receiver } = &mut self.end;
        let mut sent = Ok(true);
        let any = receiver.receive(TURN_BYTES, |datagram| {
            if sent.is_err() || !TablePacket::is_one(datagram) {
                return;
            }
            let len = shard.handle_table(datagram, Ecn::default(), answer);
            if len > 0 {
                // One without room is lost, as on any path.
                sent = sender.write(&answer[..len]);
            }
        })?;
        sent?;
        if any && sender.publish() {
            self.worker.wake();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use netfold_shm::Channel;

    use super::*;
    use crate::notify::EventFd;

    /// R-KEY-20: a worker that writes what it may not loses its own channel.
    #[test]
    fn a_channel_that_is_spoilt_is_given_up_and_no_other() {
        let mut shard = Shard::new(1 << 20);
        let mut channels = Channels::default();
        let made = [1, 2].map(|job| {
            let (channel, event) = (Channel::create().unwrap(), EventFd::new().unwrap());
            let (end, worker) = (channel.switch_end(), event.notifier());
            channels.add(vec![TableChannel { job: JobId(job), end, worker }]);
            (channel, event)
        });
        assert!(channels.sleep());
        channels.serve(&mut shard);
        assert_eq!(channels.channels.len(), 2);
        // The position up to which the worker has written, beyond the ring.
        let [(spoilt, _), (other, _)] = &made;
        rustix::io::pwrite(spoilt.descriptor(), &u32::MAX.to_ne_bytes(), 0).unwrap();
        let mut end = other.worker_end();
        end.sender.write(b"no packet of a table").unwrap();
        assert!(end.sender.publish(), "the switch sleeps");
        assert!(!channels.sleep());
        channels.serve(&mut shard);
        let left: Vec<u16> = channels.channels.iter().map(|channel| channel.job.0).collect();
        assert_eq!(left, [2]);
        assert!(end.sender.has_room(400_000, 1).unwrap(), "what came was taken");
        channels.remove(JobId(2));
        assert!(channels.is_empty());
    }
}
