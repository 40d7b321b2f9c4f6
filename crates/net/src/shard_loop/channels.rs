//! Tables in shared memory, at the switch (R-KEY-20).

use netfold_shm::{ChannelEnd, PortError};
use netfold_switch::{MAX_ANSWER_BYTES, Shard};
use netfold_wire::{Ecn, JobId, TablePacket};
use rustix::event::{PollFd, PollFlags};

use crate::notify::WakeSocket;

/// Bytes of requests that a worker may have served before the next one's turn.
const TURN_BYTES: u32 = 64 << 10;

/// The way of a worker to a table.
pub(crate) struct TableChannel {
    pub(crate) job: JobId,
    /// The switch's end.
    pub(crate) end: ChannelEnd,
    /// Wakes the worker, and is woken by it.
    pub(crate) worker: WakeSocket,
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

    /// Returns what to poll, in the order of the channels.
    pub(super) fn polled(&self) -> impl Iterator<Item = PollFd<'_>> {
        self.channels.iter().map(|channel| PollFd::new(&channel.worker, PollFlags::IN))
    }

    /// Takes the wakes of the channels that `woken` tells in the same order. Those that their
    /// workers have closed are removed.
    pub(super) fn reset(&mut self, woken: impl IntoIterator<Item = bool>) {
        let mut woken = woken.into_iter();
        self.channels.retain(|channel| !woken.next().unwrap_or(false) || channel.worker.reset());
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

    /// R-KEY-20: a worker that writes what it may not loses its own channel.
    #[test]
    fn a_channel_that_is_spoilt_is_given_up_and_no_other() {
        let mut shard = Shard::new(1 << 20);
        let mut channels = Channels::default();
        let made = [1, 2].map(|job| {
            let (channel, wake) = (Channel::create().unwrap(), WakeSocket::pair().unwrap());
            let (end, (worker, other)) = (channel.switch_end(), wake);
            channels.add(vec![TableChannel { job: JobId(job), end, worker }]);
            (channel, other)
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

    /// R-KEY-20: a worker that is gone leaves no channel behind, and no other loses its wake.
    #[test]
    fn a_channel_ends_with_its_worker() {
        let mut channels = Channels::default();
        let [one, two, three] = [1, 2, 3].map(|job| {
            let (worker, other) = WakeSocket::pair().unwrap();
            let end = Channel::create().unwrap().switch_end();
            channels.add(vec![TableChannel { job: JobId(job), end, worker }]);
            other
        });
        let ready = |channels: &Channels| -> Vec<bool> {
            let mut fds: Vec<_> = channels.polled().collect();
            crate::endpoint::wait(&mut fds, Some(std::time::Duration::ZERO)).unwrap();
            fds.iter().map(|fd| !fd.revents().is_empty()).collect()
        };
        assert_eq!(ready(&channels), [false; 3]);
        three.wake();
        drop(two);
        assert_eq!(ready(&channels), [false, true, true]);
        let woken = ready(&channels);
        channels.reset(woken);
        let left: Vec<u16> = channels.channels.iter().map(|channel| channel.job.0).collect();
        assert_eq!(left, [1, 3]);
        assert_eq!(ready(&channels), [false; 2], "both wakes were taken");
        drop((one, three));
    }
}
